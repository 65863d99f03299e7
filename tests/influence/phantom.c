/* phantom.c - tests of the phantom mass in influence/lowe.c. */
#include "influence/evidence.h"
#include "tests/influence/dense.h"

TESTS(influence, phantom);

/* Makes a document of the given trigrams, over its own ids; own id i is vocabulary id word[i]. */
static void document_of(trib_influence_document *document, trib_hacoo *counts, const uint32_t *word,
                        const uint32_t (*trigram)[3], size_t n) {
    static const uint32_t dim[] = {2, 2, 2};
    CHECK(trib_hacoo_init(counts, 3, dim, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i < n; i++) CHECK(trib_hacoo_add(counts, trigram[i], 1, NULL) == TRIB_OK);
    *document = (trib_influence_document){.counts = counts, .word = word, .n_local = 2};
}

TEST(phantom_mass_is_what_no_ngram_holds) {
    /* own ids in reverse order: vocabulary id 1 is own id 0 */
    static const uint32_t word[] = {1, 0}, trigram[][3] = {{1, 1, 1}, {0, 1, 1}, {0, 1, 1}};
    trib_influence_document document;
    GIVEN(trib_hacoo) counts = {0};
    GIVEN(trib_factors) factors = {0};
    const dense half = dense_pair(3, 0.5, 0.5), certain = dense_pair(3, 1, 0);
    const dense uneven = dense_pair(3, 0.9, 0.1), twice = dense_pair(3, 1, 1);
    const dense *const d[] = {&half, &certain, &uneven, &twice};
    for (int i = 0; i < 4; i++) CHECK(dense_add(&factors, 0, d[i], NULL) == TRIB_OK);
    document_of(&document, &counts, word, trigram, 3);
    EXPECT_NEAR(trib_phantom_mass(&factors, 0, &document), 6 / 8., 1e-15);
    EXPECT(trib_phantom_mass(&factors, 1, &document) == 0); /* (0, 0, 0) is attested */
    EXPECT_NEAR(trib_phantom_mass(&factors, 2, &document), 1 - 0.729 - 0.081, 1e-15);
    EXPECT_NEAR(trib_phantom_mass(&factors, 3, &document), 6 / 8., 1e-15);
    document.word = NULL; /* own ids are vocabulary ids: (1, 1, 1) and (0, 1, 1) */
    EXPECT(trib_phantom_mass(&factors, 1, &document) == 1);
}

TEST(without_n_grams_all_mass_is_phantom_mass) {
    trib_influence_document document;
    GIVEN(trib_hacoo) counts = {0};
    GIVEN(trib_factors) factors = {0};
    const dense half = dense_pair(3, 0.5, 0.5), empty = dense_pair(3, 0, 0);
    CHECK(dense_add(&factors, 0, &half, NULL) == TRIB_OK);
    CHECK(dense_add(&factors, 0, &empty, NULL) == TRIB_OK);
    document_of(&document, &counts, NULL, NULL, 0);
    EXPECT(trib_phantom_mass(&factors, 0, &document) == 1);
    EXPECT(trib_phantom_mass(&factors, 1, &document) == 0); /* no mass, no phantoms */
}

TEST(mass_with_a_word_is_what_its_ngrams_hold) {
    GIVEN(trib_factors) factors = {0};
    const dense half = dense_pair(3, 0.5, 0.5), uneven = dense_pair(3, 0.9, 0.1);
    const dense certain = dense_pair(3, 1, 0), twice = dense_pair(3, 1, 1);
    const dense empty = dense_pair(3, 0, 0);
    const dense *const d[] = {&half, &uneven, &certain, &twice, &empty};
    for (int i = 0; i < 5; i++) CHECK(dense_add(&factors, 0, d[i], NULL) == TRIB_OK);
    EXPECT_NEAR(trib_mass_with_word(&factors, 0, 1), 7 / 8., 1e-15); /* all but (0, 0, 0) */
    EXPECT_NEAR(trib_mass_with_word(&factors, 1, 1), 1 - 0.729, 1e-15);
    EXPECT_NEAR(trib_mass_with_word(&factors, 1, 0), 1 - 0.001, 1e-15);
    EXPECT(trib_mass_with_word(&factors, 2, 0) == 1 && trib_mass_with_word(&factors, 2, 1) == 0);
    EXPECT_NEAR(trib_mass_with_word(&factors, 3, 1), 7 / 8., 1e-15); /* independent of its scale */
    EXPECT(trib_mass_with_word(&factors, 0, 7) == 0 && trib_mass_with_word(&factors, 4, 0) == 0);
}
