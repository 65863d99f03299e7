/* diagnose.c - measures of a Kruskal tensor besides its fit: the similarity to another one and that
 * of its components, the L1 error, and the core consistency (Bro and Kiers 2003). */
#include "base/internal.h"
#include "base/system.h"
#include "decomp/blas.h"
#include "decomp/dense.h"
#include "decomp/nonzeros.h"

#ifdef TRIB_OPENBLAS
#include <pthread.h>
#endif

/* ---- Similarity ------------------------------------------------------------------------------ */

/* The similarity of two components is the product over modes of the cosines of their columns, times
 * 1 - |a - b| / max(a, b) of their weights (masses of columns scaled to Euclidean length 1). The
 * most similar pair is matched, then the most similar of the remaining components, and so on: the
 * factor match score of the Tensor Toolbox (`score`, greedy). */

/* One component of each tensor. */
typedef struct pair {
    double score;
    uint32_t a, b;
} pair;

TRIB_ORDER(most_alike_first, pair, TRIB_DOWN(score) ?: TRIB_UP(a) ?: TRIB_UP(b));

/* Multiplies length[r] by the Euclidean length of column r of mode m; squares[rank] is scratch. */
static void multiply_lengths(const trib_ktensor *k, uint32_t m, double *squares, double *length) {
    if (k->rank == 0) return;
    memset(squares, 0, k->rank * sizeof *squares);
    for (uint32_t i = 0; i < k->dim[m]; i++)
        for (uint32_t r = 0; r < k->rank; r++) {
            const double value = k->factor[m][(size_t)i * k->rank + r];
            squares[r] += value * value;
        }
    for (uint32_t r = 0; r < k->rank; r++) length[r] *= sqrt(squares[r]);
}

/* Computes inner[a][b] of the columns of mode m; for a factor with itself, each pair once. */
static void inner_products(const trib_ktensor *a, const trib_ktensor *b, uint32_t m,
                           double *inner) {
    const uint32_t n = a->dim[m] < b->dim[m] ? a->dim[m] : b->dim[m];
    if (a->rank == 0 || b->rank == 0) return; /* there are no arrays */
    memset(inner, 0, (size_t)a->rank * b->rank * sizeof *inner);
    for (uint32_t i = 0; i < n; i++) {
        const double *of_a = a->factor[m] + (size_t)i * a->rank;
        const double *of_b = b->factor[m] + (size_t)i * b->rank;
        for (uint32_t r = 0; r < a->rank; r++) {
            double *row = inner + (size_t)r * b->rank;
            if (of_a[r] == 0) continue;
            for (uint32_t s = a == b ? r : 0; s < b->rank; s++) row[s] += of_a[r] * of_b[s];
        }
    }
    for (uint32_t r = 0; a == b && r < a->rank; r++)
        for (uint32_t s = 0; s < r; s++)
            inner[(size_t)r * a->rank + s] = inner[(size_t)s * a->rank + r];
}

/* Sets product[a][b] to the products over all modes of the inner products of the columns;
 * inner[a][b] is scratch. */
static void multiply_columns(const trib_ktensor *a, const trib_ktensor *b, double *inner,
                             double *product) {
    const size_t n = (size_t)a->rank * b->rank;
    for (size_t i = 0; i < n; i++) product[i] = 1;
    for (uint32_t m = 0; m < a->n_modes; m++) {
        inner_products(a, b, m, inner);
        for (size_t i = 0; i < n; i++) product[i] *= inner[i];
    }
}

/* Rates all pairs. product[n] holds the inner products over all modes, length_a and length_b the
 * products of lengths. */
static void rate_pairs(pair *all, const trib_ktensor *a, const trib_ktensor *b,
                       const double *product, const double *length_a, const double *length_b) {
    for (uint32_t r = 0; r < a->rank; r++)
        for (uint32_t s = 0; s < b->rank; s++) {
            const size_t at = (size_t)r * b->rank + s;
            const double lengths = length_a[r] * length_b[s];
            const double weight_a = a->lambda[r] * length_a[r];
            const double weight_b = b->lambda[s] * length_b[s];
            const double larger = fmax(weight_a, weight_b);
            const double alike = lengths > 0 ? product[at] / lengths : 0;
            const double penalty = larger > 0 ? fabs(weight_a - weight_b) / larger : 0;
            all[at] = (pair){alike * (1 - penalty), r, s};
        }
}

static double match_greedily(const pair *all, size_t n, uint32_t rank_a, uint32_t rank_b,
                             bool *taken) {
    const uint32_t fewer = rank_a < rank_b ? rank_a : rank_b;
    const uint32_t more = rank_a < rank_b ? rank_b : rank_a;
    double sum = 0;
    uint32_t n_matched = 0;
    for (size_t i = 0; i < n && n_matched < fewer; i++) {
        if (taken[all[i].a] || taken[rank_a + all[i].b]) continue;
        taken[all[i].a] = taken[rank_a + all[i].b] = true;
        sum += all[i].score;
        n_matched++;
    }
    return more > 0 ? sum / more : 1;
}

trib_status trib_ktensor_match(const trib_ktensor *a, const trib_ktensor *b, double *score,
                               trib_error *error) {
    const char *what = "matched components";
    const size_t n_lengths = (size_t)a->rank + b->rank, n = (size_t)a->rank * b->rank;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    if (a->n_modes != b->n_modes)
        return trib_fail(error, TRIB_INPUT, "%u modes cannot be matched with %u", a->n_modes,
                         b->n_modes);
    double *product = trib_pool_new(&pool, n, sizeof *product, what);
    double *inner = trib_pool_new(&pool, n, sizeof *inner, what);
    double *length = trib_pool_new(&pool, n_lengths, sizeof *length, what);
    double *squares = trib_pool_new(&pool, n_lengths, sizeof *squares, what);
    pair *all = trib_pool_new(&pool, n, sizeof *all, what);
    bool *taken = trib_pool_new(&pool, n_lengths, sizeof *taken, what);
    if (pool.status != TRIB_OK) return pool.status;
    *score = n_lengths > 0 ? 0 : 1;
    if (n == 0) return TRIB_OK;
    for (size_t r = 0; r < n_lengths; r++) length[r] = 1;
    for (uint32_t m = 0; m < a->n_modes; m++) {
        multiply_lengths(a, m, squares, length);
        multiply_lengths(b, m, squares, length + a->rank);
    }
    multiply_columns(a, b, inner, product);
    rate_pairs(all, a, b, product, length, length + a->rank);
    qsort(all, n, sizeof *all, most_alike_first);
    *score = match_greedily(all, n, a->rank, b->rank, taken);
    return TRIB_OK;
}

trib_status trib_ktensor_congruence(const trib_ktensor *k, double limit, double *largest,
                                    uint32_t *n_beyond, trib_error *error) {
    const size_t n = (size_t)k->rank * k->rank;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    double *product = trib_pool_new(&pool, n, sizeof *product, "congruences");
    double *inner = trib_pool_new(&pool, n, sizeof *inner, "congruences");
    *largest = 0;
    *n_beyond = 0;
    if (pool.status != TRIB_OK) return pool.status;
    multiply_columns(k, k, inner, product);
    for (size_t r = 0; r < k->rank; r++) {
        bool beyond = false;
        for (size_t s = 0; s < k->rank; s++) {
            const double lengths = product[r * k->rank + r] * product[s * k->rank + s];
            const double congruence = lengths > 0 ? product[r * k->rank + s] / sqrt(lengths) : 0;
            if (s == r) continue;
            *largest = fmax(*largest, congruence);
            beyond = beyond || congruence > limit;
        }
        *n_beyond += beyond;
    }
    return TRIB_OK;
}

/* ---- L1 error -------------------------------------------------------------------------------- */

static bool has_negative(const double *value, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (value[i] < 0) return true;
    return false;
}

double trib_ktensor_l1_error(const trib_ktensor *k, const trib_tensor *x) {
    double model[TRIB_SOME], apart = 0, inside = 0, mass = 0, whole = 0;
    bool is_negative, is_mixed = false;
    const int exponent = trib_tensor_exponent(x, &is_negative);
    const double scale = ldexp(1, -exponent); /* else the sums might overflow */
    if (has_negative(k->lambda, k->rank)) return (double)NAN;
    for (uint32_t m = 0; m < k->n_modes; m++)
        if (has_negative(k->factor[m], (size_t)k->dim[m] * k->rank)) return (double)NAN;
    for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);) {
        trib_ktensor_values(k, s.n, s.index, model);
        is_mixed = is_mixed || has_negative(s.value, s.n);
        for (size_t i = 0; i < s.n; i++) {
            apart += fabs(scale * s.value[i] - scale * model[i]);
            inside += scale * model[i];
            whole += fabs(scale * s.value[i]);
        }
    }
    for (uint32_t r = 0; r < k->rank; r++) {
        double product = scale * k->lambda[r];
        for (uint32_t m = 0; m < k->n_modes; m++) {
            double sum = 0;
            for (uint32_t i = 0; i < k->dim[m]; i++) sum += k->factor[m][(size_t)i * k->rank + r];
            product *= sum;
        }
        mass += product;
    }
    apart += fmax(0, mass - inside);
    if (!is_mixed && exponent == 0) whole = x->total;
    if (whole > 0) return apart / whole;
    return apart > 0 ? (double)INFINITY : 0;
}

/* ---- OpenBLAS -------------------------------------------------------------------------------- */

#ifdef TRIB_OPENBLAS
trib_blas_functions trib_blas;

trib_status trib_blas_load(trib_error *error) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define NAME(name) #name,
    static const char *const names[] = {TRIB_BLAS_FUNCTIONS(NAME)};
#undef NAME
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&lock);
    if (!trib_blas.cblas_dgemm)
        status =
            trib_loaded_fill(&trib_blas, TRIB_OPENBLAS, names, sizeof names / sizeof *names, error);
    if (status == TRIB_OK) trib_blas.openblas_set_num_threads(1);
    pthread_mutex_unlock(&lock);
    return status;
}
#else
#define FUNCTION(name) name,
trib_blas_functions trib_blas = {TRIB_BLAS_FUNCTIONS(FUNCTION)};
#undef FUNCTION

trib_status trib_blas_load(trib_error *error) {
    (void)error;
    trib_blas.openblas_set_num_threads(1);
    return TRIB_OK;
}
#endif

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
    TRIB_OWNED(trib_pool) pool = {.error = error};
    double *gram = trib_pool_new(&pool, square, sizeof *gram, what);
    double *scaled = trib_pool_new(&pool, square, sizeof *scaled, what);
    double *product = trib_pool_new(&pool, square, sizeof *product, what);
    double *value = trib_pool_new(&pool, rank, sizeof *value, what);
    double *work = trib_pool_new(&pool, n_work, sizeof *work, what);
    const trib_status status = pool.status == TRIB_OK ? trib_blas_load(error) : pool.status;
    if (status != TRIB_OK) return status;
    const int n = (int)rank, length = (int)n_work;
    int info = 0;
    trib_blas.cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, n, (int)dim, 1, factor, n, 0, gram,
                          n);
    /* The upper triangle by rows is the lower one by columns. Eigenvector i then is row i. */
    trib_blas.dsyev_("V", "L", &n, gram, &n, value, work, &length, &info, 1, 1);
    if (info != 0)
        return trib_fail(error, TRIB_INTERNAL, "LAPACK found no eigenvectors of a Gram matrix");
    const double least = SINGULAR * value[rank - 1];
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t r = 0; r < rank; r++)
            scaled[(size_t)i * rank + r] =
                value[i] > least ? gram[(size_t)i * rank + r] / value[i] : 0;
    trib_blas.cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1, gram, n, scaled, n,
                          0, product, n);
    trib_blas.cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)dim, n, n, 1, factor, n,
                          product, n, 0, inverse, n);
    return TRIB_OK;
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
    trib_pool pool;
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
    const size_t rank = k->rank;
    double *scaled = trib_pool_new(&c->pool, k->dim[0] * rank, sizeof *scaled, "a scaled factor");
    for (size_t i = 0; scaled && i < k->dim[0] * rank; i++)
        scaled[i] = k->lambda[i % rank] * k->factor[0][i];
    size_t size = 1;
    trib_status status = c->pool.status;
    for (uint32_t m = k->n_modes; m-- > 0 && status == TRIB_OK; size *= rank) {
        c->size[m] = size;
        c->inverse[m] =
            trib_pool_new(&c->pool, k->dim[m] * rank, sizeof(double), "a pseudo-inverse");
        if (m > 0) c->part[m] = trib_pool_new(&c->pool, size, sizeof(double), "a core tensor");
        status = c->pool.status;
        if (status == TRIB_OK)
            status = pseudo_inverse(m == 0 ? scaled : k->factor[m], k->dim[m], k->rank,
                                    c->inverse[m], error);
    }
    return status;
}

trib_status trib_core_consistency(const trib_ktensor *k, const trib_tensor *x, double *percent,
                                  trib_error *error) {
    trib_nonzeros y = {0};
    contraction c = {.y = &y, .rank = k->rank, .pool = {.error = error}};
    const double n_entries = trib_power(k->rank, k->n_modes);
    const char *what = "a core tensor";
    *percent = NAN;
    if (k->rank == 0 || x->nnz == 0 || n_entries > MAX_ENTRIES ||
        2 * n_entries * k->dim[0] > MAX_OPERATIONS)
        return TRIB_OK;
    trib_status status = trib_nonzeros_read(&y, x, error);
    if (status == TRIB_OK) status = prepare(&c, k, error);
    if (status == TRIB_OK) {
        double *core = trib_pool_new(&c.pool, (size_t)n_entries, sizeof *core, what);
        double *slab = trib_pool_new(&c.pool, SLAB_ROWS * c.size[0], sizeof *slab, what);
        double *row = trib_pool_new(&c.pool, SLAB_ROWS, k->rank * sizeof *row, what);
        status = c.pool.status;
        if (status == TRIB_OK) {
            fill_core(&c, core, slab, row);
            *percent = consistency(core, k->rank, k->n_modes);
        }
    }
    trib_pool_release(&c.pool);
    trib_nonzeros_release(&y);
    return status;
}
