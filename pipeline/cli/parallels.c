/* parallels.c - `tributary parallels`: ranks the pairs of places of a target and its sources that
 * share rare words close together, with the first stages of a run and stage parallels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/command/command.h"
#include "pipeline/config/yaml.h"
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum { TOP = 20, SETTINGS = 6 };

/* ---- The configuration ----------------------------------------------------------------------- */

/* Writes an experiment of the files of the command line. */
static trib_status write_experiment(trib_buffer *yaml, const trib_command_line *line,
                                    trib_error *error) {
    trib_status status = trib_buffer_print(
        yaml, error, "tributary: 1\nname: parallels\ncorpus:\n  target: all\n  documents:\n");
    for (size_t i = 0; i < line->n_operands && status == TRIB_OK; i++) {
        status = trib_buffer_print(yaml, error, "    - {role: %s, file: ", i ? "source" : "target");
        if (status == TRIB_OK) status = trib_yaml_quote(yaml, line->operand[i], false, error);
        if (status == TRIB_OK) status = trib_buffer_print(yaml, error, "}\n");
    }
    return status;
}

/* Fails when a text is named twice, as when the target is to be compared with itself. */
static trib_status check_operands(const trib_command_line *line, trib_error *error) {
    for (size_t i = 0; i < line->n_operands; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(line->operand[i], line->operand[j]) == 0)
                return trib_fail(error, TRIB_USAGE,
                                 "'%s' is named twice; name the target first, then other texts as "
                                 "its sources",
                                 line->operand[i]);
    return TRIB_OK;
}

/* Loads the configuration. The settings of the command line come after those of its flags, except
 * that --unit has a default of its own. */
static trib_status load(trib_config *config, const trib_command_line *line, trib_log *log,
                        trib_error *error) {
    trib_buffer yaml = {0}, lemmas = {0};
    trib_setting *setting = NULL;
    char top[32];
    size_t n = 0;
    trib_status status =
        trib_new(&setting, line->n_settings + SETTINGS, sizeof *setting, "settings", error);
    if (status == TRIB_OK) status = write_experiment(&yaml, line, error);
    if (status == TRIB_OK && line->lemmas)
        status = trib_yaml_quote(&lemmas, line->lemmas, false, error);
    if (status == TRIB_OK) {
        snprintf(top, sizeof top, "%llu", (unsigned long long)(line->top > 0 ? line->top : TOP));
        setting[n++] = (trib_setting){"parallels.unit", "phrases", "parallels"};
        setting[n++] = (trib_setting){"parallels.top", top, "--top"};
        setting[n++] = (trib_setting){"tensor.n", "1", "parallels"}; /* accepts short texts */
        for (size_t i = 0; i < line->n_settings; i++) setting[n++] = line->setting[i];
        if (line->unit) setting[n++] = (trib_setting){"parallels.unit", line->unit, "--unit"};
        if (line->feature)
            setting[n++] = (trib_setting){"parallels.feature", line->feature, "--feature"};
        if (line->lemmas)
            setting[n++] = (trib_setting){"parallels.lemmas", lemmas.text, "--lemmas"};
        status = trib_config_parse(config, "parallels", yaml.text, setting, n, trib_config_log, log,
                                   error);
    }
    if (status == TRIB_OK && config->parallels.unit == TRIB_UNIT_NONE)
        status = trib_fail(error, TRIB_USAGE,
                           "unit 'none' compares nothing; choose phrases, lines, sentences or "
                           "windows");
    trib_free(setting);
    trib_buffer_release(&yaml);
    trib_buffer_release(&lemmas);
    return status;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Writes the pairs; takes ownership of `result`. */
static trib_status write_result(const trib_command_line *line, json_t *result, trib_writer *out,
                                trib_error *error) {
    const json_t *pairs = json_object_get(result, "parallels");
    trib_buffer text = {0};
    trib_status status = trib_json_check("the pairs", error);
    if (status == TRIB_OK && line->json) return trib_json_write(result, out, error);
    for (size_t i = 0; i < json_array_size(pairs) && status == TRIB_OK; i++)
        status = trib_parallel_describe(&text, json_string_value(json_object_get(result, "target")),
                                        json_array_get(pairs, i), error);
    if (status == TRIB_OK) trib_write(out, text.text, text.length);
    if (status == TRIB_OK && json_array_size(pairs) == 0)
        trib_write_text(out, "No two places share a word.\n");
    trib_buffer_release(&text);
    json_decref(result);
    return status;
}

/* Runs the stages, and makes the list of the target, cut to the best `top`. */
static trib_status search(trib_run *run, size_t top, json_t **result, trib_error *error) {
    static const char *const stages[] = {"corpus", "tokens", "vocabulary", "parallels"};
    trib_run_results results = {0};
    trib_quotes quotes = {0};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && status == TRIB_OK; i++)
        status = trib_run_stage(run, stages[i], error);
    if (status == TRIB_OK) status = trib_run_collect(run, &results, error);
    if (status == TRIB_OK) status = trib_quotes_open(&quotes, &results, error);
    if (status == TRIB_OK) {
        trib_json_begin();
        *result = json_object();
        json_object_set_new(
            *result, "target",
            json_string(run->corpus.document[run->corpus.target[0].document].about->id));
        status = trib_result_add_parallels(*result, &quotes, &results.target[0], top, error);
    }
    if (results.corpus) trib_quotes_close(&quotes);
    trib_free(results.target);
    return status;
}

trib_status trib_command_parallels(const trib_command_line *line, trib_log *log, trib_writer *out,
                                   trib_error *error) {
    trib_config config = {0};
    trib_run run = {0};
    json_t *result = NULL;
    trib_status status = check_operands(line, error);
    if (status == TRIB_OK) status = load(&config, line, log, error);
    if (status != TRIB_OK) {
        trib_config_release(&config);
        return status;
    }
    trib_command_limit_memory(line, &config);
    trib_run_init(&run, &config, log, trib_command_threads(line, &config));
    status = search(&run, config.parallels.top, &result, error);
    if (status == TRIB_OK) status = write_result(line, result, out, error);
    else json_decref(result);
    trib_run_release(&run);
    trib_config_release(&config);
    return status;
}
