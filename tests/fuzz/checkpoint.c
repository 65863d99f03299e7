/* checkpoint.c - any bytes as a checkpoint with a correct checksum: it is rejected, or it is a
 * state from which a decomposition of the pairs of two texts continues, or which that rejects. The
 * first byte selects the solver. */
#include "decomp/decomp.h"
#include "tests/fuzz/fuzz.h"

enum { SUM = TRIB_SHA256_TEXT - 1 };

static void go_on(const trib_cp_state *state, uint8_t choice) {
    static const uint32_t dim[] = {3, 3}, pair[4][2] = {{0, 1}, {1, 0}, {0, 2}, {1, 2}};
    const trib_solver *solver = trib_solvers;
    TRIB_OWNED(trib_hacoo) counts = {0};
    TRIB_OWNED(trib_tensor) x = {0};
    trib_ktensor k = {0};
    trib_cp_trace trace = {0};
    for (choice %= 16; choice > 0; choice--) solver = solver[1].name ? solver + 1 : trib_solvers;
    trib_status status = trib_hacoo_init(&counts, 2, dim, NULL, NULL);
    for (size_t i = 0; i < 4 && status == TRIB_OK; i++)
        status = trib_hacoo_add(&counts, pair[i], 1, NULL);
    if (status == TRIB_OK)
        status = trib_tensor_build(&x, trib_format_find("coo"), &counts, NULL, 1, NULL);
    if (status == TRIB_OK && solver->needs_start) {
        const uint32_t most = state->iteration < UINT32_MAX - 2 ? state->iteration + 2 : UINT32_MAX;
        const trib_cp_options options = {.solver = solver,
                                         .rank = 2,
                                         .sweeps = 1,
                                         .iterations = most,
                                         .restarts = 1,
                                         .seed = 1,
                                         .n_threads = 1,
                                         .part = state->part,
                                         .resume = state};
        if (trib_cp(&k, &x, &options, &trace, NULL) == TRIB_OK)
            FUZZ_CHECK(k.rank <= 2 && trace.n_steps <= (size_t)most);
        trib_cp_trace_release(&trace);
        trib_ktensor_release(&k);
    }
}

FUZZ_TARGET(checkpoint) {
    trib_sha256 hash = {0};
    trib_reader reader;
    TRIB_OWNED(trib_checkpoint) checkpoint = {0};
    char *copy = NULL, sum[TRIB_SHA256_TEXT];
    if (size < 1 || trib_new(&copy, size + SUM, 1, "a copy", NULL) != TRIB_OK) return;
    memcpy(copy, bytes + 1, size - 1);
    trib_sha256_add(&hash, copy, size - 1);
    trib_sha256_end(&hash, sum);
    memcpy(copy + size - 1, sum, SUM);
    trib_reader_memory(&reader, "x", copy, size - 1 + SUM);
    const trib_status status = trib_checkpoint_read(&checkpoint, "w", &reader, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    FUZZ_CHECK((status == TRIB_OK) == (checkpoint.number != NULL));
    if (status == TRIB_OK) go_on(&checkpoint.state, bytes[0]);
    trib_free(copy);
}
