/* shortlist.c - the sources worth weighing, when there are hundreds: those that `split` gives the largest shares. A source
 * copied from holds n-grams few others hold, so its share by split is large; what comes after the first dozens differs by
 * chance alone (docs/model.md section 8). */
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

trib_status trib_shortlist_make(uint32_t **listed, size_t *n_listed, const trib_influence_case *c,
                                uint32_t most, trib_error *error) {
    const size_t n = most > 0 && most < c->n_sources ? most : c->n_sources;
    trib_influence split = {.n_sources = c->n_sources};
    candidate *candidates = NULL;
    *n_listed = 0;
    trib_status status = trib_new(listed, n, sizeof **listed, "the shortlist", error);
    for (size_t s = 0; status == TRIB_OK && s < n; s++) (*listed)[s] = (uint32_t)s;
    if (status == TRIB_OK && n < c->n_sources) {
        status = trib_new(&split.share, c->n_sources, sizeof *split.share, "the shortlist", error);
        if (status == TRIB_OK) status = trib_split_measure(&split, c, NULL, error);
        if (status == TRIB_OK)
            status =
                trib_new(&candidates, c->n_sources, sizeof *candidates, "the shortlist", error);
        for (size_t s = 0; status == TRIB_OK && s < c->n_sources; s++)
            candidates[s] = (candidate){split.share[s], (uint32_t)s};
        if (status == TRIB_OK) qsort(candidates, c->n_sources, sizeof *candidates, by_share);
        for (size_t s = 0; status == TRIB_OK && s < n; s++) (*listed)[s] = candidates[s].position;
        if (status == TRIB_OK) qsort(*listed, n, sizeof **listed, by_position);
    }
    if (status == TRIB_OK) *n_listed = n;
    trib_free(split.share);
    trib_free(candidates);
    return status;
}
