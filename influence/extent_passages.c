/* extent_passages.c - which pieces of a source are one passage. */
#include "base/internal.h"
#include "influence/extent.h"

/* The pieces of a passage, and the words that they span. */
typedef struct passage {
    uint32_t target, target_end, at, at_end; /* see trib_piece */
    uint32_t n_shared;                       /* words that both texts have: equal, moved, close */
    uint32_t n_taken;                        /* words of its pieces, but the author's own */
    double belief;                           /* of its best piece */
    size_t next;                             /* the passage behind it */
    size_t joined;                           /* the passage that it is part of; itself: none */
    const trib_piece *last;                  /* its piece that ends last, of those looked at */
} passage;

/* The words between two spans; 0: they meet. */
static double gap(uint32_t from, uint32_t end, uint32_t other, uint32_t other_end) {
    if (other > end) return other - end;
    return from > other_end ? from - other_end : 0;
}

/* Whether two passages are parts of one: pieces thrown at random would rarely lie so close in both
 * texts, and what lies between is not much longer than they are. A summary goes on at once in the
 * target, and far on in the source. */
static bool are_one(const passage *a, const passage *b, double n_pieces, double n_words) {
    static const double CHANCE = .1, OF_SUMMARY = .5;
    enum { NEAR = 10, FAR = 20, AT_ONCE = 15, SHORTER = 8 };
    const double in_target = gap(a->target, a->target_end, b->target, b->target_end);
    const double in_source = gap(a->at, a->at_end, b->at, b->at_end);
    const double target = a->target_end - a->target + (double)(b->target_end - b->target);
    const double source = a->at_end - a->at + (double)(b->at_end - b->at);
    const double expected =
        n_pieces * n_pieces * (in_target + NEAR) * 2 * (in_source + NEAR) / n_words;
    if (in_target <= target + NEAR && in_source <= 2 * source + FAR && expected < CHANCE)
        return true;
    return in_target <= AT_ONCE && in_source <= SHORTER * target && expected < OF_SUMMARY;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Joins passages until no two are one. passage[n] is in the order of the target. */
static void join(passage *all, size_t n, double n_words) {
    enum { LOOK = 12 }; /* passages behind each that may go on with it */
    for (bool joins = true; joins;) {
        joins = false;
        for (size_t p = 0; p < n; p = all[p].next) {
            size_t *link = &all[p].next;
            for (size_t q = *link, k = 0; q < n && k < LOOK; q = *link, k++) {
                passage *const a = &all[p], *const b = &all[q];
                if (!are_one(a, b, (double)n, n_words)) {
                    link = &b->next;
                    continue;
                }
                a->target_end = most(a->target_end, b->target_end);
                a->at = least(a->at, b->at);
                a->at_end = most(a->at_end, b->at_end);
                a->n_shared += b->n_shared;
                a->n_taken += b->n_taken;
                if (b->belief > a->belief) a->belief = b->belief;
                b->joined = p;
                *link = b->next;
                joins = true;
            }
        }
    }
}

/* Whether it is a passage and no turn of phrase: of some length, or nearly all its words shared. */
static bool is_passage(const passage *p) {
    enum { LONG = 18, SHARED = 8 };
    static const double BELIEF = .95, DENSE = .8;
    const uint32_t n = p->target_end - p->target;
    return p->belief >= BELIEF &&
           (p->n_taken >= LONG || (p->n_shared >= SHARED && p->n_shared >= DENSE * n));
}

static int by_target(const void *a, const void *b) {
    const trib_piece *const x = *(const trib_piece *const *)a, *const y = *(trib_piece *const *)b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return (x > y) - (x < y);
}

void trib_extent_merge(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                       trib_arena *arena) {
    static const double LEAST_BELIEF = .5;
    trib_piece **piece = trib_arena_new(arena, pieces->n, sizeof *piece);
    passage *all = trib_arena_new(arena, pieces->n, sizeof *all);
    uint32_t n_passages = 0;
    size_t n = 0;
    if (!piece || !all) return;
    for (size_t p = 0; p < pieces->n; p++) {
        pieces->piece[p].passage = TRIB_NONE;
        if (pieces->piece[p].belief >= LEAST_BELIEF) piece[n++] = &pieces->piece[p];
    }
    if (n > 1) qsort(piece, n, sizeof *piece, by_target);
    for (size_t p = 0; p < n; p++) {
        const trib_piece *const x = piece[p];
        all[p] = (passage){.target = x->target,
                           .target_end = x->target_end,
                           .at = x->at,
                           .at_end = x->at_end,
                           .n_shared = x->n_kind[TRIB_EQUAL] + x->n_kind[TRIB_MOVED] +
                                       x->n_kind[TRIB_CLOSE],
                           .n_taken = x->target_end - x->target - x->n_kind[TRIB_OWN],
                           .belief = x->belief,
                           .next = p + 1,
                           .joined = p};
    }
    join(all, n, (double)texts->text[0].n * texts->text[source].n);
    for (size_t p = 0; p < n; p++) {
        trib_piece *const x = piece[p];
        size_t first = p;
        while (all[first].joined != first) first = all[first].joined;
        if (!is_passage(&all[first])) continue;
        x->passage = first == p ? n_passages++ : piece[first]->passage;
        const trib_piece *const last = all[first].last;
        if (last && x->target > last->target_end) x->n_between = x->target - last->target_end;
        if (!last || x->target_end > last->target_end) all[first].last = x;
    }
}
