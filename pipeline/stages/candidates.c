/* candidates.c - stage candidates: samples every document's n-grams and runs of words, sorts the
 * samples on disk, and chooses for each target the sources with the largest estimated shares, and
 * those that share a long run of words with it. */
#include "pipeline/stages/candidates.h"
#include "base/internal.h"
#include "influence/candidates/candidates.h"

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
    uint32_t rate;
    trib_sketch_index ngrams, runs;
    uint32_t *target; /* [n_targets] document numbers */
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

/* Chooses the rate, and lists the n-grams of targets that are too short for it. */
static trib_status choose_rate(search *s, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    uint8_t *is_target = NULL;
    trib_sketch sketch = {0};
    trib_status status = trib_new(&is_target, n, 1, "the targets", error);
    for (uint32_t t = 0; status == TRIB_OK && t < s->corpus->n_targets; t++)
        is_target[s->target[t]] = 1;
    if (status == TRIB_OK)
        status =
            trib_sketch_rate_of_corpus(&s->rate, s->n_ngrams, is_target, n, MOST_ENTRIES, error);
    for (uint32_t t = 0; t < s->corpus->n_targets && status == TRIB_OK; t++) {
        const uint32_t d = s->target[t];
        const trib_sketch_options options = {.rate = trib_sketch_rate(s->n_ngrams[d], n),
                                             .word_hash = s->word_hash};
        if (options.rate >= s->rate) continue;
        status = trib_sketch_build(&sketch, &s->in->tensors->view[d], d, &options, error);
        if (status == TRIB_OK) status = trib_wanted_hashes_add(&s->wanted, &sketch, error);
    }
    trib_sketch_release(&sketch);
    trib_free(is_target);
    return status;
}

static trib_status open_indexes(search *s, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    trib_sketch_index_options options = {.directory = s->in->env->scratch, .n_documents = n};
    if (n > TRIB_SKETCH_COMPLETE) options.most_holders = TRIB_SKETCH_MOST_HOLDERS;
    for (uint32_t d = 0; d < n; d++) options.n_expected += s->n_ngrams[d] / s->rate;
    trib_status status = trib_sketch_index_open(&s->ngrams, &options, error);
    if (status == TRIB_OK) status = trib_sketch_index_open(&s->runs, &options, error);
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

enum { REST = 64 }; /* documents between two rests of the spilled tensors */

static trib_status add_document(void *context, size_t i, trib_error *error) {
    search *s = context;
    const uint32_t d = (uint32_t)i;
    const trib_document_words *words = &s->in->words->document[d];
    const trib_sketch_options options = {
        .rate = s->rate, .word_hash = s->word_hash, .wanted = &s->wanted};
    trib_sketch sketch = {0};
    uint32_t *word = NULL;
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK)
        status = trib_sketch_build(&sketch, &s->in->tensors->view[d], d, &options, error);
    if (status == TRIB_OK)
        status = trib_sketch_index_add(&s->ngrams, sketch.entry, sketch.n, error);
    if (status == TRIB_OK) status = read_words(words, &word, error);
    if (status == TRIB_OK)
        status =
            trib_sketch_runs(&sketch, word, words->n_tokens, d, s->word_hash, s->is_common, error);
    if (status == TRIB_OK) status = trib_sketch_index_add(&s->runs, sketch.entry, sketch.n, error);
    trib_free(word);
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

static trib_status find_candidates(search *s, trib_corpus *corpus, trib_error *error) {
    const uint32_t most = trib_config_candidates(s->in->env->config);
    const trib_candidate_search asked = {.ngrams = &s->ngrams,
                                         .runs = &s->runs,
                                         .n_ngrams = s->n_ngrams,
                                         .rate = s->rate,
                                         .has_wanted = s->wanted.n > 0 || s->wanted.has_zero,
                                         .restrict_sources = restrict_sources,
                                         .context = s,
                                         .most = most,
                                         .most_by_runs = most / 4 + 1,
                                         .n_threads = s->in->env->n_threads,
                                         .progress = trib_log_progress(s->in->env->log)};
    trib_status status = trib_candidates_find(s->list, s->target, corpus->n_targets, &asked, error);
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++) {
        status = take(s, &corpus->target[t], &s->list[t], error);
        trib_candidate_list_release(&s->list[t]);
    }
    return status;
}

static void search_release(search *s) {
    for (uint32_t t = 0; s->list && t < s->corpus->n_targets; t++)
        trib_candidate_list_release(&s->list[t]);
    trib_sketch_index_close(&s->ngrams);
    trib_sketch_index_close(&s->runs);
    trib_wanted_hashes_release(&s->wanted);
    trib_free(s->n_ngrams);
    trib_free(s->word_hash);
    trib_free(s->is_common);
    trib_free(s->target);
    trib_free(s->list);
}

trib_status trib_stage_candidates(const trib_candidates_inputs *inputs, trib_corpus *corpus,
                                  trib_error *error) {
    const trib_environment *env = inputs->env;
    const trib_workers workers = trib_environment_workers(env);
    search s = {.in = inputs, .corpus = corpus};
    trib_status status = search_init(&s, error);
    if (status == TRIB_OK) status = choose_rate(&s, error);
    if (status == TRIB_OK) status = open_indexes(&s, error);
    if (status == TRIB_OK)
        status = trib_tasks_do(&workers, corpus->n_documents, add_document, &s, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.ngrams, env->n_threads, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&s.runs, env->n_threads, error);
    if (status == TRIB_OK) status = find_candidates(&s, corpus, error);
    if (status == TRIB_OK) {
        corpus->candidates = (trib_candidates_about){trib_config_candidates(env->config), s.rate};
        trib_log_say(env->log, TRIB_LOG_INFO,
                     "candidates: %u sources of a target are measured, those with the largest "
                     "estimated shares%s, and those that share long runs of words with it",
                     (unsigned)corpus->candidates.most,
                     s.rate > 1 ? " by a sample of the n-grams" : "");
    }
    search_release(&s);
    return status;
}
