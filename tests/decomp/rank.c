/* rank.c - tests of the search for a rank in decomp/search.c. */
#include "tests/decomp/sample.h"

TESTS(decomp, rank);

static const trib_cp_options options = {
    .sweeps = 2, .iterations = 30, .tolerance = 1e-4, .restarts = 1, .n_threads = 1};

TEST(the_first_rank_is_that_of_the_formula) {
    EXPECT(trib_rank_first(1000, 3) == 36);   /* 1000 / (30 - 2) = 35.7 */
    EXPECT(trib_rank_first(27, 3) == 4);      /* 27 / (9 - 2) = 3.9 */
    EXPECT(trib_rank_first(10000, 4) == 271); /* 10000 / (40 - 3) = 270.3 */
    EXPECT(trib_rank_first(1, 3) == 1 && trib_rank_first(0, 3) == 1 && trib_rank_first(9, 1) == 1);
    EXPECT(trib_rank_first(0, 1) == 1);
    EXPECT(trib_rank_in_budget(0) == 100 && trib_rank_in_budget(2000) == 100);
    EXPECT(trib_rank_in_budget(3000) == 66 && trib_rank_in_budget(SIZE_MAX) == 50);
    for (int end = 0; end < TRIB_N_RANK_ENDS; end++)
        EXPECT(strcmp(trib_rank_end_text((trib_rank_end)end), "unknown") != 0);
}

/* A tensor of 900 nonzeros of three modes has R0 = 900 / (3 * 9.65 - 2) = 33.4. */
TEST(a_decomposition_can_ask_for_the_first_rank) {
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){40, 40, 40}, 900, 5);
    trib_cp_options its = options;
    its.rank = TRIB_RANK_LOWE;
    GIVEN(trib_ktensor) lowe = cp_of(&s.x, &its, NULL);
    its.rank = (uint32_t)ceil((double)s.x.nnz / (3 * cbrt((double)s.x.nnz) - 2));
    GIVEN(trib_ktensor) given = cp_of(&s.x, &its, NULL);
    EXPECT(its.rank > 30 && same_ktensor(&lowe, &given));
}

TEST(ranks_double_and_errors_fall) {
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_rank_search) search = {0};
    GIVEN(trib_cp_trace) trace = {0};
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){40, 40, 40}, 900, 5);
    const uint32_t first = trib_rank_first(s.x.nnz, 3);
    CHECK(trib_cp_search(&k, &s.x, &options, 1000, &search, &trace, NULL) == TRIB_OK);
    CHECK(search.n > 1 && search.chosen < search.n);
    for (size_t i = 0; i < search.n; i++) {
        const trib_rank_step *step = &search.step[i];
        EXPECT(i + 1 == search.n || step->rank == first << i);
        EXPECT(step->rank <= s.x.nnz / 3 && step->n_components <= step->rank);
        EXPECT(i == 0 || i > search.chosen || step->error < search.step[i - 1].error);
        EXPECT(step->l1_error > 0 && step->n_iterations > 0);
    }
    EXPECT_NEAR(search.step[search.chosen].error, 1 - k.fit, 0);
    EXPECT_NEAR(search.step[search.chosen].l1_error, trib_ktensor_l1_error(&k, &s.x), 0);
}

static bool never(void *context, double done, double total) {
    (void)context;
    return done > total;
}

TEST(each_reason_to_end_is_reported) {
    static const uint32_t block[] = {0, 0, 0, 4, 0, 1, 0, 4, 1, 0, 0, 4, 1, 1, 0, 4};
    trib_ktensor k;
    trib_rank_search search;
    trib_cp_trace trace;
    for (int i = 0; i < 7; i++) { /* the last two by cells left out */
        static const trib_rank_end wanted[] = {TRIB_RANK_CLOSE, TRIB_RANK_LIMIT, TRIB_RANK_NONZEROS,
                                               TRIB_RANK_ASKED, TRIB_RANK_CLOSE, TRIB_RANK_ASKED,
                                               TRIB_RANK_LIMIT};
        GIVEN(sample) s = {0};
        trib_cp_options its = options;
        if (i == 0) s = sample_by_hand(3, (uint32_t[]){2, 2, 1}, block, 4);
        else
            s = sample_at_random(3, 3, (uint32_t[]){90, 90, 90}, i == 2 ? 40 : i == 4 ? 0 : 900, 1);
        its.rank = i > 4 ? TRIB_RANK_HOLDOUT : 0;
        if (i == 3 || i == 5) its.progress.tick = never;
        CHECK(trib_cp_search(&k, &s.x, &its,
                             i == 1   ? 3
                             : i == 6 ? 1
                                      : 1000,
                             &search, &trace, NULL) == TRIB_OK);
        EXPECT(search.end == wanted[i]);
        trib_ktensor_release(&k);
        trib_cp_trace_release(&trace);
        trib_rank_search_release(&search);
    }
}

/* From 36 to 37 components no error falls by 2 %. The reason reported must be the limit, not a
 * doubling that gained little. */
TEST(a_last_step_cut_short_by_the_limit_ends_at_the_limit) {
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_rank_search) search = {0};
    GIVEN(trib_cp_trace) trace = {0};
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){90, 90, 90}, 900, 1);
    const uint32_t first = trib_rank_first(s.x.nnz, 3);
    CHECK(trib_cp_search(&k, &s.x, &options, first + 1, &search, &trace, NULL) == TRIB_OK);
    CHECK(search.n == 2);
    const double before = search.step[0].error, after = search.step[1].error;
    EXPECT(after <= before && after > 0.98 * before);
    EXPECT(search.end == TRIB_RANK_LIMIT);
}

static bool attempts_by_holdout;

static trib_status attempt(void *context, trib_error *error) {
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_rank_search) search = {0};
    GIVEN(trib_cp_trace) trace = {0};
    trib_cp_options its = options;
    its.iterations = 2;
    its.rank = attempts_by_holdout ? TRIB_RANK_HOLDOUT : 0;
    return trib_cp_search(&k, context, &its, 9, &search, &trace, error);
}

TEST(every_failing_allocation_of_a_search_is_reported) {
    trib_error error = {0};
    trib_ktensor k;
    trib_rank_search search;
    trib_cp_trace trace;
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){9, 6, 11}, 40, 3);
    for (int i = 0; i < 2; i++) {
        attempts_by_holdout = i;
        EXPECT(trib_fail_every_allocation(attempt, &s.x) > 30);
    }
    EXPECT_STATUS(trib_cp_search(&k, &s.x, &options, 0, &search, &trace, &error), TRIB_CONFIG,
                  error);
}

/* `rank` components in a full tensor of whole numbers, with noise of up to so much of each. */
static sample planted(uint32_t rank, double noise) {
    trib_random random;
    uint32_t entry[7 * 8 * 9 * 4], *at = entry;
    double a[9][3][5];
    trib_random_seed(&random, 10 + rank);
    for (uint32_t i = 0; i < 9 * 3 * 5; i++)
        (&a[0][0][0])[i] = trib_random_below(&random, 3) ? 10 * trib_random_unit(&random) : .1;
    for (uint32_t i = 0; i < 7 * 8 * 9; i++, at += 4) {
        double value = 0;
        memcpy(at, (uint32_t[]){i / 72, i / 9 % 8, i % 9}, 3 * sizeof *at);
        for (uint32_t r = 0; r < rank; r++)
            value += a[at[0]][0][r] * a[at[1]][1][r] * a[at[2]][2][r];
        at[3] = 1 + (uint32_t)(value * (1 - noise + 2 * noise * trib_random_unit(&random)));
    }
    return sample_by_hand(3, (uint32_t[]){7, 8, 9}, entry, 7 * 8 * 9);
}

/* The first rank of the formula is several times as large. */
TEST(a_smaller_rank_is_found_where_it_is_the_true_one) {
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t true_rank = (uint32_t[]){2, 3, 2, 3, 5}[i];
        const bool is_held_out = i >= 2;
        GIVEN(sample) s = planted(true_rank, is_held_out ? .1 : .03);
        GIVEN(trib_ktensor) k = {0};
        GIVEN(trib_rank_search) search = {0};
        GIVEN(trib_cp_trace) trace = {0};
        trib_cp_options its = options;
        its.rank = is_held_out ? TRIB_RANK_HOLDOUT : TRIB_RANK_AUTO;
        its.iterations = 500;
        its.tolerance = 1e-7;
        CHECK(trib_cp_search(&k, &s.x, &its, 500, &search, &trace, NULL) == TRIB_OK);
        EXPECT(trib_rank_first(s.x.nnz, 3) > 2 * true_rank);
        EXPECT(k.rank == true_rank);
        EXPECT(search.end == (is_held_out ? TRIB_RANK_HELD_OUT : TRIB_RANK_CONSISTENT));
        EXPECT(search.step[search.chosen].rank == true_rank);
        for (size_t r = 1; r < search.n; r++) EXPECT(search.step[r].rank > search.step[r - 1].rank);
    }
}

/* The error of cells left out: above that of all cells, and near the noise; the same bits for any
 * number of threads; missing cells are left out of it. */
TEST(held_out_errors_are_those_of_unseen_cells) {
    static const uint32_t missing[] = {2, 2, 2, 3, 3, 3};
    double error_of[3];
    for (int i = 0; i < 3; i++) {
        GIVEN(sample) s = planted(2, .1);
        GIVEN(trib_ktensor) k = {0};
        GIVEN(trib_rank_search) search = {0};
        GIVEN(trib_cp_trace) trace = {0};
        trib_cp_options its = options;
        its.rank = TRIB_RANK_HOLDOUT;
        its.n_threads = 1 + (i == 1);
        if (i == 2) {
            for (int z = 0; z < 2; z++) CHECK(trib_hacoo_remove(&s.counts, missing + 3 * z));
            sample_in_format(&s, trib_formats[0]);
            its.missing = missing;
            its.n_missing = 2;
        }
        CHECK(trib_cp_search(&k, &s.x, &its, 4, &search, &trace, NULL) == TRIB_OK);
        const trib_rank_step *step = &search.step[search.chosen];
        error_of[i] = step->error;
        EXPECT(step->rank == 2 && step->n_components == 2 && isnan(step->core_consistency));
        EXPECT(step->error > 1 - k.fit && step->error < 2 * (1 - k.fit));
    }
    EXPECT(error_of[0] == error_of[1] && fabs(error_of[2] - error_of[0]) < .1 * error_of[0]);
}
