/* traced.c - the method `traced`: finds for every word of the target the place in a source it was
 * copied from, or its author, with the hidden Markov model of trellis.h. Baum-Welch rounds of
 * forward and backward passes (Baum et al. 1970; scaled as by Rabiner 1989) fit how often and how
 * long the target copies. The share of a source is the expected number of the target's n-grams that
 * were copied from it as a whole, over all n-grams. */
#include "base/internal.h"
#include "influence/methods.h"
#include "influence/overlap.h"
#include "influence/trellis.h"

enum { ROUNDS = 20 };

/* The initial parameters, and the number of observed words, ends and starts that each of them is
 * worth as a prior. */
static const double LEAVE = 0.01, END = 0.05, AGAIN = 0.3, ALTER = 0.02;
static const double WORTH = 2, ALTER_WORTH = 10, STARTS_WORTH = 2;
static const double LEAST = 1e-4, LONGEST_END = 0.4, MOST_ALTER = 0.4;

/* Coincidences per word of the author's own: short phrases that the sources hold by chance look
 * like copies that begin this often, in all sources together, in each in proportion to its words.
 * What is above it counts. Chosen on one half of the planted corpora (docs/validation.md). */
static const double COINCIDENCE = 0.01;

/* Expected counts of words under the posterior, in one round. */
typedef struct expected {
    double own, left; /* in the author's own; of those, leaving it */
    double copied, ended,
        /* in copies; of those, the last word of a copy; of those, before another copy */
        jumped;
    double altered;  /* in copies, words that differ from the source's */
    double *started; /* [n_sources] copies that begin */
} expected;

/* Sets begin[] by the prior, and the sums of it over the diagonals of each shape. */
static void set_begin(trib_trellis *x) {
    trib_shapes *shapes = &x->shapes;
    for (size_t h = 0; h < shapes->n; h++) shapes->weight[h] = 0;
    for (size_t s = 0; s < x->n_sources; s++) {
        x->begin[s] = x->prior[s] / (double)x->source[s].n;
        for (size_t t = shapes->start[s]; t < shapes->start[s + 1]; t++)
            shapes->weight[shapes->times[t].shape] += x->begin[s] * shapes->times[t].n;
    }
}

/* Computes the scaled forward probabilities of every shape. Those of the copies of word i still
 * have to be divided by scale[i]: most words have few shapes, and a second loop over them would
 * cost as much as this one. The likelihood needs a logarithm per word, so it is optional. */
static void go_forward(trib_trellis *x, bool with_likelihood) {
    const trib_shapes *const shapes = &x->shapes;
    const double *restrict const weight = shapes->weight;
    double *const copy = shapes->copy;
    double own = 0.5, entering = 0.5, on = 0;
    x->log_likelihood = 0;
    for (size_t i = 0; i < x->target.n; i++) {
        const double emits_same = 1 - x->alter, emits_other = x->alter * x->chance[i];
        const size_t end = shapes->first[i + 1];
        double copied = 0;
        for (size_t z = shapes->first[i]; z < end; z++) {
            const uint32_t slot = shapes->node[z].slot, kind = shapes->node[z].shape_and_same;
            const double goes_on = copy[slot - 1] * on;
            copy[slot] = kind & 1 ? (entering + goes_on) * emits_same : goes_on * emits_other;
            copied += weight[kind >> 1] * copy[slot];
        }
        const double emitted = own * x->chance[i], all_states = emitted + copied;
        /* faster than a call of fmax */
        const double sum = all_states > 1e-300 ? all_states : 1e-300;
        if (with_likelihood) x->log_likelihood += trib_logarithm(sum);
        x->entering[i] = entering;
        x->scale[i] = sum;
        x->own[i] = emitted / sum;
        copied /= sum;
        on = (1 - x->end) / sum;
        own = x->own[i] * (1 - x->leave) + copied * x->end * (1 - x->again);
        entering = x->own[i] * x->leave + copied * x->end * x->again;
    }
}

/* Computes the backward probabilities of the shapes at word i; `end` is that of a copy that ends
 * there. Returns the probability of the following text given that a copy begins at word i. */
TRIB_INLINE double leave_shapes(trib_trellis *x, size_t i, double end, expected *found) {
    const trib_shapes *const shapes = &x->shapes;
    const size_t behind = shapes->first[i + 1];
    const double scale = x->scale[i], on = 1 - x->end, entering = x->entering[i];
    const double emits_same = (1 - x->alter) / scale, emits_other = x->alter * x->chance[i] / scale;
    const double *restrict const weight = shapes->weight, *restrict const copy = shapes->copy;
    double *restrict const laters = shapes->later, *restrict const begun = shapes->begun;
    double start = 0, altered = 0;
    for (size_t z = shapes->first[i]; z < behind; z++) {
        const uint32_t slot = shapes->node[z].slot, kind = shapes->node[z].shape_and_same;
        const uint32_t shape = kind >> 1;
        const double later = laters[slot] + end; /* 0 at the last word of a shape */
        double emitted = emits_other * later;
        if (kind & 1) {
            emitted = emits_same * later;
            start += weight[shape] * emitted;
            begun[shape] += entering * emitted;
        } else altered += weight[shape] * copy[slot] * later;
        laters[slot - 1] = on * emitted;
    }
    found->altered += altered / scale;
    return start;
}

/* Computes the scaled backward probabilities and the expected counts. */
static void go_backward(trib_trellis *x, expected *found) {
    const trib_shapes *const shapes = &x->shapes;
    const size_t n = x->target.n;
    /* at word i + 1: of the author's own text, and of the start of a copy */
    double own_next = 1, start_next = 1;
    for (size_t h = 0; h < shapes->n; h++) shapes->begun[h] = 0;
    *found = (expected){.started = found->started};
    for (size_t i = n; i-- > 0;) {
        const bool last = i + 1 == n;
        const double own = last ? 1 : (1 - x->leave) * own_next + x->leave * start_next;
        const double jump = x->again * start_next, copied = 1 - x->own[i];
        const double end = last ? 1 : x->end * ((1 - x->again) * own_next + jump);
        found->own += x->own[i] * own;
        found->copied += 1 - x->own[i] * own;
        if (!last) {
            found->left += x->own[i] * x->leave * start_next;
            found->ended += copied * end;
            found->jumped += copied * x->end * jump;
        }
        x->ending[i] = end;
        own_next = x->chance[i] / x->scale[i] * own;
        start_next = leave_shapes(x, i, end, found);
    }
    for (size_t s = 0; s < x->n_sources; s++) {
        double sum = 0;
        for (size_t t = shapes->start[s]; t < shapes->start[s + 1]; t++)
            sum += shapes->begun[shapes->times[t].shape] * shapes->times[t].n;
        found->started[s] = x->begin[s] * sum;
    }
}

/* Sets the probabilities of every node to those of its shape. */
static trib_status fill_nodes(trib_trellis *x, trib_error *error) {
    const trib_shapes *const shapes = &x->shapes;
    const uint32_t none = (uint32_t)x->first[x->target.n];
    uint32_t *slot = NULL; /* [nodes] */
    size_t n_begun = 0;
    const trib_status status = TRIB_NEW(&slot, none, "the copying model", error);
    for (size_t i = 0; i < x->target.n && status == TRIB_OK; i++)
        for (size_t z = x->first[i]; z < x->first[i + 1]; z++) {
            const trib_trellis_node node = x->node[z];
            slot[z] = 1 + (node.previous == none ? shapes->slot[x->begun_shape[n_begun++]]
                                                 : slot[node.previous]);
            x->copy[z] = x->begin[trib_trellis_source(node)] * shapes->copy[slot[z]] / x->scale[i];
            x->later[z] = shapes->later[slot[z]] + x->ending[i];
        }
    trib_free(slot);
    return status;
}

/* Sets the parameters to the maximum of the likelihood of the counts, with the initial parameters
 * as prior. Copies that begin in a source as often as by coincidence do not count. */
static void update(trib_trellis *x, expected *found) {
    double starts = 0, started = 0, above = 0, n_words = 0;
    for (size_t s = 0; s < x->n_sources; s++) n_words += (double)x->source[s].n;
    for (size_t s = 0; s < x->n_sources; s++) {
        const double by_chance = COINCIDENCE * found->own * (double)x->source[s].n / n_words;
        started += found->started[s];
        found->started[s] = fmax(0, found->started[s] - by_chance);
        above += found->started[s];
    }
    x->leave = fmax(LEAST, ((started > 0 ? found->left * above / started : 0) + WORTH * LEAVE) /
                               (found->own + WORTH));
    x->end = fmin(LONGEST_END, (found->ended + WORTH * END) / (found->copied + WORTH));
    x->again = (found->jumped + 1) / (found->ended + 2);
    x->alter =
        fmin(MOST_ALTER, (found->altered + ALTER_WORTH * ALTER) / (found->copied + ALTER_WORTH));
    for (size_t s = 0; s < x->n_sources; s++) starts += found->started[s] + STARTS_WORTH;
    for (size_t s = 0; s < x->n_sources; s++)
        x->prior[s] = (found->started[s] + STARTS_WORTH) / starts;
}

trib_status trib_trellis_fit(trib_trellis *x, const trib_progress *progress, trib_error *error) {
    static const char what[] = "the copying model";
    expected found = {0};
    trib_status status = trib_new(&found.started, x->n_sources, sizeof(double), what, error);
    x->leave = LEAVE;
    x->end = END;
    x->again = AGAIN;
    x->alter = ALTER;
    for (size_t s = 0; s < x->n_sources; s++) x->prior[s] = 1 / (double)x->n_sources;
    for (int round = 0; round <= ROUNDS && status == TRIB_OK; round++) {
        if (round > 0) update(x, &found);
        set_begin(x);
        go_forward(x, round == ROUNDS);
        go_backward(x, &found);
        if (!trib_progress_tick(progress, round, ROUNDS))
            status = trib_fail(error, TRIB_INTERRUPTED,
                               "stopped while the target was measured by traced");
    }
    for (size_t i = 0; i < x->target.n; i++)
        x->onward[i] = (1 - x->end) * (1 - x->alter) / x->scale[i];
    if (status == TRIB_OK) status = fill_nodes(x, error);
    trib_free(found.started);
    return status;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Sets credit[h] to the number of the target's n-grams that are copies of `overlap->shared[h]`. */
static void give_credit(double *credit, const trib_trellis *x, const trib_overlap *overlap,
                        const trib_influence_document *target) {
    for (size_t k = 0; k < target->n_ngrams; k++) {
        const size_t i = x->target.place[k] + x->n_modes - 1, e = target->sequence[k];
        size_t h = overlap->start[e]; /* nodes and pairs ascend by source */
        const size_t end = overlap->start[e + 1];
        if (x->formula && x->formula[e]) continue;
        if (h == end) continue; /* in no source */
        for (size_t z = x->first[i]; z < x->first[i + 1]; z++) {
            const double p = trib_trellis_ngram(x, i, (uint32_t)z);
            if (p == 0) continue;
            const uint32_t s = trib_trellis_source(x->node[z]);
            while (h < end && overlap->shared[h].document < s) h++;
            if (h < end && overlap->shared[h].document == s) credit[h] += p;
        }
    }
}

/* Computes shares from credit. The rest is the author's: n-grams that no source holds (own), and
 * those better explained by chance (common). */
static void report(trib_influence *result, const trib_overlap *overlap, double n_ngrams) {
    double held = 0, copied = 0;
    for (size_t e = 0; e < overlap->n_entries; e++) {
        if (overlap->start[e] < overlap->start[e + 1]) held += overlap->count[e] / n_ngrams;
        for (size_t h = overlap->start[e]; h < overlap->start[e + 1]; h++)
            result->share[overlap->shared[h].document] += result->credit[h] / n_ngrams;
    }
    for (size_t s = 0; s < result->n_sources; s++) copied += result->share[s];
    const double formula = (double)overlap->n_formula / n_ngrams;
    result->author = fmax(0, 1 - copied - formula);
    result->own = fmax(0, 1 - held - formula);
    result->common = fmax(0, result->author - result->own);
}

trib_status trib_traced_measure(trib_influence *result, const trib_influence_case *c,
                                const trib_influence_options *options, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    TRIB_OWNED(trib_trellis) x = {0};
    TRIB_OWNED(trib_overlap) overlap = {0};
    if (target->n_ngrams == 0) { /* an empty target is wholly its author's */
        result->author = result->own = 1;
        result->common = 0;
        return TRIB_OK;
    }
    trib_status status = trib_trellis_build(&x, c, error);
    if (status == TRIB_OK) status = trib_trellis_fit(&x, &options->progress, error);
    if (status == TRIB_OK) status = trib_overlap_build(&overlap, c, c->source, c->n_sources, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&result->credit, overlap.start[overlap.n_entries], "the shares", error);
    if (status != TRIB_OK) return status;
    give_credit(result->credit, &x, &overlap, target);
    report(result, &overlap, (double)target->n_ngrams);
    result->n_iterations = ROUNDS;
    result->log_likelihood = x.log_likelihood;
    status = trib_trellis_trace(result, &x, error);
    if (status == TRIB_OK)
        status = trib_groups_find(result, target, &overlap, result->credit, error);
    if (status == TRIB_OK && options->bootstrap > 0 && c->n_sources > 0)
        status = trib_trellis_intervals(result, &x, options->bootstrap, options->seed,
                                        options->n_threads, error);
    return status;
}
