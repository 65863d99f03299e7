/* fibers.c - which entries of a table collide: mainly those of long fibers, or all alike? [C]
 * chapter 6 asks for this profile. */
#include "tensor/entry.h"

#include <math.h>
#include <stdlib.h>

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
    trib_pool pool = {.error = error};
    for (uint32_t m = mode + 1; m < table->n_modes; m++) place += table->bits[m];
    of.mask = ~((((trib_key)1 << table->bits[mode]) - 1) << place);
    for (uint32_t k = 0; k < TRIB_FIBER_CLASSES; k++) classes[k] = (trib_fiber_class){0};
    uint32_t *order = trib_pool_new(&pool, table->nnz, sizeof *order, "fibers");
    size_t *bucket = trib_pool_new(&pool, table->nnz, sizeof *bucket, "fibers");
    size_t *in_order = trib_pool_new(&pool, table->nnz, sizeof *in_order, "fibers");
    trib_status status = pool.status;
    if (status == TRIB_OK)
        status = trib_order_numbers(table->nnz, table->key_bits, others_of, &of, order, 1, error);
    if (status != TRIB_OK) goto done;
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
done:
    trib_pool_release(&pool);
    return status;
}
