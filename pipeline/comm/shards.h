/* shards.h - the index of n-grams, divided among the processes of a run. Each process sketches its
 * documents and sends the entries to the owners of their hashes, in blocks of bounded size; it then
 * groups what it owns, 1/K of the hashes with K processes. For every target, each process adds up
 * what its part says, and sends that to the owner of the target, which chooses the candidates. Sums
 * are whole numbers, so any division gives the same candidates. Another division of the hashes is a
 * change of trib_shard_owner.
 *
 * With one process, entries go straight to the index, and trib_shard_find is trib_candidates_find.
 * Private to pipeline. */
#ifndef TRIBUTARY_COMM_SHARDS_H
#define TRIBUTARY_COMM_SHARDS_H

#include "influence/candidates/candidates.h"
#include "pipeline/comm/comm.h"

/* The rank that owns a hash: partitions are dealt round. */
static inline int trib_shard_owner(uint64_t hash, uint32_t n_partitions, int n_ranks) {
    return (int)(trib_sketch_partition(hash, n_partitions) % (uint32_t)n_ranks);
}

/* The entries for one rank. */
typedef struct trib_shard_entries {
    trib_sketch_entry *entry; /* [n] */
    size_t n, cap;
} trib_shard_entries;

/* The entries of one index that wait for their owners. */
typedef struct trib_shard_outbox {
    const trib_comm *comm;
    trib_sketch_index *index; /* of this rank; all ranks have the same number of partitions */
    trib_shard_entries *of;   /* [comm->size] */
} trib_shard_outbox;

/* Opens an empty outbox; comm and index are borrowed. TRIB_MEMORY. */
trib_status trib_shard_outbox_open(trib_shard_outbox *box, const trib_comm *comm,
                                   trib_sketch_index *index, trib_error *error);
/* Adds entries of any hash; alone, to the index. Several threads may call it. TRIB_MEMORY, or a
 * failure of trib_sketch_index_add. */
trib_status trib_shard_outbox_add(trib_shard_outbox *box, const trib_sketch_entry entry[], size_t n,
                                  trib_error *error);
/* Sends all entries to their owners, which add them to their index, and empties the outbox. All
 * ranks call it, as often as the rank with the most. `status` as in comm.h. */
trib_status trib_shard_outbox_send(trib_shard_outbox *box, trib_status status, trib_error *error);
void trib_shard_outbox_close(trib_shard_outbox *box);

/* Finds the candidates of target[n_targets], as trib_candidates_find does, of the indexes of all
 * ranks together. list[t] is filled on rank owner[t] only. All ranks call it with the same targets
 * and search, but for the indexes. `status` as in comm.h; a failure may be that of this rank alone.
 * After it all lists are empty. TRIB_INTERRUPTED; TRIB_MEMORY. */
trib_status trib_shard_find(trib_candidate_list list[], const uint32_t target[], size_t n_targets,
                            const int owner[], const trib_comm *comm, trib_status status,
                            const trib_candidate_search *search, trib_error *error);

#endif
