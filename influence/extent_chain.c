/* extent_chain.c - the pieces of a target that one source holds: adaptive seeds (Kielbasa et al.
 * 2011), joined to chains by dynamic programming over the words of the target, and cut where a
 * chain loses more than a new one costs. */
#include "base/internal.h"
#include "influence/extent.h"

/* A seed is the shortest string of at most LONGEST stems that the source holds at most FREQUENT
 * times. From each of its places the equal stems give points, BACK before it and AHEAD from it
 * on. */
enum { LONGEST = 5, FREQUENT = 16, BACK = 4, AHEAD = 12 };
/* A link of a chain passes over fewer than REACH words of the target, and drifts by at most DRIFT
 * words. */
enum { REACH = 120, DRIFT = 200 };
/* Diagonals of a strip. */
enum { WIDTH = 64 };

/* A word of the target and an equal one of the source. */
typedef struct pair {
    uint32_t i, j;
} pair;
/* A pair that may stand in a chain. */
typedef struct point {
    uint32_t i, j;
    int64_t before; /* the point before it in its chain; -1: it is the first */
    int64_t recent; /* the point before it in its strip; -1: none */
    double score;   /* of the best chain that ends here */
    bool used;
} point;

/* The points of WIDTH diagonals that may stand before the next point. `most` is at least what each
 * of their chains has, with what the words up to its end cost to be passed. */
typedef struct strip {
    int64_t last; /* the last point, which leads to those before it; -1: none */
    double most;
} strip;

typedef struct search {
    const trib_extent_texts *texts;
    const trib_folded_text *target, *source;
    const trib_word_gains *gains;
    double most_passed; /* what it costs to begin a new passage, in nats */
    double *drift;      /* [DRIFT + 1] what a link with this drift gains, negative */
    uint32_t *sorted;   /* [source->n] places of the source by the stems from there on */
    uint32_t *start;    /* [n_stems + 2] the places of stem s are sorted[start[s + 1]] .. */
    pair *pair;         /* [n_points] as they are found */
    point *point;       /* [n_points] by i, then by j */
    size_t n_points, cap;
    strip *strip; /* [n_strips] by j - i + target->n */
    size_t n_strips;
    trib_arena *arena;
} search;

/* ---- Seeds ----------------------------------------------------------------------------------- */

/* Sorts the places of the source by the LONGEST stems from there on, by counting (a radix sort from
 * the last stem to the first). What is beyond the end comes first. */
static void sort_places(search *s) {
    const uint32_t n = s->source->n, n_keys = s->texts->folds->n_stems + 1;
    uint32_t *from = trib_arena_new(s->arena, n, sizeof *from);
    uint32_t *to = trib_arena_new(s->arena, n, sizeof *to);
    uint32_t *start = trib_arena_new(s->arena, (size_t)n_keys + 1, sizeof *start);
    if (s->arena->failure.status != TRIB_OK) return;
    for (uint32_t j = 0; j < n; j++) from[j] = j;
    for (uint32_t k = LONGEST; k-- > 0;) {
        memset(start, 0, ((size_t)n_keys + 1) * sizeof *start);
        for (uint32_t j = 0; j < n; j++) start[(j + k < n ? s->source->stem[j + k] + 1 : 0) + 1]++;
        for (uint32_t key = 0; key < n_keys; key++) start[key + 1] += start[key];
        for (uint32_t r = 0; r < n; r++) {
            const uint32_t j = from[r];
            to[start[j + k < n ? s->source->stem[j + k] + 1 : 0]++] = j;
        }
        uint32_t *const other = from;
        from = to;
        to = other;
    }
    s->sorted = from;
    /* counting moved each start to its end */
    for (uint32_t key = n_keys; key > 0; key--) start[key] = start[key - 1];
    start[0] = 0;
    s->start = start;
}

/* The first of the places low .. high - 1 whose stem at distance k is at least `stem`. */
static uint32_t first_place(const search *s, uint32_t low, uint32_t high, uint32_t k,
                            uint64_t stem) {
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, j = s->sorted[middle] + k;
        const bool is_less = j >= s->source->n || s->source->stem[j] < stem;
        if (is_less) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Adds the points of the diagonal around a place of a seed. `reached` is, for each diagonal, the
 * first word of the target that has no point there yet. */
static void add_diagonal(search *s, uint32_t i, uint32_t j, uint32_t *reached) {
    const uint32_t *const t = s->target->stem, *const u = s->source->stem;
    uint32_t *const next = &reached[(size_t)i + s->source->n - j];
    uint32_t first = i, end = i;
    while (first > 0 && i - first < BACK && j > i - first && first > *next &&
           t[first - 1] == u[j - (i - first) - 1])
        first--;
    while (end < s->target->n && end - i < AHEAD && j + (end - i) < s->source->n &&
           t[end] == u[j + (end - i)])
        end++;
    if (first < *next) first = *next;
    if (first >= end) return;
    *next = end;
    if (TRIB_GROW(&s->pair, &s->cap, s->n_points + end - first, "shared words",
                  &s->arena->failure) != TRIB_OK)
        return;
    for (uint32_t k = first; k < end; k++) s->pair[s->n_points++] = (pair){k, j + k - i};
}

/* Sorts pairs by the words of the target, or of the source, by counting; equal ones stay in their
 * order. */
static void sort_by(search *s, pair *to, const pair *from, bool of_source) {
    const uint32_t n = of_source ? s->source->n : s->target->n;
    size_t *const end = trib_arena_new(s->arena, (size_t)n + 1, sizeof *end);
    if (!end || !to || !from) return;
    for (size_t p = 0; p < s->n_points; p++) end[(of_source ? from[p].j : from[p].i) + 1]++;
    for (uint32_t k = 0; k < n; k++) end[k + 1] += end[k];
    for (size_t p = 0; p < s->n_points; p++) to[end[of_source ? from[p].j : from[p].i]++] = from[p];
}

/* Makes points of the pairs, by the words of the target, and those of a word by their places. */
static void sort_points(search *s) {
    pair *const by_place = trib_arena_new(s->arena, s->n_points, sizeof *by_place);
    sort_by(s, by_place, s->pair, true);
    sort_by(s, s->pair, by_place, false);
    s->point = trib_arena_new(s->arena, s->n_points, sizeof *s->point);
    for (size_t p = 0; s->point && p < s->n_points; p++)
        s->point[p] = (point){.i = s->pair[p].i, .j = s->pair[p].j, .before = -1};
    trib_free(s->pair);
}

static void find_points(search *s) {
    uint32_t *const reached =
        trib_arena_new(s->arena, (size_t)s->target->n + s->source->n + 1, sizeof *reached);
    if (!reached) return;
    for (uint32_t i = 0; i < s->target->n; i++) {
        uint32_t low = 0, high = s->source->n;
        for (uint32_t k = 0; k < LONGEST && i + k < s->target->n; k++) {
            const uint64_t stem = s->target->stem[i + k];
            low = k == 0 ? s->start[stem + 1] : first_place(s, low, high, k, stem);
            high = k == 0 ? s->start[stem + 2] : first_place(s, low, high, k, stem + 1);
            if (high - low <= FREQUENT) break;
        }
        if (high - low > FREQUENT) continue;
        for (uint32_t r = low; r < high; r++) add_diagonal(s, i, s->sorted[r], reached);
    }
    if (s->arena->failure.status == TRIB_OK) sort_points(s);
    else trib_free(s->pair);
}

/* ---- Chains ---------------------------------------------------------------------------------- */

/* ln of the chance that a copy goes on with a drift of d words: three in ten links drift, the more
 * seldom the further. */
static void set_drifts(search *s) {
    static const double DRIFTS = .3;
    double sum = 1;
    s->drift = trib_arena_new(s->arena, DRIFT + 1, sizeof *s->drift);
    if (!s->drift) return;
    for (int d = 1; d <= DRIFT; d++) sum += 2 / ((1 + d) * sqrt(1 + d));
    for (int d = 1; d <= DRIFT; d++)
        s->drift[d] = trib_logarithm(DRIFTS / ((1 + d) * sqrt(1 + d)) / sum);
    s->drift[0] = trib_logarithm(DRIFTS / 2);
}

/* ln .8: the next word is copied, too */
static const double NEXT = -0.22314355131420976;

static size_t diagonal_of(const search *s, const point *p) {
    return (size_t)p->j + s->target->n - p->i;
}

/* Tries the points of a strip as the one before p: those of words of the target from `first` on. Of
 * equal chains the one that passes over the fewest words counts. */
static void extend_from(search *s, point *p, strip *from, uint32_t first) {
    const double *const passed = s->gains->passed, alone = s->gains->alone[p->i];
    int64_t *link = &from->last;
    from->most = -INFINITY;
    for (int64_t r = *link; r >= 0; r = *link) {
        point *const q = &s->point[r];
        const double price = passed[p->i] - passed[q->i + 1];
        if (q->i < first) {
            *link = -1; /* out of reach, as all before it */
            return;
        }
        /* with what it has gained, nothing can be reached from here on */
        if (q->score + s->drift[0] < price && q->i + 1 < p->i) {
            *link = q->recent;
            continue;
        }
        link = &q->recent;
        const double worth = q->score + passed[q->i + 1];
        if (worth > from->most) from->most = worth;
        const int64_t drift = (int64_t)p->j - p->i + q->i - q->j;
        if (drift < -DRIFT || drift > DRIFT || q->j == p->j) continue;
        double gain = s->drift[drift < 0 ? -drift : drift] + alone;
        if (q->i + 1 == p->i && drift == 0) gain = NEXT + s->gains->after[p->i];
        else if (gain < 0 && drift != 0) continue;
        const double score = q->score + gain - price;
        const bool is_nearer =
            p->before >= 0 && score == p->score &&
            (q->i != s->point[p->before].i ? q->i > s->point[p->before].i : r < p->before);
        if (score > p->score || is_nearer) p->score = score, p->before = r;
    }
}

/* Sets the score of the best chain that ends at a point, over the points before it. A strip from
 * which not even its nearest diagonal could give a better one is passed over. */
static void extend(search *s, point *p, uint32_t first) {
    static const double ROUNDING = 1e-6;
    const double alone = s->gains->alone[p->i], at = s->gains->passed[p->i];
    const size_t diagonal = diagonal_of(s, p);
    const size_t last = (diagonal + DRIFT) / WIDTH;
    p->score = alone;
    for (size_t k = diagonal > DRIFT ? (diagonal - DRIFT) / WIDTH : 0; k <= last && k < s->n_strips;
         k++) {
        const size_t begin = k * WIDTH, end = begin + WIDTH;
        const size_t off = diagonal < begin ? begin - diagonal
                           : diagonal < end ? 0
                                            : diagonal - end + 1;
        double gain = s->drift[off] + alone;
        if (off == 0) gain = fmax(gain, NEXT + s->gains->after[p->i]);
        if (s->strip[k].most - at + gain >= p->score - ROUNDING)
            extend_from(s, p, &s->strip[k], first);
    }
}

/* Sets the scores of all points, in the order of the target. */
static void find_chains(search *s) {
    const double *const passed = s->gains->passed;
    uint32_t first = 0;
    s->n_strips = ((size_t)s->target->n + s->source->n) / WIDTH + 1;
    s->strip = trib_arena_new(s->arena, s->n_strips, sizeof *s->strip);
    if (!s->strip) return;
    for (size_t k = 0; k < s->n_strips; k++) s->strip[k] = (strip){-1, -INFINITY};
    for (size_t p = 0, next; p < s->n_points; p = next) {
        const uint32_t i = s->point[p].i;
        while (first < i && (i - first > REACH || passed[i] - passed[first + 1] > s->most_passed))
            first++;
        for (next = p; next < s->n_points && s->point[next].i == i; next++)
            extend(s, &s->point[next], first);
        for (size_t r = p; r < next; r++) {
            strip *const own = &s->strip[diagonal_of(s, &s->point[r]) / WIDTH];
            s->point[r].recent = own->last;
            own->last = (int64_t)r;
            own->most = fmax(own->most, s->point[r].score + passed[i + 1]);
        }
    }
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* A chain, in the order of the target: its points, and what each adds to the score. */
typedef struct chain {
    const point **point;
    double *gain;
    uint32_t n;
} chain;

/* Ends of a chain that gain less than this, apart from the rest, are cut off. */
static const double LEAST_END = 2.5;

static bool is_next(const chain *c, uint32_t k) {
    return c->point[k]->i == c->point[k - 1]->i + 1 && c->point[k]->j == c->point[k - 1]->j + 1;
}

/* Cuts off runs at the end, and at the beginning, that gain little. */
static void trim(const chain *c, const double *alone, uint32_t *first, uint32_t *last) {
    for (bool cuts = true; cuts && *last > *first;) {
        uint32_t k = *last;
        double gain = 0;
        cuts = false;
        while (k > *first && is_next(c, k)) gain += c->gain[k--];
        if (k > *first && gain + c->gain[k] < LEAST_END) {
            *last = k - 1;
            cuts = true;
            continue;
        }
        k = *first;
        gain = alone[c->point[k]->i];
        while (k < *last && is_next(c, k + 1)) gain += c->gain[++k];
        if (k == *last) continue;
        /* what the rest would gain as the beginning */
        gain += c->gain[k + 1] - alone[c->point[k + 1]->i];
        if (gain < LEAST_END) {
            *first = k + 1;
            cuts = true;
        }
    }
}

/* Makes a piece of the points first .. last of a chain. A stem that is met again out of order
 * counts less: lists and refrains hold the same words in any order. */
static void add_piece(trib_pieces *pieces, search *s, const chain *c, uint32_t first, uint32_t last,
                      double least, uint32_t *met, uint32_t number, trib_arena *arena) {
    static const double AGAIN = 3;
    enum { RUN = 4 };
    double score = 0;
    uint32_t n_next = 0, run = 0, longest = 0;
    for (uint32_t k = first; k <= last; k++) {
        const bool goes_on = k > first && is_next(c, k);
        run = goes_on ? run + 1 : 1;
        if (run > longest) longest = run;
        n_next += goes_on;
        const uint32_t stem = s->target->stem[c->point[k]->i];
        double gain = k > first ? c->gain[k] : s->gains->alone[c->point[k]->i];
        if (met[stem] == number && !goes_on && gain > 0) gain = fmax(0, gain - AGAIN);
        met[stem] = number;
        score += gain;
    }
    if (score < least) return;
    trib_piece *piece = trib_arena_append(arena, pieces, sizeof *piece);
    if (!piece) return;
    piece->n = last - first + 1;
    piece->score = score;
    piece->n_next = n_next;
    piece->has_run = longest >= RUN;
    piece->word = trib_arena_new(arena, piece->n, sizeof *piece->word);
    piece->place = trib_arena_new(arena, piece->n, sizeof *piece->place);
    if (!piece->word || !piece->place) return;
    piece->target = c->point[first]->i;
    piece->target_end = c->point[last]->i + 1;
    piece->at = UINT32_MAX;
    for (uint32_t k = 0; k < piece->n; k++) {
        piece->word[k] = c->point[first + k]->i;
        piece->place[k] = c->point[first + k]->j;
        if (piece->place[k] < piece->at) piece->at = piece->place[k];
        if (piece->place[k] + 1 > piece->at_end) piece->at_end = piece->place[k] + 1;
    }
}

/* Cuts a chain where its score has fallen below its highest by more than a new passage costs, and
 * makes pieces of the parts that score enough. */
static void cut(trib_pieces *pieces, search *s, const chain *c, double least, uint32_t *met,
                uint32_t *number, trib_arena *arena) {
    for (uint32_t begin = 0; begin < c->n;) {
        double sum = 0, most = -INFINITY;
        uint32_t first = begin, last = begin, k = begin;
        for (; k < c->n; k++) {
            sum += k == begin ? s->gains->alone[c->point[k]->i] : c->gain[k];
            if (sum > most) most = sum, last = k;
            if (most - sum > s->most_passed) break;
            if (sum < 0) {
                k++;
                break;
            }
        }
        if (most < least) {
            begin = k > begin + 1 ? k : begin + 1;
            continue;
        }
        trim(c, s->gains->alone, &first, &last);
        add_piece(pieces, s, c, first, last, least, met, ++*number, arena);
        begin = last + 1;
    }
}

static int by_chain(const void *a, const void *b) {
    const point *const x = *(const point *const *)a, *const y = *(const point *const *)b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return (x > y) - (x < y);
}

TRIB_ORDER(by_score, trib_piece, TRIB_DOWN(score) ?: TRIB_UP(target) ?: TRIB_UP(at));

/* Traces the chains back from their ends, the best first. Each point is in one chain. */
static void trace(trib_pieces *pieces, search *s, double least, trib_arena *arena) {
    point **end = trib_arena_new(s->arena, s->n_points, sizeof *end);
    uint32_t *met = trib_arena_new(s->arena, s->texts->folds->n_stems, sizeof *met);
    chain c = {.point = trib_arena_new(s->arena, s->n_points, sizeof *c.point),
               .gain = trib_arena_new(s->arena, s->n_points, sizeof *c.gain)};
    uint32_t number = 0;
    size_t n_ends = 0;
    if (s->arena->failure.status != TRIB_OK) return;
    for (size_t p = 0; p < s->n_points; p++)
        if (s->point[p].score >= least) end[n_ends++] = &s->point[p];
    if (n_ends > 1) qsort(end, n_ends, sizeof *end, by_chain);
    for (size_t e = 0; e < n_ends; e++) {
        uint32_t n = 0;
        for (point *p = end[e]; p && !p->used; n++) {
            p->used = true;
            c.point[n] = p;
            p = p->before >= 0 ? &s->point[p->before] : NULL;
        }
        c.n = n;
        for (uint32_t k = 0; k < n / 2; k++) {
            const point *const other = c.point[k];
            c.point[k] = c.point[n - 1 - k];
            c.point[n - 1 - k] = other;
        }
        for (uint32_t k = 0; k < n; k++) {
            const int64_t before = c.point[k]->before;
            c.gain[k] = c.point[k]->score - (before >= 0 ? s->point[before].score : 0);
        }
        cut(pieces, s, &c, least, met, &number, arena);
    }
    if (pieces->n > 1) qsort(pieces->piece, pieces->n, sizeof *pieces->piece, by_score);
}

void trib_extent_chains(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                        const trib_word_gains *gains, double least, trib_arena *arena) {
    /* to go on must cost less than to begin anew, anywhere in the source */
    static const double BEGIN = 8.1, MOST = 18;
    TRIB_OWNED(trib_arena) scratch = {0};
    search s = {.texts = texts,
                .target = &texts->text[0],
                .source = &texts->text[source],
                .gains = gains,
                .most_passed = fmin(MOST, BEGIN + trib_logarithm(texts->text[source].n)),
                .arena = &scratch};
    *pieces = (trib_pieces){0};
    set_drifts(&s);
    sort_places(&s);
    if (scratch.failure.status == TRIB_OK) find_points(&s);
    if (scratch.failure.status == TRIB_OK) find_chains(&s);
    if (scratch.failure.status == TRIB_OK) trace(pieces, &s, least, arena);
    if (scratch.failure.status != TRIB_OK)
        trib_arena_fail(arena, scratch.failure.status, "%s", scratch.failure.message);
    for (size_t p = 0; p < pieces->n; p++) pieces->piece[p].source = (uint32_t)(source - 1);
}
