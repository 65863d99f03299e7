/* findings.h - what is found about one target, part by part. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FINDINGS_H
#define TRIBUTARY_STAGES_FINDINGS_H

#include "pipeline/run/run.h"

/* Method part % n_methods of target part / n_methods. */
trib_status trib_run_measure(trib_run *run, uint32_t part, int n_threads, trib_progress progress,
                             trib_error *error);
/* Evidence and passages of target t. */
trib_status trib_run_find_evidence(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                                   trib_error *error);
/* Where evidence comes from: the headline when it has any, else the first method that has; NULL when none has. */
const trib_influence_method *trib_method_of_evidence(const trib_config *config);
/* Allocates the evidence and passages of a target. */
trib_status trib_run_new_evidence(trib_run_target *target, trib_error *error);

#endif
