/* phrases_file.h - every phrase of a pair of texts, from the phrases.csv of a run. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_PHRASES_FILE_H
#define TRIBUTARY_OUTPUT_PHRASES_FILE_H

#include <jansson.h>

#include "base/base.h"

/* Replaces the phrases that `result`, an influence.json, holds of `source` and `target` (NULL:
 * every target) by all that DIRECTORY/phrases.csv has, in the same order: by what they weigh and
 * tell. Where there is no such file, or it lists fewer, those of the result stay. TRIB_INPUT where
 * the file is damaged. */
trib_status trib_phrases_take(json_t *result, const char *directory, const char *target,
                              const char *source, trib_error *error);

#endif
