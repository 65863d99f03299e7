/* distance.c - tests of influence/factors/distance.c. */
#include "base/internal.h"
#include "tests/influence/dense.h"
#include "tests/influence/oracle.h"

TESTS(factors, distance);

TEST(distances_worked_by_hand_are_reproduced) {
    dense a = dense_pair(3, 1, 0), b = dense_pair(3, 0, 1);
    EXPECT(exact_distance(&a, &b) == 2);
    for (uint32_t m = 0; m < 2; m++) b.value[m][0] = 1, b.value[m][1] = 0;
    EXPECT(exact_distance(&a, &b) == 2);
    /* [.5 .5] against [1 0] in one, two, three modes */
    static const double wanted[] = {1, 1.5, 1.75};
    b = a;
    for (uint32_t m = 0; m < 3; m++) {
        a.value[m][0] = a.value[m][1] = 0.5;
        EXPECT_NEAR(exact_distance(&a, &b), wanted[m], 1e-15);
        EXPECT_NEAR(dense_distance(&a, &b), wanted[m], 1e-15);
    }
    a = dense_pair(3, 0.5, 0.5), b = dense_pair(3, 0.25, 0.75);
    EXPECT_NEAR(exact_distance(&a, &b), 0.6875, 1e-15);
    EXPECT_NEAR(dense_distance(&a, &b), 0.6875, 1e-15);
    a = dense_pair(3, 0.9, 0.1), b = dense_pair(3, 0.8, 0.2);
    EXPECT_NEAR(exact_distance(&a, &b), 0.434, 1e-15);
    EXPECT_NEAR(dense_distance(&a, &b), 0.434, 1e-15);
}

TEST(random_pairs_agree_with_every_entry_summed) {
    trib_random random;
    trib_random_seed(&random, 42);
    double worst = 0;
    for (int i = 0; i < 10000; i++) {
        const uint32_t n_modes = 1 + (uint32_t)trib_random_below(&random, 5);
        const uint32_t dim = 1 + (uint32_t)trib_random_below(&random, n_modes < 4 ? 12 : 5);
        dense p = dense_random(&random, n_modes, dim), q = dense_random(&random, n_modes, dim);
        if (i % 8 == 0) q = p;
        if (i % 16 == 0) q.value[0][0] += 0.25;
        /* as they are, and normalised; errors are relative to the mass */
        double mass = 1;
        for (uint32_t m = 0; m < n_modes; m++) mass *= dim;
        worst = fmax(worst, fabs(exact_distance(&p, &q) - dense_distance(&p, &q)) / mass);
        dense_normalize(&p);
        dense_normalize(&q);
        worst = fmax(worst, fabs(exact_distance(&p, &q) - dense_distance(&p, &q)));
    }
    EXPECT_NEAR(worst, 0, 1e-12);
}

TEST(eight_modes_agree_with_every_entry_summed) {
    trib_random random;
    trib_random_seed(&random, 8);
    for (uint32_t n_modes = 6; n_modes <= 8; n_modes++)
        for (int i = 0; i < 10; i++) {
            dense p = dense_random(&random, n_modes, 3), q = dense_random(&random, n_modes, 3);
            dense_normalize(&p);
            dense_normalize(&q);
            EXPECT_NEAR(exact_distance(&p, &q), dense_distance(&p, &q), 1e-12);
        }
}

/* 20^8 entries are too many to sum. Factors that are equal in four modes have the distance of the
 * other four modes. */
TEST(eight_modes_of_twenty_words_are_fast) {
    trib_random random;
    trib_random_seed(&random, 20);
    dense p = {.n_modes = 8, .dim = 20, .lambda = 1},
          few_p = {.n_modes = 4, .dim = 20, .lambda = 1};
    for (uint32_t m = 0; m < 8; m++)
        for (uint32_t i = 0; i < 20; i++) p.value[m][i] = trib_random_unit(&random);
    dense q = p, few_q = few_p;
    for (uint32_t m = 0; m < 8; m += 2)
        for (uint32_t i = 0; i < 20; i++) q.value[m][i] = trib_random_unit(&random);
    dense_normalize(&p);
    dense_normalize(&q);
    for (uint32_t m = 0; m < 4; m++) {
        memcpy(few_p.value[m], p.value[2 * m], sizeof few_p.value[m]);
        memcpy(few_q.value[m], q.value[2 * m], sizeof few_q.value[m]);
    }
    EXPECT_NEAR(exact_distance(&p, &q), dense_distance(&few_p, &few_q), 1e-12);
}

TEST(long_vectors_agree_with_every_entry_summed) {
    trib_random random;
    trib_random_seed(&random, 3);
    for (int i = 0; i < 20; i++) {
        dense p = dense_random(&random, 3, DENSE_DIM), q = dense_random(&random, 3, DENSE_DIM);
        dense_normalize(&p);
        dense_normalize(&q);
        EXPECT_NEAR(exact_distance(&p, &q), dense_distance(&p, &q), 1e-12);
    }
}

TEST(tiny_and_huge_ratios_do_no_harm) {
    dense p = dense_pair(3, 1, 1e-320), q = dense_pair(3, 1e-320, 1);
    EXPECT_NEAR(exact_distance(&p, &q), 2, 1e-15);
    for (uint32_t m = 0; m < 3; m++) p.value[m][0] = 0.5, q.value[m][0] = 0.25;
    for (uint32_t m = 0; m < 3; m++) p.value[m][2] = 0.5, q.value[m][2] = 1e-310;
    for (uint32_t m = 0; m < 3; m++) p.value[m][3] = 1e-310, q.value[m][3] = 0.25;
    p.dim = q.dim = 4;
    EXPECT_NEAR(exact_distance(&p, &q), dense_distance(&p, &q), 1e-13);
}

TEST(a_distance_is_a_metric) {
    trib_random random;
    trib_random_seed(&random, 5);
    for (int i = 0; i < 300; i++) {
        dense d[3];
        double to[3][3];
        for (int j = 0; j < 3; j++) {
            d[j] = dense_random(&random, 3, 6);
            dense_normalize(&d[j]);
        }
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) to[j][k] = exact_distance(&d[j], &d[k]);
        for (int j = 0; j < 3; j++) {
            EXPECT(to[j][j] == 0);
            EXPECT_NEAR(to[j][(j + 1) % 3], to[(j + 1) % 3][j], 1e-14);
            EXPECT(to[j][(j + 1) % 3] <= to[j][(j + 2) % 3] + to[(j + 2) % 3][(j + 1) % 3] + 1e-14);
            EXPECT(to[j][(j + 1) % 3] >= 0 && to[j][(j + 1) % 3] <= 2);
        }
    }
}

TEST(identical_factors_are_exactly_0_apart_and_disjoint_ones_exactly_2) {
    trib_random random;
    trib_random_seed(&random, 6);
    for (int i = 0; i < 100; i++) {
        dense p = dense_random(&random, 3, 32), q = {.n_modes = 3, .dim = 64, .lambda = 1};
        dense_normalize(&p);
        p.dim = 64;
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t w = 0; w < 32; w++) q.value[m][m == 1 ? w + 32 : w] = p.value[m][w];
        EXPECT(exact_distance(&p, &p) == 0);
        EXPECT(exact_distance(&p, &q) == 2);
    }
}

/* Compares the whole matrix with an oracle. */
static void agrees_with(const char *path, bool normalized) {
    static double wanted[N_ORACLE * N_ORACLE], one[N_ORACLE * N_ORACLE], seven[sizeof one / 8];
    GIVEN(trib_factors) factors = {0};
    if (!oracle_factors(&factors, normalized) || !oracle_matrix(path, wanted)) return;
    CHECK(trib_factor_matrix(&factors, &factors, NULL, one, 1, (trib_progress){0}, NULL) ==
          TRIB_OK);
    CHECK(trib_factor_matrix(&factors, &factors, NULL, seven, 7, (trib_progress){0}, NULL) ==
          TRIB_OK);
    EXPECT(memcmp(one, seven, sizeof one) == 0);
    double worst = 0;
    for (size_t i = 0; i < N_ORACLE * N_ORACLE; i++) worst = fmax(worst, fabs(one[i] - wanted[i]));
    EXPECT_NEAR(worst, 0, 1e-12);
}

TEST(normalised_oracle_distances_are_reproduced) {
    agrees_with("oracles/normalised_distances.tsv", true);
}

TEST(unnormalised_oracle_distances_are_reproduced) {
    agrees_with("oracles/lowe_distances_unnormalised.tsv", false);
}

TEST(an_empty_vector_has_no_mass) {
    dense p = dense_pair(3, 0.5, 0.5), q = p;
    q.value[1][0] = q.value[1][1] = 0;
    EXPECT(exact_distance(&p, &q) == 1);
    EXPECT(exact_distance(&q, &q) == 0);
}

/* Values with many ties; words numbered upwards, downwards, and shuffled. */
TEST(the_numbering_of_words_changes_no_bit) {
    enum { DIM = 12, N_NUMBERINGS = 3 };
    uint32_t number[N_NUMBERINGS][DIM];
    trib_random random;
    trib_random_seed(&random, 77);
    for (uint32_t w = 0; w < DIM; w++)
        number[0][w] = w, number[1][w] = 3 * (DIM - w), number[2][w] = 7 * w % DIM + 5;
    for (int i = 0; i < 300; i++) {
        const uint32_t n_modes = 1 + (uint32_t)i % 5;
        double distance[N_NUMBERINGS];
        dense pair[2];
        for (int k = 0; k < 2; k++) {
            pair[k] = dense_random(&random, n_modes, DIM);
            for (uint32_t m = 0; m < n_modes; m++)
                for (uint32_t w = 0; w < DIM; w++)
                    pair[k].value[m][w] = (double)trib_random_below(&random, 5);
            pair[k].value[0][3] = 1; /* none is empty */
            for (uint32_t m = 1; m < n_modes; m++) pair[k].value[m][5] = 2;
            dense_normalize(&pair[k]);
        }
        for (int n = 0; n < N_NUMBERINGS; n++) {
            GIVEN(trib_factors) factors = {0};
            GIVEN(trib_distance_scratch) scratch = {0};
            CHECK(dense_add_words(&factors, 0, &pair[0], number[n], NULL) == TRIB_OK);
            CHECK(dense_add_words(&factors, 1, &pair[1], number[n], NULL) == TRIB_OK);
            CHECK(trib_factor_distance(&factors, 0, &factors, 1, &distance[n], &scratch, NULL) ==
                  TRIB_OK);
        }
        EXPECT(memcmp(&distance[0], &distance[1], sizeof *distance) == 0);
        EXPECT(memcmp(&distance[0], &distance[2], sizeof *distance) == 0);
    }
}

/* Eight modes with 40 words each: the 40^6 combinations of words in six of them would take hours.
 * It stops at the third check. */
TEST(a_distance_that_would_take_hours_can_be_stopped) {
    enum { N = 40, MODES = 8 };
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_factors) factors = {0};
    GIVEN(trib_distance_scratch) scratch = {0};
    trib_error error = {0};
    uint32_t dim[MODES], word[N];
    double distance, matrix[4];
    for (uint32_t m = 0; m < MODES; m++) dim[m] = N;
    for (uint32_t i = 0; i < N; i++) word[i] = i;
    CHECK(trib_ktensor_init(&k, MODES, dim, 2, NULL) == TRIB_OK);
    for (uint32_t r = 0; r < 2; r++) {
        k.lambda[r] = 1;
        for (uint32_t m = 0; m < MODES; m++)
            for (uint32_t i = 0; i < N; i++)
                k.factor[m][i * 2 + r] = 1.0 / N + (i % 2 ? 1e-3 : -1e-3) * r;
    }
    CHECK(trib_factors_add(&factors, 0, &k, word, NULL) == TRIB_OK && factors.n == 2);
    trib_stop_at(3);
    EXPECT_STATUS(trib_factor_distance(&factors, 0, &factors, 1, &distance, &scratch, &error),
                  TRIB_INTERRUPTED, error);
    trib_stop_at(3);
    EXPECT_STATUS(
        trib_factor_matrix(&factors, &factors, NULL, matrix, 2, (trib_progress){0}, &error),
        TRIB_INTERRUPTED, error);
    trib_stop_forget();
}

/* Counts the calls, and asks to stop at the second. */
static bool count_ticks(void *context, double done, double total) {
    int *n = context;
    ++*n;
    EXPECT(done == *n && total == 2);
    return *n < 2;
}

TEST(a_matrix_shows_its_progress_and_stops_when_asked) {
    const uint32_t word[] = {0}, dim[] = {1, 1};
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_factors) factors = {0};
    double matrix[4];
    int n = 0;
    trib_error error = {0};
    CHECK(trib_ktensor_init(&k, 2, dim, 2, NULL) == TRIB_OK);
    for (uint32_t r = 0; r < 2; r++) k.lambda[r] = k.factor[0][r] = k.factor[1][r] = 1;
    CHECK(trib_factors_add(&factors, 0, &k, word, NULL) == TRIB_OK && factors.n == 2);
    EXPECT_STATUS(trib_factor_matrix(&factors, &factors, NULL, matrix, 1,
                                     (trib_progress){count_ticks, &n}, &error),
                  TRIB_INTERRUPTED, error);
    EXPECT(n == 2);
}

static trib_status one_distance_and_a_matrix(void *context, trib_error *error) {
    const trib_factors *factors = context;
    GIVEN(trib_distance_scratch) scratch = {0};
    double distance, matrix[4];
    trib_status status = trib_factor_distance(factors, 0, factors, 1, &distance, &scratch, error);
    if (status == TRIB_OK)
        status = trib_factor_matrix(factors, factors, NULL, matrix, 2, (trib_progress){0}, error);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    GIVEN(trib_factors) factors = {0};
    const dense p = dense_pair(3, 0.5, 0.5), q = dense_pair(3, 0.25, 0.75);
    CHECK(dense_add(&factors, 0, &p, NULL) == TRIB_OK &&
          dense_add(&factors, 0, &q, NULL) == TRIB_OK);
    EXPECT(trib_fail_every_allocation(one_distance_and_a_matrix, &factors) > 3);
}
