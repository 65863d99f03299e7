/* shards.c - the candidates of targets, of an index that is divided among the processes. Targets
 * are taken in blocks, so that what is sent, and what an owner adds up, is bounded. */
#include "pipeline/comm/shards.h"

#include <pthread.h>

static const char what[] = "the sums of sources";

/* What one process found of a source of a target. */
typedef struct answer {
    uint64_t mass;
    uint32_t n_runs, document;
    uint32_t place, zero; /* place: of the target in its block */
} answer;

typedef struct answers {
    answer *of; /* [n] */
    size_t n, cap;
} answers;

/* The search while it runs. */
typedef struct finding {
    const trib_comm *comm;
    const trib_candidate_search *search;
    const uint32_t *target;
    const int *owner;
    size_t n_targets;
    size_t most;              /* targets in a block */
    trib_candidate_sums *sum; /* [most] of the targets of the block, by this rank */
    trib_candidate_sums *all; /* [most] of this rank's targets of the block, by all ranks */
    answers *to;              /* [comm->size] */
} finding;

/* A target has at most n_documents answers of each rank. Those of a block take at most
 * TRIB_COMM_BLOCK bytes, unless one target for each thread takes more. */
static size_t block_size(const trib_candidate_search *search, size_t n_targets, int n_threads) {
    const size_t of_one = search->ngrams->n_documents * sizeof(answer);
    size_t n = TRIB_COMM_BLOCK / (of_one > 0 ? of_one : 1);
    if (n < (size_t)n_threads) n = (size_t)n_threads;
    return n < n_targets ? n : n_targets;
}

static trib_status finding_init(finding *f, trib_error *error) {
    trib_status status = TRIB_NEW(&f->sum, f->most, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&f->all, f->most, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&f->to, (size_t)f->comm->size, what, error);
    for (size_t i = 0; i < f->most && status == TRIB_OK; i++)
        status = trib_candidate_sums_init(&f->sum[i], f->search->ngrams->n_documents, error);
    return status;
}

static void finding_release(finding *f) {
    for (size_t i = 0; f->sum && i < f->most; i++) trib_candidate_sums_release(&f->sum[i]);
    for (size_t i = 0; f->all && i < f->most; i++) trib_candidate_sums_release(&f->all[i]);
    for (int r = 0; f->to && r < f->comm->size; r++) trib_free(f->to[r].of);
    TRIB_FREE(f->sum, f->all, f->to);
}

/* Packs what this rank's part of the index says of a target, for the owner of the target. */
static trib_status answer_target(finding *f, size_t first, size_t place, trib_error *error) {
    const trib_candidate_sums *sum = &f->sum[place];
    answers *to = &f->to[f->owner[first + place]];
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < sum->n && status == TRIB_OK; d++) {
        if (sum->mass[d] == 0 && sum->n_runs[d] == 0) continue;
        status = TRIB_APPEND(&to->of, &to->n, &to->cap, what, error,
                             &(answer){sum->mass[d], sum->n_runs[d], d, (uint32_t)place, 0});
    }
    return status;
}

static trib_status answer_block(finding *f, size_t first, size_t n, trib_error *error) {
    trib_status status = trib_stop_check(error);
    for (int r = 0; r < f->comm->size; r++) f->to[r].n = 0;
    if (status == TRIB_OK) trib_candidate_sums_of(f->sum, f->search, f->target + first, n);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) status = answer_target(f, first, i, error);
    return status;
}

/* Sets the sums of this rank's targets to zero. */
static trib_status begin_block(finding *f, size_t first, size_t n, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        trib_candidate_sums *sum = &f->all[i];
        if (f->owner[first + i] != f->comm->rank) continue;
        if (!sum->mass)
            status = trib_candidate_sums_init(sum, f->search->ngrams->n_documents, error);
        if (status != TRIB_OK) break;
        memset(sum->mass, 0, sum->n * sizeof *sum->mass);
        memset(sum->n_runs, 0, sum->n * sizeof *sum->n_runs);
    }
    return status;
}

static trib_status take(void *context, const void *item, size_t n, trib_error *error) {
    finding *f = context;
    const answer *of = item;
    for (size_t i = 0; i < n; i++) {
        trib_candidate_sums *sum = of[i].place < f->most ? &f->all[of[i].place] : NULL;
        if (!sum || !sum->mass || of[i].document >= sum->n)
            return trib_fail(error, TRIB_INTERNAL, "rank %d received an invalid answer",
                             f->comm->rank);
        sum->mass[of[i].document] += of[i].mass;
        sum->n_runs[of[i].document] += of[i].n_runs;
    }
    return TRIB_OK;
}

static trib_status send_answers(finding *f, trib_status status, trib_error *error) {
    const size_t n_ranks = (size_t)f->comm->size;
    const void **item = NULL;
    size_t *n = NULL;
    if (status == TRIB_OK) status = TRIB_NEW(&item, n_ranks, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&n, n_ranks, what, error);
    for (size_t r = 0; r < n_ranks && status == TRIB_OK; r++) {
        item[r] = f->to[r].of;
        n[r] = f->to[r].n;
    }
    status = trib_comm_exchange(f->comm, status, item, n, sizeof(answer), take, f, error);
    TRIB_FREE(item, n);
    return status;
}

static trib_status find_block(finding *f, trib_status status, trib_candidate_list list[],
                              size_t first, size_t n, trib_error *error) {
    if (status == TRIB_OK) status = begin_block(f, first, n, error);
    if (status == TRIB_OK) status = answer_block(f, first, n, error);
    status = send_answers(f, status, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        if (f->owner[first + i] == f->comm->rank)
            status = trib_candidate_sums_choose(&list[first + i], &f->all[i], f->search,
                                                f->target[first + i], error);
    if (status == TRIB_OK &&
        !trib_progress_tick(&f->search->progress, (double)(first + n), (double)f->n_targets))
        status = trib_fail(error, TRIB_INTERRUPTED, "stopped while candidates were searched");
    return status;
}

trib_status trib_shard_find(trib_candidate_list list[], const uint32_t target[], size_t n_targets,
                            const int owner[], const trib_comm *comm, trib_status status,
                            const trib_candidate_search *search, trib_error *error) {
    if (comm->size <= 1)
        return status == TRIB_OK ? trib_candidates_find(list, target, n_targets, search, error)
                                 : status;
    const int n_threads = search->n_threads > 1 ? search->n_threads : 1;
    finding f = {
        .comm = comm, .search = search, .target = target, .owner = owner, .n_targets = n_targets};
    f.most = (size_t)trib_comm_least(comm, block_size(search, n_targets, n_threads));
    if (status == TRIB_OK) status = finding_init(&f, error);
    for (size_t first = 0, n; first < n_targets; first += n) {
        n = n_targets - first < f.most ? n_targets - first : f.most;
        status = find_block(&f, status, list, first, n, error);
    }
    finding_release(&f);
    for (size_t t = 0; status != TRIB_OK && t < n_targets; t++)
        trib_candidate_list_release(&list[t]);
    return status;
}

/* ---- Entries for the owners of their hashes -------------------------------------------------- */

trib_status trib_shard_outbox_open(trib_shard_outbox *box, const trib_comm *comm,
                                   trib_sketch_index *index, trib_error *error) {
    *box = (trib_shard_outbox){.comm = comm, .index = index};
    return TRIB_NEW(&box->of, (size_t)comm->size, "n-grams for other processes", error);
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
        status = TRIB_APPEND(&to->entry, &to->n, &to->cap, "n-grams for other processes", error,
                             &entry[i]);
    }
    pthread_mutex_unlock(&adding);
    return status;
}

static trib_status add_entries(void *index, const void *item, size_t n, trib_error *error) {
    return trib_sketch_index_add(index, item, n, error);
}

trib_status trib_shard_outbox_send(trib_shard_outbox *box, trib_status status, trib_error *error) {
    const size_t n_ranks = (size_t)box->comm->size;
    const void **item = NULL;
    size_t *n = NULL;
    if (n_ranks <= 1) return status;
    if (status == TRIB_OK) status = TRIB_NEW(&item, n_ranks, "n-grams for other processes", error);
    if (status == TRIB_OK) status = TRIB_NEW(&n, n_ranks, "n-grams for other processes", error);
    for (size_t r = 0; r < n_ranks && status == TRIB_OK; r++) {
        item[r] = box->of[r].entry;
        n[r] = box->of[r].n;
        box->of[r].n = 0;
    }
    status = trib_comm_exchange(box->comm, status, item, n, sizeof(trib_sketch_entry), add_entries,
                                box->index, error);
    TRIB_FREE(item, n);
    return status;
}

void trib_shard_outbox_close(trib_shard_outbox *box) {
    for (int r = 0; box->of && r < box->comm->size; r++) trib_free(box->of[r].entry);
    trib_free(box->of);
    *box = (trib_shard_outbox){0};
}
