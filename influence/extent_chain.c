/* extent_chain.c - the pieces of a target that one source holds: adaptive seeds (Kielbasa et al.
 * 2011), joined to chains by dynamic programming over the words of the target, and cut where a
 * chain loses more than a new one costs. */
#include "base/internal.h"
#include "influence/extent.h"

/* A seed is the shortest string of at most TRIB_LONGEST stems that the source holds at most
 * FREQUENT times. From each of its places the equal stems give points, BACK before it and AHEAD
 * from it on. */
enum { FREQUENT = 16, BACK = 4, AHEAD = 12 };
/* A link of a chain passes over fewer than REACH words of the target, and drifts by at most DRIFT
 * words. */
enum { REACH = 120, DRIFT = 200 };
/* Diagonals of a strip; steps in which the table of drifts is read. */
enum { WIDTH = 16, STEPS = 88 };

/* A word of the target and an equal one of the source, which may stand in a chain. */
typedef struct point {
    uint32_t i, j;
    uint32_t before; /* the point before it in its chain; 0: it is the first */
    uint32_t recent; /* the point added before it to its strip; 0: none */
    double score;    /* of the best chain that ends here */
    bool used;
} point;

/* The points of WIDTH diagonals that may stand before the next point. `most` is at least what each
 * of their chains has, with what the words up to its end cost to be passed. */
typedef struct strip {
    double most;
    uint32_t last; /* the last point, which leads to those before it; 0: none */
    bool stays;    /* it may lead to another, or its chain scores enough */
} strip;

typedef struct search {
    const trib_extent_texts *texts;
    const trib_folded_text *target, *source;
    const trib_word_gains *gains;
    double most_passed; /* what it costs to begin a new passage, in nats */
    double *drift;      /* [DRIFT + 1] what a link with this drift gains, negative */
    uint32_t *farthest; /* [STEPS + 1] see farthest_from */
    /* [2 * (DRIFT + WIDTH)] what a link from a strip gains at most, by the strip's first diagonal
     * less that of the point, and DRIFT + WIDTH - 1; `next`: from the point's own strip */
    double *nearest, next;
    point *point; /* [n_points] in no order; the first is none */
    size_t n_points, cap;
    double least; /* what a piece scores at least */
    strip *strip; /* [n_strips] by j - i + target->n + DRIFT */
    size_t n_strips;
    trib_arena *arena;
} search;

/* ---- Seeds ----------------------------------------------------------------------------------- */

/* The first of the places whose stem at distance k is at least `stem`. */
static uint32_t first_place(const search *s, trib_places of, uint32_t k, uint64_t stem) {
    while (of.low < of.high) {
        const uint32_t middle = of.low + (of.high - of.low) / 2, j = s->source->sorted[middle] + k;
        const bool is_less = j >= s->source->n || s->source->stem[j] < stem;
        if (is_less) of.low = middle + 1;
        else of.high = middle;
    }
    return of.low;
}

/* The places of the seed that begins with a word of the target: those of its stem, or, where they
 * are too many, of more stems, the next one first. */
static trib_places seed_of(const search *s, uint32_t i, trib_places of_pair) {
    trib_places of = s->gains->stem[s->texts->own[i]];
    if (of.high - of.low > FREQUENT) of = of_pair;
    for (uint32_t l = 2; of.high - of.low > FREQUENT && l < TRIB_LONGEST && i + l < s->target->n;
         l++) {
        of.low = first_place(s, of, l, s->target->stem[i + l]);
        of.high = first_place(s, of, l, s->target->stem[i + l] + (uint64_t)1);
    }
    if (of.high - of.low > FREQUENT) of.high = of.low;
    return of;
}

/* Places that are equal to the words of the target around a seed, for each word until it is
 * complete: RING words. */
enum { RING = BACK + AHEAD, MOST_PLACES = RING * FREQUENT };
typedef struct ring {
    uint32_t n[RING], place[RING][MOST_PLACES];
} ring;

/* Adds the places of the diagonal around a place of a seed. `reached` is, for each diagonal, the
 * first word of the target that has no point there yet. */
static void add_diagonal(const search *s, uint32_t i, uint32_t j, uint32_t *reached, ring *at) {
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
    for (uint32_t k = first; k < end; k++) at->place[k % RING][at->n[k % RING]++] = j + k - i;
}

/* ---- Chains ---------------------------------------------------------------------------------- */

/* ln of the chance that a copy goes on with a drift of d words: three in ten links drift, the more
 * seldom the further. */
static void set_drifts(search *s) {
    static const double DRIFTS = .3;
    double sum = 1;
    s->drift = trib_arena_new(s->arena, DRIFT + 1, sizeof *s->drift);
    s->farthest = trib_arena_new(s->arena, STEPS + 1, sizeof *s->farthest);
    s->nearest = trib_arena_new(s->arena, 2 * (DRIFT + WIDTH), sizeof *s->nearest);
    if (!s->drift || !s->farthest || !s->nearest) return;
    for (int d = 1; d <= DRIFT; d++) sum += 2 / ((1 + d) * sqrt(1 + d));
    for (int d = 1; d <= DRIFT; d++)
        s->drift[d] = trib_logarithm(DRIFTS / ((1 + d) * sqrt(1 + d)) / sum);
    s->drift[0] = trib_logarithm(DRIFTS / 2);
    for (uint32_t k = 0, d = 0; k <= STEPS; k++) {
        while (d < DRIFT && s->drift[d + 1] + (k + 1) * TRIB_MOST_GAIN / STEPS >= 0) d++;
        s->farthest[k] = d;
    }
    for (int d = 0; d < 2 * (DRIFT + WIDTH); d++) s->nearest[d] = -INFINITY;
    for (int d = 1; d <= DRIFT; d++)
        s->nearest[DRIFT - d] = s->nearest[DRIFT + WIDTH - 1 + d] = s->drift[d];
}

/* ln .8: the next word is copied, too */
static const double NEXT = -0.22314355131420976;

static double greater(double a, double b) { return a > b ? a : b; }

/* The drift up to which, at most, a link gains something if its word alone gains `alone`. */
static uint32_t farthest_from(const search *s, double alone) {
    return s->farthest[(uint32_t)(greater(alone, 0) * (STEPS / TRIB_MOST_GAIN))];
}

/* Tries the points of a strip as the one before p. Of equal chains the one that passes over the
 * fewest words counts. */
static void extend_from(search *s, point *p, strip *from) {
    const double *const passed = s->gains->passed, alone = s->gains->alone[p->i];
    const double at = passed[p->i];
    double most = -INFINITY;
    for (uint32_t *link = &from->last, r = *link; r > 0; r = *link) {
        point *const q = &s->point[r];
        const double until = passed[q->i + 1], price = at - until;
        /* out of reach, as all before it */
        if (p->i - q->i > REACH || price > s->most_passed) {
            *link = 0;
            from->stays = true;
            break;
        }
        /* with what it has gained, nothing can be reached from here on */
        if (q->score + s->drift[0] < price && q->i + 1 < p->i) {
            *link = q->recent;
            from->stays = true; /* what is the last one now */
            continue;
        }
        link = &q->recent;
        most = greater(most, q->score + until);
        const int64_t drift = (int64_t)p->j - p->i + q->i - q->j;
        if (drift < -DRIFT || drift > DRIFT || q->j == p->j || q->i == p->i) continue;
        double gain = s->drift[drift < 0 ? -drift : drift] + alone;
        if (q->i + 1 == p->i && drift == 0) gain = NEXT + s->gains->after[p->i];
        else if (gain < 0 && drift != 0) continue;
        const double score = q->score + gain - price;
        const bool is_nearer = score == p->score && p->before > 0 &&
                               (q->i != s->point[p->before].i ? q->i > s->point[p->before].i
                                                              : q->j < s->point[p->before].j);
        if (score > p->score || is_nearer) {
            p->score = score;
            p->before = r;
            from->stays = true;
        }
    }
    from->most = most;
}

/* Makes points of the places of word i of the target, and finds the best chain that ends at each,
 * over the points before it. A strip from which not even its nearest diagonal could give a better
 * one is passed over. */
static void add_points(search *s, uint32_t i, ring *at) {
    static const double ROUNDING = 1e-6;
    const uint32_t *const place = at->place[i % RING], n = at->n[i % RING];
    const double *const passed = s->gains->passed, alone = s->gains->alone[i];
    const double here = passed[i] - ROUNDING, behind = passed[i + 1];
    const double next = greater(NEXT + s->gains->after[i] - alone, s->drift[0]);
    const size_t far = farthest_from(s, alone), origin = (size_t)s->target->n + DRIFT - i;
    const size_t n_near = (2 * far + WIDTH - 1) / WIDTH + 1; /* strips, at most */
    at->n[i % RING] = 0;
    if (s->n_points + n > s->cap && TRIB_GROW(&s->point, &s->cap, s->n_points + n, "shared words",
                                              &s->arena->failure) != TRIB_OK)
        return;
    for (size_t d = 0; d < WIDTH && s->next != next; d++) s->nearest[DRIFT + d] = next;
    s->next = next;
    for (uint32_t r = 0; r < n; r++) {
        const size_t diagonal = origin + place[r], first = (diagonal - far) / WIDTH;
        const double *const nearest = s->nearest + (first * WIDTH + DRIFT + WIDTH - 1 - diagonal);
        strip *const own = &s->strip[diagonal / WIDTH];
        /* nothing in the strip can be reached any more: what led to nothing gives its space */
        const bool is_over = own->most < here;
        const bool gives = is_over && !own->stays;
        const uint32_t number = gives ? own->last : (uint32_t)s->n_points++;
        point *const p = &s->point[number];
        *p = (point){.i = i, .j = place[r], .score = alone};
        for (size_t k = 0; k < n_near; k++)
            if (s->strip[first + k].most + nearest[k * WIDTH] >= here)
                extend_from(s, p, &s->strip[first + k]);
        own->stays = p->score >= s->least;
        p->recent = is_over ? 0 : own->last;
        own->last = number;
        own->most = greater(is_over ? -INFINITY : own->most, p->score + behind);
    }
}

/* Finds the points, and the best chain that ends at each, in the order of the target. */
static void find_chains(search *s) {
    const trib_folded_text *const target = s->target, *const source = s->source;
    uint32_t *const reached =
        trib_arena_new(s->arena, (size_t)target->n + source->n + 1, sizeof *reached);
    ring *const at = trib_arena_new(s->arena, 1, sizeof *at);
    s->n_strips = ((size_t)target->n + source->n + 2 * DRIFT) / WIDTH + 2;
    s->strip = trib_arena_new(s->arena, s->n_strips, sizeof *s->strip);
    if (s->arena->failure.status != TRIB_OK) return;
    if (TRIB_GROW(&s->point, &s->cap, (size_t)target->n + 1, "shared words", &s->arena->failure) !=
        TRIB_OK)
        return;
    s->point[s->n_points++] = (point){0};
    for (size_t k = 0; k < s->n_strips; k++) s->strip[k] = (strip){-INFINITY, 0, true};
    trib_places before = {0}, none = {0};
    for (uint32_t i = 0; i < target->n; i++) {
        const trib_places after = i + 1 < target->n ? s->gains->pair[target->pair[i + 1]] : none;
        const trib_places of = seed_of(s, i, after);
        uint32_t *const n = &at->n[i % RING];
        for (uint32_t r = of.low; r < of.high; r++) {
            const uint32_t j = source->sorted[r];
            const bool goes_on = r >= after.low && r < after.high;
            if (goes_on || (before.high > 0 && j > 0 && source->stem[j - 1] == target->stem[i - 1]))
                add_diagonal(s, i, j, reached, at);
            else at->place[i % RING][(*n)++] = j; /* no word beside it is the same */
        }
        before = after;
        /* it is complete */
        if (i >= BACK && at->n[(i - BACK) % RING] > 0) add_points(s, i - BACK, at);
    }
    for (uint32_t i = target->n > BACK ? target->n - BACK : 0; i < target->n; i++)
        add_points(s, i, at);
    if (s->n_points >= TRIB_NONE)
        trib_arena_fail(s->arena, TRIB_INPUT, "a target and a source share too many words");
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
    return x->i != y->i ? TRIB_UP(i) : TRIB_UP(j);
}

TRIB_ORDER(by_score, trib_piece, TRIB_DOWN(score) ?: TRIB_UP(target) ?: TRIB_UP(at));

static point *before(const search *s, const point *p) {
    return p->before == 0 ? NULL : &s->point[p->before];
}

/* Traces the chains back from their ends, the best first. Each point is in one chain. */
static void trace(trib_pieces *pieces, search *s, trib_arena *arena) {
    size_t n_ends = 0, n = 0;
    uint32_t number = 0, cap = 0;
    chain c = {0};
    for (size_t p = 1; p < s->n_points; p++) n_ends += s->point[p].score >= s->least;
    if (n_ends == 0) return;
    point **end = trib_arena_new(s->arena, n_ends, sizeof *end);
    uint32_t *met = trib_arena_new(s->arena, s->texts->folds->n_stems, sizeof *met);
    if (!end || !met) return;
    for (size_t p = 1; p < s->n_points; p++)
        if (s->point[p].score >= s->least) end[n++] = &s->point[p];
    qsort(end, n_ends, sizeof *end, by_chain);
    for (size_t e = 0; e < n_ends; e++) {
        c.n = 0;
        for (const point *p = end[e]; p && !p->used; p = before(s, p)) c.n++;
        if (c.n > cap) {
            cap = c.n > 2 * cap ? c.n : 2 * cap;
            c.point = trib_arena_new(s->arena, cap, sizeof *c.point);
            c.gain = trib_arena_new(s->arena, cap, sizeof *c.gain);
        }
        if (s->arena->failure.status != TRIB_OK) return;
        point *p = end[e];
        for (uint32_t k = c.n; k-- > 0; p = before(s, p)) {
            p->used = true;
            c.point[k] = p;
            c.gain[k] = p->score - (p->before == 0 ? 0 : before(s, p)->score);
        }
        cut(pieces, s, &c, s->least, met, &number, arena);
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
                .least = least,
                .arena = &scratch};
    *pieces = (trib_pieces){0};
    set_drifts(&s);
    if (scratch.failure.status == TRIB_OK) find_chains(&s);
    if (scratch.failure.status == TRIB_OK) trace(pieces, &s, arena);
    trib_free(s.point);
    if (scratch.failure.status != TRIB_OK)
        trib_arena_fail(arena, scratch.failure.status, "%s", scratch.failure.message);
    for (size_t p = 0; p < pieces->n; p++) pieces->piece[p].source = (uint32_t)(source - 1);
}
