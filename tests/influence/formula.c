/* formula.c - tests of the formulas in influence/concordance.c: n-grams that many documents hold
 * belong to no source. */
#include "influence/evidence.h"
#include "tests/influence/texts.h"

TESTS(influence, formula);

/* Eight texts. All hold "this may be copied by all who want", which begins text 0; text 0 also has
 * eight words of text 1 that no other text holds. */
#define LICENCE "this may be copied by all who want "
static const char *const eight[] = {
    LICENCE "grey herons stood upon the wet sand yesterday but nobody counted them until noon",
    LICENCE "old men say grey herons stood upon the wet sand yesterday near our harbour wall",
    LICENCE "ships from seven ports were burned that winter",
    LICENCE "a lamp went out",
    LICENCE "his bread was never warm enough for her",
    LICENCE "rain fell on slate roofs",
    LICENCE "nine bells rang",
    LICENCE "no letter came from the north"};

enum { N_WORDS = 22, N_NGRAMS = N_WORDS - 2, N_FORMULA = 6 }; /* trigrams of text 0 */

static trib_influence_case case_of(uint32_t formula) {
    trib_influence_case c = trib_texts_case(trib_texts_count(3, eight, 8), 0);
    c.formula = formula;
    return c;
}

static trib_influence *measure(const char *method, const trib_influence_case *c) {
    return trib_measured(
        c, method,
        &(trib_influence_options){.background = -1, .bootstrap = 50, .run = 6, .seed = 1});
}

TEST(the_marked_ngrams_are_those_of_more_documents) {
    static const struct {
        uint32_t formula;
        uint64_t n;
    } expected[] = {{0, 0}, {3, N_FORMULA}, {7, N_FORMULA}, {8, 0}, {100, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const trib_influence_case c = case_of(expected[i].formula);
        trib_error error = {0};
        uint8_t *formulas = NULL;
        uint64_t n = 0, n_marked = 0;
        EXPECT_OK(trib_formula_find(&formulas, &n, &c, &error));
        CHECK(n == expected[i].n);
        CHECK((formulas != NULL) == trib_formula_is_possible(&c));
        for (size_t e = 0; formulas && e < c.document[0].counts->nnz; e++)
            n_marked += formulas[e] ? trib_hacoo_count(c.document[0].counts, e) : 0;
        CHECK(n_marked == n);
        trib_free(formulas);
    }
}

/* The documents that count are all of the corpus, not only the sources. */
TEST(documents_that_are_no_sources_count) {
    trib_influence_case c = case_of(3);
    c.n_sources = 1; /* text 1 */
    trib_influence *result = measure("split", &c);
    EXPECT_NEAR(result->formula, N_FORMULA / (double)N_NGRAMS, 1e-15);
}

TEST(every_counting_method_credits_them_to_no_source) {
    const trib_influence_case c = case_of(3), without = case_of(0);
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++) {
        if (m->needs_factors || m->reads & TRIB_READS_FOLDS) continue; /* no n-grams */
        trib_influence *result = measure(m->name, &c);
        trib_influence *before = measure(m->name, &without);
        CHECK(isnan(before->formula));
        EXPECT_NEAR(result->formula, N_FORMULA / (double)N_NGRAMS, 1e-15);
        double sum = result->author + result->formula;
        for (size_t s = 0; s < result->n_sources; s++) sum += result->share[s];
        EXPECT_NEAR(sum, 1, 1e-9);
        for (size_t s = 1; s < result->n_sources; s++) EXPECT_NEAR(result->share[s], 0, 1e-3);
        CHECK(result->share[0] > 0.25); /* the eight words of text 1, six n-grams of 20 */
        CHECK(result->low == NULL || result->low[0] <= result->share[0]);
    }
}

/* The shares by split, worked by hand: text 1 alone holds six of the 20 trigrams. */
TEST(split_gives_a_source_only_what_is_no_formula) {
    const trib_influence_case c = case_of(3);
    trib_influence *result = measure("split", &c);
    EXPECT_NEAR(result->share[0], 6. / N_NGRAMS, 1e-15);
    EXPECT_NEAR(result->author, 8. / N_NGRAMS, 1e-15);
    result = measure("traced", &c);
    EXPECT_NEAR(result->own, 8. / N_NGRAMS, 1e-12);
}

TEST(fewer_documents_than_the_threshold_change_nothing) {
    const trib_influence_case c = case_of(8), without = case_of(0);
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++) {
        if (m->needs_factors) continue;
        trib_influence *a = measure(m->name, &c);
        trib_influence *b = measure(m->name, &without);
        CHECK(isnan(a->formula));
        CHECK(a->author == b->author);
        CHECK(memcmp(a->share, b->share, a->n_sources * sizeof *a->share) == 0);
    }
}

TEST(the_evidence_holds_no_formula) {
    trib_evidence evidence[7], own;
    trib_error error = {0};
    const trib_influence_case c = case_of(3);
    trib_influence *result = measure("traced", &c);
    EXPECT_OK(trib_evidence_build(evidence, &c, result, 1, &error));
    EXPECT_OK(trib_evidence_of_author(&own, &c, &error));
    EXPECT_NEAR(evidence[0].share, result->share[0], 1e-12);
    CHECK(own.n_phrases == 8);
    for (size_t s = 0; s < 7; s++)
        for (size_t p = 0; p < evidence[s].n_phrases; p++)
            CHECK(evidence[s].phrase[p].n_other_documents < 3);
    for (size_t s = 0; s < 7; s++) trib_evidence_release(&evidence[s]);
    trib_evidence_release(&own);
}
