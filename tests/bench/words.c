/* words.c - tokenising against ICU's word iterator alone, which gets the text in UTF-16 and whose
 * words nobody uses; and the whole way from bytes to counts. */
#include "tests/bench/bench.h"
#include "tokenizer/tokenizer.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/ustring.h>

typedef struct words {
    const bench_text *text;
    trib_tokenizer *tokenizer;
    UBreakIterator *iterator;
    size_t n_words;
} words;

static void icu_alone(void *context) {
    words *w = context;
    ubrk_first(w->iterator);
    w->n_words = 0;
    while (ubrk_next(w->iterator) != UBRK_DONE)
        w->n_words += ubrk_getRuleStatus(w->iterator) >= UBRK_WORD_LETTER;
}

static trib_status count_word(void *context, const trib_token *token, trib_error *error) {
    (void)token, (void)error;
    ((words *)context)->n_words++;
    return TRIB_OK;
}

static void ours(void *context) {
    words *w = context;
    trib_error error = {0};
    w->n_words = 0;
    trib_tokenizer_begin(w->tokenizer, w->text->name, count_word, w);
    bench_check(
        trib_tokenizer_feed(w->tokenizer, w->text->bytes.text, w->text->bytes.length, &error),
        &error);
    bench_check(trib_tokenizer_end(w->tokenizer, NULL, &error), &error);
}

void bench_words(const bench_text *text) {
    if (!bench_wanted(text, "tokenising")) return;
    words w = {.text = text};
    trib_error error = {0};
    const trib_token_options options = {.on_invalid = TRIB_INVALID_REPLACE};
    bench_check(trib_tokenizer_open(&w.tokenizer, &options, &error), &error);
    UErrorCode icu = U_ZERO_ERROR;
    int32_t length = 0;
    UChar *wide = bench_new(text->bytes.length + 1, sizeof *wide);
    u_strFromUTF8WithSub(wide, (int32_t)text->bytes.length + 1, &length, text->bytes.text,
                         (int32_t)text->bytes.length, 0xFFFD, NULL, &icu);
    w.iterator = ubrk_open(UBRK_WORD, "en", wide, length, &icu);
    if (U_FAILURE(icu))
        bench_check(trib_fail(&error, TRIB_INTERNAL, "ICU: %s", u_errorName(icu)), &error);
    const contestant way[] = {{"icu-iterator", 0, 1, NULL, icu_alone, &w},
                              {"tokenizer", 0, 1, NULL, ours, &w}};
    const contest what = {"tokenising", text->name, "icu-iterator", 1, (double)text->bytes.length};
    bench_contest(text, &what, way, sizeof way / sizeof *way);
    ubrk_close(w.iterator);
    trib_tokenizer_close(w.tokenizer);
    free(wide);
}

/* From bytes to the counts of 3-grams: words cut, folded and numbered twice, first as they come,
 * then by frequency. */
static void text_to_tensor(void *context) {
    bench_text *text = context;
    trib_hacoo table;
    bench_text_number(text);
    bench_ngrams(&table, text, 3, 0, text->n_words);
    trib_hacoo_release(&table);
}

void bench_text_to_tensor(const bench_text *text) {
    if (!bench_wanted(text, "text-to-tensor")) return;
    bench_text own = *text;
    own.id = NULL;
    own.cap = 0;
    const contestant way[] = {{"hacoo", 0, 1, text_to_tensor, text_to_tensor, &own}};
    const contest what = {"text-to-tensor", text->name, NULL, 1, (double)text->bytes.length};
    bench_contest(text, &what, way, 1);
    trib_free(own.id);
}
