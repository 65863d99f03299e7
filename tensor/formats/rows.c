/* rows.c - for every mode the nonzeros sorted by row, those of value 1 first. An MTTKRP sums a row
 * of the result in registers and writes it once.
 *
 * Four fifths of the n-grams of a text occur once, so for most terms no value is stored or
 * multiplied. Fibers hold two or three nonzeros, so dividing rows further, into a tree, would cost
 * more branches than it saves products. Within a row nonzeros follow the Morton curve, which makes
 * good use of the caches. Indices have 16 bits where that suffices, as it does for the words of
 * most documents. Threads share rows, so their lanes need no lists. */
#include "tensor/entry.h"
#include "tensor/formats/lanes.h"
#include "tensor/formats/rows_sum.h"
#include "tensor/formats/table.h"
#include "tensor/order.h"

#include <stdlib.h>
#include <string.h>

typedef struct rows {
    bool narrow; /* indices are uint16_t, else uint32_t */
    trib_rows_side mode[TRIB_MAX_MODES];
} rows;

static size_t index_size(bool narrow) { return narrow ? sizeof(uint16_t) : sizeof(uint32_t); }

/* The nonzeros in the order in which they are distributed to rows. */
typedef struct nonzeros {
    size_t n;
    uint32_t n_modes;
    uint32_t *index[TRIB_MAX_MODES]; /* [n] each */
    double *value;                   /* [n] */
} nonzeros;

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The first place in x->row whose row is not below `row`; n_rows when there is none. */
static uint32_t place_of(const trib_rows_side *x, uint32_t row) {
    uint32_t low = 0;
    for (uint32_t high = x->n_rows; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if (x->row[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Computes place[e] of every nonzero, and x->row: through a table as long as the mode, or by
 * sorting where the table would be much longer than the nonzeros. */
static trib_status number_rows(trib_rows_side *x, const uint32_t *index, size_t nnz, uint32_t dim,
                               uint32_t *place, trib_error *error) {
    const bool is_dense = dim / 8 <= nnz;
    const size_t n_slots = is_dense ? dim : nnz;
    uint32_t *slot = NULL;
    trib_status status = trib_new(&slot, n_slots, sizeof *slot, "sorting", error);
    if (status != TRIB_OK) return status;
    if (is_dense)
        for (size_t e = 0; e < nnz; e++) slot[index[e]] = 1;
    else if (nnz > 0) {
        memcpy(slot, index, nnz * sizeof *slot);
        qsort(slot, nnz, sizeof *slot, ascending);
    }
    for (size_t i = 0; i < n_slots; i++)
        x->n_rows += is_dense ? slot[i] : i == 0 || slot[i] != slot[i - 1];
    status = trib_new(&x->row, x->n_rows, sizeof *x->row, "rows", error);
    if (status == TRIB_OK) {
        uint32_t n = 0;
        for (size_t i = 0; i < n_slots; i++) {
            if (is_dense ? !slot[i] : i > 0 && slot[i] == slot[i - 1]) continue;
            x->row[n] = is_dense ? (uint32_t)i : slot[i];
            if (is_dense) slot[i] = n;
            n++;
        }
        for (size_t e = 0; e < nnz; e++)
            place[e] = is_dense ? slot[index[e]] : place_of(x, index[e]);
    }
    trib_free(slot);
    return status;
}

/* Counts the nonzeros of each row and adds the counts up to where the rows start. */
static void count_rows(trib_rows_side *x, const nonzeros *of, const uint32_t *place) {
    for (size_t e = 0; e < of->n; e++) {
        x->start[place[e] + 1]++;
        x->value_start[place[e] + 1] += of->value[e] != 1;
    }
    for (uint32_t i = 0; i < x->n_rows; i++) {
        x->start[i + 1] += x->start[i];
        x->value_start[i + 1] += x->value_start[i];
    }
}

/* Distributes the nonzeros to their rows, ones first. next[2 n_rows] holds the next places of each
 * row's ones and values. */
TRIB_INLINE void deal_to_rows(trib_rows_side *x, uint32_t n_others, bool narrow, const nonzeros *of,
                              const uint32_t *const other[], const uint32_t *place,
                              uint32_t *next) {
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const uint32_t n_values = x->value_start[i + 1] - x->value_start[i];
        next[2 * i] = x->start[i];
        next[2 * i + 1] = x->start[i + 1] - n_values;
    }
    for (size_t e = 0; e < of->n; e++) {
        const uint32_t i = place[e];
        const bool is_one = of->value[e] == 1;
        const uint32_t at = next[2 * i + !is_one]++;
        if (!is_one) x->value[x->value_start[i + 1] - (x->start[i + 1] - at)] = of->value[e];
        for (uint32_t m = 0; m < n_others; m++)
            if (narrow) ((uint16_t *)x->index)[(size_t)at * n_others + m] = (uint16_t)other[m][e];
            else ((uint32_t *)x->index)[(size_t)at * n_others + m] = other[m][e];
    }
}

/* Calls deal_to_rows with constants for the shapes of texts. */
static void deal(trib_rows_side *x, bool narrow, const nonzeros *of, uint32_t mode,
                 const uint32_t *place, uint32_t *next) {
    const uint32_t *other[TRIB_MAX_MODES];
    uint32_t n = 0;
    for (uint32_t m = 0; m < of->n_modes; m++)
        if (m != mode) other[n++] = of->index[m];
    if (n == 2 && narrow) deal_to_rows(x, 2, true, of, other, place, next);
    else if (n == 2) deal_to_rows(x, 2, false, of, other, place, next);
    else if (n == 3 && narrow) deal_to_rows(x, 3, true, of, other, place, next);
    else deal_to_rows(x, n, narrow, of, other, place, next);
}

static trib_status build_side(trib_rows_side *x, bool narrow, const nonzeros *of, uint32_t mode,
                              uint32_t dim, trib_error *error) {
    uint32_t *place = NULL, *next = NULL;
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK) status = trib_new(&place, of->n, sizeof *place, "sorting", error);
    if (status == TRIB_OK) status = number_rows(x, of->index[mode], of->n, dim, place, error);
    const size_t n_rows = x->n_rows;
    if (status == TRIB_OK)
        status = trib_new(&x->start, n_rows + 1, sizeof *x->start, "rows", error);
    if (status == TRIB_OK)
        status = trib_new(&x->value_start, n_rows + 1, sizeof *x->value_start, "rows", error);
    if (status == TRIB_OK)
        status = trib_new(&x->index, of->n + TRIB_ROWS_MOST_AHEAD,
                          (of->n_modes - 1) * index_size(narrow), "indices", error);
    if (status == TRIB_OK) status = trib_new(&next, 2 * n_rows, sizeof *next, "sorting", error);
    if (status != TRIB_OK) goto done;
    count_rows(x, of, place);
    /* One more than needed: without values the array would be empty, but kernels point into it in
     * any case. */
    status = trib_new(&x->value, x->value_start[n_rows] + 1, sizeof *x->value, "values", error);
    if (status == TRIB_OK) deal(x, narrow, of, mode, place, next);
done:
    trib_free(place);
    trib_free(next);
    return status;
}

static void release_nonzeros(nonzeros *x) {
    for (uint32_t m = 0; m < x->n_modes; m++) trib_free(x->index[m]);
    trib_free(x->value);
}

/* Reads the entries along the Morton curve, each decoded once. */
static trib_status gather(nonzeros *x, const trib_hacoo *source, const double *values,
                          int n_threads, trib_error *error) {
    uint32_t *order = NULL;
    *x = (nonzeros){.n = source->nnz, .n_modes = source->n_modes};
    trib_status status = trib_new(&order, x->n, sizeof *order, "sorting", error);
    if (status == TRIB_OK) status = trib_order_entries(source, true, order, n_threads, error);
    for (uint32_t m = 0; m < x->n_modes && status == TRIB_OK; m++)
        status = trib_new(&x->index[m], x->n, sizeof *x->index[m], "sorting", error);
    if (status == TRIB_OK) status = trib_new(&x->value, x->n, sizeof *x->value, "sorting", error);
    if (status == TRIB_OK) {
#pragma omp parallel for schedule(static) num_threads(n_threads)
        for (size_t k = 0; k < x->n; k++) {
            uint32_t index[TRIB_MAX_MODES];
            trib_entry_fetch(source, order, k);
            trib_hacoo_entry(source, order[k], index);
            for (uint32_t m = 0; m < x->n_modes; m++) x->index[m][k] = index[m];
            x->value[k] = values ? values[order[k]] : trib_hacoo_count(source, order[k]);
        }
    }
    trib_free(order);
    return status;
}

/* Threads share the modes. If several fail, the first failure is reported. */
static trib_status build_sides(rows *x, const nonzeros *of, const uint32_t dim[], int n_threads,
                               trib_error *error) {
    trib_status status[TRIB_MAX_MODES];
    trib_error error_of[TRIB_MAX_MODES] = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t m = 0; m < of->n_modes; m++)
        status[m] = build_side(&x->mode[m], x->narrow, of, m, dim[m], &error_of[m]);
    for (uint32_t m = 0; m < of->n_modes; m++)
        if (status[m] != TRIB_OK) {
            if (error) *error = error_of[m];
            return status[m];
        }
    return TRIB_OK;
}

static trib_status build(trib_tensor *tensor, const trib_hacoo *source, const double *values,
                         trib_error *error) {
    enum { LEAST_FOR_THREADS = 1 << 15 }; /* nonzeros */
    const int n_threads = source->nnz < LEAST_FOR_THREADS ? 1 : tensor->n_threads;
    rows *x = NULL;
    nonzeros of = {0};
    trib_status status = trib_new(&x, 1, sizeof *x, "a tensor", error);
    if (status != TRIB_OK) return status;
    tensor->data = x;
    x->narrow = true;
    for (uint32_t m = 0; m < source->n_modes; m++)
        if (source->dim[m] > 1 << 16) x->narrow = false;
    status = gather(&of, source, values, n_threads, error);
    if (status == TRIB_OK) status = build_sides(x, &of, source->dim, n_threads, error);
    release_nonzeros(&of);
    return status;
}

static void release(trib_tensor *tensor) {
    rows *x = tensor->data;
    for (uint32_t m = 0; m < tensor->n_modes; m++) {
        trib_free(x->mode[m].row);
        trib_free(x->mode[m].start);
        trib_free(x->mode[m].value_start);
        trib_free(x->mode[m].index);
        trib_free(x->mode[m].value);
    }
    trib_free(x);
}

/* Reads the arrays of mode 0. */
static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const trib_rows_side *x = ((const rows *)tensor->data)->mode;
    const bool narrow = ((const rows *)tensor->data)->narrow;
    const uint32_t n_modes = tensor->n_modes;
    uint32_t i = trib_lane_of_row(x->start, x->n_rows, (uint32_t)first);
    for (size_t k = 0; k < n; k++) {
        const size_t e = first + k;
        while (e >= x->start[i + 1]) i++;
        const size_t from_end = x->start[i + 1] - e;
        const size_t n_values = x->value_start[i + 1] - x->value_start[i];
        index[k * n_modes] = x->row[i];
        for (uint32_t m = 1; m < n_modes; m++)
            index[k * n_modes + m] = trib_rows_index(x, e * (n_modes - 1) + m - 1, narrow);
        value[k] = from_end <= n_values ? x->value[x->value_start[i + 1] - from_end] : 1;
    }
}

/* Clears the rows from .. to-1 that add_rows does not write. */
static void clear_between(const trib_rows_side *x, const trib_rows_job *task, uint32_t rank,
                          uint32_t from, uint32_t to) {
    for (size_t at = task->first; at <= task->last; at++) {
        const uint32_t row = at < task->last ? x->row[at] : to;
        if (row > from)
            memset(task->out + (size_t)from * rank, 0,
                   (size_t)(row - from) * rank * sizeof(double));
        from = row + 1;
    }
}

/* Makes the trib_rows_job of a lane and clears its rows without nonzeros. */
static trib_rows_job job_of(const trib_tensor *tensor, uint32_t mode, uint32_t rank, double *out,
                            uint32_t lane) {
    const trib_rows_side *x = &((const rows *)tensor->data)->mode[mode];
    trib_rows_job task = {.out = out, .last = x->n_rows};
    uint32_t from = 0, to = tensor->dim[mode];
    if (lane != TRIB_EVERY_LANE) {
        const uint32_t *row = tensor->lanes.row + mode * (tensor->lanes.n + 1);
        from = row[lane];
        to = row[lane + 1];
        task.first = place_of(x, from);
        task.last = place_of(x, to);
    }
    clear_between(x, &task, rank, from, to);
    return task;
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    const trib_rows_side *x = &((const rows *)tensor->data)->mode[mode];
    const uint32_t ahead = trib_fetch_ahead(tensor, mode, rank, TRIB_ROWS_MOST_AHEAD);
    const bool narrow = ((const rows *)tensor->data)->narrow;
    trib_rows_job task = job_of(tensor, mode, rank, out, lane);
    uint32_t n = 0;
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) task.other[n++] = factor[m];
    trib_rows_sum(n, rank, x, &task, ahead, narrow);
}

static void mttkrp_single(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const float *const factor[], double *out, uint32_t lane) {
    const trib_rows_side *x = &((const rows *)tensor->data)->mode[mode];
    const uint32_t ahead = trib_fetch_ahead(tensor, mode, (rank + 1) / 2, TRIB_ROWS_MOST_AHEAD);
    const bool narrow = ((const rows *)tensor->data)->narrow;
    trib_rows_job task = job_of(tensor, mode, rank, out, lane);
    uint32_t n = 0;
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) task.other[n++] = factor[m];
    trib_rows_sum_single(n, rank, x, &task, ahead, narrow);
}

static size_t bytes(const trib_tensor *tensor) {
    const rows *x = tensor->data;
    size_t sum = sizeof *x;
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        sum +=
            (3 * (size_t)x->mode[m].n_rows + 2) * sizeof *x->mode[m].start +
            (tensor->nnz + TRIB_ROWS_MOST_AHEAD) * (tensor->n_modes - 1) * index_size(x->narrow) +
            x->mode[m].value_start[x->mode[m].n_rows] * sizeof *x->mode[m].value;
    return sum;
}

/* Finds the rows of mode 0 that are in the box. */
static bool seek(const trib_tensor *tensor, const trib_box *box, size_t *first, size_t *last) {
    const trib_rows_side *x = ((const rows *)tensor->data)->mode;
    const size_t begin = x->start[place_of(x, box->lower[0])];
    if (*first < begin) *first = begin;
    *last = x->start[place_of(x, box->upper[0])];
    return *first < *last;
}

const trib_format trib_format_rows = {
    .name = "rows",
    .help = "the rows of every mode, nonzeros of value 1 first: made for texts",
    .build = build,
    .release = release,
    .read = read,
    .mttkrp = mttkrp,
    .mttkrp_single = mttkrp_single,
    .consecutive = true,
    .writes = true,
    .row_cost = 4,
    .bytes = bytes,
    .seek = seek,
};
