/* progress.c - the callbacks through which lower folders report progress and read a clock. */
#include "base/base.h"

bool trib_progress_tick(const trib_progress *progress, double done, double total) {
    const bool goes_on =
        !progress || !progress->tick || progress->tick(progress->context, done, total);
    return !trib_stop_asked() && goes_on;
}

double trib_clock_seconds(const trib_clock *clock) {
    return clock && clock->read ? clock->read(clock->context) : 0;
}
