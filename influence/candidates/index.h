/* index.h - the documents that hold each sampled n-gram of a corpus, on disk.
 *
 * The entries of all sketches are divided by hash into partitions, in one scratch file. Each
 * partition is then sorted and grouped on its own, so memory does not grow with the corpus. Hashes
 * of one document alone, and those of more than most_holders documents, are left out: they give no
 * candidates. The grouped partitions lie in a second scratch file, which is mapped.
 *
 * The contents depend only on the set of entries, not on the order in which they arrive, on the
 * number of partitions or on threads. With several processes, the owner of partition p =
 * trib_sketch_partition(hash, n_partitions) receives all entries of p, from every process, and adds
 * them to its own index; the other partitions of its index stay empty. */
#ifndef TRIBUTARY_INFLUENCE_CANDIDATES_INDEX_H
#define TRIBUTARY_INFLUENCE_CANDIDATES_INDEX_H

#include "influence/candidates/sketch.h"

/* How an index is made. */
typedef struct trib_sketch_index_options {
    const char *directory; /* of the scratch files */
    uint32_t n_documents;  /* numbers of documents are below it */
    uint32_t n_partitions; /* 1 .. TRIB_SKETCH_MAX_PARTITIONS; 0: from n_expected */
    uint64_t n_expected;   /* entries of all sketches, roughly; 0: not known */
    /* when n_partitions is 0: their number is a multiple of this, the number of processes */
    uint32_t least_partitions;
    /* D: a hash that more documents hold is left out; 0: none is */
    uint32_t most_holders;
    bool keeps_entries; /* the sorted entries can be read after the build (trib_sketch_entries) */
} trib_sketch_index_options;

/* Entries ascending by hash, then by document; each pair once. The array is read-only. */
typedef struct trib_sketch_entries {
    const trib_sketch_entry *entry; /* [n] */
    size_t n;
} trib_sketch_entries;

enum { TRIB_SKETCH_MAX_PARTITIONS = 4096, TRIB_SKETCH_MOST_HOLDERS = 300 };

/* The hashes of one partition that several documents hold. The arrays are read-only. `{0}` has
 * none. */
typedef struct trib_sketch_groups {
    size_t n_groups;           /* hashes */
    size_t n_holders;          /* pairs of a hash and a document */
    const uint32_t *start;     /* [n_groups + 1] group g has holder[start[g]] .. */
    const uint8_t *zeros;      /* [n_groups] trailing zero bits of the hash */
    const trib_holder *holder; /* [n_holders] ascending by document in each group */
    /* the groups of document d: group[first[d]] .. group[first[d+1]-1], ascending */
    const uint32_t *first; /* [n_documents + 1] */
    const uint32_t *group; /* [n_holders] */
} trib_sketch_groups;

/* An index. `{0}` is empty. */
typedef struct trib_sketch_index {
    uint32_t n_documents, n_partitions, most_holders;
    trib_writer writer;            /* the scratch file of entries */
    struct trib_sketch_part *part; /* [n_partitions] entries that wait to be grouped */
    trib_spill spill;              /* the scratch file of groups */
    trib_sketch_groups *groups;    /* [n_partitions] after trib_sketch_index_build */
    /* [n_partitions] after the build: all entries of each partition, whose hashes are above those
     * of the partition before; NULL: they are not kept */
    trib_sketch_entries *entries;
    uint64_t n_entries;                 /* entries added, until the index is built */
    uint64_t n_alone, n_common, n_kept; /* of the entries, after the build: held by one document,
                                           by more than most_holders, and those of groups */
} trib_sketch_index;

/* The partition of a hash: partitions are intervals of hashes, of equal length. */
static inline uint32_t trib_sketch_partition(uint64_t hash, uint32_t n_partitions) {
    return (uint32_t)((hash >> 32) * n_partitions >> 32);
}

/* Opens an empty index. TRIB_OUTPUT when no scratch file can be made, TRIB_INTERNAL, TRIB_MEMORY.
 */
trib_status trib_sketch_index_open(trib_sketch_index *index,
                                   const trib_sketch_index_options *options, trib_error *error);
/* Adds entries, in any order and from any thread; entries of one hash and document are added
 * together. TRIB_INTERNAL for a document out of range; TRIB_OUTPUT when the scratch file cannot be
 * written, as on a full disk; TRIB_MEMORY. */
trib_status trib_sketch_index_add(trib_sketch_index *index, const trib_sketch_entry entry[],
                                  size_t n, trib_error *error);
/* Sorts and groups all partitions, after the last entry. Memory: about 60 bytes for each entry of
 * n_threads partitions. The groups are the same for any n_threads. TRIB_INPUT when a partition has
 * more than 2^32-1 entries; TRIB_OUTPUT; TRIB_MEMORY; TRIB_INTERRUPTED. */
trib_status trib_sketch_index_build(trib_sketch_index *index, int n_threads, trib_error *error);
/* Takes the partitions and entries out of memory until they are read again. */
void trib_sketch_index_rest(const trib_sketch_index *index);
void trib_sketch_index_close(trib_sketch_index *index);

#endif
