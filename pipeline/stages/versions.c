/* versions.c - puts the words of versions of one text beside each other. Each version is aligned
 * with one that is in the table already, its guide, by the words that passages of both hold. */
#include "pipeline/stages/versions.h"

/* ---- Words in order -------------------------------------------------------------------------- */

/* The heaviest chain that ends before a word of the guide: total weight << 32 | the word that ends
 * it, from 1. best[n + 1] is a Fenwick tree of maxima. */
static uint64_t best_before(const uint64_t *best, size_t place) {
    uint64_t most = 0;
    for (; place > 0; place -= place & -place) most = best[place] > most ? best[place] : most;
    return most;
}

/* Notes a chain that ends with a word of the guide. */
static void note_chain(uint64_t *best, size_t n_guide, uint32_t word, uint64_t chain) {
    for (size_t place = (size_t)word + 1; place <= n_guide; place += place & -place)
        if (chain > best[place]) best[place] = chain;
}

size_t trib_words_in_order(const uint32_t *beside, size_t n, size_t n_guide, trib_arena *arena) {
    uint64_t *const best = trib_arena_new(arena, n_guide + 1, sizeof *best);
    for (size_t i = 0; best && i < n; i++)
        if (beside[i] != TRIB_NO_PLACE)
            note_chain(best, n_guide, beside[i], best_before(best, beside[i]) + 1);
    return best ? best_before(best, n_guide) : 0;
}

/* Moves the words that are not in the heaviest chain from `beside` to `moved`. */
static void keep_chain(trib_witness *w, const uint8_t *weight, size_t n_guide, trib_arena *arena) {
    uint64_t *const best = trib_arena_new(arena, n_guide + 1, sizeof *best);
    uint32_t *const before = trib_arena_new(arena, w->n + 1, sizeof *before), end;
    for (size_t i = 0; best && before && i < w->n; i++) {
        if (w->beside[i] == TRIB_NO_PLACE) continue;
        const uint64_t chain = best_before(best, w->beside[i]),
                       longer = ((chain >> 32) + weight[i]) << 32 | (uint32_t)(i + 1);
        before[i + 1] = (uint32_t)chain;
        note_chain(best, n_guide, w->beside[i], longer);
    }
    if (!best || !before) return;
    memcpy(w->moved, w->beside, w->n * sizeof *w->moved);
    memset(w->beside, 0xFF, w->n * sizeof *w->beside); /* TRIB_NO_PLACE */
    for (end = (uint32_t)best_before(best, n_guide); end > 0; end = before[end]) {
        w->beside[end - 1] = w->moved[end - 1];
        w->moved[end - 1] = TRIB_NO_PLACE;
    }
}

/* Aligns equal words next to those that are aligned, from both ends of the words between. */
static void fill_gaps(trib_witness *w, const trib_witness *guide) {
    size_t from = 0, at = 0; /* after the last aligned word */
    for (size_t i = 0; i <= w->n; i++) {
        if (i < w->n && w->beside[i] == TRIB_NO_PLACE) continue;
        size_t end = i, to = i < w->n ? w->beside[i] : guide->n;
        for (; from < end && at < to && w->key[from] == guide->key[at]; from++, at++)
            w->beside[from] = (uint32_t)at;
        for (; from < end && at < to && w->key[end - 1] == guide->key[to - 1]; end--, to--)
            w->beside[end - 1] = (uint32_t)to - 1;
        from = i + 1;
        at = i < w->n ? (size_t)w->beside[i] + 1 : guide->n;
    }
}

/* Keeps of the moved words the stretches of equal words that the guide has nowhere else. */
static void find_moved(trib_witness *w, const trib_witness *guide, bool *is_used) {
    enum { LEAST = 5 };
    for (size_t i = 0; i < w->n; i++)
        if (w->beside[i] != TRIB_NO_PLACE) is_used[w->beside[i]] = true;
    for (size_t i = 0, end; i < w->n; i = end) {
        for (end = i; end < w->n && w->beside[end] == TRIB_NO_PLACE &&
                      w->moved[end] != TRIB_NO_PLACE && !is_used[w->moved[end]] &&
                      (end == i || w->moved[end] == w->moved[end - 1] + 1) &&
                      w->key[end] == guide->key[w->moved[end]];)
            end++;
        if (end == i) end++; /* a word that is not */
        if (end - i < LEAST) memset(w->moved + i, 0xFF, (end - i) * sizeof *w->moved);
    }
}

void trib_witness_order(trib_witness *witness, const uint8_t *weight, const trib_witness *guide,
                        trib_arena *arena) {
    bool *const is_used = trib_arena_new(arena, guide->n + 1, sizeof *is_used);
    keep_chain(witness, weight, guide->n, arena);
    fill_gaps(witness, guide);
    if (is_used) find_moved(witness, guide, is_used);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The table while it is made: which column follows each; column 0 comes before the first. */
typedef struct table {
    const trib_collation *of;
    uint32_t *next, *word; /* [n], [n][n_witnesses] */
    uint32_t **column;     /* [n_witnesses][n words] */
    uint32_t n;
} table;

static void add_witness(table *t, uint32_t number, bool is_first) {
    const trib_witness *const w = &t->of->witness[number];
    uint32_t at = 0;
    for (size_t i = 0; i < w->n; i++) {
        uint32_t column =
            !is_first && w->beside[i] != TRIB_NO_PLACE ? t->column[w->guide][w->beside[i]] : 0;
        if (column == 0) {
            column = ++t->n;
            t->next[column] = t->next[at];
            t->next[at] = column;
        }
        t->word[column * t->of->n_witnesses + number] = (uint32_t)i + 1;
        t->column[number][i] = at = column;
    }
}

static void make_table(trib_collation *c) {
    table t = {.of = c, .column = trib_arena_new(c->arena, c->n_witnesses, sizeof *t.column)};
    size_t n = 1; /* columns, at most */
    for (size_t w = 0; t.column && w < c->n_witnesses; w++) {
        t.column[w] = trib_arena_new(c->arena, c->witness[w].n + 1, sizeof **t.column);
        for (size_t i = 0; i < c->witness[w].n; i++)
            n += w == 0 || c->witness[w].beside[i] == TRIB_NO_PLACE;
    }
    t.next = trib_arena_new(c->arena, n, sizeof *t.next);
    t.word = trib_arena_new(c->arena, n * c->n_witnesses, sizeof *t.word);
    c->word = trib_arena_new(c->arena, n * c->n_witnesses, sizeof *c->word);
    if (c->arena->failure.status != TRIB_OK) return;
    for (size_t w = 0; w < c->n_witnesses; w++) add_witness(&t, c->order[w], w == 0);
    for (uint32_t at = t.next[0]; at > 0; at = t.next[at])
        memcpy(c->word + c->n_columns++ * c->n_witnesses, t.word + at * c->n_witnesses,
               c->n_witnesses * sizeof *c->word);
}

/* ---- Segments -------------------------------------------------------------------------------- */

static const uint64_t AGREE = 1ULL << TRIB_MOST_WITNESSES;

static uint32_t word_at(const trib_collation *c, size_t column, size_t w) {
    return c->word[column * c->n_witnesses + w];
}

/* Whether a witness alone has a column. */
static bool is_own(const trib_collation *c, size_t column, size_t w) {
    size_t n = 0;
    for (size_t v = 0; v < c->n_witnesses; v++) n += word_at(c, column, v) > 0;
    return n == 1 && word_at(c, column, w) > 0;
}

/* Sets bit w of the state of each column of a long stretch that a witness lacks, unless it has
 * words of its own in its place. */
static void find_lacking(const trib_collation *c, size_t w, uint64_t *state) {
    enum { LONG = 12, OWN = 2 };
    for (size_t from = 0, end; from < c->n_columns; from = end + 1) {
        size_t n_own = 0;
        for (end = from; end < c->n_columns && word_at(c, end, w) == 0;) end++;
        for (size_t i = from; i > 0 && is_own(c, i - 1, w); i--) n_own++;
        for (size_t i = end; i < c->n_columns && is_own(c, i, w); i++) n_own++;
        if (end - from < LONG || n_own * OWN > end - from) continue;
        for (size_t i = from; i < end; i++) state[i] |= 1ULL << w;
    }
}

/* Sets the bit AGREE of a column when all witnesses that do not lack it have one word. */
static void find_agreement(const trib_collation *c, size_t column, uint64_t *state) {
    const uint64_t *key = NULL;
    for (size_t w = 0; w < c->n_witnesses; w++) {
        if (*state >> w & 1) continue;
        const uint32_t word = word_at(c, column, w);
        if (word == 0 || (key && c->witness[w].key[word - 1] != *key)) return;
        key = &c->witness[w].key[word - 1];
    }
    *state |= AGREE;
}

/* Fills the readings of segment s; at[n_witnesses] are the words before it. */
static void read_segment(trib_collation *c, size_t s, uint32_t *at) {
    trib_segment *const segment = &c->segment[s];
    trib_reading *const reading = c->reading + s * c->n_witnesses;
    for (size_t w = 0; w < c->n_witnesses; w++) {
        const uint64_t *const key = c->witness[w].key + at[w];
        reading[w] = (trib_reading){.first = at[w], .number = TRIB_NO_PLACE};
        for (size_t i = segment->first; i < segment->end; i++) reading[w].n += word_at(c, i, w) > 0;
        at[w] += reading[w].n;
        if (segment->lacking >> w & 1) continue;
        for (size_t v = 0; v < w && reading[w].number == TRIB_NO_PLACE; v++)
            if (reading[v].n == reading[w].n && !(segment->lacking >> v & 1) &&
                memcmp(c->witness[v].key + reading[v].first, key, reading[w].n * sizeof *key) == 0)
                reading[w].number = reading[v].number;
        if (reading[w].number == TRIB_NO_PLACE) reading[w].number = segment->n_readings++;
    }
    c->n_places += trib_segment_varies(segment);
}

/* Cuts the columns where their state changes and where a paragraph of the first witness begins. */
static void cut_segments(trib_collation *c, const uint64_t *state, uint32_t *at) {
    uint32_t paragraph = 0, next = 0;
    for (size_t from = 0, end; from < c->n_columns; from = end, paragraph = next) {
        for (end = from; end < c->n_columns && state[end] == state[from]; end++) {
            if (word_at(c, end, 0) > 0) next = c->paragraph[word_at(c, end, 0) - 1];
            if (end == from) paragraph = next;
            if (next != paragraph) break;
        }
        c->segment[c->n_segments] = (trib_segment){.first = (uint32_t)from,
                                                   .end = (uint32_t)end,
                                                   .lacking = state[from] & ~AGREE,
                                                   .paragraph = paragraph};
        read_segment(c, c->n_segments++, at);
    }
}

/* Names the other segment where the guide of a witness has the words of its reading. */
static void mark_moved(trib_collation *c, size_t s, size_t w) {
    const trib_reading *const reading = trib_reading_of(c, s, w);
    const uint32_t *const moved = c->witness[w].moved + reading->first;
    uint32_t n = 0;
    for (uint32_t i = 0; i < reading->n; i++) n += moved[i] != TRIB_NO_PLACE;
    if (2 * n <= reading->n || moved[reading->n / 2] == TRIB_NO_PLACE) return;
    size_t other = c->n_segments - 1; /* with the word of the guide */
    while (other > 0 &&
           trib_reading_of(c, other, c->witness[w].guide)->first > moved[reading->n / 2])
        other--;
    if (!trib_segment_varies(&c->segment[other])) return;
    c->segment[s].moved = (uint32_t)other + 1;
    c->segment[other].moved = (uint32_t)s + 1;
}

void trib_collation_make(trib_collation *c) {
    const size_t n = c->n_witnesses;
    size_t most = 1; /* segments */
    make_table(c);
    uint64_t *const state = trib_arena_new(c->arena, c->n_columns + 1, sizeof *state);
    uint32_t *const at = trib_arena_new(c->arena, n, sizeof *at);
    if (c->arena->failure.status != TRIB_OK) return;
    for (size_t w = 0; w < n; w++) find_lacking(c, w, state);
    for (size_t i = 0; i < c->n_columns; i++) {
        find_agreement(c, i, &state[i]);
        most += i > 0 && state[i] != state[i - 1];
    }
    if (c->witness[0].n > 0) most += c->paragraph[c->witness[0].n - 1];
    c->segment = trib_arena_new(c->arena, most, sizeof *c->segment);
    c->reading = trib_arena_new(c->arena, most * n, sizeof *c->reading);
    if (!c->segment || !c->reading) return;
    cut_segments(c, state, at);
    for (size_t s = 0; s < c->n_segments; s++)
        for (size_t w = 1; w < n; w++) mark_moved(c, s, w);
}

const char *trib_segment_kind(const trib_collation *c, size_t segment) {
    const trib_reading *const first = trib_reading_of(c, segment, 0);
    bool is_changed = false;
    for (size_t w = 1; w < c->n_witnesses; w++)
        is_changed = is_changed || (trib_reading_of(c, segment, w)->n > 0 &&
                                    trib_reading_of(c, segment, w)->number != first->number);
    return c->segment[segment].moved > 0 ? "moved"
           : first->n == 0               ? "added"
           : is_changed                  ? "changed"
                                         : "left out";
}
