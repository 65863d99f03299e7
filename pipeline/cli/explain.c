/* explain.c - `tributary explain`: prints shares and phrases of a run in the terminal. */
#include <string.h>
#include <unistd.h>

#include "pipeline/command/command.h"
#include "pipeline/naming/run_names.h"
#include "pipeline/output/phrases_file.h"
#include "pipeline/output/stored_result.h"
#include "pipeline/summary/summary.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

/* Opens the run, and puts ids in place of the names of a target and a source. */
static trib_status open_run(trib_stored_targets *stored, json_t **result,
                            const trib_command_line *line, trib_summary_options *options,
                            trib_error *error) {
    const char *run = line->operand[0];
    const bool is_one = line->source && line->target;
    trib_status status = !line->source ? trib_stored_open(stored, result, run, error)
                         : is_one      ? trib_stored_open_one(result, run, line->target, error)
                                       : trib_result_load(result, run, error);
    if (status == TRIB_OK && line->target)
        status = trib_result_find_target(*result, run, line->target, &options->target, error);
    if (status == TRIB_OK && is_one && strcmp(options->target, line->target) != 0) {
        json_t *all = *result; /* of many targets it has the ids alone */
        status = trib_stored_open_one(result, run, options->target, error);
        if (status == TRIB_OK)
            status =
                trib_result_find_target(*result, run, options->target, &options->target, error);
        json_decref(all);
    }
    return status == TRIB_OK
               ? trib_result_find_document(*result, run, line->source, &options->source, error)
               : status;
}

trib_status trib_command_explain(const trib_command_line *line, trib_log *log, trib_writer *out,
                                 trib_error *error) {
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    trib_stored_targets stored = {0};
    trib_summary_options options = {.colors = trib_terminal_colors(STDOUT_FILENO, color),
                                    .phrases = true,
                                    .top = (size_t)line->top,
                                    .columns = trib_page_columns(STDOUT_FILENO),
                                    .stored = &stored};
    json_t *result = NULL, *targets = NULL;
    trib_buffer text = {0};
    (void)log;
    const char *run = line->operand[0];
    trib_status status = open_run(&stored, &result, line, &options, error);
    /* the phrases of one source are put into the result */
    if (status == TRIB_OK && line->source)
        status = trib_phrases_take(result, run, options.target, options.source, error);
    if (status == TRIB_OK && line->json) {
        status = trib_summary_json(result, &options, &targets, error);
        if (status == TRIB_OK)
            status = trib_json_write(json_pack("{s:i, s:o}", "schema", 1, "targets", targets), out,
                                     error);
    } else if (status == TRIB_OK) {
        status = trib_summary_write(result, &options, &text, error);
        if (status == TRIB_OK) trib_write(out, text.text, text.length);
    }
    trib_buffer_release(&text);
    json_decref(result);
    trib_stored_release(&stored);
    return status;
}
