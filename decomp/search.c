/* search.c - decompositions (cp.c) until the number of components is enough, and from several
 * random starts, of which the best is taken. */
#include "base/internal.h"
#include "decomp/dense.h"
#include "decomp/nonzeros.h"

const char *trib_rank_end_text(trib_rank_end end) {
    static const char *const text[TRIB_N_RANK_ENDS] = {
        [TRIB_RANK_GAIN] = "doubling it gained less than 2 % of the error",
        [TRIB_RANK_WORSE] = "a larger one had a larger error",
        [TRIB_RANK_CLOSE] = "the error is below 20 %",
        [TRIB_RANK_NONZEROS] = "a third of the nonzeros is reached",
        [TRIB_RANK_LIMIT] = "the limit of ranks is reached",
        [TRIB_RANK_ASKED] = "asked to stop",
        [TRIB_RANK_CONSISTENT] = "a larger one has no consistent core",
        [TRIB_RANK_HELD_OUT] = "cells left out are not closer to a larger one",
    };
    return (unsigned)end < TRIB_N_RANK_ENDS ? text[end] : "unknown";
}

void trib_rank_search_release(trib_rank_search *search) {
    trib_free(search->step);
    *search = (trib_rank_search){0};
}

/* ---- By cells that are left out -------------------------------------------------------------- */

/* Each of FOLDS times a tenth of the cells counts as missing. The rank is the smallest whose error
 * there is at most one standard error above the least (cross-validation by cells: Wold 1978; the
 * rule: Breiman et al. 1984). In a tensor with very many cells only nonzeros are left out; zeros,
 * of which each is then one of very many, are measured as they are. */

enum { FOLDS = 4, PARTS = 10 };
/* Zeros are left out up to this number of cells, and this number for each nonzero. */
static const double MOST_CELLS = 0x1p20, CELLS_EACH = 16;

/* A tensor without the cells that are left out. */
typedef struct fold {
    trib_sparse known;
    trib_tensor x;
    trib_hacoo hidden; /* the nonzeros that are left out, and missing cells */
    uint32_t *cell;    /* [n][n_modes] missing cells, then nonzeros, then zeros if there are few */
    double *value;     /* [n_nonzeros] */
    size_t n_nonzeros, n, cap, value_cap;
    double n_cells; /* of the tensor */
} fold;

static void fold_release(fold *f) {
    trib_tensor_release(&f->x);
    trib_sparse_release(&f->known);
    trib_hacoo_release(&f->hidden);
    TRIB_FREE(f->cell, f->value);
}

static bool leaves_out_zeros(const fold *f, const trib_tensor *x) {
    return f->n_cells <= MOST_CELLS + CELLS_EACH * (double)x->nnz;
}

/* Cells fall into PARTS parts by the digits of their indices and the seed. */
static uint32_t part_of(const uint32_t index[], uint32_t n_modes, uint64_t seed) {
    uint64_t mixed = seed + 1;
    for (uint32_t m = 0; m < n_modes; m++) {
        mixed = (mixed ^ index[m]) * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 32;
    }
    return (uint32_t)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> 40) % PARTS;
}

static trib_status hide(fold *f, const uint32_t index[], uint32_t n_modes, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&f->cell, &f->cap, (f->n + 1) * n_modes, "cells left out", error);
    if (status != TRIB_OK) return status;
    memcpy(f->cell + f->n++ * n_modes, index, n_modes * sizeof *index);
    return trib_hacoo_add(&f->hidden, index, 1, error);
}

/* Leaves out the zeros of a part. */
static trib_status hide_zeros(fold *f, const trib_tensor *x, uint64_t seed, uint32_t part,
                              trib_error *error) {
    uint32_t index[TRIB_MAX_MODES] = {0}, m = x->n_modes;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK) {
        if (part_of(index, x->n_modes, seed) == part &&
            trib_hacoo_find(&f->hidden, index) == TRIB_NO_ENTRY)
            status = hide(f, index, x->n_modes, error);
        for (m = x->n_modes; m > 0 && ++index[m - 1] == x->dim[m - 1]; m--) index[m - 1] = 0;
        if (m == 0) break;
    }
    return status;
}

static trib_status fold_open(fold *f, const trib_tensor *x, const trib_cp_options *options,
                             uint32_t part, trib_error *error) {
    const uint32_t n_modes = x->n_modes;
    trib_status status = trib_sparse_init(&f->known, n_modes, x->dim, x->nnz, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&f->hidden, n_modes, x->dim, NULL, error);
    f->n_cells = 1;
    for (uint32_t m = 0; m < n_modes; m++) f->n_cells *= x->dim[m];
    for (size_t z = 0; status == TRIB_OK && z < options->n_missing; z++)
        status = hide(f, options->missing + z * n_modes, n_modes, error);
    for (trib_some_nonzeros s = {.x = x}; status == TRIB_OK && trib_nonzeros_next(&s);)
        for (size_t i = 0; status == TRIB_OK && i < s.n; i++) {
            const uint32_t *index = s.index + i * n_modes;
            if (part_of(index, n_modes, options->seed) != part) {
                status = trib_sparse_raise(&f->known, index, s.value[i], error);
                continue;
            }
            status = hide(f, index, n_modes, error);
            if (status == TRIB_OK)
                status = TRIB_APPEND(&f->value, &f->n_nonzeros, &f->value_cap, "values left out",
                                     error, &s.value[i]);
        }
    if (status == TRIB_OK && leaves_out_zeros(f, x))
        status = hide_zeros(f, x, options->seed, part, error);
    if (status != TRIB_OK) return status;
    return trib_tensor_build_cut(&f->x, x->format, x->cut, &f->known.place, f->known.value,
                                 x->n_threads, error);
}

/* The sum of (value - model)^2 of some cells, in units of |X|^2; value NULL: zeros. */
static double squares(const trib_ktensor *k, double norm, size_t n, const uint32_t *cell,
                      const double *value) {
    double model[TRIB_SOME], sum = 0;
    for (size_t first = 0; first < n; first += TRIB_SOME) {
        const size_t some = n - first < TRIB_SOME ? n - first : TRIB_SOME;
        trib_ktensor_values(k, some, cell + first * k->n_modes, model);
        for (size_t i = 0; i < some; i++) {
            const double off = ((value ? value[first + i] : 0) - model[i]) / norm;
            sum += off * off;
        }
    }
    return sum;
}

/* Estimates |X - k|^2 / |X|^2 for cells that k has not seen. */
static trib_status measure(const fold *f, const trib_ktensor *k, const trib_tensor *x,
                           size_t n_missing, double *loss, trib_error *error) {
    const size_t n = f->n_nonzeros, n_zeros = f->n - n - n_missing;
    const uint32_t *nonzeros = f->cell ? f->cell + n_missing * x->n_modes : NULL;
    double fit = 0, seen = squares(k, x->norm, n_missing, f->cell, NULL);
    *loss = n > 0 ? (double)x->nnz / (double)n * squares(k, x->norm, n, nonzeros, f->value) : 0;
    if (n_zeros > 0)
        *loss += (f->n_cells - (double)(x->nnz + n_missing)) / (double)n_zeros *
                 squares(k, x->norm, n_zeros, nonzeros + n * x->n_modes, NULL);
    if (leaves_out_zeros(f, x)) return TRIB_OK;
    for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);)
        seen += squares(k, x->norm, s.n, s.index, s.value);
    const trib_status status = trib_ktensor_fit(k, x, &fit, error); /* of all cells */
    *loss += fmax(0, (1 - fit) * (1 - fit) - seen);
    return status;
}

TRIB_ORDER(by_rank, trib_rank_step, TRIB_UP(rank));

/* Tries a rank by all folds, puts it into its place, and chooses. *best is the step of least
 * error. */
static trib_status try_rank(trib_rank_search *search, const trib_tensor *x,
                            const trib_cp_options *asked, uint32_t rank, size_t *best,
                            trib_error *error) {
    double loss[FOLDS], sum = 0, square = 0;
    trib_cp_options options = *asked;
    trib_rank_step step = {.rank = rank, .l1_error = NAN, .core_consistency = NAN};
    trib_status status =
        TRIB_GROW(&search->step, &search->cap, search->n + 1, "a rank search", error);
    options.rank = rank;
    options.from = NULL;
    options.resume = NULL;
    options.hook = (trib_cp_hook){0};
    for (uint32_t part = 0; part < FOLDS && status == TRIB_OK; part++) {
        TRIB_OWNED(fold) f = {0};
        TRIB_OWNED(trib_ktensor) k = {0};
        TRIB_OWNED(trib_cp_trace) trace = {0};
        status = fold_open(&f, x, asked, part, error);
        options.missing = f.cell;
        options.n_missing = f.n;
        if (status == TRIB_OK) status = trib_cp(&k, &f.x, &options, &trace, error);
        if (status == TRIB_OK) status = measure(&f, &k, x, asked->n_missing, &loss[part], error);
        if (status != TRIB_OK) return status;
        if (trace.stop == TRIB_STOP_ASKED) search->end = TRIB_RANK_ASKED;
        step.n_iterations += trace.n_steps;
        if (k.rank > step.n_components) step.n_components = k.rank;
        sum += loss[part] / FOLDS;
    }
    if (status != TRIB_OK) return status;
    for (uint32_t part = 0; part < FOLDS; part++) square += (loss[part] - sum) * (loss[part] - sum);
    step.error = sqrt(sum);
    step.deviation = sqrt(square / (FOLDS - 1) / FOLDS);
    search->step[search->n++] = step;
    qsort(search->step, search->n, sizeof step, by_rank);
    *best = search->chosen = 0;
    for (size_t i = 1; i < search->n; i++)
        if (search->step[i].error < search->step[*best].error) *best = i;
    const trib_rank_step least = search->step[*best];
    const double enough = least.error * least.error + least.deviation;
    while (search->chosen < *best && search->step[search->chosen].error > sqrt(enough))
        search->chosen++;
    return TRIB_OK;
}

/* A rank between two neighbours, one of which is the best or the chosen one; 0: there is none. */
static uint32_t rank_between(const trib_rank_search *search, size_t best) {
    const size_t after[] = {search->chosen, best, best + 1};
    for (int i = 0; i < 3; i++) {
        if (after[i] == 0 || after[i] == search->n) continue;
        const uint32_t low = search->step[after[i] - 1].rank, high = search->step[after[i]].rank;
        if (high - low > 1) return low + (high - low) / 2;
    }
    return 0;
}

static trib_status search_held_out(trib_ktensor *k, const trib_tensor *x,
                                   const trib_cp_options *options, uint32_t most,
                                   trib_rank_search *search, trib_cp_trace *trace,
                                   trib_error *error) {
    trib_cp_options last = *options;
    trib_status status = TRIB_OK;
    size_t best = 0;
    search->end = TRIB_RANK_HELD_OUT;
    for (uint32_t rank = 1; rank > 0 && search->end != TRIB_RANK_ASKED;) {
        status = try_rank(search, x, options, rank, &best, error);
        if (status != TRIB_OK) return status;
        /* until two larger ones were worse */
        if (rank < most && search->step[search->n - 1].rank == rank && best + 2 >= search->n)
            rank = rank > most / 2 ? most : 2 * rank;
        else rank = rank_between(search, best);
    }
    last.rank = search->step[search->chosen].rank;
    if (search->end == TRIB_RANK_HELD_OUT && last.rank == most) search->end = TRIB_RANK_LIMIT;
    return trib_cp(k, x, &last, trace, error);
}

/* ---- By the error, and by the core ----------------------------------------------------------- */

/* The rank is doubled, each decomposition starting from the previous one, until a doubling gains
 * little (docs/model.md section 3, after [L]). When the first rank is enough already, which on text
 * it never is, a smaller one may be the true one: the largest whose core is consistent is looked
 * for (Bro and Kiers 2003). */

#define LEAST_GAIN 0.02 /* relative reduction of the error by a doubling */
#define CLOSE      0.2  /* [L]: an error below this is small enough */
#define CONSISTENT 50.0 /* per cent: a core below this belongs to too large a rank */

static trib_status note_step(trib_rank_search *search, const trib_ktensor *k, uint32_t rank,
                             const trib_tensor *x, size_t n_iterations, trib_error *error) {
    trib_status status =
        TRIB_GROW(&search->step, &search->cap, search->n + 1, "a rank search", error);
    if (status != TRIB_OK) return status;
    trib_rank_step *step = &search->step[search->n++];
    *step = (trib_rank_step){.rank = rank,
                             .n_components = k->rank,
                             .error = 1 - k->fit,
                             .l1_error = trib_ktensor_l1_error(k, x),
                             .n_iterations = n_iterations};
    return trib_core_consistency(k, x, &step->core_consistency, error);
}

/* Whether the search ends with the last step, and why. search->chosen is the step with the smallest
 * error. */
static bool is_last(trib_rank_search *search, const trib_cp_trace *trace, uint32_t most,
                    size_t nnz) {
    const trib_rank_step *step = &search->step[search->n - 1];
    const trib_rank_step *last = search->n > 1 ? &search->step[search->chosen] : NULL;
    const double before = last ? last->error : INFINITY;
    const bool doubled = last && step->rank == 2 * last->rank;
    if (step->error > before) {
        search->end = trace->stop == TRIB_STOP_ASKED ? TRIB_RANK_ASKED : TRIB_RANK_WORSE;
        return true;
    }
    search->chosen = search->n - 1;
    if (trace->stop == TRIB_STOP_ASKED) search->end = TRIB_RANK_ASKED;
    else if (step->error < CLOSE) search->end = TRIB_RANK_CLOSE;
    else if (doubled && before - step->error < LEAST_GAIN * before) search->end = TRIB_RANK_GAIN;
    else if (step->rank >= nnz / 3) search->end = TRIB_RANK_NONZEROS;
    else if (step->rank >= most) search->end = TRIB_RANK_LIMIT;
    else return false;
    return true;
}

/* After a search whose only rank is enough: looks for the largest smaller rank that is enough, too,
 * with a consistent core, by halving and then between the ranks on both sides. */
static trib_status search_below(trib_ktensor *k, const trib_tensor *x, trib_cp_options next,
                                trib_rank_search *search, trib_cp_trace *trace, trib_error *error) {
    uint32_t low = 0, high = search->step[0].rank, chosen = high;
    trib_status status = TRIB_OK;
    next.from = NULL;
    if (!(search->step[0].core_consistency < CONSISTENT)) return TRIB_OK;
    while (status == TRIB_OK && high - low > 1 && search->end != TRIB_RANK_ASKED) {
        trib_ktensor fewer = {0};
        trib_cp_trace its = {0};
        next.rank = low > 0 ? low + (high - low) / 2 : high / 2;
        status = trib_cp(&fewer, x, &next, &its, error);
        next.part += next.restarts;
        if (status == TRIB_OK) status = note_step(search, &fewer, next.rank, x, its.n_steps, error);
        const trib_rank_step *step = &search->step[search->n - 1];
        if (status == TRIB_OK && its.stop == TRIB_STOP_ASKED) search->end = TRIB_RANK_ASKED;
        const bool is_consistent = status == TRIB_OK && its.stop != TRIB_STOP_ASKED &&
                                   step->core_consistency >= CONSISTENT;
        const bool is_better = is_consistent && step->error < CLOSE;
        trib_ktensor_release(is_better ? k : &fewer);
        trib_cp_trace_release(is_better ? trace : &its);
        if (is_consistent) low = next.rank;
        else high = next.rank;
        if (!is_better) continue;
        *k = fewer;
        *trace = its;
        chosen = next.rank;
        search->end = TRIB_RANK_CONSISTENT;
    }
    qsort(search->step, search->n, sizeof *search->step, by_rank);
    for (size_t i = 0; i < search->n; i++)
        if (search->step[i].rank == chosen) search->chosen = i;
    return status;
}

trib_status trib_cp_search(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           uint32_t most, trib_rank_search *search, trib_cp_trace *trace,
                           trib_error *error) {
    trib_cp_options next = *options;
    const size_t third = x->nnz / 3 > 0 ? x->nnz / 3 : 1;
    *k = (trib_ktensor){0};
    *search = (trib_rank_search){0};
    *trace = (trib_cp_trace){0};
    if (most == 0) return trib_fail(error, TRIB_CONFIG, "the largest rank must be at least 1");
    if (third < most) most = (uint32_t)third;
    trib_status status = TRIB_OK;
    if (next.rank == TRIB_RANK_HOLDOUT)
        status = search_held_out(k, x, options, most, search, trace, error);
    bool more = next.rank != TRIB_RANK_HOLDOUT;
    if (next.restarts == 0) next.restarts = 1;
    next.rank = trib_rank_first(x->nnz, x->n_modes);
    while (more) {
        trib_ktensor better = {0};
        trib_cp_trace its = {0};
        if (next.rank > most) next.rank = most;
        status = trib_cp(&better, x, &next, &its, error);
        if (status == TRIB_OK)
            status = note_step(search, &better, next.rank, x, its.n_steps, error);
        more = status == TRIB_OK && !is_last(search, &its, most, x->nnz);
        if (status == TRIB_OK && search->chosen + 1 == search->n) {
            trib_ktensor_release(k);
            trib_cp_trace_release(trace);
            *k = better;
            *trace = its;
        } else {
            trib_ktensor_release(&better);
            trib_cp_trace_release(&its);
        }
        next.from = k;
        next.part = search->n == 1 ? options->part + next.restarts : next.part + 1;
        next.rank = next.rank > most / 2 ? most : 2 * next.rank;
    }
    if (status == TRIB_OK && search->n == 1 && search->end == TRIB_RANK_CLOSE)
        status = search_below(k, x, next, search, trace, error);
    if (status != TRIB_OK) {
        trib_ktensor_release(k);
        trib_cp_trace_release(trace);
        trib_rank_search_release(search);
    }
    return status;
}

/* ---- Several random starts, and how far they agree ------------------------------------------- */

/* The overlap of component r of `k` with component q of `other`. */
static double overlap_of(const trib_ktensor *k, uint32_t r, const trib_ktensor *other, uint32_t q) {
    double sum = 0;
    for (uint32_t m = 1; m < k->n_modes; m++)
        for (uint32_t i = 0; i < k->dim[m]; i++)
            sum += fmin(k->factor[m][(size_t)i * k->rank + r],
                        other->factor[m][(size_t)i * other->rank + q]);
    return sum / (k->n_modes - 1);
}

static double agreement_of(const trib_ktensor *k, const trib_ktensor *other) {
    double sum = 0;
    for (uint32_t r = 0; r < k->rank; r++) {
        double best = 0;
        for (uint32_t q = 0; q < other->rank; q++) best = fmax(best, overlap_of(k, r, other, q));
        sum += best;
    }
    return k->rank > 0 ? sum / k->rank : 0;
}

/* One start: all iterations in single precision, and one that measures the divergence. */
static trib_status fit_once(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *asked,
                            uint32_t start, double *divergence, trib_error *error) {
    TRIB_OWNED(trib_ktensor) rough = {0};
    TRIB_OWNED(trib_cp_trace) trace = {0};
    trib_cp_options options = {.solver = trib_solver_find("apr"),
                               .start = trib_start_find("random"),
                               .rank = asked->rank,
                               .iterations = asked->iterations,
                               .restarts = 1,
                               .seed = asked->seed + start,
                               .unmeasured = true,
                               .single = true,
                               .n_threads = asked->n_threads,
                               .progress = asked->progress};
    trib_status status = trib_cp(&rough, x, &options, &trace, error);
    if (status == TRIB_OK && trace.stop == TRIB_STOP_ASKED)
        status = trib_fail(error, TRIB_INTERRUPTED, "stopped during a decomposition");
    trib_cp_trace_release(&trace);
    options.from = &rough;
    options.rank = rough.rank;
    options.iterations = 1;
    options.unmeasured = options.single = false;
    options.progress = (trib_progress){0};
    if (status == TRIB_OK) status = trib_cp(k, x, &options, &trace, error);
    if (status == TRIB_OK) *divergence = trace.step[0].kl;
    return status;
}

trib_status trib_cp_of_starts(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                              double *divergence, double *agreement, trib_error *error) {
    const uint32_t n = options->restarts > 0 ? options->restarts : 1;
    trib_ktensor *each = NULL;
    double *kl = NULL, sum = 0;
    uint32_t best = 0;
    *k = (trib_ktensor){0};
    trib_status status = TRIB_NEW(&each, n, "decompositions", error);
    if (status == TRIB_OK) status = TRIB_NEW(&kl, n, "decompositions", error);
    for (uint32_t s = 0; s < n && status == TRIB_OK; s++) {
        status = fit_once(&each[s], x, options, s, &kl[s], error);
        if (status == TRIB_OK && kl[s] < kl[best]) best = s;
    }
    for (uint32_t s = 0; s < n && status == TRIB_OK; s++)
        if (s != best) sum += agreement_of(&each[best], &each[s]);
    if (status == TRIB_OK) {
        *divergence = kl[best];
        *agreement = n > 1 ? sum / (n - 1) : (double)NAN;
        *k = each[best];
        each[best] = (trib_ktensor){0};
    }
    for (uint32_t s = 0; each && s < n; s++) trib_ktensor_release(&each[s]);
    TRIB_FREE(each, kl);
    return status;
}
