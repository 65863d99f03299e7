/* phrases_file.h - reads every phrase of a pair of texts from the phrases.csv of a run. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_PHRASES_FILE_H
#define TRIBUTARY_OUTPUT_PHRASES_FILE_H

#include <jansson.h>

#include "base/base.h"

/* Replaces the phrases in `result`, an influence.json, for `source` and `target` (NULL: every
 * target) by all phrases in DIRECTORY/phrases.csv, sorted in the same way (trib_evidence_rank). If
 * the file does not exist or lists fewer phrases, those of the result remain. TRIB_INPUT if the
 * file is damaged. */
trib_status trib_phrases_take(json_t *result, const char *directory, const char *target,
                              const char *source, trib_error *error);

#endif
