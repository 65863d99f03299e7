/* variants.c - a table of variants of words and their norms: modern spellings or lemmas, as VARD,
 * MorphAdorner and lemmatisers write them. */
#include "tokenizer/norms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 32 };

/* A cell of a line. */
typedef struct cell {
    const char *at;
    size_t length;
} cell;

/* A table while it is read. */
typedef struct reading {
    trib_variants *variants;
    const char *path;
    trib_speller spell;
    void *context;
    bool has_columns;                /* the first line has said which column is which */
    size_t form, norm, count;        /* columns; count MOST_COLUMNS: there is none */
    trib_intern pairs;               /* "form TAB norm" */
    uint32_t *pair_form, *pair_norm; /* [pairs.n_words] */
    uint64_t *n_times;               /* [pairs.n_words] */
    size_t form_cap, norm_cap, times_cap;
    trib_buffer pair;
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
    static const char *const norms[] = {"norm",   "normalised", "normalized", "standard",
                                        "modern", "lemma",      NULL};
    size_t form = MOST_COLUMNS, norm = MOST_COLUMNS;
    for (size_t i = n; i-- > 0;) {
        if (is_name(cells[i], forms)) form = i;
        if (is_name(cells[i], norms)) norm = i;
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

static trib_status add_pair(reading *r, uint32_t form, uint32_t norm, uint64_t n_times,
                            trib_error *error) {
    uint32_t id = 0;
    const size_t n = (size_t)r->pairs.n_words + 1;
    trib_buffer_clear(&r->pair);
    trib_status status =
        trib_buffer_print(&r->pair, error, "%lu\t%lu", (unsigned long)form, (unsigned long)norm);
    if (status == TRIB_OK) status = TRIB_GROW(&r->pair_form, &r->form_cap, n, "variants", error);
    if (status == TRIB_OK) status = TRIB_GROW(&r->pair_norm, &r->norm_cap, n, "variants", error);
    if (status == TRIB_OK) status = TRIB_GROW(&r->n_times, &r->times_cap, n, "variants", error);
    if (status == TRIB_OK)
        status = trib_intern_add(&r->pairs, r->pair.text, r->pair.length, &id, error);
    if (status != TRIB_OK) return status;
    if (id + 1 == n) r->pair_form[id] = form, r->pair_norm[id] = norm, r->n_times[id] = 0;
    r->n_times[id] += n_times;
    return TRIB_OK;
}

static bool is_missing(cell norm) {
    static const char *const none[] = {"<unknown>", "_", NULL};
    return norm.length == 0 || is_name(norm, none);
}

static trib_status take_line(void *context, const char *line, size_t length, size_t number,
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
        r->spell(r->context, cells[r->form].at, cells[r->form].length, &words, &n_words, error);
    if (status != TRIB_OK || n_words != 1) return status;
    status = trib_intern_add(&r->variants->forms, words, strlen(words), &form, error);
    if (status == TRIB_OK) status = r->spell(r->context, to.at, to.length, &words, &n_words, error);
    if (status == TRIB_OK && n_words == 0) /* a norm without a letter: the variant itself */
        words = trib_intern_word(&r->variants->forms, form);
    if (status == TRIB_OK)
        status = trib_intern_add(&r->variants->norms, words, strlen(words), &norm, error);
    return status == TRIB_OK ? add_pair(r, form, norm, n_times, error) : status;
}

/* Chooses the most frequent norm of every form. */
static trib_status choose(reading *r, trib_error *error) {
    trib_variants *v = r->variants;
    uint64_t *best = NULL;
    trib_status status = TRIB_NEW(&v->norm_of, v->forms.n_words, "variants", error);
    if (status == TRIB_OK) status = TRIB_NEW(&best, v->forms.n_words, "variants", error);
    for (uint32_t p = 0; p < r->pairs.n_words && status == TRIB_OK; p++) {
        const uint32_t form = r->pair_form[p];
        const uint64_t times = r->n_times[p] + 1; /* so that a count of 0 is a norm too */
        if (times > best[form]) best[form] = times, v->norm_of[form] = r->pair_norm[p];
    }
    trib_free(best);
    return status;
}

trib_status trib_variants_read(trib_variants *variants, const char *path, trib_speller spell,
                               void *context, trib_error *error) {
    reading r = {.variants = variants, .path = path, .spell = spell, .context = context};
    trib_status status = trib_table_lines(path, take_line, &r, error);
    if (status == TRIB_OK && variants->forms.n_words == 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: the table has no variant", path);
    if (status == TRIB_OK) status = choose(&r, error);
    trib_intern_release(&r.pairs);
    TRIB_FREE(r.pair_form, r.pair_norm, r.n_times);
    trib_buffer_release(&r.pair);
    return status;
}

void trib_variants_release(trib_variants *variants) {
    trib_intern_release(&variants->forms);
    trib_intern_release(&variants->norms);
    trib_free(variants->norm_of);
    *variants = (trib_variants){0};
}

const char *trib_variants_find(const trib_variants *variants, const char *form, size_t length) {
    const uint32_t id = trib_intern_find(&variants->forms, form, length);
    return id == UINT32_MAX ? NULL : trib_intern_word(&variants->norms, variants->norm_of[id]);
}
