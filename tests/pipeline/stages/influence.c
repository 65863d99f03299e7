/* influence.c - tests of pipeline/stages/findings.c: targets traced where memory is short. */
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "tests/pipeline/config/loading.h"

TESTS(stages, influence);

enum { N = 24, WORDS = 600 };

/* Words of a small language; every text begins as the one before it. */
static void write_corpus(char path[4200]) {
    GIVEN(trib_buffer) yaml = {0}, text = {0};
    trib_writer writer;
    CHECK(trib_buffer_print(&yaml, NULL,
                            "tributary: 1\ninfluence: {methods: [traced], shortlist: 1}\n"
                            "corpus:\n  target: all\n  documents:\n") == TRIB_OK);
    for (uint64_t d = 0; d < N; d++) {
        char name[32];
        trib_random random;
        trib_random_seed(&random, d);
        text.length = 0;
        for (int i = 0; i < WORDS; i++) {
            if (i == 100) trib_random_seed(&random, d + 1);
            const uint64_t a = trib_random_below(&random, 26), b = trib_random_below(&random, 26);
            CHECK(trib_buffer_print(&text, NULL, "w%c%c ", (int)('a' + a), (int)('a' + b)) ==
                  TRIB_OK);
        }
        snprintf(name, sizeof name, "findings%d.txt", (int)d);
        write_scratch(name, text.text, text.length);
        CHECK(trib_buffer_print(&yaml, NULL, "    - {id: d%d, file: %s}\n", (int)d, name) ==
              TRIB_OK);
    }
    snprintf(path, 4200, "%s/findings.yaml", trib_scratch(""));
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    trib_write(&writer, yaml.text, yaml.length);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

/* The first target traced again with so many bytes. */
static trib_status trace_within(trib_influence *found, trib_run *run, uint64_t n_bytes) {
    const trib_progress nobody = {0};
    trib_influence *const place = &run->shares[0].influence[0], known = *place;
    trib_error error = {0};
    *place = (trib_influence){0};
    trib_memory_limit(trib_memory_in_use() + n_bytes);
    const trib_measure_inputs inputs = trib_run_inputs(run);
    const trib_status status =
        trib_measure_target(&inputs, 0, 0, 1, nobody, &run->background[0], &run->shares[0], &error);
    trib_memory_limit(0);
    *found = *place;
    *place = known;
    return status;
}

/* The words of 24 texts do not fit; those of the target and its one source do. */
TEST(words_are_read_target_by_target_where_all_do_not_fit) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    char path[4200], directory[4096];
    GIVEN(trib_config) config = {0};
    GIVEN(trib_run) run = {0};
    trib_log *log = NULL;
    trib_error error = {0};
    size_t n_alone = 0, n_together = 0;
    write_corpus(path);
    snprintf(directory, sizeof directory, "%s", trib_scratch("findings"));
    const trib_run_options options = {
        .directory = {.path = directory}, .until = "influence", .n_threads = 1};
    trib_json_open();
    EXPECT_OK(trib_log_open(&log, &silent, &error));
    EXPECT_OK(trib_config_load(&config, path, NULL, 0, NULL, NULL, &error));
    EXPECT_OK(trib_run_execute(&run, &config, &options, log, &error));
    const trib_influence *known = &run.shares[0].influence[0];
    CHECK(run.corpus.n_targets == N && known->n_listed == 1);
    for (uint64_t n_bytes = 1 << 16; n_together == 0 && n_bytes < 1 << 26; n_bytes += n_bytes / 8) {
        GIVEN(trib_influence) found = {0};
        if (trace_within(&found, &run, n_bytes) == TRIB_OK) {
            const bool together = run.index.orders.n_documents > 0;
            CHECK(run.index.has_read_orders);
            n_together += together;
            n_alone += !together;
            CHECK(found.n_sources == known->n_sources && found.author == known->author);
            EXPECT(memcmp(found.share, known->share, found.n_sources * sizeof(double)) == 0);
            EXPECT(memcmp(found.low, known->low, found.n_sources * sizeof(double)) == 0);
        }
        trib_word_orders_release(&run.index.orders);
        run.index.has_read_orders = false;
    }
    EXPECT(n_alone > 0 && n_together == 1);
    trib_log_close(log);
}
