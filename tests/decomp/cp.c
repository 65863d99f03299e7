/* cp.c - tests of decomp/cp.c and of properties that all solvers share. */
#include "tests/decomp/sample.h"

TESTS(decomp, cp);

static trib_cp_options options_of(const char *solver, const char *start, uint32_t rank) {
    return OPTIONS(.solver = trib_solver_find(solver), .start = trib_start_find(start),
                   .rank = rank, .sweeps = 2, .iterations = 8, .seed = 1);
}

TEST(tables_are_found_by_name) {
    for (const trib_solver *s = trib_solvers; s->name; s++) EXPECT(trib_solver_find(s->name) == s);
    for (const trib_start *s = trib_starts; s->name; s++) EXPECT(trib_start_find(s->name) == s);
    EXPECT(!trib_solver_find("al") && !trib_start_find(""));
    for (int stop = 0; stop < TRIB_N_STOPS; stop++)
        EXPECT(strcmp(trib_stop_text((trib_stop)stop), "unknown") != 0);
}

TEST(invalid_options_are_rejected_with_the_reason) {
    GIVEN(trib_ktensor) k = {0};
    trib_error error = {0};
    GIVEN(sample) s = sample_by_hand(2, (uint32_t[]){2, 2}, (uint32_t[]){0, 1, 3}, 1);
    trib_cp_options wrong[6];
    for (size_t i = 0; i < 6; i++) wrong[i] = options_of("hals", "greedy", 1);
    wrong[0].lift = 1;
    wrong[1].tolerance = NAN;
    wrong[2].l1[1] = -1;
    wrong[3].l2[0] = INFINITY;
    wrong[4].n_threads = -1;
    wrong[5].solver = trib_solver_find("apr");
    wrong[5].l1[1] = 1;
    for (size_t i = 0; i < 6; i++)
        EXPECT_STATUS(trib_cp(&k, &s.x, &wrong[i], NULL, &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message,
                "decomposition: the penalties l1 and l2 need a least-squares solver");
    const trib_cp_options right = {.rank = 1};
    EXPECT_OK(trib_cp(&k, &s.x, &right, NULL, &error));
    EXPECT_NEAR(k.fit, 1, 1e-7);
}

TEST(every_option_has_a_default) {
    const trib_cp_options rank = {.rank = TRIB_CP_RANK}, zero = {0};
    GIVEN(sample) s = sample_at_random(2, 3, (uint32_t[]){20, 15, 25}, 200, 4);
    GIVEN(trib_ktensor) given = cp_of(&s.x, &rank, NULL);
    GIVEN(trib_ktensor) bare = cp_of(&s.x, &zero, NULL);
    GIVEN(trib_ktensor) none = cp_of(&s.x, NULL, NULL);
    EXPECT(given.rank > 5 && bare.rank == given.rank && none.rank == given.rank);
    EXPECT_NEAR(bare.fit, given.fit, 0);
    EXPECT_NEAR(none.fit, given.fit, 0);
}

TEST(all_options_but_the_rank_have_defaults) {
    GIVEN(sample) s = sample_at_random(2, 3, (uint32_t[]){40, 30, 50}, 600, 4);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        GIVEN(trib_cp_trace) trace = {0};
        const trib_cp_options few = {.solver = solver, .rank = 5};
        trib_cp_options all =
            options_of(solver->name, strcmp(solver->name, "apr") == 0 ? "greedy" : "energy", 5);
        all.iterations = TRIB_CP_ITERATIONS;
        all.sweeps = TRIB_CP_SWEEPS;
        all.seed = 0;
        GIVEN(trib_ktensor) bare = cp_of(&s.x, &few, &trace);
        EXPECT(!solver->rows || trace.n_steps == TRIB_CP_ITERATIONS);
        GIVEN(trib_ktensor) full = cp_of(&s.x, &all, NULL);
        EXPECT(same_ktensor(&bare, &full));
        GIVEN(trib_ktensor) solved = zero_ktensor(3, s.x.dim, 5);
        CHECK(trib_start_find("energy")->fill(&solved, &s.x, 0, NULL) == TRIB_OK);
        if (solver->needs_start) {
            trib_cp_trace_release(&trace);
            CHECK(trib_cp_solve(&solved, &s.x, &few, &trace, NULL) == TRIB_OK);
            EXPECT(trace.n_steps > 0);
        }
    }
}

TEST(no_result_depends_on_threads_or_formats) {
    GIVEN(sample) s = sample_at_random(2, 3, (uint32_t[]){700, 300, 900}, 6000, 4);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        trib_ktensor one = {0}, other = {0};
        trib_cp_options options = options_of(solver->name, "greedy", 11);
        for (size_t f = 0; trib_formats[f]; f++) {
            if (trib_is_slow() && f % 3 != 0) continue;
            trib_tensor_release(&s.x);
            CHECK(trib_tensor_build(&s.x, trib_formats[f], &s.counts, NULL, 7, NULL) == TRIB_OK);
            options.n_threads = 1;
            CHECK(trib_cp(&one, &s.x, &options, NULL, NULL) == TRIB_OK);
            options.n_threads = 7;
            GIVEN(trib_ktensor) many = cp_of(&s.x, &options, NULL);
            EXPECT(same_ktensor(&one, &many));
            if (f > 0) {
                CHECK(one.rank == other.rank);
                EXPECT_NEAR(one.fit, other.fit, 1e-9);
                for (uint32_t r = 0; r < one.rank; r++)
                    EXPECT_NEAR(one.lambda[r], other.lambda[r], 1e-7 * one.lambda[0]);
                trib_ktensor_release(&other);
            }
            other = one;
        }
        trib_ktensor_release(&other);
    }
}

TEST(no_objective_ever_increases) {
    sample s;
    static const uint32_t dim[] = {60, 40, 50, 10};
    for (uint32_t n_modes = 1; n_modes <= 4; n_modes++) {
        s = sample_at_random(n_modes, n_modes, dim, 600, 5);
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            for (const trib_start *start = trib_starts; start->name; start++) {
                GIVEN(trib_cp_trace) trace = {0};
                trib_cp_options options = options_of(solver->name, start->name, 9);
                options.iterations = 25;
                GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
                for (size_t i = 1; i < trace.n_steps; i++)
                    EXPECT(trace.step[i].objective <=
                           trace.step[i - 1].objective + 1e-10 * s.x.norm * s.x.norm);
                EXPECT(trace.n_steps >= 1 && trace.step[trace.n_steps - 1].objective >= -1e-9);
                double fit = 0;
                CHECK(trib_ktensor_fit(&k, &s.x, &fit, NULL) == TRIB_OK);
                /* close to 1, the error is the root of a difference */
                EXPECT_NEAR(k.fit, fit, 1e-6);
            }
        sample_release(&s);
    }
}

/* Two blocks on disjoint words and a fibre: rank 3 exactly, with whole numbers as counts. */
TEST(a_tensor_of_rank_3_is_recovered) {
    static const uint32_t vector[3][3][8] = {
        {{1, 2, 0, 0, 0, 0, 0, 0}, {3, 1, 0, 0, 0, 0, 0, 0}, {1, 1, 2, 0, 0, 0, 0, 0}},
        {{0, 0, 1, 1, 3, 0, 0, 0}, {0, 0, 2, 1, 0, 0, 0, 0}, {0, 0, 0, 1, 4, 0, 0, 0}},
        {{0, 0, 0, 0, 0, 5, 0, 0}, {0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1, 2, 1}}};
    uint32_t entry[512 * 4];
    size_t n = 0;
    for (uint32_t z = 0; z < 512; z++) {
        const uint32_t i = z / 64, j = z / 8 % 8, l = z % 8;
        uint32_t value = 0;
        for (uint32_t r = 0; r < 3; r++)
            value += vector[r][0][i] * vector[r][1][j] * vector[r][2][l];
        if (value > 0) memcpy(entry + 4 * n++, (uint32_t[]){i, j, l, value}, 4 * sizeof *entry);
    }
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){8, 8, 8}, entry, n);
    for (const char *const *name = (const char *const[]){"hals", "apr", NULL}; *name; name++) {
        trib_cp_options options = options_of(*name, "greedy", 3);
        options.iterations = 500;
        GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
        CHECK(k.rank == 3);
        EXPECT_NEAR(k.fit, 1, 1e-6);
        EXPECT_NEAR(k.lambda[0], 75, 1e-4); /* 5 * 3 * 5, 3 * 4 * 4, 5 * 1 * 4 */
        EXPECT_NEAR(k.lambda[1], 48, 1e-4);
        EXPECT_NEAR(k.lambda[2], 20, 1e-4);
        EXPECT_NEAR(k.factor[0][4 * 3], .6, 1e-6); /* 3 of 1 1 3 */
    }
}

TEST(components_that_vanish_are_dropped_and_counted) {
    GIVEN(trib_cp_trace) trace = {0};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){2, 2, 2}, (uint32_t[]){1, 0, 1, 6}, 1);
    trib_cp_options options = options_of("hals", "greedy", 4);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
    EXPECT(k.rank + trace.n_zero == 4);
    trib_ktensor_release(&k);
    trib_cp_trace_release(&trace);
    for (uint32_t m = 0; m < 3; m++) options.l1[m] = 100; /* the penalty exceeds any gain */
    CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT(k.rank == 0 && trace.n_zero == 4);
    EXPECT_NEAR(k.fit, 0, 1e-12);
}

TEST(an_empty_tensor_gives_an_empty_model) {
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){2, 3, 2}, NULL, 0);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (const trib_start *start = trib_starts; start->name; start++) {
            const trib_cp_options options = options_of(solver->name, start->name, 2);
            GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
            EXPECT(k.rank == 0 && k.fit == 1);
        }
}

/* The sample with its counts times 2^exponent, or times -2^exponent. */
static void scale_sample(sample *s, int exponent, int sign) {
    CHECK(TRIB_NEW(&s->value, s->counts.nnz, "values", NULL) == TRIB_OK);
    for (size_t e = 0; e < s->counts.nnz; e++)
        s->value[e] = ldexp(sign * (double)trib_hacoo_count(&s->counts, e), exponent);
    sample_in_format(s, trib_format_find("coo"));
}

/* 2^-4 of a count of 1 is the smallest value there is, and of one of 5 the largest power of two. */
TEST(a_power_of_two_changes_nothing_but_the_weights) {
    static const int exponent[] = {60, 300, 511, 1015, -60, -400, -1000};
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        trib_cp_options options = options_of(solver->name, "greedy", 3);
        options.tolerance = 1e-9;
        GIVEN(sample) s = sample_at_random(6, 3, (uint32_t[]){6, 5, 7}, 60, 5);
        GIVEN(trib_cp_trace) trace = {0};
        GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
        for (size_t i = 0; i < sizeof exponent / sizeof *exponent; i++) {
            GIVEN(sample) t = sample_at_random(6, 3, (uint32_t[]){6, 5, 7}, 60, 5);
            GIVEN(trib_cp_trace) other = {0};
            scale_sample(&t, exponent[i], 1);
            GIVEN(trib_ktensor) l = cp_of(&t.x, &options, &other);
            CHECK(l.rank == k.rank && other.n_steps > 0);
            EXPECT_NEAR(l.fit, k.fit, 1e-6);
            if (!solver->negative)
                EXPECT_NEAR(trib_ktensor_l1_error(&l, &t.x), trib_ktensor_l1_error(&k, &s.x), 1e-3);
            for (uint32_t r = 0; r < k.rank; r++)
                EXPECT_NEAR(ldexp(l.lambda[r], -exponent[i]), k.lambda[r], 1e-2 * k.lambda[r]);
        }
    }
}

TEST(penalties_and_starts_have_the_scale_of_the_tensor) {
    GIVEN(sample) s = sample_at_random(6, 3, (uint32_t[]){6, 5, 7}, 60, 5);
    GIVEN(sample) t = sample_at_random(6, 3, (uint32_t[]){6, 5, 7}, 60, 5);
    trib_cp_options options = options_of("hals", "greedy", 3);
    scale_sample(&t, 120, 1);
    for (uint32_t m = 0; m < 3; m++) options.l1[m] = .5, options.l2[m] = .25;
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
    for (uint32_t m = 0; m < 3; m++) options.l1[m] = 0x1p199, options.l2[m] = 0x1p158;
    GIVEN(trib_ktensor) l = cp_of(&t.x, &options, NULL);
    EXPECT(k.fit < .9 && l.rank == k.rank);
    EXPECT_NEAR(l.fit, k.fit, 1e-6);
    options = options_of("hals", "greedy", 3);
    options.from = &l;
    options.fixed = 7 - 1;
    GIVEN(trib_ktensor) more = cp_of(&t.x, &options, NULL);
    EXPECT(more.fit > l.fit && more.fit < 1);
}

TEST(a_weight_beyond_the_largest_number_is_an_error) {
    const uint32_t entry[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){1, 2, 2}, entry, 4);
    const trib_cp_options options = options_of("hals", "greedy", 1);
    scale_sample(&s, 1023, 1);
    GIVEN(trib_ktensor) k = {0};
    trib_error error = {0};
    EXPECT(trib_cp(&k, &s.x, &options, NULL, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "more than the largest number") != NULL);
    s.value[1] = NAN;
    sample_in_format(&s, trib_format_find("coo"));
    EXPECT(trib_cp(&k, &s.x, &options, NULL, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "not a finite number") != NULL);
    s.value[1] = INFINITY;
    sample_in_format(&s, trib_format_find("coo"));
    EXPECT(trib_cp(&k, &s.x, &options, NULL, &error) == TRIB_INPUT);
}

TEST(values_below_zero_are_fitted_or_refused) {
    GIVEN(sample) s = sample_at_random(6, 3, (uint32_t[]){6, 5, 7}, 60, 5);
    const trib_cp_options positive = options_of("als", "greedy", 3);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &positive, NULL);
    scale_sample(&s, 0, -1);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        const trib_cp_options options = options_of(solver->name, "greedy", 3);
        GIVEN(trib_ktensor) l = {0};
        trib_error error = {0};
        const trib_status status = trib_cp(&l, &s.x, &options, NULL, &error);
        if (strcmp(solver->name, "apr") == 0) {
            EXPECT(status == TRIB_INPUT && strstr(error.message, "below 0"));
            continue;
        }
        CHECK(status == TRIB_OK);
        EXPECT_NEAR(l.fit, solver->negative ? k.fit : 0, 1e-6);
        double fit = 2;
        CHECK(trib_ktensor_fit(&l, &s.x, &fit, NULL) == TRIB_OK);
        EXPECT_NEAR(fit, l.fit, 1e-6);
        if (!solver->negative) EXPECT_NEAR(trib_ktensor_l1_error(&l, &s.x), 1, 1e-12);
    }
}

TEST(the_best_of_several_starts_is_returned) {
    GIVEN(sample) s = sample_at_random(4, 3, (uint32_t[]){30, 30, 30}, 400, 3);
    trib_cp_options options = options_of("hals", "random", 6);
    double objective[4], fit[4], best = INFINITY, worst = INFINITY, best_fit = 0;
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_cp_trace) trace = {0};
    for (uint64_t i = 0; i < 4; i++) {
        options.seed = 10 + i;
        CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
        objective[i] = trace.step[trace.n_steps - 1].objective;
        fit[i] = k.fit;
        worst = fmin(worst, fit[i]);
        if (objective[i] < best) best_fit = fit[i];
        best = fmin(best, objective[i]);
        trib_ktensor_release(&k);
        trib_cp_trace_release(&trace);
    }
    options.seed = 10;
    options.restarts = 4;
    CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT(k.fit == best_fit && trace.worst_fit == worst && trace.n_restarts == 4);
    EXPECT(trace.step[trace.n_steps - 1].objective == best);
    EXPECT(k.fit > 0 && k.rank > 0);
}

static bool stop_at_three(void *context, double done, double total) {
    (void)context;
    return done < 3 || total < 3;
}

TEST(each_reason_to_stop_is_reported) {
    trib_ktensor k;
    trib_cp_trace trace;
    GIVEN(sample) s = sample_at_random(4, 3, (uint32_t[]){30, 30, 30}, 400, 3);
    for (int i = 0; i < 5; i++) {
        static const trib_stop wanted[] = {TRIB_STOP_ITERATIONS, TRIB_STOP_TOLERANCE,
                                           TRIB_STOP_ASKED, TRIB_STOP_EXACT, TRIB_STOP_ITERATIONS};
        trib_cp_options options = options_of(i < 3 ? "hals" : "fibre", "greedy", i == 3 ? 0 : 4);
        if (i == 1) options.tolerance = .5;
        if (i == 2) options.progress.tick = stop_at_three;
        CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
        EXPECT(trace.stop == wanted[i]);
        static const size_t n_steps[] = {8, 1, 3, 1, 1};
        EXPECT(trace.n_steps == n_steps[i]);
        if (i == 3) EXPECT(k.fit == 1);
        trib_ktensor_release(&k);
        trib_cp_trace_release(&trace);
    }
}

TEST(the_exact_cover_reproduces_every_value) {
    GIVEN(sample) s = sample_at_random(6, 4, (uint32_t[]){12, 9, 11, 5}, 200, 5);
    const trib_cp_options options = options_of("fibre", "greedy", 0);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
    for (size_t e = 0; e < s.counts.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const double count = trib_hacoo_entry(&s.counts, e, index);
        EXPECT_NEAR(trib_ktensor_value(&k, index), count, 1e-12);
    }
    double fit = 0;
    CHECK(trib_ktensor_fit(&k, &s.x, &fit, NULL) == TRIB_OK);
    EXPECT_NEAR(fit, 1, 1e-6);
}

TEST(every_failing_allocation_of_a_decomposition_is_reported) {
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){9, 6, 11}, 60, 3);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (const trib_start *start = trib_starts; start->name; start++) {
            trib_cp_options options = options_of(solver->name, start->name, 3);
            options.restarts = 2;
            options.iterations = 2;
            EXPECT(fail_every_allocation_of_cp(&s.x, &options) > 10);
        }
    trib_cp_options options = options_of("hals", "greedy", 3);
    GIVEN(trib_ktensor) from = cp_of(&s.x, &options, NULL);
    options.from = &from;
    options.iterations = 2;
    scale_sample(&s, 500, 1);
    EXPECT(fail_every_allocation_of_cp(&s.x, &options) > 10);
}
