/* language.c - learns a language from texts: a Markov chain of order 2 over the commonest words,
 * marks and classes of words. A class stands for any word of it, so that the chain has many ways on
 * from everywhere and never repeats its texts for long. */
#include "base/internal.h"
#include "tests/rehearsal/rehearsal.h"

#include <ctype.h>

enum { TABLE = 1 << 20 };

typedef struct type {
    word word;
    uint32_t count;
    uint16_t symbol;
} type;

static bool is_letter(char c) { return isalpha((unsigned char)c) != 0; }

static bool ends_with(const word *w, const char *tail) {
    const size_t n = strlen(tail);
    return w->length > n + 2 && memcmp(w->text + w->length - n, tail, n) == 0;
}

static uint16_t class_of(const word *w) {
    if (isupper((unsigned char)w->text[0])) return A_NAME;
    if (ends_with(w, "ing")) return AN_ING;
    if (ends_with(w, "ed")) return AN_ED;
    if (ends_with(w, "ly")) return AN_LY;
    if (ends_with(w, "s")) return AN_S;
    return w->length <= 5 ? A_SHORT : A_LONG;
}

/* Reads the next word; *end is the mark before the one that follows it. A word at the beginning of
 * a sentence becomes lower case, and so does one in capitals. */
static bool next_word(char **at, char *to, word *w, bool *begins) {
    bool stop = *begins;
    while (*at < to && !is_letter(**at)) {
        if (**at == '.' || **at == '?' || **at == '!') stop = true;
        (*at)++;
    }
    char *from = *at;
    while (*at < to && is_letter(**at)) (*at)++;
    size_t n = (size_t)(*at - from);
    if (n == 0) return false;
    if (n >= LONGEST_WORD) n = LONGEST_WORD - 1;
    if (stop || (n > 1 && isupper((unsigned char)from[1])))
        for (size_t i = 0; i < n; i++) from[i] = (char)tolower((unsigned char)from[i]);
    *begins = false;
    for (const char *c = *at; c < to && !is_letter(*c) && *c != '\n'; c++)
        if (*c == '.' || *c == '?' || *c == '!') *begins = true;
    *w = (word){.text = from, .length = (uint8_t)n, .end = *begins ? STOP : SPACE};
    if (!*begins && *at < to && (**at == ',' || **at == ';' || **at == ':')) w->end = COMMA;
    return true;
}

static type *find(type *table, const word *w) {
    for (uint64_t i = trib_checksum(w->text, w->length);; i++) {
        type *t = &table[i % TABLE];
        if (t->count == 0) t->word = *w;
        if (t->word.length == w->length && memcmp(t->word.text, w->text, w->length) == 0) return t;
    }
}

static int commonest_first(const void *a, const void *b) {
    const type *x = *(type *const *)a, *y = *(type *const *)b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    const size_t n = x->word.length < y->word.length ? x->word.length : y->word.length;
    const int order = memcmp(x->word.text, y->word.text, n);
    return order != 0 ? order : (int)x->word.length - (int)y->word.length;
}

/* The commonest words are symbols, all others members of their class. */
static void name_symbols(language *l, type *table) {
    type **all = reserve(TABLE, sizeof(type *));
    size_t n = 0;
    for (size_t i = 0; i < TABLE; i++)
        if (table[i].count > 0) {
            table[i].symbol = class_of(&table[i].word);
            all[n++] = &table[i];
        }
    qsort(all, n, sizeof *all, commonest_first);
    size_t k = 0;
    for (size_t i = 0; i < n && k < N_COMMON; i++)
        if (all[i]->symbol != A_NAME || all[i]->word.length == 1) {
            all[i]->symbol = (uint16_t)k;
            l->common[k++] = all[i]->word;
        }
    free(all);
    if (k < N_COMMON) fail("the pools have too few words");
}

static void read_pools(language *l, char **pools, int n_pools) {
    trib_error error = {0};
    for (int i = 0; i < n_pools; i++)
        if (trib_read_whole(pools[i], &l->text, &error) != TRIB_OK ||
            trib_buffer_add(&l->text, "\n", 1, &error) != TRIB_OK)
            fail(error.message);
}

/* Sorts the successors by their two predecessors, by counting. */
static void link_symbols(language *l, const uint16_t *sequence, size_t n) {
    const size_t n_pairs = (size_t)N_SYMBOLS * N_SYMBOLS;
    l->from = reserve(n_pairs + 2, sizeof *l->from);
    l->symbol = reserve(n, sizeof *l->symbol);
    for (size_t i = 2; i < n; i++) l->from[sequence[i - 2] * N_SYMBOLS + sequence[i - 1] + 2]++;
    for (size_t k = 2; k < n_pairs + 2; k++) l->from[k] += l->from[k - 1];
    for (size_t i = 2; i < n; i++)
        l->symbol[l->from[sequence[i - 2] * N_SYMBOLS + sequence[i - 1] + 1]++] = sequence[i];
}

void learn(language *l, char **pools, int n_pools) {
    read_pools(l, pools, n_pools);
    const size_t length = l->text.length;
    type *table = reserve(TABLE, sizeof *table);
    word *list = reserve(length / 2 + 1, sizeof *list);
    size_t n = 0, n_symbols = 0;
    bool begins = true;
    for (char *at = l->text.text, *to = at + length; next_word(&at, to, &list[n], &begins); n++)
        find(table, &list[n])->count++;
    name_symbols(l, table);
    uint16_t *sequence = reserve(2 * n, sizeof *sequence);
    for (int c = 0; c < N_CLASSES; c++) l->of[c] = reserve(n, sizeof(word));
    for (size_t i = 0; i < n; i++) {
        const uint16_t symbol = find(table, &list[i])->symbol;
        sequence[n_symbols++] = symbol;
        if (symbol >= FIRST_CLASS)
            l->of[symbol - FIRST_CLASS][l->n_of[symbol - FIRST_CLASS]++] = list[i];
        if (list[i].end == STOP) sequence[n_symbols++] = A_STOP;
        if (list[i].end == COMMA) sequence[n_symbols++] = A_COMMA;
    }
    link_symbols(l, sequence, n_symbols);
    free(sequence);
    free(list);
    free(table);
}

void release_language(language *l) {
    trib_buffer_release(&l->text);
    free(l->from);
    free(l->symbol);
    for (int c = 0; c < N_CLASSES; c++) free(l->of[c]);
}

/* The head of one word and the tail of another. */
size_t invent(const language *l, uint64_t number, char to[LONGEST_WORD]) {
    trib_random random;
    trib_random_seed(&random, number);
    const word *list = l->of[A_LONG - FIRST_CLASS];
    const size_t n = l->n_of[A_LONG - FIRST_CLASS];
    const word *head = &list[trib_random_below(&random, n)];
    const word *tail = &list[trib_random_below(&random, n)];
    const size_t n_head = (size_t)head->length / 2 + trib_random_below(&random, 2);
    size_t n_tail = (size_t)tail->length / 2;
    if (n_head + n_tail >= LONGEST_WORD) n_tail = LONGEST_WORD - 1 - n_head;
    memcpy(to, head->text, n_head);
    memcpy(to + n_head, tail->text + tail->length - n_tail, n_tail);
    return n_head + n_tail;
}
