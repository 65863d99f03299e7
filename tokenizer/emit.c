/* emit.c - passes words to the caller's function, and finds the breaks between them. */
#include "tokenizer/token.h"

#include <unicode/uchar.h>

trib_status trib_token_emit(trib_tokenizer *t, const char *text, size_t length, size_t from,
                            size_t to, trib_error *error) {
    const uint64_t offset = trib_decoder_place(&t->in, from);
    const trib_token token = {.text = text,
                              .length = length,
                              .offset = offset,
                              .n_bytes = (uint32_t)(trib_decoder_place(&t->in, to) - offset),
                              .after_break = t->broken && t->counts.n_words > 0};
    t->broken = false;
    t->counts.n_words++;
    return t->sink(t->context, &token, error);
}

trib_status trib_token_emit_number(trib_tokenizer *t, const char *text, size_t length, size_t from,
                                   size_t to, trib_error *error) {
    static const char class[] = "<number>";
    if (t->options.numbers == TRIB_NUMBERS_KEEP)
        return trib_token_emit(t, text, length, from, to, error);
    if (t->options.numbers == TRIB_NUMBERS_CLASS)
        return trib_token_emit(t, class, sizeof class - 1, from, to, error);
    t->counts.n_dropped_numbers++;
    return TRIB_OK;
}

/* A paragraph ends at U+2029 or at an empty line, that is, two line ends with only white space
 * between them. A form feed counts as white space, because a page can end inside a paragraph. */
void trib_token_pass(trib_tokenizer *t, size_t from, size_t to) {
    const char *const text = t->in.text;
    while (from < to) {
        const int32_t c = utf8_next(text, &from, to);
        if (c == '\n' && t->after_return) {
            t->after_return = false;
            continue;
        }
        t->after_return = c == '\r';
        if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028) t->n_newlines++;
        else if (c == 0x2029) t->n_newlines += 2;
        else if (c < 0 || !u_isUWhiteSpace(c)) t->n_newlines = 0;
        if (t->n_newlines >= 2) t->broken = true;
    }
}
