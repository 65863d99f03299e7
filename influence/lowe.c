/* lowe.c - the methods `lowe` and `lowe-soft`: influence by matched factors. `lowe` follows [L]
 * Lowe 2018 and Lowe and Berry 2020, with the corrections of docs/model.md section 7 (sources only,
 * sums over factors, ties shared). `lowe-soft` is our own method, described in section 5.
 *
 * Both read stored distances only: nearest[t][s] is the distance of factor t of the target to the
 * nearest factor of document s. Factors are summed in a fixed order, so the numbering of documents
 * does not matter. */
#include "base/internal.h"
#include "influence/methods.h"

#include <math.h>

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
