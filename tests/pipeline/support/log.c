/* log.c - tests of the log on standard error and in its file. */
#include "pipeline/support/log.h"
#include "pipeline/support/signals.h"
#include "tests/test.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TESTS(support, log);

/* Standard error is redirected to a file between these two calls. */
static int real_stderr = -1;

static void capture(void) {
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    const int file = open(trib_scratch("stderr"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    close(file);
}

static const char *captured(void) {
    static char text[1 << 16];
    lseek(STDERR_FILENO, 0, SEEK_SET);
    const ssize_t n = read(STDERR_FILENO, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
    return text;
}

static trib_log *open_log(trib_log_level level, trib_show progress, trib_color color) {
    trib_log *log = NULL;
    const trib_log_options options = {level, progress, color};
    CHECK(trib_log_open(&log, &options, NULL) == TRIB_OK);
    return log;
}

TEST(levels_are_marked_and_filtered) {
    capture();
    trib_log *log = open_log(TRIB_LOG_INFO, TRIB_SHOW_PLAIN, TRIB_COLOR_AUTO);
    trib_log_say(log, TRIB_LOG_ERROR, "%s", "a");
    trib_log_say(log, TRIB_LOG_WARNING, "b %d", 1);
    trib_log_say(log, TRIB_LOG_INFO, "c");
    trib_log_say(log, TRIB_LOG_DEBUG, "d");
    trib_log_say(log, TRIB_LOG_ERROR, "x.yaml:1:2: error: e\n  error: f");
    trib_log_say(log, TRIB_LOG_ERROR, "terror: g");
    const uint32_t n = trib_log_n_warnings(log);
    trib_log_close(log);
    EXPECT_TEXT(captured(), "error: a\nwarning: b 1\nc\nx.yaml:1:2: error: e\n  error: f\n"
                            "error: terror: g\n");
    EXPECT(n == 1);
}

TEST(only_the_word_of_the_level_is_coloured) {
    capture();
    trib_log *log = open_log(TRIB_LOG_INFO, TRIB_SHOW_PLAIN, TRIB_COLOR_ALWAYS);
    trib_log_say(log, TRIB_LOG_ERROR, "x:1: error: e");
    trib_log_close(log);
    EXPECT_TEXT(captured(), "x:1: \033[1;31merror: \033[0me\n");
}

TEST(names_cannot_control_the_terminal) {
    capture();
    trib_log *log = open_log(TRIB_LOG_INFO, TRIB_SHOW_PLAIN, TRIB_COLOR_NEVER);
    trib_log_say(log, TRIB_LOG_INFO, "a\033[2Jb\rc\xFFo\xCC\x88\xE2\x80\xAEz\n\xC2\x9B");
    trib_log_close(log);
    EXPECT_TEXT(captured(), "a\\x1B[2Jb\\x0Dc\\xFFo\xCC\x88\\u{202E}z\n\\x9B\n");
}

TEST(the_file_contains_every_line_as_json) {
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("log.jsonl"));
    capture();
    trib_error error = {0};
    trib_log *log = open_log(TRIB_LOG_ERROR, TRIB_SHOW_AUTO, TRIB_COLOR_AUTO);
    trib_log_say(log, TRIB_LOG_WARNING, "before \"it\" has\\a name\n\xFF\t");
    EXPECT_OK(trib_log_to_file(log, path, &error));
    trib_log_stage_begin(log, "tokens");
    trib_log_say(log, TRIB_LOG_DEBUG, "inside");
    trib_log_stage_end(log);
    trib_log_close(log);
    EXPECT_TEXT(captured(), "");
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    json_t *line[4] = {NULL};
    for (int i = 0; i < 3; i++) line[i] = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
    EXPECT_TEXT(json_string_value(json_object_get(line[0], "message")),
                "before \"it\" has\\a name\n\\xFF\\x09");
    EXPECT_TEXT(json_string_value(json_object_get(line[0], "level")), "warning");
    EXPECT(json_object_get(line[0], "stage") == NULL);
    EXPECT_TEXT(json_string_value(json_object_get(line[1], "stage")), "tokens");
    EXPECT(json_is_real(json_object_get(line[2], "duration")));
    for (int i = 0; i < 3; i++) json_decref(line[i]);
    fclose(file);
}

TEST(a_file_that_cannot_be_created_is_an_output_error) {
    trib_error error = {0};
    trib_log *log = open_log(TRIB_LOG_ERROR, TRIB_SHOW_NONE, TRIB_COLOR_NEVER);
    EXPECT_STATUS(trib_log_to_file(log, trib_scratch("no/such/log.jsonl"), &error), TRIB_OUTPUT,
                  error);
    trib_log_close(log);
}

TEST(a_full_disk_is_reported_once) {
    if (access("/dev/full", W_OK) != 0) {
        trib_skip("no /dev/full");
        return;
    }
    capture();
    trib_log *log = open_log(TRIB_LOG_ERROR, TRIB_SHOW_NONE, TRIB_COLOR_NEVER);
    const trib_status opened = trib_log_to_file(log, "/dev/full", NULL);
    for (int i = 0; i < 2; i++) trib_log_say(log, TRIB_LOG_INFO, "lost");
    const uint32_t n = trib_log_n_warnings(log);
    trib_log_close(log);
    EXPECT_TEXT(captured(), "warning: log.jsonl cannot be written any more\n");
    EXPECT(opened == TRIB_OK && n == 1);
}

TEST(progress_lines_are_valid_json) {
    capture();
    trib_log *log = open_log(TRIB_LOG_INFO, TRIB_SHOW_JSON, TRIB_COLOR_ALWAYS);
    trib_log_say(log, TRIB_LOG_INFO, "hello");
    trib_log_show(log, "a table\n");
    trib_log_close(log);
    json_t *line = json_loads(captured(), 0, NULL);
    EXPECT_TEXT(json_string_value(json_object_get(line, "message")), "hello");
    json_decref(line);
}

TEST(progress_starts_after_a_second_and_is_shown_rarely) {
    capture();
    trib_log *log = open_log(TRIB_LOG_INFO, TRIB_SHOW_BAR, TRIB_COLOR_NEVER);
    const trib_progress progress = trib_log_progress(log);
    trib_log_stage_begin(log, "factors");
    for (int i = 0; i < 1000; i++) EXPECT(trib_progress_tick(&progress, i, 1000));
    nanosleep(&(struct timespec){1, 20000000}, NULL);
    for (int i = 0; i < 1000; i++) EXPECT(trib_progress_tick(&progress, 500, 1000));
    trib_log_stage_end(log);
    trib_log_close(log);
    const char *text = captured();
    /* "0:01 left", or more where other work keeps the processors */
    const char *half = strstr(text, "  50 %  ");
    EXPECT(strncmp(text, "\rfactors      ", 14) == 0 && half && strstr(half, " left\033[K"));
    EXPECT_TEXT(strrchr(text, '\r'), "\r\033[K");
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_SIGNALS_AFTER_FORK
#endif
#endif

/* In a child process, since a program has only one watching thread. */
TEST(a_stage_without_ticks_still_shows_its_time) {
#ifdef NO_SIGNALS_AFTER_FORK
    trib_skip("ThreadSanitizer allows no new thread in a forked child");
    return;
#endif
    capture();
    const pid_t child = fork();
    if (child == 0) {
        trib_log *log = open_log(TRIB_LOG_INFO, TRIB_SHOW_PLAIN, TRIB_COLOR_NEVER);
        trib_log_catch_signals(log, 0);
        trib_log_stage_begin(log, "vocabulary");
        for (int i = 0; i < 600 && lseek(STDERR_FILENO, 0, SEEK_END) == 0; i++)
            nanosleep(&(struct timespec){0, 100000000}, NULL);
        trib_signals_release();
        trib_log_close(log);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    const char *text = captured();
    EXPECT(strncmp(text, "vocabulary: 0 %, ", 17) == 0 && strstr(text, " so far\n"));
}

/* In a child process, which AddressSanitizer ends if the thread still uses the log. */
TEST(a_closed_log_is_not_used_by_the_watching_thread) {
    int status;
#ifdef NO_SIGNALS_AFTER_FORK
    trib_skip("ThreadSanitizer allows no new thread in a forked child");
    return;
#endif
    const pid_t child = fork();
    if (child == 0) {
        trib_log *log = open_log(TRIB_LOG_ERROR, TRIB_SHOW_PLAIN, TRIB_COLOR_NEVER);
        trib_log_catch_signals(log, 0);
        trib_log_close(log);
        nanosleep(&(struct timespec){1, 200000000}, NULL);
        _exit(0);
    }
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* In a child process, since a recorded signal is never cleared. */
static int status_after(int signal_number, double limit) {
    const pid_t child = fork();
    if (child == 0) {
        trib_error error = {0};
        trib_log *log = open_log(TRIB_LOG_ERROR, TRIB_SHOW_NONE, TRIB_COLOR_NEVER);
        const trib_progress progress = trib_log_progress(log);
        const bool went_on = trib_progress_tick(&progress, 1, 2);
        signal(SIGHUP, SIG_DFL); /* SIGHUP is ignored under nohup */
        trib_log_catch_signals(log, limit);
        if (signal_number) raise(signal_number);
        const bool goes_on = trib_progress_tick(&progress, 1, 2);
        const trib_status status = trib_log_stopped(log, &error);
        trib_log_close(log);
        _exit(went_on && goes_on == (status == TRIB_OK) ? (int)status : 99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(signals_and_the_time_limit_ask_to_stop) {
#ifdef NO_SIGNALS_AFTER_FORK
    trib_skip("ThreadSanitizer holds signals back in a forked child");
    return;
#endif
    EXPECT(status_after(0, 0) == TRIB_OK);
    EXPECT(status_after(SIGINT, 0) == TRIB_INTERRUPTED);
    EXPECT(status_after(SIGTERM, 0) == TRIB_TERMINATED);
    EXPECT(status_after(SIGUSR1, 0) == TRIB_REQUEUE);
    EXPECT(status_after(SIGHUP, 0) == TRIB_TERMINATED);
    EXPECT(status_after(0, 1e-9) == TRIB_REQUEUE);
    EXPECT(status_after(0, 1e9) == TRIB_OK);
}

static void say_nothing(void *context, const char *text) { (void)context, (void)text; }

/* Writes one byte, as the function that cleans up. */
static void note_end(void *context, trib_status status) {
    const char byte = status == TRIB_TERMINATED ? 't' : '?';
    (void)!write(*(const int *)context, &byte, 1);
}

/* A child process that never checks for a stop request. */
TEST(a_program_that_does_not_stop_is_ended) {
#ifdef NO_SIGNALS_AFTER_FORK
    trib_skip("ThreadSanitizer holds signals back in a forked child");
    return;
#endif
    int ends[2], status = 0;
    char byte = 0;
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        trib_signals_catch(0, (trib_watch){.say = say_nothing});
        trib_signals_tidy(note_end, &ends[1]);
        raise(SIGTERM);
        for (;;) pause();
    }
    waitpid(child, &status, 0);
    close(ends[1]);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 143);
    EXPECT(read(ends[0], &byte, 1) == 1 && byte == 't');
    close(ends[0]);
}

/* As under nohup. */
TEST(an_ignored_signal_stays_ignored) {
#ifdef NO_SIGNALS_AFTER_FORK
    trib_skip("ThreadSanitizer allows no new thread in a forked child");
    return;
#endif
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN); /* as `command &` does in a script */
        trib_signals_catch(0, (trib_watch){.say = say_nothing});
        raise(SIGHUP);
        raise(SIGINT);
        const bool goes_on = trib_signals_caught(NULL) == TRIB_OK;
        trib_signals_release();
        _exit(goes_on ? 0 : 1);
    }
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static trib_status open_and_say(void *context, trib_error *error) {
    (void)context;
    trib_log *log = NULL;
    const trib_log_options options = {TRIB_LOG_ERROR, TRIB_SHOW_NONE, TRIB_COLOR_NEVER};
    const trib_status status = trib_log_open(&log, &options, error);
    trib_log_close(log);
    return status;
}

TEST(every_allocation_may_fail) {
    EXPECT(trib_fail_every_allocation(open_and_say, NULL) == 2);
    trib_log *log = open_log(TRIB_LOG_ERROR, TRIB_SHOW_NONE, TRIB_COLOR_NEVER);
    trib_memory_fail_from(1);
    trib_log_say(log, TRIB_LOG_INFO, "not kept, but harmless");
    trib_memory_fail_from(0);
    trib_log_close(log);
}

TEST(two_runs_of_one_process_do_not_share_a_log) {
    trib_log *log[2] = {NULL, NULL};
    trib_error error = {0};
    const trib_log_options options = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    for (int i = 0; i < 2; i++) CHECK(trib_log_open(&log[i], &options, NULL) == TRIB_OK);
    EXPECT_OK(trib_log_to_file(log[0], trib_scratch("one.jsonl"), &error));
#ifdef __linux__
    EXPECT_STATUS(trib_log_to_file(log[1], trib_scratch("one.jsonl"), &error), TRIB_USAGE, error);
    EXPECT(strstr(error.message, "another run is writing there") != NULL);
#endif
    for (int i = 0; i < 2; i++) trib_log_close(log[i]);
}
