/* findings.c - stages influence and evidence: every target by every method, then the phrases behind the headline. */
#include "pipeline/stages/findings.h"
#include "pipeline/stages/language.h"
#include "pipeline/stages/near_duplicates.h"
#include "pipeline/store/cached.h"

#include <math.h>

trib_influence_case trib_run_case(const trib_run *run, const trib_run_target *target) {
    const bool measured = run->distances.n_documents > 0; /* even when every factor is zero */
    return (trib_influence_case){
        .document = run->view,
        .n_documents = run->n_documents,
        .n_words = run->vocab.n_words,
        .target = target->document,
        .source = target->source,
        .n_sources = target->n_sources,
        .factors = measured ? &run->factors : NULL,
        .distances = measured ? &run->distances : NULL,
        .concordance = run->concordance.n_documents > 0 ? &run->concordance : NULL,
        .background = target->background.n > 0 ? &target->background : NULL,
    };
}

trib_floor trib_run_floor(const trib_run *run, const trib_influence *influence) {
    trib_floor floor = {.share = run->config->influence.floor};
    for (size_t s = 0; s < influence->n_sources; s++) {
        const trib_corpus_document *about = run->document[influence->source[s]].about;
        if (about->role == TRIB_ROLE_DECOY)
            trib_floor_raise(&floor, about->id, influence->share[s]);
    }
    return floor;
}

bool trib_below_floor(const trib_run_target *target, size_t s) {
    return trib_floor_covers(&target->floor, target->headline->share[s]);
}

trib_extent trib_target_extent(const trib_run *run, const trib_run_target *target) {
    enum { WORDS_PER_SOURCE = 200, WORDS_PER_PHRASE = 50 };
    const size_t top = run->config->report.top_phrases;
    const size_t n_words = run->document[target->document].n_tokens;
    trib_extent most = {SIZE_MAX, top, top};
    if (!trib_target_is_brief(target)) return most;
    most.sources = n_words < WORDS_PER_SOURCE ? 1 : n_words / WORDS_PER_SOURCE;
    if (most.phrases > n_words / WORDS_PER_PHRASE) most.phrases = n_words / WORDS_PER_PHRASE;
    if (most.phrases < TRIB_NOISE_PHRASES && top >= TRIB_NOISE_PHRASES)
        most.phrases = TRIB_NOISE_PHRASES;
    if (most.passages > most.sources) most.passages = most.sources;
    return most;
}

bool trib_target_is_short(const trib_run *run, const trib_run_target *target) {
    return trib_target_is_brief(target) &&
           run->document[target->document].n_tokens < TRIB_SHORT_WORDS;
}

static trib_influence_options options_of(const trib_config *config, int n_threads,
                                         trib_progress progress) {
    return (trib_influence_options){
        .threshold = config->influence.threshold,
        .background = config->influence.background,
        .bootstrap = config->influence.bootstrap,
        .run = config->influence.run,
        .shortlist = config->influence.shortlist,
        .seed = config->cp.seed,
        .n_threads = n_threads,
        .progress = progress,
    };
}

/* The words of all documents in order, where several targets are traced; one thread reads them, and the others wait. Where
 * memory is short (n-grams are in a file, or these do not fit) every target reads those of its own sources. */
static const trib_word_orders *find_orders(trib_run *run) {
    const uint64_t n_listed = run->config->influence.shortlist; /* 0: all */
    const bool is_worth = n_listed == 0 || run->n_targets * (n_listed + 1) >= run->n_documents;
    if (run->n_targets < 2 || run->n_spilled > 0 || !is_worth) return NULL;
#pragma omp critical(trib_run_orders)
    if (!run->has_read_orders) {
        trib_error failure = {0};
        run->has_read_orders = true;
        (void)trib_word_orders_build(&run->orders, run->view, run->n_documents, NULL, 0,
                                     run->vocab.n_words, &failure);
    }
    return run->orders.n_documents > 0 ? &run->orders : NULL;
}

static void forget_orders(trib_run *run) {
    trib_word_orders_release(&run->orders);
    run->has_read_orders = false;
}

trib_status trib_run_measure(trib_run *run, uint32_t part, int n_threads, trib_progress progress,
                             trib_error *error) {
    const uint32_t n_methods = run->config->influence.n_methods, i = part % n_methods;
    const trib_influence_method *method = run->config->influence.method[i];
    trib_run_target *target = &run->target[part / n_methods];
    const trib_influence_options options = options_of(run->config, n_threads, progress);
    const trib_status status = method->needs_background
                                   ? trib_language_of(run, target, n_threads, progress, error)
                                   : TRIB_OK;
    if (status != TRIB_OK) return status;
    trib_influence_case c = trib_run_case(run, target);
    if (method->reads_words) c.orders = find_orders(run);
    for (uint32_t k = 0; k < n_methods; k++)
        if (target->influence[k].split) c.other = &target->influence[k];
    return trib_influence_measure(&target->influence[i], method, &c, &options, error);
}

/* The other methods of the target are measured: every source of every target would have one. */
static void forget_split(trib_influence *influence) {
    trib_free(influence->split);
    influence->split = NULL;
}

static trib_status measure_target(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                                  trib_error *error) {
    const trib_config *config = run->config;
    const uint32_t n_methods = config->influence.n_methods;
    trib_run_target *target = &run->target[t];
    trib_status status =
        trib_new(&target->influence, n_methods, sizeof *target->influence, "the shares", error);
    for (uint32_t i = 0; i < n_methods && status == TRIB_OK; i++) {
        status = trib_cached_part(run, &trib_cached_influence, t * n_methods + i, n_threads,
                                  progress, error);
        if (config->influence.method[i] == config->influence.headline)
            target->headline = &target->influence[i];
    }
    for (uint32_t i = 0; target->influence && i < n_methods; i++)
        forget_split(&target->influence[i]);
    trib_background_release(&target->background); /* every target has a large one */
    if (status == TRIB_OK) target->floor = trib_run_floor(run, target->headline);
    return status;
}

const trib_influence_method *trib_method_of_evidence(const trib_config *config) {
    if (config->influence.headline->has_evidence) return config->influence.headline;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (config->influence.method[i]->has_evidence) return config->influence.method[i];
    return NULL;
}

/* The result evidence is made of. What was taken from the cache holds shares alone: then it is measured `again`, without
 * intervals, which gives the same bits. */
static trib_status with_evidence(trib_run *run, trib_run_target *target, int n_threads,
                                 trib_progress progress, trib_influence *again,
                                 const trib_influence **result, trib_error *error) {
    const trib_influence_method *method = trib_method_of_evidence(run->config);
    trib_influence_options options = options_of(run->config, n_threads, progress);
    for (uint32_t i = 0; i < run->config->influence.n_methods; i++)
        if (target->influence[i].method == method) *result = &target->influence[i];
    if (!(*result)->is_brief) return TRIB_OK;
    options.bootstrap = 0;
    *result = again;
    const trib_status status = method->needs_background
                                   ? trib_language_of(run, target, n_threads, progress, error)
                                   : TRIB_OK;
    if (status != TRIB_OK) return status;
    trib_influence_case c = trib_run_case(run, target);
    if (method->reads_words) c.orders = find_orders(run);
    return trib_influence_measure(again, method, &c, &options, error);
}

trib_status trib_run_new_evidence(trib_run_target *target, trib_error *error) {
    const trib_status status = trib_new(&target->evidence, target->n_sources,
                                        sizeof *target->evidence, "the evidence", error);
    return status == TRIB_OK ? trib_new(&target->passages, target->n_sources,
                                        sizeof *target->passages, "the passages", error)
                             : status;
}

/* Words two runs may be apart, in either text, and still be one passage. */
enum { LONGEST_GAP = 10 };

/* Below the noise floor matches are scattered over the whole text: only sources above it have passages. */
static trib_status find_passages(const trib_run *run, trib_run_target *target,
                                 const trib_influence_case *c, const trib_influence *result,
                                 int n_threads, trib_error *error) {
    trib_status status = TRIB_OK;
    size_t failed = SIZE_MAX; /* the first source that did */
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t s = 0; s < target->n_sources; s++) {
        trib_error failure = {0};
        if (trib_below_floor(target, s)) continue;
        trib_status one = trib_stop_check(&failure);
        if (one == TRIB_OK)
            one = trib_passages_find(&target->passages[s], c, result, s, run->vocab.other,
                                     LONGEST_GAP, &failure);
        if (one == TRIB_OK) continue;
#pragma omp critical(trib_passages_status)
        if (s < failed) {
            failed = s;
            status = one;
            if (error) *error = failure;
        }
    }
    return status;
}

trib_status trib_run_find_evidence(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                                   trib_error *error) {
    trib_run_target *target = &run->target[t];
    trib_influence_case c = trib_run_case(run, target);
    const size_t top = run->config->report.top_phrases;
    const trib_influence *result = NULL;
    trib_influence again = {0};
    struct trib_overlap *overlap = NULL;
    trib_status status = trib_run_new_evidence(target, error);
    if (status == TRIB_OK)
        status = with_evidence(run, target, n_threads, progress, &again, &result, error);
    if (status == TRIB_OK) status = trib_overlap_of_listed(&overlap, &c, result, error);
    c.overlap = overlap;
    if (status == TRIB_OK)
        status = trib_evidence_build(target->evidence, &c, result, n_threads, error);
    if (status == TRIB_OK) status = trib_stop_check(error);
    if (status == TRIB_OK) status = trib_evidence_of_author(&target->own, &c, error);
    if (status == TRIB_OK) trib_evidence_cut(&target->own, top); /* as much as is shown */
    for (size_t s = 0; s < target->n_sources && status == TRIB_OK; s++)
        if (trib_below_floor(target, s)) trib_evidence_cut(&target->evidence[s], top);
    if (status == TRIB_OK) status = find_passages(run, target, &c, result, n_threads, error);
    trib_overlap_free(overlap);
    trib_influence_release(&again);
    return status;
}

/* Whether a method that compares factors matched next to nothing: docs/model.md section 5. */
static bool matched_little(const trib_run_target *target, const trib_influence *influence) {
    return target->n_sources > 0 && influence->matched < .01;
}

/* Warns where a share of the headline says less than it seems to. */
static trib_status judge(trib_run *run, const trib_run_target *target, trib_error *error) {
    const char *id = run->document[target->document].about->id;
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < run->config->influence.n_methods && status == TRIB_OK; i++) {
        const trib_influence *influence = &target->influence[i];
        if (influence == target->headline && matched_little(target, influence))
            status = trib_run_warn(
                run, error,
                "%s: %s matched %.2f %% of the factors' mass at threshold %g: its shares say "
                "nothing; "
                "try a larger influence.threshold, cp.solver fibre or method lowe-soft",
                id, influence->method->name, 100 * influence->matched,
                run->config->influence.threshold);
    }
    if (status == TRIB_OK && target->floor.decoy)
        status = trib_run_warn(
            run, error, "%s: the decoy '%s' has a share of %.1f %%: smaller shares are noise", id,
            target->floor.decoy, 100 * target->floor.share);
    return status;
}

/* A method beside the headline is an appendix: one line in the log, and what it means in its own section of the report. */
static void note_little_matched(trib_run *run) {
    for (uint32_t i = 0; i < run->config->influence.n_methods; i++) {
        const trib_influence_method *method = run->config->influence.method[i];
        uint32_t n = 0;
        if (method == run->config->influence.headline) continue;
        for (uint32_t t = 0; t < run->n_targets; t++)
            n += matched_little(&run->target[t], &run->target[t].influence[i]);
        if (n > 0)
            trib_log_say(run->log, TRIB_LOG_INFO,
                         "%s matched less than 1 %% of the factors' mass of %u of %u target%s; "
                         "the report says more beside its distances",
                         method->name, n, run->n_targets, run->n_targets == 1 ? "" : "s");
    }
}

uint64_t trib_target_size(const trib_run *run, uint32_t t) {
    return run->document[run->target[t].document].n_ngrams;
}

/* What is kept of a target's methods is also what the ranks give each other; what evidence needs besides, the rank that
 * measured it has, for both stages spread the targets alike. */
static void pack_target(const trib_run *run, uint32_t t, trib_pack *out) {
    const uint32_t n_methods = run->config->influence.n_methods;
    for (uint32_t i = 0; i < n_methods; i++)
        trib_cached_influence.pack(run, t * n_methods + i, out);
}

static trib_status unpack_target(trib_run *run, uint32_t t, trib_unpack *in, trib_error *error) {
    const uint32_t n_methods = run->config->influence.n_methods;
    trib_run_target *target = &run->target[t];
    trib_status status =
        trib_new(&target->influence, n_methods, sizeof *target->influence, "the shares", error);
    for (uint32_t i = 0; i < n_methods && status == TRIB_OK; i++) {
        status = trib_cached_influence.unpack(run, t * n_methods + i, in, error);
        if (run->config->influence.method[i] == run->config->influence.headline)
            target->headline = &target->influence[i];
    }
    if (status == TRIB_OK && !in->is_wrong) target->floor = trib_run_floor(run, target->headline);
    return status;
}

static void forget_target(trib_run *run, uint32_t t) {
    const uint32_t n_methods = run->config->influence.n_methods;
    trib_run_target *target = &run->target[t];
    for (uint32_t i = 0; target->influence && i < n_methods; i++)
        trib_cached_influence.forget(run, t * n_methods + i);
    trib_free(target->influence);
    target->influence = NULL;
}

static const trib_part_row measuring = {.work = measure_target,
                                        .size = trib_target_size,
                                        .forget = forget_target,
                                        .pack = pack_target,
                                        .unpack = unpack_target};

/* Who holds the n-grams: of all documents, or of the only target at the cost of its own. */
static trib_status find_holders(trib_run *run, trib_error *error) {
    if (run->n_targets == 1)
        return trib_concordance_of_target(&run->concordance, run->view, run->n_documents,
                                          run->vocab.n_words, run->target[0].document, NULL, 0,
                                          run->n_threads, error);
    return trib_concordance_build(&run->concordance, run->view, run->n_documents,
                                  run->vocab.n_words, error);
}

trib_status trib_stage_influence(trib_run *run, trib_error *error) {
    trib_status status = trib_near_duplicates_warn(run, error);
    if (status == TRIB_OK) status = find_holders(run, error);
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK)
        status = trib_language_parts(run, &trib_cached_influence, &measuring, error);
    forget_orders(run);
    for (uint32_t t = 0; t < run->n_targets && status == TRIB_OK; t++)
        status = judge(run, &run->target[t], error);
    if (status == TRIB_OK) note_little_matched(run);
    return status;
}

static trib_status find_evidence(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                                 trib_error *error) {
    const trib_status status =
        trib_cached_part(run, &trib_cached_evidence, t, n_threads, progress, error);
    trib_background_release(&run->target[t].background);
    return status;
}

trib_status trib_stage_evidence(trib_run *run, trib_error *error) {
    const trib_part_row searching = {.work = find_evidence,
                                     .size = trib_target_size,
                                     .forget = trib_cached_evidence.forget,
                                     .pack = trib_cached_evidence.pack,
                                     .unpack = trib_cached_evidence.unpack};
    const trib_status status = trib_language_parts(run, &trib_cached_evidence, &searching, error);
    forget_orders(run);
    return status;
}
