/* log.h - log lines, warnings and progress, on standard error or to the functions of a program that
 * uses the library, and the same as JSON lines in log.jsonl. The only place that reads the clock.
 * Private to pipeline. */
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

/* Receives the log instead of standard error. Either function may be NULL; both are called by one
 * thread at a time, with the log locked. */
typedef struct trib_log_sink {
    void (*message)(void *context, const char *level, const char *text);
    /* As in library/experiment.h; false asks the run to stop. */
    bool (*progress)(void *context, const char *stage, double share);
    void *context;
} trib_log_sink;

typedef struct trib_log_options {
    trib_log_level level; /* what is shown; log.jsonl gets everything */
    trib_show progress;   /* auto: a bar on a terminal, plain lines elsewhere */
    trib_color color;     /* auto: on a terminal without NO_COLOR */
} trib_log_options;

typedef struct trib_log trib_log;

trib_status trib_log_open(trib_log **log, const trib_log_options *options, trib_error *error);
/* The same for a log that writes nothing to standard error. `sink` is copied. */
trib_status trib_log_open_sink(trib_log **log, trib_log_level level, const trib_log_sink *sink,
                               trib_error *error);
void trib_log_close(trib_log *log);
/* From now on every line also goes to this file, as JSON with time and stage (what was said before,
 * too). `path` NULL: the file is closed, and what is said is kept for the next one. TRIB_USAGE
 * while another process writes to it. */
trib_status trib_log_to_file(trib_log *log, const char *path, trib_error *error);

/* One line, or several. "error: " or "warning: " is put in front unless the message carries it
 * already, as in "experiment.yaml:14:5: error: unknown key". Thread-safe, allocates nothing that
 * matters. */
void trib_log_say(trib_log *log, trib_log_level level, const char *format, ...) TRIB_PRINTF(3, 4);
uint32_t trib_log_n_warnings(const trib_log *log); /* said so far, for --strict */

/* A stage begins: progress is shown once it has lasted a second, plain lines 1.5, and while signals
 * are caught also when nothing ticks. `end` writes its duration to the log. */
void trib_log_stage_begin(trib_log *log, const char *stage);
void trib_log_stage_end(trib_log *log);
/* From now on the time limit, so many seconds after open (0: none), asks to stop. */
void trib_log_limit(trib_log *log, double limit);
/* From now on signals ask to stop, and the time limit, so many seconds after open (0: none), does
 * (signals.h). */
void trib_log_catch_signals(trib_log *log, double limit);
/* Whether something asked to stop: TRIB_OK while nothing did, else TRIB_INTERRUPTED,
 * TRIB_TERMINATED or TRIB_REQUEUE with the reason. A stage whose computation ended early returns
 * this. */
trib_status trib_log_stopped(const trib_log *log, trib_error *error);
/* For computations: ticks move the bar of the current stage; asks to stop once a signal came or the
 * time limit is over. */
trib_progress trib_log_progress(trib_log *log);

/* Whether lines of this level are shown on standard error. */
bool trib_log_shows(const trib_log *log, trib_log_level level);
/* A text as it stands on standard error, between the log's lines (for the table at the end); not
 * with JSON lines. */
void trib_log_show(trib_log *log, const char *text);
bool trib_log_colors(const trib_log *log); /* on standard error */

double trib_log_seconds(const trib_log *log); /* since open, monotonic */

#endif
