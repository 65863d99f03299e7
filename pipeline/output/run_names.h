/* run_names.h - finds the text of a finished run that a person means. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_RUN_NAMES_H
#define TRIBUTARY_OUTPUT_RUN_NAMES_H

#include "pipeline/result/result.h"

/* Finds the target that a name means: an id, a title, a file name or the beginning of one of these
 * (pipeline/support/names.h). Without a name (NULL) it is the only target. `run`: what messages
 * call the run. *id belongs to the result. TRIB_USAGE: no target has the name, or several have.
 * TRIB_MEMORY. */
trib_status trib_result_find_target(const trib_result *result, const char *run, const char *name,
                                    const char **id, trib_error *error);
/* The same among all texts of the run; *id is NULL without a name. */
trib_status trib_result_find_document(const trib_result *result, const char *run, const char *name,
                                      const char **id, trib_error *error);
#endif
