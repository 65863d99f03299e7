/* result_corpus.c - the members of influence.json that say what was measured: the configuration,
 * the documents with their factors, and the methods. */
#include <math.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/support/tables.h"

/* ---- Configuration --------------------------------------------------------------------------- */

typedef struct settings {
    json_t *all, *changed;
} settings;

static void add_setting(void *context, const char *key, const char *value, bool is_default,
                        bool changes_result) {
    settings *s = context;
    char section[64] = "";
    const char *point = strchr(key, '.');
    if (!changes_result) return; /* may differ between equal runs */
    if (!is_default) json_array_append_new(s->changed, json_string(key));
    if (!point || (size_t)(point - key) >= sizeof section) {
        trib_json_set_text(s->all, key, value);
        return;
    }
    memcpy(section, key, (size_t)(point - key));
    json_t *object = json_object_get(s->all, section);
    if (!object) json_object_set_new(s->all, section, object = json_object());
    json_object_set_new(object, point + 1, json_string(value));
}

/* ---- Corpus and documents -------------------------------------------------------------------- */

static double share_of(uint64_t part, uint64_t all) {
    return all > 0 ? (double)part / (double)all : 0;
}

json_t *trib_result_base(const trib_corpus *corpus) {
    const trib_corpus_base *base = &corpus->base;
    if (base->n_documents == 0) return NULL;
    json_t *added = json_array();
    for (uint32_t d = 0; d < corpus->n_documents; d++)
        if (base->is_added[d])
            json_array_append_new(added, json_string(corpus->document[d].about->id));
    return json_pack("{s:s, s:I, s:o, s:b}", "hash", base->hash, "documents",
                     (json_int_t)base->n_documents, "added", added, "only_changed",
                     (int)base->only_changed);
}

static json_t *make_corpus(const trib_run_results *results) {
    json_t *corpus = json_object();
    const uint64_t other = results->vocab->other == TRIB_NO_WORD ? 0 : results->vocab->n_other;
    trib_json_set_count(corpus, "tokens", results->vocab->n_tokens);
    trib_json_set_count(corpus, "vocabulary", results->vocab->n_words);
    trib_json_set_real(corpus, "wildcard_tokens", share_of(other, results->vocab->n_tokens));
    trib_json_set_real(corpus, "wildcard_ngrams",
                       share_of(results->tensors->n_wildcard_ngrams, results->tensors->n_ngrams));
    if (results->corpus->candidates.most > 0)
        json_object_set_new(corpus, "candidates",
                            json_pack("{s:I, s:I}", "most",
                                      (json_int_t)results->corpus->candidates.most, "one_in",
                                      (json_int_t)results->corpus->candidates.rate));
    if (results->corpus->base.n_documents > 0)
        json_object_set_new(corpus, "base", trib_result_base(results->corpus));
    json_t *list = json_array();
    for (uint32_t r = 0; r < results->corpus->n_rejected; r++)
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:s}", "id", results->corpus->rejected[r].about->id, "file",
                            trib_json_text(results->corpus->rejected[r].about->file), "why",
                            results->corpus->rejected[r].why));
    if (results->corpus->n_rejected > 0) json_object_set(corpus, "refused", list);
    json_decref(list);
    if (results->config->corpus.n_left_out == 0) return corpus;
    list = json_array();
    for (size_t i = 0; i < results->config->corpus.n_left_out; i++) {
        const trib_left_out *out = &results->config->corpus.left_out[i];
        json_array_append_new(
            list, json_pack("{s:o, s:s}", "file", trib_json_text(out->file), "why", out->why));
    }
    json_object_set_new(corpus, "left_out", list);
    return corpus;
}

static json_t *make_factors(const trib_config *config, const trib_hacoo *ngrams,
                            const trib_decomposition *found) {
    const trib_ktensor *k = &found->factors;
    if (k->rank == 0) return json_null();
    double mass = 0;
    for (uint32_t r = 0; r < k->rank; r++) mass += k->lambda[r];
    json_t *factors = json_object();
    trib_json_set_count(factors, "rank", k->rank);
    json_object_set_new(factors, "fit", trib_number_json(k->fit));
    if (k->single) trib_json_set_text(factors, "precision", "single");
    if (ngrams->nnz == 0) return factors; /* the factors were read without their tensor */
    trib_json_set_count(factors, "iterations", found->trace.n_steps);
    trib_json_set_text(factors, "stop", trib_stop_text(found->trace.stop));
    json_t *fits = json_array();
    for (size_t i = 0; i < found->trace.n_steps; i++)
        json_array_append_new(fits, trib_number_json(found->trace.step[i].fit));
    json_object_set_new(factors, "fits", fits);
    if (found->trace.n_restarts > 1) {
        trib_json_set_count(factors, "restarts", found->trace.n_restarts);
        trib_json_set_known(factors, "worst_fit", found->trace.worst_fit);
        trib_json_set_known(factors, "match", found->trace.mean_match);
        trib_json_set_known(factors, "least_match", found->trace.least_match);
    }
    trib_json_set_count(factors, "zero", found->trace.n_zero);
    trib_json_set_real(factors, "mass", mass / (double)ngrams->total);
    char reason[TRIB_REASON_MAX];
    const trib_format *format = trib_format_choose(
        config->tensor.format, ngrams, trib_config_rank(config), config->cp.iterations, reason);
    trib_json_set_text(factors, "format", format->name);
    if (reason[0]) trib_json_set_text(factors, "format_reason", reason);
    json_object_set_new(factors, "l1_error", trib_number_json(found->judged.l1_error));
    json_object_set_new(factors, "congruence", trib_number_json(found->judged.congruence));
    if (found->search.n > 0) {
        json_object_set_new(factors, "ranks", trib_ranks_json(&found->search));
        trib_json_set_text(factors, "rank_end", trib_rank_end_text(found->search.end));
    }
    return factors;
}

static json_t *make_cut(const trib_cut *cut) {
    return json_pack("{s:I, s:I}", "bytes", (json_int_t)cut->n_bytes, "lines",
                     (json_int_t)cut->n_lines);
}

/* Describes the parts that were stripped from a file. */
static json_t *make_cuts(const trib_cuts *cuts) {
    json_t *object = json_object();
    trib_json_set_count(object, "texts", cuts->n_texts);
    json_object_set_new(object, "before", make_cut(&cuts->before));
    json_object_set_new(object, "between", make_cut(&cuts->between));
    json_object_set_new(object, "behind", make_cut(&cuts->after));
    return object;
}

static json_t *make_document(const trib_run_results *results, uint32_t d) {
    static const char *const role[] = {"both", "target", "source", "decoy"};
    const trib_document *document = &results->corpus->document[d];
    const trib_document_words *words = &results->words->document[d];
    const trib_counts *counts = &results->tensors->document[d];
    const trib_counts_size *size = &results->tensors->size[d];
    const trib_corpus_document *about = document->about;
    json_t *object = json_object();
    trib_json_set_text(object, "id", about->id);
    trib_json_set_text(object, "title", about->title ? about->title : about->id);
    trib_json_set_text(object, "author", about->author ? about->author : "");
    trib_json_set_text(object, "date", about->date);
    if (about->date && about->date_from >= TRIB_FROM_FILE_NAME)
        trib_json_set_text(object, "date_from", trib_from_text(about->date_from));
    trib_json_set_text(object, "role", role[about->role]);
    json_object_set_new(object, "file", trib_json_text(about->file));
    trib_json_set_text(object, "sha256", document->sha256);
    trib_json_set_count(object, "bytes", document->n_bytes);
    trib_json_set_text(object, "kind", document->kind);
    trib_json_set_text(object, "encoding", words->encoding);
    if (about->language) trib_json_set_text(object, "language", about->language);
    if (words->cuts.n_texts > 0) json_object_set_new(object, "stripped", make_cuts(&words->cuts));
    trib_json_set_count(object, "words", words->n_tokens);
    trib_json_set_count(object, "vocabulary", size->n_words);
    trib_json_set_count(object, "ngrams", counts->n_ngrams);
    trib_json_set_count(object, "nonzeros", size->n_nonzeros);
    trib_json_set_real(object, "wildcard_ngrams",
                       share_of(counts->n_wildcard_ngrams, counts->n_ngrams));
    trib_json_set_count(object, "replaced", words->counts.n_replaced);
    json_object_set_new(
        object, "factors",
        make_factors(results->config, trib_counts_table(counts), &results->decomposition[d]));
    return object;
}

static json_t *make_methods(const trib_run_results *results) {
    const trib_config *config = results->config;
    json_t *methods = json_array();
    for (uint32_t i = 0; i < config->influence.n_methods; i++) {
        const trib_influence_method *method = config->influence.method[i];
        json_array_append_new(methods,
                              json_pack("{s:s, s:s, s:b}", "name", method->name, "help",
                                        method->help, "sums_to_one", (int)method->sums_to_one));
    }
    return methods;
}

/* What makes two words the same word, and the most frequent changes. */
static json_t *make_same_words(const trib_word_changes *changes) {
    json_t *object = json_object(), *list = json_array();
    trib_json_set_count(object, "spellings", changes->n_spellings);
    trib_json_set_count(object, "words", changes->n_words);
    trib_json_set_count(object, "changed", changes->n_changed);
    trib_json_set_count(object, "changed_tokens", changes->n_changed_tokens);
    trib_json_set_count(object, "left_out", changes->n_left_out);
    trib_json_set_count(object, "left_out_tokens", changes->n_left_out_tokens);
    for (uint32_t i = 0; i < changes->n; i++) {
        const trib_change *change = &changes->change[i];
        json_t *row = json_object();
        trib_json_set_text(row, "spelling", change->from);
        trib_json_set_text(row, "norm", change->norm);
        trib_json_set_text(row, "shown", change->shown);
        trib_json_set_count(row, "count", change->count);
        json_array_append_new(list, row);
    }
    json_object_set_new(object, "changes", list);
    return object;
}

trib_status trib_result_add_corpus(json_t *object, const trib_run_results *results,
                                   trib_error *error) {
    json_t *documents = json_array();
    settings found = {json_object(), json_array()};
    const trib_status status = trib_config_each(results->config, add_setting, &found, error);
    json_object_set_new(object, "configuration", found.all);
    json_object_set_new(object, "changed", found.changed);
    json_object_set_new(object, "corpus", make_corpus(results));
    if (results->words->changes.has_norms)
        json_object_set_new(object, "same_words", make_same_words(&results->words->changes));
    for (uint32_t d = 0; d < results->corpus->n_documents; d++)
        json_array_append_new(documents, make_document(results, d));
    json_object_set_new(object, "documents", documents);
    json_object_set_new(object, "methods", make_methods(results));
    return status;
}
