/* evidence.h - stage evidence: the phrases and passages that explain the shares of a target.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_EVIDENCE_H
#define TRIBUTARY_STAGES_EVIDENCE_H

#include "influence/evidence.h"
#include "pipeline/stages/influence.h"

/* The evidence found for one target. `{0}` is empty. */
typedef struct trib_findings {
    uint32_t n_sources;
    trib_evidence *evidence; /* [n_sources]; NULL when no method gives evidence */
    trib_passages *passages; /* [n_sources], NULL if `evidence` is; empty below the noise floor */
    trib_evidence own;       /* n-grams found in no source; filled with `evidence` */
} trib_findings;
trib_status trib_findings_init(trib_findings *findings, uint32_t n_sources, trib_error *error);
void trib_findings_release(trib_findings *findings);

/* Finds the evidence of target t from its shares. `findings` must be empty. If the method needs a
 * background and `background` is empty, the function computes it. */
trib_status trib_find_evidence(const trib_measure_inputs *inputs, uint32_t t,
                               const trib_shares *shares, int n_threads, trib_progress progress,
                               trib_background *background, trib_findings *findings,
                               trib_error *error);

#endif
