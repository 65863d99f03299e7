/* hicoo.c - hierarchical coordinates [H]: nonzeros along the Morton curve, divided into blocks of B
 * = 2^b indices along each side. The position of a block is stored once; each nonzero in it takes
 * one byte per mode.
 *
 * These bytes are needed for any block size, and the nonzeros of a text are so sparse that smaller
 * blocks would only add headers. So blocks are as large as a byte allows, 2^8 along each side,
 * unless another B is given. */
#include "tensor/formats/kernel.h"

typedef struct hicoo {
    trib_schedule schedule;
    uint32_t bits; /* b */
    size_t n_blocks;
    uint32_t *start; /* [n_blocks+1] block b holds nonzeros start[b] .. start[b+1]-1 */
    /* [n_blocks][n_modes] the indices of any of its nonzeros, divided by the edge B of a block */
    uint32_t *block;
    uint8_t *offset; /* [nnz][n_modes] their remainders */
    double *value;   /* [nnz] */
} hicoo;

static bool same_block(const uint32_t a[], const uint32_t b[], uint32_t n_modes, uint32_t bits) {
    bool same = true;
    for (uint32_t m = 0; m < n_modes; m++) same &= a[m] >> bits == b[m] >> bits;
    return same;
}

static void build(trib_building *b) {
    hicoo *x = b->tensor->data;
    const size_t nnz = b->tensor->nnz, n_modes = b->tensor->n_modes;
    const uint32_t side = b->tensor->cut.block ? b->tensor->cut.block : TRIB_BLOCK_MAX;
    uint32_t index[2][TRIB_MAX_MODES];
    size_t block = 0;
    while (side >> x->bits > 1) x->bits++;
    for (size_t i = 0; i < nnz; i++) {
        trib_building_take(b, i, index[i % 2]);
        x->n_blocks += i == 0 || !same_block(index[0], index[1], b->tensor->n_modes, x->bits);
    }
    x->start = trib_tensor_array(b, x->n_blocks + 1, sizeof *x->start, "blocks");
    x->block = trib_tensor_array(b, x->n_blocks, n_modes * sizeof *x->block, "blocks");
    x->offset = trib_tensor_array(b, nnz, n_modes * sizeof *x->offset, "offsets");
    x->value = trib_tensor_array(b, nnz, sizeof *x->value, "values");
    if (b->status != TRIB_OK) return;
    for (size_t i = 0; i < nnz; i++) {
        const uint32_t *here = index[i % 2];
        x->value[i] = trib_building_take(b, i, index[i % 2]);
        if (i == 0 || !same_block(index[0], index[1], b->tensor->n_modes, x->bits)) {
            x->start[block] = (uint32_t)i;
            for (size_t m = 0; m < n_modes; m++) x->block[block * n_modes + m] = here[m] >> x->bits;
            block++;
        }
        for (size_t m = 0; m < n_modes; m++)
            x->offset[i * n_modes + m] = (uint8_t)(here[m] & ((UINT32_C(1) << x->bits) - 1));
    }
    x->start[block] = (uint32_t)nnz;
    trib_schedule_build(b, b->tensor->cut.superblock);
}

/* The block that holds nonzero e. */
static size_t block_of(const hicoo *x, size_t e) { return trib_range_of(x->start, x->n_blocks, e); }

static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const hicoo *x = tensor->data;
    const uint32_t n_modes = tensor->n_modes;
    size_t b = block_of(x, first);
    for (size_t i = 0; i < n; i++) {
        const size_t e = first + i;
        while (e >= x->start[b + 1]) b++;
        for (uint32_t m = 0; m < n_modes; m++)
            index[i * n_modes + m] =
                x->block[b * n_modes + m] << x->bits | x->offset[e * n_modes + m];
        value[i] = x->value[e];
    }
}

/* Prefetches the factor rows of nonzero e, in block b. */
TRIB_INLINE void fetch_rows(uint32_t n_modes, uint32_t rank, const hicoo *x, const trib_task *task,
                            size_t b, size_t e) {
    for (uint32_t k = 0; k < n_modes; k++) {
        const bool is_out = k + 1 == n_modes;
        const uint32_t m = is_out ? task->mode : task->other_mode[k];
        const size_t i =
            ((size_t)x->block[b * n_modes + m] << x->bits) | x->offset[e * n_modes + m];
        trib_fetch_row(is_out ? task->out + (i - task->first_row) * task->out_stride
                              : task->other[k] + i * task->stride,
                       rank);
    }
}

/* Algorithm 2 of [H], for consecutive nonzeros. Rows of large factors are prefetched `ahead`
 * nonzeros early. */
TRIB_INLINE void add_blocks(uint32_t n_modes, uint32_t rank, const hicoo *x, const trib_task *task,
                            uint32_t ahead) {
    const double *base[TRIB_MAX_MODES], *row[TRIB_MAX_MODES];
    const size_t last = task->last, first = block_of(x, task->first);
    const uint32_t bits = x->bits;
    size_t end;
    for (size_t b = first, later = first, e = task->first; e < last; b++) {
        const uint32_t *block = x->block + b * n_modes;
        end = x->start[b + 1] < last ? x->start[b + 1] : last;
        for (uint32_t k = 0; k + 1 < n_modes; k++)
            base[k] = task->other[k] + ((size_t)block[task->other_mode[k]] << bits) * task->stride;
        double *out =
            task->out + (((size_t)block[task->mode] << bits) - task->first_row) * task->out_stride;
        for (; e < end; e++) {
            if (ahead > 0 && e + ahead < last) {
                while (x->start[later + 1] <= e + ahead) later++;
                fetch_rows(n_modes, rank, x, task, later, e + ahead);
            }
            const uint8_t *offset = x->offset + e * n_modes;
            for (uint32_t k = 0; k + 1 < n_modes; k++)
                row[k] = base[k] + offset[task->other_mode[k]] * task->stride;
            trib_add_term(out + offset[task->mode] * task->out_stride, row, n_modes - 1,
                          x->value[e], rank);
        }
    }
}

TRIB_KERNEL(void, add_hicoo_terms,
            (uint32_t n_modes, uint32_t rank, const hicoo *x, const trib_task *task,
             uint32_t ahead),
            (n_modes, rank, x, task, ahead)) {
    if (ahead > 0) TRIB_SPECIALISE(add_blocks, n_modes, rank, x, task, ahead);
    else TRIB_SPECIALISE(add_blocks, n_modes, rank, x, task, 0);
}

enum { MOST_AHEAD = 32 };

static void add(const trib_tensor *tensor, const trib_task *task, uint32_t width) {
    const uint32_t ahead = trib_fetch_ahead(tensor, task->mode, (uint32_t)task->stride, MOST_AHEAD);
    add_hicoo_terms(tensor->n_modes, width, tensor->data, task, ahead);
}

trib_status trib_hicoo_report_of(const trib_tensor *tensor, int n_threads,
                                 trib_hicoo_report *report, trib_error *error) {
    if (tensor->format != &trib_format_hicoo)
        return trib_fail(error, TRIB_INTERNAL, "a report on hicoo of a tensor in another format");
    const hicoo *x = tensor->data;
    const trib_schedule *schedule = &x->schedule;
    *report = (trib_hicoo_report){.block_bits = x->bits,
                                  .superblock_bits = schedule->side_bits,
                                  .n_blocks = x->n_blocks,
                                  .n_superblocks = schedule->n_superblocks};
    double logs = 0;
    for (size_t b = 0; b < x->n_blocks; b++) logs += trib_logarithm(x->start[b + 1] - x->start[b]);
    if (tensor->nnz > 0) {
        report->block_ratio = (double)x->n_blocks / (double)tensor->nnz;
        report->slice_size =
            trib_exponential(logs / (double)x->n_blocks) / (double)(UINT32_C(1) << x->bits);
    }
    report->largest_ratio = (32.0 - 8.0) / (32.0 + 32.0 / tensor->n_modes);
    report->is_small = report->block_ratio <= report->largest_ratio;
    report->is_fast = report->slice_size >= 0.01 || report->is_small;
    for (uint32_t m = 0; m < tensor->n_modes; m++) {
        const uint64_t n_slices = schedule->n_slices[m];
        report->mode[m].n_slices = schedule->n_slices[m];
        report->mode[m].n_iterations = schedule->n_iterations[m];
        report->mode[m].n_private = schedule->n_private[m];
        report->mode[m].rule =
            n_slices < 4 * (uint64_t)n_threads && schedule->n_iterations[m] > 20 * n_slices;
    }
    report->advice =
        !report->is_small
            ? "do not use hicoo: its blocks are so thin that coordinates are smaller"
            : "hicoo is smaller than coordinates; larger blocks of nonzeros would make it faster";
    if (report->is_small && report->slice_size >= 1)
        report->advice = "use hicoo: its blocks are dense enough to find rows in the cache";
    return TRIB_OK;
}

const trib_format trib_format_hicoo = {
    .name = "hicoo",
    .help =
        "Morton-ordered blocks (tensor.block), a byte per mode and nonzero (Li, Sun, Vuduc 2018)",
    .size = sizeof(hicoo),
    .order = TRIB_ALONG_CURVE,
    .sorted = true,
    .build = build,
    .read = read,
    .add = add,
    .scheduled = true,
};
