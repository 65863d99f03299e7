/* signals.c - a handler that records the first signal, and a thread that ends the program if it
 * does not stop by itself. The thread waits for pairs of sockets: a handler may send to one, and
 * unlike unnamed semaphores every system has them. */
#include "pipeline/support/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Seconds that the program has to stop by itself, and then the thread to clean up. Their sum is
 * less than the two seconds that users and clusters are promised. */
#define GRACE 1.2
#define TIDY  0.5

#define BEAT 0.5 /* seconds between two calls of trib_watch.beat */

static const struct {
    int number;
    trib_status status;
    const char *why;
} rows[] = {
    {SIGINT, TRIB_INTERRUPTED, "interrupted"},
    {SIGTERM, TRIB_TERMINATED, "asked to terminate"},
    {SIGUSR1, TRIB_REQUEUE, "asked to stop"},
    {SIGHUP, TRIB_TERMINATED, "the terminal was closed"},
    {SIGXCPU, TRIB_REQUEUE, "the limit of processor time (ulimit -t) is reached"},
};
enum { N_SIGNALS = sizeof rows / sizeof *rows };

/* State that the signal handler writes; atomic, since threads read it. */
static atomic_int caught, caught_at;
static atomic_bool time_is_over, is_over;
/* Events: each a pair of connected sockets. Whoever waits receives from [0]. */
static int wake[2] = {-1, -1}, ended[2] = {-1, -1}, tidied[2] = {-1, -1};
static pthread_t watcher;
static bool is_watched;
static double grace = GRACE;
static trib_watch watched; /* its functions are called and removed under the lock */
static pthread_mutex_t tidying = PTHREAD_MUTEX_INITIALIZER;
static void (*to_tidy)(void *context, trib_status status);
static void *tidy_context;

/* Lets the thread that waits for an event go on. */
static void post(const int event[2]) { (void)send(event[1], "", 1, 0); }

/* Runs in the signal handler. The same signal often arrives twice at once, since it is sent to the
 * process and to its group. A signal two seconds later is a new request, which ends the program at
 * once. */
static void remember(int signal_number) {
    struct timespec now;
    const int error = errno;
    if (signal_number == SIGXCPU && atomic_load(&caught)) return; /* it comes every second */
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int second = (int)(now.tv_sec % INT_MAX);
    if (caught && second - caught_at >= 2) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    } else if (!caught) {
        caught_at = second;
        caught = signal_number;
        trib_stop_ask();
        post(wake);
    }
    errno = error;
}

trib_status trib_signals_caught(trib_error *error) {
    const int number = atomic_load(&caught);
    for (int i = 0; i < N_SIGNALS; i++)
        if (number == rows[i].number)
            return trib_fail(error, rows[i].status, "%s; nothing is left half-written",
                             rows[i].why);
    if (atomic_load(&time_is_over))
        return trib_fail(error, TRIB_REQUEUE,
                         "the time limit of %g s is reached; nothing is left half-written",
                         watched.limit);
    if (trib_stop_asked())
        return trib_fail(error, TRIB_INTERRUPTED, "interrupted; nothing is left half-written");
    return TRIB_OK;
}

/* ---- The thread ------------------------------------------------------------------------------ */

/* Makes an event, or forgets that it was posted before. Returns success. */
static bool make_event(int event[2]) {
    char byte;
    if (event[0] < 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, event) != 0) return false;
    for (int i = 0; i < 2; i++)
        if (fcntl(event[i], F_SETFD, FD_CLOEXEC) != 0 || fcntl(event[i], F_SETFL, O_NONBLOCK) != 0)
            return false;
    while (recv(event[0], &byte, 1, 0) > 0) continue;
    return true;
}

/* Waits for an event, at most so many seconds, which begin again when the process was suspended.
 * Returns whether it was posted. */
static bool wait_for(const int event[2], double seconds) {
    struct pollfd posted = {event[0], POLLIN, 0};
    char byte;
    int n;
    do n = poll(&posted, 1, (int)ceil(1000 * seconds));
    while (n < 0 && errno == EINTR);
    return n > 0 && recv(event[0], &byte, 1, 0) > 0;
}

static void *tidy(void *unused) {
    trib_error why = {0};
    const trib_status status = trib_signals_caught(&why);
    pthread_mutex_lock(&tidying);
    if (to_tidy) to_tidy(tidy_context, status);
    if (watched.say) watched.say(watched.context, why.message);
    post(tidied);
    /* the lock is never released, so that nothing is changed before the program ends */
    return unused;
}

double trib_monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits until a stop is requested or the time is over, and calls `beat` meanwhile. */
static void wait_and_beat(double seconds) {
    const double end = seconds > 0 ? trib_monotonic_seconds() + seconds : HUGE_VAL;
    for (;;) {
        const double left = fmax(end - trib_monotonic_seconds(), 0);
        if (wait_for(wake, fmin(left, BEAT))) return;
        if (left <= BEAT) break;
        pthread_mutex_lock(&tidying);
        if (watched.beat) watched.beat(watched.context);
        pthread_mutex_unlock(&tidying);
    }
    atomic_store(&time_is_over, true);
    trib_stop_ask();
}

static void *watch(void *given) {
    pthread_t tidier;
    const double *seconds = given;
    wait_and_beat(*seconds);
    if (atomic_load(&is_over) || wait_for(ended, grace)) return NULL;
    const int status = trib_status_get(trib_signals_caught(NULL))->exit_status;
    if (pthread_create(&tidier, NULL, tidy, NULL) == 0) {
        (void)pthread_detach(tidier);
        (void)wait_for(tidied, TIDY);
    }
    _exit(status);
}

void trib_signals_catch(double seconds, trib_watch given) {
    static double time_left; /* read by the thread */
    struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESTART}, before;
    sigset_t all, mask;
    pthread_attr_t small;
    if (is_watched) return;
    const bool can_wait = make_event(wake) && make_event(ended) && make_event(tidied);
    time_left = seconds;
    watched = given;
    pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, 256 << 10); /* the address space may be limited */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask); /* the new thread must not receive signals */
    is_watched = can_wait && pthread_create(&watcher, &small, watch, &time_left) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    pthread_attr_destroy(&small);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_SIGNALS; i++)
        /* what was ignored at the start, as by `nohup` and by `&` in a script, stays ignored */
        if (sigaction(rows[i].number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(rows[i].number, &action, NULL);
}

void trib_signals_grace(double seconds) { grace = seconds; }

void trib_signals_hush(void) {
    pthread_mutex_lock(&tidying);
    to_tidy = NULL;
    watched.beat = NULL;
    watched.say = NULL;
    pthread_mutex_unlock(&tidying);
}

void trib_signals_leave(const void *context) {
    pthread_mutex_lock(&tidying);
    if (watched.context == context) watched = (trib_watch){.limit = watched.limit};
    pthread_mutex_unlock(&tidying);
}

void trib_signals_release(void) {
    if (!is_watched) return;
    atomic_store(&is_over, true);
    post(ended);
    post(wake);
    pthread_join(watcher, NULL);
    is_watched = false;
}

void trib_signals_tidy(void (*work)(void *context, trib_status status), void *context) {
    pthread_mutex_lock(&tidying);
    to_tidy = work;
    tidy_context = context;
    pthread_mutex_unlock(&tidying);
}
