/* result.c - makes influence.json from the results of a run. */
#include "pipeline/output/result.h"

#include <math.h>
#include <string.h>

#include "pipeline/output/ranking.h"
#include "pipeline/output/stop_phrases.h"
#include "pipeline/output/stored_result.h"

static const char *id_of(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about->id;
}

static const char *word_of(const trib_run_results *results, uint32_t id) {
    return results->vocab->word[id];
}

/* ---- Shares and evidence --------------------------------------------------------------------- */

static json_t *make_shares(const trib_run_results *results, const trib_target_results *target,
                           const trib_influence *influence, const trib_share_rows *rows) {
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    json_t *shares = json_array();
    for (size_t s = 0; s < influence->n_sources; s++) {
        const trib_corpus_document *about = results->corpus->document[influence->source[s]].about;
        if (!trib_has_row(results->corpus, target, influence, rows, s)) continue;
        json_t *share = json_object();
        trib_json_set_text(share, "source", about->id);
        trib_json_set_real(share, "share", influence->share[s]);
        if (influence->low) trib_json_set_real(share, "low", influence->low[s]);
        if (influence->high) trib_json_set_real(share, "high", influence->high[s]);
        if (trib_share_is_noise(&floor, influence, s))
            json_object_set_new(share, "below_floor", json_true());
        if (trib_group_size(influence, s) > 1)
            json_object_set_new(
                share, "group",
                json_string(id_of(results, influence->source[influence->group[s]])));
        if (about->role == TRIB_ROLE_DECOY) json_object_set_new(share, "decoy", json_true());
        json_array_append_new(shares, share);
    }
    return shares;
}

/* Lists the groups of sources that cannot be told apart, by their first members. */
static json_t *make_groups(const trib_run_results *results, const trib_influence *influence,
                           const trib_floor *floor) {
    json_t *groups = json_array();
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (trib_group_size(influence, s) < 2 || influence->group[s] != s) continue;
        json_t *group = json_object(), *members = json_array();
        for (size_t i = s; i < influence->n_sources; i++)
            if (influence->group[i] == s)
                json_array_append_new(members, json_string(id_of(results, influence->source[i])));
        json_object_set_new(group, "members", members);
        trib_json_set_real(group, "share", influence->group_share[s]);
        if (influence->group_low) trib_json_set_real(group, "low", influence->group_low[s]);
        if (influence->group_high) trib_json_set_real(group, "high", influence->group_high[s]);
        if (trib_share_is_noise(floor, influence, s))
            json_object_set_new(group, "below_floor", json_true());
        json_array_append_new(groups, group);
    }
    return groups;
}

static json_t *make_influence(const trib_run_results *results, const trib_target_results *target,
                              const trib_influence *influence) {
    const trib_share_rows rows = trib_share_rows_of(results->corpus, target, influence);
    json_t *object = json_object();
    trib_json_set_known(object, "author", influence->author);
    trib_json_set_known(object, "formula", influence->formula);
    trib_json_set_known(object, "own", influence->own);
    trib_json_set_known(object, "common", influence->common);
    trib_json_set_known(object, "explained", influence->explained);
    trib_json_set_known(object, "matched", influence->matched);
    if (!isnan(influence->log_likelihood)) {
        trib_json_set_count(object, "background", influence->background);
        trib_json_set_count(object, "iterations", influence->n_iterations);
        trib_json_set_real(object, "log_likelihood", influence->log_likelihood);
    }
    if (influence->n_listed < influence->n_sources)
        trib_json_set_count(object, "weighed", influence->n_listed);
    if (rows.n_left_out > 0) {
        json_t *left_out = json_object();
        trib_json_set_count(left_out, "sources", rows.n_left_out);
        trib_json_set_real(left_out, "share", rows.left_out);
        json_object_set_new(object, "left_out", left_out);
    }
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    trib_json_set_real(object, "floor", floor.share);
    if (influence->group)
        json_object_set_new(object, "groups", make_groups(results, influence, &floor));
    json_object_set_new(object, "shares", make_shares(results, target, influence, &rows));
    return object;
}

/* What a shuffled target receives by the headline method. */
static json_t *make_null(const trib_run_results *results, const trib_shares *shares) {
    const trib_influence_null *null = &shares->null;
    json_t *object = json_object();
    if (!null->is_measured) {
        trib_json_set_text(object, "not_measured", "the headline method compares factors");
        return object;
    }
    trib_json_set_real(object, "largest", null->largest);
    if (null->source != UINT32_MAX)
        trib_json_set_text(object, "source",
                           id_of(results, shares->headline->source[null->source]));
    trib_json_set_real(object, "mean", null->mean);
    trib_json_set_count(object, "blocks", null->n_blocks);
    trib_json_set_count(object, "seed", null->seed);
    return object;
}

/* A phrase with gaps has an ellipsis between its words. */
static json_t *make_phrase(const trib_run_results *results, const trib_phrase *phrase) {
    json_t *object = json_object(), *words = json_array();
    for (uint32_t m = 0; m < results->config->tensor.n; m++) {
        if (m > 0 && phrase->has_gaps) json_array_append_new(words, json_string(TRIB_GAP));
        json_array_append_new(words, json_string(word_of(results, phrase->word[m])));
    }
    json_object_set_new(object, "words", words);
    trib_json_set_count(object, "target_count", phrase->in_target);
    trib_json_set_count(object, "source_count", phrase->in_source);
    trib_json_set_count(object, "other_documents", phrase->n_other_documents);
    trib_json_set_real(object, "mass", phrase->mass);
    return object;
}

static json_t *make_evidence_factor(const trib_run_results *results, const trib_evidence *evidence,
                                    const trib_evidence_factor *factor) {
    json_t *object = json_object(), *modes = json_array();
    for (uint32_t m = 0; m < results->config->tensor.n; m++) {
        json_t *words = json_array();
        if (m != factor->free_mode)
            json_array_append_new(words, json_string(word_of(results, factor->fixed[m])));
        for (size_t i = 0; m == factor->free_mode && i < factor->n; i++)
            json_array_append_new(
                words, json_string(word_of(results, evidence->free_word[factor->first + i])));
        json_array_append_new(modes, words);
    }
    trib_json_set_real(object, "mass", factor->mass);
    trib_json_set_count(object, "free_mode", factor->free_mode);
    json_object_set_new(object, "words", modes);
    return object;
}

/* The number of phrases and factors to list. */
typedef struct extent {
    size_t phrases, factors;
    bool without_lone; /* omit factors with one phrase, which repeat the phrase */
    /* omit phrases that occur once in the target, the most frequent case in a short text */
    bool repeated;
} extent;

/* Lists the strongest phrases and factors, phrases in `order` or, if it is NULL, in their own
 * order. Stop phrases are counted and listed separately; `commonplaces` NULL: there are none. */
static json_t *make_evidence(const trib_run_results *results, const trib_evidence *evidence,
                             const size_t *order, extent most,
                             const trib_stop_phrases *commonplaces) {
    json_t *object = json_object(), *phrases = json_array(), *factors = json_array(),
           *common = json_array();
    size_t n_common = 0;
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        const trib_phrase *phrase = &evidence->phrase[order ? order[p] : p];
        const bool is_common = commonplaces && trib_stop_phrases_hold(commonplaces, phrase);
        json_t *list = is_common ? common : phrases;
        n_common += is_common;
        if (json_array_size(list) < most.phrases && !(most.repeated && phrase->in_target < 2))
            json_array_append_new(list, make_phrase(results, phrase));
    }
    for (size_t f = 0; f < evidence->n_factors && f < most.factors; f++)
        if (!most.without_lone || evidence->factor[f].n > 1)
            json_array_append_new(factors,
                                  make_evidence_factor(results, evidence, &evidence->factor[f]));
    if (evidence->source != evidence->target)
        trib_json_set_text(object, "source", id_of(results, evidence->source));
    trib_json_set_real(object, "share", evidence->share);
    trib_json_set_count(object, "n_phrases", evidence->n_all_phrases - n_common);
    json_object_set_new(object, "phrases", phrases);
    if (n_common > 0) {
        trib_json_set_count(object, "n_commonplaces", n_common);
        json_object_set(object, "commonplaces", common);
    }
    json_decref(common);
    trib_json_set_count(object, "n_factors", evidence->n_all_factors);
    json_object_set_new(object, "factors", factors);
    return object;
}

/* Sorts sources by descending share, then by number. */
static trib_status order_evidence(const trib_target_results *target, uint32_t **order,
                                  trib_error *error) {
    trib_status status =
        trib_new(order, target->about->n_sources, sizeof **order, "the order of sources", error);
    for (uint32_t s = 0; s < target->about->n_sources && status == TRIB_OK; s++) {
        uint32_t at = s;
        for (; at > 0 && target->findings->evidence[(*order)[at - 1]].share <
                             target->findings->evidence[s].share;
             at--)
            (*order)[at] = (*order)[at - 1];
        (*order)[at] = s;
    }
    return status;
}

/* Adds the evidence from one source: its phrases in the order of trib_evidence_rank, then its
 * passages, of a short target those elsewhere than the notable ones of sources before it, which
 * n_listed counts. */
static trib_status add_evidence(json_t *list, const trib_run_results *results,
                                const trib_target_results *target, uint32_t s,
                                const uint8_t *n_listed, trib_quotes *quotes,
                                const trib_stop_phrases *commonplaces, trib_error *error) {
    enum { FEW = 5 }; /* below the noise floor */
    const bool is_noise = trib_below_floor(target->shares, s),
               is_brief = trib_target_is_brief(target);
    const size_t top = trib_target_extent(results, target).phrases,
                 few = is_brief ? TRIB_NOISE_PHRASES : FEW;
    extent most = {top, top, is_brief, false};
    if (is_noise && most.phrases > few) most.phrases = most.factors = few;
    if (is_noise && is_brief) most.factors = 0;
    size_t *order = NULL;
    trib_status status = trib_evidence_rank(&order, &target->findings->evidence[s],
                                            results->corpus->n_documents, error);
    if (status != TRIB_OK) return status;
    json_t *source =
        make_evidence(results, &target->findings->evidence[s], order, most, commonplaces);
    const trib_passages *passages = &target->findings->passages[s];
    if ((!is_noise || passages->n > 0) && results->words->document[target->about->document].file)
        status = trib_result_add_passages(
            source, quotes, target->about->document, passages, !is_noise,
            trib_target_is_short(results, target) ? n_listed : NULL, error);
    json_array_append_new(list, source);
    trib_free(order);
    return status;
}

static bool has_notable(const trib_passages *passages) {
    for (size_t p = 0; p < passages->n; p++)
        if (passages->passage[p].is_notable) return true;
    return false;
}

/* The notable passages of a source stand elsewhere when, of the n-grams of each, more than half are
 * in notable passages of `most` sources already listed. n_listed[n-grams of the target] counts
 * these; NULL: nothing is counted. */
enum { SAME_PLACE = 3, SAME_PLACE_OF_SHORT = 1 };
static bool stand_elsewhere(const uint8_t *n_listed, uint8_t most, const trib_passages *passages) {
    for (size_t p = 0; p < passages->n; p++) {
        const trib_passage *passage = &passages->passage[p];
        size_t n = 0;
        for (size_t i = 0; passage->is_notable && n_listed && i < passage->n_target; i++)
            n += n_listed[passage->target + i] >= most;
        if (passage->is_notable && n * 2 <= passage->n_target) return false;
    }
    return true;
}

static void count_places(uint8_t *n_listed, const trib_passages *passages) {
    for (size_t p = 0; n_listed && p < passages->n; p++) {
        const trib_passage *passage = &passages->passage[p];
        for (size_t i = 0; passage->is_notable && i < passage->n_target; i++)
            if (n_listed[passage->target + i] < SAME_PLACE) n_listed[passage->target + i]++;
    }
}

/* Adds "ranking": the sources of the target, the most likely predecessor first. */
static trib_status add_ranking(json_t *object, const trib_run_results *results,
                               const trib_target_results *target, trib_error *error) {
    trib_rank *list = NULL;
    size_t n = 0;
    if (!results->names) return TRIB_OK;
    const trib_status status = trib_ranking_make(&list, &n, results, target, error);
    json_t *ranking = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(ranking,
                              json_pack("{s:s, s:o}", "source",
                                        id_of(results, target->about->source[list[i].source]),
                                        "score", trib_json_real("score", list[i].score)));
    if (n > 0) json_object_set(object, "ranking", ranking);
    json_decref(ranking);
    trib_free(list);
    return status;
}

/* ---- The whole document ---------------------------------------------------------------------- */

/* Adds "evidence": the sources of the target whose phrases and passages are listed. */
static trib_status add_sources(json_t *object, const trib_run_results *results,
                               const trib_target_results *target, trib_quotes *quotes,
                               const trib_stop_phrases *commonplaces, trib_error *error) {
    const trib_extent most = trib_target_extent(results, target);
    uint32_t *order = NULL;
    uint8_t *n_listed = NULL;
    const uint8_t same = trib_target_is_short(results, target) ? SAME_PLACE_OF_SHORT : SAME_PLACE;
    size_t n_weighed = 0, n_notable = 0, n_elsewhere = 0;
    json_t *evidence = json_array();
    trib_status status =
        target->findings->evidence ? order_evidence(target, &order, error) : TRIB_OK;
    if (status == TRIB_OK && order && trib_target_is_brief(target))
        status = trib_new(&n_listed, results->words->document[target->about->document].n_tokens,
                          sizeof *n_listed, "places of passages", error);
    for (uint32_t s = 0; order && s < target->about->n_sources && status == TRIB_OK; s++) {
        const bool is_weighed = target->findings->evidence[order[s]].n_all_phrases > 0 ||
                                target->shares->headline->n_listed == target->about->n_sources;
        const trib_passages *passages = &target->findings->passages[order[s]];
        const bool is_listed = is_weighed && n_weighed < most.sources;
        if (is_weighed) n_weighed++; /* with hundreds of sources, most are not */
        /* phrases.csv and passages.tsv list the others */
        if (!is_listed && (!has_notable(passages) || n_notable >= most.notable_sources)) continue;
        if (!is_listed && n_listed && stand_elsewhere(n_listed, same, passages)) {
            n_elsewhere++;
            continue;
        }
        if (has_notable(passages)) n_notable++;
        status = add_evidence(evidence, results, target, order[s], n_listed, quotes, commonplaces,
                              error);
        count_places(n_listed, passages);
    }
    trib_free(order);
    trib_free(n_listed);
    json_object_set_new(object, "evidence", evidence);
    if (n_elsewhere > 0) trib_json_set_count(object, "n_same_places", n_elsewhere);
    return status;
}

/* Adds what is known about the target beside its shares. */
static trib_status add_details(json_t *object, const trib_run_results *results,
                               const trib_target_results *target, trib_quotes *quotes,
                               const trib_stop_phrases *commonplaces, trib_error *error) {
    const trib_extent most = trib_target_extent(results, target);
    trib_status status = add_ranking(object, results, target, error);
    if (status == TRIB_OK)
        status = add_sources(object, results, target, quotes, commonplaces, error);
    extent own = {most.phrases, most.phrases, trib_target_is_brief(target), false};
    own.repeated = trib_target_is_short(results, target);
    if (target->findings->evidence)
        json_object_set_new(object, "own",
                            make_evidence(results, &target->findings->own, NULL, own, NULL));
    if (status == TRIB_OK) status = trib_result_add_matches(object, results, target, error);
    return status == TRIB_OK && target->allusions
               ? trib_result_add_parallels(object, quotes, target,
                                           results->config->report.top_phrases, error)
               : status;
}

/* Makes the object of a target, as far as its shares. */
static json_t *make_target(const trib_run_results *results, const trib_target_results *target) {
    json_t *object = json_object(), *methods = json_object();
    trib_json_set_text(object, "target", id_of(results, target->about->document));
    trib_json_set_count(object, "n_sources", target->about->n_sources);
    if (results->corpus->candidates.most > 0)
        trib_json_set_count(object, "admissible", target->about->n_admissible);
    trib_json_set_real(object, "floor", target->shares->floor.share);
    trib_json_set_text(object, "floor_from",
                       target->shares->floor.decoy ? target->shares->floor.decoy : "rule");
    if (results->config->influence.null)
        json_object_set_new(object, "null", make_null(results, target->shares));
    for (uint32_t i = 0; i < results->config->influence.n_methods; i++)
        json_object_set_new(methods, target->shares->influence[i].method->name,
                            make_influence(results, target, &target->shares->influence[i]));
    json_object_set_new(object, "methods", methods);
    return object;
}

size_t trib_result_lines(const trib_run_results *results) {
    enum { LINES_OF_MANY = 3 }; /* deeper values are written on one line */
    return results->corpus->n_targets > TRIB_ALL_WRITTEN ? LINES_OF_MANY : TRIB_JSON_LINES;
}

trib_status trib_result_begin(trib_result_work *work, const trib_run_results *results,
                              const trib_result_way *way, trib_error *error) {
    *work = (trib_result_work){.results = results, .way = *way};
    trib_status status = trib_new(&work->target, results->corpus->n_targets, sizeof *work->target,
                                  "influence.json", error);
    if (status == TRIB_OK) status = trib_quotes_open(&work->quotes, results, error);
    if (status == TRIB_OK)
        status = trib_stop_phrases_open(&work->commonplaces, results->config, results->vocab,
                                        results->corpus->n_documents, error);
    if (status == TRIB_OK && way->stored)
        status = trib_stored_begin(way->stored, way->scratch, results->corpus->n_targets, error);
    return status;
}

trib_status trib_result_target(trib_result_work *work, uint32_t t, trib_error *error) {
    const trib_run_results *results = work->results;
    const trib_target_results *target = &results->target[t];
    trib_status status = TRIB_OK;
    trib_json_begin();
    work->target[t] = make_target(results, target);
    if (!work->way.is_brief) {
        trib_quotes_enter(&work->quotes);
        status = add_details(work->target[t], results, target, &work->quotes, &work->commonplaces,
                             error);
        trib_quotes_leave(&work->quotes);
    }
    trib_results_rest(results, t);
    if (status == TRIB_OK) status = trib_json_check("influence.json", error);
    if (status != TRIB_OK || !work->way.stored) return status;
    status =
        trib_stored_put(work->way.stored, t, work->target[t], trib_result_lines(results), error);
    json_decref(work->target[t]);
    work->target[t] = NULL;
    return status;
}

/* Adds all members of influence.json, including `targets`, in their order. */
static trib_status make_whole(json_t *object, const trib_run_results *results, json_t *targets,
                              trib_error *error) {
    json_t *warnings = json_array();
    json_object_set_new(object, "schema", json_integer(1));
    trib_json_set_text(object, "version", TRIB_VERSION);
    trib_json_set_text(object, "name", results->config->name);
    trib_json_set_text(object, "hash", results->corpus->hash);
    trib_status status = trib_result_add_corpus(object, results, error);
    trib_json_set_text(object, "headline", results->config->influence.headline->name);
    trib_json_set_real(object, "threshold", results->config->influence.threshold);
    json_object_set_new(object, "targets", targets);
    if (status == TRIB_OK && results->corpus->n_targets > 1)
        status = trib_result_add_graph(object, results, error);
    trib_result_add_formulas(object, results);
    for (size_t w = 0; w < results->warnings->n; w++)
        json_array_append_new(warnings, trib_json_text(results->warnings->text[w]));
    json_object_set_new(object, "warnings", warnings);
    return status;
}

/* Lists the targets in the order of the configuration: as corpus.target lists them, and for `all`
 * as the documents arrive. */
static trib_status order_targets(const trib_run_results *results, uint32_t **order,
                                 trib_error *error) {
    const trib_corpus *corpus = results->corpus;
    const trib_text_list *asked = &results->config->corpus.target;
    uint32_t n = 0;
    uint8_t *is_listed = NULL;
    trib_status status = trib_new(order, corpus->n_targets, sizeof **order, "the targets", error);
    if (status == TRIB_OK) status = trib_new(&is_listed, corpus->n_targets, 1, "targets", error);
    for (uint32_t i = 0; status == TRIB_OK && corpus->arrival && i < asked->n; i++) {
        const bool is_all = strcmp(asked->item[i], "all") == 0;
        for (uint32_t d = 0; d < corpus->n_documents; d++) {
            const uint32_t document = corpus->arrival[d],
                           t = trib_corpus_target_of(corpus, document);
            if (t == corpus->n_targets || is_listed[t] ||
                !(is_all || strcmp(asked->item[i], id_of(results, document)) == 0))
                continue;
            is_listed[t] = 1;
            (*order)[n++] = t;
        }
    }
    /* a command that compares files asks for no target by its id */
    for (uint32_t t = 0; status == TRIB_OK && t < corpus->n_targets; t++)
        if (!is_listed[t]) (*order)[n++] = t;
    trib_free(is_listed);
    return status;
}

/* Moves the objects of the targets to a list; of those that are stored it has the ids. */
static trib_status take_targets(trib_result_work *work, json_t *targets, trib_error *error) {
    const uint32_t n = work->results->corpus->n_targets;
    trib_stored_targets *stored = work->way.stored;
    uint32_t *order = NULL;
    trib_status status = order_targets(work->results, &order, error);
    if (status == TRIB_OK && stored) status = trib_stored_finish(stored, order, error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const uint32_t document = work->results->target[order[i]].about->document;
        json_array_append_new(targets,
                              stored ? json_pack("{s:s}", "target", id_of(work->results, document))
                                     : work->target[order[i]]);
        work->target[order[i]] = NULL;
    }
    trib_free(order);
    return status;
}

trib_status trib_result_end(trib_result_work *work, json_t **result, trib_status status,
                            trib_error *error) {
    json_t *targets = json_array();
    if (status == TRIB_OK) status = take_targets(work, targets, error);
    for (uint32_t t = 0; work->target && t < work->results->corpus->n_targets; t++)
        json_decref(work->target[t]);
    trib_free(work->target);
    trib_quotes_close(&work->quotes);
    trib_stop_phrases_close(&work->commonplaces);
    *result = json_object();
    if (status == TRIB_OK) status = make_whole(*result, work->results, targets, error);
    else json_decref(targets);
    *work = (trib_result_work){0};
    trib_error lacks = {0};
    if (trib_json_check("influence.json", &lacks) != TRIB_OK && status == TRIB_OK) {
        status = lacks.status;
        if (error) *error = lacks;
    }
    if (status == TRIB_OK) return TRIB_OK;
    json_decref(*result);
    *result = NULL;
    return status;
}

static trib_status do_target(void *work, size_t t, trib_error *error) {
    return trib_result_target(work, (uint32_t)t, error);
}

trib_status trib_result_make(json_t **result, const trib_run_results *results, trib_error *error) {
    trib_result_work work;
    trib_status status = trib_result_begin(&work, results, &(trib_result_way){0}, error);
    if (status == TRIB_OK)
        status =
            trib_tasks_do(&results->workers, results->corpus->n_targets, do_target, &work, error);
    return trib_result_end(&work, result, status, error);
}
