/* evidence.h - stage evidence: the phrases and passages behind the shares of a target. Private to
 * pipeline. */
#ifndef TRIBUTARY_STAGES_EVIDENCE_H
#define TRIBUTARY_STAGES_EVIDENCE_H

#include "pipeline/stages/influence.h"

/* What was found of one target. `{0}` is empty. */
typedef struct trib_findings {
    uint32_t n_sources;
    trib_evidence *evidence; /* [n_sources]; NULL when no method gives evidence */
    trib_passages *passages; /* [n_sources], with it; empty below the noise floor */
    trib_evidence own;       /* the n-grams found in no source, with it */
} trib_findings;
trib_status trib_findings_init(trib_findings *findings, uint32_t n_sources, trib_error *error);
void trib_findings_release(trib_findings *findings);

/* inputs, background and shares of target t -> findings, which are empty. A background that is
 * needed and empty is made. */
trib_status trib_find_evidence(const trib_measure_inputs *inputs, uint32_t t,
                               const trib_shares *shares, int n_threads, trib_progress progress,
                               trib_background *background, trib_findings *findings,
                               trib_error *error);

#endif
