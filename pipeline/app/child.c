/* child.c - starts commands of the program, each a process of its own. What goes wrong in one, or
 * stops it, does no harm to the server. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* environ */
#endif
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"

enum { WORDS = 24 };

trib_status trib_app_start(int *process, trib_exchange *x, const char *program,
                           const char *const words[], const int file[4], trib_error *error) {
    const char *word[WORDS] = {program ? program : "tributary", NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t all, none;
    size_t n = 1;
    if (!program) program = x->app->options.program;
    if (!program) program = trib_program_file();
    if (x && x->project) {
        word[n++] = "-C";
        word[n++] = x->project->path;
    }
    for (size_t i = 0; words[i] && n + 1 < WORDS; i++) word[n++] = words[i];
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
        posix_spawnp(process, program, &files, &how, (char *const *)(uintptr_t)word, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (why == 0) return TRIB_OK;
    return trib_fail(error, TRIB_MEMORY, "%s: cannot be started: %s", program, strerror(why));
}

/* Waits for a process; ends it when the server is to stop. Returns whether it succeeded. */
static bool wait_for(pid_t process) {
    int result = 0;
    long pause = 500000;
    pid_t ended;
    while ((ended = waitpid(process, &result, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        nanosleep(&(struct timespec){0, pause}, NULL);
        if (pause < 20000000) pause += pause / 4;
        if (trib_stop_asked()) kill(-process, SIGKILL);
    }
    return ended > 0 && WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

static trib_status read_back(int file, trib_buffer *to, off_t most, trib_error *error) {
    char block[1 << 14];
    ssize_t n = 1;
    trib_status status = TRIB_OK;
    for (off_t at = 0; status == TRIB_OK && n > 0 && at < most; at += n) {
        n = pread(file, block, sizeof block, at);
        if (n > 0) status = trib_buffer_add(to, block, (size_t)n, error);
    }
    return status;
}

trib_status trib_app_program(trib_exchange *x, trib_buffer *output, size_t most, const char *input,
                             trib_error *error, const char *const words[]) {
    int file[4] = {-1, -1, -1, -1}, process = 0;
    trib_buffer messages = {0};
    bool is_well = false;
    trib_status status = TRIB_OK;
    for (int i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_unnamed_file_open(&file[i], error);
    if (status == TRIB_OK && input)
        status = trib_unnamed_file_write(file[0], input, strlen(input), error);
    if (status == TRIB_OK) status = trib_app_start(&process, x, NULL, words, file, error);
    if (status == TRIB_OK) {
        is_well = wait_for(process);
        status = read_back(file[1], output, (off_t)most, error);
    }
    if (status == TRIB_OK) status = read_back(file[2], &messages, TRIB_APP_BODY, error);
    if (status == TRIB_OK && !is_well && output->length == 0) {
        const char *says = messages.length > 0 ? messages.text : "the program was ended";
        if (strncmp(says, "error: ", 7) == 0) says += 7;
        status = trib_fail(error, TRIB_INPUT, "%.*s", (int)strcspn(says, "\n"), says);
    }
    trib_buffer_release(&messages);
    for (int i = 0; i < 3; i++)
        if (file[i] >= 0) close(file[i]);
    return status;
}

trib_status trib_app_program_json(trib_exchange *x, json_t **answer, const char *input,
                                  trib_error *error, const char *const words[]) {
    trib_buffer output = {0};
    json_error_t wrong;
    *answer = NULL;
    trib_status status = trib_app_program(x, &output, TRIB_APP_OUTPUT, input, error, words);
    if (status == TRIB_OK)
        *answer = json_loadb(output.length > 0 ? output.text : "", output.length, 0, &wrong);
    if (status == TRIB_OK && !*answer)
        status = trib_fail(error, TRIB_INTERNAL, "'tributary %s' gave no JSON: %s", words[0],
                           wrong.text);
    trib_buffer_release(&output);
    return status;
}
