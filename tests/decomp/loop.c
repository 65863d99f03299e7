/* loop.c - tests of decomp/loop.c and als_loop.c: stopping, resuming, time, fixed modes, the KKT
 * residual. */
#include "decomp/loop.h"
#include "tests/decomp/sample.h"

TESTS(decomp, loop);

static trib_error error;

static trib_cp_options options_of(const trib_solver *solver) {
    return OPTIONS(.solver = solver, .start = trib_start_find("greedy"), .rank = 7, .sweeps = 2,
                   .iterations = 6);
}

static sample a_sample(void) { return sample_at_random(5, 3, (uint32_t[]){40, 300, 25}, 900, 4); }

/* A copy of a state, as in a checkpoint. */
typedef struct checkpoint {
    uint32_t when; /* after this iteration */
    trib_cp_state state;
    size_t n_called;
    bool was_last;
} checkpoint;

static double *copy_of(const double *from, size_t n) {
    double *copy = malloc((n + 1) * sizeof *copy);
    CHECK(copy != NULL);
    if (n > 0) memcpy(copy, from, n * sizeof *copy);
    return copy;
}

static trib_status keep(void *context, const trib_cp_state *state, trib_error *failure) {
    checkpoint *c = context;
    (void)failure;
    c->n_called++;
    c->was_last = state->is_last;
    if (state->iteration != c->when) return TRIB_OK;
    c->state = *state;
    c->state.step =
        (trib_cp_step *)(void *)copy_of((const double *)(const void *)state->step,
                                        state->n_steps * sizeof(trib_cp_step) / sizeof(double));
    c->state.lambda = copy_of(state->lambda, state->rank);
    for (uint32_t m = 0; m < state->n_modes; m++) {
        c->state.factor[m] = copy_of(state->factor[m], state->dim[m] * state->stride);
        c->state.kept[m] = copy_of(state->kept[m], state->n_kept[m]);
    }
    return TRIB_OK;
}

static void forget(checkpoint *c) {
    free((void *)c->state.step);
    free((void *)c->state.lambda);
    for (uint32_t m = 0; m < c->state.n_modes; m++) {
        free((void *)c->state.factor[m]);
        free((void *)c->state.kept[m]);
    }
}

TEST(a_resumed_decomposition_gives_the_same_bits) {
    GIVEN(sample) s = a_sample();
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (uint32_t when = 1; solver->needs_start && when < 6; when++) {
            checkpoint c = {.when = when};
            GIVEN(trib_cp_trace) of_whole = {0}, of_resumed = {0};
            trib_cp_options options = options_of(solver);
            options.hook = (trib_cp_hook){keep, &c};
            options.measure_kkt = true;
            GIVEN(trib_ktensor) whole = cp_of(&s.x, &options, &of_whole);
            EXPECT(c.n_called == 6 && c.was_last && c.state.iteration == when);
            options.hook = (trib_cp_hook){NULL, NULL};
            options.resume = &c.state;
            options.n_threads = 2;
            GIVEN(trib_ktensor) resumed = cp_of(&s.x, &options, &of_resumed);
            EXPECT(same_ktensor(&whole, &resumed));
            EXPECT(of_resumed.first == 0 && of_resumed.n_steps == 6);
            EXPECT(of_resumed.stop == of_whole.stop);
            EXPECT(memcmp(of_resumed.step, of_whole.step,
                          of_resumed.n_steps * sizeof(trib_cp_step)) == 0);
            forget(&c);
        }
}

TEST(a_state_of_another_shape_is_rejected) {
    trib_ktensor k;
    GIVEN(sample) s = a_sample();
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        if (!solver->needs_start) continue;
        checkpoint c = {.when = 6};
        trib_cp_options options = options_of(solver);
        options.hook = (trib_cp_hook){keep, &c};
        CHECK(trib_cp(&k, &s.x, &options, NULL, NULL) == TRIB_OK);
        trib_ktensor_release(&k);
        options.resume = &c.state;
        options.rank = 8;
        EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
        options.rank = 7;
        c.state.n_kept[1]++;
        EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
        forget(&c);
    }
}

static trib_status refuse(void *context, const trib_cp_state *state, trib_error *failure) {
    (void)context;
    return state->iteration < 3 ? TRIB_OK : trib_fail(failure, TRIB_OUTPUT, "the disk is full");
}

TEST(an_error_of_the_hook_ends_the_decomposition) {
    trib_ktensor k;
    trib_cp_trace trace;
    GIVEN(sample) s = a_sample();
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        trib_cp_options options = options_of(solver);
        options.hook = (trib_cp_hook){refuse, NULL};
        EXPECT_STATUS(trib_cp(&k, &s.x, &options, &trace, &error),
                      solver->needs_start ? TRIB_OUTPUT : TRIB_OK, error);
        EXPECT(k.rank == 0 || !solver->needs_start);
        trib_ktensor_release(&k);
        trib_cp_trace_release(&trace);
    }
}

static double tick(void *context) { return *(double *)context += .5; }

TEST(time_is_reported_and_limited) {
    trib_ktensor k;
    trib_cp_trace trace;
    double now = 100;
    GIVEN(sample) s = a_sample();
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        trib_cp_options options = options_of(solver);
        options.time = 1.5;
        EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
        options.clock = (trib_clock){tick, &now};
        CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
        if (solver->needs_start) EXPECT(trace.stop == TRIB_STOP_TIME && trace.n_steps < 6);
        for (size_t i = 0; i < trace.n_steps; i++) {
            EXPECT(trace.step[i].other > 0);
            EXPECT(!solver->needs_start || trace.step[i].mttkrp > 0);
            EXPECT(!solver->rows || trace.step[i].dense == trace.step[i].mttkrp);
        }
        trib_ktensor_release(&k);
        trib_cp_trace_release(&trace);
    }
}

TEST(a_fixed_mode_does_not_change) {
    GIVEN(sample) s = a_sample();
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (uint32_t fixed = 1; solver->rows && fixed < 7; fixed++) {
            trib_cp_options options = options_of(solver);
            options.fixed = fixed;
            GIVEN(trib_ktensor) start = zero_ktensor(3, s.x.dim, 7);
            GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 7);
            CHECK(options.start->fill(&start, &s.x, 1, NULL) == TRIB_OK);
            CHECK(options.start->fill(&k, &s.x, 1, NULL) == TRIB_OK);
            CHECK(trib_cp_solve(&k, &s.x, &options, NULL, NULL) == TRIB_OK);
            for (uint32_t m = 0; m < 3; m++) {
                const bool same = memcmp(start.factor[m], k.factor[m],
                                         (size_t)k.dim[m] * 7 * sizeof(double)) == 0;
                EXPECT(same == (fixed >> m & 1));
            }
            double fit = 0;
            CHECK(trib_ktensor_fit(&k, &s.x, &fit, NULL) == TRIB_OK);
            EXPECT_NEAR(k.fit, fit, 1e-9);
        }
    trib_ktensor k;
    for (uint32_t fixed = 7; fixed < 9; fixed++) {
        trib_cp_options options = options_of(trib_solver_find("hals"));
        options.fixed = fixed;
        EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
    }
}

/* A 1 x 1 tensor: 3 ~ a b. With a = 1 and b = 1, G = 1 and the gradient is -2, so d = 2, or 2/3 in
 * units of |X|. Then a = 3, and b is right. */
TEST(the_kkt_residual_of_a_1_x_1_tensor_is_as_worked_by_hand) {
    GIVEN(sample) s = sample_by_hand(2, (uint32_t[]){1, 1}, (uint32_t[]){0, 0, 3}, 1);
    GIVEN(trib_cp_trace) trace = {0};
    trib_cp_options options = options_of(trib_solver_find("hals"));
    options.rank = options.iterations = 1;
    options.measure_kkt = true;
    GIVEN(trib_ktensor) k = zero_ktensor(2, s.x.dim, 1);
    k.lambda[0] = k.factor[0][0] = k.factor[1][0] = 1;
    CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT_NEAR(trace.step[0].kkt, 2. / 3, 1e-12);
    trib_cp_trace_release(&trace);
    CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT_NEAR(trace.step[0].kkt, 0, 1e-12);
    trib_cp_trace_release(&trace);
    options.measure_kkt = false;
    CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT(isnan(trace.step[0].kkt) && isnan(trace.step[0].kl));
}

TEST(a_limit_of_the_kkt_residual_ends_the_loop) {
    GIVEN(sample) s = a_sample();
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        GIVEN(trib_cp_trace) trace = {0};
        trib_cp_options options = options_of(solver);
        if (!solver->needs_start) continue;
        options.rank = 2;
        options.iterations = 2000;
        options.kkt = 1e-4;
        GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
        EXPECT(trace.stop == TRIB_STOP_KKT);
        EXPECT(trace.step[trace.n_steps - 1].kkt <= 1e-4);
        EXPECT(trace.n_steps > 1 && trace.step[trace.n_steps - 2].kkt > 1e-4);
    }
}
