/* candidates.c - stage candidates: samples every document's n-grams and runs of words, sorts the
 * samples on disk, and chooses for each target the sources with the largest estimated shares, and
 * those that share a long run of words with it. */
#include "pipeline/stages/candidates.h"
#include "base/internal.h"
#include "pipeline/comm/shards.h"
#include "pipeline/support/pack.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The stage while it runs. */
typedef struct search {
    const trib_read_texts *in;
    const trib_corpus *corpus;
    trib_sampling samples;
    trib_indexes index;                   /* of this rank's part of the hashes */
    trib_shard_outbox to_ngrams, to_runs; /* entries for them and those of other ranks */
    const trib_stored_indexes *stored;    /* NULL: all documents are sampled */
    trib_sketch added_ngrams, added_runs; /* of all documents added to the stored indexes */
    trib_candidate_sums *sums;            /* [n_threads] for stored indexes */
    uint32_t *target;                     /* [n_targets] document numbers */
    int *owner;                           /* [n_targets] the rank that chooses its sources */
    trib_candidate_list *list;            /* [n_targets] */
    uint32_t first;                       /* of the batch of this rank's documents */
} search;

/* ---- Preparation ----------------------------------------------------------------------------- */

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

/* Of a hash that more documents hold, none is a candidate; 0: no limit. */
static uint32_t most_holders(const search *s) {
    return trib_corpus_n_counted(s->corpus) > TRIB_SKETCH_COMPLETE ? TRIB_SKETCH_MOST_HOLDERS : 0;
}

static trib_status open_indexes(search *s, bool keeps_entries, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    const trib_comm *comm = s->in->env->comm;
    trib_sketch_index_options options = {.directory = s->in->env->scratch,
                                         .n_documents = n,
                                         .least_partitions = (uint32_t)comm->size,
                                         .most_holders = most_holders(s),
                                         .keeps_entries = keeps_entries};
    for (uint32_t d = 0; d < n; d++) options.n_expected += s->samples.n_ngrams[d] / s->index.rate;
    trib_status status = trib_sketch_index_open(&s->index.ngrams, &options, error);
    if (status == TRIB_OK) status = trib_sketch_index_open(&s->index.runs, &options, error);
    if (status == TRIB_OK)
        status = trib_shard_outbox_open(&s->to_ngrams, comm, &s->index.ngrams, error);
    if (status == TRIB_OK)
        status = trib_shard_outbox_open(&s->to_runs, comm, &s->index.runs, error);
    return status;
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
        n_entries += s->samples.n_ngrams[d] / s->index.rate +
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
    const trib_config *config = s->in->env->config;
    const trib_corpus_document *about = s->corpus->document[target].about;
    for (uint32_t d = 0; d < s->corpus->n_documents; d++)
        if (!trib_config_is_source(config, s->corpus->document[d].about, about)) is_source[d] = 0;
}

/* The same, without added documents. */
static void restrict_to_base(void *context, uint32_t target, uint8_t *is_source) {
    const search *s = context;
    restrict_sources(context, target, is_source);
    for (uint32_t d = 0; d < s->corpus->n_documents; d++)
        if (s->corpus->base.is_added[d]) is_source[d] = 0;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sets the sources of a target to its candidates and the decoys. */
static trib_status take(search *s, trib_target *target, trib_candidate_list *list,
                        trib_error *error) {
    const trib_corpus_document *about = s->corpus->document[target->document].about;
    const uint32_t n_documents = s->corpus->n_documents;
    uint32_t n = 0, n_decoys = 0;
    target->n_admissible = 0;
    for (uint32_t d = 0; d < n_documents; d++) {
        const trib_corpus_document *source = s->corpus->document[d].about;
        if (!trib_config_is_source(s->in->env->config, source, about)) continue;
        target->n_admissible++;
        n_decoys += source->role == TRIB_ROLE_DECOY;
    }
    trib_free(target->source);
    trib_status status = TRIB_NEW(&target->source, list->n + n_decoys, "a list of sources", error);
    for (size_t i = 0; status == TRIB_OK && i < list->n; i++)
        if (s->corpus->document[list->candidate[i].document].about->role != TRIB_ROLE_DECOY)
            target->source[n++] = list->candidate[i].document;
    for (uint32_t d = 0; status == TRIB_OK && n_decoys > 0 && d < n_documents; d++) {
        const trib_corpus_document *source = s->corpus->document[d].about;
        if (source->role == TRIB_ROLE_DECOY &&
            trib_config_is_source(s->in->env->config, source, about))
            target->source[n++] = d;
    }
    if (n > 1) qsort(target->source, n, sizeof *target->source, by_number);
    target->n_sources = n;
    return status;
}

static trib_candidate_search search_of(search *s) {
    const uint32_t most = trib_config_candidates(s->in->env->config);
    return (trib_candidate_search){.ngrams = &s->index.ngrams,
                                   .runs = &s->index.runs,
                                   .n_ngrams = s->samples.n_ngrams,
                                   .rate = s->index.rate,
                                   .has_wanted = s->index.has_wanted,
                                   .n_sampled = trib_corpus_n_counted(s->corpus),
                                   .is_added = s->corpus->base.is_added,
                                   .restrict_sources = restrict_sources,
                                   .context = s,
                                   .most = most,
                                   .most_by_runs = most / 4 + 1,
                                   .n_threads = s->in->env->n_threads,
                                   .progress = trib_log_progress(s->in->env->log)};
}

static bool has_added(const search *s, const trib_candidate_list *list) {
    for (size_t i = 0; i < list->n; i++)
        if (s->corpus->base.is_added[list->candidate[i].document]) return true;
    return false;
}

/* Looks up one target in the stored indexes. A target of the base without an added candidate has
 * the candidates that it has there. */
static trib_status look_up_target(void *context, size_t t, trib_error *error) {
    search *s = context;
    const bool *is_added = s->corpus->base.is_added;
    trib_candidate_search asked = search_of(s);
    const uint32_t d = s->target[t];
    const uint32_t rate = trib_candidate_rate(&asked, d);
    trib_sketch ngrams = {0}, runs = {0};
    const trib_sketch_entries more_ngrams = {s->added_ngrams.entry, s->added_ngrams.n},
                              more_runs = {s->added_runs.entry, s->added_runs.n};
    const trib_candidate_lookup in = {.search = &asked,
                                      .ngrams = &s->stored->ngrams,
                                      .runs = &s->stored->runs,
                                      .own_ngrams = &ngrams,
                                      .own_runs = &runs,
                                      .number = s->corpus->base.number,
                                      .added_ngrams = &more_ngrams,
                                      .added_runs = &more_runs};
    trib_candidate_sums *sums = &s->sums[omp_get_thread_num()];
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK && sums->n == 0)
        status = trib_candidate_sums_init(sums, s->corpus->n_documents, error);
    if (status == TRIB_OK) status = trib_sampling_at_rate(&s->samples, d, rate, &ngrams, error);
    if (status == TRIB_OK) status = trib_sampling_runs(&s->samples, d, &runs, error);
    if (status == TRIB_OK) status = trib_candidates_look_up(&s->list[t], d, &in, sums, error);
    if (status == TRIB_OK && is_added && !is_added[d] && !has_added(s, &s->list[t])) {
        trib_candidate_list_release(&s->list[t]);
        asked.restrict_sources = restrict_to_base;
        status = trib_candidates_look_up(&s->list[t], d, &in, sums, error);
    }
    trib_sketch_release(&ngrams);
    trib_sketch_release(&runs);
    return status;
}

/* ---- Documents added to stored indexes ------------------------------------------------------- */

TRIB_ORDER(by_hash, trib_sketch_entry, TRIB_UP(hash) ?: TRIB_UP(document));

static trib_status append(trib_sketch *to, const trib_sketch *from, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&to->entry, &to->cap, to->n + from->n, "the added texts", error);
    if (status != TRIB_OK || from->n == 0) return status;
    memcpy(to->entry + to->n, from->entry, from->n * sizeof *from->entry);
    to->n += from->n;
    return TRIB_OK;
}

/* Sketches the added documents. Short targets of the indexes look up all their n-grams, so with
 * such targets every n-gram is taken. */
static trib_status sketch_added(search *s, trib_error *error) {
    const bool *is_added = s->corpus->base.is_added;
    const uint32_t rate = s->index.has_wanted ? 1 : s->index.rate;
    trib_sketch sketch = {0};
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; is_added && d < s->corpus->n_documents && status == TRIB_OK; d++) {
        if (!is_added[d]) continue;
        status = trib_sampling_at_rate(&s->samples, d, rate, &sketch, error);
        if (status == TRIB_OK) status = append(&s->added_ngrams, &sketch, error);
        if (status == TRIB_OK) status = trib_sampling_runs(&s->samples, d, &sketch, error);
        if (status == TRIB_OK) status = append(&s->added_runs, &sketch, error);
    }
    trib_sketch_release(&sketch);
    trib_sketch *const all[] = {&s->added_ngrams, &s->added_runs};
    for (int i = 0; i < 2; i++)
        if (all[i]->n > 1) qsort(all[i]->entry, all[i]->n, sizeof *all[i]->entry, by_hash);
    return status;
}

static trib_status look_up_targets(search *s, trib_error *error) {
    const trib_workers workers = trib_environment_workers(s->in->env);
    const int n_threads = s->in->env->n_threads;
    trib_status status = TRIB_NEW(&s->sums, (size_t)n_threads, "the sums of sources", error);
    if (status == TRIB_OK)
        status = trib_tasks_do(&workers, s->corpus->n_targets, look_up_target, s, error);
    for (int i = 0; s->sums && i < n_threads; i++) trib_candidate_sums_release(&s->sums[i]);
    trib_free(s->sums);
    return status;
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
    if (!s->stored)
        status = trib_shard_find(s->list, s->target, corpus->n_targets, s->owner, comm, status,
                                 &asked, error);
    else if (status == TRIB_OK) status = look_up_targets(s, error);
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
    corpus->candidates =
        (trib_candidates_about){trib_config_candidates(env->config), s->index.rate};
    trib_log_say(env->log, TRIB_LOG_INFO,
                 "candidates: %u sources of a target are measured, those with the largest "
                 "estimated shares%s, and those that share long runs of words with it",
                 (unsigned)corpus->candidates.most,
                 s->index.rate > 1 ? " by a sample of the n-grams" : "");
    return TRIB_OK;
}

void trib_indexes_close(trib_indexes *indexes) {
    trib_sketch_index_close(&indexes->ngrams);
    trib_sketch_index_close(&indexes->runs);
    *indexes = (trib_indexes){0};
}

static void search_release(search *s) {
    for (uint32_t t = 0; s->list && t < s->corpus->n_targets; t++)
        trib_candidate_list_release(&s->list[t]);
    trib_shard_outbox_close(&s->to_ngrams);
    trib_shard_outbox_close(&s->to_runs);
    trib_indexes_close(&s->index);
    trib_sampling_release(&s->samples);
    trib_sketch_release(&s->added_ngrams);
    trib_sketch_release(&s->added_runs);
    TRIB_FREE(s->target, s->owner, s->list);
}

/* Reports what the division of the index costs the processes, if no rank has failed. */
static void report_parts(const search *s, uint64_t n_sent, trib_status status) {
    const trib_environment *env = s->in->env;
    const uint64_t own =
        s->index.ngrams.spill.writer.n_written + s->index.runs.spill.writer.n_written;
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

trib_status trib_stage_candidates(const trib_read_texts *texts, trib_corpus *corpus,
                                  trib_indexes *made, trib_error *error) {
    const trib_environment *env = texts->env;
    const uint64_t n_sent = trib_comm_n_sent(env->comm);
    search s = {.in = texts,
                .corpus = corpus,
                .to_ngrams = {.comm = env->comm},
                .to_runs = {.comm = env->comm}};
    trib_status status = search_init(&s, error);
    status = trib_sampling_choose(&s.samples, status, made != NULL, error);
    s.index.rate = s.samples.rate;
    s.index.has_wanted = s.samples.has_wanted;
    if (status == TRIB_OK) status = open_indexes(&s, made != NULL, error);
    status = add_documents(&s, status, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.index.ngrams, env->n_threads, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.index.runs, env->n_threads, error);
    status = find_candidates(&s, status, corpus, error);
    if (status == TRIB_OK) status = finish(&s, corpus, error);
    if (env->comm->size > 1) report_parts(&s, n_sent, status);
    if (status == TRIB_OK && made) {
        *made = s.index;
        s.index = (trib_indexes){0};
    }
    search_release(&s);
    return status;
}

trib_status trib_stage_candidates_stored(const trib_read_texts *texts, trib_corpus *corpus,
                                         const trib_stored_indexes *stored, trib_error *error) {
    search s = {.in = texts, .corpus = corpus, .stored = stored};
    trib_status status = search_init(&s, error);
    /* without entries: they are in `stored` */
    s.index = (trib_indexes){
        .ngrams = {.n_documents = corpus->n_documents, .most_holders = most_holders(&s)},
        .rate = stored->rate,
        .has_wanted = stored->has_wanted};
    if (status == TRIB_OK) status = sketch_added(&s, error);
    status = find_candidates(&s, status, corpus, error);
    if (status == TRIB_OK) status = finish(&s, corpus, error);
    search_release(&s);
    return status;
}
