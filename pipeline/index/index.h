/* index.h - the room `index`: a library, a folder with texts and an index of their words, in which
 * a passage is found among very many texts without reading them. It may use every room below it.
 *
 *     segment.h   a file with some of the texts, their words and the places of their phrases
 *     index.c     the segments of a library, under one name that is replaced as a whole
 *     add.c       texts are added and removed, small segments are joined, damage is repaired
 *     find.c      a passage is looked up: places with the same phrases, then alignment
 *
 * One program writes at a time; any number may read meanwhile. A program that is killed leaves the
 * library as it was. */
#ifndef TRIBUTARY_INDEX_INDEX_H
#define TRIBUTARY_INDEX_INDEX_H

#include "pipeline/index/segment.h"
#include "pipeline/run/run.h"

/* What a library is opened for. */
typedef enum { TRIB_INDEX_READ, TRIB_INDEX_WRITE, TRIB_INDEX_REPAIR } trib_index_use;

/* An open library. `{0}` may be closed. */
typedef struct trib_index {
    const char *folder; /* borrowed */
    char *icu;          /* the version of ICU that cut its texts into words */
    trib_setting *set;  /* [n_set] settings other than the defaults; owned texts */
    size_t n_set, set_cap;
    trib_segment *segment; /* [n] in the order in which they were made */
    size_t n, cap;
    uint64_t next; /* number of the next segment */
    int lock;      /* descriptor of a writer's lock, or -1 */
    bool sealed;
    trib_index_use use;
    uint64_t n_lost; /* segments that could not be opened */
} trib_index;

/* Opens a library, to read, to write (the only writer; a new library if there is none), or to write
 * although some of its segments cannot be opened, which are then left out.
 * TRIB_INPUT when it is damaged or was made with another version of ICU or another order of bytes;
 * TRIB_USAGE when another program writes to it, or the folder holds something else. */
trib_status trib_index_open(trib_index *index, const char *folder, trib_index_use use,
                            trib_error *error);
void trib_index_close(trib_index *index);
/* Gives a new library a setting. TRIB_MEMORY. */
trib_status trib_index_set(trib_index *index, const char *key, const char *value,
                           trib_error *error);
/* Makes the segments and what is removed from them the state of the library on disk, and removes
 * files that it does not name. TRIB_OUTPUT. */
trib_status trib_index_commit(trib_index *index, trib_error *error);
/* The path of a segment, or of the manifest when `number` is 0. */
enum { TRIB_INDEX_PATH = 4200 };
void trib_index_path(char path[TRIB_INDEX_PATH], const trib_index *index, uint64_t number);
/* Appends an open segment. TRIB_MEMORY. */
trib_status trib_index_append(trib_index *index, uint64_t number, trib_error *error);

/* Adds the documents of a run whose configuration is loaded. A text that is there with the same
 * bytes is passed over; one that was changed replaces what was there. *n_added, *n_same and
 * *n_refused receive how many. */
typedef struct trib_index_added {
    uint64_t added, same, changed, refused;
} trib_index_added;
trib_status trib_index_add(trib_index *index, trib_run *run, trib_index_added *added,
                           trib_error *error);
/* Removes the text of an id, a title or a file. TRIB_USAGE when there is none. */
trib_status trib_index_remove(trib_index *index, const char *name, trib_error *error);
/* Joins segments: those of similar size when there are four, or all that have removed texts. */
trib_status trib_index_merge(trib_index *index, bool all, trib_error *error);
/* Reads everything again and compares it with its checksums. Reports each text that is damaged to
 * the log. `repairs`: makes the damaged segments anew without these texts. *n_damaged receives
 * their number. */
trib_status trib_index_check(trib_index *index, bool repairs, trib_log *log, uint64_t *n_damaged,
                             trib_error *error);

/* ---- Looking up (find.c) --------------------------------------------------------------------- */

/* A run of equal words in a passage. */
typedef struct trib_found_run {
    uint32_t asked; /* number of its first word in the passage that was asked for */
    uint32_t word;  /* number of its first word in the text */
    uint32_t n;
} trib_found_run;
/* A place in a text that holds words of the passage that was asked for. */
typedef struct trib_found {
    const trib_segment *segment;
    size_t text;            /* in the segment */
    uint32_t asked, n_asked; /* words of the passage that was asked for: first, and how many */
    uint32_t word, n_words;  /* the same in the text */
    uint32_t n_equal;        /* equal words */
    size_t first_run, n_runs;
    uint32_t family; /* passages of different texts that hold the same words, the best is 0 */
    uint64_t line;   /* of its first word; 0: unknown */
    const char *quote; /* the text, with white space made one space; its words that are not in the
                        * passage that was asked for stand in brackets */
} trib_found;
/* A phrase that is too frequent to be listed. */
typedef struct trib_frequent_phrase {
    uint32_t asked; /* number of its first word; it has TRIB_PHRASE_WORDS words */
    uint64_t n;     /* places */
} trib_frequent_phrase;
/* What was found. `{0}` is empty. */
typedef struct trib_findings_list {
    trib_arena arena;
    char **word; /* [n_words] the words that were asked for */
    uint32_t *hash;
    uint32_t n_words;
    size_t word_cap, hash_cap;
    trib_found *found; /* [n] the best first */
    size_t n, cap;
    trib_found_run *run; /* [n_runs] */
    size_t n_runs, run_cap;
    trib_frequent_phrase *frequent; /* [n_frequent] */
    size_t n_frequent, frequent_cap;
    uint64_t n_unread; /* further places that were not looked at, since others had more words */
} trib_findings_list;
/* Finds the texts that hold words of a passage in UTF-8. `config` has the settings of the library.
 * A passage of 8 equal words in succession is found; with fewer, or with altered words, some are.
 * TRIB_USAGE when the passage has fewer than 5 words. */
trib_status trib_index_find(const trib_index *index, const trib_config *config, const char *passage,
                            size_t length, trib_findings_list *list, trib_error *error);
void trib_findings_list_release(trib_findings_list *list);

#endif
