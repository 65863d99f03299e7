/* shards_outbox.c - collects the entries of sketches for the owners of their hashes. */
#include "pipeline/comm/shards.h"

#include <pthread.h>
#include <string.h>

static const char what[] = "n-grams for other processes";

trib_status trib_shard_outbox_open(trib_shard_outbox *box, const trib_comm *comm,
                                   trib_sketch_index *index, trib_error *error) {
    *box = (trib_shard_outbox){.comm = comm, .index = index};
    return TRIB_NEW(&box->of, (size_t)comm->size, what, error);
}

static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_shard_outbox_add(trib_shard_outbox *box, const trib_sketch_entry entry[], size_t n,
                                  trib_error *error) {
    const int n_ranks = box->comm->size;
    trib_status status = TRIB_OK;
    if (n_ranks <= 1) return trib_sketch_index_add(box->index, entry, n, error);
    pthread_mutex_lock(&adding);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        trib_shard_entries *to =
            &box->of[trib_shard_owner(entry[i].hash, box->index->n_partitions, n_ranks)];
        status = TRIB_GROW(&to->entry, &to->cap, to->n + 1, what, error);
        if (status == TRIB_OK) to->entry[to->n++] = entry[i];
    }
    pthread_mutex_unlock(&adding);
    return status;
}

static trib_status take(void *index, const void *item, size_t n, trib_error *error) {
    return trib_sketch_index_add(index, item, n, error);
}

trib_status trib_shard_outbox_send(trib_shard_outbox *box, trib_status status, trib_error *error) {
    const size_t n_ranks = (size_t)box->comm->size;
    const void **item = NULL;
    size_t *n = NULL;
    if (n_ranks <= 1) return status;
    if (status == TRIB_OK) status = TRIB_NEW(&item, n_ranks, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&n, n_ranks, what, error);
    for (size_t r = 0; r < n_ranks && status == TRIB_OK; r++) {
        item[r] = box->of[r].entry;
        n[r] = box->of[r].n;
        box->of[r].n = 0;
    }
    status = trib_comm_exchange(box->comm, status, item, n, sizeof(trib_sketch_entry), take,
                                box->index, error);
    TRIB_FREE(item, n);
    return status;
}

void trib_shard_outbox_close(trib_shard_outbox *box) {
    for (int r = 0; box->of && r < box->comm->size; r++) trib_free(box->of[r].entry);
    trib_free(box->of);
    *box = (trib_shard_outbox){0};
}
