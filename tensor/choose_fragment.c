/* choose_fragment.c - `auto`: chooses the organisation of a fragment from the density and shape of
 * the tensor and from the reads to come, which [S] leaves to future work. The rules follow from the
 * tables of `make experiments ONLY=storage` and `ONLY=fragments` for packed pages
 * (docs/fragments.md). */
#include "tensor/files.h"

#include <math.h>
#include <stdio.h>

const trib_organisation trib_organisation_auto = {
    "auto", "chosen from density, shape and the reads expected", false, NULL};

const char *const trib_reads_names[] = {"none", "whole", "points", "regions", "last", NULL};

/* The mean number of nonzeros in the fibers of csf that have any. From this number on, an index of
 * an inner level is shared by enough nonzeros that csf is about as small as linear. */
static const double full_fiber = 2;

/* The expected length of a fiber along the longest mode (the leaves of csf) that is not empty, if
 * every cell is equally likely to hold a nonzero. */
static double fiber_length(uint32_t n_modes, const uint32_t dim[], size_t nnz) {
    double cells = 1, longest = 1;
    for (uint32_t m = 0; m < n_modes; m++) {
        cells *= dim[m];
        if (dim[m] > longest) longest = dim[m];
    }
    const double fibers = cells / longest, held = -fibers * expm1(-(double)nnz / fibers);
    return held > 0 ? (double)nnz / held : 0;
}

const trib_organisation *trib_organisation_choose(const trib_organisation *organisation,
                                                  trib_reads reads, uint32_t n_modes,
                                                  const uint32_t dim[], size_t nnz,
                                                  char reason[TRIB_REASON_MAX]) {
    reason[0] = '\0';
    if (organisation != &trib_organisation_auto) return organisation;
    const double length = fiber_length(n_modes, dim, nnz);
    bool last_is_least = n_modes > 1;
    for (uint32_t m = 0; m < n_modes; m++)
        last_is_least = last_is_least && dim[n_modes - 1] <= dim[m];
    if (reads == TRIB_READS_NONE) {
        snprintf(reason, TRIB_REASON_MAX,
                 "nothing will be read: written as the entries arrived, without sorting");
        return trib_organisation_find("coo");
    }
    if (reads == TRIB_READS_LAST && last_is_least) {
        snprintf(
            reason, TRIB_REASON_MAX,
            "regions of the last mode, which is the shortest: its indices are the columns, and "
            "a region is a run of them");
        return trib_organisation_find("gcsc");
    }
    if (reads == TRIB_READS_REGIONS && length >= full_fiber) {
        snprintf(reason, TRIB_REASON_MAX,
                 "regions, about %.3g nonzeros to a fiber by density: a tree is decoded without "
                 "division and is about as small as addresses",
                 length);
        return trib_organisation_find("csf");
    }
    if (reads == TRIB_READS_REGIONS || reads == TRIB_READS_LAST)
        snprintf(reason, TRIB_REASON_MAX,
                 "regions, about %.3g nonzeros to a fiber by density%s: addresses are the smallest",
                 length, reads == TRIB_READS_LAST ? ", and the last mode is not the shortest" : "");
    else
        snprintf(reason, TRIB_REASON_MAX,
                 "%s: addresses are the smallest, and a point is in one page",
                 reads == TRIB_READS_WHOLE ? "read whole" : "points");
    return trib_organisation_find("linear");
}
