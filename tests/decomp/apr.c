/* apr.c - tests of decomp/apr.c against the algorithm as published, which divides every factor by
 * its column sums. */
#include "tests/decomp/sample.h"

TESTS(decomp, apr);

static void update_mode(const sample *s, double *const *a, double *lambda, uint32_t rank,
                        uint32_t mode, uint32_t sweeps) {
    const uint32_t dim = s->counts.dim[mode], n_modes = s->counts.n_modes;
    double *w = calloc((size_t)dim * rank, sizeof *w), *phi = calloc((size_t)dim * rank, sizeof *w);
    CHECK(w && phi);
    for (size_t i = 0; i < (size_t)dim * rank; i++) w[i] = a[mode][i] * lambda[i % rank];
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        memset(phi, 0, (size_t)dim * rank * sizeof *phi);
        for (size_t e = 0; e < s->counts.nnz; e++) {
            uint32_t index[TRIB_MAX_MODES];
            const double count = trib_hacoo_entry(&s->counts, e, index);
            const double y = s->value ? s->value[e] : count;
            double pi[64], model = 0;
            for (uint32_t r = 0; r < rank; r++) {
                pi[r] = 1;
                for (uint32_t m = 0; m < n_modes; m++)
                    if (m != mode) pi[r] *= a[m][(size_t)index[m] * rank + r];
                model += w[(size_t)index[mode] * rank + r] * pi[r];
            }
            for (uint32_t r = 0; r < rank; r++)
                phi[(size_t)index[mode] * rank + r] += y / fmax(model, 1e-300) * pi[r];
        }
        for (size_t i = 0; i < (size_t)dim * rank; i++) w[i] *= phi[i];
    }
    for (uint32_t r = 0; r < rank; r++) {
        lambda[r] = 0;
        for (uint32_t i = 0; i < dim; i++) lambda[r] += w[(size_t)i * rank + r];
        for (uint32_t i = 0; i < dim; i++)
            a[mode][(size_t)i * rank + r] = lambda[r] > 0 ? w[(size_t)i * rank + r] / lambda[r] : 0;
    }
    free(w);
    free(phi);
}

static void check_against_recipe(sample *s, uint32_t rank, uint32_t sweeps) {
    const uint32_t n_modes = s->counts.n_modes;
    const trib_cp_options options =
        OPTIONS(.solver = trib_solver_find("apr"), .rank = rank, .sweeps = sweeps, .iterations = 4);
    GIVEN(trib_ktensor) wanted = zero_ktensor(n_modes, s->x.dim, rank);
    CHECK(trib_start_find("greedy")->fill(&wanted, &s->x, 0, NULL) == TRIB_OK);
    for (uint32_t n = 0; n < options.iterations; n++)
        for (uint32_t m = 0; m < n_modes; m++)
            update_mode(s, wanted.factor, wanted.lambda, rank, m, sweeps);
    CHECK(trib_ktensor_normalize(&wanted, NULL) == TRIB_OK);
    trib_ktensor_drop_zeros(&wanted);
    GIVEN(trib_ktensor) k = cp_of(&s->x, &options, NULL);
    CHECK(k.rank == wanted.rank);
    double sum = 0;
    for (uint32_t r = 0; r < k.rank; r++) {
        sum += k.lambda[r];
        EXPECT_NEAR(k.lambda[r], wanted.lambda[r], 1e-10 * s->x.total);
    }
    EXPECT_NEAR(sum, s->x.total, 1e-12 * s->x.total);
    for (uint32_t m = 0; m < n_modes; m++)
        for (size_t i = 0; i < (size_t)s->x.dim[m] * k.rank; i++)
            EXPECT_NEAR(k.factor[m][i], wanted.factor[m][i], 1e-9);
}

TEST(every_step_follows_the_published_algorithm) {
    for (uint32_t n_modes = 1; n_modes <= 4; n_modes++)
        for (uint32_t sweeps = 1; sweeps <= 3; sweeps++) {
            GIVEN(sample)
            s = sample_at_random(10 + n_modes, n_modes, (uint32_t[]){14, 9, 11, 3}, 150, 4);
            check_against_recipe(&s, n_modes == 1 ? 1 : 5, sweeps);
            check_against_recipe(&s, n_modes == 1 ? 1 : 17, sweeps);
        }
}

TEST(pooled_weights_are_fitted_like_counts) {
    GIVEN(sample) s = sample_at_random(21, 3, (uint32_t[]){14, 9, 11}, 150, 4);
    s.value = malloc(s.counts.nnz * sizeof *s.value);
    CHECK(s.value != NULL);
    for (size_t e = 0; e < s.counts.nnz; e++) s.value[e] = 1e-5 * (double)(1 + e * e % 17);
    sample_in_format(&s, trib_format_find("coo"));
    check_against_recipe(&s, 9, 2);
}

/* Uses a slice with more nonzeros than one block of row products, and rows without any. */
TEST(long_slices_are_processed_in_blocks) {
    uint32_t entry[600 * 4];
    for (uint32_t i = 0; i < 600; i++)
        memcpy(entry + 4 * (size_t)i,
               (uint32_t[]){i % 5 == 0 ? i / 200 : 3, i / 30, i % 30, 1 + i % 3},
               4 * sizeof *entry);
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){6, 25, 31}, entry, 600);
    check_against_recipe(&s, 7, 2);
}

TEST(a_real_text_keeps_its_sum) {
    GIVEN(sample) s = {0};
    GIVEN(trib_cp_trace) trace = {0};
    if (!sample_text(&s, "corpora/toy/sequel_dissertation.txt")) return;
    const trib_cp_options options =
        OPTIONS(.solver = trib_solver_find("apr"), .rank = 8, .sweeps = 2, .iterations = 12);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
    double sum = 0;
    for (uint32_t r = 0; r < k.rank; r++) sum += k.lambda[r];
    EXPECT_NEAR(sum, 50, 1e-10);
    EXPECT(trace.n_steps == 12 && trace.stop == TRIB_STOP_ITERATIONS);
}

/* Without a fit, which saves its time, the factors have the same bits. */
TEST(without_a_fit_the_factors_are_the_same) {
    trib_ktensor measured, unmeasured;
    GIVEN(trib_cp_trace) trace = {0};
    trib_error error = {0};
    GIVEN(sample) s = sample_at_random(31, 3, (uint32_t[]){14, 9, 11}, 150, 4);
    trib_cp_options options =
        OPTIONS(.solver = trib_solver_find("apr"), .rank = 5, .sweeps = 2, .iterations = 4);
    CHECK(trib_cp(&measured, &s.x, &options, NULL, NULL) == TRIB_OK);
    options.unmeasured = true;
    CHECK(trib_cp(&unmeasured, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT(trace.n_steps == 4 && trace.stop == TRIB_STOP_ITERATIONS);
    EXPECT(isnan(trace.step[3].fit) && isnan(trace.step[3].kl) && isnan(unmeasured.fit));
    EXPECT(!isnan(measured.fit) && measured.rank == unmeasured.rank);
    for (uint32_t m = 0; m < 3; m++)
        EXPECT(memcmp(measured.factor[m], unmeasured.factor[m],
                      (size_t)s.x.dim[m] * measured.rank * sizeof(double)) == 0);
    trib_ktensor_release(&measured);
    trib_ktensor_release(&unmeasured);
    options.tolerance = 1e-4; /* this requires a fit */
    EXPECT_STATUS(trib_cp(&unmeasured, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
}

TEST(single_precision_is_close_to_double) {
    GIVEN(sample) s = {0};
    trib_ktensor exact, single;
    trib_error error = {0};
    s = sample_at_random(7, 3, (uint32_t[]){30, 90, 3}, 3000, 4); /* slices of many blocks */
    trib_cp_options options = OPTIONS(.solver = trib_solver_find("apr"), .rank = 5, .sweeps = 2,
                                      .iterations = 6, .unmeasured = true);
    CHECK(trib_cp(&exact, &s.x, &options, NULL, NULL) == TRIB_OK);
    options.single = true;
    options.n_threads = 3;
    EXPECT_OK(trib_cp(&single, &s.x, &options, NULL, &error));
    CHECK(exact.rank == single.rank);
    bool same = true;
    for (uint32_t r = 0; r < exact.rank; r++) {
        EXPECT_NEAR(single.lambda[r] / exact.lambda[r], 1, 1e-4);
        same = same && single.lambda[r] == exact.lambda[r];
    }
    EXPECT(!same);
    for (uint32_t m = 0; m < 3; m++)
        for (size_t i = 0; i < (size_t)s.x.dim[m] * exact.rank; i++)
            EXPECT_NEAR(single.factor[m][i], exact.factor[m][i], 1e-4);
    trib_ktensor_release(&exact);
    trib_ktensor_release(&single);
    options.lift = 0.01; /* this requires double precision */
    EXPECT_STATUS(trib_cp(&single, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
}

/* The square of the reciprocal of its column sums overflows: |model|^2 would not be finite. */
TEST(a_component_that_vanishes_is_dropped) {
    GIVEN(sample) s = sample_by_hand(2, (uint32_t[]){2, 2}, (uint32_t[]){0, 0, 3}, 1);
    GIVEN(trib_ktensor) start = zero_ktensor(2, s.x.dim, 2);
    memcpy(start.factor[0], (double[]){1, 1e-157, 0, 1}, 4 * sizeof(double));
    memcpy(start.factor[1], (double[]){1, 1, 0, 0}, 4 * sizeof(double));
    start.lambda[0] = start.lambda[1] = 1;
    const trib_cp_options options = {.solver = trib_solver_find("apr"),
                                     .from = &start,
                                     .rank = 2,
                                     .iterations = 1,
                                     .n_threads = 1};
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
    EXPECT_NEAR(k.fit, 1, 1e-12);
    EXPECT(k.rank == 1);
    EXPECT_NEAR(k.lambda[0], 3, 1e-12);
}

/* The fit, which apr does not maximise, hardly changes while the divergence still falls. */
TEST(it_ends_when_the_divergence_no_longer_changes) {
    GIVEN(sample) s = sample_at_random(33, 3, (uint32_t[]){30, 20, 25}, 600, 6);
    GIVEN(trib_cp_trace) trace = {0};
    const trib_cp_options options = OPTIONS(.solver = trib_solver_find("apr"), .rank = 8,
                                            .sweeps = 1, .iterations = 500, .tolerance = 1e-3);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
    EXPECT(trace.stop == TRIB_STOP_KL && trace.n_steps > 2);
    for (size_t i = 1; i < trace.n_steps; i++) {
        const double before = trace.step[i - 1].kl, after = trace.step[i].kl;
        EXPECT(after < before);
        EXPECT(((before - after) / before < 1e-3) == (i + 1 == trace.n_steps));
    }
}
