/* dense.h - private to decomp/: factor matrices padded for SIMD, eight doubles at a time, Gram
 * matrices and their Cholesky factors, norms and the fit. */
#ifndef TRIBUTARY_DECOMP_DENSE_H
#define TRIBUTARY_DECOMP_DENSE_H

#include "decomp/decomp.h"

/* Rows and columns are padded to multiples of eight: one cache line, one AVX-512 register, two of
 * AVX2. */
enum { TRIB_EIGHT = 8 };
typedef double trib_eight __attribute__((vector_size(TRIB_EIGHT * sizeof(double))));

typedef int64_t trib_lane_bits
    __attribute__((vector_size(TRIB_EIGHT * sizeof(int64_t)), may_alias));

/* A shuffle of the lanes of a (0 .. 7) and b (8 .. 15). */
#ifdef __clang__
#define TRIB_LANES(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TRIB_LANES(a, b, ...) __builtin_shuffle(a, b, (trib_lane_bits){__VA_ARGS__})
#endif

/* Transposes v: v[i][j] becomes v[j][i]. */
TRIB_INLINE void trib_transpose(trib_eight v[TRIB_EIGHT]) {
    trib_eight w[TRIB_EIGHT];
    for (size_t i = 0; i < TRIB_EIGHT; i += 2) {
        w[i] = TRIB_LANES(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        w[i + 1] = TRIB_LANES(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t i = 0; i < TRIB_EIGHT; i += 4)
        for (size_t j = i; j < i + 2; j++) {
            v[j] = TRIB_LANES(w[j], w[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            v[j + 2] = TRIB_LANES(w[j], w[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (size_t i = 0; i < 4; i++) {
        w[i] = TRIB_LANES(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        w[i + 4] = TRIB_LANES(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (size_t i = 0; i < TRIB_EIGHT; i++) v[i] = w[i];
}

/* Factor matrices, padded with zero rows and columns to multiples of eight. `{0}` is empty. Rows
 * are divided into chunks whose bounds depend on the dimension alone. Threads sum per chunk, and
 * chunks are added in order. */
typedef struct trib_dense {
    uint32_t n_modes;
    uint32_t dim[TRIB_MAX_MODES];
    size_t n_rows[TRIB_MAX_MODES];  /* dim rounded up to a multiple of 8 */
    uint32_t rank;                  /* components */
    size_t stride;                  /* rank rounded up to a multiple of 8: the length of a row */
    double *factor[TRIB_MAX_MODES]; /* [n_rows[m]][stride], 64-byte aligned */
    double *gram[TRIB_MAX_MODES];   /* [stride][stride] factor' factor */
    double *partial;                /* [chunks][stride][stride] Gram matrix of each chunk */
    double *extra;                  /* [n_extra] zeros for the caller's use, 64-byte aligned */
    int n_threads;
} trib_dense;

/* Copies the factors of `k`, without lambda. All arrays share one allocation, with n_extra more
 * doubles in `extra`. */
trib_status trib_dense_init(trib_dense *dense, const trib_ktensor *k, size_t n_extra, int n_threads,
                            trib_error *error);
/* Sets only the shapes: n_modes .. stride and n_threads. */
void trib_dense_shape(trib_dense *dense, const trib_ktensor *k, int n_threads);
void trib_dense_release(trib_dense *dense);
/* Copies factor m back into `k`, with column r multiplied by scale[r] (NULL: 1). */
void trib_dense_copy_back(const trib_dense *dense, uint32_t m, const double *scale,
                          trib_ktensor *k);

/* The number of rows of one chunk of mode m, a multiple of 8. */
size_t trib_dense_chunk_rows(const trib_dense *dense, uint32_t m);
size_t trib_dense_n_chunks(const trib_dense *dense, uint32_t m);
size_t trib_dense_chunk_end(const trib_dense *dense, uint32_t m,
                            size_t chunk); /* one past its last row */

/* Computes gram[m] of factor m. */
void trib_dense_gram(trib_dense *dense, uint32_t m);
/* The same in steps: clear the partial matrix of each chunk, add its rows in order (n a multiple of
 * 8), then sum all chunks. */
void trib_dense_gram_clear(trib_dense *dense, size_t chunk);
void trib_dense_gram_rows(trib_dense *dense, uint32_t m, size_t chunk, size_t first, size_t n);
void trib_dense_gram_sum(trib_dense *dense, uint32_t m);

/* Multiplies column r of factor m by scale[r]. */
void trib_dense_scale(trib_dense *dense, uint32_t m, const double *scale);
/* Multiplies column r by lambda[r], then sets lambda[rank] to 1. */
void trib_dense_take_lambda(trib_dense *dense, uint32_t m, double *lambda);
/* The sum of a[i] b[i], for n a multiple of 8. */
double trib_dense_inner(const double *restrict a, const double *restrict b, size_t n);

/* Sets product[stride][stride] to the elementwise product of all Gram matrices but that of mode
 * `but` (n_modes: of all); 0 beyond rank. */
void trib_dense_hadamard(const trib_dense *dense, uint32_t but, double *product);
/* The value |model|^2 = sum_rs scale_r scale_s prod_m gram[m]_rs; a NULL scale is all 1. */
double trib_dense_squared_norm(const trib_dense *dense, const double *scale);

/* The Cholesky factorisation G + ridge I = L L', on one thread: factors gram[stride][stride], of
 * which the first rank x rank entries are used, plus `ridge` on the diagonal, into
 * factor[stride][stride]: L' above the diagonal and L below it. Returns false when the matrix is
 * not positive definite. */
bool trib_cholesky(const double *gram, uint32_t rank, size_t stride, double ridge, double *factor);
/* Multiplies rows[n_rows][stride] by the inverse of the factored matrix, in place. */
void trib_cholesky_solve(const double *factor, uint32_t rank, size_t stride, double *rows,
                         size_t n_rows);

/* The fit 1 - |X - model| / |X| from |X|, <X, model> and |model|^2 ([K] section 3.4); 1 when both
 * norms are 0. */
double trib_fit(double norm, double inner, double squared_norm);

/* value[i], i < n, receives the value of the model at index[i][n_modes], with the bits that
 * trib_ktensor_value gives. (ktensor.c) */
void trib_ktensor_values(const trib_ktensor *k, size_t n, const uint32_t *index, double *value);

#endif
