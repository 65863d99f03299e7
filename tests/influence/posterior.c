/* posterior.c - tests of influence/posterior.c: intervals of the shares of `traced`. */
#include "tests/influence/texts.h"

TESTS(influence, posterior);

static trib_influence *measure(const trib_influence_case *c, uint32_t n_traces, uint64_t seed,
                               int n_threads) {
    return trib_measured(
        c, "traced",
        &(trib_influence_options){.bootstrap = n_traces, .seed = seed, .n_threads = n_threads});
}

TEST(intervals_contain_the_share) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 1500, "..0"), 2);
    trib_influence *result = measure(&c, 100, 1, 2);
    for (size_t s = 0; s < 2; s++)
        EXPECT(0 <= result->low[s] && result->low[s] <= result->share[s] &&
               result->share[s] <= result->high[s] && result->high[s] <= 1);
    EXPECT(result->low[0] > .2 && result->high[0] < .45); /* a third was copied */
    EXPECT(result->low[1] == 0 && result->high[1] < .02); /* and nothing */
}

/* Every phrase of the text might be a copy or chance: half of the posterior samples decide for
 * each. */
TEST(an_uncertain_share_has_a_wide_interval) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 1500, "..0"), 2);
    trib_influence *sure = measure(&c, 200, 1, 1);
    GIVEN(trib_owned_text)
    text = trib_texts_invent(1, 1500, NULL), target = trib_texts_invent(3, 1500, text);
    trib_texts *copies = TEXTS(3, text, text, target);
    const trib_influence_case twins = trib_texts_case(copies, 2);
    trib_influence *unsure = measure(&twins, 200, 1, 1);
    EXPECT_NEAR(unsure->share[0], unsure->share[1],
                1e-9); /* no text can decide between the twins */
    EXPECT(unsure->high[0] - unsure->low[0] > sure->high[0] - sure->low[0]);
}

TEST(intervals_depend_on_the_seed_and_not_on_threads) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 1500, "..0"), 2);
    trib_influence *one = measure(&c, 60, 7, 1);
    trib_influence *seven = measure(&c, 60, 7, 7);
    trib_influence *other = measure(&c, 60, 8, 1);
    for (size_t s = 0; s < 2; s++) {
        EXPECT(one->low[s] == seven->low[s] && one->high[s] == seven->high[s]);
        EXPECT(one->share[s] == seven->share[s] && one->share[s] == other->share[s]);
    }
    EXPECT(one->low[0] != other->low[0] || one->high[0] != other->high[0]);
}
