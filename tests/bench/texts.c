/* texts.c - the words of a text, numbered by descending frequency. */
#include "tests/bench/bench.h"
#include "tokenizer/tokenizer.h"

typedef struct words {
    trib_intern intern;
    bench_text *text;
} words;

static trib_status add_word(words *w, const char *word, size_t length, trib_error *error) {
    bench_text *text = w->text;
    const trib_status status =
        trib_grow(&text->id, &text->cap, text->n_words + 1, sizeof *text->id, "words", error);
    if (status != TRIB_OK) return status;
    return trib_intern_add(&w->intern, word, length, &text->id[text->n_words++], error);
}

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    return add_word(context, token->text, token->length, error);
}

static trib_status cut_with_tokenizer(words *w, trib_error *error) {
    trib_tokenizer *tokenizer = NULL;
    const trib_token_options options = {.letter_case = TRIB_CASE_FOLD,
                                        .on_invalid = TRIB_INVALID_REPLACE};
    trib_status status = trib_tokenizer_open(&tokenizer, &options, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(tokenizer, w->text->name, take_word, w);
    status = trib_tokenizer_feed(tokenizer, w->text->bytes.text, w->text->bytes.length, error);
    if (status == TRIB_OK) status = trib_tokenizer_end(tokenizer, NULL, error);
    trib_tokenizer_close(tokenizer);
    return status;
}

static bool is_letter(char *c) {
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    return *c >= 'a' && *c <= 'z';
}

/* Runs of a to z, in small letters from here on. */
static trib_status cut_at_letters(words *w, trib_error *error) {
    char *bytes = w->text->bytes.text;
    const size_t length = w->text->bytes.length;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < length && status == TRIB_OK; i++) {
        size_t end = i;
        while (end < length && is_letter(&bytes[end])) end++;
        if (end > i) status = add_word(w, bytes + i, end - i, error);
        i = end;
    }
    return status;
}

void bench_text_number(bench_text *text) {
    text->n_words = 0;
    words w = {.text = text};
    trib_vocab vocab = {0};
    const bool letters = strcmp(text->name, "gcide") == 0;
    bench_must(letters ? cut_at_letters(&w, &bench_error) : cut_with_tokenizer(&w, &bench_error));
    const size_t n = w.intern.n_words;
    uint64_t *count = bench_new(n, sizeof *count);
    uint32_t *n_documents = bench_new(n, sizeof *n_documents), *final = bench_new(n, sizeof *final);
    for (size_t i = 0; i < text->n_words; i++) count[text->id[i]]++;
    for (size_t i = 0; i < n; i++) n_documents[i] = 1;
    bench_must(trib_vocab_build(&vocab, &w.intern, count, n_documents, &(trib_vocab_options){0},
                                final, &bench_error));
    for (size_t i = 0; i < text->n_words; i++) text->id[i] = final[text->id[i]];
    text->n_types = vocab.n_words;
    trib_vocab_release(&vocab);
    trib_intern_release(&w.intern);
    free(count);
    free(n_documents);
    free(final);
}

/* 800 000 words, the r-th commonest of 12 000 with probability about 1/r, spelt in letters. */
static void draw_text(bench_text *text) {
    trib_random random;
    trib_random_seed(&random, 1);
    for (int i = 0; i < 800000; i++) {
        char word[8];
        size_t length = 0;
        uint32_t r = (uint32_t)exp(trib_random_unit(&random) * log(12000));
        for (; r > 0; r /= 26) word[length++] = (char)('a' + r % 26);
        word[length++] = i % 12 == 11 ? '\n' : ' ';
        bench_must(trib_buffer_add(&text->bytes, word, length, &bench_error));
    }
}

void bench_text_open(bench_text *text, const char *path) {
    static char name[256]; /* of the file, without its folder and after the first dot */
    if (path) {
        const char *slash = strrchr(path, '/');
        snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
        name[strcspn(name, ".")] = 0;
        text->name = name;
        bench_must(trib_read_whole(path, &text->bytes, &bench_error));
    } else {
        text->name = "zipf";
        draw_text(text);
    }
    bench_text_number(text);
    fprintf(stderr, "%s: %zu bytes, %zu words, %u types; kernels: %s\n", text->name,
            text->bytes.length, text->n_words, text->n_types, trib_kernel_set());
}

void bench_text_close(bench_text *text) {
    trib_free(text->id);
    trib_buffer_release(&text->bytes);
}

void bench_ngrams(trib_hacoo *table, const bench_text *text, uint32_t n, size_t first,
                  size_t n_words) {
    uint32_t dim[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n; m++) dim[m] = text->n_types;
    bench_must(trib_hacoo_init(table, n, dim, NULL, &bench_error));
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, table, NULL);
    for (size_t i = first; i + n <= first + n_words; i++)
        bench_must(trib_hacoo_stream_push(&stream, text->id + i, 1, &bench_error));
    bench_must(trib_hacoo_stream_flush(&stream, &bench_error));
}
