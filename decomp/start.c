/* start.c - the initial factors of a decomposition: greedy fibres of the tensor, random numbers, or
 * the components of an earlier decomposition.
 *
 * A start fills lambda and columns that sum to 1. Words that do not occur in a mode get 0 from
 * every start.
 *
 * Fibres are chosen by mass (`greedy`: the sum of their counts) or by energy (`energy`: the sum of
 * their squares). The squared error of text tensors depends mostly on a few large counts. A fibre
 * of large mass may hold none of them, and the solver then stops at a poor local minimum; energy is
 * the quantity that the squared error depends on. */
#include "base/internal.h"
#include "decomp/decomp.h"
#include "decomp/nonzeros.h"

/* Weight of the marginals in every fibre's vector, so that no word that occurs stays at 0. */
#define BLEND         0.1
#define FILLER_LAMBDA 1e-10 /* times |X|: lambda of components beyond the last fibre */

/* ---- Columns from fibres --------------------------------------------------------------------- */

/* Fills columns `first` and up of one factor, with marginal[dim[mode]] blended into each. */
static void fill_mode(trib_ktensor *k, uint32_t first, const trib_fibre_cover *cover, uint32_t mode,
                      const double *marginal) {
    double *column = k->factor[mode] + first;
    for (uint32_t i = 0; i < k->dim[mode]; i++)
        for (uint32_t r = 0; r < k->rank - first; r++)
            column[(size_t)i * k->rank + r] = (r < cover->n_fibres ? BLEND : 1) * marginal[i];
    for (size_t r = 0; r < cover->n_fibres; r++) {
        const trib_fibre *fibre = &cover->fibre[r];
        if (fibre->free_mode != mode) {
            column[(size_t)fibre->fixed[mode] * k->rank + r] += 1 - BLEND;
            continue;
        }
        for (size_t i = fibre->first; i < fibre->first + fibre->n; i++)
            column[(size_t)cover->index[i] * k->rank + r] +=
                (1 - BLEND) * cover->value[i] / fibre->mass;
    }
}

/* Subtracts the model from the values and removes those that it explains completely. */
static void subtract(trib_nonzeros *nonzeros, const trib_ktensor *model) {
    size_t n = 0;
    for (size_t z = 0; z < nonzeros->n; z++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < nonzeros->n_modes; m++) index[m] = nonzeros->index[m][z];
        const double left = nonzeros->value[z] - trib_ktensor_value(model, index);
        if (!(left > 0)) continue;
        for (uint32_t m = 0; m < nonzeros->n_modes; m++) nonzeros->index[m][n] = index[m];
        nonzeros->value[n++] = left;
    }
    nonzeros->n = n;
}

/* Covers by the fibres of the largest sums of squares; their masses and values are then those of
 * the nonzeros. */
static trib_status cover_by_energy(trib_nonzeros *nonzeros, size_t limit, trib_fibre_cover *cover,
                                   trib_error *error) {
    for (size_t z = 0; z < nonzeros->n; z++) nonzeros->value[z] *= nonzeros->value[z];
    const trib_status status = trib_nonzeros_cover(nonzeros, limit, cover, error);
    for (size_t i = 0; i < cover->nnz; i++) cover->value[i] = sqrt(cover->value[i]);
    return status;
}

/* Fills columns `first` and up with the heaviest fibres of the part of X that the columns before
 * them leave, or with marginals when there are fewer fibres. */
static trib_status fill_fibres(trib_ktensor *k, uint32_t first, const trib_tensor *x,
                               bool by_energy, trib_error *error) {
    trib_nonzeros nonzeros;
    trib_fibre_cover cover = {0};
    double *marginal[TRIB_MAX_MODES] = {NULL};
    const uint32_t more = k->rank - first;
    trib_pool pool = {.error = error, .status = trib_nonzeros_read(&nonzeros, x, error)};
    const double total = nonzeros.total;
    for (uint32_t m = 0; m < k->n_modes; m++) {
        marginal[m] = trib_pool_new(&pool, k->dim[m], sizeof(double), "marginals");
        if (marginal[m]) trib_nonzeros_marginal(&nonzeros, m, marginal[m]);
    }
    trib_status status = pool.status;
    if (status == TRIB_OK && first > 0) subtract(&nonzeros, k);
    if (status == TRIB_OK)
        status = by_energy ? cover_by_energy(&nonzeros, more, &cover, error)
                           : trib_nonzeros_cover(&nonzeros, more, &cover, error);
    for (size_t f = 0; f < cover.n_fibres; f++) {
        trib_fibre *fibre = &cover.fibre[f];
        k->lambda[first + f] = fibre->mass;
        fibre->mass = 0; /* summed in this order, so that columns sum to 1 exactly */
        for (size_t i = fibre->first; i < fibre->first + fibre->n; i++)
            fibre->mass += cover.value[i];
        if (by_energy) k->lambda[first + f] = fibre->mass;
    }
    for (size_t r = cover.n_fibres; status == TRIB_OK && r < more; r++)
        k->lambda[first + r] = FILLER_LAMBDA * total;
    for (uint32_t m = 0; status == TRIB_OK && m < k->n_modes; m++)
        fill_mode(k, first, &cover, m, marginal[m]);
    trib_pool_release(&pool);
    trib_fibre_cover_release(&cover);
    trib_nonzeros_release(&nonzeros);
    return status;
}

static trib_status greedy_fill(trib_ktensor *k, const trib_tensor *x, uint64_t seed,
                               trib_error *error) {
    (void)seed;
    return fill_fibres(k, 0, x, false, error);
}

static trib_status energy_fill(trib_ktensor *k, const trib_tensor *x, uint64_t seed,
                               trib_error *error) {
    (void)seed;
    return fill_fibres(k, 0, x, true, error);
}

/* ---- Random numbers -------------------------------------------------------------------------- */

/* Sets the first entry of every row that occurs to 1, and *total to the sum of the values above
 * 0. */
static void mark_rows(trib_ktensor *k, const trib_tensor *x, double *total) {
    *total = 0;
    for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);)
        for (size_t z = 0; z < s.n; z++) {
            if (s.value[z] == 0) continue;
            *total += fmax(0, s.value[z]);
            for (uint32_t m = 0; m < k->n_modes; m++)
                k->factor[m][(size_t)s.index[z * k->n_modes + m] * k->rank] = 1;
        }
}

/* Fills the rows that occur with uniform random numbers, scales columns to sum 1 and gives every
 * component an equal part of |X|. */
static trib_status random_fill(trib_ktensor *k, const trib_tensor *x, uint64_t seed,
                               trib_error *error) {
    double total;
    trib_random random;
    trib_random_seed(&random, seed);
    for (uint32_t m = 0; m < k->n_modes; m++)
        memset(k->factor[m], 0, (size_t)k->dim[m] * k->rank * sizeof(double));
    mark_rows(k, x, &total);
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; i < k->dim[m]; i++) {
            double *row = k->factor[m] + (size_t)i * k->rank;
            const bool occurs = row[0] > 0;
            for (uint32_t r = 0; occurs && r < k->rank; r++) row[r] = trib_random_unit(&random);
        }
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = 1;
    const trib_status status = trib_ktensor_normalize(k, error);
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = total / k->rank;
    return status;
}

/* ---- An earlier decomposition ---------------------------------------------------------------- */

TRIB_KERNEL(void, add_columns,
            (const double *restrict a, size_t n_rows, size_t rank, double *restrict sum),
            (a, n_rows, rank, sum)) {
    for (size_t i = 0; i < n_rows; i++, a += rank)
        for (size_t r = 0; r < rank; r++) sum[r] += fabs(a[r]);
}

/* Copies columns component[n], ascending, of from[n_rows][rank] to the first n columns of
 * to[n_rows][stride], multiplied by scale[n]. */
TRIB_KERNEL(void, copy_columns,
            (const double *restrict from, size_t n_rows, size_t rank,
             const uint32_t *restrict component, const double *restrict scale, size_t n,
             double *restrict to, size_t stride),
            (from, n_rows, rank, component, scale, n, to, stride)) {
    const bool all = n > 0 && component[n - 1] == n - 1;
    for (size_t i = 0; i < n_rows; i++, from += rank, to += stride)
        if (all)
            for (size_t c = 0; c < n; c++) to[c] = from[c] * scale[c];
        else
            for (size_t c = 0; c < n; c++) to[c] = from[component[c]] * scale[c];
}

/* Copies those components of `from` that have mass in every mode within the dimensions of `k`, at
 * most k->rank of them, with columns whose absolute values add up to 1. Returns their number.
 * sum[n_modes * from->rank], all 0, and component[k->rank] are scratch. */
static uint32_t copy_components(trib_ktensor *k, const trib_ktensor *from, double *sum,
                                uint32_t *component) {
    uint32_t n_copied = 0, n_rows[TRIB_MAX_MODES];
    const size_t rank = from->rank;
    if (rank == 0) return 0; /* there are no arrays */
    for (uint32_t m = 0; m < k->n_modes; m++) {
        n_rows[m] = k->dim[m] < from->dim[m] ? k->dim[m] : from->dim[m];
        add_columns(from->factor[m], n_rows[m], rank, sum + m * rank);
    }
    for (uint32_t r = 0; r < from->rank && n_copied < k->rank; r++) {
        double lambda = from->lambda[r];
        for (uint32_t m = 0; m < k->n_modes; m++) lambda *= sum[m * rank + r];
        if (!(fabs(lambda) > 0)) continue;
        for (uint32_t m = 0; m < k->n_modes; m++) sum[m * rank + n_copied] = 1 / sum[m * rank + r];
        if (lambda < 0) sum[n_copied] = -sum[n_copied];
        k->lambda[n_copied] = fabs(lambda);
        component[n_copied++] = r;
    }
    for (uint32_t m = 0; m < k->n_modes; m++)
        copy_columns(from->factor[m], n_rows[m], rank, component, sum + m * rank, n_copied,
                     k->factor[m], k->rank);
    return n_copied;
}

/* Makes marginal[m][dim[m]] of x, in the order of its format: the parts of its sum, or, with
 * `sizes`, the sums of absolute values over its norm. */
static void make_marginals(double *marginal[], const trib_tensor *x, bool sizes, trib_pool *pool) {
    for (uint32_t m = 0; m < x->n_modes; m++)
        marginal[m] = trib_pool_new(pool, x->dim[m], sizeof(double), "marginals");
    if (pool->status != TRIB_OK) return;
    for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);)
        for (size_t z = 0; z < s.n; z++)
            for (uint32_t m = 0; m < x->n_modes; m++)
                marginal[m][s.index[z * x->n_modes + m]] +=
                    sizes ? fabs(s.value[z]) / x->norm : s.value[z] / x->total;
}

/* Gives words that occur in the tensor but in no component the marginal's share in all of the first
 * n columns. */
static void admit_new_words(trib_ktensor *k, uint32_t n_copied, double *const marginal[]) {
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; i < k->dim[m]; i++) {
            double *row = k->factor[m] + (size_t)i * k->rank;
            uint32_t r = 0;
            while (r < n_copied && row[r] == 0) r++;
            if (r < n_copied) continue;
            for (r = 0; r < n_copied; r++) row[r] = BLEND * marginal[m][i];
        }
}

trib_status trib_start_admit_negative(trib_ktensor *k, const trib_tensor *x, trib_error *error) {
    double *weight[TRIB_MAX_MODES];
    TRIB_OWNED(trib_pool) pool = {.error = error};
    make_marginals(weight, x, true, &pool);
    if (pool.status == TRIB_OK) admit_new_words(k, k->rank, weight);
    return pool.status;
}

trib_status trib_start_from(trib_ktensor *k, const trib_tensor *x, const trib_ktensor *from,
                            trib_error *error) {
    TRIB_OWNED(trib_pool) pool = {.error = error};
    double *marginal[TRIB_MAX_MODES];
    if (from->n_modes != x->n_modes)
        return trib_fail(error, TRIB_INPUT, "a start of %u modes does not fit a tensor of %u modes",
                         from->n_modes, x->n_modes);
    double *sum =
        trib_pool_new(&pool, (size_t)from->rank * from->n_modes, sizeof *sum, "column sums");
    uint32_t *component = trib_pool_new(&pool, k->rank, sizeof *component, "components");
    make_marginals(marginal, x, false, &pool);
    if (pool.status != TRIB_OK) return pool.status;
    const uint32_t n_copied = copy_components(k, from, sum, component);
    admit_new_words(k, n_copied, marginal);
    return n_copied < k->rank ? fill_fibres(k, n_copied, x, true, error) : TRIB_OK;
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_start trib_starts[] = {
    {"greedy", "the fibres of largest mass, blended with the marginals; deterministic", greedy_fill,
     false},
    {"energy", "the fibres of largest sum of squares, blended likewise; best for squared error",
     energy_fill, false},
    {"random", "uniform random numbers from the seed", random_fill, true},
    {"corpus", "the components of one decomposition of all documents, then energy", energy_fill,
     false},
    {NULL, NULL, NULL, false},
};

TRIB_FIND(trib_start_find, trib_start, trib_starts);
