/* dictionary.c - reads a dictionary of two languages: that of a dictd server, whose index has word,
 * place and length in base 64, or a table of word and words. What a head word stands for is read
 * only where a text has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/stages/tokens.h"
#include "pipeline/stages/translations.h"
#include "tokenizer/norms.h"

enum { MOST_MEANINGS = 12, LEAST_COMMON = 4, MOST_ENDING = 3, HEAD_MAX = 80 };
static const char what[] = "a dictionary";

/* A head word and what it stands for: bytes from .. from + length - 1 of the dictionary. */
typedef struct entry {
    char head[HEAD_MAX];
    size_t from, length;
    double weight; /* 0: divided among its words */
} entry;
TRIB_ORDER(by_head, entry, strcmp(x->head, y->head) ?: TRIB_UP(from) ?: TRIB_UP(length));

/* `{0}` is empty. */
typedef struct dictionary {
    const char *path;
    bool is_dictd;
    trib_buffer text;
    entry *entry; /* [n] sorted */
    size_t n, cap;
    trib_tokenizer *tokenizer;
    const trib_intern *words;
    char meaning[MOST_MEANINGS][HEAD_MAX]; /* the words that were cut last */
    size_t n_meanings;
} dictionary;

/* ---- Reading --------------------------------------------------------------------------------- */

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    dictionary *const d = context;
    (void)error;
    if (d->n_meanings < MOST_MEANINGS)
        snprintf(d->meaning[d->n_meanings++], HEAD_MAX, "%s", token->text);
    return TRIB_OK;
}

static trib_status cut(dictionary *d, const char *text, size_t length, trib_error *error) {
    d->n_meanings = 0;
    trib_tokenizer_begin(d->tokenizer, d->path, take_word, d);
    const trib_status status = trib_tokenizer_feed(d->tokenizer, text, length, error),
                      ended = trib_tokenizer_end(d->tokenizer, NULL, error);
    return status == TRIB_OK ? ended : status;
}

/* Reads a number in base 64; false: it is none. */
static bool read_number(const char *text, const char *end, size_t *value) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    *value = 0;
    for (const char *at = text; at < end; at++) {
        const char *const digit = *at ? strchr(digits, *at) : NULL;
        if (!digit || *value >> 40 > 0) return false;
        *value = *value << 6 | (size_t)(digit - digits);
    }
    return end > text;
}

/* Takes a line of an index or a table. Head words of several words are left out. */
static trib_status take_line(void *context, const char *line, size_t length, size_t number,
                             trib_error *error) {
    dictionary *const d = context;
    const char *const end = line + length, *const tab = memchr(line, '\t', length);
    const char *const next = tab ? memchr(tab + 1, '\t', (size_t)(end - tab) - 1) : NULL;
    entry e = {.from = d->text.length};
    char weight[TRIB_NUMBER_MAX] = "";
    bool is_right = tab && (tab > line || d->is_dictd) && tab + 1 < (next ? next : end);
    trib_status status = TRIB_OK;
    if (is_right && d->is_dictd) {
        const char *more = next ? memchr(next + 1, '\t', (size_t)(end - next) - 1) : NULL;
        is_right = next && read_number(tab + 1, next, &e.from) &&
                   read_number(next + 1, more ? more : end, &e.length) &&
                   e.from + e.length <= d->text.length;
        d->n_meanings = tab > line && !memchr(line, ' ', (size_t)(tab - line)) ? 1 : 2;
        snprintf(d->meaning[0], HEAD_MAX, "%.*s",
                 (int)(tab - line < HEAD_MAX ? tab - line : HEAD_MAX), line);
    } else if (is_right) {
        e.length = (size_t)((next ? next : end) - tab) - 1;
        if (next) snprintf(weight, sizeof weight, "%.*s", (int)(end - next) - 1, next + 1);
        is_right = !next || (trib_read_double(weight, &e.weight) && e.weight > 0 && e.weight <= 1);
        status = trib_buffer_add(&d->text, tab + 1, e.length, error);
        if (status == TRIB_OK) status = cut(d, line, (size_t)(tab - line), error);
    }
    if (!is_right)
        return trib_fail(error, TRIB_INPUT, "%s:%zu: is no line of a dictionary: %s", d->path,
                         number,
                         d->is_dictd ? "word, tab, place, tab, length, of what its .dict has"
                                     : "word, tab, words, and perhaps tab, weight up to 1");
    if (status != TRIB_OK || d->n_meanings != 1) return status;
    status = TRIB_GROW(&d->entry, &d->cap, d->n + 1, what, error);
    if (status != TRIB_OK) return status;
    memcpy(e.head, d->meaning[0], HEAD_MAX);
    d->entry[d->n++] = e;
    return TRIB_OK;
}

/* Reads the text of a dictionary of dictd, packed or not. */
static trib_status read_text(dictionary *d, const char *ending, trib_error *error) {
    TRIB_OWNED(trib_buffer) path = {0};
    trib_reader reader;
    trib_status status =
        trib_buffer_print(&path, error, "%.*s%s", (int)(strlen(d->path) - 6), d->path, ending);
    if (status == TRIB_OK) status = trib_reader_open(&reader, path.text, error);
    if (status == TRIB_OK) {
        status = trib_reader_unpack(&reader, error);
        if (status == TRIB_OK) status = trib_reader_all(&reader, &d->text, error);
        trib_reader_close(&reader);
    }
    return status;
}

/* ---- Looking up ------------------------------------------------------------------------------ */

/* The characters that two words have in common at their beginnings. */
static size_t n_common(const char *a, const char *b) {
    size_t n = 0;
    while (*a && *a == *b) {
        n += ((unsigned char)*a & 0xC0) != 0x80;
        a++, b++;
    }
    return n - (n > 0 && ((unsigned char)*a & 0xC0) == 0x80); /* not within a character */
}

TRIB_SEARCH(first_entry, entry, const char *, strcmp(x->head, key) < 0);

/* The head word of a word, or else that with the longest common beginning; *n receives the number
 * of its entries. NULL: there is none. */
static const entry *look_up(const dictionary *d, const char *word, size_t *n) {
    size_t low = first_entry(d->entry, d->n, word);
    const size_t after = low < d->n ? n_common(d->entry[low].head, word) : 0,
                 before = low > 0 ? n_common(d->entry[low - 1].head, word) : 0;
    const size_t most = after >= before ? after : before;
    const bool is_equal = low < d->n && strcmp(d->entry[low].head, word) == 0;
    if (!is_equal && (most < LEAST_COMMON || most + MOST_ENDING < n_common(word, word)))
        return NULL;
    if (!is_equal && after < before)
        for (low--; low > 0 && strcmp(d->entry[low - 1].head, d->entry[low].head) == 0;) low--;
    for (*n = 1; low + *n < d->n && strcmp(d->entry[low].head, d->entry[low + *n].head) == 0;) ++*n;
    return &d->entry[low];
}

/* Reads what an entry stands for: of dictd the lines after the first, without what is in brackets
 * and lines such as "Note: ...". */
static trib_status read_meanings(dictionary *d, const entry *e, trib_error *error) {
    TRIB_OWNED(trib_buffer) plain = {0};
    const char *at = d->text.text + e->from, *const end = at + e->length;
    int depth = 0;
    if (!d->is_dictd) return cut(d, at, e->length, error);
    for (size_t line = 0; at < end; line++) {
        const char *const lf = memchr(at, '\n', (size_t)(end - at)), *const stop = lf ? lf : end;
        const bool is_note = *at == ' ' && memchr(at, ':', (size_t)(stop - at));
        for (; at < stop; at++) {
            depth += *at == '(' || *at == '[' || *at == '{' || *at == '<';
            if (line > 0 && !is_note && depth == 0) trib_buffer_add(&plain, at, 1, error);
            depth -= depth > 0 && (*at == ')' || *at == ']' || *at == '}' || *at == '>');
        }
        trib_buffer_add(&plain, " ", 1, error);
        at = stop + 1;
        depth = 0;
    }
    trib_status status = trib_buffer_add(&plain, "", 0, error);
    return status == TRIB_OK ? cut(d, plain.text, plain.length, error) : status;
}

/* Adds what the dictionary says of the words of the target. */
static trib_status add_seeds(trib_word_table *seeds, dictionary *d, const uint8_t side[],
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t w = 0; w < d->words->n_words && status == TRIB_OK; w++) {
        size_t n = 0, n_meanings = 0;
        const size_t first = seeds->n;
        const entry *e = side[w] & 1 ? look_up(d, trib_intern_word(d->words, w), &n) : NULL;
        for (; n > 0 && status == TRIB_OK; n--, e++) {
            status = read_meanings(d, e, error);
            n_meanings += e->weight > 0 ? 0 : d->n_meanings;
            for (size_t k = 0; k < d->n_meanings && status == TRIB_OK; k++) {
                const char *const meaning = d->meaning[k];
                const uint32_t v = trib_intern_find(d->words, meaning, strlen(meaning));
                if (v != TRIB_NO_WORD && side[v] & 2)
                    status = trib_word_table_add(seeds, w, v, (float)e->weight, error);
            }
        }
        for (size_t i = first; i < seeds->n; i++)
            if (!(seeds->pair[i].weight > 0)) seeds->pair[i].weight = 1 / (float)n_meanings;
    }
    return status;
}

/* Makes of a dictionary whose head words are of the source one of the target. */
static trib_status invert(dictionary *d, dictionary *made, const uint8_t side[],
                          trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t w = 0; w < d->words->n_words && status == TRIB_OK; w++) {
        const char *const word = trib_intern_word(d->words, w);
        size_t n = 0;
        const entry *e = side[w] & 2 ? look_up(d, word, &n) : NULL;
        entry of = {.from = made->text.length, .length = strlen(word)};
        status = trib_buffer_add(&made->text, word, of.length, error);
        for (; n > 0 && status == TRIB_OK; n--, e++) {
            status = read_meanings(d, e, error);
            of.weight = e->weight;
            for (size_t k = 0; k < d->n_meanings && status == TRIB_OK; k++) {
                memcpy(of.head, d->meaning[k], HEAD_MAX);
                status = TRIB_APPEND(&made->entry, &made->n, &made->cap, what, error, &of);
            }
        }
    }
    if (made->n > 0) qsort(made->entry, made->n, sizeof *made->entry, by_head);
    return status;
}

/* Reads the head words of a dictionary. */
static trib_status open_dictionary(dictionary *d, const char *path, const trib_intern *words,
                                   const trib_config *config, trib_error *error) {
    trib_token_options options = trib_config_token_options(config);
    const size_t length = strlen(path);
    *d = (dictionary){.path = path,
                      .words = words,
                      .is_dictd = length > 6 && strcmp(path + length - 6, ".index") == 0};
    options.encoding = NULL;
    options.on_invalid = TRIB_INVALID_REPLACE;
    trib_status status = trib_tokenizer_open(&d->tokenizer, &options, error);
    if (status == TRIB_OK && d->is_dictd && read_text(d, ".dict.dz", NULL) != TRIB_OK) {
        trib_buffer_clear(&d->text);
        status = read_text(d, ".dict", error);
    }
    if (status == TRIB_OK) status = trib_table_lines(path, take_line, d, error);
    if (d->n > 0) qsort(d->entry, d->n, sizeof *d->entry, by_head);
    return status;
}

static void close_dictionary(dictionary *d) {
    trib_tokenizer_close(d->tokenizer);
    trib_buffer_release(&d->text);
    trib_free(d->entry);
}

/* Hands out what an entry stands for; of one in the other language, its head word. */
static trib_status take_meanings(dictionary *d, const entry *e, uint32_t word,
                                 trib_meaning_sink *take, void *context, trib_error *error) {
    trib_status status = read_meanings(d, e, error);
    for (size_t k = 0; k < d->n_meanings && status == TRIB_OK; k++) {
        const char *const meaning = d->meaning[k];
        const uint32_t w = trib_intern_find(d->words, meaning, strlen(meaning));
        if (word != TRIB_NO_WORD) status = take(context, word, meaning, error);
        else if (w != TRIB_NO_WORD) status = take(context, w, e->head, error);
    }
    return status;
}

trib_status trib_dictionary_translate(const char *path, const trib_intern *words,
                                      const trib_config *config, trib_meaning_sink *take,
                                      void *context, trib_error *error) {
    enum { FEW = 4 };
    dictionary d;
    uint32_t n_known = 0;
    size_t n = 0;
    trib_status status = open_dictionary(&d, path, words, config, error);
    for (uint32_t w = 0; w < words->n_words && status == TRIB_OK; w++) {
        const char *const word = trib_intern_word(words, w);
        const entry *const e = look_up(&d, word, &n);
        n_known += e && strcmp(e->head, word) == 0;
    }
    const bool is_of_others = FEW * n_known < words->n_words; /* its head words are not theirs */
    for (size_t i = 0; is_of_others && i < d.n && status == TRIB_OK; i++)
        status = take_meanings(&d, &d.entry[i], TRIB_NO_WORD, take, context, error);
    for (uint32_t w = 0; !is_of_others && w < words->n_words && status == TRIB_OK; w++) {
        const entry *e = look_up(&d, trib_intern_word(words, w), &n);
        for (; e && n > 0 && status == TRIB_OK; n--, e++)
            status = take_meanings(&d, e, w, take, context, error);
    }
    close_dictionary(&d);
    return status;
}

trib_status trib_dictionary_read(trib_word_table *seeds, const char *path, const uint8_t side[],
                                 const trib_config *config, const trib_intern *words,
                                 trib_error *error) {
    dictionary d;
    size_t n_known[2] = {0, 0}, n;
    trib_status status = open_dictionary(&d, path, words, config, error);
    for (uint32_t w = 0; w < words->n_words && status == TRIB_OK; w++) {
        const char *const word = trib_intern_word(words, w);
        const entry *const e = side[w] > 0 && side[w] < 3 ? look_up(&d, word, &n) : NULL;
        if (e && strcmp(e->head, word) == 0) n_known[side[w] - 1]++;
    }
    dictionary inverted = {.path = path, .words = words, .tokenizer = d.tokenizer};
    const bool is_of_source = n_known[1] > n_known[0]; /* its head words are in that language */
    if (status == TRIB_OK && is_of_source) status = invert(&d, &inverted, side, error);
    if (status == TRIB_OK) status = add_seeds(seeds, is_of_source ? &inverted : &d, side, error);
    trib_buffer_release(&inverted.text);
    trib_free(inverted.entry);
    close_dictionary(&d);
    return status;
}
