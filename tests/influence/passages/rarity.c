/* rarity.c - tests of the ratings of influence/passages/notable.c. */
#include "influence/passages/passages.h"
#include "tests/influence/texts.h"

#include <math.h>

TESTS(passages, rarity);

/* A corpus of 50 documents and 100 000 words: 5 documents or 10 occurrences are few. */
static const uint32_t n_documents[] = {50, 5, 6, 6, 20};
static const uint64_t count[] = {9000, 900, 10, 11, 40};
static const trib_word_frequencies corpus = {n_documents, count, 50, 100000, 4};

TEST(a_word_is_rare_by_documents_or_by_occurrences) {
    EXPECT(!trib_word_is_rare(&corpus, 0));
    EXPECT(trib_word_is_rare(&corpus, 1)); /* a tenth of the documents */
    EXPECT(trib_word_is_rare(&corpus, 2)); /* once in 10 000 words */
    EXPECT(!trib_word_is_rare(&corpus, 3));
    EXPECT(!trib_word_is_rare(&corpus, 4)); /* the wildcard */
    trib_word_frequencies tiny = corpus;
    tiny.n_tokens = 300;
    EXPECT(!trib_word_is_rare(&tiny, 2)); /* more than four times */
    EXPECT_NEAR(trib_word_weight(&corpus, 1), log(51 / 5.0), 1e-12);
}

static const char *word_of(const trib_texts *texts, uint32_t id) {
    uint32_t i = 0;
    while (texts->final[i] != id) i++;
    return trib_intern_word(&texts->words, i);
}

/* Rates the passages of text 0 with text 1, of words that occur once in each of the two, but for
 * those of a list, which 20 of 20 documents hold. */
static trib_passages *rate(trib_texts *texts, const char *common) {
    static trib_passages passages;
    static uint32_t documents[256];
    static uint64_t times[256];
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(texts, 0);
    const trib_passages_wanted all = {(const uint8_t[]){1}, NULL, UINT32_MAX, 5};
    const trib_word_frequencies all_words = {documents, times, 20, 1000, UINT32_MAX};
    CHECK(texts->words.n_words <= 256);
    for (uint32_t w = 0; w < texts->words.n_words; w++) {
        const bool is_common = strstr(common, word_of(texts, w)) != NULL;
        documents[w] = is_common ? 20 : 2;
        times[w] = is_common ? 500 : 2;
    }
    trib_passages_release(&passages);
    EXPECT_STATUS(trib_passages_find(&passages, &all, &c, NULL, 1, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_passages_rate(&passages, 1, &c, &all_words, &error), TRIB_OK, error);
    return &passages;
}

TEST(twelve_words_with_a_rare_one_are_notable) {
    static const char *const text[] = {"x a b c d e f g h i j k l y", "a b c d e f g h i j k l"};
    trib_texts *texts = trib_texts_count(2, text, 2);
    trib_passages *passages = rate(texts, "abcdefghijk");
    CHECK(passages->n == 1);
    const trib_passage *p = passages->passage;
    EXPECT(p->n_words == 12 && p->n_telling == 12 && p->longest == 12 && p->is_notable);
    EXPECT_NEAR(p->rarity, 11 * log(21 / 20.0) + log(21 / 2.0), 1e-12);
    CHECK(p->n_rarest == 3);
    EXPECT(strcmp(word_of(texts, p->rarest[0]), "l") == 0);
    EXPECT(strcmp(word_of(texts, p->rarest[1]), "a") == 0); /* the first of equals */
    passages = rate(texts, "abcdefghijkl");
    EXPECT(passages->n == 1 && !passages->passage[0].is_notable);
}

static bool is_long(const trib_passage *passage) { return passage->n_words > 3; }
static bool is_never(const trib_passage *passage) { return passage->n_words == 0; }

TEST(dropped_passages_take_their_runs_along) {
    static const char *const text[] = {
        "a b c ta tb tc td te tf tg d e f g th ti tj tk tl tm tn h i j k l m",
        "d e f g sa sb sc sd se sf sg h i j sh k l m si sj sk sl sm sn a b c"};
    trib_error error = {0};
    trib_texts *texts = trib_texts_count(2, text, 2);
    trib_passages *passages = rate(texts, "");
    const size_t n_before = passages->n;
    EXPECT(n_before == 3 && passages->n_runs == 4); /* the last two are joined */
    EXPECT_STATUS(trib_passages_keep(passages, is_long, &error), TRIB_OK, error);
    CHECK(passages->n == 2 && passages->n_runs == 3);
    for (size_t p = 0; p < 2; p++) {
        const trib_passage *passage = &passages->passage[p];
        EXPECT(passages->run[passage->first_run].target == passage->target);
    }
    EXPECT_STATUS(trib_passages_keep(passages, is_never, &error), TRIB_OK, error);
    EXPECT(passages->n == 0 && passages->n_runs == 0);
}
