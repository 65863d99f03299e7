/* counts.c - the counting methods `containment` and `split` (docs/model.md section 5). Both give
 * each n-gram of the target to the sources that hold it, without a weight for how common it is.
 * N-grams that a long source shares by chance thus count as influence; `anchored` corrects for
 * that. */
#include "influence/evidence.h"
#include "influence/factors/vectors.h"
#include "influence/methods.h"
#include "influence/overlap.h"

#include <assert.h>
#include <math.h>
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

/* ---- Mass on n-grams that do not occur ------------------------------------------------------- */

/* The value of a vector at a word; 0 when the vector does not hold the word. */
static double value_at(trib_factor_vector x, uint32_t word) {
    size_t low = 0, high = x.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x.word[middle] < word) low = middle + 1;
        else high = middle;
    }
    return low < x.n && x.word[low] == word ? x.value[low] : 0;
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
