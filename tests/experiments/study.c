/* study.c - see study.h. Line numbers are those of the algorithms in the paper. */
#include "tests/experiments/study.h"
#include "tensor/entry.h"

/* An index structure, in one buffer, and what a reader knows of it. */
typedef struct built {
    const study_points *x;
    study_organisation organisation;
    uint64_t bound[TRIB_MAX_MODES]; /* s_l, the local boundary */
    uint64_t line;                  /* size of a row or number of columns of the matrix */
    uint64_t n_lines;
    uint32_t mode[TRIB_MAX_MODES]; /* of each level of csf */
    size_t n_fibers[TRIB_MAX_MODES];
    uint64_t *b; /* [length] */
    size_t length;
    uint32_t *map; /* where each value of the result comes from; NULL: none moves */
} built;

static trib_key first_of(const void *context, size_t i) { return ((const uint64_t *)context)[i]; }

typedef struct pair {
    uint64_t key, at;
} pair;

static int by_key(const void *a, const void *b) {
    const pair *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static uint32_t *sort_keys(const uint64_t *key, size_t n, bool radix) {
    uint32_t *map = bench_new(n, sizeof *map);
    if (radix) {
        bench_must(trib_order_numbers(n, 64, first_of, key, map, 1, &bench_error));
        return map;
    }
    pair *pairs = bench_new(n, sizeof *pairs);
    for (size_t i = 0; i < n; i++) pairs[i] = (pair){key[i], i};
    qsort(pairs, n, sizeof *pairs, by_key);
    for (size_t i = 0; i < n; i++) map[i] = (uint32_t)pairs[i].at;
    free(pairs);
    return map;
}

static void find_bounds(built *x) {
    for (size_t i = 0; i < x->x->n; i++)
        for (uint32_t m = 0; m < x->x->n_modes; m++) {
            const uint64_t index = x->x->index[i * x->x->n_modes + m];
            if (index >= x->bound[m]) x->bound[m] = index + 1;
        }
}

static uint64_t address_of(const built *x, const uint64_t index[]) {
    uint64_t address = 0;
    for (uint32_t m = 0; m < x->x->n_modes; m++) address = address * x->bound[m] + index[m];
    return address;
}

static void build_linear(built *x) {
    x->length = x->x->n;
    x->b = bench_new(x->length, sizeof *x->b);
    for (size_t i = 0; i < x->x->n; i++) x->b[i] = address_of(x, x->x->index + i * x->x->n_modes);
}

/* The line of an address, and its place there: GCSC++ has columns for lines. */
static uint64_t line_of(const built *x, uint64_t address, uint64_t *place) {
    const bool rows = x->organisation == STUDY_GCSR;
    *place = rows ? address % x->line : address / x->line;
    return rows ? address / x->line : address % x->line;
}

/* Algorithm 1, GCSR++_BUILD, and the same by columns. */
static void build_matrix(built *x, bool radix) {
    const size_t n = x->x->n;
    uint64_t cells = 1, least = UINT64_MAX;
    for (uint32_t m = 0; m < x->x->n_modes; m++) {
        cells *= x->bound[m];
        if (x->bound[m] < least) least = x->bound[m];
    }
    x->n_lines = least;
    x->line = x->organisation == STUDY_GCSR ? cells / least : least;
    uint64_t *line = bench_new(n, sizeof *line), *place = bench_new(n, sizeof *place);
    for (size_t i = 0; i < n; i++) /* lines 7 to 11 */
        line[i] = line_of(x, address_of(x, x->x->index + i * x->x->n_modes), &place[i]);
    x->map = sort_keys(line, n, radix); /* line 12 */
    x->length = x->n_lines + 1 + n;
    x->b = bench_new(x->length, sizeof *x->b);
    for (size_t i = 0; i < n; i++) x->b[line[i] + 1]++; /* line 13 */
    for (uint64_t l = 0; l < x->n_lines; l++) x->b[l + 1] += x->b[l];
    for (size_t i = 0; i < n; i++) x->b[x->n_lines + 1 + i] = place[x->map[i]];
    free(line);
    free(place);
}

static void order_modes(built *x) {
    for (uint32_t m = 0; m < x->x->n_modes; m++) {
        uint32_t l = m;
        for (; l > 0 && x->bound[x->mode[l - 1]] > x->bound[m]; l--) x->mode[l] = x->mode[l - 1];
        x->mode[l] = m;
    }
}

/* Algorithm 2, CSF_BUILD: fids of every level, then fptr of all but the last. */
static void build_csf(built *x, bool radix) {
    const size_t n = x->x->n;
    const uint32_t d = x->x->n_modes;
    uint64_t *key = bench_new(n, sizeof *key), *fids[TRIB_MAX_MODES], *fptr[TRIB_MAX_MODES];
    order_modes(x);
    for (size_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < d; l++)
            key[i] = key[i] * x->bound[x->mode[l]] + x->x->index[i * d + x->mode[l]];
    x->map = sort_keys(key, n, radix); /* line 7 */
    free(key);
    for (uint32_t l = 0; l < d; l++) {
        fids[l] = bench_new(n, sizeof **fids);
        fptr[l] = bench_new(n + 1, sizeof **fptr);
    }
    for (size_t i = 0; i < n; i++) { /* lines 9 to 18 */
        const uint64_t *at = x->x->index + (size_t)x->map[i] * d;
        const uint64_t *before = x->x->index + (size_t)x->map[i > 0 ? i - 1 : 0] * d;
        uint32_t new = 0;
        while (i > 0 && new + 1 < d && at[x->mode[new]] == before[x->mode[new]]) new ++;
        for (uint32_t l = new; l < d; l++) {
            if (l + 1 < d) fptr[l][x->n_fibers[l]] = x->n_fibers[l + 1];
            fids[l][x->n_fibers[l]++] = at[x->mode[l]];
        }
    }
    for (uint32_t l = 0; l < d; l++) x->length += 2 * x->n_fibers[l] + 1;
    x->length -= n + 1;
    uint64_t *to = x->b = bench_new(x->length, sizeof *x->b);
    for (uint32_t l = 0; l < d; to += x->n_fibers[l++])
        memcpy(to, fids[l], x->n_fibers[l] * sizeof *to);
    for (uint32_t l = 0; l + 1 < d; to += x->n_fibers[l++] + 1) {
        fptr[l][x->n_fibers[l]] = x->n_fibers[l + 1];
        memcpy(to, fptr[l], (x->n_fibers[l] + 1) * sizeof *to);
    }
    for (uint32_t l = 0; l < d; l++) {
        free(fids[l]);
        free(fptr[l]);
    }
}

static void build(built *x, bool radix) {
    if (x->organisation == STUDY_COO) { /* nothing: the buffer is the organisation */
        x->b = x->x->index;
        x->length = x->x->n * x->x->n_modes;
        memcpy(x->bound, x->x->dim, sizeof x->bound);
        return;
    }
    find_bounds(x);
    if (x->organisation == STUDY_LINEAR) build_linear(x);
    else if (x->organisation == STUDY_CSF) build_csf(x, radix);
    else build_matrix(x, radix);
}

/* ---- Reading: every comparison as printed, none by bisection --------------------------------- */

static size_t scan(const uint64_t *from, size_t first, size_t last, uint64_t wanted) {
    while (first < last && from[first] != wanted) first++;
    return first < last ? first : SIZE_MAX;
}

static size_t find_coo(const built *x, const uint64_t *b, const uint64_t index[]) {
    const uint32_t d = x->x->n_modes;
    for (size_t i = 0; i < x->x->n; i++) {
        uint32_t m = 0;
        while (m < d && b[i * d + m] == index[m]) m++;
        if (m == d) return i;
    }
    return SIZE_MAX;
}

/* Algorithm 2, CSF_READ. */
static size_t find_csf(const built *x, const uint64_t *b, const uint64_t index[]) {
    const uint64_t *fids = b, *fptr = b;
    size_t first = 0, last = x->n_fibers[0];
    for (uint32_t l = 0; l < x->x->n_modes; l++) fptr += x->n_fibers[l];
    for (uint32_t l = 0;; l++) {
        const size_t at = scan(fids, first, last, index[x->mode[l]]);
        if (at == SIZE_MAX || l + 1 == x->x->n_modes) return at;
        first = fptr[at];
        last = fptr[at + 1];
        fids += x->n_fibers[l];
        fptr += x->n_fibers[l] + 1;
    }
}

/* The place of the value at an index; SIZE_MAX: there is none. */
static size_t find(const built *x, const uint64_t *b, const uint64_t index[]) {
    if (x->organisation == STUDY_COO) return find_coo(x, b, index);
    if (x->organisation == STUDY_CSF) return find_csf(x, b, index);
    for (uint32_t m = 0; m < x->x->n_modes; m++)
        if (index[m] >= x->bound[m]) return SIZE_MAX;
    uint64_t place = address_of(x, index);
    if (x->organisation == STUDY_LINEAR) return scan(b, 0, x->x->n, place);
    const uint64_t line = line_of(x, place, &place);
    return scan(b + x->n_lines + 1, b[line], b[line + 1], place);
}

/* The values of the region's cells, of so many of them as 2e8 comparisons allow, scaled up. */
static double query(const built *x, const uint64_t *b) {
    const bool whole = x->organisation == STUDY_COO || x->organisation == STUDY_LINEAR;
    const size_t cost = whole ? x->x->n : x->n_lines ? x->x->n / x->n_lines + 1 : 1000;
    size_t n_cells = 1, n, found = 0;
    for (uint32_t m = 0; m < x->x->n_modes; m++) n_cells *= x->x->dim[m] / 10;
    n = experiment_size(200000000) / cost;
    n = n < 4 ? 4 : n > n_cells ? n_cells : n;
    const double start = experiment_processor();
    for (size_t i = 0; i < n; i++) {
        uint64_t index[TRIB_MAX_MODES];
        size_t left = (size_t)((double)i * (double)n_cells / (double)n);
        for (uint32_t m = x->x->n_modes; m-- > 0; left /= x->x->dim[m] / 10)
            index[m] = x->x->dim[m] / 2 + left % (x->x->dim[m] / 10);
        const size_t at = find(x, b, index);
        if (at != SIZE_MAX) found += b[x->length + at] > 0;
    }
    const double time = experiment_processor() - start;
    if (found > n) bench_fail("more than there is");
    return time * (double)n_cells / (double)n;
}

static void check_values(const built *x, const uint64_t *b) {
    for (size_t i = 0; i < x->x->n; i += x->x->n / 5 + 1) {
        const size_t at = find(x, b, x->x->index + i * x->x->n_modes);
        if (at == SIZE_MAX || b[x->length + at] != x->x->value[i])
            bench_fail("a value is not found");
    }
}

static void read_back(const built *x, const char *path, study_times *t) {
    uint64_t *b = bench_new(x->length + x->x->n, sizeof *b);
    const double start = experiment_processor();
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(b, sizeof *b, x->length + x->x->n, file) : 0;
    if (file) fclose(file);
    t->extract = experiment_processor() - start;
    if (n != x->length + x->x->n) bench_fail("a fragment of the study is cut short");
    t->query = query(x, b);
    check_values(x, b);
    free(b);
}

/* Algorithm 3, WRITE. */
study_times study_measure(const study_points *points, study_organisation organisation, bool radix,
                          const char *path) {
    built x = {.x = points, .organisation = organisation};
    study_times t = {0};
    uint64_t *value = points->value;
    double now = experiment_processor(), before = now;
    build(&x, radix);
    t.build = (now = experiment_processor()) - before;
    if (x.map) { /* line 5 */
        before = now;
        value = bench_new(points->n, sizeof *value);
        for (size_t i = 0; i < points->n; i++) value[i] = points->value[x.map[i]];
        t.reorder = (now = experiment_processor()) - before;
    }
    if (path) {
        const size_t length = x.length + points->n;
        before = now;
        uint64_t *b = bench_new(length, sizeof *b); /* line 6 */
        memcpy(b, x.b, x.length * sizeof *b);
        memcpy(b + x.length, value, points->n * sizeof *b);
        t.others = (now = experiment_processor()) - before;
        before = now;
        FILE *file = fopen(path, "wb");
        const bool good = file && fwrite(b, sizeof *b, length, file) == length;
        if (!file || fclose(file) != 0 || !good) bench_fail("no room in /tmp");
        t.write = experiment_processor() - before;
        t.n_bytes = length * sizeof *b;
        free(b);
        read_back(&x, path, &t);
    }
    if (organisation != STUDY_COO) free(x.b);
    if (x.map) free(value);
    free(x.map);
    return t;
}

static trib_key key_of(const void *context, size_t e) {
    const trib_hacoo *table = context;
    return trib_entry_key(table->entry, e, trib_is_wide(table));
}

void study_points_of(study_points *x, const trib_hacoo *table, bool shuffled) {
    uint32_t *order = bench_new(table->nnz, sizeof *order), index[TRIB_MAX_MODES];
    trib_random random;
    *x = (study_points){.n_modes = table->n_modes, .n = table->nnz};
    for (uint32_t m = 0; m < table->n_modes; m++) x->dim[m] = table->dim[m];
    x->index = bench_new(table->nnz * table->n_modes, sizeof *x->index);
    x->value = bench_new(table->nnz, sizeof *x->value);
    bench_must(
        trib_order_numbers(table->nnz, table->key_bits, key_of, table, order, 1, &bench_error));
    trib_random_seed(&random, 1);
    for (size_t i = table->nnz; shuffled && i > 1; i--) {
        const size_t k = (size_t)trib_random_below(&random, i);
        const uint32_t other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
    for (size_t i = 0; i < table->nnz; i++) {
        x->value[i] = trib_hacoo_entry(table, order[i], index);
        for (uint32_t m = 0; m < table->n_modes; m++) x->index[i * table->n_modes + m] = index[m];
    }
    free(order);
}

void study_points_release(study_points *x) {
    free(x->index);
    free(x->value);
    *x = (study_points){0};
}
