/* fcoo.c - flagged coordinates (Liu, Wen, Sarwate, Mehri Dehnavi 2017). For every mode the nonzeros
 * are sorted by row. Indices of the other modes and values are stored; instead of the row index
 * there is a bit that says where a row begins.
 *
 * The nonzeros are divided into equal partitions, made for the threads of a GPU. A start flag says
 * whether any row begins within a partition; a partition without one belongs to a single row. An
 * MTTKRP is a segmented sum: a row is summed while the flags are 0, and written once. `row` holds
 * the rows of the result, which the authors store with the result. */
#include "tensor/formats/kernel.h"

enum { PARTITION = 64, MOST_COLUMNS = 64 };

/* The arrays of one mode. */
typedef struct side {
    uint32_t *index; /* [nnz][n_modes-1] of the other modes, ascending */
    double *value;   /* [nnz] */
    /* [n_partitions] bit k: nonzero k of the partition is the first of a row. */
    uint64_t *begins;
    /* [n_partitions / 64] one bit per partition: some row begins in it. */
    uint64_t *start;
    uint32_t *n_before; /* [n_partitions] rows that begin before the partition */
    uint32_t *row;      /* [n_rows] ascending: the rows that have nonzeros */
    size_t n_rows;
} side;

typedef struct fcoo {
    size_t n_partitions;
    side mode[TRIB_MAX_MODES];
} fcoo;

static bool begins(const side *x, size_t e) {
    return x->begins[e / PARTITION] >> e % PARTITION & 1;
}

static uint32_t count_bits(uint64_t word) {
    uint32_t n = 0;
    for (; word; word &= word - 1) n++;
    return n;
}

/* The number, in `row`, of the row that holds nonzero e. */
static uint32_t row_of(const side *x, size_t e) {
    const size_t p = e / PARTITION;
    const uint64_t up_to = UINT64_MAX >> (PARTITION - 1 - e % PARTITION);
    return x->n_before[p] + count_bits(x->begins[p] & up_to) - 1;
}

/* The first nonzero of row number s; nnz when there is no such row. */
static size_t first_of(const fcoo *x, const side *of, uint32_t s, size_t nnz) {
    if (s >= of->n_rows) return nnz;
    const size_t p = trib_range_of(of->n_before, x->n_partitions, s);
    uint64_t word = of->begins[p];
    for (uint32_t k = of->n_before[p]; k < s; k++) word &= word - 1;
    size_t bit = 0;
    while (!(word >> bit & 1)) bit++;
    return p * PARTITION + bit;
}

static void set_flags(side *x, const trib_building *b, uint32_t mode) {
    uint32_t index[TRIB_MAX_MODES], before = 0;
    for (size_t i = 0; i < b->table->nnz; i++) {
        const size_t p = i / PARTITION;
        trib_building_take(b, i, index);
        if (i % PARTITION == 0) x->n_before[p] = (uint32_t)x->n_rows;
        if (i > 0 && index[mode] == before) continue;
        before = index[mode];
        x->begins[p] |= UINT64_C(1) << i % PARTITION;
        x->start[p / 64] |= UINT64_C(1) << p % 64;
        x->n_rows++;
    }
}

static void build_side(side *x, size_t n_partitions, trib_building *b, uint32_t mode) {
    const size_t nnz = b->table->nnz, n_others = b->table->n_modes - 1;
    uint32_t modes[TRIB_MAX_MODES] = {mode}, index[TRIB_MAX_MODES];
    for (uint32_t m = 0, k = 1; m < b->table->n_modes; m++)
        if (m != mode) modes[k++] = m;
    trib_building_sort(b, modes);
    x->index = trib_tensor_array(b, nnz, n_others * sizeof *x->index, "indices");
    x->value = trib_tensor_array(b, nnz, sizeof *x->value, "values");
    x->begins = trib_tensor_array(b, n_partitions, sizeof *x->begins, "flags");
    x->start = trib_tensor_array(b, n_partitions / 64 + 1, sizeof *x->start, "flags");
    x->n_before = trib_tensor_array(b, n_partitions, sizeof *x->n_before, "flags");
    if (b->status != TRIB_OK) return;
    set_flags(x, b, mode);
    x->row = trib_tensor_array(b, x->n_rows, sizeof *x->row, "rows");
    for (size_t i = 0, n = 0; b->status == TRIB_OK && i < nnz; i++) {
        x->value[i] = trib_building_take(b, i, index);
        for (size_t k = 0; k < n_others; k++) x->index[i * n_others + k] = index[modes[k + 1]];
        if (begins(x, i)) x->row[n++] = index[mode];
    }
}

static void build(trib_building *b) {
    fcoo *x = b->tensor->data;
    x->n_partitions = (b->table->nnz + PARTITION - 1) / PARTITION;
    for (uint32_t m = 0; m < b->table->n_modes; m++) build_side(&x->mode[m], x->n_partitions, b, m);
}

/* Reads the arrays of mode 0, which are in lexicographic order. */
static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const side *x = ((const fcoo *)tensor->data)->mode;
    const size_t n_others = tensor->n_modes - 1;
    uint32_t s = row_of(x, first);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && begins(x, first + i)) s++;
        index[i * (n_others + 1)] = x->row[s];
        for (size_t k = 0; k < n_others; k++)
            index[i * (n_others + 1) + 1 + k] = x->index[(first + i) * n_others + k];
        value[i] = x->value[first + i];
    }
}

/* The segmented sum of `width` columns over whole rows. The first of them is number s. */
TRIB_INLINE void sum_segments(uint32_t n_others, uint32_t width, const side *x, uint32_t s,
                              const trib_task *task) {
    const double *row[TRIB_MAX_MODES];
    double sum[MOST_COLUMNS];
    for (uint32_t r = 0; r < width; r++) sum[r] = 0;
    for (size_t e = task->first, end; e < task->last; e = end) {
        const size_t p = e / PARTITION;
        end = (p + 1) * PARTITION < task->last ? (p + 1) * PARTITION : task->last;
        const bool flags = x->start[p / 64] >> p % 64 & 1;
        for (; e < end; e++) {
            if (flags && e > task->first && begins(x, e)) {
                double *out = task->out + (size_t)x->row[s++] * task->out_stride;
                for (uint32_t r = 0; r < width; r++) {
                    out[r] += sum[r];
                    sum[r] = 0;
                }
            }
            for (uint32_t k = 0; k < n_others; k++)
                row[k] = task->other[k] + x->index[e * n_others + k] * task->stride;
            trib_add_term(sum, row, n_others, x->value[e], width);
        }
    }
    double *out = task->out + (size_t)x->row[s] * task->out_stride;
    for (uint32_t r = 0; r < width; r++) out[r] += sum[r];
}

TRIB_KERNEL(void, add_fcoo_terms,
            (uint32_t n_modes, uint32_t width, const side *x, uint32_t s, const trib_task *task),
            (n_modes, width, x, s, task)) {
    if (n_modes == 3 && width == 16) sum_segments(2, 16, x, s, task);
    else if (n_modes == 3 && width == 50) sum_segments(2, 50, x, s, task);
    else if (n_modes == 3) sum_segments(2, width, x, s, task);
    else sum_segments(n_modes - 1, width, x, s, task);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const fcoo *x = tensor->data;
    const side *of = &x->mode[mode];
    trib_task task = trib_task_of(tensor, mode, rank, factor, out, TRIB_EVERY_LANE, tensor->nnz);
    uint32_t s = 0;
    if (lane != TRIB_EVERY_LANE) {
        const uint32_t *row = tensor->lanes.row + mode * (tensor->lanes.n + 1);
        s = trib_place_of(of->row, of->n_rows, row[lane]);
        task.first = first_of(x, of, s, tensor->nnz);
        task.last = first_of(x, of, trib_place_of(of->row, of->n_rows, row[lane + 1]), tensor->nnz);
    }
    if (task.first == task.last) return;
    for (uint32_t from = 0, width; from < rank; from += width) {
        width = rank - from < MOST_COLUMNS ? rank - from : MOST_COLUMNS;
        add_fcoo_terms(tensor->n_modes, width, of, s, &task);
        for (uint32_t k = 0; k < task.n_others; k++) task.other[k] += width;
        task.out += width;
    }
}

const trib_format trib_format_fcoo = {
    .name = "fcoo",
    .help = "flagged coordinates by row for every mode (Liu, Wen, Sarwate, Mehri Dehnavi 2017)",
    .size = sizeof(fcoo),
    .order = TRIB_LEXICOGRAPHIC,
    .build = build,
    .read = read,
    .mttkrp = mttkrp,
    .consecutive = true,
    .row_cost = 2,
};
