/* hacoo.h - HaCOO, the hash table in which nonzeros are counted.
 *
 * A document is counted into a trib_hacoo: insert n-grams one by one or many at a time, look them up, iterate over them.
 * Everything else of tensor/ reads this table. Uses base alone. Change here what a table offers; a new way to choose the
 * bucket of an index is a row of the table trib_hashes in key.c. Modes count from 0, indices from 0; the first mode is
 * the first word of an n-gram. Sources: [P] Lowe, Charles, Singh 2021, [C] Charles 2023. */
#ifndef TRIBUTARY_HACOO_H
#define TRIBUTARY_HACOO_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIB_MAX_MODES = 8 };
#define TRIB_NO_ENTRY SIZE_MAX

/* The indices lower[m] <= i < upper[m] of every mode m < n_modes. */
typedef struct trib_box {
    uint32_t lower[TRIB_MAX_MODES], upper[TRIB_MAX_MODES];
} trib_box;

/* Bytes of the sentence in which a choice (of a format, of an organisation) gives its reason. */
enum { TRIB_REASON_MAX = 256 };

/* ---- HaCOO: hashed coordinates with separate chaining (hacoo.c, key.c) ------------------------------------------- */

struct trib_hacoo;

/* How the bucket of an index is chosen. A row of the table in key.c. */
typedef struct trib_hash {
    const char *name; /* morton | digits | mixed | ... */
    const char *help; /* one line, with the source */
    /* Of index[n_modes], what the published shift-and-add ([P], [C]) makes a bucket of, modulo 2^64. NULL: the strong mixer
     * of the key. */
    uint64_t (*number)(const struct trib_hacoo *table, const uint32_t index[]);
    bool aliases; /* different indices can have the same number, however small they are */
} trib_hash;

extern const trib_hash trib_hashes[];              /* ends with a row whose name is NULL */
const trib_hash *trib_hash_find(const char *name); /* NULL when there is none */

typedef struct trib_hacoo_options {
    const trib_hash *hash; /* NULL: mixed */
    double load;           /* entries per bucket before the table doubles; (0, 16]; 0: 0.7 */
    size_t n_buckets;      /* at the start, rounded up to a power of two, at least 8; 0: 128 */
    size_t expected; /* nonzeros, when known: buckets 2^ceil(log2(expected / load)); 0: not known */
} trib_hacoo_options;

/* Entries in arrival order in one flat array; the buckets hold the number of the first entry of their chain, and chains
 * run in arrival order too. Growing renumbers no entry: an entry's number stays its own until something is removed.
 * `{0}` is empty. */
typedef struct trib_hacoo {
    uint32_t n_modes;             /* 1 .. TRIB_MAX_MODES */
    uint32_t dim[TRIB_MAX_MODES]; /* indices of mode m are below dim[m] */
    uint8_t bits[TRIB_MAX_MODES]; /* ceil(log2 dim[m]), at least 1 */
    uint32_t key_bits; /* their sum: 64-bit keys up to 64, 128-bit keys up to 128, refused beyond */
    const trib_hash *hash;
    double load;
    size_t nnz, cap; /* entries used, entries allocated */
    void *entry;     /* [cap] key, count and number of the next entry of the chain: see entry.h */
    uint32_t *head; /* [n_buckets] number of the first entry of the bucket, UINT32_MAX when empty */
    size_t n_buckets; /* a power of two */
    uint64_t total;   /* sum of all counts, |X| */
    bool is_spilled;  /* `entry` and `head` belong to a spill: the table can only be read */
} trib_hacoo;

/* Makes an empty table. TRIB_INPUT when n_modes or a dimension is out of range or a key needs more than 128 bits (the
 * message names n, the vocabulary size and both remedies: a smaller n, a smaller vocabulary); TRIB_MEMORY. `options`
 * may be NULL. */
trib_status trib_hacoo_init(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                            const trib_hacoo_options *options, trib_error *error);
void trib_hacoo_release(trib_hacoo *table);
void trib_hacoo_clear(trib_hacoo *table); /* no entries; memory kept */
/* Moves the entries and buckets to `spill`, from where they can only be read, while it is open. Errors as trib_spill_put; the
 * table is unchanged then. */
trib_status trib_hacoo_spill(trib_hacoo *table, trib_spill *spill, trib_error *error);

/* Adds `count` to the value at index[n_modes], making the entry if there is none; 0 changes nothing. O(1) amortised.
 * TRIB_INTERNAL for an index out of range, TRIB_INPUT for a count beyond 2^32-1 or more than 2^32-1 entries,
 * TRIB_MEMORY; the table is unchanged then. */
trib_status trib_hacoo_add(trib_hacoo *table, const uint32_t index[], uint32_t count,
                           trib_error *error);
/* Sets the value; 0 removes the entry. Errors as trib_hacoo_add. */
trib_status trib_hacoo_set(trib_hacoo *table, const uint32_t index[], uint32_t count,
                           trib_error *error);
uint32_t trib_hacoo_get(const trib_hacoo *table,
                        const uint32_t index[]); /* 0 when absent or out of range */
/* The number of the entry at `index`, or TRIB_NO_ENTRY. Safe from several threads while nothing is written. */
size_t trib_hacoo_find(const trib_hacoo *table, const uint32_t index[]);
/* Takes the entry out; the last entry takes its number. false when there was none. */
bool trib_hacoo_remove(trib_hacoo *table, const uint32_t index[]);
/* Writes the index of entry e < nnz into index[n_modes] and returns its count: iteration is e = 0 .. nnz-1. */
uint32_t trib_hacoo_entry(const trib_hacoo *table, size_t e, uint32_t index[]);
uint32_t trib_hacoo_count(const trib_hacoo *table, size_t e); /* of entry e < nnz */

/* ---- Many insertions at once (stream.c) */

/* Insertions on their way: each waits in a ring while the cache lines of its bucket and of its entry are fetched, so a
 * table larger than the cache is filled at several times the speed of trib_hacoo_add. The table is the same as after
 * trib_hacoo_add of the same counts in the same order, once flushed; between push and flush only the stream may write
 * to it. Holds no memory of its own: nothing to release. */
enum { TRIB_HACOO_RING = 64 };
typedef struct trib_hacoo_stream {
    trib_hacoo *table;
    uint32_t *entry; /* receives the number of each insertion's entry, in order; NULL: not wanted */
    size_t n_pushed, n_added;
    /* Insertions n_added .. n_pushed-1 are pending, each at its number modulo the ring: */
    uint64_t low[TRIB_HACOO_RING], high[TRIB_HACOO_RING]; /* key; high of wide ones only */
    size_t bucket[TRIB_HACOO_RING];
    uint32_t count[TRIB_HACOO_RING];
    uint32_t n_empty[4]; /* chains that were empty, of each quarter of the ring */
    uint32_t found
        [TRIB_HACOO_RING]; /* the entry looked at last; UINT32_MAX: none yet, or the chain ended */
} trib_hacoo_stream;

/* `entry` has room for every insertion to come, or is NULL. */
void trib_hacoo_stream_init(trib_hacoo_stream *stream, trib_hacoo *table, uint32_t *entry);
/* Adds `count` at index[n_modes], soon; of count 0 the entry's number is UINT32_MAX. Errors as trib_hacoo_add:
 * TRIB_INTERNAL is about this index, which is not pushed; any other about the oldest insertion pending, which stays
 * pending, and so does not push this one. */
trib_status trib_hacoo_stream_push(trib_hacoo_stream *stream, const uint32_t index[],
                                   uint32_t count, trib_error *error);
/* Pushes every window of consecutive ids, id[i] .. id[i+n_modes-1], with count 1: the n-grams of a text. Where all modes
 * have one size a key is made from the one before it. Errors as trib_hacoo_stream_push, of the first window that fails. */
trib_status trib_hacoo_stream_windows(trib_hacoo_stream *stream, size_t n_ids, const uint32_t id[],
                                      trib_error *error);
/* Adds what is pending. */
trib_status trib_hacoo_stream_flush(trib_hacoo_stream *stream, trib_error *error);

/* Adds count[i] (count NULL: 1) at index[i][n_modes] for i = 0 .. n-1, in that order; entry[i], unless NULL, receives the
 * entry's number. Errors as trib_hacoo_add; those before the first that fails are added then. */
trib_status trib_hacoo_add_many(trib_hacoo *table, size_t n, const uint32_t index[],
                                const uint32_t count[], uint32_t entry[], trib_error *error);
/* trib_hacoo_init for n entries, then trib_hacoo_add_many: a table from its nonzeros. On failure it is empty. */
trib_status trib_hacoo_build(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                             const trib_hacoo_options *options, size_t n, const uint32_t index[],
                             const uint32_t count[], trib_error *error);
/* Adds every entry of `other` (same dimensions, else TRIB_INTERNAL) to `table`, in order: so the tables of two
 * consecutive parts of a text give the table of the whole, entry by entry. entry[other->nnz], unless NULL, receives
 * their numbers in `table`. Other errors as trib_hacoo_add; part of `other` is in `table` then. */
trib_status trib_hacoo_merge(trib_hacoo *table, const trib_hacoo *other, uint32_t entry[],
                             trib_error *error);

/* How well the hash spreads ([C] tables 5.2 to 5.4): what `tensor stats` prints. */
typedef struct trib_hacoo_spread {
    double collision_rate; /* entries that are not first in their bucket / entries */
    double mean_probes;    /* entries looked at to find an entry, mean over entries */
    size_t max_probes;
    size_t n_used_buckets;
    size_t
        n_aliases; /* `digits`: entries whose digits are those of an earlier one, (1, 23) and (12, 3) */
} trib_hacoo_spread;
void trib_hacoo_spread_of(const trib_hacoo *table, trib_hacoo_spread *spread);
/* Entries in fibers of about one length along a mode: all indices but that mode's are equal (fibers.c). */
enum { TRIB_FIBER_CLASSES = 5 };
extern const size_t trib_fiber_shortest[TRIB_FIBER_CLASSES]; /* entries: 1, 2, 8, 64, 512 */
typedef struct trib_fiber_class {
    size_t n_fibers, n_entries;
    size_t n_sharing; /* entries that are not alone in their bucket, in whatever order they came */
    size_t
        n_within; /* entries less the buckets they fill, fiber by fiber: those that meet their own fiber */
    double by_chance; /* n_within as expected of a hash that throws entries at random */
} trib_fiber_class;
/* Fills classes[TRIB_FIBER_CLASSES] for the fibers along `mode`. Allocates 52 bytes per entry
 * for the time of the call. TRIB_MEMORY. */
trib_status trib_hacoo_fibers_of(const trib_hacoo *table, uint32_t mode,
                                 trib_fiber_class classes[TRIB_FIBER_CLASSES], trib_error *error);
/* What entries and buckets take, without what is allocated ahead of them. */
size_t trib_hacoo_bytes(const trib_hacoo *table);
/* Entries of a bucket below n_buckets. */
size_t trib_hacoo_chain(const trib_hacoo *table, size_t bucket);
/* The bucket of an index, for tests against the worked example of [C]. */
size_t trib_hacoo_bucket(const trib_hacoo *table, const uint32_t index[]);

#ifdef __cplusplus
}
#endif
#endif
