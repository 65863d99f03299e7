/* checkpoint.c - tests of decomp/checkpoint.c. */
#include "tests/decomp/sample.h"

TESTS(decomp, checkpoint);

static trib_error error;

enum { ITERATIONS = 5 };

/* Stops a decomposition after one iteration and writes its state to a file. */
typedef struct stopper {
    uint32_t part, iteration; /* after this one */
    const char *path;
    uint32_t n_seen;
} stopper;

static trib_status stop_there(void *context, const trib_cp_state *state, trib_error *failure) {
    stopper *s = context;
    s->n_seen++;
    if (state->part != s->part || state->iteration != s->iteration) return TRIB_OK;
    const trib_status status = trib_checkpoint_write(state, "work", s->path, failure);
    return status == TRIB_OK ? trib_fail(failure, TRIB_REQUEUE, "stopped") : status;
}

static trib_cp_options options_of(const trib_solver *solver) {
    return OPTIONS(.solver = solver, .rank = 6, .sweeps = 2, .iterations = ITERATIONS,
                   .tolerance = 1e-12, .seed = 3);
}

static trib_status read_back(trib_checkpoint *checkpoint, const char *path, const char *work,
                             trib_error *failure) {
    TRIB_OPENED(trib_reader) reader = {0};
    trib_status status = trib_reader_open(&reader, path, failure);
    if (status != TRIB_OK) return status;
    return trib_checkpoint_read(checkpoint, work, &reader, failure);
}

/* Runs to the stopper's place, resumes from the file, and expects the same bits as without a
 * stop. */
static void expect_same_bits(const trib_tensor *x, const trib_cp_options *options,
                             const trib_ktensor *whole, stopper *at) {
    trib_cp_options first = *options, second = *options;
    GIVEN(trib_checkpoint) checkpoint = {0};
    GIVEN(trib_ktensor) k = {0};
    first.hook = (trib_cp_hook){stop_there, at};
    EXPECT_STATUS(trib_cp(&k, x, &first, NULL, &error), TRIB_REQUEUE, error);
    CHECK(read_back(&checkpoint, at->path, "work", &error) == TRIB_OK);
    EXPECT(checkpoint.state.iteration == at->iteration && checkpoint.state.part == at->part);
    second.resume = &checkpoint.state;
    second.n_threads = 7;
    EXPECT_OK(trib_cp(&k, x, &second, NULL, &error));
    EXPECT(same_ktensor(&k, whole));
}

TEST(every_solver_resumes_at_every_iteration_to_the_same_bits) {
    GIVEN(sample) s = sample_at_random(2, 3, (uint32_t[]){50, 40, 60}, 900, 4);
    const char *path = trib_scratch("state");
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        if (!solver->needs_start) continue;
        const trib_cp_options options = options_of(solver);
        GIVEN(trib_ktensor) whole = cp_of(&s.x, &options, NULL);
        for (uint32_t i = 1; i < ITERATIONS; i++)
            expect_same_bits(&s.x, &options, &whole, &(stopper){.iteration = i, .path = path});
    }
}

TEST(restarts_resume_to_the_same_bits) {
    GIVEN(sample) s = sample_at_random(2, 3, (uint32_t[]){50, 40, 60}, 900, 4);
    const char *path = trib_scratch("state");
    trib_cp_options options = options_of(trib_solver_find("hals"));
    options.start = trib_start_find("random");
    options.restarts = 3;
    GIVEN(trib_ktensor) whole = cp_of(&s.x, &options, NULL);
    for (uint32_t part = 0; part < 3; part++)
        expect_same_bits(&s.x, &options, &whole,
                         &(stopper){.part = part, .iteration = 2, .path = path});
}

TEST(a_search_resumes_to_the_same_bits) {
    GIVEN(trib_ktensor) whole = {0}, k = {0};
    GIVEN(trib_rank_search) search = {0};
    GIVEN(trib_cp_trace) trace = {0};
    GIVEN(trib_checkpoint) checkpoint = {0};
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){40, 40, 40}, 500, 5);
    const char *path = trib_scratch("state");
    const trib_cp_options options = options_of(NULL);
    CHECK(trib_cp_search(&whole, &s.x, &options, 60, &search, &trace, NULL) == TRIB_OK);
    trib_rank_search_release(&search);
    trib_cp_trace_release(&trace);
    trib_cp_options first = options, second = options;
    first.hook = (trib_cp_hook){stop_there, &(stopper){.part = 1, .iteration = 3, .path = path}};
    EXPECT_STATUS(trib_cp_search(&k, &s.x, &first, 60, &search, &trace, &error), TRIB_REQUEUE,
                  error);
    CHECK(read_back(&checkpoint, path, "work", &error) == TRIB_OK);
    second.resume = &checkpoint.state;
    EXPECT_OK(trib_cp_search(&k, &s.x, &second, 60, &search, &trace, &error));
    EXPECT(same_ktensor(&k, &whole));
}

/* A state of one mode of three rows. */
static trib_status write_small(void *context, trib_error *failure) {
    static const double factor[] = {1, 2, 3, 4, 5, 6}, lambda[] = {7, 8}, kept[] = {9};
    const trib_cp_state state = {.iteration = 4,
                                 .fit = .5,
                                 .n_modes = 1,
                                 .dim = {3},
                                 .rank = 2,
                                 .stride = 2,
                                 .factor = {factor},
                                 .lambda = lambda,
                                 .kept = {kept},
                                 .n_kept = {1}};
    return trib_checkpoint_write(&state, "work", context, failure);
}

static trib_status read_small(void *context, trib_error *failure) {
    GIVEN(trib_checkpoint) checkpoint = {0};
    return read_back(&checkpoint, context, "work", failure);
}

/* Reads the file with one byte changed, truncated, or written for another decomposition. */
TEST(an_incomplete_or_altered_checkpoint_is_rejected) {
    const char *path = trib_scratch("small");
    GIVEN(trib_buffer) text = {0};
    trib_reader reader;
    trib_checkpoint checkpoint;
    CHECK(write_small((void *)(uintptr_t)path, NULL) == TRIB_OK);
    CHECK(trib_reader_open(&reader, path, NULL) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, NULL) == TRIB_OK);
    trib_reader_close(&reader);
    for (size_t i = 0; i <= text.length; i++) {
        trib_reader_memory(&reader, "state", text.text, i);
        const trib_status wanted = i == text.length ? TRIB_OK : TRIB_INPUT;
        EXPECT_STATUS(trib_checkpoint_read(&checkpoint, "work", &reader, &error), wanted, error);
        if (i == text.length) break;
        text.text[i] ^= 1;
        trib_reader_memory(&reader, "state", text.text, text.length);
        EXPECT_STATUS(trib_checkpoint_read(&checkpoint, "work", &reader, &error), TRIB_INPUT,
                      error);
        text.text[i] ^= 1;
    }
    EXPECT(checkpoint.state.iteration == 4 && checkpoint.state.fit == .5);
    EXPECT(checkpoint.state.lambda[1] == 8 && checkpoint.state.factor[0][5] == 6);
    EXPECT(checkpoint.state.kept[0][0] == 9 && checkpoint.state.n_kept[0] == 1);
    trib_checkpoint_release(&checkpoint);
    trib_reader_memory(&reader, "state", text.text, text.length);
    EXPECT_REFUSED(trib_checkpoint_read(&checkpoint, "other", &reader, &error), TRIB_INPUT,
                   "state: written for another tensor or with other settings; remove it to start "
                   "anew");
}

TEST(every_failing_allocation_of_a_checkpoint_is_reported) {
    const char *path = trib_scratch("small");
    EXPECT(trib_fail_every_allocation(write_small, (void *)(uintptr_t)path) > 2);
    EXPECT(trib_fail_every_allocation(read_small, (void *)(uintptr_t)path) > 2);
}
