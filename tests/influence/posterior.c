/* posterior.c - tests of influence/posterior.c: intervals of the shares of `traced`. */
#include "tests/influence/texts.h"

static void measure(trib_influence *result, const trib_influence_case *c, uint32_t n_traces,
                    uint64_t seed, int n_threads) {
    const trib_influence_options options = {
        .bootstrap = n_traces, .seed = seed, .n_threads = n_threads};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find("traced"), c, &options, &error),
        TRIB_OK, error);
    CHECK(n_traces == 0 || (result->low && result->high));
}

static void count_invented(trib_texts *texts) {
    char *text[3];
    for (uint64_t d = 0; d < 3; d++)
        text[d] = trib_texts_invent(d + 1, 1500, d == 2 ? text[0] : NULL);
    trib_texts_count(texts, 3, (const char *const *)text, 3);
    for (int d = 0; d < 3; d++) free(text[d]);
}

static void intervals_contain_the_share(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    measure(&result, &c, 100, 1, 2);
    for (size_t s = 0; s < 2; s++)
        EXPECT(0 <= result.low[s] && result.low[s] <= result.share[s] &&
               result.share[s] <= result.high[s] && result.high[s] <= 1);
    EXPECT(result.low[0] > .2 && result.high[0] < .45); /* a third was copied */
    EXPECT(result.low[1] == 0 && result.high[1] < .02); /* and nothing */
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

/* Every phrase of the text might be a copy or chance: half of the posterior samples decide for
 * each. */
static void an_uncertain_share_has_a_wide_interval(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence sure, unsure;
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    measure(&sure, &c, 200, 1, 1);
    trib_texts copies;
    char *text = trib_texts_invent(1, 1500, NULL), *target = trib_texts_invent(3, 1500, text);
    uint32_t others[TRIB_MAX_TEXTS];
    trib_texts_count(&copies, 3, (const char *[]){text, text, target}, 3);
    const trib_influence_case twins = trib_texts_case(&copies, 2, others);
    measure(&unsure, &twins, 200, 1, 1);
    EXPECT_NEAR(unsure.share[0], unsure.share[1], 1e-9); /* no text can decide between the twins */
    EXPECT(unsure.high[0] - unsure.low[0] > sure.high[0] - sure.low[0]);
    trib_influence_release(&sure);
    trib_influence_release(&unsure);
    trib_texts_release(&copies);
    trib_texts_release(&texts);
    free(text);
    free(target);
}

static void intervals_depend_on_the_seed_and_not_on_threads(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence one, seven, other;
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    measure(&one, &c, 60, 7, 1);
    measure(&seven, &c, 60, 7, 7);
    measure(&other, &c, 60, 8, 1);
    for (size_t s = 0; s < 2; s++) {
        EXPECT(one.low[s] == seven.low[s] && one.high[s] == seven.high[s]);
        EXPECT(one.share[s] == seven.share[s] && one.share[s] == other.share[s]);
    }
    EXPECT(one.low[0] != other.low[0] || one.high[0] != other.high[0]);
    trib_influence_release(&one);
    trib_influence_release(&seven);
    trib_influence_release(&other);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_influence_posterior[] = {
    {"intervals contain the share", intervals_contain_the_share},
    {"an uncertain share has a wide interval", an_uncertain_share_has_a_wide_interval},
    {"intervals depend on the seed and not on threads",
     intervals_depend_on_the_seed_and_not_on_threads},
    CU_TEST_INFO_NULL,
};
