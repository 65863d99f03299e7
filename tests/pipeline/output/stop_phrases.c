/* stop_phrases.c - tests of pipeline/output/stop_phrases.c: twelve texts, a phrase of all of them,
 * one of three, one of two. */
#include "tests/test.h"

#include <jansson.h>

#include "tests/pipeline/report/page.h"
#include "tests/pipeline/run/experiment.h"

TESTS(output, stop_phrases);

/* Texts 0 .. n-1 of words of their own; "it came to pass" in all, "the small red boat" in 0, 1 and
 * 2, "under the hill" in 0 and 1. Text 0 is the target. */
static void write_texts(int n, const char *settings) {
    GIVEN(trib_buffer) yaml = {0}, text = {0};
    CHECK(trib_buffer_print(&yaml, NULL,
                            "tributary: 1\nname: common\ncorpus:\n  target: t0\n"
                            "  documents:\n") == TRIB_OK);
    for (int d = 0; d < n; d++) {
        char name[32];
        trib_buffer_clear(&text);
        for (int w = 0; w < 40; w++) CHECK(trib_buffer_print(&text, NULL, "w%dx%d ", d, w) == 0);
        CHECK(trib_buffer_print(&text, NULL, "it came to pass %c%d ", 'a', d) == TRIB_OK);
        if (d < 3) CHECK(trib_buffer_print(&text, NULL, "the small red boat b%d ", d) == TRIB_OK);
        if (d < 2) CHECK(trib_buffer_print(&text, NULL, "under the hill c%d ", d) == TRIB_OK);
        snprintf(name, sizeof name, "t%d.txt", d);
        trib_write_scratch(name, text.text);
        CHECK(trib_buffer_print(&yaml, NULL, "    - {id: t%d, file: %s}\n", d, name) == TRIB_OK);
    }
    CHECK(trib_buffer_print(
              &yaml, NULL,
              "influence: {methods: [anchored], headline: anchored, bootstrap: 0, background: 0, "
              "floor: 0}\nreport: {formats: [json, html]%s}\n",
              settings) == TRIB_OK);
    trib_write_scratch("common.yaml", yaml.text);
}

/* Runs common.yaml into a new directory, or into `context`; *result may be NULL. */
static trib_status execute(json_t **result, const char *directory, trib_error *error) {
    return trib_experiment_do(result, trib_scratch("common.yaml"), directory, error);
}

static const char *fresh(void) {
    static int n_runs;
    static char directory[4096];
    char name[32];
    snprintf(name, sizeof name, "common %d", n_runs++);
    snprintf(directory, sizeof directory, "%s", trib_scratch(name));
    return directory;
}

static json_t *run_texts(int n, const char *settings) {
    json_t *result = NULL;
    trib_error error = {0};
    write_texts(n, settings);
    EXPECT_OK(execute(&result, fresh(), &error));
    CHECK(result != NULL);
    return result;
}

/* The evidence from t1, the source of every shared phrase. */
static const json_t *evidence_of(const json_t *result) {
    const json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    const json_t *all = json_object_get(target, "evidence");
    for (size_t s = 0; s < json_array_size(all); s++)
        if (strcmp(json_string_value(json_object_get(json_array_get(all, s), "source")), "t1") == 0)
            return json_array_get(all, s);
    CHECK(false);
    return NULL;
}

/* Phrases ranked and left out for t1: 2 of "it came to pass", 2 of "the small red boat", 1 of
 * "under the hill". */
static void expect_counts(json_t *result, json_int_t ranked, json_int_t common) {
    const json_t *evidence = evidence_of(result);
    EXPECT(json_integer_value(json_object_get(evidence, "n_phrases")) == ranked);
    EXPECT((json_int_t)json_array_size(json_object_get(evidence, "phrases")) == ranked);
    EXPECT(json_integer_value(json_object_get(evidence, "n_commonplaces")) == common);
    EXPECT((json_int_t)json_array_size(json_object_get(evidence, "commonplaces")) == common);
    double mass = 0;
    static const char *const lists[] = {"phrases", "commonplaces"};
    for (size_t l = 0; l < 2; l++)
        for (size_t p = 0; p < json_array_size(json_object_get(evidence, lists[l])); p++)
            mass += json_number_value(
                json_object_get(json_array_get(json_object_get(evidence, lists[l]), p), "mass"));
    EXPECT_NEAR(mass, json_number_value(json_object_get(evidence, "share")), 1e-12);
    json_decref(result);
}

TEST(what_most_documents_hold_is_left_out_of_the_ranking) {
    expect_counts(run_texts(12, ""), 3, 2);
    expect_counts(run_texts(12, ", commonplace: 1"), 5, 0);
    expect_counts(run_texts(12, ", commonplace: 0"), 3, 2); /* three texts are fewer than ten */
}

TEST(small_corpora_are_not_affected) {
    expect_counts(run_texts(9, ""), 5, 0);
    expect_counts(run_texts(10, ""), 3, 2);
}

TEST(what_few_texts_hold_comes_before_what_many_hold) {
    json_t *result = run_texts(9, "");
    const json_t *phrases = json_object_get(evidence_of(result), "phrases");
    double before = INFINITY;
    CHECK(json_array_size(phrases) == 5);
    for (size_t p = 0; p < 5; p++) {
        const json_t *phrase = json_array_get(phrases, p);
        const double others = json_number_value(json_object_get(phrase, "other_documents"));
        const double ranked =
            json_number_value(json_object_get(phrase, "mass")) * log((9 + 1) / (others + 2));
        EXPECT(ranked <= before);
        before = ranked;
    }
    const json_t *words = json_object_get(json_array_get(phrases, 0), "words");
    EXPECT(strcmp(json_string_value(json_array_get(words, 0)), "under") == 0);
    json_decref(result);
}

TEST(a_list_names_more_of_them) {
    static const char list[] =
        "# what everybody says\n\nThe SMALL, red\n  under the hill and far away\r\n1836\n";
    trib_write_scratch("list.txt", list);
    /* "small red boat" does not hold "the small red"; "under the hill" stands in the second */
    expect_counts(run_texts(4, ", commonplaces: list.txt"), 3, 2);
    trib_write_scratch("list.txt", "red\n"); /* a word: every phrase with it */
    expect_counts(run_texts(4, ", commonplaces: list.txt"), 3, 2);
    trib_write_scratch("list.txt", "nowhere\n");
    expect_counts(run_texts(4, ", commonplaces: list.txt"), 5, 0);
    trib_write_scratch("list.txt", "");
    expect_counts(run_texts(4, ", commonplaces: list.txt"), 5, 0);
}

TEST(the_report_lists_them) {
    json_t *result = run_texts(12, "");
    const char *path = trib_scratch("common.html");
    GIVEN(trib_buffer) page = {0};
    trib_error error = {0};
    EXPECT_OK(trib_page_render(trib_page_record(result), path, &error));
    CHECK(trib_read_whole(path, &page, &error) == TRIB_OK);
    EXPECT(strstr(page.text, "2 commonplaces left out: ") != NULL);
    EXPECT(!strstr(page.text, "No phrase occurs in both texts.") ||
           strstr(page.text, "No phrase occurs in both texts.") > strstr(page.text, "left out"));
    json_decref(result);
}

TEST(a_list_that_cannot_be_read_is_named_with_its_line) {
    trib_error error = {0};
    trib_write_scratch("list.txt", "fine\nb\xC3rd\n");
    write_texts(4, ", commonplaces: list.txt");
    EXPECT_STATUS(execute(NULL, fresh(), &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "list.txt:2: not UTF-8") != NULL);
    write_texts(4, ", commonplaces: missing.txt");
    EXPECT_STATUS(execute(NULL, fresh(), &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "missing.txt") != NULL);
}

TEST(the_list_is_part_of_what_names_a_run) {
    trib_write_scratch("list.txt", "red\n");
    json_t *one = run_texts(4, ", commonplaces: list.txt");
    trib_write_scratch("list.txt", "rod\n");
    json_t *other = run_texts(4, ", commonplaces: list.txt");
    EXPECT(!json_equal(json_object_get(one, "hash"), json_object_get(other, "hash")));
    json_decref(one);
    json_decref(other);
}

static trib_status run_again(void *context, trib_error *error) {
    return execute(NULL, context, error);
}

TEST(every_failing_allocation_is_reported) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", fresh());
    trib_write_scratch("list.txt", "red\nthe small\n");
    write_texts(3, ", commonplaces: list.txt");
    EXPECT(trib_fail_every_allocation(run_again, directory) > 50);
}
