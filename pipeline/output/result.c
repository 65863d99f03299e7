/* result.c - makes the result of a run: its record, and the texts of its targets. */
#include "pipeline/output/versions.h"

#include "pipeline/config/config.h"
#include "pipeline/output/output.h"
#include "pipeline/support/path.h"

static const char *word_of(const trib_run_results *results, uint32_t id) {
    return results->vocab->word[id];
}

/* ---- Shares ---------------------------------------------------------------------------------- */

static void fill_shares(trib_share_records *list, trib_arena *arena,
                        const trib_run_results *results, const trib_target_results *target,
                        const trib_influence *influence, const trib_share_rows *rows) {
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    for (size_t s = 0; s < influence->n_sources; s++) {
        const trib_corpus_document *about = results->corpus->document[influence->source[s]].about;
        if (!trib_has_row(results->corpus, target, influence, rows, s)) continue;
        trib_share_record *const share = trib_arena_append(arena, list, sizeof *share);
        if (!share) return;
        *share = (trib_share_record){
            .source = about->id,
            .share = influence->share[s],
            .low = influence->low ? influence->low[s] : (double)NAN,
            .high = influence->high ? influence->high[s] : (double)NAN,
            .below_floor = trib_share_is_noise(&floor, influence, s),
            .decoy = about->role == TRIB_ROLE_DECOY,
            .group = trib_group_size(influence, s) > 1
                         ? trib_results_id(results, influence->source[influence->group[s]])
                         : NULL};
    }
}

/* Lists the groups of sources that cannot be told apart, by their first members. */
static void fill_groups(trib_group_records *list, trib_arena *arena,
                        const trib_run_results *results, const trib_influence *influence,
                        const trib_floor *floor) {
    trib_arena_list(arena, list);
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (trib_group_size(influence, s) < 2 || influence->group[s] != s) continue;
        trib_group_record *const group = trib_arena_append(arena, list, sizeof *group);
        if (!group) return;
        *group = (trib_group_record){
            .share = influence->group_share[s],
            .low = influence->group_low ? influence->group_low[s] : (double)NAN,
            .high = influence->group_high ? influence->group_high[s] : (double)NAN,
            .below_floor = trib_share_is_noise(floor, influence, s)};
        for (size_t i = s; i < influence->n_sources; i++)
            if (influence->group[i] == s)
                trib_texts_add(arena, &group->members,
                               trib_results_id(results, influence->source[i]));
    }
}

static void fill_influence(trib_influence_record *record, trib_arena *arena,
                           const trib_run_results *results, const trib_target_results *target,
                           const trib_influence *influence) {
    const trib_share_rows rows = trib_share_rows_of(results->corpus, target, influence);
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    *record = (trib_influence_record){
        .method = influence->method->name,
        .author = influence->author,
        .formula = influence->formula,
        .own = influence->own,
        .common = influence->common,
        .explained = influence->explained,
        .matched = influence->matched,
        .background = influence->background,
        .iterations = influence->n_iterations,
        .log_likelihood = influence->log_likelihood,
        .weighed = influence->n_listed < influence->n_sources ? influence->n_listed : TRIB_ABSENT,
        .floor = floor.share};
    if (rows.n_left_out > 0) record->left_out = trib_arena_new(arena, 1, sizeof *record->left_out);
    if (record->left_out)
        *record->left_out = (trib_left_out_record){rows.n_left_out, rows.left_out};
    if (influence->group) fill_groups(&record->groups, arena, results, influence, &floor);
    fill_shares(&record->shares, arena, results, target, influence, &rows);
}

/* What a shuffled target receives by the headline method. */
static trib_null_record *make_null(trib_arena *arena, const trib_run_results *results,
                                   const trib_shares *shares) {
    const trib_influence_null *null = &shares->null;
    trib_null_record *const record = trib_arena_new(arena, 1, sizeof *record);
    if (!record) return NULL;
    if (!null->is_measured) {
        *record = (trib_null_record){.not_measured = "the headline method compares factors",
                                     .largest = (double)NAN,
                                     .mean = (double)NAN};
        return record;
    }
    *record = (trib_null_record){
        .largest = null->largest, .mean = null->mean, .blocks = null->n_blocks, .seed = null->seed};
    if (null->source != UINT32_MAX)
        record->source = trib_results_id(results, shares->headline->source[null->source]);
    return record;
}

/* ---- Evidence -------------------------------------------------------------------------------- */

/* A phrase with gaps has an ellipsis between its words. */
static void add_phrase(trib_phrase_records *list, trib_arena *arena,
                       const trib_run_results *results, const trib_phrase *phrase) {
    trib_phrase_record *const record = trib_arena_append(arena, list, sizeof *record);
    if (!record) return;
    *record = (trib_phrase_record){.target_count = phrase->in_target,
                                   .source_count = phrase->in_source,
                                   .other_documents = phrase->n_other_documents,
                                   .mass = phrase->mass};
    for (uint32_t m = 0; m < results->config->tensor.n; m++) {
        if (m > 0 && phrase->has_gaps) trib_texts_add(arena, &record->words, TRIB_GAP);
        trib_texts_add(arena, &record->words, word_of(results, phrase->word[m]));
    }
}

static void add_cover(trib_cover_records *list, trib_arena *arena, const trib_run_results *results,
                      const trib_evidence *evidence, const trib_evidence_factor *factor) {
    trib_cover_record *const record = trib_arena_append(arena, list, sizeof *record);
    if (!record) return;
    *record = (trib_cover_record){.mass = factor->mass, .free_mode = factor->free_mode};
    for (uint32_t m = 0; m < results->config->tensor.n; m++) {
        trib_texts *const words = trib_arena_append(arena, &record->words, sizeof *words);
        if (!words) return;
        if (m != factor->free_mode)
            trib_texts_add(arena, words, word_of(results, factor->fixed[m]));
        for (size_t i = 0; m == factor->free_mode && i < factor->n; i++)
            trib_texts_add(arena, words, word_of(results, evidence->free_word[factor->first + i]));
    }
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
static void fill_evidence(trib_evidence_record *record, trib_arena *arena,
                          const trib_run_results *results, const trib_evidence *evidence,
                          const size_t *order, extent most, const trib_stop_phrases *commonplaces) {
    trib_phrase_records common = {0};
    trib_arena_list(arena, &common);
    *record =
        (trib_evidence_record){.share = evidence->share, .n_factors = evidence->n_all_factors};
    if (evidence->source != evidence->target)
        record->source = trib_results_id(results, evidence->source);
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        const trib_phrase *phrase = &evidence->phrase[order ? order[p] : p];
        const bool is_common = commonplaces && trib_stop_phrases_hold(commonplaces, phrase);
        trib_phrase_records *const list = is_common ? &common : &record->phrases;
        record->n_commonplaces += is_common;
        if (list->n < most.phrases && !(most.repeated && phrase->in_target < 2))
            add_phrase(list, arena, results, phrase);
    }
    record->n_phrases = evidence->n_all_phrases - record->n_commonplaces;
    if (record->n_commonplaces > 0) record->commonplaces = common;
    for (size_t f = 0; f < evidence->n_factors && f < most.factors; f++)
        if (!most.without_lone || evidence->factor[f].n > 1)
            add_cover(&record->factors, arena, results, evidence, &evidence->factor[f]);
}

/* Sorts sources by descending share, then by number. */
static trib_status order_evidence(const trib_target_results *target, uint32_t **order,
                                  trib_error *error) {
    trib_status status = TRIB_NEW(order, target->about->n_sources, "the order of sources", error);
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
static trib_status add_evidence(trib_evidence_records *list, trib_arena *arena,
                                const trib_run_results *results, const trib_target_results *target,
                                uint32_t s, const uint8_t *n_listed, trib_quotes *quotes,
                                const trib_stop_phrases *commonplaces, trib_error *error) {
    enum { FEW = 5 }; /* below the noise floor */
    const bool is_noise = trib_below_floor(target->shares, s),
               is_brief = trib_target_is_brief(target);
    const size_t top = trib_target_extent(results, target).phrases,
                 few = is_brief ? TRIB_NOISE_PHRASES : FEW;
    const trib_passages *passages = &target->findings->passages[s];
    extent most = {top, top, is_brief, false};
    TRIB_FREED(size_t *) order = NULL;
    if (is_noise && most.phrases > few) most.phrases = most.factors = few;
    if (is_noise && is_brief) most.factors = 0;
    trib_evidence_record *const source = trib_arena_append(arena, list, sizeof *source);
    if (!source) return trib_arena_check(arena, error);
    trib_status status = trib_evidence_rank(&order, &target->findings->evidence[s],
                                            results->corpus->n_documents, error);
    if (status != TRIB_OK) return status;
    fill_evidence(source, arena, results, &target->findings->evidence[s], order, most,
                  commonplaces);
    if ((!is_noise || passages->n > 0) && results->words->document[target->about->document].file)
        status = trib_result_add_passages(
            source, arena, quotes, target->about->document, passages, !is_noise,
            trib_target_is_short(results, target) ? n_listed : NULL, error);
    return status;
}

static bool has_notable(const trib_passages *passages) {
    for (size_t p = 0; p < passages->n; p++)
        if (passages->passage[p].is_notable || passages->passage[p].is_translated) return true;
    return false;
}

/* The notable passages of a source stand elsewhere when `most` sources already listed have notable
 * ones of the family of each. n_listed[families] counts these; NULL: nothing is counted. */
enum { SAME_PLACE = 3, SAME_PLACE_OF_SHORT = 1 };
static bool stand_elsewhere(const uint8_t *n_listed, uint8_t most, const trib_passages *passages) {
    bool is_listed = n_listed != NULL;
    for (size_t p = 0; is_listed && p < passages->n; p++)
        is_listed =
            !passages->passage[p].is_notable || n_listed[passages->passage[p].family - 1] >= most;
    return is_listed;
}

static void count_places(uint8_t *n_listed, const trib_passages *passages) {
    for (size_t p = 0; n_listed && p < passages->n; p++) {
        uint8_t *const n = &n_listed[passages->passage[p].family - 1];
        if (passages->passage[p].is_notable && *n < SAME_PLACE) ++*n;
    }
}

/* Adds the sources of the target, the most likely predecessor first. */
static trib_status add_ranking(trib_target_record *record, trib_arena *arena,
                               const trib_run_results *results, const trib_target_results *target,
                               trib_error *error) {
    TRIB_FREED(trib_rank *) list = NULL;
    size_t n = 0;
    if (!results->names) return TRIB_OK;
    const trib_status status = trib_ranking_make(&list, &n, results, target, error);
    for (size_t i = 0; i < n; i++) {
        TRIB_ADD(arena, &record->ranking, trib_ranked_record,
                 {trib_results_id(results, target->about->source[list[i].source]), list[i].score});
    }
    return status;
}

/* ---- The whole document ---------------------------------------------------------------------- */

/* Adds "evidence": the sources of the target whose phrases and passages are listed. */
static trib_status add_sources(trib_target_record *record, trib_arena *arena,
                               const trib_run_results *results, const trib_target_results *target,
                               trib_quotes *quotes, const trib_stop_phrases *commonplaces,
                               trib_error *error) {
    const trib_extent most = trib_target_extent(results, target);
    TRIB_FREED(uint32_t *) order = NULL;
    TRIB_FREED(uint8_t *) n_listed = NULL;
    const uint8_t same = trib_target_is_short(results, target) ? SAME_PLACE_OF_SHORT : SAME_PLACE;
    size_t n_weighed = 0, n_notable = 0;
    trib_status status =
        target->findings->evidence ? order_evidence(target, &order, error) : TRIB_OK;
    if (status == TRIB_OK && order && trib_target_is_brief(target))
        status = TRIB_NEW(&n_listed, target->findings->families.n, "places of passages", error);
    for (uint32_t s = 0; order && s < target->about->n_sources && status == TRIB_OK; s++) {
        const bool is_weighed = target->findings->evidence[order[s]].n_all_phrases > 0 ||
                                target->shares->headline->n_listed == target->about->n_sources;
        const trib_passages *passages = &target->findings->passages[order[s]];
        const bool is_listed = is_weighed && n_weighed < most.sources;
        if (is_weighed) n_weighed++; /* with hundreds of sources, most are not */
        /* phrases.csv and passages.tsv list the others */
        if (!is_listed && (!has_notable(passages) || n_notable >= most.notable_sources)) continue;
        if (!is_listed && n_listed && stand_elsewhere(n_listed, same, passages)) {
            record->n_same_places++;
            continue;
        }
        if (has_notable(passages)) n_notable++;
        status = add_evidence(&record->evidence, arena, results, target, order[s], n_listed, quotes,
                              commonplaces, error);
        count_places(n_listed, passages);
    }
    return status;
}

/* Adds what was found of translations from each source. */
static trib_status add_translations(trib_target_record *record, trib_arena *arena,
                                    const trib_run_results *results,
                                    const trib_target_results *target, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < target->findings->n_translated && status == TRIB_OK; i++) {
        const trib_translated *const a = &target->findings->translated[i];
        const char *const source = trib_results_id(results, a->source);
        TRIB_OWNED(trib_buffer) sentence = {0};
        trib_translation_record *const row =
            trib_arena_append(arena, &record->translations, sizeof *row);
        status = trib_translated_say(&sentence, a, record->target, source, error);
        if (row && status == TRIB_OK)
            *row = (trib_translation_record){source,
                                             trib_arena_copy(arena, sentence.text, sentence.length),
                                             a->n_units[0],
                                             a->n_units[1],
                                             a->n_verbatim,
                                             a->n_passages,
                                             a->n_covered,
                                             a->n_by_chance,
                                             a->n_covered_by_chance,
                                             a->seeded,
                                             a->n_planted,
                                             a->n_recovered};
    }
    return status;
}

/* Adds what is known about the target beside its shares. */
static trib_status add_details(trib_target_record *record, trib_arena *arena,
                               const trib_run_results *results, const trib_target_results *target,
                               trib_quotes *quotes, const trib_stop_phrases *commonplaces,
                               trib_error *error) {
    const trib_extent most = trib_target_extent(results, target);
    trib_status status = add_ranking(record, arena, results, target, error);
    if (status == TRIB_OK)
        status = add_sources(record, arena, results, target, quotes, commonplaces, error);
    extent own = {most.phrases, most.phrases, trib_target_is_brief(target), false};
    own.repeated = trib_target_is_short(results, target);
    if (target->findings->evidence) record->own = trib_arena_new(arena, 1, sizeof *record->own);
    if (record->own)
        fill_evidence(record->own, arena, results, &target->findings->own, NULL, own, NULL);
    if (status == TRIB_OK) status = add_translations(record, arena, results, target, error);
    if (status == TRIB_OK) status = trib_result_add_matches(record, arena, results, target, error);
    return status == TRIB_OK && target->allusions
               ? trib_result_add_parallels(record, arena, quotes, target,
                                           results->config->report.top_phrases, error)
               : status;
}

/* Makes the record of a target, as far as its shares. */
static void fill_target(trib_target_record *record, trib_arena *arena,
                        const trib_run_results *results, const trib_target_results *target) {
    *record = (trib_target_record){
        .target = trib_results_id(results, target->about->document),
        .n_sources = target->about->n_sources,
        .admissible =
            results->corpus->candidates.most > 0 ? target->about->n_admissible : TRIB_ABSENT,
        .floor = target->shares->floor.share,
        .floor_from = target->shares->floor.decoy ? target->shares->floor.decoy : "rule"};
    if (results->config->influence.null) record->null = make_null(arena, results, target->shares);
    for (uint32_t i = 0; i < results->config->influence.n_methods; i++) {
        trib_influence_record *const method =
            trib_arena_append(arena, &record->methods, sizeof *method);
        if (method) fill_influence(method, arena, results, target, &target->shares->influence[i]);
    }
}

trib_status trib_result_begin(trib_result_work *work, const trib_run_results *results,
                              const char *scratch, bool is_brief, trib_error *error) {
    *work = (trib_result_work){.results = results, .is_brief = is_brief};
    trib_status status = trib_quotes_open(&work->quotes, results, error);
    if (status == TRIB_OK)
        status = trib_stop_phrases_open(&work->commonplaces, results->config, results->vocab,
                                        results->corpus->n_documents, error);
    return status == TRIB_OK
               ? trib_target_store_open(&work->store, scratch, results->corpus->n_targets, error)
               : status;
}

trib_status trib_result_target(trib_result_work *work, uint32_t t, trib_error *error) {
    const trib_run_results *results = work->results;
    const trib_target_results *target = &results->target[t];
    trib_target_record record;
    TRIB_OWNED(trib_arena) arena = {0};
    trib_status status = TRIB_OK;
    fill_target(&record, &arena, results, target);
    if (!work->is_brief) {
        trib_quotes_enter(&work->quotes);
        status = add_details(&record, &arena, results, target, &work->quotes, &work->commonplaces,
                             error);
        trib_quotes_leave(&work->quotes);
    }
    trib_results_rest(results, t);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    return status == TRIB_OK ? trib_target_store_put(&work->store, t, &record, error) : status;
}

/* Fills all members of influence.json but the targets. */
static trib_status fill_whole(trib_result *result, const trib_run_results *results,
                              trib_error *error) {
    trib_arena *const arena = &result->arena;
    result->schema = 1;
    result->version = TRIB_VERSION;
    result->name = trib_arena_text(arena, results->config->name);
    result->hash = trib_arena_text(arena, results->corpus->hash);
    trib_status status = trib_result_add_corpus(result, results, error);
    result->headline = results->config->influence.headline->name;
    result->threshold = results->config->influence.threshold;
    if (status == TRIB_OK && results->corpus->n_targets > 1)
        status = trib_result_add_graph(result, results, error);
    trib_result_add_distances(result, results);
    trib_result_add_formulas(result, results);
    if (status == TRIB_OK) status = trib_result_add_versions(result, results, error);
    for (size_t w = 0; w < results->warnings->n; w++)
        trib_texts_add(arena, &result->warnings,
                       trib_result_utf8(arena, results->warnings->text[w]));
    return status == TRIB_OK ? trib_result_complete(result, error) : status;
}

/* Lists the targets in the order of the configuration: as corpus.target lists them, and for `all`
 * as the documents arrive. */
static trib_status order_targets(const trib_run_results *results, uint32_t **order,
                                 trib_error *error) {
    const trib_corpus *corpus = results->corpus;
    const trib_text_list *asked = &results->config->corpus.target;
    uint32_t n = 0;
    TRIB_FREED(uint8_t *) is_listed = NULL;
    trib_status status = TRIB_NEW(order, corpus->n_targets, "the targets", error);
    if (status == TRIB_OK) status = trib_new(&is_listed, corpus->n_targets, 1, "targets", error);
    for (uint32_t i = 0; status == TRIB_OK && corpus->arrival && i < asked->n; i++) {
        const bool is_all = strcmp(asked->item[i], "all") == 0;
        for (uint32_t d = 0; d < corpus->n_documents; d++) {
            const uint32_t document = corpus->arrival[d],
                           t = trib_corpus_target_of(corpus, document);
            if (t == corpus->n_targets || is_listed[t] ||
                !(is_all || strcmp(asked->item[i], trib_results_id(results, document)) == 0))
                continue;
            is_listed[t] = 1;
            (*order)[n++] = t;
        }
    }
    /* a command that compares files asks for no target by its id */
    for (uint32_t t = 0; status == TRIB_OK && t < corpus->n_targets; t++)
        if (!is_listed[t]) (*order)[n++] = t;
    return status;
}

trib_status trib_result_end(trib_result_work *work, trib_result *result, trib_status status,
                            trib_error *error) {
    uint32_t *order = NULL;
    *result = (trib_result){0};
    if (status == TRIB_OK) status = order_targets(work->results, &order, error);
    if (status == TRIB_OK) status = trib_target_store_finish(&work->store, order, result, error);
    trib_free(order);
    if (status == TRIB_OK) status = fill_whole(result, work->results, error);
    trib_target_store_release(&work->store);
    trib_quotes_close(&work->quotes);
    trib_stop_phrases_close(&work->commonplaces);
    *work = (trib_result_work){0};
    if (status != TRIB_OK) trib_result_release(result);
    return status;
}

static trib_status do_target(void *work, size_t t, trib_error *error) {
    return trib_result_target(work, (uint32_t)t, error);
}

trib_status trib_result_make(trib_result *result, const trib_run_results *results,
                             trib_error *error) {
    trib_result_work work;
    trib_status status = trib_result_begin(&work, results, trib_path_temporary(), false, error);
    if (status == TRIB_OK)
        status =
            trib_tasks_do(&results->workers, results->corpus->n_targets, do_target, &work, error);
    return trib_result_end(&work, result, status, error);
}
