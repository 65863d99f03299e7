/* shared_language.h - targets one after the other, each with the common language it is measured
 * with. Private to pipeline. */
#ifndef TRIBUTARY_RUN_SHARED_LANGUAGE_H
#define TRIBUTARY_RUN_SHARED_LANGUAGE_H

#include "pipeline/run/cached.h"
#include "pipeline/stages/language.h"

/* trib_parts_do over the targets, for parts of `row`; their context is the run. Each target is
 * given run->background[t] first, as far as a method needs one and the cache does not have what is
 * made with it. The work releases it. */
trib_status trib_run_targets(trib_run *run, const trib_cached_row *row, const trib_part_row *parts,
                             trib_error *error);

#endif
