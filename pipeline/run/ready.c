/* ready.c - when a ready corpus is used, what identifies it, and which documents a run with one
 * counts. ready_entry.c has the entry. */
#include "base/internal.h"
#include "pipeline/run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uversion.h>

#include "pipeline/run/cached.h"
#include "pipeline/stages/influence.h"
#include "pipeline/stages/spellings.h"
#include "pipeline/stages/tensors.h"
#include "pipeline/text/text_formats.h"

/* ---- When ------------------------------------------------------------------------------------ */

/* Whether a method reads all documents, not only the target and its sources. */
static bool reads_all(const trib_run *run) {
    const trib_config *config = run->env.config;
    for (uint32_t i = 0; i < config->influence.n_methods; i++) {
        const trib_influence_method *method = config->influence.method[i];
        if (method->needs_factors && (config->report.npy || trib_config_starts_from_corpus(config)))
            return true;
        if (method->needs_background &&
            trib_config_shares_background(config, run->corpus.n_targets, run->corpus.n_documents))
            return true;
    }
    return false;
}

/* Returns why the run can neither use nor make a ready corpus, as part of a sentence, or NULL. */
static const char *why_impossible(const trib_run *run) {
    const trib_config *config = run->env.config;
    if (!run->cache) return "without a cache";
    if (run->comm.size > 1) return "with several processes";
    if (trib_config_candidates(config) == 0) return "without candidates (influence.candidates)";
    if (run->tensors_are_last) return "with --until tensors";
    if (config->report.tensors) return "with report.formats: tensors";
    if (config->parallels.unit != TRIB_UNIT_NONE) return "with parallels.unit";
    if (config->corpus.markup) return "with corpus.markup";
    if (config->vocabulary.path) return "with vocabulary.file";
    if (config->influence.close) return "with influence.close";
    if (config->tensor.skip > 0) return "with tensor.skip";
    if (trib_config_has_norms(config)) /* its texts are read by the words of the vocabulary */
        return "with tokens.transform, variants, stem or stop";
    if (!trib_corpus_has_titles(&run->corpus)) /* others are named by their first words */
        return "where a text has no title";
    return reads_all(run) ? "with methods that read all texts (anchored with one background, "
                            "cp.start: corpus, or factors with report.formats: npy)"
                          : NULL;
}

/* ---- The key --------------------------------------------------------------------------------- */

static trib_status add_documents(const trib_corpus *corpus, trib_sha256 *hash, trib_error *error) {
    uint32_t *order = NULL;
    trib_status status = trib_corpus_by_date(corpus, &order, error);
    trib_buffer text = {0};
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++) {
        const trib_document *document = &corpus->document[d];
        text.length = 0;
        status = trib_buffer_print(&text, error, "%s %d %s ", document->sha256,
                                   (int)document->about->role, document->kind);
        if (status == TRIB_OK) status = trib_text_format_print_reader(&text, document->kind, error);
        if (status == TRIB_OK && document->about->language)
            status = trib_buffer_print(&text, error, " %s", document->about->language);
        if (status == TRIB_OK && document->about->encoding)
            status = trib_buffer_print(&text, error, " encoding %s", document->about->encoding);
        if (status == TRIB_OK) trib_sha256_add(hash, text.text, text.length);
    }
    /* the earliest document that holds a formula depends on it */
    if (status == TRIB_OK) trib_sha256_add(hash, order, corpus->n_documents * sizeof *order);
    trib_buffer_release(&text);
    trib_free(order);
    return status;
}

static trib_status make_key(const trib_run *run, const trib_corpus *corpus, trib_buffer *key,
                            trib_error *error) {
    static const trib_given given[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                       TRIB_GIVEN(tokens, vocabulary),
                                       TRIB_GIVEN(tensor.n, tensor.buckets),
                                       {0, 0}};
    const trib_config *config = run->env.config;
    char print[TRIB_SHA256_TEXT], icu[U_MAX_VERSION_STRING_LENGTH];
    UVersionInfo version;
    trib_sha256 *hash = NULL;
    u_getVersion(version);
    u_versionToString(version, icu);
    trib_status status = trib_cache_begin_key(run->cache, "corpus", key, error);
    if (status == TRIB_OK) status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    status = add_documents(corpus, hash, error);
    trib_sha256_close(hash, print);
    if (status == TRIB_OK)
        status = trib_buffer_print(
            key, error,
            "reader ICU %s\ndocuments %u %s\norder %d\nformula %u\n"
            "near duplicate %.17g\n",
            icu, (unsigned)corpus->n_documents, print, (int)trib_config_wants_order(config),
            (unsigned)config->influence.formula, config->corpus.near_duplicate);
    return status == TRIB_OK ? trib_config_print_given(config, given, key, error) : status;
}

/* ---- Stages tokens, vocabulary and tensors --------------------------------------------------- */

/* The key of a run that extends another is that of the other: of its documents alone. */
static trib_status choose_key(const trib_run *run, trib_buffer *key, trib_error *error) {
    trib_corpus view = {0};
    if (run->corpus.base.n_documents == 0) return make_key(run, &run->corpus, key, error);
    trib_status status = trib_base_view(&run->corpus, &view, error);
    if (status == TRIB_OK) status = make_key(run, &view, key, error);
    trib_free(view.document);
    return status;
}

trib_status trib_ready_take(trib_run *run, trib_error *error) {
    trib_ready *ready = &run->ready;
    const uint32_t n_base = run->corpus.base.n_documents;
    const char *const why = why_impossible(run);
    ready->is_possible = !why;
    if (why && n_base > 0)
        return trib_fail(error, TRIB_CONFIG,
                         "a run cannot be extended %s; run all texts without --add-to", why);
    if (why) return TRIB_OK;
    trib_status status = choose_key(run, &ready->key, error);
    if (status == TRIB_OK) status = trib_ready_entry_take(run, error);
    if (status == TRIB_OK && ready->is_taken)
        trib_log_say(run->env.log, TRIB_LOG_INFO,
                     "tokens: a ready corpus of %u texts is in the cache; only targets and their "
                     "candidates are read",
                     (unsigned)trib_corpus_n_counted(&run->corpus));
    if (status == TRIB_OK && n_base > 0 && !ready->is_taken)
        status = trib_fail(error, TRIB_USAGE,
                           "the cache %s has no index of the run %s: it was made without this "
                           "cache, by another version of this program, or without some text; "
                           "repeat that run with this cache (into another folder), then this one",
                           trib_cache_directory(run->cache), run->add_to);
    return status;
}

/* Fills the record of document d from that of a ready corpus. */
static void take_document(trib_run *run, uint32_t d, const trib_ready_document *document) {
    trib_tensors *tensors = &run->tensors;
    tensors->document[d].n_ngrams = (size_t)document->n_ngrams;
    tensors->document[d].n_wildcard_ngrams = document->n_wildcard_ngrams;
    trib_tensors_finish_one(tensors, &run->words, d);
    tensors->size[d] = (trib_counts_size){document->n_local, (size_t)document->n_nonzeros};
    tensors->n_ngrams += document->n_ngrams;
    tensors->n_wildcard_ngrams += document->n_wildcard_ngrams;
    run->fingerprint[d] = document->print;
}

trib_status trib_ready_tensors(trib_run *run, trib_error *error) {
    const trib_ready *ready = &run->ready;
    trib_tensors *tensors = &run->tensors;
    const trib_status status = trib_tensors_init(tensors, run->corpus.n_documents, false, error);
    tensors->is_packed = trib_counts_are_packed(run->env.config);
    if (status == TRIB_OK) tensors->resting->most = run->most_resting;
    const uint32_t n = trib_corpus_n_counted(&run->corpus), *number = run->corpus.base.number;
    for (uint32_t b = 0; b < n && status == TRIB_OK; b++)
        take_document(run, number ? number[b] : b, &ready->document[b]);
    return status;
}

/* ---- Documents that are counted -------------------------------------------------------------- */

/* The documents to read and count. */
typedef struct needed {
    trib_run *run;
    trib_word_index words;
    bool *is_wanted; /* [n_documents] */
    bool *is_unread; /* [n_documents] of the wanted: its words are not read yet */
    uint32_t *list;  /* [n] the wanted documents, ascending */
    size_t n;
    bool *is_counted; /* [n_documents] */
} needed;

/* Finds the vocabulary ids of the words of a document. */
static trib_status number_words(const needed *n, trib_document_words *document, trib_error *error) {
    const trib_vocab *vocab = &n->run->vocab;
    trib_words words;
    uint32_t *numbers = NULL;
    trib_status status = trib_document_words_open(document, &words, error);
    if (status != TRIB_OK) return status;
    document->n_words = words.n_words;
    status = TRIB_NEW(&numbers, words.n_words, "a document's words", error);
    for (uint32_t w = 0; w < words.n_words && status == TRIB_OK; w++) {
        const uint32_t id = trib_word_index_find(&n->words, trib_words_spelling(&words, w),
                                                 words.start[w + 1] - words.start[w] - 1);
        numbers[w] = id == TRIB_NO_WORD ? vocab->other : id;
    }
    if (status == TRIB_OK)
        status = trib_corpus_words_put_ids(&n->run->words, document, numbers, true,
                                           n->run->env.scratch, error);
    trib_free(numbers);
    trib_words_close(&words);
    return status;
}

static trib_status count_document(void *context, size_t i, trib_error *error) {
    const needed *n = context;
    trib_run *run = n->run;
    const uint32_t d = n->list[i];
    trib_counts counts = {0};
    trib_status status = number_words(n, &run->words.document[d], error);
    if (status == TRIB_OK)
        status = trib_tensors_count(&run->texts, trib_config_wants_order(run->env.config), d,
                                    &counts, error);
    run->tensors.document[d] = counts;
    if (status == TRIB_OK)
        status =
            trib_tensors_spill(&run->tensors, d, run->spill_beyond, false, run->env.scratch, error);
    if (status == TRIB_OK) trib_tensors_finish_one(&run->tensors, &run->words, d);
    return status;
}

/* Reads and counts the wanted documents that have not been counted. */
static trib_status count_wanted(needed *n, trib_error *error) {
    trib_run *run = n->run;
    const trib_words_source cached = trib_cached_words(run);
    const trib_workers workers = trib_environment_workers(&run->env);
    n->n = 0;
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        if (n->is_counted[d]) n->is_wanted[d] = false;
        n->is_unread[d] = n->is_wanted[d] && !run->words.document[d].file;
        if (n->is_wanted[d]) n->list[n->n++] = d;
    }
    trib_status status =
        trib_stage_tokens(&run->env, &run->corpus, &cached, n->is_unread, &run->words, NULL, error);
    for (size_t i = 0; i < n->n && status == TRIB_OK; i++) {
        n->is_counted[n->list[i]] = true;
        if (run->corpus.document[n->list[i]].rejected)
            status = trib_fail(error, TRIB_INPUT, "%s", run->corpus.document[n->list[i]].rejected);
    }
    return status == TRIB_OK ? trib_tasks_do(&workers, n->n, count_document, n, error) : status;
}

static trib_status needed_init(needed *n, trib_run *run, trib_error *error) {
    const uint32_t n_documents = run->corpus.n_documents;
    static const char what[] = "the documents";
    *n = (needed){.run = run};
    trib_status status = TRIB_NEW(&n->is_wanted, n_documents, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&n->is_unread, n_documents, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&n->is_counted, n_documents, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&n->list, n_documents, what, error);
    if (status == TRIB_OK)
        status = trib_word_index_open(&n->words, &run->vocab, run->env.scratch, error);
    return status;
}

static void needed_release(needed *n) {
    trib_word_index_close(&n->words);
    TRIB_FREE(n->is_wanted, n->is_unread, n->is_counted, n->list);
}

/* Wants the sources of all targets, and the earliest holders of the formulas in the targets. */
static trib_status want_sources(needed *n, trib_error *error) {
    const trib_run *run = n->run;
    const trib_corpus *corpus = &run->corpus;
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < corpus->n_documents; d++)
        n->is_wanted[d] = trib_corpus_measures(corpus, d);
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++) {
        const uint32_t d = corpus->target[t].document;
        const trib_influence_document *view = &run->tensors.view[d];
        status = trib_counts_hold(&run->tensors, d, error);
        if (status != TRIB_OK) break;
        for (size_t e = 0; e < view->counts->nnz; e++) {
            const trib_frequent_ngram *formula = trib_frequent_entry(&run->index.formulas, view, e);
            if (formula) n->is_wanted[formula->earliest] = true;
        }
        trib_counts_drop(&run->tensors, d);
    }
    return status;
}

/* Counts the added texts, and makes their fingerprints. */
static trib_status count_added(needed *n, trib_error *error) {
    trib_run *run = n->run;
    trib_tensors *tensors = &run->tensors;
    const bool *is_added = run->corpus.base.is_added;
    const uint32_t n_documents = is_added ? run->corpus.n_documents : 0;
    for (uint32_t d = 0; d < n_documents; d++) n->is_wanted[d] = is_added[d];
    trib_status status = is_added ? count_wanted(n, error) : TRIB_OK;
    for (uint32_t d = 0; d < n_documents && status == TRIB_OK; d++) {
        if (!is_added[d]) continue;
        tensors->n_ngrams += tensors->document[d].n_ngrams;
        tensors->n_wildcard_ngrams += tensors->document[d].n_wildcard_ngrams;
        status = trib_counts_hold(tensors, d, error);
        if (status != TRIB_OK) break;
        status = trib_cached_part(run, &trib_cached_tensors, d, 1, (trib_progress){0}, error);
        trib_counts_drop(tensors, d);
    }
    return status;
}

trib_status trib_ready_candidates(trib_run *run, trib_error *error) {
    needed n;
    trib_status status = needed_init(&n, run, error);
    if (status == TRIB_OK) status = count_added(&n, error);
    for (uint32_t t = 0; t < run->corpus.n_targets && status == TRIB_OK; t++)
        n.is_wanted[run->corpus.target[t].document] = true;
    if (status == TRIB_OK) status = count_wanted(&n, error);
    if (status == TRIB_OK)
        status =
            trib_stage_candidates_stored(&run->texts, &run->corpus, &run->ready.indexes, error);
    if (status == TRIB_OK) status = trib_base_keep_changed(run, error);
    if (status == TRIB_OK) status = trib_ready_entry_formulas(run, error);
    if (status == TRIB_OK) status = want_sources(&n, error);
    if (status == TRIB_OK) status = count_wanted(&n, error);
    trib_mapped_file_rest(&run->ready.mapped.file);
    needed_release(&n);
    return status;
}

/* ---- Near duplicates ------------------------------------------------------------------------- */

TRIB_ORDER(by_numbers, trib_near, TRIB_UP(first) ?: TRIB_UP(second));

/* Adds the pairs of the added texts to those of the base. */
static trib_status join_added_pairs(trib_run *run, trib_error *error) {
    const trib_corpus_base *base = &run->corpus.base;
    trib_ready *ready = &run->ready;
    trib_near *added = NULL, *all = NULL;
    size_t n = 0;
    trib_status status = trib_near_duplicates_list(
        &run->env, TRIB_OK, &run->tensors, run->vocab.other, base->is_added, &added, &n, error);
    if (status == TRIB_OK) status = TRIB_NEW(&all, ready->n_near + n, "pairs of documents", error);
    for (size_t p = 0; status == TRIB_OK && p < ready->n_near; p++) {
        all[p] = ready->near[p];
        all[p].first = base->number[all[p].first];
        all[p].second = base->number[all[p].second];
    }
    if (status == TRIB_OK) {
        if (n > 0) memcpy(all + ready->n_near, added, n * sizeof *all);
        ready->n_near += n;
        if (ready->n_near > 1) qsort(all, ready->n_near, sizeof *all, by_numbers);
        ready->found_near = all;
        ready->near = all;
    }
    trib_free(added);
    return status;
}

trib_status trib_ready_pairs(trib_run *run, trib_status status, trib_error *error) {
    trib_ready *ready = &run->ready;
    if (!ready->is_taken) {
        status = trib_near_duplicates_list(&run->env, status, &run->tensors, run->vocab.other, NULL,
                                           &ready->found_near, &ready->n_near, error);
        ready->near = ready->found_near;
    } else if (status == TRIB_OK && run->corpus.base.n_documents > 0)
        status = join_added_pairs(run, error);
    return status == TRIB_OK ? trib_near_duplicates_warn(&run->env, &run->corpus, ready->near,
                                                         ready->n_near, error)
                             : status;
}

trib_status trib_ready_put(trib_run *run, trib_error *error) {
    const bool is_wanted = run->ready.is_possible && !run->ready.is_taken && !run->is_dry &&
                           run->corpus.n_rejected == 0; /* the reason may pass */
    const trib_status status = is_wanted ? trib_ready_entry_put(run, error) : TRIB_OK;
    trib_indexes_close(&run->ready.made);
    return status;
}

void trib_ready_release(trib_ready *ready) {
    trib_buffer_release(&ready->key);
    trib_cache_mapped_release(&ready->mapped);
    trib_indexes_close(&ready->made);
    trib_free(ready->found_near);
    *ready = (trib_ready){0};
}
