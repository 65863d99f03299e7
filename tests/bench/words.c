/* words.c - tokenising against ICU's word iterator alone, which gets the text in UTF-16 and whose
 * words nobody uses; the whole way from bytes to counts; and from files to tensors, the stages
 * tokens, vocabulary and tensors of a run over copies of a text. */
#include "pipeline/config/config.h"
#include "pipeline/run/run.h"
#include "tests/bench/bench.h"
#include "tokenizer/tokenizer.h"

#include <unicode/ubrk.h>
#include <unicode/ustring.h>

typedef struct words {
    const bench_text *text;
    trib_tokenizer *tokenizer;
    UBreakIterator *iterator;
    size_t n_words;
} words;

/* ICU's iterator over a text, whose wide form is *wide. */
static UBreakIterator *open_iterator(const bench_text *text, UChar **wide) {
    UErrorCode icu = U_ZERO_ERROR;
    int32_t length = 0;
    *wide = bench_new(text->bytes.length + 1, sizeof **wide);
    u_strFromUTF8WithSub(*wide, (int32_t)text->bytes.length + 1, &length, text->bytes.text,
                         (int32_t)text->bytes.length, 0xFFFD, NULL, &icu);
    UBreakIterator *iterator = ubrk_open(UBRK_WORD, "en", *wide, length, &icu);
    if (U_FAILURE(icu)) bench_fail(u_errorName(icu));
    return iterator;
}

static size_t count_by(UBreakIterator *iterator) {
    size_t n_words = 0;
    ubrk_first(iterator);
    while (ubrk_next(iterator) != UBRK_DONE)
        n_words += ubrk_getRuleStatus(iterator) >= UBRK_WORD_LETTER;
    return n_words;
}

static void icu_alone(void *context) {
    words *w = context;
    w->n_words = count_by(w->iterator);
}

static trib_status count_word(void *context, const trib_token *token, trib_error *error) {
    (void)token, (void)error;
    ((words *)context)->n_words++;
    return TRIB_OK;
}

static void ours(void *context) {
    words *w = context;
    w->n_words = 0;
    trib_tokenizer_begin(w->tokenizer, w->text->name, count_word, w);
    bench_must(trib_tokenizer_feed(w->tokenizer, w->text->bytes.text, w->text->bytes.length,
                                   &bench_error));
    bench_must(trib_tokenizer_end(w->tokenizer, NULL, &bench_error));
}

void bench_words(const bench_text *text) {
    if (!bench_wanted(text, "tokenising")) return;
    words w = {.text = text};
    const trib_token_options options = {.on_invalid = TRIB_INVALID_REPLACE};
    bench_must(trib_tokenizer_open(&w.tokenizer, &options, &bench_error));
    UChar *wide;
    w.iterator = open_iterator(text, &wide);
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

/* ---- From files to tensors: every copy is a document, whose tensor is let go ---------------- */

enum { BYTES = 200000000 };

typedef struct streaming {
    UBreakIterator *iterator;
    size_t n_words;
    trib_config config;
    trib_log *log;
    const trib_corpus_document *about; /* [n_copies] */
    uint32_t n_copies;
    int n_threads;
} streaming;

static void icu_over_copies(void *context) {
    streaming *s = context;
    s->n_words = 0;
    for (uint32_t copy = 0; copy < s->n_copies; copy++) s->n_words += count_by(s->iterator);
}

static void stages(void *context) {
    const streaming *s = context;
    trib_run run;
    trib_run_init(&run, &s->config, s->log, s->n_threads);
    run.tensors_are_last = true;
    trib_corpus *corpus = &run.corpus;
    bench_must(trib_new(&corpus->document, s->n_copies, sizeof *corpus->document, "documents",
                        &bench_error));
    corpus->n_documents = s->n_copies;
    for (uint32_t d = 0; d < s->n_copies; d++) corpus->document[d].about = &s->about[d];
    bench_must(trib_run_stage(&run, "tokens", &bench_error));
    bench_must(trib_run_stage(&run, "vocabulary", &bench_error));
    bench_must(trib_run_stage(&run, "tensors", &bench_error));
    trib_run_release(&run);
}

void bench_streaming(const bench_text *text, const char *path) {
    if (!path || !bench_wanted(text, "streaming")) return;
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    UChar *wide;
    streaming one = {.n_copies = (uint32_t)(BYTES / text->bytes.length) + 1, .n_threads = 1};
    trib_corpus_document *about = bench_new(one.n_copies, sizeof *about);
    const trib_setting replace = {"corpus.on_invalid", "replace", "bench"};
    one.iterator = open_iterator(text, &wide);
    bench_must(trib_config_load(&one.config, NULL, &replace, 1, NULL, NULL, &bench_error));
    bench_must(trib_log_open(&one.log, &silent, &bench_error));
    for (uint32_t d = 0; d < one.n_copies; d++)
        about[d] = (trib_corpus_document){.id = path, .file = path, .path = path};
    one.about = about;
    streaming two = one;
    two.n_threads = 2;
    const contestant way[] = {{"icu-iterator", 0, 1, NULL, icu_over_copies, &one},
                              {"stages", 0, 1, NULL, stages, &one},
                              {"stages", 0, 2, NULL, stages, &two}};
    const contest what = {"streaming", text->name, "icu-iterator", 1,
                          (double)text->bytes.length * one.n_copies};
    bench_contest(text, &what, way, sizeof way / sizeof *way);
    ubrk_close(one.iterator);
    trib_log_close(one.log);
    trib_config_release(&one.config);
    free(about);
    free(wide);
}
