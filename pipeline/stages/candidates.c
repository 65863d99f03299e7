/* candidates.c - stage candidates: samples every document's n-grams and runs of words, sorts the
 * samples on disk, and chooses for each target the sources with the largest estimated shares, and
 * those that share a long run of words with it. */
#include "pipeline/stages/candidates.h"
#include "base/internal.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Entries of all sketches; in a larger corpus, less is sampled. */
static const uint64_t MOST_ENTRIES = UINT64_C(1) << 30;

/* The stage while it runs. */
typedef struct search {
    const trib_candidates_inputs *in;
    const trib_corpus *corpus;
    uint64_t *n_ngrams;  /* [n_documents] */
    uint64_t *word_hash; /* [n_words] of their spellings */
    uint8_t *is_common;  /* [n_words] */
    trib_wanted_hashes wanted;
    trib_indexes index;
    const trib_stored_indexes *stored; /* NULL: all documents are sampled */
    trib_candidate_sums *sums;         /* [n_threads] for stored indexes */
    uint32_t *target;                  /* [n_targets] document numbers */
    trib_candidate_list *list;
} search;

/* ---- Preparation ----------------------------------------------------------------------------- */

/* The commonest words, which make up half of the corpus, do not count in runs. */
static void mark_common(const trib_vocab *vocab, uint8_t *is_common) {
    uint64_t n = 0;
    for (uint32_t w = 0; w < vocab->n_words && n < vocab->n_tokens / 2; w++) {
        is_common[w] = 1;
        n += vocab->count[w];
    }
    if (vocab->other != TRIB_NO_WORD) is_common[vocab->other] = 1;
}

static trib_status search_init(search *s, trib_error *error) {
    static const char what[] = "the choice of sources";
    const trib_vocab *vocab = s->in->vocab;
    const uint32_t n = s->corpus->n_documents, n_targets = s->corpus->n_targets;
    trib_status status = trib_new(&s->n_ngrams, n, sizeof *s->n_ngrams, what, error);
    if (status == TRIB_OK)
        status = trib_new(&s->word_hash, vocab->n_words, sizeof *s->word_hash, what, error);
    if (status == TRIB_OK) status = trib_new(&s->is_common, vocab->n_words, 1, what, error);
    if (status == TRIB_OK) status = trib_new(&s->target, n_targets, sizeof *s->target, what, error);
    if (status == TRIB_OK) status = trib_new(&s->list, n_targets, sizeof *s->list, what, error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < n; d++) s->n_ngrams[d] = s->in->tensors->document[d].n_ngrams;
    for (uint32_t w = 0; w < vocab->n_words; w++)
        s->word_hash[w] = trib_checksum(vocab->word[w], strlen(vocab->word[w]));
    mark_common(vocab, s->is_common);
    for (uint32_t t = 0; t < n_targets; t++) s->target[t] = s->corpus->target[t].document;
    return TRIB_OK;
}

/* Chooses the rate, and lists the n-grams of documents that are too short for it. All documents
 * that may be targets count, so that the indexes serve any choice of targets. */
static trib_status choose_rate(search *s, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    uint8_t *may_be_target = NULL;
    trib_sketch sketch = {0};
    trib_status status = trib_new(&may_be_target, n, 1, "the targets", error);
    for (uint32_t d = 0; status == TRIB_OK && d < n; d++) {
        const trib_role role = s->corpus->document[d].about->role;
        may_be_target[d] = role == TRIB_ROLE_BOTH || role == TRIB_ROLE_TARGET;
    }
    if (status == TRIB_OK)
        status = trib_sketch_rate_of_corpus(&s->index.rate, s->n_ngrams, may_be_target, n,
                                            MOST_ENTRIES, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        if (!may_be_target[d]) continue;
        const trib_sketch_options options = {.rate = trib_sketch_rate(s->n_ngrams[d], n),
                                             .word_hash = s->word_hash};
        if (options.rate >= s->index.rate) continue;
        status = trib_sketch_build(&sketch, &s->in->tensors->view[d], d, &options, error);
        if (status == TRIB_OK) status = trib_wanted_hashes_add(&s->wanted, &sketch, error);
    }
    s->index.has_wanted = s->wanted.n > 0 || s->wanted.has_zero;
    trib_sketch_release(&sketch);
    trib_free(may_be_target);
    return status;
}

/* Of a hash that more documents hold, none is a candidate; 0: no limit. */
static uint32_t most_holders(const search *s) {
    return s->corpus->n_documents > TRIB_SKETCH_COMPLETE ? TRIB_SKETCH_MOST_HOLDERS : 0;
}

static trib_status open_indexes(search *s, bool keeps_entries, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    trib_sketch_index_options options = {.directory = s->in->env->scratch,
                                         .n_documents = n,
                                         .most_holders = most_holders(s),
                                         .keeps_entries = keeps_entries};
    for (uint32_t d = 0; d < n; d++) options.n_expected += s->n_ngrams[d] / s->index.rate;
    trib_status status = trib_sketch_index_open(&s->index.ngrams, &options, error);
    if (status == TRIB_OK) status = trib_sketch_index_open(&s->index.runs, &options, error);
    return status;
}

/* ---- Documents ------------------------------------------------------------------------------- */

/* Reads the words of a document in order: vocabulary ids, UINT32_MAX for words without one. */
static trib_status read_words(const trib_document_words *document, uint32_t **word,
                              trib_error *error) {
    trib_words file;
    trib_words_block block = {.ids_only = true};
    trib_status status = trib_document_words_open(document, &file, error);
    if (status != TRIB_OK) return status;
    const uint32_t *const id = trib_document_word_ids(document, &file);
    status = trib_new(word, document->n_tokens, sizeof **word, "a document's words", error);
    if (status == TRIB_OK) status = trib_words_block_init(&block, error);
    block.ids_only = true;
    for (uint64_t i = 0; i < file.n_tokens && status == TRIB_OK; i += block.n) {
        status = trib_words_at(&file, i, &block, error);
        for (size_t k = 0; status == TRIB_OK && k < block.n; k++)
            (*word)[i + k] = id[block.id[k]] == TRIB_NO_WORD ? UINT32_MAX : id[block.id[k]];
    }
    trib_words_block_release(&block);
    trib_words_close(&file);
    return status;
}

/* Samples the runs of words of a document. */
static trib_status sample_runs(const search *s, trib_sketch *sketch, uint32_t d,
                               trib_error *error) {
    const trib_document_words *words = &s->in->words->document[d];
    uint32_t *word = NULL;
    trib_status status = read_words(words, &word, error);
    if (status == TRIB_OK)
        status =
            trib_sketch_runs(sketch, word, words->n_tokens, d, s->word_hash, s->is_common, error);
    trib_free(word);
    return status;
}

enum { REST = 64 }; /* documents between two rests of the spilled tensors */

static trib_status add_document(void *context, size_t i, trib_error *error) {
    search *s = context;
    const uint32_t d = (uint32_t)i;
    const trib_sketch_options options = {
        .rate = s->index.rate, .word_hash = s->word_hash, .wanted = &s->wanted};
    trib_sketch sketch = {0};
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK)
        status = trib_sketch_build(&sketch, &s->in->tensors->view[d], d, &options, error);
    if (status == TRIB_OK)
        status = trib_sketch_index_add(&s->index.ngrams, sketch.entry, sketch.n, error);
    if (status == TRIB_OK) status = sample_runs(s, &sketch, d, error);
    if (status == TRIB_OK)
        status = trib_sketch_index_add(&s->index.runs, sketch.entry, sketch.n, error);
    trib_sketch_release(&sketch);
    if (i % REST == 0) trib_spill_rest(&s->in->tensors->spill);
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
    trib_status status = trib_new(&target->source, list->n + n_decoys, sizeof *target->source,
                                  "a list of sources", error);
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
                                   .n_ngrams = s->n_ngrams,
                                   .rate = s->index.rate,
                                   .has_wanted = s->index.has_wanted,
                                   .restrict_sources = restrict_sources,
                                   .context = s,
                                   .most = most,
                                   .most_by_runs = most / 4 + 1,
                                   .n_threads = s->in->env->n_threads,
                                   .progress = trib_log_progress(s->in->env->log)};
}

/* Looks up one target in the stored indexes. */
static trib_status look_up_target(void *context, size_t t, trib_error *error) {
    search *s = context;
    const trib_candidate_search asked = search_of(s);
    const uint32_t d = s->target[t];
    const trib_sketch_options options = {.rate = trib_candidate_rate(&asked, d),
                                         .word_hash = s->word_hash};
    trib_sketch ngrams = {0}, runs = {0};
    const trib_candidate_lookup in = {&asked, &s->stored->ngrams, &s->stored->runs, &ngrams, &runs};
    trib_candidate_sums *sums = &s->sums[omp_get_thread_num()];
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK && sums->n == 0)
        status = trib_candidate_sums_init(sums, s->corpus->n_documents, error);
    if (status == TRIB_OK)
        status = trib_sketch_build(&ngrams, &s->in->tensors->view[d], d, &options, error);
    if (status == TRIB_OK) status = sample_runs(s, &runs, d, error);
    if (status == TRIB_OK) status = trib_candidates_look_up(&s->list[t], d, &in, sums, error);
    trib_sketch_release(&ngrams);
    trib_sketch_release(&runs);
    return status;
}

static trib_status look_up_targets(search *s, trib_error *error) {
    const trib_workers workers = trib_environment_workers(s->in->env);
    const int n_threads = s->in->env->n_threads;
    trib_status status =
        trib_new(&s->sums, (size_t)n_threads, sizeof *s->sums, "the sums of sources", error);
    if (status == TRIB_OK)
        status = trib_tasks_do(&workers, s->corpus->n_targets, look_up_target, s, error);
    for (int i = 0; s->sums && i < n_threads; i++) trib_candidate_sums_release(&s->sums[i]);
    trib_free(s->sums);
    return status;
}

static trib_status find_candidates(search *s, trib_corpus *corpus, trib_error *error) {
    const trib_candidate_search asked = search_of(s);
    trib_status status =
        s->stored ? look_up_targets(s, error)
                  : trib_candidates_find(s->list, s->target, corpus->n_targets, &asked, error);
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++) {
        status = take(s, &corpus->target[t], &s->list[t], error);
        trib_candidate_list_release(&s->list[t]);
    }
    return status;
}

static trib_status finish(const search *s, trib_corpus *corpus, trib_error *error) {
    const trib_environment *env = s->in->env;
    const trib_status status = trib_new(&corpus->is_measured, corpus->n_documents,
                                        sizeof *corpus->is_measured, "the candidates", error);
    if (status != TRIB_OK) return status;
    for (uint32_t t = 0; t < corpus->n_targets; t++) {
        const trib_target *target = &corpus->target[t];
        corpus->is_measured[target->document] = true;
        for (uint32_t i = 0; i < target->n_sources; i++)
            corpus->is_measured[target->source[i]] = true;
    }
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
    trib_indexes_close(&s->index);
    trib_wanted_hashes_release(&s->wanted);
    trib_free(s->n_ngrams);
    trib_free(s->word_hash);
    trib_free(s->is_common);
    trib_free(s->target);
    trib_free(s->list);
}

trib_status trib_stage_candidates(const trib_candidates_inputs *inputs, trib_corpus *corpus,
                                  trib_indexes *made, trib_error *error) {
    const trib_environment *env = inputs->env;
    const trib_workers workers = trib_environment_workers(env);
    search s = {.in = inputs, .corpus = corpus};
    trib_status status = search_init(&s, error);
    if (status == TRIB_OK) status = choose_rate(&s, error);
    if (status == TRIB_OK) status = open_indexes(&s, made != NULL, error);
    if (status == TRIB_OK)
        status = trib_tasks_do(&workers, corpus->n_documents, add_document, &s, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.index.ngrams, env->n_threads, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.index.runs, env->n_threads, error);
    if (status == TRIB_OK) status = find_candidates(&s, corpus, error);
    if (status == TRIB_OK) status = finish(&s, corpus, error);
    if (status == TRIB_OK && made) {
        *made = s.index;
        s.index = (trib_indexes){0};
    }
    search_release(&s);
    return status;
}

trib_status trib_stage_candidates_stored(const trib_candidates_inputs *inputs, trib_corpus *corpus,
                                         const trib_stored_indexes *stored, trib_error *error) {
    search s = {.in = inputs, .corpus = corpus, .stored = stored};
    trib_status status = search_init(&s, error);
    /* without entries: they are in `stored` */
    s.index = (trib_indexes){
        .ngrams = {.n_documents = corpus->n_documents, .most_holders = most_holders(&s)},
        .rate = stored->rate,
        .has_wanted = stored->has_wanted};
    if (status == TRIB_OK) status = find_candidates(&s, corpus, error);
    if (status == TRIB_OK) status = finish(&s, corpus, error);
    search_release(&s);
    return status;
}
