/* formats.h - the formats in which a decomposition reads a tensor, and the MTTKRP over each of
 * them.
 *
 * A trib_tensor holds the nonzeros of a table (tensor/hacoo.h), organised by one format, with
 * double values. This folder uses tensor/ and base/. A new format is a file that defines a
 * trib_format, a line in format.h, and a row of trib_formats in format.c; tests and benchmarks then
 * cover it. choose.c decides which format `auto` takes. Sources: MTTKRP [K] Kolda and Bader 2009;
 * HiCOO [H] Li, Sun, Vuduc 2018. */
#ifndef TRIBUTARY_FORMATS_H
#define TRIBUTARY_FORMATS_H

#include "tensor/algebra.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- The table of formats (format.c; one file per format) ------------------------------------ */

typedef struct trib_tensor trib_tensor;
struct trib_building;
struct trib_task;

/* How an MTTKRP is divided among threads (building.c). A lane is a range of rows of the result, and
 * the items that contribute to them. An item is a nonzero, or what the format has in its place: a
 * block of hicoo, a node of csf. The lanes of a mode have about equal numbers of nonzeros; a thread
 * computes one lane at a time. */
typedef struct trib_lanes {
    uint32_t n;    /* lanes of a mode; 0: built for one thread */
    uint32_t *row; /* [n_modes][n+1] lane l of mode m owns rows row[m][l] .. row[m][l+1]-1 */
    /* [n_modes][n+1] The items of lane l of mode m are order[first[m][l]] ..
     * order[first[m][l+1]-1]. */
    size_t *first;
    uint32_t *order; /* items by lane, within a lane in the format's order; NULL where the format
                      * has copied its nonzeros in this order */
} trib_lanes;

/* A lane number that stands for all rows and all nonzeros. */
#define TRIB_EVERY_LANE UINT32_MAX

/* In which order a format stores its nonzeros. */
typedef enum trib_nonzero_order {
    TRIB_AS_INSERTED,   /* of the table */
    TRIB_LEXICOGRAPHIC, /* of the indices */
    TRIB_ALONG_CURVE    /* the Morton curve */
} trib_nonzero_order;

/* A format: how the nonzeros of a tensor are organised in memory. What a row leaves out is done for
 * all formats alike. */
typedef struct trib_format {
    const char *name;         /* coo | hacoo | hicoo | ... */
    const char *help;         /* one line */
    size_t size;              /* bytes of tensor->data, zeros before `build` */
    trib_nonzero_order order; /* of the nonzeros */
    bool sorted;              /* `build` takes the entries in that order */
    uint32_t variant;         /* which of several formats that share their functions */
    /* Fills tensor->data. Where tensor->lanes has lanes, their rows are already set. */
    void (*build)(struct trib_building *building);
    /* Copies nonzeros first .. first+n-1, in the format's own order, into index[n][n_modes] and
     * value[n]. */
    void (*read)(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index, double *value);
    /* Adds the terms of the nonzeros of a task to `width` columns of the result (kernel.h). The
     * terms of a row are added in the format's order and by the same arithmetic for any task. */
    void (*add)(const trib_tensor *tensor, const struct trib_task *task, uint32_t width);
    bool scheduled; /* tasks are superblocks (schedule.c), else lanes that list their nonzeros */
    /* Stores a copy of a nonzero as number `place` of those of all lanes, which `add` reads instead
     * of a list. NULL: lanes have lists. */
    void (*copy)(const trib_tensor *tensor, size_t place, size_t nonzero);
    /* In place of `add`: adds to the rows of one lane of `out`, or to all rows for TRIB_EVERY_LANE,
     * their terms of the MTTKRP. */
    void (*mttkrp)(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane);
    /* The same with factors in single precision. NULL: not supported. */
    void (*mttkrp_single)(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const float *const factor[], double *out, uint32_t lane);
    bool consecutive; /* the nonzeros of a lane are consecutive: no list of items is needed */
    /* The cost of a row of the result when rows are divided into lanes, where a nonzero costs 1. */
    uint32_t row_cost;
    bool writes; /* mttkrp overwrites every row of its lane instead of adding to it */
} trib_format;

extern const trib_format *const trib_formats[];        /* ends with NULL */
const trib_format *trib_format_find(const char *name); /* or `auto`; NULL when there is none */

/* A request to choose the format. Not in the table. */
extern const trib_format trib_format_auto;

/* Returns `format` itself or, for `auto`, the format for this tensor at this rank and for at most
 * this many iterations (0: not known). `reason` receives a sentence that says why, or "" when
 * nothing was chosen. The choice depends on these arguments alone, not on the machine or the number
 * of threads. (choose.c) */
const trib_format *trib_format_choose(const trib_format *format, const trib_hacoo *source,
                                      uint32_t rank, uint32_t iterations,
                                      char reason[TRIB_REASON_MAX]);

/* ---- Tensors (format.c) ---------------------------------------------------------------------- */

/* The sizes of the blocks of `hicoo`; other formats ignore them. Powers of two. 0: chosen from the
 * tensor. */
enum { TRIB_BLOCK_MAX = 256, TRIB_SUPERBLOCK_MAX = 1 << 30 };
/* The sides of blocks and superblocks. */
typedef struct trib_tensor_cut {
    uint32_t block; /* B: indices along each side of a block, at most TRIB_BLOCK_MAX; 0: 256 */
    /* L: indices along each side of a superblock, at least B, at most TRIB_SUPERBLOCK_MAX. */
    uint32_t superblock;
} trib_tensor_cut;
/* Returns what is wrong with the sizes, as a phrase that follows the name of a setting, or NULL
 * when they are valid. *of_superblock says which of the two it is about. */
const char *trib_tensor_cut_diagnostic(trib_tensor_cut cut, bool *of_superblock);

/* A sparse tensor in one format. `{0}` is empty. */
struct trib_tensor {
    const trib_format *format;    /* how it is stored */
    trib_tensor_cut cut;          /* the blocks of `hicoo` */
    uint32_t n_modes;             /* modes */
    uint32_t dim[TRIB_MAX_MODES]; /* [n_modes] sizes of the modes */
    size_t nnz;                   /* nonzeros */
    double total;                 /* sum of the values, |X| for nonnegative values */
    double norm;                  /* Frobenius */
    int n_threads;                /* it was built for */
    trib_lanes lanes;             /* the work of each thread */
    void *data;                   /* the format's own */
    trib_pool pool;               /* all its arrays */
    size_t n_bytes;               /* of its arrays */
};

/* Builds `tensor` in `format` (NULL: `auto`) from a table. The format may keep a pointer to
 * `source` and `values`: both must outlive the tensor and must not change. `n_threads` is the
 * number of threads that trib_mttkrp will be given. A tensor built for one thread has no lanes
 * (which take 4 bytes per nonzero and mode) and is always computed by one thread. TRIB_MEMORY. */
trib_status trib_tensor_build(trib_tensor *tensor, const trib_format *format,
                              const trib_hacoo *source, const double *values, int n_threads,
                              trib_error *error);
/* The same with given block sizes. TRIB_INPUT for sizes that trib_tensor_cut_diagnostic rejects. */
trib_status trib_tensor_build_cut(trib_tensor *tensor, const trib_format *format,
                                  trib_tensor_cut cut, const trib_hacoo *source,
                                  const double *values, int n_threads, trib_error *error);
void trib_tensor_release(trib_tensor *tensor);
/* As trib_format.read, for calls in any order. Safe from several threads. */
void trib_tensor_read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                      double *value);
/* Bytes of the format's arrays; a `source` that the format only points to is not counted. */
size_t trib_tensor_bytes(const trib_tensor *tensor);

/* ---- MTTKRP (format.c) ----------------------------------------------------------------------- */

/* out[dim[mode]][rank] = X_(mode) times the Khatri-Rao product of the other factors ([K] section
 * 3.4). factor[m] is [dim[m]][rank] row-major; factor[mode] is not read. `out` is overwritten and
 * overlaps no factor. Every row is summed in one order, so the bits do not depend on n_threads (at
 * least 1). Allocates nothing. */
void trib_mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                 const double *const factor[], double *out, int n_threads);
/* The same with factors in single precision, which take half the bytes. Rows of a term are
 * multiplied in single precision and terms are added in double precision. For nonnegative factors
 * an entry is therefore within a relative error of n_modes * 6e-8, provided that no product is
 * below 1e-37. Only for formats with mttkrp_single. */
void trib_mttkrp_single(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                        const float *const factor[], double *out, int n_threads);

/* ---- HiCOO (hicoo.c, hicoo_predict.c) -------------------------------------------------------- */

/* Whether HiCOO suits a tensor, by the criteria of [H] section V.C. */
typedef struct trib_hicoo_report {
    uint32_t block_bits;            /* b: blocks have 2^b indices along each side */
    uint32_t superblock_bits;       /* l */
    size_t n_blocks, n_superblocks; /* blocks and superblocks with nonzeros */
    double block_ratio;             /* alpha_b = blocks / nonzeros: smaller is better */
    /* The block ratio above which coordinates take less memory: equation (14), with the sizes of
     * integers used here. */
    double largest_ratio;
    double slice_size; /* c_b = geometric mean of a block's nonzeros / 2^b: larger is better */
    bool is_small;     /* block_ratio <= largest_ratio */
    bool is_fast;      /* slice_size >= 0.01 or is_small: else fibers or rows are to be preferred */
    /* [n_modes] How the MTTKRP along each mode is shared out. */
    struct {
        uint32_t n_slices;     /* groups of superblocks; no two groups write to the same row */
        uint32_t n_iterations; /* the most superblocks in one slice */
        uint32_t n_private;    /* tasks that were given rows of their own */
        /* The published rule asks for private rows: there are fewer slices than 4 n_threads, and
         * the iterations are more than 20 times the slices. */
        bool rule;
    } mode[TRIB_MAX_MODES];
    const char *advice; /* one sentence */
} trib_hicoo_report;

/* TRIB_INTERNAL for another format. */
trib_status trib_hicoo_report_of(const trib_tensor *tensor, int n_threads,
                                 trib_hicoo_report *report, trib_error *error);

/* Both ratios, estimated before anything is built, from a sample of about 2000 to 4096 blocks. A
 * hash of its position decides whether a block is in the sample (hicoo_predict.c). */
typedef struct trib_hicoo_prediction {
    uint32_t block;       /* B */
    double block_ratio;   /* alpha_b; unbiased over hash functions */
    double slice_size;    /* c_b; its logarithm is unbiased over hash functions */
    double deviation;     /* of block_ratio, relative; 0: every block was counted, both are exact */
    size_t n_blocks, nnz; /* of the sample */
} trib_hicoo_prediction;

/* For blocks of `block` indices along each side, a power of two up to TRIB_BLOCK_MAX; 0: as `hicoo`
 * chooses. Reads every key of the table once. Allocates 1.5 MiB and frees them before it returns.
 * Deterministic. TRIB_MEMORY. */
trib_status trib_hicoo_predict(const trib_hacoo *table, uint32_t block,
                               trib_hicoo_prediction *prediction, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
