/* store.c - the texts of targets in a scratch file. */
#include "pipeline/result/result.h"

#include <errno.h>
#include <sys/mman.h>

#include "pipeline/support/path.h"

static const char name[] = "influence.json";

trib_status trib_target_store_open(trib_target_store *store, const char *scratch, size_t n,
                                   trib_error *error) {
    *store = (trib_target_store){.n = n, .lock = PTHREAD_MUTEX_INITIALIZER};
    trib_status status = trib_writer_scratch(&store->writer, scratch, false, error);
    store->is_open = status == TRIB_OK;
    if (status == TRIB_OK) status = TRIB_NEW(&store->end, n, name, error);
    return status == TRIB_OK ? TRIB_NEW(&store->text, n, name, error) : status;
}

trib_status trib_target_store_put(trib_target_store *store, size_t t,
                                  const trib_target_record *target, trib_error *error) {
    pthread_mutex_lock(&store->lock);
    const uint64_t before = store->writer.n_written;
    trib_status status = trib_target_write(target, store->n, &store->writer, error);
    store->end[t] = store->writer.n_written;
    store->text[t] = (trib_target_text){.id = trib_arena_text(&store->ids, target->target),
                                        .length = (size_t)(store->end[t] - before)};
    if (status == TRIB_OK && store->writer.failure.status != TRIB_OK) {
        status = store->writer.failure.status;
        if (error) *error = store->writer.failure;
    }
    pthread_mutex_unlock(&store->lock);
    return status;
}

trib_status trib_target_store_finish(trib_target_store *store, const uint32_t *order,
                                     trib_result *result, trib_error *error) {
    const size_t length = (size_t)store->writer.n_written;
    trib_status status = trib_arena_check(&store->ids, error);
    if (status == TRIB_OK) status = trib_writer_flush(&store->writer, error);
    if (status != TRIB_OK) return status;
    void *const map =
        length > 0 ? mmap(NULL, length, PROT_READ, MAP_SHARED, store->writer.file, 0) : NULL;
    if (map == MAP_FAILED)
        return trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes of %s: %s", length,
                         store->writer.path, strerror(errno));
    trib_mapped_file_close(&result->file);
    result->file = (trib_mapped_file){map, map ? length : 0};
    trib_arena_list(&result->arena, &result->targets);
    for (size_t i = 0; i < store->n; i++) {
        trib_target_text *const text =
            trib_arena_append(&result->arena, &result->targets, sizeof *text);
        const size_t t = order ? order[i] : i;
        if (!text) break;
        *text = store->text[t];
        text->id = trib_arena_text(&result->arena, text->id);
        text->json = (const char *)map + store->end[t] - text->length;
    }
    return trib_arena_check(&result->arena, error);
}

void trib_target_store_release(trib_target_store *store) {
    if (store->is_open) trib_writer_abandon(&store->writer);
    trib_arena_release(&store->ids);
    TRIB_FREE(store->end, store->text);
    *store = (trib_target_store){0};
}

trib_status trib_result_change(trib_result *result, trib_target_change *change, void *context,
                               trib_error *error) {
    TRIB_OWNED(trib_target_store) store = {0};
    trib_status status =
        trib_target_store_open(&store, trib_path_temporary(), result->targets.n, error);
    for (size_t t = 0; t < result->targets.n && status == TRIB_OK; t++) {
        TRIB_OWNED(trib_arena) arena = {0};
        trib_target_record target = *trib_target_read(result, t, &arena);
        status = trib_arena_check(&arena, error);
        if (status == TRIB_OK) status = change(context, &target, &arena, error);
        if (status == TRIB_OK) status = trib_arena_check(&arena, error);
        if (status == TRIB_OK) status = trib_target_store_put(&store, t, &target, error);
        /* a number that the result lacks is written as null, and lacks again */
        if (status == TRIB_INTERNAL) status = TRIB_OK;
    }
    return status == TRIB_OK ? trib_target_store_finish(&store, NULL, result, error) : status;
}
