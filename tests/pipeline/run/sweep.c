/* sweep.c - tests of the members of a sweep: order, exclusions, names, shards, and failed
 * allocations. */
#include "tests/test.h"

#include "pipeline/run/sweep.h"

TESTS(run, sweep);

static const char base[] =
    "tributary: 1\n"
    "corpus: {documents: [{id: a, file: a.txt}, {id: b, file: b.txt}], target: a}\n"
    "influence: {methods: [split], headline: split}\n"
    "output: out/{name}/{hash8}\n";

static const char *experiment(const char *section) {
    const char *path = trib_scratch("sweep.yaml");
    trib_writer writer;
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    trib_print(&writer, "%s%s", base, section);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    return path;
}

static trib_status load(trib_sweep *sweep, const char *section, const char *directory) {
    trib_error error;
    return trib_sweep_load(sweep, experiment(section), NULL, 0, directory, NULL, NULL, &error);
}

TEST(a_grid_is_every_combination_the_last_key_fastest) {
    GIVEN(trib_sweep) sweep = {0};
    CHECK(load(&sweep, "sweep: {grid: {tensor.n: [2, 3], cp.rank: [5, auto], cp.l1: 0}}", "d") ==
          TRIB_OK);
    static const char *const title[] = {
        "tensor.n=2, cp.rank=5, cp.l1=0", "tensor.n=2, cp.rank=auto, cp.l1=0",
        "tensor.n=3, cp.rank=5, cp.l1=0", "tensor.n=3, cp.rank=auto, cp.l1=0"};
    CHECK(sweep.n_members == 4);
    for (size_t m = 0; m < 4; m++) {
        GIVEN(trib_buffer) name = {0};
        EXPECT_TEXT(sweep.member[m].title, title[m]);
        CHECK(trib_buffer_print(&name, NULL, "tensor.n=%d,cp.rank=%s,cp.l1=0-%.8s", m < 2 ? 2 : 3,
                                m % 2 ? "auto" : "5", sweep.member[m].hash) == TRIB_OK);
        EXPECT_TEXT(sweep.member[m].name, name.text);
        trib_buffer_clear(&name);
        CHECK(trib_buffer_print(&name, NULL, "d/runs/%s", sweep.member[m].name) == TRIB_OK);
        EXPECT_TEXT(sweep.member[m].directory, name.text);
    }
}

TEST(lists_follow_the_grid_and_exclusions_compare_values) {
    GIVEN(trib_sweep) sweep = {0};
    CHECK(
        load(&sweep,
             "sweep:\n"
             "  grid: {cp.tolerance: [1.0e-5, 0.001], influence.methods: [split, [split, lowe]]}\n"
             "  list: [{cp.rank: 7}, {cp.l2: 1}, {cp.tolerance: 0.002}]\n"
             "  exclude: [{cp.tolerance: 1e-3, influence.methods: [split]}, {cp.l2: [1, 2]}]\n"
             "  failures: 3\n",
             NULL) == TRIB_OK);
    static const char *const title[] = {"cp.tolerance=1e-05, influence.methods=[split]",
                                        "cp.tolerance=1e-05, influence.methods=[split, lowe]",
                                        "cp.tolerance=0.001, influence.methods=[split, lowe]",
                                        "cp.rank=7", "cp.tolerance=0.002"};
    CHECK(sweep.n_members == 5);
    for (size_t m = 0; m < 5; m++) EXPECT_TEXT(sweep.member[m].title, title[m]);
    EXPECT(sweep.n_failures == 3);
}

TEST(the_directory_is_the_output_with_sweep_for_the_hash) {
    GIVEN(trib_sweep) sweep = {0};
    CHECK(load(&sweep, "sweep: {list: [{tensor.n: 2}]}\n", NULL) == TRIB_OK);
    const size_t n = strlen(sweep.directory);
    EXPECT(n > 15 && strcmp(sweep.directory + n - 15, "out/sweep/sweep") == 0);
}

TEST(shards_divide_the_members) {
    bool from_slurm;
    trib_shard shard;
    uint32_t times[10] = {0};
    for (uint64_t i = 1; i <= 3; i++) {
        char text[8];
        snprintf(text, sizeof text, "%d/3", (int)i);
        CHECK(trib_shard_read(&shard, text, &from_slurm, NULL) == TRIB_OK && !from_slurm);
        for (size_t m = 0; m < 10; m++) times[m] += trib_shard_holds(shard, m);
    }
    for (size_t m = 0; m < 10; m++) EXPECT(times[m] == 1);
    static const char *const wrong[] = {"", "3", "0/3", "4/3", "1/", "/3", "a/b", "1/3/5", "-1/3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(trib_shard_read(&shard, wrong[i], &from_slurm, NULL) == TRIB_USAGE);
}

TEST(a_task_of_a_slurm_array_is_a_shard) {
    bool from_slurm;
    trib_shard shard;
    setenv("SLURM_ARRAY_TASK_ID", "14", 1);
    setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "5", 1);
    CHECK(trib_shard_read(&shard, NULL, &from_slurm, NULL) == TRIB_OK && from_slurm);
    EXPECT(shard.number == 3 && shard.n == 5);
    setenv("SLURM_ARRAY_TASK_ID", "20", 1);
    EXPECT(trib_shard_read(&shard, NULL, &from_slurm, NULL) == TRIB_USAGE);
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_ARRAY_TASK_MIN");
    unsetenv("SLURM_ARRAY_TASK_STEP");
    unsetenv("SLURM_ARRAY_TASK_COUNT");
    CHECK(trib_shard_read(&shard, NULL, &from_slurm, NULL) == TRIB_OK && !from_slurm);
    EXPECT(shard.number == 1 && shard.n == 1);
}

static trib_status attempt(void *context, trib_error *error) {
    GIVEN(trib_sweep) sweep = {0};
    const trib_status status = trib_sweep_load(&sweep, context, NULL, 0, "d", NULL, NULL, error);
    return status;
}

TEST(a_lack_of_memory_is_reported) {
    char path[512];
    snprintf(path, sizeof path, "%s",
             experiment("sweep: {grid: {tensor.n: [2, 3]}, exclude: [{tensor.n: 3}], list: "
                        "[{tensor.n: 4}]}\n"));
    EXPECT(trib_fail_every_allocation(attempt, path) > 10);
}
