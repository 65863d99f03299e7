/* rarity.c - tests of the ratings of influence/passages/notable.c. */
#include "influence/passages/passages.h"
#include "tests/influence/texts.h"

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

/* Rates a passage of text 0, of a run of its words of a kind, where words occur once in each of two
 * texts, but for those of a list, which 20 of 20 documents hold. */
static const trib_passage *rate(trib_texts *texts, const char *common, uint32_t first, uint32_t n,
                                uint32_t kind) {
    static trib_shared_run run[2];
    static trib_passage passage;
    static uint32_t documents[256];
    static uint64_t times[256];
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(texts, 0);
    const trib_word_frequencies all_words = {documents, times, 20, 1000, UINT32_MAX};
    trib_passages passages = {.passage = &passage, .n = 1, .run = run, .n_runs = 2};
    CHECK(texts->words.n_words <= 256);
    for (uint32_t w = 0; w < texts->words.n_words; w++) {
        const bool is_common = strstr(common, word_of(texts, w)) != NULL;
        documents[w] = is_common ? 20 : 2;
        times[w] = is_common ? 500 : 2;
    }
    passage = (trib_passage){.n_runs = 2};
    run[0] = (trib_shared_run){first, 0, n, kind};
    run[1] = (trib_shared_run){first + n, n, 1, TRIB_REPLACED};
    EXPECT_OK(trib_passages_rate(&passages, 1, &c, &all_words, &error));
    return &passage;
}

TEST(twelve_words_with_a_rare_one_are_notable) {
    static const char *const text[] = {"x a b c d e f g h i j k l y", "a b c d e f g h i j k l"};
    trib_texts *texts = trib_texts_count(2, text, 2);
    const trib_passage *p = rate(texts, "abcdefghijk", 1, 12, TRIB_EQUAL);
    EXPECT(p->n_telling == 12 && p->longest == 12 && p->is_notable);
    EXPECT_NEAR(p->rarity, 11 * log(21 / 20.0) + log(21 / 2.0), 1e-12);
    CHECK(p->n_rarest == 3);
    EXPECT(strcmp(word_of(texts, p->rarest[0]), "l") == 0);
    EXPECT(strcmp(word_of(texts, p->rarest[1]), "a") == 0); /* the first of equals */
    EXPECT(!rate(texts, "abcdefghijkl", 1, 12, TRIB_EQUAL)->is_notable);
    EXPECT(rate(texts, "abcdefghijk", 1, 12, TRIB_MOVED)->is_notable);
    EXPECT(!rate(texts, "abcdefghijk", 2, 11, TRIB_EQUAL)->is_notable);
}

TEST(altered_words_make_no_passage_notable) {
    static const char *const text[] = {"x a b c d e f g h i j k l y", "a b c d e f g h i j k l"};
    const trib_passage *p = rate(trib_texts_count(2, text, 2), "", 1, 12, TRIB_CLOSE);
    EXPECT(!p->is_notable && p->n_telling == 0 && p->longest == 0 && p->n_rarest == 0);
    EXPECT(p->rarity == 0);
}
