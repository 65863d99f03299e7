/* parts.c - parts of a stage (documents, targets) on several threads: side by side when there are at least as many as
 * threads, one after the other with the threads inside otherwise; never both. The bits are the same either way. */
#include <omp.h>
#include <stdatomic.h>

#include "pipeline/run.h"

/* The progress of all parts together. */
typedef struct parts {
    trib_progress log; /* of the stage; ticked by one thread at a time */
    double done, total;
    atomic_bool stopped;
} parts;

static void tick(parts *p, double more) {
#pragma omp critical(trib_parts_tick)
    {
        p->done += more;
        if (!trib_progress_tick(&p->log, p->done, p->total)) atomic_store(&p->stopped, true);
    }
}

/* What a part ticks: it only asks whether to stop, for how far one part is says little of all. */
static bool ask(void *context, double done, double total) {
    parts *p = context;
    (void)done;
    (void)total;
    tick(p, 0);
    return !atomic_load(&p->stopped);
}

trib_status trib_run_parts(trib_run *run, const uint32_t *order, uint32_t n, trib_run_part work,
                           trib_error *error) {
    const int outside = (int)n >= run->n_threads ? run->n_threads : 1;
    const int inside = outside > 1 ? 1 : run->n_threads;
    parts p = {.log = trib_log_progress(run->log), .total = n};
    trib_status status = TRIB_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(outside)
    for (uint32_t i = 0; i < n; i++) {
        trib_error failure = {0};
        if (atomic_load(&p.stopped)) continue;
        const trib_progress progress = {.tick = ask, .context = &p};
        const trib_status one = work(run, order ? order[i] : i, inside, progress, &failure);
        tick(&p, 1);
#pragma omp critical(trib_parts_status)
        if (one != TRIB_OK && status == TRIB_OK) {
            status = one;
            if (error) *error = failure;
        }
    }
    /* A part that was stopped knows that it was; the log also knows by what. */
    if (atomic_load(&p.stopped) && (status == TRIB_OK || status == TRIB_INTERRUPTED))
        status = trib_log_stopped(run->log, error);
    return status;
}
