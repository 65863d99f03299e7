/* stop.c - a request to stop, for the whole process: trib_stop_ask sets a flag, and long operations
 * check it. */
#include "base/base.h"
#include "base/internal.h"

#include <stdatomic.h>

static atomic_bool is_asked;
static _Atomic uint64_t n_checks, ask_at; /* ask_at 0: never */

void trib_stop_ask(void) { atomic_store(&is_asked, true); }

void trib_stop_forget(void) {
    atomic_store(&is_asked, false);
    atomic_store(&ask_at, 0);
}

bool trib_stop_asked(void) {
    const uint64_t at = atomic_load_explicit(&ask_at, memory_order_relaxed);
    if (at > 0 && atomic_fetch_add(&n_checks, 1) + 1 == at) trib_stop_ask();
    return atomic_load_explicit(&is_asked, memory_order_relaxed);
}

trib_status trib_stop_check(trib_error *error) {
    return trib_stop_asked() ? trib_fail(error, TRIB_INTERRUPTED, "stopped before the end")
                             : TRIB_OK;
}

void trib_stop_at(uint64_t n) {
    atomic_store(&n_checks, 0);
    atomic_store(&ask_at, n);
}

uint64_t trib_stop_n_checks(void) { return atomic_load(&n_checks); }

/* ---- Progress and clocks --------------------------------------------------------------------- */

bool trib_progress_tick(const trib_progress *progress, double done, double total) {
    const bool goes_on =
        !progress || !progress->tick || progress->tick(progress->context, done, total);
    return !trib_stop_asked() && goes_on;
}

double trib_clock_seconds(const trib_clock *clock) {
    return clock && clock->read ? clock->read(clock->context) : 0;
}
