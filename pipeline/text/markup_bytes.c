/* markup_bytes.c - prepares HTML and XML for the parser. The bytes are converted to UTF-8, since
 * libxml2 silently ends a page at the first byte that is invalid in its encoding. Attributes are
 * counted. */
#include "pipeline/text/markup.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unicode/ucnv.h>

#include "pipeline/support/utf8.h"

/* ---- The encoding ---------------------------------------------------------------------------- */

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

enum { LABEL_MOST = TRIB_LABEL_MAX, TAG_MOST = 1024 };

static bool begins(const char *at, const char *end, const char *word) {
    const size_t n = strlen(word);
    return (size_t)(end - at) >= n && strncasecmp(at, word, n) == 0;
}

/* The first occurrence of a word before `end`, ignoring case, or NULL. */
static const char *seek(const char *at, const char *end, const char *word) {
    for (; at < end; at++)
        if ((*at | 0x20) == (*word | 0x20) && begins(at, end, word)) return at;
    return NULL;
}

/* Reads the value, possibly quoted, after `name` and an equals sign. */
static bool read_value(char label[LABEL_MOST], const char *at, const char *end, const char *name) {
    static const char white[] = " \t\r\n";
    while ((at = seek(at, end, name)) != NULL) {
        at += strlen(name);
        while (at < end && strchr(white, *at)) at++;
        if (at == end || *at != '=') continue;
        at++;
        while (at < end && (strchr(white, *at) || *at == '"' || *at == '\'')) at++;
        size_t n = 0;
        while (at + n < end && !strchr(" \t\r\n\"'/>;", at[n])) n++;
        if (n == 0 || n >= LABEL_MOST) return false;
        memcpy(label, at, n);
        label[n] = '\0';
        return true;
    }
    return false;
}

static void find_in_declaration(char label[LABEL_MOST], const char *at, size_t length) {
    const size_t n = length < TAG_MOST ? length : TAG_MOST;
    const char *close = memchr(at, '>', n);
    label[0] = '\0';
    if (begins(at, at + length, "<?xml"))
        (void)read_value(label, at, close ? close : at + n, "encoding");
}

/* Reads the encoding that a <meta> before the body or the XML declaration names; "" when there is
 * none. */
static void find_declared(char label[LABEL_MOST], const char *at, size_t length) {
    const char *const end = at + length;
    const char *body = seek(at, end, "<body"), *meta = at;
    const char *const until = body ? body : end;
    while ((meta = seek(meta, until, "<meta")) != NULL) {
        const size_t n = until - meta < TAG_MOST ? (size_t)(until - meta) : TAG_MOST;
        const char *close = memchr(meta, '>', n);
        if (read_value(label, meta, close ? close : meta + n, "charset")) return;
        meta += strlen("<meta");
    }
    find_in_declaration(label, at, length);
}

/* Replaces the name of an encoding by that of its superset which pages mean by it (WHATWG Encoding,
 * section 4.2). */
static const char *superset_of(const char *label) {
    static const char *const as[][2] = {
        {"iso-8859-1", "windows-1252"},   {"latin1", "windows-1252"},
        {"iso-8859-9", "windows-1254"},   {"iso-8859-11", "windows-874"},
        {"tis-620", "windows-874"},       {"gb2312", "gbk"},
        {"ks_c_5601-1987", "windows-949"}};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        if (ucnv_compareNames(label, as[i][0]) == 0) return as[i][1];
    return label;
}

/* Whether this is a single-byte encoding. Almost any bytes are valid in it, so that a page that is
 * valid UTF-8 is UTF-8 even if it declares such an encoding. */
static bool is_one_byte(const char *encoding) {
    static const char *const families[] = {"windows-12", "iso-8859", "us-ascii", "ascii"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncasecmp(encoding, families[i], strlen(families[i])) == 0) return true;
    return false;
}

static void check_bytes(trib_markup_bytes file, bool *is_utf8, bool *is_ascii) {
    *is_utf8 = *is_ascii = true;
    for (size_t i = 0, n; i < file.length && *is_utf8; i += n) {
        n = trib_utf8_length(file.at + i, file.length - i);
        *is_utf8 = n > 0;
        *is_ascii = *is_ascii && n == 1;
    }
}

/* The encoding that the first bytes show: by a byte order mark, or XML with two bytes per
 * character. NULL: unknown. */
static const char *encoding_by_start(trib_markup_bytes file, bool is_html) {
    static const struct {
        const char *first;
        size_t n;
        const char *encoding;
    } starts[] = {{BYTE_ORDER_MARK, 3, "UTF-8"},
                  {"\xFF\xFE", 2, "UTF-16"},
                  {"\xFE\xFF", 2, "UTF-16"},
                  {"<\0?\0", 4, "UTF-16LE"},
                  {"\0<\0?", 4, "UTF-16BE"}};
    for (size_t i = 0; i < (is_html ? 3 : sizeof starts / sizeof *starts); i++)
        if (file.length >= starts[i].n && memcmp(file.at, starts[i].first, starts[i].n) == 0)
            return starts[i].encoding;
    return NULL;
}

/* The encoding of a file; NULL for UTF-8. */
static const char *encoding_of(char label[LABEL_MOST], trib_markup_text *to, trib_markup_bytes file,
                               bool is_html) {
    UErrorCode code = U_ZERO_ERROR;
    bool is_utf8, is_ascii;
    const char *shown = encoding_by_start(file, is_html);
    if (shown) return strcmp(shown, "UTF-8") == 0 ? NULL : shown;
    (is_html ? find_declared : find_in_declaration)(label, file.at, file.length);
    /* not UTF-16 either, since the declaration could be read as ASCII */
    if (strncasecmp(label, "utf", 3) == 0) return NULL;
    const char *encoding = is_html ? superset_of(label) : label;
    UConverter *converter = *label ? ucnv_open(encoding, &code) : NULL;
    const bool is_known = converter && U_SUCCESS(code);
    if (converter) ucnv_close(converter);
    check_bytes(file, &is_utf8, &is_ascii);
    if (is_known && (!is_utf8 || is_ascii || !is_one_byte(encoding))) return encoding;
    if (is_known)
        snprintf(to->remark, sizeof to->remark,
                 "declares the encoding '%s', but its bytes are UTF-8 and are read as such", label);
    if (is_utf8 || !is_html) return NULL; /* XML without a declaration is UTF-8 */
    snprintf(to->remark, sizeof to->remark,
             "declares %s%s%s and is not UTF-8; read as windows-1252",
             *label ? "the unknown encoding '" : "no encoding", label, *label ? "'" : "");
    return "windows-1252";
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* Reports an invalid byte, or replaces it. */
static trib_status meet_invalid(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                                size_t at, const char *encoding, trib_error *error) {
    unsigned long long line = 1;
    if (to->on_invalid == TRIB_INVALID_REPLACE) {
        to->n_replaced++;
        return trib_buffer_add(page, "\xEF\xBF\xBD", 3, error);
    }
    for (size_t i = 0; i < at; i++) line += file.at[i] == '\n';
    return trib_fail(error, TRIB_INPUT,
                     "%s: byte %zu (line %llu) is not %s (0x%02X), the encoding of the file; "
                     "correct its declaration, or set corpus.on_invalid to replace",
                     file.name, at, line, encoding, (unsigned)(unsigned char)file.at[at]);
}

static trib_status copy_utf8(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                             bool is_html, trib_error *error) {
    trib_status status = TRIB_OK;
    const bool marked = file.length >= 3 && memcmp(file.at, BYTE_ORDER_MARK, 3) == 0;
    for (size_t i = marked ? 3 : 0, from = i; i <= file.length && status == TRIB_OK;) {
        const size_t left = file.length - i;
        const size_t n = left > 0 ? trib_utf8_length(file.at + i, left) : 0;
        if (n > 0 && (file.at[i] != '\0' || !is_html)) {
            i += n;
            continue;
        }
        status = trib_buffer_add(page, file.at + from, i - from, error);
        if (left == 0) break;
        if (status == TRIB_OK && n == 0) status = meet_invalid(to, page, file, i, "UTF-8", error);
        from = ++i;
    }
    return status;
}

static size_t put_utf8(char to[4], UChar32 c) {
    if (c < 0x80) return to[0] = (char)c, 1;
    const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n; i-- > 1; c >>= 6) to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(lead[n] | (unsigned)c);
    return n;
}

static trib_status convert(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                           const char *encoding, bool is_html, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(encoding, &code);
    if (U_SUCCESS(code))
        ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    trib_status status = TRIB_OK;
    if (U_FAILURE(code))
        status = trib_fail(error, TRIB_MEMORY, "%s: no converter from %s can be opened", file.name,
                           encoding);
    const char *at = file.at, *const end = file.at + file.length;
    while (status == TRIB_OK && at < end) {
        char utf8[4];
        const char *const before = at;
        code = U_ZERO_ERROR;
        const UChar32 c = ucnv_getNextUChar(converter, &at, end, &code);
        /* the converter consumed bytes that only changed its state */
        if (code == U_INDEX_OUTOFBOUNDS_ERROR) break;
        if (U_FAILURE(code)) {
            status = meet_invalid(to, page, file, (size_t)(before - file.at), encoding, error);
            if (at == before) at++;
        } else if (c != 0 || !is_html)
            status = trib_buffer_add(page, utf8, put_utf8(utf8, c), error);
    }
    if (converter) ucnv_close(converter);
    return status;
}

trib_status trib_html_decode(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                             bool is_html, trib_error *error) {
    char label[LABEL_MOST] = "";
    const char *encoding = encoding_of(label, to, file, is_html);
    return encoding ? convert(to, page, file, encoding, is_html, error)
                    : copy_utf8(to, page, file, is_html, error);
}

/* ---- Attributes ------------------------------------------------------------------------------ */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Skips the comment, CDATA section, declaration, script or style that begins at `at`, none of which
 * contains tags. Returns its end. */
static const char *skip_untagged(const char *at, const char *end, bool is_html) {
    static const char *const raw[] = {"script", "style"};
    const char *close;
    if (begins(at, end, "<!--")) close = seek(at + 4, end, "-->");
    else if (!is_html && begins(at, end, "<![CDATA[")) close = seek(at, end, "]]>");
    else if (at + 1 < end && (at[1] == '!' || at[1] == '?'))
        close = memchr(at, '>', (size_t)(end - at));
    else {
        for (size_t i = 0; is_html && i < sizeof raw / sizeof *raw; i++)
            if (begins(at + 1, end, raw[i])) return (close = seek(at, end, "</")) ? close : end;
        return at;
    }
    return close ? close + 1 : end;
}

/* Returns the end of the tag that begins at `at` and sets *n to the number of its attributes. A
 * quoted text after an equals sign is one value. */
static const char *count_attributes(const char *at, const char *end, size_t *n) {
    static const char white[] = " \t\r\n\f";
    *n = 0;
    while (at < end && !strchr(" \t\r\n\f/>", *at)) at++; /* name of the element */
    while (at < end && *at != '>') {
        if (strchr(" \t\r\n\f/", *at)) {
            at++;
            continue;
        }
        ++*n;
        while (at < end && !strchr(" \t\r\n\f/>=", *at)) at++;
        const char *value = at;
        while (value < end && strchr(white, *value)) value++;
        if (value == end || *value != '=') continue;
        for (value++; value < end && strchr(white, *value);) value++;
        const bool quoted = value < end && (*value == '"' || *value == '\'');
        const char *close = quoted ? memchr(value + 1, *value, (size_t)(end - value) - 1) : NULL;
        if (quoted) at = close ? close + 1 : end;
        else
            for (at = value; at < end && !strchr(" \t\r\n\f>", *at);) at++;
    }
    return at;
}

trib_status trib_html_check_attributes(trib_markup_bytes file, bool is_html, trib_error *error) {
    const char *at = file.at, *const end = file.at + file.length;
    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        const char *const tag = at;
        size_t n = 0;
        if (at + 1 < end && is_letter(at[1])) at = count_attributes(at + 1, end, &n);
        if (n > TRIB_ATTRIBUTES_MOST) {
            unsigned long long line = 1;
            for (const char *c = file.at; c < tag; c++) line += *c == '\n';
            return trib_fail(
                error, TRIB_INPUT,
                "%s:%llu: an element has more than %d attributes, which no text needs; "
                "convert it to plain text",
                file.name, line, (int)TRIB_ATTRIBUTES_MOST);
        }
        const char *after = skip_untagged(tag, end, is_html);
        at = after > at ? after : at > tag ? at : tag + 1;
    }
    return TRIB_OK;
}
