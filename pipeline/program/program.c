/* program.c - trib_main: reads the command line, runs the command and reports its error. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/program/cli.h"
#include "pipeline/support/json.h"
#include "pipeline/support/signals.h"

/* Opens an unusable descriptor in place of each closed standard one, so that no file gets its
 * number and receives messages. */
static void fill_standard_descriptors(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY);
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

static trib_status work(trib_command_line *line, const trib_command *command, trib_log *log,
                        trib_error *error) {
    trib_writer out = {.file = -1};
    trib_error unwritten = {0};
    if (!command && !line->help)
        return trib_fail(error, TRIB_USAGE, "no command; 'tributary help' lists them");
    if (line->directory && chdir(line->directory) != 0)
        return trib_fail(error, TRIB_USAGE, "--directory %s: %s", line->directory, strerror(errno));
    trib_status status = trib_writer_open(&out, "-", error);
    if (status != TRIB_OK) return status;
    if (line->comm.rank > 0 &&
        /* `run` has reported its warnings already */
        (line->help || command->work != trib_command_run))
        status = TRIB_OK;
    else if (line->help && !command && line->group) trib_help_group(line->table, line->group, &out);
    else if (line->help) trib_help_page(line->table, command, &out);
    else {
        status = trib_runs_below(line, command, log, error);
        if (status == TRIB_OK) status = command->work(line, log, &out, error);
    }
    if (trib_writer_commit(&out, NULL, &unwritten) != TRIB_OK && status == TRIB_OK) {
        if (error) *error = unwritten;
        status = unwritten.status;
    }
    if (status == TRIB_OK && line->strict && trib_log_n_warnings(log) > 0)
        status =
            trib_fail(error, TRIB_STRICT, "%u warning%s under --strict",
                      (unsigned)trib_log_n_warnings(log), trib_log_n_warnings(log) == 1 ? "" : "s");
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
    const trib_command *command = NULL;
    trib_log *log = NULL;
    fill_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* so that writing to a closed pipe fails with an error, */
    signal(SIGXFSZ, SIG_IGN); /* and also writing beyond ulimit -f */
    signal(SIGCHLD, SIG_DFL); /* where our parent ignores it, no status of a program is known */
    trib_json_open();
    trib_comm comm;
    trib_status status = trib_comm_open(&comm, &argc, &argv, &error);
    if (status == TRIB_OK)
        status = trib_command_line_read(&line, &trib_commands, &command, argc, argv, &error);
    if (status != TRIB_OK) trib_command_find_progress(&line, argc, argv);
    line.comm = comm;
    if (comm.size > 1) trib_signals_grace(grace_of(&comm));
    const trib_log_options options = log_options(&line);
    if (trib_log_open(&log, &options, status == TRIB_OK ? &error : NULL) != TRIB_OK) {
        if (status == TRIB_OK) status = error.status;
        fprintf(stderr, "error: %s\n", error.message);
    } else {
        if (status == TRIB_OK) status = work(&line, command, log, &error);
        if (status != TRIB_OK && *error.message)
            trib_log_say(log, TRIB_LOG_ERROR, "%s", error.message);
    }
    trib_signals_hush();
    trib_log_close(log);
    trib_command_line_release(&line);
    /* Waits for the other ranks, some of which may have ended, so the watching thread must still
     * run. */
    trib_comm_close(&comm);
    trib_signals_release();
    return trib_status_get(status)->exit_status;
}
