/* groups.c - tests of influence/groups.c: sources that cannot be told apart. */
#include "influence/influence.h"
#include "tests/influence/texts.h"

enum { N_WORDS = 1200 };

/* Appends the words `first` .. `first + n - 1` of an invented text of one kind; all words of a kind
 * are different. */
static void add_words(char *text, char kind, int first, int n) {
    char *at = text + strlen(text);
    for (int i = first; i < first + n; i++)
        at += sprintf(at, "%c%c%c%c ", kind, 'a' + i / 676, 'a' + i / 26 % 26, 'a' + i % 26);
}

static void measure(trib_influence *result, const trib_influence_case *c, const char *method,
                    uint32_t shortlist) {
    const trib_influence_options options = {
        .bootstrap = 100, .seed = 1, .n_threads = 2, .shortlist = shortlist, .background = -1};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find(method), c, &options, &error),
        TRIB_OK, error);
}

/* A target with ten passages of 20 words of text `p`, and one with `n_other` more of text `q`. */
static void write_target(char *text, int n_other) {
    *text = '\0';
    for (int k = 0; k < 10; k++) {
        add_words(text, 'o', 60 * k, 40);
        add_words(text, 'p', 50 * k, 20);
        if (k < n_other) add_words(text, 'q', 50 * k, 20);
    }
    add_words(text, 'o', 600, 200);
}

static void two_identical_sources_are_one_group_with_one_interval(void) {
    static const char *const methods[] = {"traced", "anchored"};
    static char target[20000], copy[20000], other[20000];
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    write_target(target, 0);
    *copy = *other = '\0';
    add_words(copy, 'p', 0, N_WORDS);
    add_words(other, 'r', 0, N_WORDS);
    trib_texts_count(&texts, 3, (const char *[]){target, copy, other, copy}, 4);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    const double truth = 180. / (double)texts.document[0].n_ngrams;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        trib_influence r;
        measure(&r, &c, methods[m], 0);
        CHECK(r.group && r.group_share && r.group_low && r.group_high);
        EXPECT(r.group[0] == 0 && r.group[1] == 1 && r.group[2] == 0);
        EXPECT_NEAR(r.group_share[0], r.share[0] + r.share[2], 1e-15);
        EXPECT(r.group_share[2] == r.group_share[0] && r.group_share[1] == r.share[1]);
        EXPECT_NEAR(r.group_share[0], truth, .03);
        EXPECT(r.group_low[0] > truth / 2 && r.group_high[0] < 2 * truth);
        EXPECT(r.group_low[0] <= truth && r.group_low[2] == r.group_low[0]);
        /* alone, each may be anything from nothing to the whole */
        EXPECT(r.high[0] - r.low[0] >= r.group_high[0] - r.group_low[0] || m > 0);
        trib_influence_release(&r);
    }
    trib_texts_release(&texts);
}

/* Both hold p; the target has as much of what one of them holds alone, of each. */
static void sources_that_overlap_by_half_and_are_both_used_stand_alone(void) {
    static char target[30000], one[20000], two[20000];
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence r;
    write_target(target, 10);
    for (int k = 0; k < 10; k++) add_words(target, 'r', 50 * k, 20);
    *one = *two = '\0';
    add_words(one, 'p', 0, N_WORDS / 2);
    add_words(one, 'q', 0, N_WORDS / 2);
    add_words(two, 'r', 0, N_WORDS / 2);
    add_words(two, 'p', 0, N_WORDS / 2);
    trib_texts_count(&texts, 3, (const char *[]){target, one, two}, 3);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    measure(&r, &c, "traced", 0);
    EXPECT(r.share[0] > .1 && r.share[1] > .1);
    EXPECT(!r.group && !r.group_share && !r.group_low && !r.group_high);
    EXPECT(trib_influence_group_share(&r, 1) == r.share[1]);
    trib_influence_release(&r);
    trib_texts_release(&texts);
}

/* The sibling took from the ancestor all that the target took from either, and wrote more. */
static void an_ancestor_and_a_sibling_are_a_group(void) {
    static char target[20000], ancestor[20000], sibling[20000], third[20000];
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence r;
    write_target(target, 10);
    *ancestor = *sibling = *third = '\0';
    add_words(ancestor, 'p', 0, N_WORDS);
    add_words(sibling, 's', 0, N_WORDS / 2);
    add_words(sibling, 'p', 0, N_WORDS / 2);
    add_words(third, 'q', 0, N_WORDS);
    trib_texts_count(&texts, 3, (const char *[]){target, third, ancestor, sibling}, 4);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    measure(&r, &c, "traced", 0);
    CHECK(r.group && r.group_low);
    EXPECT(r.group[0] == 0 && r.group[1] == 1 && r.group[2] == 1);
    EXPECT(r.group_low[1] > .1 && r.group_share[0] > .1);
    trib_influence_release(&r);
    trib_texts_release(&texts);
}

static void unrelated_sources_and_sources_of_different_parts_stand_alone(void) {
    char *text[4];
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence r;
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 1, 2000, d == 3 ? text[0] : NULL);
    trib_texts_count(&texts, 3, (const char *const *)text, 4);
    const trib_influence_case c = trib_texts_case(&texts, 3, source);
    measure(&r, &c, "traced", 0);
    EXPECT(!r.group);
    trib_influence_release(&r);
    trib_texts_release(&texts);
    for (int d = 0; d < 4; d++) free(text[d]);
}

/* Six sources, of which four are weighed: the positions are those of all sources. */
static void groups_are_numbered_among_all_sources(void) {
    static char target[20000], copy[20000], text[4][20000];
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence r;
    write_target(target, 0);
    *copy = '\0';
    add_words(copy, 'p', 0, N_WORDS);
    for (int k = 0; k < 4; k++) {
        *text[k] = '\0';
        add_words(text[k], (char)('t' + k), 0, N_WORDS);
    }
    trib_texts_count(&texts, 3,
                     (const char *[]){target, text[0], text[1], copy, text[2], copy, text[3]}, 7);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    measure(&r, &c, "traced", 2);
    CHECK(r.n_listed == 2 && r.group && r.group_low);
    for (uint32_t s = 0; s < 6; s++) EXPECT(r.group[s] == (s == 4 ? 2 : s));
    EXPECT(r.group_share[4] == r.group_share[2] && r.group_share[2] > r.share[2]);
    EXPECT(r.group_low[2] > 0 && r.group_low[0] == 0);
    trib_influence_release(&r);
    trib_texts_release(&texts);
}

static void every_failing_allocation_is_reported(void) {
    const trib_influence_options options = {.bootstrap = 5, .seed = 1, .n_threads = 1};
    static const char *const text[] = {"a b c d e f g h i j k l m", "a b c d e f g h i j k l m n",
                                       "a b c d e f g h i j k l m o"};
    EXPECT(trib_texts_starve("traced", &options, text, 3) > 10);
}

CU_TestInfo trib_tests_influence_groups[] = {
    {"two identical sources are one group with one interval",
     two_identical_sources_are_one_group_with_one_interval},
    {"sources that overlap by half and are both used stand alone",
     sources_that_overlap_by_half_and_are_both_used_stand_alone},
    {"an ancestor and a sibling are a group", an_ancestor_and_a_sibling_are_a_group},
    {"unrelated sources and sources of different parts stand alone",
     unrelated_sources_and_sources_of_different_parts_stand_alone},
    {"groups are numbered among all sources", groups_are_numbered_among_all_sources},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL};
