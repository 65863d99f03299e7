/* formats.h - the formats in which a decomposition reads a tensor, and the MTTKRP over each of them.
 *
 * A trib_tensor is a table (tensor/hacoo.h) organised by one format, with double values. Uses tensor and base. A new format
 * is a file that defines a trib_format, a line in table.h and a row of trib_formats in format.c; tests and benchmarks then
 * run over it. Which one `auto` picks is decided in choose.c. Sources: MTTKRP [K] Kolda and Bader 2009; HiCOO [H] Li, Sun,
 * Vuduc 2018. */
#ifndef TRIBUTARY_FORMATS_H
#define TRIBUTARY_FORMATS_H

#include "tensor/algebra.h"

#ifdef __cplusplus
extern "C" {
#endif

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
/* The same, cut as asked. TRIB_INPUT for a cut that trib_tensor_cut_diagnostic finds fault with. */
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

/* The product of a tensor in `hicoo`, block by block: the rows of the matrix that a block needs lie side by side, and each
 * fiber of the result is looked up once a nonzero instead of n_rows times. Sums are taken along the Morton curve, so the last
 * digits can be others than those of trib_sparse_ttm. TRIB_INTERNAL for another format. */
trib_status trib_hicoo_ttm(trib_sparse *z, const trib_tensor *tensor, uint32_t mode,
                           uint32_t n_rows, const double *matrix, trib_error *error);

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

#ifdef __cplusplus
}
#endif
#endif
