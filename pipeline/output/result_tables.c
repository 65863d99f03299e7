/* result_tables.c - the tables of results: what their columns are, and their rows. */
#include <math.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/config/date.h"
#include "pipeline/output/ranking.h"
#include "pipeline/output/table_rows.h"

static const char *id_of(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about->id;
}

/* Adds the cells that begin a row of two tables. */
static void put_share(trib_rows *rows, const char *target, const char *source, const char *method,
                      double share) {
    trib_put_text(rows, target);
    trib_put_text(rows, source);
    trib_put_text(rows, method);
    trib_put_number(rows, share);
}

/* Adds an end of the interval of source s; a method may give no intervals. */
static void put_end(trib_rows *rows, const double *end, size_t s) {
    if (end) trib_put_number(rows, end[s]);
    else trib_put_nothing(rows, 1);
}

/* ---- Documents ------------------------------------------------------------------------------- */

static bool is_always_there(const trib_run_results *results) {
    (void)results;
    return true;
}

static trib_status write_documents(const trib_run_results *results, trib_rows *rows,
                                   trib_error *error) {
    (void)error;
    for (uint32_t d = 0; d < results->corpus->n_documents; d++) {
        const trib_document *document = &results->corpus->document[d];
        const trib_corpus_document *about = document->about;
        trib_put_text(rows, about->id);
        trib_put_text(rows, about->title ? about->title : about->id);
        trib_put_text(rows, about->author);
        trib_put_text(rows, about->date);
        trib_put_whole(rows, trib_date_point(about->year, about->year_end));
        trib_put_count(rows, results->words->document[d].n_tokens);
        trib_put_count(rows, results->tensors->document[d].n_ngrams);
        trib_put_flag(rows, trib_corpus_target_of(results->corpus, d) < results->corpus->n_targets);
        trib_put_flag(rows, about->role == TRIB_ROLE_DECOY);
        trib_put_text(rows, about->file);
        trib_put_count(rows, document->n_bytes);
        trib_put_text(rows, document->sha256);
        trib_put_text(rows, trib_config_language(results->config, about));
        trib_end_row(rows);
    }
    return TRIB_OK;
}

const trib_table trib_table_documents = {"documents",
                                         {{"id", TRIB_CELL_TEXT},
                                          {"title", TRIB_CELL_TEXT},
                                          {"author", TRIB_CELL_TEXT},
                                          {"date", TRIB_CELL_TEXT},
                                          {"year", TRIB_CELL_COUNT},
                                          {"words", TRIB_CELL_COUNT},
                                          {"ngrams", TRIB_CELL_COUNT},
                                          {"is_target", TRIB_CELL_FLAG},
                                          {"is_decoy", TRIB_CELL_FLAG},
                                          {"file", TRIB_CELL_TEXT},
                                          {"bytes", TRIB_CELL_COUNT},
                                          {"sha256", TRIB_CELL_TEXT},
                                          {"language", TRIB_CELL_TEXT}},
                                         is_always_there,
                                         write_documents,
                                         false};

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Writes the rows of one target by one method. What no source explains is never below the floor: so
 * the column has a value in every row, and R and pandas read it as true and false. */
static void write_shares(const trib_run_results *results, const trib_target_results *target,
                         const trib_influence *influence, trib_rows *rows) {
    const char *id = id_of(results, target->about->document);
    const trib_floor floor = trib_influence_floor(results->config, results->corpus, influence);
    const trib_share_rows which = trib_share_rows_of(results->corpus, target, influence);
    const struct {
        const char *name;
        double share;
    } rest[] = {{"author", influence->author}, {"formula", influence->formula}};
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!trib_has_row(results->corpus, target, influence, &which, s)) continue;
        put_share(rows, id, id_of(results, influence->source[s]), influence->method->name,
                  influence->share[s]);
        put_end(rows, influence->low, s);
        put_end(rows, influence->high, s);
        trib_put_flag(rows, trib_share_is_noise(&floor, influence, s));
        trib_put_text(rows, trib_group_size(influence, s) > 1
                                ? id_of(results, influence->source[influence->group[s]])
                                : NULL);
        trib_end_row(rows);
    }
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        if (i > 0 && isnan(rest[i].share)) continue; /* the author always has a row */
        put_share(rows, id, rest[i].name, influence->method->name, rest[i].share);
        trib_put_nothing(rows, 2);
        trib_put_flag(rows, false);
        trib_put_nothing(rows, 1);
        trib_end_row(rows);
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

const trib_table trib_table_influence = {"influence",
                                         {{"target", TRIB_CELL_TEXT},
                                          {"source", TRIB_CELL_TEXT},
                                          {"method", TRIB_CELL_TEXT},
                                          {"share", TRIB_CELL_NUMBER},
                                          {"low", TRIB_CELL_NUMBER},
                                          {"high", TRIB_CELL_NUMBER},
                                          {"below_floor", TRIB_CELL_FLAG},
                                          {"group", TRIB_CELL_TEXT}},
                                         is_always_there,
                                         write_influence,
                                         false};

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
                                       id_of(results, influence->source[i]));
    if (status != TRIB_OK) return status;
    put_share(rows, target, id_of(results, influence->source[s]), influence->method->name,
              influence->group_share[s]);
    put_end(rows, influence->group_low, s);
    put_end(rows, influence->group_high, s);
    trib_put_flag(rows, trib_share_is_noise(&floor, influence, s));
    trib_put_text(rows, names->text);
    trib_end_row(rows);
    return TRIB_OK;
}

static trib_status write_groups(const trib_run_results *results, trib_rows *rows,
                                trib_error *error) {
    trib_buffer names = {0};
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        const char *id = id_of(results, target->about->document);
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++) {
            const trib_influence *influence = &target->shares->influence[i];
            for (size_t s = 0; influence->group && s < influence->n_sources; s++)
                if (status == TRIB_OK && influence->group[s] == s &&
                    trib_group_size(influence, s) > 1)
                    status = write_group(rows, results, id, influence, s, &names, error);
        }
        trib_results_rest(results, t);
    }
    trib_buffer_release(&names);
    return status;
}

const trib_table trib_table_groups = {"groups",
                                      {{"target", TRIB_CELL_TEXT},
                                       {"group", TRIB_CELL_TEXT},
                                       {"method", TRIB_CELL_TEXT},
                                       {"share", TRIB_CELL_NUMBER},
                                       {"low", TRIB_CELL_NUMBER},
                                       {"high", TRIB_CELL_NUMBER},
                                       {"below_floor", TRIB_CELL_FLAG},
                                       {"members", TRIB_CELL_TEXT}},
                                      has_groups,
                                      write_groups,
                                      false};

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
    trib_put_text(rows, id_of(results, evidence->target));
    trib_put_text(rows, id_of(results, evidence->source));
    trib_put_text(rows, words->text);
    trib_put_count(rows, phrase->in_target);
    trib_put_count(rows, phrase->in_source);
    trib_put_count(rows, phrase->n_other_documents);
    trib_put_number(rows, phrase->mass);
    trib_put_count(rows, evidence->n_all_phrases);
    trib_end_row(rows);
    return TRIB_OK;
}

/* The last column is the number of phrases of the pair, because only the strongest are listed for a
 * source below the noise floor of a brief target. */
static trib_status write_phrases(const trib_run_results *results, trib_rows *rows,
                                 trib_error *error) {
    trib_buffer words = {0};
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
    trib_buffer_release(&words);
    return status;
}

const trib_table trib_table_phrases = {"phrases",
                                       {{"target", TRIB_CELL_TEXT},
                                        {"source", TRIB_CELL_TEXT},
                                        {"phrase", TRIB_CELL_TEXT},
                                        {"target_count", TRIB_CELL_COUNT},
                                        {"source_count", TRIB_CELL_COUNT},
                                        {"other_documents", TRIB_CELL_COUNT},
                                        {"mass", TRIB_CELL_NUMBER},
                                        {"phrases", TRIB_CELL_COUNT}},
                                       is_always_there,
                                       write_phrases,
                                       false};

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
        for (size_t i = 0; i < n; i++) {
            trib_put_text(rows, id_of(results, target->about->document));
            trib_put_text(rows, id_of(results, target->about->source[list[i].source]));
            trib_put_count(rows, i + 1);
            trib_put_number(rows, list[i].score);
            trib_end_row(rows);
        }
        trib_free(list);
        trib_results_rest(results, t);
    }
    return status;
}

const trib_table trib_table_ranking = {"ranking",
                                       {{"target", TRIB_CELL_TEXT},
                                        {"source", TRIB_CELL_TEXT},
                                        {"rank", TRIB_CELL_COUNT},
                                        {"score", TRIB_CELL_NUMBER}},
                                       has_ranking,
                                       write_ranking,
                                       false};
