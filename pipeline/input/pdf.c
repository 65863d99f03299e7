/* pdf.c - the text of a PDF through the program pdftotext (Poppler, Debian: poppler-utils), which
 * reads it on its standard input and never sees a name or a shell. A PDF can be made to attack its
 * reader, so the program may write no file, and is ended when it takes too much time or memory, or
 * writes too much. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* vfork */
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/input/archive.h"
#include "pipeline/input/markup.h"
#include "pipeline/support/unnamed_file.h"

/* A scanned book of a thousand pages takes some seconds and 200 MiB. */
static const trib_pdf_limits usual = {
    .silence = 120, .whole = 900, .processor = 600, .memory = (uint64_t)4 << 30};

enum { LOOK = 100 }; /* milliseconds between two looks whether to stop */

/* The program while it runs. */
typedef struct child {
    pid_t process; /* 0: none */
    int in;        /* a file it reads */
    int out[2];    /* pipes it writes: text, */
    int said[2];   /* and complaints */
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

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void limit(int what, uint64_t soft, uint64_t hard) {
    struct rlimit both = {(rlim_t)soft, (rlim_t)hard}, had;
    if (getrlimit(what, &had) == 0 && had.rlim_max < both.rlim_max) both.rlim_max = had.rlim_max;
    if (both.rlim_cur > both.rlim_max) both.rlim_cur = both.rlim_max;
    setrlimit(what, &both);
}

/* The new process: its files, its limits, then the program. Writes to `failed` why there is
 * none. A write to a file fails instead of ending the program, so that it can do without its
 * caches. It has a process group of its own: a signal to ours, by Ctrl-C or by `timeout`, must
 * not look like a failure of the program. Signals stay blocked until none of our handlers is
 * left: the memory is still that of the process that asks. */
static void become(const child *c, const char *program, const trib_pdf_limits *limits, int failed,
                   const sigset_t *unblocked) {
    struct sigaction had;
    for (int s = 1; s < NSIG; s++)
        if (sigaction(s, NULL, &had) == 0 && had.sa_handler != SIG_IGN) signal(s, SIG_DFL);
    char *arguments[] = {
        (char *)(uintptr_t)program, "-enc", "UTF-8", "-eol", "unix", "-nopgbrk", "-", "-", NULL};
    setpgid(0, 0);
    limit(RLIMIT_CPU, (uint64_t)limits->processor, (uint64_t)limits->processor + 1);
    limit(RLIMIT_AS, limits->memory, limits->memory);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_CORE, 0, 0);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_SETMASK, unblocked, NULL);
    if (dup2(c->in, STDIN_FILENO) >= 0 && dup2(c->out[1], STDOUT_FILENO) >= 0 &&
        dup2(c->said[1], STDERR_FILENO) >= 0)
        execvp(program, arguments);
    const int failure = errno;
    if (write(failed, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
}

/* vfork, not fork: after fork, a library may run code of its own in the new process (OpenMP's
 * does), which waits for ever for a lock that another thread held. With vfork nothing but
 * `become` runs, and no memory is copied. */
static pid_t start_process(const child *c, const char *program, const trib_pdf_limits *limits,
                           int failed) {
    sigset_t all, unblocked;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &unblocked);
    const pid_t process = vfork();
    if (process == 0) become(c, program, limits, failed, &unblocked);
    const int failure = errno;
    pthread_sigmask(SIG_SETMASK, &unblocked, NULL);
    errno = failure;
    return process;
}

/* Starts it; *failure is why there is no such program, or 0. */
static trib_status begin(child *c, const char *program, const trib_pdf_limits *limits, int *failure,
                         const char *name, trib_error *error) {
    int failed[2] = {-1, -1};
    *failure = make_pipe(c->out);
    if (*failure == 0) *failure = make_pipe(c->said);
    if (*failure == 0) *failure = make_pipe(failed);
    if (*failure == 0) c->process = start_process(c, program, limits, failed[1]);
    if (*failure == 0 && c->process < 0) *failure = errno;
    if (*failure != 0) {
        c->process = 0;
        close_end(&failed[0]);
        close_end(&failed[1]);
        return trib_fail(error, TRIB_MEMORY, "%s: %s cannot be started: %s", name, program,
                         strerror(*failure));
    }
    close_end(&failed[1]);
    close_end(&c->out[1]);
    close_end(&c->said[1]);
    while (read(failed[0], failure, sizeof *failure) < 0 && errno == EINTR) continue;
    close_end(&failed[0]);
    return TRIB_OK;
}

static trib_status start(child *c, const char *program, const trib_pdf_limits *limits,
                         const char *name, trib_error *error) {
    int failure = 0;
    trib_status status = TRIB_OK;
#pragma omp critical(trib_pdf_start) /* a process gets no pipe of another */
    status = begin(c, program, limits, &failure, name, error);
    if (status == TRIB_OK && failure != 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: is a PDF, and %s cannot be started (%s); install poppler-utils, or "
                           "give its text",
                           name, program, strerror(failure));
    return status;
}

/* Keeps the first line of what is complained about. */
static void keep(char said[TRIB_NOTE_MAX], const char *bytes, size_t n) {
    const size_t had = strlen(said);
    for (size_t i = 0, at = had; i < n && at + 1 < TRIB_NOTE_MAX; i++, at++) {
        const bool shows = (unsigned char)bytes[i] >= ' ' && (unsigned char)bytes[i] < 0x7F;
        if (bytes[i] != '\n' && !shows) {
            at--;
            continue;
        }
        said[at] = bytes[i];
        said[at + 1] = '\0';
    }
}

static trib_status refuse_slow(const char *name, const char *program, const trib_pdf_limits *limits,
                               bool silent, trib_error *error) {
    return silent ? trib_fail(error, TRIB_INPUT,
                              "%s: %s has been silent about it for %d seconds; give its text", name,
                              program, limits->silence)
                  : trib_fail(error, TRIB_INPUT,
                              "%s: %s has not read it within %d seconds; give its text", name,
                              program, limits->whole);
}

/* Takes in what it writes, until both ends are closed. */
static trib_status listen_to(child *c, trib_buffer *text, char said[TRIB_NOTE_MAX],
                             trib_markup_bytes file, const char *program,
                             const trib_pdf_limits *limits, double end, trib_error *error) {
    const size_t had = text->length;
    trib_status status = TRIB_OK;
    double heard = now(); /* when it last wrote something */
    while (status == TRIB_OK && (c->out[0] >= 0 || c->said[0] >= 0)) {
        char block[1 << 14];
        struct pollfd ends[] = {{c->out[0], POLLIN, 0}, {c->said[0], POLLIN, 0}};
        const int n_ready = poll(ends, 2, LOOK);
        const bool silent = now() - heard > limits->silence;
        status = trib_stop_check(error);
        if (status != TRIB_OK) return status;
        if (now() > end || silent)
            return refuse_slow(file.name, program, limits, now() <= end, error);
        if (n_ready <= 0) continue;
        heard = now();
        if (ends[0].revents) {
            const ssize_t n = read(c->out[0], block, sizeof block);
            if (n > 0) status = trib_buffer_add(text, block, (size_t)n, error);
            else if (n == 0 || errno != EINTR) close_end(&c->out[0]);
        }
        if (ends[1].revents) {
            const ssize_t n = read(c->said[0], block, sizeof block);
            if (n > 0) keep(said, block, (size_t)n);
            else if (n == 0 || errno != EINTR) close_end(&c->said[0]);
        }
        if (status == TRIB_OK)
            status = trib_unpacked_check(file.name, file.length, text->length - had, error);
    }
    return status;
}

/* Waits until it has ended, at most until `end`; then, or after a failure, it is ended. */
static trib_status finish(child *c, trib_status status, const char *name, const char *program,
                          const trib_pdf_limits *limits, double end, int *result,
                          trib_error *error) {
    const struct timespec moment = {0, 5000000};
    pid_t ended = 0;
    while (status == TRIB_OK && ended == 0) {
        ended = waitpid(c->process, result, WNOHANG);
        if (ended == 0) status = trib_stop_check(error);
        if (status != TRIB_OK) break;
        if (ended == 0 && now() > end) status = refuse_slow(name, program, limits, false, error);
        else if (ended == 0) nanosleep(&moment, NULL);
    }
    if (ended != 0) return status;
    kill(-c->process, SIGKILL); /* its group: what it started, too */
    while (waitpid(c->process, result, 0) < 0 && errno == EINTR) continue;
    return status;
}

/* Why it ended otherwise than by itself and well. */
static trib_status refuse(int result, const char *name, const char *program,
                          const trib_pdf_limits *limits, const char *said, trib_error *error) {
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGXCPU)
        return trib_fail(error, TRIB_INPUT,
                         "%s: %s took more than %d seconds of processor time; give its text", name,
                         program, limits->processor);
    if (WIFSIGNALED(result))
        return trib_fail(error, TRIB_INPUT,
                         "%s: cannot be read by %s: signal %d%s%s; it may use %llu MiB of memory",
                         name, program, WTERMSIG(result), *said ? ", " : "", said,
                         (unsigned long long)(limits->memory >> 20));
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read by %s%s%s", name, program,
                     *said ? ": " : "", said);
}

trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, const trib_pdf_limits *limits,
                             trib_error *error) {
    child c = {0, -1, {-1, -1}, {-1, -1}};
    char said[TRIB_NOTE_MAX] = "";
    int result = 0;
    const size_t had = text->length;
    const double end = now() + limits->whole;
    trib_status status = TRIB_OK;
    if (file.length < 5 || memcmp(file.at, "%PDF-", 5) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: is no PDF: it does not begin with %%PDF-",
                         file.name);
    status = trib_unnamed_file_open(&c.in, error);
    if (status == TRIB_OK) status = trib_unnamed_file_write(c.in, file.at, file.length, error);
    if (status == TRIB_OK) status = start(&c, program, limits, file.name, error);
    if (status == TRIB_OK) status = listen_to(&c, text, said, file, program, limits, end, error);
    if (c.process > 0) status = finish(&c, status, file.name, program, limits, end, &result, error);
    said[strcspn(said, "\n")] = '\0';
    if (status == TRIB_OK && result != 0)
        status = refuse(result, file.name, program, limits, said, error);
    else if (status == TRIB_OK &&
             strspn(text->text ? text->text + had : "", " \t\n\f\r") == text->length - had)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: holds no text, perhaps only pictures of pages; give the text of "
                           "what it shows",
                           file.name);
    else if (status == TRIB_OK && *said)
        snprintf(note, TRIB_NOTE_MAX, "%.*s", TRIB_NOTE_MAX - 1, said);
    close_end(&c.in);
    for (int i = 0; i < 2; i++) {
        close_end(&c.out[i]);
        close_end(&c.said[i]);
    }
    return status;
}

/* A version would take a process to ask for; a program that was exchanged has another time, or it
 * is a copy. */
trib_status trib_pdf_print_reader(trib_buffer *to, trib_error *error) {
    const char *path = getenv("PATH");
    char file[4096];
    struct stat about;
    for (; path && *path; path += *path == ':') {
        const int length = (int)strcspn(path, ":");
        const int n = snprintf(file, sizeof file, "%.*s/pdftotext", length, path);
        path += length;
        if (n > 0 && (size_t)n < sizeof file && access(file, X_OK) == 0 && stat(file, &about) == 0)
            return trib_buffer_print(to, error, "pdftotext %lld %lld", (long long)about.st_size,
                                     (long long)about.st_mtime);
    }
    return trib_buffer_print(to, error, "no pdftotext");
}

trib_status trib_pdf_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return trib_pdf_convert(&to->text, to->remark, file, "pdftotext", &usual, error);
}
