/* diagnostic.c - error messages with their place, in the format of C compilers:
 *
 *     experiment.yaml:14:5: error: unknown key 'treshold' in 'influence'; did you mean 'threshold'?
 *        14 |     treshold: 0.2
 *           |     ^~~~~~~~ */
#include "pipeline/config/diagnostic.h"
#include "pipeline/support/utf8.h"
#include "pipeline/support/warnings.h"
#include "tokenizer/tokenizer.h"

#include <ctype.h>

enum {
    MAX_BYTES = 16 << 20, /* largest size of a configuration or a list of documents */
    MAX_EXCERPT = 120,    /* code points of a source line that a message shows */
    CONTEXT = 60          /* of these, code points before the place, in a longer line */
};

/* ---- Sources --------------------------------------------------------------------------------- */

/* Reports an error and returns false when a byte is not valid UTF-8, or is NUL. */
static bool is_text(const trib_source *source, trib_diagnostics *diagnostics) {
    const char *text = source->text.text;
    uint32_t line = 1;
    for (size_t i = 0, n = 0; i < source->text.length; i += n) {
        n = text[i] == '\0' ? 0 : trib_utf8_length(text + i, source->text.length - i);
        if (n == 0) {
            trib_diagnose(diagnostics, (trib_place){.source = source},
                          "byte %zu (line %u) is not UTF-8 text (0x%02x); save the file as UTF-8",
                          i + 1, line, (unsigned)(unsigned char)text[i]);
            return false;
        }
        line += text[i] == '\n';
    }
    return true;
}

/* Makes a text in UTF-16 with a byte order mark, as spreadsheets write it, UTF-8. */
static trib_status decode_wide(trib_buffer *text, trib_error *error) {
    trib_buffer utf8 = {0};
    if (text->length < 2 ||
        (memcmp(text->text, "\xFF\xFE", 2) != 0 && memcmp(text->text, "\xFE\xFF", 2) != 0))
        return TRIB_OK;
    const trib_status status = trib_excerpt(&utf8, "UTF-16", text->text, text->length, error);
    trib_buffer_release(text);
    *text = utf8;
    return status;
}

trib_status trib_source_read(trib_source *source, const char *path, bool *readable,
                             trib_diagnostics *diagnostics, trib_error *error) {
    static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8 byte order mark */
    *source = (trib_source){.name = strcmp(path, "-") == 0 ? "standard input" : path};
    *readable = false;
    trib_reader reader = {.file = -1};
    trib_error problem = {0};
    char block[1 << 14];
    size_t got = 0;
    trib_status status = trib_reader_open(&reader, path, &problem);
    do {
        if (status == TRIB_OK)
            status = trib_reader_read(&reader, block, sizeof block, &got, &problem);
        if (status == TRIB_OK) status = trib_buffer_add(&source->text, block, got, &problem);
    } while (status == TRIB_OK && got > 0 && source->text.length <= MAX_BYTES);
    trib_reader_close(&reader);
    trib_buffer *text = &source->text;
    const trib_place whole = {.source = source};
    const size_t prefix = strlen(source->name) + 2; /* messages of base begin with "name: " */
    if (status == TRIB_MEMORY) return trib_fail(error, status, "%s", problem.message);
    if (status != TRIB_OK) {
        trib_diagnose(diagnostics, whole, "%s",
                      strncmp(problem.message, source->name, prefix - 2) == 0
                          ? problem.message + prefix
                          : problem.message);
        return TRIB_OK;
    }
    if (text->length > MAX_BYTES) {
        trib_diagnose(diagnostics, whole, "longer than %d MiB; not a configuration",
                      MAX_BYTES >> 20);
        return TRIB_OK;
    }
    if (text->length >= 3 && memcmp(text->text, mark, 3) == 0) {
        text->length -= 3;
        memmove(text->text, text->text + 3, text->length + 1);
    }
    status = decode_wide(text, error);
    *readable = status == TRIB_OK && is_text(source, diagnostics);
    return status;
}

void trib_source_release(trib_source *source) {
    trib_buffer_release(&source->text);
    *source = (trib_source){0};
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* A text of bounded length. Text beyond the bound is dropped. */
typedef struct line {
    char text[2 * TRIB_MESSAGE_MAX];
    size_t length;
} line;

static void put(line *out, const char *bytes, size_t length) {
    if (length >= sizeof out->text - out->length) return;
    memcpy(out->text + out->length, bytes, length);
    out->length += length;
    out->text[out->length] = '\0';
}

/* Writes the next character of `text` in printable form to `shown`. Returns the number of bytes it
 * occupies in `text`. */
static size_t show_next(char shown[5], size_t *n_shown, const char *text, size_t left) {
    const size_t n = trib_utf8_length(text, left);
    const unsigned char byte = (unsigned char)*text;
    if (n == 0 || byte < 0x20 || byte == 0x7F) {
        *n_shown = (size_t)snprintf(shown, 5, "\\x%02x", (unsigned)byte);
        return 1;
    }
    memcpy(shown, text, n);
    *n_shown = n;
    return n;
}

static void put_shown(line *out, const char *text) {
    char shown[5];
    size_t n_shown = 0;
    for (size_t left = strlen(text), n = 0; left > 0; left -= n, text += n) {
        n = show_next(shown, &n_shown, text, left);
        put(out, shown, n_shown);
    }
}

trib_status trib_show_bytes(trib_buffer *shown, const char *bytes, size_t length,
                            trib_error *error) {
    char character[5];
    size_t n_shown = 0;
    trib_status status = trib_buffer_add(shown, "", 0, error);
    for (size_t n = 0; status == TRIB_OK && length > 0; length -= n, bytes += n) {
        n = show_next(character, &n_shown, bytes, length);
        status = trib_buffer_add(shown, character, n_shown, error);
    }
    return status;
}

/* Appends the source line of a place and the marker under it. Of a long line, only the part around
 * the place. */
static void put_excerpt(line *out, trib_place place) {
    const char *text = place.source->text.text;
    const char *end = text ? text + place.source->text.length : NULL;
    for (uint32_t i = 1; text && i < place.line; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        if (text) text++;
    }
    if (!text || place.column == 0) return;
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    if (!stop) stop = end;
    if (stop > text && stop[-1] == '\r') stop--;
    const uint32_t first = place.column > MAX_EXCERPT - CONTEXT / 2 ? place.column - CONTEXT : 1;
    char number[32];
    put(out, number, (size_t)snprintf(number, sizeof number, "\n%5u | ", place.line));
    line marker = {.length = 0};
    put(&marker, "\n      | ", 9);
    for (uint32_t column = 1; text < stop && column < first + MAX_EXCERPT; column++) {
        const size_t n = trib_utf8_length(text, (size_t)(stop - text));
        const bool control = iscntrl((unsigned char)*text) && *text != '\t';
        if (column >= first) put(out, control ? "?" : text, n > 0 ? n : 1);
        if (column >= first && column < place.column) put(&marker, *text == '\t' ? "\t" : " ", 1);
        if (column > place.column && column < place.column + place.width) put(&marker, "~", 1);
        if (column == place.column) put(&marker, "^", 1);
        text += n > 0 ? n : 1;
    }
    if (!strchr(marker.text, '^')) put(&marker, "^", 1); /* at the end of the line */
    put(out, marker.text, marker.length);
}

/* Hashes a message without its quoted names and numbers, so that messages of one kind have one
 * value. */
static uint64_t kind_of(const char *sentence) {
    char bare[TRIB_MESSAGE_MAX];
    size_t n = 0;
    for (const char *at = sentence; *at; at++) {
        bare[n++] = *at;
        const char *end = *at == '\'' ? strchr(at + 1, '\'') : NULL;
        if (end) at = end;
    }
    bare[n] = '\0';
    return trib_repeated_errors_kind(bare, &(trib_repeated_errors_about){NULL, NULL});
}

/* Whether another message of this kind may be reported; records it if so. */
static bool may_report(trib_diagnostics *diagnostics, bool is_error, uint64_t kind) {
    size_t *n = &diagnostics->n_reported[is_error], n_alike = 0;
    for (size_t i = 0; i < *n; i++) n_alike += diagnostics->reported[is_error][i] == kind;
    if (*n == TRIB_DIAGNOSTICS_MAX || n_alike == TRIB_DIAGNOSTICS_ALIKE_MAX) return false;
    diagnostics->reported[is_error][(*n)++] = kind;
    return true;
}

static void say(trib_diagnostics *diagnostics, trib_place place, bool is_error, const char *format,
                va_list arguments) {
    char sentence[TRIB_MESSAGE_MAX], number[64] = "";
    ++*(is_error ? &diagnostics->n_errors : &diagnostics->n_warnings);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    if (!diagnostics->report || !may_report(diagnostics, is_error, kind_of(sentence))) return;
    line message = {.length = 0};
    if (place.source) {
        put_shown(&message, place.source->name);
        const bool excerpt =
            place.line > 0 && (place.source->text.length > 0 || place.source->is_elsewhere);
        if (excerpt && place.column > 0)
            snprintf(number, sizeof number, ":%u:%u", place.line, place.column);
        else if (excerpt) snprintf(number, sizeof number, ":%u", place.line);
        put(&message, number, strlen(number));
        put(&message, ": ", 2);
    }
    put(&message, is_error ? "error: " : "warning: ", is_error ? 7 : 9);
    put_shown(&message, sentence);
    if (place.source && place.line > 0) put_excerpt(&message, place);
    diagnostics->report(diagnostics->context, is_error, message.text);
}

void trib_diagnose(trib_diagnostics *diagnostics, trib_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(diagnostics, place, true, format, arguments);
    va_end(arguments);
}

void trib_warn(trib_diagnostics *diagnostics, trib_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(diagnostics, place, false, format, arguments);
    va_end(arguments);
}

bool trib_settled(trib_diagnostics *diagnostics, trib_place place, const char *before,
                  trib_status mistake, const trib_error *why, trib_error *failure) {
    if (why->status == mistake) trib_diagnose(diagnostics, place, "%s%s", before, why->message);
    else if (why->status != TRIB_OK && failure->status == TRIB_OK) *failure = *why;
    return why->status == TRIB_OK;
}

void trib_diagnostics_end(trib_diagnostics *diagnostics) {
    static const char *const name[2] = {"warning", "error"};
    const size_t n[2] = {diagnostics->n_warnings, diagnostics->n_errors};
    char message[64];
    for (int is_error = 0; diagnostics->report && is_error < 2; is_error++) {
        const size_t left = n[is_error] - diagnostics->n_reported[is_error];
        if (left == 0) continue;
        snprintf(message, sizeof message, "%s: and %zu more %s%s", name[is_error], left,
                 name[is_error], left == 1 ? "" : "s");
        diagnostics->report(diagnostics->context, is_error, message);
    }
}

/* ---- Cells of a table ------------------------------------------------------------------------ */

trib_status trib_source_cells_next(trib_source_cells *t, trib_diagnostics *diagnostics,
                                   trib_error *error) {
    const trib_status status = trib_cells_next(&t->cells, error);
    t->place = (trib_place){t->source, t->cells.cell_line, t->cells.cell_column, 1};
    if (t->cells.complaint) trib_diagnose(diagnostics, t->place, "%s", t->cells.complaint);
    t->place.width = t->cells.cell_width;
    return status;
}
