/* extent_words.c - the belief that a piece is no chance, and what each of its words is: equal,
 * moved, close, replaced, or the author's own. */
#include "base/internal.h"
#include "influence/extent.h"

/* ---- Belief ---------------------------------------------------------------------------------- */

/* Of unrelated texts, exp(-LAMBDA x) pieces score more than x above the logarithm of both lengths
 * (Karlin and Altschul 1990), times a factor that is measured in the bulk of pieces, from LOW up to
 * HIGH (Efron 2004): genres full of formulas raise their own bar. */
static const double LAMBDA = .55, LOW = -6, HIGH = -2.5;
/* The factor of texts without formulas, ln; and how far the measured one may lie from it, ln. */
static const double USUAL = 1.65, MOST_OFF = 1.1;

/* Marks a piece as chance (belief 0) if half of its words lie in better pieces of its source. */
static void drop_shadows(trib_pieces *pieces, uint32_t n_words, trib_arena *arena) {
    bool *taken = trib_arena_new(arena, n_words, sizeof *taken);
    if (!taken) return;
    size_t n = 0;
    for (size_t p = 0; p < pieces->n; p++) {
        trib_piece *const piece = &pieces->piece[p];
        uint32_t n_taken = 0;
        for (uint32_t k = 0; k < piece->n; k++) n_taken += taken[piece->word[k]];
        if (2 * n_taken > piece->n) continue;
        for (uint32_t k = 0; k < piece->n; k++) taken[piece->word[k]] = true;
        pieces->piece[n++] = *piece;
    }
    pieces->n = n;
}

/* The belief in a piece beside clear ones, of whose links the part `next` goes on to the next word:
 * scattered words are more likely chance beside passages copied word for word. */
static double believe_links(double belief, const trib_piece *piece, double next) {
    static const double AT_FIRST = .8; /* see NEXT in extent_chain.c */
    const double gain =
        piece->n_next * trib_logarithm(next / AT_FIRST) +
        (piece->n - 1 - piece->n_next) * trib_logarithm((1 - next) / (1 - AT_FIRST));
    return belief / (belief + (1 - belief) * trib_exponential(fmax(0, -gain)));
}

void trib_extent_believe(trib_pieces *pieces, const trib_extent_texts *texts, size_t source,
                         trib_arena *arena) {
    static const double WINDOW = 1.5, CLEAR = 8, LEAST = .02;
    static const double DOUBT[] = {.003, .027}; /* for pieces without a run, and with one */
    static const double LINKS = 10, NEXT = .9;  /* what is known of them before */
    static const double PART = .23, RISE = .21, MOST = .5; /* of chance pieces, with a run */
    const double level = trib_logarithm(texts->text[0].n) + trib_logarithm(texts->n_source_words);
    const double usual =
        trib_exponential(USUAL) * (double)texts->text[source].n / texts->n_source_words;
    drop_shadows(pieces, texts->text[0].n, arena);
    if (arena->failure.status != TRIB_OK) return;
    trib_piece *const piece = pieces->piece;
    double n_bulk = 1;
    for (size_t p = 0; p < pieces->n; p++) {
        const double x = piece[p].score - level;
        n_bulk += x >= LOW && x < HIGH;
    }
    const double bulk =
        n_bulk / (trib_exponential(-LAMBDA * LOW) - trib_exponential(-LAMBDA * HIGH));
    const double off = trib_exponential(MOST_OFF);
    const double factor = fmin(fmax(bulk, usual / off), usual * off);
    double n_links = LINKS, n_next = LINKS * NEXT; /* of the clear pieces */
    for (size_t p = 0; p < pieces->n && piece[p].score - level > CLEAR; p++) {
        n_links += piece[p].n - 1;
        n_next += piece[p].n_next;
    }
    double belief[2] = {1, 1};
    double n_near[2] = {0}; /* the pieces with a score in the window: from .. to - 1 */
    size_t from = 0, to = 0;
    for (size_t p = 0; p < pieces->n; p++) {
        const double x = piece[p].score - level;
        const bool is_clear = x > CLEAR, run = piece[p].has_run;
        while (!is_clear && from < p && piece[from].score - level > x + WINDOW)
            n_near[piece[from++].has_run]--;
        while (to < pieces->n && piece[to].score - level >= x - WINDOW)
            n_near[piece[to++].has_run]++;
        const double density = is_clear ? trib_exponential(-LAMBDA * x)
                                        : trib_exponential(-LAMBDA * (x - WINDOW)) -
                                              trib_exponential(-LAMBDA * (x + WINDOW));
        const double part = fmin(MOST, PART * trib_exponential(RISE * x));
        const double expected = factor * (run ? part : 1 - part) * density;
        const double beyond = fmax(n_near[run] - 1 - expected, 0) + DOUBT[run];
        belief[run] = fmin(belief[run], beyond / (beyond + expected));
        const double own =
            is_clear ? belief[run] : believe_links(belief[run], &piece[p], n_next / n_links);
        piece[p].belief = own < LEAST ? 0 : own;
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

static uint32_t count_letters(const uint32_t *letters) {
    uint32_t n = 0;
    while (letters[n]) n++;
    return n;
}

/* Edits that make one word the other (Levenshtein 1966). */
static uint32_t distance(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m) {
    uint32_t row[TRIB_LETTERS + 1];
    for (uint32_t j = 0; j <= m; j++) row[j] = j;
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t corner = row[0]; /* of the row before, one to the left */
        row[0] = i;
        for (uint32_t j = 1; j <= m; j++) {
            uint32_t least = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (corner + 1 < least) least = corner + 1;
            if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
            row[j] = least;
        }
    }
    return row[m];
}

/* Whether two words are close: nearly half of their pairs of letters are the same, or a third of
 * their letters at most differ. */
static bool are_close(const trib_folds *folds, uint32_t word, uint32_t other) {
    static const double SAME = .45;
    if (!folds->letters) return false;
    const uint32_t *const a = folds->letters + (size_t)word * (TRIB_LETTERS + 1);
    const uint32_t *const b = folds->letters + (size_t)other * (TRIB_LETTERS + 1);
    const uint32_t n = count_letters(a), m = count_letters(b);
    bool used[TRIB_LETTERS] = {false};
    uint32_t same = 0;
    if (n < 3 || m < 3) return false;
    for (uint32_t i = 0; i + 1 < n; i++)
        for (uint32_t j = 0; j + 1 < m; j++)
            if (!used[j] && a[i] == b[j] && a[i + 1] == b[j + 1]) {
                used[j] = true;
                same++;
                break;
            }
    if (2 * same >= SAME * (n + m - 2) + .001) return true;
    return 3 * distance(a, n, b, m) <= (n > m ? n : m);
}

/* Aligns the words i .. i_end - 1 of the target between two words of a chain with the words j ..
 * j_end - 1 of the source (Needleman and Wunsch 1970). Long gaps stay unaligned. */
static void align_gap(trib_piece *piece, const trib_extent_texts *texts, uint32_t i, uint32_t i_end,
                      uint32_t j, uint32_t j_end, trib_arena *arena) {
    enum { MOST_TARGET = 400, MOST_SOURCE = 600, SKIP_TARGET = TRIB_REPLACED + 1, SKIP_SOURCE };
    static const double GAIN[] = {[TRIB_EQUAL] = 2, [TRIB_CLOSE] = 1.4, [TRIB_REPLACED] = -.1};
    static const double GAP = -.35;
    const trib_folded_text *const t = &texts->text[0], *const s = &texts->text[piece->source + 1];
    const trib_folds *const folds = texts->folds;
    if (i_end <= i || j_end <= j || i_end - i > MOST_TARGET || j_end - j > MOST_SOURCE) return;
    const size_t n = i_end - i, m = j_end - j, width = m + 1;
    double *best = trib_arena_new(arena, (n + 1) * width, sizeof *best);
    unsigned char *step = trib_arena_new(arena, (n + 1) * width, sizeof *step);
    if (!best || !step) return;
    for (size_t a = 0; a <= n; a++)
        for (size_t b = 0; b <= m; b++) {
            double most = -INFINITY;
            unsigned char how = 0;
            if (a == 0 && b == 0) continue;
            if (a > 0 && b > 0) {
                const uint32_t word = t->word[i + a - 1], other = s->word[j + b - 1];
                how = word == other ? TRIB_EQUAL
                      : t->stem[i + a - 1] == s->stem[j + b - 1] || are_close(folds, word, other)
                          ? TRIB_CLOSE
                          : TRIB_REPLACED;
                most = best[(a - 1) * width + b - 1] + GAIN[how];
            }
            if (a > 0 && best[(a - 1) * width + b] + GAP > most)
                most = best[(a - 1) * width + b] + GAP, how = SKIP_TARGET;
            if (b > 0 && best[a * width + b - 1] + GAP > most)
                most = best[a * width + b - 1] + GAP, how = SKIP_SOURCE;
            best[a * width + b] = most;
            step[a * width + b] = how;
        }
    for (size_t a = n, b = m; a > 0 || b > 0;) {
        const unsigned char how = step[a * width + b];
        a -= how != SKIP_SOURCE;
        b -= how != SKIP_TARGET;
        if (how > TRIB_REPLACED) continue;
        piece->kind[i + a - piece->target] = how;
        piece->aligned[i + a - piece->target] = j + (uint32_t)b;
    }
}

/* Where the chain jumps back in the source: the words behind the jump's start, and those before its
 * end, that are equal there, too. */
static void extend_jump(trib_piece *piece, const trib_extent_texts *texts, uint32_t i,
                        uint32_t i_end, uint32_t at, uint32_t at_end) {
    const trib_folded_text *const t = &texts->text[0], *const s = &texts->text[piece->source + 1];
    for (; i < i_end && at < s->n && t->word[i] == s->word[at]; i++, at++) {
        piece->kind[i - piece->target] = TRIB_EQUAL;
        piece->aligned[i - piece->target] = at;
    }
    for (; i < i_end && at_end > 0 && t->word[i_end - 1] == s->word[at_end - 1];) {
        i_end--, at_end--;
        piece->kind[i_end - piece->target] = TRIB_MOVED;
        piece->aligned[i_end - piece->target] = at_end;
    }
}

void trib_extent_align(trib_piece *piece, const trib_extent_texts *texts, trib_arena *arena) {
    const trib_folded_text *const t = &texts->text[0], *const s = &texts->text[piece->source + 1];
    const uint32_t length = piece->target_end - piece->target;
    piece->kind = trib_arena_new(arena, length, sizeof *piece->kind);
    piece->aligned = trib_arena_new(arena, length, sizeof *piece->aligned);
    if (!piece->kind || !piece->aligned) return;
    for (uint32_t x = 0; x < length; x++) {
        piece->kind[x] = TRIB_REPLACED;
        piece->aligned[x] = TRIB_NONE;
    }
    for (uint32_t k = 0; k < piece->n; k++) {
        const uint32_t i = piece->word[k], j = piece->place[k], x = i - piece->target;
        const bool moved = k > 0 && j < piece->place[k - 1];
        piece->kind[x] = t->word[i] != s->word[j] ? TRIB_CLOSE : moved ? TRIB_MOVED : TRIB_EQUAL;
        piece->aligned[x] = j;
        if (k == 0) continue;
        const uint32_t from = piece->word[k - 1] + 1, at = piece->place[k - 1] + 1;
        if (from >= i) continue;
        TRIB_OWNED(trib_arena) scratch = {0};
        if (j >= at) align_gap(piece, texts, from, i, at, j, &scratch);
        else extend_jump(piece, texts, from, i, at, j);
        if (scratch.failure.status != TRIB_OK)
            trib_arena_fail(arena, scratch.failure.status, "%s", scratch.failure.message);
    }
    for (uint32_t x = 0; x < length; x++) piece->n_kind[piece->kind[x]]++;
}

/* Gives the author the gaps of a piece that are so poor in shared words, beside the rest of it,
 * that he wrote them. A gap is altered rather than new where the source has as many words, and
 * where the source explains much of the target, the part `inside`. */
static void give_back(trib_piece *piece, double inside) {
    /* words of a gap are altered in bursts: what it lacks says no more than BURST */
    static const double MOST = .9, BY_CHANCE = .15, BURST = -6;
    /* an altered gap is as long in both texts in one case of four, a new one in one of 200; one new
     * gap in 20 is as short as an altered one */
    static const double LEVEL = 6.9, DRIFT = 1.5, FARTHEST = 100;
    const uint32_t length = piece->target_end - piece->target;
    const double shared = length - piece->n_kind[TRIB_REPLACED];
    const double prior = trib_logarithm(inside / (1 - inside));
    for (uint32_t k = 1; k < piece->n; k++) {
        const uint32_t from = piece->word[k - 1] + 1 - piece->target;
        const uint32_t end = piece->word[k] - piece->target;
        const double n = end - from, drift = (double)piece->place[k] - piece->place[k - 1] - 1 - n;
        double here = 0;
        for (uint32_t x = from; x < end; x++) here += piece->kind[x] != TRIB_REPLACED;
        const double rate = fmin(MOST, (shared - here + 1) / (length - n + 2));
        if (n < 1 || rate < BY_CHANCE) continue;
        const double words = here * trib_logarithm(rate / BY_CHANCE) +
                             (n - here) * trib_logarithm((1 - rate) / (1 - BY_CHANCE));
        const double place = LEVEL - DRIFT * trib_logarithm(1 + fmin(fabs(drift), FARTHEST));
        for (uint32_t x = from; x < end && fmax(BURST, words) + place + prior < 0; x++) {
            piece->kind[x] = TRIB_OWN;
            piece->aligned[x] = TRIB_NONE;
        }
    }
    memset(piece->n_kind, 0, sizeof piece->n_kind);
    for (uint32_t x = 0; x < length; x++) piece->n_kind[piece->kind[x]]++;
}

void trib_extent_give_back(trib_pieces *pieces, const trib_extent_texts *texts) {
    static const double CLEAR = .5, LEAST = .1, MOST = .999;
    double words = 0;
    for (size_t p = 0; p < pieces->n; p++)
        if (pieces->piece[p].belief > CLEAR)
            words += pieces->piece[p].target_end - pieces->piece[p].target;
    pieces->inside = fmin(fmax(words / texts->text[0].n, LEAST), MOST);
    for (size_t p = 0; p < pieces->n; p++)
        if (pieces->piece[p].belief > 0) give_back(&pieces->piece[p], pieces->inside);
}
