/* ngram.c - the window of the last n word ids. */
#include "tokenizer/tokenizer.h"

#include <assert.h>

void trib_ngram_init(trib_ngram *window, uint32_t n) {
    assert(n >= 1 && n <= TRIB_MAX_NGRAM);
    *window = (trib_ngram){.n = n};
}

void trib_ngram_break(trib_ngram *window) { window->n_held = 0; }

bool trib_ngram_push(trib_ngram *window, uint32_t id) {
    if (id == TRIB_NO_WORD) {
        trib_ngram_break(window);
        return false;
    }
    if (window->n_held == window->n) {
        for (uint32_t i = 1; i < window->n; i++) window->id[i - 1] = window->id[i];
        window->n_held--;
    }
    window->id[window->n_held++] = id;
    return window->n_held == window->n;
}
