/* als_loop.c - alternating least squares. Mode by mode it computes the MTTKRP, then improves every
 * row of the factor for the objective
 *
 *     1/2 |X - model|^2 + sum over modes of l1 sum(A) + l2/2 |A|^2
 *
 * with a method of the table of solvers, while the other factors stay fixed ([K] section 3.4).
 *
 * After the MTTKRP, one pass over blocks of rows, which fit the second-level cache, computes the
 * KKT residual, the new rows, <A, M> and the block's part of the new Gram matrix. Blocks belong to
 * chunks whose bounds depend on the dimension alone. Sums are taken per chunk and chunks are added
 * in order, so any number of threads gives the same bits. <X, model> equals <A, M> of the last
 * mode, so the fit needs no extra pass.
 *
 * With extrapolation, an iteration starts from a point beyond the result of the previous one, in
 * the direction in which that one moved. */
#include "base/internal.h"
#include "base/lanes.h"
#include "decomp/loop.h"

#include <omp.h>

enum { SINCE, OBJECTIVE, N_MOMENTUM };

typedef struct als {
    const trib_least_squares *rows;
    trib_dense dense;
    trib_mode_problem problem;
    double *mttkrp; /* [most rows][stride] */
    /* [n_rows[m]][stride] the factors in single precision, for the MTTKRP; NULL: not used */
    float *mirror[TRIB_MAX_MODES];
    double *gram; /* [stride][stride] problem.gram */
    /* [rank] all 1, because the modes share the scale, unless columns are normalised */
    double *lambda;
    double *scratch;     /* [n_threads][scratch_size] */
    size_t scratch_size; /* in doubles */
    /* [n_rows[m]][kept_per_row * stride] arrays carried to the next iteration; with extrapolation,
     * the factor of the previous iteration */
    double *kept[TRIB_MAX_MODES];
    size_t n_kept[TRIB_MAX_MODES];    /* doubles */
    double *inner, *violation, *sums; /* [most chunks] <A, M>, squared KKT residual, sum of A */
    double plain_sum[TRIB_MAX_MODES]; /* sum of A, for the penalty */
    /* [n_missing] what the missing cells are filled with; the sum of the squares */
    double *guess, squared_guess;
    /* columns are scaled to length 1, lambda holds their lengths */
    bool normalizes;
    /* with extrapolation: iterations since momentum began, and the objective; stored after
     * kept[0] */
    double *momentum;
    trib_pool pool; /* all arrays but those of `dense` */
} als;

/* ---- Kernels --------------------------------------------------------------------------------- */

TRIB_KERNEL(double, sum_of_rows, (const double *a, size_t n), (a, n)) {
    trib_doubles sum = {0};
    for (size_t i = 0; i < n; i += TRIB_LANES) sum += TRIB_DOUBLES(a + i);
    return TRIB_SUM_OF_LANES(sum);
}

TRIB_KERNEL(void, round_rows, (const double *restrict a, size_t n, float *restrict mirror),
            (a, n, mirror)) {
    for (size_t i = 0; i < n; i++) mirror[i] = (float)a[i];
}

/* Extrapolates the n values of rows `a` from those of the previous iteration in `before`, and
 * stores the old values of `a` there. */
TRIB_KERNEL(void, extrapolate_rows,
            (double *restrict a, double *restrict before, size_t n, double beta),
            (a, before, n, beta)) {
    for (size_t i = 0; i < n; i++) {
        const double x = a[i], y = x + beta * (x - before[i]);
        before[i] = x;
        a[i] = y > 0 ? y : 0;
    }
}

/* Sums G_rr d^2 over all entries, where d is the change that a Newton step in that entry alone
 * would make. */
TRIB_KERNEL(double, violation_of_rows,
            (const double *restrict a, const double *restrict m, size_t n_rows, size_t stride,
             const double *restrict g, double l1, double l2, double least,
             double *restrict gradient),
            (a, m, n_rows, stride, g, l1, l2, least, gradient)) {
    trib_doubles sum = {0};
    for (size_t i = 0; i < n_rows; i++, a += stride, m += stride) {
        for (size_t r = 0; r < stride; r++) gradient[r] = l1 + l2 * a[r] - m[r];
        for (size_t s = 0; s < stride; s++) {
            const double entry = a[s];
            if (entry == 0) continue;
            for (size_t r = 0; r < stride; r++) gradient[r] += entry * g[s * stride + r];
        }
        for (size_t r = 0; r < stride; r++) {
            const double h = g[r * stride + r] + l2;
            const double moved = h > 0 ? a[r] - gradient[r] / h : a[r];
            const double d = a[r] - (moved > least ? moved : least);
            sum[r % TRIB_LANES] += h * d * d;
        }
    }
    return TRIB_SUM_OF_LANES(sum);
}

/* ---- Workspace ------------------------------------------------------------------------------- */

static size_t eights(size_t n) { return (n + TRIB_EIGHT - 1) / TRIB_EIGHT * TRIB_EIGHT; }

/* Allocates the factors together with the arrays of the same size and those used beside them. */
static trib_status allocate(als *w, const trib_ktensor *k, int n_threads, trib_error *error) {
    trib_dense *dense = &w->dense;
    size_t n_rows = 0;
    trib_dense_shape(dense, k, n_threads);
    for (uint32_t m = 0; m < k->n_modes; m++)
        if (dense->n_rows[m] > n_rows) n_rows = dense->n_rows[m];
    const size_t stride = dense->stride, of_mttkrp = n_rows * stride, of_gram = stride * stride;
    const size_t prepared = w->rows->prepared_size ? eights(w->rows->prepared_size(stride)) : 0;
    w->scratch_size = eights(stride + (w->rows->scratch_size ? w->rows->scratch_size(stride) : 0));
    const trib_status status = trib_dense_init(
        dense, k, of_mttkrp + of_gram + prepared + (size_t)n_threads * w->scratch_size, n_threads,
        error);
    if (status != TRIB_OK) return status;
    w->mttkrp = dense->extra;
    w->gram = w->mttkrp + of_mttkrp;
    w->problem.prepared = w->gram + of_gram;
    w->scratch = w->problem.prepared + prepared;
    return TRIB_OK;
}

static trib_status prepare(als *w, const trib_ktensor *k, const trib_cp_options *options,
                           trib_error *error) {
    const char *what = "least squares";
    *w = (als){.rows = options->solver->rows, .pool = {.error = error}};
    trib_status status = allocate(w, k, options->n_threads, error);
    if (status != TRIB_OK) return status;
    const size_t stride = w->dense.stride;
    size_t n_chunks = 0;
    for (uint32_t m = 0; m < k->n_modes; m++) {
        const size_t chunks = trib_dense_n_chunks(&w->dense, m), n_rows = w->dense.n_rows[m];
        if (chunks > n_chunks) n_chunks = chunks;
        w->n_kept[m] = n_rows * w->rows->kept_per_row * stride;
        if (options->extrapolation) w->n_kept[m] = n_rows * stride + (m == 0 ? N_MOMENTUM : 0);
        w->kept[m] = trib_pool_new_aligned(&w->pool, w->n_kept[m], sizeof(double), what);
        if (options->single)
            w->mirror[m] = trib_pool_new_aligned(&w->pool, n_rows, stride * sizeof(float), what);
    }
    w->lambda = trib_pool_new(&w->pool, stride, sizeof(double), what);
    w->inner = trib_pool_new(&w->pool, n_chunks, sizeof(double), what);
    w->violation = trib_pool_new(&w->pool, n_chunks, sizeof(double), what);
    w->sums = trib_pool_new(&w->pool, n_chunks, sizeof(double), what);
    if (options->n_missing > 0)
        w->guess = trib_pool_new(&w->pool, options->n_missing, sizeof(double), what);
    status = w->pool.status;
    if (status == TRIB_OK && options->extrapolation)
        w->momentum = w->kept[0] + w->n_kept[0] - N_MOMENTUM;
    w->problem.gram = w->gram;
    w->problem.rank = k->rank;
    w->problem.stride = stride;
    w->problem.sweeps = options->sweeps;
    w->normalizes = w->rows->whole_mode;
    for (uint32_t m = 0; m < k->n_modes; m++) w->normalizes = w->normalizes && options->l2[m] == 0;
    return status;
}

/* Sets the initial state: lambda distributed over the free modes, or the state of a checkpoint. */
static trib_status begin(als *w, const trib_ktensor *k, const trib_cp_options *options,
                         trib_error *error) {
    trib_dense *dense = &w->dense;
    uint32_t n_free = 0;
    for (uint32_t m = 0; m < k->n_modes; m++) n_free += !(options->fixed >> m & 1);
    for (uint32_t r = 0; r < k->rank; r++) w->lambda[r] = trib_root(k->lambda[r], n_free);
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t i = 0; !(options->fixed >> m & 1) && i < k->dim[m]; i++)
            for (uint32_t r = 0; r < k->rank; r++)
                dense->factor[m][i * dense->stride + r] *= w->lambda[r];
    for (uint32_t r = 0; r < k->rank; r++) w->lambda[r] = 1;
    trib_status status = TRIB_OK;
    if (options->resume)
        status = trib_cp_state_load(options->resume, dense, w->lambda, w->kept, w->n_kept, error);
    for (uint32_t m = 0; m < k->n_modes; m++) {
        (w->rows->gram ? w->rows->gram : trib_dense_gram)(dense, m);
        if (w->mirror[m])
            round_rows(dense->factor[m], dense->n_rows[m] * dense->stride, w->mirror[m]);
        if (options->l1[m] > 0)
            w->plain_sum[m] = sum_of_rows(dense->factor[m], dense->n_rows[m] * dense->stride);
    }
    return status;
}

/* ---- Missing cells --------------------------------------------------------------------------- */

/* Adds `scale` times the product of the rows of all modes but m at `index` to the row of
 * out[dim[m]][stride]. If out is NULL, returns the sum of these products times lambda instead. */
static double multiply_rows(const als *w, const uint32_t *index, uint32_t m, double scale,
                            double *out) {
    const trib_dense *dense = &w->dense;
    double sum = 0;
    for (size_t r = 0; r < dense->rank; r++) {
        double product = 1;
        for (uint32_t n = 0; n < dense->n_modes; n++)
            if (n != m) product *= dense->factor[n][index[n] * dense->stride + r];
        if (out) out[index[m] * dense->stride + r] += scale * product;
        else sum += product * w->lambda[r];
    }
    return sum;
}

/* Fills the missing cells with the model: one step of expectation and maximisation, whose second
 * half is an iteration. Returns the sum of the squares of the changes. */
static double fill_missing(als *w, const trib_cp_options *options) {
    double moved = 0;
    w->squared_guess = 0;
    for (size_t z = 0; z < options->n_missing; z++) {
        const uint32_t *index = options->missing + z * w->dense.n_modes;
        const double value = multiply_rows(w, index, TRIB_MAX_MODES, 0, NULL);
        moved += (value - w->guess[z]) * (value - w->guess[z]);
        w->squared_guess += value * value;
        w->guess[z] = value;
    }
    return moved;
}

/* ---- One iteration --------------------------------------------------------------------------- */

/* Updates the rows of one chunk of mode m, block by block, and computes the chunk's sums. */
static void update_chunk(als *w, uint32_t m, size_t chunk, double least, bool wants_inner) {
    trib_dense *dense = &w->dense;
    const trib_mode_problem *problem = &w->problem;
    const size_t stride = dense->stride, rows = trib_dense_chunk_rows(dense, m);
    const size_t end = trib_dense_chunk_end(dense, m, chunk);
    double *scratch = w->scratch + w->scratch_size * (size_t)omp_get_thread_num();
    double inner = 0, violation = 0, sum = 0, *kept = w->kept[m];
    trib_dense_gram_clear(dense, chunk);
    for (size_t first = chunk * rows; first < end; first += TRIB_BLOCK_ROWS) {
        const size_t n = end - first < TRIB_BLOCK_ROWS ? end - first : TRIB_BLOCK_ROWS;
        double *a = dense->factor[m] + first * stride;
        const double *mttkrp = w->mttkrp + first * stride;
        if (least <= 0)
            violation += violation_of_rows(a, mttkrp, n, stride, w->gram, problem->l1, problem->l2,
                                           least, scratch);
        w->rows->update(problem, n, a, mttkrp,
                        kept ? kept + first * w->rows->kept_per_row * stride : NULL,
                        scratch + stride);
        trib_dense_gram_rows(dense, m, chunk, first, n);
        if (w->mirror[m]) round_rows(a, n * stride, w->mirror[m] + first * stride);
        if (wants_inner) inner += trib_dense_inner(a, mttkrp, n * stride);
        if (problem->l1 > 0) sum += sum_of_rows(a, n * stride);
    }
    w->inner[chunk] = inner;
    w->violation[chunk] = violation;
    w->sums[chunk] = sum;
}

/* Updates the rows of mode m, chunk by chunk, and adds <A, M> to *inner unless that is NULL.
 * Returns the squared KKT residual. */
static double update_blocks(als *w, uint32_t m, double least, double *inner) {
    const long n_chunks = (long)trib_dense_n_chunks(&w->dense, m);
    double violation = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->dense.n_threads)
    for (long chunk = 0; chunk < n_chunks; chunk++)
        update_chunk(w, m, (size_t)chunk, least, inner != NULL);
    trib_dense_gram_sum(&w->dense, m);
    w->plain_sum[m] = 0;
    for (long chunk = 0; chunk < n_chunks; chunk++) {
        if (inner) *inner += w->inner[chunk];
        violation += w->violation[chunk];
        w->plain_sum[m] += w->sums[chunk];
    }
    return violation;
}

/* Like update_blocks, for a solver that updates all rows at once. With penalties, which depend on
 * the lengths of columns, columns are not normalised. */
static double update_whole(als *w, uint32_t m, double least, double *inner) {
    trib_dense *dense = &w->dense;
    double violation = 0;
    if (least <= 0) {
        trib_dense_take_lambda(dense, m, w->lambda);
        violation = violation_of_rows(dense->factor[m], w->mttkrp, dense->dim[m], dense->stride,
                                      w->gram, w->problem.l1, w->problem.l2, least, w->scratch);
    }
    w->rows->whole_mode(&w->problem, dense, m, w->mttkrp, w->normalizes ? w->lambda : NULL, inner,
                        w->scratch);
    if (w->mirror[m]) round_rows(dense->factor[m], dense->dim[m] * dense->stride, w->mirror[m]);
    return violation;
}

/* The fit before the first iteration, from the first MTTKRP, so that the loop can end after the
 * first iteration if that changes little. */
static double fit_before(const als *w, const trib_tensor *x, uint32_t m) {
    const trib_dense *dense = &w->dense;
    const double inner =
        trib_dense_inner(dense->factor[m], w->mttkrp, dense->n_rows[m] * dense->stride);
    return trib_fit(x->norm, inner, trib_dense_squared_norm(dense, w->lambda) + w->squared_guess);
}

/* Updates one mode: MTTKRP, then its rows. `inner` is not NULL for the last mode; *inner is then
 * <X, model>. `least` is the smallest entry a factor may have; the KKT residual of the step is
 * computed where `least` is not positive, so a positive `least` means it is not wanted. */
static trib_status update_mode(als *w, const trib_tensor *x, uint32_t m, trib_cp_loop *loop,
                               double least, double *inner, trib_error *error) {
    trib_dense *dense = &w->dense;
    const size_t stride = dense->stride;
    trib_status status = TRIB_OK;
    if (loop->options->single)
        trib_mttkrp_single(x, m, (uint32_t)stride, (const float *const *)w->mirror, w->mttkrp,
                           dense->n_threads);
    else
        trib_mttkrp(x, m, (uint32_t)stride, (const double *const *)dense->factor, w->mttkrp,
                    dense->n_threads);
    memset(w->mttkrp + dense->dim[m] * stride, 0,
           (dense->n_rows[m] - dense->dim[m]) * stride * sizeof(double));
    for (size_t z = 0; z < loop->options->n_missing; z++)
        multiply_rows(w, loop->options->missing + z * dense->n_modes, m, w->guess[z], w->mttkrp);
    trib_cp_loop_lap(loop, &loop->step.mttkrp);
    if (isnan(loop->fit) && loop->options->tolerance > 0) loop->fit = fit_before(w, x, m);
    trib_dense_hadamard(dense, m, w->gram);
    w->problem.l1 = loop->options->l1[m];
    w->problem.l2 = loop->options->l2[m];
    if (w->rows->prepare) status = w->rows->prepare(&w->problem, error);
    if (status != TRIB_OK) return status;
    const double violation =
        w->rows->whole_mode ? update_whole(w, m, least, inner) : update_blocks(w, m, least, inner);
    if (least <= 0)
        loop->step.kkt = fmax(loop->step.kkt, x->norm > 0 ? sqrt(violation) / x->norm : 0);
    trib_cp_loop_lap(loop, &loop->step.dense);
    return TRIB_OK;
}

/* The sum over modes of l1 sum(A) + l2/2 |A|^2. */
static double penalty(const als *w, const trib_cp_options *options) {
    double sum = 0;
    for (uint32_t m = 0; m < w->dense.n_modes; m++) {
        if (options->l1[m] > 0) sum += options->l1[m] * w->plain_sum[m];
        for (size_t r = 0; options->l2[m] > 0 && r < w->dense.rank; r++)
            sum += options->l2[m] / 2 * w->dense.gram[m][r * w->dense.stride + r];
    }
    return sum;
}

/* The last mode that is not fixed. No factor changes after its update, so its <A, M> is <X,
 * model>. */
static uint32_t last_free_mode(const trib_dense *dense, uint32_t fixed) {
    uint32_t m = dense->n_modes - 1;
    while (m > 0 && fixed >> m & 1) m--;
    return m;
}

/* Updates every free mode once, then computes fit and objective of the step. */
static trib_status iterate(als *w, const trib_tensor *x, trib_cp_loop *loop, trib_error *error) {
    const trib_cp_options *options = loop->options;
    const double lowest = options->solver->negative ? -INFINITY : 0;
    const double least = trib_cp_loop_wants_kkt(loop) ? lowest : INFINITY;
    const uint32_t last = last_free_mode(&w->dense, options->fixed);
    trib_status status = TRIB_OK;
    double inner = 0;
    (void)fill_missing(w, options);
    for (uint32_t m = 0; status == TRIB_OK && m <= last; m++)
        if (!(options->fixed >> m & 1))
            status = update_mode(w, x, m, loop, least, m == last ? &inner : NULL, error);
    if (status != TRIB_OK) return status;
    /* Squares of what the missing cells were filled with are added, and of their errors taken. */
    const double guessed = w->squared_guess, of_missing = fill_missing(w, options);
    const double norm = trib_dense_squared_norm(&w->dense, w->lambda) + (guessed - of_missing);
    const double residual = fmax(0, x->norm * x->norm - 2 * inner + norm);
    loop->step.fit = trib_fit(x->norm, inner, norm);
    loop->step.objective = residual / 2 + penalty(w, options);
    return TRIB_OK;
}

/* ---- Extrapolation --------------------------------------------------------------------------- */

/* Moves factor m by beta times its last change, or back by that change when beta < 0. */
static void move_mode(als *w, uint32_t m, double beta) {
    trib_dense *dense = &w->dense;
    const size_t stride = dense->stride, rows = trib_dense_chunk_rows(dense, m);
    const long n_chunks = (long)trib_dense_n_chunks(dense, m);
#pragma omp parallel for schedule(dynamic, 1) num_threads(dense->n_threads)
    for (long chunk = 0; chunk < n_chunks; chunk++) {
        const size_t end = trib_dense_chunk_end(dense, m, (size_t)chunk);
        trib_dense_gram_clear(dense, (size_t)chunk);
        for (size_t i = (size_t)chunk * rows; i < end; i += TRIB_BLOCK_ROWS) {
            const size_t n = end - i < TRIB_BLOCK_ROWS ? end - i : TRIB_BLOCK_ROWS;
            double *a = dense->factor[m] + i * stride, *before = w->kept[m] + i * stride;
            if (beta < 0) memcpy(a, before, n * stride * sizeof *a);
            else extrapolate_rows(a, before, n * stride, beta);
            trib_dense_gram_rows(dense, m, (size_t)chunk, i, n);
            if (w->mirror[m]) round_rows(a, n * stride, w->mirror[m] + i * stride);
        }
    }
    trib_dense_gram_sum(dense, m);
}

static void move_all(als *w, trib_cp_loop *loop, double beta) {
    for (uint32_t m = 0; m < w->dense.n_modes; m++)
        if (!(loop->options->fixed >> m & 1)) move_mode(w, m, beta);
    trib_cp_loop_lap(loop, &loop->step.dense);
}

/* Iterates from the extrapolated point max(0, A + t / (t + 3) (A - A of the previous iteration)), t
 * iterations after momentum began (Nesterov 1983). If the objective grows, it iterates from A
 * instead and momentum restarts (O'Donoghue and Candes 2015; for alternating least squares
 * Mitchell, Ye and De Sterck 2020). */
static trib_status iterate_beyond(als *w, const trib_tensor *x, trib_cp_loop *loop,
                                  trib_error *error) {
    double *const t = &w->momentum[SINCE], *const objective = &w->momentum[OBJECTIVE];
    move_all(w, loop, *t / (*t + 3));
    trib_status status = iterate(w, x, loop, error);
    if (status == TRIB_OK && *t > 0 && loop->step.objective > *objective) {
        move_all(w, loop, -1);
        loop->step.kkt = NAN;
        *t = 0;
        status = iterate(w, x, loop, error);
    }
    *objective = loop->step.objective;
    ++*t;
    return status;
}

trib_status trib_als_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error) {
    als w;
    trib_cp_loop loop;
    trib_status status = prepare(&w, k, options, error);
    if (status == TRIB_OK) status = begin(&w, k, options, error);
    trib_cp_loop_begin(&loop, options, trace);
    for (bool more = true; status == TRIB_OK && more;) {
        status = (options->extrapolation ? iterate_beyond : iterate)(&w, x, &loop, error);
        if (status != TRIB_OK) break;
        trib_cp_state state = trib_cp_state_of(&w.dense, w.lambda);
        for (uint32_t m = 0; m < k->n_modes; m++) {
            state.kept[m] = w.kept[m];
            state.n_kept[m] = w.n_kept[m];
        }
        status = trib_cp_loop_step(&loop, &state, &more, error);
    }
    if (status == TRIB_OK) {
        for (uint32_t m = 0; m < k->n_modes; m++) trib_dense_copy_back(&w.dense, m, NULL, k);
        for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = w.lambda[r];
        k->fit = loop.fit;
        k->single = options->single;
    }
    trib_dense_release(&w.dense);
    trib_pool_release(&w.pool);
    return status;
}
