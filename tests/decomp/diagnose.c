/* diagnose.c - tests of decomp/diagnose.c. */
#include "tests/decomp/sample.h"

TESTS(decomp, diagnose);

/* ---- Similarity ------------------------------------------------------------------------------ */

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
TEST(the_score_of_one_component_by_hand) {
    GIVEN(trib_ktensor) a = {0}, b = {0};
    by_hand(&a, 1, (double[]){2}, (double[]){3, 4, 1, 0, 1, 0});
    by_hand(&b, 1, (double[]){8}, (double[]){1, 0, 1, 0, 1, 0});
    EXPECT_NEAR(match_of(&a, &b), .6 * .8, 1e-15);
    EXPECT_NEAR(match_of(&b, &a), .6 * .8, 1e-15);
}

TEST(order_and_scale_do_not_matter_and_missing_components_count_as_0) {
    GIVEN(trib_ktensor) a = {0}, b = {0}, c = {0};
    by_hand(&a, 2, (double[]){2, 6}, (double[]){1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1});
    by_hand(&b, 2, (double[]){3, 1}, (double[]){0, 2, 1, 1, 0, 1, 1, 0, 2, 0, 1, 0});
    by_hand(&c, 1, (double[]){2}, (double[]){1, 0, 1, 0, 1, 0});
    GIVEN(trib_ktensor) none = zero_ktensor(3, c.dim, 0);
    EXPECT_NEAR(match_of(&a, &b), 1, 1e-15);
    EXPECT_NEAR(match_of(&a, &c), .5, 1e-15);
    EXPECT(match_of(&a, &none) == 0 && match_of(&none, &none) == 1);
    b.n_modes = 2;
    double score = 0;
    EXPECT(trib_ktensor_match(&a, &b, &score, NULL) == TRIB_INPUT);
    b.n_modes = 3;
}

/* The best pair is matched first: of similarities {1, .9; .9, 0}, the greedy match takes 1 and then
 * 0. */
TEST(the_most_alike_are_matched_first) {
    GIVEN(trib_ktensor) a = {0}, b = {0};
    const double s = sqrt(1 - .81);
    by_hand(&a, 2, (double[]){1, 1}, (double[]){1, 0, 1, 0, 1, 0, .9, s, 1, 0, 1, 0});
    by_hand(&b, 2, (double[]){1, 1}, (double[]){1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0});
    EXPECT_NEAR(match_of(&a, &b), (1 + s) / 2, 1e-15);
}

TEST(redundant_components_are_counted) {
    GIVEN(trib_ktensor) k = {0};
    double largest = 0;
    uint32_t n = 0;
    const double columns[] = {3, 4, 1, 0, 1, 0, 6, 8, 2, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    by_hand(&k, 3, (double[]){1, 2, 3}, columns);
    CHECK(trib_ktensor_congruence(&k, .97, &largest, &n, NULL) == TRIB_OK);
    EXPECT_NEAR(largest, 1, 1e-15);
    EXPECT(n == 2);
    CHECK(trib_ktensor_congruence(&k, .5, &largest, &n, NULL) == TRIB_OK);
    EXPECT(n == 3);
}

static trib_status match_both(void *context, trib_error *error) {
    const trib_ktensor *k = context;
    double value = 0;
    uint32_t n = 0;
    const trib_status status = trib_ktensor_match(k, k, &value, error);
    return status == TRIB_OK ? trib_ktensor_congruence(k, 1, &value, &n, error) : status;
}

TEST(every_failing_allocation_of_a_match_is_reported) {
    GIVEN(trib_ktensor) k = {0};
    by_hand(&k, 1, (double[]){2}, (double[]){3, 4, 1, 0, 1, 0});
    EXPECT(trib_fail_every_allocation(match_both, &k) > 6);
}

/* ---- Errors and consistency ------------------------------------------------------------------ */

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

TEST(the_l1_error_is_that_of_every_cell) {
    static const uint32_t dim[] = {4, 5, 3};
    GIVEN(trib_ktensor) k = {0};
    GIVEN(sample) s = sample_at_random(1, 3, dim, 20, 4);
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
}

TEST(factors_with_negative_entries_have_no_l1_error) {
    static const uint32_t dim[] = {4, 5, 3};
    GIVEN(trib_ktensor) k = {0};
    GIVEN(sample) s = sample_at_random(1, 3, dim, 20, 4);
    at_random(&k, 3, dim, 2, 2);
    EXPECT(isfinite(trib_ktensor_l1_error(&k, &s.x)));
    k.factor[2][5] = -1e-9; /* the last entry of all */
    EXPECT(isnan(trib_ktensor_l1_error(&k, &s.x)));
    k.factor[2][5] = 1;
    k.lambda[1] = -1;
    EXPECT(isnan(trib_ktensor_l1_error(&k, &s.x)));
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

TEST(the_core_consistency_is_that_of_the_formula) {
    static const uint32_t dim[] = {9, 7, 11};
    for (uint32_t rank = 1; rank <= 4; rank++) {
        GIVEN(trib_ktensor) k = {0};
        double percent = 0;
        GIVEN(sample) s = sample_at_random(rank, 3, dim, 60, 4);
        at_random(&k, 3, dim, rank, 5);
        CHECK(trib_core_consistency(&k, &s.x, &percent, NULL) == TRIB_OK);
        const double wanted = obvious_consistency(&k, &s);
        EXPECT_NEAR(percent, wanted, 1e-9 * (1 + fabs(wanted)));
    }
}

/* Two components without common words are consistent. With one of them twice, the core is not
 * unique. */
TEST(a_true_model_is_consistent_and_singular_factors_are_handled) {
    static const uint32_t entry[] = {0, 0, 0, 4, 0, 1, 0, 2, 1, 2, 1, 5, 2, 2, 1, 10};
    double percent = 0;
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){3, 3, 2}, entry, 4);
    const trib_cp_options options = OPTIONS(.rank = 2, .sweeps = 2, .iterations = 50);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
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

TEST(every_failing_allocation_of_a_core_is_reported) {
    static const uint32_t dim[] = {4, 5, 3};
    GIVEN(trib_ktensor) k = {0};
    GIVEN(sample) s = sample_at_random(1, 3, dim, 20, 4);
    at_random(&k, 3, dim, 2, 2);
    EXPECT(trib_fail_every_allocation(attempt, &(consistency){&s.x, &k}) > 15);
}
