/* hacoo.h - HaCOO, the hash table in which nonzeros are counted.
 *
 * A document is counted into a trib_hacoo: n-grams are inserted one by one or many at a time,
 * looked up, and iterated over. All other parts of tensor/ read this table. It uses base alone.
 * Change this header to change what a table offers. A new way to choose the bucket of an index is a
 * row of the table trib_hashes in key.c.
 *
 * Modes and indices count from 0. The first mode is the first word of an n-gram. Sources: [P] Lowe,
 * Charles, Singh 2021; [C] Charles 2023. */
#ifndef TRIBUTARY_HACOO_H
#define TRIBUTARY_HACOO_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { TRIB_MAX_MODES = 8 };
/* The number of no entry. */
#define TRIB_NO_ENTRY SIZE_MAX

/* The indices lower[m] <= i < upper[m] of every mode m < n_modes. */
typedef struct trib_box {
    /* [n_modes] The first index of each mode, and the index after the last. */
    uint32_t lower[TRIB_MAX_MODES], upper[TRIB_MAX_MODES];
} trib_box;

/* Size in bytes of the buffer that receives the reason for an automatic choice (of a format, of an
 * organisation). */
enum { TRIB_REASON_MAX = 256 };

/* ---- The table: hashed coordinates with separate chaining (hacoo.c, key.c) ------------------- */

struct trib_hacoo;

/* How the bucket of an index is chosen. A row of the table in key.c. */
typedef struct trib_hash {
    const char *name; /* morton | digits | mixed | ... */
    const char *help; /* one line, with the source */
    /* The number of index[n_modes], modulo 2^64, from which the published shift-and-add function
     * ([P], [C]) computes the bucket. NULL: the bucket is computed from the key by a mixing
     * function. */
    uint64_t (*number)(const struct trib_hacoo *table, const uint32_t index[]);
    bool aliases; /* different indices can have the same number, however small they are */
} trib_hash;

extern const trib_hash trib_hashes[];              /* ends with a row whose name is NULL */
const trib_hash *trib_hash_find(const char *name); /* NULL when there is none */

/* How a table is made; `{0}` is valid. */
typedef struct trib_hacoo_options {
    const trib_hash *hash; /* NULL: mixed */
    double load;           /* entries per bucket before the table doubles; (0, 16]; 0: 0.7 */
    size_t n_buckets;      /* at the start, rounded up to a power of two, at least 8; 0: 128 */
    /* Nonzeros, when known: the table starts with 2^ceil(log2(expected / load)) buckets. 0: not
     * known. */
    size_t expected;
} trib_hacoo_options;

/* Entries are stored in one array in the order in which they were inserted. A bucket holds the
 * number of the first entry of its chain; a chain, too, is in the order of insertion. Growing the
 * table does not renumber entries: an entry keeps its number until an entry is removed. `{0}` is
 * empty. */
typedef struct trib_hacoo {
    uint32_t n_modes;             /* 1 .. TRIB_MAX_MODES */
    uint32_t dim[TRIB_MAX_MODES]; /* indices of mode m are below dim[m] */
    uint8_t bits[TRIB_MAX_MODES]; /* ceil(log2 dim[m]), at least 1 */
    /* The sum of bits[]. Keys have 64 bits when it is at most 64, else 128; a larger sum is
     * rejected. */
    uint32_t key_bits;
    const trib_hash *hash; /* chooses the bucket of an entry */
    double load;           /* entries per bucket before the table doubles */
    size_t nnz, cap;       /* entries used, entries allocated */
    void *entry;      /* [cap] key, count and number of the next entry of the chain: see entry.h */
    uint32_t *head;   /* [n_buckets] number of the first entry of the bucket, UINT32_MAX if empty */
    size_t n_buckets; /* a power of two */
    uint64_t total;   /* sum of all counts, |X| */
    bool is_spilled;  /* `entry` and `head` belong to a spill: the table can only be read */
} trib_hacoo;

/* Makes an empty table. TRIB_INPUT when n_modes or a dimension is out of range or a key needs more
 * than 128 bits; the message names n, the vocabulary size and both remedies (a smaller n, a smaller
 * vocabulary). TRIB_MEMORY. `options` may be NULL. */
trib_status trib_hacoo_init(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                            const trib_hacoo_options *options, trib_error *error);
void trib_hacoo_release(trib_hacoo *table);
/* Moves entries and buckets to `spill`. From then on the table can only be read, and only while the
 * spill is open. Errors as trib_spill_put; the table is unchanged then. */
trib_status trib_hacoo_spill(trib_hacoo *table, trib_spill *spill, trib_error *error);
/* A spilled table, as another process can find it in the same file. */
typedef struct trib_hacoo_location {
    uint64_t nnz, n_buckets, total; /* as in trib_hacoo */
    uint64_t entry, head;           /* places in the file */
} trib_hacoo_location;
trib_hacoo_location trib_hacoo_locate(const trib_hacoo *table, const trib_spill *spill);
/* Makes a table, which can only be read, of what another process spilled to the file that `spill`
 * has attached. NULL: without its arrays, which are packed (tensor/packed.h). `options` gives hash
 * and load. TRIB_INTERNAL when the place is not in the file. */
trib_status trib_hacoo_attach(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                              const trib_hacoo_options *options, const trib_hacoo_location *place,
                              const trib_spill *spill, trib_error *error);

/* Adds `count` to the value at index[n_modes], and makes the entry if there is none; a count of 0
 * changes nothing. O(1) amortised. TRIB_INTERNAL for an index out of range, TRIB_INPUT for a count
 * beyond 2^32-1 or more than 2^32-1 entries, TRIB_MEMORY; the table is unchanged then. */
trib_status trib_hacoo_add(trib_hacoo *table, const uint32_t index[], uint32_t count,
                           trib_error *error);
/* Sets the value; 0 removes the entry. Errors as trib_hacoo_add. */
trib_status trib_hacoo_set(trib_hacoo *table, const uint32_t index[], uint32_t count,
                           trib_error *error);
/* The value at `index`; 0 when there is no entry or the index is out of range. */
uint32_t trib_hacoo_get(const trib_hacoo *table, const uint32_t index[]);
/* The number of the entry at `index`, or TRIB_NO_ENTRY. Safe from several threads while nothing is
 * written. */
size_t trib_hacoo_find(const trib_hacoo *table, const uint32_t index[]);
/* Removes the entry at `index`; the last entry takes its number. Returns false when there was
 * none. */
bool trib_hacoo_remove(trib_hacoo *table, const uint32_t index[]);
/* Writes the index of entry e < nnz into index[n_modes] and returns its count. To iterate, take e =
 * 0 .. nnz-1. */
uint32_t trib_hacoo_entry(const trib_hacoo *table, size_t e, uint32_t index[]);
/* The count of entry e < nnz. */
uint32_t trib_hacoo_count(const trib_hacoo *table, size_t e);

/* ---- Many insertions at once (stream.c) ------------------------------------------------------ */

/* A queue of insertions. An insertion waits in a ring buffer while the cache lines of its bucket
 * and of its entry are prefetched, so a table larger than the cache is filled several times faster
 * than by trib_hacoo_add. After a flush the table is the same as after trib_hacoo_add of the same
 * counts in the same order. Between push and flush only the stream may write to the table. A stream
 * owns no memory: there is nothing to release. */
enum { TRIB_HACOO_RING = 64 };
/* A stream of insertions; see above. */
typedef struct trib_hacoo_stream {
    trib_hacoo *table; /* what is filled; borrowed */
    uint32_t *entry; /* receives the number of each insertion's entry, in order; NULL: not wanted */
    size_t n_pushed, n_added; /* insertions so far, pushed and done */
    /* Insertions n_added .. n_pushed-1 are pending. Insertion i is at place i modulo the size of
     * the ring in these arrays: */
    uint64_t low[TRIB_HACOO_RING], high[TRIB_HACOO_RING]; /* key; `high` only of 128-bit keys */
    size_t bucket[TRIB_HACOO_RING];                       /* of each insertion */
    uint32_t count[TRIB_HACOO_RING];                      /* what each adds */
    uint32_t n_empty[4]; /* for each quarter of the ring: insertions whose chain was empty */
    /* The entry of the chain that was compared last; UINT32_MAX: none yet, or the chain has
     * ended. */
    uint32_t found[TRIB_HACOO_RING];
} trib_hacoo_stream;

/* `entry` is NULL or has room for every insertion to come. */
void trib_hacoo_stream_init(trib_hacoo_stream *stream, trib_hacoo *table, uint32_t *entry);
/* Queues `count` for index[n_modes]. An insertion of count 0 is given the entry number UINT32_MAX.
 * Errors as trib_hacoo_add. TRIB_INTERNAL means that this index is out of range and was not queued.
 * Any other error is of the oldest pending insertion, which stays pending; this one is not queued
 * either. */
trib_status trib_hacoo_stream_push(trib_hacoo_stream *stream, const uint32_t index[],
                                   uint32_t count, trib_error *error);
/* Queues every window of consecutive ids, id[i] .. id[i+n_modes-1], with count 1: the n-grams of a
 * text. Where all modes have the same size, each key is computed from the one before it. Errors as
 * trib_hacoo_stream_push, for the first window that fails. */
trib_status trib_hacoo_stream_windows(trib_hacoo_stream *stream, size_t n_ids, const uint32_t id[],
                                      trib_error *error);
/* Adds all pending insertions to the table. */
trib_status trib_hacoo_stream_flush(trib_hacoo_stream *stream, trib_error *error);

/* Adds count[i] (1 if `count` is NULL) at index[i][n_modes] for i = 0 .. n-1, in that order.
 * entry[i], unless `entry` is NULL, receives the number of the entry. Errors as trib_hacoo_add;
 * what comes before the first failure has been added then. */
trib_status trib_hacoo_add_many(trib_hacoo *table, size_t n, const uint32_t index[],
                                const uint32_t count[], uint32_t entry[], trib_error *error);
/* Makes a table from its nonzeros: trib_hacoo_init for n entries, then trib_hacoo_add_many. On
 * failure it is empty. */
trib_status trib_hacoo_build(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                             const trib_hacoo_options *options, size_t n, const uint32_t index[],
                             const uint32_t count[], trib_error *error);
/* Adds every entry of `other` to `table`, in order, so merging the tables of two consecutive parts
 * of a text gives the table of the whole text, entry by entry. entry[other->nnz], unless NULL,
 * receives their numbers in `table`. TRIB_INTERNAL when the dimensions differ. Other errors as
 * trib_hacoo_add; part of `other` is in `table` then. */
trib_status trib_hacoo_merge(trib_hacoo *table, const trib_hacoo *other, uint32_t entry[],
                             trib_error *error);

/* ---- Statistics (hacoo.c, fibers.c) ---------------------------------------------------------- */

/* How well the hash spreads the entries over the buckets ([C] tables 5.2 to 5.4). `tensor stats`
 * prints it. */
typedef struct trib_hacoo_spread {
    double collision_rate; /* entries that are not first in their bucket / entries */
    double mean_probes;    /* entries compared to find an entry, mean over all entries */
    size_t max_probes;     /* the most for one entry */
    size_t n_used_buckets; /* buckets with an entry */
    /* For `digits`: entries whose digits are those of an earlier entry, as with (1, 23) and (12,
     * 3). */
    size_t n_aliases;
} trib_hacoo_spread;
void trib_hacoo_spread_of(const trib_hacoo *table, trib_hacoo_spread *spread);

enum { TRIB_FIBER_CLASSES = 5 };                             /* classes of lengths */
extern const size_t trib_fiber_shortest[TRIB_FIBER_CLASSES]; /* lengths: 1, 2, 8, 64, 512 */

/* Statistics of fibers of similar length. A fiber along a mode is the set of entries that agree in
 * the indices of all other modes; its length is the number of its entries. */
typedef struct trib_fiber_class {
    size_t n_fibers, n_entries; /* fibers of the class, and their entries */
    size_t n_sharing;           /* entries that share their bucket with any other entry */
    /* For each fiber, its entries less the buckets that they fill: entries that collide within
     * their own fiber. */
    size_t n_within;
    double by_chance; /* the expected n_within of a hash that chooses buckets at random */
} trib_fiber_class;
/* Fills classes[TRIB_FIBER_CLASSES] for the fibers along `mode`. Allocates 52 bytes per entry and
 * frees them before it returns. TRIB_MEMORY. */
trib_status trib_hacoo_fibers_of(const trib_hacoo *table, uint32_t mode,
                                 trib_fiber_class classes[TRIB_FIBER_CLASSES], trib_error *error);
/* Bytes of the entries and buckets in use. Capacity allocated in advance is not counted. */
size_t trib_hacoo_bytes(const trib_hacoo *table);
/* The number of entries in a bucket below n_buckets. */
size_t trib_hacoo_chain(const trib_hacoo *table, size_t bucket);
/* The bucket of an index, for tests against the worked example of [C]. */
size_t trib_hacoo_bucket(const trib_hacoo *table, const uint32_t index[]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
