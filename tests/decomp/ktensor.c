/* ktensor.c - tests of decomp/ktensor.c. */
#include "decomp/dense.h"
#include "tests/decomp/sample.h"

TESTS(decomp, ktensor);

TEST(columns_sum_to_one_and_lambdas_descend) {
    GIVEN(trib_ktensor) k = zero_ktensor(2, (uint32_t[]){2, 3}, 3);
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
}

/* In every cell, or at the nonzeros of a tensor. */
TEST(components_add_up_to_the_values_of_the_model) {
    trib_error error = {0};
    GIVEN(sample) s = sample_at_random(1, 3, (uint32_t[]){6, 5, 7}, 40, 4);
    GIVEN(trib_sparse) all = {0}, some = {0};
    const trib_cp_options options = {.rank = 4};
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
    const trib_view x = trib_view_counts(&s.counts);
    EXPECT_OK(trib_ktensor_sum(&all, &k, NULL, &error));
    EXPECT_OK(trib_ktensor_sum(&some, &k, &x, &error));
    const trib_view of_all = trib_view_reals(&all), of_some = trib_view_reals(&some);
    for (uint32_t c = 0; c < 6 * 5 * 7; c++) {
        const uint32_t at[] = {c / 35, c / 7 % 5, c % 7};
        const double model = trib_ktensor_value(&k, at);
        EXPECT_NEAR(trib_view_get(&of_all, at), model, 1e-13);
        EXPECT_NEAR(trib_view_get(&of_some, at), trib_view_get(&x, at) > 0 ? model : 0, 0);
    }
    trib_sparse_release(&some);
    GIVEN(sample) other = sample_at_random(1, 3, (uint32_t[]){6, 5, 8}, 40, 4);
    const trib_view wider = trib_view_counts(&other.counts);
    EXPECT_STATUS(trib_ktensor_sum(&some, &k, &wider, &error), TRIB_INPUT, error);
}

TEST(a_column_of_tiny_values_is_scaled_to_sum_one) {
    GIVEN(trib_ktensor) k = zero_ktensor(2, (uint32_t[]){2, 2}, 1);
    k.lambda[0] = 0x1p1000;
    memcpy(k.factor[0], (double[]){0x1p-1074, 0x3p-1074}, 2 * sizeof(double));
    memcpy(k.factor[1], (double[]){1, 1}, 2 * sizeof(double));
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    EXPECT(k.lambda[0] == 0x1p-71);
    EXPECT(k.factor[0][0] == 0.25 && k.factor[0][1] == 0.75);
}

TEST(values_below_rounding_become_zero) {
    GIVEN(trib_ktensor) k = zero_ktensor(1, (uint32_t[]){4}, 1);
    k.lambda[0] = 1;
    memcpy(k.factor[0], (double[]){2, 0x1p-58, 0x1p-60, -0x1p-60}, 4 * sizeof(double));
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    EXPECT(k.factor[0][0] == 1 && k.factor[0][1] == 0x1p-59);
    EXPECT(k.factor[0][2] == 0 && k.factor[0][3] == 0);
}

TEST(factors_that_are_not_finite_are_an_internal_error) {
    static const double wrong[] = {INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        trib_error error = {0};
        GIVEN(trib_ktensor) k = zero_ktensor(1, (uint32_t[]){2}, 1);
        k.lambda[0] = i < 2 ? 1 : wrong[i - 2];
        k.factor[0][1] = i < 2 ? wrong[i] : 1;
        EXPECT_STATUS(trib_ktensor_normalize(&k, &error), TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, i < 2 ? "factor 1 of 1 sums to" : "lambda 1 of 1 is") != NULL);
    }
}

TEST(equal_lambdas_are_ordered_by_their_first_words) {
    GIVEN(trib_ktensor) k = zero_ktensor(2, (uint32_t[]){3, 3}, 4);
    memcpy(k.lambda, (double[]){1, 1 + 1e-15, 1 - 1e-15, 2}, 4 * sizeof(double));
    static const uint32_t word[4][2] = {{2, 0}, {1, 2}, {1, 1}, {2, 2}};
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t m = 0; m < 2; m++) k.factor[m][word[r][m] * 4 + r] = 1;
    CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
    static const uint32_t wanted[4] = {3, 2, 1, 0};
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t m = 0; m < 2; m++) EXPECT(k.factor[m][word[wanted[r]][m] * 4 + r] == 1);
}

TEST(the_fit_is_that_of_the_dense_tensors) {
    for (uint32_t n_modes = 1; n_modes <= 3; n_modes++) {
        trib_random random;
        const uint32_t dim[3] = {6, 7, 5};
        trib_random_seed(&random, 11);
        GIVEN(sample) s = sample_at_random(n_modes, n_modes, dim, 40, 4);
        GIVEN(trib_ktensor) k = zero_ktensor(n_modes, dim, 5);
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
    }
}

TEST(a_size_that_overflows_is_an_error) {
    GIVEN(trib_ktensor) k = {0};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_ktensor_init(&k, 2, (uint32_t[]){UINT32_MAX, UINT32_MAX}, UINT32_MAX, &error),
        TRIB_MEMORY, error);
}

static trib_status make_and_normalize(void *context, trib_error *error) {
    const sample *s = context;
    GIVEN(trib_ktensor) k = {0};
    double fit = 0;
    trib_status status = trib_ktensor_init(&k, 2, s->x.dim, 3, error);
    if (status == TRIB_OK) status = trib_ktensor_normalize(&k, error);
    if (status == TRIB_OK) status = trib_ktensor_fit(&k, &s->x, &fit, error);
    return status;
}

TEST(every_failing_allocation_of_a_ktensor_is_reported) {
    GIVEN(sample) s = sample_by_hand(2, (uint32_t[]){4, 5}, (uint32_t[]){0, 1, 3}, 1);
    EXPECT(trib_fail_every_allocation(make_and_normalize, &s) > 5);
}

TEST(many_values_have_the_bits_of_one_at_a_time) {
    enum { DIM = 11, MOST = 37 };
    uint32_t dim[TRIB_MAX_MODES], index[MOST * TRIB_MAX_MODES];
    double value[MOST];
    trib_random random;
    trib_random_seed(&random, 8);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = DIM;
    for (uint32_t n_modes = 1; n_modes <= TRIB_MAX_MODES; n_modes++)
        for (uint32_t rank = 0; rank <= 33; rank += rank < 18 ? 1 : 5) {
            GIVEN(trib_ktensor) k = zero_ktensor(n_modes, dim, rank);
            for (uint32_t r = 0; r < rank; r++) k.lambda[r] = 9 * trib_random_unit(&random);
            for (uint32_t m = 0; m < n_modes; m++)
                for (size_t i = 0; i < (size_t)DIM * rank; i++)
                    k.factor[m][i] = trib_random_unit(&random) - .3;
            for (size_t i = 0; i < MOST * n_modes; i++)
                index[i] = (uint32_t)trib_random_below(&random, DIM);
            for (size_t n = 0; n <= MOST; n += n < 18 ? 1 : 19) {
                size_t n_equal = 0;
                trib_ktensor_values(&k, n, index, value);
                for (size_t i = 0; i < n; i++)
                    n_equal += value[i] == trib_ktensor_value(&k, index + i * n_modes);
                EXPECT(n_equal == n);
            }
        }
}
