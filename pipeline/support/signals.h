/* signals.h - signals and the time limit ask the program to stop (base.h, trib_stop_ask). A program
 * that does not stop within a moment is ended: a library, a slow disk, or a loop that seldom checks
 * must not keep a job of a cluster from ending. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_SIGNALS_H
#define TRIBUTARY_SUPPORT_SIGNALS_H

#include "base/base.h"

/* Seconds since any fixed moment, never decreasing. */
double trib_monotonic_seconds(void);

/* Functions that the watching thread calls: `beat` twice per second until a stop is requested;
 * `say`, with the reason, when the program did not stop by itself and is ended. */
typedef struct trib_watch {
    void (*beat)(void *context);
    void (*say)(void *context, const char *text);
    void *context;
    double limit; /* the requested time limit in seconds, for messages */
} trib_watch;

/* Sets the seconds that the program has to stop by itself before it is ended; the default is 1.2.
 * Call it before trib_signals_catch. */
void trib_signals_grace(double seconds);
/* From now on, SIGINT, SIGTERM, SIGUSR1 and SIGHUP ask the program to stop instead of ending it.
 * SIGHUP stays ignored when it is ignored already, as under nohup. The end of the time, `seconds`
 * from now (0: none), asks, too. A signal two seconds after the first ends the program at once. */
void trib_signals_catch(double seconds, trib_watch watch);
/* After this the watching thread calls no functions any more, but still ends the program. */
void trib_signals_hush(void);
/* Like trib_signals_hush, but only if the functions have this context, which is about to be
 * freed. */
void trib_signals_leave(const void *context);
/* Stops the watching thread, so that the program is not ended any more. Signals still ask it to
 * stop. */
void trib_signals_release(void);

/* Sets the function that cleans up before the program is ended; NULL: none. Waits while the
 * function runs. */
void trib_signals_tidy(void (*tidy)(void *context, trib_status status), void *context);

/* Why the program should stop: TRIB_OK when no stop was requested, otherwise TRIB_INTERRUPTED
 * (SIGINT), TRIB_TERMINATED (SIGTERM, SIGHUP) or TRIB_REQUEUE (SIGUSR1, the time limit), with the
 * reason. */
trib_status trib_signals_caught(trib_error *error);

#endif
