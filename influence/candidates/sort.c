/* sort.c - sorts entries by a counting sort on the highest bits of their hashes, which are random
 * numbers, and then each bucket on its own. */
#include "influence/candidates/sort.h"

#include <stdlib.h>

/* Ascending by hash, then by document. */
static int by_hash(const void *a, const void *b) {
    const trib_sketch_entry *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->document > y->document) - (x->document < y->document);
}

static void insert_all(trib_sketch_entry *entry, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const trib_sketch_entry one = entry[i];
        size_t at = i;
        for (; at > 0 && by_hash(&entry[at - 1], &one) > 0; at--) entry[at] = entry[at - 1];
        entry[at] = one;
    }
}

/* The highest bits of the place of a hash in its interval. */
TRIB_INLINE size_t bucket_of(uint64_t hash, uint32_t n_partitions, uint32_t bits) {
    return (uint32_t)((hash >> 32) * n_partitions) >> (32 - bits);
}

trib_status trib_sketch_sort(trib_sketch_entry **entry, size_t n, uint32_t n_partitions,
                             trib_error *error) {
    enum { FEW = 32, MAX_BITS = 20 };
    static const char what[] = "the order of n-grams";
    if (n < 2) return TRIB_OK; /* there may be no array */
    trib_sketch_entry *sorted = NULL;
    uint32_t *end = NULL; /* [2^bits + 1] first where each bucket begins, then where it ends */
    uint32_t bits = 1;
    while (bits < MAX_BITS && (size_t)4 << bits < n) bits++;
    const size_t n_buckets = (size_t)1 << bits;
    trib_status status = TRIB_NEW(&sorted, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&end, n_buckets + 1, what, error);
    if (status == TRIB_OK) {
        for (size_t i = 0; i < n; i++) end[bucket_of((*entry)[i].hash, n_partitions, bits) + 1]++;
        for (size_t b = 0; b < n_buckets; b++) end[b + 1] += end[b];
        for (size_t i = 0; i < n; i++)
            sorted[end[bucket_of((*entry)[i].hash, n_partitions, bits)]++] = (*entry)[i];
        for (size_t b = 0, from = 0; b < n_buckets; from = end[b++])
            if (end[b] - from <= FEW) insert_all(sorted + from, end[b] - from);
            else qsort(sorted + from, end[b] - from, sizeof *sorted, by_hash);
        trib_free(*entry);
        *entry = sorted;
        sorted = NULL;
    }
    TRIB_FREE(sorted, end);
    return status;
}

size_t trib_sketch_join(trib_sketch_entry entry[], size_t n) {
    size_t n_joined = 0;
    for (size_t i = 0; i < n; i++) {
        trib_sketch_entry *last = n_joined > 0 ? &entry[n_joined - 1] : NULL;
        if (!last || by_hash(last, &entry[i]) != 0) entry[n_joined++] = entry[i];
        else if (last->count > UINT32_MAX - entry[i].count) last->count = UINT32_MAX;
        else last->count += entry[i].count;
    }
    return n_joined;
}
