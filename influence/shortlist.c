/* shortlist.c - chooses the sources to weigh when there are hundreds: those with the largest shares
 * by `split`. A source that was copied from holds n-grams that few other documents hold, so its
 * share by `split` is large. Beyond the first few dozen sources, the shares differ by chance only
 * (docs/model.md section 8). */
#include "influence/methods.h"

#include <stdlib.h>

typedef struct candidate {
    double share;
    uint32_t position;
} candidate;

/* Descending share, ties by position. */
static int by_share(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return (x->position > y->position) - (x->position < y->position);
}

static int by_position(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Computes result->split and ->split_author. */
static trib_status measure_split(trib_influence *result, const trib_influence_case *c,
                                 trib_error *error) {
    trib_influence split = {.n_sources = c->n_sources};
    trib_status status = TRIB_NEW(&split.share, c->n_sources, "the shortlist", error);
    if (status == TRIB_OK) status = trib_split_measure(&split, c, NULL, error);
    result->split = split.share;
    result->split_author = split.author;
    return status;
}

trib_status trib_shortlist_make(trib_influence *result, const trib_influence_case *c, uint32_t most,
                                trib_error *error) {
    const size_t n = most > 0 && most < c->n_sources ? most : c->n_sources;
    candidate *candidates = NULL;
    trib_status status = TRIB_NEW(&result->listed, n, "the shortlist", error);
    uint32_t *listed = result->listed;
    for (size_t s = 0; status == TRIB_OK && s < n; s++) listed[s] = (uint32_t)s;
    if (status == TRIB_OK && n < c->n_sources) {
        status = measure_split(result, c, error);
        if (status == TRIB_OK) status = TRIB_NEW(&candidates, c->n_sources, "the shortlist", error);
        for (size_t s = 0; status == TRIB_OK && s < c->n_sources; s++)
            candidates[s] = (candidate){result->split[s], (uint32_t)s};
        if (status == TRIB_OK) qsort(candidates, c->n_sources, sizeof *candidates, by_share);
        for (size_t s = 0; status == TRIB_OK && s < n; s++) listed[s] = candidates[s].position;
        if (status == TRIB_OK) qsort(listed, n, sizeof *listed, by_position);
    }
    result->n_listed = status == TRIB_OK ? n : 0;
    trib_free(candidates);
    return status;
}
