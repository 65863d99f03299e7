/* explain.c - `tributary explain`: prints shares and phrases of a run in the terminal. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/output/phrases_file.h"
#include "pipeline/output/run_names.h"
#include "pipeline/output/summary.h"
#include "pipeline/program/command.h"
#include "pipeline/support/terminal.h"

static trib_status print(const trib_result *result, const trib_summary_options *options,
                         bool is_json, trib_writer *out, trib_error *error) {
    trib_summary_record summary = {
        .schema = 1, .seconds = (double)NAN, .peak_bytes = (double)NAN, .warnings = TRIB_ABSENT};
    trib_buffer text = {0};
    trib_arena arena = {0};
    trib_status status =
        is_json ? trib_summary_targets(result, options, &summary.targets, &arena, error)
                : trib_summary_write(result, options, &text, error);
    if (status == TRIB_OK && is_json) status = trib_summary_record_write(&summary, out, error);
    else if (status == TRIB_OK) trib_write(out, text.text, text.length);
    trib_arena_release(&arena);
    trib_buffer_release(&text);
    return status;
}

trib_status trib_command_explain(const trib_command_line *line, trib_log *log, trib_writer *out,
                                 trib_error *error) {
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    const char *const run = line->operand[0];
    trib_summary_options options = {.colors = trib_terminal_colors(STDOUT_FILENO, color),
                                    .phrases = true,
                                    .top = (size_t)line->top,
                                    .columns = trib_page_columns(STDOUT_FILENO)};
    trib_pair_phrases phrases = {0};
    trib_result result;
    (void)log;
    trib_status status = trib_result_open(&result, run, error);
    /* ids in place of the names of a target and a source */
    if (status == TRIB_OK && line->target)
        status = trib_result_find_target(&result, run, line->target, &options.target, error);
    if (status == TRIB_OK)
        status = trib_result_find_document(&result, run, line->source, &options.source, error);
    if (status == TRIB_OK && line->source) {
        status = trib_phrases_read(&phrases, run, options.target, options.source, error);
        options.all_phrases = &phrases;
    }
    if (status == TRIB_OK) status = print(&result, &options, line->json, out, error);
    trib_phrases_release(&phrases);
    trib_result_release(&result);
    return status;
}
