/* posterior.c - 90 % intervals of the shares of `traced`. Complete state sequences of the target
 * are drawn from the posterior of the fitted model (forward filtering, backward sampling: Carter
 * and Kohn 1994). Each sample gives every source a share, and the interval contains nine tenths of
 * the samples. */
#include "influence/methods.h"
#include "influence/quantile.h"
#include "influence/trellis.h"

#include <math.h>

enum { AT_ONCE = 25 };

/* State of a word: the author's own text. Other states are numbers of nodes. */
#define OWN UINT32_MAX

/* The distribution of the state of a word after which the author's own text or a new copy
 * begins. */
typedef struct origin {
    /* forward probability of the own text, and of all states, times that of the change of state */
    double own, all;
    double copied;     /* probability that a copy is followed so */
    size_t first, end; /* range of the word's nodes */
} origin;

/* The distribution at word i, where the next state follows the author's own text with probability
 * `own`, and a copy with probability `copied`. */
static origin origin_at(const trib_trellis *x, size_t i, double own, double copied) {
    return (origin){.own = x->own[i] * own,
                    .all = x->own[i] * own + (1 - x->own[i]) * copied,
                    .copied = copied,
                    .first = x->first[i],
                    .end = x->first[i + 1]};
}

/* Draws a state with the uniform random number u. */
TRIB_INLINE uint32_t draw_state(const origin *from, const double *copy, double u) {
    double left = u * from->all - from->own;
    if (left < 0 || from->first == from->end) return OWN;
    size_t z = from->first;
    while (z + 1 < from->end && (left -= copy[z] * from->copied) >= 0) z++;
    return (uint32_t)z;
}

/* One posterior sample, drawn from the last word to the first. */
typedef struct sample {
    trib_random random;
    uint32_t state, run; /* state of the current word; consecutive copied words from it on */
} sample;

/* Counts the n-gram that begins at word i in *n_copied[source] if it was copied as a whole, then
 * draws the state of the previous word. */
TRIB_INLINE void step_back(sample *t, const trib_trellis *x, size_t i, const origin *of_own,
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
    const bool is_formula = x->formula_at && x->formula_at[i];
    if (t->run >= x->n_modes && !is_formula) n_copied[source * stride]++;
    const double on = x->copy[node.previous] * (1 - x->end); /* 0 where there is no previous node */
    const double begun = same ? x->entering[i] * x->begin[source] : 0;
    t->state = node.previous;
    if (u * (on + begun) < on) return;
    t->run = 0;
    t->state = draw_state(of_copy, x->copy, trib_random_unit(&t->random));
}

/* Draws n samples from number `first` on, side by side, because at most words nearly all of them
 * are in the same state. Every sample has its own random stream. n_copied[source][stride] has one
 * column per sample. */
static void draw_samples(const trib_trellis *x, uint64_t seed, size_t first, size_t n,
                         double *n_copied, size_t stride) {
    const origin last = origin_at(x, x->target.n - 1, 1, 1);
    sample samples[AT_ONCE];
    for (size_t p = 0; p < n; p++) {
        samples[p].run = 0;
        trib_random_seed(&samples[p].random, seed + (first + p + 1) * UINT64_C(0xD1342543DE82EF95));
        samples[p].state = draw_state(&last, x->copy, trib_random_unit(&samples[p].random));
    }
    for (size_t i = x->target.n; i-- > 0;) {
        /* the state drawn before the first word is not used */
        const size_t before = i > 0 ? i - 1 : 0;
        const origin of_own = origin_at(x, before, 1 - x->leave, x->end * (1 - x->again));
        const origin of_copy = origin_at(x, before, x->leave, x->end * x->again);
        for (size_t p = 0; p < n; p++)
            step_back(&samples[p], x, i, &of_own, &of_copy, n_copied + first + p, stride);
    }
}

/* The model does not know an author who repeats what he read, or whose own phrases another
 * author wrote before. Such errors move a share about as much as the posterior's own
 * uncertainty, which WIDER accounts for. PER_COPY and N_GRAMS are the n-grams by which the
 * edges of copies are off, for each copy and for the text. Short copies are often as likely as
 * chance, so part of them is missed: where the fitted mean length of a copy is L = 1 / end
 * words, up to SHORT exp(-2 (L - 3)) of the share. Common phrases give an unrelated source a
 * share of up to about COINCIDENCE, so an interval that begins below it begins at 0. The values
 * were fitted to one half of the planted corpora (docs/validation.md). */
static const double WIDER = 1.6, PER_COPY = 0.2, N_GRAMS = 0.4, SHORT = 0.85, COINCIDENCE = 0.0015;

/* What the ends of an interval depend on. */
typedef struct drawn_from {
    size_t n_paths;
    double n_ngrams; /* of the target */
    double end;      /* 1 / the fitted mean length of a copy */
    double missed;   /* the part of a share that short copies may miss */
} drawn_from;

/* Computes the ends of the interval of a share from its samples, which are sorted. */
static void find_ends(const void *context, double *samples[], double share, double *low,
                      double *high) {
    const drawn_from *from = context;
    double *sorted = samples[0];
    trib_sort_numbers(sorted, from->n_paths);
    const double below = fmax(0, share - trib_quantile(sorted, from->n_paths, 0.05));
    const double above = fmax(0, trib_quantile(sorted, from->n_paths, 0.95) - share);
    const double n_copies = share * from->n_ngrams * from->end;
    const double edges = (PER_COPY * n_copies + N_GRAMS) / from->n_ngrams;
    *low = share - WIDER * below - edges;
    if (*low < COINCIDENCE) *low = 0;
    *high = fmin(1, share + WIDER * above + edges + from->missed * share);
}

trib_status trib_trellis_intervals(trib_influence *result, const trib_trellis *x, uint32_t n_paths,
                                   uint64_t seed, int n_threads, trib_error *error) {
    const drawn_from from = {.n_paths = n_paths,
                             .n_ngrams = (double)x->target.n_ngrams,
                             .end = x->end,
                             .missed = SHORT * exp(-2 * (1 / x->end - 3))};
    double *drawn = NULL; /* [n_sources][n_paths] copied n-grams, later shares */
    size_t n_drawn = 0;
    if (!trib_multiply(x->n_sources, n_paths, &n_drawn)) n_drawn = SIZE_MAX;
    trib_status status = trib_new(&drawn, n_drawn, sizeof *drawn, "posterior samples", error);
    if (status != TRIB_OK) return status;

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t p = 0; p < n_paths; p += AT_ONCE)
        draw_samples(x, seed, p, n_paths - p < AT_ONCE ? n_paths - p : AT_ONCE, drawn, n_paths);
    for (size_t i = 0; i < n_drawn; i++) drawn[i] /= from.n_ngrams;
    status = trib_groups_intervals(result, &drawn, 1, n_paths, find_ends, &from, error);
    for (size_t s = 0; s < x->n_sources && status == TRIB_OK; s++) {
        double *of_source = drawn + s * n_paths;
        find_ends(&from, &of_source, result->share[s], &result->low[s], &result->high[s]);
    }
    trib_free(drawn);
    return status;
}
