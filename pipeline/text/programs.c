/* programs.c - runs a program on the bytes of a file, with limits. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* declares vfork */
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/support/path.h"
#include "pipeline/support/signals.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/programs.h"

enum {
    LOOK = 100, /* milliseconds between checks for a stop request */
    ARGUMENTS_MOST = 16,
    PROGRAM_LEAST = 1 << 30 /* bytes of memory that a program may always use */
};

/* The running program. */
typedef struct child {
    const trib_program *program;
    const char *name; /* of the file, for messages */
    uint64_t memory;  /* bytes of address space that it may use */
    pid_t process;    /* 0: not running */
    int in;           /* file that is its standard input */
    int out[2];       /* pipe of its standard output */
    int messages[2];  /* pipe of its standard error */
    int rules;        /* of its sandbox; -1: none */
    double end;       /* time at which it is killed */
} child;

static void close_end(int *file) {
    if (*file >= 0) close(*file);
    *file = -1;
}

static int make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

void trib_program_limit(int what, uint64_t soft, uint64_t hard) {
    struct rlimit both = {(rlim_t)soft, (rlim_t)hard}, had;
    if (getrlimit(what, &had) == 0 && had.rlim_max < both.rlim_max) both.rlim_max = had.rlim_max;
    if (both.rlim_cur > both.rlim_max) both.rlim_cur = both.rlim_max;
    setrlimit(what, &both);
}

/* Runs in the new process: sets up its files and limits, then executes the program. On failure,
 * writes errno to `failed`. A write to a file fails instead of killing the program, so that it can
 * work without its caches. The process has a process group of its own: otherwise a signal to our
 * group, from Ctrl-C or `timeout`, would look like a failure of the program. Signals stay blocked
 * until our handlers are reset, since the process still shares the memory of its parent. */
static void become(const child *c, char *const *arguments, int failed, const sigset_t *unblocked) {
    const trib_program_limits *limits = &c->program->limits;
    struct sigaction had;
    for (int s = 1; s < NSIG; s++)
        if (sigaction(s, NULL, &had) == 0 && had.sa_handler != SIG_IGN) signal(s, SIG_DFL);
    setpgid(0, 0);
    trib_program_limit(RLIMIT_CPU, (uint64_t)limits->processor, (uint64_t)limits->processor + 1);
    trib_program_limit(RLIMIT_AS, c->memory, c->memory);
    trib_program_limit(RLIMIT_FSIZE, 0, 0);
    trib_program_limit(RLIMIT_CORE, 0, 0);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_SETMASK, unblocked, NULL);
    if (dup2(c->in, STDIN_FILENO) >= 0 && dup2(c->out[1], STDOUT_FILENO) >= 0 &&
        dup2(c->messages[1], STDERR_FILENO) >= 0) {
        trib_sandbox_enter(c->rules);
        execvp(arguments[0], arguments);
    }
    const int failure = errno;
    if (write(failed, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
}

/* Uses vfork instead of fork. After fork, libraries may run code in the new process (OpenMP does),
 * which can wait for ever for a lock held by another thread. After vfork, only `become` runs, and
 * no memory is copied. */
static pid_t start_process(const child *c, int failed) {
    char *arguments[ARGUMENTS_MOST + 1] = {(char *)(uintptr_t)c->program->name};
    for (size_t i = 0; c->program->arguments[i] && i + 1 < ARGUMENTS_MOST; i++)
        arguments[i + 1] = (char *)(uintptr_t)c->program->arguments[i];
    sigset_t all, unblocked;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &unblocked);
    const pid_t process = vfork();
    if (process == 0) become(c, arguments, failed, &unblocked);
    const int failure = errno;
    pthread_sigmask(SIG_SETMASK, &unblocked, NULL);
    errno = failure;
    return process;
}

/* Starts the program. *failure is the errno when it could not be executed, or 0. */
static trib_status begin(child *c, int *failure, trib_error *error) {
    int failed[2] = {-1, -1};
    *failure = make_pipe(c->out);
    if (*failure == 0) *failure = make_pipe(c->messages);
    if (*failure == 0) *failure = make_pipe(failed);
    c->rules = trib_sandbox_make(c->program->name);
    if (*failure == 0) c->process = start_process(c, failed[1]);
    if (*failure == 0 && c->process < 0) *failure = errno;
    close_end(&c->rules);
    if (*failure != 0) {
        c->process = 0;
        close_end(&failed[0]);
        close_end(&failed[1]);
        return trib_fail(error, TRIB_MEMORY, "%s: %s cannot be started: %s", c->name,
                         c->program->name, strerror(*failure));
    }
    close_end(&failed[1]);
    close_end(&c->out[1]);
    close_end(&c->messages[1]);
    while (read(failed[0], failure, sizeof *failure) < 0 && errno == EINTR) continue;
    close_end(&failed[0]);
    return TRIB_OK;
}

/* One process is started at a time, so that none inherits the pipes of another. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static uint64_t n_memory; /* that running programs may use, together */

/* Waits until the program may use its memory beside the others. One alone always may. */
static trib_status take_memory(child *c, trib_error *error) {
    const struct timespec moment = {0, 20000000};
    const uint64_t all = trib_budget_now().programs, least = PROGRAM_LEAST;
    const uint64_t most = all > least ? all : least, wanted = c->program->limits.memory;
    c->memory = wanted < most ? wanted : most;
    for (bool fits = false; !fits;) {
        const trib_status status = trib_stop_check(error);
        if (status != TRIB_OK) return status;
        pthread_mutex_lock(&starting);
        fits = n_memory == 0 || n_memory + c->memory <= most;
        if (fits) n_memory += c->memory;
        pthread_mutex_unlock(&starting);
        if (!fits) nanosleep(&moment, NULL);
    }
    return TRIB_OK;
}

static void give_memory(const child *c) {
    pthread_mutex_lock(&starting);
    n_memory -= c->memory;
    pthread_mutex_unlock(&starting);
}

static trib_status start(child *c, trib_error *error) {
    int failure = 0;
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&starting);
    status = begin(c, &failure, error);
    pthread_mutex_unlock(&starting);
    if (status == TRIB_OK && failure != 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: is %s, and %s cannot be started (%s); install %s, or convert it to "
                           "plain text",
                           c->name, c->program->a_file, c->program->name, strerror(failure),
                           c->program->package);
    return status;
}

/* Appends the printable characters of a block of the program's messages. */
static trib_status add_messages(trib_buffer *messages, const char *bytes, size_t n,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        const bool shows = (bytes[i] >= ' ' && bytes[i] < 0x7F) || bytes[i] == '\n';
        if (shows && messages->length < TRIB_PROGRAM_MESSAGES_MOST)
            status = trib_buffer_add(messages, &bytes[i], 1, error);
    }
    return status;
}

static trib_status fail_slow(const child *c, bool silent, trib_error *error) {
    const trib_program_limits *limits = &c->program->limits;
    return silent ? trib_fail(error, TRIB_INPUT,
                              "%s: %s wrote no output for %d seconds; convert it to plain text",
                              c->name, c->program->name, limits->silence)
                  : trib_fail(error, TRIB_INPUT,
                              "%s: %s did not finish within %d seconds; convert it to plain text",
                              c->name, c->program->name, limits->whole);
}

/* Reads the output and the error messages of the program until it closes both. */
static trib_status read_output(child *c, trib_buffer *text, trib_buffer *messages, size_t n_input,
                               trib_error *error) {
    const size_t had = text->length;
    trib_status status = TRIB_OK;
    double last_output = trib_monotonic_seconds(); /* time of the last output */
    while (status == TRIB_OK && (c->out[0] >= 0 || c->messages[0] >= 0)) {
        char block[1 << 14];
        struct pollfd ends[] = {{c->out[0], POLLIN, 0}, {c->messages[0], POLLIN, 0}};
        const int n_ready = poll(ends, 2, LOOK);
        const bool silent =
            n_ready <= 0 && trib_monotonic_seconds() - last_output > c->program->limits.silence;
        status = trib_stop_check(error);
        if (status != TRIB_OK) return status;
        if (trib_monotonic_seconds() > c->end || silent)
            return fail_slow(c, trib_monotonic_seconds() <= c->end, error);
        if (n_ready <= 0) continue;
        last_output = trib_monotonic_seconds();
        const size_t before = text->length;
        if (ends[0].revents) {
            const ssize_t n = read(c->out[0], block, sizeof block);
            if (n > 0) status = trib_buffer_add(text, block, (size_t)n, error);
            else if (n == 0 || errno != EINTR) close_end(&c->out[0]);
        }
        if (ends[1].revents) {
            const ssize_t n = read(c->messages[0], block, sizeof block);
            if (n > 0) status = add_messages(messages, block, (size_t)n, error);
            else if (n == 0 || errno != EINTR) close_end(&c->messages[0]);
        }
        if (status == TRIB_OK)
            status = trib_unpacked_check(c->name, n_input, text->length - had,
                                         text->length - before, error);
    }
    return status;
}

/* Waits for the program to exit, at most until c->end. After that, or after an error, kills it. */
static trib_status finish(child *c, trib_status status, int *result, trib_error *error) {
    const struct timespec moment = {0, 5000000};
    pid_t ended = 0;
    while (status == TRIB_OK && ended == 0) {
        ended = waitpid(c->process, result, WNOHANG);
        if (ended == 0) status = trib_stop_check(error);
        if (status != TRIB_OK) break;
        if (ended == 0 && trib_monotonic_seconds() > c->end) status = fail_slow(c, false, error);
        else if (ended == 0) nanosleep(&moment, NULL);
    }
    if (ended < 0 && errno == ECHILD)
        return trib_fail(error, TRIB_INPUT,
                         "%s: whether %s could read it is unknown, since this process ignores "
                         "SIGCHLD; handle the signal, or leave it at its default",
                         c->name, c->program->name);
    if (ended != 0) return status;
    kill(-c->process, SIGKILL); /* the whole group, with processes that it started */
    while (waitpid(c->process, result, 0) < 0 && errno == EINTR) continue;
    return status;
}

/* Whether the program says that it could not get memory: pandoc 3 does when it gets none for a
 * thread. */
static bool says_no_memory(const char *messages) {
    return strstr(messages, "Cannot allocate memory") || strstr(messages, "out of memory");
}

/* Reports why the program failed, with the first line of its messages. */
static trib_status fail(const child *c, int result, const trib_buffer *messages,
                        trib_error *error) {
    const char *program = c->program->name, *all = messages->length > 0 ? messages->text : "";
    const int n = (int)strcspn(all, "\n");
    const char *colon = n > 0 ? ": " : "", *comma = n > 0 ? ", " : "";
    const trib_program_limits *limits = &c->program->limits;
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGXCPU)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: %s took more than %d seconds of processor time; convert it to plain text", c->name,
            program, limits->processor);
    if (WIFSIGNALED(result))
        return trib_fail(error, TRIB_INPUT,
                         "%s: cannot be read as %s by %s: signal %d%s%.*s; it may use %llu MiB of "
                         "memory (resources.memory)",
                         c->name, c->program->a_file, program, WTERMSIG(result), comma, n, all,
                         (unsigned long long)(c->memory >> 20));
    if (says_no_memory(all))
        return trib_fail(error, TRIB_INPUT,
                         "%s: cannot be read as %s by %s%s%.*s; it may use %llu MiB of memory "
                         "(resources.memory)",
                         c->name, c->program->a_file, program, colon, n, all,
                         (unsigned long long)(c->memory >> 20));
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read as %s by %s%s%.*s", c->name,
                     c->program->a_file, program, colon, n, all);
}

trib_status trib_program_run(trib_buffer *text, trib_buffer *messages, const trib_program *program,
                             trib_markup_bytes input, trib_error *error) {
    child c = {.program = program,
               .name = input.name,
               .in = -1,
               .out = {-1, -1},
               .messages = {-1, -1},
               .rules = -1};
    int result = 0;
    trib_status status = take_memory(&c, error);
    if (status != TRIB_OK) return status;
    c.end = trib_monotonic_seconds() + program->limits.whole;
    status = trib_unnamed_file_open(&c.in, error);
    if (status == TRIB_OK) status = trib_unnamed_file_write(c.in, input.at, input.length, error);
    if (status == TRIB_OK) status = start(&c, error);
    if (status == TRIB_OK) status = read_output(&c, text, messages, input.length, error);
    if (c.process > 0) status = finish(&c, status, &result, error);
    if (status == TRIB_OK && result != 0) status = fail(&c, result, messages, error);
    give_memory(&c);
    close_end(&c.in);
    for (int i = 0; i < 2; i++) {
        close_end(&c.out[i]);
        close_end(&c.messages[i]);
    }
    return status;
}

trib_status trib_program_print(trib_buffer *to, const char *name, trib_error *error) {
    char file[TRIB_CODE_FOLDER];
    struct stat about;
    return trib_program_find(file, name) && trib_disk_about(file, &about) == 0
               ? trib_buffer_print(to, error, "%s %lld %lld", name, (long long)about.st_size,
                                   (long long)about.st_mtime)
               : trib_buffer_print(to, error, "no %s", name);
}
