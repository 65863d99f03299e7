/* result_tables.c - the tables of results: what their columns are, and their rows; and which
 * sources of a target have a row in them and on the pages. */

#include "pipeline/config/config.h"
#include "pipeline/config/date.h"
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"

/* An end of the interval of source s; a method may give no intervals. */
static trib_cell end_cell(const double *end, size_t s) {
    return end ? trib_number_cell(end[s]) : trib_empty_cell();
}

/* ---- Which sources have a row, and how much is listed ---------------------------------------- */

/* The largest shares are found by inserting each share above 0 into a list of the largest so far,
 * in descending order. */
trib_share_rows trib_share_rows_of(const trib_corpus *corpus, const trib_target_results *target,
                                   const trib_influence *influence) {
    size_t largest[TRIB_LARGEST_WRITTEN], n = 0;
    trib_share_rows rows = {0};
    if (!trib_target_is_brief(target)) return rows;
    const double *share = influence->share;
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!(share[s] > 0)) continue;
        if (n == TRIB_LARGEST_WRITTEN && share[s] <= share[largest[n - 1]]) continue;
        size_t at = n < TRIB_LARGEST_WRITTEN ? n++ : n - 1;
        for (; at > 0 && share[largest[at - 1]] < share[s]; at--) largest[at] = largest[at - 1];
        largest[at] = s;
    }
    if (n > 0) {
        rows.least = share[largest[n - 1]];
        rows.last = largest[n - 1];
    }
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!(share[s] > 0) || trib_has_row(corpus, target, influence, &rows, s)) continue;
        rows.n_left_out++;
        rows.left_out += share[s];
    }
    return rows;
}

bool trib_has_row(const trib_corpus *corpus, const trib_target_results *target,
                  const trib_influence *influence, const trib_share_rows *rows, size_t s) {
    const double share = influence->share[s];
    if (!trib_target_is_brief(target) ||
        corpus->document[influence->source[s]].about->role == TRIB_ROLE_DECOY)
        return true;
    if (!(share > 0)) return false;
    return share > rows->least || (share == rows->least && s <= rows->last) ||
           !trib_below_floor(target->shares, s);
}

trib_extent trib_target_extent(const trib_run_results *results, const trib_target_results *target) {
    enum { WORDS_PER_SOURCE = 200, WORDS_PER_PHRASE = 50 };
    enum { NOTABLE_SOURCES = 1000, NOTABLE_PASSAGES = 100, OF_CANDIDATES = 10 };
    const size_t top = results->config->report.top_phrases;
    const size_t n_words = results->words->document[target->about->document].n_tokens;
    trib_extent most = {SIZE_MAX, top, top, NOTABLE_SOURCES, NOTABLE_PASSAGES};
    if (!trib_target_is_brief(target)) return most;
    most.sources = n_words < WORDS_PER_SOURCE ? 1 : n_words / WORDS_PER_SOURCE;
    if (most.phrases > n_words / WORDS_PER_PHRASE) most.phrases = n_words / WORDS_PER_PHRASE;
    if (most.phrases < TRIB_NOISE_PHRASES && top >= TRIB_NOISE_PHRASES)
        most.phrases = TRIB_NOISE_PHRASES;
    if (most.passages > most.sources) most.passages = most.sources;
    if (results->corpus->candidates.most > 0) {
        if (most.sources > OF_CANDIDATES) most.sources = OF_CANDIDATES;
        most.notable_sources = most.notable_passages = OF_CANDIDATES;
    }
    return most;
}

bool trib_target_is_short(const trib_run_results *results, const trib_target_results *target) {
    return trib_target_is_brief(target) &&
           results->words->document[target->about->document].n_tokens < TRIB_SHORT_WORDS;
}

static bool are_too_short(const trib_run_results *results) {
    const trib_corpus *corpus = results->corpus;
    uint64_t n_words = 0;
    for (uint32_t t = 0; t < corpus->n_targets; t++)
        n_words += results->words->document[corpus->target[t].document].n_tokens;
    return results->config->report.target_pages == 0 &&
           trib_texts_are_short(corpus->n_targets, n_words);
}

bool trib_results_have_texts(const trib_run_results *results) {
    const trib_config *config = results->config;
    return trib_config_has_target_pages(config, results->corpus->n_targets) &&
           config->report.html && config->report.text == TRIB_TEXT_FULL && !are_too_short(results);
}

/* ---- Documents ------------------------------------------------------------------------------- */

static trib_status write_documents(const trib_run_results *results, trib_rows *rows,
                                   trib_error *error) {
    (void)error;
    for (uint32_t d = 0; d < results->corpus->n_documents; d++) {
        const trib_document *document = &results->corpus->document[d];
        const trib_corpus_document *about = document->about;
        const double year = floor(trib_date_point(about->year, about->year_end));
        TRIB_PUT_ROW(
            rows, trib_text_cell(about->id),
            trib_text_cell(about->title ? about->title : about->id), trib_text_cell(about->author),
            trib_text_cell(about->date),
            isnan(year) ? trib_empty_cell() : trib_count_cell((uint64_t)(int64_t)year),
            trib_count_cell(results->words->document[d].n_tokens),
            trib_count_cell(results->tensors->document[d].n_ngrams),
            trib_flag_cell(trib_corpus_target_of(results->corpus, d) < results->corpus->n_targets),
            trib_flag_cell(about->role == TRIB_ROLE_DECOY), trib_text_cell(about->file),
            trib_count_cell(document->n_bytes), trib_text_cell(document->sha256),
            trib_text_cell(trib_config_language(results->config, about)));
    }
    return TRIB_OK;
}

const trib_result_table trib_table_documents = {
    "id title author date #year #words #ngrams ?is_target ?is_decoy file #bytes sha256 "
    "language",
    NULL, write_documents, false};

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Writes the rows of one target by one method. What no source explains is never below the floor: so
 * the column has a value in every row, and R and pandas read it as true and false. */
static void write_shares(const trib_run_results *results, const trib_target_results *target,
                         const trib_influence *influence, trib_rows *rows) {
    const char *id = trib_results_id(results, target->about->document);
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    const trib_share_rows which = trib_share_rows_of(results->corpus, target, influence);
    const struct {
        const char *name;
        double share;
    } rest[] = {{"author", influence->author}, {"formula", influence->formula}};
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!trib_has_row(results->corpus, target, influence, &which, s)) continue;
        TRIB_PUT_ROW(
            rows, trib_text_cell(id),
            trib_text_cell(trib_results_id(results, influence->source[s])),
            trib_text_cell(influence->method->name), trib_number_cell(influence->share[s]),
            end_cell(influence->low, s), end_cell(influence->high, s),
            trib_flag_cell(trib_share_is_noise(&floor, influence, s)),
            trib_text_cell(trib_group_size(influence, s) > 1
                               ? trib_results_id(results, influence->source[influence->group[s]])
                               : NULL));
    }
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        if (i > 0 && isnan(rest[i].share)) continue; /* the author always has a row */
        TRIB_PUT_ROW(rows, trib_text_cell(id), trib_text_cell(rest[i].name),
                     trib_text_cell(influence->method->name), trib_number_cell(rest[i].share),
                     trib_empty_cell(), trib_empty_cell(), trib_flag_cell(false),
                     trib_empty_cell());
    }
}

static trib_status write_influence(const trib_run_results *results, trib_rows *rows,
                                   trib_error *error) {
    (void)error;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++)
            write_shares(results, &results->target[t], &results->target[t].shares->influence[i],
                         rows);
        trib_results_rest(results, t);
    }
    return TRIB_OK;
}

const trib_result_table trib_table_influence = {
    "target source method %share %low %high ?below_floor group", NULL, write_influence, false};

/* ---- Groups ---------------------------------------------------------------------------------- */

static bool has_groups(const trib_run_results *results) {
    bool is_any = false;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++)
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++)
            is_any = is_any || results->target[t].shares->influence[i].group;
    return is_any;
}

/* Writes the row of the group whose first member is source s. `names` is scratch. */
static trib_status write_group(trib_rows *rows, const trib_run_results *results, const char *target,
                               const trib_influence *influence, size_t s, trib_buffer *names,
                               trib_error *error) {
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    trib_status status = TRIB_OK;
    trib_buffer_clear(names);
    for (size_t i = s; i < influence->n_sources && status == TRIB_OK; i++)
        if (influence->group[i] == s)
            status = trib_buffer_print(names, error, "%s%s", i == s ? "" : "; ",
                                       trib_results_id(results, influence->source[i]));
    if (status != TRIB_OK) return status;
    TRIB_PUT_ROW(
        rows, trib_text_cell(target),
        trib_text_cell(trib_results_id(results, influence->source[s])),
        trib_text_cell(influence->method->name), trib_number_cell(influence->group_share[s]),
        end_cell(influence->group_low, s), end_cell(influence->group_high, s),
        trib_flag_cell(trib_share_is_noise(&floor, influence, s)), trib_text_cell(names->text));
    return TRIB_OK;
}

static trib_status write_groups(const trib_run_results *results, trib_rows *rows,
                                trib_error *error) {
    TRIB_OWNED(trib_buffer) names = {0};
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        const char *id = trib_results_id(results, target->about->document);
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++) {
            const trib_influence *influence = &target->shares->influence[i];
            for (size_t s = 0; influence->group && s < influence->n_sources; s++)
                if (status == TRIB_OK && influence->group[s] == s &&
                    trib_group_size(influence, s) > 1)
                    status = write_group(rows, results, id, influence, s, &names, error);
        }
        trib_results_rest(results, t);
    }
    return status;
}

const trib_result_table trib_table_groups = {
    "target group method %share %low %high ?below_floor members", has_groups, write_groups, false};

/* ---- Phrases --------------------------------------------------------------------------------- */

/* Returns the number of phrases that each source of a brief target has in phrases.csv; their total
 * is limited by the length of the target. */
static size_t n_quoted(const trib_run_results *results, const trib_target_results *target) {
    enum { WORDS_PER_ROW = 10 };
    const size_t most = trib_target_extent(results, target).phrases;
    const size_t n_words = results->words->document[target->about->document].n_tokens;
    size_t n_weighed = 0, each;
    for (uint32_t s = 0; s < target->about->n_sources; s++)
        n_weighed += target->findings->evidence[s].n_all_phrases > 0;
    if (!trib_target_is_brief(target) || n_weighed == 0 || most == 0) return most;
    each = n_words / WORDS_PER_ROW / n_weighed;
    return each < 1 ? 1 : each < most ? each : most;
}

/* Writes the row of a phrase. `words` is scratch. */
static trib_status write_phrase(trib_rows *rows, const trib_run_results *results,
                                const trib_evidence *evidence, const trib_phrase *phrase,
                                trib_buffer *words, trib_error *error) {
    trib_status status = TRIB_OK;
    trib_buffer_clear(words);
    for (uint32_t m = 0; m < results->config->tensor.n && status == TRIB_OK; m++)
        status = trib_buffer_print(words, error, "%s%s%s", m > 0 ? " " : "",
                                   m > 0 && phrase->has_gaps ? TRIB_GAP " " : "",
                                   results->vocab->word[phrase->word[m]]);
    if (status != TRIB_OK) return status;
    TRIB_PUT_ROW(rows, trib_text_cell(trib_results_id(results, evidence->target)),
                 trib_text_cell(trib_results_id(results, evidence->source)),
                 trib_text_cell(words->text), trib_count_cell(phrase->in_target),
                 trib_count_cell(phrase->in_source), trib_count_cell(phrase->n_other_documents),
                 trib_number_cell(phrase->mass), trib_count_cell(evidence->n_all_phrases));
    return TRIB_OK;
}

/* The last column is the number of phrases of the pair, because only the strongest are listed for a
 * source below the noise floor of a brief target. */
static trib_status write_phrases(const trib_run_results *results, trib_rows *rows,
                                 trib_error *error) {
    TRIB_OWNED(trib_buffer) words = {0};
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        const size_t quoted = target->findings->evidence ? n_quoted(results, target) : 0;
        for (uint32_t s = 0; target->findings->evidence && s < target->about->n_sources; s++) {
            const trib_evidence *evidence = &target->findings->evidence[s];
            const size_t few = quoted < TRIB_NOISE_PHRASES ? quoted : TRIB_NOISE_PHRASES;
            const size_t most = !trib_target_is_brief(target)         ? SIZE_MAX
                                : trib_below_floor(target->shares, s) ? few
                                                                      : quoted;
            for (size_t p = 0; p < evidence->n_phrases && p < most && status == TRIB_OK; p++)
                status = write_phrase(rows, results, evidence, &evidence->phrase[p], &words, error);
        }
        trib_results_rest(results, t);
    }
    return status;
}

const trib_result_table trib_table_phrases = {
    "target source phrase #target_count #source_count #other_documents %mass #phrases", NULL,
    write_phrases, false};

/* ---- Ranking --------------------------------------------------------------------------------- */

static bool has_ranking(const trib_run_results *results) {
    return trib_ranking_is_possible(results->config);
}

static trib_status write_ranking(const trib_run_results *results, trib_rows *rows,
                                 trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < results->corpus->n_targets && status == TRIB_OK; t++) {
        const trib_target_results *target = &results->target[t];
        trib_rank *list = NULL;
        size_t n = 0;
        status = trib_ranking_make(&list, &n, results, target, error);
        for (size_t i = 0; i < n; i++)
            TRIB_PUT_ROW(
                rows, trib_text_cell(trib_results_id(results, target->about->document)),
                trib_text_cell(trib_results_id(results, target->about->source[list[i].source])),
                trib_count_cell(i + 1), trib_number_cell(list[i].score));
        trib_free(list);
        trib_results_rest(results, t);
    }
    return status;
}

const trib_result_table trib_table_ranking = {"target source #rank %score", has_ranking,
                                              write_ranking, false};

/* ---- Distances ------------------------------------------------------------------------------- */

/* Measures the factors first to end - 1, of a target, against a source: the mean distance to its
 * nearest factor, weighted by mass, and the part of that mass within the threshold. */
static trib_near_record measure_pair(const trib_run_results *results, size_t first, size_t end,
                                     uint32_t source) {
    const trib_factor_distances *nearest = &results->distances->nearest;
    double mass = 0, sum = 0, matched = 0;
    for (size_t f = first; f < end; f++) {
        const double lambda = results->distances->factors.lambda[f],
                     distance = nearest->nearest[f * nearest->n_documents + source];
        mass += lambda;
        sum += lambda * distance;
        if (distance <= results->config->influence.threshold) matched += lambda;
    }
    return (trib_near_record){.source = trib_results_id(results, source),
                              .mean_distance = mass > 0 ? sum / mass : 2,
                              .matched = mass > 0 ? matched / mass : 0};
}

/* Puts rows, or appends to a list. */
static void measure_pairs(const trib_run_results *results, trib_rows *rows, trib_arena *arena,
                          trib_near_records *list) {
    const trib_corpus *corpus = results->corpus;
    const trib_factors *factors = &results->distances->factors;
    for (uint32_t t = 0, first = 0, end; t < corpus->n_targets; t++) {
        const trib_target *target = &corpus->target[t];
        while (first < factors->n && factors->document[first] < target->document) first++;
        for (end = first; end < factors->n && factors->document[end] == target->document;) end++;
        for (uint32_t s = 0; s < target->n_sources; s++) {
            trib_near_record near = measure_pair(results, first, end, target->source[s]);
            near.target = trib_results_id(results, target->document);
            trib_near_record *const row = rows ? NULL : trib_arena_append(arena, list, sizeof *row);
            if (row) *row = near;
            if (rows)
                TRIB_PUT_ROW(rows, trib_text_cell(near.target), trib_text_cell(near.source),
                             trib_number_cell(near.mean_distance), trib_number_cell(near.matched));
        }
    }
}

static bool has_distances(const trib_run_results *results) {
    return results->distances->nearest.n_documents > 0;
}

static trib_status write_distances(const trib_run_results *results, trib_rows *rows,
                                   trib_error *error) {
    (void)error;
    measure_pairs(results, rows, NULL, NULL);
    return TRIB_OK;
}

const trib_result_table trib_table_distances = {"target source %mean_distance %matched",
                                                has_distances, write_distances, false};

void trib_result_add_distances(trib_result *result, const trib_run_results *results) {
    if (has_distances(results) && results->corpus->n_documents <= TRIB_ALL_WRITTEN)
        measure_pairs(results, NULL, &result->arena, &result->distances);
}

/* ---- Families of phrasing -------------------------------------------------------------------- */

static bool has_phrasing(const trib_run_results *results) { return results->result->phrasing; }

static trib_status write_phrasing(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    const trib_phrasing_family_records *families = &results->result->phrasing->families;
    (void)error;
    for (size_t r = 0; r < families->n; r++) {
        const trib_phrasing_family_record *family = &families->item[r];
        const struct {
            const char *kind;
            const trib_item_records *list;
        } lists[] = {{"word", &family->words},
                     {"phrase", &family->phrases},
                     {"text", &family->texts},
                     {"in its place", &family->places}};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            for (size_t j = 0; j < lists[i].list->n; j++)
                TRIB_PUT_ROW(rows, trib_count_cell(r + 1), trib_text_cell(lists[i].kind),
                             trib_text_cell(lists[i].list->item[j].item),
                             trib_number_cell(lists[i].list->item[j].value));
    }
    return TRIB_OK;
}

const trib_result_table trib_table_phrasing = {"#family kind item %value", has_phrasing,
                                               write_phrasing, true};
