/* html.c - writes HTML and SVG as a stream of elements. A stack of open elements ensures balanced
 * tags; one function writes all text, so that all text is escaped. */
#include "pipeline/support/html.h"

#include <assert.h>

#include "pipeline/support/terminal.h"
#include "pipeline/support/utf8.h"

#define NO_BREAK_THIN "\xE2\x80\xAF" /* U+202F */

/* Void elements, which have no content, and elements without a line break before them. */
static const char *const void_elements[] = {"meta", "br",     "col",  "input",    "rect",
                                            "line", "circle", "path", "polyline", "link"};
static const char *const inline_elements[] = {"a",    "b", "bdi",  "em",   "span",  "small", "i",
                                              "data", "q", "code", "text", "tspan", "abbr",  "br"};

/* The bytes of the name of an element, which may stand at the beginning of a longer text. */
static size_t length_of(const char *name) { return strcspn(name, " />"); }

static bool is_among(const char *name, const char *const *list, size_t n) {
    const size_t length = length_of(name);
    for (size_t i = 0; i < n; i++)
        if (strncmp(name, list[i], length) == 0 && list[i][length] == '\0') return true;
    return false;
}

void trib_html_init(trib_html *html, trib_writer *writer) { *html = (trib_html){.writer = writer}; }

void trib_html_release(trib_html *html) {
    assert(html->depth == 0);
    trib_buffer_release(&html->scratch);
}

static void finish_tag(trib_html *html) {
    if (html->in_tag) trib_write_text(html->writer, ">");
    html->in_tag = false;
}

void trib_html_begin(trib_html *html, const char *name) {
    assert(html->depth < TRIB_HTML_DEPTH);
    finish_tag(html);
    if (!is_among(name, inline_elements, sizeof inline_elements / sizeof *inline_elements))
        trib_write_text(html->writer, html->is_terse ? "" : "\n");
    trib_write_text(html->writer, "<");
    trib_write(html->writer, name, length_of(name));
    html->open[html->depth++] = name;
    html->in_tag = true;
}

void trib_html_end(trib_html *html) {
    assert(html->depth > 0);
    const char *name = html->open[--html->depth];
    if (is_among(name, void_elements, sizeof void_elements / sizeof *void_elements)) {
        assert(html->in_tag);
        html->in_tag = false;
        trib_write_text(html->writer, "/>");
        return;
    }
    finish_tag(html);
    trib_write_text(html->writer, "</");
    trib_write(html->writer, name, length_of(name));
    trib_write_text(html->writer, ">");
}

/* Decodes the character at `at`: returns its length in bytes and sets its code point. For bytes
 * that are not UTF-8 it returns one byte and U+FFFD. */
static size_t read_character(const char *at, const char *end, uint32_t *character) {
    size_t n = 0;
    *character = (unsigned char)*at;
    if (*character < 0x80) return 1;
    const UChar32 c = trib_utf8_next(at, (size_t)(end - at), &n);
    *character = c < 0 ? 0xFFFD : (uint32_t)c;
    return c < 0 ? 1 : n;
}

/* What stands for a character; NULL: itself. */
static const char *replacement_of(uint32_t c) {
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    if (c < sizeof entities / sizeof *entities && entities[c]) return entities[c];
    return c == 0xFFFD || trib_is_unfit(c) ? "\xEF\xBF\xBD" : NULL;
}

static void write_escaped_bytes(trib_writer *writer, const char *text, size_t length) {
    /* start of the bytes that can be copied unchanged */
    const char *const end = text + length, *clean = text;
    while (text < end) {
        uint32_t c = 0;
        const size_t n = read_character(text, end, &c);
        const char *instead = replacement_of(c);
        if (instead) {
            trib_write(writer, clean, (size_t)(text - clean));
            trib_write_text(writer, instead);
            clean = text + n;
        }
        text += n;
    }
    trib_write(writer, clean, (size_t)(text - clean));
}

static void write_escaped(trib_writer *writer, const char *text) {
    write_escaped_bytes(writer, text, strlen(text));
}

/* Writes an address: escaped, and bytes beyond ASCII as %NN. */
static void write_address(trib_writer *writer, const char *text) {
    while (*text) {
        size_t n = 0;
        while (text[n] && (unsigned char)text[n] < 0x80) n++;
        write_escaped_bytes(writer, text, n);
        for (text += n; (unsigned char)*text >= 0x80; text++)
            trib_print(writer, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

/* Formats into the scratch buffer and writes the result by `write`. */
static void write_formatted(trib_html *html, void (*write)(trib_writer *writer, const char *text),
                            const char *format, va_list arguments) {
    if (strcmp(format, "%s") == 0) { /* the common case, without the slow printf */
        write(html->writer, va_arg(arguments, const char *));
        return;
    }
    char small[256];
    va_list again;
    va_copy(again, arguments);
    const int needed = vsnprintf(small, sizeof small, format, arguments);
    if (needed >= 0 && (size_t)needed < sizeof small) {
        write(html->writer, small);
    } else if (needed >= 0 && html->writer->failure.status == TRIB_OK &&
               trib_grow(&html->scratch.text, &html->scratch.cap, (size_t)needed + 1, 1, "text",
                         &html->writer->failure) == TRIB_OK) {
        vsnprintf(html->scratch.text, html->scratch.cap, format, again);
        write(html->writer, html->scratch.text);
    }
    va_end(again);
}

void trib_html_attribute(trib_html *html, const char *name, const char *format, ...) {
    assert(html->in_tag);
    trib_write_text(html->writer, " ");
    trib_write_text(html->writer, name);
    trib_write_text(html->writer, "=\"");
    const bool is_address = strcmp(name, "href") == 0 || strcmp(name, "src") == 0;
    va_list arguments;
    va_start(arguments, format);
    write_formatted(html, is_address ? write_address : write_escaped, format, arguments);
    va_end(arguments);
    trib_write_text(html->writer, "\"");
}

void trib_html_open(trib_html *html, const char *name, const char *class_name) {
    trib_html_begin(html, name);
    if (class_name) trib_html_attribute(html, "class", "%s", class_name);
}

void trib_html_element(trib_html *html, const char *name, const char *class_name,
                       const char *format, ...) {
    trib_html_open(html, name, class_name);
    finish_tag(html);
    va_list arguments;
    va_start(arguments, format);
    write_formatted(html, write_escaped, format, arguments);
    va_end(arguments);
    trib_html_end(html);
}

void trib_html_text(trib_html *html, const char *text) {
    finish_tag(html);
    write_escaped(html->writer, text);
}

void trib_html_print(trib_html *html, const char *format, ...) {
    finish_tag(html);
    va_list arguments;
    va_start(arguments, format);
    write_formatted(html, write_escaped, format, arguments);
    va_end(arguments);
}

void trib_html_foreign(trib_html *html, const char *text) {
    trib_html_begin(html, "bdi");
    trib_html_text(html, text);
    trib_html_end(html);
}

void trib_html_link(trib_html *html, const char *text, const char *format, ...) {
    va_list arguments;
    trib_html_begin(html, "a");
    trib_write_text(html->writer, " href=\"");
    va_start(arguments, format);
    write_formatted(html, write_escaped, format, arguments);
    va_end(arguments);
    trib_write_text(html->writer, "\"");
    trib_html_text(html, text);
    trib_html_end(html);
}

/* Writes the beginning of a very long word, and its number of letters. */
static void write_beginning(trib_html *html, const char *word, size_t length) {
    enum { SHOWN = 100 }; /* bytes */
    size_t shown = SHOWN, n_letters = 0;
    char text[TRIB_FIXED_MAX];
    while (shown > 0 && ((unsigned char)word[shown] & 0xC0) == 0x80) shown--;
    for (size_t i = 0; i < length; i++) n_letters += ((unsigned char)word[i] & 0xC0) != 0x80;
    finish_tag(html);
    write_escaped_bytes(html->writer, word, shown);
    trib_html_element(html, "small", NULL, "\xE2\x80\xA6 (%s letters)",
                      trib_grouped(text, (double)n_letters));
}

void trib_html_brief(trib_html *html, const char *word) {
    enum { LONGEST = 400 }; /* bytes */
    const size_t length = strlen(word);
    if (length > LONGEST) write_beginning(html, word, length);
    else trib_html_text(html, word);
}

void trib_html_word(trib_html *html, const char *word) {
    trib_html_begin(html, "bdi");
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    trib_html_brief(html, word);
    trib_html_end(html);
}

void trib_html_prose(trib_html *html, const char *text) {
    /* bytes; a script without spaces has whole paragraphs as one word */
    enum { LONGEST = 1 << 14 };
    static const char white[] = " \t\r\n";
    const char *begin = text;
    finish_tag(html);
    while (*text) {
        const size_t length = strcspn(text, white);
        if (length > LONGEST) {
            write_escaped_bytes(html->writer, begin, (size_t)(text - begin));
            write_beginning(html, text, length);
            begin = text + length;
        }
        text += length;
        text += strspn(text, white);
    }
    write_escaped(html->writer, begin);
}

void trib_html_raw(trib_html *html, const char *markup) {
    finish_tag(html);
    trib_write_text(html->writer, markup);
}

/* Writes the decimal digits of a whole number below 2^64, with `group` between groups of three
 * digits counted from the right. */
static size_t write_whole(char *text, uint64_t value, const char *group) {
    char reversed[TRIB_FIXED_MAX];
    size_t n = 0, length = 0;
    do reversed[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    while (n > 0) {
        text[length++] = reversed[--n];
        if (n > 0 && n % 3 == 0)
            for (const char *g = group; *g; g++) text[length++] = *g;
    }
    text[length] = '\0';
    return length;
}

const char *trib_fixed(char text[TRIB_FIXED_MAX], double value, int decimals) {
    double scale = 1;
    for (int i = 0; i < decimals; i++) scale *= 10;
    const double scaled = floor(fabs(value) * scale + 0.5);
    if (!(scaled < 1e18)) return strcpy(text, "\xE2\x80\x93"); /* en dash; also for NaN */
    const uint64_t whole = (uint64_t)scaled, unit = (uint64_t)scale;
    size_t length = 0;
    if (value < 0 && whole > 0) text[length++] = '-';
    length += write_whole(text + length, whole / unit, "");
    if (decimals > 0) {
        char fraction[TRIB_FIXED_MAX];
        const size_t digits = write_whole(fraction, whole % unit, "");
        text[length++] = '.';
        for (size_t i = digits; i < (size_t)decimals; i++) text[length++] = '0';
        memcpy(text + length, fraction, digits + 1);
    }
    return text;
}

const char *trib_grouped(char text[TRIB_FIXED_MAX], double value) {
    if (!(value >= 0 && value < 1e18)) return trib_fixed(text, value, 0);
    write_whole(text, (uint64_t)floor(value + 0.5), NO_BREAK_THIN);
    return text;
}

const char *trib_percent(char text[TRIB_FIXED_MAX], double fraction, int decimals) {
    char number[TRIB_FIXED_MAX];
    double unit = 1;
    for (int i = 0; i < decimals; i++) unit /= 10;
    const double percent = fabs(fraction - 1) < 1e-12 ? 100 : 100 * fraction; /* sums are rounded */
    const bool hardly_any = percent > 0 && percent < unit / 2;
    const bool almost_all = percent < 100 && percent >= 100 - unit / 2;
    const double shown = hardly_any ? unit : almost_all ? 100 - unit : percent;
    if (isnan(fraction)) return trib_fixed(text, fraction, decimals);
    if (percent == 0 || percent == 100) decimals = 0;
    snprintf(text, TRIB_FIXED_MAX, "%s%s" NO_BREAK_THIN "%%",
             hardly_any   ? "<" NO_BREAK_THIN
             : almost_all ? ">" NO_BREAK_THIN
                          : "",
             trib_fixed(number, shown, decimals));
    return text;
}

/* ---- Texts in scripts ------------------------------------------------------------------------ */

/* Returns whether UTF-8 text begins with a character that ends a line in JavaScript (U+2028,
 * U+2029) or changes the direction of what follows (U+202A to U+202E, U+2066 to U+2069). */
static bool begins_with_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return c[0] == 0xE2 && ((c[1] == 0x80 && c[2] >= 0xA8 && c[2] <= 0xAE) ||
                            (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
}

enum { LONGEST = 16 << 10 };

void trib_write_script_text(trib_writer *writer, const char *text) {
    trib_write_text(writer, "\"");
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (at - text >= LONGEST && (c & 0xC0) != 0x80) {
            trib_write_text(writer, " \xE2\x80\xA6");
            break;
        }
        if (begins_with_control(at)) {
            trib_write_text(writer, "\\uFFFD"); /* as in the text of a page */
            at += 2;
        } else if (c < 0x20 || strchr("\"\\<>&", c)) {
            trib_print(writer, "\\u%04X", (unsigned)c);
        } else trib_write(writer, at, 1);
    }
    trib_write_text(writer, "\"");
}
