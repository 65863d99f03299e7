/* index.h - the room `index`: a library, a folder with texts and an index of their words, in which
 * a passage is found among very many texts without reading them. On disk it is what
 * pipeline/text/library.h says. The room may use every room below it.
 *
 *     add.c       texts are added and removed
 *     merge.c     small segments are joined, damaged ones made anew
 *     places.c    a passage is looked up: regions with the same phrases
 *     find.c      equal words of a region and the passage are aligned
 *     translated.c a passage in another language is looked up
 *     found.c     what was found is put in order and quoted
 *
 * One program writes at a time; any number may read meanwhile. A program that is killed leaves the
 * library as it was. */
#ifndef TRIBUTARY_INDEX_INDEX_H
#define TRIBUTARY_INDEX_INDEX_H

#include "pipeline/run/run.h"
#include "pipeline/stages/phrases.h"

/* Adds the documents of a run whose configuration is loaded. A text that is there with the same
 * bytes is passed over; one that was changed replaces what was there. */
typedef struct trib_index_added { /* how many */
    uint64_t added, same, changed, refused;
} trib_index_added;
trib_status trib_index_add(trib_index *index, trib_run *run, trib_index_added *added,
                           trib_error *error);
/* Removes the text of an id, a title or a file. TRIB_USAGE when there is none. */
trib_status trib_index_remove(trib_index *index, const char *name, trib_error *error);
/* Joins segments: those of similar size when there are four, or all that have removed texts. */
trib_status trib_index_merge(trib_index *index, bool all, trib_error *error);
/* Reads everything again and compares it with its checksums. Reports each text that is damaged to
 * the log. With `config`, which has the settings of the library, makes the damaged segments anew
 * without these texts. *n_damaged receives their number. */
trib_status trib_index_check(trib_index *index, const trib_config *config, trib_log *log,
                             uint64_t *n_damaged, trib_error *error);
/* ---- Looking up (find.c) --------------------------------------------------------------------- */

/* A run of equal words in a passage. */
typedef struct trib_found_run {
    uint32_t asked, n;  /* first word in the passage that was asked for, and how many */
    uint32_t word;      /* the first among the words of what was found */
    uint64_t from, end; /* its bytes in the text */
} trib_found_run;
/* A place in a text that holds words of the passage that was asked for. */
typedef struct trib_found {
    const trib_segment *segment;
    size_t text;               /* in the segment */
    uint32_t asked, n_asked;   /* words of the passage that was asked for: first, and how many */
    uint32_t n_words, n_equal; /* words of the text, and those of them that are equal */
    uint64_t from, end;        /* bytes of the text, which is UTF-8 */
    size_t first_run, n_runs;  /* its runs are trib_findings_list.run[first_run ..] */
    uint32_t family; /* findings with the same words of the passage; the best is in family 0. Before
                      * trib_found_settle: the rank of its region */
    uint64_t line;   /* of its first word, from 1; by trib_found_quote, too */
    /* What trib_found_quote fills in: the reference of its words, such as "3:7", or "", and the
     * text, with white space made one space; its words that are not in the passage that was asked
     * for stand in brackets. */
    const char *reference, *quote;
} trib_found;
/* A phrase that is too frequent to be listed. */
typedef struct trib_frequent_phrase {
    uint32_t asked; /* number of its first word; it has TRIB_PHRASE_WORDS words */
    uint64_t n;     /* places */
} trib_frequent_phrase;
/* What was found. `{0}` is empty. */
typedef struct trib_findings_list {
    trib_arena arena;
    trib_word_reader passage; /* its words: the passage that was asked for */
    trib_found *found;        /* [n] the best first */
    size_t n, cap;
    trib_found_run *run; /* [n_runs] */
    size_t n_runs, run_cap;
    trib_frequent_phrase *frequent; /* [n_frequent] */
    size_t n_frequent, frequent_cap;
    bool is_translated;
    uint64_t n_unread; /* further places that were not looked at, since others had more words */
} trib_findings_list;
/* Finds the texts that hold words of a passage in UTF-8. `config` has the settings of the library.
 * A passage of 8 equal words in succession is found; with fewer, or with altered words, some are.
 * TRIB_USAGE when the passage has fewer than 5 words. */
trib_status trib_index_find(const trib_index *index, const trib_config *config,
                            const trib_buffer *passage, trib_findings_list *list,
                            trib_error *error);
/* Finds the texts in other languages that translate a passage in `language`, or that it translates.
 * dictionary[2]: a dictionary and a table of words (pipeline/stages/translations.h); NULL: none.
 * Equal words of a finding are then rare ones of the passage with a counterpart there.
 * Errors also as trib_dictionary_read. */
trib_status trib_index_find_translated(const trib_index *index, const trib_config *config,
                                       const trib_buffer *passage, const char *language,
                                       const char *const dictionary[2], trib_findings_list *list,
                                       trib_error *error);
/* Sorts what was found, drops what a better finding covers in the same text, and numbers families
 * by their best member. */
void trib_found_settle(trib_findings_list *list);
/* Quotes a finding: a passage may stand in thousands of texts, of which a few are shown. */
trib_status trib_found_quote(trib_findings_list *list, trib_found *found, trib_error *error);
void trib_findings_list_release(trib_findings_list *list);

#endif
