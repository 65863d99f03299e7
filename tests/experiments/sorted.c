/* sorted.c - coordinates kept in order. */
#include "tests/experiments/sorted.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>

void sorted_init(sorted_coo *x, uint32_t n_modes, size_t cap) {
    *x = (sorted_coo){.n_modes = n_modes, .cap = cap};
    x->index = bench_new(cap * n_modes, sizeof *x->index);
    x->value = bench_new(cap, sizeof *x->value);
}

void sorted_release(sorted_coo *x) {
    free(x->index);
    free(x->value);
}

static int compare(const uint32_t a[], const uint32_t b[], uint32_t n_modes) {
    for (uint32_t m = 0; m < n_modes; m++)
        if (a[m] != b[m]) return a[m] < b[m] ? -1 : 1;
    return 0;
}

void sorted_add(sorted_coo *x, const uint32_t index[]) {
    size_t low = 0, high = x->nnz;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(x->index + middle * x->n_modes, index, x->n_modes) < 0) low = middle + 1;
        else high = middle;
    }
    uint32_t *at = x->index + low * x->n_modes;
    if (low == x->nnz || compare(at, index, x->n_modes) != 0) {
        if (x->nnz == x->cap)
            bench_check(TRIB_INTERNAL, &(trib_error){.message = "no room for a coordinate"});
        memmove(at + x->n_modes, at, (x->nnz - low) * x->n_modes * sizeof *at);
        memmove(x->value + low + 1, x->value + low, (x->nnz - low) * sizeof *x->value);
        memcpy(at, index, x->n_modes * sizeof *at);
        x->value[low] = 0;
        x->nnz++;
    }
    x->value[low]++;
}
