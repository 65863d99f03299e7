/* match.c - tests of decomp/match.c. */
#include "tests/decomp/sample.h"

/* Sets the values of component r in mode m at index i; listed by columns for reading. */
static void by_hand(trib_ktensor *k, uint32_t rank, const double *lambda, const double *column) {
    static const uint32_t dim[] = {2, 2, 2};
    CHECK(trib_ktensor_init(k, 3, dim, rank, NULL) == TRIB_OK);
    memcpy(k->lambda, lambda, rank * sizeof *lambda);
    for (uint32_t r = 0; r < rank; r++)
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t i = 0; i < 2; i++) k->factor[m][i * rank + r] = *column++;
}

static double match_of(const trib_ktensor *a, const trib_ktensor *b) {
    double score = NAN;
    EXPECT(trib_ktensor_match(a, b, &score, NULL) == TRIB_OK);
    return score;
}

/* Columns (3,4), (1,0), (1,0) of weight 5 * 2 against (1,0) (1,0) (1,0) of weight 8: cosine .6,
 * penalty 2/10. */
static void the_score_of_one_component_by_hand(void) {
    trib_ktensor a, b;
    by_hand(&a, 1, (double[]){2}, (double[]){3, 4, 1, 0, 1, 0});
    by_hand(&b, 1, (double[]){8}, (double[]){1, 0, 1, 0, 1, 0});
    EXPECT_NEAR(match_of(&a, &b), .6 * .8, 1e-15);
    EXPECT_NEAR(match_of(&b, &a), .6 * .8, 1e-15);
    trib_ktensor_release(&a);
    trib_ktensor_release(&b);
}

static void order_and_scale_do_not_matter_and_missing_components_count_as_0(void) {
    trib_ktensor a, b, c, none;
    by_hand(&a, 2, (double[]){2, 6}, (double[]){1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1});
    by_hand(&b, 2, (double[]){3, 1}, (double[]){0, 2, 1, 1, 0, 1, 1, 0, 2, 0, 1, 0});
    by_hand(&c, 1, (double[]){2}, (double[]){1, 0, 1, 0, 1, 0});
    CHECK(trib_ktensor_init(&none, 3, c.dim, 0, NULL) == TRIB_OK);
    EXPECT_NEAR(match_of(&a, &b), 1, 1e-15);
    EXPECT_NEAR(match_of(&a, &c), .5, 1e-15);
    EXPECT(match_of(&a, &none) == 0 && match_of(&none, &none) == 1);
    b.n_modes = 2;
    double score = 0;
    EXPECT(trib_ktensor_match(&a, &b, &score, NULL) == TRIB_INPUT);
    b.n_modes = 3;
    trib_ktensor_release(&a);
    trib_ktensor_release(&b);
    trib_ktensor_release(&c);
    trib_ktensor_release(&none);
}

/* The best pair is matched first: of similarities {1, .9; .9, 0}, the greedy match takes 1 and then
 * 0. */
static void the_most_alike_are_matched_first(void) {
    trib_ktensor a, b;
    const double s = sqrt(1 - .81);
    by_hand(&a, 2, (double[]){1, 1}, (double[]){1, 0, 1, 0, 1, 0, .9, s, 1, 0, 1, 0});
    by_hand(&b, 2, (double[]){1, 1}, (double[]){1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0});
    EXPECT_NEAR(match_of(&a, &b), (1 + s) / 2, 1e-15);
    trib_ktensor_release(&a);
    trib_ktensor_release(&b);
}

static void redundant_components_are_counted(void) {
    trib_ktensor k;
    double largest = 0;
    uint32_t n = 0;
    const double columns[] = {3, 4, 1, 0, 1, 0, 6, 8, 2, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    by_hand(&k, 3, (double[]){1, 2, 3}, columns);
    CHECK(trib_ktensor_congruence(&k, .97, &largest, &n, NULL) == TRIB_OK);
    EXPECT_NEAR(largest, 1, 1e-15);
    EXPECT(n == 2);
    CHECK(trib_ktensor_congruence(&k, .5, &largest, &n, NULL) == TRIB_OK);
    EXPECT(n == 3);
    trib_ktensor_release(&k);
}

static trib_status attempt(void *context, trib_error *error) {
    const trib_ktensor *k = context;
    double value = 0;
    uint32_t n = 0;
    const trib_status status = trib_ktensor_match(k, k, &value, error);
    return status == TRIB_OK ? trib_ktensor_congruence(k, 1, &value, &n, error) : status;
}

static void every_failing_allocation_of_a_match_is_reported(void) {
    trib_ktensor k;
    by_hand(&k, 1, (double[]){2}, (double[]){3, 4, 1, 0, 1, 0});
    EXPECT(trib_fail_every_allocation(attempt, &k) > 6);
    trib_ktensor_release(&k);
}

CU_TestInfo trib_tests_decomp_match[] = {
    {"the score of one component by hand", the_score_of_one_component_by_hand},
    {"order and scale do not matter and missing components count as 0",
     order_and_scale_do_not_matter_and_missing_components_count_as_0},
    {"the most alike are matched first", the_most_alike_are_matched_first},
    {"redundant components are counted", redundant_components_are_counted},
    {"every failing allocation of a match is reported",
     every_failing_allocation_of_a_match_is_reported},
    CU_TEST_INFO_NULL,
};
