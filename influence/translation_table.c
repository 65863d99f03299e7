/* translation_table.c - tables of words and how they are learnt: IBM model 1 (Brown et al. 1993),
 * both ways, over the words that stand in a pair of units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "influence/translations.h"
#include "tensor/hacoo.h"

enum { STEPS = 5 };
static const float LEAST = .03F, DOUBT = .5F;
static const char what[] = "a table of words";

TRIB_ORDER(by_words, trib_word_pair, TRIB_UP(target) ?: TRIB_UP(source) ?: TRIB_UP(weight));

trib_status trib_word_table_add(trib_word_table *table, uint32_t target, uint32_t source,
                                float weight, trib_error *error) {
    const trib_status status = TRIB_APPEND(&table->pair, &table->n, &table->cap, what, error,
                                           &(trib_word_pair){target, source, weight});
    return status;
}

trib_status trib_word_table_settle(trib_word_table *table, uint32_t n_words, trib_error *error) {
    trib_word_pair *const pair = table->pair;
    const trib_status status = TRIB_NEW(&table->start, (size_t)n_words + 1, what, error);
    size_t n = 0;
    if (status != TRIB_OK) return status;
    if (table->n > 0) qsort(pair, table->n, sizeof *pair, by_words);
    for (size_t i = 0; i < table->n; i++)
        if (n > 0 && pair[n - 1].target == pair[i].target && pair[n - 1].source == pair[i].source)
            pair[n - 1].weight += pair[i].weight;
        else {
            table->start[pair[i].target + 1]++;
            pair[n++] = pair[i];
        }
    table->n = n;
    for (uint32_t t = 0; t < n_words; t++) table->start[t + 1] += table->start[t];
    return TRIB_OK;
}

void trib_word_table_release(trib_word_table *table) {
    TRIB_FREE(table->pair, table->start);
    *table = (trib_word_table){0};
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* A cell is a word of the target with one of the source in a pair of units; cells of the same words
 * share an entry. */
typedef struct learning {
    const trib_unit_texts *texts;
    const trib_unit_pairs *pairs;
    uint32_t *entry;    /* of each cell: pair by pair, of the target word by word */
    trib_hacoo entries; /* their words */
    float *p, *q;       /* of each entry: p(s|t), p(t|s) */
    float *c, *total;   /* of each entry, and of each word: the expected number */
} learning;

/* The words of the units of pair k; returns the number of its cells. */
static size_t cells_of(const learning *l, size_t k, const size_t **t, const size_t **s) {
    *t = l->texts->target->start + l->pairs->pair[k].target;
    *s = l->texts->source->start + l->pairs->pair[k].source;
    return ((*t)[1] - (*t)[0]) * ((*s)[1] - (*s)[0]);
}

/* Numbers the entries of all cells. */
static trib_status find_entries(learning *l, trib_error *error) {
    const uint32_t dim[] = {l->texts->n_words, l->texts->n_words};
    const size_t *t, *s;
    size_t n_cells = 0;
    trib_hacoo_stream stream;
    for (size_t k = 0; k < l->pairs->n; k++) n_cells += cells_of(l, k, &t, &s);
    trib_status status = TRIB_NEW(&l->entry, n_cells, what, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&l->entries, 2, dim, NULL, error);
    if (status == TRIB_OK) trib_hacoo_stream_init(&stream, &l->entries, l->entry);
    for (size_t k = 0; k < l->pairs->n && status == TRIB_OK; k++) {
        cells_of(l, k, &t, &s);
        for (size_t y = t[0]; y < t[1]; y++)
            for (size_t x = s[0]; x < s[1] && status == TRIB_OK; x++) {
                const uint32_t cell[] = {l->texts->target->word[y], l->texts->source->word[x]};
                status = trib_hacoo_stream_push(&stream, cell, 1, error);
            }
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

/* One step in one direction: each word of one side is shared among those of the other by p, and
 * what a pair of words receives is divided by all that its second word receives. */
static void step(learning *l, float *p, bool forwards) {
    const uint32_t *cell = l->entry;
    const size_t *t, *s;
    memset(l->c, 0, l->entries.nnz * sizeof *l->c);
    for (size_t k = 0; k < l->pairs->n; k++) {
        const size_t n_cells = cells_of(l, k, &t, &s), n_t = t[1] - t[0], n_s = s[1] - s[0];
        const size_t n = forwards ? n_s : n_t, next = forwards ? 1 : n_s,
                     step_in = forwards ? n_s : 1;
        for (size_t a = 0; a < n && n_cells > 0; a++) {
            float sum = 0;
            for (size_t b = a * next, i = 0; i < n_cells / n; i++, b += step_in) sum += p[cell[b]];
            for (size_t b = a * next, i = 0; i < n_cells / n && sum > 0; i++, b += step_in)
                l->c[cell[b]] += p[cell[b]] / sum;
        }
        cell += n_cells;
    }
    for (uint32_t w = 0; w < l->texts->n_words; w++) l->total[w] = DOUBT;
    for (int divides = 0; divides < 2; divides++)
        for (size_t e = 0; e < l->entries.nnz; e++) {
            uint32_t words[2];
            trib_hacoo_entry(&l->entries, e, words);
            float *const total = &l->total[words[forwards ? 0 : 1]];
            if (divides) p[e] = l->c[e] / *total;
            else *total += l->c[e];
        }
}

trib_status trib_word_table_learn(trib_word_table *table, const trib_unit_texts *texts,
                                  const trib_unit_pairs *pairs, trib_error *error) {
    learning l = {.texts = texts, .pairs = pairs};
    trib_status status = find_entries(&l, error);
    const size_t n = l.entries.nnz;
    if (status == TRIB_OK) status = TRIB_NEW(&l.p, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&l.q, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&l.c, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&l.total, texts->n_words, what, error);
    for (size_t e = 0; e < n && status == TRIB_OK; e++) l.p[e] = l.q[e] = 1;
    for (int i = 0; i < STEPS && n > 0 && status == TRIB_OK; i++) {
        step(&l, l.p, true);
        step(&l, l.q, false);
        status = trib_stop_check(error);
    }
    for (size_t e = 0; e < n && status == TRIB_OK; e++) {
        const float weight = sqrtf(l.p[e] * l.q[e]);
        uint32_t words[2];
        trib_hacoo_entry(&l.entries, e, words);
        if (weight >= LEAST) status = trib_word_table_add(table, words[0], words[1], weight, error);
    }
    trib_hacoo_release(&l.entries);
    TRIB_FREE(l.entry, l.p, l.q, l.c, l.total);
    return status;
}
