/* signals.h - signals and the time limit ask the program to stop (base.h, trib_stop_ask). What does
 * not stop by itself within a moment is ended: a library, a slow disk or a loop that looks too
 * seldom must not keep a cluster's job from ending. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_SIGNALS_H
#define TRIBUTARY_SUPPORT_SIGNALS_H

#include "base/base.h"

/* What the watching thread calls: `beat` twice a second while nothing asked to stop; `say`, with
 * the reason, when the program has not stopped by itself and is ended. */
typedef struct trib_watch {
    void (*beat)(void *context);
    void (*say)(void *context, const char *text);
    void *context;
    double limit; /* seconds: the time limit as it was asked for */
} trib_watch;

/* How long the program may take to stop by itself before it is ended, in seconds; 1.2 unless set
 * before trib_signals_catch. */
void trib_signals_grace(double seconds);
/* From now on SIGINT, SIGTERM, SIGUSR1 and SIGHUP (unless it is ignored, as under nohup) ask to
 * stop instead of ending the program; so does the end of the time, `seconds` from now (0: none).
 * One that comes two seconds after the first ends the program at once. */
void trib_signals_catch(double seconds, trib_watch watch);
/* The watching thread calls nothing any more, but still ends the program. */
void trib_signals_hush(void);
/* The same when it calls with this context, which is about to be freed. */
void trib_signals_leave(const void *context);
/* Nothing is ended any more; signals still only ask. */
void trib_signals_release(void);

/* What is done before the program is ended; NULL: nothing. Waits while it is being done. */
void trib_signals_tidy(void (*tidy)(void *context, trib_status status), void *context);

/* Why the program is to stop: TRIB_OK while nothing asked, else TRIB_INTERRUPTED (SIGINT),
 * TRIB_TERMINATED (SIGTERM, SIGHUP), TRIB_REQUEUE (SIGUSR1, the time limit), with the reason. */
trib_status trib_signals_caught(trib_error *error);

#endif
