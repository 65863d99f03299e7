/* count.c - counts the 3-grams of a text into a tensor and decomposes it: count FILE
 *     cc count.c -o count $(pkg-config --cflags --libs tributary) */
#include <stdio.h>
#include <stdlib.h>
#include <tributary/tributary.h>

static trib_error error;
static void check(trib_status status) {
    if (status == TRIB_OK) return;
    fprintf(stderr, "error: %s\n", error.message);
    exit(trib_status_get(status)->exit_status);
}

/* The words of a text: their spellings, and their numbers in order. */
typedef struct text {
    trib_intern words;
    uint32_t *id;
    size_t n, cap;
} text;

static trib_status add_word(void *context, const trib_token *token, trib_error *e) {
    text *t = (text *)context;
    trib_status status = trib_grow(&t->id, &t->cap, t->n + 1, sizeof *t->id, "words", e);
    if (status == TRIB_OK)
        status = trib_intern_add(&t->words, token->text, token->length, &t->id[t->n++], e);
    return status;
}

int main(int argc, char **argv) {
    static text t;
    static trib_token_options options; /* what is 0 is the default */
    static trib_cp_options cp;
    static trib_buffer bytes;
    trib_tokenizer *tokenizer;
    trib_reader reader;
    if (argc != 2) return fprintf(stderr, "usage: count FILE\n"), 2;
    options.letter_case = TRIB_CASE_FOLD, cp.rank = 5;
    check(trib_reader_open(&reader, argv[1], &error));
    check(trib_reader_all(&reader, &bytes, &error));
    check(trib_tokenizer_open(&tokenizer, &options, &error));
    trib_tokenizer_begin(tokenizer, argv[1], add_word, &t);
    check(trib_tokenizer_feed(tokenizer, bytes.text, bytes.length, &error));
    check(trib_tokenizer_end(tokenizer, NULL, &error));

    /* One mode for each word of a 3-gram; an index is the number of a word. */
    const uint32_t n = t.words.n_words, dim[3] = {n, n, n};
    trib_hacoo counts;
    check(trib_hacoo_init(&counts, 3, dim, NULL, &error));
    for (size_t i = 0; i + 3 <= t.n; i++) check(trib_hacoo_add(&counts, t.id + i, 1, &error));
    trib_tensor x;
    trib_ktensor k;
    check(trib_tensor_build(&x, NULL, &counts, NULL, 1, &error));
    check(trib_cp(&k, &x, &cp, NULL, &error));
    printf("%zu words, %zu different 3-grams, fit %.4f\n", t.n, x.nnz, k.fit);
    for (uint32_t r = 0; r < k.rank; r++) printf("component %u: %.3f\n", r + 1, k.lambda[r]);
    trib_ktensor_release(&k), trib_tensor_release(&x), trib_hacoo_release(&counts);
    trib_intern_release(&t.words), trib_free(t.id), trib_buffer_release(&bytes);
    trib_tokenizer_close(tokenizer), trib_reader_close(&reader);
    return 0;
}
