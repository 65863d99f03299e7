/* stored_result.h - influence.json of many targets, which is not parsed as a whole: the result in
 * memory has only the ids of its targets, and a target is parsed when it is asked for. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_STORED_RESULT_H
#define TRIBUTARY_OUTPUT_STORED_RESULT_H

#include <pthread.h>

#include "pipeline/output/result.h"
#include "pipeline/support/json_span.h"

/* The JSON texts of the targets of a run: in influence.json, or in a scratch file. `{0}` is
 * empty. */
typedef struct trib_stored_targets {
    trib_json_texts texts; /* [n] in the order of the result */
    size_t n;
    trib_writer writer; /* of a scratch file that is being written */
    uint64_t *end;      /* [n] offset after each text in it; 0: none was put */
    size_t *length;     /* [n] */
    pthread_mutex_t lock;
    bool is_written; /* a scratch file was opened */
} trib_stored_targets;

/* Opens a scratch file in a folder for the texts of n targets. The caller releases them, also after
 * a failure. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_stored_begin(trib_stored_targets *stored, const char *scratch, size_t n,
                              trib_error *error);
/* Writes the text of target t as it is in influence.json (trib_json_dump_inside), once for each, in
 * any order. Several threads may call it. */
trib_status trib_stored_put(trib_stored_targets *stored, size_t t, const json_t *target,
                            size_t lines, trib_error *error);
/* Makes the texts readable once all are put: text i is that of target order[i]. */
trib_status trib_stored_finish(trib_stored_targets *stored, const uint32_t *order,
                               trib_error *error);
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

/* Opens influence.json of a run. If it has more than TRIB_ALL_WRITTEN targets, *result has of each
 * only its id ("target"), and `stored` has their texts; if not, `stored` is empty and *result is as
 * by trib_result_load, whose errors this returns. The caller releases both. */
trib_status trib_stored_open(trib_stored_targets *stored, json_t **result,
                             const char *run_directory, trib_error *error);
/* Opens a run for what is asked of one target: of many targets, *result has the details of the one
 * with this id, and no others; with no such target, only the ids of all. Of up to TRIB_ALL_WRITTEN
 * targets it has all. */
trib_status trib_stored_open_one(json_t **result, const char *run_directory, const char *id,
                                 trib_error *error);

#endif
