/* dense.c - padded factor matrices and their Gram matrices. Results have the same bits for any
 * number of threads. */
#include "decomp/dense.h"
#include "base/internal.h"
#include "base/lanes.h"

/* There are at most MAX_CHUNKS chunks, of at least MIN_CHUNK_ROWS rows and at least `rank` rows
 * each. The Gram matrices of all chunks then take no more memory than a factor. */
enum { MAX_CHUNKS = 64, MIN_CHUNK_ROWS = 256 };

static size_t up_to_eights(size_t n) { return (n + TRIB_EIGHT - 1) / TRIB_EIGHT * TRIB_EIGHT; }

void trib_dense_shape(trib_dense *dense, const trib_ktensor *k, int n_threads) {
    *dense = (trib_dense){.n_modes = k->n_modes,
                          .rank = k->rank,
                          .stride = up_to_eights(k->rank > 0 ? k->rank : 1),
                          .n_threads = n_threads};
    for (uint32_t m = 0; m < k->n_modes; m++) {
        dense->dim[m] = k->dim[m];
        dense->n_rows[m] = up_to_eights(k->dim[m]);
    }
}

/* Adds n rows of `stride` doubles to *sum and sets *first to its old value; false when the size
 * does not fit the address space. */
static bool append(size_t *sum, size_t n, size_t stride, size_t *first) {
    *first = *sum;
    return trib_multiply(n, stride, &n) && trib_add(*sum, n, sum);
}

/* All arrays share one allocation, and each has a multiple of eight doubles, so each begins at a
 * cache line. The arrays of a small document share pages this way; getting a page from the system
 * takes as long as many sweeps over it. */
static trib_status allocate(trib_dense *dense, size_t n_extra, trib_error *error) {
    const size_t stride = dense->stride;
    size_t n_chunks = 1, end = 0, factor[TRIB_MAX_MODES], gram[TRIB_MAX_MODES], partial, rest;
    double *all = NULL;
    bool fits = true;
    for (uint32_t m = 0; m < dense->n_modes; m++) {
        const size_t n = trib_dense_n_chunks(dense, m);
        if (n > n_chunks) n_chunks = n;
        fits = fits && append(&end, dense->n_rows[m], stride, &factor[m]) &&
               append(&end, stride, stride, &gram[m]);
    }
    fits = fits && append(&end, n_chunks * stride, stride, &partial) &&
           append(&end, n_extra, 1, &rest);
    if (!fits)
        return trib_fail(error, TRIB_MEMORY, "factors of rank %u are too large",
                         (unsigned)dense->rank);
    const trib_status status =
        trib_new_aligned(&all, end, sizeof *all, "the factors of a decomposition", error);
    if (status != TRIB_OK) return status;
    for (uint32_t m = 0; m < dense->n_modes; m++) {
        dense->factor[m] = all + factor[m];
        dense->gram[m] = all + gram[m];
    }
    dense->partial = all + partial;
    dense->extra = all + rest;
    return TRIB_OK;
}

trib_status trib_dense_init(trib_dense *dense, const trib_ktensor *k, size_t n_extra, int n_threads,
                            trib_error *error) {
    trib_dense_shape(dense, k, n_threads);
    const trib_status status = allocate(dense, n_extra, error);
    if (status != TRIB_OK || k->rank == 0) return status;
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; i < k->dim[m]; i++)
            memcpy(dense->factor[m] + i * dense->stride, k->factor[m] + (size_t)i * k->rank,
                   k->rank * sizeof(double));
    return TRIB_OK;
}

void trib_dense_release(trib_dense *dense) {
    trib_free(dense->factor[0]); /* the start of the shared allocation */
    *dense = (trib_dense){0};
}

void trib_dense_copy_back(const trib_dense *dense, uint32_t m, const double *scale,
                          trib_ktensor *k) {
    for (uint32_t i = 0; i < k->dim[m]; i++)
        for (uint32_t r = 0; r < k->rank; r++)
            k->factor[m][(size_t)i * k->rank + r] =
                dense->factor[m][i * dense->stride + r] * (scale ? scale[r] : 1);
}

size_t trib_dense_chunk_rows(const trib_dense *dense, uint32_t m) {
    const size_t rows = up_to_eights((dense->n_rows[m] + MAX_CHUNKS - 1) / MAX_CHUNKS);
    const size_t least = dense->stride > MIN_CHUNK_ROWS ? dense->stride : MIN_CHUNK_ROWS;
    return rows > least ? rows : least;
}

size_t trib_dense_n_chunks(const trib_dense *dense, uint32_t m) {
    const size_t rows = trib_dense_chunk_rows(dense, m);
    return (dense->n_rows[m] + rows - 1) / rows;
}

size_t trib_dense_chunk_end(const trib_dense *dense, uint32_t m, size_t chunk) {
    const size_t rows = trib_dense_chunk_rows(dense, m), end = (chunk + 1) * rows;
    return end < dense->n_rows[m] ? end : dense->n_rows[m];
}

/* gram[r][s] += sum over rows of a[i][r] a[i][s], on and above the diagonal, in 8 x 8 tiles. A tile
 * stays in registers during the pass over the rows, which are few enough for the first-level
 * cache. */
TRIB_KERNEL(void, add_gram,
            (const double *restrict a, size_t n_rows, size_t stride, double *restrict gram),
            (a, n_rows, stride, gram)) {
    for (size_t r = 0; r < stride; r += TRIB_EIGHT)
        for (size_t s = r; s < stride; s += TRIB_EIGHT) {
            trib_eight tile[TRIB_EIGHT];
            for (size_t q = 0; q < TRIB_EIGHT; q++)
                tile[q] = *(const trib_eight *)(gram + (r + q) * stride + s);
            for (size_t i = 0; i < n_rows; i++) {
                const trib_eight row = *(const trib_eight *)(a + i * stride + s);
                for (size_t q = 0; q < TRIB_EIGHT; q++) tile[q] += a[i * stride + r + q] * row;
            }
            for (size_t q = 0; q < TRIB_EIGHT; q++)
                *(trib_eight *)(gram + (r + q) * stride + s) = tile[q];
        }
}

void trib_dense_gram_clear(trib_dense *dense, size_t chunk) {
    const size_t size = dense->stride * dense->stride;
    memset(dense->partial + chunk * size, 0, size * sizeof *dense->partial);
}

void trib_dense_gram_rows(trib_dense *dense, uint32_t m, size_t chunk, size_t first, size_t n) {
    enum { ROWS = 32 };
    const size_t stride = dense->stride, end = first + n;
    double *gram = dense->partial + chunk * stride * stride;
    for (size_t i = first; i < end; i += ROWS)
        add_gram(dense->factor[m] + i * stride, end - i < ROWS ? end - i : ROWS, stride, gram);
}

void trib_dense_gram_sum(trib_dense *dense, uint32_t m) {
    const size_t stride = dense->stride, n_chunks = trib_dense_n_chunks(dense, m);
    double *gram = dense->gram[m];
    memset(gram, 0, stride * stride * sizeof *gram);
    for (size_t chunk = 0; chunk < n_chunks; chunk++) {
        const double *part = dense->partial + chunk * stride * stride;
        for (size_t i = 0; i < stride * stride; i++) gram[i] += part[i];
    }
    for (size_t r = 0; r < stride; r++)
        for (size_t s = 0; s < r; s++) gram[r * stride + s] = gram[s * stride + r];
}

void trib_dense_gram(trib_dense *dense, uint32_t m) {
    const long n_chunks = (long)trib_dense_n_chunks(dense, m);
    const size_t rows = trib_dense_chunk_rows(dense, m);
#pragma omp parallel for schedule(static) num_threads(dense->n_threads)
    for (long c = 0; c < n_chunks; c++) {
        const size_t chunk = (size_t)c, first = chunk * rows;
        trib_dense_gram_clear(dense, chunk);
        trib_dense_gram_rows(dense, m, chunk, first, trib_dense_chunk_end(dense, m, chunk) - first);
    }
    trib_dense_gram_sum(dense, m);
}

TRIB_KERNEL(void, scale_rows,
            (double *restrict a, size_t n_rows, size_t stride, uint32_t rank,
             const double *restrict scale),
            (a, n_rows, stride, rank, scale)) {
    for (size_t i = 0; i < n_rows; i++)
        for (uint32_t r = 0; r < rank; r++) a[i * stride + r] *= scale[r];
}

void trib_dense_scale(trib_dense *dense, uint32_t m, const double *scale) {
    scale_rows(dense->factor[m], dense->dim[m], dense->stride, dense->rank, scale);
}

void trib_dense_take_lambda(trib_dense *dense, uint32_t m, double *lambda) {
    trib_dense_scale(dense, m, lambda);
    for (uint32_t r = 0; r < dense->rank; r++) lambda[r] = 1;
}

TRIB_KERNEL(double, dense_inner, (const double *restrict a, const double *restrict b, size_t n),
            (a, b, n)) {
    return trib_inner_product(a, b, n);
}

double trib_dense_inner(const double *restrict a, const double *restrict b, size_t n) {
    return dense_inner(a, b, n);
}

void trib_dense_hadamard(const trib_dense *dense, uint32_t but, double *product) {
    const size_t n = dense->stride * dense->stride;
    for (size_t i = 0; i < n; i++)
        product[i] = i / dense->stride < dense->rank && i % dense->stride < dense->rank;
    for (uint32_t m = 0; m < dense->n_modes; m++) {
        const double *gram = dense->gram[m];
        for (size_t i = 0; m != but && i < n; i++) product[i] *= gram[i];
    }
}

double trib_dense_squared_norm(const trib_dense *dense, const double *scale) {
    double norm = 0;
    for (size_t r = 0; r < dense->rank; r++)
        for (size_t s = 0; s < dense->rank; s++) {
            double product = scale ? scale[r] * scale[s] : 1;
            for (uint32_t m = 0; m < dense->n_modes; m++)
                product *= dense->gram[m][r * dense->stride + s];
            norm += product;
        }
    return norm;
}

double trib_fit(double norm, double inner, double squared_norm) {
    const double residual = norm * norm - 2 * inner + squared_norm;
    if (norm > 0) return 1 - sqrt(residual > 0 ? residual : 0) / norm;
    return squared_norm > 0 ? -INFINITY : 1;
}

/* ---- Cholesky factors ------------------------------------------------------------------------ */

/* Row by row, and applied to four rows at a time. Both subtract multiples of rows in one order, so
 * that the bits are the same on every processor; those of LAPACK depend on it. */

/* Subtracts t times row[first .. end-1] from x. */
TRIB_INLINE void subtract(double *restrict x, double t, const double *restrict row, size_t first,
                          size_t end) {
    for (size_t s = first; s < end; s++) x[s] -= t * row[s];
}

TRIB_KERNEL(bool, cholesky, (double *restrict factor, size_t rank, size_t stride),
            (factor, rank, stride)) {
    for (size_t r = 0; r < rank; r++) {
        double *restrict row = factor + r * stride;
        if (!(row[r] > 0)) return false;
        const double root = sqrt(row[r]);
        row[r] = root;
        for (size_t s = r + 1; s < rank; s++) row[s] /= root;
        for (size_t s = r + 1; s < rank; s++) {
            subtract(factor + s * stride, row[s], row, s, rank);
            factor[s * stride + r] = row[s];
        }
    }
    return true;
}

bool trib_cholesky(const double *gram, uint32_t rank, size_t stride, double ridge, double *factor) {
    memcpy(factor, gram, stride * stride * sizeof *factor);
    for (size_t r = 0; r < rank; r++) factor[r * stride + r] += ridge;
    return cholesky(factor, rank, stride);
}

/* Solves L y = x, then L' x = y, for n rows x[n][stride]. */
TRIB_INLINE void solve(const double *restrict factor, size_t rank, size_t stride,
                       double *restrict x, size_t n) {
    for (size_t r = 0; r < rank; r++)
        for (size_t i = 0; i < n; i++) {
            double *row = x + i * stride;
            row[r] /= factor[r * stride + r];
            subtract(row, row[r], factor + r * stride, r + 1, rank);
        }
    for (size_t r = rank; r-- > 0;)
        for (size_t i = 0; i < n; i++) {
            double *row = x + i * stride;
            row[r] /= factor[r * stride + r];
            subtract(row, row[r], factor + r * stride, 0, r);
        }
}

TRIB_KERNEL(void, cholesky_solve,
            (const double *restrict factor, size_t rank, size_t stride, double *restrict rows,
             size_t n_rows),
            (factor, rank, stride, rows, n_rows)) {
    size_t i = 0;
    for (; i + 4 <= n_rows; i += 4) solve(factor, rank, stride, rows + i * stride, 4);
    for (; i < n_rows; i++) solve(factor, rank, stride, rows + i * stride, 1);
}

void trib_cholesky_solve(const double *factor, uint32_t rank, size_t stride, double *rows,
                         size_t n_rows) {
    cholesky_solve(factor, rank, stride, rows, n_rows);
}
