/* extrapolation.c - compares cp.extrapolation with a slow implementation made of single plain
 * iterations, and tests the properties that every solver has. */
#include "tests/decomp/sample.h"

TESTS(decomp, extrapolation);

static trib_cp_options options_of(const trib_solver *solver) {
    return OPTIONS(.solver = solver, .start = trib_start_find("greedy"), .rank = 6, .sweeps = 2,
                   .iterations = 25, .extrapolation = true);
}

static sample a_sample(uint64_t seed) {
    return sample_at_random(seed, 3, (uint32_t[]){40, 90, 25}, 900, 4);
}

/* ---- The slow implementation ----------------------------------------------------------------- */

/* k = max(0, x + beta (x - before)) */
static void go_beyond(trib_ktensor *k, const trib_ktensor *x, const trib_ktensor *before,
                      double beta) {
    for (uint32_t r = 0; r < k->rank; r++) k->lambda[r] = 1;
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (size_t i = 0; i < (size_t)k->dim[m] * k->rank; i++) {
            const double a = x->factor[m][i];
            k->factor[m][i] = fmax(0, a + beta * (a - before->factor[m][i]));
        }
}

/* Does one plain iteration from k and returns its objective. */
static double iterate_plainly(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *all) {
    trib_cp_options options = *all;
    GIVEN(trib_cp_trace) trace = {0};
    options.extrapolation = false;
    options.iterations = 1;
    CHECK(trib_cp_solve(k, x, &options, &trace, NULL) == TRIB_OK);
    return trace.step[0].objective;
}

/* Does what `options` require by single iterations. Returns the number of momentum restarts. */
static size_t iterate_twin(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                           double *objective) {
    GIVEN(trib_ktensor) before = {0}, now = {0};
    size_t n_anew = 0;
    CHECK(trib_ktensor_copy(&before, k, NULL) == TRIB_OK);
    objective[0] = iterate_plainly(k, x, options);
    CHECK(trib_ktensor_copy(&now, k, NULL) == TRIB_OK);
    for (uint32_t i = 1, t = 1; i < options->iterations; i++, t++) {
        go_beyond(k, &now, &before, t / (t + 3.0));
        objective[i] = iterate_plainly(k, x, options);
        if (objective[i] > objective[i - 1]) {
            go_beyond(k, &now, &before, 0);
            objective[i] = iterate_plainly(k, x, options);
            t = 0;
            n_anew++;
        }
        trib_ktensor_release(&before);
        before = now;
        CHECK(trib_ktensor_copy(&now, k, NULL) == TRIB_OK);
    }
    return n_anew;
}

TEST(extrapolation_is_single_iterations_from_extrapolated_points) {
    size_t n_anew = 0;
    for (uint64_t seed = 1; seed < 5; seed++)
        for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
            if (!solver->extrapolates) continue;
            GIVEN(trib_ktensor) k = {0}, twin = {0};
            GIVEN(trib_cp_trace) trace = {0};
            double objective[25];
            trib_cp_options options = options_of(solver);
            GIVEN(sample) s = a_sample(seed);
            GIVEN(trib_ktensor) start = zero_ktensor(3, s.x.dim, 6);
            CHECK(options.start->fill(&start, &s.x, 1, NULL) == TRIB_OK);
            for (uint32_t r = 0; r < 6; r++) start.lambda[r] = 1;
            CHECK(trib_ktensor_copy(&k, &start, NULL) == TRIB_OK);
            CHECK(trib_ktensor_copy(&twin, &start, NULL) == TRIB_OK);
            CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
            n_anew += iterate_twin(&twin, &s.x, &options, objective);
            for (uint32_t i = 0; i < options.iterations; i++)
                EXPECT_NEAR(trace.step[i].objective, objective[i], 1e-9 * objective[0]);
            for (uint32_t m = 0; m < 3; m++)
                for (size_t i = 0; i < (size_t)k.dim[m] * 6; i++)
                    EXPECT_NEAR(k.factor[m][i], twin.factor[m][i], 1e-6);
        }
    EXPECT(n_anew > 0);
}

/* A 1 x 1 tensor: 3 ~ a b with a = 1 fixed gives b = 3 at once, from any start. */
TEST(a_1_x_1_tensor_gives_the_values_worked_by_hand) {
    GIVEN(trib_cp_trace) trace = {0};
    trib_cp_options options = options_of(trib_solver_find("hals"));
    GIVEN(sample) s = sample_by_hand(2, (uint32_t[]){1, 1}, (uint32_t[]){0, 0, 3}, 1);
    options.rank = 1;
    options.iterations = 2;
    GIVEN(trib_ktensor) k = zero_ktensor(2, s.x.dim, 1);
    k.lambda[0] = k.factor[0][0] = k.factor[1][0] = 1;
    options.fixed = 1;
    CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT(k.factor[0][0] == 1);
    EXPECT_NEAR(k.factor[1][0], 3, 1e-12);
    EXPECT_NEAR(trace.step[1].fit, 1, 1e-12);
}

/* ---- Properties ------------------------------------------------------------------------------ */

TEST(the_objective_never_grows) {
    for (uint64_t seed = 1; seed < 4; seed++)
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            for (int variant = 0; solver->extrapolates && variant < 4; variant++) {
                GIVEN(trib_cp_trace) trace = {0};
                double fit = 0;
                trib_cp_options options = options_of(solver);
                GIVEN(sample) s = a_sample(seed);
                options.rank = 2 + 7 * (uint32_t)variant;
                options.iterations = 60;
                for (uint32_t m = 0; variant % 2 == 1 && m < 3; m++) {
                    options.l1[m] = .1 * m;
                    options.l2[m] = .2 * (3 - m);
                }
                GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
                for (size_t i = 1; i < trace.n_steps; i++)
                    EXPECT(trace.step[i].objective <=
                           trace.step[i - 1].objective * (1 + 1e-12) + 1e-12);
                CHECK(trib_ktensor_fit(&k, &s.x, &fit, NULL) == TRIB_OK);
                EXPECT_NEAR(k.fit, fit, 1e-9);
            }
}

static size_t iterations_to(const trib_tensor *x, trib_cp_options options, bool extrapolation) {
    GIVEN(trib_cp_trace) trace = {0};
    options.extrapolation = extrapolation;
    GIVEN(trib_ktensor) k = cp_of(x, &options, &trace);
    EXPECT(trace.stop == TRIB_STOP_KKT);
    return trace.n_steps;
}

TEST(a_minimum_is_found_in_fewer_iterations) {
    size_t plain = 0, beyond = 0;
    for (uint64_t seed = 1; seed < 9; seed++) {
        trib_cp_options options = options_of(trib_solver_find("hals"));
        GIVEN(sample) s = a_sample(seed);
        options.iterations = 20000;
        options.kkt = 1e-6;
        plain += iterations_to(&s.x, options, false);
        beyond += iterations_to(&s.x, options, true);
    }
    EXPECT(2 * beyond < plain);
}

/* Writes a checkpoint after this iteration. */
typedef struct stop {
    uint32_t iteration;
    char path[4096];
} stop;

static trib_status write_state(void *context, const trib_cp_state *state, trib_error *error) {
    const stop *at = context;
    if (state->iteration != at->iteration) return TRIB_OK;
    return trib_checkpoint_write(state, "beyond", at->path, error);
}

TEST(resuming_anywhere_with_more_threads_gives_the_same_bits) {
    GIVEN(sample) s = {0};
    trib_error error = {0};
    stop at;
    snprintf(at.path, sizeof at.path, "%s", trib_scratch("beyond.checkpoint"));
    s = a_sample(1);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (uint32_t i = 1; solver->extrapolates && i < 25; i += 3)
            for (uint32_t fixed = 0; fixed < 3; fixed++) {
                trib_ktensor whole, rest;
                GIVEN(trib_checkpoint) checkpoint = {0};
                trib_reader reader;
                trib_cp_options options = options_of(solver);
                at.iteration = i;
                options.fixed = fixed;
                options.hook = (trib_cp_hook){write_state, &at};
                EXPECT_OK(trib_cp(&whole, &s.x, &options, NULL, &error));
                CHECK(trib_reader_open(&reader, at.path, &error) == TRIB_OK);
                CHECK(trib_checkpoint_read(&checkpoint, "beyond", &reader, &error) == TRIB_OK);
                trib_reader_close(&reader);
                options.hook = (trib_cp_hook){0};
                options.resume = &checkpoint.state;
                options.n_threads = 7;
                EXPECT_OK(trib_cp(&rest, &s.x, &options, NULL, &error));
                EXPECT(same_ktensor(&whole, &rest));
                trib_ktensor_release(&rest);
                options.extrapolation = false;
                EXPECT_STATUS(trib_cp(&rest, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
                trib_ktensor_release(&whole);
            }
}

TEST(extrapolation_works_in_single_precision) {
    GIVEN(trib_cp_trace) trace = {0};
    trib_cp_options options = options_of(trib_solver_find("hals"));
    GIVEN(sample) s = a_sample(2);
    sample_in_format(&s, trib_format_find("rows"));
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
    const double fit = k.fit;
    trib_ktensor_release(&k);
    trib_cp_trace_release(&trace);
    options.single = true;
    CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT_NEAR(k.fit, fit, 1e-3);
    trib_cp_trace_release(&trace);
    options.n_threads = 7;
    GIVEN(trib_ktensor) seven = cp_of(&s.x, &options, &trace);
    EXPECT(same_ktensor(&k, &seven));
}

TEST(other_solvers_are_rejected) {
    GIVEN(sample) s = a_sample(1);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        trib_ktensor k;
        trib_error error = {0};
        trib_cp_options options = options_of(solver);
        if (solver->extrapolates) continue;
        EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
        EXPECT(strstr(error.message, "hals, ccd or bpp") != NULL);
    }
}

TEST(every_failing_allocation_is_reported) {
    const trib_cp_options options = options_of(trib_solver_find("hals"));
    GIVEN(sample) s = sample_at_random(4, 2, (uint32_t[]){9, 7}, 30, 4);
    EXPECT(fail_every_allocation_of_cp(&s.x, &options) > 20);
}
