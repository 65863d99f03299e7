/* counts.c - tests of influence/counts.c: containment and split. */
#include "tests/influence/texts.h"

TESTS(influence, counts);

static void expect_shares(const char *method, const trib_influence_case *c, const double share[],
                          double author) {
    trib_influence *result = trib_measured(c, method, NULL);
    CHECK(result->n_sources == c->n_sources);
    for (size_t s = 0; s < c->n_sources; s++) EXPECT_NEAR(result->share[s], share[s], 1e-15);
    EXPECT_NEAR(result->author, author, 1e-15);
}

/* Bigrams. Target: ab 2, bc 1, cd 1, da 1. Document 1: ab 1, bc 1. Document 2: ab 2, bx 1, xa 1. So
 * ab is half of either source. */
TEST(a_small_case_worked_by_hand) {
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b c d a b", "a b c", "a b x a b"), 0);
    expect_shares("containment", &c, (double[]){3 / 5., 2 / 5.}, 2 / 5.);
    expect_shares("split", &c, (double[]){2 / 5., 1 / 5.}, 2 / 5.);
}

TEST(an_ngram_is_split_by_relative_frequency) {
    /* ab: 1 of 4 in document 1, 1 of 1 in document 2 */
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b", "a b x y z", "a b"), 0);
    expect_shares("split", &c, (double[]){0.2, 0.8}, 0);
    expect_shares("containment", &c, (double[]){1, 1}, 0);
}

TEST(the_published_example_gives_its_values) {
    static const char *const name[] = {"toy/cat", "toy/dog", "toy/sequel_dissertation", "toy/seq"};
    trib_texts *texts = trib_texts_read(3, name, 4);
    if (!texts) return;
    trib_influence_case c = trib_texts_case_of_all(texts, 2);
    c.n_sources = 2;
    expect_shares("containment", &c, (double[]){.18, .22}, .6);
    expect_shares("split", &c, (double[]){.18, .22}, .6);
    c.target = 3;
    expect_shares("containment", &c, (double[]){3 / 41., 11 / 41.}, 27 / 41.);
    static const uint64_t n_words[] = {28, 27, 52, 43}, n_ngrams[] = {26, 25, 50, 41};
    static const size_t nnz[] = {23, 23, 42, 38};
    for (size_t d = 0; d < 4; d++)
        EXPECT(texts->document[d].n_words == n_words[d] && texts->counts[d].total == n_ngrams[d] &&
               texts->counts[d].nnz == nnz[d]);
}
