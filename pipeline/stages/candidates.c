/* candidates.c - stage candidates: samples every document's n-grams and runs of words, sorts the
 * samples on disk, and chooses for each target the sources with the largest estimated shares, and
 * those that share a long run of words with it. */
#include "pipeline/stages/candidates.h"
#include "base/internal.h"
#include "pipeline/comm/shards.h"
#include "pipeline/support/pack.h"

/* The stage while it runs. */
typedef struct search {
    const trib_read_texts *in;
    const trib_corpus *corpus;
    trib_sampling samples;
    trib_sketch_index ngrams, runs;       /* of this rank's part of the hashes */
    trib_shard_outbox to_ngrams, to_runs; /* entries for them and those of other ranks */
    double *end;                          /* [n_documents] trib_corpus_ends */
    uint32_t n_decoys;
    uint32_t *target;          /* [n_targets] document numbers */
    int *owner;                /* [n_targets] the rank that chooses its sources */
    trib_candidate_list *list; /* [n_targets] */
    uint32_t first;            /* of the batch of this rank's documents */
} search;

/* ---- Preparation ----------------------------------------------------------------------------- */

static trib_status find_ends(search *s, trib_error *error) {
    for (uint32_t d = 0; d < s->corpus->n_documents; d++)
        s->n_decoys += s->corpus->document[d].about->role == TRIB_ROLE_DECOY;
    return trib_corpus_ends(s->in->env->config, s->corpus, &s->end, error);
}

/* The rank that has counted a target chooses its sources. */
static trib_status search_init(search *s, trib_error *error) {
    static const char what[] = "the choice of sources";
    const uint32_t n_targets = s->corpus->n_targets;
    trib_status status = trib_sampling_init(&s->samples, s->in, s->corpus, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s->target, n_targets, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s->list, n_targets, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s->owner, n_targets, what, error);
    for (uint32_t t = 0; t < n_targets && status == TRIB_OK; t++) {
        s->target[t] = s->corpus->target[t].document;
        s->owner[t] = s->in->tensors->owner[s->target[t]];
    }
    return status;
}

static trib_status open_indexes(search *s, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    const trib_comm *comm = s->in->env->comm;
    trib_sketch_index_options options = {
        .directory = s->in->env->scratch,
        .n_documents = n,
        .least_partitions = (uint32_t)comm->size,
        .most_holders = n > TRIB_SKETCH_COMPLETE ? TRIB_SKETCH_MOST_HOLDERS : 0};
    for (uint32_t d = 0; d < n; d++) options.n_expected += s->samples.n_ngrams[d] / s->samples.rate;
    trib_status status = trib_sketch_index_open(&s->ngrams, &options, error);
    if (status == TRIB_OK) status = trib_sketch_index_open(&s->runs, &options, error);
    if (status == TRIB_OK) status = trib_shard_outbox_open(&s->to_ngrams, comm, &s->ngrams, error);
    return status == TRIB_OK ? trib_shard_outbox_open(&s->to_runs, comm, &s->runs, error) : status;
}

/* ---- Documents ------------------------------------------------------------------------------- */

enum { REST = 64 }; /* documents between two rests of the spilled tensors */

static trib_status add_document(void *context, size_t i, trib_error *error) {
    search *s = context;
    const uint32_t d = s->samples.own[s->first + i];
    trib_sketch sketch = {0};
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK) status = trib_sampling_ngrams(&s->samples, d, &sketch, error);
    if (status == TRIB_OK)
        status = trib_shard_outbox_add(&s->to_ngrams, sketch.entry, sketch.n, error);
    if (status == TRIB_OK) status = trib_sampling_runs(&s->samples, d, &sketch, error);
    if (status == TRIB_OK)
        status = trib_shard_outbox_add(&s->to_runs, sketch.entry, sketch.n, error);
    trib_sketch_release(&sketch);
    if (i % REST == 0) trib_tensors_rest(s->in->tensors);
    return status;
}

/* The number of documents from s->first on whose entries are sent together. */
static uint32_t batch_size(const search *s) {
    enum { AT_ONCE = 1 << 19, WORDS_OF_RUN = 8 }; /* entries, roughly; words for one of a run */
    uint64_t n_entries = 0;
    uint32_t n = 0;
    if (s->in->env->comm->size <= 1) return s->samples.n_own;
    for (; s->first + n < s->samples.n_own && n_entries < AT_ONCE; n++) {
        const uint32_t d = s->samples.own[s->first + n];
        n_entries += s->samples.n_ngrams[d] / s->samples.rate +
                     s->in->words->document[d].n_tokens / WORDS_OF_RUN;
    }
    return n;
}

/* Sketches the documents of this rank, and brings the entries to the owners of their hashes. */
static trib_status add_documents(search *s, trib_status status, trib_error *error) {
    const trib_workers workers = trib_environment_workers(s->in->env);
    for (bool goes_on = true; goes_on;) {
        const uint32_t n = status == TRIB_OK ? batch_size(s) : 0;
        if (status == TRIB_OK) status = trib_tasks_do(&workers, n, add_document, s, error);
        s->first += n;
        status = trib_shard_outbox_send(&s->to_ngrams, status, error);
        status = trib_shard_outbox_send(&s->to_runs, status, error);
        goes_on =
            trib_comm_least(workers.comm, status != TRIB_OK || s->first == s->samples.n_own) == 0;
    }
    trib_shard_outbox_close(&s->to_ngrams);
    trib_shard_outbox_close(&s->to_runs);
    return status;
}

/* ---- Targets --------------------------------------------------------------------------------- */

static void restrict_sources(void *context, uint32_t target, uint8_t *is_source) {
    const search *s = context;
    const double begin = trib_config_begin(s->in->env->config, s->corpus->document[target].about);
    const uint32_t n = s->corpus->n_documents;
    for (uint32_t d = 0; d < n; d++) is_source[d] &= s->end[d] <= begin;
}

/* Sets the sources of a target to its candidates and the decoys. */
static trib_status take(search *s, trib_target *target, trib_candidate_list *list,
                        trib_error *error) {
    const uint32_t n_documents = s->corpus->n_documents, own = target->document;
    const double begin = trib_config_begin(s->in->env->config, s->corpus->document[own].about);
    uint32_t n = 0;
    target->n_admissible = 0;
    for (uint32_t d = 0; d < n_documents; d++) target->n_admissible += s->end[d] <= begin;
    target->n_admissible -= s->end[own] <= begin;
    trib_free(target->source);
    trib_status status =
        TRIB_NEW(&target->source, list->n + s->n_decoys, "a list of sources", error);
    for (size_t i = 0; status == TRIB_OK && i < list->n; i++)
        if (s->corpus->document[list->candidate[i].document].about->role != TRIB_ROLE_DECOY)
            target->source[n++] = list->candidate[i].document;
    for (uint32_t d = 0; status == TRIB_OK && s->n_decoys > 0 && d < n_documents; d++)
        if (s->corpus->document[d].about->role == TRIB_ROLE_DECOY && s->end[d] <= begin && d != own)
            target->source[n++] = d;
    if (n > 1) qsort(target->source, n, sizeof *target->source, trib_by_uint32);
    target->n_sources = n;
    return status;
}

static trib_candidate_search search_of(search *s) {
    const uint32_t most = trib_config_candidates(s->in->env->config);
    return (trib_candidate_search){.ngrams = &s->ngrams,
                                   .runs = &s->runs,
                                   .n_ngrams = s->samples.n_ngrams,
                                   .rate = s->samples.rate,
                                   .has_wanted = s->samples.has_wanted,
                                   .restrict_sources = restrict_sources,
                                   .context = s,
                                   .most = most,
                                   .most_by_runs = most / 4 + 1,
                                   .n_threads = s->in->env->n_threads,
                                   .progress = trib_log_progress(s->in->env->log)};
}

/* The other ranks need only the numbers of the documents. */
static void pack_list(void *context, uint32_t t, trib_pack *pack) {
    const search *s = context;
    trib_candidate_list *list = &s->list[t];
    trib_pack_number(pack, &list->candidate, &list->n, sizeof *list->candidate, sizeof(uint32_t),
                     "the candidates");
    for (size_t i = 0; i < list->n; i++) {
        TRIB_PACK(pack, list->candidate[i].document);
        trib_pack_expect(pack, list->candidate[i].document < s->corpus->n_documents);
    }
}

static trib_status find_candidates(search *s, trib_status status, trib_corpus *corpus,
                                   trib_error *error) {
    const trib_candidate_search asked = search_of(s);
    const trib_comm *comm = s->in->env->comm;
    const trib_part_row targets = {.pack = pack_list, .owner = s->owner};
    status = trib_shard_find(s->list, s->target, corpus->n_targets, s->owner, comm, status, &asked,
                             error);
    status = trib_parts_share(comm, status, corpus->n_targets, &targets, s, error);
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++) {
        status = take(s, &corpus->target[t], &s->list[t], error);
        trib_candidate_list_release(&s->list[t]);
    }
    return status;
}

static trib_status finish(const search *s, trib_corpus *corpus, trib_error *error) {
    const trib_environment *env = s->in->env;
    const trib_status status =
        TRIB_NEW(&corpus->is_measured, corpus->n_documents, "the candidates", error);
    if (status != TRIB_OK) return status;
    for (uint32_t t = 0; t < corpus->n_targets; t++) trib_corpus_measure(corpus, t);
    corpus->candidates = (trib_candidates_about){trib_config_candidates(env->config),
                                                 s->samples.rate > 0 ? s->samples.rate : 1};
    if (!corpus->is_chosen)
        trib_log_say(env->log, TRIB_LOG_INFO,
                     "candidates: %u sources of a target are measured, those with the largest "
                     "estimated shares%s, and those that share long runs of words with it",
                     (unsigned)corpus->candidates.most,
                     s->samples.rate > 1 ? " by a sample of the n-grams" : "");
    return TRIB_OK;
}

static void search_release(search *s) {
    for (uint32_t t = 0; s->list && t < s->corpus->n_targets; t++)
        trib_candidate_list_release(&s->list[t]);
    trib_shard_outbox_close(&s->to_ngrams);
    trib_shard_outbox_close(&s->to_runs);
    trib_sketch_index_close(&s->ngrams);
    trib_sketch_index_close(&s->runs);
    trib_sampling_release(&s->samples);
    TRIB_FREE(s->target, s->owner, s->list, s->end);
}

/* Reports what the division of the index costs the processes, if no rank has failed. */
static void report_parts(const search *s, uint64_t n_sent, trib_status status) {
    const trib_environment *env = s->in->env;
    const uint64_t own = s->ngrams.spill.writer.n_written + s->runs.spill.writer.n_written;
    const uint64_t sent = trib_comm_n_sent(env->comm) - n_sent;
    const uint64_t least = trib_comm_least(env->comm, own),
                   most = UINT64_MAX - trib_comm_least(env->comm, UINT64_MAX - own),
                   most_sent = UINT64_MAX - trib_comm_least(env->comm, UINT64_MAX - sent);
    if (trib_comm_least(env->comm, status == TRIB_OK) == 0) return;
    trib_log_say(
        env->log, TRIB_LOG_INFO,
        "candidates: index of %.1f to %.1f MiB in each of %d processes, which sent at most "
        "%.1f MiB",
        (double)least / 1048576, (double)most / 1048576, env->comm->size,
        (double)most_sent / 1048576);
}

/* Takes the sources that were chosen before the texts were read (library.h). */
static trib_status take_chosen(search *s, trib_corpus *corpus, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++) {
        const trib_corpus_document *about = corpus->document[corpus->target[t].document].about;
        TRIB_OWNED(trib_candidate_list) list = {0};
        status = TRIB_NEW(&list.candidate, about->n_sources, "the candidates", error);
        for (uint32_t d = 0, i = 0; d < corpus->n_documents && status == TRIB_OK; d++) {
            while (i < about->n_sources && about->source[i] < corpus->document[d].about) i++;
            if (i < about->n_sources && about->source[i] == corpus->document[d].about)
                list.candidate[list.n++].document = d;
        }
        if (status == TRIB_OK) status = take(s, &corpus->target[t], &list, error);
    }
    return status == TRIB_OK ? finish(s, corpus, error) : status;
}

trib_status trib_stage_candidates(const trib_read_texts *texts, trib_corpus *corpus,
                                  trib_error *error) {
    const trib_environment *env = texts->env;
    const uint64_t n_sent = trib_comm_n_sent(env->comm);
    search s = {.in = texts,
                .corpus = corpus,
                .to_ngrams = {.comm = env->comm},
                .to_runs = {.comm = env->comm}};
    trib_status status = find_ends(&s, error);
    if (corpus->is_chosen) {
        if (status == TRIB_OK) status = take_chosen(&s, corpus, error);
        search_release(&s);
        return status;
    }
    if (status == TRIB_OK) status = search_init(&s, error);
    status = trib_sampling_choose(&s.samples, status, error);
    if (status == TRIB_OK) status = open_indexes(&s, error);
    status = add_documents(&s, status, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.ngrams, env->n_threads, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.runs, env->n_threads, error);
    status = find_candidates(&s, status, corpus, error);
    if (status == TRIB_OK) status = finish(&s, corpus, error);
    if (env->comm->size > 1) report_parts(&s, n_sent, status);
    search_release(&s);
    return status;
}
