/* reading.h - makes read/ID.json, the text of a target as its file spells it with the runs of words
 * that it shares with its sources, and that of a source with what targets share with it. Where a
 * paragraph ends decides decoded_text.c, what a traced run is running_text.c. The reading pages
 * (pipeline/report/read.c) and `tributary read` are made from that file. Private to pipeline. */
#ifndef TRIBUTARY_REPORT_READING_H
#define TRIBUTARY_REPORT_READING_H

#include "pipeline/output/result.h"
#include "pipeline/result/running_text.h"

/* ---- The text (decoded_text.c) -------------------------------------------------------------- */

/* A whole text in UTF-8 with the place of each word, cut into blocks of one or a few paragraphs.
 * `{0}` is empty. */
typedef struct trib_decoded_text {
    trib_buffer text;    /* UTF-8, with lines that end in a line feed and no other controls */
    size_t *start, *end; /* [n] byte range of each word */
    size_t n;            /* words */
    size_t from, to;     /* the part of the text that is read: with the first and the last line */
    size_t full_line;    /* characters of a full line, when lines are filled; else 0 */
    bool line_is_block;  /* each line is a paragraph */
} trib_decoded_text;

/* Decodes the bytes of a file, where place[n] are its words, into an arena and a buffer, which the
 * caller releases, also after a failure. TRIB_MEMORY. */
trib_status trib_decode_text(trib_decoded_text *decoded, trib_arena *arena,
                             const trib_buffer *bytes, const char *encoding,
                             const trib_word_place *place, size_t n, trib_error *error);
/* The number of UTF-16 units of a text in UTF-8: what a browser counts. */
size_t trib_utf16_length(const char *text, size_t length);
/* Where the next word is expected, from byte `at` on, before byte `to`: at the first letter or
 * digit of a run of letters, digits and apostrophes with a letter in it. `inside`: the run that
 * `at` is in was the last word. Returns `to` when there is none. The pages' script has the same
 * rule. */
size_t trib_text_next_word(const char *text, size_t at, size_t to, bool inside);

/* A block: the words first .. first + n - 1, and the text around them. `{0}` is before the first
 * block. */
typedef struct trib_text_block {
    size_t first, n; /* n is at least 1 */
    size_t from, to; /* bytes of the decoded text, without white space at the ends */
    bool is_wrapped; /* its lines are filled: a line break means no more than a space */
    bool is_omitted; /* text without words, as a part that was stripped, is left out before it */
    size_t next;     /* where the next block begins; 0: at the beginning */
} trib_text_block;
/* Moves to the next block; false after the last one. O(bytes of the block). */
bool trib_text_block_next(const trib_decoded_text *text, trib_text_block *block);

/* ---- What is traced (running_text.c) -------------------------------------------------------- */

/* Makes the contents of read/ID.json of a document, in an arena: of a target with what it shares
 * with its sources, of another with what the targets share with it. */
trib_status trib_running_text_make(trib_running_text *made, trib_arena *arena, trib_quotes *quotes,
                                   uint32_t document, trib_error *error);
/* Lists the documents whose texts are written: the targets, and, with up to TRIB_REPORT_TARGETS of
 * them, the other texts that share a passage with one. The caller frees the list. TRIB_MEMORY. */
trib_status trib_running_texts_list(uint32_t **document, size_t *n, const trib_run_results *results,
                                    trib_error *error);

/* ---- Versions (versions.c) ------------------------------------------------------------------- */

/* Writes the files and the page of each group of versions in the result, where texts to read are
 * written. Errors as trib_quotes_prepare and trib_directory_write. */
trib_status trib_versions_write(trib_run_directory *directory, const trib_run_results *results,
                                trib_error *error);

#endif
