/* stream.c - from files to tensors, the stages tokens, vocabulary and tensors of a run over copies
 * of a text, against ICU's word iterator alone over as many bytes, which it gets in UTF-16 and
 * whose words nobody uses. Every copy is a document of its own; its tensor is let go when it is
 * counted. */
#include "pipeline/config/config.h"
#include "pipeline/run/run.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/ustring.h>

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

static void icu_alone(void *context) {
    streaming *s = context;
    s->n_words = 0;
    for (uint32_t copy = 0; copy < s->n_copies; copy++) {
        ubrk_first(s->iterator);
        while (ubrk_next(s->iterator) != UBRK_DONE)
            s->n_words += ubrk_getRuleStatus(s->iterator) >= UBRK_WORD_LETTER;
    }
}

static void stages(void *context) {
    const streaming *s = context;
    trib_error error = {0};
    trib_run run;
    trib_run_init(&run, &s->config, s->log, s->n_threads);
    run.tensors_are_last = true;
    trib_corpus *corpus = &run.corpus;
    bench_check(
        trib_new(&corpus->document, s->n_copies, sizeof *corpus->document, "documents", &error),
        &error);
    corpus->n_documents = s->n_copies;
    for (uint32_t d = 0; d < s->n_copies; d++) corpus->document[d].about = &s->about[d];
    bench_check(trib_run_stage(&run, "tokens", &error), &error);
    bench_check(trib_run_stage(&run, "vocabulary", &error), &error);
    bench_check(trib_run_stage(&run, "tensors", &error), &error);
    trib_run_release(&run);
}

void bench_streaming(const bench_text *text, const char *path) {
    if (!path || !bench_wanted(text, "streaming")) return;
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    trib_error error = {0};
    UErrorCode icu = U_ZERO_ERROR;
    int32_t length = 0;
    streaming one = {.n_copies = (uint32_t)(BYTES / text->bytes.length) + 1, .n_threads = 1};
    UChar *wide = bench_new(text->bytes.length + 1, sizeof *wide);
    trib_corpus_document *about = bench_new(one.n_copies, sizeof *about);
    const trib_setting replace = {"corpus.on_invalid", "replace", "bench"};
    char *file = (char *)(uintptr_t)path;
    u_strFromUTF8WithSub(wide, (int32_t)text->bytes.length + 1, &length, text->bytes.text,
                         (int32_t)text->bytes.length, 0xFFFD, NULL, &icu);
    one.iterator = ubrk_open(UBRK_WORD, "en", wide, length, &icu);
    if (U_FAILURE(icu))
        bench_check(trib_fail(&error, TRIB_INTERNAL, "ICU: %s", u_errorName(icu)), &error);
    bench_check(trib_config_load(&one.config, NULL, &replace, 1, NULL, NULL, &error), &error);
    bench_check(trib_log_open(&one.log, &silent, &error), &error);
    for (uint32_t d = 0; d < one.n_copies; d++)
        about[d] = (trib_corpus_document){.id = file, .file = file, .path = file};
    one.about = about;
    streaming two = one;
    two.n_threads = 2;
    const contestant way[] = {{"icu-iterator", 0, 1, NULL, icu_alone, &one},
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
