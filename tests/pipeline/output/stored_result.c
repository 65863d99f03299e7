/* stored_result.c - tests of pipeline/output/stored_result.c. */
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/output/parts.h"
#include "pipeline/output/stored_result.h"
#include "pipeline/support/path.h"

enum { N = TRIB_ALL_WRITTEN + 2 };

static json_t *make_passage(unsigned shared, bool notable) {
    return json_pack("{s:i, s:b, s:{s:i, s:[s, s]}, s:{s:i, s:[s]}}", "shared", (int)shared,
                     "notable", (int)notable, "target", "first", (int)shared, "text", "a", "b",
                     "source", "first", 1, "text", "c");
}

/* A target with a flowing source, whose longest passage is not notable, and another. */
static json_t *make_target(unsigned t) {
    char id[16];
    snprintf(id, sizeof id, "t%u", t);
    json_t *first = json_array(), *second = json_array();
    json_array_append_new(first, make_passage(9, false));
    json_array_append_new(first, make_passage(30 + t, false));
    json_array_append_new(first, make_passage(14, true));
    json_array_append_new(first, make_passage(20, true));
    json_array_append_new(second, make_passage(25, true));
    return json_pack(
        "{s:s, s:{s:{s:[{s:s, s:b}, {s:s, s:b}]}, s:{s:[]}}, s:[{s:s}], s:[{s:s, s:[s], s:o}, "
        "{s:s, s:o}, {s:s}], s:{}}",
        "target", id, "methods", "split", "shares", "source", "x", "below_floor", 0, "source", "y",
        "below_floor", 1, "traced", "shares", "ranking", "source", "x", "evidence", "source", "x",
        "phrases", "p", "passages", first, "source", "y", "passages", second, "source", "z", "own");
}

static json_t *make_result(unsigned n) {
    json_t *targets = json_array();
    for (unsigned t = 0; t < n; t++) json_array_append_new(targets, make_target(t));
    return json_pack("{s:i, s:s, s:o, s:[s]}", "schema", 1, "headline", "split", "targets", targets,
                     "warnings", "w");
}

static const char *write_run(const char *folder, const json_t *result) {
    const char *directory = trib_scratch(folder);
    char path[4096];
    trib_writer writer;
    trib_error error = {0};
    CHECK(mkdir(directory, 0777) == 0);
    snprintf(path, sizeof path, "%s/influence.json", directory);
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    CHECK(trib_json_dump_lines(result, 3, &writer, &error) == TRIB_OK);
    CHECK(trib_writer_commit(&writer, NULL, &error) == TRIB_OK);
    return directory;
}

static void expect_lean(const json_t *result, const json_t *lean, const json_t *whole) {
    const json_t *y = json_array_get(json_object_get(lean, "evidence"), 1);
    const trib_chosen_passages a = trib_passages_choose(result, lean, NULL),
                               b = trib_passages_choose(result, whole, NULL);
    EXPECT_TEXT(a.longest.source, b.longest.source);
    EXPECT(trib_json_get_number(a.longest.passage, "shared") ==
           trib_json_get_number(b.longest.passage, "shared"));
    EXPECT(!json_object_get(json_object_get(a.longest.passage, "target"), "text"));
    EXPECT(!json_object_get(json_object_get(a.longest.passage, "source"), "text"));
    EXPECT(trib_passages_choose(result, lean, "x").n_notable > 0);
    EXPECT(json_array_size(json_object_get(lean, "evidence")) == 3);
    EXPECT_TEXT(trib_json_get_text(y, "source"), "y");
    EXPECT(!json_object_get(lean, "own") && !json_object_get(lean, "ranking"));
    EXPECT(json_object_size(json_object_get(lean, "methods")) == 1);
    EXPECT(json_equal(json_object_get(json_object_get(lean, "methods"), "split"),
                      json_object_get(json_object_get(whole, "methods"), "split")));
}

static void of_many_targets_the_details_are_read_when_asked_for(void) {
    json_t *result = make_result(N), *read = NULL;
    trib_stored_targets stored;
    trib_error error = {0};
    const char *directory = write_run("stored many", result);
    EXPECT_STATUS(trib_stored_open(&stored, &read, directory, &error), TRIB_OK, error);
    CHECK(read != NULL && stored.n == N);
    CHECK(json_array_size(json_object_get(read, "targets")) == N);
    EXPECT_TEXT(json_string_value(json_array_get(json_object_get(read, "warnings"), 0)), "w");
    for (size_t t = 0; t < N; t++) {
        const json_t *whole = json_array_get(json_object_get(result, "targets"), t),
                     *known = json_array_get(json_object_get(read, "targets"), t);
        json_t *target = NULL, *lean = NULL;
        EXPECT(json_object_size(known) == 1);
        EXPECT_TEXT(trib_json_get_text(known, "target"), trib_json_get_text(whole, "target"));
        EXPECT_STATUS(trib_stored_target(&stored, read, t, &target, &error), TRIB_OK, error);
        EXPECT(json_equal((json_t *)(uintptr_t)whole, target));
        EXPECT_STATUS(trib_stored_lean(&stored, read, t, &lean, &error), TRIB_OK, error);
        expect_lean(read, lean, whole);
        json_decref(target);
        json_decref(lean);
    }
    trib_stored_release(&stored);
    json_decref(read);
    json_decref(result);
}

static void of_few_targets_the_result_has_the_details(void) {
    json_t *result = make_result(3), *read = NULL;
    trib_stored_targets stored;
    trib_error error = {0};
    EXPECT_STATUS(trib_stored_open(&stored, &read, write_run("stored few", result), &error),
                  TRIB_OK, error);
    EXPECT(stored.n == 0 && json_equal(result, read));
    json_t *target = NULL;
    EXPECT_STATUS(trib_stored_lean(&stored, read, 1, &target, &error), TRIB_OK, error);
    EXPECT(target == json_array_get(json_object_get(read, "targets"), 1));
    json_decref(target);
    json_decref(read);
    EXPECT_STATUS(trib_stored_open(&stored, &read, trib_scratch("stored none"), &error), TRIB_USAGE,
                  error);
    EXPECT(!read && stored.n == 0);
    json_decref(result);
}

static void a_damaged_file_of_many_targets_is_reported_with_its_place(void) {
    json_t *result = make_result(N), *read = NULL;
    trib_stored_targets stored;
    trib_error error = {0};
    char path[4096];
    const char *directory = write_run("stored damaged", result);
    snprintf(path, sizeof path, "%s/influence.json", directory);
    FILE *file = fopen(path, "r+");
    CHECK(file && fseek(file, -40, SEEK_END) == 0 && fputs("#####", file) >= 0 &&
          fclose(file) == 0);
    EXPECT_STATUS(trib_stored_open(&stored, &read, directory, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "influence.json:") != NULL && !read && stored.n == 0);
    json_decref(result);
}

/* {"schema": 1, "targets": [...], KEY: [0, 0, ...]}: the parser of the whole takes the last member
 * of a name, also one whose key has escapes. */
static void a_second_list_of_targets_is_not_mixed_with_the_first(void) {
    static const char *const keys[] = {"targets", "t\\u0061rgets"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        json_t *result = make_result(N), *read = NULL;
        trib_stored_targets stored;
        trib_error error = {0};
        char path[4096];
        const char *directory = write_run(k == 0 ? "stored twice" : "stored again", result);
        snprintf(path, sizeof path, "%s/influence.json", directory);
        FILE *file = fopen(path, "r+");
        CHECK(file && fseek(file, -2, SEEK_END) == 0);
        fprintf(file, ", \"%s\": [0", keys[k]);
        for (int i = 0; i < 1000; i++) fputs(", 0", file);
        CHECK(fputs("]}\n", file) >= 0 && fclose(file) == 0);
        const trib_status status = trib_stored_open(&stored, &read, directory, &error);
        EXPECT(stored.n == 0);
        if (status == TRIB_OK) EXPECT(json_array_size(json_object_get(read, "targets")) == 1001);
        trib_stored_release(&stored);
        json_decref(read);
        json_decref(result);
    }
}

CU_TestInfo trib_tests_output_stored_result[] = {
    {"of many targets, the details are read when asked for",
     of_many_targets_the_details_are_read_when_asked_for},
    {"a second list of targets is not mixed with the first",
     a_second_list_of_targets_is_not_mixed_with_the_first},
    {"of few targets, the result has the details", of_few_targets_the_result_has_the_details},
    {"a damaged file of many targets is reported with its place",
     a_damaged_file_of_many_targets_is_reported_with_its_place},
    CU_TEST_INFO_NULL};
