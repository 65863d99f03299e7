/* single.c - tests of cp.precision: single, compared with double: almost the same result, the same
 * bits for any number of threads, and its label. */
#include "tests/decomp/sample.h"

TESTS(decomp, single);

static trib_error error;

static trib_cp_options options_of(const trib_solver *solver, bool single) {
    return OPTIONS(.solver = solver, .rank = 9, .sweeps = 2, .iterations = 12, .seed = 1,
                   .single = single);
}

TEST(every_solver_fits_as_well_as_in_double) {
    GIVEN(sample) s = sample_at_random(2, 3, (uint32_t[]){300, 90, 200}, 3000, 4);
    sample_in_format(&s, trib_format_find("rows"));
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        if (!solver->rows) continue;
        GIVEN(trib_ktensor) exact = {0}, k = {0}, seven = {0};
        GIVEN(trib_cp_trace) trace = {0};
        trib_cp_options options = options_of(solver, false);
        EXPECT_OK(trib_cp(&exact, &s.x, &options, &trace, &error));
        EXPECT(!exact.single && !trace.single);
        trib_cp_trace_release(&trace);
        options.single = true;
        EXPECT_OK(trib_cp(&k, &s.x, &options, &trace, &error));
        EXPECT(k.single && trace.single);
        EXPECT_NEAR(k.fit, exact.fit, 1e-5);
        options.n_threads = 7;
        EXPECT_OK(trib_cp(&seven, &s.x, &options, NULL, &error));
        EXPECT(same_ktensor(&k, &seven));
    }
}

/* Stops a decomposition after five iterations. */
static trib_status keep_fifth(void *context, const trib_cp_state *state, trib_error *failure) {
    if (state->iteration != 5) return TRIB_OK;
    return trib_checkpoint_write(state, "single", context, failure);
}

TEST(resuming_gives_the_same_bits) {
    GIVEN(sample) s = {0};
    GIVEN(trib_ktensor) whole = {0}, rest = {0};
    GIVEN(trib_checkpoint) checkpoint = {0};
    trib_reader reader;
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("single.checkpoint"));
    s = sample_at_random(4, 3, (uint32_t[]){60, 90, 70}, 900, 4);
    sample_in_format(&s, trib_format_find("rows"));
    trib_cp_options options = options_of(trib_solver_find("hals"), true);
    options.hook = (trib_cp_hook){keep_fifth, path};
    EXPECT_OK(trib_cp(&whole, &s.x, &options, NULL, &error));
    CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
    EXPECT_OK(trib_checkpoint_read(&checkpoint, "single", &reader, &error));
    trib_reader_close(&reader);
    options.hook = (trib_cp_hook){0};
    options.resume = &checkpoint.state;
    EXPECT_OK(trib_cp(&rest, &s.x, &options, NULL, &error));
    EXPECT(same_ktensor(&whole, &rest));
}

TEST(a_file_keeps_the_label_of_single_precision) {
    GIVEN(sample) s = {0};
    GIVEN(trib_ktensor) k = {0}, back = {0};
    trib_writer writer;
    trib_reader reader;
    GIVEN(trib_buffer) text = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("single.ktns"));
    s = sample_at_random(4, 2, (uint32_t[]){9, 7}, 30, 4);
    sample_in_format(&s, trib_format_find("rows"));
    const trib_cp_options options = options_of(trib_solver_find("hals"), true);
    EXPECT_OK(trib_cp(&k, &s.x, &options, NULL, &error));
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    trib_ktns_write(&k, NULL, &writer);
    CHECK(trib_writer_commit(&writer, NULL, &error) == TRIB_OK);
    CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
    EXPECT_OK(trib_reader_all(&reader, &text, &error));
    trib_reader_close(&reader);
    EXPECT(strstr(text.text, "\nprecision single\ncomponent 1 ") != NULL);
    CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
    EXPECT_OK(trib_ktns_read(&back, &reader, &error));
    trib_reader_close(&reader);
    EXPECT(back.single && same_ktensor(&k, &back));
}

TEST(other_formats_and_solvers_are_rejected) {
    trib_ktensor k;
    trib_cp_options options = options_of(trib_solver_find("hals"), true);
    GIVEN(sample) s = sample_at_random(4, 2, (uint32_t[]){9, 7}, 30, 4);
    EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
    EXPECT(strstr(error.message, "tensor.format rows") != NULL);
    sample_in_format(&s, trib_format_find("rows"));
    options.solver = trib_solver_find("apr");
    EXPECT_STATUS(trib_cp(&k, &s.x, &options, NULL, &error), TRIB_CONFIG, error);
    EXPECT(strstr(error.message, "least-squares solver") != NULL);
}

TEST(every_failing_allocation_is_reported) {
    const trib_cp_options options = options_of(trib_solver_find("hals"), true);
    GIVEN(sample) s = sample_at_random(4, 2, (uint32_t[]){9, 7}, 30, 4);
    sample_in_format(&s, trib_format_find("rows"));
    EXPECT(fail_every_allocation_of_cp(&s.x, &options) > 20);
}
