/* results.c - a run directory as tables of plain rows. influence.json is read once, when it is
 * opened; the rows point into its texts. */
#include "pipeline/library/results.h"

#include <math.h>
#include <string.h>

#include "pipeline/library/results_private.h"
#include "pipeline/output/result.h"
#include "pipeline/support/json.h"

/* ---- Members of JSON ------------------------------------------------------------------------- */

/* NULL where it is absent, null or empty. */
static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text : NULL;
}

static uint64_t count_of(const json_t *object, const char *key) {
    const json_int_t count = json_integer_value(json_object_get(object, key));
    return count > 0 ? (uint64_t)count : 0;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static trib_status damaged(const trib_results *r, const char *what, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s/influence.json: is damaged: %s", r->directory, what);
}

static trib_status find_document(const trib_results *r, const json_t *object, const char *key,
                                 uint32_t *document, trib_error *error) {
    *document = trib_results_find(r, trib_json_get_text(object, key));
    return *document == TRIB_AUTHOR
               ? damaged(r, "it names a document that it does not describe", error)
               : TRIB_OK;
}

static trib_status read_documents(trib_results *r, trib_error *error) {
    const json_t *list = json_object_get(r->json, "documents");
    const size_t n = json_array_size(list);
    trib_status status = trib_new(&r->document, n, sizeof *r->document, "the documents", error);
    if (status == TRIB_OK && n >= TRIB_FORMULA) status = damaged(r, "too many documents", error);
    for (size_t d = 0; d < n && status == TRIB_OK; d++) {
        const json_t *from = json_array_get(list, d), *factors = json_object_get(from, "factors");
        r->document[d] = (trib_result_document){
            .id = trib_json_get_text(from, "id"),
            .title = trib_json_get_text(from, "title"),
            .author = text_of(from, "author"),
            .date = text_of(from, "date"),
            .role = trib_json_get_text(from, "role"),
            .file = trib_json_get_text(from, "file"),
            .n_bytes = count_of(from, "bytes"),
            .n_words = count_of(from, "words"),
            .n_ngrams = count_of(from, "ngrams"),
            .nnz = count_of(from, "nonzeros"),
            .floor = NAN,
            .rank = (uint32_t)count_of(factors, "rank"),
            .fit = trib_json_get_number(factors, "fit"),
        };
        r->n_documents = d + 1;
    }
    return status;
}

static trib_status add_share(trib_results *r, trib_result_share share, trib_error *error) {
    const trib_status status =
        trib_grow(&r->share, &r->share_cap, r->n_shares + 1, sizeof *r->share, "shares", error);
    if (status == TRIB_OK) r->share[r->n_shares++] = share;
    return status;
}

/* Sets the members of a share that belong to its group. */
static trib_status read_group(const trib_results *r, trib_result_share *share, const json_t *row,
                              const json_t *groups, trib_error *error) {
    share->group = share->source;
    share->group_share = share->share;
    share->group_low = share->low;
    share->group_high = share->high;
    if (!json_object_get(row, "group")) return TRIB_OK;
    const trib_status status = find_document(r, row, "group", &share->group, error);
    for (size_t g = 0; g < json_array_size(groups) && status == TRIB_OK; g++) {
        const json_t *group = json_array_get(groups, g);
        const char *first = json_string_value(json_array_get(json_object_get(group, "members"), 0));
        if (!first || strcmp(first, trib_json_get_text(row, "group")) != 0) continue;
        share->group_share = trib_json_get_number(group, "share");
        share->group_low = trib_json_get_number(group, "low");
        share->group_high = trib_json_get_number(group, "high");
    }
    return status;
}

static trib_status read_method(trib_results *r, uint32_t target, const char *method,
                               const json_t *from, trib_error *error) {
    const json_t *list = json_object_get(from, "shares");
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(list) && status == TRIB_OK; i++) {
        const json_t *row = json_array_get(list, i);
        trib_result_share share = {.target = target,
                                   .method = method,
                                   .share = trib_json_get_number(row, "share"),
                                   .low = trib_json_get_number(row, "low"),
                                   .high = trib_json_get_number(row, "high"),
                                   .is_below_floor = trib_json_get_flag(row, "below_floor"),
                                   .is_decoy = trib_json_get_flag(row, "decoy")};
        status = find_document(r, row, "source", &share.source, error);
        if (status == TRIB_OK)
            status = read_group(r, &share, row, json_object_get(from, "groups"), error);
        if (status == TRIB_OK) status = add_share(r, share, error);
    }
    static const struct {
        const char *key;
        uint32_t number;
    } rest[] = {{"author", TRIB_AUTHOR}, {"formula", TRIB_FORMULA}};
    for (size_t i = 0; i < sizeof rest / sizeof *rest && status == TRIB_OK; i++) {
        const double share = trib_json_get_number(from, rest[i].key);
        if (isnan(share)) continue;
        status = add_share(r,
                           (trib_result_share){.target = target,
                                               .source = rest[i].number,
                                               .method = method,
                                               .share = share,
                                               .low = NAN,
                                               .high = NAN,
                                               .group = rest[i].number,
                                               .group_share = share,
                                               .group_low = NAN,
                                               .group_high = NAN},
                           error);
    }
    return status;
}

/* A text of pieces with `between` between them, owned by the results. */
static trib_status join(trib_results *r, const json_t *pieces, const char *between,
                        const char **joined, trib_error *error) {
    trib_buffer text = {0};
    trib_status status =
        trib_grow(&r->text, &r->text_cap, r->n_texts + 1, sizeof *r->text, "texts", error);
    for (size_t i = 0; i < json_array_size(pieces) && status == TRIB_OK; i++) {
        const char *piece = json_string_value(json_array_get(pieces, i));
        status = trib_buffer_print(&text, error, "%s%s", i > 0 ? between : "", piece ? piece : "");
    }
    if (status == TRIB_OK && !text.text) status = trib_buffer_print(&text, error, "%s", "");
    if (status != TRIB_OK) {
        trib_buffer_release(&text);
        return status;
    }
    *joined = r->text[r->n_texts++] = text.text;
    return TRIB_OK;
}

static trib_status read_phrases(trib_results *r, uint32_t target, uint32_t source,
                                const json_t *list, bool is_common, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(list) && status == TRIB_OK; i++) {
        const json_t *from = json_array_get(list, i);
        trib_result_phrase phrase = {.target = target,
                                     .source = source,
                                     .in_target = count_of(from, "target_count"),
                                     .in_source = count_of(from, "source_count"),
                                     .n_other_documents = count_of(from, "other_documents"),
                                     .mass = trib_json_get_number(from, "mass"),
                                     .is_common = is_common};
        status = join(r, json_object_get(from, "words"), " ", &phrase.text, error);
        if (status == TRIB_OK)
            status = trib_grow(&r->phrase, &r->phrase_cap, r->n_phrases + 1, sizeof *r->phrase,
                               "phrases", error);
        if (status == TRIB_OK) r->phrase[r->n_phrases++] = phrase;
    }
    return status;
}

static trib_status quote(trib_results *r, const json_t *side, const char **text,
                         trib_error *error) {
    const json_t *pieces = json_object_get(side, "text");
    *text = NULL;
    return pieces ? join(r, pieces, "", text, error) : TRIB_OK;
}

static trib_status read_passages(trib_results *r, uint32_t target, uint32_t source,
                                 const json_t *list, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(list) && status == TRIB_OK; i++) {
        const json_t *from = json_array_get(list, i), *here = json_object_get(from, "target"),
                     *there = json_object_get(from, "source");
        trib_result_passage passage = {.target = target,
                                       .source = source,
                                       .first = count_of(here, "first"),
                                       .n_words = count_of(here, "words"),
                                       .source_first = count_of(there, "first"),
                                       .n_source_words = count_of(there, "words"),
                                       .n_shared = count_of(from, "shared"),
                                       .mass = trib_json_get_number(from, "mass")};
        status = quote(r, here, &passage.text, error);
        if (status == TRIB_OK) status = quote(r, there, &passage.source_text, error);
        if (status == TRIB_OK)
            status = trib_grow(&r->passage, &r->passage_cap, r->n_passages + 1, sizeof *r->passage,
                               "passages", error);
        if (status == TRIB_OK) r->passage[r->n_passages++] = passage;
    }
    return status;
}

static trib_status read_evidence(trib_results *r, uint32_t target, const json_t *from,
                                 trib_error *error) {
    uint32_t source = 0;
    trib_status status = find_document(r, from, "source", &source, error);
    if (status == TRIB_OK)
        status = read_phrases(r, target, source, json_object_get(from, "phrases"), false, error);
    if (status == TRIB_OK)
        status =
            read_phrases(r, target, source, json_object_get(from, "commonplaces"), true, error);
    if (status == TRIB_OK)
        status = read_passages(r, target, source, json_object_get(from, "passages"), error);
    return status;
}

static trib_status read_ranking(trib_results *r, uint32_t target, const json_t *list,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(list) && status == TRIB_OK; i++) {
        const json_t *from = json_array_get(list, i);
        trib_result_rank rank = {.target = target,
                                 .rank = (uint32_t)i + 1,
                                 .score = trib_json_get_number(from, "score")};
        status = find_document(r, from, "source", &rank.source, error);
        if (status == TRIB_OK)
            status = trib_grow(&r->rank, &r->rank_cap, r->n_ranks + 1, sizeof *r->rank,
                               "the ranking", error);
        if (status == TRIB_OK) r->rank[r->n_ranks++] = rank;
    }
    return status;
}

/* Sets allusion->shared. */
static trib_status read_shared(trib_results *r, trib_result_allusion *allusion, const json_t *list,
                               trib_error *error) {
    json_t *features = json_array();
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_append(features, json_object_get(json_array_get(list, i), "feature"));
    allusion->n_shared = json_array_size(list);
    trib_status status = trib_json_check("influence.json", error);
    if (status == TRIB_OK) status = join(r, features, " ", &allusion->shared, error);
    json_decref(features);
    return status;
}

static trib_status read_allusions(trib_results *r, uint32_t target, const json_t *list,
                                  trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(list) && status == TRIB_OK; i++) {
        const json_t *from = json_array_get(list, i), *here = json_object_get(from, "in_target"),
                     *there = json_object_get(from, "in_source");
        trib_result_allusion allusion = {.target = target,
                                         .rank = (uint32_t)count_of(from, "rank"),
                                         .score = trib_json_get_number(from, "score"),
                                         .first = count_of(here, "first"),
                                         .n_words = count_of(here, "words"),
                                         .source_first = count_of(there, "first"),
                                         .n_source_words = count_of(there, "words")};
        status = find_document(r, from, "source", &allusion.source, error);
        if (status == TRIB_OK)
            status = read_shared(r, &allusion, json_object_get(from, "shared"), error);
        if (status == TRIB_OK) status = quote(r, here, &allusion.text, error);
        if (status == TRIB_OK) status = quote(r, there, &allusion.source_text, error);
        if (status == TRIB_OK)
            status = trib_grow(&r->allusion, &r->allusion_cap, r->n_allusions + 1,
                               sizeof *r->allusion, "possible allusions", error);
        if (status == TRIB_OK) r->allusion[r->n_allusions++] = allusion;
    }
    return status;
}

static trib_status read_target(trib_results *r, const json_t *from, trib_error *error) {
    const json_t *methods = json_object_get(r->json, "methods");
    const json_t *evidence = json_object_get(from, "evidence");
    uint32_t target = 0;
    trib_status status = find_document(r, from, "target", &target, error);
    if (status != TRIB_OK) return status;
    r->document[target].is_target = true;
    r->document[target].floor = trib_json_get_number(from, "floor");
    for (size_t m = 0; m < json_array_size(methods) && status == TRIB_OK; m++) {
        const char *name = trib_json_get_text(json_array_get(methods, m), "name");
        status = read_method(r, target, name,
                             json_object_get(json_object_get(from, "methods"), name), error);
    }
    for (size_t s = 0; s < json_array_size(evidence) && status == TRIB_OK; s++)
        status = read_evidence(r, target, json_array_get(evidence, s), error);
    if (status == TRIB_OK)
        status = read_ranking(r, target, json_object_get(from, "ranking"), error);
    if (status == TRIB_OK)
        status = read_allusions(r, target, json_object_get(from, "parallels"), error);
    const json_t *own = json_object_get(json_object_get(from, "own"), "phrases");
    return status == TRIB_OK ? read_phrases(r, target, TRIB_AUTHOR, own, false, error) : status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_results_open(trib_results **results, const char *directory, trib_error *error) {
    *results = NULL;
    trib_json_share();
    trib_results *r = NULL;
    trib_status status = trib_new(&r, 1, sizeof *r, "the results", error);
    if (status != TRIB_OK) return status;
    status = trib_copy_text(&r->directory, directory, strlen(directory), error);
    if (status == TRIB_OK) status = trib_result_load(&r->json, directory, error);
    if (status == TRIB_OK) status = read_documents(r, error);
    const json_t *targets = json_object_get(r->json, "targets");
    for (size_t t = 0; t < json_array_size(targets) && status == TRIB_OK; t++)
        status = read_target(r, json_array_get(targets, t), error);
    if (status == TRIB_OK) *results = r;
    else trib_results_close(r);
    return status;
}

void trib_results_close(trib_results *results) {
    if (!results) return;
    json_decref(results->json);
    for (size_t i = 0; i < results->n_texts; i++) trib_free(results->text[i]);
    trib_free(results->text);
    trib_free(results->document);
    trib_free(results->share);
    trib_free(results->phrase);
    trib_free(results->passage);
    trib_free(results->rank);
    trib_free(results->allusion);
    trib_free(results->directory);
    trib_free(results);
}

const char *trib_results_directory(const trib_results *results) { return results->directory; }

const char *trib_results_name(const trib_results *results) {
    return trib_json_get_text(results->json, "name");
}

const char *trib_results_headline(const trib_results *results) {
    return trib_json_get_text(results->json, "headline");
}

const trib_result_document *trib_results_documents(const trib_results *results, size_t *n) {
    *n = results->n_documents;
    return results->document;
}

uint32_t trib_results_find(const trib_results *results, const char *id) {
    size_t low = 0, high = results->n_documents;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(id, results->document[middle].id);
        if (order == 0) return (uint32_t)middle;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return TRIB_AUTHOR;
}

const trib_result_share *trib_results_shares(const trib_results *results, size_t *n) {
    *n = results->n_shares;
    return results->share;
}

const trib_result_phrase *trib_results_phrases(const trib_results *results, size_t *n) {
    *n = results->n_phrases;
    return results->phrase;
}

const trib_result_passage *trib_results_passages(const trib_results *results, size_t *n) {
    *n = results->n_passages;
    return results->passage;
}

const trib_result_rank *trib_results_ranking(const trib_results *results, size_t *n) {
    *n = results->n_ranks;
    return results->rank;
}

const trib_result_allusion *trib_results_allusions(const trib_results *results, size_t *n) {
    *n = results->n_allusions;
    return results->allusion;
}
