/* phantom.c - the mass of a factor on n-grams that do not occur in its document, or that hold a
 * given word (docs/model.md section 6). A rank-1 factor is an outer product, so it has mass on
 * every combination of its words. */
#include "influence/evidence.h"
#include "influence/factors/vectors.h"

#include <assert.h>
#include <math.h>

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
