/* terminal.c - width, escaping and padding of texts on a terminal. */
#include "pipeline/support/terminal.h"

#include <sys/ioctl.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unistd.h>

#include "pipeline/support/log.h"
#include "pipeline/support/utf8.h"

static size_t character_columns(UChar32 c) {
    if (c < 0) return 1;
    switch (u_charType(c)) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR:
        return 0;
    default:
        break;
    }
    const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

size_t trib_columns(const char *text) {
    const size_t length = strlen(text);
    size_t columns = 0;
    for (size_t i = 0; i < length;) columns += character_columns(trib_utf8_next(text, length, &i));
    return columns;
}

bool trib_is_unfit(uint32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
           (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

/* What stands for the character at text[*i], which advances; the length of `piece`. The characters
 * of `kept` stay; a space there keeps U+2028 and U+2029. */
static size_t clean_piece(char piece[16], const char *text, size_t length, size_t *i,
                          const char *kept) {
    const size_t start = *i;
    const UChar32 c = trib_utf8_next(text, length, i);
    if (c < 0) *i = start + 1; /* escapes each byte of an invalid sequence */
    const bool is_line =
        c == '\n' || c == '\t' || ((c == 0x2028 || c == 0x2029) && !strchr(kept, ' '));
    const bool is_kept = c > 0 && c < 0x80 && strchr(kept, c);
    if (is_kept || (c >= 0 && !is_line && !trib_is_unfit((uint32_t)c)))
        return (memcpy(piece, text + start, *i - start), *i - start);
    return (size_t)snprintf(piece, 16, c < 0x100 ? "\\x%02X" : "\\u{%04X}",
                            c < 0 ? (unsigned)(unsigned char)text[start] : (unsigned)c);
}

size_t trib_clean(char *out, size_t size, const char *text, size_t length, bool keep_lines) {
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        char piece[16];
        const size_t n = clean_piece(piece, text, length, &i, keep_lines ? "\n" : "");
        if (used + n + 1 > size) break;
        memcpy(out + used, piece, n);
        used += n;
    }
    if (size > 0) out[used] = '\0';
    return used;
}

void trib_write_clean(trib_writer *writer, const char *text, size_t length, const char *kept) {
    for (size_t i = 0; i < length;) {
        char piece[16];
        size_t n = 0;
        while (i + n < length && text[i + n] >= ' ' && text[i + n] < 0x7F) n++;
        trib_write(writer, text + i, n);
        i += n;
        if (i < length) trib_write(writer, piece, clean_piece(piece, text, length, &i, kept));
    }
}

const char *trib_pad(char *out, size_t size, const char *text, size_t columns, bool right) {
    static const char ellipsis[] = "\u2026";
    const size_t length = strlen(text);
    const bool cut = trib_columns(text) > columns;
    const size_t room = cut ? columns - (columns > 0) : columns;
    size_t kept = 0, taken = 0;
    for (size_t i = 0; i < length;) {
        const UChar32 c = trib_utf8_next(text, length, &i);
        const size_t width = character_columns(c);
        if (taken + width > room) break;
        taken += width;
        kept = i;
    }
    if (cut && columns > 0) taken++;
    const size_t blank = columns - taken, dots = cut && columns > 0 ? sizeof ellipsis - 1 : 0;
    if (kept + dots + blank + 1 > size) {
        if (size > 0) out[0] = '\0';
        return out;
    }
    char *at = out;
    if (right) at = (char *)memset(at, ' ', blank) + blank;
    at = (char *)memcpy(at, text, kept) + kept;
    at = (char *)memcpy(at, ellipsis, dots) + dots;
    if (!right) at = (char *)memset(at, ' ', blank) + blank;
    *at = '\0';
    return out;
}

bool trib_is_right_to_left(const char *text, size_t length) {
    bool is = false;
    for (size_t i = 0; i < length && !is;) {
        const UCharDirection direction = u_charDirection(trib_utf8_next(text, length, &i));
        is = direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
    }
    return is;
}

size_t trib_terminal_columns(int file) {
    const char *said = getenv("COLUMNS");
    struct winsize window;
    uint64_t columns = 0;
    if (said && trib_read_uint(said, &columns) && columns > 0 && columns <= 65535)
        return (size_t)columns;
    return ioctl(file, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

size_t trib_page_columns(int file) {
    const size_t columns = trib_terminal_columns(file);
    return columns < TRIB_PAGE_NARROWEST ? TRIB_PAGE_NARROWEST
           : columns > TRIB_PAGE_WIDEST  ? TRIB_PAGE_WIDEST
                                         : columns;
}

trib_status trib_wrap(trib_buffer *to, const char *text, size_t indent, size_t columns,
                      trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t column = indent; *text && status == TRIB_OK;) {
        char word[512];
        const size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const size_t width = trib_columns(word);
        if (column > indent && column + 1 + width > columns) {
            status = trib_buffer_print(to, error, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            status = trib_buffer_add(to, " ", 1, error);
            column++;
        }
        if (status == TRIB_OK) status = trib_buffer_add(to, text, length, error);
        column += width;
        text += length + (text[length] == ' ');
    }
    return status == TRIB_OK ? trib_buffer_add(to, "\n", 1, error) : status;
}

/* ---- Scripts without spaces ------------------------------------------------------------------ */

struct trib_line_breaks {
    const char *text;
    UBreakIterator *lines;
    UText view;
};

trib_status trib_line_breaks_open(trib_line_breaks **breaks, const char *text, size_t length,
                                  trib_error *error) {
    UErrorCode failed = U_ZERO_ERROR;
    trib_line_breaks *made = NULL;
    *breaks = NULL;
    const trib_status status = TRIB_NEW(&made, 1, "line breaks", error);
    if (status != TRIB_OK) return status;
    made->text = text;
    made->view = (UText)UTEXT_INITIALIZER;
    made->lines = ubrk_open(UBRK_LINE, "", NULL, 0, &failed);
    utext_openUTF8(&made->view, text, (int64_t)length, &failed);
    if (U_SUCCESS(failed)) ubrk_setUText(made->lines, &made->view, &failed);
    if (U_FAILURE(failed)) {
        trib_line_breaks_close(made);
        return trib_fail(error, TRIB_MEMORY, "out of memory: line breaks");
    }
    *breaks = made;
    return TRIB_OK;
}

void trib_line_breaks_close(trib_line_breaks *breaks) {
    if (!breaks) return;
    if (breaks->lines) ubrk_close(breaks->lines);
    utext_close(&breaks->view);
    trib_free(breaks);
}

/* The script of a character; USCRIPT_COMMON for one without. */
static UScriptCode script_of(UChar32 character) {
    UErrorCode failed = U_ZERO_ERROR;
    const UScriptCode code = uscript_getScript(character, &failed);
    return U_FAILURE(failed) || code == USCRIPT_INHERITED ? USCRIPT_COMMON : code;
}

static bool is_spaceless(UScriptCode script) { return uscript_breaksBetweenLetters(script); }

bool trib_words_run_on(const char *first, const char *next) {
    const size_t length = strlen(first), n_next = strlen(next);
    UScriptCode last = USCRIPT_COMMON, begun = USCRIPT_COMMON;
    for (size_t at = 0; at < length;) {
        const UScriptCode script = script_of(trib_utf8_next(first, length, &at));
        if (script != USCRIPT_COMMON) last = script;
    }
    for (size_t at = 0; at < n_next && begun == USCRIPT_COMMON;)
        begun = script_of(trib_utf8_next(next, n_next, &at));
    return is_spaceless(last) && is_spaceless(begun);
}

size_t trib_line_breaks_next(trib_line_breaks *breaks, size_t from, size_t to) {
    bool is_found = false;
    for (size_t i = from; i < to && !is_found;)
        is_found = is_spaceless(script_of(trib_utf8_next(breaks->text, to, &i)));
    const int32_t next = is_found ? ubrk_following(breaks->lines, (int32_t)from) : UBRK_DONE;
    return next == UBRK_DONE || (size_t)next > to ? to : (size_t)next;
}

/* ---- Colours and shells ---------------------------------------------------------------------- */

bool trib_terminal_colors(int file, int choice) {
    if (choice != TRIB_COLOR_AUTO) return choice == TRIB_COLOR_ALWAYS;
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(file) && !(refused && *refused) && terminal && strcmp(terminal, "dumb") != 0;
}

const char *trib_shell_word(char *out, size_t size, const char *word) {
    static const char harmless[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+,:@%=";
    size_t used = 0;
    if (*word && word[strspn(word, harmless)] == '\0') {
        snprintf(out, size, "%s", word);
        return out;
    }
    used += (size_t)snprintf(out, size, "'");
    for (; *word && used + 6 < size; word++)
        used += (size_t)snprintf(out + used, size - used, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(out + used, size - used, "'");
    return out;
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

size_t trib_utf8_length(const char *text, size_t left) {
    const unsigned char *s = (const unsigned char *)text;
    if (left == 0) return 0;
    if (s[0] < 0x80) return 1;
    size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || n > left) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const bool surrogate = s[0] == 0xED && s[1] > 0x9F, beyond = s[0] == 0xF4 && s[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : n;
}

bool trib_is_utf8(const char *text, size_t length) {
    for (size_t i = 0, n; i < length; i += n)
        if ((n = trib_utf8_length(text + i, length - i)) == 0) return false;
    return true;
}

/* The macro of ICU contains narrowing conversions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
UChar32 trib_utf8_next(const char *text, size_t length, size_t *i) {
    UChar32 c;
    U8_NEXT(text, *i, length, c);
    return c;
}
#pragma GCC diagnostic pop
