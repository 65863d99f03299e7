/* extent_rates.c - how rare the words of a target are: the numbers of the pairs and triples of its
 * stems, and the chance that a word stands where it stands. */
#include "base/internal.h"
#include "influence/extent.h"

/* Counts of stems, and of what follows a stem and a pair of stems. Pairs and triples are those of
 * the target. */
typedef struct trib_stem_counts {
    uint32_t *one, *after_one;         /* [n_stems], and all others behind */
    uint32_t *two, *after_two, *three; /* [n_pairs], [n_pairs], [n_triples] */
    double n;
} trib_stem_counts;

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Numbers of keys, in a hash table that at most half fills. */
typedef struct numbers {
    struct {
        uint64_t key;
        uint32_t number; /* + 1; 0: the slot is empty */
    } * slot;
    size_t mask;        /* slots - 1 */
    uint32_t n_bits, n; /* of the mask; numbers given */
} numbers;

static const uint64_t GOLDEN = UINT64_C(0x9E3779B97F4A7C15);

/* Returns the number of a key, or TRIB_NONE. With `adds` it is added. */
static uint32_t number(numbers *of, uint64_t key, bool adds) {
    size_t k = key * GOLDEN >> (64 - of->n_bits);
    while (of->slot[k].number > 0 && of->slot[k].key != key) k = (k + 1) & of->mask;
    if (of->slot[k].number == 0 && !adds) return TRIB_NONE;
    if (of->slot[k].number == 0) of->slot[k].key = key, of->slot[k].number = ++of->n;
    return of->slot[k].number - 1;
}

/* The pairs of the target's stems and the pairs of these, and a bit for the hash of each pair: most
 * pairs of other texts are told apart without a look at the table (Bloom 1970, one hash). */
typedef struct ngrams {
    numbers pair, triple;
    uint64_t bit[1 << 10];
} ngrams;

/* Numbers the pairs and triples of a text that the target holds, or adds those of the target. */
static void number_text(trib_folded_text *text, ngrams *known, bool adds, trib_arena *arena) {
    text->pair = trib_arena_new(arena, text->n, sizeof *text->pair);
    text->triple = trib_arena_new(arena, text->n, sizeof *text->triple);
    for (uint32_t i = 0; i < text->n && arena->failure.status == TRIB_OK; i++) {
        text->pair[i] = text->triple[i] = TRIB_NONE;
        if (i == 0) continue;
        const uint64_t key = (uint64_t)text->stem[i - 1] << 32 | text->stem[i];
        uint64_t *const bits = &known->bit[key * GOLDEN >> 54];
        const uint64_t bit = UINT64_C(1) << (key * GOLDEN >> 48) % 64;
        if (adds) *bits |= bit;
        if (*bits & bit) text->pair[i] = number(&known->pair, key, adds);
        /* the target holds both pairs of its triples */
        if (text->pair[i] != TRIB_NONE && text->pair[i - 1] != TRIB_NONE)
            text->triple[i] =
                number(&known->triple, (uint64_t)text->pair[i - 1] << 32 | text->pair[i], adds);
    }
}

/* Numbers the pairs and triples of the target in all texts. */
static trib_status number_all(trib_extent_texts *texts, trib_error *error) {
    TRIB_OWNED(trib_arena) scratch = {0};
    ngrams known = {0};
    uint32_t n_bits = 4;
    while ((size_t)1 << n_bits < 2 * (size_t)texts->text[0].n) n_bits++;
    known.pair = known.triple = (numbers){.mask = ((size_t)1 << n_bits) - 1, .n_bits = n_bits};
    known.pair.slot = trib_arena_new(&scratch, known.pair.mask + 1, sizeof *known.pair.slot);
    known.triple.slot = trib_arena_new(&scratch, known.pair.mask + 1, sizeof *known.pair.slot);
    trib_status status = trib_arena_check(&scratch, error);
    for (size_t t = 0; t < texts->n_texts && status == TRIB_OK; t++) {
        number_text(&texts->text[t], &known, t == 0, &texts->arena);
        status = trib_arena_check(&texts->arena, error);
    }
    texts->n_pairs = known.pair.n;
    texts->n_triples = known.triple.n;
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
        for (uint32_t k = 0; k < text->n_windows; k++) {
            uint16_t *const n = &here[text->window[k].number];
            if (*n < UINT16_MAX) ++*n;
        }
        for (uint32_t k = 0; k < text->n_windows; k++) {
            const uint32_t w = text->window[k].number;
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
    for (uint32_t k = 0; k < text->n_windows; k++) {
        const trib_window *const w = &text->window[k];
        if (left[w->number] > 0) left[w->number]--;
        else memset(is_copy + w->end + 1 - TRIB_WINDOW, 1, TRIB_WINDOW * sizeof *is_copy);
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

static double greater(double a, double b) { return a > b ? a : b; }
static double lesser(double a, double b) { return a < b ? a : b; }

/* The chance of a word that is counted so often among n words: two occurrences are left out of each
 * count, the word itself and its copy. */
static const double TWO = 2;
static double rate_of(uint32_t count, double n) { return greater((double)count - TWO, .5) / n; }

/* Its chance after the two words before it, by absolute discounting: from the counts of the pair
 * and of its first word, of the triple and of its first two. */
static double rate_after(uint32_t two, uint32_t after_one, uint32_t three, uint32_t after_two,
                         double alone) {
    static const double DISCOUNT = .75, LOWER = .6;
    double p = alone;
    if (after_one > 2) p = greater((double)two - TWO - DISCOUNT, 0) / (double)after_one + alone;
    if (after_two > 2)
        p = greater((double)three - TWO - DISCOUNT, 0) / (double)after_two + LOWER * p;
    return greater(lesser(p, 1), alone);
}

/* Sets the chances of the target's words in all texts, and what they tell. */
static void set_rates(trib_extent_texts *texts, const trib_stem_counts *all, uint32_t *number) {
    const trib_folded_text *const text = &texts->text[0];
    for (uint32_t k = 0; k < text->n_own; k++) number[text->own[k]] = k;
    for (uint32_t i = 0; i < text->n; i++) {
        const uint32_t *const pair = text->pair + i;
        const double rate = rate_of(all->one[text->stem[i]], all->n);
        texts->own[i] = number[text->stem[i]];
        texts->rate[i] = rate;
        texts->rate_after[i] =
            i == 0   ? rate_after(0, 0, 0, 0, rate)
            : i == 1 ? rate_after(all->two[*pair], all->after_one[text->stem[0]], 0, 0, rate)
                     : rate_after(all->two[*pair], all->after_one[text->stem[i - 1]],
                                  all->three[text->triple[i]], all->after_two[pair[-1]], rate);
        texts->tells[i] = -trib_logarithm(rate);
        texts->tells_after[i] = -trib_logarithm(texts->rate_after[i]);
    }
}

/* ---- A case ---------------------------------------------------------------------------------- */

trib_status trib_extent_texts_read(trib_extent_texts *texts, const trib_influence_case *c,
                                   trib_error *error) {
    trib_arena *const arena = &texts->arena;
    uint32_t longest = 0;
    *texts = (trib_extent_texts){0};
    trib_status status = trib_extent_texts_fold(texts, c, error);
    for (size_t t = 0; status == TRIB_OK && t < texts->n_texts; t++) {
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
    texts->tells = trib_arena_new(arena, n, sizeof *texts->tells);
    texts->tells_after = trib_arena_new(arena, n, sizeof *texts->tells_after);
    texts->own = trib_arena_new(arena, n, sizeof *texts->own);
    uint32_t *const number = trib_arena_new(arena, texts->folds->n_stems, sizeof *number);
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
    set_rates(texts, all, number);
done:
    if (status != TRIB_OK) trib_extent_texts_release(texts);
    return status;
}

void trib_extent_texts_release(trib_extent_texts *texts) {
    trib_arena_release(&texts->arena);
    trib_arena_release(&texts->read.arena);
}

TRIB_SEARCH(first_stem, uint32_t, uint32_t, *x < key);

/* Finds the places of the target's stems and pairs in the source, and counts its triples there. */
static void find_places(trib_word_gains *gains, uint32_t *three, const trib_folded_text *target,
                        const trib_folded_text *source) {
    for (uint32_t k = 0, r = 0; k < target->n_own; k++) {
        while (r < source->n_own && source->own[r] < target->own[k]) r++;
        if (r == source->n_own || source->own[r] != target->own[k]) continue;
        const uint32_t low = source->begin[r], high = source->begin[r + 1];
        gains->stem[k] = (trib_places){low, high, high - low, high - low};
    }
    for (uint32_t r = 0; r < source->n; r++) {
        const uint32_t j = source->sorted[r] + 1;
        if (j == source->n || source->pair[j] == TRIB_NONE) continue;
        trib_places *const of = &gains->pair[source->pair[j]];
        if (of->n++ == 0) of->low = r;
        of->n_after = of->n;
        of->high = r + 1;
    }
    for (uint32_t j = 0; j < source->n; j++)
        if (source->triple[j] != TRIB_NONE) three[source->triple[j]]++;
}

/* The places of the stem of word j of the source. */
static trib_places *places_at(trib_word_gains *gains, const trib_folded_text *target,
                              const trib_folded_text *source, uint32_t j) {
    const size_t k = first_stem(target->own, target->n_own, source->stem[j]);
    const bool is_own = k < target->n_own && target->own[k] == source->stem[j];
    return &gains->stem[is_own ? k : target->n_own];
}

/* Takes out of the counts what is a copy, and that nothing follows the end of the source. Returns
 * how many of its words count. */
static uint32_t leave_out(trib_word_gains *gains, uint32_t *three, const trib_folded_text *target,
                          const trib_folded_text *source, const bool *is_copy) {
    uint32_t n = source->n, run = 0; /* copies up to the word before */
    for (uint32_t j = 0; j <= source->n; j++) {
        const bool is_end = j == source->n, ends = is_end || run > 0, both = is_end || run > 1;
        const uint32_t before = j > 1 ? source->pair[j - 1] : TRIB_NONE;
        const uint32_t pair = is_end ? TRIB_NONE : source->pair[j];
        const uint32_t triple = is_end ? TRIB_NONE : source->triple[j];
        run = is_end || is_copy[j] ? run + 1 : 0;
        if (run == 0) continue;
        if (!is_end) n--, places_at(gains, target, source, j)->n--;
        if (ends && j > 0) places_at(gains, target, source, j - 1)->n_after--;
        if (ends && pair != TRIB_NONE) gains->pair[pair].n--;
        if (both && before != TRIB_NONE) gains->pair[before].n_after--;
        if (both && triple != TRIB_NONE) three[triple]--;
    }
    return n;
}

void trib_extent_gains(trib_word_gains *gains, const trib_extent_texts *texts, size_t source,
                       trib_arena *arena) {
    enum { KNOWN = 64 };
    static const double PASSED = 0.51082562376599068 /* -ln .6 */, FULL = 7;
    const trib_folded_text *const text = &texts->text[0], *const from = &texts->text[source];
    const trib_stem_counts *const own = texts->of_target;
    gains->alone = trib_arena_new(arena, text->n, sizeof *gains->alone);
    gains->after = trib_arena_new(arena, text->n, sizeof *gains->after);
    gains->passed = trib_arena_new(arena, (size_t)text->n + 1, sizeof *gains->passed);
    gains->stem = trib_arena_new(arena, (size_t)text->n_own + 1, sizeof *gains->stem);
    gains->pair = trib_arena_new(arena, texts->n_pairs, sizeof *gains->pair);
    uint32_t *const three = trib_arena_new(arena, texts->n_triples, sizeof *three);
    bool *const is_copy = trib_arena_new(arena, from->n, sizeof *is_copy);
    /* of each stem: its chance in the two texts, what it tells, and what it costs to be passed */
    double *const rate = trib_arena_new(arena, text->n_own, sizeof *rate);
    double *const tells = trib_arena_new(arena, text->n_own, sizeof *tells);
    double *const price = trib_arena_new(arena, text->n_own, sizeof *price);
    if (arena->failure.status != TRIB_OK) return;
    /* a window counts once, or as often as the target has it if the source repeats it, too */
    for (uint32_t k = 0; k < from->n_windows; k++) {
        const trib_window *const w = &from->window[k];
        const uint16_t of_target = texts->of_target_times[w->number];
        if (w->nth >= (of_target > 0 ? of_target - 1 : 1))
            memset(is_copy + w->end + 1 - TRIB_WINDOW, 1, TRIB_WINDOW * sizeof *is_copy);
    }
    find_places(gains, three, text, from);
    const double n = own->n + leave_out(gains, three, text, from, is_copy);
    double known[KNOWN] = {0}; /* -ln of the chances of small counts */
    for (uint32_t k = 0; k < text->n_own; k++) {
        const uint32_t count = own->one[text->own[k]] + gains->stem[k].n;
        const uint32_t i = text->sorted[text->begin[k]];
        /* a smaller count says nothing, and one source has no others beside it */
        if (count > TWO && texts->n_texts > 2) rate[k] = rate_of(count, n);
        double other = 0, *const log = count < KNOWN ? &known[count] : &other;
        if (rate[k] > texts->rate[i] && *log == 0) *log = -trib_logarithm(rate[k]);
        tells[k] = rate[k] > texts->rate[i] ? *log : texts->tells[i];
        tells[k] = lesser(TRIB_MOST_GAIN, tells[k]);
        price[k] = PASSED * lesser(1, tells[k] / FULL);
    }
    for (uint32_t i = 0; i < text->n; i++) {
        const uint32_t k = texts->own[i], *const pair = text->pair + i;
        gains->alone[i] = tells[k];
        gains->passed[i + 1] = gains->passed[i] + price[k];
        if (i == 0 || gains->pair[*pair].high == 0) continue;
        const double after = rate_after(
            own->two[*pair] + gains->pair[*pair].n,
            own->after_one[text->stem[i - 1]] + gains->stem[texts->own[i - 1]].n_after,
            i > 1 ? own->three[text->triple[i]] + three[text->triple[i]] : 0,
            i > 1 ? own->after_two[pair[-1]] + gains->pair[pair[-1]].n_after : 0, rate[k]);
        /* a word tells no more after others than alone */
        gains->after[i] = lesser(tells[k], texts->tells_after[i]);
        if (rate[k] > 0 && after > texts->rate_after[i])
            gains->after[i] = after > rate[k] ? lesser(tells[k], -trib_logarithm(after)) : tells[k];
    }
}
