/* evidence.c - stage evidence: the phrases and passages that explain the shares of a target. */
#include "pipeline/stages/evidence.h"
#include "base/internal.h"

#include "pipeline/stages/language.h"

/* The largest number of words between two runs of one passage, in either text. */
enum { LONGEST_GAP = 10 };

trib_status trib_findings_init(trib_findings *findings, uint32_t n_sources, trib_error *error) {
    trib_status status =
        trib_new(&findings->evidence, n_sources, sizeof *findings->evidence, "the evidence", error);
    if (status == TRIB_OK)
        status = trib_new(&findings->passages, n_sources, sizeof *findings->passages,
                          "the passages", error);
    if (status == TRIB_OK) findings->n_sources = n_sources;
    return status;
}

void trib_findings_release(trib_findings *findings) {
    for (uint32_t s = 0; s < findings->n_sources; s++) {
        trib_evidence_release(&findings->evidence[s]);
        trib_passages_release(&findings->passages[s]);
    }
    trib_evidence_release(&findings->own);
    trib_free(findings->evidence);
    trib_free(findings->passages);
    *findings = (trib_findings){0};
}

/* Sets *result to the influence that evidence is computed from. A cached result contains only the
 * shares; in that case the target is measured into `again`, without intervals, which gives the same
 * bits. */
static trib_status with_evidence(const trib_measure_inputs *inputs, uint32_t t,
                                 const trib_shares *shares, int n_threads, trib_progress progress,
                                 trib_background *background, trib_influence *again,
                                 const trib_influence **result, trib_error *error) {
    const trib_config *config = inputs->env->config;
    const trib_influence_method *method = trib_method_of_evidence(config);
    const trib_language_inputs from = {config, inputs->corpus, inputs->tensors, inputs->n_words};
    trib_influence_options options = trib_config_influence_options(config, n_threads, progress);
    for (uint32_t i = 0; i < shares->n_methods; i++)
        if (shares->influence[i].method == method) *result = &shares->influence[i];
    if (!(*result)->is_brief) return TRIB_OK;
    options.bootstrap = 0;
    *result = again;
    const trib_status status = method->needs_background
                                   ? trib_language_of(&from, &inputs->corpus->target[t], n_threads,
                                                      progress, background, error)
                                   : TRIB_OK;
    if (status != TRIB_OK) return status;
    trib_influence_case c = trib_measure_case(inputs, t, background);
    if (method->reads_words) c.orders = trib_measure_orders(inputs);
    return trib_influence_measure(again, method, &c, &options, error);
}

/* Finds the passages of the sources above the noise floor. Below it, matches are scattered over the
 * whole text. */
static trib_status find_passages(const trib_shares *shares, trib_findings *findings,
                                 const trib_influence_case *c, const trib_influence *result,
                                 uint32_t other, int n_threads, trib_error *error) {
    trib_status status = TRIB_OK;
    size_t failed = SIZE_MAX; /* the first source that failed */
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t s = 0; s < findings->n_sources; s++) {
        trib_error failure = {0};
        if (trib_below_floor(shares, s)) continue;
        trib_status one = trib_stop_check(&failure);
        if (one == TRIB_OK)
            one = trib_passages_find(&findings->passages[s], c, result, s, other, LONGEST_GAP,
                                     &failure);
        trib_keep_first(s, one, &failure, &failed, &status, error);
    }
    return status;
}

trib_status trib_find_evidence(const trib_measure_inputs *inputs, uint32_t t,
                               const trib_shares *shares, int n_threads, trib_progress progress,
                               trib_background *background, trib_findings *findings,
                               trib_error *error) {
    trib_influence_case c = trib_measure_case(inputs, t, background);
    const size_t top = inputs->env->config->report.top_phrases;
    const trib_influence *result = NULL;
    trib_influence again = {0};
    struct trib_overlap *overlap = NULL;
    trib_status status = trib_findings_init(findings, inputs->corpus->target[t].n_sources, error);
    if (status == TRIB_OK)
        status = with_evidence(inputs, t, shares, n_threads, progress, background, &again, &result,
                               error);
    if (status == TRIB_OK) status = trib_overlap_of_listed(&overlap, &c, result, error);
    c.overlap = overlap;
    if (status == TRIB_OK)
        status = trib_evidence_build(findings->evidence, &c, result, n_threads, error);
    if (status == TRIB_OK) status = trib_stop_check(error);
    if (status == TRIB_OK) status = trib_evidence_of_author(&findings->own, &c, error);
    if (status == TRIB_OK) trib_evidence_cut(&findings->own, top); /* limit to the number shown */
    for (size_t s = 0; s < findings->n_sources && status == TRIB_OK; s++)
        if (trib_below_floor(shares, s)) trib_evidence_cut(&findings->evidence[s], top);
    if (status == TRIB_OK)
        status = find_passages(shares, findings, &c, result, inputs->other, n_threads, error);
    trib_overlap_free(overlap);
    trib_influence_release(&again);
    return status;
}
