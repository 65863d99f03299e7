/* traces.c - how sure a traced share is: whole traces of the target are drawn from all that the fitted model holds
 * possible (forward filtering, backward sampling: Carter and Kohn 1994), each gives every source a share, and the
 * interval holds nine tenths of them. */
#include "influence/trellis.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* The state of one word: the author's own, or a node. */
#define OWN UINT32_MAX

/* The state before one from which the text went elsewhere: from the author's own with weight `own`, from a copy with
 * `copied`, each times its forward probability. u is uniform. */
static uint32_t draw_state(const trib_trellis *x, size_t i, double own, double copied, double u) {
    double left = u * (x->own[i] * own + (1 - x->own[i]) * copied) - x->own[i] * own;
    if (left < 0 || x->first[i] == x->first[i + 1]) return OWN;
    size_t z = x->first[i];
    while (z + 1 < x->first[i + 1] && (left -= x->copy[z] * copied) >= 0) z++;
    return (uint32_t)z;
}

/* One trace, from the last word to the first: n_copied[s] n-grams copied as a whole from each source. */
static void draw_trace(const trib_trellis *x, trib_random *random, uint32_t *n_copied) {
    uint32_t z = draw_state(x, x->target.n - 1, 1, 1, trib_random_unit(random)), run = 0;
    for (size_t s = 0; s < x->n_sources; s++) n_copied[s] = 0;
    for (size_t i = x->target.n; i-- > 0;) {
        const double u = trib_random_unit(random);
        run = z != OWN && trib_trellis_same(x->node[z]) ? run + 1 : 0;
        if (run >= x->n_modes) n_copied[trib_trellis_source(x->node[z])]++;
        if (i == 0) break;
        if (z == OWN) {
            z = draw_state(x, i - 1, 1 - x->leave, x->end * (1 - x->again), u);
            continue;
        }
        const uint32_t previous = x->node[z].previous, s = trib_trellis_source(x->node[z]);
        const double on = x->copy[previous] * (1 - x->end); /* 0 where there is none before */
        const double begun = trib_trellis_same(x->node[z]) ? x->entering[i] * x->begin[s] : 0;
        if (u * (on + begun) < on) {
            z = previous;
            continue;
        }
        run = 0;
        z = draw_state(x, i - 1, x->leave, x->end * x->again, trib_random_unit(random));
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

/* What the model misses, an author who repeats what he read or whose own phrases another wrote before him, moves a share
 * about as much again as what it is unsure of; and by some n-grams where a copied run meets another by chance. Settled on
 * planted corpora (docs/validation.md). */
static const double WIDER = 2, OF_SHARE = 0.02, NGRAMS = 2;

trib_status trib_trellis_intervals(const trib_trellis *x, const double *share, uint32_t n_paths,
                                   uint64_t seed, int n_threads, double *low, double *high,
                                   trib_error *error) {
    double *drawn = NULL;      /* [n_sources][n_paths] shares */
    uint32_t *n_copied = NULL; /* [n_threads][n_sources] */
    size_t n_drawn = 0;
    if (!trib_multiply(x->n_sources, n_paths, &n_drawn)) n_drawn = SIZE_MAX;
    trib_status status = trib_new(&drawn, n_drawn, sizeof *drawn, "traces", error);
    if (status == TRIB_OK)
        status = trib_new(&n_copied, (size_t)n_threads * x->n_sources, sizeof *n_copied, "traces",
                          error);
    if (status != TRIB_OK) goto done;

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint32_t p = 0; p < n_paths; p++) {
        uint32_t *copied = n_copied + (size_t)omp_get_thread_num() * x->n_sources;
        trib_random random; /* every trace has its own stream, whichever thread draws it */
        trib_random_seed(&random, seed + (p + 1) * UINT64_C(0xD1342543DE82EF95));
        draw_trace(x, &random, copied);
        for (size_t s = 0; s < x->n_sources; s++)
            drawn[s * n_paths + p] = copied[s] / (double)x->target.n_ngrams;
    }
    for (size_t s = 0; s < x->n_sources; s++) {
        double *sorted = drawn + s * n_paths;
        qsort(sorted, n_paths, sizeof *sorted, by_value);
        const double missed = OF_SHARE * share[s] + NGRAMS / (double)x->target.n_ngrams;
        const double below = fmax(0, share[s] - quantile(sorted, n_paths, 0.05));
        const double above = fmax(0, quantile(sorted, n_paths, 0.95) - share[s]);
        low[s] = fmax(0, share[s] - WIDER * below - missed);
        high[s] = fmin(1, share[s] + WIDER * above + missed);
    }
done:
    trib_free(n_copied);
    trib_free(drawn);
    return status;
}
