/* norms.c - the norms of words: transform, table of variants, stem. */
#include "tokenizer/norms.h"
#include "tokenizer/language.h"

#include <string.h>

struct trib_norms {
    trib_transform *transform; /* NULL: none */
    trib_variants variants;    /* its forms and norms are transformed already */
    trib_stemmers stemmers;
    trib_tokenizer *tokenizer; /* spells the words of tables */
    trib_buffer cell;          /* a cell of a table as its words are spelt */
    size_t n_words;            /* in `cell` */
};

/* ---- Words of tables ------------------------------------------------------------------------- */

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    trib_norms *norms = context;
    const char *word = token->text;
    size_t n = token->length;
    trib_status status = TRIB_OK;
    if (norms->transform) status = trib_transform_do(norms->transform, word, n, &word, &n, error);
    if (status == TRIB_OK && norms->n_words++ > 0)
        status = trib_buffer_add(&norms->cell, " ", 1, error);
    return status == TRIB_OK ? trib_buffer_add(&norms->cell, word, n, error) : status;
}

static trib_status tokenize(trib_norms *norms, trib_token_sink sink, void *context,
                            const char *text, size_t length, trib_error *error) {
    trib_tokenizer_begin(norms->tokenizer, "a table of words", sink, context);
    trib_status status = trib_tokenizer_feed(norms->tokenizer, text, length, error);
    const trib_status ended =
        trib_tokenizer_end(norms->tokenizer, NULL, status == TRIB_OK ? error : NULL);
    return status == TRIB_OK ? ended : status;
}

static trib_status spell(void *context, const char *cell, size_t length, const char **words,
                         size_t *n_words, trib_error *error) {
    trib_norms *norms = context;
    trib_buffer_clear(&norms->cell);
    norms->n_words = 0;
    const trib_status status = tokenize(norms, take_word, norms, cell, length, error);
    *words = norms->cell.text ? norms->cell.text : "";
    *n_words = norms->n_words;
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

trib_status trib_norms_open(trib_norms **norms, const trib_norm_options *options,
                            trib_error *error) {
    trib_token_options tokens = options->tokens;
    trib_norms *made = NULL;
    *norms = NULL;
    trib_status status = TRIB_NEW(&made, 1, "the norms of words", error);
    if (status != TRIB_OK) return status;
    tokens.encoding = NULL; /* tables are UTF-8, whatever the encoding of the texts */
    tokens.break_at_sentence = tokens.break_at_paragraph = false;
    tokens.on_invalid = TRIB_INVALID_ERROR;
    status = trib_tokenizer_open(&made->tokenizer, &tokens, error);
    if (status == TRIB_OK && options->transform)
        status = trib_transform_open(&made->transform, options->transform, options->transform_path,
                                     error);
    if (status == TRIB_OK && options->stem && strcmp(options->stem, "none") != 0)
        status = trib_stemmers_open(&made->stemmers, options->stem, error);
    if (status == TRIB_OK && options->variants)
        status = trib_variants_read(&made->variants, options->variants, spell, made, error);
    if (status == TRIB_OK) *norms = made;
    else trib_norms_close(made);
    return status;
}

void trib_norms_close(trib_norms *norms) {
    if (!norms) return;
    trib_transform_close(norms->transform);
    trib_variants_release(&norms->variants);
    trib_stemmers_close(&norms->stemmers);
    trib_tokenizer_close(norms->tokenizer);
    trib_buffer_release(&norms->cell);
    trib_free(norms);
}

/* ---- Norms ----------------------------------------------------------------------------------- */

trib_status trib_norms_of(trib_norms *norms, uint32_t language, const char *word, size_t length,
                          const char **norm, size_t *n, trib_error *error) {
    trib_status status = TRIB_OK;
    if (norms->transform)
        status = trib_transform_do(norms->transform, word, length, &word, &length, error);
    const char *modern = status == TRIB_OK && norms->variants.forms.n_words > 0
                             ? trib_variants_find(&norms->variants, word, length)
                             : NULL;
    if (modern) word = modern, length = strlen(modern);
    if (status == TRIB_OK && norms->stemmers.n > 0) {
        const char *stem = NULL;
        size_t n_stem = 0;
        status =
            trib_stemmers_stem(&norms->stemmers, language, word, length, &stem, &n_stem, error);
        if (status == TRIB_OK && n_stem > 0) word = stem, length = n_stem;
    }
    *norm = word;
    *n = length;
    return status;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* A list of words while it is read. */
typedef struct listing {
    trib_norms *norms;
    uint32_t language;
    trib_intern *list;
} listing;

static trib_status add_norm(void *context, const trib_token *token, trib_error *error) {
    const listing *l = context;
    const char *norm;
    size_t n;
    uint32_t id;
    const trib_status status =
        trib_norms_of(l->norms, l->language, token->text, token->length, &norm, &n, error);
    return status == TRIB_OK ? trib_intern_add(l->list, norm, n, &id, error) : status;
}

static trib_status take_line(void *context, const char *line, size_t length, size_t number,
                             trib_error *error) {
    listing *l = context;
    const char *bar = memchr(line, '|', length);
    (void)number;
    return tokenize(l->norms, add_norm, l, line, bar ? (size_t)(bar - line) : length, error);
}

trib_status trib_norms_read_list(trib_norms *norms, uint32_t language, const char *path,
                                 trib_intern *list, trib_error *error) {
    listing l = {norms, language, list};
    const uint32_t n_before = list->n_words;
    const trib_status status = trib_table_lines(path, take_line, &l, error);
    if (status != TRIB_OK || list->n_words > n_before) return status;
    return trib_fail(error, TRIB_CONFIG, "%s: the list has no word", path);
}
