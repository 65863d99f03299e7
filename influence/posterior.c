/* posterior.c - what the posterior of the fitted model of `traced` gives: 90 % intervals of the
 * shares, and the traced runs. */
#include "base/internal.h"
#include "influence/methods.h"
#include "influence/trellis.h"

#include <assert.h>

/* ---- Intervals ------------------------------------------------------------------------------- */

/* Complete state sequences of the target are drawn from the posterior (forward filtering, backward
 * sampling: Carter and Kohn 1994). Each sample gives every source a share, and the interval
 * contains nine tenths of the samples. */

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
    uint32_t state, run; /* state of the current word; consecutive copied words from it on */
} sample;

/* Passes over n_unused random numbers of each stream and draws the next one. Returns the largest.
 * Marked TRIB_KERNEL because newer processors draw several at once, with the same bits. */
TRIB_KERNEL(double, draw_numbers,
            (trib_random random[], size_t n, uint64_t n_unused, double *restrict drawn),
            (random, n, n_unused, drawn)) {
    double largest = 0;
    for (size_t p = 0; p < n; p++) {
        trib_random_skip(&random[p], n_unused);
        drawn[p] = trib_random_unit(&random[p]);
    }
    for (size_t p = 0; p < n; p++) largest = drawn[p] > largest ? drawn[p] : largest;
    return largest;
}

/* Counts the n-gram that begins at word i in *n_copied[source] if it was copied as a whole, then
 * draws the state of the previous word by the random number u, and another one of the stream. */
TRIB_INLINE void step_back(sample *t, const trib_trellis *x, size_t i, const origin *of_own,
                           const origin *of_copy, double u, trib_random *random, double *n_copied,
                           size_t stride) {
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
    t->state = draw_state(of_copy, x->copy, trib_random_unit(random));
}

/* Draws n samples from number `first` on, side by side, because at most words nearly all of them
 * are in the same state. Every sample has its own random stream. n_copied[source][stride] has one
 * column per sample. Where all samples are in the author's own text and the word before has no
 * other state, the numbers drawn would change nothing, so they are only counted. Where not even
 * the largest number drawn leaves the author's own text, no sample does. */
static void draw_samples(const trib_trellis *x, uint64_t seed, size_t first, size_t n,
                         double *n_copied, size_t stride) {
    const origin last = origin_at(x, x->target.n - 1, 1, 1);
    sample samples[AT_ONCE];
    trib_random random[AT_ONCE];
    double drawn[AT_ONCE];
    for (size_t p = 0; p < n; p++) {
        samples[p].run = 0;
        trib_random_seed(&random[p], seed + (first + p + 1) * UINT64_C(0xD1342543DE82EF95));
        samples[p].state = draw_state(&last, x->copy, trib_random_unit(&random[p]));
    }
    size_t n_own = 0; /* samples in the author's own text */
    uint64_t n_unused = 0;
    for (size_t p = 0; p < n; p++) n_own += samples[p].state == OWN;
    for (size_t i = x->target.n; i-- > 0;) {
        /* the state drawn before the first word is not used */
        const size_t before = i > 0 ? i - 1 : 0;
        if (n_own == n && x->first[before] == x->first[before + 1]) {
            n_unused++;
            continue;
        }
        const origin of_own = origin_at(x, before, 1 - x->leave, x->end * (1 - x->again));
        const double largest = draw_numbers(random, n, n_unused, drawn);
        n_unused = 0;
        if (n_own == n && draw_state(&of_own, x->copy, largest) == OWN) continue;
        const origin of_copy = origin_at(x, before, x->leave, x->end * x->again);
        n_own = 0;
        for (size_t p = 0; p < n; p++) {
            step_back(&samples[p], x, i, &of_own, &of_copy, drawn[p], &random[p],
                      n_copied + first + p, stride);
            n_own += samples[p].state == OWN;
        }
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
                             .missed = SHORT * trib_exponential(-2 * (1 / x->end - 3))};
    double *drawn = NULL; /* [n_sources][n_paths] copied n-grams, later shares */
    const size_t n_drawn = trib_product(x->n_sources, n_paths);
    trib_status status = TRIB_NEW(&drawn, n_drawn, "posterior samples", error);
    if (status != TRIB_OK) return status;

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (size_t p = 0; p < n_paths; p += AT_ONCE)
        draw_samples(x, seed, p, n_paths - p < AT_ONCE ? n_paths - p : AT_ONCE, drawn, n_paths);
    for (size_t i = 0; i < n_drawn; i++) drawn[i] /= from.n_ngrams;
    status = trib_intervals_make(result, &drawn, 1, n_paths, find_ends, &from, error);
    trib_free(drawn);
    return status;
}

/* ---- Traced runs ----------------------------------------------------------------------------- */

/* A word is traced if it was copied with a probability of more than one half, to the source with
 * the largest probability, and there to its most probable place. Places are as probable as each
 * other where a source repeats itself, so a run is continued while its place is at least half as
 * probable as the best one. */

#define NO_NODE UINT32_MAX

static const double TRACED = 0.5, CONTINUED = 0.5;
/* Of probabilities that differ by rounding only, the first is chosen. */
static const double BETTER = 1 + 1e-9;

/* A node of a word, its probability, and that of all nodes of its source at this word. */
typedef struct choice {
    uint32_t node;
    double of_node, of_source;
} choice;

typedef struct tracing {
    const trib_trellis *x;
    /* place in its source of every node of the current word, and of the word before it */
    uint32_t *place, *place_before;
    size_t n_begun; /* diagonals that have begun before the current word */
    uint32_t node;  /* of the last word, NO_NODE: it was not traced */
    /* The current run, from its first to its last word that equals the source's: words of the
     * target, and the first in the source. The sum is that of the probabilities of its words;
     * `further` is for words since the last equal one. */
    size_t first, last, source_first;
    double sum, further;
    bool is_open;
    trib_influence *result;
    size_t cap;
} tracing;

static double probability(const trib_trellis *x, size_t z) { return x->copy[z] * x->later[z]; }

/* Chooses the node of word i. */
static choice choose(const tracing *t, size_t i) {
    const trib_trellis *x = t->x;
    const size_t end = x->first[i + 1];
    choice best = {NO_NODE, 0, 0}, on = {NO_NODE, 0, 0};
    double copied = 0;
    for (size_t z = x->first[i]; z < end;) { /* nodes ascend by source */
        const uint32_t source = trib_trellis_source(x->node[z]);
        choice here = {NO_NODE, 0, 0};
        for (; z < end && trib_trellis_source(x->node[z]) == source; z++) {
            const double p = probability(x, z);
            here.of_source += p;
            if (p > here.of_node * BETTER) here.node = (uint32_t)z, here.of_node = p;
            if (x->node[z].previous == t->node) on = (choice){(uint32_t)z, p, 0};
        }
        copied += here.of_source;
        if (on.node != NO_NODE && trib_trellis_source(x->node[on.node]) == source)
            on.of_source = here.of_source;
        if (here.of_source > best.of_source * BETTER) best = here;
    }
    if (copied <= TRACED) return (choice){NO_NODE, 0, 0};
    return on.node != NO_NODE && on.of_node >= CONTINUED * best.of_node ? on : best;
}

/* Sets t->place for the nodes of word i. */
static void find_places(tracing *t, size_t i) {
    const trib_trellis *x = t->x;
    const size_t first = x->first[i], none = x->first[x->target.n];
    uint32_t *const before = t->place;
    t->place = t->place_before;
    t->place_before = before;
    for (size_t z = first; z < x->first[i + 1]; z++) {
        const uint32_t previous = x->node[z].previous;
        t->place[z - first] =
            previous == none ? x->begun[t->n_begun++] : before[previous - x->first[i - 1]] + 1;
    }
}

TRIB_SEARCH(first_place, size_t, size_t, *x < key);

/* The number of the n-gram that begins at a word; SIZE_MAX: none does. */
static size_t ngram_at(const trib_word_order *order, size_t word) {
    const size_t i = first_place(order->place, order->n_ngrams, word);
    return i < order->n_ngrams && order->place[i] == word ? i : SIZE_MAX;
}

/* Ends the current run and adds it to the result, unless it is shorter than an n-gram. */
static trib_status end_run(tracing *t, trib_error *error) {
    const trib_trellis *x = t->x;
    trib_influence *r = t->result;
    const size_t n_words = t->last - t->first + 1;
    if (!t->is_open) return TRIB_OK;
    t->is_open = false;
    if (n_words < x->n_modes) return TRIB_OK;
    const uint32_t source = trib_trellis_source(x->node[t->node]);
    const size_t target_ngram = ngram_at(&x->target, t->first),
                 source_ngram = ngram_at(&x->source[source], t->source_first);
    assert(target_ngram != SIZE_MAX && source_ngram != SIZE_MAX); /* diagonals have no breaks */
    const trib_status status =
        TRIB_GROW(&r->trace, &t->cap, r->n_trace + 1, "the traced runs", error);
    if (status != TRIB_OK) return status;
    r->trace[r->n_trace++] = (trib_traced_run){.target = (uint32_t)target_ngram,
                                               .place = (uint32_t)source_ngram,
                                               .n = (uint32_t)(n_words - x->n_modes + 1),
                                               .source = source,
                                               .probability = fmin(1, t->sum / (double)n_words)};
    return TRIB_OK;
}

/* Continues the run with word i, or ends it and begins the next one. */
static trib_status step(tracing *t, size_t i, trib_error *error) {
    const trib_trellis *x = t->x;
    const choice chosen = choose(t, i);
    const bool goes_on = chosen.node != NO_NODE && x->node[chosen.node].previous == t->node;
    const trib_status status = goes_on ? TRIB_OK : end_run(t, error);
    t->node = chosen.node;
    if (chosen.node == NO_NODE || status != TRIB_OK) return status;
    if (!t->is_open && !trib_trellis_same(x->node[chosen.node])) return TRIB_OK;
    if (!t->is_open) {
        t->is_open = true;
        t->first = i;
        t->source_first = t->place[chosen.node - x->first[i]];
        t->sum = t->further = 0;
    }
    t->further += chosen.of_source;
    if (!trib_trellis_same(x->node[chosen.node])) return TRIB_OK;
    t->last = i;
    t->sum += t->further;
    t->further = 0;
    return TRIB_OK;
}

trib_status trib_trellis_trace(trib_influence *result, const trib_trellis *x, trib_error *error) {
    static const char what[] = "the traced runs";
    tracing t = {.x = x, .node = NO_NODE, .result = result};
    size_t most = 0; /* nodes of a word */
    for (size_t i = 0; i < x->target.n; i++)
        if (x->first[i + 1] - x->first[i] > most) most = x->first[i + 1] - x->first[i];
    trib_status status = TRIB_NEW(&t.place, most, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&t.place_before, most, what, error);
    for (size_t i = 0; i < x->target.n && status == TRIB_OK; i++) {
        find_places(&t, i);
        status = step(&t, i, error);
    }
    if (status == TRIB_OK) status = end_run(&t, error);
    TRIB_FREE(t.place, t.place_before);
    return status;
}
