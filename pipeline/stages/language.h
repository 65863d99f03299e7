/* language.h - one background for all targets. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_LANGUAGE_H
#define TRIBUTARY_STAGES_LANGUAGE_H

#include "pipeline/run/run.h"
#include "pipeline/store/cached.h"

/* Whether the targets share a background: as influence.background_of says; by `auto` where every target and its sources are
 * the same documents, and where there are many. */
bool trib_config_shares_background(const trib_config *config, uint32_t n_targets,
                                   uint32_t n_documents);
bool trib_language_is_shared(const trib_run *run);
/* Fills in run->arrival: by date, or as documents are listed. */
trib_status trib_language_order(trib_run *run, trib_error *error);
/* Adds the line of a key that says what the background of a target is made of. */
trib_status trib_language_print(const trib_run *run, const trib_run_target *target,
                                trib_buffer *key, trib_error *error);
/* trib_run_parts over the targets, each of which is given its `background` first, as far as methods need one that the cache
 * does not spare. The work releases it. */
trib_status trib_language_parts(trib_run *run, const trib_cached_row *row,
                                const trib_part_row *parts, trib_error *error);
/* Gives one target the background it lacks, from nothing: what is in the cache may prove damaged. */
trib_status trib_language_of(const trib_run *run, trib_run_target *target, int n_threads,
                             trib_progress progress, trib_error *error);

#endif
