/* translations.c - the rounds of finding translated passages: pairs of units teach a table of
 * words, which gives better pairs; at the end pairs in the same order are chained to passages. All
 * is done once more with the units of the source in random order: what a table finds in the text
 * that taught it is more than chance alone, so its error is that of another taught table. Tables
 * are learnt by IBM model 1 (Brown et al. 1993), both ways, over the words of pairs of units. */
#include "influence/translations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "tensor/hacoo.h"

/* ---- Tables of words ------------------------------------------------------------------------- */

enum { STEPS = 5 };
static const char what[] = "translated passages";
static const float LEAST = .03F, DOUBT = .5F;

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

/* ---- Units ----------------------------------------------------------------------------------- */

enum { ROUNDS = 6, REACH = 2, SLACK = 2, SEED = 1 };
static const double rate[ROUNDS] = {.3, .3, .2, .2, .1, .1};

/* Makes `to` of units, in random order if is_random, with each word once. */
static trib_status copy(trib_units *to, const trib_units *units, bool is_random,
                        trib_error *error) {
    uint32_t *order = NULL;
    trib_random random;
    trib_random_seed(&random, SEED);
    trib_status status = TRIB_NEW(&order, units->n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->start, (size_t)units->n + 1, what, error);
    if (status == TRIB_OK && units->n > 0)
        status = TRIB_NEW(&to->word, units->start[units->n], what, error);
    for (uint32_t j = 0; j < units->n && status == TRIB_OK; j++) {
        const uint32_t k = is_random ? (uint32_t)trib_random_below(&random, (uint64_t)j + 1) : j;
        order[j] = order[k];
        order[k] = j;
    }
    for (size_t n = 0; to->n < units->n && status == TRIB_OK; to->start[++to->n] = n) {
        const size_t *const from = units->start + order[to->n], first = n;
        const size_t n_words = from[1] - from[0];
        if (n_words == 0) continue; /* there may be no words at all */
        uint32_t *const word = to->word + first;
        memcpy(word, units->word + from[0], n_words * sizeof *word);
        qsort(word, n_words, sizeof *word, trib_by_uint32);
        for (size_t k = 0; k < n_words; k++)
            if (k == 0 || to->word[n - 1] != word[k]) to->word[n++] = word[k];
    }
    trib_free(order);
    return status;
}

static void release(trib_units *units) { TRIB_FREE(units->start, units->word); }

/* ---- Passages -------------------------------------------------------------------------------- */

TRIB_ORDER(by_target, trib_unit_pair, TRIB_UP(target));

/* Whether a pair continues a passage. */
static bool continues(const trib_translated_passage *passage, const trib_unit_pair *pair) {
    const int64_t here = (int64_t)pair->target - passage->last,
                  there = (int64_t)pair->source - passage->to;
    return here <= SLACK && there >= 1 && there - here >= -SLACK && there - here <= SLACK;
}

/* Chains the pairs, each to the longest passage that it continues. */
static trib_status chain(trib_translations *found, trib_unit_pairs *pairs, trib_error *error) {
    trib_translated_passage **of = NULL; /* of each pair */
    trib_status status = TRIB_NEW(&found->passage, pairs->n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&found->pair, pairs->n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&of, pairs->n, what, error);
    trib_translated_passage *const all = found->passage;
    size_t n = 0;
    if (pairs->n == 0 || status != TRIB_OK) return status;
    qsort(pairs->pair, pairs->n, sizeof *pairs->pair, by_target);
    for (size_t i = 0; i < pairs->n; i++) {
        const trib_unit_pair *const pair = &pairs->pair[i];
        for (size_t k = i; k > 0 && i - k < SLACK; k--)
            if (continues(of[k - 1], pair) && (!of[i] || of[k - 1]->n_pairs > of[i]->n_pairs))
                of[i] = of[k - 1];
        if (!of[i]) {
            of[i] = &all[n++];
            *of[i] = (trib_translated_passage){.first = pair->target, .from = pair->source};
        }
        of[i]->last = pair->target;
        of[i]->to = pair->source;
        of[i]->n_pairs++;
    }
    for (size_t k = 1; k < n; k++) all[k].first_pair = all[k - 1].first_pair + all[k - 1].n_pairs;
    for (size_t i = 0; i < pairs->n; i++) found->pair[of[i]->first_pair++] = pairs->pair[i];
    trib_free(of);
    for (size_t k = 0, end = 0; k < n; k++) { /* units before `end` are counted */
        all[k].first_pair -= all[k].n_pairs;
        if (all[k].n_pairs < 2) continue;
        const size_t from = all[k].first > end ? all[k].first : end;
        if (all[k].last >= from) found->n_covered += all[k].last + 1 - (uint32_t)from;
        if (all[k].last >= end) end = (size_t)all[k].last + 1;
        all[found->n++] = all[k];
    }
    return TRIB_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Adds the pairs of words, with a part of their weights. */
static trib_status add_words(trib_word_table *to, const trib_word_table *from, float part,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < from->n && status == TRIB_OK; i++)
        status = trib_word_table_add(to, from->pair[i].target, from->pair[i].source,
                                     from->pair[i].weight * part, error);
    return status;
}

/* Teaches a table in rounds, as long as pairs are kept, and chains the pairs of the last. */
static trib_status find(trib_translations *found, const trib_unit_texts *texts,
                        const trib_word_table *seeds, trib_error *error) {
    TRIB_OWNED(trib_word_table) table = {0};
    trib_word_table *const learnt = &found->learnt; /* in the last round that kept pairs */
    trib_status status = TRIB_OK;
    for (uint32_t r = 0; r <= ROUNDS && status == TRIB_OK; r++) {
        trib_unit_pairs pairs = {0};
        const bool is_last = r == ROUNDS; /* only looks at what is best in each row */
        status = trib_unit_pairs_find(&pairs, texts, r > 0 ? &table : seeds,
                                      r < ROUNDS / 2 || is_last ? REACH : 1, SEED + r,
                                      is_last ? 1 : rate[r], error);
        trib_word_table_release(&table);
        if (status == TRIB_OK && is_last) {
            found->best = pairs.best;
            pairs.best = NULL;
        } else if (status == TRIB_OK) {
            trib_word_table_release(learnt);
            status = trib_word_table_learn(learnt, texts, &pairs, error);
            if (status == TRIB_OK && r + 1 == ROUNDS) status = chain(found, &pairs, error);
        }
        trib_unit_pairs_release(&pairs);
        if (learnt->n == 0 || is_last) break;
        if (status == TRIB_OK) status = add_words(&table, learnt, 1, error);
        if (status == TRIB_OK) status = add_words(&table, seeds, .5F, error);
        if (status == TRIB_OK) status = trib_word_table_settle(&table, texts->n_words, error);
    }
    return status;
}

trib_status trib_translations_find(trib_translations *found, const trib_unit_texts *texts,
                                   const trib_word_table *seeds, trib_error *error) {
    trib_units target = {0}, source = {0}, shuffled = {0};
    trib_translations by_chance = {0};
    trib_unit_texts made = {&target, &source, texts->n_words, texts->n_threads};
    *found = (trib_translations){0};
    trib_status status = copy(&target, texts->target, false, error);
    if (status == TRIB_OK) status = copy(&source, texts->source, false, error);
    if (status == TRIB_OK) status = copy(&shuffled, texts->source, true, error);
    if (status == TRIB_OK) status = find(found, &made, seeds, error);
    made.source = &shuffled;
    if (status == TRIB_OK && found->n > 0) status = find(&by_chance, &made, seeds, error);
    found->n_by_chance = by_chance.n;
    found->n_covered_by_chance = by_chance.n_covered;
    trib_translations_release(&by_chance);
    release(&target);
    release(&source);
    release(&shuffled);
    return status;
}

void trib_translations_release(trib_translations *found) {
    TRIB_FREE(found->passage, found->pair, found->best);
    trib_word_table_release(&found->learnt);
    *found = (trib_translations){0};
}
