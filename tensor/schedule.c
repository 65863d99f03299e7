/* schedule.c - see schedule.h. The rule of [H] weighs slices by counting superblocks and threads; a text has most of its
 * nonzeros in the few slices of its commonest words, so here they are weighed in nonzeros, slice by slice, against a fixed
 * number of parts. */
#include "tensor/schedule.h"

#include <string.h>

enum {
    PARTS = 16, /* no task has much more than this part of the nonzeros */
    NONZEROS_PER_ROW =
        8, /* of a private task at least: less would not be worth clearing and adding its rows */
    MIN_BITS = 9, /* superblocks have 2^9 .. 2^14 indices a side, */
    MAX_BITS = 14,
    SLICES = 32, /* if that gives the longest mode so many slices */
    PIECE = 256, /* nonzeros read at a time */
};

static uint32_t choose_side(const trib_tensor *tensor) {
    uint32_t longest = 1, bits = MIN_BITS;
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (tensor->dim[m] > longest) longest = tensor->dim[m];
    while (bits < MAX_BITS && longest >> (bits + 1) >= SLICES) bits++;
    return bits;
}

/* Rows of a slice of a mode: 2^l, or all there are. */
static uint32_t rows_of(const trib_schedule *x, const trib_tensor *tensor, uint32_t mode) {
    const uint32_t side = UINT32_C(1) << x->side_bits;
    return tensor->dim[mode] < side ? tensor->dim[mode] : side;
}

/* The most nonzeros a task of a mode should have. */
static size_t share_of(const trib_schedule *x, const trib_tensor *tensor, uint32_t mode) {
    const size_t least = (size_t)NONZEROS_PER_ROW * rows_of(x, tensor, mode);
    return tensor->nnz / PARTS > least ? tensor->nnz / PARTS : least;
}

/* Superblocks begin where the place changes, or where one has half a share. One walk counts them, or, when there is room,
 * notes where they start and their places / 2^l in place[n_superblocks][n_modes]. */
static void walk(trib_schedule *x, const trib_tensor *tensor, uint32_t *place) {
    const uint32_t n_modes = tensor->n_modes;
    uint32_t index[PIECE * TRIB_MAX_MODES], here[TRIB_MAX_MODES] = {0};
    double value[PIECE];
    size_t most = tensor->nnz, begun = 0;
    for (uint32_t m = 0; m < n_modes; m++)
        if (share_of(x, tensor, m) / 2 < most) most = share_of(x, tensor, m) / 2;
    x->n_superblocks = 0;
    for (size_t at = 0; at < tensor->nnz; at += PIECE) {
        const size_t n = tensor->nnz - at < PIECE ? tensor->nnz - at : PIECE;
        tensor->format->read(tensor, at, n, index, value);
        for (size_t i = 0; i < n; i++) {
            bool fresh = at + i == 0 || at + i - begun >= most;
            for (uint32_t m = 0; m < n_modes; m++)
                fresh |= index[i * n_modes + m] >> x->side_bits != here[m];
            if (!fresh) continue;
            begun = at + i;
            for (uint32_t m = 0; m < n_modes; m++) here[m] = index[i * n_modes + m] >> x->side_bits;
            if (place) {
                x->start[x->n_superblocks] = (uint32_t)begun;
                memcpy(place + (size_t)x->n_superblocks * n_modes, here, n_modes * sizeof *here);
            }
            x->n_superblocks++;
        }
    }
    if (place) x->start[x->n_superblocks] = (uint32_t)tensor->nnz;
}

/* list[mode]: a stable sort of the superblocks by their place, digit by digit. */
static void sort_superblocks(const trib_schedule *x, uint32_t n_modes, uint32_t mode,
                             const uint32_t *place, uint32_t *other) {
    uint32_t *from = x->list[mode], *to = other;
    const uint32_t n = x->n_superblocks;
    for (uint32_t s = 0; s < n; s++) from[s] = s;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        uint32_t next[257] = {0};
        for (uint32_t i = 0; i < n; i++)
            next[(place[(size_t)from[i] * n_modes + mode] >> shift & 255) + 1]++;
        for (uint32_t d = 0; d < 256; d++) next[d + 1] += next[d];
        for (uint32_t i = 0; i < n; i++)
            to[next[place[(size_t)from[i] * n_modes + mode] >> shift & 255]++] = from[i];
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    } /* an even number of passes: the result is in list[mode] */
}

/* The tasks of a mode: counted with NULL, or noted. */
static void cut_tasks(trib_schedule *x, const trib_tensor *tensor, uint32_t mode,
                      const uint32_t *place, trib_slice_task *task) {
    const uint32_t *list = x->list[mode], n_modes = tensor->n_modes;
    const size_t share = share_of(x, tensor, mode);
    uint32_t n_tasks = 0, n_slices = 0, n_private = 0, n_iterations = 0, end;
    for (uint32_t at = 0; at < x->n_superblocks; at = end) {
        const uint32_t slice = place[(size_t)list[at] * n_modes + mode];
        size_t in_slice = 0, in_task = 0;
        for (end = at; end < x->n_superblocks; end++) {
            if (place[(size_t)list[end] * n_modes + mode] != slice) break;
            in_slice += x->start[list[end] + 1] - x->start[list[end]];
        }
        const size_t n_parts = in_slice / share > 1 ? in_slice / share : 1;
        for (uint32_t i = at; i < end; i++) {
            if (i == at || in_task * n_parts >= in_slice) {
                const uint32_t row = slice << x->side_bits, n_rows = rows_of(x, tensor, mode);
                const uint32_t left = tensor->dim[mode] - row;
                if (task)
                    task[n_tasks] = (trib_slice_task){i, end, row, left < n_rows ? left : n_rows,
                                                      i == at ? TRIB_NO_BUFFER : n_private};
                if (task && i > at) task[n_tasks - 1].last = i;
                n_private += i > at;
                n_tasks++;
                in_task = 0;
            }
            in_task += x->start[list[i] + 1] - x->start[list[i]];
        }
        n_slices++;
        if (end - at > n_iterations) n_iterations = end - at;
    }
    x->n_tasks[mode] = n_tasks;
    x->n_slices[mode] = n_slices;
    x->n_private[mode] = n_private;
    x->n_iterations[mode] = n_iterations;
}

trib_status trib_schedule_build(trib_schedule *x, const trib_tensor *tensor, int n_threads,
                                trib_error *error) {
    const uint32_t n_modes = tensor->n_modes;
    uint32_t *place = NULL, *other = NULL;
    trib_status status = TRIB_OK;
    x->side_bits = choose_side(tensor);
    if (tensor->nnz == 0) return TRIB_OK;
    walk(x, tensor, NULL);
    const size_t n = x->n_superblocks;
    status = trib_new(&place, n, n_modes * sizeof *place, "superblocks", error);
    if (status == TRIB_OK) status = trib_new(&other, n, sizeof *other, "superblocks", error);
    if (status == TRIB_OK)
        status = trib_new(&x->start, n + 1, sizeof *x->start, "superblocks", error);
    if (status == TRIB_OK) walk(x, tensor, place);
    for (uint32_t m = 0; status == TRIB_OK && m < n_modes; m++) {
        status = trib_new(&x->list[m], n, sizeof *x->list[m], "superblocks", error);
        if (status != TRIB_OK) break;
        sort_superblocks(x, n_modes, m, place, other);
        cut_tasks(x, tensor, m, place, NULL);
        status = trib_new(&x->task[m], x->n_tasks[m], sizeof *x->task[m], "tasks", error);
        if (status == TRIB_OK) cut_tasks(x, tensor, m, place, x->task[m]);
        if (x->n_private[m] == 0) continue;
        if (x->n_private[m] > x->n_buffers) x->n_buffers = x->n_private[m];
        if (rows_of(x, tensor, m) > x->buffer_rows) x->buffer_rows = rows_of(x, tensor, m);
    }
    if (n_threads <= 1 && x->n_buffers > 1) x->n_buffers = 1;
    if (status == TRIB_OK)
        status = trib_new_aligned(&x->buffer, (size_t)x->n_buffers * x->buffer_rows,
                                  TRIB_PRIVATE_COLUMNS * sizeof *x->buffer, "private rows", error);
    trib_free(place);
    trib_free(other);
    return status;
}

void trib_schedule_release(trib_schedule *x) {
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) {
        trib_free(x->list[m]);
        trib_free(x->task[m]);
    }
    trib_free(x->start);
    trib_free(x->buffer);
    *x = (trib_schedule){0};
}

size_t trib_schedule_bytes(const trib_schedule *x, uint32_t n_modes) {
    size_t sum = x->start ? ((size_t)x->n_superblocks + 1) * sizeof *x->start : 0;
    for (uint32_t m = 0; m < n_modes; m++)
        sum += x->n_superblocks * sizeof *x->list[m] + x->n_tasks[m] * sizeof *x->task[m];
    return sum + (size_t)x->n_buffers * x->buffer_rows * TRIB_PRIVATE_COLUMNS * sizeof *x->buffer;
}

/* What the tasks of a call have in common. */
typedef struct call {
    const trib_schedule *x;
    const trib_tensor *tensor;
    trib_add_terms *add;
    trib_task task; /* out is the result */
    uint32_t rank;
} call;

static double *buffer_of(const trib_schedule *x, const trib_slice_task *t) {
    const size_t b = t->buffer < x->n_buffers ? t->buffer : 0;
    return x->buffer + b * x->buffer_rows * TRIB_PRIVATE_COLUMNS;
}

/* Adds columns from .. from+width-1 of a task's terms: to the result, or to its private rows, cleared before. */
static void compute(const call *c, const trib_slice_task *t, uint32_t from, uint32_t width) {
    trib_task task = c->task;
    for (uint32_t k = 0; k < task.n_others; k++) task.other[k] += from;
    task.out += from;
    if (t->buffer != TRIB_NO_BUFFER) {
        task.out = buffer_of(c->x, t);
        task.out_stride = width;
        task.first_row = t->row;
        memset(task.out, 0, (size_t)t->n_rows * width * sizeof *task.out);
    }
    for (uint32_t i = t->first; i < t->last; i++) {
        const uint32_t s = c->x->list[task.mode][i];
        task.first = c->x->start[s];
        while (i + 1 < t->last && c->x->list[task.mode][i + 1] == c->x->list[task.mode][i] + 1)
            i++; /* neighbours on the curve in one stretch */
        task.last = c->x->start[c->x->list[task.mode][i] + 1];
        c->add(c->tensor, &task, width);
    }
}

/* Adds private rows first .. last-1 of a task to the result. */
static void add_private(const call *c, const trib_slice_task *t, uint32_t row, uint32_t from,
                        uint32_t width) {
    const double *restrict own = buffer_of(c->x, t) + (size_t)row * width;
    double *restrict out = c->task.out + ((size_t)t->row + row) * c->rank + from;
    for (uint32_t r = 0; r < width; r++) out[r] += own[r];
}

static uint32_t width_at(uint32_t rank, uint32_t from) {
    return rank - from < TRIB_PRIVATE_COLUMNS ? rank - from : TRIB_PRIVATE_COLUMNS;
}

/* Task by task, in the order in which the threads' parts are added. */
static void run_alone(const call *c) {
    const uint32_t mode = c->task.mode;
    memset(c->task.out, 0, (size_t)c->tensor->dim[mode] * c->rank * sizeof *c->task.out);
    for (uint32_t i = 0; i < c->x->n_tasks[mode]; i++) {
        const trib_slice_task *t = &c->x->task[mode][i];
        if (t->buffer == TRIB_NO_BUFFER) {
            compute(c, t, 0, c->rank);
            continue;
        }
        for (uint32_t from = 0; from < c->rank; from += TRIB_PRIVATE_COLUMNS) {
            const uint32_t width = width_at(c->rank, from);
            compute(c, t, from, width);
            for (uint32_t row = 0; row < t->n_rows; row++) add_private(c, t, row, from, width);
        }
    }
}

/* A thread takes tasks as it comes to them; then rows of a slice, the same ones of each of its tasks. */
static void run_together(const call *c, int n_threads) {
    const uint32_t mode = c->task.mode, n = c->x->n_tasks[mode], rank = c->rank;
    const trib_slice_task *task = c->x->task[mode];
    for (uint32_t from = 0; from < rank; from += TRIB_PRIVATE_COLUMNS) {
        const uint32_t width = width_at(rank, from);
        const uint32_t n_rows = from == 0 ? c->tensor->dim[mode] : 0; /* to clear */
        if (from > 0 && c->x->n_private[mode] == 0) break;
#pragma omp parallel num_threads(n_threads)
        {
#pragma omp for schedule(static)
            for (uint32_t row = 0; row < n_rows; row++)
                memset(c->task.out + (size_t)row * rank, 0, rank * sizeof *c->task.out);
#pragma omp for schedule(dynamic, 1)
            for (uint32_t i = 0; i < n; i++)
                if (task[i].buffer != TRIB_NO_BUFFER) compute(c, &task[i], from, width);
                else if (from == 0) compute(c, &task[i], 0, rank);
            for (uint32_t i = 0; i < n; i++) {
                if (task[i].buffer == TRIB_NO_BUFFER) continue;
#pragma omp for schedule(static) nowait
                for (uint32_t row = 0; row < task[i].n_rows; row++)
                    add_private(c, &task[i], row, from, width);
            }
        }
    }
}

void trib_schedule_run(const trib_schedule *x, const trib_tensor *tensor, uint32_t mode,
                       uint32_t rank, const double *const factor[], double *out, int n_threads,
                       trib_add_terms *add) {
    call c = {x, tensor, add, trib_task_whole(tensor, mode, rank, factor, out), rank};
    if (n_threads <= 1 || x->n_buffers < x->n_private[mode]) run_alone(&c);
    else run_together(&c, n_threads);
}
