/* cached_rows.c - the table of the kinds of parts that can be cached. */
#include "pipeline/run/cached.h"

const trib_cached_row *const trib_cached_rows[] = {
    &trib_cached_factors,   &trib_cached_influence, &trib_cached_evidence,  &trib_cached_tokens,
    &trib_cached_distances, &trib_cached_tensors,   &trib_cached_parallels, NULL};
