/* schedule.c - superblocks and how threads share them: see format.h. The rule of [H] compares
 * numbers of superblocks and threads. A text has most of its nonzeros in the few slices of its most
 * frequent words, so here the work of each slice is measured in nonzeros and compared with a fixed
 * share. */
#include "tensor/formats/kernel.h"

enum {
    NONZEROS_PER_ROW =
        /* Nonzeros of a private task per row, at least: with fewer it would not be worth clearing
         * and adding its rows. */
    8,
    MIN_BITS = 9, /* superblocks have 2^9 .. 2^14 indices along each side, */
    MAX_BITS = 14,
    SLICES = 32,  /* as long as the longest mode then has this many slices */
    PIECE = 256,  /* nonzeros read at a time */
    COLUMNS = 56, /* of private rows; further columns are computed in another pass */
    PARTS = 16    /* no task has much more than 1 / PARTS of the nonzeros */
};
#define NO_BUFFER UINT32_MAX

/* log2 of the given side of a superblock, or of a suitable one. */
static uint32_t choose_side(const trib_tensor *tensor, uint32_t side) {
    uint32_t longest = 1, bits = MIN_BITS;
    if (side > 0) {
        for (bits = 0; side >> bits > 1;) bits++;
        return bits;
    }
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (tensor->dim[m] > longest) longest = tensor->dim[m];
    while (bits < MAX_BITS && longest >> (bits + 1) >= SLICES) bits++;
    return bits;
}

/* The number of rows of a slice of a mode: 2^l, or all rows. */
static uint32_t rows_of(const trib_schedule *x, const trib_tensor *tensor, uint32_t mode) {
    const uint32_t side = UINT32_C(1) << x->side_bits;
    return tensor->dim[mode] < side ? tensor->dim[mode] : side;
}

/* The largest number of nonzeros that a task of a mode should have. */
static size_t share_of(const trib_schedule *x, const trib_tensor *tensor, uint32_t mode) {
    const size_t least = (size_t)NONZEROS_PER_ROW * rows_of(x, tensor, mode);
    return tensor->nnz / PARTS > least ? tensor->nnz / PARTS : least;
}

/* A superblock ends where the position changes, or where it has half a share. One pass counts the
 * superblocks; a second one, with room, stores where they start and their positions / 2^l in
 * place[n_superblocks][n_modes]. */
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

/* Sorts the superblocks by their position in a mode, then along the curve, into list[0 .. n-1]: a
 * stable sort, digit by digit. The second half of the list is scratch space. */
static void sort_superblocks(const trib_schedule *x, uint32_t n_modes, uint32_t mode,
                             const uint32_t *place, uint32_t *list) {
    const uint32_t n = x->n_superblocks;
    uint32_t *from = list, *to = list + n;
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
    } /* the number of passes is even, so the result is in the first half */
}

/* Counts the tasks of a mode (`task` NULL) or stores them. Returns how many slices have private
 * rows. */
static uint32_t cut_tasks(trib_schedule *x, const trib_tensor *tensor, uint32_t mode,
                          const uint32_t *place, const uint32_t *list, trib_slice_task *task) {
    const uint32_t n_modes = tensor->n_modes;
    const size_t share = share_of(x, tensor, mode);
    uint32_t n_tasks = 0, n_slices = 0, n_private = 0, n_iterations = 0, n_slots = 0, end;
    for (uint32_t at = 0; at < x->n_superblocks; at = end) {
        const uint32_t slice = place[(size_t)list[at] * n_modes + mode];
        const uint32_t row = slice << x->side_bits, n_rows = rows_of(x, tensor, mode);
        const uint32_t left = tensor->dim[mode] - row, n_private_before = n_private;
        size_t in_slice = 0, in_task = 0;
        for (end = at; end < x->n_superblocks; end++) {
            if (place[(size_t)list[end] * n_modes + mode] != slice) break;
            in_slice += x->start[list[end] + 1] - x->start[list[end]];
        }
        const size_t n_parts = in_slice / share > 1 ? in_slice / share : 1;
        for (uint32_t i = at; i < end; i++) {
            const uint32_t s = list[i], nnz = x->start[s + 1] - x->start[s];
            if (i == at || in_task * n_parts >= in_slice) {
                if (task)
                    task[n_tasks] = (trib_slice_task){row, left < n_rows ? left : n_rows,
                                                      i == at ? NO_BUFFER : n_private, n_slots};
                n_private += i > at;
                n_tasks++;
                in_task = 0;
            }
            in_task += nnz;
            if (!task) continue;
            x->task_of[mode][s] = n_tasks - 1;
        }
        n_slots += n_private > n_private_before;
        n_slices++;
        if (end - at > n_iterations) n_iterations = end - at;
    }
    x->n_tasks[mode] = n_tasks;
    x->n_slices[mode] = n_slices;
    x->n_private[mode] = n_private;
    x->n_iterations[mode] = n_iterations;
    return n_slots;
}

/* Makes the tasks of a mode, and determines how many private rows any mode needs. */
static void build_mode(trib_building *b, uint32_t m, const uint32_t *place, uint32_t *list) {
    const trib_tensor *tensor = b->tensor;
    trib_schedule *x = tensor->data;
    x->task_of[m] = trib_tensor_array(b, x->n_superblocks, sizeof *x->task_of[m], "superblocks");
    if (b->status != TRIB_OK) return;
    sort_superblocks(x, tensor->n_modes, m, place, list);
    const uint32_t n_slots = cut_tasks(x, tensor, m, place, list, NULL);
    x->task[m] = trib_tensor_array(b, x->n_tasks[m], sizeof *x->task[m], "tasks");
    if (b->status != TRIB_OK) return;
    cut_tasks(x, tensor, m, place, list, x->task[m]);
    if (n_slots == 0) return;
    const uint32_t n_buffers = tensor->n_threads > 1 ? x->n_private[m] : n_slots;
    if (n_buffers > x->n_buffers) x->n_buffers = n_buffers;
    if (rows_of(x, tensor, m) > x->buffer_rows) x->buffer_rows = rows_of(x, tensor, m);
}

void trib_schedule_build(trib_building *b, uint32_t side) {
    const trib_tensor *tensor = b->tensor;
    trib_schedule *x = tensor->data;
    uint32_t *place = NULL, *list = NULL;
    if (b->status != TRIB_OK) return;
    x->side_bits = choose_side(tensor, side);
    if (tensor->nnz == 0) return;
    walk(x, tensor, NULL);
    const size_t n = x->n_superblocks;
    b->status = trib_new(&place, n, tensor->n_modes * sizeof *place, "superblocks", b->error);
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&list, 2 * n, "superblocks", b->error);
    x->start = trib_tensor_array(b, n + 1, sizeof *x->start, "superblocks");
    if (b->status == TRIB_OK) walk(x, tensor, place);
    for (uint32_t m = 0; b->status == TRIB_OK && m < tensor->n_modes; m++)
        build_mode(b, m, place, list);
    const size_t n_rows = (size_t)x->n_buffers * x->buffer_rows, row = COLUMNS * sizeof *x->buffer;
    if (b->status == TRIB_OK)
        b->status = trib_new_aligned(&x->buffer, n_rows, row, "private rows", b->error);
    trib_tensor_keep(b, x->buffer, n_rows * row);
    TRIB_FREE(place, list);
}

/* What the tasks of a call have in common. Columns from .. from+width-1 of the result are
 * computed. */
typedef struct call {
    const trib_schedule *x;
    const trib_tensor *tensor;
    trib_task task; /* `out` is the result, from its first column on */
    uint32_t rank, from, width;
} call;

static double *buffer_at(const trib_schedule *x, uint32_t b) {
    return x->buffer + (size_t)b * x->buffer_rows * COLUMNS;
}

static void clear_rows(const call *c, const trib_slice_task *t, double *own) {
    memset(own, 0, (size_t)t->n_rows * c->width * sizeof *own);
}

/* Adds row number `row` of the private rows of a task to the result. */
static void add_private(const call *c, const trib_slice_task *t, const double *buffer,
                        uint32_t row) {
    const double *restrict own = buffer + (size_t)row * c->width;
    double *restrict out = c->task.out + ((size_t)t->row + row) * c->rank + c->from;
    for (uint32_t r = 0; r < c->width; r++) out[r] += own[r];
}

/* Adds the terms of superblocks s .. end-1 to the result, or to the private rows of t. */
static void compute(const call *c, uint32_t s, uint32_t end, const trib_slice_task *t,
                    double *own) {
    trib_task task = c->task;
    for (uint32_t k = 0; k < task.n_others; k++) task.other[k] += c->from;
    task.out += c->from;
    if (own) {
        task.out = own;
        task.out_stride = c->width;
        task.first_row = t->row;
    }
    task.first = c->x->start[s];
    task.last = c->x->start[end];
    c->tensor->format->add(c->tensor, &task, c->width);
}

/* Tasks are given to the threads in turn, forwards and backwards, since slices of frequent indices
 * come first and have the most nonzeros. */
static uint32_t owner_of(uint32_t task, uint32_t n_parts) {
    const uint32_t at = task % (2 * n_parts);
    return at < n_parts ? at : 2 * n_parts - 1 - at;
}

/* The end of the superblocks from s on that a thread adds to the same rows: those of one private
 * task, or of any tasks of the thread that add to the result. */
static uint32_t end_of_run(const trib_schedule *x, uint32_t mode, uint32_t s, uint32_t part,
                           uint32_t n_parts) {
    const uint32_t *task_of = x->task_of[mode], here = task_of[s];
    const bool is_shared = x->task[mode][here].buffer == NO_BUFFER;
    for (s++; s < x->n_superblocks; s++) {
        const uint32_t i = task_of[s];
        if (i == here) continue;
        if (!is_shared || x->task[mode][i].buffer != NO_BUFFER) break;
        if (owner_of(i, n_parts) != part) break;
    }
    return s;
}

/* One thread computes all tasks. Private tasks of one slice use the same buffer one after the
 * other: each is added to the result before the next begins. This is the order in which the rows of
 * several threads are added. */
static void run_alone(const call *c) {
    const trib_schedule *x = c->x;
    const uint32_t mode = c->task.mode;
    const trib_slice_task *held[PARTS] = {0}; /* the task whose rows are in a buffer */
    for (uint32_t s = 0, end; s < x->n_superblocks; s = end) {
        const trib_slice_task *t = &x->task[mode][x->task_of[mode][s]];
        double *own = NULL;
        end = end_of_run(x, mode, s, 0, 1);
        if (t->buffer != NO_BUFFER) {
            const trib_slice_task *before = held[t->slot];
            own = buffer_at(x, t->slot);
            for (uint32_t row = 0; before && before != t && row < t->n_rows; row++)
                add_private(c, before, own, row);
            if (before != t) clear_rows(c, t, own);
            held[t->slot] = t;
        }
        compute(c, s, end, t, own);
    }
    for (uint32_t b = 0; b < PARTS; b++)
        for (uint32_t row = 0; held[b] && row < held[b]->n_rows; row++)
            add_private(c, held[b], buffer_at(x, b), row);
}

/* Computes the tasks of thread `part` of n_parts. */
static void run_part(const call *c, uint32_t part, uint32_t n_parts) {
    const trib_schedule *x = c->x;
    const uint32_t mode = c->task.mode;
    for (uint32_t i = 0; i < x->n_tasks[mode]; i++) {
        const trib_slice_task *t = &x->task[mode][i];
        if (t->buffer != NO_BUFFER && owner_of(i, n_parts) == part)
            clear_rows(c, t, buffer_at(x, t->buffer));
    }
    for (uint32_t s = 0, end; s < x->n_superblocks; s = end) {
        const uint32_t i = x->task_of[mode][s];
        end = s + 1;
        if (owner_of(i, n_parts) != part) continue;
        const trib_slice_task *t = &x->task[mode][i];
        end = end_of_run(x, mode, s, part, n_parts);
        compute(c, s, end, t, t->buffer != NO_BUFFER ? buffer_at(x, t->buffer) : NULL);
    }
}

/* Each thread computes its tasks. Then the threads share the rows of each slice and add the private
 * rows of all its tasks. */
static void run_together(const call *c, int n_threads) {
    const uint32_t mode = c->task.mode, n = c->x->n_tasks[mode], n_parts = (uint32_t)n_threads;
    const trib_slice_task *task = c->x->task[mode];
#pragma omp parallel num_threads(n_threads)
    {
#pragma omp for schedule(static, 1)
        for (uint32_t part = 0; part < n_parts; part++) run_part(c, part, n_parts);
        for (uint32_t i = 0; i < n; i++) {
            if (task[i].buffer == NO_BUFFER) continue;
#pragma omp for schedule(static) nowait
            for (uint32_t row = 0; row < task[i].n_rows; row++)
                add_private(c, &task[i], buffer_at(c->x, task[i].buffer), row);
        }
    }
}

static void clear(double *out, size_t n_rows, uint32_t rank, int n_threads) {
#pragma omp parallel for schedule(static) num_threads(n_threads) if (n_threads > 1)
    for (size_t row = 0; row < n_rows; row++) memset(out + row * rank, 0, rank * sizeof *out);
}

/* How many columns are computed at a time: all or, where the private rows are too short, as many as
 * kernels are specialised for. */
static uint32_t width_of(const trib_schedule *x, uint32_t mode, uint32_t rank) {
    if (x->n_private[mode] == 0 || rank <= COLUMNS) return rank;
    return rank % 50 == 0 ? 50 : COLUMNS;
}

void trib_schedule_run(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                       const double *const factor[], double *out, int n_threads) {
    const trib_schedule *x = tensor->data;
    call c = {.x = x,
              .tensor = tensor,
              .task = trib_task_of(tensor, mode, rank, factor, out, TRIB_EVERY_LANE, 0),
              .rank = rank};
    const bool alone = n_threads <= 1 || x->n_buffers < x->n_private[mode];
    const uint32_t width = width_of(x, mode, rank);
    clear(out, tensor->dim[mode], rank, alone ? 1 : n_threads);
    for (; c.from < rank; c.from += width) {
        c.width = rank - c.from < width ? rank - c.from : width;
        if (alone) run_alone(&c);
        else run_together(&c, n_threads);
    }
}
