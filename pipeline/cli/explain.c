/* explain.c - `tributary explain`: prints shares and phrases of a run in the terminal. */
#include <unistd.h>

#include "pipeline/command/command.h"
#include "pipeline/output/phrases_file.h"
#include "pipeline/output/stored_result.h"
#include "pipeline/summary/summary.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

trib_status trib_command_explain(const trib_command_line *line, trib_log *log, trib_writer *out,
                                 trib_error *error) {
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    trib_stored_targets stored = {0};
    trib_summary_options options = {.colors = trib_terminal_colors(STDOUT_FILENO, color),
                                    .phrases = true,
                                    .source = line->source,
                                    .target = line->target,
                                    .top = (size_t)line->top,
                                    .columns = trib_page_columns(STDOUT_FILENO),
                                    .stored = &stored};
    json_t *result = NULL, *targets = NULL;
    trib_buffer text = {0};
    (void)log;
    const char *run = line->operand[0];
    /* the phrases of one source are put into the result */
    trib_status status = !line->source  ? trib_stored_open(&stored, &result, run, error)
                         : line->target ? trib_stored_open_one(&result, run, line->target, error)
                                        : trib_result_load(&result, run, error);
    if (status == TRIB_OK && line->source)
        status = trib_phrases_take(result, line->operand[0], line->target, line->source, error);
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
