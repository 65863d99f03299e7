/* page.h - the page that shows a result in a terminal. Private to the summary. */
#ifndef TRIBUTARY_SUMMARY_PAGE_H
#define TRIBUTARY_SUMMARY_PAGE_H

#include "pipeline/output/parts.h"
#include "pipeline/summary/summary.h"
#include "pipeline/support/json.h"

enum { TRIB_SUMMARY_TEXT = 1024 }; /* bytes of a title or phrase without control characters */

/* The widths of the parts of a line, in columns. */
typedef struct trib_summary_layout {
    size_t width; /* of the whole page */
    size_t title, bar, phrase;
    size_t row, count; /* of the table of phrases: the phrase and each number */
} trib_summary_layout;

/* The page being written. After an error the functions do nothing; `status` is the first error. */
typedef struct trib_summary_page {
    trib_buffer *text;
    const trib_summary_options *options;
    const json_t *result;
    trib_json_index documents; /* of the result */
    trib_summary_layout layout;
    trib_status status;
    trib_error *error;
} trib_summary_page;

void trib_summary_put(trib_summary_page *p, const char *format, ...) TRIB_PRINTF(2, 3);
/* Writes a line, wrapped at spaces if the page is narrow; every line begins with `indent` spaces.
 * `style` is the escape sequence for bold or dim text, or "". */
void trib_summary_wrap(trib_summary_page *p, size_t indent, const char *style, const char *format,
                       ...) TRIB_PRINTF(4, 5);

/* Return the escape sequences for bold, dim and plain text, or "". */
const char *trib_summary_bold(const trib_summary_page *p);
const char *trib_summary_dim(const trib_summary_page *p);
const char *trib_summary_plain(const trib_summary_page *p);

/* Returns a member of an object, or 0 if there is none. */
double trib_summary_number(const json_t *object, const char *key);
/* Returns the title of a document without control characters. */
const char *trib_summary_title(const trib_summary_page *p, const char *id,
                               char out[TRIB_SUMMARY_TEXT]);
/* Returns the title of the source of a row of shares, or the titles of a group. */
const char *trib_summary_row_title(const trib_summary_page *p, const json_t *row,
                                   char out[TRIB_SUMMARY_TEXT]);
/* Returns target t of the result with its details, for json_decref; NULL after an error. */
json_t *trib_summary_whole(trib_summary_page *p, size_t t);
/* Returns it with its shares by the headline method and its longest passages alone. */
json_t *trib_summary_lean(trib_summary_page *p, size_t t);
/* Return the headline result of a target, and its evidence from one source; NULL if there is
 * none. */
const json_t *trib_summary_headline(const json_t *result, const json_t *target);
const json_t *trib_summary_evidence(const json_t *target, const char *source);
/* Returns the words of a phrase as text: "and the third day". */
const char *trib_summary_phrase(const json_t *phrase, char out[TRIB_SUMMARY_TEXT]);

/* Writes the longest shared passage of a target and the one with the rarest words, target and
 * source side by side, or below each other on a narrow page (passages.c). Nothing when there is no
 * passage. */
void trib_summary_passages(trib_summary_page *p, const json_t *target);
/* Returns the words of a passage in the target, from the first shared one, as far as they fit. */
const char *trib_summary_shared_text(const json_t *passage, char out[TRIB_SUMMARY_TEXT]);
/* Returns what a source is quoted with: the longest passage of the target that it shares, without a
 * passage its strongest phrase, without a phrase "". *n_words: words of the passage, 0: it is a
 * phrase. */
const char *trib_summary_quoted(const trib_summary_page *p, const json_t *target,
                                const char *source, double *n_words, char out[TRIB_SUMMARY_TEXT]);

/* Writes the strongest phrases of a row of shares (phrases.c). */
void trib_summary_phrases(trib_summary_page *p, const json_t *target, const json_t *share);
/* Returns the pairs of the target's possible allusions that the options ask for. The caller
 * releases the array with json_decref (allusions.c). */
json_t *trib_summary_wanted_allusions(const trib_summary_options *options, const json_t *target);
/* Writes the first possible allusions. */
void trib_summary_allusions(trib_summary_page *p, const json_t *target);

/* Writes which words count as the same word, if any do (same_words.c). */
void trib_summary_same_words(trib_summary_page *p);

/* Checks that the target and source named in the options exist. TRIB_USAGE. */
trib_status trib_summary_check_names(const json_t *result, const trib_summary_options *options,
                                     trib_error *error);
/* Returns whether the options ask for a target. */
bool trib_summary_wants(const trib_summary_options *options, const json_t *target);
/* Writes the largest shares above the noise floor of all requested targets, one per line
 * (finds.c). */
void trib_summary_finds(trib_summary_page *p);

#endif
