/* order.c - tests of influence/order.c. */
#include "influence/order.h"
#include "tests/influence/texts.h"

static void words_come_back_in_their_order(void) {
    for (uint32_t n = 1; n <= 4; n++) {
        trib_texts texts;
        trib_word_order order;
        trib_error error = {0};
        trib_texts_count(&texts, n, (const char *[]){"a b a c a b a d"}, 1);
        const trib_influence_document *document = &texts.document[0];
        EXPECT_STATUS(trib_word_order_read(&order, document, &error), TRIB_OK, error);
        CHECK(order.n == 8 && order.n_ngrams == 9 - n);
        for (size_t i = 0; i < 8; i++) EXPECT(order.word[i] == document->word[texts.stream[0][i]]);
        for (size_t k = 0; k < order.n_ngrams; k++) EXPECT(order.place[k] == k);
        trib_word_order_release(&order);
        trib_texts_release(&texts);
    }
}

/* Of "a b c d e" only the trigrams abc and cde, as when a sentence ends within. */
static void a_break_stands_where_ngrams_do_not_overlap(void) {
    trib_texts texts;
    trib_word_order order;
    trib_error error = {0};
    trib_texts_count(&texts, 3, (const char *[]){"a b c d e"}, 1);
    trib_influence_document document = texts.document[0];
    const uint32_t sequence[] = {document.sequence[0], document.sequence[2]};
    document.sequence = sequence;
    document.n_ngrams = 2;
    EXPECT_STATUS(trib_word_order_read(&order, &document, &error), TRIB_OK, error);
    CHECK(order.n == 7 && order.n_ngrams == 2);
    EXPECT(order.word[3] == TRIB_BREAK && order.place[0] == 0 && order.place[1] == 4);
    EXPECT(order.word[2] == order.word[4]);
    trib_word_order_release(&order);
    trib_texts_release(&texts);
}

static void a_text_without_ngrams_has_no_words(void) {
    trib_texts texts;
    trib_word_order order;
    trib_error error = {0};
    trib_texts_count(&texts, 3, (const char *[]){"a b"}, 1);
    EXPECT_STATUS(trib_word_order_read(&order, &texts.document[0], &error), TRIB_OK, error);
    EXPECT(order.n == 0 && order.n_ngrams == 0);
    trib_word_order_release(&order);
    trib_texts_release(&texts);
}

static trib_status attempt(void *context, trib_error *error) {
    trib_word_order order;
    const trib_status status = trib_word_order_read(&order, context, error);
    if (status == TRIB_OK) trib_word_order_release(&order);
    return status;
}

static void every_failing_allocation_is_reported(void) {
    trib_texts texts;
    trib_texts_count(&texts, 2, (const char *[]){"a b c"}, 1);
    EXPECT(trib_fail_every_allocation(attempt, &texts.document[0]) > 1);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_order[] = {
    {"words come back in their order", words_come_back_in_their_order},
    {"a break stands where n-grams do not overlap", a_break_stands_where_ngrams_do_not_overlap},
    {"a text without n-grams has no words", a_text_without_ngrams_has_no_words},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
