/* signals.h - signals and the time limit ask the program to stop (base.h, trib_stop_ask). What does not stop by itself within a
 * moment is ended: a library, a slow disk or a loop that looks too seldom must not keep a cluster's job from ending.
 * Private to pipeline. */
#ifndef TRIBUTARY_SIGNALS_H
#define TRIBUTARY_SIGNALS_H

#include "base/base.h"

/* How the end is made when the program has not stopped by itself: `say` says why, `tidy` puts in order what it can; after both,
 * or half a second, the program exits. */
typedef struct trib_last_words {
    void (*say)(void *context, const char *text);
    void *context;
    double limit; /* seconds: the time limit as it was asked for */
} trib_last_words;

/* From now on SIGINT, SIGTERM, SIGUSR1 and SIGHUP (unless it is ignored, as under nohup) ask to stop instead of ending the
 * program; so does the end of the time, `seconds` from now (0: none). One that comes two seconds after the first ends the
 * program at once. */
void trib_signals_catch(double seconds, trib_last_words last);
/* Nothing is ended any more; signals still only ask. */
void trib_signals_release(void);

/* What is done before the program is ended; NULL: nothing. Waits while it is being done. */
void trib_signals_tidy(void (*tidy)(void *context, trib_status status), void *context);

/* Why the program is to stop: TRIB_OK while nothing asked, else TRIB_INTERRUPTED (SIGINT), TRIB_TERMINATED (SIGTERM, SIGHUP),
 * TRIB_REQUEUE (SIGUSR1, the time limit), with the reason. */
trib_status trib_signals_caught(trib_error *error);

#endif
