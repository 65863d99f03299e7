/* order.c - tests of influence/order.c. */
#include "influence/order.h"
#include "tests/influence/texts.h"

TESTS(influence, order);

/* The words of a document. They are there until the next call. */
static const trib_word_order *read(const trib_influence_document *document) {
    static trib_word_order order;
    trib_error error = {0};
    trib_word_order_release(&order);
    EXPECT_OK(trib_word_order_read(&order, document, &error));
    return &order;
}

TEST(words_are_restored_in_their_order) {
    for (uint32_t n = 1; n <= 4; n++) {
        trib_texts *texts = TEXTS(n, "a b a c a b a d");
        const trib_influence_document *document = &texts->document[0];
        const trib_word_order *order = read(document);
        CHECK(order->n == 8 && order->n_ngrams == 9 - n);
        for (size_t i = 0; i < 8; i++)
            EXPECT(order->word[i] == document->word[texts->stream[0][i]]);
        for (size_t k = 0; k < order->n_ngrams; k++) EXPECT(order->place[k] == k);
    }
}

/* "a b c d e" with only the trigrams abc and cde, as when a sentence ends in between. */
TEST(a_break_stands_where_ngrams_do_not_overlap) {
    trib_texts *texts = TEXTS(3, "a b c d e");
    trib_influence_document document = texts->document[0];
    const uint32_t sequence[] = {document.sequence[0], document.sequence[2]};
    document.sequence = sequence;
    document.n_ngrams = 2;
    const trib_word_order *order = read(&document);
    CHECK(order->n == 7 && order->n_ngrams == 2);
    EXPECT(order->word[3] == TRIB_BREAK && order->place[0] == 0 && order->place[1] == 4);
    EXPECT(order->word[2] == order->word[4]);
}

TEST(a_text_without_ngrams_has_no_words) {
    trib_texts *texts = TEXTS(3, "a b");
    const trib_word_order *order = read(&texts->document[0]);
    EXPECT(order->n == 0 && order->n_ngrams == 0);
}

static trib_status attempt(void *context, trib_error *error) {
    trib_word_order order;
    const trib_status status = trib_word_order_read(&order, context, error);
    if (status == TRIB_OK) trib_word_order_release(&order);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_texts *texts = TEXTS(2, "a b c");
    EXPECT(trib_fail_every_allocation(attempt, &texts->document[0]) > 1);
}

/* Numbers are equal exactly where the n words that end there are equal, in any document. */
static void check_numbers(const trib_word_orders *orders, size_t n, size_t n_numbers) {
    const trib_word_order *order = orders->document;
    size_t n_first = 0; /* words that occur nowhere before */
    for (size_t d = 0; d < orders->n_documents; d++)
        for (size_t i = 0; i < order[d].n; i++) {
            const uint32_t number = (n == 2 ? order[d].pair : order[d].triple)[i];
            bool is_first = true;
            EXPECT((number == TRIB_NO_NUMBER) == (i + 1 < n));
            for (size_t e = 0; e <= d && number != TRIB_NO_NUMBER; e++)
                for (size_t j = n - 1; j < (e < d ? order[e].n : i); j++) {
                    const bool same = memcmp(order[d].word + i + 1 - n, order[e].word + j + 1 - n,
                                             n * sizeof *order->word) == 0;
                    EXPECT(same == (number == (n == 2 ? order[e].pair : order[e].triple)[j]));
                    is_first = is_first && !same;
                }
            n_first += is_first && number != TRIB_NO_NUMBER;
        }
    EXPECT(n_first == n_numbers);
}

TEST(pairs_and_triples_are_numbered_across_documents) {
    GIVEN(trib_word_orders) all = {0}, few = {0};
    const uint32_t among[] = {2, 0};
    trib_error error = {0};
    trib_texts *texts = TEXTS(3, "a b c a b d a b c", "a b", "c a b c a b d");
    EXPECT_OK(
        trib_word_orders_build(&all, texts->document, 3, NULL, 0, texts->words.n_words, &error));
    check_numbers(&all, 2, all.n_pairs);
    check_numbers(&all, 3, all.n_triples);
    EXPECT_OK(
        trib_word_orders_build(&few, texts->document, 3, among, 2, texts->words.n_words, &error));
    EXPECT(few.document[1].word == NULL && few.document[2].n == 7);
    check_numbers(&few, 3, few.n_triples);
}

static trib_status attempt_all(void *context, trib_error *error) {
    const trib_texts *texts = context;
    GIVEN(trib_word_orders) orders = {0};
    const trib_status status = trib_word_orders_build(&orders, texts->document, texts->n, NULL, 0,
                                                      texts->words.n_words, error);
    return status;
}

TEST(every_failing_allocation_of_many_is_reported) {
    trib_texts *texts = TEXTS(2, "a b c", "b c d");
    EXPECT(trib_fail_every_allocation(attempt_all, texts) > 9);
}
