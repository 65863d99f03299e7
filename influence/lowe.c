/* lowe.c - the methods by factors: `lowe`, `lowe-soft` and `lowe-matched`. `lowe` follows [L]
 * Lowe 2018 and Lowe and Berry 2020, with the corrections of docs/model.md section 7 (sources only,
 * sums over factors, ties shared). `lowe-soft` is our own method, described in section 5.
 *
 * Both read stored distances only: nearest[t][s] is the distance of factor t of the target to the
 * nearest factor of document s. Factors are summed in a fixed order, so the numbering of documents
 * does not matter. */
#include "base/internal.h"
#include "influence/evidence.h"
#include "influence/factors/vectors.h"
#include "influence/methods.h"
#include "influence/overlap.h"

#include <assert.h>

/* Distances that differ by less than this are equal, so that rounding decides neither between
 * sources nor at the threshold. */
static const double TIE = 1e-9;

static double target_mass(const trib_influence_case *c) {
    double mass = 0;
    for (size_t t = 0; t < c->factors->n; t++)
        if (c->factors->document[t] == c->target) mass += c->factors->lambda[t];
    return mass;
}

/* The distance of factor t to source s; infinite when the source has no factor. */
static double distance_to(const trib_influence_case *c, size_t t, size_t s) {
    const size_t at = t * c->distances->n_documents + c->source[s];
    return c->distances->which[at] == UINT32_MAX ? INFINITY : c->distances->nearest[at];
}

/* Divides `weight` equally among the sources nearest to factor t. False when no source is within
 * the threshold. */
static bool match_factor(const trib_influence_case *c, size_t t, double threshold, double weight,
                         double *share) {
    double nearest = INFINITY;
    for (size_t s = 0; s < c->n_sources; s++) nearest = fmin(nearest, distance_to(c, t, s));
    if (!(nearest <= threshold + TIE)) return false;
    size_t n_winners = 0;
    for (size_t s = 0; s < c->n_sources; s++) n_winners += distance_to(c, t, s) <= nearest + TIE;
    for (size_t s = 0; s < c->n_sources; s++)
        if (distance_to(c, t, s) <= nearest + TIE) share[s] += weight / (double)n_winners;
    return true;
}

/* Computes shares of the target's factor mass. A target without factor mass is wholly its
 * author's. */
trib_status trib_lowe_at(const trib_influence_case *c, double threshold, double *share,
                         double *author, trib_error *error) {
    if (!c->factors || !c->distances)
        return trib_fail(error, TRIB_INTERNAL, "lowe: needs factors and their distances");
    const double mass = target_mass(c);
    for (size_t s = 0; s < c->n_sources; s++) share[s] = 0;
    *author = mass > 0 ? 0 : 1;
    for (size_t t = 0; t < c->factors->n && mass > 0; t++) {
        if (c->factors->document[t] != c->target) continue;
        const double weight = c->factors->lambda[t] / mass;
        if (!match_factor(c, t, threshold, weight, share)) *author += weight;
    }
    return TRIB_OK;
}

/* The target's factor mass over |T|: the part of the target that the shares refer to. */
static double explained(const trib_influence_case *c) {
    const trib_hacoo *counts = c->document ? c->document[c->target].counts : NULL;
    if (!counts) return NAN;
    return counts->total > 0 ? target_mass(c) / (double)counts->total : 0;
}

trib_status trib_lowe_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error) {
    const trib_status status =
        trib_lowe_at(c, options->threshold, result->share, &result->author, error);
    if (status != TRIB_OK) return status;
    result->matched = 0;
    for (size_t s = 0; s < c->n_sources; s++) result->matched += result->share[s];
    result->explained = explained(c);
    return TRIB_OK;
}

/* The overlap O_ts, from 0 (disjoint, or a source without factors) to 1 (identical). */
static double overlap_with(const trib_influence_case *c, size_t t, size_t s) {
    return fmax(0, 1 - distance_to(c, t, s) / 2);
}

/* The best overlap v_t of factor t is the part of it that comes from sources. It is divided among
 * the sources in proportion to O_ts^4, computed relative to v_t so that nothing underflows. */
trib_status trib_lowe_soft_measure(trib_influence *result, const trib_influence_case *c,
                                   const trib_influence_options *options, trib_error *error) {
    (void)options;
    (void)error;
    const double mass = target_mass(c);
    result->author = mass > 0 ? 0 : 1;
    for (size_t t = 0; t < c->factors->n && mass > 0; t++) {
        if (c->factors->document[t] != c->target) continue;
        const double weight = c->factors->lambda[t] / mass;
        double best = 0, sum = 0;
        for (size_t s = 0; s < c->n_sources; s++) best = fmax(best, overlap_with(c, t, s));
        result->author += weight * (1 - best);
        if (best == 0) continue;
        for (size_t s = 0; s < c->n_sources; s++)
            sum += trib_power(overlap_with(c, t, s) / best, 4);
        for (size_t s = 0; s < c->n_sources; s++)
            result->share[s] += weight * best * trib_power(overlap_with(c, t, s) / best, 4) / sum;
    }
    result->explained = explained(c);
    return TRIB_OK;
}

/* ---- Mass on n-grams that do not occur ------------------------------------------------------- */

TRIB_SEARCH(first_word, uint32_t, uint32_t, *x < key);

/* The value of a vector at a word; 0 when the vector does not hold the word. */
static double value_at(trib_factor_vector x, uint32_t word) {
    const size_t i = first_word(x.word, x.n, word);
    return i < x.n && x.word[i] == word ? x.value[i] : 0;
}

double trib_phantom_mass(const trib_factors *factors, size_t f,
                         const trib_influence_document *document) {
    const trib_hacoo *counts = document->counts;
    assert(f < factors->n && (counts->nnz == 0 || counts->n_modes == factors->n_modes));
    double mass = 1, attested = 0;
    for (uint32_t m = 0; m < factors->n_modes; m++)
        mass *= trib_factor_vector_of(factors, f, m).sum;
    if (!(mass > 0)) return 0;
    for (size_t e = 0; e < counts->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(counts, e, index);
        double value = 1;
        for (uint32_t m = 0; m < factors->n_modes && value > 0; m++)
            value *= value_at(trib_factor_vector_of(factors, f, m),
                              document->word ? document->word[index[m]] : index[m]);
        attested += value;
    }
    return fmax(0, 1 - attested / mass);
}

double trib_mass_with_word(const trib_factors *factors, size_t f, uint32_t word) {
    double without = 1;
    assert(f < factors->n);
    for (uint32_t m = 0; m < factors->n_modes; m++) {
        const trib_factor_vector x = trib_factor_vector_of(factors, f, m);
        if (!(x.sum > 0)) return 0;
        without *= fmax(0, 1 - value_at(x, word) / x.sum);
    }
    return 1 - without;
}

/* ---- Whole decompositions -------------------------------------------------------------------- */

/* The method `lowe-matched`: influence by factors that are matched against whole decompositions
 * (docs/model.md section 5).
 *
 * `lowe` finds the single nearest factor of a source, so it misses a passage that the
 * decompositions of two documents cut into different factors. This method compares a factor t of
 * the target with all factors of a source together, by their inner products. Both decompositions
 * are exact covers by fibres. Only the target's cover has to be built: the factors of a source,
 * each times its lambda, sum to the source's counts. The probability of t under a language model
 * competes with the sources, and EM fits the shares as in `anchored`. */

enum { MAX_ROUNDS = 150 };

/* The fit ends when no share changes by more than this. */
static const double CONVERGED = 1e-9;

/* ---- The probability of an n-gram ------------------------------------------------------------ */

/* Counts of words and pairs of words in the target and its sources together. `{0}` is empty. */
typedef struct language {
    trib_hacoo pair;     /* c(u v), from the first two modes */
    double *first;       /* [n_words] c(w), the n-grams that begin with w */
    double *n_followers; /* [n_words] number of different words v after u */
    double total, n_types;
} language;

static void language_release(language *l) {
    trib_hacoo_release(&l->pair);
    TRIB_FREE(l->first, l->n_followers);
    *l = (language){0};
}

static trib_status language_add(language *l, const trib_influence_document *document,
                                trib_error *error) {
    trib_status status = trib_stop_check(error);
    uint32_t index[TRIB_MAX_MODES];
    const bool has_pairs = document->counts->n_modes > 1;
    for (size_t e = 0; e < document->counts->nnz && status == TRIB_OK; e++) {
        const uint32_t count = trib_hacoo_entry(document->counts, e, index);
        const uint32_t pair[] = {document->word[index[0]], document->word[index[has_pairs]]};
        l->first[pair[0]] += count;
        l->total += count;
        if (has_pairs) status = trib_hacoo_add(&l->pair, pair, count, error);
    }
    return status;
}

static trib_status language_build(language *l, const trib_influence_case *c, trib_error *error) {
    const uint32_t dim[] = {c->n_words, c->n_words};
    trib_status status = TRIB_NEW(&l->first, c->n_words, "words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&l->n_followers, c->n_words, "words", error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->pair, 2, dim, NULL, error);
    if (status == TRIB_OK) status = language_add(l, &c->document[c->target], error);
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK; s++)
        if (c->source[s] != c->target) status = language_add(l, &c->document[c->source[s]], error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < l->pair.nnz; e++) {
        uint32_t pair[2];
        trib_hacoo_entry(&l->pair, e, pair);
        l->n_followers[pair[0]]++;
    }
    for (uint32_t w = 0; w < c->n_words; w++) l->n_types += l->first[w] > 0;
    return TRIB_OK;
}

/* Every count is without the occurrence whose probability is computed. */
static double chance_of_word(const language *l, uint32_t w) {
    return (fmax(l->first[w] - 1, 0) + 0.5) / (l->total + 0.5 * l->n_types);
}

/* Pair counts are reduced by one more, so that a pair copied once does not count as common
 * language. */
static double chance_of_next(const language *l, uint32_t u, uint32_t v) {
    const double count = fmax(l->first[u] - 1, 1);
    const double pairs = (double)trib_hacoo_get(&l->pair, (const uint32_t[]){u, v}) - 1;
    return fmax(pairs - 1, 0) / count + fmin(1, l->n_followers[u] / count) * chance_of_word(l, v);
}

static double chance_of(const language *l, const trib_influence_document *target,
                        const uint32_t index[], uint32_t n_modes) {
    double p = chance_of_word(l, target->word[index[0]]);
    for (uint32_t m = 1; m < n_modes; m++)
        p *= chance_of_next(l, target->word[index[m - 1]], target->word[index[m]]);
    return p;
}

/* ---- Comparison of the target's factors ------------------------------------------------------ */

/* The target's factors and how much they resemble each source. `{0}` is empty. */
typedef struct matching {
    trib_overlap overlap;
    trib_fibre_cover cover;
    size_t *entry;    /* [nnz] entries of the target's counts, in the order of the cover */
    double *chance;   /* [n_fibres] A_t, the probability of factor t under the language model */
    double *likeness; /* [overlap.start[nnz]] L_ts, for every n-gram of t that s holds */
} matching;

static void matching_release(matching *x) {
    trib_overlap_release(&x->overlap);
    trib_fibre_cover_release(&x->cover);
    TRIB_FREE(x->entry, x->chance, x->likeness);
    *x = (matching){0};
}

static trib_status cover_target(matching *x, const trib_hacoo *target, trib_error *error) {
    const trib_overlap *o = &x->overlap;
    double *value = NULL;
    uint32_t *ngram = NULL; /* [n][n_modes] without formulas, which belong to no factor */
    size_t n = 0;
    trib_status status = TRIB_NEW(&value, o->n_entries, "the target's counts", error);
    if (status == TRIB_OK)
        status = trib_new(&ngram, o->n_entries, o->n_modes * sizeof *ngram, "the target's counts",
                          error);
    for (size_t e = 0; status == TRIB_OK && e < o->n_entries; e++) {
        if (o->count[e] == 0) continue;
        memcpy(ngram + n * o->n_modes, o->index + e * o->n_modes, o->n_modes * sizeof *ngram);
        value[n++] = o->count[e];
    }
    if (status == TRIB_OK)
        status = trib_fibre_cover_list(&x->cover, target->n_modes, target->dim, ngram, value, n, 0,
                                       error);
    TRIB_FREE(ngram, value);
    if (status == TRIB_OK) status = TRIB_NEW(&x->entry, x->cover.nnz, "a cover", error);
    if (status != TRIB_OK) return status;
    for (size_t f = 0; f < x->cover.n_fibres; f++) {
        const trib_fibre *t = &x->cover.fibre[f];
        uint32_t index[TRIB_MAX_MODES];
        memcpy(index, t->fixed, sizeof index);
        for (size_t i = t->first; i < t->first + t->n; i++) {
            index[t->free_mode] = x->cover.index[i];
            x->entry[i] = trib_hacoo_find(target, index);
        }
    }
    return TRIB_OK;
}

/* Computes A_t and L_ts, means over the n-grams of the factor: the sums over z of P_t(z) A(z) and
 * of P_t(z) X_s(z) / |X_s|. The latter equals the sum over the factors r of s of lambda_r / |X_s|
 * times the inner product of P_t and P_r. */
static void compare_factor(matching *x, size_t f, const language *l,
                           const trib_influence_document *target, double *mean) {
    const trib_overlap *o = &x->overlap;
    const trib_fibre *t = &x->cover.fibre[f];
    for (size_t i = t->first; i < t->first + t->n; i++) {
        const size_t e = x->entry[i];
        const double part = o->count[e] / t->mass;
        x->chance[f] += part * chance_of(l, target, o->index + e * o->n_modes, o->n_modes);
        for (size_t h = o->start[e]; h < o->start[e + 1]; h++)
            mean[o->shared[h].document] += part * o->shared[h].frequency;
    }
    for (size_t i = t->first; i < t->first + t->n; i++)
        for (size_t h = o->start[x->entry[i]]; h < o->start[x->entry[i] + 1]; h++)
            x->likeness[h] = mean[o->shared[h].document];
    for (size_t i = t->first; i < t->first + t->n; i++)
        for (size_t h = o->start[x->entry[i]]; h < o->start[x->entry[i] + 1]; h++)
            mean[o->shared[h].document] = 0;
}

static trib_status matching_build(matching *x, const trib_influence_case *c, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    language l = {0};
    TRIB_FREED(double *) mean = NULL;
    trib_status status = trib_overlap_build(&x->overlap, c, c->source, c->n_sources, error);
    if (status == TRIB_OK) status = cover_target(x, target->counts, error);
    if (status == TRIB_OK) status = TRIB_NEW(&x->chance, x->cover.n_fibres, "factors", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&x->likeness, x->overlap.start[x->overlap.n_entries], "factors", error);
    if (status == TRIB_OK) status = TRIB_NEW(&mean, c->n_sources, "factors", error);
    if (status == TRIB_OK) status = language_build(&l, c, error);
    for (size_t f = 0; f < x->cover.n_fibres && status == TRIB_OK; f++)
        compare_factor(x, f, &l, target, mean);
    language_release(&l);
    return status;
}

/* ---- The fit --------------------------------------------------------------------------------- */

/* One EM round: adds the mass of the target that each source explains to next[n_sources]. The rest
 * is the author's. */
static void explain(const matching *x, const double *share, double author, double *next) {
    const trib_overlap *o = &x->overlap;
    for (size_t f = 0; f < x->cover.n_fibres; f++) {
        const trib_fibre *t = &x->cover.fibre[f];
        for (size_t i = t->first; i < t->first + t->n; i++) {
            const size_t first = o->start[x->entry[i]], end = o->start[x->entry[i] + 1];
            double mix = author * x->chance[f];
            for (size_t h = first; h < end; h++)
                mix += share[o->shared[h].document] * x->likeness[h];
            for (size_t h = first; h < end && mix > 0; h++)
                next[o->shared[h].document] +=
                    o->count[x->entry[i]] * share[o->shared[h].document] * x->likeness[h] / mix;
        }
    }
}

static trib_status fit(trib_influence *result, const matching *x, double total, trib_error *error) {
    const size_t n_sources = result->n_sources;
    const double formula = (double)x->overlap.n_formula / total;
    double *next = NULL, moved = 1;
    trib_status status = TRIB_NEW(&next, n_sources, "shares", error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        result->share[s] = 0.5 / (double)n_sources;
    result->author = n_sources > 0 ? 0.5 : 1 - formula;
    for (int round = 0; round < MAX_ROUNDS && moved > CONVERGED && status == TRIB_OK; round++) {
        status = trib_stop_check(error);
        explain(x, result->share, result->author, next);
        moved = 0;
        result->author = 1 - formula;
        for (size_t s = 0; s < n_sources; s++) {
            moved = fmax(moved, fabs(next[s] / total - result->share[s]));
            result->share[s] = next[s] / total;
            result->author -= result->share[s];
            next[s] = 0;
        }
        result->author = fmax(result->author, 0);
    }
    trib_free(next);
    return status;
}

trib_status trib_lowe_matched_measure(trib_influence *result, const trib_influence_case *c,
                                      const trib_influence_options *options, trib_error *error) {
    const trib_hacoo *target = c->document[c->target].counts;
    matching x = {0};
    (void)options;
    result->author = 1;
    if (target->total == 0) return TRIB_OK;
    trib_status status = matching_build(&x, c, error);
    if (status == TRIB_OK) status = fit(result, &x, (double)target->total, error);
    matching_release(&x);
    return status;
}
