/* traced.c - the method `traced`: finds for every word of the target the place in a source it was
 * copied from, or its author, with the hidden Markov model of trellis.h. Baum-Welch rounds of
 * forward and backward passes (Baum et al. 1970; scaled as by Rabiner 1989) fit how often and how
 * long the target copies. The share of a source is the expected number of the target's n-grams that
 * were copied from it as a whole, over all n-grams. */
#include "influence/methods.h"
#include "influence/overlap.h"
#include "influence/trellis.h"

#include <math.h>

enum {
    ROUNDS = 20,
    LANES = 4 /* independent sums per source, so that additions need not wait for each other */
};

/* The initial parameters, and the number of observed words, ends and starts that each of them is
 * worth as a prior. */
static const double LEAVE = 0.01, END = 0.05, AGAIN = 0.3, ALTER = 0.02, MISREAD = 0.01;
static const double WORTH = 2, ALTER_WORTH = 10, STARTS_WORTH = 2;
static const double LEAST = 1e-4, LONGEST_END = 0.4, MOST_ALTER = 0.4, MOST_MISREAD = 0.8;

/* Coincidences per word of the author's own: short phrases that a source holds by chance look like
 * copies that begin this often. What is above it makes `leave`. Chosen on one half of the planted
 * corpora (docs/validation.md). */
static const double COINCIDENCE = 0.003;

/* Expected counts of words under the posterior, in one round. */
typedef struct expected {
    double own, left; /* in the author's own; of those, leaving it */
    double copied, ended,
        /* in copies; of those, the last word of a copy; of those, before another copy */
        jumped;
    double altered;  /* in copies, words that differ from the source's */
    double misread;  /* in copies, words that are close to the source's */
    double *started; /* [n_sources][LANES] copies that begin; at the end [n_sources] sums */
} expected;

/* Computes the scaled forward probabilities of every state. Those of the copies of word i still
 * have to be divided by scale[i]: most words have few nodes, and a second loop over them would cost
 * as much as this one. The likelihood needs a logarithm per word, so it is optional. */
TRIB_INLINE void forward(trib_trellis *x, bool with_likelihood, const bool has_close) {
    const trib_trellis_node *const nodes = x->node;
    const double *restrict const begin = x->begin;
    double *const copy = x->copy; /* the element after the last is 0: there is no previous node */
    double own = 0.5, entering = 0.5, on = 0;
    x->log_likelihood = 0;
    for (size_t i = 0; i < x->target.n; i++) {
        const double emits_same = 1 - x->alter, emits_other = x->alter * x->chance[i];
        const size_t end = x->first[i + 1];
        double copied = 0;
        for (size_t z = x->first[i]; z < end; z++) {
            const trib_trellis_node node = nodes[z];
            const double goes_on = copy[node.previous] * on;
            const double clear = has_close ? trib_trellis_clear(x, z) : 1;
            copied += copy[z] =
                trib_trellis_same(node)
                    ? (entering * begin[trib_trellis_source(node)] + goes_on) * (emits_same * clear)
                    : goes_on * emits_other;
        }
        const double emitted = own * x->chance[i], all_states = emitted + copied;
        /* faster than a call of fmax */
        const double sum = all_states > 1e-300 ? all_states : 1e-300;
        if (with_likelihood) x->log_likelihood += log(sum);
        x->entering[i] = entering;
        x->scale[i] = sum;
        x->own[i] = emitted / sum;
        copied /= sum;
        on = (1 - x->end) / sum;
        own = x->own[i] * (1 - x->leave) + copied * x->end * (1 - x->again);
        entering = x->own[i] * x->leave + copied * x->end * x->again;
    }
}

static void go_forward(trib_trellis *x, bool with_likelihood) {
    if (x->close) forward(x, with_likelihood, true);
    else forward(x, with_likelihood, false);
}

/* Computes the backward probabilities at the nodes of word i; `end` is that of a copy that ends
 * there. Returns the probability of the following text given that a copy begins at word i. */
TRIB_INLINE double leave_nodes(trib_trellis *x, size_t i, double end, expected *found,
                               const bool has_close) {
    const size_t behind = x->first[i + 1];
    const double scale = x->scale[i], on = 1 - x->end, entering = x->entering[i];
    const double emits_same = (1 - x->alter) / scale, emits_other = x->alter * x->chance[i] / scale;
    const trib_trellis_node *const nodes = x->node;
    const double *restrict const begin = x->begin, *restrict const copy = x->copy;
    double *restrict const laters = x->later, *restrict const started = found->started;
    double start = 0, altered = 0, misread = 0;
    for (size_t z = x->first[i]; z < behind; z++) {
        const trib_trellis_node node = nodes[z];
        const double later = laters[z] + end; /* 0 unless a node of the next word set it */
        double emitted = emits_other * later;
        if (trib_trellis_same(node)) {
            emitted = emits_same * (has_close ? trib_trellis_clear(x, z) : 1) * later;
            if (has_close && x->close[z] > 0) misread += copy[z] * later;
            const double here = begin[trib_trellis_source(node)] * emitted;
            start += here;
            started[trib_trellis_source(node) * LANES + z % LANES] += entering * here;
        } else altered += copy[z] * later;
        laters[node.previous] = on * emitted;
    }
    found->altered += altered / scale;
    found->misread += misread / scale;
    return start;
}

/* Computes the scaled backward probabilities and the expected counts. */
static void go_backward(trib_trellis *x, expected *found) {
    const size_t n = x->target.n, n_sources = x->n_sources;
    /* at word i + 1: of the author's own text, and of the start of a copy */
    double own_next = 1, start_next = 1;
    for (size_t s = 0; s < LANES * n_sources; s++) found->started[s] = 0;
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
        start_next =
            x->close ? leave_nodes(x, i, end, found, true) : leave_nodes(x, i, end, found, false);
    }
    /* sums are written before the lanes that are read next */
    for (size_t s = 0; s < n_sources; s++) {
        const double *lane = found->started + s * LANES;
        double sum = lane[0];
        for (size_t k = 1; k < LANES; k++) sum += lane[k];
        found->started[s] = sum;
    }
}

/* Sets the parameters to the maximum of the likelihood of the counts, with the initial parameters
 * as prior, and `leave` to what is above coincidence. */
static void update(trib_trellis *x, const expected *found) {
    double starts = 0;
    x->leave = fmax(LEAST, (found->left + WORTH * LEAVE) / (found->own + WORTH) - COINCIDENCE);
    x->end = fmin(LONGEST_END, (found->ended + WORTH * END) / (found->copied + WORTH));
    x->again = (found->jumped + 1) / (found->ended + 2);
    x->alter =
        fmin(MOST_ALTER, (found->altered + ALTER_WORTH * ALTER) / (found->copied + ALTER_WORTH));
    x->misread = fmin(MOST_MISREAD, (found->misread + ALTER_WORTH * MISREAD) /
                                        (found->copied - found->altered + ALTER_WORTH));
    for (size_t s = 0; s < x->n_sources; s++) starts += found->started[s] + STARTS_WORTH;
    for (size_t s = 0; s < x->n_sources; s++)
        x->prior[s] = (found->started[s] + STARTS_WORTH) / starts;
}

trib_status trib_trellis_fit(trib_trellis *x, const trib_progress *progress, trib_error *error) {
    static const char what[] = "the copying model";
    expected found = {0};
    trib_status status =
        trib_new(&found.started, LANES * x->n_sources, sizeof(double), what, error);
    x->leave = LEAVE;
    x->end = END;
    x->again = AGAIN;
    x->alter = ALTER;
    x->misread = MISREAD;
    for (size_t s = 0; s < x->n_sources; s++) x->prior[s] = 1 / (double)x->n_sources;
    for (int round = 0; round <= ROUNDS && status == TRIB_OK; round++) {
        if (round > 0) update(x, &found);
        for (size_t s = 0; s < x->n_sources; s++)
            x->begin[s] = x->prior[s] / (double)x->source[s].n;
        go_forward(x, round == ROUNDS);
        go_backward(x, &found);
        if (!trib_progress_tick(progress, round, ROUNDS))
            status = trib_fail(error, TRIB_INTERRUPTED,
                               "stopped while the target was measured by traced");
    }
    for (size_t i = 0; i < x->target.n && status == TRIB_OK; i++) {
        x->onward[i] = (1 - x->end) * (1 - x->alter) / x->scale[i];
        for (size_t z = x->first[i]; z < x->first[i + 1]; z++) {
            x->copy[z] /= x->scale[i];
            x->later[z] += x->ending[i];
        }
    }
    trib_free(found.started);
    return status;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Sets credit[h] to the number of the target's n-grams that are copies of `overlap->shared[h]`, and
 * misread[s] to those of source s, which does not hold them, by close words; NULL: there are
 * none. */
static void give_credit(double *credit, double *misread, const trib_trellis *x,
                        const trib_overlap *overlap, const trib_influence_document *target) {
    for (size_t k = 0; k < target->n_ngrams; k++) {
        const size_t i = x->target.place[k] + x->n_modes - 1, e = target->sequence[k];
        size_t h = overlap->start[e]; /* nodes and pairs ascend by source */
        const size_t end = overlap->start[e + 1];
        if (x->formula && x->formula[e]) continue;
        if (h == end && !misread) continue; /* in no source */
        for (size_t z = x->first[i]; z < x->first[i + 1]; z++) {
            const double p = trib_trellis_ngram(x, i, (uint32_t)z);
            if (p == 0) continue;
            const uint32_t s = trib_trellis_source(x->node[z]);
            while (h < end && overlap->shared[h].document < s) h++;
            if (h < end && overlap->shared[h].document == s) credit[h] += p;
            else misread[s] += p;
        }
    }
}

/* Computes shares from credit. The rest is the author's: n-grams that no source holds (own), and
 * those better explained by chance (common). */
static void report(trib_influence *result, const double *misread, const trib_overlap *overlap,
                   double n_ngrams) {
    double held = 0, copied = 0;
    for (size_t e = 0; e < overlap->n_entries; e++) {
        if (overlap->start[e] < overlap->start[e + 1]) held += overlap->count[e] / n_ngrams;
        for (size_t h = overlap->start[e]; h < overlap->start[e + 1]; h++)
            result->share[overlap->shared[h].document] += result->credit[h] / n_ngrams;
    }
    for (size_t s = 0; s < result->n_sources && misread; s++)
        result->share[s] += misread[s] / n_ngrams;
    for (size_t s = 0; s < result->n_sources; s++) copied += result->share[s];
    const double formula = (double)overlap->n_formula / n_ngrams;
    result->author = fmax(0, 1 - copied - formula);
    result->own = fmax(0, 1 - held - formula);
    if (misread) result->own = fmin(result->author, result->own);
    result->common = fmax(0, result->author - result->own);
}

static trib_status add_intervals(trib_influence *result, const trib_trellis *x,
                                 const trib_influence_options *options, trib_error *error) {
    trib_status status =
        trib_new(&result->low, x->n_sources, sizeof *result->low, "intervals", error);
    if (status == TRIB_OK)
        status = trib_new(&result->high, x->n_sources, sizeof *result->high, "intervals", error);
    if (status != TRIB_OK) return status;
    return trib_trellis_intervals(result, x, options->bootstrap, options->seed, options->n_threads,
                                  error);
}

trib_status trib_traced_measure(trib_influence *result, const trib_influence_case *c,
                                const trib_influence_options *options, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    trib_trellis x = {0};
    trib_overlap overlap = {0};
    double *misread = NULL;      /* [n_sources] */
    if (target->n_ngrams == 0) { /* an empty target is wholly its author's */
        result->author = result->own = 1;
        result->common = 0;
        return TRIB_OK;
    }
    trib_status status = trib_trellis_build(&x, c, error);
    if (status == TRIB_OK) status = trib_trellis_fit(&x, &options->progress, error);
    if (status == TRIB_OK) status = trib_overlap_build(&overlap, c, c->source, c->n_sources, error);
    if (status == TRIB_OK)
        status = trib_new(&result->credit, overlap.start[overlap.n_entries], sizeof *result->credit,
                          "the shares", error);
    if (status == TRIB_OK && c->close)
        status = trib_new(&misread, c->n_sources, sizeof *misread, "the shares", error);
    if (status != TRIB_OK) goto done;
    give_credit(result->credit, misread, &x, &overlap, target);
    report(result, misread, &overlap, (double)target->n_ngrams);
    result->n_iterations = ROUNDS;
    result->log_likelihood = x.log_likelihood;
    status = trib_trellis_trace(result, &x, error);
    if (status == TRIB_OK)
        status = trib_groups_find(result, target, &overlap, result->credit, error);
    if (status == TRIB_OK && options->bootstrap > 0 && c->n_sources > 0)
        status = add_intervals(result, &x, options, error);
done:
    trib_free(misread);
    trib_overlap_release(&overlap);
    trib_trellis_release(&x);
    return status;
}
