/* run.c - `tributary run`: runs an experiment from its configuration, or from texts alone, to its
 * run directory, and prints the answer. */
#include <string.h>
#include <unistd.h>

#include "base/system.h"
#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/output/summary.h"
#include "pipeline/program/command.h"
#include "pipeline/report/pages.h"
#include "pipeline/run/run.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

static void add_word(trib_buffer *text, const char *before, const char *word) {
    char quoted[TRIB_PATH_MAX];
    trib_buffer_print(text, NULL, " %s%s", before, trib_shell_word(quoted, sizeof quoted, word));
}

/* Prints the command that resumes a stopped run, with the same settings: other settings would
 * make another run. */
static trib_status show_resume_command(const trib_command_line *line,
                                       const trib_experiment_named *named, const trib_run *run,
                                       trib_status status, trib_error *error) {
    trib_buffer text = {0}, setting = {0};
    if (!error) return status;
    if (line->directory) add_word(&text, "-C ", line->directory);
    add_word(&text, "run ", named->path);
    /* the experiment that was written for texts has the settings and the output */
    for (size_t i = 0; i < line->n_settings && !named->folder; i++) {
        trib_buffer_clear(&setting);
        if (trib_buffer_print(&setting, NULL, "%s=%s", line->setting[i].key,
                              line->setting[i].value) == TRIB_OK)
            add_word(&text, "--set ", setting.text);
    }
    if (line->add_to) add_word(&text, "--add-to ", line->add_to);
    if (line->only_changed) trib_buffer_print(&text, NULL, " --only-changed");
    if (run->directory.path && !named->folder) add_word(&text, "--output ", run->directory.path);
    if (run->directory.path) trib_buffer_print(&text, NULL, " --resume");
    if (text.failure == TRIB_OK && setting.failure == TRIB_OK)
        trib_fail(error, status, "%s\nto %s: tributary%s", error->message,
                  run->directory.path ? "go on" : "repeat", text.text);
    trib_buffer_release(&setting);
    trib_buffer_release(&text);
    return status;
}

/* Whether run->result is there: computed just now, or read from the directory when that was
 * complete. There is none yet with --until. */
static trib_status find_result(trib_run *run, bool *is_there, trib_error *error) {
    char path[TRIB_PATH_MAX];
    *is_there = run->result.documents.n > 0;
    if (*is_there) return TRIB_OK;
    trib_status status = trib_directory_path(&run->directory, path, error, "influence.json");
    if (status != TRIB_OK) return status;
    const bool is_written = access(path, F_OK) == 0,
               is_measured = run->shares && run->corpus.n_targets > 0 && run->shares[0].influence;
    if (is_written) status = trib_result_open(&run->result, run->directory.path, error);
    else if (is_measured) status = trib_run_make_result(run, &run->result, error);
    *is_there = status == TRIB_OK && (is_written || is_measured);
    return status;
}

/* Sets `path` to the report, or to "" when the run has none. */
static trib_status find_report(const trib_run *run, char path[TRIB_PATH_MAX], trib_error *error) {
    const trib_status status = trib_directory_path(&run->directory, path, error, "report.html");
    if (status != TRIB_OK || access(path, F_OK) != 0) path[0] = '\0';
    return status;
}

/* Writes lines of text, on a terminal wrapped at its width and after an empty line. */
static trib_status write_sentences(char *text, trib_writer *out, trib_error *error) {
    trib_buffer wrapped = {0};
    trib_status status = TRIB_OK;
    if (!isatty(STDOUT_FILENO)) {
        trib_write_text(out, text);
        return TRIB_OK;
    }
    trib_write_text(out, "\n");
    for (char *line = text, *end; *line && status == TRIB_OK; line = end + 1) {
        end = line + strcspn(line, "\n");
        *end = '\0';
        status = trib_wrap(&wrapped, line, 0, trib_page_columns(STDOUT_FILENO), error);
    }
    if (status == TRIB_OK) trib_write(out, wrapped.text, wrapped.length);
    trib_buffer_release(&wrapped);
    return status;
}

/* Prints the result of a run: the directory, or of texts the answer for a reader. */
static trib_status write_result(const trib_experiment_named *named, trib_run *run, bool has_result,
                                trib_writer *out, trib_error *error) {
    char path[TRIB_PATH_MAX];
    trib_buffer text = {0};
    if (!named->folder || !has_result) {
        trib_print(out, "%s\n", run->directory.path);
        return TRIB_OK;
    }
    trib_status status = trib_report_sentences(&run->result, &text, error);
    if (status == TRIB_OK) status = find_report(run, path, error);
    if (status == TRIB_OK && text.length > 0) status = write_sentences(text.text, out, error);
    if (status == TRIB_OK)
        trib_print(out, "%s: %s\n", *path ? "report" : "results",
                   *path ? path : run->directory.path);
    trib_buffer_release(&text);
    return status;
}

static trib_status show_table(const trib_run *run, bool has_result, bool has_answer, trib_log *log,
                              trib_error *error) {
    const trib_summary_options options = {.colors = trib_log_colors(log),
                                          .columns = trib_page_columns(STDERR_FILENO)};
    char path[TRIB_PATH_MAX];
    trib_buffer text = {0};
    trib_status status = trib_buffer_print(&text, error, "\n");
    if (status == TRIB_OK && has_result)
        status = trib_summary_write(&run->result, &options, &text, error);
    if (status == TRIB_OK) status = find_report(run, path, error);
    if (status == TRIB_OK) {
        if (has_result) trib_buffer_print(&text, error, "\n");
        if (*path && !has_answer) trib_buffer_print(&text, error, "report: %s\n", path);
        status = trib_buffer_print(&text, error, "done in %.2f s, at most %.0f MiB\n",
                                   trib_log_seconds(log), (double)trib_peak_memory() / 1048576);
    }
    if (status == TRIB_OK) trib_log_show(log, text.text);
    trib_buffer_release(&text);
    return status;
}

static trib_status write_document(const trib_experiment_named *named, const trib_run *run,
                                  bool has_result, const trib_log *log, trib_writer *out,
                                  trib_error *error) {
    const trib_summary_options options = {0};
    trib_arena arena = {0};
    trib_summary_record summary = {.schema = 1,
                                   .directory = trib_result_utf8(&arena, run->directory.path)};
    trib_status status =
        has_result ? trib_summary_targets(&run->result, &options, &summary.targets, &arena, error)
                   : TRIB_OK;
    if (named->folder) summary.experiment = trib_result_utf8(&arena, named->path);
    summary.seconds = trib_log_seconds(log);
    summary.peak_bytes = (double)trib_peak_memory();
    summary.warnings = trib_log_n_warnings(log);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK) status = trib_summary_record_write(&summary, out, error);
    trib_arena_release(&arena);
    return status;
}

/* Loads the experiment. The YAML of texts is not written in a dry run. */
static trib_status load(trib_config *config, const trib_experiment_named *named,
                        const trib_command_line *line, trib_error *error) {
    if (named->folder && line->dry_run)
        return trib_config_parse(config, named->path, named->draft.yaml.text, NULL, 0,
                                 trib_config_log, line->log, error);
    return trib_config_load_for_run(config, named->path, named->folder ? NULL : line->setting,
                                    named->folder ? 0 : line->n_settings, trib_config_log,
                                    line->log, &line->comm, error);
}

static trib_status check_flags(const trib_command_line *line, trib_error *error) {
    if (line->only_changed && !line->add_to)
        return trib_fail(error, TRIB_USAGE, "--only-changed needs --add-to RUN");
    return TRIB_OK;
}

/* Runs the experiment and prints its result. *is_done: it was run, on this rank. */
static trib_status run_experiment(const trib_experiment_named *named, const trib_config *config,
                                  trib_run *run, const trib_run_options *options,
                                  const trib_command_line *line, bool *is_done, trib_error *error) {
    const bool shows = trib_log_shows(line->log, TRIB_LOG_INFO),
               answers = named->folder && !line->json;
    bool has_result = false;
    trib_log_catch_signals(line->log, config->resources.time);
    trib_status status = trib_run_execute(run, config, options, line->log, error);
    *is_done = status == TRIB_OK;
    if (status == TRIB_INTERRUPTED || status == TRIB_TERMINATED || status == TRIB_REQUEUE)
        return show_resume_command(line, named, run, status, error);
    if (status != TRIB_OK || !run->directory.path || line->comm.rank > 0) return status;
    if (line->json || shows || answers) status = find_result(run, &has_result, error);
    if (status == TRIB_OK && line->json)
        status = write_document(named, run, has_result, line->log, line->out, error);
    else if (status == TRIB_OK) status = write_result(named, run, has_result, line->out, error);
    if (status == TRIB_OK && shows)
        status = show_table(run, has_result, answers && has_result, line->log, error);
    return status;
}

trib_status trib_command_run(const trib_command_line *line, trib_error *error) {
    trib_run_options options = {.directory = {.path = line->output, .resume = line->resume},
                                .dry_run = line->dry_run,
                                .until = line->until,
                                .add_to = line->add_to,
                                .only_changed = line->only_changed,
                                .comm = &line->comm,
                                .n_threads = (int)line->n_threads};
    trib_experiment_named named = {.path = NULL};
    trib_config config = {0};
    trib_run run = {0};
    bool is_done = false; /* on all ranks */
    trib_status status = check_flags(line, error);
    if (status == TRIB_OK) status = trib_experiment_find(&named, line, error);
    if (status == TRIB_OK) status = load(&config, &named, line, error);
    if (status == TRIB_OK && !line->no_cache)
        status = trib_cache_open(&options.cache, line->cache_directory, line->log, error);
    if (status == TRIB_OK) {
        if (named.folder) options.directory.path = NULL;
        options.has_summary =
            line->json || named.folder || trib_log_shows(line->log, TRIB_LOG_INFO);
        status = run_experiment(&named, &config, &run, &options, line, &is_done, error);
    }
    if (is_done) (void)trib_comm_least(&line->comm, 0); /* rank 0 no longer reads others' files */
    trib_run_release(&run);
    trib_cache_close(options.cache);
    trib_config_release(&config);
    trib_experiment_named_release(&named);
    return status;
}
