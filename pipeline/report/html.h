/* html.h - writes HTML and SVG whose tags always balance and whose text is always escaped. Private
 * to pipeline.
 *
 *     trib_html_begin(html, "p");
 *     trib_html_attribute(html, "id", "answer-%zu", i);
 *     trib_html_text(html, title);
 *     trib_html_end(html);
 *
 * Failures are recorded in the writer, as its own are; everything after the first is ignored.
 * Numbers look the same in every locale. */
#ifndef TRIBUTARY_REPORT_HTML_H
#define TRIBUTARY_REPORT_HTML_H

#include "base/base.h"

enum { TRIB_HTML_DEPTH = 48, TRIB_FIXED_MAX = 48 };

typedef struct trib_html {
    trib_writer *writer;
    const char *language;              /* of the texts, for foreign words; NULL: unknown */
    trib_buffer scratch;               /* formatted text before it is escaped */
    const char *open[TRIB_HTML_DEPTH]; /* names of the open elements */
    unsigned depth;
    bool in_tag;   /* the last start tag still takes attributes */
    bool is_terse; /* no line for each element */
} trib_html;

void trib_html_init(trib_html *html, trib_writer *writer);
void trib_html_release(trib_html *html); /* every element must have been ended */

/* Starts an element; `name` is kept until it ends and must be a constant. */
void trib_html_begin(trib_html *html, const char *name);
/* An attribute of the element just begun; the value is escaped. */
void trib_html_attribute(trib_html *html, const char *name, const char *format, ...)
    TRIB_PRINTF(3, 4);
/* Begins an element with a class. */
void trib_html_open(trib_html *html, const char *name, const char *class_name);
/* Ends the innermost element. */
void trib_html_end(trib_html *html);
/* A whole element; class_name may be NULL. */
void trib_html_element(trib_html *html, const char *name, const char *class_name,
                       const char *format, ...) TRIB_PRINTF(4, 5);

/* Escaped text: UTF-8 of any origin. Control characters, noncharacters and marks that would turn
 * the direction of what follows become U+FFFD. */
void trib_html_text(trib_html *html, const char *text);
void trib_html_print(trib_html *html, const char *format, ...) TRIB_PRINTF(2, 3);
/* The same in an element that isolates its direction: every title and word that comes from a
 * corpus. */
void trib_html_foreign(trib_html *html, const char *text);
/* Escaped text of a word; of one of more than 400 bytes the beginning, and how many letters it
 * has. */
void trib_html_brief(trib_html *html, const char *word);
/* The same in an element of its own, in the language of the texts. */
void trib_html_word(trib_html *html, const char *word);
/* Escaped running text, in which the same happens to what has no space for 16 KiB. */
void trib_html_prose(trib_html *html, const char *text);
/* Our own markup, as it is: the style sheet. */
void trib_html_raw(trib_html *html, const char *markup);

/* `value` with a fixed number of decimals (0 .. 9), a point, and a minus that never stands before
 * zero; returns text. NaN and infinities are a dash. */
const char *trib_fixed(char text[TRIB_FIXED_MAX], double value, int decimals);
/* A whole number in groups of three, thin spaces between: 23 684. */
const char *trib_grouped(char text[TRIB_FIXED_MAX], double value);
/* A fraction of 1 as a percentage. What rounds to nothing or to all but is not reads "< 0.1 %" and
 * "> 99.9 %". */
const char *trib_percent(char text[TRIB_FIXED_MAX], double fraction, int decimals);

#endif
