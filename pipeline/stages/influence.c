/* influence.c - stage influence: measures every target with every method. */
#include "pipeline/stages/influence.h"

#include "pipeline/config/config.h"
#include "pipeline/stages/tensors.h"
#include "pipeline/support/pack.h"

#include <pthread.h>

trib_influence_case trib_measure_case(const trib_measure_inputs *inputs, uint32_t t,
                                      const trib_background *background) {
    const trib_target *target = &inputs->corpus->target[t];
    const trib_distances *distances = inputs->distances;
    const trib_corpus_index *index = inputs->index;
    const trib_concordance *concordance =
        index->n_targets > 0 ? &index->of_target[t] : &index->concordance;
    /* true even if every factor is zero */
    const bool measured = distances && distances->nearest.n_documents > 0;
    return (trib_influence_case){
        .document = inputs->tensors->view,
        .n_documents = inputs->corpus->n_documents,
        .n_words = inputs->n_words,
        .target = target->document,
        .source = target->source,
        .n_sources = target->n_sources,
        .formula = inputs->env->config->influence.formula,
        .frequent = index->n_targets > 0 ? &index->formulas : NULL,
        .factors = measured ? &distances->factors : NULL,
        .distances = measured ? &distances->nearest : NULL,
        .concordance = concordance->n_documents > 0 ? concordance : NULL,
        .background = background->n > 0 ? background : NULL,
        .folds = index->folds.fold ? &index->folds : NULL,
    };
}

bool trib_method_reads_skips(const trib_tensors *tensors, const trib_influence_method *method) {
    return tensors->skip_view && !method->needs_order;
}

const trib_influence_document *trib_method_documents(const trib_tensors *tensors,
                                                     const trib_influence_method *method) {
    return trib_method_reads_skips(tensors, method) ? tensors->skip_view : tensors->view;
}

/* Turns a case into one of n-grams with gaps. */
static void read_skips(trib_influence_case *c, const trib_measure_inputs *inputs, uint32_t t) {
    const trib_corpus_index *index = inputs->index;
    const trib_concordance *k = index->n_targets > 0 ? &index->skips_of_target[t] : &index->skips;
    c->document = inputs->tensors->skip_view;
    c->frequent = index->n_targets > 0 ? &index->skip_formulas : NULL;
    c->concordance = k->n_documents > 0 ? k : NULL;
}

trib_influence_case trib_method_case(const trib_measure_inputs *inputs, uint32_t t,
                                     const trib_influence_method *method,
                                     const trib_background *background) {
    trib_influence_case c = trib_measure_case(inputs, t, background);
    if (trib_method_reads_skips(inputs->tensors, method)) read_skips(&c, inputs, t);
    return c;
}

trib_floor trib_floor_begin(double configured, const trib_influence_method *method) {
    return (trib_floor){.share = isnan(configured) ? method->floor : configured};
}

void trib_floor_raise(trib_floor *floor, const char *decoy, double share) {
    if (share > 0 && (share > floor->share || (!floor->decoy && share >= floor->share)))
        *floor = (trib_floor){share, decoy};
}

bool trib_floor_covers(const trib_floor *floor, double share) {
    return !(share > floor->share || (!floor->decoy && share >= floor->share)) || !(share > 0);
}

trib_floor trib_influence_floor(const trib_config *config, const trib_corpus *corpus,
                                const trib_influence *influence) {
    trib_floor floor = trib_floor_begin(config->influence.floor, influence->method);
    for (size_t s = 0; s < influence->n_sources; s++) {
        const trib_corpus_document *about = corpus->document[influence->source[s]].about;
        if (about->role == TRIB_ROLE_DECOY)
            trib_floor_raise(&floor, about->id, trib_influence_group_share(influence, s));
    }
    return floor;
}

bool trib_share_is_noise(const trib_floor *floor, const trib_influence *influence, size_t s) {
    return trib_floor_covers(floor, trib_influence_group_share(influence, s));
}

bool trib_below_floor(const trib_shares *shares, size_t s) {
    return trib_share_is_noise(&shares->floor, shares->headline, s);
}

const trib_influence_method *trib_method_of_evidence(const trib_config *config) {
    const trib_influence_method *headline = config->influence.headline;
    if (headline && headline->has_evidence) return headline;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (config->influence.method[i]->has_evidence) return config->influence.method[i];
    /* beside the passages of `extent` stand phrases, which `traced` weighs then */
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (strcmp(config->influence.method[i]->name, "extent") == 0)
            return trib_influence_method_find("traced");
    return NULL;
}

const trib_influence_method *trib_method_of_trace(const trib_config *config) {
    const trib_influence_method *traced = trib_influence_method_find("traced");
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (config->influence.method[i] == traced) return traced;
    return NULL;
}

bool trib_has_null(const trib_config *config, const trib_influence_method *method) {
    return config->influence.null && method == config->influence.headline && !method->needs_factors;
}

trib_influence_options trib_config_influence_options(const trib_config *config, int n_threads,
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

/* ---- The index ------------------------------------------------------------------------------- */

static trib_status hold_document(const void *tensors, uint32_t d, trib_error *error) {
    return trib_counts_hold(tensors, d, error);
}

static void drop_document(const void *tensors, uint32_t d) { trib_counts_drop(tensors, d); }

/* The formulas of this rank, before those of others are added. */
typedef struct sharing {
    trib_frequent_ngrams *all;
    trib_frequent_ngram *own; /* [n_own] */
    size_t n_own;
} sharing;

static void pack_formulas(void *context, int from, trib_pack *pack) {
    sharing *s = context;
    trib_frequent_ngram *list = s->own;
    size_t n = s->n_own;
    (void)from;
    TRIB_PACK_LIST(pack, list, n, "formulas");
    for (size_t i = 0; pack->reads && i < n && trib_pack_is_good(pack); i++)
        (void)trib_frequent_add(s->all, &list[i], &pack->failure);
    if (pack->reads) trib_free(list);
}

/* Adds the formulas that the other ranks found among their parts of the hashes. */
static trib_status share_formulas(const trib_comm *comm, trib_status status,
                                  trib_frequent_ngrams *formulas, trib_error *error) {
    sharing s = {.all = formulas};
    if (comm->size <= 1) return status;
    if (status == TRIB_OK) status = TRIB_NEW(&s.own, formulas->n, "formulas", error);
    for (size_t i = 0; i < formulas->n_slots && status == TRIB_OK; i++)
        if (formulas->slot[i].n_documents > 0) s.own[s.n_own++] = formulas->slot[i];
    status = trib_comm_tell_all(comm, status, false, pack_formulas, &s, error);
    trib_free(s.own);
    return status;
}

/* Finds the formulas of a corpus with candidates, each rank a part of them. Those of no target are
 * left out if nothing needs them. */
static trib_status find_formulas(const trib_measure_inputs *inputs, trib_status status,
                                 const trib_influence_document *view,
                                 trib_frequent_ngrams *formulas, trib_error *error) {
    enum { COUNTERS = 256 << 20 }; /* bytes */
    const trib_corpus *corpus = inputs->corpus;
    const trib_comm *comm = inputs->env->comm;
    const uint32_t formula = inputs->env->config->influence.formula;
    const uint32_t n_ranks = comm->size > 1 ? (uint32_t)comm->size : 1;
    /* a shuffled target has n-grams that the target does not have */
    const bool needs_all = inputs->env->config->influence.null;
    const trib_documents_reading reading = {hold_document, drop_document, inputs->tensors};
    uint32_t *order = NULL, *target = NULL;
    if (formulas->slot || formula == 0 || formula >= corpus->n_documents) return status;
    if (status == TRIB_OK) status = trib_corpus_by_date(corpus, &order, error);
    if (status == TRIB_OK) status = TRIB_NEW(&target, corpus->n_targets, "the targets", error);
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++)
        target[t] = corpus->target[t].document;
    const trib_frequent_options options = {.more_than = formula,
                                           .part = (uint32_t)comm->rank,
                                           .n_parts = n_ranks,
                                           .most_bytes = COUNTERS / n_ranks,
                                           .only = needs_all ? NULL : target,
                                           .n_only = corpus->n_targets,
                                           .n_threads = inputs->env->n_threads};
    if (status == TRIB_OK)
        status = trib_frequent_find(formulas, view, order, corpus->n_documents, &options, &reading,
                                    error);
    TRIB_FREE(order, target);
    return share_formulas(comm, status, formulas, error);
}

/* Prepares the index of several targets; their concordances are made later, one by one. */
static trib_status begin_targets(const trib_measure_inputs *inputs, trib_status status,
                                 trib_error *error) {
    const trib_tensors *tensors = inputs->tensors;
    trib_corpus_index *index = inputs->index;
    const uint32_t n = inputs->corpus->n_targets;
    if (status == TRIB_OK) status = TRIB_NEW(&index->of_target, n, "the targets", error);
    if (status == TRIB_OK && tensors->skip_view)
        status = TRIB_NEW(&index->skips_of_target, n, "the targets", error);
    if (status == TRIB_OK) index->n_targets = n;
    status = find_formulas(inputs, status, tensors->view, &index->formulas, error);
    return tensors->skip_view
               ? find_formulas(inputs, status, tensors->skip_view, &index->skip_formulas, error)
               : status;
}

trib_status trib_target_index_build(const trib_measure_inputs *inputs, uint32_t t, int n_threads,
                                    trib_error *error) {
    trib_corpus_index *index = inputs->index;
    if (index->n_targets == 0 || index->of_target[t].n_documents > 0) return TRIB_OK;
    trib_influence_case c = trib_measure_case(inputs, t, &(trib_background){0});
    const trib_status status = trib_concordance_of_case(&index->of_target[t], &c, n_threads, error);
    if (status != TRIB_OK || !inputs->tensors->skip_view) return status;
    read_skips(&c, inputs, t);
    return trib_concordance_of_case(&index->skips_of_target[t], &c, n_threads, error);
}

void trib_target_index_release(trib_corpus_index *index, uint32_t t) {
    if (t >= index->n_targets) return;
    trib_concordance_release(&index->of_target[t]);
    if (index->skips_of_target) trib_concordance_release(&index->skips_of_target[t]);
}

/* Folds the vocabulary, if a method compares folded words, or passages are listed. */
static trib_status make_folds(const trib_measure_inputs *inputs, trib_error *error) {
    const trib_config *config = inputs->env->config;
    bool is_needed = trib_method_of_evidence(config) != NULL;
    for (uint32_t m = 0; m < config->influence.n_methods; m++)
        is_needed = is_needed || config->influence.method[m]->reads & TRIB_READS_FOLDS;
    if (!is_needed || !inputs->word || inputs->index->folds.fold) return TRIB_OK;
    return trib_folds_make(&inputs->index->folds, inputs->word, inputs->n_words, inputs->other,
                           error);
}

static trib_status build_concordance(const trib_measure_inputs *inputs,
                                     const trib_influence_document *view,
                                     trib_concordance *concordance, trib_error *error) {
    const trib_corpus *corpus = inputs->corpus;
    if (corpus->n_targets == 1)
        return trib_concordance_of_target(concordance, view, corpus->n_documents, inputs->n_words,
                                          corpus->target[0].document, NULL, 0,
                                          inputs->env->n_threads, error);
    return trib_concordance_build(concordance, view, corpus->n_documents, inputs->n_words, error);
}

trib_status trib_corpus_index_build(const trib_measure_inputs *inputs, trib_status status,
                                    trib_error *error) {
    const trib_tensors *tensors = inputs->tensors;
    trib_corpus_index *index = inputs->index;
    if (status == TRIB_OK) status = make_folds(inputs, error);
    if (inputs->corpus->candidates.most > 0) return begin_targets(inputs, status, error);
    if (status != TRIB_OK) return status;
    status = build_concordance(inputs, tensors->view, &index->concordance, error);
    return status == TRIB_OK && tensors->skip_view
               ? build_concordance(inputs, tensors->skip_view, &index->skips, error)
               : status;
}

void trib_corpus_index_forget_orders(trib_corpus_index *index) {
    trib_word_orders_release(&index->orders);
    index->has_read_orders = false;
}

void trib_corpus_index_release(trib_corpus_index *index) {
    trib_concordance_release(&index->concordance);
    trib_concordance_release(&index->skips);
    for (uint32_t t = 0; t < index->n_targets; t++) trib_target_index_release(index, t);
    TRIB_FREE(index->of_target, index->skips_of_target);
    trib_frequent_release(&index->formulas);
    trib_frequent_release(&index->skip_formulas);
    trib_folds_release(&index->folds);
    trib_corpus_index_forget_orders(index);
    *index = (trib_corpus_index){0};
}

static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER;

/* One thread builds the word orders while the others wait. If memory is short (n-grams have been
 * spilled to a file, or the word orders do not fit), each target builds those of its own
 * sources. */
const trib_word_orders *trib_measure_orders(const trib_measure_inputs *inputs) {
    const uint32_t n_documents = inputs->corpus->n_documents, n_targets = inputs->corpus->n_targets;
    const uint64_t n_listed = inputs->env->config->influence.shortlist; /* 0: all */
    const bool is_worth = n_listed == 0 || n_targets * (n_listed + 1) >= n_documents;
    trib_corpus_index *index = inputs->index;
    if (n_targets < 2 || inputs->tensors->n_spilled > 0 || !is_worth) return NULL;
    pthread_mutex_lock(&building);
    if (!index->has_read_orders) {
        trib_error failure = {0};
        index->has_read_orders = true;
        if (trib_word_orders_build(&index->orders, inputs->tensors->view, n_documents, NULL, 0,
                                   inputs->n_words, &failure) == TRIB_OK &&
            index->folds.fold && inputs->corpus->candidates.most == 0)
            (void)trib_word_orders_fold(&index->orders, &index->folds, &failure);
    }
    pthread_mutex_unlock(&building);
    return index->orders.n_documents > 0 ? &index->orders : NULL;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

trib_status trib_measure_target(const trib_measure_inputs *inputs, uint32_t t, uint32_t method,
                                int n_threads, trib_progress progress, trib_background *background,
                                trib_shares *shares, trib_error *error) {
    const trib_config *config = inputs->env->config;
    const trib_influence_method *row = config->influence.method[method];
    const trib_influence_options options =
        trib_config_influence_options(config, n_threads, progress);
    const trib_status status = row->needs_background
                                   ? trib_language_of(inputs->texts, &inputs->corpus->target[t],
                                                      n_threads, progress, background, error)
                                   : TRIB_OK;
    if (status != TRIB_OK) return status;
    trib_influence_case c = trib_method_case(inputs, t, row, background);
    if (row->reads_words || trib_has_null(config, row)) c.orders = trib_measure_orders(inputs);
    const bool is_of_words = row->reads & TRIB_READS_FOLDS;
    for (uint32_t k = 0; k < shares->n_methods; k++)
        if ((is_of_words ? shares->influence[k].twin : shares->influence[k].split) &&
            /* of the same n-grams */
            (!inputs->tensors->skip_view ||
             shares->influence[k].method->needs_order == row->needs_order))
            c.other = &shares->influence[k];
    const trib_status measured =
        trib_influence_measure(&shares->influence[method], row, &c, &options, error);
    return measured == TRIB_OK && trib_has_null(config, row)
               ? trib_influence_null_measure(&shares->null, row, &c, &options, error)
               : measured;
}

trib_status trib_shares_init(trib_shares *shares, const trib_config *config, trib_error *error) {
    const uint32_t n = config->influence.n_methods;
    const trib_status status = TRIB_NEW(&shares->influence, n, "the shares", error);
    if (status == TRIB_OK) shares->n_methods = n;
    for (uint32_t i = 0; i < shares->n_methods; i++)
        if (config->influence.method[i] == config->influence.headline)
            shares->headline = &shares->influence[i];
    return status;
}

void trib_shares_finish(trib_shares *shares, const trib_config *config, const trib_corpus *corpus) {
    for (uint32_t i = 0; i < shares->n_methods; i++) {
        /* free the splits, which would need memory for every source of every target */
        trib_free(shares->influence[i].split);
        shares->influence[i].split = NULL;
    }
    shares->floor = trib_influence_floor(config, corpus, shares->headline);
}

void trib_shares_forget(trib_shares *shares) {
    for (uint32_t i = 0; i < shares->n_methods; i++) {
        trib_influence *influence = &shares->influence[i];
        for (size_t p = 0; p < influence->n_passages; p++)
            trib_passages_release(&influence->passages[p]);
        TRIB_FREE(influence->credit, influence->mix, influence->weight, influence->twin,
                  influence->passages);
        influence->credit = influence->mix = influence->weight = influence->twin = NULL;
        influence->passages = NULL;
        influence->n_twin = influence->n_passages = 0;
        influence->is_brief = true;
    }
}

void trib_shares_release(trib_shares *shares) {
    for (uint32_t i = 0; i < shares->n_methods && !shares->is_spilled; i++)
        trib_influence_release(&shares->influence[i]);
    trib_free(shares->influence);
    *shares = (trib_shares){0};
}

/* ---- Warnings -------------------------------------------------------------------------------- */

/* Returns whether a method that compares factors matched almost nothing (docs/model.md section
 * 5). */
static bool matched_little(const trib_target *target, const trib_influence *influence) {
    return target->n_sources > 0 && influence->matched < .01;
}

/* Warns about unreliable headline shares of one target. */
static trib_status judge(const trib_environment *env, const char *id, const trib_target *target,
                         const trib_shares *shares, trib_error *error) {
    const trib_influence *headline = shares->headline;
    trib_status status = TRIB_OK;
    if (matched_little(target, headline))
        status = trib_warnings_add(
            env->warnings, error,
            "%s: %s matched %.2f %% of the factors' mass at threshold %g: its shares say "
            "nothing; "
            "try a larger influence.threshold, cp.solver fibre or method lowe-soft",
            id, headline->method->name, 100 * headline->matched, env->config->influence.threshold);
    if (status == TRIB_OK && shares->floor.decoy)
        status =
            trib_warnings_add(env->warnings, error,
                              "%s: the decoy '%s' has a share of %.1f %%: smaller shares are noise",
                              id, shares->floor.decoy, 100 * shares->floor.share);
    return status;
}

/* Logs one line for each method other than the headline that matched almost nothing. The report
 * explains it in the section of the method. */
static void note_little_matched(const trib_environment *env, const trib_corpus *corpus,
                                const trib_shares shares[]) {
    const trib_config *config = env->config;
    for (uint32_t i = 0; i < config->influence.n_methods; i++) {
        const trib_influence_method *method = config->influence.method[i];
        uint32_t n = 0;
        if (method == config->influence.headline) continue;
        for (uint32_t t = 0; t < corpus->n_targets; t++)
            n += matched_little(&corpus->target[t], &shares[t].influence[i]);
        if (n > 0)
            trib_log_say(env->log, TRIB_LOG_DEBUG,
                         "%s matched less than 1 %% of the factors' mass of %u of %u target%s; "
                         "the report says more beside its distances",
                         method->name, n, corpus->n_targets, corpus->n_targets == 1 ? "" : "s");
    }
}

trib_status trib_shares_warn(const trib_environment *env, const trib_corpus *corpus,
                             const trib_shares shares[], trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++) {
        const trib_target *target = &corpus->target[t];
        const char *id = corpus->document[target->document].about->id;
        status = judge(env, id, target, &shares[t], error);
    }
    if (status == TRIB_OK) note_little_matched(env, corpus, shares);
    return status;
}
