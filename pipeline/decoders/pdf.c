/* pdf.c - extracts the text of a PDF with the program pdftotext (Poppler, Debian: poppler-utils).
 * The program receives the PDF on its standard input, so that no file name and no shell is
 * involved. A PDF can be crafted to attack its reader. Therefore the program must not write files,
 * and it is killed when it exceeds limits on time, memory or output. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* declares vfork */
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/decoders/text_formats.h"
#include "pipeline/packing/archive.h"
#include "pipeline/support/unnamed_file.h"

/* A scanned book of a thousand pages takes some seconds and 200 MiB. */
static const trib_pdf_limits usual = {
    .silence = 120, .whole = 900, .processor = 600, .memory = (uint64_t)4 << 30};

enum { LOOK = 100 }; /* milliseconds between checks for a stop request */

/* The running program. */
typedef struct child {
    pid_t process;   /* 0: not running */
    int in;          /* file that is its standard input */
    int out[2];      /* pipe of its standard output */
    int messages[2]; /* pipe of its standard error */
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

/* Runs in the new process: sets up its files and limits, then executes the program. On failure,
 * writes errno to `failed`. A write to a file fails instead of killing the program, so that it can
 * work without its caches. The process has a process group of its own: otherwise a signal to our
 * group, from Ctrl-C or `timeout`, would look like a failure of the program. Signals stay blocked
 * until our handlers are reset, since the process still shares the memory of its parent. */
static void become(const child *c, const char *program, const trib_pdf_limits *limits, int failed,
                   const sigset_t *unblocked) {
    struct sigaction had;
    for (int s = 1; s < NSIG; s++)
        if (sigaction(s, NULL, &had) == 0 && had.sa_handler != SIG_IGN) signal(s, SIG_DFL);
    char *arguments[] = {
        (char *)(uintptr_t)program, "-enc", "UTF-8", "-eol", "unix", "-", "-", NULL};
    setpgid(0, 0);
    limit(RLIMIT_CPU, (uint64_t)limits->processor, (uint64_t)limits->processor + 1);
    limit(RLIMIT_AS, limits->memory, limits->memory);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_CORE, 0, 0);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_SETMASK, unblocked, NULL);
    if (dup2(c->in, STDIN_FILENO) >= 0 && dup2(c->out[1], STDOUT_FILENO) >= 0 &&
        dup2(c->messages[1], STDERR_FILENO) >= 0)
        execvp(program, arguments);
    const int failure = errno;
    if (write(failed, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
}

/* Uses vfork instead of fork. After fork, libraries may run code in the new process (OpenMP does),
 * which can wait for ever for a lock held by another thread. After vfork, only `become` runs, and
 * no memory is copied. */
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

/* Starts the program. *failure is the errno when it could not be executed, or 0. */
static trib_status begin(child *c, const char *program, const trib_pdf_limits *limits, int *failure,
                         const char *name, trib_error *error) {
    int failed[2] = {-1, -1};
    *failure = make_pipe(c->out);
    if (*failure == 0) *failure = make_pipe(c->messages);
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
    close_end(&c->messages[1]);
    while (read(failed[0], failure, sizeof *failure) < 0 && errno == EINTR) continue;
    close_end(&failed[0]);
    return TRIB_OK;
}

/* One process is started at a time, so that none inherits the pipes of another. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static trib_status start(child *c, const char *program, const trib_pdf_limits *limits,
                         const char *name, trib_error *error) {
    int failure = 0;
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&starting);
    status = begin(c, program, limits, &failure, name, error);
    pthread_mutex_unlock(&starting);
    if (status == TRIB_OK && failure != 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: is a PDF, and %s cannot be started (%s); install poppler-utils, or "
                           "convert it to plain text",
                           name, program, strerror(failure));
    return status;
}

/* Appends printable characters of the program's error messages to `messages`. */
static void add_message(char messages[TRIB_NOTE_MAX], const char *bytes, size_t n) {
    const size_t had = strlen(messages);
    for (size_t i = 0, at = had; i < n && at + 1 < TRIB_NOTE_MAX; i++, at++) {
        const bool shows = (unsigned char)bytes[i] >= ' ' && (unsigned char)bytes[i] < 0x7F;
        if (bytes[i] != '\n' && !shows) {
            at--;
            continue;
        }
        messages[at] = bytes[i];
        messages[at + 1] = '\0';
    }
}

static trib_status fail_slow(const char *name, const char *program, const trib_pdf_limits *limits,
                             bool silent, trib_error *error) {
    return silent ? trib_fail(error, TRIB_INPUT,
                              "%s: %s wrote no output for %d seconds; convert it to plain text",
                              name, program, limits->silence)
                  : trib_fail(error, TRIB_INPUT,
                              "%s: %s did not finish within %d seconds; convert it to plain text",
                              name, program, limits->whole);
}

/* Reads the output and the error messages of the program until it closes both. */
static trib_status read_output(child *c, trib_buffer *text, char messages[TRIB_NOTE_MAX],
                               trib_markup_bytes file, const char *program,
                               const trib_pdf_limits *limits, double end, trib_error *error) {
    const size_t had = text->length;
    trib_status status = TRIB_OK;
    double last_output = now(); /* time of the last output */
    while (status == TRIB_OK && (c->out[0] >= 0 || c->messages[0] >= 0)) {
        char block[1 << 14];
        struct pollfd ends[] = {{c->out[0], POLLIN, 0}, {c->messages[0], POLLIN, 0}};
        const int n_ready = poll(ends, 2, LOOK);
        const bool silent = now() - last_output > limits->silence;
        status = trib_stop_check(error);
        if (status != TRIB_OK) return status;
        if (now() > end || silent)
            return fail_slow(file.name, program, limits, now() <= end, error);
        if (n_ready <= 0) continue;
        last_output = now();
        if (ends[0].revents) {
            const ssize_t n = read(c->out[0], block, sizeof block);
            if (n > 0) status = trib_buffer_add(text, block, (size_t)n, error);
            else if (n == 0 || errno != EINTR) close_end(&c->out[0]);
        }
        if (ends[1].revents) {
            const ssize_t n = read(c->messages[0], block, sizeof block);
            if (n > 0) add_message(messages, block, (size_t)n);
            else if (n == 0 || errno != EINTR) close_end(&c->messages[0]);
        }
        if (status == TRIB_OK)
            status = trib_unpacked_check(file.name, file.length, text->length - had, error);
    }
    return status;
}

/* Waits for the program to exit, at most until `end`. After that, or after an error, kills it. */
static trib_status finish(child *c, trib_status status, const char *name, const char *program,
                          const trib_pdf_limits *limits, double end, int *result,
                          trib_error *error) {
    const struct timespec moment = {0, 5000000};
    pid_t ended = 0;
    while (status == TRIB_OK && ended == 0) {
        ended = waitpid(c->process, result, WNOHANG);
        if (ended == 0) status = trib_stop_check(error);
        if (status != TRIB_OK) break;
        if (ended == 0 && now() > end) status = fail_slow(name, program, limits, false, error);
        else if (ended == 0) nanosleep(&moment, NULL);
    }
    if (ended != 0) return status;
    kill(-c->process, SIGKILL); /* the whole group, with processes that it started */
    while (waitpid(c->process, result, 0) < 0 && errno == EINTR) continue;
    return status;
}

/* Reports why the program failed. */
static trib_status fail(int result, const char *name, const char *program,
                        const trib_pdf_limits *limits, const char *messages, trib_error *error) {
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGXCPU)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: %s took more than %d seconds of processor time; convert it to plain text", name,
            program, limits->processor);
    if (WIFSIGNALED(result))
        return trib_fail(error, TRIB_INPUT,
                         "%s: cannot be read by %s: signal %d%s%s; it may use %llu MiB of memory",
                         name, program, WTERMSIG(result), *messages ? ", " : "", messages,
                         (unsigned long long)(limits->memory >> 20));
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read by %s%s%s", name, program,
                     *messages ? ": " : "", messages);
}

trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, const trib_pdf_limits *limits,
                             trib_error *error) {
    child c = {0, -1, {-1, -1}, {-1, -1}};
    char messages[TRIB_NOTE_MAX] = "";
    int result = 0;
    const size_t had = text->length;
    const double end = now() + limits->whole;
    trib_status status = TRIB_OK;
    if (file.length < 5 || memcmp(file.at, "%PDF-", 5) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: is not a PDF: it does not begin with %%PDF-",
                         file.name);
    status = trib_unnamed_file_open(&c.in, error);
    if (status == TRIB_OK) status = trib_unnamed_file_write(c.in, file.at, file.length, error);
    if (status == TRIB_OK) status = start(&c, program, limits, file.name, error);
    if (status == TRIB_OK)
        status = read_output(&c, text, messages, file, program, limits, end, error);
    if (c.process > 0) status = finish(&c, status, file.name, program, limits, end, &result, error);
    messages[strcspn(messages, "\n")] = '\0';
    if (status == TRIB_OK && result != 0)
        status = fail(result, file.name, program, limits, messages, error);
    else if (status == TRIB_OK &&
             strspn(text->text ? text->text + had : "", " \t\n\f\r") == text->length - had)
        status = trib_fail(
            error, TRIB_INPUT,
            "%s: contains no text, perhaps only images of pages; extract their text by OCR",
            file.name);
    else if (status == TRIB_OK && *messages)
        snprintf(note, TRIB_NOTE_MAX, "%.*s", TRIB_NOTE_MAX - 1, messages);
    close_end(&c.in);
    for (int i = 0; i < 2; i++) {
        close_end(&c.out[i]);
        close_end(&c.messages[i]);
    }
    return status;
}

/* Identifies the program by size and time of its file. Asking for its version would start a
 * process, and a replaced program has another time, unless it is a copy. */
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

/* Removes the form feeds, each of which ends a page, and marks the pages as references. */
static trib_status take_pages(trib_markup_text *to, trib_error *error) {
    trib_buffer *text = &to->text;
    unsigned long page = 0;
    size_t n = 0;
    trib_status status = TRIB_OK;
    bool is_first = true;
    for (size_t i = 0; i < text->length && status == TRIB_OK; i++) {
        char label[32];
        const int length = is_first ? snprintf(label, sizeof label, "page %lu", ++page) : 0;
        if (is_first)
            status = trib_references_add(&to->references, n, n, label, (size_t)length, error);
        is_first = text->text[i] == '\f';
        if (!is_first) text->text[n++] = text->text[i];
    }
    if (text->text) text->text[n] = '\0';
    text->length = n;
    return status;
}

trib_status trib_pdf_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    const trib_status status =
        trib_pdf_convert(&to->text, to->remark, file, "pdftotext", &usual, error);
    return status == TRIB_OK ? take_pages(to, error) : status;
}
