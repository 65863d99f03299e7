/* start.c - where a decomposition begins: the greedy fibres of the tensor itself, or random numbers.
 *
 * A start fills lambda and columns that sum to 1. Words that do not occur in a mode get 0 from every start. */
#include "decomp/decomp.h"
#include "decomp/nonzeros.h"

#include <string.h>

#define BLEND         0.1 /* of the marginal in every greedy vector: no word that occurs is locked at 0 */
#define FILLER_LAMBDA 1e-10 /* of |X|: components beyond the last fibre */

/* Columns r and up of one factor; marginal[dim[mode]] is mixed into each. */
static void fill_mode(trib_ktensor *k, const trib_fibre_cover *cover, uint32_t mode,
                      const double *marginal) {
    for (uint32_t i = 0; i < k->dim[mode]; i++)
        for (uint32_t r = 0; r < k->rank; r++)
            k->factor[mode][(size_t)i * k->rank + r] =
                (r < cover->n_fibres ? BLEND : 1) * marginal[i];
    for (size_t r = 0; r < cover->n_fibres; r++) {
        const trib_fibre *fibre = &cover->fibre[r];
        if (fibre->free_mode != mode) {
            k->factor[mode][(size_t)fibre->fixed[mode] * k->rank + r] += 1 - BLEND;
            continue;
        }
        double mass = 0;
        for (size_t i = fibre->first; i < fibre->first + fibre->n; i++) mass += cover->value[i];
        for (size_t i = fibre->first; i < fibre->first + fibre->n; i++)
            k->factor[mode][(size_t)cover->index[i] * k->rank + r] +=
                (1 - BLEND) * cover->value[i] / mass;
    }
}

/* The R heaviest fibres, each vector 0.9 of its own and 0.1 of the marginal; marginals when there are fewer. */
static trib_status greedy_fill(trib_ktensor *k, const trib_tensor *x, uint64_t seed,
                               trib_error *error) {
    trib_nonzeros nonzeros;
    trib_fibre_cover cover = {0};
    double *marginal = NULL;
    uint32_t largest = 0;
    (void)seed;
    trib_status status = trib_nonzeros_read(&nonzeros, x, error);
    if (status == TRIB_OK) status = trib_nonzeros_cover(&nonzeros, k->rank, &cover, error);
    for (uint32_t m = 0; m < k->n_modes; m++)
        if (k->dim[m] > largest) largest = k->dim[m];
    if (status == TRIB_OK)
        status = trib_new(&marginal, largest, sizeof(double), "marginals", error);
    for (uint32_t m = 0; status == TRIB_OK && m < k->n_modes; m++) {
        trib_nonzeros_marginal(&nonzeros, m, marginal);
        fill_mode(k, &cover, m, marginal);
    }
    for (uint32_t r = 0; status == TRIB_OK && r < k->rank; r++)
        k->lambda[r] = r < cover.n_fibres ? cover.fibre[r].mass : FILLER_LAMBDA * nonzeros.total;
    trib_free(marginal);
    trib_fibre_cover_release(&cover);
    trib_nonzeros_release(&nonzeros);
    return status;
}

/* Uniform random numbers in the rows that occur, columns scaled to sum 1; every component an equal part of |X|. */
static trib_status random_fill(trib_ktensor *k, const trib_tensor *x, uint64_t seed,
                               trib_error *error) {
    trib_nonzeros nonzeros;
    trib_random random;
    trib_random_seed(&random, seed);
    trib_status status = trib_nonzeros_read(&nonzeros, x, error);
    if (status != TRIB_OK) return status;
    for (uint32_t m = 0; m < k->n_modes; m++) {
        memset(k->factor[m], 0, (size_t)k->dim[m] * k->rank * sizeof(double));
        for (size_t z = 0; z < nonzeros.n; z++)
            k->factor[m][(size_t)nonzeros.index[m][z] * k->rank] = 1;
        for (uint32_t i = 0; i < k->dim[m]; i++) {
            double *row = k->factor[m] + (size_t)i * k->rank;
            const bool occurs = row[0] > 0;
            for (uint32_t r = 0; occurs && r < k->rank; r++) row[r] = trib_random_unit(&random);
        }
    }
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = 1;
    status = trib_ktensor_normalize(k, error);
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = nonzeros.total / k->rank;
    trib_nonzeros_release(&nonzeros);
    return status;
}

const trib_start trib_starts[] = {
    {"greedy", "the heaviest fibres of the tensor, blended with its marginals; deterministic",
     greedy_fill, false},
    {"random", "uniform random numbers from the seed", random_fill, true},
    {NULL, NULL, NULL, false},
};

const trib_start *trib_start_find(const char *name) {
    const trib_start *start = trib_starts;
    while (start->name && strcmp(start->name, name) != 0) start++;
    return start->name ? start : NULL;
}
