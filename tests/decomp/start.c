/* start.c - tests of decomp/start.c. */
#include "tests/decomp/sample.h"

TESTS(decomp, start);

/* Fibres (0,0,*) with 3 2, then (1,1,1) with 1: vectors of .9 the fibre and .1 the marginal; the
 * third component is made of marginals. */
TEST(the_greedy_start_blends_fibres_with_marginals) {
    static const uint32_t entry[] = {0, 0, 0, 3, 0, 0, 1, 2, 1, 1, 1, 1};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){2, 2, 2}, entry, 3);
    GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 3);
    CHECK(trib_start_find("greedy")->fill(&k, &s.x, 0, NULL) == TRIB_OK);
    EXPECT_NEAR(k.lambda[0], 5, 0);
    EXPECT_NEAR(k.lambda[1], 1, 0);
    EXPECT_NEAR(k.lambda[2], 6e-10, 1e-24);
    static const double wanted[3][2][3] = {
        {{.9 + .1 * 5 / 6, .1 * 5 / 6, 5. / 6}, {.1 / 6, .9 + .1 / 6, 1. / 6}},
        {{.9 + .1 * 5 / 6, .1 * 5 / 6, 5. / 6}, {.1 / 6, .9 + .1 / 6, 1. / 6}},
        {{.54 + .05, .05, .5}, {.36 + .05, .95, .5}}};
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t r = 0; r < 3; r++)
                EXPECT_NEAR(k.factor[m][i * 3 + r], wanted[m][i][r], 1e-15);
}

/* Of mass 5 and 4, the lighter fibre has the larger energy: 4^2 against 3^2 + 2^2. */
TEST(the_energy_start_takes_the_largest_sum_of_squares) {
    static const uint32_t entry[] = {0, 0, 0, 3, 0, 0, 1, 2, 1, 1, 1, 4};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){2, 2, 2}, entry, 3);
    GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 3);
    CHECK(trib_start_find("energy")->fill(&k, &s.x, 0, NULL) == TRIB_OK);
    EXPECT_NEAR(k.lambda[0], 4, 0);
    EXPECT_NEAR(k.lambda[1], 5, 0);
    EXPECT_NEAR(k.lambda[2], 9e-10, 1e-24);
    EXPECT_NEAR(k.factor[0][1 * 3 + 0], .9 + .1 * 4 / 9, 1e-15);
    EXPECT_NEAR(k.factor[2][0 * 3 + 1], .9 * 3 / 5 + .1 * 3 / 9, 1e-15);
    EXPECT_NEAR(k.factor[2][1 * 3 + 1], .9 * 2 / 5 + .1 * 6 / 9, 1e-15);
}

static trib_cp_options plain(uint32_t rank, const trib_ktensor *from) {
    return OPTIONS(.from = from, .rank = rank, .sweeps = 2, .iterations = 300, .tolerance = 1e-9);
}

TEST(a_decomposition_continues_from_its_own_result) {
    GIVEN(trib_cp_trace) trace = {0};
    GIVEN(sample) s = sample_at_random(1, 3, (uint32_t[]){20, 12, 30}, 400, 3);
    trib_cp_options options = plain(5, NULL);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
    options = plain(5, &k);
    GIVEN(trib_ktensor) again = cp_of(&s.x, &options, &trace);
    EXPECT(trace.n_steps <= 3 && again.fit > k.fit - 1e-9);
    options = plain(8, &k);
    GIVEN(trib_ktensor) higher = cp_of(&s.x, &options, NULL);
    EXPECT(higher.rank == 8 && higher.fit > k.fit);
    options = plain(2, &k);
    GIVEN(trib_ktensor) lower = cp_of(&s.x, &options, NULL);
    EXPECT(lower.rank == 2 && lower.fit < k.fit);
}

/* One component lives on word 1 of a mode, another on word 2; the tensor has words 0, 1 and 3. */
TEST(new_words_are_admitted_and_dead_components_replaced) {
    static const uint32_t entry[] = {0, 1, 0, 2, 1, 1, 3, 6};
    static const uint32_t dim[] = {4, 4, 4}, smaller[] = {3, 3, 3};
    GIVEN(sample) s = sample_by_hand(3, dim, entry, 2);
    GIVEN(trib_ktensor) from = zero_ktensor(3, smaller, 2);
    GIVEN(trib_ktensor) k = zero_ktensor(3, dim, 2);
    from.lambda[0] = 5;
    from.lambda[1] = 0; /* a dead component */
    for (uint32_t m = 0; m < 3; m++) from.factor[m][1 * 2] = 2;
    CHECK(trib_start_from(&k, &s.x, &from, NULL) == TRIB_OK);
    EXPECT_NEAR(k.lambda[0], 40, 0);
    EXPECT_NEAR(k.factor[0][1 * 2], 1, 0);
    EXPECT_NEAR(k.factor[0][0 * 2], .1 * 2 / 8, 1e-15); /* a word of X that no component had */
    EXPECT_NEAR(k.factor[2][3 * 2], .1 * 6 / 8, 1e-15);
    EXPECT_NEAR(k.factor[2][2 * 2], 0, 0);                  /* no word of X */
    EXPECT(k.lambda[1] > 0 && k.factor[2][3 * 2 + 1] > .9); /* the rest: 6 at the second */
    trib_ktensor_release(&k);
    from.n_modes = 2;
    CHECK(trib_ktensor_init(&k, 3, dim, 2, NULL) == TRIB_OK);
    EXPECT(trib_start_from(&k, &s.x, &from, NULL) == TRIB_INPUT);
    from.n_modes = 3;
}

TEST(a_start_without_components_is_filled) {
    static const uint32_t entry[] = {0, 1, 0, 2, 1, 1, 3, 6};
    static const uint32_t dim[] = {4, 4, 4};
    GIVEN(sample) s = sample_by_hand(3, dim, entry, 2);
    GIVEN(trib_ktensor) from = zero_ktensor(3, dim, 0);
    GIVEN(trib_ktensor) k = zero_ktensor(3, dim, 2);
    CHECK(trib_start_from(&k, &s.x, &from, NULL) == TRIB_OK);
    EXPECT(k.lambda[0] > 0 && k.factor[2][3 * 2] > .9);
}

/* A zero component comes before one that is not zero, so columns are gathered, not copied whole. */
TEST(components_keep_their_order_around_dead_ones) {
    GIVEN(sample) s = sample_at_random(1, 3, (uint32_t[]){20, 12, 30}, 400, 3);
    GIVEN(trib_ktensor) from = zero_ktensor(3, s.x.dim, 3);
    GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 2);
    for (uint32_t r = 0; r < 3; r++) from.lambda[r] = r == 1 ? 0 : 5 + r;
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t i = 0; i < s.x.dim[m]; i++)
            for (uint32_t r = 0; r < 3; r++) from.factor[m][i * 3 + r] = 1 + (i + r + m) % 3;
    CHECK(trib_start_from(&k, &s.x, &from, NULL) == TRIB_OK);
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t c = 0; c < 2; c++) {
            double sum = 0;
            for (uint32_t i = 0; i < s.x.dim[m]; i++) sum += from.factor[m][i * 3 + 2 * c];
            for (uint32_t i = 0; i < s.x.dim[m]; i++)
                EXPECT_NEAR(k.factor[m][i * 2 + c], from.factor[m][i * 3 + 2 * c] / sum, 1e-16);
        }
}

/* Draws windows from four themes of four words in each mode; one window in five has any of
 * `n_words` words. */
static void write_on(trib_hacoo *counts, trib_random *random, size_t n_windows, uint32_t n_words) {
    for (size_t i = 0; i < n_windows; i++) {
        const uint32_t theme = 8 * (uint32_t)trib_random_below(random, 4);
        const bool any = trib_random_below(random, 5) == 0;
        uint32_t index[3];
        for (uint32_t m = 0; m < 3; m++)
            index[m] = any ? (uint32_t)trib_random_below(random, n_words)
                           : theme + m + (uint32_t)trib_random_below(random, 4);
        CHECK(trib_hacoo_add(counts, index, 1, NULL) == TRIB_OK);
    }
}

TEST(a_document_that_grew_starts_from_its_old_components) {
    GIVEN(sample) s = {0};
    trib_random random;
    GIVEN(trib_cp_trace) of_grown = {0}, of_scratch = {0};
    trib_cp_options options = plain(4, NULL);
    options.tolerance = 1e-5;
    trib_random_seed(&random, 1);
    CHECK(trib_hacoo_init(&s.counts, 3, (uint32_t[]){40, 40, 40}, NULL, NULL) == TRIB_OK);
    write_on(&s.counts, &random, 4000, 36);
    sample_in_format(&s, trib_format_find("rows"));
    GIVEN(trib_ktensor) old = cp_of(&s.x, &options, NULL);
    write_on(&s.counts, &random, 200, 40); /* in place, with words it did not have */
    sample_in_format(&s, trib_format_find("rows"));
    GIVEN(trib_ktensor) scratch = cp_of(&s.x, &options, &of_scratch);
    options.from = &old;
    options.tolerance = 5e-4;
    GIVEN(trib_ktensor) grown = cp_of(&s.x, &options, &of_grown);
    EXPECT_NEAR(grown.fit, scratch.fit, .002);
    EXPECT(of_grown.n_steps <= 2 && of_grown.n_steps < of_scratch.n_steps);
}

typedef struct beginning {
    const trib_tensor *x;
    const trib_ktensor *from;
} beginning;

static trib_status begin(void *context, trib_error *error) {
    const beginning *b = context;
    GIVEN(trib_ktensor) k = {0};
    trib_status status = trib_ktensor_init(&k, 3, b->x->dim, 3, error);
    if (status == TRIB_OK) status = trib_start_from(&k, b->x, b->from, error);
    return status;
}

TEST(every_failing_allocation_of_a_start_is_reported) {
    GIVEN(sample) s = sample_at_random(1, 3, (uint32_t[]){20, 12, 30}, 40, 3);
    const trib_cp_options options = plain(2, NULL);
    GIVEN(trib_ktensor) from = cp_of(&s.x, &options, NULL);
    EXPECT(trib_fail_every_allocation(begin, &(beginning){&s.x, &from}) > 10);
}

TEST(a_random_start_depends_on_its_seed_alone) {
    trib_ktensor k[3];
    const uint32_t dim[] = {20, 12, 30};
    static const uint64_t seed[3] = {7, 7, 8};
    GIVEN(sample) s = sample_at_random(1, 3, dim, 40, 3);
    for (size_t i = 0; i < 3; i++) {
        CHECK(trib_ktensor_init(&k[i], 3, dim, 5, NULL) == TRIB_OK);
        CHECK(trib_start_find("random")->fill(&k[i], &s.x, seed[i], NULL) == TRIB_OK);
    }
    EXPECT(same_ktensor(&k[0], &k[1]) && !same_ktensor(&k[0], &k[2]));
    for (uint32_t r = 0; r < 5; r++) EXPECT_NEAR(k[0].lambda[r], s.x.total / 5, 1e-12);
    for (size_t i = 0; i < 3; i++) trib_ktensor_release(&k[i]);
}

TEST(words_that_do_not_occur_start_at_zero) {
    static const uint32_t entry[] = {0, 2, 1, 1, 3, 2, 0, 2};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){4, 4, 4}, entry, 2);
    for (const trib_start *start = trib_starts; start->name; start++) {
        GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 3);
        CHECK(start->fill(&k, &s.x, 5, NULL) == TRIB_OK);
        for (uint32_t r = 0; r < 3; r++) EXPECT(k.lambda[r] > 0);
        static const bool occurs[3][4] = {{1, 0, 0, 1}, {0, 0, 1, 0}, {1, 1, 0, 0}};
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t r = 0; r < 3; r++) {
                double sum = 0;
                for (uint32_t i = 0; i < 4; i++) {
                    sum += k.factor[m][i * 3 + r];
                    EXPECT((k.factor[m][i * 3 + r] > 0) == occurs[m][i]);
                }
                EXPECT_NEAR(sum, 1, 1e-15);
            }
    }
}

/* Index 2 has negative values alone in every mode: a start of positive values would leave its rows
 * at 0, and als could never change them. */
TEST(als_keeps_rows_without_a_positive_value) {
    static const uint32_t entry[] = {0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 2, 1};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){3, 3, 3}, entry, 3);
    s.value = malloc(3 * sizeof *s.value);
    CHECK(s.value != NULL);
    for (size_t e = 0; e < 3; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&s.counts, e, index);
        s.value[e] = index[0] == 2 ? -4 : 3;
    }
    sample_in_format(&s, trib_format_find("coo"));
    for (const trib_start *start = trib_starts; start->name; start++) {
        const trib_cp_options options = OPTIONS(.solver = trib_solver_find("als"), .rank = 3,
                                                .start = start, .iterations = 200, .seed = 5);
        GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
        EXPECT_NEAR(trib_ktensor_value(&k, (uint32_t[]){2, 2, 2}), -4, 1e-6);
        if (!start->seeded) EXPECT_NEAR(k.fit, 1, 1e-6);
    }
}

/* Two blocks without a common index: their components are unique, so every start finds them. */
TEST(the_closest_of_several_starts_is_taken) {
    uint32_t entry[2 * 27 * 4];
    for (uint32_t e = 0; e < 54; e++) {
        const uint32_t at = e % 27, block = e / 27 * 3;
        memcpy(entry + 4 * (size_t)e,
               (uint32_t[]){block + at / 9, block + at / 3 % 3, block + at % 3, 2 + 3 * block},
               4 * sizeof *entry);
    }
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){6, 6, 6}, entry, 54);
    trib_ktensor k, first;
    double divergence, agreement, alone, none, whole = 0;
    const trib_cp_options one = OPTIONS(.rank = 2, .iterations = 60, .seed = 3),
                          three = {.rank = 2,
                                   .iterations = 60,
                                   .seed = 3,
                                   .restarts = 3,
                                   .n_threads = 2};
    trib_error error = {0};
    EXPECT_OK(trib_cp_of_starts(&first, &s.x, &one, &alone, &none, &error));
    EXPECT_OK(trib_cp_of_starts(&k, &s.x, &three, &divergence, &agreement, &error));
    EXPECT(isnan(none) && divergence <= alone);
    EXPECT_NEAR(agreement, 1, 1e-3);
    for (size_t e = 0; e < s.counts.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const double y = trib_hacoo_entry(&s.counts, e, index);
        whole += y * log(y / trib_ktensor_value(&k, index)) - y;
    }
    for (uint32_t r = 0; r < k.rank; r++) whole += k.lambda[r];
    EXPECT_NEAR(divergence, whole, 1e-6 * s.x.total);
    trib_ktensor_release(&k);
    trib_ktensor_release(&first);
}
