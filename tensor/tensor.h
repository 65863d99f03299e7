/* tensor.h - sparse tensors: HaCOO, the hash table that counts; the table of formats a decomposition reads; views and
 * algebra; `.tns`.
 *
 * A document is counted into a trib_hacoo. A trib_tensor is that table seen through one format (a row of the table of
 * formats), with double values, for MTTKRP. Modes count from 0, indices from 0; the first mode is the first word.
 * Sources: HaCOO [P] Lowe, Charles, Singh 2021, [C] Charles 2023; HiCOO [H] Li, Sun, Vuduc 2018; MTTKRP [K] Kolda and
 * Bader 2009; views [N] Loeffel 2017. */
#ifndef TRIBUTARY_TENSOR_H
#define TRIBUTARY_TENSOR_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIB_MAX_MODES = 8 };
#define TRIB_NO_ENTRY SIZE_MAX

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

/* ---- Formats (format.c has the table; one file per format) ------------------------------------------------------- */

typedef struct trib_tensor trib_tensor;

/* The rows of every mode cut into ranges of about equal numbers of nonzeros: the unit of work of a thread (lanes.c). */
typedef struct trib_lanes {
    uint32_t n;    /* lanes of a mode; 0: built for one thread */
    uint32_t *row; /* [n_modes][n+1] lane l of mode m owns rows row[m][l] .. row[m][l+1]-1 */
    size_t *first; /* [n_modes][n+1] and the items order[first[m][l]] .. order[first[m][l+1]-1]: */
    uint32_t
        *order;     /* nonzeros (hicoo: blocks) that touch the lane's rows, in the format's order */
    size_t n_items; /* in `order` */
} trib_lanes;

/* A lane number that stands for all rows and all nonzeros. */
#define TRIB_EVERY_LANE UINT32_MAX

/* The indices lower[m] <= i < upper[m] of every mode m < n_modes. */
typedef struct trib_box {
    uint32_t lower[TRIB_MAX_MODES], upper[TRIB_MAX_MODES];
} trib_box;

/* One organisation of a sparse tensor. */
typedef struct trib_format {
    const char *name; /* coo | hacoo | hicoo | ... */
    const char *help;
    /* Fills tensor->data from `source`; values[nnz] replace the counts when not NULL. Where tensor->lanes has lanes,
     * their rows are there and the items are filled in. On failure `release` is called. */
    trib_status (*build)(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                         trib_error *error);
    void (*release)(trib_tensor *tensor);
    /* Copies nonzeros first .. first+n-1, in the format's own order, into index[n][n_modes] and value[n]. */
    void (*read)(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index, double *value);
    /* Adds to the rows of one lane of `out` (or TRIB_EVERY_LANE) their terms of the MTTKRP, each row's in the format's
     * order, through the same arithmetic for any lane. */
    void (*mttkrp)(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane);
    /* The same from factors in single precision; NULL: the format has only the one above. */
    void (*mttkrp_single)(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const float *const factor[], double *out, uint32_t lane);
    bool stretches;    /* the nonzeros of a lane follow each other: no list is needed */
    uint32_t row_cost; /* of a row of the result, beside its nonzeros, each of which costs 1 */
    bool writes;       /* mttkrp writes every row of its lane instead of adding to what is there */
    size_t (*bytes)(const trib_tensor *tensor);
    /* Skips to the first nonzeros, numbered as in `read`, at or after *first that may lie in the box (which is not empty
     * and within the tensor): *first .. *last-1; false when none is left. NULL: any nonzero may lie anywhere. */
    bool (*seek)(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last);
    /* The whole of trib_mttkrp, for formats that share the work among threads without lanes; `mttkrp` is NULL then. */
    void (*multiply)(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                     const double *const factor[], double *out, int n_threads);
} trib_format;

extern const trib_format *const trib_formats[];        /* ends with NULL */
const trib_format *trib_format_find(const char *name); /* or `auto`; NULL when there is none */

/* No organisation but the wish for a good one; not in the table. */
extern const trib_format trib_format_auto;

/* `format` itself, or for `auto` the row for this tensor at this rank and for at most this many iterations (0: not known),
 * and in words why; "" when it was not to be chosen. Depends on these alone: neither on the machine nor on the threads.
 * (choose.c) */
enum { TRIB_REASON_MAX = 256 };
const trib_format *trib_format_choose(const trib_format *format, const trib_hacoo *source,
                                      uint32_t rank, uint32_t iterations,
                                      char reason[TRIB_REASON_MAX]);

/* How `hicoo` cuts a tensor; the other formats take no notice. Powers of two, 0: chosen from the tensor. */
enum { TRIB_BLOCK_MAX = 256, TRIB_SUPERBLOCK_MAX = 1 << 30 };
typedef struct trib_tensor_cut {
    uint32_t block;      /* B: indices a side of a block, at most TRIB_BLOCK_MAX; 0: 256 */
    uint32_t superblock; /* L: of a superblock, at least B, at most TRIB_SUPERBLOCK_MAX */
} trib_tensor_cut;
/* What is wrong with a cut, in words that go after the name of a setting; NULL: nothing. *of_superblock says which. */
const char *trib_tensor_cut_diagnostic(trib_tensor_cut cut, bool *of_superblock);

/* A sparse tensor in one format. `{0}` is empty. */
struct trib_tensor {
    const trib_format *format;
    trib_tensor_cut cut;
    uint32_t n_modes;
    uint32_t dim[TRIB_MAX_MODES];
    size_t nnz;
    double total;  /* sum of the values, |X| for nonnegative values */
    double norm;   /* Frobenius */
    int n_threads; /* it was built for */
    trib_lanes lanes;
    void *data; /* the format's own */
};

/* Builds `tensor` in `format` from a table. The format may keep a pointer to `source` and `values`: both must outlive
 * the tensor and not change. `n_threads` is how many trib_mttkrp will be given: a tensor built for one thread has no
 * lanes (4 bytes per nonzero and mode) and is always computed by one. TRIB_MEMORY. */
trib_status trib_tensor_build(trib_tensor *tensor, const trib_format *format,
                              const trib_hacoo *source, const double *values, int n_threads,
                              trib_error *error);
/* The same, cut as asked. TRIB_INPUT for a cut that trib_tensor_cut_diagnostic complains of. */
trib_status trib_tensor_build_cut(trib_tensor *tensor, const trib_format *format,
                                  trib_tensor_cut cut, const trib_hacoo *source,
                                  const double *values, int n_threads, trib_error *error);
void trib_tensor_release(trib_tensor *tensor);
/* As trib_format.read; any order of calls, safe from several threads. */
void trib_tensor_read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                      double *value);
size_t trib_tensor_bytes(
    const trib_tensor *tensor); /* of the format's arrays, without `source` where it is borrowed */

/* The value at index[n_modes]; 0 where there is no nonzero or the index lies outside. Formats in some order find it by
 * bisection, `hacoo` by its hash, `coo-unsorted` by looking at everything. Safe from several threads. */
double trib_tensor_get(const trib_tensor *tensor, const uint32_t index[]);

/* Nonzeros copied out of a tensor. `{0}` is empty. */
typedef struct trib_region {
    size_t n;
    uint32_t *index; /* [n][n_modes] */
    double *value;   /* [n] */
    size_t index_cap, value_cap;
} trib_region;
void trib_region_release(trib_region *found);

/* All nonzeros in a box, in the format's own order; what reaches beyond the tensor is empty. `found` may hold an earlier
 * result, whose memory is used again. TRIB_MEMORY; `found` is empty then. */
trib_status trib_tensor_region(const trib_tensor *tensor, const trib_box *box, trib_region *found,
                               trib_error *error);

/* *inner = sum over all indices of a times b, whatever their formats ([K] section 2); the norm of a tensor is its
 * `norm`. TRIB_INTERNAL for different dimensions, TRIB_MEMORY for a table of the one with fewer nonzeros. */
trib_status trib_tensor_inner(const trib_tensor *a, const trib_tensor *b, double *inner,
                              trib_error *error);

/* out[dim[mode]][rank] = X_(mode) times the Khatri-Rao product of the other factors ([K] section 3.4); factor[m] is
 * [dim[m]][rank] row-major, factor[mode] is not read, `out` is overwritten and overlaps no factor. Every row is summed
 * in one order, so the bits do not depend on n_threads (at least 1). Allocates nothing. */
void trib_mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                 const double *const factor[], double *out, int n_threads);
/* The same from factors in single precision, half the bytes: the rows of a term are multiplied in single precision, terms
 * are added in double, so an entry of nonnegative factors is within n_modes * 6e-8 of itself, where no product is below
 * 1e-37. Only of formats with mttkrp_single. */
void trib_mttkrp_single(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                        const float *const factor[], double *out, int n_threads);

/* What [H] section V.C asks before HiCOO is used, of a tensor in `hicoo` (hicoo.c). */
typedef struct trib_hicoo_report {
    uint32_t block_bits;      /* b: blocks have 2^b indices a side */
    uint32_t superblock_bits; /* l */
    size_t n_blocks, n_superblocks;
    double block_ratio; /* alpha_b = blocks / nonzeros: smaller is better */
    double
        largest_ratio; /* above it coordinates are smaller: equation (14), with the sizes of integers used here */
    double slice_size; /* c_b = geometric mean of a block's nonzeros / 2^b: larger is better */
    bool is_small;     /* block_ratio <= largest_ratio */
    bool is_fast;      /* slice_size >= 0.01 or is_small: else fibers or rows are to be preferred */
    struct {
        uint32_t n_slices;     /* superblocks that never write to the same rows */
        uint32_t n_iterations; /* the most superblocks in one slice */
        uint32_t n_private;    /* tasks that were given rows of their own */
        bool
            rule; /* the published rule privatises: fewer slices than 4 n_threads, iterations above 20 times them */
    } mode[TRIB_MAX_MODES];
    const char *advice; /* one sentence */
} trib_hicoo_report;

/* TRIB_INTERNAL for another format. */
trib_status trib_hicoo_report_of(const trib_tensor *tensor, int n_threads,
                                 trib_hicoo_report *report, trib_error *error);

/* Both ratios before anything is built, from about 2000 to 4096 of the blocks, chosen by a hash
 * of their place (predict.c). */
typedef struct trib_hicoo_prediction {
    uint32_t block;       /* B */
    double block_ratio;   /* alpha_b; its mean over hash functions is the true one */
    double slice_size;    /* c_b; the same holds of its logarithm */
    double deviation;     /* of block_ratio, relative; 0: every block was counted, both are exact */
    size_t n_blocks, nnz; /* of the sample */
} trib_hicoo_prediction;

/* For blocks of `block` indices a side, a power of two up to TRIB_BLOCK_MAX; 0: as `hicoo`
 * chooses. Looks at every key of the table once and takes 1.5 MiB for the time of the call. The
 * same every time. TRIB_MEMORY. */
trib_status trib_hicoo_predict(const trib_hacoo *table, uint32_t block,
                               trib_hicoo_prediction *prediction, trib_error *error);

/* ---- Views (view.c) ------------------------------------------------------------------------------------------------- */

/* A sparse tensor of real values: what is computed from counts. `{0}` is empty. The table holds the places (its counts
 * say how many terms met there, nothing else), so trib_tensor_build(.., &x.place, x.value, ..) decomposes it. */
typedef struct trib_sparse {
    trib_hacoo place;
    double *value; /* [place.nnz] of each entry, by its number */
    size_t cap;    /* values allocated */
} trib_sparse;

trib_status trib_sparse_init(trib_sparse *x, uint32_t n_modes, const uint32_t dim[],
                             size_t expected, trib_error *error);
void trib_sparse_release(trib_sparse *x);
/* *e is the number of the entry at index[n_modes], of a new one with value 0 when there was none; its count goes up by
 * one. Errors as trib_hacoo_add. */
trib_status trib_sparse_place(trib_sparse *x, const uint32_t index[], size_t *e, trib_error *error);
/* Adds to the value there. */
trib_status trib_sparse_raise(trib_sparse *x, const uint32_t index[], double value,
                              trib_error *error);
/* Takes out the entries whose value is 0; the others keep their order. */
trib_status trib_sparse_prune(trib_sparse *x, trib_error *error);

/* What a view takes of one mode of its parent ([N] section 4.4.2); make one with the four functions below. */
typedef enum {
    TRIB_AXIS_ALL,      /* every index */
    TRIB_AXIS_POINT,    /* one index: the view lacks the mode */
    TRIB_AXIS_INTERVAL, /* `length` indices from `start` on, which become 0 .. length-1 */
    TRIB_AXIS_NEW       /* a mode of length 1 that the parent does not have */
} trib_axis_kind;
typedef struct trib_axis {
    trib_axis_kind kind;
    uint32_t start, length; /* in a view: always set, all is 0 .. dim-1 */
} trib_axis;
trib_axis trib_all(void);
trib_axis trib_point(uint32_t index);
trib_axis trib_interval(uint32_t start, uint32_t length);
trib_axis trib_new_axis(void);

/* A part of a tensor that shares its entries: what is written through it is in the parent, which HaCOO's insertion in
 * constant time makes possible. The view of a view is a view of the parent, so this is all there ever is. Holds nothing
 * to release; the parent must outlive it and may change. Zero modes (all points) are a scalar. */
enum { TRIB_MAX_AXES = 2 * TRIB_MAX_MODES };
typedef struct trib_view {
    trib_hacoo *parent;
    trib_sparse *real; /* whose `place` the parent is; NULL: the values are the parent's counts */
    uint32_t n_axes;   /* the parent's modes in order, and the new ones between them */
    trib_axis axis[TRIB_MAX_AXES];
    uint32_t n_modes; /* of the view: axes that are no point; 0 .. TRIB_MAX_MODES */
    uint32_t dim[TRIB_MAX_MODES];
} trib_view;

/* The whole of a tensor. */
trib_view trib_view_counts(trib_hacoo *parent);
trib_view trib_view_reals(trib_sparse *parent);
/* `view` takes axis[n] of `of` (which it may be): one for each of its modes, in order, with new axes anywhere; modes
 * that are left out at the end are taken whole. TRIB_INPUT, naming the mode, for an index or interval beyond its
 * size, an interval of length 0, too many axes or modes; *view is unchanged then. */
trib_status trib_view_take(trib_view *view, const trib_view *of, uint32_t n, const trib_axis axis[],
                           trib_error *error);
/* One fixed mode: a slice ([K] section 2.1). Every mode fixed but one: a fiber; index[mode] is not read. Errors of both
 * as trib_view_take. */
trib_status trib_view_slice(trib_view *view, const trib_view *of, uint32_t mode, uint32_t index,
                            trib_error *error);
trib_status trib_view_fiber(trib_view *view, const trib_view *of, uint32_t mode,
                            const uint32_t index[], trib_error *error);
/* Without its modes of length 1. */
void trib_view_squeeze(trib_view *view, const trib_view *of);

double trib_view_get(const trib_view *view,
                     const uint32_t index[]); /* 0 when absent or out of range */
/* Sets (0 takes the entry out) or adds to the value in the parent. TRIB_INPUT for an index out of range, a value that
 * is not finite and, where the parent counts, a result that is no whole number from 0 to 2^32-1; TRIB_MEMORY. */
trib_status trib_view_set(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error);
trib_status trib_view_add(const trib_view *view, const uint32_t index[], double value,
                          trib_error *error);

/* Goes through the nonzeros: in the order of the parent's entries or, when the view has fewer cells than the parent has
 * entries, cell by cell in lexicographic order. Nothing may be inserted or removed meanwhile. */
typedef struct trib_cursor {
    const trib_view *view;
    size_t next, n_cells; /* the next entry or, when n_cells > 0, cell */
} trib_cursor;
trib_cursor trib_view_begin(const trib_view *view);
/* Writes index[view->n_modes] and the value; false at the end. Values of 0 are passed over. */
bool trib_view_next(trib_cursor *cursor, uint32_t index[], double *value);
size_t trib_view_nnz(const trib_view *view);

/* ---- Algebra (sparse.c, algebra.c, broadcast.c, algebra_modes.c, algebra_where.c) ----------------------------------- */

/* Operands are views, of counts or of real values; results are a trib_sparse of their own, which the caller releases
 * and which holds no zeros, or a dense array of the caller's, row-major. Every sum is taken in the order of
 * trib_view_next, one thread: the same bits every time. A result may be no operand's parent. On failure it is empty.
 * All: TRIB_MEMORY; TRIB_INPUT when operands differ in size, or the result has no mode or too wide keys. The names are
 * those of the Tensor Toolbox (Bader and Kolda 2007); docs/tensor-algebra.md has the whole list. */

trib_status trib_sparse_copy(trib_sparse *z, const trib_view *x, trib_error *error);
/* The same as counts; TRIB_INPUT for a value that is no whole number from 1 to 2^32-1. */
trib_status trib_sparse_counts(trib_hacoo *z, const trib_view *x, trib_error *error);
/* A copy of the indices list[m][0 .. n[m]-1] of every mode, in that order, repeated ones repeated; list[m] NULL: all.
 * Such a choice has no start and length, so it cannot be a view ([N] section 4.4.2). */
trib_status trib_sparse_select(trib_sparse *z, const trib_view *x, const uint32_t *const list[],
                               const uint32_t n[], trib_error *error);

/* z = a x + b y: plus, minus. z = a x. z = x y, element by element. z = f(x), where f(0) is taken to be 0.
 *
 * The operands of plus, times and pair need not have one size: modes are compared from the last, and a mode of length 1, or one
 * that an operand lacks before its first, is repeated along the other's ([N] section 3.2). TRIB_INPUT names both sizes where that
 * cannot be done. */
trib_status trib_sparse_plus(trib_sparse *z, double a, const trib_view *x, double b,
                             const trib_view *y, trib_error *error);
trib_status trib_sparse_scale(trib_sparse *z, double a, const trib_view *x, trib_error *error);
trib_status trib_sparse_times(trib_sparse *z, const trib_view *x, const trib_view *y,
                              trib_error *error);
trib_status trib_sparse_map(trib_sparse *z, const trib_view *x,
                            double (*f)(double value, void *context), void *context,
                            trib_error *error);

/* What becomes of two values; a row of the table in broadcast.c. Of two zeros: 0. */
typedef struct trib_pairing {
    const char
        *name; /* add | subtract | times | max | min, and masks of 0 and 1: greater | less | ... */
    const char *help;
    double (*of)(double x, double y);
    bool within; /* 0 wherever one of them is 0 */
} trib_pairing;
extern const trib_pairing trib_pairings[]; /* ends with a row whose name is NULL */
const trib_pairing *trib_pairing_find(const char *name);
trib_status trib_sparse_pair(trib_sparse *z, const trib_view *x, const trib_view *y,
                             const trib_pairing *by, trib_error *error);

/* Masks are tensors too: what is not 0 is chosen. The mask of the nonzeros of x for which `holds` is true: 1 there. The cells of
 * x that a mask chooses are those of trib_sparse_pair by `inside`, the others by `outside`. */
trib_status trib_sparse_mask(trib_sparse *z, const trib_view *x,
                             bool (*holds)(double value, void *context), void *context,
                             trib_error *error);
/* Sets the cells of x that the mask, stretched to x's size, chooses. The mask may not be of the same parent. Errors as
 * trib_view_set. */
trib_status trib_view_fill(const trib_view *x, const trib_view *mask, double value,
                           trib_error *error);
/* Index and value of every nonzero, in lexicographic order. `found` as in trib_tensor_region. */
trib_status trib_view_find(const trib_view *x, trib_region *found, trib_error *error);

/* Mode m of z is mode order[m] of x. */
trib_status trib_sparse_permute(trib_sparse *z, const trib_view *x, const uint32_t order[],
                                trib_error *error);

/* How many values become one; a row of the table in algebra_modes.c. */
typedef struct trib_reduction {
    const char *name; /* sum | max | min | count */
    const char *help;
    double (*first)(double value); /* what the first nonzero begins with */
    double (*join)(double so_far, double value);
    bool sees_zeros; /* cells without an entry count as 0 */
} trib_reduction;
extern const trib_reduction trib_reductions[]; /* ends with a row whose name is NULL */
const trib_reduction *trib_reduction_find(const char *name);

/* The modes whose bit is set in `modes` are reduced away, the others kept in order; at least one must be kept. */
trib_status trib_sparse_collapse(trib_sparse *z, const trib_view *x, uint32_t modes,
                                 const trib_reduction *by, trib_error *error);
/* All modes: one number. */
double trib_view_reduce(const trib_view *x, const trib_reduction *by);
double trib_view_sum(const trib_view *x);
double trib_view_norm(const trib_view *x); /* Frobenius */
trib_status trib_view_inner(double *inner, const trib_view *x, const trib_view *y,
                            trib_error *error);
/* The largest value, over all cells, and the first index in lexicographic order that has it. */
double trib_view_max(const trib_view *x, uint32_t index[]);

/* Where along a mode a fiber has its largest or its smallest value, zeros counted, the first place of several; the mode is
 * reduced away. A value of z is that index counted from 1, so that fibers without a nonzero, which have none, are absent. */
trib_status trib_sparse_argmax(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
trib_status trib_sparse_argmin(trib_sparse *z, const trib_view *x, uint32_t mode,
                               trib_error *error);
/* The index, counted from 0, of the slice along a mode that has the largest sum, the first of several. */
trib_status trib_view_argsum(const trib_view *x, uint32_t mode, uint32_t *index, trib_error *error);

/* Tensor times vector in every mode with vector[m] (dim[m] long) not NULL ([K] section 2.5). Dense: out[product of the
 * other dims], row-major; one number when no mode is left. */
trib_status trib_sparse_ttv(trib_sparse *z, const trib_view *x, const double *const vector[],
                            trib_error *error);
void trib_dense_ttv(double *out, const trib_view *x, const double *const vector[]);
/* Tensor times matrix[n_rows][dim[mode]]: mode `mode` of the result has n_rows indices ([K] section 2.5). Dense: the
 * whole result, row-major. */
trib_status trib_sparse_ttm(trib_sparse *z, const trib_view *x, uint32_t mode, uint32_t n_rows,
                            const double *matrix, trib_error *error);
/* The same product of a tensor in `hicoo`, block by block: the rows of the matrix that a block needs lie side by side, and each
 * fiber of the result is looked up once a nonzero instead of n_rows times. Sums are taken along the Morton curve, so the last
 * digits can be others than those of trib_sparse_ttm. TRIB_INTERNAL for another format. */
trib_status trib_hicoo_ttm(trib_sparse *z, const trib_tensor *tensor, uint32_t mode,
                           uint32_t n_rows, const double *matrix, trib_error *error);
void trib_dense_ttm(double *out, const trib_view *x, uint32_t mode, uint32_t n_rows,
                    const double *matrix);
/* All cells, row-major; trib_dense_cells says how many doubles that is, false when it does not fit in a size_t. */
void trib_dense_copy(double *out, const trib_view *x);
bool trib_dense_cells(const trib_view *x, size_t *n_cells);

/* Where two tensors of the same size differ by more than `tolerance`. */
typedef struct trib_difference {
    size_t n; /* cells */
    uint32_t
        index[TRIB_MAX_MODES]; /* the first in lexicographic order, when n > 0, and both values */
    double x, y;
    double largest; /* |x - y| of any cell */
} trib_difference;
/* false when the sizes differ: nothing is compared then. */
bool trib_view_compare(trib_difference *difference, const trib_view *x, const trib_view *y,
                       double tolerance);
bool trib_view_equal(const trib_view *x, const trib_view *y); /* sizes and every value */

/* ---- Text exchange: .tns of FROSTT (tns.c) and Matrix Market (mtx.c), read by scan.c ------------------------------ */

/* What the first index of a mode is called in a .tns text; Matrix Market and our header say 1. */
typedef enum trib_tns_base {
    TRIB_TNS_BASE_GUESS, /* 0 when a 0 is among the indices, else 1; the notes hold a warning */
    TRIB_TNS_BASE_ZERO,
    TRIB_TNS_BASE_ONE
} trib_tns_base;

typedef struct trib_tns_options {
    trib_tns_base base;
    bool counts; /* refuse values that are not whole numbers from 1 to 2^32-1 (3.0 and 3e0 are 3) */
    bool refuse_duplicates;          /* instead of adding them; trib_tns_read only */
    size_t block;                    /* bytes read at once; 0: 256 KiB */
    const trib_hacoo_options *table; /* of the table trib_tns_read makes, NULL: the default */
} trib_tns_options;

/* What a text turned out to be; final once all of it is read. */
typedef struct trib_tns_notes {
    const char *format;    /* "tns" or "mtx" */
    uint32_t base;         /* 0 or 1 */
    bool has_header;       /* it says the dimensions and the number of nonzeros */
    uint64_t n_rows;       /* nonzeros as they are written, before any are mirrored or added */
    uint64_t n_duplicates; /* added to an earlier nonzero; trib_tns_read only */
    char warning[256];     /* to be shown to the user; "" when there is none */
} trib_tns_notes;

/* A text being read, a batch of nonzeros at a time, in about 1 MiB of memory whatever its length. */
typedef struct trib_tns_scan {
    uint32_t n_modes;             /* 0 until the first batch */
    uint32_t dim[TRIB_MAX_MODES]; /* by the header; without one, what the nonzeros so far need */
    uint64_t n_promised;          /* nonzeros, by the header */
    trib_tns_notes notes;
    size_t n; /* of this batch; 0 once the text has ended */
    uint32_t
        *index;     /* [n][n_modes] as written: subtract notes.base, final at the end of the text */
    double *value;  /* [n] finite */
    uint64_t *line; /* [n] from 1 */
    struct trib_scan_state *state;
} trib_tns_scan;

/* Begins with a text of either form, a first line "%%MatrixMarket" telling which; packed by gzip or not (the reader's
 * owner closes it, also when it reads memory). `reader` stays the caller's and must outlive the scan. `options` may be
 * NULL. TRIB_INPUT, TRIB_MEMORY; nothing to close then.
 *  .tns: "i1 i2 ... value" a line, blanks around; '#' comments; blank lines; LF or CRLF, the last line's may be missing; the
 *   first line may be the header trib_tns_write makes. Indices as written are at most 2^32-1, and dimensions too.
 *  Matrix Market: coordinate, of integer, real or pattern (values 1), general, symmetric or skew-symmetric (mirrored). */
trib_status trib_tns_open(trib_tns_scan *scan, trib_reader *reader, const trib_tns_options *options,
                          trib_error *error);
/* The next batch. TRIB_INPUT with file, line and column for what is wrong in a line: more than 8 indices, a number of
 * fields that changes, an index that is too large for the header or at all, a value that is no finite decimal number, a
 * line of more than 1 MiB that is no comment; with the file alone when there is no nonzero and no header, or fewer or
 * more nonzeros than the header says. */
trib_status trib_tns_next(trib_tns_scan *scan, trib_error *error);
void trib_tns_close(trib_tns_scan *scan);

/* Reads a whole text into a table. `values` NULL: options->counts holds, whatever it says. Else *values is NULL when all
 * values were counts, and otherwise receives values[table->nnz] by entry, while the counts in the table are all 1: for
 * trib_tensor_build; free with trib_free. `notes` may be NULL. Errors as trib_tns_next; TRIB_INPUT too for duplicates that
 * are refused, a sum of counts beyond 2^32-1 and keys that are too wide. */
trib_status trib_tns_read(trib_hacoo *table, double **values, trib_reader *reader,
                          const trib_tns_options *options, trib_tns_notes *notes,
                          trib_error *error);

/* Writes one line per nonzero, "i1 i2 ... value", indices from 1, in lexicographic order of the indices (so the bytes
 * depend on the tensor alone), after a header line "# n_modes dim1 dim2 ... nnz". values[nnz] by entry replace the counts
 * unless NULL; they round-trip and must be finite. Allocates 36 bytes per nonzero to sort. TRIB_MEMORY; the writer keeps
 * its own errors. */
trib_status trib_tns_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error);
/* The same as Matrix Market, coordinate, general: integer, or real with values. TRIB_INPUT unless there are 2 modes. */
trib_status trib_mtx_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error);

/* ---- Fragments: tensors in files (fragment.c, fragment_write.c, fragment_page.c, organisation.c) ----------------- */

/* How the nonzeros of a fragment are organised [S]. A row of the table in organisation.c. */
typedef struct trib_organisation {
    const char *name; /* coo | linear | gcsr | gcsc | csf */
    const char *help;
    bool is_ordered;                  /* by its numbers; false: as the entries arrived */
    const struct trib_levels *levels; /* see fragment.h */
} trib_organisation;

extern const trib_organisation trib_organisations[]; /* ends with a row whose name is NULL */
const trib_organisation *trib_organisation_find(const char *name); /* NULL when there is none */

/* No organisation but the wish for a good one; not in the table. */
extern const trib_organisation trib_organisation_auto;

/* What will be read of a fragment. */
typedef enum trib_reads {
    TRIB_READS_NONE, /* hardly anything */
    TRIB_READS_WHOLE,
    TRIB_READS_POINTS,
    TRIB_READS_REGIONS, /* narrow in several modes */
    TRIB_READS_LAST     /* narrow in the last mode alone */
} trib_reads;
extern const char *const trib_reads_names[]; /* by number; ends with NULL */

/* `organisation` itself, or for `auto` the row for a tensor of this size and these reads, and in
 * words why; "" when it was not to be chosen. (choose_fragment.c) */
const trib_organisation *trib_organisation_choose(const trib_organisation *organisation,
                                                  trib_reads reads, uint32_t n_modes,
                                                  const uint32_t dim[], size_t nnz,
                                                  char reason[TRIB_REASON_MAX]);

typedef struct trib_fragment_options {
    const trib_organisation *organisation; /* NULL: linear, the smallest on text; not auto */
    bool compress;                         /* each page by zstd, when that makes it smaller */
    bool raw; /* 8 bytes for every number instead of varints of gaps, as [S] measured */
} trib_fragment_options;

/* Writes a table as one fragment, its nonzeros in pages of 4096 that can be read alone, each with a checksum. The bytes
 * depend on the tensor alone, under `coo` on the order of its entries too, compressed on the version of zstd as well. Takes 16
 * to 32 bytes per nonzero to sort, and the size of the file. TRIB_MEMORY; TRIB_CONFIG for `compress` in a build
 * without zstd. `options` may be NULL. */
trib_status trib_fragment_write(const trib_hacoo *table, const trib_fragment_options *options,
                                trib_writer *writer, trib_error *error);

/* A fragment that is open for reading: header and directory of the pages in memory, the pages where they are. Used by one
 * thread at a time. */
typedef struct trib_fragment {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    uint64_t nnz, total; /* sum of the counts */
    const trib_organisation *organisation;
    bool is_compressed, is_raw;
    uint64_t n_bytes;                    /* of the file */
    uint64_t n_pages_read, n_bytes_read; /* so far, header and directory counting as bytes only */
    size_t n_pages;
    struct trib_fragment_state *state;
} trib_fragment;

/* Opens a file ("-": standard input, held in memory). TRIB_INPUT names the file when it is missing, no fragment, of a
 * version, organisation or compression unknown here, cut short, or altered in its header or directory; an altered
 * page is found by whoever reads it. `path` is borrowed until close. TRIB_MEMORY. */
trib_status trib_fragment_open(trib_fragment *fragment, const char *path, trib_error *error);
/* The same for bytes in memory, borrowed until close; `name` is for messages. Any bytes are safe. */
trib_status trib_fragment_open_memory(trib_fragment *fragment, const char *name, const void *bytes,
                                      size_t length, trib_error *error);
void trib_fragment_close(trib_fragment *fragment);

/* Reads every page, one at a time: TRIB_INPUT when one is altered, or the counts are not those of the header. */
trib_status trib_fragment_verify(trib_fragment *fragment, trib_error *error);

/* Below, several fragments are parts of one tensor: they have the same dimensions (else TRIB_INPUT) and what they hold at
 * one index is added. Only pages whose smallest and largest indices admit what is asked for are read; each is verified
 * by its checksum (TRIB_INPUT, naming the file). TRIB_MEMORY. */

/* Makes `table` and reads everything into it. One `coo` fragment gives the entries in their order. */
trib_status trib_fragment_read(trib_fragment *fragment, size_t n_fragments, trib_hacoo *table,
                               const trib_hacoo_options *options, trib_error *error);
/* count[i] becomes the sum at index[i][n_modes], i < n: 0 where there is nothing, or an index is out of range. */
trib_status trib_fragment_points(trib_fragment *fragment, size_t n_fragments, size_t n,
                                 const uint32_t *index, uint64_t *count, trib_error *error);
/* Makes `table`, of the whole tensor's dimensions, and reads the nonzeros in the box into it; what reaches beyond the
 * tensor is empty. */
trib_status trib_fragment_region(trib_fragment *fragment, size_t n_fragments, const trib_box *box,
                                 trib_hacoo *table, const trib_hacoo_options *options,
                                 trib_error *error);

#ifdef __cplusplus
}
#endif
#endif
