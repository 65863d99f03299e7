/* summary_page.h - the page that shows a result in a terminal, while it is written. Private to the
 * summary. */
#ifndef TRIBUTARY_OUTPUT_SUMMARY_PAGE_H
#define TRIBUTARY_OUTPUT_SUMMARY_PAGE_H

#include "pipeline/output/summary.h"

enum { TRIB_SUMMARY_TEXT = 1024 }; /* bytes of a title or phrase, harmless */

/* Columns of the parts of a line. */
typedef struct trib_summary_layout {
    size_t width; /* of the whole */
    size_t title, bar, phrase;
    size_t row, count; /* of the table of phrases: the phrase, a number of places */
} trib_summary_layout;

/* Text being written; the first failure stays. */
typedef struct trib_summary_page {
    trib_buffer *text;
    const trib_summary_options *options;
    const json_t *result;
    trib_summary_layout layout;
    trib_status status;
    trib_error *error;
} trib_summary_page;

void trib_summary_put(trib_summary_page *p, const char *format, ...) TRIB_PRINTF(2, 3);
/* A line of its own, broken at spaces where the page is narrow; every line begins with `indent`
 * spaces. `style` is what makes it bold or dim, or "". */
void trib_summary_wrap(trib_summary_page *p, size_t indent, const char *style, const char *format,
                       ...) TRIB_PRINTF(4, 5);

/* Members of the result: "" or 0 where there is none. */
const char *trib_summary_string(const json_t *object, const char *key);
double trib_summary_number(const json_t *object, const char *key);
/* The element of an array of objects whose member `key` is `id`; NULL: none. */
json_t *trib_summary_element(const json_t *array, const char *key, const char *id);
/* The title of a document, made harmless. */
const char *trib_summary_title(const trib_summary_page *p, const char *id,
                               char out[TRIB_SUMMARY_TEXT]);
/* Shares of a target by the headline method; its evidence from one source. NULL: none. */
const json_t *trib_summary_headline(const json_t *result, const json_t *target);
const json_t *trib_summary_evidence(const json_t *target, const char *source);
/* "and the third day" */
const char *trib_summary_phrase(const json_t *phrase, char out[TRIB_SUMMARY_TEXT]);

/* Whether a target, a share are among those that options ask for. */
bool trib_summary_wants(const trib_summary_options *options, const json_t *target);
/* The largest shares above the noise floor of all targets that are wanted, a line each
 * (summary_finds.c). */
void trib_summary_finds(trib_summary_page *p);

#endif
