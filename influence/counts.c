/* counts.c - the counting methods `containment` and `split` (docs/model.md section 5). Both give
 * each n-gram of the target to the sources that hold it, without a weight for how common it is.
 * N-grams that a long source shares by chance thus count as influence; `anchored` corrects for
 * that. */
#include "influence/methods.h"
#include "influence/overlap.h"

#include <string.h>

/* The share of a mass of n-grams in the target; 0 for a target without n-grams. */
static double part(double mass, const trib_hacoo *target) {
    return target->total > 0 ? mass / (double)target->total : 0;
}

/* Containment: share_s = sum of T(z) over the n-grams z that s holds / |T|. The author's share is
 * that of the n-grams that no source holds. */
trib_status trib_containment_measure(trib_influence *result, const trib_influence_case *c,
                                     const trib_influence_options *options, trib_error *error) {
    (void)options;
    const trib_hacoo *target = c->document[c->target].counts;
    trib_overlap overlap;
    trib_status status = trib_overlap_build(&overlap, c, c->source, c->n_sources, error);
    if (status != TRIB_OK) return status;
    double own = 0; /* all sums are of whole numbers, so they are exact */
    for (size_t e = 0; e < overlap.n_entries; e++) {
        const double mass = overlap.count[e];
        if (overlap.start[e] == overlap.start[e + 1]) own += mass;
        for (size_t h = overlap.start[e]; h < overlap.start[e + 1]; h++)
            result->share[overlap.shared[h].document] += mass;
    }
    for (size_t s = 0; s < c->n_sources; s++) result->share[s] = part(result->share[s], target);
    result->author = target->total > 0 ? part(own, target) : 1;
    trib_overlap_release(&overlap);
    return TRIB_OK;
}

/* Split: T(z) is divided among the sources that hold z in proportion to P_s(z) = X_s(z) / |X_s|. */
trib_status trib_split_measure(trib_influence *result, const trib_influence_case *c,
                               const trib_influence_options *options, trib_error *error) {
    (void)options;
    const trib_hacoo *target = c->document[c->target].counts;
    trib_overlap overlap;
    if (c->other && c->other->split) {
        memcpy(result->share, c->other->split, c->n_sources * sizeof *result->share);
        result->author = c->other->split_author;
        return TRIB_OK;
    }
    trib_status status = trib_overlap_build(&overlap, c, c->source, c->n_sources, error);
    if (status != TRIB_OK) return status;
    double own = 0;
    for (size_t e = 0; e < overlap.n_entries; e++) {
        const trib_shared_ngram *first = overlap.shared + overlap.start[e];
        const trib_shared_ngram *end = overlap.shared + overlap.start[e + 1];
        double frequency = 0;
        for (const trib_shared_ngram *h = first; h < end; h++) frequency += h->frequency;
        for (const trib_shared_ngram *h = first; h < end; h++)
            result->share[h->document] += overlap.count[e] * (h->frequency / frequency);
        if (first == end) own += overlap.count[e];
    }
    for (size_t s = 0; s < c->n_sources; s++) result->share[s] = part(result->share[s], target);
    result->author = target->total > 0 ? part(own, target) : 1;
    trib_overlap_release(&overlap);
    return TRIB_OK;
}
