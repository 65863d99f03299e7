/* log.h - log lines, warnings and progress. They go to standard error, or to functions of a program
 * that uses the library, and as JSON lines to log.jsonl. Only this file reads the clock. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_LOG_H
#define TRIBUTARY_SUPPORT_LOG_H

#include "base/base.h"

typedef enum { TRIB_LOG_ERROR, TRIB_LOG_WARNING, TRIB_LOG_INFO, TRIB_LOG_DEBUG } trib_log_level;
typedef enum {
    TRIB_SHOW_AUTO,
    TRIB_SHOW_BAR,
    TRIB_SHOW_PLAIN,
    TRIB_SHOW_JSON,
    TRIB_SHOW_NONE
} trib_show;
typedef enum { TRIB_COLOR_AUTO, TRIB_COLOR_ALWAYS, TRIB_COLOR_NEVER } trib_color;

/* Receives the log in place of standard error. Either function may be NULL. Calls are serialised:
 * they happen while the log is locked. */
typedef struct trib_log_sink {
    void (*message)(void *context, const char *level, const char *text);
    /* As in library/experiment.h. Returning false asks the run to stop. */
    bool (*progress)(void *context, const char *stage, double share);
    void *context;
} trib_log_sink;

typedef struct trib_log_options {
    trib_log_level level; /* highest level shown; log.jsonl gets all levels */
    trib_show progress;   /* auto: a bar on a terminal, plain lines otherwise */
    trib_color color;     /* auto: on a terminal, unless NO_COLOR is set */
} trib_log_options;

typedef struct trib_log trib_log;

trib_status trib_log_open(trib_log **log, const trib_log_options *options, trib_error *error);
/* Opens a log that calls `sink` instead of writing to standard error. `sink` is copied. */
trib_status trib_log_open_sink(trib_log **log, trib_log_level level, const trib_log_sink *sink,
                               trib_error *error);
void trib_log_close(trib_log *log);
/* From now on, every line also goes to this file, as JSON with time and stage; so do the lines
 * before. `path` NULL closes the file; later lines are stored until the next file. TRIB_USAGE while
 * another process writes to it. */
trib_status trib_log_to_file(trib_log *log, const char *path, trib_error *error);
/* Locks the log of another run until *file is closed; *file is -1 when there is no such log.
 * TRIB_USAGE when a process is writing it. */
trib_status trib_log_lock(const char *path, int *file, trib_error *error);

/* Logs one or more lines. Adds "error: " or "warning: " in front, unless the message contains it
 * already, as in "experiment.yaml:14:5: error: unknown key". Thread-safe. */
void trib_log_say(trib_log *log, trib_log_level level, const char *format, ...) TRIB_PRINTF(3, 4);
uint32_t trib_log_n_warnings(const trib_log *log); /* warnings logged so far, for --strict */

/* Begins a stage. Its progress is shown once it has lasted a second (as plain lines, 1.5 seconds),
 * and while signals are caught also without ticks. trib_log_stage_end logs its duration. */
void trib_log_stage_begin(trib_log *log, const char *stage);
void trib_log_stage_end(trib_log *log);
/* Asks the run to stop `limit` seconds after the log was opened (0: never). */
void trib_log_limit(trib_log *log, double limit);
/* From now on, signals and the time limit ask the run to stop (signals.h). `limit` is in seconds
 * after the log was opened; 0: none. */
void trib_log_catch_signals(trib_log *log, double limit);
/* TRIB_OK until a stop was requested, then TRIB_INTERRUPTED, TRIB_TERMINATED or TRIB_REQUEUE with
 * the reason. A stage whose computation ended early returns this status. */
trib_status trib_log_stopped(const trib_log *log, trib_error *error);
/* A progress callback for computations. Its ticks move the bar of the current stage; it asks to
 * stop after a signal or when the time limit is over. */
trib_progress trib_log_progress(trib_log *log);

/* Whether lines of this level are shown on standard error. */
bool trib_log_shows(const trib_log *log, trib_log_level level);
/* Writes a text unchanged to standard error, between log lines (for the table at the end). Does
 * nothing when lines are JSON. */
void trib_log_show(trib_log *log, const char *text);
bool trib_log_colors(const trib_log *log); /* whether standard error has colours */

double trib_log_seconds(const trib_log *log); /* seconds since open, monotonic */

#endif
