/* ngram_index.c - tests of the n-grams in text order of influence/counts.c. */
#include "influence/overlap.h"
#include "tests/influence/texts.h"

TESTS(influence, ngram_index);

static const char *const small[] = {"a b c a b", "x a b c b", "b a b c"};

TEST(an_index_entry_is_the_equal_n_gram_of_the_target) {
    uint32_t *own_id = NULL;
    trib_error error = {0};
    trib_texts *texts = trib_texts_count(2, small, 3);
    const trib_influence_case c = trib_texts_case(texts, 0);
    const trib_influence_document *target = &texts->document[0];
    EXPECT_OK(trib_ngram_index_words(&own_id, &c, &error));
    for (uint32_t d = 0; d < 3; d++) {
        const trib_influence_document *document = &texts->document[d];
        uint32_t *entry = NULL;
        EXPECT_OK(trib_ngram_index_build(&entry, target, document, own_id, &error));
        for (size_t k = 0; k < document->n_ngrams; k++) {
            uint32_t wanted = TRIB_NOT_INDEXED; /* by comparing words */
            for (size_t i = 0; i < target->n_ngrams; i++)
                if (document->word[texts->stream[d][k]] == target->word[texts->stream[0][i]] &&
                    document->word[texts->stream[d][k + 1]] ==
                        target->word[texts->stream[0][i + 1]])
                    wanted = target->sequence[i];
            EXPECT(entry[k] == wanted);
        }
        trib_free(entry);
    }
    trib_free(own_id);
}

TEST(documents_of_another_n_are_rejected) {
    uint32_t own_id[8] = {0}, *entry = NULL;
    trib_error error = {0};
    trib_texts *two = trib_texts_count(2, small, 1);
    trib_texts *three = trib_texts_count(3, small, 1);
    EXPECT_STATUS(
        trib_ngram_index_build(&entry, &two->document[0], &three->document[0], own_id, &error),
        TRIB_INTERNAL, error);
    EXPECT_TEXT(error.message, "documents of 2-grams and of 3-grams");
}

/* What trib_ngram_index_read lists of document d is what the lookups of all its n-grams find. */
static void expect_held(const trib_influence_case *c, const trib_ngram_index *index, uint32_t d,
                        trib_held_ngrams *held) {
    const trib_influence_document *document = &c->document[d];
    uint32_t *own_id = NULL, *wanted = NULL;
    trib_error error = {0};
    size_t n = 0;
    EXPECT_OK(trib_ngram_index_words(&own_id, c, &error));
    EXPECT_OK(trib_ngram_index_build(&wanted, &c->document[c->target], document, own_id, &error));
    EXPECT_OK(trib_ngram_index_read(held, index, d, &error));
    for (size_t i = 0; i < document->n_ngrams; i++) {
        if (wanted[i] == TRIB_NOT_INDEXED) continue;
        EXPECT(n < held->n && held->list[n].place == i && held->list[n].ngram == wanted[i]);
        n++;
    }
    EXPECT(n == held->n);
    trib_free(wanted);
    trib_free(own_id);
}

/* Read by the numbers of a concordance, the n-grams are those of hash lookups. A concordance of one
 * target has no numbers. The target itself has n-grams that no other document holds. */
TEST(n_gram_numbers_give_the_same_n_grams_as_lookups) {
    GIVEN(trib_concordance) k = {0}, own = {0};
    GIVEN(trib_held_ngrams) held = {0};
    trib_error error = {0};
    trib_texts *texts = trib_texts_invented(3, 900, ".0-");
    trib_influence_case c = trib_texts_case(texts, 0);
    EXPECT_OK(trib_concordance_build(&k, texts->document, 3, c.n_words, &error));
    EXPECT_OK(
        trib_concordance_of_target(&own, texts->document, 3, c.n_words, 0, NULL, 0, 1, &error));
    const trib_concordance *const concordance[] = {NULL, &own, &k};
    for (size_t i = 0; i < 3; i++) {
        OPENED(trib_ngram_index) index = {0};
        c.concordance = concordance[i];
        EXPECT_OK(trib_ngram_index_open(&index, &c, &error));
        EXPECT((index.block != NULL) == (i == 2));
        for (uint32_t d = 0; d < 3; d++) {
            expect_held(&c, &index, d, &held);
            EXPECT((held.n > 100) == (d < 2));
        }
    }
}
