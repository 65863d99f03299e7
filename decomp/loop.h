/* loop.h - the outer loop all solvers share: recording steps, reporting progress, deciding when to stop. Private to
 * decomp/. */
#ifndef TRIBUTARY_DECOMP_LOOP_H
#define TRIBUTARY_DECOMP_LOOP_H

#include "decomp/decomp.h"

/* `{0}` with options and trace set is the state before the first iteration. */
typedef struct trib_cp_loop {
    const trib_cp_options *options;
    trib_cp_trace *trace; /* may be NULL */
    uint32_t n_done;      /* iterations */
    double fit;           /* after the last */
    trib_stop stop;
} trib_cp_loop;

/* Whether anyone looks at fit and objective after each iteration. */
bool trib_cp_loop_watched(const trib_cp_loop *loop);

/* Takes note of one more iteration; NaN where nothing was computed. *more tells whether to go on, and if not,
 * loop->stop (and the trace) why. */
trib_status trib_cp_loop_step(trib_cp_loop *loop, double fit, double objective, bool *more,
                              trib_error *error);

trib_status trib_hals_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                            trib_cp_trace *trace, trib_error *error);
trib_status trib_apr_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           trib_cp_trace *trace, trib_error *error);
trib_status trib_fibre_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                             trib_cp_trace *trace, trib_error *error);

#endif
