/* order.c - sorts entries by packed key or Morton code, with a stable radix sort from the highest
 * digit, 64 bits of the key at a time. The first digit distributes the items to buckets, which
 * threads then sort one by one, each within its cache. A digit has as many bits as leave a few
 * items in a bucket; these are sorted by insertion. */
#include "tensor/entry.h"

enum {
    MOST_BITS = 11,             /* of a digit */
    FEW = 24,                   /* up to so many items are sorted by insertion */
    LEAST_FOR_THREADS = 1 << 15 /* items; fewer are sorted by one thread */
};

/* What is sorted: a key, and a number that is moved with it. */
typedef struct items {
    uint64_t *key;
    uint32_t *with;
} items;

static items items_at(items x, size_t first) { return (items){x.key + first, x.with + first}; }

static void insert(items x, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const uint64_t key = x.key[i];
        const uint32_t with = x.with[i];
        size_t at = i;
        for (; at > 0 && x.key[at - 1] > key; at--) {
            x.key[at] = x.key[at - 1];
            x.with[at] = x.with[at - 1];
        }
        x.key[at] = key;
        x.with[at] = with;
    }
}

static void copy(items from, items to, size_t n) {
    memcpy(to.key, from.key, n * sizeof *to.key);
    memcpy(to.with, from.with, n * sizeof *to.with);
}

/* The size of a digit that leaves two to four of n items in a bucket, if keys are evenly
 * distributed. */
static uint32_t digit_of(size_t n, uint32_t bits) {
    uint32_t digit = 1;
    while (digit < MOST_BITS && digit < bits && n >> (digit + 2)) digit++;
    return digit;
}

/* Counts the items of each bucket: `digit` bits of a key, `shift` bits from the lowest, are the
 * number of its bucket. */
static void count_items(const uint64_t *key, size_t n, uint32_t shift, uint32_t digit,
                        uint32_t size[]) {
    const size_t n_digits = (size_t)1 << digit;
    memset(size, 0, n_digits * sizeof *size);
    for (size_t i = 0; i < n; i++) size[key[i] >> shift & (n_digits - 1)]++;
}

/* Distributes the items to their buckets. end[], which holds the sizes of the buckets, receives the
 * places where they end. */
static void distribute(items from, items to, size_t n, uint32_t shift, uint32_t digit,
                       uint32_t end[]) {
    const size_t n_digits = (size_t)1 << digit;
    uint32_t sum = 0;
    for (size_t d = 0; d < n_digits; d++) {
        const uint32_t size = end[d];
        end[d] = sum;
        sum += size;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = from.key[i];
        const size_t at = end[key >> shift & (n_digits - 1)]++;
        to.key[at] = key;
        to.with[at] = from.with[i];
    }
}

/* Sorts `x` by the low `bits` bits of the keys; higher bits do not differ. `other` is scratch space
 * of the same size. The result is in `other` if `to_other`, else in `x`. */
static void sort(items x, items other, size_t n, uint32_t bits, bool to_other) {
    uint32_t end[1 << MOST_BITS], digit = 0, shift = bits;
    bool alone = true; /* all items are in one bucket */
    while (n > FEW && shift > 0 && alone) {
        digit = digit_of(n, shift);
        shift -= digit;
        count_items(x.key, n, shift, digit, end);
        alone = end[x.key[0] >> shift & (((uint64_t)1 << digit) - 1)] == n;
    }
    if (alone) {
        insert(x, n);
        if (to_other) copy(x, other, n);
        return;
    }
    size_t first = 0;
    distribute(x, other, n, shift, digit, end);
    for (size_t d = 0; d < (size_t)1 << digit; first = end[d++]) {
        const size_t size = end[d] - first;
        if (size > FEW) sort(items_at(other, first), items_at(x, first), size, shift, !to_other);
        else if (!to_other) copy(items_at(other, first), items_at(x, first), size);
    }
    insert(to_other ? other : x, n);
}

/* The number of low bits in which any two keys differ. */
static uint32_t differing_bits(const uint64_t *key, size_t n) {
    uint64_t differ = 0;
    uint32_t bits = 0;
    for (size_t i = 1; i < n; i++) differ |= key[i] ^ key[0];
    while (bits < 64 && differ >> bits) bits++;
    return bits;
}

/* Sorts `x` by the keys, with `other` as scratch space. The result is the same for any number of
 * threads. */
static void sort_all(items x, items other, size_t n, int n_threads) {
    const uint32_t bits = differing_bits(x.key, n);
    if (n < LEAST_FOR_THREADS || bits == 0) {
        sort(x, other, n, bits, false);
        return;
    }
    const uint32_t digit = digit_of(n, bits), shift = bits - digit;
    uint32_t end[1 << MOST_BITS];
    count_items(x.key, n, shift, digit, end);
    distribute(x, other, n, shift, digit, end);
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
    for (size_t d = 0; d < (size_t)1 << digit; d++) {
        const size_t first = d > 0 ? end[d - 1] : 0;
        sort(items_at(other, first), items_at(x, first), end[d] - first, shift, true);
    }
}

static items new_items(trib_pool *pool, size_t n) {
    return (items){trib_pool_new(pool, n, sizeof(uint64_t), "sorting"),
                   trib_pool_new(pool, n, sizeof(uint32_t), "sorting")};
}

trib_status trib_order_numbers(size_t n, uint32_t n_bits,
                               trib_key (*number)(const void *context, size_t i),
                               const void *context, uint32_t *order, int n_threads,
                               trib_error *error) {
    TRIB_OWNED(trib_pool) pool = {.error = error};
    const items x = {trib_pool_new(&pool, n, sizeof *x.key, "sorting"), order};
    const items other = new_items(&pool, n);
    trib_status status = pool.status;
    if (n < LEAST_FOR_THREADS) n_threads = 1;
    if (n == 0) n_bits = 0;
    for (size_t i = 0; status == TRIB_OK && i < n; i++) order[i] = (uint32_t)i;
    for (uint32_t shift = 0; status == TRIB_OK && shift < n_bits; shift += 64) {
        status = trib_stop_check(error); /* the sort is stable */
        if (status != TRIB_OK) break;
#pragma omp parallel for schedule(static) num_threads(n_threads)
        for (size_t i = 0; i < n; i++) x.key[i] = (uint64_t)(number(context, order[i]) >> shift);
        sort_all(x, other, n, n_threads);
    }
    return status;
}

/* How the entries of a table are numbered for sorting. */
typedef struct entries {
    const trib_hacoo *table;
    const uint32_t *mode; /* the order of the modes */
    trib_morton *morton;
} entries;

static trib_key packed_key(const void *context, size_t e) {
    const trib_hacoo *table = ((const entries *)context)->table;
    return trib_entry_key(table->entry, e, trib_is_wide(table));
}

static trib_key morton_code(const void *context, size_t e) {
    const entries *of = context;
    return trib_morton_move(of->morton, of->table->key_bits, packed_key(context, e),
                            trib_is_wide(of->table));
}

static trib_key key_by_modes(const void *context, size_t e) {
    const entries *of = context;
    uint32_t index[TRIB_MAX_MODES];
    trib_key key = 0;
    trib_hacoo_entry(of->table, e, index);
    for (uint32_t k = 0; k < of->table->n_modes; k++)
        key = key << of->table->bits[of->mode[k]] | index[of->mode[k]];
    return key;
}

trib_status trib_order_entries(const trib_hacoo *table, bool morton, uint32_t *order, int n_threads,
                               trib_error *error) {
    entries of = {.table = table};
    trib_status status = TRIB_OK;
    if (morton) status = TRIB_NEW(&of.morton, 1, "a Morton table", error);
    if (status == TRIB_OK && morton) trib_morton_init(of.morton, table, false);
    if (status == TRIB_OK)
        status = trib_order_numbers(table->nnz, table->key_bits, morton ? morton_code : packed_key,
                                    &of, order, n_threads, error);
    trib_free(of.morton);
    return status;
}

trib_status trib_order_by_modes(const trib_hacoo *table, const uint32_t mode[], uint32_t *order,
                                trib_error *error) {
    const entries of = {.table = table, .mode = mode};
    return trib_order_numbers(table->nnz, table->key_bits, key_by_modes, &of, order, 1, error);
}

/* The values of sorted entries, whose numbers, or counts without `values`, are with[n]. */
static void fill_values(const uint32_t *with, const double *values, double *value, size_t n,
                        int n_threads) {
    enum { AHEAD = 32 };
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (size_t i = 0; i < n; i++) {
        if (values && i + AHEAD < n) __builtin_prefetch(values + with[i + AHEAD]);
        value[i] = values ? values[with[i]] : with[i];
    }
}

trib_status trib_order_codes(const trib_hacoo *table, const double *values, uint64_t *code,
                             double *value, int n_threads, trib_error *error) {
    const size_t n = table->nnz;
    const trib_entry64 *entry = table->entry;
    TRIB_OWNED(trib_pool) pool = {.error = error, .status = trib_stop_check(error)};
    trib_morton *morton = trib_pool_new(&pool, 1, sizeof *morton, "a Morton table");
    const items x = {code, trib_pool_new(&pool, n, sizeof *x.with, "sorting")};
    const items other = new_items(&pool, n);
    if (n < LEAST_FOR_THREADS) n_threads = 1;
    if (pool.status != TRIB_OK) return pool.status;
    trib_morton_init(morton, table, false);
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (size_t e = 0; e < n; e++) {
        code[e] = (uint64_t)trib_morton_move(morton, table->key_bits, entry[e].key, false);
        x.with[e] = values ? (uint32_t)e : entry[e].count;
    }
    sort_all(x, other, n, n_threads);
    fill_values(x.with, values, value, n, n_threads);
    return TRIB_OK;
}

/* ---- Fibers ---------------------------------------------------------------------------------- */

/* Which entries of a table collide: mainly those of long fibers, or all alike? [C] chapter 6 asks
 * for this profile. */
typedef struct without {
    const trib_hacoo *table;
    trib_key mask; /* clears the bits of one mode */
} without;

/* The indices of an entry in all other modes; they are the same for all entries of a fiber. */
static trib_key others_of(const void *context, size_t e) {
    const without *of = context;
    return trib_entry_key(of->table->entry, e, trib_is_wide(of->table)) & of->mask;
}

static int compare_sizes(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Adds one fiber to its class. Its entries are order[0 .. n-1]; bucket[] receives their buckets and
 * is sorted. */
static void add_fiber(const trib_hacoo *table, const uint32_t order[], size_t bucket[], size_t n,
                      trib_fiber_class classes[]) {
    uint32_t k = 0;
    while (k + 1 < TRIB_FIBER_CLASSES && n >= trib_fiber_shortest[k + 1]) k++;
    classes[k].n_fibers++;
    classes[k].n_entries += n;
    for (size_t i = 0; i < n; i++)
        classes[k].n_sharing +=
            table->head[bucket[i]] != order[i] ||
            *trib_entry_next(table->entry, order[i], trib_is_wide(table)) != TRIB_CHAIN_END;
    qsort(bucket, n, sizeof *bucket, compare_sizes);
    for (size_t i = 1; i < n; i++) classes[k].n_within += bucket[i] == bucket[i - 1];
    /* n - B (1 - (1 - 1/B)^n): n less the expected number of buckets that n entries fill at
     * random */
    const double n_buckets = (double)table->n_buckets;
    if (n > 1)
        classes[k].by_chance += (double)n + n_buckets * expm1((double)n * log1p(-1 / n_buckets));
}

const size_t trib_fiber_shortest[TRIB_FIBER_CLASSES] = {1, 2, 8, 64, 512};

trib_status trib_hacoo_fibers_of(const trib_hacoo *table, uint32_t mode,
                                 trib_fiber_class classes[TRIB_FIBER_CLASSES], trib_error *error) {
    const bool wide = trib_is_wide(table);
    without of = {table, ~(trib_key)0};
    uint32_t place = 0;
    TRIB_OWNED(trib_pool) pool = {.error = error};
    for (uint32_t m = mode + 1; m < table->n_modes; m++) place += table->bits[m];
    of.mask = ~((((trib_key)1 << table->bits[mode]) - 1) << place);
    for (uint32_t k = 0; k < TRIB_FIBER_CLASSES; k++) classes[k] = (trib_fiber_class){0};
    uint32_t *order = trib_pool_new(&pool, table->nnz, sizeof *order, "fibers");
    size_t *bucket = trib_pool_new(&pool, table->nnz, sizeof *bucket, "fibers");
    size_t *in_order = trib_pool_new(&pool, table->nnz, sizeof *in_order, "fibers");
    trib_status status = pool.status;
    if (status == TRIB_OK)
        status = trib_order_numbers(table->nnz, table->key_bits, others_of, &of, order, 1, error);
    if (status != TRIB_OK) return status;
    for (size_t b = 0; b < table->n_buckets; b++)
        for (uint32_t e = table->head[b]; e != TRIB_CHAIN_END;
             e = *trib_entry_next(table->entry, e, wide))
            bucket[e] = b;
    for (size_t i = 0; i < table->nnz; i++) in_order[i] = bucket[order[i]];
    for (size_t first = 0, i = 1; i <= table->nnz; i++) {
        if (i < table->nnz && others_of(&of, order[i]) == others_of(&of, order[first])) continue;
        add_fiber(table, order + first, in_order + first, i - first, classes);
        first = i;
    }
    return TRIB_OK;
}
