/* store.c - the texts of targets in a scratch file. */
#include "pipeline/result/store.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static const char name[] = "influence.json";

trib_status trib_target_store_open(trib_target_store *store, const char *scratch, size_t n,
                                   trib_error *error) {
    *store = (trib_target_store){.n = n, .lock = PTHREAD_MUTEX_INITIALIZER};
    trib_status status = trib_writer_scratch(&store->writer, scratch, error);
    store->is_open = status == TRIB_OK;
    if (status == TRIB_OK) status = trib_new(&store->end, n, sizeof *store->end, name, error);
    if (status == TRIB_OK) status = trib_new(&store->length, n, sizeof *store->length, name, error);
    return status;
}

trib_status trib_target_store_put(trib_target_store *store, size_t t,
                                  const trib_target_record *target, trib_error *error) {
    pthread_mutex_lock(&store->lock);
    const uint64_t before = store->writer.n_written;
    trib_status status = trib_target_write(target, store->n, &store->writer, error);
    store->end[t] = store->writer.n_written;
    store->length[t] = (size_t)(store->end[t] - before);
    if (status == TRIB_OK && store->writer.failure.status != TRIB_OK) {
        status = store->writer.failure.status;
        if (error) *error = store->writer.failure;
    }
    pthread_mutex_unlock(&store->lock);
    return status;
}

trib_status trib_target_store_finish(trib_target_store *store, const uint32_t *order,
                                     const char *const *id, trib_result *result,
                                     trib_error *error) {
    const size_t length = (size_t)store->writer.n_written;
    const trib_status status = trib_writer_flush(&store->writer, error);
    if (status != TRIB_OK) return status;
    void *const map =
        length > 0 ? mmap(NULL, length, PROT_READ, MAP_SHARED, store->writer.file, 0) : NULL;
    if (map == MAP_FAILED)
        return trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes of %s: %s", length,
                         store->writer.path, strerror(errno));
    result->file = (trib_mapped_file){map, map ? length : 0};
    for (size_t i = 0; i < store->n; i++) {
        trib_target_text *const text =
            trib_arena_append(&result->arena, &result->targets, sizeof *text);
        const uint32_t t = order[i];
        if (text)
            *text = (trib_target_text){id[i], (const char *)map + store->end[t] - store->length[t],
                                       store->length[t]};
    }
    return trib_arena_check(&result->arena, error);
}

void trib_target_store_release(trib_target_store *store) {
    if (store->is_open) trib_writer_abandon(&store->writer);
    trib_free(store->end);
    trib_free(store->length);
    *store = (trib_target_store){0};
}
