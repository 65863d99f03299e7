/* extent_passages.c - which pieces of a source are one passage. */
#include "base/internal.h"
#include "influence/extent.h"

#include <stdlib.h>

/* The words between two spans; 0: they meet. */
static double gap(uint32_t from, uint32_t end, uint32_t other, uint32_t other_end) {
    if (other > end) return other - end;
    return from > other_end ? from - other_end : 0;
}

/* Whether the pieces are parts of one passage: pieces thrown at random would rarely lie so close
 * in both texts, and what lies between is not much longer than they are. */
static bool are_one(const trib_piece *a, const trib_piece *b, double n_pieces, double n_target,
                    double n_source) {
    static const double CHANCE = .1;
    enum { NEAR = 10, FAR = 20 };
    const double in_target = gap(a->target, a->target_end, b->target, b->target_end);
    const double in_source = gap(a->at, a->at_end, b->at, b->at_end);
    const double target = a->target_end - a->target + (double)(b->target_end - b->target);
    const double source = a->at_end - a->at + (double)(b->at_end - b->at);
    if (in_target > target + NEAR || in_source > 2 * source + FAR) return false;
    return n_pieces * n_pieces * (in_target + NEAR) * 2 * (in_source + NEAR) <
           CHANCE * n_target * n_source;
}

static int by_target(const void *a, const void *b) {
    const trib_piece *const x = *(const trib_piece *const *)a, *const y = *(trib_piece *const *)b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return (x > y) - (x < y);
}

/* The first piece of the passage of piece p, by its place in the target. */
static size_t first_of(const size_t *before, size_t p) {
    while (before[p] != p) p = before[p];
    return p;
}

void trib_extent_merge(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                       trib_arena *arena) {
    enum { LOOK = 12 }; /* pieces behind each that may go on with it */
    trib_piece **piece = trib_arena_new(arena, pieces->n, sizeof *piece);
    size_t *before = trib_arena_new(arena, pieces->n, sizeof *before), n = 0;
    uint32_t n_passages = 0;
    if (!piece || !before) return;
    for (size_t p = 0; p < pieces->n; p++) {
        pieces->piece[p].passage = TRIB_NONE;
        if (pieces->piece[p].belief >= TRIB_LEAST_BELIEF) piece[n++] = &pieces->piece[p];
    }
    if (n > 1) qsort(piece, n, sizeof *piece, by_target);
    for (size_t p = 0; p < n; p++) before[p] = p;
    for (size_t p = 0; p < n; p++)
        for (size_t q = p + 1; q < n && q < p + LOOK; q++) {
            const size_t one = first_of(before, p), other = first_of(before, q);
            if (!are_one(piece[p], piece[q], (double)n, texts->text[0].n, texts->text[source].n))
                continue;
            if (one < other) before[other] = one;
            else before[one] = other;
        }
    for (size_t p = 0; p < n; p++)
        piece[p]->passage = before[p] == p ? n_passages++ : piece[first_of(before, p)]->passage;
}
