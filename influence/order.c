/* order.c - restores the words of a document from its n-grams in text order: each n-gram adds its
 * last word to the previous one. Pairs and triples of adjacent words are numbered once for all
 * documents, so that they can be counted in plain arrays. */
#include "influence/order.h"
#include "base/internal.h"
#include "influence/extent.h"

enum { MOST_EXPECTED = 1 << 20 };

trib_status trib_word_order_read(trib_word_order *order, const trib_influence_document *document,
                                 trib_error *error) {
    const uint32_t n_modes = document->counts->n_modes;
    uint32_t last[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    *order = (trib_word_order){.n_ngrams = document->n_ngrams};
    trib_status status = TRIB_NEW(&order->word, trib_product(document->n_ngrams, n_modes + 1),
                                  "words in order", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&order->place, document->n_ngrams, "words in order", error);
    if (status != TRIB_OK) {
        trib_word_order_release(order);
        return status;
    }
    for (size_t k = 0; k < document->n_ngrams; k++) {
        trib_hacoo_entry(document->counts, document->sequence[k], index);
        const bool overlaps = k > 0 && memcmp(last + 1, index, (n_modes - 1) * sizeof *index) == 0;
        if (k > 0 && !overlaps) order->word[order->n++] = TRIB_BREAK;
        for (uint32_t m = overlaps ? n_modes - 1 : 0; m < n_modes; m++)
            order->word[order->n++] = document->word[index[m]];
        order->place[k] = order->n - n_modes;
        memcpy(last, index, n_modes * sizeof *index);
    }
    return TRIB_OK;
}

void trib_word_order_release(trib_word_order *order) {
    TRIB_FREE(order->word, order->place, order->pair, order->triple, order->recurring);
    *order = (trib_word_order){0};
}

/* ---- Of many documents ----------------------------------------------------------------------- */

/* Reads one document into arrays of exactly its size, because they live as long as the run. */
static trib_status read_exactly(trib_word_order *order, const trib_influence_document *document,
                                trib_error *error) {
    static const char what[] = "words in order";
    TRIB_OWNED(trib_word_order) wide = {0};
    trib_status status = trib_word_order_read(&wide, document, error);
    *order = (trib_word_order){.n = wide.n, .n_ngrams = wide.n_ngrams, .place = wide.place};
    wide.place = NULL;
    if (status == TRIB_OK) status = trib_new(&order->word, wide.n, sizeof *wide.word, what, error);
    if (status == TRIB_OK) status = trib_new(&order->pair, wide.n, sizeof *wide.pair, what, error);
    if (status == TRIB_OK)
        status = trib_new(&order->triple, wide.n, sizeof *wide.triple, what, error);
    if (status == TRIB_OK && wide.n > 0) memcpy(order->word, wide.word, wide.n * sizeof *wide.word);
    return status;
}

/* Sets number[i] to the number of the pair (before[i - 1], word i). With words in `before` it
 * numbers pairs of words, with pairs it numbers triples. */
static trib_status number_words(trib_hacoo *table, const trib_word_order *order,
                                const uint32_t before[], uint32_t number[], trib_error *error) {
    trib_hacoo_stream stream;
    trib_status status = TRIB_OK;
    trib_hacoo_stream_init(&stream, table, number);
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        uint32_t index[] = {i > 0 ? before[i - 1] : TRIB_NO_NUMBER, order->word[i]};
        const bool is_whole = index[0] != TRIB_NO_NUMBER && index[1] != TRIB_BREAK;
        if (!is_whole) index[0] = index[1] = 0; /* pushed with count 0, so it gets no number */
        status = trib_hacoo_stream_push(&stream, index, is_whole, error);
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

/* Lists the words in the middle of windows that can occur again. */
static trib_status find_recurring(trib_word_order *order, const trib_hacoo *triples,
                                  trib_error *error) {
    size_t n_triples = 0, cap = 0; /* triples in a row up to this word that occur again */
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        const uint32_t triple = order->triple[i];
        n_triples =
            triple != TRIB_NO_NUMBER && trib_hacoo_count(triples, triple) > 1 ? n_triples + 1 : 0;
        if (n_triples < TRIB_RECURRING - 2) continue;
        status =
            TRIB_GROW(&order->recurring, &cap, order->n_recurring + 1, "words in order", error);
        if (status == TRIB_OK) order->recurring[order->n_recurring++] = (uint32_t)i - 1;
    }
    return status;
}

static trib_status number_all(trib_word_orders *orders, uint32_t n_words, trib_error *error) {
    const uint32_t n = n_words > 0 ? n_words : 1;
    TRIB_OWNED(trib_hacoo) pairs = {0}, triples = {0};
    trib_hacoo_options options = {0};
    for (size_t d = 0; d < orders->n_documents; d++) options.expected += orders->document[d].n;
    if (options.expected > MOST_EXPECTED) options.expected = MOST_EXPECTED;
    trib_status status = trib_hacoo_init(&pairs, 2, (const uint32_t[]){n, n}, &options, error);
    if (status == TRIB_OK)
        status = trib_hacoo_init(&triples, 2, (const uint32_t[]){UINT32_MAX, n}, &options, error);
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++) {
        trib_word_order *order = &orders->document[d];
        status = number_words(&pairs, order, order->word, order->pair, error);
        if (status == TRIB_OK)
            status = number_words(&triples, order, order->pair, order->triple, error);
    }
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++)
        status = find_recurring(&orders->document[d], &triples, error);
    orders->n_pairs = pairs.nnz;
    orders->n_triples = triples.nnz;
    return status;
}

trib_status trib_word_orders_build(trib_word_orders *orders,
                                   const trib_influence_document document[], size_t n_documents,
                                   const uint32_t *among, size_t n_among, uint32_t n_words,
                                   trib_error *error) {
    *orders = (trib_word_orders){.n_documents = n_documents};
    trib_status status = TRIB_NEW(&orders->document, n_documents, "texts", error);
    for (size_t i = 0; i < (among ? n_among : n_documents) && status == TRIB_OK; i++) {
        const size_t d = among ? among[i] : i;
        status = read_exactly(&orders->document[d], &document[d], error);
    }
    if (status == TRIB_OK) status = number_all(orders, n_words, error);
    if (status != TRIB_OK) trib_word_orders_release(orders);
    return status;
}

void trib_word_orders_release(trib_word_orders *orders) {
    for (size_t d = 0; orders->document && d < orders->n_documents; d++)
        trib_word_order_release(&orders->document[d]);
    if (orders->folded) trib_arena_release(&orders->folded->arena);
    TRIB_FREE(orders->document, orders->folded);
    *orders = (trib_word_orders){0};
}
