/* stored_result.h - influence.json of many targets, which is not parsed as a whole: the result in
 * memory has only the ids of its targets, and a target is parsed when it is asked for. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_STORED_RESULT_H
#define TRIBUTARY_OUTPUT_STORED_RESULT_H

#include "pipeline/output/result.h"
#include "pipeline/result/result.h"
#include "pipeline/support/json_span.h"

/* The JSON texts of the targets of a run. `{0}` is empty. */
typedef struct trib_stored_targets {
    trib_json_texts texts; /* [n] in the order of the result */
    size_t n;
} trib_stored_targets;

void trib_stored_release(trib_stored_targets *stored);
/* Parses target t of a result. Where `stored` is NULL or empty it is the target of the result.
 * Several threads may call it. The caller releases *target with json_decref. */
trib_status trib_stored_target(const trib_stored_targets *stored, const json_t *result, size_t t,
                               json_t **target, trib_error *error);
/* Makes target t of a result without its details: its shares by the headline method, and of the
 * passages with every source the longest and the longest notable one, without the texts. Where
 * `stored` is NULL or empty it is the target of the result. The caller releases *lean with
 * json_decref. */
trib_status trib_stored_lean(const trib_stored_targets *stored, const json_t *result, size_t t,
                             json_t **lean, trib_error *error);

/* Makes the record of a result that was changed as JSON. `text` is what the record points into; the
 * caller releases both, also after a failure. */
trib_status trib_stored_record(trib_result *record, trib_buffer *text, const json_t *result,
                               trib_error *error);

/* Opens influence.json of a run. If it has more than TRIB_ALL_WRITTEN targets, *result has of each
 * only its id ("target"), and `stored` has their texts; if not, `stored` is empty and *result is as
 * by trib_result_load, whose errors this returns. The caller releases both. */
trib_status trib_stored_open(trib_stored_targets *stored, json_t **result,
                             const char *run_directory, trib_error *error);

#endif
