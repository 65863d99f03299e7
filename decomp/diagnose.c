/* diagnose.c - measures of a Kruskal tensor besides its fit: the L1 error, the similarity of its
 * components, and the core consistency (Bro and Kiers 2003). */
#include "base/internal.h"
#include "decomp/blas.h"
#include "decomp/dense.h"
#include "decomp/nonzeros.h"

#include <math.h>
#include <string.h>

/* ---- L1 error -------------------------------------------------------------------------------- */

static bool has_negative(const double *value, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (value[i] < 0) return true;
    return false;
}

double trib_ktensor_l1_error(const trib_ktensor *k, const trib_tensor *x) {
    enum { BLOCK = 256 };
    uint32_t index[BLOCK * TRIB_MAX_MODES];
    double value[BLOCK], model[BLOCK], apart = 0, inside = 0, mass = 0;
    if (has_negative(k->lambda, k->rank)) return (double)NAN;
    for (uint32_t m = 0; m < k->n_modes; m++)
        if (has_negative(k->factor[m], (size_t)k->dim[m] * k->rank)) return (double)NAN;
    for (size_t first = 0; first < x->nnz; first += BLOCK) {
        const size_t n = x->nnz - first < BLOCK ? x->nnz - first : BLOCK;
        trib_tensor_read(x, first, n, index, value);
        trib_ktensor_values(k, n, index, model);
        for (size_t i = 0; i < n; i++) {
            apart += fabs(value[i] - model[i]);
            inside += model[i];
        }
    }
    for (uint32_t r = 0; r < k->rank; r++) {
        double product = k->lambda[r];
        for (uint32_t m = 0; m < k->n_modes; m++) {
            double sum = 0;
            for (uint32_t i = 0; i < k->dim[m]; i++) sum += k->factor[m][(size_t)i * k->rank + r];
            product *= sum;
        }
        mass += product;
    }
    apart += fmax(0, mass - inside);
    if (x->total > 0) return apart / x->total;
    return apart > 0 ? (double)INFINITY : 0;
}

/* ---- Core consistency ------------------------------------------------------------------------ */

/* The core has rank^n_modes entries. It is not computed beyond this number of entries, or of
 * operations to fill it. */
#define MAX_ENTRIES    0x1p25
#define MAX_OPERATIONS 2e10
/* Eigenvalues of a Gram matrix below this fraction of the largest count as 0. */
#define SINGULAR 1e-12

/* Computes inverse[dim][rank] = A (A'A)^+, the transposed pseudo-inverse of a factor, from the
 * eigenvectors of A'A. */
static trib_status pseudo_inverse(const double *factor, uint32_t dim, uint32_t rank,
                                  double *inverse, trib_error *error) {
    const char *what = "a pseudo-inverse";
    const size_t square = (size_t)rank * rank, n_work = 34 * (size_t)rank;
    double *gram = NULL, *scaled = NULL, *product = NULL, *value = NULL, *work = NULL;
    trib_status status = TRIB_NEW(&gram, square, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&scaled, square, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&product, square, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&value, rank, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&work, n_work, what, error);
    if (status == TRIB_OK) status = trib_blas_load(error);
    if (status != TRIB_OK) goto done;
    const int n = (int)rank, length = (int)n_work;
    int info = 0;
    trib_blas.cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, n, (int)dim, 1, factor, n, 0, gram,
                          n);
    /* The upper triangle by rows is the lower one by columns. Eigenvector i then is row i. */
    trib_blas.dsyev_("V", "L", &n, gram, &n, value, work, &length, &info, 1, 1);
    if (info != 0) {
        status = trib_fail(error, TRIB_INTERNAL, "LAPACK found no eigenvectors of a Gram matrix");
        goto done;
    }
    const double least = SINGULAR * value[rank - 1];
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t r = 0; r < rank; r++)
            scaled[(size_t)i * rank + r] =
                value[i] > least ? gram[(size_t)i * rank + r] / value[i] : 0;
    trib_blas.cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1, gram, n, scaled, n,
                          0, product, n);
    trib_blas.cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)dim, n, n, 1, factor, n,
                          product, n, 0, inverse, n);
done:
    TRIB_FREE(gram, scaled, product, value, work);
    return status;
}

enum { SLAB_ROWS = 32 }; /* rows of mode 0 that are contracted into the core at once */

/* The contraction of sorted nonzeros with the pseudo-inverses, one mode after another from the
 * last. */
typedef struct contraction {
    const trib_nonzeros *y;
    uint32_t rank;
    double *inverse[TRIB_MAX_MODES]; /* [dim[m]][rank] */
    /* [size[m]] the contraction over the modes after m of the nonzeros that share their first m + 1
     * indices */
    double *part[TRIB_MAX_MODES];
    size_t size[TRIB_MAX_MODES]; /* rank^(n_modes - 1 - m) */
} contraction;

/* Adds to sum[rank][size[m]] the contraction over modes m and up of nonzeros first .. end-1, which
 * have the same first m indices. */
static void contract(const contraction *c, uint32_t m, size_t first, size_t end, double *sum) {
    const uint32_t *index = c->y->index[m];
    const size_t size = c->size[m];
    while (first < end) {
        size_t next = first + 1;
        while (next < end && index[next] == index[first]) next++;
        double *part = c->part[m];
        if (m + 1 < c->y->n_modes) {
            memset(part, 0, size * sizeof *part);
            contract(c, m + 1, first, next, part);
        } else {
            part[0] = c->y->value[first];
        }
        const double *row = c->inverse[m] + (size_t)index[first] * c->rank;
        for (uint32_t r = 0; r < c->rank; r++)
            for (size_t s = 0; s < size; s++) sum[r * size + s] += row[r] * part[s];
        first = next;
    }
}

/* Computes core[rank][size[0]], the contraction over all modes; slab[SLAB_ROWS][size[0]] and
 * row[SLAB_ROWS][rank] are scratch. */
static void fill_core(const contraction *c, double *core, double *slab, double *row) {
    const trib_nonzeros *y = c->y;
    const size_t size = c->size[0];
    for (size_t first = 0, next = 0; first < y->n;) {
        int n = 0;
        memset(slab, 0, SLAB_ROWS * size * sizeof *slab);
        for (; n < SLAB_ROWS && first < y->n; n++, first = next) {
            for (next = first; next < y->n && y->index[0][next] == y->index[0][first];) next++;
            memcpy(row + (size_t)n * c->rank, c->inverse[0] + (size_t)y->index[0][first] * c->rank,
                   c->rank * sizeof *row);
            if (y->n_modes > 1) contract(c, 1, first, next, slab + (size_t)n * size);
            else slab[n] = y->value[first];
        }
        trib_blas.cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)c->rank, (int)size, n,
                              1, row, (int)c->rank, slab, (int)size, 1, core, (int)size);
    }
}

/* 100 (1 - |core - superdiagonal of ones|^2 / rank). NaN when that overflows, as with a model that
 * is almost 0. */
static double consistency(const double *core, uint32_t rank, uint32_t n_modes) {
    /* distance between two diagonal entries, and number of entries, of the modes so far */
    size_t diagonal = 1, n = rank;
    for (uint32_t m = 1; m < n_modes; m++) {
        diagonal += n;
        n *= rank;
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = core[i] - (i % diagonal == 0 ? 1 : 0);
        sum += off * off;
    }
    return isfinite(sum) ? 100 * (1 - sum / rank) : NAN;
}

static trib_status prepare(contraction *c, const trib_ktensor *k, trib_error *error) {
    double *scaled = NULL;
    trib_status status = TRIB_NEW(&scaled, (size_t)k->dim[0] * k->rank, "a scaled factor", error);
    for (uint32_t i = 0; status == TRIB_OK && i < k->dim[0]; i++)
        for (uint32_t r = 0; r < k->rank; r++)
            scaled[(size_t)i * k->rank + r] = k->lambda[r] * k->factor[0][(size_t)i * k->rank + r];
    size_t size = 1;
    for (uint32_t m = k->n_modes; m-- > 0 && status == TRIB_OK; size *= k->rank) {
        c->size[m] = size;
        status = trib_new(&c->inverse[m], (size_t)k->dim[m] * k->rank, sizeof(double),
                          "a pseudo-inverse", error);
        if (status == TRIB_OK)
            status = pseudo_inverse(m == 0 ? scaled : k->factor[m], k->dim[m], k->rank,
                                    c->inverse[m], error);
        if (status == TRIB_OK && m > 0)
            status = trib_new(&c->part[m], size, sizeof(double), "a core tensor", error);
    }
    trib_free(scaled);
    return status;
}

trib_status trib_core_consistency(const trib_ktensor *k, const trib_tensor *x, double *percent,
                                  trib_error *error) {
    trib_nonzeros y = {0};
    contraction c = {.y = &y, .rank = k->rank};
    double *core = NULL, *slab = NULL, *row = NULL;
    const double n_entries = trib_power(k->rank, k->n_modes);
    const char *what = "a core tensor";
    *percent = NAN;
    if (k->rank == 0 || x->nnz == 0 || n_entries > MAX_ENTRIES ||
        2 * n_entries * k->dim[0] > MAX_OPERATIONS)
        return TRIB_OK;
    trib_status status = trib_nonzeros_read(&y, x, error);
    if (status == TRIB_OK) status = prepare(&c, k, error);
    const size_t size = c.size[0];
    if (status == TRIB_OK) status = TRIB_NEW(&core, (size_t)n_entries, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&slab, SLAB_ROWS * size, what, error);
    if (status == TRIB_OK) status = trib_new(&row, SLAB_ROWS, k->rank * sizeof *row, what, error);
    if (status == TRIB_OK) {
        fill_core(&c, core, slab, row);
        *percent = consistency(core, k->rank, k->n_modes);
    }
    TRIB_FREE(core, slab, row);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) {
        TRIB_FREE(c.inverse[m], c.part[m]);
    }
    trib_nonzeros_release(&y);
    return status;
}
