/* extent_rates.c - how rare the words of a target are: the texts of a case as stems, the numbers of
 * their pairs and triples, and the chance that a word stands where it stands. */
#include "base/internal.h"
#include "influence/extent.h"
#include "influence/order.h"

/* The words of a window of so many stems that was seen before are a copy, and are not counted
 * again. */
enum { WINDOW = 6 };

/* Counts of stems, and of what follows a stem and a pair of stems. Pairs and triples are those of
 * the target. */
typedef struct trib_stem_counts {
    uint32_t *one, *after_one;         /* [n_stems], and all others behind */
    uint32_t *two, *after_two, *three; /* [n_pairs], [n_pairs], [n_triples] */
    double n;
} trib_stem_counts;

/* ---- Texts ----------------------------------------------------------------------------------- */

static void read_text(trib_folded_text *text, const trib_word_order *order, const trib_folds *folds,
                      trib_arena *arena) {
    uint32_t n = 0, n_words = 0;
    text->word = trib_arena_new(arena, order->n, sizeof *text->word);
    text->stem = trib_arena_new(arena, order->n, sizeof *text->stem);
    text->order = trib_arena_new(arena, order->n, sizeof *text->order);
    if (!text->word || !text->stem || !text->order) return;
    for (size_t i = 0; i < order->n; i++) {
        const uint32_t word = order->word[i];
        const uint32_t fold = word < folds->n_words ? folds->fold[word] : TRIB_NO_FOLD;
        n_words += word != TRIB_BREAK;
        if (fold == TRIB_NO_FOLD) continue;
        text->order[n] = n_words - 1;
        text->word[n] = fold;
        text->stem[n++] = folds->stem[fold];
    }
    text->n = n;
    text->window = trib_arena_new(arena, n, sizeof *text->window);
    text->pair = trib_arena_new(arena, n, sizeof *text->pair);
    text->triple = trib_arena_new(arena, n, sizeof *text->triple);
    text->nth = trib_arena_new(arena, n, sizeof *text->nth);
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

/* Sets numbers[i] of the n-gram of `length` stems that ends at word i, for all i: its entry in the
 * table, or TRIB_NONE. With `adds`, n-grams that the table lacks are added. */
static trib_status number(uint32_t *numbers, const trib_folded_text *text, trib_hacoo *table,
                          uint32_t length, bool adds, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < text->n && status == TRIB_OK; i++) {
        numbers[i] = TRIB_NONE;
        if (i + 1 < length) continue;
        const uint32_t *const stems = text->stem + i + 1 - length;
        size_t entry = trib_hacoo_find(table, stems);
        if (entry == TRIB_NO_ENTRY && adds) {
            entry = table->nnz;
            status = trib_hacoo_add(table, stems, 1, error);
        }
        if (entry != TRIB_NO_ENTRY) numbers[i] = (uint32_t)entry;
    }
    return status;
}

/* Numbers the windows of all texts by their hashes. */
static void number_windows(trib_extent_texts *texts, trib_arena *scratch) {
    typedef struct slot {
        uint64_t hash;
        uint32_t number; /* + 1; 0: it is empty */
    } slot;
    size_t n_slots = 64, n_words = 0;
    for (size_t t = 0; t < texts->n_texts; t++) n_words += texts->text[t].n;
    while (n_slots / 2 < n_words) n_slots *= 2;
    slot *const table = trib_arena_new(scratch, n_slots, sizeof *table);
    for (size_t t = 0; table && t < texts->n_texts; t++) {
        const trib_folded_text *const text = &texts->text[t];
        for (uint32_t i = 0; i < text->n; i++) {
            text->window[i] = TRIB_NONE;
            if (i + 1 < WINDOW) continue;
            const uint64_t hash =
                trib_hash_bytes(text->stem + i + 1 - WINDOW, WINDOW * sizeof *text->stem);
            size_t k = hash & (n_slots - 1);
            while (table[k].number > 0 && table[k].hash != hash) k = (k + 1) & (n_slots - 1);
            if (table[k].number == 0) table[k] = (slot){hash, ++texts->n_windows};
            text->window[i] = table[k].number - 1;
        }
    }
}

/* Numbers the windows of all texts, and the pairs and triples of the target. */
static trib_status number_all(trib_extent_texts *texts, trib_error *error) {
    TRIB_OWNED(trib_hacoo) pairs = {0}, triples = {0};
    trib_arena scratch = {0};
    const uint32_t dim[3] = {texts->folds->n_stems, texts->folds->n_stems, texts->folds->n_stems};
    number_windows(texts, &scratch);
    trib_status status = trib_arena_check(&scratch, error);
    trib_arena_release(&scratch);
    if (status == TRIB_OK) status = trib_hacoo_init(&pairs, 2, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&triples, 3, dim, NULL, error);
    for (size_t t = 0; t < texts->n_texts && status == TRIB_OK; t++) {
        trib_folded_text *text = &texts->text[t];
        status = number(text->pair, text, &pairs, 2, t == 0, error);
        if (status == TRIB_OK) status = number(text->triple, text, &triples, 3, t == 0, error);
    }
    texts->n_pairs = (uint32_t)pairs.nnz;
    texts->n_triples = (uint32_t)triples.nnz;
    return status;
}

/* Counts how often each text holds its windows, and sets how often a window counts in all texts: as
 * often as the text does that holds it the second most often, so that what one text repeats, and
 * what others have copied from it, counts once, and the formulas of a genre as often as they
 * are. */
static void count_windows(trib_extent_texts *texts, trib_arena *scratch) {
    uint16_t *const most = trib_arena_new(scratch, texts->n_windows, sizeof *most);
    uint16_t *const here = trib_arena_new(scratch, texts->n_windows, sizeof *here);
    for (size_t t = 0; most && here && t < texts->n_texts; t++) {
        const trib_folded_text *const text = &texts->text[t];
        for (uint32_t i = WINDOW - 1; i < text->n; i++)
            text->nth[i] =
                here[text->window[i]] < UINT16_MAX ? here[text->window[i]]++ : UINT16_MAX;
        for (uint32_t i = WINDOW - 1; i < text->n; i++) {
            const uint32_t w = text->window[i];
            if (here[w] == 0) continue; /* met before */
            if (t == 0) texts->of_target_times[w] = here[w];
            if (here[w] > most[w]) {
                texts->keep[w] = most[w];
                most[w] = here[w];
            } else if (here[w] > texts->keep[w]) texts->keep[w] = here[w];
            here[w] = 0;
        }
    }
    for (uint32_t w = 0; most && w < texts->n_windows; w++)
        if (texts->keep[w] == 0) texts->keep[w] = 1;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static size_t n_counts(const trib_extent_texts *texts) {
    return 2 * ((size_t)texts->folds->n_stems + texts->n_pairs) + texts->n_triples;
}

static trib_stem_counts *new_counts(const trib_extent_texts *texts, trib_arena *arena) {
    trib_stem_counts *counts = trib_arena_new(arena, 1, sizeof *counts);
    uint32_t *all = trib_arena_new(arena, n_counts(texts), sizeof *all);
    if (!counts || !all) return NULL;
    *counts = (trib_stem_counts){.one = all, .after_one = all + texts->folds->n_stems};
    counts->two = counts->after_one + texts->folds->n_stems;
    counts->after_two = counts->two + texts->n_pairs;
    counts->three = counts->after_two + texts->n_pairs;
    return counts;
}

/* Marks the words of windows that have been counted as often as they count; `left` says how often
 * each still counts. */
static void mark(bool *is_copy, const trib_folded_text *text, uint16_t *left) {
    memset(is_copy, 0, text->n * sizeof *is_copy);
    for (uint32_t i = WINDOW - 1; i < text->n; i++) {
        if (left[text->window[i]] > 0) left[text->window[i]]--;
        else memset(is_copy + i + 1 - WINDOW, 1, WINDOW * sizeof *is_copy);
    }
}

/* Adds the words, pairs and triples of a text of which not all words are copies. */
static void count_text(trib_stem_counts *counts, const trib_folded_text *text,
                       const bool *is_copy) {
    bool last = true, both = true; /* the word before is a copy; the two before are */
    for (uint32_t i = 0; i < text->n; i++) {
        const bool now = is_copy[i];
        if (!now) counts->one[text->stem[i]]++, counts->n++;
        if (i > 0 && !(now && last)) {
            counts->after_one[text->stem[i - 1]]++;
            if (text->pair[i] != TRIB_NONE) counts->two[text->pair[i]]++;
        }
        if (i > 1 && !(now && both)) {
            if (text->pair[i - 1] != TRIB_NONE) counts->after_two[text->pair[i - 1]]++;
            if (text->triple[i] != TRIB_NONE) counts->three[text->triple[i]]++;
        }
        both = last && now;
        last = now;
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
    uint32_t longest = 0;
    *texts = (trib_extent_texts){.n_texts = c->n_sources + 1};
    texts->folds = c->folds ? c->folds : no_folds(texts, c->n_words);
    texts->text = trib_arena_new(arena, texts->n_texts, sizeof *texts->text);
    trib_status status = trib_arena_check(arena, error);
    for (size_t t = 0; status == TRIB_OK && t < texts->n_texts; t++) {
        const uint32_t d = t == 0 ? c->target : c->source[t - 1];
        status = read_document(&texts->text[t], c, d, texts->folds, arena, error);
        if (t > 0) texts->n_source_words += texts->text[t].n;
        if (texts->text[t].n > longest) longest = texts->text[t].n;
    }
    if (status == TRIB_OK) status = number_all(texts, error);
    if (status != TRIB_OK) goto done;
    const uint32_t n = texts->text[0].n;
    trib_stem_counts *const all = new_counts(texts, arena);
    texts->of_target = new_counts(texts, arena);
    texts->keep = trib_arena_new(arena, texts->n_windows, sizeof *texts->keep);
    texts->of_target_times = trib_arena_new(arena, texts->n_windows, sizeof *texts->keep);
    texts->rate = trib_arena_new(arena, n, sizeof *texts->rate);
    texts->rate_after = trib_arena_new(arena, n, sizeof *texts->rate_after);
    bool *const is_copy = trib_arena_new(arena, longest, sizeof *is_copy);
    uint16_t *const left = trib_arena_new(arena, texts->n_windows, sizeof *left);
    status = trib_arena_check(arena, error);
    if (status == TRIB_OK) count_windows(texts, arena);
    status = trib_arena_check(arena, error);
    if (status != TRIB_OK) goto done;
    memcpy(left, texts->keep, texts->n_windows * sizeof *left);
    for (size_t t = 0; t < texts->n_texts; t++) {
        mark(is_copy, &texts->text[t], left);
        count_text(all, &texts->text[t], is_copy);
    }
    for (uint32_t w = 0; w < texts->n_windows; w++) left[w] = 1;
    mark(is_copy, &texts->text[0], left);
    count_text(texts->of_target, &texts->text[0], is_copy);
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
    const trib_folded_text *const text = &texts->text[source];
    trib_stem_counts *counts = new_counts(texts, arena);
    bool *is_copy = trib_arena_new(arena, text->n, sizeof *is_copy);
    if (arena->failure.status != TRIB_OK) return NULL;
    memcpy(counts->one, own->one, n_counts(texts) * sizeof *own->one);
    counts->n = own->n;
    /* a window counts once, or as often as the target has it if the source repeats it, too */
    for (uint32_t i = WINDOW - 1; i < text->n; i++) {
        const uint16_t of_target = texts->of_target_times[text->window[i]];
        if (text->nth[i] >= (of_target > 0 ? of_target - 1 : 1))
            memset(is_copy + i + 1 - WINDOW, 1, WINDOW * sizeof *is_copy);
    }
    count_text(counts, text, is_copy);
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
