/* token.h - words as text, for the tests of the tokeniser. */
#ifndef TRIBUTARY_TEST_TOKEN_H
#define TRIBUTARY_TEST_TOKEN_H

#include "tests/test.h"
#include "tokenizer/tokenizer.h"

/* The defaults of the configuration. */
#define DEFAULTS                                                                                   \
    .normalize = TRIB_NORMALIZE_NFC, .letter_case = TRIB_CASE_FOLD,                                \
    .equivalence = TRIB_EQUIVALENCE_PLAIN

/* Tokenises text[0..n) in pieces whose sizes come from `random`, 1..2*chunk-1, or all at once when
 * chunk is 0, and appends "word|word|..." to `words`, with '/' for a break and, where `places` is
 * set, "@offset+bytes". */
trib_status tokenize(const trib_token_options *options, const char *text, size_t n, size_t chunk,
                     bool places, trib_buffer *words, trib_token_counts *counts, trib_error *error);
/* For a case of [words: text words options replaced dropped]: its words, with '/' for a break,
 * and for one of [refused: text says options]. */
void a_text_has_words(void);
void a_text_is_refused(void);

#endif
