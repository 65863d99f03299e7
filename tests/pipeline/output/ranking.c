/* ranking.c - tests of pipeline/output/ranking.c and report/ranking.c: what ranks the sources of a
 * target beside their shares. */
#include <unistd.h>

#include "tests/pipeline/report/page.h"
#include "tests/pipeline/run/experiment.h"
#include "tests/test.h"

TESTS(output, ranking);

/* The target has the same number of words from both sources. */
static const char *const text[] = {
    "ferns grew along the northern wall of the old mill and nobody cut them then "
    "seven lanterns hung over the gate whenever the tide turned early there "
    "we remember little else about that summer except wind",
    "ferns grew along the northern wall of the old mill and nobody cut them then "
    "afterwards came frost",
    "seven lanterns hung over the gate whenever the tide turned early there "
    "afterwards came snow"};

static json_t *run(const char *name, const char *const title[3], const char *methods) {
    char yaml[2048];
    int length = snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus:\n  documents:\n");
    for (int d = 0; d < 3; d++) {
        const char id[] = {"txy"[d], '\0'};
        char file[16];
        snprintf(file, sizeof file, "%s.txt", id);
        trib_write_scratch(file, text[d]);
        length += snprintf(yaml + length, sizeof yaml - (size_t)length,
                           "    - {id: %s, file: %s%s}\n", id, file, title[d]);
    }
    snprintf(yaml + length, sizeof yaml - (size_t)length,
             "  target: t\ninfluence: {methods: [%s], headline: split, bootstrap: 0}\n", methods);
    return trib_experiment_of(name, yaml);
}

static const json_t *target_of(const json_t *result) {
    return json_array_get(json_object_get(result, "targets"), 0);
}

static const char *first_of(const json_t *result) {
    return trib_json_get_text(json_array_get(json_object_get(target_of(result), "ranking"), 0),
                              "source");
}

static double share_of(const json_t *result, const char *method, size_t s) {
    const json_t *methods = json_object_get(target_of(result), "methods");
    const json_t *shares = json_object_get(json_object_get(methods, method), "shares");
    return json_number_value(json_object_get(json_array_get(shares, s), "share"));
}

TEST(the_title_decides_and_the_shares_stay) {
    static const char *const like_x[] = {", title: The Mill", ", title: The Old Mill",
                                         ", title: Of Lamps"};
    static const char *const like_y[] = {", title: Lamps", ", title: The Old Mill",
                                         ", title: Of Lamps"};
    json_t *x = run("like x", like_x, "traced, split"), *y = run("like y", like_y, "traced, split");
    EXPECT_TEXT(first_of(x), "x");
    EXPECT_TEXT(first_of(y), "y");
    for (size_t s = 0; s < 2; s++) {
        CHECK(share_of(x, "split", s) == share_of(y, "split", s));
        CHECK(share_of(x, "traced", s) == share_of(y, "traced", s));
    }
    json_decref(x);
    json_decref(y);
}

/* split (1 + traced) (1/2 + likeness). "the" names all three texts, so it has no weight; "mill"
 * names two of three, "old", "of" and "lamps" one. */
TEST(the_score_is_the_documented_one) {
    static const char *const title[] = {", title: The Mill", ", title: The Old Mill",
                                        ", title: The Lamps"};
    json_t *result = run("score", title, "traced, split");
    const json_t *ranking = json_object_get(target_of(result), "ranking");
    const double mill = log(3 / 2.), old = log(3);
    const double likeness = mill / sqrt(mill * (mill + old));
    CHECK(json_array_size(ranking) == 2);
    EXPECT_NEAR(json_number_value(json_object_get(json_array_get(ranking, 0), "score")),
                share_of(result, "split", 0) * (1 + share_of(result, "traced", 0)) *
                    (0.5 + likeness),
                1e-12);
    EXPECT_NEAR(json_number_value(json_object_get(json_array_get(ranking, 1), "score")),
                share_of(result, "split", 1) * (1 + share_of(result, "traced", 1)) * 0.5, 1e-12);
    json_decref(result);
}

/* Without titles the beginnings of the texts name them: the target begins as x does. */
TEST(without_titles_the_first_words_decide) {
    static const char *const none[] = {"", "", ""}, *const one[] = {", title: Of Lamps", "",
                                                                    ", title: Of Lamps"};
    json_t *result = run("no titles", none, "traced, split");
    EXPECT_TEXT(first_of(result), "x");
    json_t *partly = run("one title missing", one, "traced, split");
    EXPECT(json_equal(json_object_get(target_of(result), "ranking"),
                      json_object_get(target_of(partly), "ranking")));
    json_decref(partly);
    json_decref(result);
}

TEST(it_needs_both_methods) {
    static const char *const none[] = {"", "", ""};
    char path[4096];
    json_t *result = run("without traced", none, "split");
    CHECK(json_object_get(target_of(result), "ranking") == NULL);
    snprintf(path, sizeof path, "%s/ranking.csv", trib_scratch("without traced"));
    CHECK(access(path, F_OK) != 0);
    json_decref(result);
    result = run("with traced", none, "traced, split");
    snprintf(path, sizeof path, "%s/ranking.csv", trib_scratch("with traced"));
    CHECK(access(path, F_OK) == 0);
    json_decref(result);
}

TEST(the_report_calls_it_a_ranking) {
    static const char *const none[] = {"", "", ""};
    json_t *result = run("page with a ranking", none, "traced, split");
    json_t *without = run("page by split", none, "split");
    trib_page_expect(result, "This is a ranking, not a share", true);
    trib_page_expect(without, "This is a ranking, not a share", false);
}
