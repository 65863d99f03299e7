/* share_rows.c - which sources of a target have a row: everything that writes shares asks here. */
#include "pipeline/run/run.h"

/* The largest shares are found by inserting each share above 0 into a list of the largest so far, in descending order. */
trib_share_rows trib_share_rows_of(const trib_run *run, const trib_run_target *target,
                                   const trib_influence *influence) {
    size_t largest[TRIB_LARGEST_WRITTEN], n = 0;
    trib_share_rows rows = {0};
    if (!trib_target_is_brief(target)) return rows;
    const double *share = influence->share;
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!(share[s] > 0)) continue;
        if (n == TRIB_LARGEST_WRITTEN && share[s] <= share[largest[n - 1]]) continue;
        size_t at = n < TRIB_LARGEST_WRITTEN ? n++ : n - 1;
        for (; at > 0 && share[largest[at - 1]] < share[s]; at--) largest[at] = largest[at - 1];
        largest[at] = s;
    }
    if (n > 0) {
        rows.least = share[largest[n - 1]];
        rows.last = largest[n - 1];
    }
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!(share[s] > 0) || trib_has_row(run, target, influence, &rows, s)) continue;
        rows.n_left_out++;
        rows.left_out += share[s];
    }
    return rows;
}

bool trib_has_row(const trib_run *run, const trib_run_target *target,
                  const trib_influence *influence, const trib_share_rows *rows, size_t s) {
    const double share = influence->share[s];
    if (!trib_target_is_brief(target) ||
        run->document[influence->source[s]].about->role == TRIB_ROLE_DECOY)
        return true;
    if (!(share > 0)) return false;
    return share > rows->least || (share == rows->least && s <= rows->last) ||
           !trib_below_floor(target, s);
}
