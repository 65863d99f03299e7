/* matched.c - tests of lowe-matched in influence/lowe.c. */
#include "tests/influence/texts.h"

TESTS(influence, matched);

/* ---- Worked by hand -------------------------------------------------------------------------- */

/* Pairs. The target has the factors a(b) + a(c) of mass 2 and b(a) of mass 1; the source is the
 * pair ab alone. In both together a stands first 3 times, b once, ab is there twice: the chance of
 * a word is (2 + .5) / 5 for a, .1 for b and c, that of b after a is max(2 - 2, 0) / 2 + 2 / 2 *
 * .1, of c the same. So A_t = .5 * .1 and L_ts = 1/2. Of the three pairs one is in the source, so
 * at the end pi = 1/3 * pi L / (pi L + (1 - pi) A): pi = (L / 3 - A) / (L - A) = 7/27. */
TEST(a_small_case_worked_by_hand) {
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b a c", "a b"), 0);
    trib_influence *result = trib_measured(&c, "lowe-matched", NULL);
    EXPECT_NEAR(result->share[0], 7 / 27., 1e-8);
    EXPECT_NEAR(result->author, 20 / 27., 1e-8);
}

/* ---- The formula, term by term --------------------------------------------------------------- */

enum { MODES = 3, MAX_NONZEROS = 512 };

/* A document as its exact factors, in vocabulary ids. */
typedef struct factors {
    size_t n, factor[MAX_NONZEROS];
    uint32_t index[MAX_NONZEROS][MODES];
    double count[MAX_NONZEROS], mass[MAX_NONZEROS];
} factors;

static void cover(factors *x, const trib_influence_document *document) {
    const trib_hacoo *counts = document->counts;
    GIVEN(trib_fibre_cover) found = {0};
    uint32_t index[MAX_NONZEROS * MODES];
    double value[MAX_NONZEROS];
    CHECK(counts->nnz <= MAX_NONZEROS);
    for (size_t e = 0; e < counts->nnz; e++)
        value[e] = trib_hacoo_entry(counts, e, index + e * MODES);
    CHECK(trib_fibre_cover_list(&found, MODES, counts->dim, index, value, counts->nnz, 0, NULL) ==
          TRIB_OK);
    x->n = 0;
    for (size_t f = 0; f < found.n_fibres; f++)
        for (size_t i = 0; i < found.fibre[f].n; i++, x->n++) {
            const trib_fibre *t = &found.fibre[f];
            for (uint32_t m = 0; m < MODES; m++) {
                const uint32_t own = m == t->free_mode ? found.index[t->first + i] : t->fixed[m];
                x->index[x->n][m] = document->word[own];
            }
            x->factor[x->n] = f;
            x->count[x->n] = found.value[t->first + i];
            x->mass[x->n] = t->mass;
        }
}

/* Counts u before v (UINT32_MAX: any word) in n documents, and the number of different words before
 * v. */
static double pairs(const factors d[], size_t n, uint32_t u, uint32_t v, double *n_followers) {
    static bool seen[4096];
    double count = 0;
    memset(seen, 0, sizeof seen);
    *n_followers = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < d[k].n; i++) {
            const uint32_t after = d[k].index[i][1];
            if (d[k].index[i][0] != u || (v != UINT32_MAX && after != v)) continue;
            count += d[k].count[i];
            *n_followers += !seen[after];
            seen[after] = true;
        }
    return count;
}

static double chance(const factors d[], size_t n, uint32_t n_words, const uint32_t index[MODES]) {
    double total = 0, n_types = 0, followers, none, p = 0;
    for (uint32_t w = 0; w < n_words; w++) {
        const double count = pairs(d, n, w, UINT32_MAX, &none);
        total += count;
        n_types += count > 0;
    }
    for (uint32_t m = 0; m < MODES; m++) {
        const double word =
            (fmax(pairs(d, n, index[m], UINT32_MAX, &none) - 1, 0) + .5) / (total + .5 * n_types);
        if (m == 0) {
            p = word;
            continue;
        }
        const double before = fmax(pairs(d, n, index[m - 1], UINT32_MAX, &followers) - 1, 1);
        const double both = pairs(d, n, index[m - 1], index[m], &none) - 1;
        p *= fmax(both - 1, 0) / before + fmin(1, followers / before) * word;
    }
    return p;
}

/* The inner product of factor f of t with all factors of s, each with its lambda over |s|, summed
 * over the n-grams of both. */
static double product(const factors *t, size_t f, const factors *s) {
    double sum = 0, total = 0;
    for (size_t j = 0; j < s->n; j++) total += s->count[j];
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; t->factor[i] == f && j < s->n; j++)
            if (memcmp(t->index[i], s->index[j], sizeof t->index[i]) == 0)
                sum += t->count[i] / t->mass[i] * (s->mass[j] / total) * (s->count[j] / s->mass[j]);
    return sum;
}

static bool holds(const factors *s, const uint32_t index[MODES]) {
    bool found = false;
    for (size_t j = 0; j < s->n; j++)
        found = found || memcmp(index, s->index[j], sizeof s->index[j]) == 0;
    return found;
}

enum { DOCUMENTS = 4 };

/* Computes share[s] of document s from all factors of d[0], with 150 rounds. */
static void explain(const factors d[DOCUMENTS], uint32_t n_words, double share[DOCUMENTS]) {
    static double by_chance[MAX_NONZEROS], by[MAX_NONZEROS][DOCUMENTS];
    const factors *t = &d[0];
    double total = 0;
    memset(by_chance, 0, sizeof by_chance);
    for (size_t i = 0; i < t->n; i++) {
        total += t->count[i];
        by_chance[t->factor[i]] +=
            t->count[i] / t->mass[i] * chance(d, DOCUMENTS, n_words, t->index[i]);
        for (size_t s = 1; s < DOCUMENTS; s++)
            by[i][s] = holds(&d[s], t->index[i]) ? product(t, t->factor[i], &d[s]) : 0;
    }
    share[0] = 0.5;
    for (size_t s = 1; s < DOCUMENTS; s++) share[s] = 0.5 / (DOCUMENTS - 1);
    for (int round = 0; round < 150; round++) {
        double next[DOCUMENTS] = {0};
        for (size_t i = 0; i < t->n; i++) {
            double mix = share[0] * by_chance[t->factor[i]];
            for (size_t s = 1; s < DOCUMENTS; s++) mix += share[s] * by[i][s];
            for (size_t s = 1; s < DOCUMENTS; s++)
                next[s] += t->count[i] / total * share[s] * by[i][s] / mix;
        }
        share[0] = 1;
        for (size_t s = 1; s < DOCUMENTS; s++) share[0] -= share[s] = next[s];
    }
}

TEST(shares_equal_the_formula_applied_to_the_factors_of_both) {
    static factors d[DOCUMENTS];
    char *source = trib_texts_invent(1, 200, NULL), *other = trib_texts_invent(2, 200, NULL);
    char *third = trib_texts_invent(3, 100, source), *target = trib_texts_invent(4, 200, source);
    double share[DOCUMENTS];
    trib_texts *texts = TEXTS(MODES, target, source, other, third);
    const trib_influence_case c = trib_texts_case(texts, 0);
    for (size_t k = 0; k < DOCUMENTS; k++) cover(&d[k], &texts->document[k]);
    explain(d, texts->words.n_words, share);
    trib_influence *result = trib_measured(&c, "lowe-matched", NULL);
    for (size_t s = 1; s < DOCUMENTS; s++) EXPECT_NEAR(result->share[s - 1], share[s], 1e-8);
    EXPECT_NEAR(result->author, share[0], 1e-8);
    EXPECT(result->share[0] > 0.15 && result->share[1] < 0.05);
    free(source), free(other), free(third), free(target);
}

/* ---- Special cases --------------------------------------------------------------------------- */

TEST(only_listed_sources_are_weighed) {
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b a c", "b a", "a b a c"), 0);
    trib_influence *result =
        trib_measured(&c, "lowe-matched", &(trib_influence_options){.shortlist = 1});
    EXPECT(result->n_listed == 1 && result->share[0] == 0 && result->share[1] > 0.5);
}
