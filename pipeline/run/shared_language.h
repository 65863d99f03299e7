/* shared_language.h - measures targets one after the other, each with the common language it needs.
 * Private to pipeline. */
#ifndef TRIBUTARY_RUN_SHARED_LANGUAGE_H
#define TRIBUTARY_RUN_SHARED_LANGUAGE_H

#include "pipeline/run/cached.h"
#include "pipeline/stages/language.h"

/* Runs trib_parts_do over the targets, for parts of `row`, with the run as their context. Before a
 * target is measured, its run->background[t] is made if a method needs it and the result of that
 * method is not cached. The work function releases it. */
trib_status trib_run_targets(trib_run *run, const trib_cached_row *row, const trib_part_row *parts,
                             trib_error *error);

#endif
