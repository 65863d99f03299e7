/* html.h - writes HTML and SVG with balanced tags and escaped text.
 *
 * trib_html_begin(html, "p"); trib_html_attribute(html, "id", "answer-%zu", i);
 * trib_html_text(html, title); trib_html_end(html);
 *
 * Failures are recorded in the writer, like its own; after the first, every call does nothing.
 * Numbers look the same in every locale. */
#ifndef TRIBUTARY_SUPPORT_HTML_H
#define TRIBUTARY_SUPPORT_HTML_H

#include "base/base.h"

enum { TRIB_HTML_DEPTH = 48, TRIB_FIXED_MAX = 48 };

typedef struct trib_html {
    trib_writer *writer;
    /* language of the texts, an attribute of foreign words; NULL: unknown */
    const char *language;
    trib_buffer scratch;               /* formatted text before escaping */
    const char *open[TRIB_HTML_DEPTH]; /* names of the open elements */
    unsigned depth;
    bool in_tag;   /* attributes can still be added to the last start tag */
    bool is_terse; /* no line break before each element */
} trib_html;

void trib_html_init(trib_html *html, trib_writer *writer);
void trib_html_release(trib_html *html); /* every element must be closed */

/* Begins an element. `name` must be a constant, because it is used again at the end of the
 * element. It ends before a space, a / or a >. */
void trib_html_begin(trib_html *html, const char *name);
/* Adds an attribute to the element that was just begun; escapes the value. In an address (`href`,
 * `src`) bytes beyond ASCII are written as %NN. */
void trib_html_attribute(trib_html *html, const char *name, const char *format, ...)
    TRIB_PRINTF(3, 4);
/* Begins an element with a class; NULL: without one. */
void trib_html_open(trib_html *html, const char *name, const char *class_name);
/* Ends the innermost element. */
void trib_html_end(trib_html *html);
/* Writes a whole element; class_name may be NULL. */
void trib_html_element(trib_html *html, const char *name, const char *class_name,
                       const char *format, ...) TRIB_PRINTF(4, 5);

/* Writes escaped text: UTF-8 of any origin. Control characters, noncharacters and marks that
 * would change the direction of the following text become U+FFFD. */
void trib_html_text(trib_html *html, const char *text);
void trib_html_print(trib_html *html, const char *format, ...) TRIB_PRINTF(2, 3);
/* Writes escaped text in an element that isolates its direction; use it for every title and word of
 * a corpus. */
void trib_html_foreign(trib_html *html, const char *text);
/* Writes a link to an address, formatted. */
void trib_html_link(trib_html *html, const char *text, const char *format, ...) TRIB_PRINTF(3, 4);
/* Writes a word escaped. For a word of more than 400 bytes it writes the beginning and the number
 * of letters. */
void trib_html_brief(trib_html *html, const char *word);
/* Writes a word like trib_html_brief, in its own element with the language of the texts. */
void trib_html_word(trib_html *html, const char *word);
/* Writes running text escaped. A part of 16 KiB without a space is shortened like a long word. */
void trib_html_prose(trib_html *html, const char *text);
/* Writes markup of the program unchanged, such as the style sheet. */
void trib_html_raw(trib_html *html, const char *markup);

/* Formats `value` with a fixed number of decimals (0 .. 9), a decimal point, and no minus before
 * zero; returns text. NaN and infinities become a dash. */
const char *trib_fixed(char text[TRIB_FIXED_MAX], double value, int decimals);
/* Formats a whole number in groups of three digits with thin spaces: 23 684. */
const char *trib_grouped(char text[TRIB_FIXED_MAX], double value);
/* Formats a fraction of 1 as a percentage. A fraction that is neither 0 nor 1 but would be
 * rounded to it becomes "< 0.1 %" or "> 99.9 %". */
const char *trib_percent(char text[TRIB_FIXED_MAX], double fraction, int decimals);

/* Writes a text in UTF-8 as a string literal that is valid in JSON, in JavaScript, and inside a
 * script element. Marks that would change the direction of the following text become U+FFFD, as in
 * html.h. A text of more than 16 KiB is shortened, before a character. */
void trib_write_script_text(trib_writer *writer, const char *text);

#endif
