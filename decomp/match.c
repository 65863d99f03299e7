/* match.c - the similarity of two Kruskal tensors: the factor match score of the Tensor Toolbox
 * (`score`, greedy).
 *
 * The similarity of two components is the product over modes of the cosines of their columns, times
 * 1 - |a - b| / max(a, b) of their weights (masses of columns scaled to Euclidean length 1). The
 * most similar pair is matched, then the most similar of the remaining components, and so on. */
#include "decomp/decomp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One component of each tensor. */
typedef struct pair {
    double score;
    uint32_t a, b;
} pair;

static int most_alike_first(const void *left, const void *right) {
    const pair *x = left, *y = right;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Multiplies length[r] by the Euclidean length of column r of mode m; squares[rank] is scratch. */
static void multiply_lengths(const trib_ktensor *k, uint32_t m, double *squares, double *length) {
    if (k->rank == 0) return;
    memset(squares, 0, k->rank * sizeof *squares);
    for (uint32_t i = 0; i < k->dim[m]; i++)
        for (uint32_t r = 0; r < k->rank; r++) {
            const double value = k->factor[m][(size_t)i * k->rank + r];
            squares[r] += value * value;
        }
    for (uint32_t r = 0; r < k->rank; r++) length[r] *= sqrt(squares[r]);
}

/* Computes inner[a][b] of the columns of mode m; for a factor with itself, each pair once. */
static void inner_products(const trib_ktensor *a, const trib_ktensor *b, uint32_t m,
                           double *inner) {
    const uint32_t n = a->dim[m] < b->dim[m] ? a->dim[m] : b->dim[m];
    if (a->rank == 0 || b->rank == 0) return; /* there are no arrays */
    memset(inner, 0, (size_t)a->rank * b->rank * sizeof *inner);
    for (uint32_t i = 0; i < n; i++) {
        const double *of_a = a->factor[m] + (size_t)i * a->rank;
        const double *of_b = b->factor[m] + (size_t)i * b->rank;
        for (uint32_t r = 0; r < a->rank; r++) {
            double *row = inner + (size_t)r * b->rank;
            if (of_a[r] == 0) continue;
            for (uint32_t s = a == b ? r : 0; s < b->rank; s++) row[s] += of_a[r] * of_b[s];
        }
    }
    for (uint32_t r = 0; a == b && r < a->rank; r++)
        for (uint32_t s = 0; s < r; s++)
            inner[(size_t)r * a->rank + s] = inner[(size_t)s * a->rank + r];
}

/* Rates all pairs. product[n] holds the inner products over all modes, length_a and length_b the
 * products of lengths. */
static void rate_pairs(pair *all, const trib_ktensor *a, const trib_ktensor *b,
                       const double *product, const double *length_a, const double *length_b) {
    for (uint32_t r = 0; r < a->rank; r++)
        for (uint32_t s = 0; s < b->rank; s++) {
            const size_t at = (size_t)r * b->rank + s;
            const double lengths = length_a[r] * length_b[s];
            const double weight_a = a->lambda[r] * length_a[r];
            const double weight_b = b->lambda[s] * length_b[s];
            const double larger = fmax(weight_a, weight_b);
            const double alike = lengths > 0 ? product[at] / lengths : 0;
            const double penalty = larger > 0 ? fabs(weight_a - weight_b) / larger : 0;
            all[at] = (pair){alike * (1 - penalty), r, s};
        }
}

static double match_greedily(const pair *all, size_t n, uint32_t rank_a, uint32_t rank_b,
                             bool *taken) {
    const uint32_t fewer = rank_a < rank_b ? rank_a : rank_b;
    const uint32_t more = rank_a < rank_b ? rank_b : rank_a;
    double sum = 0;
    uint32_t n_matched = 0;
    for (size_t i = 0; i < n && n_matched < fewer; i++) {
        if (taken[all[i].a] || taken[rank_a + all[i].b]) continue;
        taken[all[i].a] = taken[rank_a + all[i].b] = true;
        sum += all[i].score;
        n_matched++;
    }
    return more > 0 ? sum / more : 1;
}

trib_status trib_ktensor_match(const trib_ktensor *a, const trib_ktensor *b, double *score,
                               trib_error *error) {
    const char *what = "matched components";
    const size_t n_lengths = (size_t)a->rank + b->rank, n = (size_t)a->rank * b->rank;
    double *product = NULL, *inner = NULL, *length = NULL, *squares = NULL;
    pair *all = NULL;
    bool *taken = NULL;
    if (a->n_modes != b->n_modes)
        return trib_fail(error, TRIB_INPUT, "%u modes cannot be matched with %u", a->n_modes,
                         b->n_modes);
    trib_status status = TRIB_NEW(&product, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&inner, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&length, n_lengths, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&squares, n_lengths, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&all, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&taken, n_lengths, what, error);
    if (status != TRIB_OK) goto done;
    *score = n_lengths > 0 ? 0 : 1;
    if (n == 0) goto done;
    for (size_t r = 0; r < n_lengths; r++) length[r] = 1;
    for (size_t i = 0; i < n; i++) product[i] = 1;
    for (uint32_t m = 0; m < a->n_modes; m++) {
        multiply_lengths(a, m, squares, length);
        multiply_lengths(b, m, squares, length + a->rank);
        inner_products(a, b, m, inner);
        for (size_t i = 0; i < n; i++) product[i] *= inner[i];
    }
    rate_pairs(all, a, b, product, length, length + a->rank);
    qsort(all, n, sizeof *all, most_alike_first);
    *score = match_greedily(all, n, a->rank, b->rank, taken);
done:
    TRIB_FREE(product, inner, length, squares, all, taken);
    return status;
}

trib_status trib_ktensor_congruence(const trib_ktensor *k, double limit, double *largest,
                                    uint32_t *n_beyond, trib_error *error) {
    const size_t n = (size_t)k->rank * k->rank;
    double *product = NULL, *inner = NULL;
    trib_status status = TRIB_NEW(&product, n, "congruences", error);
    if (status == TRIB_OK) status = TRIB_NEW(&inner, n, "congruences", error);
    *largest = 0;
    *n_beyond = 0;
    for (size_t i = 0; status == TRIB_OK && i < n; i++) product[i] = 1;
    for (uint32_t m = 0; status == TRIB_OK && m < k->n_modes; m++) {
        inner_products(k, k, m, inner);
        for (size_t i = 0; i < n; i++) product[i] *= inner[i];
    }
    for (size_t r = 0; status == TRIB_OK && r < k->rank; r++) {
        bool beyond = false;
        for (size_t s = 0; s < k->rank; s++) {
            const double lengths = product[r * k->rank + r] * product[s * k->rank + s];
            const double congruence = lengths > 0 ? product[r * k->rank + s] / sqrt(lengths) : 0;
            if (s == r) continue;
            *largest = fmax(*largest, congruence);
            beyond = beyond || congruence > limit;
        }
        *n_beyond += beyond;
    }
    TRIB_FREE(product, inner);
    return status;
}
