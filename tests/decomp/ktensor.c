/* ktensor.c - tests of decomp/ktensor.c. */
#include "tests/decomp/sample.h"

static void columns_sum_to_one_and_lambdas_descend(void) {
    trib_ktensor k;
    CHECK(trib_ktensor_init(&k, 2, (uint32_t[]){2, 3}, 3, NULL) == TRIB_OK);
    memcpy(k.lambda, (double[]){1, 2, 5}, 3 * sizeof(double));
    memcpy(k.factor[0], (double[]){1, 3, 0, 1, 1, 0}, 6 * sizeof(double));
    memcpy(k.factor[1], (double[]){2, 0, 1, 0, 1, 1, 0, 3, 1}, 9 * sizeof(double));
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    static const double lambda[3] = {32, 4, 0}, first[6] = {.75, .5, 0, .25, .5, 0};
    static const double second[9] = {0, 1, 1. / 3, .25, 0, 1. / 3, .75, 0, 1. / 3};
    for (size_t i = 0; i < 3; i++) EXPECT_NEAR(k.lambda[i], lambda[i], 1e-15);
    for (size_t i = 0; i < 6; i++) EXPECT_NEAR(k.factor[0][i], first[i], 1e-15);
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(k.factor[1][i], second[i], 1e-15);
    EXPECT_NEAR(trib_ktensor_value(&k, (uint32_t[]){1, 0}), 4 * .5, 1e-15);
    EXPECT(trib_ktensor_drop_zeros(&k) == 1 && k.rank == 2);
    EXPECT_NEAR(k.factor[1][2 * 2], .75, 1e-15);
    EXPECT_NEAR(trib_ktensor_value(&k, (uint32_t[]){0, 2}), 32 * .75 * .75, 1e-13);
    trib_ktensor_release(&k);
}

static void a_column_of_tiny_values_is_scaled_to_sum_one(void) {
    trib_ktensor k;
    CHECK(trib_ktensor_init(&k, 2, (uint32_t[]){2, 2}, 1, NULL) == TRIB_OK);
    k.lambda[0] = 0x1p1000;
    memcpy(k.factor[0], (double[]){0x1p-1074, 0x3p-1074}, 2 * sizeof(double));
    memcpy(k.factor[1], (double[]){1, 1}, 2 * sizeof(double));
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    EXPECT(k.lambda[0] == 0x1p-71);
    EXPECT(k.factor[0][0] == 0.25 && k.factor[0][1] == 0.75);
    trib_ktensor_release(&k);
}

static void values_below_rounding_become_zero(void) {
    trib_ktensor k;
    CHECK(trib_ktensor_init(&k, 1, (uint32_t[]){4}, 1, NULL) == TRIB_OK);
    k.lambda[0] = 1;
    memcpy(k.factor[0], (double[]){2, 0x1p-58, 0x1p-60, -0x1p-60}, 4 * sizeof(double));
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    EXPECT(k.factor[0][0] == 1 && k.factor[0][1] == 0x1p-59);
    EXPECT(k.factor[0][2] == 0 && k.factor[0][3] == 0);
    trib_ktensor_release(&k);
}

static void factors_that_are_not_finite_are_an_internal_error(void) {
    static const double wrong[] = {INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        trib_ktensor k;
        trib_error error = {0};
        CHECK(trib_ktensor_init(&k, 1, (uint32_t[]){2}, 1, NULL) == TRIB_OK);
        k.lambda[0] = i < 2 ? 1 : wrong[i - 2];
        k.factor[0][1] = i < 2 ? wrong[i] : 1;
        EXPECT_STATUS(trib_ktensor_normalize(&k, &error), TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, i < 2 ? "factor 1 of 1 sums to" : "lambda 1 of 1 is") != NULL);
        trib_ktensor_release(&k);
    }
}

static void equal_lambdas_are_ordered_by_their_first_words(void) {
    trib_ktensor k;
    CHECK(trib_ktensor_init(&k, 2, (uint32_t[]){3, 3}, 4, NULL) == TRIB_OK);
    memcpy(k.lambda, (double[]){1, 1 + 1e-15, 1 - 1e-15, 2}, 4 * sizeof(double));
    static const uint32_t word[4][2] = {{2, 0}, {1, 2}, {1, 1}, {2, 2}};
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t m = 0; m < 2; m++) k.factor[m][word[r][m] * 4 + r] = 1;
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    static const uint32_t wanted[4] = {3, 2, 1, 0};
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t m = 0; m < 2; m++) EXPECT(k.factor[m][word[wanted[r]][m] * 4 + r] == 1);
    trib_ktensor_release(&k);
}

static void the_fit_is_that_of_the_dense_tensors(void) {
    for (uint32_t n_modes = 1; n_modes <= 3; n_modes++) {
        sample s;
        trib_ktensor k;
        trib_random random;
        const uint32_t dim[3] = {6, 7, 5};
        trib_random_seed(&random, 11);
        sample_at_random(&s, n_modes, n_modes, dim, 40, 4);
        CHECK(trib_ktensor_init(&k, n_modes, dim, 5, NULL) == TRIB_OK);
        for (uint32_t r = 0; r < 5; r++) k.lambda[r] = 10 * trib_random_unit(&random);
        for (uint32_t m = 0; m < n_modes; m++)
            for (size_t i = 0; i < dim[m] * 5; i++) k.factor[m][i] = trib_random_unit(&random);
        double residual = 0, norm = 0, fit = 0;
        for (uint32_t z = 0; z < 6 * 7 * 5; z++) {
            const uint32_t index[3] = {z % 6, z / 6 % 7, z / 42};
            if ((n_modes < 2 && index[1] > 0) || (n_modes < 3 && index[2] > 0)) continue;
            const double x = trib_hacoo_get(&s.counts, index);
            residual += pow(x - trib_ktensor_value(&k, index), 2);
            norm += x * x;
        }
        CHECK(trib_ktensor_fit(&k, &s.x, &fit, NULL) == TRIB_OK);
        EXPECT_NEAR(fit, 1 - sqrt(residual / norm), 1e-12 * sqrt(residual / norm));
        trib_ktensor_release(&k);
        sample_release(&s);
    }
}

static void a_size_that_overflows_is_an_error(void) {
    trib_ktensor k;
    trib_error error = {0};
    EXPECT_STATUS(
        trib_ktensor_init(&k, 2, (uint32_t[]){UINT32_MAX, UINT32_MAX}, UINT32_MAX, &error),
        TRIB_MEMORY, error);
    trib_ktensor_release(&k);
}

static trib_status make_and_normalize(void *context, trib_error *error) {
    const sample *s = context;
    trib_ktensor k;
    double fit = 0;
    trib_status status = trib_ktensor_init(&k, 2, s->x.dim, 3, error);
    if (status == TRIB_OK) status = trib_ktensor_normalize(&k, error);
    if (status == TRIB_OK) status = trib_ktensor_fit(&k, &s->x, &fit, error);
    trib_ktensor_release(&k);
    return status;
}

static void every_failing_allocation_of_a_ktensor_is_reported(void) {
    sample s;
    sample_by_hand(&s, 2, (uint32_t[]){4, 5}, (uint32_t[]){0, 1, 3}, 1);
    EXPECT(trib_fail_every_allocation(make_and_normalize, &s) > 5);
    sample_release(&s);
}

CU_TestInfo trib_tests_decomp_ktensor[] = {
    {"columns sum to one and lambdas descend", columns_sum_to_one_and_lambdas_descend},
    {"a column of tiny values is scaled to sum one", a_column_of_tiny_values_is_scaled_to_sum_one},
    {"values below rounding become zero", values_below_rounding_become_zero},
    {"factors that are not finite are an internal error",
     factors_that_are_not_finite_are_an_internal_error},
    {"equal lambdas are ordered by their first words",
     equal_lambdas_are_ordered_by_their_first_words},
    {"the fit is that of the dense tensors", the_fit_is_that_of_the_dense_tensors},
    {"a size that overflows is an error", a_size_that_overflows_is_an_error},
    {"every failing allocation of a ktensor is reported",
     every_failing_allocation_of_a_ktensor_is_reported},
    CU_TEST_INFO_NULL,
};
