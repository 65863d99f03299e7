/* background.c - tests of influence/background.c. */
#include "decomp/decomp.h"
#include "influence/methods.h"
#include "tests/influence/texts.h"

TESTS(influence, background);

static const trib_progress nobody;

static void build(trib_background *background, const trib_influence_case *c, uint32_t rank) {
    trib_error error = {0};
    EXPECT_OK(trib_background_build(background, c, rank, 1, &nobody, &error));
    CHECK(background->n > 0 && background->stride >= background->n);
}

/* With one component, every update of CP-APR gives the marginals of Y, whatever the start: the
 * frequencies of each word summed over the documents, divided by the number of documents. */
TEST(one_component_is_the_mean_marginals) {
    GIVEN(trib_background) background = {0};
    trib_texts *texts = TEXTS(2, "a b a c", "b a", "c c a b b a");
    const trib_influence_case c = trib_texts_case(texts, 0);
    build(&background, &c, 1);
    EXPECT(background.n == 1 && background.stride == 8);
    for (uint32_t i = 0; i < texts->document[0].n_local; i++) {
        double wanted[2] = {0};
        for (size_t d = 0; d < 3; d++) {
            const trib_influence_document *document = &texts->document[d];
            for (size_t g = 0; g < document->n_ngrams; g++)
                for (size_t m = 0; m < 2; m++)
                    if (document->word[texts->stream[d][g + m]] == texts->document[0].word[i])
                        wanted[m] += 1 / (double)document->n_ngrams / 3;
        }
        EXPECT_NEAR(background.row[0][8 * i], wanted[0], 1e-14);
        EXPECT_NEAR(background.row[1][8 * i], wanted[1], 1e-14);
        for (uint32_t pad = 1; pad < 8; pad++) EXPECT(background.row[0][8 * i + pad] == 0);
    }
}

TEST(a_target_among_its_sources_is_counted_once) {
    trib_background without, with;
    trib_texts *texts = trib_texts_invented(3, 300, "...");
    for (uint32_t target = 0; target < 3; target++) {
        trib_influence_case c = trib_texts_case(texts, target);
        build(&without, &c, 4);
        c.source = (uint32_t[]){0, 1, 2};
        c.n_sources = 3;
        build(&with, &c, 4);
        EXPECT(with.n == without.n);
        for (int m = 0; m < 3; m++)
            EXPECT(memcmp(with.row[m], without.row[m],
                          texts->document[target].n_local * 8 * sizeof(double)) == 0);
        trib_background_release(&without);
        trib_background_release(&with);
    }
}

/* A column sums to 1 over all words, so to at most 1 over the words of one document. */
TEST(columns_are_distributions_over_the_pool) {
    trib_background background;
    trib_texts *texts = trib_texts_invented(3, 300, "...");
    trib_influence_case c = trib_texts_case(texts, 1);
    for (int alone = 0; alone < 2; alone++) {
        if (alone) c.n_sources = 0;
        build(&background, &c, 5);
        for (int m = 0; m < 3; m++) {
            for (uint32_t b = 0; b < background.n; b++) {
                double sum = 0;
                for (uint32_t i = 0; i < texts->document[1].n_local; i++)
                    sum += background.row[m][i * background.stride + b];
                EXPECT(sum < 1 + 1e-12 && (!alone || sum > 1 - 1e-12));
            }
        }
        trib_background_release(&background);
    }
}

TEST(progress_can_stop_it) {
    trib_background background;
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b a c", "b a", "c c a b b a"), 0);
    EXPECT_STATUS(trib_background_build(&background, &c, 2, 1, &trib_refusal, &error),
                  TRIB_INTERRUPTED, error);
    EXPECT(background.n == 0 && background.row[0] == NULL);
}
