/* factors.h - the room `influence/factors`: the rank-1 factors of documents, and the L1 distances
 * between them, which methods by factors read. */
#ifndef TRIBUTARY_FACTORS_H
#define TRIBUTARY_FACTORS_H

#include "base/base.h"
#include "decomp/decomp.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The rank-1 factors of several documents in vocabulary ids. Every vector is sparse and sorted by
 * id. `{0}` is empty. */
typedef struct trib_factors {
    uint32_t n_modes;    /* of every factor */
    size_t n, cap;       /* factors used, and allocated */
    uint32_t *document;  /* [n] number of each factor's document, ascending */
    uint32_t *component; /* [n] number of each factor within its document */
    double *lambda;      /* [n] mass of each factor in its document */
    /* [n * n_modes + 1] factor f, mode m holds start[f*n_modes+m] .. start[f*n_modes+m+1]-1 of: */
    size_t *start;
    size_t start_cap;                     /* elements allocated for `start` */
    uint32_t *word;                       /* vocabulary ids, ascending within a vector */
    double *value;                        /* positive */
    size_t n_values, word_cap, value_cap; /* entries of all vectors, and entries allocated */
    double *sum; /* [n * n_modes] sum of every vector; exactly 1 when 1 but for rounding */
} trib_factors;

/* Appends all components of `k`. word[i] is the vocabulary id of index i in every mode (NULL: i
 * itself); all must differ. Zero values are left out. Components with lambda 0 must have been
 * dropped. Documents must come in ascending order and have the same number of modes. TRIB_INTERNAL
 * when they do not; TRIB_MEMORY. */
trib_status trib_factors_add(trib_factors *factors, uint32_t document, const trib_ktensor *k,
                             const uint32_t *word, trib_error *error);
void trib_factors_release(trib_factors *factors);

/* Scratch of one thread for distances. `{0}` is empty; it grows as needed. */
typedef struct trib_distance_scratch {
    void *memory; /* owned */
    size_t size;  /* bytes of it */
} trib_distance_scratch;
void trib_distance_scratch_release(trib_distance_scratch *scratch);

/* Sets *distance to ||P - Q||_1 of factors p of `a` and q of `b`, each the outer product of its
 * vectors, without lambda. It is exact: sum P + sum Q - 2 sum min(P, Q) over the common support, by
 * a sweep with two pointers (docs/model.md section 4). A distance below 1e-14 |P| becomes 0.
 * Normalised factors have distances in [0, 2], exactly 2 when they are disjoint. Within one set the
 * distance is symmetric to the bit. It depends on the two factors alone, not on the numbering of
 * words. TRIB_MEMORY; TRIB_INTERRUPTED after a request to stop. */
trib_status trib_factor_distance(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                                 double *distance, trib_distance_scratch *scratch,
                                 trib_error *error);
/* Computes distances into matrix[a->n][b->n], row-major: of all pairs, or, unless `wanted` is NULL,
 * of the pairs of which one factor belongs to a document d with wanted[d]; the other entries stay.
 * The bits do not depend on n_threads. `progress` counts the factors of `a`. TRIB_MEMORY;
 * TRIB_INTERRUPTED after a request to stop, also of `progress`. */
trib_status trib_factor_matrix(const trib_factors *a, const trib_factors *b, const bool *wanted,
                               double *matrix, int n_threads, trib_progress progress,
                               trib_error *error);

/* For every factor of `a` and every document of `b`: the smallest distance, and the factor that has
 * it. `{0}` is empty. */
typedef struct trib_factor_distances {
    size_t n_factors;   /* factors of a */
    size_t n_documents; /* documents of b, the columns */
    /* [n_factors][n_documents] smallest distances; 2 where the document has no factor */
    double *nearest;
    /* [n_factors][n_documents] factor of b, ties to the smallest; UINT32_MAX where none */
    uint32_t *which;
    uint64_t n_exact; /* exact distances computed, of a->n * b->n */
} trib_factor_distances;

/* Finds the nearest factors without computing most distances: an index from words to factors finds
 * the pairs whose supports meet in every mode, and a best-first search by lower bounds ends each
 * row early. The result equals the row minima of trib_factor_matrix exactly. Both sets must be
 * normalised (else TRIB_INTERNAL). */
trib_status trib_factor_distances_find(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, size_t n_documents, int n_threads,
                                       trib_error *error);
/* The same in parts: `init` sets all distances to 0, `fill` computes those of the factors f of `a`
 * with row[f] to the documents d of `b` with column[d] (NULL: all) and visits only these.
 * TRIB_INTERRUPTED when progress asks to stop. */
trib_status trib_factor_distances_init(trib_factor_distances *found, size_t n_factors,
                                       size_t n_documents, trib_error *error);
trib_status trib_factor_distances_fill(trib_factor_distances *found, const trib_factors *a,
                                       const trib_factors *b, const bool *row, const bool *column,
                                       int n_threads, trib_progress progress, trib_error *error);
void trib_factor_distances_release(trib_factor_distances *found);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
