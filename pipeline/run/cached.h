/* cached.h - which parts of a run are kept in the cache, what each depends on, and why one is to
 * do. A part is a document of the stage factors, a method of a target of the stage influence, a
 * target of the stage evidence. What identifies a text is not its file but its n-grams, in its own
 * word ids: whatever changes none of them (a later document, the order of the vocabulary, another
 * encoding) costs nothing. Private to pipeline. */
#ifndef TRIBUTARY_RUN_CACHED_H
#define TRIBUTARY_RUN_CACHED_H

#include "pipeline/run/run.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/pack.h"

/* Makes one part, on n_threads at most; its progress only asks whether to stop. */
typedef trib_status (*trib_run_part)(trib_run *run, uint32_t part, int n_threads,
                                     trib_progress progress, trib_error *error);

/* A kind of part. */
typedef struct trib_cached_row {
    const char *stage;  /* its folder in the cache */
    const char *within; /* the stage it is part of; NULL: the same */
    const char *note;   /* what is kept of it, where that is not the result itself; or NULL */
    uint32_t (*count)(const trib_run *run);
    bool (*is_kept)(const trib_run *run, uint32_t part); /* NULL: always */
    /* What is made where the cache has none; called for different parts at the same time. */
    trib_run_part work;
    /* Adds lines to a key, or to the circumstances of an entry. */
    trib_status (*key)(const trib_run *run, uint32_t part, trib_buffer *key, trib_error *error);
    trib_status (*name)(const trib_run *run, uint32_t part, trib_buffer *name, trib_error *error);
    void (*pack)(const trib_run *run, uint32_t part, trib_pack *out);
    trib_status (*unpack)(trib_run *run, uint32_t part, trib_unpack *in, trib_error *error);
    void (*forget)(trib_run *run, uint32_t part); /* what a failed unpack left */
    /* For a dry run: says what an entry lacks that is there. NULL: nothing. */
    trib_status (*check)(const trib_run *run, uint32_t part, trib_unpack *in, trib_buffer *lacks,
                         trib_error *error);
} trib_cached_row;
/* Where the parts are the documents: how many, and by their ids. */
uint32_t trib_cached_documents(const trib_run *run);
trib_status trib_cached_id(const trib_run *run, uint32_t d, trib_buffer *to, trib_error *error);
extern const trib_cached_row *const trib_cached_rows[]; /* ends with NULL (cached_rows.c) */
extern const trib_cached_row trib_cached_factors,       /* cached_factors.c */
    trib_cached_influence, trib_cached_evidence;        /* cached_influence.c, cached_evidence.c */

/* The words of a document, which are taken and kept where they lie in files (cached_tokens.c): the
 * row says what they depend on, and does nothing else; trib_cached_words is for stage tokens. Words
 * are kept unless the file has changed since it was hashed. */
extern const trib_cached_row trib_cached_tokens;
trib_words_source trib_cached_words(trib_run *run);

/* The distances of a document's factors to those of every document (cached_distances.c), which may
 * be there in part. */
extern const trib_cached_row trib_cached_distances, trib_cached_pairs;
/* How documents are named in the rows of others: by what their factors depend on. `{0}` is
 * empty. */
typedef struct trib_cached_columns {
    char *name;      /* [n_documents] of TRIB_SHA256_TEXT bytes */
    uint32_t *order; /* [n_documents] documents by name */
    size_t *first;   /* [n_documents + 1] the first factor of each, in the stage distances */
} trib_cached_columns;
trib_status trib_cached_columns_list(trib_cached_columns *columns, const trib_run *run,
                                     trib_error *error);
void trib_cached_columns_release(trib_cached_columns *columns);
/* What a document's row holds of every document e. */
typedef struct trib_cached_cells trib_cached_cells;
struct trib_cached_cells {
    const trib_cached_row *row;
    const trib_cached_columns *columns;
    double *matrix; /* [factors][factors], of pairs */
    /* Bytes of a cell; 0: the row has none of that document. */
    size_t (*size)(const trib_cached_cells *cells, const trib_run *run, uint32_t d, uint32_t e);
    bool (*read)(const trib_cached_cells *cells, trib_run *run, uint32_t d, uint32_t e,
                 const char *at); /* false: it makes no sense */
    void (*write)(const trib_cached_cells *cells, const trib_run *run, uint32_t d, uint32_t e,
                  trib_pack *out);
};
/* Fills in what is kept of the row of document d; missing[e] where that is not so. keep: the whole
 * row. */
trib_status trib_cached_take_cells(trib_run *run, const trib_cached_cells *cells, uint32_t d,
                                   bool *missing, trib_error *error);
trib_status trib_cached_put_cells(const trib_run *run, const trib_cached_cells *cells, uint32_t d,
                                  trib_error *error);
/* How many of the documents that a row of d is asked for have no cell in it. */
typedef bool (*trib_cached_asks)(const trib_run *run, uint32_t d, uint32_t e);
trib_status trib_cached_count_missing(const trib_run *run, const trib_cached_columns *columns,
                                      uint32_t d, trib_cached_asks asks, trib_unpack *in,
                                      uint32_t *n_missing, trib_error *error);
/* Stage distances after trib_distances_begin: the cached rows of targets are taken, the rest is
 * measured and kept. */
trib_status trib_cached_measure_distances(trib_run *run, trib_error *error);
/* All distances between factors of which one is a target's: matrix[factors][factors], 0 at first.
 * What is kept of it is taken, the rest measured and kept. */
trib_status trib_cached_matrix(trib_run *run, double *matrix, trib_error *error);

/* Makes the n parts of a stage, spread over ranks and threads: each is taken from the cache, or
 * made and kept. size: as in trib_part_row, of a run. */
trib_status trib_cached_parts(trib_run *run, const trib_cached_row *row, trib_part_size size,
                              trib_error *error);
/* Takes a part from the run's cache, or makes and keeps it. */
trib_status trib_cached_part(trib_run *run, const trib_cached_row *row, uint32_t part,
                             int n_threads, trib_progress progress, trib_error *error);

/* Takes a part from the run's cache, where it is there. */
trib_status trib_cached_take(trib_run *run, const trib_cached_row *row, uint32_t part, bool *taken,
                             trib_error *error);

/* Fills in what identifies the texts: after the stage tensors, where there is a cache
 * (cached_tensors.c); and before it, *all: it is known of all. */
extern const trib_cached_row trib_cached_tensors;
trib_status trib_cached_prints(trib_run *run, trib_error *error);
trib_status trib_cached_take_prints(trib_run *run, bool *all, trib_error *error);

/* Adds the line "NAME VALUE" of every key of the configuration that `stage` (of trib_stage_rows, or
 * the name of a method) depends on by itself: what other stages made of it stands in their
 * results. */
trib_status trib_cached_settings(const trib_config *config, const char *stage, trib_buffer *to,
                                 trib_error *error);
/* Whether a stage or method depends on a key by itself. */
bool trib_cached_depends(const char *stage, const char *key);

/* The whole key of a part; and its circumstances: the line "part NAME", then every setting that can
 * change a result. */
trib_status trib_cached_key(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *key, trib_error *error);
trib_status trib_cached_about(const trib_run *run, const trib_cached_row *row, uint32_t part,
                              trib_buffer *about, trib_error *error);

/* The lines of a key that say what one method finds in one target (cached_influence.c). */
trib_status trib_cached_method(const trib_run *run, uint32_t t, const trib_influence_method *method,
                               trib_buffer *key, trib_error *error);

/* Says of a row what would be taken and what is to do, and why (cached_why.c). */
trib_status trib_cached_report(trib_run *run, const trib_cached_row *row, trib_error *error);

/* Adds the line of a key that says what the background of target t is made of (cached_language.c).
 * take: goes on from the language of as many of the first `most` documents of the order as the
 * cache has. put: keeps it. */
trib_status trib_cached_language_print(const trib_run *run, uint32_t t, trib_buffer *key,
                                       trib_error *error);
trib_status trib_cached_language_take(const trib_run *run, trib_common_language *language,
                                      uint32_t *n_arrived, uint32_t most, trib_error *error);
trib_status trib_cached_language_put(const trib_run *run, const trib_common_language *language,
                                     uint32_t n_arrived, trib_error *error);

#endif
