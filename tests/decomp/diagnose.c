/* diagnose.c - tests of decomp/diagnose.c. */
#include "tests/decomp/sample.h"

/* [dim][rank] random numbers in [0, 1), every fifth 0. */
static void at_random(trib_ktensor *k, uint32_t n_modes, const uint32_t dim[], uint32_t rank,
                      uint64_t seed) {
    trib_random random;
    trib_random_seed(&random, seed);
    CHECK(trib_ktensor_init(k, n_modes, dim, rank, NULL) == TRIB_OK);
    for (uint32_t r = 0; r < rank; r++) k->lambda[r] = 1 + trib_random_unit(&random);
    for (uint32_t m = 0; m < n_modes; m++)
        for (uint32_t i = 0; i < dim[m] * rank; i++)
            k->factor[m][i] = i % 5 == 0 ? 0 : trib_random_unit(&random);
}

static void the_l1_error_is_that_of_every_cell(void) {
    static const uint32_t dim[] = {4, 5, 3};
    sample s;
    trib_ktensor k;
    sample_at_random(&s, 1, 3, dim, 20, 4);
    at_random(&k, 3, dim, 2, 2);
    double sum = 0;
    for (uint32_t z = 0; z < 60; z++) {
        const uint32_t index[3] = {z / 15, z / 3 % 5, z % 3};
        sum += fabs(trib_hacoo_get(&s.counts, index) - trib_ktensor_value(&k, index));
    }
    EXPECT_NEAR(trib_ktensor_l1_error(&k, &s.x), sum / s.x.total, 1e-12);
    trib_ktensor_release(&k);
    CHECK(trib_ktensor_init(&k, 3, dim, 0, NULL) == TRIB_OK);
    EXPECT_NEAR(trib_ktensor_l1_error(&k, &s.x), 1, 0);
    trib_ktensor_release(&k);
    sample_release(&s);
}

static void factors_with_negative_entries_have_no_l1_error(void) {
    static const uint32_t dim[] = {4, 5, 3};
    sample s;
    trib_ktensor k;
    sample_at_random(&s, 1, 3, dim, 20, 4);
    at_random(&k, 3, dim, 2, 2);
    EXPECT(isfinite(trib_ktensor_l1_error(&k, &s.x)));
    k.factor[2][5] = -1e-9; /* the last entry of all */
    EXPECT(isnan(trib_ktensor_l1_error(&k, &s.x)));
    k.factor[2][5] = 1;
    k.lambda[1] = -1;
    EXPECT(isnan(trib_ktensor_l1_error(&k, &s.x)));
    trib_ktensor_release(&k);
    sample_release(&s);
}

/* Modified Gram-Schmidt, then back substitution: another way to compute A (A'A)^-1. */
static void obvious_inverse(const double *a, uint32_t dim, uint32_t rank, double *inverse) {
    double q[16 * 8], upper[8 * 8] = {0}, back[8 * 8] = {0};
    memcpy(q, a, dim * rank * sizeof *a);
    for (uint32_t c = 0; c < rank; c++)
        for (uint32_t p = 0; p <= c; p++) {
            double inner = 0;
            for (uint32_t i = 0; i < dim; i++) inner += q[i * rank + p] * q[i * rank + c];
            upper[p * rank + c] = p == c ? sqrt(inner) : inner;
            for (uint32_t i = 0; i < dim; i++)
                q[i * rank + c] = p == c ? q[i * rank + c] / sqrt(inner)
                                         : q[i * rank + c] - inner * q[i * rank + p];
        }
    for (uint32_t c = 0; c < rank; c++)
        for (uint32_t r = c + 1; r-- > 0;) {
            double value = r == c ? 1 : 0;
            for (uint32_t p = r + 1; p <= c; p++) value -= upper[r * rank + p] * back[p * rank + c];
            back[r * rank + c] = value / upper[r * rank + r];
        }
    for (uint32_t i = 0; i < dim; i++) /* A+ transposed = Q R^-T */
        for (uint32_t r = 0; r < rank; r++) {
            inverse[i * rank + r] = 0;
            for (uint32_t p = r; p < rank; p++)
                inverse[i * rank + r] += q[i * rank + p] * back[r * rank + p];
        }
}

static double obvious_consistency(const trib_ktensor *k, const sample *s) {
    double scaled[16 * 8], inverse[3][16 * 8], off = 0;
    const uint32_t rank = k->rank;
    for (uint32_t i = 0; i < k->dim[0] * rank; i++)
        scaled[i] = k->factor[0][i] * k->lambda[i % rank];
    for (uint32_t m = 0; m < 3; m++)
        obvious_inverse(m == 0 ? scaled : k->factor[m], k->dim[m], rank, inverse[m]);
    for (uint32_t p = 0; p < rank; p++)
        for (uint32_t q = 0; q < rank; q++)
            for (uint32_t r = 0; r < rank; r++) {
                double core = p == q && q == r ? -1 : 0;
                for (size_t e = 0; e < s->counts.nnz; e++) {
                    uint32_t index[TRIB_MAX_MODES];
                    const double count = trib_hacoo_entry(&s->counts, e, index);
                    core += count * inverse[0][index[0] * rank + p] *
                            inverse[1][index[1] * rank + q] * inverse[2][index[2] * rank + r];
                }
                off += core * core;
            }
    return 100 * (1 - off / rank);
}

static void the_core_consistency_is_that_of_the_formula(void) {
    static const uint32_t dim[] = {9, 7, 11};
    for (uint32_t rank = 1; rank <= 4; rank++) {
        sample s;
        trib_ktensor k;
        double percent = 0;
        sample_at_random(&s, rank, 3, dim, 60, 4);
        at_random(&k, 3, dim, rank, 5);
        CHECK(trib_core_consistency(&k, &s.x, &percent, NULL) == TRIB_OK);
        const double wanted = obvious_consistency(&k, &s);
        EXPECT_NEAR(percent, wanted, 1e-9 * (1 + fabs(wanted)));
        trib_ktensor_release(&k);
        sample_release(&s);
    }
}

/* Two components without common words are consistent. With one of them twice, the core is not
 * unique. */
static void a_true_model_is_consistent_and_singular_factors_are_handled(void) {
    static const uint32_t entry[] = {0, 0, 0, 4, 0, 1, 0, 2, 1, 2, 1, 5, 2, 2, 1, 10};
    sample s;
    trib_ktensor k;
    double percent = 0;
    sample_by_hand(&s, 3, (uint32_t[]){3, 3, 2}, entry, 4);
    const trib_cp_options options = {
        .rank = 2, .sweeps = 2, .iterations = 50, .restarts = 1, .n_threads = 1};
    CHECK(trib_cp(&k, &s.x, &options, NULL, NULL) == TRIB_OK);
    CHECK(trib_core_consistency(&k, &s.x, &percent, NULL) == TRIB_OK);
    EXPECT_NEAR(percent, 100, 1e-6);
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t i = 0; i < k.dim[m]; i++) k.factor[m][i * 2 + 1] = k.factor[m][i * 2];
    CHECK(trib_core_consistency(&k, &s.x, &percent, NULL) == TRIB_OK);
    EXPECT(isfinite(percent) && percent < 90);
    k.lambda[0] = k.lambda[1] = 1e-155; /* its core overflows */
    CHECK(trib_core_consistency(&k, &s.x, &percent, NULL) == TRIB_OK);
    EXPECT(isnan(percent));
    k.rank = 0;
    CHECK(trib_core_consistency(&k, &s.x, &percent, NULL) == TRIB_OK);
    EXPECT(isnan(percent));
    trib_ktensor_release(&k);
    sample_release(&s);
}

typedef struct consistency {
    const trib_tensor *x;
    const trib_ktensor *k;
} consistency;

static trib_status attempt(void *context, trib_error *error) {
    const consistency *c = context;
    double percent = 0;
    return trib_core_consistency(c->k, c->x, &percent, error);
}

static void every_failing_allocation_of_a_core_is_reported(void) {
    static const uint32_t dim[] = {4, 5, 3};
    sample s;
    trib_ktensor k;
    sample_at_random(&s, 1, 3, dim, 20, 4);
    at_random(&k, 3, dim, 2, 2);
    EXPECT(trib_fail_every_allocation(attempt, &(consistency){&s.x, &k}) > 15);
    trib_ktensor_release(&k);
    sample_release(&s);
}

CU_TestInfo trib_tests_decomp_diagnose[] = {
    {"the L1 error is that of every cell", the_l1_error_is_that_of_every_cell},
    {"factors with negative entries have no L1 error",
     factors_with_negative_entries_have_no_l1_error},
    {"the core consistency is that of the formula", the_core_consistency_is_that_of_the_formula},
    {"a true model is consistent and singular factors are handled",
     a_true_model_is_consistent_and_singular_factors_are_handled},
    {"every failing allocation of a core is reported",
     every_failing_allocation_of_a_core_is_reported},
    CU_TEST_INFO_NULL,
};
