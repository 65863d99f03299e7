/* trellis.h - for tests of the states of the copying model: those of small texts. */
#ifndef TRIBUTARY_TEST_TRELLIS_H
#define TRIBUTARY_TEST_TRELLIS_H

#include "influence/trellis.h"
#include "tests/influence/texts.h"

/* Counts the n-grams of text[n_texts], of which the first is the target and the others are its
 * sources, and builds the states. The caller releases both. */
static inline void trib_trellis_of(trib_trellis *x, trib_texts *texts, uint32_t n,
                                   const char *const text[], size_t n_texts) {
    uint32_t source[TRIB_MAX_TEXTS];
    trib_error error = {0};
    trib_texts_count(texts, n, text, n_texts);
    const trib_influence_case c = trib_texts_case(texts, 0, source);
    EXPECT_STATUS(trib_trellis_build(x, &c, &error), TRIB_OK, error);
}

#endif
