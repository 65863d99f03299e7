/* posterior.c - how sure a traced share is: whole traces of the target are drawn from all that the
 * fitted model holds possible (forward filtering, backward sampling: Carter and Kohn 1994), each
 * gives every source a share, and the interval holds nine tenths of them. */
#include "influence/trellis.h"

#include <math.h>
#include <stdlib.h>

enum { AT_ONCE = 25 };

/* The state of one word: the author's own, or a node. */
#define OWN UINT32_MAX

/* What draws the state of a word after which the text went elsewhere. */
typedef struct origin {
    double own,
        all; /* forward probability of the author's own, of all states, times that of going there */
    double copied;     /* probability that a copy goes there */
    size_t first, end; /* nodes of the word */
} origin;

/* From the author's own the text goes there with probability `own`, from a copy with `copied`. */
static origin origin_at(const trib_trellis *x, size_t i, double own, double copied) {
    return (origin){.own = x->own[i] * own,
                    .all = x->own[i] * own + (1 - x->own[i]) * copied,
                    .copied = copied,
                    .first = x->first[i],
                    .end = x->first[i + 1]};
}

/* u is uniform. */
TRIB_INLINE uint32_t draw_state(const origin *from, const double *copy, double u) {
    double left = u * from->all - from->own;
    if (left < 0 || from->first == from->end) return OWN;
    size_t z = from->first;
    while (z + 1 < from->end && (left -= copy[z] * from->copied) >= 0) z++;
    return (uint32_t)z;
}

/* One trace, drawn from the last word to the first. */
typedef struct trace {
    trib_random random;
    uint32_t state, run; /* of the word at hand; words copied in a row, from it on */
} trace;

/* Counts word i, *n_copied[source] n-grams copied as a whole, and draws the state of the word
 * before. */
TRIB_INLINE void step_back(trace *t, const trib_trellis *x, size_t i, const origin *of_own,
                           const origin *of_copy, double *n_copied, size_t stride) {
    const double u = trib_random_unit(&t->random);
    const uint32_t z = t->state;
    if (z == OWN) {
        t->run = 0;
        t->state = draw_state(of_own, x->copy, u);
        return;
    }
    const trib_trellis_node node = x->node[z];
    const uint32_t source = trib_trellis_source(node);
    const bool same = trib_trellis_same(node);
    t->run = same ? t->run + 1 : 0;
    if (t->run >= x->n_modes) n_copied[source * stride]++;
    const double on = x->copy[node.previous] * (1 - x->end); /* 0 where there is none before */
    const double begun = same ? x->entering[i] * x->begin[source] : 0;
    t->state = node.previous;
    if (u * (on + begun) < on) return;
    t->run = 0;
    t->state = draw_state(of_copy, x->copy, trib_random_unit(&t->random));
}

/* n traces from number `first` on, side by side: at most words nearly all are in one state. Every
 * trace has its own stream of random numbers. n_copied[source][stride]: a column for each trace. */
static void draw_traces(const trib_trellis *x, uint64_t seed, size_t first, size_t n,
                        double *n_copied, size_t stride) {
    const origin last = origin_at(x, x->target.n - 1, 1, 1);
    trace traces[AT_ONCE];
    for (size_t p = 0; p < n; p++) {
        traces[p].run = 0;
        trib_random_seed(&traces[p].random, seed + (first + p + 1) * UINT64_C(0xD1342543DE82EF95));
        traces[p].state = draw_state(&last, x->copy, trib_random_unit(&traces[p].random));
    }
    for (size_t i = x->target.n; i-- > 0;) {
        const size_t before = i > 0 ? i - 1 : 0; /* what is drawn before the first is not read */
        const origin of_own = origin_at(x, before, 1 - x->leave, x->end * (1 - x->again));
        const origin of_copy = origin_at(x, before, x->leave, x->end * x->again);
        for (size_t p = 0; p < n; p++)
            step_back(&traces[p], x, i, &of_own, &of_copy, n_copied + first + p, stride);
    }
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of sorted[n], between its neighbours in proportion. */
static double quantile(const double *sorted, size_t n, double q) {
    const double place = q * (double)(n - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

/* What the model misses, an author who repeats what he read or whose own phrases another wrote
 * before him, moves a share about as much again as what it is unsure of; and by some n-grams where
 * a copied run meets another by chance. Settled on planted corpora (docs/validation.md). */
static const double WIDER = 2, OF_SHARE = 0.02, NGRAMS = 2;

trib_status trib_trellis_intervals(const trib_trellis *x, const double *share, uint32_t n_paths,
                                   uint64_t seed, int n_threads, double *low, double *high,
                                   trib_error *error) {
    double *drawn = NULL; /* [n_sources][n_paths] n-grams copied, then shares */
    size_t n_drawn = 0;
    if (!trib_multiply(x->n_sources, n_paths, &n_drawn)) n_drawn = SIZE_MAX;
    trib_status status = trib_new(&drawn, n_drawn, sizeof *drawn, "traces", error);
    if (status != TRIB_OK) return status;

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t p = 0; p < n_paths; p += AT_ONCE)
        draw_traces(x, seed, p, n_paths - p < AT_ONCE ? n_paths - p : AT_ONCE, drawn, n_paths);
    for (size_t i = 0; i < n_drawn; i++) drawn[i] /= (double)x->target.n_ngrams;
    for (size_t s = 0; s < x->n_sources; s++) {
        double *sorted = drawn + s * n_paths;
        qsort(sorted, n_paths, sizeof *sorted, by_value);
        const double missed = OF_SHARE * share[s] + NGRAMS / (double)x->target.n_ngrams;
        const double below = fmax(0, share[s] - quantile(sorted, n_paths, 0.05));
        const double above = fmax(0, quantile(sorted, n_paths, 0.95) - share[s]);
        low[s] = fmax(0, share[s] - WIDER * below - missed);
        high[s] = fmin(1, share[s] + WIDER * above + missed);
    }
    trib_free(drawn);
    return status;
}
