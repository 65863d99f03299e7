/* translations.c - the rounds of finding translated passages: pairs of units teach a table of
 * words, which gives better pairs; at the end pairs in the same order are chained to passages. All
 * is done once more with the units of the source in random order: what a table finds in the text
 * that taught it is more than chance alone, so its error is that of another taught table. */
#include "influence/translations.h"

#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

enum { ROUNDS = 6, REACH = 2, SLACK = 2, SEED = 1 };
static const double rate[ROUNDS] = {.3, .3, .2, .2, .1, .1};
static const char what[] = "translated passages";

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

/* Teaches a table in rounds, as long as pairs are kept, and chains the pairs of the last. */
static trib_status find(trib_translations *found, const trib_unit_texts *texts,
                        const trib_word_table *seeds, trib_error *error) {
    TRIB_OWNED(trib_word_table) table = {0};
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
            status = trib_word_table_learn(&table, texts, &pairs, error);
            if (status == TRIB_OK && r + 1 == ROUNDS) status = chain(found, &pairs, error);
        }
        trib_unit_pairs_release(&pairs);
        if (table.n == 0) break;
        if (status == TRIB_OK && r + 1 == ROUNDS)
            status = TRIB_GROW(&found->learnt.pair, &found->learnt.cap, table.n, what, error);
        if (status == TRIB_OK && r + 1 == ROUNDS)
            memcpy(found->learnt.pair, table.pair, table.n * sizeof *table.pair);
        found->learnt.n = found->learnt.pair ? table.n : 0;
        for (size_t i = 0; i < seeds->n && status == TRIB_OK; i++)
            status = trib_word_table_add(&table, seeds->pair[i].target, seeds->pair[i].source,
                                         seeds->pair[i].weight / 2, error);
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
