/* factors.c - the rank-1 factors of many documents. Each vector is sparse over the vocabulary and
 * sorted by id, so that two vectors can be merged. */
#include "base/internal.h"
#include "influence/factors/vectors.h"

#include <float.h>

/* Vectors whose sum differs from 1 by rounding only are treated as summing to 1, so that disjoint
 * factors have a distance of exactly 2. Each summand is rounded once here and was once when the
 * vector was made to sum to 1. */
static double rounding(size_t n) { return 1e-12 + DBL_EPSILON * (double)n; }

/* An index of a document and the vocabulary id of its word. */
typedef struct place {
    uint32_t word, index;
} place;

TRIB_ORDER(by_word, place, TRIB_UP(word));

/* Sorts the indices 0 .. n-1 by their vocabulary ids. */
static trib_status order_by_word(place **order, uint32_t n, const uint32_t *word,
                                 trib_error *error) {
    const trib_status status = TRIB_NEW(order, n, "the order of words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < n; i++) (*order)[i] = (place){word ? word[i] : i, i};
    if (word && n > 0) qsort(*order, n, sizeof **order, by_word);
    for (uint32_t i = 1; i < n; i++)
        if ((*order)[i].word == (*order)[i - 1].word)
            return trib_fail(error, TRIB_INTERNAL, "two indices stand for word %u",
                             (*order)[i].word);
    return TRIB_OK;
}

static size_t positive_values(const trib_ktensor *k) {
    size_t n = 0;
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (size_t at = 0; at < (size_t)k->dim[m] * k->rank; at++) n += k->factor[m][at] > 0;
    return n;
}

/* Grows every array for n_more factors with n_values values together; adding them cannot fail
 * afterwards. Arrays that share a capacity each grow from their own copy of it by the same rule, so
 * a failure half-way leaves no array smaller than its capacity says. */
static trib_status reserve(trib_factors *factors, size_t n_more, size_t n_values,
                           trib_error *error) {
    const size_t need = factors->n + n_more, n_modes = factors->n_modes;
    const struct {
        void *array;
        size_t *cap, need, size;
    } wanted[] = {
        {&factors->document, &(size_t){factors->cap}, need, sizeof *factors->document},
        {&factors->component, &(size_t){factors->cap}, need, sizeof *factors->component},
        {&factors->sum, &(size_t){factors->cap}, need, n_modes * sizeof *factors->sum},
        {&factors->start, &factors->start_cap, need * n_modes + 1, sizeof *factors->start},
        {&factors->word, &factors->word_cap, factors->n_values + n_values, sizeof *factors->word},
        {&factors->value, &factors->value_cap, factors->n_values + n_values,
         sizeof *factors->value},
        {&factors->lambda, &factors->cap, need, sizeof *factors->lambda},
    };
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == TRIB_OK; i++)
        status = trib_grow(wanted[i].array, wanted[i].cap, wanted[i].need, wanted[i].size,
                           "factors", error);
    return status;
}

/* Appends column r of mode m, sorted by vocabulary id. */
static void add_vector(trib_factors *factors, const trib_ktensor *k, uint32_t m, uint32_t r,
                       const place *order, uint32_t n_order) {
    const size_t v = factors->n * factors->n_modes + m;
    double sum = 0;
    factors->start[v] = factors->n_values;
    for (uint32_t i = 0; i < n_order; i++) {
        if (order[i].index >= k->dim[m]) continue;
        const double value = k->factor[m][(size_t)order[i].index * k->rank + r];
        if (!(value > 0)) continue;
        factors->word[factors->n_values] = order[i].word;
        factors->value[factors->n_values++] = value;
        sum += value;
    }
    factors->start[v + 1] = factors->n_values;
    factors->sum[v] =
        fabs(sum - 1) <= rounding(factors->start[v + 1] - factors->start[v]) ? 1 : sum;
}

trib_status trib_factors_add(trib_factors *factors, uint32_t document, const trib_ktensor *k,
                             const uint32_t *word, trib_error *error) {
    if (factors->n > 0 && factors->n_modes != k->n_modes)
        return trib_fail(error, TRIB_INTERNAL, "factors of %u modes beside factors of %u",
                         k->n_modes, factors->n_modes);
    if (factors->n > 0 && document < factors->document[factors->n - 1])
        return trib_fail(error, TRIB_INTERNAL, "factors of document %u after those of %u", document,
                         factors->document[factors->n - 1]);
    uint32_t n_order = 0;
    for (uint32_t m = 0; m < k->n_modes; m++)
        if (k->dim[m] > n_order) n_order = k->dim[m];
    TRIB_FREED(place *) order = NULL;
    trib_status status = order_by_word(&order, n_order, word, error);
    if (status != TRIB_OK) return status;
    factors->n_modes = k->n_modes;
    status = reserve(factors, k->rank, positive_values(k), error);
    if (status != TRIB_OK) return status;
    for (uint32_t r = 0; r < k->rank; r++) {
        for (uint32_t m = 0; m < k->n_modes; m++) add_vector(factors, k, m, r, order, n_order);
        factors->document[factors->n] = document;
        factors->component[factors->n] = r;
        factors->lambda[factors->n++] = k->lambda[r];
    }
    return status;
}

void trib_factors_release(trib_factors *factors) {
    TRIB_FREE(factors->document, factors->component, factors->lambda, factors->start, factors->word,
              factors->value, factors->sum);
    *factors = (trib_factors){0};
}
