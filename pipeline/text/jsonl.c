/* jsonl.c - reads the documents in the lines or rows of a file, and the texts of plain text with
 * marks. */
#include "base/system.h"
#include "pipeline/support/json.h"
#include "pipeline/support/names.h"
#include "pipeline/text/input.h"
#include "pipeline/text/table.h"

enum { BLOCK = 1 << 16 };

/* Length of a path without the column that it names. */
static size_t length_of_file(const char *path) {
    const char *column = trib_address_column(path);
    return column ? (size_t)(column - 1 - path) : strlen(path);
}

/* Copies the path of the file, cut when it is too long for one. */
static void copy_file(char file[4096], const char *path) {
    snprintf(file, 4096, "%.*s", (int)length_of_file(path), path);
}

bool trib_jsonl_is_table(const char *path) {
    char file[4096];
    copy_file(file, path);
    return trib_table_is_named(file);
}

bool trib_jsonl_is_named(const char *path) {
    char file[4096];
    copy_file(file, path);
    return strcmp(file, TRIB_INPUT_LINES) == 0 ||
           trib_name_ends(file, trib_unpacked_name_length(file), ".jsonl .ndjson .json") ||
           trib_table_is_named(file);
}

const char *trib_jsonl_why_named(const char *path) {
    return trib_table_is_named(path) ? "a table; name it to read its texts"
           : trib_name_ends(path, trib_unpacked_name_length(path), ".json")
               ? "JSON; name it to read its texts"
               : NULL;
}

/* Reads a table into memory, and its header. */
static trib_status open_table(trib_jsonl *lines, trib_error *error) {
    TRIB_OWNED(trib_buffer) bytes = {0};
    trib_status status = trib_unpacked_add(&lines->unpacked, &bytes, SIZE_MAX, error);
    if (status == TRIB_OK)
        status = trib_table_open(&lines->table, lines->name, bytes.text ? bytes.text : "",
                                 bytes.length, lines->column, error);
    return status;
}

/* The text of an object: the value of the key that was named, or of the first usual key. */
static json_t *find_text(const json_t *object, const char *named) {
    static const char *const usual[] = {"text", "full_text", "content",    "contents",
                                        "body", "raw_text",  "raw_content"};
    json_t *text = named ? json_object_get(object, named) : NULL;
    for (size_t k = 0; !named && !text && k < sizeof usual / sizeof *usual; k++)
        text = json_object_get(object, usual[k]);
    return text;
}

/* Adds the records in a value of JSON: an object with a text; those in an array, or in an object of
 * nothing else, where their keys are ids; and the texts in an array that is the whole. False: there
 * is no memory. */
static bool add_records(json_t *records, json_t *value, const char *named, unsigned depth) {
    const char *key;
    size_t i, n_objects = 0;
    json_t *inner;
    bool is_good = true;
    if (depth > 3) return true;
    if (json_is_object(value) && find_text(value, named))
        return json_array_append(records, value) == 0;
    json_array_foreach(value, i, inner) {
        if (!json_is_string(inner)) is_good &= add_records(records, inner, named, depth + 1);
        else if (depth == 0)
            is_good &= json_array_append_new(
                           records, json_pack("{s:O}", named ? named : "text", inner)) == 0;
    }
    json_object_foreach(value, key, inner) n_objects += json_is_object(inner);
    const bool is_of_objects = n_objects == json_object_size(value);
    json_object_foreach(value, key, inner) {
        if (is_of_objects && !json_object_get(inner, "id"))
            is_good &= json_object_set_new(inner, "id", json_string(key)) == 0;
        if (is_of_objects || json_is_array(inner))
            is_good &= add_records(records, inner, named, depth + 1);
    }
    return is_good;
}

/* Reads a file of JSON into memory, one value or several. */
static trib_status open_records(trib_jsonl *lines, trib_error *error) {
    trib_buffer bytes = {0};
    json_error_t why = {0};
    lines->records = json_array();
    trib_status status = trib_unpacked_add(&lines->unpacked, &bytes, TRIB_JSONL_LINE_MOST, error);
    size_t at = bytes.length >= 3 && memcmp(bytes.text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (status == TRIB_OK && at < bytes.length) {
        at += strspn(bytes.text + at, " \t\r\n");
        if (at == bytes.length) break;
        json_t *value = json_loadb(bytes.text + at, bytes.length - at,
                                   JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &why);
        if (!value)
            status =
                trib_fail(error, TRIB_INPUT, "%s:%d:%d: is not JSON: %s", lines->name,
                          why.line > 0 ? why.line : 1, why.column > 0 ? why.column : 1, why.text);
        else if (!lines->records || !add_records(lines->records, value, lines->column, 0))
            status = trib_fail(error, TRIB_MEMORY, "out of memory: the records of a file");
        json_decref(value);
        at += (size_t)why.position;
    }
    trib_buffer_release(&bytes);
    if (status == TRIB_OK && json_array_size(lines->records) == 0)
        status =
            trib_fail(error, TRIB_INPUT,
                      "%s: has no record with a text, {\"id\": \"...\", \"text\": \"...\"}; name "
                      "the key of the texts, as in '%s#KEY'",
                      lines->name, lines->name);
    return status;
}

/* Finds by its first bytes whether a file is plain text with marks that has several texts. */
static trib_status find_marks(trib_jsonl *lines, trib_error *error) {
    trib_status status = TRIB_OK;
    size_t got = 1;
    while (status == TRIB_OK && got > 0 && lines->n_block < TRIB_TEXT_FORMAT_BYTES) {
        status = trib_unpacked_read(&lines->unpacked, lines->block + lines->n_block,
                                    TRIB_TEXT_FORMAT_BYTES - lines->n_block, &got, error);
        lines->n_block += got;
    }
    if (status != TRIB_OK) return status;
    lines->marked = trib_marked_of(lines->block, lines->n_block, NULL);
    if (lines->marked && !lines->marked->text[0]) lines->marked = NULL;
    return TRIB_OK;
}

const char *trib_jsonl_kind(const char *path) {
    if (trib_jsonl_is_named(path)) return trib_jsonl_is_table(path) ? "table" : "JSON Lines";
    const trib_text_format *format = trib_text_format_named(path, NULL, 0);
    if ((format && format->use != TRIB_TEXT_FORMAT_TEXT && format->read != trib_marked_text &&
         format->read != trib_pandoc_text) ||
        strcmp(path, "-") == 0 || !trib_disk_is_file(path))
        return NULL;
    trib_jsonl lines;
    bool is_there = true;
    if (trib_jsonl_open(&lines, path, NULL) != TRIB_OK) return NULL;
    const char *name = lines.marked ? lines.marked->name : NULL;
    for (int i = 0; i < 2 && name; i++)
        if (trib_jsonl_next(&lines, &is_there, NULL) != TRIB_OK || !is_there) name = NULL;
    trib_jsonl_close(&lines);
    return name;
}

trib_status trib_jsonl_open(trib_jsonl *lines, const char *path, trib_error *error) {
    *lines = (trib_jsonl){.column = trib_address_column(path)};
    trib_status status = trib_copy_text(&lines->file, path, length_of_file(path), error);
    lines->name = lines->file;
    if (status == TRIB_OK) status = trib_new(&lines->block, BLOCK, 1, "lines", error);
    if (status == TRIB_OK) status = trib_reader_open(&lines->reader, lines->file, error);
    if (status == TRIB_OK && strcmp(lines->file, TRIB_INPUT_LINES) == 0)
        lines->name = "standard input";
    lines->is_open = status == TRIB_OK;
    if (status == TRIB_OK) status = trib_unpacked_open(&lines->unpacked, &lines->reader, error);
    lines->is_table = status == TRIB_OK && trib_table_is_named(lines->name);
    if (lines->is_table) status = open_table(lines, error);
    else if (status == TRIB_OK && trib_jsonl_why_named(lines->name))
        status = open_records(lines, error);
    else if (status == TRIB_OK && !trib_jsonl_is_named(lines->file))
        status = find_marks(lines, error);
    if (status != TRIB_OK) trib_jsonl_close(lines);
    return status;
}

void trib_jsonl_close(trib_jsonl *lines) {
    trib_table_close(&lines->table);
    json_decref(lines->row);
    json_decref(lines->records);
    trib_unpacked_close(&lines->unpacked);
    if (lines->is_open) trib_reader_close(&lines->reader);
    trib_buffer_release(&lines->line);
    trib_buffer_release(&lines->text);
    trib_free(lines->block);
    trib_free(lines->file);
    *lines = (trib_jsonl){0};
}

uint64_t trib_jsonl_line(const trib_jsonl *lines) {
    return lines->is_table ? lines->table.line : lines->marked ? lines->begin : lines->n_lines;
}

static trib_status next_row(trib_jsonl *lines, bool *is_there, trib_error *error) {
    json_decref(lines->row);
    lines->row = NULL;
    const trib_status status = trib_table_next(&lines->table, &lines->row, error);
    *is_there = lines->row != NULL;
    lines->n_lines += *is_there;
    return status;
}

/* Reads the next line of the file; *is_there is false after the last one. */
static trib_status next_line(trib_jsonl *lines, bool *is_there, trib_error *error) {
    trib_buffer_clear(&lines->line);
    trib_status status = TRIB_OK;
    bool any = false, ended = false;
    while (status == TRIB_OK && !ended) {
        if (lines->at == lines->n_block) {
            lines->at = 0;
            status =
                trib_unpacked_read(&lines->unpacked, lines->block, BLOCK, &lines->n_block, error);
            if (status != TRIB_OK || lines->n_block == 0) break;
        }
        const bool is_rest = lines->was_return && lines->block[lines->at] == '\n';
        lines->was_return = false;
        if (is_rest) {
            lines->at++;
            continue;
        }
        const char *from = lines->block + lines->at;
        const size_t left = lines->n_block - lines->at;
        const char *end = memchr(from, '\n', left);
        const char *cr = memchr(from, '\r', end ? (size_t)(end - from) : left);
        if (cr) end = cr, lines->was_return = true;
        const size_t n = end ? (size_t)(end - from) : left;
        any = ended = true;
        if (lines->line.length + n > TRIB_JSONL_LINE_MOST)
            return trib_fail(error, TRIB_INPUT, "%s:%llu: is longer than 1 GiB", lines->name,
                             (unsigned long long)lines->n_read + 1);
        status = trib_buffer_add(&lines->line, from, n, error);
        lines->at += n + (end ? 1 : 0);
        ended = end != NULL;
    }
    if (any) lines->n_read++;
    trib_buffer *const line = &lines->line;
    if (lines->n_read == 1 && line->length >= 3 && memcmp(line->text, "\xEF\xBB\xBF", 3) == 0)
        memset(line->text, ' ', 3); /* the byte order mark of the file */
    *is_there = any;
    return status;
}

/* Whether the current line begins a text. The first that does says how all begin. */
static bool begins_text(trib_jsonl *lines) {
    const char *const line = lines->line.text ? lines->line.text : "";
    const char *const from = line + strspn(line, " ");
    for (size_t i = 0; i < 6 && !lines->sign && lines->marked->text[i]; i++)
        if (strncmp(from, lines->marked->text[i], strlen(lines->marked->text[i])) == 0)
            lines->sign = lines->marked->text[i];
    return lines->sign && strncmp(from, lines->sign, strlen(lines->sign)) == 0;
}

/* Reads the next text, up to the line that begins another. The first has what is before it. */
static trib_status next_text(trib_jsonl *lines, bool *is_there, trib_error *error) {
    trib_buffer *const text = &lines->text;
    bool is_begun = false;
    trib_status status = TRIB_OK;
    trib_buffer_clear(text);
    if (lines->n_read == 0) status = next_line(lines, &lines->has_line, error);
    while (status == TRIB_OK && lines->has_line) {
        const bool begins = begins_text(lines);
        if (begins && is_begun) break;
        if (begins) lines->begin = lines->n_read;
        is_begun = is_begun || begins;
        trib_buffer_add(text, lines->line.text, lines->line.length, error);
        status = trib_buffer_add(text, "\n", 1, error);
        if (text->length > TRIB_JSONL_LINE_MOST)
            status = trib_fail(error, TRIB_INPUT, "%s:%llu: a text is longer than 1 GiB",
                               lines->name, (unsigned long long)lines->begin);
        if (status == TRIB_OK) status = next_line(lines, &lines->has_line, error);
    }
    *is_there = status == TRIB_OK && text->length > 0;
    lines->n_lines += *is_there;
    return status;
}

trib_status trib_jsonl_next(trib_jsonl *lines, bool *is_there, trib_error *error) {
    if (lines->is_table) return next_row(lines, is_there, error);
    if (lines->marked) return next_text(lines, is_there, error);
    if (lines->records) {
        *is_there = lines->n_lines < json_array_size(lines->records);
        lines->n_lines += *is_there;
        return TRIB_OK;
    }
    const trib_status status = next_line(lines, is_there, error);
    lines->n_lines = lines->n_read;
    return status;
}

/* Sets a member of an object to a text in UTF-8, unless that is empty. */
static void set_member(json_t *object, const char *key, const trib_buffer *text) {
    if (text->length > 0) json_object_set_new(object, key, json_stringn(text->text, text->length));
}

/* Makes an object of a text with marks. Its encoding is known only when it is read. */
static trib_status make_object(const trib_jsonl *lines, json_t **object, trib_error *error) {
    static const char *const key[] = {"id", "title", "date"};
    const trib_marked_format *const marked = lines->marked;
    trib_markup_text made = {.format = marked->name, .on_invalid = TRIB_INVALID_REPLACE};
    trib_buffer found = {0}, id = {0}, name = {0};
    json_t *const one = json_object();
    trib_status status = trib_buffer_print(&name, error, "%s:%llu", lines->name,
                                           (unsigned long long)trib_jsonl_line(lines));
    if (status == TRIB_OK)
        status = trib_marked_text(
            &made, (trib_markup_bytes){name.text, lines->text.text, lines->text.length}, error);
    for (size_t k = 0; k < 3 && status == TRIB_OK; k++) {
        if (!marked->about[k]) continue;
        status = trib_marked_group(&found, marked->about[k], &lines->text, error);
        if (k == 0 && status == TRIB_OK && found.length > 0)
            status = trib_id_add(&id, (trib_id_from){found.text, found.length, false}, error);
        set_member(one, key[k], k == 0 ? &id : &found);
    }
    const char *const words = made.text.text ? made.text.text : "";
    if (words[strspn(words, " \t\n")]) set_member(one, "text", &made.text);
    if (status == TRIB_OK && trib_json_failed())
        status = trib_fail(error, TRIB_MEMORY, "out of memory: a text with marks");
    trib_markup_release(&made);
    trib_buffer_release(&found);
    trib_buffer_release(&id);
    trib_buffer_release(&name);
    if (status == TRIB_OK) *object = one;
    else json_decref(one);
    return status;
}

/* Appends the texts in a value, which may be an array of them, each a paragraph of its own. */
static void add_texts(trib_buffer *to, const json_t *value, trib_error *error) {
    if (json_is_string(value) && to->length > 0) trib_buffer_add(to, "\n\n", 2, error);
    if (json_is_string(value))
        trib_buffer_add(to, json_string_value(value), json_string_length(value), error);
    for (size_t i = 0; i < json_array_size(value); i++)
        add_texts(to, json_array_get(value, i), error);
}

/* Sets "text" of an object. An array of texts becomes one text. */
static trib_status set_text(json_t *object, const char *named, trib_error *error) {
    json_t *text = find_text(object, named);
    TRIB_OWNED(trib_buffer) joined = {0};
    if (json_is_array(text)) add_texts(&joined, text, error);
    const trib_status status = joined.failure;
    if (!text) json_object_del(object, "text");
    else if (joined.length > 0)
        json_object_set_new(object, "text", json_stringn(joined.text, joined.length));
    else json_object_set(object, "text", text);
    return status;
}

trib_status trib_jsonl_object(const trib_jsonl *lines, json_t **object, trib_error *error) {
    const trib_buffer *line = &lines->line;
    const unsigned long long number = lines->n_lines;
    json_error_t why;
    *object = lines->is_table ? json_incref(lines->row) : NULL;
    if (lines->is_table) return TRIB_OK;
    if (lines->marked) return make_object(lines, object, error);
    if (lines->records) {
        *object = json_incref(json_array_get(lines->records, lines->n_lines - 1));
        return set_text(*object, lines->column, error);
    }
    size_t white = 0;
    while (white < line->length && strchr(" \t\r", line->text[white]) && line->text[white]) white++;
    if (white == line->length) return TRIB_OK;
    json_t *value = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &why);
    if (!value)
        return trib_fail(error, TRIB_INPUT, "%s:%llu:%d: is not JSON: %s", lines->name, number,
                         why.column > 0 ? why.column : 1, why.text);
    if (json_is_object(value)) {
        *object = value;
        return set_text(value, lines->column, error);
    }
    json_decref(value);
    return trib_fail(
        error, TRIB_INPUT,
        "%s:%llu: is not an object; a line must be {\"text\": \"...\", \"id\": \"...\"}",
        lines->name, number);
}

trib_status trib_jsonl_add(const trib_jsonl *lines, trib_buffer *to, trib_error *error) {
    json_auto_t *object = NULL;
    if (lines->marked) return trib_buffer_add(to, lines->text.text, lines->text.length, error);
    trib_status status = trib_jsonl_object(lines, &object, error);
    const json_t *text = json_object_get(object, "text");
    if (status == TRIB_OK && !json_is_string(text))
        status =
            trib_fail(error, TRIB_INPUT, "%s:%llu: has no \"%s\" that is a string", lines->name,
                      (unsigned long long)lines->n_lines, lines->column ? lines->column : "text");
    return status == TRIB_OK
               ? trib_buffer_add(to, json_string_value(text), json_string_length(text), error)
               : status;
}

trib_status trib_jsonl_text(const char *path, const char *number, trib_buffer *to,
                            trib_error *error) {
    TRIB_OPENED(trib_jsonl) lines = {0};
    uint64_t wanted = 0;
    bool is_there = true;
    if (!trib_read_uint(number, &wanted) || wanted == 0)
        return trib_fail(error, TRIB_INPUT, "%s: '%s' is not a line number", path, number);
    trib_status status = trib_jsonl_open(&lines, path, error);
    if (status != TRIB_OK) return status;
    while (status == TRIB_OK && is_there && lines.n_lines < wanted)
        status = trib_jsonl_next(&lines, &is_there, error);
    if (status == TRIB_OK && !is_there)
        status = trib_fail(error, TRIB_INPUT, "%s: has no %s %s", lines.name,
                           lines.is_table  ? "row"
                           : lines.records ? "record"
                           : lines.marked  ? "text"
                                           : "line",
                           number);
    return status == TRIB_OK ? trib_jsonl_add(&lines, to, error) : status;
}
