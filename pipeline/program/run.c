/* run.c - `tributary run`: runs an experiment from its configuration, or from texts alone, to its
 * run directory, and prints the answer; `tributary sweep`: runs the members of a sweep, or of one
 * shard of it, one after the other. */
#include <unistd.h>

#include "base/system.h"
#include "pipeline/config/config.h"
#include "pipeline/output/summary.h"
#include "pipeline/program/command.h"
#include "pipeline/report/pages.h"
#include "pipeline/run/run.h"
#include "pipeline/run/sweep.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

static bool was_stopped(trib_status status) {
    return status == TRIB_INTERRUPTED || status == TRIB_TERMINATED || status == TRIB_REQUEUE;
}

static void add_word(trib_buffer *text, const char *before, const char *word) {
    char quoted[TRIB_PATH_MAX];
    trib_buffer_print(text, NULL, " %s%s", before, trib_shell_word(quoted, sizeof quoted, word));
}

/* Prints the command that resumes a stopped run, with the same settings: other settings would
 * make another run. */
static trib_status show_resume_command(const trib_command_line *line,
                                       const trib_experiment_named *named, const trib_run *run,
                                       trib_status status, trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0}, setting = {0};
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
    if (run->directory.path && !named->folder) add_word(&text, "--output ", run->directory.path);
    if (run->directory.path) trib_buffer_print(&text, NULL, " --resume");
    if (text.failure == TRIB_OK && setting.failure == TRIB_OK)
        trib_fail(error, status, "%s\nto %s: tributary%s", error->message,
                  run->directory.path ? "go on" : "repeat", text.text);
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
    const bool is_written = trib_disk_has(path),
               is_measured = run->shares && run->corpus.n_targets > 0 && run->shares[0].influence;
    if (is_written) status = trib_result_open(&run->result, run->directory.path, error);
    else if (is_measured) status = trib_run_make_result(run, &run->result, error);
    *is_there = status == TRIB_OK && (is_written || is_measured);
    return status;
}

/* Sets `path` to the report, or to "" when the run has none. */
static trib_status find_report(const trib_run *run, char path[TRIB_PATH_MAX], trib_error *error) {
    const trib_status status = trib_directory_path(&run->directory, path, error, "report.html");
    if (status != TRIB_OK || !trib_disk_has(path)) path[0] = '\0';
    return status;
}

/* Writes lines of text, on a terminal wrapped at its width and after an empty line. */
static trib_status write_sentences(char *text, trib_writer *out, trib_error *error) {
    TRIB_OWNED(trib_buffer) wrapped = {0};
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
    return status;
}

/* Prints the result of a run: the directory, or of texts the answer for a reader. */
static trib_status write_result(const trib_experiment_named *named, trib_run *run, bool has_result,
                                trib_writer *out, trib_error *error) {
    char path[TRIB_PATH_MAX];
    TRIB_OWNED(trib_buffer) text = {0};
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
    return status;
}

static trib_status show_table(const trib_run *run, bool has_result, bool has_answer, trib_log *log,
                              trib_error *error) {
    const trib_summary_options options = {.colors = trib_log_colors(log),
                                          .columns = trib_page_columns(STDERR_FILENO)};
    char path[TRIB_PATH_MAX];
    TRIB_OWNED(trib_buffer) text = {0};
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
    return status;
}

static trib_status write_document(const trib_experiment_named *named, const trib_run *run,
                                  bool has_result, const trib_log *log, trib_writer *out,
                                  trib_error *error) {
    const trib_summary_options options = {0};
    TRIB_OWNED(trib_arena) arena = {0};
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
    return status == TRIB_OK ? trib_summary_record_write(&summary, out, error) : status;
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
    if (was_stopped(status)) return show_resume_command(line, named, run, status, error);
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
                                .comm = &line->comm,
                                .n_threads = (int)line->n_threads};
    TRIB_OWNED(trib_experiment_named) named = {.path = NULL};
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_run) run = {0};
    bool is_done = false; /* on all ranks */
    trib_status status = trib_experiment_find(&named, line, error);
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
    trib_cache_close(options.cache);
    return status;
}

/* ---- sweep ----------------------------------------------------------------------------------- */

/* A sweep, and the members that this call runs. */
typedef struct sweeping {
    const trib_command_line *line;
    trib_sweep sweep;
    trib_shard shard;
    trib_cache *cache;       /* shared by the members; NULL: none */
    size_t n_failed, n_done; /* members of this call */
} sweeping;

/* Returns an error for unfinished members unless --resume was given; called before anything is
 * written. */
static trib_status check_unfinished(const sweeping *s, trib_error *error) {
    size_t n = 0, first = 0;
    for (size_t m = s->sweep.n_members; m-- > 0;)
        if (trib_shard_holds(s->shard, m) &&
            trib_sweep_state(&s->sweep.member[m]) == TRIB_MEMBER_UNFINISHED)
            first = m, n++;
    if (n == 0 || s->line->resume) return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "%s: %zu unfinished member%s (%s); resume with --resume",
                     s->sweep.directory, n, n == 1 ? "" : "s", s->sweep.member[first].name);
}

/* Checks that the output directory is empty or contains a sweep. */
static trib_status check_directory(const sweeping *s, trib_error *error) {
    TRIB_OWNED(trib_buffer) path = {0};
    trib_status status = trib_buffer_print(&path, error, "%s/runs", s->sweep.directory);
    const bool is_there = trib_disk_has(s->sweep.directory);
    if (status == TRIB_OK && is_there && !trib_disk_is_folder(s->sweep.directory))
        status =
            trib_fail(error, TRIB_USAGE, "%s: is a file; the output must be a directory (-o DIR)",
                      s->sweep.directory);
    if (status == TRIB_OK && is_there && !trib_disk_has(path.text) &&
        !trib_directory_is_empty(s->sweep.directory))
        status =
            trib_fail(error, TRIB_USAGE,
                      "%s: is not empty and contains no sweep; choose another directory with -o",
                      s->sweep.directory);
    return status;
}

static trib_status run_member(sweeping *s, const trib_sweep_member *member, trib_error *error) {
    const trib_run_options options = {
        .directory = {.path = member->directory,
                      .resume = s->line->resume,
                      /* the directory is named by the hash of the settings: a complete member is
                       * the same run */
                      .renew = s->line->resume,
                      .keeps_other = true},
        .n_threads = (int)s->line->n_threads,
        .cache = s->cache};
    trib_config config = {0};
    trib_run run = {0};
    trib_status status = trib_config_load(&config, s->line->operand[0], member->setting,
                                          member->n_settings, trib_config_log, s->line->log, error);
    if (status == TRIB_OK) status = trib_run_execute(&run, &config, &options, s->line->log, error);
    trib_run_release(&run);
    trib_config_release(&config);
    /* close the member's log file; the next member opens its own */
    (void)trib_log_to_file(s->line->log, NULL, NULL);
    return status;
}

/* Runs the members of the shard in order, and stops when more have failed than may. */
static trib_status run_members(sweeping *s, trib_error *error) {
    const trib_sweep *sweep = &s->sweep;
    trib_status status = TRIB_OK;
    bool stop = false;
    for (size_t m = 0; m < sweep->n_members && !stop && status == TRIB_OK; m++) {
        const trib_sweep_member *member = &sweep->member[m];
        trib_error failure = {0};
        if (!trib_shard_holds(s->shard, m)) continue;
        status = trib_log_stopped(s->line->log, error);
        if (status != TRIB_OK) break;
        trib_log_say(s->line->log, TRIB_LOG_INFO, "member %zu of %zu: %s", m + 1, sweep->n_members,
                     member->title);
        const trib_status one = run_member(s, member, &failure);
        if (was_stopped(one)) {
            if (error) *error = failure;
            status = one;
        } else if (one != TRIB_OK) {
            s->n_failed++;
            trib_log_say(s->line->log, TRIB_LOG_ERROR, "member %zu (%s): %s", m + 1, member->title,
                         failure.message);
            stop = !s->line->keep_going && s->n_failed > sweep->n_failures;
        } else {
            s->n_done++;
        }
    }
    if (was_stopped(status))
        trib_fail(error, status, "%s\nto resume: the same command with --resume",
                  error ? error->message : "");
    return status;
}

static json_t *member_json(const trib_sweep *sweep, const trib_sweep_member *member) {
    json_t *settings = json_object();
    for (uint32_t k = 0; k < sweep->n_keys; k++)
        if (member->value[k])
            json_object_set_new(settings, sweep->key[k]->path, trib_json_text(member->value[k]));
    return json_pack("{s:s, s:s, s:s, s:o}", "name", member->name, "hash", member->hash, "state",
                     trib_sweep_state_name(trib_sweep_state(member)), "settings", settings);
}

/* Prints the members of the shard: what would be run, with --dry-run, else where each is. */
static trib_status tell(const sweeping *s, trib_error *error) {
    const trib_sweep *sweep = &s->sweep;
    json_t *members = s->line->json ? json_array() : NULL;
    for (size_t m = 0; m < sweep->n_members; m++) {
        const trib_sweep_member *member = &sweep->member[m];
        if (!trib_shard_holds(s->shard, m)) continue;
        if (members) json_array_append_new(members, member_json(sweep, member));
        else if (s->line->dry_run)
            trib_print(s->line->out, "%5zu  %-10s  %s\n", m + 1,
                       trib_sweep_state_name(trib_sweep_state(member)), member->title);
    }
    if (members)
        return trib_json_print(s->line->out, error, "{s:o, s:o}", "directory",
                               trib_json_text(sweep->directory), "members", members);
    if (!s->line->dry_run) trib_print(s->line->out, "%s\n", sweep->directory);
    return TRIB_OK;
}

/* Writes the table and the page of the sweep, unless this call runs one of several shards. */
static trib_status collect(const sweeping *s, trib_error *error) {
    size_t n_complete = 0;
    const trib_sweep *sweep = &s->sweep;
    if (!trib_disk_has(sweep->directory))
        return trib_fail(error, TRIB_USAGE, "%s: contains no sweep yet; run it without --collect",
                         sweep->directory);
    const trib_status status = trib_sweep_collect(sweep, &n_complete, error);
    if (status != TRIB_OK) return status;
    trib_log_say(s->line->log, TRIB_LOG_INFO, "collected %zu of %zu members: %s/sweep.csv%s",
                 n_complete, sweep->n_members, sweep->directory,
                 n_complete > 0 ? " and sweep.html" : "");
    if (s->line->collect && n_complete < sweep->n_members)
        return trib_fail(error, TRIB_PARTIAL,
                         "%zu of %zu members are not complete; members.csv "
                         "lists them",
                         sweep->n_members - n_complete, sweep->n_members);
    return TRIB_OK;
}

static trib_status run_and_tell(sweeping *s, trib_error *error) {
    size_t n_mine = 0;
    for (size_t m = 0; m < s->sweep.n_members; m++) n_mine += trib_shard_holds(s->shard, m);
    trib_status status = check_directory(s, error);
    if (status == TRIB_OK) status = check_unfinished(s, error);
    if (status == TRIB_OK) status = run_members(s, error);
    if (status == TRIB_OK && s->shard.n == 1 && s->n_done > 0) status = collect(s, error);
    if (status == TRIB_OK) status = tell(s, error);
    if (status == TRIB_OK && s->n_failed > 0)
        status = trib_fail(error, TRIB_PARTIAL, "%zu of %zu members failed, %zu are complete%s%s",
                           s->n_failed, n_mine, s->n_done,
                           s->n_failed + s->n_done < n_mine
                               ? ", the rest were not run (--keep-going runs them)"
                               : "",
                           "; --resume runs those that failed or were not run");
    return status;
}

trib_status trib_command_sweep(const trib_command_line *line, trib_error *error) {
    sweeping s = {.line = line};
    bool from_slurm = false;
    if (line->collect && line->shard)
        return trib_fail(error, TRIB_USAGE, "--collect needs all shards; leave out --shard");
    trib_status status = trib_shard_read(&s.shard, line->shard, &from_slurm, error);
    if (line->collect) s.shard = (trib_shard){1, 1}, from_slurm = false, status = TRIB_OK;
    if (status != TRIB_OK) return status;
    status = trib_sweep_load(&s.sweep, line->operand[0], line->setting, line->n_settings,
                             line->output, trib_config_log, line->log, error);
    if (status != TRIB_OK) return status;
    trib_log_catch_signals(line->log, s.sweep.time);
    if (s.shard.n > 1)
        trib_log_say(line->log, TRIB_LOG_INFO, "shard %llu of %llu%s",
                     (unsigned long long)s.shard.number, (unsigned long long)s.shard.n,
                     from_slurm ? ", from the Slurm array" : "");
    if (line->dry_run) status = tell(&s, error);
    else if (line->collect) {
        status = collect(&s, error);
        if (status == TRIB_OK || status == TRIB_PARTIAL) {
            const trib_status told = tell(&s, status == TRIB_OK ? error : NULL);
            if (status == TRIB_OK) status = told;
        }
    } else {
        if (!line->no_cache)
            status = trib_cache_open(&s.cache, line->cache_directory, line->log, error);
        if (status == TRIB_OK) status = run_and_tell(&s, error);
        trib_cache_close(s.cache);
    }
    trib_sweep_release(&s.sweep);
    return status;
}
