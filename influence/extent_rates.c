/* extent_rates.c - how rare the words of a target are: the texts of a case as stems, the numbers of
 * their pairs and triples, and the chance that a word stands where it stands. */
#include "base/internal.h"
#include "influence/extent.h"
#include "influence/order.h"

#include <math.h>
#include <string.h>

/* A window has 6 stems, from 4 before a word to 1 after it. A word in the middle of a window that
 * was seen before is a copy, and is not counted again. */
enum { WINDOW = 6, BEFORE = 4 };

/* Counts of stems, and of what follows a stem and a pair of stems. Pairs and triples are those of
 * the target. */
typedef struct trib_stem_counts {
    uint32_t *one, *after_one;         /* [n_stems] */
    uint32_t *two, *after_two, *three; /* [n_pairs], [n_pairs], [n_triples] */
    double n;
} trib_stem_counts;

/* ---- Texts ----------------------------------------------------------------------------------- */

static void read_text(trib_folded_text *text, const trib_word_order *order, const trib_folds *folds,
                      trib_arena *arena) {
    uint32_t n = 0;
    text->word = trib_arena_new(arena, order->n, sizeof *text->word);
    text->stem = trib_arena_new(arena, order->n, sizeof *text->stem);
    if (!text->word || !text->stem) return;
    for (size_t i = 0; i < order->n; i++) {
        const uint32_t word = order->word[i];
        const uint32_t fold = word < folds->n_words ? folds->fold[word] : TRIB_NO_FOLD;
        if (fold == TRIB_NO_FOLD) continue;
        text->word[n] = fold;
        text->stem[n++] = folds->stem[fold];
    }
    text->n = n;
    text->window = trib_arena_new(arena, n, sizeof *text->window);
    text->pair = trib_arena_new(arena, n, sizeof *text->pair);
    text->triple = trib_arena_new(arena, n, sizeof *text->triple);
}

static trib_status read_document(trib_folded_text *text, const trib_influence_case *c, uint32_t d,
                                 const trib_folds *folds, trib_arena *arena, trib_error *error) {
    trib_word_order own = {0};
    trib_status status = c->orders ? TRIB_OK : trib_word_order_read(&own, &c->document[d], error);
    if (status == TRIB_OK)
        read_text(text, c->orders ? &c->orders->document[d] : &own, folds, arena);
    trib_word_order_release(&own);
    return status == TRIB_OK ? trib_arena_check(arena, error) : status;
}

/* Sets number[i] of the n-gram of stems that begins at word i - before, for all i: its entry in
 * the table. With `adds`, n-grams that the table lacks are added; else they have none. */
static trib_status number(uint32_t *numbers, const trib_folded_text *text, trib_hacoo *table,
                          uint32_t length, uint32_t before, bool adds, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < text->n && status == TRIB_OK; i++) {
        const bool is_there = i >= before && i - before + length <= text->n;
        numbers[i] = TRIB_NONE;
        if (!is_there) continue;
        const uint32_t *const stems = text->stem + i - before;
        size_t entry = trib_hacoo_find(table, stems);
        if (entry == TRIB_NO_ENTRY && adds) {
            entry = table->nnz;
            status = trib_hacoo_add(table, stems, 1, error);
        }
        if (entry != TRIB_NO_ENTRY) numbers[i] = (uint32_t)entry;
    }
    return status;
}

/* Numbers the windows of all texts, and the pairs and triples of the target. */
static trib_status number_all(trib_extent_texts *texts, trib_error *error) {
    trib_hacoo windows = {0}, pairs = {0}, triples = {0};
    uint32_t dim[WINDOW];
    for (int m = 0; m < WINDOW; m++) dim[m] = texts->folds->n_stems;
    trib_status status = trib_hacoo_init(&windows, WINDOW, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&pairs, 2, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&triples, 3, dim, NULL, error);
    for (size_t t = 0; t < texts->n_texts && status == TRIB_OK; t++) {
        trib_folded_text *text = &texts->text[t];
        status = number(text->window, text, &windows, WINDOW, BEFORE, true, error);
        if (status == TRIB_OK) status = number(text->pair, text, &pairs, 2, 1, t == 0, error);
        if (status == TRIB_OK) status = number(text->triple, text, &triples, 3, 2, t == 0, error);
    }
    texts->n_windows = (uint32_t)windows.nnz;
    texts->n_pairs = (uint32_t)pairs.nnz;
    texts->n_triples = (uint32_t)triples.nnz;
    trib_hacoo_release(&windows);
    trib_hacoo_release(&pairs);
    trib_hacoo_release(&triples);
    return status;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static trib_stem_counts *new_counts(const trib_extent_texts *texts, trib_arena *arena) {
    trib_stem_counts *counts = trib_arena_new(arena, 1, sizeof *counts);
    if (!counts) return NULL;
    counts->one = trib_arena_new(arena, texts->folds->n_stems, sizeof *counts->one);
    counts->after_one = trib_arena_new(arena, texts->folds->n_stems, sizeof *counts->one);
    counts->two = trib_arena_new(arena, texts->n_pairs, sizeof *counts->two);
    counts->after_two = trib_arena_new(arena, texts->n_pairs, sizeof *counts->two);
    counts->three = trib_arena_new(arena, texts->n_triples, sizeof *counts->three);
    return counts;
}

/* Adds the words of a text whose window is not marked in `seen`, and marks their windows there. */
static void count_text(trib_stem_counts *counts, const trib_folded_text *text, bool *seen) {
    for (uint32_t i = 0; i < text->n; i++) {
        const uint32_t window = text->window[i];
        if (window != TRIB_NONE && seen[window]) continue;
        if (window != TRIB_NONE) seen[window] = true;
        counts->one[text->stem[i]]++;
        counts->n++;
        if (i > 0) counts->after_one[text->stem[i - 1]]++;
        if (text->pair[i] != TRIB_NONE) counts->two[text->pair[i]]++;
        if (i > 1 && text->pair[i - 1] != TRIB_NONE) counts->after_two[text->pair[i - 1]]++;
        if (text->triple[i] != TRIB_NONE) counts->three[text->triple[i]]++;
    }
}

/* The chance of each word of the target: rate[n] of the word, after[n] of it after the two words
 * before it, by absolute discounting. Two occurrences are left out of each count: the word itself
 * and its copy. */
static void set_rates(double *rate, double *after, const trib_stem_counts *counts,
                      const trib_folded_text *text) {
    static const double TWO = 2, DISCOUNT = .75, LOWER = .6;
    for (uint32_t i = 0; i < text->n; i++) {
        const double alone = fmax((double)counts->one[text->stem[i]] - TWO, .5) / counts->n;
        double p = alone;
        if (i > 0 && counts->after_one[text->stem[i - 1]] > 2)
            p = fmax((double)counts->two[text->pair[i]] - TWO - DISCOUNT, 0) /
                    (double)counts->after_one[text->stem[i - 1]] +
                alone;
        if (i > 1 && counts->after_two[text->pair[i - 1]] > 2)
            p = fmax((double)counts->three[text->triple[i]] - TWO - DISCOUNT, 0) /
                    (double)counts->after_two[text->pair[i - 1]] +
                LOWER * p;
        rate[i] = alone;
        after[i] = fmax(fmin(p, 1), alone);
    }
}

/* Folds in which every word stands for itself, and none is close to another. */
static const trib_folds *no_folds(trib_extent_texts *texts, uint32_t n_words) {
    uint32_t *number = trib_arena_new(&texts->arena, n_words, sizeof *number);
    for (uint32_t w = 0; number && w < n_words; w++) number[w] = w;
    texts->own = (trib_folds){.n_words = n_words,
                              .fold = number,
                              .n_folds = n_words,
                              .stem = number,
                              .n_stems = n_words > 0 ? n_words : 1};
    return &texts->own;
}

/* ---- A case ---------------------------------------------------------------------------------- */

trib_status trib_extent_texts_read(trib_extent_texts *texts, const trib_influence_case *c,
                                   trib_error *error) {
    trib_arena *const arena = &texts->arena;
    *texts = (trib_extent_texts){.n_texts = c->n_sources + 1};
    texts->folds = c->folds ? c->folds : no_folds(texts, c->n_words);
    texts->text = trib_arena_new(arena, texts->n_texts, sizeof *texts->text);
    trib_status status = trib_arena_check(arena, error);
    for (size_t t = 0; status == TRIB_OK && t < texts->n_texts; t++) {
        const uint32_t d = t == 0 ? c->target : c->source[t - 1];
        status = read_document(&texts->text[t], c, d, texts->folds, arena, error);
        if (t > 0) texts->n_source_words += texts->text[t].n;
    }
    if (status == TRIB_OK) status = number_all(texts, error);
    if (status != TRIB_OK) goto done;
    const uint32_t n = texts->text[0].n;
    trib_stem_counts *const all = new_counts(texts, arena);
    texts->of_target = new_counts(texts, arena);
    texts->in_target = trib_arena_new(arena, texts->n_windows, sizeof *texts->in_target);
    bool *const seen = trib_arena_new(arena, texts->n_windows, sizeof *seen);
    texts->rate = trib_arena_new(arena, n, sizeof *texts->rate);
    texts->rate_after = trib_arena_new(arena, n, sizeof *texts->rate_after);
    status = trib_arena_check(arena, error);
    if (status != TRIB_OK) goto done;
    for (size_t t = 0; t < texts->n_texts; t++) count_text(all, &texts->text[t], seen);
    count_text(texts->of_target, &texts->text[0], texts->in_target);
    set_rates(texts->rate, texts->rate_after, all, &texts->text[0]);
done:
    if (status != TRIB_OK) trib_extent_texts_release(texts);
    return status;
}

void trib_extent_texts_release(trib_extent_texts *texts) { trib_arena_release(&texts->arena); }

/* The counts of the target and one source. */
static trib_stem_counts *count_two(const trib_extent_texts *texts, size_t source,
                                   trib_arena *arena) {
    const trib_stem_counts *const own = texts->of_target;
    trib_stem_counts *counts = new_counts(texts, arena);
    bool *seen = trib_arena_new(arena, texts->n_windows, sizeof *seen);
    if (arena->failure.status != TRIB_OK) return NULL;
    memcpy(counts->one, own->one, texts->folds->n_stems * sizeof *own->one);
    memcpy(counts->after_one, own->after_one, texts->folds->n_stems * sizeof *own->one);
    memcpy(counts->two, own->two, texts->n_pairs * sizeof *own->two);
    memcpy(counts->after_two, own->after_two, texts->n_pairs * sizeof *own->two);
    memcpy(counts->three, own->three, texts->n_triples * sizeof *own->three);
    memcpy(seen, texts->in_target, texts->n_windows * sizeof *seen);
    counts->n = own->n;
    count_text(counts, &texts->text[source], seen);
    return counts;
}

void trib_extent_gains(trib_word_gains *gains, const trib_extent_texts *texts, size_t source,
                       trib_arena *arena) {
    static const double PASSED = 0.51082562376599068 /* -ln .6 */, FULL = 7;
    const trib_folded_text *const text = &texts->text[0];
    const trib_stem_counts *const two = texts->n_texts > 2 ? count_two(texts, source, arena) : NULL;
    gains->alone = trib_arena_new(arena, text->n, sizeof *gains->alone);
    gains->after = trib_arena_new(arena, text->n, sizeof *gains->after);
    gains->passed = trib_arena_new(arena, (size_t)text->n + 1, sizeof *gains->passed);
    if (arena->failure.status != TRIB_OK) return;
    if (two) set_rates(gains->alone, gains->after, two, text);
    for (uint32_t i = 0; i < text->n; i++) {
        /* a count of one half says nothing */
        const bool tells = two && gains->alone[i] * two->n > .5;
        const double alone = fmax(texts->rate[i], tells ? gains->alone[i] : 0);
        const double after = fmax(texts->rate_after[i], tells ? gains->after[i] : 0);
        gains->alone[i] = fmin(TRIB_MOST_GAIN, -trib_logarithm(alone));
        gains->after[i] = fmin(gains->alone[i], -trib_logarithm(after));
        gains->passed[i + 1] = gains->passed[i] + PASSED * fmin(1, gains->alone[i] / FULL);
    }
}
