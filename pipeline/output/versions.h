/* versions.h - which texts of a run are versions of one text, and which words of theirs stand for
 * each other. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_VERSIONS_H
#define TRIBUTARY_OUTPUT_VERSIONS_H

#include "pipeline/output/result.h"
#include "pipeline/stages/versions.h"

/* Adds "versions", if there are any: groups of texts each of which is a version of another, the
 * earliest first, and at most TRIB_MOST_WITNESSES. */
trib_status trib_result_add_versions(trib_result *result, const trib_run_results *results,
                                     trib_error *error);
/* Makes the collation of witnesses, whose documents, texts and keys are set, by the passages of the
 * run. Their quotes must be prepared. */
trib_status trib_versions_collate(trib_collation *collation, const trib_quotes *quotes,
                                  trib_error *error);

#endif
