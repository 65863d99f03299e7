/* cached.h - which parts of a run are cached, and what each part depends on. A part is one document
 * in stage factors, one method for one target in stage influence, or one target in stage evidence.
 * A key identifies a text by its n-grams, in word ids of its own, and not by its file. So a change
 * that leaves the n-grams alone (a later document, another order of the vocabulary, another
 * encoding) does not invalidate cached results. Private to pipeline. */
#ifndef TRIBUTARY_RUN_CACHED_H
#define TRIBUTARY_RUN_CACHED_H

#include "pipeline/run/run.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/pack.h"

/* Computes one part with at most n_threads threads. `progress` only returns whether to stop. */
typedef trib_status (*trib_run_part)(trib_run *run, uint32_t part, int n_threads,
                                     trib_progress progress, trib_error *error);

/* A kind of part. */
typedef struct trib_cached_row {
    const char *stage; /* its folder in the cache */
    const char *note;  /* what is cached when it is not the result itself; or NULL */
    uint32_t (*count)(const trib_run *run);
    bool (*is_kept)(const trib_run *run, uint32_t part); /* NULL: always */
    /* Computes a part that is not cached. Called concurrently for different parts. */
    trib_run_part work;
    /* `key` adds lines to the key of a part, `name` adds its name. */
    trib_status (*key)(const trib_run *run, uint32_t part, trib_buffer *key, trib_error *error);
    trib_status (*name)(const trib_run *run, uint32_t part, trib_buffer *name, trib_error *error);
    void (*pack)(const trib_run *run, uint32_t part, trib_pack *out);
    trib_status (*unpack)(trib_run *run, uint32_t part, trib_unpack *in, trib_error *error);
    void (*forget)(trib_run *run, uint32_t part); /* releases the rest of a failed unpack */
} trib_cached_row;
/* For rows whose parts are the documents: the number of parts, and the id of a part. */
uint32_t trib_cached_documents(const trib_run *run);
trib_status trib_cached_id(const trib_run *run, uint32_t d, trib_buffer *to, trib_error *error);
extern const trib_cached_row *const trib_cached_rows[]; /* ends with NULL (cached_rows.c) */
extern const trib_cached_row trib_cached_factors,       /* cached_factors.c */
    trib_cached_influence, trib_cached_evidence,        /* cached_influence.c, cached_evidence.c */
    trib_cached_parallels;                              /* cached_parallels.c */
/* Computes run->lexicon after stage vocabulary: the hash of the words of the vocabulary, how often
 * they occur, and the table of lemmas (cached_parallels.c). */
trib_status trib_cached_print_lexicon(trib_run *run, trib_error *error);

/* The words of a document (cached_tokens.c), which are copied between the cache and the file of
 * words. This row only says what they depend on; trib_cached_words does the copying for stage
 * tokens. The words are not cached if the file has changed since it was hashed. */
extern const trib_cached_row trib_cached_tokens;
trib_words_source trib_cached_words(trib_run *run);

/* The distances of a target's factors to those of other documents (cached_distances.c). */
extern const trib_cached_row trib_cached_distances;
/* Stage distances after trib_distances_begin: reads the cached rows of targets, then measures the
 * rest and caches it. */
trib_status trib_cached_measure_distances(trib_run *run, trib_error *error);

/* Makes all parts of a row, distributed over ranks and threads. Each part is read from the cache,
 * or computed and cached. The context of `size` (see trib_part_row) is the run. */
trib_status trib_cached_parts(trib_run *run, const trib_cached_row *row, trib_part_size size,
                              trib_error *error);
/* Reads a part from the cache of the run, or computes and caches it. */
trib_status trib_cached_part(trib_run *run, const trib_cached_row *row, uint32_t part,
                             int n_threads, trib_progress progress, trib_error *error);

/* Reads a part from the cache of the run; *taken is false when it is not there. */
trib_status trib_cached_take(trib_run *run, const trib_cached_row *row, uint32_t part, bool *taken,
                             trib_error *error);
/* Caches a part. */
trib_status trib_cached_put(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_error *error);

/* The fingerprints of the texts (cached_tensors.c). trib_cached_prints fills them in after stage
 * tensors. trib_cached_take_prints reads them from the cache before that stage; *all: the cache has
 * every one. */
extern const trib_cached_row trib_cached_tensors;
trib_status trib_cached_prints(trib_run *run, trib_error *error);
trib_status trib_cached_take_prints(trib_run *run, bool *all, trib_error *error);

/* Adds word `id` of a vocabulary to a hash: its spelling, and its norm if words have norms. */
void trib_cached_add_word(trib_sha256 *hash, const trib_vocab *vocab, uint32_t id);
/* Adds a line "NAME VALUE" for each key of the configuration that `stage` reads itself. `stage` is
 * a stage of trib_stage_rows or the name of a method. The settings of earlier stages are not added,
 * since the key contains their results. */
trib_status trib_cached_settings(const trib_config *config, const char *stage, trib_buffer *to,
                                 trib_error *error);
/* Whether a stage or method reads a key of the configuration itself. */
bool trib_cached_depends(const char *stage, const char *key);

/* trib_cached_key makes the complete key of a part. trib_cached_about makes its description: the
 * line "part NAME". */
trib_status trib_cached_key(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *key, trib_error *error);
trib_status trib_cached_about(const trib_run *run, const trib_cached_row *row, uint32_t part,
                              trib_buffer *about, trib_error *error);

/* Adds the lines of a key that identify the result of one method for one target
 * (cached_influence.c). */
trib_status trib_cached_method(const trib_run *run, uint32_t t, const trib_influence_method *method,
                               trib_buffer *key, trib_error *error);

/* Logs for a row how many parts are cached, or how many must be computed. */
trib_status trib_cached_report(const trib_run *run, const trib_cached_row *row, trib_error *error);

/* The background of target t, or the common language that several targets share
 * (cached_language.c). `is_shared`: they share one. `n_before`: the number of documents in the
 * order of arrival that the background of t includes. `print` adds the line of a key that
 * identifies the background of t. `take` reads the cached language of as many of the first `most`
 * documents in the order of arrival as possible. `put` caches it. */
bool trib_cached_language_is_shared(const trib_run *run);
uint32_t trib_cached_language_n_before(const trib_run *run, uint32_t t);
trib_status trib_cached_language_print(const trib_run *run, uint32_t t, trib_buffer *key,
                                       trib_error *error);
trib_status trib_cached_language_take(const trib_run *run, trib_common_language *language,
                                      uint32_t *n_arrived, uint32_t most, trib_error *error);
trib_status trib_cached_language_put(const trib_run *run, const trib_common_language *language,
                                     uint32_t n_arrived, trib_error *error);

#endif
