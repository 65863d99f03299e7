/* log.c - writes log lines, warnings and progress to standard error, and as JSON lines to a file.
 *
 * A line is formatted in a fixed buffer and written by one call. So lines of several threads are
 * never mixed, and logging works without free memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* F_OFD_SETLK */
#endif
#include "pipeline/support/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/support/path.h"
#include "pipeline/support/signals.h"
#include "pipeline/support/terminal.h"

static const struct {
    const char *name, *prefix, *color;
} levels[] = {
    [TRIB_LOG_ERROR] = {"error", "error: ", "\033[1;31m"},
    [TRIB_LOG_WARNING] = {"warning", "warning: ", "\033[1;33m"},
    [TRIB_LOG_INFO] = {"info", "", ""},
    [TRIB_LOG_DEBUG] = {"debug", "debug: ", "\033[2m"},
};

#define SINK_INTERVAL 0.1 /* shortest time in seconds between two calls of trib_log_sink.progress */

enum { CLEAN_MAX = 2 * TRIB_MESSAGE_MAX, LINE_MAX_BYTES = 2 * CLEAN_MAX + 512 };

struct trib_log {
    trib_log_options options;
    trib_log_sink sink;
    bool has_sink;          /* messages go to the sink instead of standard error */
    atomic_bool is_stopped; /* sink.progress returned false */
    trib_show show;         /* never auto */
    bool colors;
    int file;          /* descriptor of log.jsonl, or -1 */
    trib_buffer early; /* lines written before log.jsonl was opened */
    bool file_failed;
    uint32_t n_warnings;
    /* seconds: clock when the log was opened; time limit after that, 0: none */
    double start, limit;
    char stage[32];     /* empty between stages */
    double stage_start; /* seconds after open */
    double done, total; /* amounts of work of the stage, at the last tick */
    double shown;       /* time of the last display of progress, in seconds after open */
    bool drawn;         /* the last line of the terminal shows a progress bar */
    pthread_mutex_t lock;
};

double trib_log_seconds(const trib_log *log) { return trib_monotonic_seconds() - log->start; }

uint32_t trib_log_n_warnings(const trib_log *log) { return log->n_warnings; }

bool trib_log_colors(const trib_log *log) { return log->colors; }

bool trib_log_shows(const trib_log *log, trib_log_level level) {
    return level <= log->options.level;
}

trib_status trib_log_stopped(const trib_log *log, trib_error *error) {
    const trib_status status = trib_signals_caught(error);
    if (status == TRIB_OK && atomic_load(&log->is_stopped))
        return trib_fail(error, TRIB_INTERRUPTED,
                         "stopped by the caller; nothing is left half-written");
    if (status == TRIB_OK && log->limit > 0 && trib_log_seconds(log) >= log->limit)
        return trib_fail(error, TRIB_REQUEUE,
                         "the time limit of %g s is reached; nothing is left half-written",
                         log->limit);
    return status;
}

trib_status trib_log_open(trib_log **log, const trib_log_options *options, trib_error *error) {
    const trib_status status = TRIB_NEW(log, 1, "the log", error);
    if (status != TRIB_OK) return status;
    trib_log *l = *log;
    const char *terminal = getenv("TERM");
    const bool moves = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    l->options = *options;
    l->show = options->progress;
    if (l->show == TRIB_SHOW_AUTO)
        l->show = options->level < TRIB_LOG_INFO ? TRIB_SHOW_NONE
                  : moves                        ? TRIB_SHOW_BAR
                                                 : TRIB_SHOW_PLAIN;
    l->colors = trib_terminal_colors(STDERR_FILENO, (int)options->color);
    l->file = -1;
    l->start = trib_monotonic_seconds();
    pthread_mutex_init(&l->lock, NULL);
    return TRIB_OK;
}

trib_status trib_log_open_sink(trib_log **log, trib_log_level level, const trib_log_sink *sink,
                               trib_error *error) {
    const trib_log_options options = {level, TRIB_SHOW_NONE, TRIB_COLOR_NEVER};
    const trib_status status = trib_log_open(log, &options, error);
    if (status != TRIB_OK) return status;
    (*log)->has_sink = true;
    (*log)->sink = *sink;
    return TRIB_OK;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool write_all(int file, const char *text, size_t length) {
    return trib_unnamed_file_add(file, text, length, NULL) == TRIB_OK;
}

static void erase_bar(trib_log *log) {
    if (log->drawn) (void)write_all(STDERR_FILENO, "\r\033[K", 4);
    log->drawn = false;
}

/* Escapes the characters of a JSON string. The only control characters in `clean` are newlines. */
static size_t json_escape(char *out, const char *clean) {
    char *at = out;
    for (; *clean; clean++) {
        if (*clean == '"' || *clean == '\\' || *clean == '\n') *at++ = '\\';
        *at++ = *clean == '\n' ? 'n' : *clean;
    }
    *at = '\0';
    return (size_t)(at - out);
}

/* Formats {"time": ..., "seconds": ..., "level": ..., "stage": ..., MORE, "message": ...} and a
 * newline. */
static size_t json_line(const trib_log *log, char line[LINE_MAX_BYTES], trib_log_level level,
                        const char *more, const char *clean) {
    struct timespec now;
    struct tm utc;
    char date[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    int n = snprintf(line, 400, "{\"time\":\"%s.%03ldZ\",\"seconds\":%.3f,\"level\":\"%s\"", date,
                     now.tv_nsec / 1000000, trib_log_seconds(log), levels[level].name);
    if (*log->stage) n += snprintf(line + n, 60, ",\"stage\":\"%s\"", log->stage);
    n += snprintf(line + n, 200, "%s", more);
    size_t length = (size_t)n;
    if (clean) {
        length += (size_t)snprintf(line + length, 16, ",\"message\":\"");
        length += json_escape(line + length, clean);
        line[length++] = '"';
    }
    line[length++] = '}';
    line[length++] = '\n';
    return length;
}

static void to_sink(const trib_log *log, trib_log_level level, const char *text) {
    if (log->sink.message) log->sink.message(log->sink.context, levels[level].name, text);
}

static void to_file(trib_log *log, const char *line, size_t length) {
    if (log->file < 0) {
        (void)trib_buffer_add(&log->early, line, length, NULL);
    } else if (!log->file_failed && !write_all(log->file, line, length)) {
        static const char lost[] = "log.jsonl cannot be written any more";
        log->file_failed = true;
        log->n_warnings++;
        if (log->has_sink) to_sink(log, TRIB_LOG_WARNING, lost);
        else dprintf(STDERR_FILENO, "warning: %s\n", lost);
    }
}

/* The position of the level's word in the first line of a message ("FILE:LINE: error: ..."), or
 * NULL. */
static const char *own_level(const char *message, trib_log_level level) {
    const char *prefix = levels[level].prefix, *end = strchr(message, '\n');
    const char *found = level <= TRIB_LOG_WARNING ? strstr(message, prefix) : NULL;
    if (!found || (end && found > end)) return NULL;
    return found == message || (found >= message + 2 && found[-1] == ' ' && found[-2] == ':')
               ? found
               : NULL;
}

static void to_terminal(trib_log *log, char line[LINE_MAX_BYTES], trib_log_level level,
                        const char *clean) {
    const char *word = own_level(clean, level), *prefix = levels[level].prefix;
    const bool colored = log->colors && *levels[level].color;
    const int before = word ? (int)(word - clean) : 0;
    const int n = snprintf(line, LINE_MAX_BYTES, "%.*s%s%s%s%s\n", before, clean,
                           colored ? levels[level].color : "", prefix, colored ? "\033[0m" : "",
                           word ? word + strlen(prefix) : clean);
    erase_bar(log);
    (void)write_all(STDERR_FILENO, line, (size_t)n);
}

/* Logs a formatted message. `more` has further members of the JSON line. The caller must hold the
 * lock. */
static void say(trib_log *log, trib_log_level level, const char *more, const char *message) {
    char clean[CLEAN_MAX], line[LINE_MAX_BYTES];
    trib_clean(clean, sizeof clean, message, strlen(message), true);
    if (level == TRIB_LOG_WARNING) log->n_warnings++;
    const size_t length = json_line(log, line, level, more, clean);
    to_file(log, line, length);
    if (!trib_log_shows(log, level)) return;
    if (log->has_sink) to_sink(log, level, clean);
    else if (log->show == TRIB_SHOW_JSON) (void)write_all(STDERR_FILENO, line, length);
    else to_terminal(log, line, level, clean);
}

void trib_log_say(trib_log *log, trib_log_level level, const char *format, ...) {
    char message[TRIB_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&log->lock);
    say(log, level, "", message);
    pthread_mutex_unlock(&log->lock);
}

/* Logs the reason before the program is killed. It does not wait for the lock, which a thread that
 * does not stop may hold. */
static void say_last(void *context, const char *text) {
    trib_log *log = context;
    char message[TRIB_MESSAGE_MAX];
    snprintf(message, sizeof message,
             "%s; what was at work took too long to stop and was cut off; go on with --resume",
             text);
    const bool is_locked = pthread_mutex_trylock(&log->lock) == 0;
    if (is_locked) say(log, TRIB_LOG_ERROR, "", message);
    else dprintf(STDERR_FILENO, "error: %s\n", message);
    if (is_locked) pthread_mutex_unlock(&log->lock);
}

void trib_log_show(trib_log *log, const char *text) {
    if (log->show == TRIB_SHOW_JSON || log->has_sink) return;
    pthread_mutex_lock(&log->lock);
    erase_bar(log);
    (void)write_all(STDERR_FILENO, text, strlen(text));
    pthread_mutex_unlock(&log->lock);
}

/* The lock of Linux belongs to the open file, so that it parts the runs of one process, too. */
#ifdef F_OFD_SETLK
#define LOCK F_OFD_SETLK
#else
#define LOCK F_SETLK
#endif

/* Locks an open log. Closes the file when another run has locked it. */
static trib_status lock_file(int file, const char *path, trib_error *error) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file < 0 || fcntl(file, LOCK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
        return TRIB_OK;
    close(file);
    return trib_fail(error, TRIB_USAGE,
                     "%s: another run is writing there; wait for it, or choose another "
                     "directory with -o",
                     path);
}

trib_status trib_log_lock(const char *path, int *file, trib_error *error) {
    *file = trib_disk_open(path, O_WRONLY | O_APPEND);
    const trib_status status = lock_file(*file, path, error);
    if (status != TRIB_OK) *file = -1;
    return status;
}

trib_status trib_log_to_file(trib_log *log, const char *path, trib_error *error) {
    if (!path) {
        if (log->file >= 0) close(log->file);
        log->file = -1;
        return TRIB_OK;
    }
    const int file = trib_disk_open(path, O_WRONLY | O_CREAT | O_APPEND);
    const trib_status locked = lock_file(file, path, error);
    if (locked != TRIB_OK) return locked;
    if (file < 0 || !write_all(file, log->early.text, log->early.length)) {
        const int cause = errno;
        if (file >= 0) close(file);
        return trib_fail(error, TRIB_OUTPUT, "%s: cannot be written: %s", path,
                         trib_disk_reason(cause));
    }
    if (log->file >= 0) close(log->file);
    log->file = file;
    trib_buffer_release(&log->early);
    return TRIB_OK;
}

void trib_log_close(trib_log *log) {
    if (!log) return;
    trib_signals_leave(log); /* the watching thread must not use a freed log */
    erase_bar(log);
    if (log->file >= 0) close(log->file);
    trib_buffer_release(&log->early);
    pthread_mutex_destroy(&log->lock);
    trib_free(log);
}

/* ---- Progress -------------------------------------------------------------------------------- */

/* The caller must hold the lock. */
static void report_progress(trib_log *log, double share) {
    const trib_log_sink *sink = &log->sink;
    if (!sink->progress || atomic_load(&log->is_stopped)) return;
    log->shown = trib_log_seconds(log);
    if (!sink->progress(sink->context, log->stage, share)) atomic_store(&log->is_stopped, true);
}

static double share_done(const trib_log *log) {
    return log->total > 0 ? fmin(fmax(log->done / log->total, 0), 1) : 0;
}

void trib_log_stage_begin(trib_log *log, const char *stage) {
    pthread_mutex_lock(&log->lock);
    snprintf(log->stage, sizeof log->stage, "%s", stage);
    log->stage_start = trib_log_seconds(log);
    log->shown = -HUGE_VAL;
    log->done = log->total = 0;
    report_progress(log, 0);
    pthread_mutex_unlock(&log->lock);
}

void trib_log_stage_end(trib_log *log) {
    char message[64], more[64];
    pthread_mutex_lock(&log->lock);
    const double seconds = trib_log_seconds(log) - log->stage_start;
    erase_bar(log);
    snprintf(message, sizeof message, "%s: %.2f s", log->stage, seconds);
    snprintf(more, sizeof more, ",\"duration\":%.3f", seconds);
    say(log, TRIB_LOG_DEBUG, more, message);
    report_progress(log, 1);
    log->stage[0] = '\0';
    pthread_mutex_unlock(&log->lock);
}

/* Formats "0:12 left". It is "0:12 so far" while the share done is too small for an estimate, and
 * when all counted work is done. */
static void time_left(char out[32], double share, double passed) {
    const bool is_known = share >= 0.02 && share < 1;
    const double seconds = is_known ? passed / share - passed : passed;
    const char *const what = is_known ? "left" : "so far";
    if (seconds < 3600) snprintf(out, 32, "%d:%02d %s", (int)seconds / 60, (int)seconds % 60, what);
    else snprintf(out, 32, "%.1f h %s", seconds / 3600, what);
}

/* Draws the bar in steps of half a column: "━━━━╸   ". */
static void draw_bar(trib_log *log, double share, const char *left) {
    enum { LONGEST = 40 };
    char line[512], bar[3 * LONGEST + 1] = "";
    const size_t columns = trib_terminal_columns(STDERR_FILENO);
    const int width = columns < 40 ? 0 : columns < 40 + LONGEST ? (int)columns - 40 : LONGEST;
    const int halves = (int)(share * 2 * width);
    char *at = bar;
    for (int i = 0; i < width; i++)
        at += sprintf(at, "%s", 2 * i + 1 < halves ? "\u2501" : 2 * i < halves ? "\u2578" : " ");
    const int n = snprintf(line, sizeof line, "\r%-12.12s %s%s%s %3d %%  %s\033[K", log->stage,
                           log->colors ? "\033[36m" : "", bar, log->colors ? "\033[0m" : "",
                           (int)(100 * share), left);
    (void)write_all(STDERR_FILENO, line, (size_t)n);
    log->drawn = true;
}

static void show_progress(trib_log *log, double passed) {
    const double share = share_done(log);
    char left[32], line[LINE_MAX_BYTES];
    time_left(left, share, passed);
    if (log->show == TRIB_SHOW_BAR) {
        draw_bar(log, share, left);
    } else if (log->show == TRIB_SHOW_JSON) {
        char more[80];
        snprintf(more, sizeof more, ",\"event\":\"progress\",\"share\":%.4f", share);
        (void)write_all(STDERR_FILENO, line, json_line(log, line, TRIB_LOG_INFO, more, NULL));
    } else {
        const int n =
            snprintf(line, sizeof line, "%s: %d %%, %s\n", log->stage, (int)(100 * share), left);
        (void)write_all(STDERR_FILENO, line, (size_t)n);
    }
}

/* Shows progress when it is due. The tables have, in seconds, the age of a stage at which its
 * progress is first shown, and the interval after that. */
static void show_when_due(trib_log *log) {
    static const double first[] = {
        [TRIB_SHOW_BAR] = 1, [TRIB_SHOW_PLAIN] = 1.5, [TRIB_SHOW_JSON] = 1, [TRIB_SHOW_NONE] = 0};
    static const double interval[] = {
        [TRIB_SHOW_BAR] = 0.1, [TRIB_SHOW_PLAIN] = 5, [TRIB_SHOW_JSON] = 1, [TRIB_SHOW_NONE] = 0};
    const double now = trib_log_seconds(log), passed = now - log->stage_start;
    if (!*log->stage || passed < first[log->show] || now - log->shown < interval[log->show]) return;
    show_progress(log, passed);
    log->shown = now;
}

/* Called by the watching thread, so that progress is shown even while a computation makes no
 * ticks. */
static void beat(void *context) {
    trib_log *log = context;
    if (log->show == TRIB_SHOW_NONE || pthread_mutex_trylock(&log->lock) != 0) return;
    show_when_due(log);
    pthread_mutex_unlock(&log->lock);
}

static bool tick(void *context, double done, double total) {
    trib_log *log = context;
    if (log->show != TRIB_SHOW_NONE || log->sink.progress) {
        pthread_mutex_lock(&log->lock);
        log->done = done;
        log->total = total;
        if (!log->has_sink) show_when_due(log);
        else if (trib_log_seconds(log) - log->shown >= SINK_INTERVAL)
            report_progress(log, share_done(log));
        pthread_mutex_unlock(&log->lock);
    }
    return trib_log_stopped(log, NULL) == TRIB_OK;
}

trib_progress trib_log_progress(trib_log *log) { return (trib_progress){tick, log}; }

void trib_log_limit(trib_log *log, double limit) { log->limit = limit; }

void trib_log_catch_signals(trib_log *log, double limit) {
    trib_log_limit(log, limit);
    const double left = limit - trib_log_seconds(log);
    trib_signals_catch(limit > 0 ? fmax(left, 1e-9) : 0,
                       (trib_watch){.say = say_last, .beat = beat, .context = log, .limit = limit});
}
