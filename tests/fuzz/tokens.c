/* tokens.c - any bytes as a document, with options that its first two bytes select: the words do
 * not depend on the sizes of the pieces, and the automaton for ASCII finds the same words as ICU
 * alone. */
#include "base/internal.h"
#include "tests/fuzz/fuzz.h"
#include "tokenizer/token.h"

typedef struct heard {
    trib_status status;
    uint64_t n, hash, end; /* end: end of the last word */
} heard;

static trib_status hear(void *context, const trib_token *token, trib_error *error) {
    heard *h = context;
    (void)error;
    FUZZ_CHECK(token->length > 0 && strlen(token->text) == token->length);
    FUZZ_CHECK(token->offset >= h->end && token->n_bytes > 0);
    h->end = token->offset + token->n_bytes;
    const uint64_t place[] = {token->offset, token->n_bytes, token->after_break};
    h->hash = (h->hash ^ trib_hash_bytes(token->text, token->length)) * UINT64_C(31) +
              trib_hash_bytes(place, sizeof place);
    h->n++;
    return TRIB_OK;
}

static heard tokenize(trib_tokenizer *t, const uint8_t *bytes, size_t size, size_t step) {
    heard h = {0};
    trib_token_counts counts = {0};
    trib_tokenizer_begin(t, "x", hear, &h);
    for (size_t i = 0; i < size && h.status == TRIB_OK; i += step)
        h.status = trib_tokenizer_feed(t, (const char *)bytes + i,
                                       step < size - i ? step : size - i, NULL);
    const trib_status ended = trib_tokenizer_end(t, &counts, NULL);
    if (h.status == TRIB_OK) h.status = ended;
    if (h.status == TRIB_OK) FUZZ_CHECK(counts.n_words == h.n && h.end <= size);
    return h;
}

static bool same(heard a, heard b) {
    return a.status == b.status && (a.status != TRIB_OK || (a.n == b.n && a.hash == b.hash));
}

FUZZ_TARGET(tokens) {
    static const char *const encodings[] = {NULL, NULL, "utf-8", "auto", "utf-16", "windows-1252"};
    static const char *const locales[] = {NULL, "en", "th", "tr"};
    if (size < 2) return;
    const trib_token_options options = {.locale = locales[bytes[1] % 4],
                                        .encoding = encodings[bytes[0] % 6],
                                        .equivalence = (trib_equivalence)(bytes[0] / 2 % 2),
                                        .normalize = (trib_normalize)(bytes[1] / 4 % 3),
                                        .letter_case = (trib_case)(bytes[1] / 16 % 2),
                                        .apostrophes = (trib_apostrophes)(bytes[0] / 8 % 4),
                                        .hyphens = (trib_hyphens)(bytes[0] / 32 % 3),
                                        .numbers = (trib_numbers)(bytes[1] / 32 % 3),
                                        .break_at_sentence = bytes[0] >= 192,
                                        .break_at_paragraph = bytes[1] >= 128,
                                        .on_invalid = (trib_invalid)(bytes[0] % 2)};
    trib_tokenizer *t;
    FUZZ_CHECK(trib_tokenizer_open(&t, &options, NULL) == TRIB_OK);
    if (!t) return;
    const heard whole = tokenize(t, bytes + 2, size - 2, size);
    FUZZ_CHECK(same(whole, tokenize(t, bytes + 2, size - 2, 1 + bytes[0] % 7)));
    t->use_ascii = false;
    FUZZ_CHECK(same(whole, tokenize(t, bytes + 2, size - 2, size)));
    trib_tokenizer_close(t);
}
