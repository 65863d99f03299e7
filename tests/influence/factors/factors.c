/* factors.c - tests of influence/factors/factors.c. */
#include "influence/factors/vectors.h"
#include "tests/influence/dense.h"

TESTS(factors, factors);

/* Two components over three indices, in two modes. */
static double lambda[] = {3, 2};
static double first[] = {0.5, 0, 0, 0.25, 0.5, 0.75}, second[] = {0, 1, 1, 0, 0, 0};
static const uint32_t word[] = {9, 4, 7};

static trib_ktensor sample(void) {
    return (trib_ktensor){
        .n_modes = 2, .dim = {3, 3}, .rank = 2, .lambda = lambda, .factor = {first, second}};
}

TEST(vectors_are_sparse_and_sorted_by_vocabulary_id) {
    GIVEN(trib_factors) factors = {0};
    const trib_ktensor k = sample();
    CHECK(trib_factors_add(&factors, 5, &k, word, NULL) == TRIB_OK);
    CHECK(factors.n == 2 && factors.n_modes == 2 && factors.n_values == 6);
    const trib_factor_vector one = trib_factor_vector_of(&factors, 0, 0);
    EXPECT(one.n == 2 && one.word[0] == 7 && one.value[0] == 0.5 && one.word[1] == 9 &&
           one.value[1] == 0.5 && one.sum == 1);
    const trib_factor_vector other = trib_factor_vector_of(&factors, 1, 0);
    EXPECT(other.n == 2 && other.word[0] == 4 && other.value[0] == 0.25 && other.word[1] == 7);
    EXPECT(factors.document[1] == 5 && factors.component[1] == 1 && factors.lambda[1] == 2);
    trib_factors_release(&factors);
    EXPECT(factors.n == 0 && factors.word == NULL);
}

TEST(factors_of_many_documents_keep_their_order) {
    GIVEN(trib_factors) factors = {0};
    trib_random random;
    trib_random_seed(&random, 1);
    dense d[60];
    for (uint32_t f = 0; f < 60; f++) {
        d[f] = dense_random(&random, 3, 1 + f);
        CHECK(dense_add(&factors, f / 7, &d[f], NULL) == TRIB_OK);
    }
    CHECK(factors.n == 60);
    for (uint32_t f = 0; f < 60; f++) {
        EXPECT(factors.document[f] == f / 7 && factors.lambda[f] == d[f].lambda);
        for (uint32_t m = 0; m < 3; m++) {
            const trib_factor_vector x = trib_factor_vector_of(&factors, f, m);
            size_t n = 0;
            for (uint32_t i = 0; i <= f; i++)
                if (d[f].value[m][i] > 0) {
                    EXPECT(n < x.n && x.word[n] == i && x.value[n] == d[f].value[m][i]);
                    n++;
                }
            EXPECT(n == x.n);
        }
    }
}

TEST(sums_that_differ_from_1_by_rounding_are_1) {
    GIVEN(trib_factors) factors = {0};
    dense d = {.n_modes = 1, .dim = 10, .lambda = 1};
    for (uint32_t i = 0; i < 10; i++) d.value[0][i] = 0.1; /* 0.9999999999999999 */
    CHECK(dense_add(&factors, 0, &d, NULL) == TRIB_OK);
    d.value[0][0] = 0.1000001;
    CHECK(dense_add(&factors, 0, &d, NULL) == TRIB_OK);
    EXPECT(factors.sum[0] == 1);
    EXPECT_NEAR(factors.sum[1], 1.0000001, 1e-15);
}

TEST(a_decomposition_without_components_adds_nothing) {
    GIVEN(trib_factors) factors = {0};
    trib_ktensor k = sample();
    k.rank = 0;
    k.factor[0] = k.factor[1] = NULL;
    CHECK(trib_factors_add(&factors, 0, &k, word, NULL) == TRIB_OK);
    EXPECT(factors.n == 0 && factors.n_values == 0);
}

TEST(factors_that_do_not_fit_together_are_rejected) {
    GIVEN(trib_factors) factors = {0};
    trib_error error = {0};
    trib_ktensor k = sample();
    CHECK(trib_factors_add(&factors, 3, &k, word, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_factors_add(&factors, 2, &k, word, &error), TRIB_INTERNAL, error);
    EXPECT_TEXT(error.message, "factors of document 2 after those of 3");
    EXPECT_STATUS(trib_factors_add(&factors, 3, &k, (uint32_t[]){1, 2, 1}, &error), TRIB_INTERNAL,
                  error);
    EXPECT_TEXT(error.message, "two indices stand for word 1");
    k.n_modes = 1;
    EXPECT_STATUS(trib_factors_add(&factors, 3, &k, word, &error), TRIB_INTERNAL, error);
    EXPECT_TEXT(error.message, "factors of 1 modes beside factors of 2");
    EXPECT(factors.n == 2 && factors.n_modes == 2);
}

static trib_status add_many(void *context, trib_error *error) {
    (void)context;
    GIVEN(trib_factors) factors = {0};
    const trib_ktensor k = sample();
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < 20 && status == TRIB_OK; d++) {
        status = trib_factors_add(&factors, d, &k, word, error);
        EXPECT(factors.n == 2 * (d + (status == TRIB_OK)));
    }
    return status;
}

TEST(every_failing_allocation_leaves_consistent_factors) {
    EXPECT(trib_fail_every_allocation(add_many, NULL) > 25);
}
