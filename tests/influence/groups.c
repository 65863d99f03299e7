/* groups.c - tests of influence/groups.c: sources that cannot be told apart. */
#include "influence/influence.h"
#include "tests/influence/texts.h"

TESTS(influence, groups);

enum { N_WORDS = 1200 };

static trib_influence *measure(const trib_influence_case *c, const char *method,
                               uint32_t shortlist) {
    return trib_measured(
        c, method,
        &(trib_influence_options){
            .bootstrap = 100, .seed = 1, .n_threads = 2, .shortlist = shortlist, .background = -1});
}

/* A target with ten passages of 20 words of text `p`, and one with `n_other` more of text `q`. */
static void write_target(char *text, int n_other) {
    *text = '\0';
    for (int k = 0; k < 10; k++) {
        trib_texts_append(text, 'o', 60 * k, 40);
        trib_texts_append(text, 'p', 50 * k, 20);
        if (k < n_other) trib_texts_append(text, 'q', 50 * k, 20);
    }
    trib_texts_append(text, 'o', 600, 200);
}

TEST(two_identical_sources_are_one_group_with_one_interval) {
    static const char *const methods[] = {"traced", "anchored"};
    static char target[20000], copy[20000], other[20000];
    write_target(target, 0);
    *copy = *other = '\0';
    trib_texts_append(copy, 'p', 0, N_WORDS);
    trib_texts_append(other, 'r', 0, N_WORDS);
    trib_texts *texts = TEXTS(3, target, copy, other, copy);
    const trib_influence_case c = trib_texts_case(texts, 0);
    const double truth = 180. / (double)texts->document[0].n_ngrams;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        trib_influence *r = measure(&c, methods[m], 0);
        CHECK(r->group && r->group_share && r->group_low && r->group_high);
        EXPECT(r->group[0] == 0 && r->group[1] == 1 && r->group[2] == 0);
        EXPECT_NEAR(r->group_share[0], r->share[0] + r->share[2], 1e-15);
        EXPECT(r->group_share[2] == r->group_share[0] && r->group_share[1] == r->share[1]);
        EXPECT_NEAR(r->group_share[0], truth, .03);
        EXPECT(r->group_low[0] > truth / 2 && r->group_high[0] < 2 * truth);
        EXPECT(r->group_low[0] <= truth && r->group_low[2] == r->group_low[0]);
        /* alone, each may be anything from nothing to the whole */
        EXPECT(r->high[0] - r->low[0] >= r->group_high[0] - r->group_low[0] || m > 0);
    }
}

/* Both hold p; the target has as much of what one of them holds alone, of each. */
TEST(sources_that_overlap_by_half_and_are_both_used_stand_alone) {
    static char target[30000], one[20000], two[20000];
    write_target(target, 10);
    for (int k = 0; k < 10; k++) trib_texts_append(target, 'r', 50 * k, 20);
    *one = *two = '\0';
    trib_texts_append(one, 'p', 0, N_WORDS / 2);
    trib_texts_append(one, 'q', 0, N_WORDS / 2);
    trib_texts_append(two, 'r', 0, N_WORDS / 2);
    trib_texts_append(two, 'p', 0, N_WORDS / 2);
    const trib_influence_case c = trib_texts_case(TEXTS(3, target, one, two), 0);
    trib_influence *r = measure(&c, "traced", 0);
    EXPECT(r->share[0] > .1 && r->share[1] > .1);
    EXPECT(!r->group && !r->group_share && !r->group_low && !r->group_high);
    EXPECT(trib_influence_group_share(r, 1) == r->share[1]);
}

/* The sibling took from the ancestor all that the target took from either, and wrote more. */
TEST(an_ancestor_and_a_sibling_are_a_group) {
    static char target[20000], ancestor[20000], sibling[20000], third[20000];
    write_target(target, 10);
    *ancestor = *sibling = *third = '\0';
    trib_texts_append(ancestor, 'p', 0, N_WORDS);
    trib_texts_append(sibling, 's', 0, N_WORDS / 2);
    trib_texts_append(sibling, 'p', 0, N_WORDS / 2);
    trib_texts_append(third, 'q', 0, N_WORDS);
    const trib_influence_case c = trib_texts_case(TEXTS(3, target, third, ancestor, sibling), 0);
    trib_influence *r = measure(&c, "traced", 0);
    CHECK(r->group && r->group_low);
    EXPECT(r->group[0] == 0 && r->group[1] == 1 && r->group[2] == 1);
    EXPECT(r->group_low[1] > .1 && r->group_share[0] > .1);
}

/* The second holds what the first and the third hold; these two share nothing. */
TEST(a_row_of_sources_is_no_group) {
    static char target[20000], one[20000], both[20000], other[20000];
    write_target(target, 10);
    *one = *both = *other = '\0';
    trib_texts_append(one, 'p', 0, N_WORDS);
    trib_texts_append(both, 'p', 0, N_WORDS / 2);
    trib_texts_append(both, 'q', 0, N_WORDS / 2);
    trib_texts_append(other, 'q', 0, N_WORDS);
    const trib_influence_case c = trib_texts_case(TEXTS(3, target, one, both, other), 0);
    trib_influence *r = measure(&c, "traced", 0);
    CHECK(r->group && r->group_low);
    EXPECT(r->group[0] == 0 && r->group[1] == 0 && r->group[2] == 2);
}

TEST(unrelated_sources_and_sources_of_different_parts_stand_alone) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 2000, "...0"), 3);
    trib_influence *r = measure(&c, "traced", 0);
    EXPECT(!r->group);
}

/* Six sources, of which four are weighed: the positions are those of all sources. */
TEST(groups_are_numbered_among_all_sources) {
    static char target[20000], copy[20000], text[4][20000];
    write_target(target, 0);
    *copy = '\0';
    trib_texts_append(copy, 'p', 0, N_WORDS);
    for (int k = 0; k < 4; k++) {
        *text[k] = '\0';
        trib_texts_append(text[k], (char)('t' + k), 0, N_WORDS);
    }
    const trib_influence_case c =
        trib_texts_case(TEXTS(3, target, text[0], text[1], copy, text[2], copy, text[3]), 0);
    trib_influence *r = measure(&c, "traced", 2);
    CHECK(r->n_listed == 2 && r->group && r->group_low);
    for (uint32_t s = 0; s < 6; s++) EXPECT(r->group[s] == (s == 4 ? 2 : s));
    EXPECT(r->group_share[4] == r->group_share[2] && r->group_share[2] > r->share[2]);
    EXPECT(r->group_low[2] > 0 && r->group_low[0] == 0);
}

TEST(every_failing_allocation_is_reported) {
    const trib_influence_options options = {.bootstrap = 5, .seed = 1, .n_threads = 1};
    static const char *const text[] = {"a b c d e f g h i j k l m", "a b c d e f g h i j k l m n",
                                       "a b c d e f g h i j k l m o"};
    EXPECT(trib_texts_starve("traced", &options, text, 3) > 10);
}
