/* sweep.c - `tributary sweep`: runs the members of a sweep, or of one shard of it, one after the
 * other. */
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/run/sweep.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"

/* A sweep, and the members that this call runs. */
typedef struct sweeping {
    const trib_command_line *line;
    trib_sweep sweep;
    trib_shard shard;
    trib_cache *cache;       /* shared by the members; NULL: none */
    size_t n_failed, n_done; /* members of this call */
} sweeping;

static bool was_stopped(trib_status status) {
    return status == TRIB_INTERRUPTED || status == TRIB_TERMINATED || status == TRIB_REQUEUE;
}

/* ---- Running --------------------------------------------------------------------------------- */

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
    trib_buffer path = {0};
    struct stat about;
    trib_status status = trib_buffer_print(&path, error, "%s/runs", s->sweep.directory);
    if (status == TRIB_OK && stat(s->sweep.directory, &about) == 0 && !S_ISDIR(about.st_mode))
        status =
            trib_fail(error, TRIB_USAGE, "%s: is a file; the output must be a directory (-o DIR)",
                      s->sweep.directory);
    if (status == TRIB_OK && access(s->sweep.directory, F_OK) == 0 &&
        access(path.text, F_OK) != 0 && !trib_directory_is_empty(s->sweep.directory))
        status =
            trib_fail(error, TRIB_USAGE,
                      "%s: is not empty and contains no sweep; choose another directory with -o",
                      s->sweep.directory);
    trib_buffer_release(&path);
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

/* ---- Printing -------------------------------------------------------------------------------- */

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
    if (access(sweep->directory, F_OK) != 0)
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
