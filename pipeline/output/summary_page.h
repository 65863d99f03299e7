/* summary_page.h - the page that shows a result in a terminal. Private to the summary. */
#ifndef TRIBUTARY_OUTPUT_SUMMARY_PAGE_H
#define TRIBUTARY_OUTPUT_SUMMARY_PAGE_H

#include "pipeline/output/summary.h"
#include "pipeline/result/shown.h"

enum { TRIB_SUMMARY_TEXT = 1024 }; /* bytes of a title without control characters, at most */

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
    const trib_result *result;
    trib_summary_layout layout;
    trib_arena arena; /* of the target that is written: its record, and texts without controls */
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

/* Return texts without control characters, in the arena: the title of a document; that of the
 * source of a row of shares, or the titles of a group; the reference of a place; the words of a
 * phrase, "and the third day". */
const char *trib_summary_title(trib_summary_page *p, const char *id);
/* Returns a text without what could control a terminal, in the arena. */
const char *trib_summary_clean(trib_summary_page *p, const char *text);
const char *trib_summary_row_title(trib_summary_page *p, const trib_shown_row *row);
const char *trib_summary_reference(trib_summary_page *p, const trib_place_record *place);
const char *trib_summary_phrase(trib_summary_page *p, const trib_texts *words);
/* Returns a text in exactly so many columns (trib_pad), in the arena. */
const char *trib_summary_pad(trib_summary_page *p, const char *text, size_t columns);
/* Reads target t with its details, and all phrases of the source that is asked for, into an
 * arena. */
const trib_target_record *trib_summary_whole(const trib_result *result,
                                             const trib_summary_options *options, size_t t,
                                             trib_arena *arena);
/* Releases what belongs to the target that was written, and keeps its failure. */
void trib_summary_end(trib_summary_page *p);

/* Writes the longest shared passage of a target and the one with the rarest words, target and
 * source side by side, or below each other on a narrow page (summary_passages.c). Nothing when
 * there is no passage. */
void trib_summary_passages(trib_summary_page *p, const trib_target_record *target);
/* Returns the words of a passage in the target, from the first shared one, as far as they fit. */
const char *trib_summary_shared_text(trib_summary_page *p, const trib_passage_record *passage);
/* Returns what a source is quoted with: the longest passage of the target that it shares, without a
 * passage its strongest phrase, without a phrase "". *n_words: words of the passage, 0: it is a
 * phrase. */
const char *trib_summary_quoted(trib_summary_page *p, const trib_target_record *target,
                                const char *source, uint64_t *n_words);

/* The translations from the source that the options name, or from all. */
trib_translation_records trib_summary_wanted_translations(const trib_summary_options *options,
                                                          const trib_target_record *target,
                                                          trib_arena *arena);
/* Writes what was found of translations, and the longest passage. */
void trib_summary_translations(trib_summary_page *p, const trib_target_record *target);

/* The target's possible allusions that the options ask for (summary_passages.c). */
trib_parallel_records trib_summary_wanted_allusions(const trib_summary_options *options,
                                                    const trib_target_record *target,
                                                    trib_arena *arena);
/* Writes the first possible allusions. */
void trib_summary_allusions(trib_summary_page *p, const trib_target_record *target);

/* Checks that the target and source named in the options exist. TRIB_USAGE. */
trib_status trib_summary_check_names(const trib_result *result, const trib_summary_options *options,
                                     trib_error *error);
/* Returns whether the options ask for a target. */
bool trib_summary_wants(const trib_summary_options *options, const char *target);
/* Writes the largest shares above the noise floor of all requested targets, one per line
 * (summary_finds.c). */
void trib_summary_finds(trib_summary_page *p);

#endif
