/* extent.c - the methods `extent` and `verbatim`: the part of the target's words that stand in
 * passages taken from each source, and the part that stand there word for word. Where several
 * sources hold a passage, its words are divided by local evidence. */
#include "influence/extent.h"
#include "base/internal.h"
#include "influence/methods.h"

#include <omp.h>

typedef struct extent {
    trib_extent_texts texts;
    trib_pieces *pieces; /* [n_sources] */
    trib_claim *claim;   /* [n_claims] by word, then by source */
    size_t n_claims, cap;
    double *words, *verbatim; /* [n_sources] words of the target, and of these word for word */
    double formula, formula_verbatim; /* the words of formulas; NaN: there can be none */
} extent;

/* ---- Pieces of all sources ------------------------------------------------------------------- */

/* Finds, believes, aligns and joins the pieces of a source, into `arena`. */
static void find_pieces(trib_pieces *pieces, const trib_extent_texts *texts, size_t s, double least,
                        trib_arena *arena) {
    TRIB_OWNED(trib_arena) scratch = {0};
    trib_word_gains gains;
    if (texts->text[s].n > 0) trib_extent_gains(&gains, texts, s, &scratch);
    if (texts->text[s].n > 0 && scratch.failure.status == TRIB_OK) {
        trib_extent_chains(pieces, texts, s, &gains, least, arena);
        if (arena->failure.status == TRIB_OK) trib_extent_believe(pieces, texts, s, &scratch);
    }
    for (size_t p = 0; arena->failure.status == TRIB_OK && p < pieces->n; p++)
        if (pieces->piece[p].belief > 0) trib_extent_align(&pieces->piece[p], texts, arena);
    if (arena->failure.status == TRIB_OK) trib_extent_give_back(pieces, texts);
    if (arena->failure.status == TRIB_OK) trib_extent_merge(pieces, texts, s, &scratch);
    if (scratch.failure.status != TRIB_OK)
        trib_arena_fail(arena, scratch.failure.status, "%s", scratch.failure.message);
}

trib_status trib_extent_find(trib_pieces pieces[], trib_arena arena[],
                             const trib_extent_texts *texts, int n_threads, trib_error *error) {
    /* pieces that score less are not looked at */
    static const double BELOW = 6, LEAST = 6;
    const double least = fmax(LEAST, trib_logarithm(texts->text[0].n) +
                                         trib_logarithm(texts->n_source_words) - BELOW);
    const size_t n_sources = texts->n_texts - 1;
    trib_status status = TRIB_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads > 1 ? n_threads : 1)
    for (size_t s = 0; s < n_sources; s++) {
        if (trib_stop_asked()) continue;
        find_pieces(&pieces[s], texts, s + 1, least, &arena[s]);
    }
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        status = trib_arena_check(&arena[s], error);
    return status == TRIB_OK ? trib_stop_check(error) : status;
}

/* ---- Words of all sources -------------------------------------------------------------------- */

/* What a word of a piece says for its source: as much as it is rare, if it is the same. */
static double evidence_of(enum trib_word_kind kind, double rate) {
    static const double SLOPE[] = {[TRIB_EQUAL] = 1, [TRIB_MOVED] = .8, [TRIB_CLOSE] = .5};
    const double gain = fmin(TRIB_MOST_GAIN, -trib_logarithm(rate));
    if (kind == TRIB_OWN || kind == TRIB_REPLACED) return -1;
    return SLOPE[kind] * gain - (kind == TRIB_MOVED);
}

/* Adds a claim for each word of a source's pieces; of two pieces the better one counts. */
static trib_status claim_words(extent *e, size_t s, trib_claim *of_word, double *sum,
                               trib_error *error) {
    enum { AROUND = 15 };
    const uint32_t n = e->texts.text[0].n;
    trib_status status = TRIB_OK;
    memset(of_word, 0, n * sizeof *of_word);
    for (size_t p = 0; p < e->pieces[s].n; p++) {
        const trib_piece *const piece = &e->pieces[s].piece[p];
        const uint32_t length = piece->target_end - piece->target;
        if (piece->belief <= 0) continue;
        sum[0] = 0;
        for (uint32_t x = 0; x < length; x++)
            sum[x + 1] = sum[x] + evidence_of(piece->kind[x], e->texts.rate[piece->target + x]);
        for (uint32_t x = 0; x < length; x++) {
            const uint32_t from = x > AROUND ? x - AROUND : 0;
            const uint32_t to = x + AROUND + 1 < length ? x + AROUND + 1 : length;
            const trib_claim now = {.word = piece->target + x,
                                    .source = (uint32_t)s,
                                    .piece = (uint32_t)p,
                                    .belief = (float)piece->belief,
                                    .evidence = (float)(sum[to] - sum[from]),
                                    .is_verbatim = piece->kind[x] == TRIB_EQUAL ||
                                                   piece->kind[x] == TRIB_MOVED};
            trib_claim *const then = &of_word[piece->target + x];
            if (piece->kind[x] == TRIB_OWN) continue;
            if (then->belief <= 0 || now.evidence * now.belief > then->evidence * then->belief)
                *then = now;
        }
    }
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        if (of_word[i].belief <= 0) continue;
        status =
            TRIB_APPEND(&e->claim, &e->n_claims, &e->cap, "words of passages", error, &of_word[i]);
    }
    return status;
}

TRIB_ORDER(by_word, trib_claim, TRIB_UP(word) ?: TRIB_UP(source));

static trib_status claim_all(extent *e, size_t n_sources, trib_error *error) {
    const uint32_t n = e->texts.text[0].n;
    trib_claim *of_word = NULL;
    double *sum = NULL;
    if (n == 0) return TRIB_OK;
    trib_status status = TRIB_NEW(&of_word, n, "words of passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&sum, (size_t)n + 1, "words of passages", error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        status = claim_words(e, s, of_word, sum, error);
    TRIB_FREE(of_word, sum);
    if (status == TRIB_OK && e->n_claims > 1)
        qsort(e->claim, e->n_claims, sizeof *e->claim, by_word);
    return status;
}

/* Takes the words out that more than `most` sources hold: they belong to no single source. */
static void take_formulas(extent *e, uint32_t most) {
    static const double BELIEVED = .5;
    e->formula = e->formula_verbatim = 0;
    for (size_t c = 0, end; c < e->n_claims; c = end) {
        double belief = 0, verbatim = 0;
        uint32_t n = 0;
        for (end = c; end < e->n_claims && e->claim[end].word == e->claim[c].word; end++) {
            n += e->claim[end].belief >= BELIEVED;
            belief = fmax(belief, e->claim[end].belief);
            if (e->claim[end].is_verbatim) verbatim = fmax(verbatim, e->claim[end].belief);
        }
        if (n <= most) continue;
        e->formula += belief;
        e->formula_verbatim += verbatim;
        for (size_t k = c; k < end; k++) e->claim[k].belief = 0;
    }
}

/* Divides the words of passages among the sources that hold them: by the evidence around each
 * word, and by what the source explains at all. Of equal sources the one that explains more takes
 * more; exact duplicates stay equal. */
static trib_status divide(extent *e, size_t n_sources, trib_error *error) {
    enum { ROUNDS = 60 };
    static const double FIRST = .05, SHARPNESS = 4;
    TRIB_FREED(double *) prior = NULL;
    if (e->n_claims == 0) return TRIB_OK;
    const trib_status status = TRIB_NEW(&prior, n_sources, "the division of words", error);
    if (status != TRIB_OK) return status;
    for (size_t s = 0; s < n_sources; s++) prior[s] = 1;
    /* the evidence becomes a weight, relative to the best at the word */
    for (size_t c = 0, end; c < e->n_claims; c = end) {
        float most = -INFINITY;
        for (end = c; end < e->n_claims && e->claim[end].word == e->claim[c].word; end++)
            most = fmaxf(most, e->claim[end].evidence);
        for (size_t k = c; k < end; k++)
            e->claim[k].evidence =
                (float)(e->claim[k].belief *
                        trib_exponential((e->claim[k].evidence - most) / SHARPNESS));
    }
    for (int round = 0; round < ROUNDS; round++) {
        memset(e->words, 0, n_sources * sizeof *e->words);
        memset(e->verbatim, 0, n_sources * sizeof *e->verbatim);
        for (size_t c = 0, end; c < e->n_claims; c = end) {
            double sum = 0, belief = 0;
            for (end = c; end < e->n_claims && e->claim[end].word == e->claim[c].word; end++) {
                sum += prior[e->claim[end].source] * e->claim[end].evidence;
                belief = fmax(belief, e->claim[end].belief);
            }
            for (size_t k = c; k < end && sum > 0; k++) {
                const uint32_t s = e->claim[k].source;
                const double words = belief * prior[s] * e->claim[k].evidence / sum;
                e->claim[k].words = (float)words;
                e->words[s] += words;
                if (e->claim[k].is_verbatim) e->verbatim[s] += words;
            }
        }
        for (size_t s = 0; s < n_sources; s++) prior[s] = e->words[s] + FIRST;
    }
    return status;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* The 90 % interval of `words` words: whether each piece is one, where its ends lie, what was not
 * aligned or is lost at its ends among altered words, and what short pieces were missed. */
static void find_interval(double *low, double *high, const trib_pieces *pieces, double words,
                          double n) {
    static const double NORMAL = 1.64, END = 1, BIAS = .3, LOST = 4, EDGE = 1.5;
    static const double MISSED = .8, SHORT = 3.5, DECAY = 1.1;
    enum { DOUBTFUL = 2 }; /* so many turns of phrase may be chance whatever is believed */
    double variance = 0, n_pieces = 0, all = 0, same = 0, open = 0, doubtful[DOUBTFUL] = {0};
    for (size_t p = 0; p < pieces->n; p++) {
        const trib_piece *const piece = &pieces->piece[p];
        if (piece->belief <= 0) continue;
        const double spanned = piece->target_end - piece->target;
        const double length = spanned - piece->n_kind[TRIB_OWN];
        double phrase = piece->passage == TRIB_NONE ? piece->belief * length : 0;
        for (int d = 0; d < DOUBTFUL; d++) {
            const double less = fmin(phrase, doubtful[d]);
            doubtful[d] = fmax(phrase, doubtful[d]);
            phrase = less;
        }
        variance += piece->belief * (1 - piece->belief) * length * length;
        n_pieces += piece->belief;
        all += piece->belief * length;
        same += piece->belief * (piece->n_kind[TRIB_EQUAL] + piece->n_kind[TRIB_MOVED]);
        open += pieces->inside * piece->belief * (piece->n_kind[TRIB_OWN] + piece->n_between);
    }
    const double length = n_pieces > 0 ? all / n_pieces : 0;
    const double part = all > 0 ? words / all : 0; /* of its pieces' words that it has */
    const double off = NORMAL * sqrt(part * (variance + END * n_pieces));
    const double lost = LOST * n_pieces * (1 - same / fmax(all, 1)) / fmax(same / fmax(all, 1), .5);
    const double missed =
        n_pieces > 1 ? MISSED * all * trib_exponential(-(fmax(length, SHORT) - SHORT) / DECAY) : 0;
    double doubt = 0;
    for (int d = 0; d < DOUBTFUL; d++) doubt += part * doubtful[d];
    *low = fmax(0, (words - off - part * BIAS * n_pieces - doubt) / n);
    *high = fmin(1, (words + off + part * (open + lost + missed) + EDGE) / n);
}

/* Sets the shares by one of the two methods, see `twin` of trib_influence. */
static void set_shares(double *twin, const extent *e, size_t n_sources, bool verbatim) {
    const double *const words = verbatim ? e->verbatim : e->words;
    const double n = e->texts.text[0].n;
    double *const author = &twin[3 * n_sources], *const formula = author + 1;
    *formula = (verbatim ? e->formula_verbatim : e->formula) / fmax(1, n);
    *author = 1 - (isnan(*formula) ? 0 : *formula);
    for (size_t s = 0; s < n_sources && n > 0; s++) {
        twin[s] = words[s] / n;
        *author = fmax(0, *author - twin[s]);
        find_interval(&twin[n_sources + s], &twin[2 * n_sources + s], &e->pieces[s], words[s], n);
    }
}

/* Takes the shares that were set so. */
static trib_status take_shares(trib_influence *result, const double *twin, trib_error *error) {
    const size_t n = result->n_sources;
    trib_status status = TRIB_NEW(&result->low, n, "intervals", error);
    if (status == TRIB_OK) status = TRIB_NEW(&result->high, n, "intervals", error);
    for (size_t s = 0; s < n && status == TRIB_OK; s++) {
        result->share[s] = twin[s];
        result->low[s] = twin[n + s];
        result->high[s] = twin[2 * n + s];
    }
    result->author = twin[3 * n];
    result->formula = twin[3 * n + 1];
    return status;
}

/* Sets the shares of one of the two methods, and keeps those of the other. */
static trib_status report(trib_influence *result, const extent *e, bool verbatim,
                          trib_error *error) {
    const size_t n = result->n_sources;
    trib_status status = TRIB_NEW(&result->twin, 3 * n + 2, "shares", error);
    if (status != TRIB_OK) return status;
    set_shares(result->twin, e, n, verbatim);
    status = take_shares(result, result->twin, error);
    set_shares(result->twin, e, n, !verbatim);
    result->n_twin = n;
    return status;
}

static trib_status measure(trib_influence *result, const trib_influence_case *c,
                           const trib_influence_options *options, bool verbatim,
                           trib_error *error) {
    extent e = {.formula = NAN, .formula_verbatim = NAN};
    trib_arena *arena = NULL;
    if (c->other && c->other->twin && c->other->method != result->method &&
        c->other->n_twin == c->n_sources)
        return take_shares(result, c->other->twin, error);
    trib_status status = trib_extent_texts_read(&e.texts, c, error);
    if (status == TRIB_OK) status = TRIB_NEW(&arena, c->n_sources, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&e.pieces, c->n_sources, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&e.words, c->n_sources, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&e.verbatim, c->n_sources, "passages", error);
    if (status == TRIB_OK)
        status = trib_extent_find(e.pieces, arena, &e.texts, options->n_threads, error);
    if (status == TRIB_OK) status = claim_all(&e, c->n_sources, error);
    if (status == TRIB_OK && trib_formula_is_possible(c)) take_formulas(&e, c->formula);
    if (status == TRIB_OK) status = divide(&e, c->n_sources, error);
    if (status == TRIB_OK) status = report(result, &e, verbatim, error);
    if (status == TRIB_OK)
        status = trib_extent_passages(result, c, &e.texts, e.pieces, e.claim, e.n_claims, error);
    for (size_t s = 0; arena && s < c->n_sources; s++) trib_arena_release(&arena[s]);
    TRIB_FREE(arena, e.pieces, e.claim, e.words, e.verbatim);
    trib_extent_texts_release(&e.texts);
    return status;
}

trib_status trib_extent_measure(trib_influence *result, const trib_influence_case *c,
                                const trib_influence_options *options, trib_error *error) {
    return measure(result, c, options, false, error);
}

trib_status trib_verbatim_measure(trib_influence *result, const trib_influence_case *c,
                                  const trib_influence_options *options, trib_error *error) {
    return measure(result, c, options, true, error);
}
