/* program.c - trib_main: reads the command line, finds the runs that its folders stand for, runs
 * the command and reports its error. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/arena.h"
#include "pipeline/config/config.h"
#include "pipeline/program/command.h"
#include "pipeline/support/json.h"
#include "pipeline/support/path.h"
#include "pipeline/support/signals.h"

/* ---- The runs that folders stand for --------------------------------------------------------- */

enum { NAMED = 8 }; /* runs that a message lists */

static bool has_file(const char *folder, const char *name) {
    char path[TRIB_PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           trib_disk_is_file(path);
}

static bool is_finished(const char *folder) {
    return has_file(folder, "influence.json") && has_file(folder, "SHA256SUMS");
}

/* Whether `path` is NAME.1 or the like beside a run NAME: the run that was there before. */
static bool is_older(const char *path) {
    char newer[TRIB_PATH_MAX];
    const char *dot = strrchr(path, '.');
    return dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")] &&
           snprintf(newer, sizeof newer, "%.*s", (int)(dot - path), path) < (int)sizeof newer &&
           is_finished(newer);
}

/* Adds the finished runs in a folder, which begins the path of each. */
static void add_runs(trib_arena *arena, trib_names *list, const char *folder, const char *begin) {
    trib_names names;
    (void)trib_disk_list(folder, &names, arena);
    for (size_t i = 0; i < names.n; i++) {
        if (names.name[i][0] == '.') continue;
        const char *path = trib_arena_print(arena, "%s%s", begin, names.name[i]);
        if (!is_finished(path) || is_older(path)) continue;
        TRIB_ADD(arena, list, const char *, {path});
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static trib_status fail_several(const trib_names *list, const char *folder, trib_error *error) {
    TRIB_OWNED(trib_buffer) names = {0};
    for (size_t i = 0; i < list->n && i < NAMED; i++)
        trib_buffer_print(&names, error, "%s%s", i > 0 ? ", " : "", list->name[i]);
    if (list->n > NAMED) trib_buffer_print(&names, error, " and %zu more", list->n - NAMED);
    if (names.failure == TRIB_OK)
        trib_fail(error, TRIB_USAGE, "%s: holds %zu runs: %s; name one of them", folder, list->n,
                  names.text);
    const trib_status status = names.failure == TRIB_OK ? TRIB_USAGE : names.failure;
    return status;
}

/* Replaces the word `i` of the command line by the run below it, if there is one: the only finished
 * run in it or in its folder `runs`, where `run` and the experiments of `init` put theirs. */
static trib_status find_below(trib_command_line *line, size_t i, trib_error *error) {
    const char *folder = line->operand[i], *begin = "";
    trib_arena *arena = &line->arena;
    trib_names list = {0};
    if (!trib_disk_is_folder(folder) || has_file(folder, "influence.json") ||
        has_file(folder, "config.resolved.yaml"))
        return TRIB_OK;
    if (strcmp(folder, ".") != 0)
        begin =
            trib_arena_print(arena, "%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/");
    const char *below = trib_arena_print(arena, "%sruns", begin);
    add_runs(arena, &list, folder, begin);
    add_runs(arena, &list, below, trib_arena_print(arena, "%s/", below));
    const trib_status status = trib_arena_check(arena, error);
    if (status != TRIB_OK || list.n == 0) return status;
    qsort(list.name, list.n, sizeof *list.name, by_name);
    if (list.n > 1) return fail_several(&list, folder, error);
    trib_log_say(line->log, TRIB_LOG_INFO, "%s: the run in it is %s", folder, list.name[0]);
    line->operand[i] = list.name[0];
    return TRIB_OK;
}

/* Runs may come from somebody else, so they are sealed. */
static trib_status seal(trib_command_line *line, size_t i, trib_error *error) {
    const char **added = trib_arena_append(&line->arena, &line->sealed, sizeof *added);
    if (!added) return trib_arena_check(&line->arena, error);
    const trib_status status = trib_disk_seal(line->operand[i], error);
    if (status == TRIB_OK) *added = line->operand[i];
    return status;
}

/* Replaces each operand that the table of commands calls RUN and that is a folder without a run of
 * its own by the only finished run below it, and seals it. TRIB_USAGE when there are several. */
static trib_status find_runs_below(trib_command_line *line, trib_error *error) {
    trib_status status = TRIB_OK;
    const char *word = line->command->operands;
    for (size_t i = 0; i < line->n_operands && strncmp(word, "RUN", 3) == 0 && status == TRIB_OK;
         i++) {
        const bool repeats = strncmp(word + 3, "...", 3) == 0;
        if (!repeats && word[3] != ' ' && word[3] != '\0') break;
        status = find_below(line, i, error);
        if (status == TRIB_OK) status = seal(line, i, error);
        if (!repeats) word += word[3] == ' ' ? 4 : 3;
    }
    return status;
}

/* ---- The program ----------------------------------------------------------------------------- */

/* Opens an unusable descriptor in place of each closed standard one, so that no file gets its
 * number and receives messages. */
static void fill_standard_descriptors(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)fcntl(trib_disk_open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY),
                        F_SETFD, 0);
}

static trib_log_options log_options(const trib_command_line *line) {
    trib_log_options options = {
        .level = line->quiet     ? TRIB_LOG_WARNING
                 : line->verbose ? TRIB_LOG_DEBUG
                                 : TRIB_LOG_INFO,
        .progress = line->progress ? (trib_show)(line->progress - 1) : TRIB_SHOW_AUTO,
        .color = line->color ? (trib_color)(line->color - 1) : TRIB_COLOR_AUTO};
    if (line->log_level) options.level = (trib_log_level)(line->log_level - 1);
    return options;
}

static trib_status work(trib_command_line *line, trib_error *error) {
    const trib_command *command = line->command;
    trib_error unwritten = {0};
    if (!command && !line->help)
        return trib_fail(error, TRIB_USAGE, "no command; 'tributary help' lists them");
    if (line->directory && chdir(line->directory) != 0)
        return trib_fail(error, TRIB_USAGE, "--directory %s: %s", line->directory, strerror(errno));
    trib_status status = trib_kernels_choose(line->kernels - 2, line->kernels > 1, error);
    if (status == TRIB_OK) status = trib_writer_open(line->out, "-", error);
    if (status != TRIB_OK) return status;
    if (line->comm.rank > 0 &&
        /* `run` has reported its warnings already */
        (line->help || command->work != trib_command_run))
        status = TRIB_OK;
    else if (line->help && !command && line->group)
        trib_help_group(line->table, line->group, line->out);
    else if (line->help) trib_help_page(line->table, command, line->out);
    else {
        status = find_runs_below(line, error);
        if (status == TRIB_OK) status = command->work(line, error);
    }
    if (trib_writer_commit(line->out, NULL, &unwritten) != TRIB_OK && status == TRIB_OK) {
        if (error) *error = unwritten;
        status = unwritten.status;
    }
    const unsigned n_warnings = trib_log_n_warnings(line->log);
    if (status == TRIB_OK && line->strict && n_warnings > 0)
        status = trib_fail(error, TRIB_STRICT, "%u warning%s under --strict", n_warnings,
                           n_warnings == 1 ? "" : "s");
    return status;
}

/* Seconds that a rank may take to stop by itself. A rank that alone received a signal waits for
 * the others in vain; mpirun signals them when it has ended, so all together may need this time
 * twice, and must end within two seconds. Rank 0 writes the checkpoint: it gets less time than
 * the others, so that mpirun does not kill it because another rank has ended. */
static double grace_of(const trib_comm *comm) { return comm->rank == 0 ? 0.2 : 0.3; }

int trib_main(int argc, char **argv) {
    trib_error error = {0};
    trib_command_line line = {0};
    trib_writer out = {.file = -1};
    fill_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* so that writing to a closed pipe fails with an error, */
    signal(SIGXFSZ, SIG_IGN); /* and also writing beyond ulimit -f */
    signal(SIGCHLD, SIG_DFL); /* where our parent ignores it, no status of a program is known */
    trib_json_open();
    trib_comm comm;
    trib_status status = trib_comm_open(&comm, &argc, &argv, &error);
    if (status == TRIB_OK)
        status = trib_command_line_read(&line, &trib_commands, argc, argv, &error);
    if (status != TRIB_OK) trib_command_find_progress(&line, argc, argv);
    line.comm = comm;
    line.out = &out;
    if (comm.size > 1) trib_signals_grace(grace_of(&comm));
    const trib_log_options options = log_options(&line);
    if (trib_log_open(&line.log, &options, status == TRIB_OK ? &error : NULL) != TRIB_OK) {
        if (status == TRIB_OK) status = error.status;
        fprintf(stderr, "error: %s\n", error.message);
    } else {
        if (status == TRIB_OK) status = work(&line, &error);
        if (status != TRIB_OK && *error.message)
            trib_log_say(line.log, TRIB_LOG_ERROR, "%s", error.message);
    }
    trib_signals_hush();
    trib_log_close(line.log);
    trib_command_line_release(&line);
    /* Waits for the other ranks, some of which may have ended, so the watching thread must still
     * run. */
    trib_comm_close(&comm);
    trib_signals_release();
    return trib_status_get(status)->exit_status;
}
