/* index.h - the room `index`: a library, a folder with texts and an index of their words, in which
 * a passage is found among very many texts without reading them. It may use every room below it.
 *
 *     segment.h   a file with some of the texts, their words and the places of their phrases
 *     index.c     the segments of a library, under one name that is replaced as a whole
 *     add.c       texts are added and removed
 *     merge.c     small segments are joined, damaged ones made anew
 *     find.c      a passage is looked up: places with the same phrases, then alignment
 *     found.c     what was found is put in order and quoted
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
/* What reads words by the settings of a library, for one thread. `{.config = config}` is ready. */
typedef struct trib_word_reader {
    const trib_config *config; /* borrowed */
    char *encoding;            /* of the open tokenizer */
    trib_tokenizer *tokenizer;
    trib_transform *transform;
    trib_hashed_words words; /* what was read last */
} trib_word_reader;
/* Reads the words of bytes that stand at byte `base` of a text, into reader->words. TRIB_INPUT for
 * bytes that are invalid in the encoding; in "UTF-8" they are replaced. */
trib_status trib_word_reader_read(trib_word_reader *reader, const char *name, const char *encoding,
                                  const trib_buffer *bytes, uint64_t base, trib_error *error);
void trib_word_reader_close(trib_word_reader *reader);

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
    uint32_t family;   /* findings with the same words of the passage; the best is in family 0 */
    uint64_t line;     /* of its first word, from 1 */
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
    trib_word_reader passage; /* its words: the passage that was asked for */
    trib_found *found;        /* [n] the best first */
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
trib_status trib_index_find(const trib_index *index, const trib_config *config,
                            const trib_buffer *passage, trib_findings_list *list,
                            trib_error *error);
/* Sorts what was found, drops what a better finding covers in the same text, and numbers families
 * by their best member. Then each can be quoted (found.c). */
void trib_found_settle(trib_findings_list *list);
trib_status trib_found_quote(trib_findings_list *list, trib_found *found, trib_error *error);
void trib_findings_list_release(trib_findings_list *list);

#endif
