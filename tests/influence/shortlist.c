/* shortlist.c - tests of the shortlist in influence/method.c and of measuring with a shortlist. */
#include "influence/evidence.h"
#include "influence/methods.h"
#include "tests/influence/texts.h"

TESTS(influence, shortlist);

enum { N = 6, TARGET = 5 };

static trib_influence *measure(const char *name, const trib_influence_case *c, uint32_t shortlist,
                               uint32_t bootstrap) {
    return trib_measured(
        c, name,
        &(trib_influence_options){.background = 3, .shortlist = shortlist, .bootstrap = bootstrap});
}

TEST(listed_sources_have_the_largest_shares_by_split) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 400, ".....1"), TARGET);
    trib_influence *split = measure("split", &c, 0, 0);
    EXPECT(split->n_listed == c.n_sources);
    for (uint32_t most = 1; most <= N; most++) {
        GIVEN(trib_influence) result = {.n_sources = c.n_sources};
        CHECK(trib_shortlist_make(&result, &c, most, NULL) == TRIB_OK);
        const uint32_t *listed = result.listed;
        const size_t n = result.n_listed;
        CHECK(n == (most < c.n_sources ? most : c.n_sources));
        bool is_listed[N] = {false};
        for (size_t i = 0; i < n; i++) {
            EXPECT(i == 0 || listed[i] > listed[i - 1]);
            is_listed[listed[i]] = true;
        }
        for (size_t i = 0; i < c.n_sources; i++)
            for (size_t j = 0; j < c.n_sources; j++)
                EXPECT(!is_listed[i] || is_listed[j] || split->share[i] >= split->share[j]);
        EXPECT(is_listed[1]);
        CHECK((result.split != NULL) == (n < c.n_sources));
        if (result.split) { /* `split` reuses the shares that made the list */
            trib_influence_case again = c;
            again.other = &result;
            EXPECT(memcmp(result.split, split->share, c.n_sources * sizeof(double)) == 0);
            trib_influence *same = measure("split", &again, 0, 0);
            EXPECT(memcmp(same->share, split->share, c.n_sources * sizeof(double)) == 0);
            EXPECT(same->author == split->author);
            result.split[0] = same->share[0] / 2;
            same = measure("split", &again, 0, 0);
            EXPECT(same->share[0] == result.split[0]);
        }
    }
}

TEST(ties_go_to_the_first) {
    const trib_influence_case c =
        trib_texts_case(TEXTS(2, "x y z", "a b", "a b", "a b", "a b c"), 4);
    GIVEN(trib_influence) result = {.n_sources = c.n_sources};
    CHECK(trib_shortlist_make(&result, &c, 2, NULL) == TRIB_OK);
    EXPECT(result.n_listed == 2 && result.listed[0] == 1 && result.listed[1] == 2);
}

/* A source that is not listed has no share. Listed sources have the shares that they have without
 * the others. */
TEST(a_shortlist_measures_as_if_the_others_were_not_there) {
    static const char *const name[] = {"anchored", "traced"};
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 400, ".....1"), TARGET);
    for (int m = 0; m < 2; m++) {
        trib_evidence evidence[N] = {{0}};
        trib_influence *few = measure(name[m], &c, 2, 20);
        EXPECT(few->n_listed == 2 && few->n_sources == c.n_sources);
        double sum = few->author;
        size_t i = 0;
        for (size_t s = 0; s < c.n_sources; s++) {
            const bool listed = i < 2 && few->listed[i] == s;
            i += listed;
            sum += few->share[s];
            EXPECT(few->source[s] == c.source[s]);
            if (!listed) EXPECT(few->share[s] == 0 && few->low[s] == 0 && few->high[s] == 0);
            if (s == 1) EXPECT(few->share[s] > .1 && few->low[s] > 0);
        }
        EXPECT_NEAR(sum, 1, 1e-9);
        CHECK(trib_evidence_build(evidence, &c, few, 1, NULL) == TRIB_OK);
        for (size_t s = 0; s < c.n_sources; s++) {
            EXPECT(evidence[s].source == c.source[s]);
            EXPECT_NEAR(evidence[s].share, few->share[s], 1e-5);
            trib_evidence_release(&evidence[s]);
        }
        trib_influence *all = measure(name[m], &c, N, 20);
        EXPECT(all->n_listed == c.n_sources);
        EXPECT_NEAR(all->share[1], few->share[1], .05);
    }
}
