/* ngram.c - the window of the last n word ids, and of the last ids for n-grams with gaps. */
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

void trib_skip_init(trib_skip_ngrams *window, uint32_t n) {
    assert(n >= 1 && n <= TRIB_MAX_NGRAM);
    *window = (trib_skip_ngrams){.n = n};
}

void trib_skip_break(trib_skip_ngrams *window) { window->n_held = 0; }

void trib_skip_push(trib_skip_ngrams *window, uint32_t id) {
    window->id[window->n_held++ % TRIB_SKIP_HELD] = id;
}

bool trib_skip_read(const trib_skip_ngrams *window, uint32_t gap, uint32_t ngram[]) {
    assert(gap <= TRIB_MAX_SKIP);
    const uint64_t step = gap + 1, length = (window->n - 1) * step + 1;
    if (window->n_held < length) return false;
    const uint64_t first = window->n_held - length;
    for (uint32_t m = 0; m < window->n; m++)
        ngram[m] = window->id[(first + m * step) % TRIB_SKIP_HELD];
    return true;
}
