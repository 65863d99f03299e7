/* search.c - tests of influence/passages/: scores worked by hand, and the search beside the
 * obvious one, which scores every pair from the formula. */
#include "influence/passages/parallels.h"
#include "tests/test.h"

TESTS(passages, search);

/* ---- Invented texts -------------------------------------------------------------------------- */

enum { MOST_WORDS = 4000, MOST_FORMS = 400, MOST_FEATURES = 300 };

/* Two texts and their lexicon. */
typedef struct texts {
    size_t features_from[MOST_FORMS + 1], grams_from[MOST_FORMS + 1];
    uint32_t feature[3 * MOST_FORMS], gram[4 * MOST_FORMS];
    uint64_t count[MOST_FEATURES];
    uint32_t form[2][MOST_WORDS];
    trib_parallel_unit unit[2][MOST_WORDS];
    trib_parallel_lexicon lexicon;
    trib_parallel_text text[2];
} texts;

/* Each letter is a form; its only feature is the letter in lower case, so "A" and "a" are the same
 * word, and "z" has none. A point ends a unit. `counts` has the frequency of each letter: of a, b
 * and so on. Forms have no 4-grams, unless they are among `written`: then one each, the same for
 * both cases. */
static void read_letters(texts *x, const char *target, const char *source, const uint64_t *counts,
                         uint64_t n_words, const char *written) {
    const char *const from[2] = {target, source};
    memset(x, 0, sizeof *x);
    for (uint32_t f = 0; f < 256; f++) {
        const int lower = f >= 'A' && f <= 'Z' ? (int)f + 32 : (int)f;
        size_t *n_features = &x->features_from[f + 1], *n_grams = &x->grams_from[f + 1];
        *n_features = x->features_from[f];
        *n_grams = x->grams_from[f];
        if (lower < 'a' || lower > 'y') continue;
        x->feature[(*n_features)++] = (uint32_t)(lower - 'a');
        if (strchr(written, lower)) x->gram[(*n_grams)++] = (uint32_t)(lower - 'a');
    }
    for (uint32_t i = 0; i < 25; i++) x->count[i] = counts[i];
    x->lexicon = (trib_parallel_lexicon){
        256, 25, 25, x->features_from, x->feature, x->count, n_words, x->grams_from, x->gram};
    for (int k = 0; k < 2; k++) {
        uint32_t n = 0, n_units = 0, first = 0;
        for (const char *at = from[k]; *at; at++) {
            if (*at != '.') x->form[k][n++] = (unsigned char)*at;
            else if (n > first) x->unit[k][n_units++] = (trib_parallel_unit){first, n - first};
            if (*at == '.') first = n;
        }
        x->text[k] = (trib_parallel_text){x->form[k], n, x->unit[k], n_units};
    }
}

/* What is found is there until the next call but one. */
static const trib_parallels *find(const texts *x, double distance, size_t top, bool overlap,
                                  int n_threads) {
    static trib_parallels both[2];
    static size_t n_calls;
    trib_parallels *found = &both[n_calls++ % 2];
    const trib_parallel_options options = {distance, top, overlap, n_threads};
    trib_error error = {0};
    trib_parallels_release(found);
    EXPECT_OK(trib_parallels_find(found, &x->lexicon, &x->text[0], &x->text[1], &options,
                                  (trib_progress){0}, &error));
    return found;
}

/* ---- Scores by hand -------------------------------------------------------------------------- */

/* a occurs once in 1000 words, b 10 times, c 100 times: 3 ln 10, 2 ln 10 and ln 10. */
static const uint64_t tens[25] = {1, 10, 100};

TEST(a_pair_has_the_score_of_the_formula) {
    const double ten = log(10);
    const struct {
        const char *target, *source;
        double weight;
        uint32_t distance;
        const char *matches; /* TARGET:SOURCE, the rarest word first */
        double score;
    } pairs[] = {
        {"axxb.", "qab.", 1.5, 3 + 1, "0:1 3:2 ", 5 * ten - 1.5 * log(4)},
        /* prose: the distance counts nothing */
        {"axxb.", "qab.", 0, 3 + 1, "0:1 3:2 ", 5 * ten},
        /* one match counts as with a common word far away */
        {"axx.", "qa.", 1.5, 0, "0:1 ", 3 * ten + 4 - 1.5 * log(20)},
        /* the third match adds .7; of b, which stands twice, the nearer one counts */
        {"acb.", "bxxabc.", 1, 2 + 1, "0:3 2:0 1:5 ", 5 * ten - log(3) + .7},
        /* the only a of the source is matched once, with the first free one; z has no feature */
        {"aazb.", "azb.", 1, 2 + 2, "0:0 3:2 ", 5 * ten - log(4)},
        /* a feature that the corpus lacks counts half */
        {"d.", "d.", 0, 0, "0:0 ", log(2000) + 4},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        texts x;
        char matches[64] = "";
        read_letters(&x, pairs[i].target, pairs[i].source, tens, 1000, "");
        const trib_parallels *found = find(&x, pairs[i].weight, 10, false, 1);
        CHECK(found->n == 1 && found->n_scored == 1);
        for (size_t m = 0; m < found->pair[0].n_matches; m++)
            sprintf(matches + strlen(matches), "%u:%u ", found->match[m].target,
                    found->match[m].source);
        EXPECT_TEXT(matches, pairs[i].matches);
        EXPECT(found->pair[0].distance == pairs[i].distance);
        EXPECT_NEAR(found->pair[0].score, pairs[i].score, 1e-12);
    }
}

/* c of 2 equal 4-grams in units of 4 words; each is in 2 of 4 units. In the second pair one of two
 * is shared, and the other (in 1 unit) weighs ln 4. */
TEST(likeness_is_the_cosine_of_4_grams_less_in_short_units) {
    texts x;
    read_letters(&x, "abxx.d.", "abqq.dxx.", tens, 1000, "ab");
    const trib_parallels *found = find(&x, 0, 10, false, 1);
    CHECK(found->n >= 1);
    EXPECT_NEAR(found->pair[0].cosine, 1, 1e-12);
    EXPECT_NEAR(found->pair[0].score, 5 * log(10) + 20 * 1 * 4. / 5, 1e-12);
    read_letters(&x, "axxx.dddd.", "ayc.dddd.", tens, 1000, "ac");
    found = find(&x, 0, 10, false, 1);
    CHECK(found->n == 2);
    const double c = log(2) / sqrt(log(2) * log(2) + log(4) * log(4));
    for (int i = 0; i < 2; i++)
        if (found->pair[i].target == 0) EXPECT_NEAR(found->pair[i].cosine, c, 1e-12);
}

TEST(equal_scores_are_listed_in_the_order_of_the_texts) {
    texts x;
    read_letters(&x, "a.a.", "a.a.", tens, 1000, "");
    const trib_parallels *found = find(&x, 1, 3, false, 2);
    CHECK(found->n == 3 && found->n_scored == 4);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT(found->pair[i].target == i / 2 && found->pair[i].source == i % 2);
}

TEST(nothing_in_common_is_nothing_found) {
    static const char *const cases[][2] = {
        {"a.", "b."}, {"", "a."}, {"a.", ""}, {"", ""}, {"z.", "z."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        texts x;
        read_letters(&x, cases[i][0], cases[i][1], tens, 1000, "ab");
        const trib_parallels *found = find(&x, 1, 3, i % 2, 2);
        EXPECT(found->n == 0 && found->n_scored == 0);
    }
}

/* ---- The obvious search ---------------------------------------------------------------------- */

static bool has(const texts *x, uint32_t form, uint32_t feature) {
    if (form == TRIB_NO_FORM) return false;
    for (size_t f = x->features_from[form]; f < x->features_from[form + 1]; f++)
        if (x->feature[f] == feature) return true;
    return false;
}

static uint32_t form_at(const texts *x, int k, uint32_t word) { return x->form[k][word]; }

static double information(const texts *x, uint32_t feature) {
    const double n = x->count[feature] > 0 ? (double)x->count[feature] : .5;
    return -log(n / (double)x->lexicon.n_words);
}

/* Occurrences of a 4-gram in a unit. */
static double n_grams(const texts *x, int k, uint32_t unit, uint32_t gram) {
    const trib_parallel_unit *u = &x->unit[k][unit];
    double n = 0;
    for (uint32_t w = u->first; w < u->first + u->n; w++) {
        const uint32_t form = form_at(x, k, w);
        if (form == TRIB_NO_FORM) continue;
        for (size_t g = x->grams_from[form]; g < x->grams_from[form + 1]; g++)
            n += x->gram[g] == gram;
    }
    return n;
}

static double gram_weight(const texts *x, int k, uint32_t unit, uint32_t gram) {
    const double n = n_grams(x, k, unit, gram);
    double n_units = 0, n_all = 0;
    if (n == 0) return 0;
    for (int l = 0; l < 2; l++)
        for (uint32_t u = 0; u < x->text[l].n_units; u++, n_all++)
            n_units += n_grams(x, l, u, gram) > 0;
    return (1 + log(n)) * log(n_all / n_units);
}

static double cosine(const texts *x, const double *const weight[2], uint32_t t, uint32_t s) {
    double dot = 0, a = 0, b = 0;
    const uint32_t n = x->lexicon.n_grams;
    for (uint32_t g = 0; g < n; g++) {
        dot += weight[0][t * n + g] * weight[1][s * n + g];
        a += weight[0][t * n + g] * weight[0][t * n + g];
        b += weight[1][s * n + g] * weight[1][s * n + g];
    }
    return dot > 0 ? dot / sqrt(a) / sqrt(b) : 0;
}

/* The smallest distance of two different words with the features one and other in a unit. */
static double gap(const texts *x, int k, uint32_t unit, uint32_t one, uint32_t other) {
    const trib_parallel_unit *u = &x->unit[k][unit];
    double least = INFINITY;
    for (uint32_t a = u->first; a < u->first + u->n; a++)
        for (uint32_t b = u->first; b < u->first + u->n; b++)
            if (a != b && has(x, form_at(x, k, a), one) && has(x, form_at(x, k, b), other))
                least = fmin(least, fabs((double)a - b));
    return least;
}

/* Returns the first free word of a unit with a feature, or -1. */
static int64_t free_word(const texts *x, int k, uint32_t unit, uint32_t feature,
                         const bool *taken) {
    const trib_parallel_unit *u = &x->unit[k][unit];
    for (uint32_t w = u->first; w < u->first + u->n; w++)
        if (!taken[w] && has(x, form_at(x, k, w), feature)) return w;
    return -1;
}

/* The score from the formula; -INFINITY without a common feature. */
static double score(const texts *x, const double *const weight[2], const uint32_t *by_rarity,
                    double w, uint32_t t, uint32_t s) {
    bool taken[2][MOST_WORDS] = {{false}};
    uint32_t matched[2] = {0};
    double n = 0;
    for (uint32_t i = 0; i < x->lexicon.n_features; i++) {
        const int64_t a = free_word(x, 0, t, by_rarity[i], taken[0]),
                      b = free_word(x, 1, s, by_rarity[i], taken[1]);
        if (a < 0 || b < 0) continue;
        taken[0][a] = taken[1][b] = true;
        if (n < 2) matched[(int)n] = by_rarity[i];
        n++;
    }
    if (n == 0) return -INFINITY;
    const double second = n > 1 ? information(x, matched[1]) : 4;
    const double d =
        n > 1 ? gap(x, 0, t, matched[0], matched[1]) + gap(x, 1, s, matched[0], matched[1]) : 20;
    const double m = fmin(x->unit[0][t].n, x->unit[1][s].n);
    return information(x, matched[0]) + second - w * log(d) +
           20 * cosine(x, weight, t, s) * m / (m + 1) + .7 * fmax(n - 2, 0);
}

/* ---- Random texts ---------------------------------------------------------------------------- */

/* Draws small numbers more often than large ones. */
static uint32_t draw(trib_random *random, uint32_t n) {
    const double u = trib_random_unit(random);
    return (uint32_t)(u * u * u * n);
}

static void invent(texts *x, uint64_t seed, uint32_t n_words, bool windows) {
    trib_random random;
    const uint32_t n_forms = 120, n_features = 90, n_of_grams = 60;
    memset(x, 0, sizeof *x);
    trib_random_seed(&random, seed);
    for (uint32_t f = 0; f < n_forms; f++) {
        size_t *end = &x->features_from[f + 1];
        const uint32_t n_own = 1 + draw(&random, 3), n_grams_own = draw(&random, 4);
        *end = x->features_from[f];
        for (uint32_t i = 0; i < n_own; i++) {
            const uint32_t feature = (f + 37 * i) % n_features;
            if (!(i > 0 && has(x, f, feature))) x->feature[(*end)++] = feature;
        }
        x->grams_from[f + 1] = x->grams_from[f];
        for (uint32_t i = 0; i < n_grams_own; i++)
            x->gram[x->grams_from[f + 1]++] = draw(&random, n_of_grams);
    }
    for (uint32_t i = 0; i < n_features; i++) x->count[i] = trib_random_below(&random, 5);
    x->lexicon =
        (trib_parallel_lexicon){n_forms,  n_features,  n_of_grams,    x->features_from, x->feature,
                                x->count, 2 * n_words, x->grams_from, x->gram};
    for (int k = 0; k < 2; k++) {
        uint32_t n_units = 0, at = 0;
        for (uint32_t i = 0; i < n_words; i++)
            x->form[k][i] = draw(&random, 50) == 49 ? TRIB_NO_FORM : draw(&random, n_forms);
        while (at < n_words) {
            uint32_t n = windows ? 12 : 1 + (uint32_t)trib_random_below(&random, 9);
            if (n > n_words - at) n = n_words - at;
            x->unit[k][n_units++] = (trib_parallel_unit){at, n};
            at += windows ? 6 : n;
        }
        x->text[k] = (trib_parallel_text){x->form[k], n_words, x->unit[k], n_units};
    }
}

/* The score of every pair, [units of the target][units of the source]. */
static double *score_all(const texts *x, double w) {
    const uint32_t n[2] = {x->text[0].n_units, x->text[1].n_units}, n_of = x->lexicon.n_grams;
    double *weight[2], *all = calloc((size_t)n[0] * n[1], sizeof *all);
    uint32_t by_rarity[MOST_FEATURES];
    for (int k = 0; k < 2; k++) {
        weight[k] = calloc((size_t)n[k] * n_of, sizeof **weight);
        for (uint32_t u = 0; u < n[k]; u++)
            for (uint32_t g = 0; g < n_of; g++) weight[k][u * n_of + g] = gram_weight(x, k, u, g);
    }
    for (uint32_t i = 0; i < x->lexicon.n_features; i++) { /* stable insertion */
        uint32_t at = i;
        for (; at > 0 && information(x, by_rarity[at - 1]) < information(x, i); at--)
            by_rarity[at] = by_rarity[at - 1];
        by_rarity[at] = i;
    }
    for (uint32_t t = 0; t < n[0]; t++)
        for (uint32_t s = 0; s < n[1]; s++)
            all[t * n[1] + s] =
                score(x, (const double *const[]){weight[0], weight[1]}, by_rarity, w, t, s);
    free(weight[0]);
    free(weight[1]);
    return all;
}

/* With overlap, removes the pairs that have a better neighbour. Sets is_tied for pairs that have a
 * neighbour as good, since rounding decides which of them is listed. */
static void suppress(double *all, bool *is_tied, uint32_t n_target, uint32_t n_source) {
    double *before = malloc((size_t)n_target * n_source * sizeof *before);
    memcpy(before, all, (size_t)n_target * n_source * sizeof *before);
    for (int64_t t = 0; t < n_target; t++)
        for (int64_t s = 0; s < n_source; s++)
            for (int64_t a = t - 1; a <= t + 1; a++)
                for (int64_t b = s - 1; b <= s + 1; b++) {
                    if (a < 0 || b < 0 || a >= n_target || b >= n_source) continue;
                    if (a == t && b == s) continue;
                    const double one = before[t * n_source + s], other = before[a * n_source + b];
                    if (other > one + 1e-9) all[t * n_source + s] = -INFINITY;
                    else if (other > one - 1e-9) is_tied[t * n_source + s] = true;
                }
    free(before);
}

/* Compares a list with all scores after `suppress`. */
static void compare_list(const trib_parallels *found, const texts *x, const double *all,
                         const bool *is_tied, size_t top) {
    const uint32_t n_source = x->text[1].n_units;
    const double least = found->n ? found->pair[found->n - 1].score : INFINITY;
    size_t n_better = 0, n_sure = 0, n_any = 0;
    for (size_t i = 0; i < found->n; i++) {
        const trib_parallel *p = &found->pair[i];
        EXPECT_NEAR(p->score, all[p->target * n_source + p->source], 1e-9);
        EXPECT(i == 0 || p[-1].score >= p->score);
    }
    for (size_t i = 0; i < (size_t)x->text[0].n_units * n_source; i++) {
        n_any += all[i] > -INFINITY;
        n_sure += all[i] > -INFINITY && !is_tied[i];
        n_better += all[i] > least + 1e-9 && !is_tied[i];
    }
    EXPECT(found->n >= (n_sure < top ? n_sure : top) && found->n <= (n_any < top ? n_any : top));
    EXPECT(n_better < found->n || n_better == 0);
}

static void compare_with_obvious(uint64_t seed, uint32_t n_words, bool overlap, double w) {
    texts *x = malloc(sizeof *x);
    invent(x, seed, n_words, overlap);
    double *all = score_all(x, w);
    const uint32_t n_target = x->text[0].n_units, n_source = x->text[1].n_units;
    bool *is_tied = calloc((size_t)n_target * n_source, sizeof *is_tied);
    if (overlap) suppress(all, is_tied, n_target, n_source);
    for (size_t top = 1; top <= 100000; top *= 10) {
        const trib_parallels *first = find(x, w, top, overlap, 1);
        compare_list(first, x, all, is_tied, top);
        for (int n_threads = 2; n_threads <= 4; n_threads *= 2) { /* the same bits */
            const trib_parallels *found = find(x, w, top, overlap, n_threads);
            CHECK(first->n == found->n && first->n_matches == found->n_matches);
            EXPECT(first->n_scored == found->n_scored);
            EXPECT(memcmp(first->pair, found->pair, found->n * sizeof *found->pair) == 0);
            EXPECT(memcmp(first->match, found->match, found->n_matches * sizeof *found->match) ==
                   0);
        }
    }
    free(is_tied);
    free(all);
    free(x);
}

TEST(the_search_finds_what_the_obvious_search_finds) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        compare_with_obvious(seed, 400, false, 1.5);
        compare_with_obvious(seed, 500, true, seed == 4 ? 0 : 1.5);
    }
}

/* ---- Failures -------------------------------------------------------------------------------- */

static trib_status attempt(void *context, trib_error *error) {
    const texts *x = context;
    GIVEN(trib_parallels) found = {0};
    const trib_parallel_options options = {1.5, 20, true, 1};
    const trib_status status = trib_parallels_find(&found, &x->lexicon, &x->text[0], &x->text[1],
                                                   &options, (trib_progress){0}, error);
    return status;
}

TEST(failures_are_reported) {
    texts *x = malloc(sizeof *x);
    invent(x, 7, 300, true);
    EXPECT(trib_fail_every_allocation(attempt, x) > 10);
    EXPECT(trib_stop_at_every_look(attempt, x) > 1);
    free(x);
}
