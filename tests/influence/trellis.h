/* trellis.h - for tests of the states of the copying model: those of small texts. */
#ifndef TRIBUTARY_TEST_TRELLIS_H
#define TRIBUTARY_TEST_TRELLIS_H

#include "influence/trellis.h"
#include "tests/influence/texts.h"

/* Builds the states of texts of which the first is the target and the others are its sources. The
 * caller releases them. */
static inline void trib_trellis_of(trib_trellis *x, trib_texts *texts) {
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(texts, 0);
    EXPECT_STATUS(trib_trellis_build(x, &c, &error), TRIB_OK, error);
}

#endif
