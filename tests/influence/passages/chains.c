/* chains.c - tests of the chains of influence/passages/notable.c. */
#include "influence/passages/passages.h"
#include "tests/influence/texts.h"

TESTS(passages, chains);

/* Twelve words, with an altered one in between, of which more than five stand in succession. */
static const char long_passage[] = "x y a b c d e f Q g h i j k l z";
static const char its_source[] = "a b c d e f R g h i j k l m n o";

/* The chains are there until the next call. */
static const trib_chains *find(trib_texts *texts, size_t gap, uint32_t formula) {
    static trib_chains chains;
    trib_error error = {0};
    trib_influence_case c = trib_texts_case(texts, 0);
    c.formula = formula;
    trib_chains_release(&chains);
    EXPECT_STATUS(trib_passages_chains(&chains, &c, UINT32_MAX, gap, &error), TRIB_OK, error);
    return &chains;
}

TEST(a_chain_goes_on_over_a_gap) {
    trib_texts *texts = TEXTS(2, long_passage, "u v w", its_source);
    const trib_chains *chains = find(texts, 2, 0);
    CHECK(chains->n == 1);
    EXPECT(chains->chain[0].source == 1 && chains->chain[0].first == 2 &&
           chains->chain[0].end == 14);
    chains = find(texts, 1, 0); /* two chains of six words */
    EXPECT(chains->n == 0);
}

TEST(a_formula_is_no_evidence) {
    trib_texts *texts = TEXTS(2, long_passage, its_source, its_source);
    const trib_chains *chains = find(texts, 2, 3); /* three texts hold it: no formula */
    EXPECT(chains->n == 2);
    chains = find(texts, 2, 2);
    EXPECT(chains->n == 0);
}

TEST(scattered_words_make_no_chain) {
    trib_texts *texts =
        TEXTS(2, "a b z c d y e f x g h w i j v k l", "a b q c d r e f s g h t i j u k l");
    const trib_chains *chains = find(texts, 5, 0); /* twelve words, but no five in succession */
    EXPECT(chains->n == 0);
}

static trib_status find_again(void *context, trib_error *error) {
    trib_chains chains;
    const trib_status status = trib_passages_chains(&chains, context, UINT32_MAX, 3, error);
    trib_chains_release(&chains);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_influence_case c = trib_texts_case(TEXTS(2, long_passage, its_source), 0);
    EXPECT(trib_fail_every_allocation(find_again, &c) > 5);
}
