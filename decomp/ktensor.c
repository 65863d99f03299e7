/* ktensor.c - Kruskal tensors (sums of rank-1 tensors): construction, normalisation, evaluation. */
#include "base/internal.h"
#include "decomp/dense.h"
#include "decomp/nonzeros.h"

#include <float.h>

#define TIE 1e-12 /* relative: lambdas that differ by less are equal */

/* Allocates all factors at once, each at the start of a cache line, so that small factors share
 * pages. */
static trib_status allocate_factors(trib_ktensor *k, trib_error *error) {
    enum { LINE = 8 };
    size_t first[TRIB_MAX_MODES] = {0}, end = 0;
    for (uint32_t m = 0; m < k->n_modes; m++) {
        size_t n = 0;
        first[m] = end;
        if (!trib_multiply(k->dim[m], k->rank, &n) || !trib_add(end, n, &end) ||
            !trib_add(end, LINE - 1, &end))
            return trib_fail(error, TRIB_MEMORY, "factors of rank %u are too large",
                             (unsigned)k->rank);
        end -= end % LINE;
    }
    const trib_status status =
        trib_new_aligned(&k->factor[0], end, sizeof(double), "factor matrices", error);
    for (uint32_t m = 1; k->factor[0] && m < k->n_modes; m++)
        k->factor[m] = k->factor[0] + first[m];
    return status;
}

trib_status trib_ktensor_init(trib_ktensor *k, uint32_t n_modes, const uint32_t dim[],
                              uint32_t rank, trib_error *error) {
    *k = (trib_ktensor){.n_modes = n_modes, .rank = rank, .fit = NAN};
    for (uint32_t m = 0; m < n_modes; m++) k->dim[m] = dim[m];
    trib_status status = allocate_factors(k, error);
    if (status == TRIB_OK) status = trib_new(&k->lambda, rank, sizeof(double), "lambda", error);
    if (status != TRIB_OK) trib_ktensor_release(k);
    return status;
}

void trib_ktensor_release(trib_ktensor *k) {
    TRIB_FREE(k->factor[0], k->lambda);
    *k = (trib_ktensor){0};
}

trib_status trib_ktensor_copy(trib_ktensor *copy, const trib_ktensor *k, trib_error *error) {
    const trib_status status = trib_ktensor_init(copy, k->n_modes, k->dim, k->rank, error);
    if (status != TRIB_OK) return status;
    copy->fit = k->fit;
    copy->single = k->single;
    if (k->rank == 0) return TRIB_OK;
    memcpy(copy->lambda, k->lambda, k->rank * sizeof *k->lambda);
    for (uint32_t m = 0; m < k->n_modes; m++)
        memcpy(copy->factor[m], k->factor[m], (size_t)k->dim[m] * k->rank * sizeof *k->factor[m]);
    return TRIB_OK;
}

/* ---- Normal form ----------------------------------------------------------------------------- */

/* The sort key of one component. */
typedef struct place {
    double lambda;
    uint32_t class; /* the same for components whose lambdas tie */
    /* index of the first nonzero of each column; dim[m] if there is none */
    uint32_t first[TRIB_MAX_MODES];
    uint32_t component;
} place;

TRIB_ORDER(by_lambda, place, TRIB_DOWN(lambda) ?: TRIB_UP(component));

static int by_class(const void *left, const void *right) {
    const place *a = left, *b = right;
    if (a->class != b->class) return a->class < b->class ? -1 : 1;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++)
        if (a->first[m] != b->first[m]) return a->first[m] < b->first[m] ? -1 : 1;
    return a->component < b->component ? -1 : 1;
}

/* Sorts by descending lambda. Components whose lambdas tie with the largest of their group are
 * sorted by their first indices. */
static void order_components(place *order, uint32_t rank) {
    qsort(order, rank, sizeof *order, by_lambda);
    double largest = rank > 0 ? order[0].lambda : 0;
    for (uint32_t r = 1; r < rank; r++) {
        const bool ties = order[r].lambda >= largest * (1 - TIE);
        order[r].class = order[r - 1].class + (ties ? 0 : 1);
        if (!ties) largest = order[r].lambda;
    }
    qsort(order, rank, sizeof *order, by_class);
}

/* Sets sum[rank] to the sums of absolute values of each column, added from the last row to the
 * first. */
TRIB_KERNEL(void, column_sums,
            (const double *restrict a, size_t n_rows, size_t rank, double *restrict sum),
            (a, n_rows, rank, sum)) {
    for (size_t r = 0; r < rank; r++) sum[r] = 0;
    for (size_t i = n_rows; i-- > 0;)
        for (size_t r = 0; r < rank; r++) sum[r] += fabs(a[i * rank + r]);
}

/* Values of a column that sums to 1 below this limit, less than its rounding, are set to 0. Solvers
 * leave many such values, which would be stored, written and compared. */
static const double nothing = 0x1p-60;

/* Moves column order[r] to column r in every row and multiplies it by scale[rank]. */
TRIB_KERNEL(void, scale_and_permute,
            (double *restrict a, size_t n_rows, size_t rank, const place *restrict order,
             const double *restrict scale, double *restrict moved),
            (a, n_rows, rank, order, scale, moved)) {
    for (size_t i = 0; i < n_rows; i++, a += rank) {
        for (size_t r = 0; r < rank; r++) {
            const double value = a[r] * scale[r];
            moved[r] = fabs(value) < nothing ? 0 : value;
        }
        for (size_t r = 0; r < rank; r++) a[r] = moved[order[r].component];
    }
}

static uint32_t first_nonzero(const trib_ktensor *k, uint32_t m, uint32_t r) {
    uint32_t i = 0;
    while (i < k->dim[m] && k->factor[m][(size_t)i * k->rank + r] == 0) i++;
    return i;
}

/* Multiplies the column sums into lambda and sorts the components. */
static void find_order(trib_ktensor *k, double *sum, place *order) {
    for (uint32_t m = 0; m < k->n_modes; m++) {
        column_sums(k->factor[m], k->dim[m], k->rank, sum + (size_t)m * k->rank);
        for (uint32_t r = 0; r < k->rank; r++) {
            k->lambda[r] *= sum[(size_t)m * k->rank + r];
            order[r].first[m] = first_nonzero(k, m, r);
        }
    }
    for (uint32_t r = 0; r < k->rank; r++) {
        order[r].lambda = k->lambda[r];
        order[r].component = r;
    }
    order_components(order, k->rank);
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = order[r].lambda;
}

/* Multiplies a column whose sum has no finite reciprocal by a power of two, which is exact. */
static void lift_small_columns(double *a, size_t n_rows, size_t rank, double *sum) {
    static const double lift = 0x1p1000;
    for (size_t r = 0; r < rank; r++) {
        if (sum[r] == 0 || sum[r] >= DBL_MIN) continue;
        for (size_t i = 0; i < n_rows; i++) a[i * rank + r] *= lift;
        sum[r] *= lift;
    }
}

/* Checks sum[n_modes][rank] of the columns, and lambda. A factor that is NaN or infinite is an
 * error of this program. */
static trib_status check_finite(const trib_ktensor *k, const double *sum, trib_error *error) {
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t r = 0; r < k->rank; r++)
            if (!isfinite(sum[(size_t)m * k->rank + r]))
                return trib_fail(error, TRIB_INTERNAL, "factor %u of %u sums to %g in mode %u",
                                 r + 1, k->rank, sum[(size_t)m * k->rank + r], m + 1);
    for (uint32_t r = 0; r < k->rank; r++)
        if (!isfinite(k->lambda[r]))
            return trib_fail(error, TRIB_INTERNAL, "lambda %u of %u is %g", r + 1, k->rank,
                             k->lambda[r]);
    return TRIB_OK;
}

trib_status trib_ktensor_normalize(trib_ktensor *k, trib_error *error) {
    TRIB_OWNED(trib_pool) pool = {.error = error};
    const size_t rank = k->rank, n = (size_t)k->n_modes * rank;
    place *order = trib_pool_new(&pool, rank, sizeof *order, "components");
    /* [n_modes + 1][rank], the last row is scratch */
    double *sum = trib_pool_new(&pool, n + rank, sizeof *sum, "components");
    if (pool.status != TRIB_OK || rank == 0) return pool.status;
    find_order(k, sum, order);
    for (uint32_t m = 0; m < k->n_modes; m++)
        lift_small_columns(k->factor[m], k->dim[m], rank, sum + m * rank);
    const trib_status status = check_finite(k, sum, error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < n; i++) sum[i] = sum[i] != 0 ? 1 / sum[i] : 0;
    for (uint32_t m = 0; m < k->n_modes; m++)
        scale_and_permute(k->factor[m], k->dim[m], rank, order, sum + m * rank, sum + n);
    return TRIB_OK;
}

uint32_t trib_ktensor_drop_zeros(trib_ktensor *k) {
    uint32_t n_left = 0;
    for (uint32_t r = 0; r < k->rank; r++) n_left += k->lambda[r] != 0;
    const uint32_t n_zero = k->rank - n_left;
    if (n_zero == 0) return 0;
    for (uint32_t m = 0; m < k->n_modes; m++) {
        double *to = k->factor[m];
        for (uint32_t i = 0; i < k->dim[m]; i++)
            for (uint32_t r = 0; r < k->rank; r++)
                if (k->lambda[r] != 0) *to++ = k->factor[m][(size_t)i * k->rank + r];
    }
    for (uint32_t r = 0, to = 0; r < k->rank; r++)
        if (k->lambda[r] != 0) k->lambda[to++] = k->lambda[r];
    k->rank = n_left;
    return n_zero;
}

/* ---- Fit ------------------------------------------------------------------------------------- */

/* The inner product <X, k>. */
static double inner_product(const trib_ktensor *k, const trib_tensor *x) {
    double model[TRIB_SOME], sum = 0;
    for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);) {
        trib_ktensor_values(k, s.n, s.index, model);
        for (size_t i = 0; i < s.n; i++) sum += s.value[i] * model[i];
    }
    return sum;
}

/* Computes |k|^2 = sum_rs lambda_r lambda_s prod_m (A_m' A_m)_rs. */
static trib_status squared_norm(const trib_ktensor *k, double *norm, trib_error *error) {
    TRIB_OWNED(trib_dense) dense = {0};
    const trib_status status = trib_dense_init(&dense, k, 0, 1, error);
    if (status != TRIB_OK) return status;
    for (uint32_t m = 0; m < k->n_modes; m++) trib_dense_gram(&dense, m);
    *norm = trib_dense_squared_norm(&dense, k->lambda);
    return TRIB_OK;
}

/* Adds the products of component r at index[0 .. m-1], which are `product` so far. */
static trib_status add_products(trib_sparse *z, const trib_ktensor *k, uint32_t r, uint32_t m,
                                double product, uint32_t index[], trib_error *error) {
    trib_status status = TRIB_OK;
    if (m == k->n_modes) return trib_sparse_raise(z, index, product, error);
    for (index[m] = 0; index[m] < k->dim[m] && status == TRIB_OK; index[m]++) {
        const double value = k->factor[m][(size_t)index[m] * k->rank + r];
        if (value != 0) status = add_products(z, k, r, m + 1, product * value, index, error);
    }
    return status;
}

static double number_of_products(const trib_ktensor *k) {
    double sum = 0;
    for (uint32_t r = 0; r < k->rank; r++) {
        double product = 1;
        for (uint32_t m = 0; m < k->n_modes; m++) {
            size_t n = 0;
            for (uint32_t i = 0; i < k->dim[m]; i++)
                n += k->factor[m][(size_t)i * k->rank + r] != 0;
            product *= (double)n;
        }
        sum += product;
    }
    return sum;
}

trib_status trib_ktensor_sum(trib_sparse *z, const trib_ktensor *k, const trib_view *x,
                             trib_error *error) {
    enum { MOST = 1 << 28 };
    uint32_t index[TRIB_MAX_MODES];
    *z = (trib_sparse){0};
    if (x && (x->n_modes != k->n_modes || memcmp(x->dim, k->dim, k->n_modes * sizeof *k->dim) != 0))
        return trib_fail(error, TRIB_INPUT, "the tensor and the components differ in size");
    if (!x && number_of_products(k) > MOST)
        return trib_fail(error, TRIB_INPUT,
                         "the components have more than %d values together; name a tensor at "
                         "whose nonzeros they are added up",
                         MOST);
    trib_status status = trib_sparse_init(z, k->n_modes, k->dim, x ? trib_view_nnz(x) : 0, error);
    for (uint32_t r = 0; !x && r < k->rank && status == TRIB_OK; r++)
        status = add_products(z, k, r, 0, k->lambda[r], index, error);
    trib_cursor c = x ? trib_view_begin(x) : (trib_cursor){0};
    while (x && status == TRIB_OK && trib_view_next(&c)) {
        const double value = trib_ktensor_value(k, c.index);
        if (value != 0) status = trib_sparse_raise(z, c.index, value, error);
    }
    if (status != TRIB_OK) trib_sparse_release(z);
    return status;
}

trib_status trib_ktensor_fit(const trib_ktensor *k, const trib_tensor *x, double *fit,
                             trib_error *error) {
    double norm = 0;
    const trib_status status = squared_norm(k, &norm, error);
    if (status == TRIB_OK) *fit = trib_fit(x->norm, inner_product(k, x), norm);
    return status;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Eight of many indices occupy the lanes of a register: their products are computed with the
 * columns in lanes, transposed, and added column after column. trib_ktensor_value adds them in this
 * order too, so the bits are the same. */

double trib_ktensor_value(const trib_ktensor *k, const uint32_t index[]) {
    enum { LANES = 8 }; /* products side by side, added in order */
    double value = 0;
    uint32_t r = 0;
    for (; r + LANES <= k->rank; r += LANES) {
        double product[LANES];
        for (int l = 0; l < LANES; l++) product[l] = k->lambda[r + (uint32_t)l];
        for (uint32_t m = 0; m < k->n_modes; m++) {
            const double *row = k->factor[m] + (size_t)index[m] * k->rank + r;
            for (int l = 0; l < LANES; l++) product[l] *= row[l];
        }
        for (int l = 0; l < LANES; l++) value += product[l];
    }
    for (; r < k->rank; r++) {
        double product = k->lambda[r];
        for (uint32_t m = 0; m < k->n_modes; m++)
            product *= k->factor[m][(size_t)index[m] * k->rank + r];
        value += product;
    }
    return value;
}

/* Loads the first n <= 8 doubles at `from`, then zeros. */
TRIB_INLINE void load(trib_eight *x, const double *from, uint32_t n) {
    *x = (trib_eight){0};
    memcpy(x, from, (n >= TRIB_EIGHT ? TRIB_EIGHT : n) * sizeof *from);
}

/* Adds the terms of columns c .. c+width-1 to the values of eight indices. */
TRIB_INLINE void add_columns(const trib_ktensor *k, uint32_t n_modes, const uint32_t *index,
                             uint32_t c, uint32_t width, trib_eight *value) {
    trib_eight product[TRIB_EIGHT], lambda, row;
    load(&lambda, k->lambda + c, width);
    for (size_t i = 0; i < TRIB_EIGHT; i++) {
        product[i] = lambda;
        for (uint32_t m = 0; m < n_modes; m++) {
            load(&row, k->factor[m] + (size_t)index[i * n_modes + m] * k->rank + c, width);
            product[i] *= row;
        }
    }
    trib_transpose(product);
#pragma GCC unroll 8
    for (uint32_t l = 0; l < TRIB_EIGHT; l++)
        if (l < width) *value += product[l];
}

TRIB_INLINE void eight_values(const trib_ktensor *k, uint32_t n_modes, const uint32_t *index,
                              double *value) {
    trib_eight sum = {0};
    uint32_t c = 0;
    for (; c + TRIB_EIGHT <= k->rank; c += TRIB_EIGHT)
        add_columns(k, n_modes, index, c, TRIB_EIGHT, &sum);
    if (c < k->rank) add_columns(k, n_modes, index, c, k->rank - c, &sum);
    memcpy(value, &sum, sizeof sum);
}

/* Prefetches the rows of eight indices. */
TRIB_INLINE void fetch(const trib_ktensor *k, uint32_t n_modes, const uint32_t *index) {
    for (size_t i = 0; i < TRIB_EIGHT; i++)
        for (uint32_t m = 0; m < n_modes; m++)
            for (uint32_t c = 0; c < k->rank; c += TRIB_EIGHT)
                __builtin_prefetch(k->factor[m] + (size_t)index[i * n_modes + m] * k->rank + c);
}

TRIB_KERNEL(void, model_values,
            (const trib_ktensor *k, size_t n, const uint32_t *restrict index,
             double *restrict value, bool far),
            (k, n, index, value, far)) {
    enum { AHEAD = 2 * TRIB_EIGHT };
    for (size_t i = 0; i < n; i += TRIB_EIGHT) {
        const uint32_t *at = index + i * k->n_modes;
        if (far && i + AHEAD < n) fetch(k, k->n_modes, at + AHEAD * k->n_modes);
        if (k->n_modes == 3) eight_values(k, 3, at, value + i);
        else if (k->n_modes == 4) eight_values(k, 4, at, value + i);
        else eight_values(k, k->n_modes, at, value + i);
    }
}

void trib_ktensor_values(const trib_ktensor *k, size_t n, const uint32_t *index, double *value) {
    enum { CACHED = 1 << 20 }; /* bytes of factors that need not be prefetched */
    size_t n_rows = 0;
    for (uint32_t m = 0; m < k->n_modes; m++) n_rows += k->dim[m];
    const size_t whole = n - n % TRIB_EIGHT;
    model_values(k, whole, index, value, n_rows * k->rank * sizeof(double) > CACHED);
    for (size_t i = whole; i < n; i++) value[i] = trib_ktensor_value(k, index + i * k->n_modes);
}
