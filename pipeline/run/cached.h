/* cached.h - which parts of a run are cached, and what each part depends on. A part is one document
 * in stage factors, one method for one target in stage influence, or one target in stage evidence.
 *
 * The key of a part is the hash of what its computation is given: the sections of the options, and
 * the identities of its texts. A text is identified by its n-grams, in word ids of its own, and not
 * by its file. So a change that leaves the n-grams alone (a later document, another order of the
 * vocabulary, another encoding) does not invalidate cached results. Private to pipeline. */
#ifndef TRIBUTARY_RUN_CACHED_H
#define TRIBUTARY_RUN_CACHED_H

#include "pipeline/config/config.h"
#include "pipeline/run/run.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/pack.h"

/* ---- What identifies a part ------------------------------------------------------------------ */

/* Text, "NAME VALUE" a line. After the first failure, which is recorded, all further calls do
 * nothing. `{0}` is empty. */
typedef struct trib_identity {
    trib_buffer text;
    trib_sha256 hash; /* of what was hashed since the last line with a hash */
    trib_error failure;
} trib_identity;
void trib_identity_add(trib_identity *identity, const char *format, ...) TRIB_PRINTF(2, 3);
void trib_identity_hash(trib_identity *identity, const void *bytes, size_t n);
/* Hashes word `id` of a vocabulary: its spelling, and its norm if words have norms. */
void trib_identity_hash_word(trib_identity *identity, const trib_vocab *vocab, uint32_t id);
/* Adds the line "NAME HASH" of what was hashed since the last such line. */
void trib_identity_end_hash(trib_identity *identity, const char *name);
/* Releases it; `hash` receives the hash of what was hashed. */
trib_status trib_identity_close_hash(trib_identity *identity, char hash[TRIB_SHA256_TEXT],
                                     trib_error *error);
/* Releases it and returns its first failure. */
trib_status trib_identity_close(trib_identity *identity, trib_error *error);

/* ---- The kinds of parts ---------------------------------------------------------------------- */

/* Computes one part with at most n_threads threads. `progress` only returns whether to stop. */
typedef trib_status (*trib_run_part)(trib_run *run, uint32_t part, int n_threads,
                                     trib_progress progress, trib_error *error);

/* A kind of part. */
typedef struct trib_cached_row {
    const char *stage;       /* its folder in the cache */
    const char *note;        /* what is cached when it is not the result itself; or NULL */
    const trib_given *given; /* the parts of the options that `work` reads */
    uint32_t (*count)(const trib_run *run);
    bool (*is_kept)(const trib_run *run, uint32_t part); /* NULL: always */
    trib_part_size size;                                 /* as in trib_part_row, of the run */
    const int *(*owner)(const trib_run *run);            /* NULL: ranks are chosen by size */
    /* Computes a part that is not cached. Called concurrently for different parts. */
    trib_run_part work;
    /* `key` adds what identifies the inputs of a part, `name` its name. */
    void (*key)(const trib_run *run, uint32_t part, trib_identity *key);
    void (*name)(const trib_run *run, uint32_t part, trib_identity *name);
    void (*pack)(trib_run *run, uint32_t part, trib_pack *pack); /* writes and reads the result */
    void (*forget)(trib_run *run,
                   uint32_t part); /* releases the rest of a failed reading; or NULL */
} trib_cached_row;
/* For rows whose parts are the documents or the targets: their number, and the id of one. */
uint32_t trib_cached_documents(const trib_run *run);
void trib_cached_id(const trib_run *run, uint32_t d, trib_identity *name);
uint32_t trib_cached_targets(const trib_run *run);
void trib_cached_target_id(const trib_run *run, uint32_t t, trib_identity *name);

/* Of the words of a document (cached_texts.c), the row only says what they depend on:
 * trib_cached_words does the copying for stage tokens. Of the n-grams, their hashes are cached. */
extern const trib_cached_row trib_cached_tokens, trib_cached_tensors, trib_cached_factors,
    trib_cached_distances, trib_cached_influence, trib_cached_evidence, trib_cached_parallels;
extern const trib_cached_row *const trib_cached_rows[]; /* ends with NULL */

/* Makes the complete key of a part; the caller releases it. */
trib_status trib_cached_key(const trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_buffer *key, trib_error *error);
/* Writes a piece of a file as a part. */
trib_status trib_cached_put_piece(const trib_run *run, const trib_cached_row *row, uint32_t part,
                                  trib_cache_piece piece, trib_error *error);

/* Makes all parts of a row, distributed over ranks and threads. Each part is read from the cache,
 * or computed and cached. `status` as in comm.h. */
trib_status trib_cached_parts(trib_run *run, trib_status status, const trib_cached_row *row,
                              trib_error *error);
/* Sends the parts from the ranks owner[count] that have them to all ranks. */
trib_status trib_cached_share(trib_run *run, trib_status status, const trib_cached_row *row,
                              const int *owner, trib_error *error);
/* Reads a part from the cache of the run, or computes and caches it. */
trib_status trib_cached_part(trib_run *run, const trib_cached_row *row, uint32_t part,
                             int n_threads, trib_progress progress, trib_error *error);
/* Reads a part from the cache of the run; *taken is false when it is not there. */
trib_status trib_cached_take(trib_run *run, const trib_cached_row *row, uint32_t part, bool *taken,
                             trib_error *error);
/* The same for all parts; *all: the cache has every one. */
trib_status trib_cached_take_all(trib_run *run, const trib_cached_row *row, bool *all,
                                 trib_error *error);
/* Caches a part. */
trib_status trib_cached_put(trib_run *run, const trib_cached_row *row, uint32_t part,
                            trib_error *error);
/* Logs for a row how many parts are cached, or how many must be computed. */
trib_status trib_cached_report(const trib_run *run, const trib_cached_row *row, trib_error *error);

/* ---- For single stages ----------------------------------------------------------------------- */

trib_words_source trib_cached_words(trib_run *run);
/* Stage distances after trib_distances_begin: reads the cached rows of targets, then measures the
 * rest and caches it. */
trib_status trib_cached_measure_distances(trib_run *run, trib_status status, trib_error *error);
/* Measures and explains the targets of a run, or only one of both (targets.c). */
trib_status trib_run_targets(trib_run *run, trib_status status, bool measures, bool explains,
                             trib_error *error);
/* Computes run->lexicon after stage vocabulary: the hash of the words of the vocabulary, how often
 * they occur, and the table of lemmas (cached_texts.c). */
trib_status trib_cached_print_lexicon(trib_run *run, trib_error *error);
/* Adds what identifies the result of one method for one target (cached_influence.c). */
void trib_cached_method(const trib_run *run, uint32_t t, const trib_influence_method *method,
                        trib_identity *key);

/* The background of target t, or the common language that several targets share
 * (cached_influence.c). `is_shared`: they share one. `n_before`: the number of documents in the
 * order of arrival that the background of t includes. `take` reads the cached language of as many
 * of the first `most` documents in the order of arrival as possible. `put` caches it. */
bool trib_cached_language_is_shared(const trib_run *run);
uint32_t trib_cached_language_n_before(const trib_run *run, uint32_t t);
trib_status trib_cached_language_take(const trib_run *run, trib_common_language *language,
                                      uint32_t *n_arrived, uint32_t most, trib_error *error);
trib_status trib_cached_language_put(const trib_run *run, trib_common_language *language,
                                     uint32_t n_arrived, trib_error *error);

#endif
