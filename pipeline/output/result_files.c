/* result_files.c - writes the results of a run as tables and graphs. */
#include "pipeline/output/result_files.h"

#include <math.h>
#include <string.h>

#include "pipeline/output/ranking.h"
#include "pipeline/output/result.h"
#include "pipeline/support/tables.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *id_of(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about->id;
}

static void write_share(trib_writer *writer, const char *target, const char *source,
                        const char *method, double share) {
    trib_write_cell(writer, target);
    trib_write_text(writer, ",");
    trib_write_cell(writer, source);
    trib_print(writer, ",%s,", method);
    trib_write_number(writer, share);
}

static trib_status write_influence_csv(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    (void)error;
    trib_write_text(writer, "target,source,method,share,low,high,below_floor,group\n");
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        const char *id = results->corpus->document[target->about->document].about->id;
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++) {
            const trib_influence *influence = &target->shares->influence[i];
            const trib_floor floor =
                trib_influence_floor(results->config, results->corpus, influence);
            const trib_share_rows rows = trib_share_rows_of(results->corpus, target, influence);
            for (size_t s = 0; s < influence->n_sources; s++) {
                if (!trib_has_row(results->corpus, target, influence, &rows, s)) continue;
                write_share(writer, id, results->corpus->document[influence->source[s]].about->id,
                            influence->method->name, influence->share[s]);
                trib_write_text(writer, ",");
                if (influence->low) trib_write_number(writer, influence->low[s]);
                trib_write_text(writer, ",");
                if (influence->high) trib_write_number(writer, influence->high[s]);
                trib_write_text(writer,
                                trib_share_is_noise(&floor, influence, s) ? ",true," : ",false,");
                if (trib_group_size(influence, s) > 1)
                    trib_write_cell(writer, id_of(results, influence->source[influence->group[s]]));
                trib_write_text(writer, "\n");
            }
            write_share(writer, id, "author", influence->method->name, influence->author);
            trib_write_text(writer, ",,,,\n");
            if (isnan(influence->formula)) continue;
            write_share(writer, id, "formula", influence->method->name, influence->formula);
            trib_write_text(writer, ",,,,\n");
        }
    }
    return TRIB_OK;
}

static trib_status write_ranking_csv(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    trib_status status = TRIB_OK;
    trib_write_text(writer, "target,source,rank,score\n");
    for (uint32_t t = 0; t < results->corpus->n_targets && status == TRIB_OK; t++) {
        const trib_target_results *target = &results->target[t];
        trib_rank *list = NULL;
        size_t n = 0;
        status = trib_ranking_make(&list, &n, results, target, error);
        for (size_t i = 0; i < n; i++) {
            const uint32_t source = target->about->source[list[i].source];
            trib_write_cell(writer, results->corpus->document[target->about->document].about->id);
            trib_write_text(writer, ",");
            trib_write_cell(writer, results->corpus->document[source].about->id);
            trib_print(writer, ",%zu,", i + 1);
            trib_write_number(writer, list[i].score);
            trib_write_text(writer, "\n");
        }
        trib_free(list);
    }
    return status;
}

/* Writes the row of the group whose first member is source s. `names` is scratch. */
static trib_status write_group(trib_writer *writer, const trib_run_results *results,
                               const char *target, const trib_influence *influence,
                               const trib_floor *floor, size_t s, trib_buffer *names,
                               trib_error *error) {
    trib_status status = TRIB_OK;
    trib_buffer_clear(names);
    for (size_t i = s; i < influence->n_sources && status == TRIB_OK; i++)
        if (influence->group[i] == s)
            status = trib_buffer_print(names, error, "%s%s", i == s ? "" : "; ",
                                       id_of(results, influence->source[i]));
    if (status != TRIB_OK) return status;
    write_share(writer, target, id_of(results, influence->source[s]), influence->method->name,
                influence->group_share[s]);
    trib_write_text(writer, ",");
    if (influence->group_low) trib_write_number(writer, influence->group_low[s]);
    trib_write_text(writer, ",");
    if (influence->group_high) trib_write_number(writer, influence->group_high[s]);
    trib_print(writer, ",%s,", trib_share_is_noise(floor, influence, s) ? "true" : "false");
    trib_write_cell(writer, names->text);
    trib_write_text(writer, "\n");
    return TRIB_OK;
}

static trib_status write_groups_csv(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    trib_buffer names = {0};
    trib_status status = TRIB_OK;
    trib_write_text(writer, "target,group,method,share,low,high,below_floor,members\n");
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++) {
            const trib_influence *influence = &target->shares->influence[i];
            const trib_floor floor =
                trib_influence_floor(results->config, results->corpus, influence);
            for (size_t s = 0; influence->group && s < influence->n_sources; s++)
                if (status == TRIB_OK && influence->group[s] == s &&
                    trib_group_size(influence, s) > 1)
                    status = write_group(writer, results, id_of(results, target->about->document),
                                         influence, &floor, s, &names, error);
        }
    }
    trib_buffer_release(&names);
    return status;
}

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

/* The last column is the number of phrases of the pair, because only the strongest are listed for a
 * source below the noise floor of a brief target. */
static trib_status write_phrases_csv(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    trib_buffer words = {0};
    trib_status status = TRIB_OK;
    trib_write_text(
        writer, "target,source,phrase,target_count,source_count,other_documents,mass,phrases\n");
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        const size_t quoted = target->findings->evidence ? n_quoted(results, target) : 0;
        for (uint32_t s = 0; target->findings->evidence && s < target->about->n_sources; s++) {
            const trib_evidence *evidence = &target->findings->evidence[s];
            const size_t few = quoted < TRIB_NOISE_PHRASES ? quoted : TRIB_NOISE_PHRASES;
            const size_t most = !trib_target_is_brief(target)         ? SIZE_MAX
                                : trib_below_floor(target->shares, s) ? few
                                                                      : quoted;
            for (size_t p = 0; p < evidence->n_phrases && p < most && status == TRIB_OK; p++) {
                const trib_phrase *phrase = &evidence->phrase[p];
                trib_buffer_clear(&words);
                for (uint32_t m = 0; m < results->config->tensor.n && status == TRIB_OK; m++) {
                    const char *word = results->vocab->word[phrase->word[m]];
                    status = trib_buffer_add(&words, " ", m > 0, error);
                    if (status == TRIB_OK)
                        status = trib_buffer_add(&words, word, strlen(word), error);
                }
                if (status != TRIB_OK) break;
                trib_write_cell(writer, results->corpus->document[evidence->target].about->id);
                trib_write_text(writer, ",");
                trib_write_cell(writer, results->corpus->document[evidence->source].about->id);
                trib_write_text(writer, ",");
                trib_write_cell(writer, words.text);
                const uint32_t counts[] = {phrase->in_target, phrase->in_source,
                                           phrase->n_other_documents};
                for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                    trib_write_text(writer, ",");
                    trib_write_number(writer, counts[i]);
                }
                trib_write_text(writer, ",");
                trib_write_number(writer, phrase->mass);
                trib_print(writer, ",%zu\n", evidence->n_all_phrases);
            }
        }
    }
    trib_buffer_release(&words);
    return status;
}

/* With many targets, indentation would be an eighth of the file. */
static trib_status write_result(const void *what, trib_writer *writer, trib_error *error) {
    const trib_result_text *text = what;
    enum { LINES_OF_MANY = 3 }; /* deeper values are written on one line */
    const size_t lines = text->n_targets > TRIB_ALL_WRITTEN ? LINES_OF_MANY : TRIB_JSON_LINES;
    return trib_json_dump_lines(text->result, lines, writer, error);
}

static trib_status write_graphml(const void *what, trib_writer *writer, trib_error *error) {
    const trib_result_text *text = what;
    return trib_graph_write_graphml(text->result, writer, error);
}

static trib_status write_dot(const void *what, trib_writer *writer, trib_error *error) {
    const trib_result_text *text = what;
    return trib_graph_write_dot(text->result, writer, error);
}

static bool wants_csv(const trib_run_results *results) { return results->config->report.csv; }
static bool has_groups(const trib_run_results *results) {
    bool is_any = false;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++)
        for (uint32_t i = 0; i < results->config->influence.n_methods; i++)
            is_any = is_any || results->target[t].shares->influence[i].group;
    return is_any && wants_csv(results);
}
static bool wants_json(const trib_run_results *results) { return results->config->report.json; }
static bool wants_parallels(const trib_run_results *results) {
    return results->config->parallels.unit != TRIB_UNIT_NONE && wants_csv(results);
}
static bool wants_formulas(const trib_run_results *results) {
    return wants_csv(results) && trib_results_have_formulas(results);
}
static bool wants_ranking(const trib_run_results *results) {
    return wants_csv(results) && trib_ranking_is_possible(results->config);
}
static bool is_network(const trib_run_results *results) {
    return results->corpus->n_targets > 1 && wants_json(results); /* for use by other programs */
}

const trib_result_file trib_result_tables[TRIB_RESULT_TABLES] = {
    {"influence.csv", wants_csv, write_influence_csv},
    {"groups.csv", has_groups, write_groups_csv},
    {"phrases.csv", wants_csv, write_phrases_csv},
    {"parallels.tsv", wants_parallels, trib_parallels_write},
    {"formulas.tsv", wants_formulas, trib_formulas_write},
    {"ranking.csv", wants_ranking, write_ranking_csv},
};
const trib_result_file trib_result_graphs[TRIB_RESULT_GRAPHS] = {
    {"influence.json", wants_json, write_result},
    {"influence.graphml", is_network, write_graphml},
    {"influence.dot", is_network, write_dot},
};

trib_status trib_result_file_write(trib_run_directory *directory, const trib_result_file *row,
                                   const trib_run_results *results, const void *what,
                                   trib_error *error) {
    return row->is_wanted(results)
               ? trib_directory_write(directory, row->name, row->write, what, error)
               : TRIB_OK;
}
