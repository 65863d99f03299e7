/* child.c - starts commands of the program, each a process of its own. What goes wrong in one, or
 * stops it, does no harm to the server. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* environ */
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"

enum { OUTPUT_MOST = 256 << 20 };

trib_status trib_app_start(int *process, const char *program, const char *const argument[],
                           const int file[4], trib_error *error) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t all, none;
    pid_t id = 0;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    for (int i = 0; i < 4; i++)
        if (file[i] >= 0) posix_spawn_file_actions_adddup2(&files, file[i], i);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                       POSIX_SPAWN_SETPGROUP);
    const int why =
        posix_spawnp(&id, program, &files, &how, (char *const *)(uintptr_t)argument, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    *process = id;
    return why == 0
               ? TRIB_OK
               : trib_fail(error, TRIB_MEMORY, "%s: cannot be started: %s", program, strerror(why));
}

/* Waits for a process; ends it when the server is to stop. */
static int wait_for(pid_t process) {
    int result = 0;
    long pause = 500000;
    pid_t ended;
    while ((ended = waitpid(process, &result, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        nanosleep(&(struct timespec){0, pause}, NULL);
        if (pause < 20000000) pause += pause / 4;
        if (trib_stop_asked()) kill(-process, SIGKILL);
    }
    return ended < 0 ? 1 : WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result);
}

static trib_status read_back(int file, trib_buffer *to, trib_error *error) {
    char block[1 << 14];
    ssize_t n = 0;
    trib_status status = TRIB_OK;
    for (off_t at = 0; status == TRIB_OK && at < OUTPUT_MOST; at += n) {
        n = pread(file, block, sizeof block, at);
        if (n <= 0) break;
        status = trib_buffer_add(to, block, (size_t)n, error);
    }
    return status;
}

/* The program and its words: "tributary -C FOLDER argument...". */
static const char *line_up(const trib_app_child *child, const trib_app *app, const char *folder,
                           const char *words[20]) {
    size_t n = 0;
    words[n++] = "tributary";
    if (folder) {
        words[n++] = "-C";
        words[n++] = folder;
    }
    for (size_t i = 0; child->argument[i]; i++) words[n++] = child->argument[i];
    words[n] = NULL;
    return app->options.program ? app->options.program : trib_program_file();
}

trib_status trib_app_run_child(trib_app_child *child, const trib_app *app, const char *folder,
                               trib_error *error) {
    const char *words[20], *program = line_up(child, app, folder, words);
    int file[4] = {-1, -1, -1, -1}, process = 0;
    trib_status status = TRIB_OK;
    for (int i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_unnamed_file_open(&file[i], error);
    if (status == TRIB_OK && child->input)
        status = trib_unnamed_file_write(file[0], child->input, strlen(child->input), error);
    if (status == TRIB_OK) status = trib_app_start(&process, program, words, file, error);
    if (status == TRIB_OK) {
        child->result = wait_for(process);
        status = read_back(file[1], &child->output, error);
    }
    if (status == TRIB_OK) status = read_back(file[2], &child->messages, error);
    for (int i = 0; i < 3; i++)
        if (file[i] >= 0) close(file[i]);
    return status;
}

void trib_app_child_release(trib_app_child *child) {
    trib_buffer_release(&child->output);
    trib_buffer_release(&child->messages);
}

const char *trib_app_child_says(trib_arena *arena, const trib_app_child *child) {
    const char *text = child->messages.length > 0 ? child->messages.text : "";
    const char *found = strstr(text, "error: ");
    if (found && found != text && found[-1] != '\n') found = text; /* FILE:LINE: error: ... */
    if (found && strncmp(found, "error: ", 7) == 0) found += 7;
    if (!found) found = text;
    const size_t n = strlen(found);
    return n == 0 ? trib_arena_print(arena, "the program ended with status %d", child->result)
                  : trib_arena_copy(arena, found, n - (found[n - 1] == '\n'));
}

trib_status trib_app_hand_on(trib_exchange *x, trib_app_child *child, trib_error *error) {
    x->type = "application/json; charset=utf-8";
    if (child->output.length == 0 || child->output.text[0] != '{') {
        if (x->status == 0) x->status = 422;
        return trib_fail(error, TRIB_INPUT, "%s", trib_app_child_says(&x->arena, child));
    }
    trib_buffer_release(&x->answer);
    x->answer = child->output;
    child->output = (trib_buffer){0};
    return TRIB_OK;
}
