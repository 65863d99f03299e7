/* store.h - the texts of the targets of a result that is being made: in a scratch file, so that no
 * more targets are in memory than are made at a time. Private to the program. */
#ifndef TRIBUTARY_RESULT_STORE_H
#define TRIBUTARY_RESULT_STORE_H

#include <pthread.h>

#include "pipeline/result/result.h"

/* `{0}` may be released. */
typedef struct trib_target_store {
    trib_writer writer; /* of the scratch file */
    size_t n;
    trib_arena ids;
    trib_target_text *text; /* [n] `json` is set at the end */
    uint64_t *end;          /* [n] offset after each text */
    pthread_mutex_t lock;
    bool is_open;
} trib_target_store;

/* Opens a scratch file in a folder for n targets. The caller releases the store, also after a
 * failure. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_target_store_open(trib_target_store *store, const char *scratch, size_t n,
                                   trib_error *error);
/* Writes target t, once for each, in any order. Several threads may call it. */
trib_status trib_target_store_put(trib_target_store *store, size_t t,
                                  const trib_target_record *target, trib_error *error);
/* Gives the texts to a result once all are put: its target i is order[i]. */
trib_status trib_target_store_finish(trib_target_store *store, const uint32_t *order,
                                     trib_result *result, trib_error *error);
void trib_target_store_release(trib_target_store *store);

/* Changes a record of a target, whose new members lie in the arena. */
typedef trib_status trib_target_change(void *context, trib_target_record *target, trib_arena *arena,
                                       trib_error *error);
/* Changes each target of a result, in order. After a failure the result can only be released. */
trib_status trib_result_change(trib_result *result, trib_target_change *change, void *context,
                               trib_error *error);

#endif
