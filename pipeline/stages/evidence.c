/* evidence.c - stage evidence: the phrases and passages that explain the shares of a target. */
#include "pipeline/stages/evidence.h"

#include <pthread.h>

#include "pipeline/config/config.h"
#include "pipeline/stages/influence.h"

trib_status trib_findings_init(trib_findings *findings, uint32_t n_sources, trib_error *error) {
    trib_status status = TRIB_NEW(&findings->evidence, n_sources, "the evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&findings->passages, n_sources, "the passages", error);
    if (status == TRIB_OK) findings->n_sources = n_sources;
    return status;
}

void trib_findings_release(trib_findings *findings) {
    if (findings->is_spilled) *findings = (trib_findings){0};
    for (uint32_t s = 0; s < findings->n_sources; s++) {
        trib_evidence_release(&findings->evidence[s]);
        trib_passages_release(&findings->passages[s]);
    }
    trib_evidence_release(&findings->own);
    trib_families_release(&findings->families);
    TRIB_FREE(findings->evidence, findings->passages, findings->trace, findings->translated);
    *findings = (trib_findings){0};
}

/* Sets *result to the influence by a method, from which evidence or the trace is made. A cached
 * result contains only the shares; in that case the target is measured into `again`, without
 * intervals, which gives the same bits. */
static trib_status with_evidence(const trib_measure_inputs *inputs, uint32_t t,
                                 const trib_influence_method *method, const trib_shares *shares,
                                 int n_threads, trib_progress progress, trib_background *background,
                                 trib_influence *again, const trib_influence **result,
                                 trib_error *error) {
    const trib_config *config = inputs->env->config;
    trib_influence_options options = trib_config_influence_options(config, n_threads, progress);
    for (uint32_t i = 0; i < shares->n_methods; i++)
        if (shares->influence[i].method == method) *result = &shares->influence[i];
    if (*result && !(*result)->is_brief) return TRIB_OK;
    options.bootstrap = 0;
    *result = again;
    const trib_status status = method->needs_background
                                   ? trib_language_of(inputs->texts, &inputs->corpus->target[t],
                                                      n_threads, progress, background, error)
                                   : TRIB_OK;
    if (status != TRIB_OK) return status;
    trib_influence_case c = trib_method_case(inputs, t, method, background);
    if (method->reads_words) c.orders = trib_measure_orders(inputs);
    return trib_influence_measure(again, method, &c, &options, error);
}

/* ---- Passages -------------------------------------------------------------------------------- */

/* Copies the passages of a source, and their runs: those that are neither chance nor a turn of
 * phrase, or all. */
static trib_status copy_passages(trib_passages *to, const trib_passages *from, bool is_all,
                                 trib_error *error) {
    trib_status status = TRIB_NEW(&to->passage, from->n, "the passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->run, from->n_runs, "the passages", error);
    to->source = from->source;
    to->cap = from->n;
    for (size_t p = 0; p < from->n && status == TRIB_OK; p++) {
        trib_passage passage = from->passage[p];
        if (!is_all && !passage.is_clear) continue;
        memcpy(to->run + to->n_runs, from->run + passage.first_run,
               passage.n_runs * sizeof *to->run);
        passage.first_run = (uint32_t)to->n_runs;
        to->n_runs += passage.n_runs;
        to->passage[to->n++] = passage;
    }
    if (status != TRIB_OK || to->n == 0) trib_passages_release(to);
    to->source = from->source;
    return status;
}

/* Lists the passages of the target. They are those by which `extent` measures; where none of the
 * methods has them, it is measured for them. */
static trib_status find_passages(const trib_measure_inputs *inputs, uint32_t t,
                                 const trib_shares *shares, int n_threads, trib_progress progress,
                                 trib_findings *findings, trib_error *error) {
    const trib_influence_method *extent = trib_influence_method_find("extent");
    const trib_config *config = inputs->env->config;
    const trib_influence *found = NULL;
    const trib_background none = {0};
    TRIB_OWNED(trib_influence) again = {0};
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < shares->n_methods; i++)
        if (shares->influence[i].passages) found = &shares->influence[i];
    if (!found) {
        const trib_influence_options options =
            trib_config_influence_options(config, n_threads, progress);
        trib_influence_case c = trib_measure_case(inputs, t, &none);
        c.orders = trib_measure_orders(inputs);
        status = trib_influence_measure(&again, extent, &c, &options, error);
        found = &again;
    }
    for (size_t i = 0, s = 0; i < found->n_passages && status == TRIB_OK; i++) {
        while (found->source[s] != found->passages[i].source) s++;
        status = copy_passages(&findings->passages[s], &found->passages[i], config->report.doubtful,
                               error);
    }
    return status;
}

/* Marks the phrases of which the target has no n-gram without gaps. own_id[n_words] is 1 + the
 * target's id of a word, 0: it lacks the word. */
static void mark_gaps(trib_evidence *evidence, const trib_hacoo *ngrams, const uint32_t *own_id) {
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_phrase *phrase = &evidence->phrase[p];
        for (uint32_t m = 0; m < ngrams->n_modes; m++) index[m] = own_id[phrase->word[m]] - 1;
        phrase->has_gaps = trib_hacoo_get(ngrams, index) == 0;
    }
}

static trib_status mark_all_gaps(const trib_measure_inputs *inputs, uint32_t t,
                                 trib_findings *findings, trib_error *error) {
    const trib_influence_document *target =
        &inputs->tensors->view[inputs->corpus->target[t].document];
    uint32_t *own_id = NULL;
    const trib_status status = TRIB_NEW(&own_id, inputs->n_words, "a map of words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < target->n_local; i++) own_id[target->word[i]] = i + 1;
    for (uint32_t s = 0; s < findings->n_sources; s++)
        mark_gaps(&findings->evidence[s], target->counts, own_id);
    mark_gaps(&findings->own, target->counts, own_id);
    trib_free(own_id);
    return TRIB_OK;
}

trib_status trib_findings_finish(const trib_measure_inputs *inputs, uint32_t t,
                                 trib_findings *findings, trib_error *error) {
    const trib_background none = {0};
    if (!findings->evidence || findings->is_spilled) return TRIB_OK;
    const trib_influence_case c = trib_measure_case(inputs, t, &none);
    trib_status status = trib_passages_rate(findings->passages, findings->n_sources, &c,
                                            &inputs->frequencies, error);
    if (status == TRIB_OK &&
        trib_method_reads_skips(inputs->tensors, trib_method_of_evidence(inputs->env->config)))
        status = mark_all_gaps(inputs, t, findings, error);
    return status == TRIB_OK ? trib_families_find(&findings->families, findings->passages,
                                                  findings->n_sources, &c, error)
                             : status;
}

/* ---- Trace ----------------------------------------------------------------------------------- */

static trib_status copy_trace(trib_findings *findings, const trib_influence *traced,
                              trib_error *error) {
    const size_t n = traced->n_trace;
    const trib_status status = TRIB_NEW(&findings->trace, n, "the traced runs", error);
    if (status != TRIB_OK) return status;
    if (n > 0) memcpy(findings->trace, traced->trace, n * sizeof *findings->trace);
    findings->n_trace = n;
    return TRIB_OK;
}

/* Finds the trace of the target. `evidence` is the influence that its evidence is made from. */
static trib_status find_trace(const trib_measure_inputs *inputs, uint32_t t,
                              const trib_shares *shares, int n_threads, trib_progress progress,
                              const trib_influence *evidence, trib_findings *findings,
                              trib_error *error) {
    const trib_influence_method *traced = trib_method_of_trace(inputs->env->config);
    trib_background none = {0};
    TRIB_OWNED(trib_influence) again = {0};
    trib_status status = TRIB_OK;
    if (!traced) return TRIB_OK;
    if (evidence->method != traced)
        status = with_evidence(inputs, t, traced, shares, n_threads, progress, &none, &again,
                               &evidence, error);
    return status == TRIB_OK ? copy_trace(findings, evidence, error) : status;
}

/* ---- Evidence -------------------------------------------------------------------------------- */

/* Of a large corpus fewer phrases of a source are kept: below the noise floor, and above it beside
 * the number that is shown. */
enum { FEW_PHRASES = 8, MANY_PHRASES = 100 };

trib_status trib_find_evidence(const trib_measure_inputs *inputs, uint32_t t,
                               const trib_shares *shares, int n_threads, trib_progress progress,
                               trib_background *background, trib_findings *findings,
                               trib_error *error) {
    const trib_influence_method *method = trib_method_of_evidence(inputs->env->config);
    trib_influence_case c = trib_method_case(inputs, t, method, background);
    const size_t top = inputs->env->config->report.top_phrases;
    const trib_influence *result = NULL;
    TRIB_OWNED(trib_influence) again = {0};
    struct trib_overlap *overlap = NULL;
    trib_status status = trib_findings_init(findings, inputs->corpus->target[t].n_sources, error);
    if (status == TRIB_OK)
        status = with_evidence(inputs, t, method, shares, n_threads, progress, background, &again,
                               &result, error);
    if (status == TRIB_OK)
        status = find_trace(inputs, t, shares, n_threads, progress, result, findings, error);
    if (status == TRIB_OK) status = trib_overlap_of_listed(&overlap, &c, result, error);
    c.overlap = overlap;
    if (status == TRIB_OK)
        status = trib_evidence_build(findings->evidence, &c, result, n_threads, error);
    if (status == TRIB_OK) status = trib_stop_check(error);
    if (status == TRIB_OK) status = trib_evidence_of_author(&findings->own, &c, error);
    const bool are_many = inputs->corpus->candidates.most > 0;
    if (status == TRIB_OK) trib_evidence_cut(&findings->own, top); /* limit to the number shown */
    for (size_t s = 0; s < findings->n_sources && status == TRIB_OK; s++)
        if (trib_below_floor(shares, s))
            trib_evidence_cut(&findings->evidence[s],
                              are_many && top > FEW_PHRASES ? FEW_PHRASES : top);
        else if (are_many) trib_evidence_cut(&findings->evidence[s], top + MANY_PHRASES);
    if (status == TRIB_OK)
        status = find_passages(inputs, t, shares, n_threads, progress, findings, error);
    trib_overlap_free(overlap);
    return status;
}

/* ---- Moving to a file ------------------------------------------------------------------------ */

/* Of many targets the findings and shares would be most of the memory of a run, and they are not
 * read before its tables are written. */

/* Calls a function for every array that the records of the findings point to, always in the same
 * order: `array` is the address of the pointer. */
typedef void (*visitor)(void *context, void *array, size_t n_bytes);

static void visit_evidence(trib_evidence *evidence, visitor visit, void *context) {
    size_t n_free = 0;
    for (size_t f = 0; f < evidence->n_factors; f++)
        if (evidence->factor[f].first + evidence->factor[f].n > n_free)
            n_free = evidence->factor[f].first + evidence->factor[f].n;
    visit(context, &evidence->phrase, evidence->n_phrases * sizeof *evidence->phrase);
    visit(context, &evidence->factor, evidence->n_factors * sizeof *evidence->factor);
    visit(context, &evidence->free_word, n_free * sizeof *evidence->free_word);
    visit(context, &evidence->free_mass, n_free * sizeof *evidence->free_mass);
}

static void visit_arrays(trib_findings *findings, visitor visit, void *context) {
    for (uint32_t s = 0; s < findings->n_sources; s++) {
        trib_passages *passages = &findings->passages[s];
        visit_evidence(&findings->evidence[s], visit, context);
        visit(context, &passages->passage, passages->n * sizeof *passages->passage);
        visit(context, &passages->run, passages->n_runs * sizeof *passages->run);
    }
    visit_evidence(&findings->own, visit, context);
    visit(context, &findings->families.family,
          findings->families.n * sizeof *findings->families.family);
    visit(context, &findings->families.member,
          findings->families.n_members * sizeof *findings->families.member);
    visit(context, &findings->trace, findings->n_trace * sizeof *findings->trace);
    visit(context, &findings->translated, findings->n_translated * sizeof *findings->translated);
}

/* Arrays that are joined to be put into the file, or whose pointers are set to their copies. */
typedef struct copies {
    trib_buffer bytes;
    const char *at; /* the next copy */
    trib_status status;
    trib_error *error;
} copies;

enum { ALIGNED = 8 };

static size_t padding(size_t n_bytes) { return (ALIGNED - n_bytes % ALIGNED) % ALIGNED; }

static void add_array(void *context, void *array, size_t n_bytes) {
    static const char zero[ALIGNED];
    copies *to = context;
    const char *bytes;
    memcpy(&bytes, array, sizeof bytes);
    if (n_bytes > 0 && to->status == TRIB_OK)
        to->status = trib_buffer_add(&to->bytes, bytes, n_bytes, to->error);
    if (padding(n_bytes) > 0 && to->status == TRIB_OK)
        to->status = trib_buffer_add(&to->bytes, zero, padding(n_bytes), to->error);
}

static void set_pointer(void *context, void *array, size_t n_bytes) {
    copies *to = context;
    const char *const at = n_bytes > 0 ? to->at : NULL;
    memcpy(array, &at, sizeof at);
    if (n_bytes > 0) to->at += n_bytes + padding(n_bytes);
}

static trib_status spill_all(trib_findings *findings, trib_spill *spill, trib_error *error) {
    const size_t n = findings->n_sources;
    trib_findings moved = *findings;
    copies to = {.error = error};
    moved.evidence = NULL, moved.passages = NULL;
    visit_arrays(findings, add_array, &to);
    trib_status status = to.status;
    if (status == TRIB_OK)
        status = trib_spill_put(spill, to.bytes.text, to.bytes.length, &to.at, error);
    if (status == TRIB_OK) status = TRIB_NEW(&moved.evidence, n, "the evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&moved.passages, n, "the passages", error);
    if (status == TRIB_OK && n > 0) {
        memcpy(moved.evidence, findings->evidence, n * sizeof *moved.evidence);
        memcpy(moved.passages, findings->passages, n * sizeof *moved.passages);
    }
    if (status == TRIB_OK) visit_arrays(&moved, set_pointer, &to);
    trib_evidence *const evidence = moved.evidence;
    trib_passages *const passages = moved.passages;
    if (status == TRIB_OK)
        status = trib_spill_put(spill, evidence, n * sizeof *evidence, &moved.evidence, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, passages, n * sizeof *passages, &moved.passages, error);
    TRIB_FREE(evidence, passages);
    trib_buffer_release(&to.bytes);
    if (status != TRIB_OK) return status;
    trib_findings_release(findings);
    *findings = moved;
    findings->is_spilled = true;
    return TRIB_OK;
}

static pthread_mutex_t spilling = PTHREAD_MUTEX_INITIALIZER;

/* Opens the file for the first target. */
static trib_status open_spill(trib_spill *spill, const char *scratch, trib_error *error) {
    if (spill->n_segments > 0) return TRIB_OK;
    trib_spill_close(spill);
    return trib_spill_open(spill, scratch, false, error);
}

trib_status trib_findings_spill(trib_findings *findings, trib_spill *spill, const char *scratch,
                                trib_error *error) {
    if (!findings->evidence || findings->is_spilled || findings->n_sources == 0) return TRIB_OK;
    pthread_mutex_lock(&spilling);
    trib_status status = open_spill(spill, scratch, error);
    if (status == TRIB_OK) status = spill_all(findings, spill, error);
    pthread_mutex_unlock(&spilling);
    return status;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Calls a function for every array of the shares, after trib_shares_forget. */
static void visit_shares(trib_shares *shares, visitor visit, void *context) {
    for (uint32_t m = 0; m < shares->n_methods; m++) {
        trib_influence *r = &shares->influence[m];
        const size_t n = r->n_sources;
        double **const values[] = {&r->share,       &r->low,       &r->high,
                                   &r->group_share, &r->group_low, &r->group_high};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            visit(context, values[k], *values[k] ? n * sizeof **values[k] : 0);
        visit(context, &r->source, r->source ? n * sizeof *r->source : 0);
        visit(context, &r->group, r->group ? n * sizeof *r->group : 0);
        visit(context, &r->listed, r->listed ? r->n_listed * sizeof *r->listed : 0);
        visit(context, &r->trace, r->trace ? r->n_trace * sizeof *r->trace : 0);
    }
}

static void free_array(void *context, void *array, size_t n_bytes) {
    void *memory;
    (void)context;
    (void)n_bytes;
    memcpy(&memory, array, sizeof memory);
    trib_free(memory);
}

trib_status trib_shares_spill(trib_shares *shares, trib_spill *spill, const char *scratch,
                              trib_error *error) {
    copies to = {.error = error};
    if (shares->is_spilled) return TRIB_OK;
    trib_shares_forget(shares);
    visit_shares(shares, add_array, &to);
    trib_status status = to.status;
    pthread_mutex_lock(&spilling);
    if (status == TRIB_OK) status = open_spill(spill, scratch, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, to.bytes.text, to.bytes.length, &to.at, error);
    pthread_mutex_unlock(&spilling);
    trib_buffer_release(&to.bytes);
    if (status != TRIB_OK) return status;
    visit_shares(shares, free_array, NULL);
    visit_shares(shares, set_pointer, &to);
    shares->is_spilled = true;
    return TRIB_OK;
}
