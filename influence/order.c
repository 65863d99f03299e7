/* order.c - the words of a document from its n-grams in order: each n-gram adds its last word to the one before it. */
#include "influence/order.h"

#include <string.h>

trib_status trib_word_order_read(trib_word_order *order, const trib_influence_document *document,
                                 trib_error *error) {
    const uint32_t n_modes = document->counts->n_modes;
    uint32_t last[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    size_t cap = 0;
    *order = (trib_word_order){.n_ngrams = document->n_ngrams};
    if (!trib_multiply(document->n_ngrams, (size_t)n_modes + 1, &cap)) cap = SIZE_MAX;
    trib_status status = trib_new(&order->word, cap, sizeof *order->word, "words in order", error);
    if (status == TRIB_OK)
        status = trib_new(&order->place, document->n_ngrams, sizeof *order->place, "words in order",
                          error);
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
    trib_free(order->word);
    trib_free(order->place);
    *order = (trib_word_order){0};
}
