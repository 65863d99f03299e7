/* apr.c - CP alternating Poisson regression: multiplicative updates that minimise the
 * Kullback-Leibler divergence sum (model - Y log model) ([CK] algorithm 3). For each mode m in
 * order:
 *
 *     W = A_m diag(lambda);  `sweeps` times W = W * Phi,  Phi[i,r] = sum over z with z_m = i of
 *         Y(z) / max(sum_s W[i,s] Pi[z,s], 1e-300) Pi[z,r],  Pi the row products of the others;
 *     lambda = column sums of W,  A_m = W / lambda.
 *
 * Row i of W needs only the nonzeros of slice i. Nonzeros are therefore sorted by slice for every
 * mode, and each row goes through all its sweeps while its part of Pi is in the cache. No array of
 * size nnz x R is ever stored. Factors are not divided by their column sums c_m: with the model
 * written as sum_r s_r prod_m F_m, the update is F_m = (F_m s) * Phi with Pi of the undivided
 * factors, followed by s = prod over other modes of 1/c. Normalising thus needs no pass over a
 * factor.
 *
 * With `lift`, entries that are 0 and should not be are raised before a mode's first sweep ([CK]
 * algorithm 3, line 4), by the published amount or less. The divergence of a row is convex, so its
 * slope tells whether it grew. */
#include "base/internal.h"
#include "decomp/decomp.h"
#include "decomp/dense.h"
#include "decomp/loop.h"
#include "decomp/nonzeros.h"

#include <omp.h>

typedef double real;
#define SMALLEST 1e-300
#include "decomp/apr_rows.h"

enum { N_TASKS = 256, SCRATCH_ROWS = PI_ROWS + 3, MAX_RETREATS = 12 };
#define TINY 1e-10 /* times its column's sum: smaller entries count as 0 */
/* The smallest product of column sums whose reciprocal has a finite square, as |model|^2 needs:
 * sqrt(DBL_MIN). Smaller ones are those of components that have almost vanished. */
#define VANISHED 0x1p-511

typedef struct apr {
    trib_dense dense;
    slices slices[TRIB_MAX_MODES];
    double *scale;               /* [stride] s */
    double *sum[TRIB_MAX_MODES]; /* [stride] column sums c of F_m */
    double *rescale;             /* [stride] prod over other modes of 1/c */
    double *column;              /* [stride] column sums of the factor being updated, times s */
    double *partial; /* [N_TASKS][stride] column sums of each task's rows, or log likelihoods */
    double *scratch; /* [n_threads][SCRATCH_ROWS][stride] */
    /* the factors in single precision, when the option `single` is set */
    float *mirror[TRIB_MAX_MODES];
    size_t stride, scratch_size;
    trib_pool pool; /* all arrays but those of `dense` */
} apr;

/* The largest |min(A, 1 - Phi)| of a row, where A is w / rescale and Phi is phi * rescale. */
TRIB_INLINE double violation_of_row(const double *restrict w, const double *restrict phi,
                                    const double *restrict rescale, size_t stride) {
    double largest = 0;
    for (size_t r = 0; r < stride; r++) {
        if (!(rescale[r] > 0)) continue;
        const double a = w[r] / rescale[r], rest = 1 - phi[r] * rescale[r];
        const double violation = fabs(a < rest ? a : rest);
        if (violation > largest) largest = violation;
    }
    return largest;
}

/* Data that all rows of a mode share during its update. */
typedef struct sharing {
    const double *scale, *rescale; /* [stride] factors of w in the first sweep, and in the others */
    const double *column;          /* [stride] the column sums of w before the update */
    double lift;
    uint32_t sweeps;
    bool kkt;
} sharing;

/* Sets shift[stride] to the amount by which entries must be lifted that are 0, or count as 0, where
 * Phi > 1: no multiplication would ever make them positive ([CK] section 4.2, "inadmissible
 * zeros"). Returns whether there are any. */
TRIB_INLINE bool mark_inadmissible(const sharing *s, const double *restrict w,
                                   const double *restrict phi, size_t stride,
                                   double *restrict shift) {
    bool any = false;
    for (size_t r = 0; r < stride; r++) {
        const bool stuck = w[r] < TINY * s->column[r] && phi[r] * s->rescale[r] > 1;
        shift[r] = stuck ? s->lift * s->column[r] : 0;
        any = any || stuck;
    }
    return any;
}

/* Whether the divergence still falls in the direction of `shift`. If so, it fell all the way there,
 * because it is convex. */
TRIB_INLINE bool still_falls(const sharing *s, const double *restrict phi, size_t stride,
                             const double *restrict shift) {
    double slope = 0;
    for (size_t r = 0; r < stride; r++)
        if (shift[r] > 0) slope += shift[r] * (1 / s->rescale[r] - phi[r]);
    return slope <= 0;
}

/* Lifts the inadmissible zeros of a row, by less where the full amount would increase the
 * divergence, and updates phi. */
TRIB_INLINE void lift_zeros(const sharing *s, const slices *slice, const others *o, size_t from,
                            size_t to, size_t stride, double *restrict w, double *restrict phi,
                            double *restrict pi, double *restrict shift) {
    if (!mark_inadmissible(s, w, phi, stride, shift)) return;
    for (size_t r = 0; r < stride; r++) w[r] += shift[r];
    row_phi(slice, o, from, to, stride, false, w, phi, pi);
    for (int k = 0; k < MAX_RETREATS && !still_falls(s, phi, stride, shift); k++) {
        for (size_t r = 0; r < stride; r++) {
            w[r] -= .9 * shift[r];
            shift[r] *= .1;
        }
        row_phi(slice, o, from, to, stride, false, w, phi, pi);
    }
}

/* Updates rows [first, end) of one factor through all sweeps, and writes their column sums to
 * sum[stride]. Returns their largest KKT violation, where s->kkt is set. */
TRIB_KERNEL(double, update_rows,
            (double *restrict factor, const slices *slice, const others *o, size_t first,
             size_t end, size_t stride, const sharing *s, double *restrict scratch,
             double *restrict sum),
            (factor, slice, o, first, end, stride, s, scratch, sum)) {
    double violation = 0;
    double *restrict w = scratch, *restrict phi = w + stride, *restrict shift = phi + stride;
    double *restrict pi = shift + stride;
    for (size_t r = 0; r < stride; r++) sum[r] = 0;
    for (size_t i = first; i < end; i++) {
        double *restrict row = factor + i * stride;
        const size_t from = slice->first[i], to = slice->first[i + 1];
        for (uint32_t sweep = 0; sweep < s->sweeps; sweep++) {
            const double *restrict by = sweep == 0 ? s->scale : s->rescale;
            for (size_t r = 0; r < stride; r++) w[r] = row[r] * by[r];
            row_phi(slice, o, from, to, stride, sweep == 0, w, phi, pi);
            if (s->kkt && sweep == 0)
                violation = fmax(violation, violation_of_row(w, phi, s->rescale, stride));
            if (s->lift > 0 && sweep == 0)
                lift_zeros(s, slice, o, from, to, stride, w, phi, pi, shift);
            for (size_t r = 0; r < stride; r++) row[r] = w[r] * phi[r];
        }
        for (size_t r = 0; r < stride; r++) sum[r] += row[r];
    }
    return violation;
}

/* Sums <Y, model> and <Y, log(Y / model)> over the rows [first, end) of mode 0. */
TRIB_KERNEL(void, evaluate_rows,
            (const double *restrict factor, const slices *slice, const others *o, size_t first,
             size_t end, size_t stride, const double *restrict scale, double *restrict scratch,
             double *restrict inner, double *restrict divergence),
            (factor, slice, o, first, end, stride, scale, scratch, inner, divergence)) {
    double *restrict w = scratch, *restrict pi = scratch + stride;
    *inner = *divergence = 0;
    for (size_t i = first; i < end; i++) {
        for (size_t r = 0; r < stride; r++) w[r] = factor[i * stride + r] * scale[r];
        for (size_t z = slice->first[i]; z < slice->first[i + 1]; z++) {
            row_products(o, slice->other + z * o->n, 1, stride, pi);
            const double model = trib_inner_product(w, pi, stride);
            *inner += slice->value[z] * model;
            *divergence += slice->value[z] *
                           trib_logarithm(slice->value[z] / (model > SMALLEST ? model : SMALLEST));
        }
    }
}

/* ---- Slices ---------------------------------------------------------------------------------- */

/* Sorts the nonzeros by one mode; order[n] and moved[n] are scratch. The sort is stable, so each
 * slice stays in lexicographic order. */
static void make_slices(slices *s, const trib_nonzeros *y, uint32_t mode, uint32_t *order,
                        uint32_t *moved, trib_pool *pool) {
    const uint32_t dim = y->dim[mode], n_other = y->n_modes - 1;
    const char *what = "slices";
    s->first = trib_pool_new(pool, (size_t)dim + 1, sizeof *s->first, what);
    /* never NULL: in a tensor of one mode there are no other indices */
    s->other =
        trib_pool_new(pool, (y->n + AHEAD) * (n_other ? n_other : 1), sizeof *s->other, what);
    s->value = trib_pool_new(pool, y->n, sizeof *s->value, what);
    s->task = trib_pool_new(pool, N_TASKS + 1, sizeof *s->task, what);
    if (pool->status != TRIB_OK) return;
    for (size_t i = 0; i < y->n; i++) order[i] = (uint32_t)i;
    trib_nonzeros_sort(y, mode, order, moved);
    uint32_t *other = s->other;
    for (size_t i = 0; i < y->n; i++) {
        s->first[y->index[mode][order[i]] + 1]++;
        s->value[i] = y->value[order[i]];
        for (uint32_t m = 0; m < y->n_modes; m++)
            if (m != mode) *other++ = y->index[m][order[i]];
    }
    for (uint32_t i = 0; i < dim; i++) s->first[i + 1] += s->first[i];
    for (uint32_t t = 0, i = 0; t <= N_TASKS; t++) {
        while (i < dim && s->first[i] < y->n * t / N_TASKS) i++;
        s->task[t] = t < N_TASKS ? i : dim;
    }
}

static others others_of(const apr *a, uint32_t mode) {
    others o = {0};
    for (uint32_t m = 0; m < a->dense.n_modes; m++)
        if (m != mode) o.factor[o.n++] = a->dense.factor[m];
    return o;
}

/* ---- The solver ------------------------------------------------------------------------------ */

static trib_status prepare(apr *a, const trib_ktensor *k, const trib_tensor *x,
                           const trib_cp_options *options, trib_error *error) {
    TRIB_OWNED(trib_nonzeros) y = {0};
    trib_pool *pool = &a->pool, own = {.error = error};
    const char *what = "CP-APR";
    *a = (apr){.pool = {.error = error}};
    trib_status status = trib_nonzeros_read(&y, x, error);
    if (status == TRIB_OK && y.n_negative > 0)
        status = trib_fail(error, TRIB_INPUT,
                           "the solver apr is for counts, and %zu values are below 0; choose a "
                           "least-squares solver, such as hals",
                           y.n_negative);
    if (status == TRIB_OK) status = trib_dense_init(&a->dense, k, 0, options->n_threads, error);
    const size_t stride = a->stride = a->dense.stride, row = stride * sizeof(double);
    a->scratch_size = SCRATCH_ROWS * stride;
    own.status = status;
    uint32_t *order = trib_pool_new(&own, y.n, sizeof *order, what);
    uint32_t *moved = trib_pool_new(&own, y.n, sizeof *moved, what);
    pool->status = own.status;
    a->scale = trib_pool_new_aligned(pool, 1, row, what);
    a->rescale = trib_pool_new_aligned(pool, 1, row, what);
    a->column = trib_pool_new_aligned(pool, 1, row, what);
    a->partial = trib_pool_new_aligned(pool, N_TASKS, row, what);
    a->scratch = trib_pool_new_aligned(pool, (size_t)options->n_threads,
                                       a->scratch_size * sizeof(double), what);
    for (uint32_t m = 0; pool->status == TRIB_OK && m < k->n_modes; m++) {
        a->sum[m] = trib_pool_new_aligned(pool, 1, row, what);
        make_slices(&a->slices[m], &y, m, order, moved, pool);
        for (uint32_t r = 0; a->sum[m] && r < k->rank; r++) a->sum[m][r] = 1;
        if (options->single)
            a->mirror[m] = trib_pool_new_aligned(pool, a->dense.n_rows[m] * stride,
                                                 sizeof *a->mirror[m], what);
    }
    if (pool->status == TRIB_OK) memcpy(a->scale, k->lambda, k->rank * sizeof(double));
    trib_pool_release(&own);
    return pool->status;
}

static void update_mode(apr *a, uint32_t m, trib_cp_loop *loop) {
    double violation[N_TASKS];
    const others o = others_of(a, m);
    const size_t stride = a->stride;
    const slices *slice = &a->slices[m];
    const sharing s = {.scale = a->scale,
                       .rescale = a->rescale,
                       .column = a->column,
                       .lift = loop->options->lift,
                       .sweeps = loop->options->sweeps,
                       .kkt = trib_cp_loop_wants_kkt(loop)};
    for (size_t r = 0; r < stride; r++) {
        double product = 1;
        for (uint32_t k = 0; k < a->dense.n_modes; k++)
            if (k != m) product *= a->sum[k][r];
        a->rescale[r] = product >= VANISHED ? 1 / product : 0;
        a->column[r] = a->sum[m][r] * a->scale[r];
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(a->dense.n_threads)
    for (int t = 0; t < N_TASKS; t++) {
        double *scratch = a->scratch + a->scratch_size * (size_t)omp_get_thread_num();
        double *sum = a->partial + (size_t)t * stride;
        violation[t] = 0;
        if (a->mirror[m])
            trib_apr_rows_single(a->dense.factor[m], a->mirror, a->dense.n_modes, m, slice,
                                 slice->task[t], slice->task[t + 1], stride, s.scale, s.rescale,
                                 s.sweeps, (float *)scratch, sum);
        else
            violation[t] = update_rows(a->dense.factor[m], slice, &o, slice->task[t],
                                       slice->task[t + 1], stride, &s, scratch, sum);
    }
    for (int t = 0; s.kkt && t < N_TASKS; t++) loop->step.kkt = fmax(loop->step.kkt, violation[t]);
    memset(a->sum[m], 0, stride * sizeof(double));
    for (int t = 0; t < N_TASKS; t++)
        for (size_t r = 0; r < stride; r++) a->sum[m][r] += a->partial[(size_t)t * stride + r];
    memcpy(a->scale, a->rescale, stride * sizeof(double));
}

/* Computes the fit, and the divergence sum of Y log(Y / model) - Y + model. */
static void evaluate(apr *a, const trib_tensor *x, double *fit, double *divergence) {
    const others o = others_of(a, 0);
    double inner[N_TASKS], part[N_TASKS];
    const slices *slice = &a->slices[0];
    double inner_sum = 0;
    *divergence = -x->total;
#pragma omp parallel for schedule(dynamic, 1) num_threads(a->dense.n_threads)
    for (int t = 0; t < N_TASKS; t++)
        evaluate_rows(a->dense.factor[0], slice, &o, slice->task[t], slice->task[t + 1], a->stride,
                      a->scale, a->scratch + a->scratch_size * (size_t)omp_get_thread_num(),
                      &inner[t], &part[t]);
    for (int t = 0; t < N_TASKS; t++) {
        inner_sum += inner[t];
        *divergence += part[t];
    }
    for (size_t r = 0; r < a->stride; r++) *divergence += a->sum[a->dense.n_modes - 1][r];
    for (uint32_t m = 0; m < a->dense.n_modes; m++) trib_dense_gram(&a->dense, m);
    *fit = trib_fit(x->norm, inner_sum, trib_dense_squared_norm(&a->dense, a->scale));
}

trib_status trib_apr_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error) {
    apr a;
    trib_cp_loop loop;
    size_t n_kept[TRIB_MAX_MODES];
    trib_status status = prepare(&a, k, x, options, error);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) n_kept[m] = a.stride;
    if (status == TRIB_OK && options->resume)
        status = trib_cp_state_load(options->resume, &a.dense, a.scale, a.sum, n_kept, error);
    for (uint32_t m = 0; status == TRIB_OK && options->single && m < k->n_modes; m++)
        trib_apr_mirror(a.dense.factor[m], a.dense.n_rows[m] * a.stride, a.mirror[m]);
    trib_cp_loop_begin(&loop, options, trace);
    loop.total = x->total;
    if (status == TRIB_OK && options->resume && trib_cp_loop_watched(&loop))
        evaluate(&a, x, &loop.fit, &loop.kl);
    for (bool more = true; status == TRIB_OK && more;) {
        for (uint32_t m = 0; m < k->n_modes; m++) update_mode(&a, m, &loop);
        trib_cp_loop_lap(&loop, &loop.step.mttkrp);
        if (trib_cp_loop_watched(&loop)) evaluate(&a, x, &loop.step.fit, &loop.step.kl);
        loop.step.objective = loop.step.kl;
        trib_cp_state state = trib_cp_state_of(&a.dense, a.scale);
        for (uint32_t m = 0; m < k->n_modes; m++) {
            state.kept[m] = a.sum[m];
            state.n_kept[m] = n_kept[m];
        }
        status = trib_cp_loop_step(&loop, &state, &more, error);
    }
    if (status == TRIB_OK) {
        for (uint32_t m = 0; m < k->n_modes; m++) trib_dense_copy_back(&a.dense, m, NULL, k);
        memcpy(k->lambda, a.scale, k->rank * sizeof(double));
        k->fit = loop.fit;
    }
    trib_dense_release(&a.dense);
    trib_pool_release(&a.pool);
    return status;
}
