/* evidence.h - stage evidence: the phrases and passages that explain the shares of a target.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_EVIDENCE_H
#define TRIBUTARY_STAGES_EVIDENCE_H

#include "influence/evidence.h"
#include "pipeline/stages/influence.h"
#include "pipeline/stages/translations.h"

/* The evidence found for one target. `{0}` is empty. */
typedef struct trib_findings {
    uint32_t n_sources;
    trib_evidence *evidence; /* [n_sources]; NULL when no method gives evidence */
    /* [n_sources], NULL if `evidence` is */
    trib_passages *passages;
    trib_families families; /* of the passages; made by trib_findings_finish */
    trib_evidence own;      /* n-grams found in no source; filled with `evidence` */
    trib_traced_run *trace; /* [n_trace] as in trib_influence; none without the method `traced` */
    size_t n_trace;
    trib_translated *translated; /* [n_translated] the sources of which translations were sought */
    size_t n_translated;
    bool is_spilled; /* all arrays belong to a spill: the findings can only be read */
} trib_findings;
trib_status trib_findings_init(trib_findings *findings, uint32_t n_sources, trib_error *error);
void trib_findings_release(trib_findings *findings);

/* Finds the evidence of target t from its shares, and its passages: those that are hardly chance,
 * with report.doubtful all. The result depends on the target, its sources and the formulas of
 * the corpus alone, so it can be cached. `findings` must be empty. If the method needs a background
 * and `background` is empty, the function computes it. */
trib_status trib_find_evidence(const trib_measure_inputs *inputs, uint32_t t,
                               const trib_shares *shares, int n_threads, trib_progress progress,
                               trib_background *background, trib_findings *findings,
                               trib_error *error);
/* Marks the phrases with gaps. Rates the passages of target t by the frequencies of their words,
 * which depend on all documents, and finds their families. Doing it again
 * changes nothing. Does nothing without evidence. */
trib_status trib_findings_finish(const trib_measure_inputs *inputs, uint32_t t,
                                 trib_findings *findings, trib_error *error);
/* Moves the findings of a target to a file in the folder `scratch`, which is opened when `spill` is
 * empty. Nothing but reading and releasing is possible then, while the spill is
 * open. Several threads may call it. TRIB_OUTPUT when the file cannot be written, TRIB_MEMORY; the
 * findings are unchanged then. */
trib_status trib_findings_spill(trib_findings *findings, trib_spill *spill, const char *scratch,
                                trib_error *error);

#endif
