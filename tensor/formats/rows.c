/* rows.c - for every mode the nonzeros sorted by row, those of value 1 first. An MTTKRP sums a row
 * of the result in registers and writes it once.
 *
 * Four fifths of the n-grams of a text occur once, so for most terms no value is stored or
 * multiplied. Fibers hold two or three nonzeros, so dividing rows further, into a tree, would cost
 * more branches than it saves products. Within a row nonzeros follow the Morton curve, which makes
 * good use of the caches. Indices have 16 bits where that suffices, as it does for the words of
 * most documents. Threads share rows, so their lanes need no lists. */
#include "tensor/formats/rows.h"
#include "base/internal.h"

typedef struct rows {
    bool narrow; /* indices are uint16_t, else uint32_t */
    trib_rows_side mode[TRIB_MAX_MODES];
} rows;

static size_t index_size(bool narrow) { return narrow ? sizeof(uint16_t) : sizeof(uint32_t); }

/* The nonzeros in the order in which they are distributed to rows. */
typedef struct nonzeros {
    size_t n;
    uint32_t n_modes;
    bool narrow;   /* indices are uint16_t, else uint32_t */
    void *index;   /* [n][n_modes] */
    double *value; /* [n] */
} nonzeros;

TRIB_INLINE void set_index(void *index, size_t at, uint32_t i, bool narrow) {
    if (narrow) ((uint16_t *)index)[at] = (uint16_t)i;
    else ((uint32_t *)index)[at] = i;
}

/* value == 1, without a branch. No other number has these bits. */
TRIB_INLINE bool is_one(double value) {
    const double one = 1;
    uint64_t bits, bits_of_one;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&bits_of_one, &one, sizeof bits_of_one);
    return bits == bits_of_one;
}

/* What is known of a row while nonzeros are distributed. */
typedef struct row_ends {
    uint32_t next[2]; /* the next places of its values, and of its ones */
    uint32_t n_ones;  /* ones up to the end of this row */
} row_ends;

/* The scratch space of a side. */
typedef struct numbering {
    /* Of a dense mode, one whose rows are numbered by a table: [dim] first the nonzeros of each
     * row, with those whose value is not 1 in the high 32 bits; later its place. Of another mode:
     * [n_rows] likewise. */
    uint64_t *count;
    uint32_t *place; /* [n] the places of the nonzeros' rows; NULL for a dense mode */
    row_ends *next;  /* [n_rows] */
} numbering;

/* Numbers the rows of a mode that has many more indices than there are nonzeros: x->row is sorted,
 * and s->place found by search. */
static void number_few(trib_building *b, trib_rows_side *x, numbering *s, const nonzeros *of,
                       uint32_t mode) {
    TRIB_FREED(uint32_t *) row = NULL;
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&row, of->n, "sorting", b->error);
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&s->place, of->n, "sorting", b->error);
    for (size_t e = 0; b->status == TRIB_OK && e < of->n; e++)
        row[e] = trib_rows_index(of->index, e * of->n_modes + mode, of->narrow);
    if (b->status == TRIB_OK && of->n > 0) qsort(row, of->n, sizeof *row, trib_by_uint32);
    for (size_t i = 0; b->status == TRIB_OK && i < of->n; i++)
        if (i == 0 || row[i] != row[i - 1]) row[x->n_rows++] = row[i];
    x->row = trib_tensor_array(b, x->n_rows, sizeof *x->row, "rows");
    if (b->status == TRIB_OK && x->n_rows > 0) memcpy(x->row, row, x->n_rows * sizeof *row);
    for (size_t e = 0; b->status == TRIB_OK && e < of->n; e++)
        s->place[e] = trib_place_of(x->row, x->n_rows,
                                    trib_rows_index(of->index, e * of->n_modes + mode, of->narrow));
}

/* The number of nonzero e in s->count. */
TRIB_INLINE size_t slot_of(const numbering *s, const nonzeros *of, size_t e, uint32_t n_modes,
                           uint32_t mode, bool narrow) {
    return s->place ? s->place[e] : trib_rows_index(of->index, e * n_modes + mode, narrow);
}

/* Counts the nonzeros of each row, and those whose value is not 1. */
static void count_nonzeros(const numbering *s, const nonzeros *of, uint32_t mode) {
    for (size_t e = 0; e < of->n; e++)
        s->count[slot_of(s, of, e, of->n_modes, mode, of->narrow)] +=
            1 + ((uint64_t)!is_one(of->value[e]) << 32);
}

/* Numbers the rows by s->count[n_slots] and adds the counts up to where the rows start. */
static void start_rows(trib_rows_side *x, numbering *s, size_t n_slots) {
    uint32_t i = 0;
    for (size_t slot = 0; slot < n_slots; slot++) {
        const uint32_t n = (uint32_t)s->count[slot], n_values = (uint32_t)(s->count[slot] >> 32);
        if (n == 0) continue;
        if (!s->place) x->row[i] = (uint32_t)slot;
        x->start[i + 1] = x->start[i] + n;
        x->value_start[i + 1] = x->value_start[i] + n_values;
        s->next[i] = (row_ends){{x->start[i + 1] - n_values, x->start[i]},
                                x->start[i + 1] - x->value_start[i + 1]};
        s->count[slot] = i++;
    }
}

/* Distributes the nonzeros to their rows, ones first. Whether a value is 1 is hard to predict, so
 * no branch depends on it: ones write to the place after the last value. */
TRIB_INLINE void deal_to_rows(trib_rows_side *x, uint32_t n_modes, bool narrow, const nonzeros *of,
                              uint32_t mode, const numbering *s) {
    const uint32_t n_values = x->value_start[x->n_rows];
    uint32_t other[TRIB_MAX_MODES] = {0}, n = 0;
    for (uint32_t m = 0; m < n_modes; m++)
        if (m != mode) other[n++] = m;
    double *const values = x->value;
    void *const indices = x->index;
    for (size_t e = 0; e < of->n; e++) {
        row_ends *row = &s->next[s->count[slot_of(s, of, e, n_modes, mode, narrow)]];
        const double value = of->value[e];
        const bool one = is_one(value);
        const uint32_t at = row->next[one]++, value_at = at - row->n_ones;
        const uint32_t if_one = 0 - (uint32_t)one;
        values[(value_at & ~if_one) | (n_values & if_one)] = value;
        for (uint32_t m = 0; m + 1 < n_modes; m++)
            set_index(indices, (size_t)at * (n_modes - 1) + m,
                      trib_rows_index(of->index, e * n_modes + other[m], narrow), narrow);
    }
}

/* Calls deal_to_rows with constants for the shapes of texts. */
TRIB_KERNEL(void, deal_nonzeros,
            (trib_rows_side * x, const nonzeros *of, uint32_t mode, const numbering *s),
            (x, of, mode, s)) {
    if (of->n_modes == 3 && of->narrow) deal_to_rows(x, 3, true, of, mode, s);
    else if (of->n_modes == 3) deal_to_rows(x, 3, false, of, mode, s);
    else if (of->n_modes == 4 && of->narrow) deal_to_rows(x, 4, true, of, mode, s);
    else deal_to_rows(x, of->n_modes, of->narrow, of, mode, s);
}

static void build_side(trib_building *b, trib_rows_side *x, const nonzeros *of, uint32_t mode) {
    const uint32_t dim = b->tensor->dim[mode];
    const bool is_dense = dim / 4 <= of->n;
    numbering s = {0};
    b->status = trib_stop_check(b->error);
    if (!is_dense) number_few(b, x, &s, of, mode);
    const size_t n_slots = is_dense ? dim : x->n_rows;
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&s.count, n_slots, "sorting", b->error);
    if (b->status != TRIB_OK) goto done;
    count_nonzeros(&s, of, mode);
    for (size_t slot = 0; is_dense && slot < n_slots; slot++) x->n_rows += s.count[slot] > 0;
    const size_t n_rows = x->n_rows;
    if (is_dense) x->row = trib_tensor_array(b, n_rows, sizeof *x->row, "rows");
    x->start = trib_tensor_array(b, n_rows + 1, sizeof *x->start, "rows");
    x->value_start = trib_tensor_array(b, n_rows + 1, sizeof *x->value_start, "rows");
    x->index = trib_tensor_array(b, of->n + TRIB_ROWS_MOST_AHEAD,
                                 (of->n_modes - 1) * index_size(of->narrow), "indices");
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&s.next, n_rows, "sorting", b->error);
    if (b->status != TRIB_OK) goto done;
    start_rows(x, &s, n_slots);
    /* One more than needed, for deal_to_rows. */
    const size_t n_values = x->value_start[n_rows];
    b->status = TRIB_NEW(&x->value, n_values + 1, "values", b->error);
    trib_tensor_keep(b, x->value, n_values * sizeof *x->value);
    if (b->status == TRIB_OK) deal_nonzeros(x, of, mode, &s);
done:
    TRIB_FREE(s.count, s.place, s.next);
}

/* Sorts the entries of a table with keys of 64 bits along the Morton curve. Their indices are
 * computed from the sorted codes. */
static void gather_codes(trib_building *b, nonzeros *x, int n_threads) {
    const trib_hacoo *table = b->table;
    TRIB_FREED(trib_morton *) inverse = NULL;
    TRIB_FREED(uint64_t *) code = NULL;
    b->status = TRIB_NEW(&code, x->n, "sorting", b->error);
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&inverse, 1, "a Morton table", b->error);
    if (b->status == TRIB_OK)
        b->status = trib_order_codes(table, b->values, code, x->value, n_threads, b->error);
    if (b->status == TRIB_OK) {
        trib_morton_init(inverse, table, true);
#pragma omp parallel for schedule(static) num_threads(n_threads)
        for (size_t k = 0; k < x->n; k++) {
            uint64_t key = (uint64_t)trib_morton_move(inverse, table->key_bits, code[k], false);
            for (uint32_t m = x->n_modes; m-- > 0; key >>= table->bits[m])
                set_index(x->index, k * x->n_modes + m,
                          (uint32_t)(key & ((UINT64_C(1) << table->bits[m]) - 1)), x->narrow);
        }
    }
}

/* The same for any table. */
static void gather_entries(trib_building *b, nonzeros *x, int n_threads) {
    trib_building_sort(b, NULL);
    if (b->status != TRIB_OK) return;
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (size_t k = 0; k < x->n; k++) {
        uint32_t index[TRIB_MAX_MODES];
        x->value[k] = trib_building_take(b, k, index);
        for (uint32_t m = 0; m < x->n_modes; m++)
            set_index(x->index, k * x->n_modes + m, index[m], x->narrow);
    }
}

/* Reads the entries along the Morton curve. */
static void gather(trib_building *b, nonzeros *x, int n_threads) {
    b->status = trib_new(&x->index, x->n, x->n_modes * index_size(x->narrow), "sorting", b->error);
    if (b->status == TRIB_OK) b->status = TRIB_NEW(&x->value, x->n, "sorting", b->error);
    if (b->status == TRIB_OK)
        (trib_is_wide(b->table) ? gather_entries : gather_codes)(b, x, n_threads);
}

/* Threads share the modes. If several fail, the first failure is reported. */
static void build_sides(trib_building *b, rows *x, const nonzeros *of, int n_threads) {
    trib_building own[TRIB_MAX_MODES];
    trib_error error_of[TRIB_MAX_MODES] = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t m = 0; m < of->n_modes; m++) {
        own[m] = *b;
        own[m].error = &error_of[m];
        build_side(&own[m], &x->mode[m], of, m);
    }
    for (uint32_t m = 0; m < of->n_modes && b->status == TRIB_OK; m++) {
        b->status = own[m].status;
        if (b->status != TRIB_OK && b->error) *b->error = error_of[m];
    }
}

static void build(trib_building *b) {
    enum { LEAST_FOR_THREADS = 1 << 15 }; /* nonzeros */
    const trib_hacoo *table = b->table;
    const int n_threads = table->nnz < LEAST_FOR_THREADS ? 1 : b->tensor->n_threads;
    rows *x = b->tensor->data;
    nonzeros of = {.n = table->nnz, .n_modes = table->n_modes, .narrow = true};
    for (uint32_t m = 0; m < table->n_modes; m++)
        if (table->dim[m] > 1 << 16) of.narrow = false;
    x->narrow = of.narrow;
    gather(b, &of, n_threads);
    if (b->status == TRIB_OK) build_sides(b, x, &of, n_threads);
    TRIB_FREE(of.index, of.value);
}

/* Reads the arrays of mode 0. */
static void read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                 double *value) {
    const trib_rows_side *x = ((const rows *)tensor->data)->mode;
    const bool narrow = ((const rows *)tensor->data)->narrow;
    const uint32_t n_modes = tensor->n_modes;
    const size_t last = first + n;
    uint32_t i = trib_range_of(x->start, x->n_rows, first);
    for (size_t e = first; e < last; i++) {
        const size_t end = x->start[i + 1] < last ? x->start[i + 1] : last;
        const size_t n_values = x->value_start[i + 1] - x->value_start[i];
        const size_t end_of_ones = x->start[i + 1] - n_values;
        for (; e < end; e++, index += n_modes) {
            index[0] = x->row[i];
            for (uint32_t m = 1; m < n_modes; m++)
                index[m] = trib_rows_index(x->index, e * (n_modes - 1) + m - 1, narrow);
            *value++ = e < end_of_ones ? 1 : x->value[x->value_start[i] + (e - end_of_ones)];
        }
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

/* Either `factor` or `single` is NULL. */
static void multiply(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                     const double *const factor[], const float *const single[], double *out,
                     uint32_t lane) {
    const rows *all = tensor->data;
    const trib_rows_side *x = &all->mode[mode];
    const uint32_t ahead =
        trib_fetch_ahead(tensor, mode, single ? (rank + 1) / 2 : rank, TRIB_ROWS_MOST_AHEAD);
    trib_rows_job task = {.out = out, .last = x->n_rows};
    uint32_t from = 0, to = tensor->dim[mode], n = 0;
    if (lane != TRIB_EVERY_LANE) {
        const uint32_t *row = tensor->lanes.row + mode * (tensor->lanes.n + 1);
        from = row[lane];
        to = row[lane + 1];
        task.first = trib_place_of(x->row, x->n_rows, from);
        task.last = trib_place_of(x->row, x->n_rows, to);
    }
    clear_between(x, &task, rank, from, to);
    for (uint32_t m = 0; m < tensor->n_modes; m++)
        if (m != mode) task.other[n++] = single ? (const void *)single[m] : factor[m];
    trib_rows_sum(n, rank, x, &task, ahead, all->narrow, single);
}

static void mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                   const double *const factor[], double *out, uint32_t lane) {
    multiply(tensor, mode, rank, factor, NULL, out, lane);
}

static void mttkrp_single(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const float *const factor[], double *out, uint32_t lane) {
    multiply(tensor, mode, rank, NULL, factor, out, lane);
}

const trib_format trib_format_rows = {
    .name = "rows",
    .help = "the rows of every mode, nonzeros of value 1 first: made for texts",
    .size = sizeof(rows),
    .order = TRIB_ALONG_CURVE, /* in which the entries come to the rows */
    .build = build,
    .read = read,
    .mttkrp = mttkrp,
    .mttkrp_single = mttkrp_single,
    .consecutive = true,
    .writes = true,
    .row_cost = 4,
};
