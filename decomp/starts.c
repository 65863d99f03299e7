/* starts.c - decompositions from several random starts, and how far they agree. */
#include "base/internal.h"
#include "decomp/decomp.h"

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
