/* norms.c - the norms of words: transform, table of variants, stem. A table of variants has words
 * and their norms, modern spellings or lemmas, as VARD, MorphAdorner and lemmatisers write them. */
#include "tokenizer/norms.h"

#include <ctype.h>
#include <strings.h>

#include "tokenizer/language.h"

struct trib_norms {
    trib_transform *transform; /* NULL: none */
    trib_intern forms, modern; /* the table of variants: words and norms, transformed already */
    uint32_t *norm_of;         /* [forms.n_words] number in `modern` */
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

/* Spells a cell of a table as its words are in a text, separated by spaces: *words receives a
 * zero-terminated text that is valid until the next call, *n_words their number. */
static trib_status spell(trib_norms *norms, const char *cell, size_t length, const char **words,
                         size_t *n_words, trib_error *error) {
    trib_buffer_clear(&norms->cell);
    norms->n_words = 0;
    const trib_status status = tokenize(norms, take_word, norms, cell, length, error);
    *words = norms->cell.text ? norms->cell.text : "";
    *n_words = norms->n_words;
    return status;
}

/* ---- A table of variants --------------------------------------------------------------------- */

enum { MOST_COLUMNS = 32 };

/* A cell of a line. */
typedef struct cell {
    const char *at;
    size_t length;
} cell;

/* A form and one of its norms. */
typedef struct pair {
    uint32_t form, norm;
    uint64_t n_times;
} pair;

/* A table while it is read. */
typedef struct reading {
    trib_norms *norms;
    const char *path;
    bool has_columns;         /* the first line has said which column is which */
    size_t form, norm, count; /* columns; count MOST_COLUMNS: there is none */
    trib_intern names;        /* "form TAB norm" */
    pair *pair;               /* [names.n_words] */
    size_t cap;
    trib_buffer name;
} reading;

static size_t cut(const char *line, size_t length, cell cells[MOST_COLUMNS]) {
    size_t n = 0;
    for (const char *at = line, *const end = line + length; n < MOST_COLUMNS;) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const char *stop = tab ? tab : end;
        cells[n++] = (cell){at, (size_t)(stop - at)};
        if (!tab) break;
        at = tab + 1;
    }
    return n;
}

static bool is_name(cell c, const char *const names[]) {
    for (size_t i = 0; names[i]; i++)
        if (strlen(names[i]) == c.length && strncasecmp(names[i], c.at, c.length) == 0) return true;
    return false;
}

static bool is_number(cell c) {
    bool digits = c.length > 0 && c.length < 16;
    for (size_t i = 0; i < c.length; i++) digits = digits && isdigit((unsigned char)c.at[i]);
    return digits;
}

/* Finds the columns in the first line; *is_header when it names them. */
static trib_status find_columns(reading *r, const cell cells[], size_t n, size_t number,
                                bool *is_header, trib_error *error) {
    static const char *const forms[] = {"variant", "form", "spelling", "word", "token", NULL};
    static const char *const modern[] = {"norm",   "normalised", "normalized", "standard",
                                         "modern", "lemma",      NULL};
    size_t form = MOST_COLUMNS, norm = MOST_COLUMNS;
    for (size_t i = n; i-- > 0;) {
        if (is_name(cells[i], forms)) form = i;
        if (is_name(cells[i], modern)) norm = i;
    }
    r->has_columns = true;
    r->count = MOST_COLUMNS;
    *is_header = form < MOST_COLUMNS && norm < MOST_COLUMNS;
    if (*is_header) r->form = form, r->norm = norm;
    else if (n == 2) r->form = 0, r->norm = 1;
    else if (n == 3 && is_number(cells[2])) r->form = 0, r->norm = 1, r->count = 2;
    else if (n == 3) r->form = 0, r->norm = 2;
    else if (n == 10) r->form = 1, r->norm = 2;
    else
        return trib_fail(error, TRIB_CONFIG,
                         "%s:%zu: not a table of variants: a line has a variant, a tab and its "
                         "norm; or write a first line with the names of the columns, such as "
                         "'variant' and 'norm'",
                         r->path, number);
    return TRIB_OK;
}

static trib_status add_pair(reading *r, pair added, trib_error *error) {
    uint32_t id = 0;
    const size_t n = (size_t)r->names.n_words + 1;
    trib_buffer_clear(&r->name);
    trib_status status = trib_buffer_print(&r->name, error, "%lu\t%lu", (unsigned long)added.form,
                                           (unsigned long)added.norm);
    if (status == TRIB_OK) status = TRIB_GROW(&r->pair, &r->cap, n, "variants", error);
    if (status == TRIB_OK)
        status = trib_intern_add(&r->names, r->name.text, r->name.length, &id, error);
    if (status != TRIB_OK) return status;
    if (id + 1 == n) r->pair[id] = added;
    else r->pair[id].n_times += added.n_times;
    return TRIB_OK;
}

static bool is_missing(cell norm) {
    static const char *const none[] = {"<unknown>", "_", NULL};
    return norm.length == 0 || is_name(norm, none);
}

static trib_status take_variant(void *context, const char *line, size_t length, size_t number,
                                trib_error *error) {
    reading *r = context;
    cell cells[MOST_COLUMNS];
    const size_t n = cut(line, length, cells);
    const char *words = NULL;
    size_t n_words = 0;
    bool is_header = false;
    uint32_t form = 0, norm = 0;
    if (!r->has_columns) {
        const trib_status status = find_columns(r, cells, n, number, &is_header, error);
        if (status != TRIB_OK || is_header) return status;
    }
    if (n <= r->form || n <= r->norm)
        return trib_fail(error, TRIB_CONFIG, "%s:%zu: has %zu columns; the norm is column %zu",
                         r->path, number, n, (r->norm > r->form ? r->norm : r->form) + 1);
    cell to = cells[r->norm];
    const char *bar = memchr(to.at, '|', to.length); /* several lemmas */
    if (bar && bar > to.at) to.length = (size_t)(bar - to.at);
    if (is_missing(to)) return TRIB_OK;
    const uint64_t n_times =
        r->count < n && is_number(cells[r->count]) ? strtoull(cells[r->count].at, NULL, 10) : 1;
    trib_status status =
        spell(r->norms, cells[r->form].at, cells[r->form].length, &words, &n_words, error);
    if (status != TRIB_OK || n_words != 1) return status;
    status = trib_intern_add(&r->norms->forms, words, strlen(words), &form, error);
    if (status == TRIB_OK) status = spell(r->norms, to.at, to.length, &words, &n_words, error);
    if (status == TRIB_OK && n_words == 0) /* a norm without a letter: the variant itself */
        words = trib_intern_word(&r->norms->forms, form);
    if (status == TRIB_OK)
        status = trib_intern_add(&r->norms->modern, words, strlen(words), &norm, error);
    return status == TRIB_OK ? add_pair(r, (pair){form, norm, n_times}, error) : status;
}

/* Chooses the most frequent norm of every form. */
static trib_status choose(const reading *r, trib_error *error) {
    trib_norms *norms = r->norms;
    TRIB_FREED(uint64_t *) best = NULL;
    trib_status status = TRIB_NEW(&norms->norm_of, norms->forms.n_words, "variants", error);
    if (status == TRIB_OK) status = TRIB_NEW(&best, norms->forms.n_words, "variants", error);
    for (uint32_t p = 0; p < r->names.n_words && status == TRIB_OK; p++) {
        const uint32_t form = r->pair[p].form;
        const uint64_t times = r->pair[p].n_times + 1; /* so that a count of 0 is a norm too */
        if (times > best[form]) best[form] = times, norms->norm_of[form] = r->pair[p].norm;
    }
    return status;
}

/* Reads a table, of which every cell is spelt. Lines whose variant is not one word are skipped,
 * since a variant stands for one word. */
static trib_status read_variants(trib_norms *norms, const char *path, trib_error *error) {
    reading r = {.norms = norms, .path = path};
    trib_status status = trib_table_lines(path, take_variant, &r, error);
    if (status == TRIB_OK && norms->forms.n_words == 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: the table has no variant", path);
    if (status == TRIB_OK) status = choose(&r, error);
    trib_intern_release(&r.names);
    trib_free(r.pair);
    trib_buffer_release(&r.name);
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
        status = read_variants(made, options->variants, error);
    if (status == TRIB_OK) *norms = made;
    else trib_norms_close(made);
    return status;
}

void trib_norms_close(trib_norms *norms) {
    if (!norms) return;
    trib_transform_close(norms->transform);
    trib_intern_release(&norms->forms);
    trib_intern_release(&norms->modern);
    trib_stemmers_close(&norms->stemmers);
    trib_tokenizer_close(norms->tokenizer);
    trib_buffer_release(&norms->cell);
    TRIB_FREE(norms->norm_of, norms);
}

/* ---- Norms ----------------------------------------------------------------------------------- */

trib_status trib_norms_of(trib_norms *norms, uint32_t language, const char *word, size_t length,
                          const char **norm, size_t *n, trib_error *error) {
    trib_status status = TRIB_OK;
    if (norms->transform)
        status = trib_transform_do(norms->transform, word, length, &word, &length, error);
    const uint32_t form = status == TRIB_OK && norms->forms.n_words > 0
                              ? trib_intern_find(&norms->forms, word, length)
                              : UINT32_MAX;
    if (form != UINT32_MAX) {
        word = trib_intern_word(&norms->modern, norms->norm_of[form]);
        length = strlen(word);
    }
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
