/* pdf.c - the text of a PDF through the program pdftotext (Poppler, Debian: poppler-utils), which reads it on its standard
 * input and never sees a name or a shell. It is ended when it says nothing for too long or too much. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/archive.h"
#include "pipeline/markup.h"
#include "pipeline/stored.h"

extern char **environ;

enum { SILENCE_SECONDS = 120 };

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

static trib_status start(child *c, const char *program, const char *name, trib_error *error) {
    char *arguments[] = {
        (char *)(uintptr_t)program, "-enc", "UTF-8", "-eol", "unix", "-nopgbrk", "-", "-", NULL};
    posix_spawn_file_actions_t actions;
    int failure = make_pipe(c->out);
    if (failure == 0) failure = make_pipe(c->said);
    if (failure == 0) failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0)
        return trib_fail(error, TRIB_MEMORY, "%s: %s cannot be started: %s", name, program,
                         strerror(failure));
    posix_spawn_file_actions_adddup2(&actions, c->in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, c->out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, c->said[1], STDERR_FILENO);
    failure = posix_spawnp(&c->process, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        c->process = 0;
        return trib_fail(error, TRIB_INPUT,
                         "%s: is a PDF, and %s cannot be started (%s); install poppler-utils, or "
                         "give its text",
                         name, program, strerror(failure));
    }
    close_end(&c->out[1]);
    close_end(&c->said[1]);
    return TRIB_OK;
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

/* Takes in what it writes, until both ends are closed. */
static trib_status listen_to(child *c, trib_buffer *text, char said[TRIB_NOTE_MAX],
                             trib_markup_bytes file, const char *program, int seconds,
                             trib_error *error) {
    const size_t had = text->length;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && (c->out[0] >= 0 || c->said[0] >= 0)) {
        char block[1 << 14];
        struct pollfd ends[] = {{c->out[0], POLLIN, 0}, {c->said[0], POLLIN, 0}};
        const int n_ready = poll(ends, 2, seconds * 1000);
        if (n_ready < 0 && errno == EINTR) continue;
        if (n_ready <= 0)
            return trib_fail(error, TRIB_INPUT,
                             "%s: %s has been silent about it for %d seconds; give its text",
                             file.name, program, seconds);
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

trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, int seconds, trib_error *error) {
    child c = {0, -1, {-1, -1}, {-1, -1}};
    char said[TRIB_NOTE_MAX] = "";
    int result = 0;
    const size_t had = text->length;
    trib_status status = TRIB_OK;
    if (file.length < 5 || memcmp(file.at, "%PDF-", 5) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: is no PDF: it does not begin with %%PDF-",
                         file.name);
    status = trib_spool_open(&c.in, error);
    if (status == TRIB_OK) status = trib_spool_write(c.in, file.at, file.length, error);
    if (status == TRIB_OK) status = start(&c, program, file.name, error);
    if (status == TRIB_OK) status = listen_to(&c, text, said, file, program, seconds, error);
    if (c.process > 0) {
        if (status != TRIB_OK) kill(c.process, SIGKILL);
        while (waitpid(c.process, &result, 0) < 0 && errno == EINTR) continue;
    }
    said[strcspn(said, "\n")] = '\0';
    if (status == TRIB_OK && result != 0)
        status = trib_fail(error, TRIB_INPUT, "%s: cannot be read by %s%s%s", file.name, program,
                           *said ? ": " : "", said);
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

/* A version would take a process to ask for; a program that was exchanged has another time, or it is a copy. */
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

trib_status trib_pdf_text(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                          trib_error *error) {
    return trib_pdf_convert(text, note, file, "pdftotext", SILENCE_SECONDS, error);
}
