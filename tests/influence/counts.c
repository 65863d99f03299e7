/* counts.c - tests of influence/counts.c: containment and split. */
#include "tests/influence/texts.h"

static void measure(trib_influence *result, const char *method, const trib_influence_case *c) {
    const trib_influence_options options = {.background = -1, .n_threads = 1};
    trib_error error = {0};
    const trib_influence_method *row = trib_influence_method_find(method);
    CHECK(row != NULL);
    EXPECT_STATUS(trib_influence_measure(result, row, c, &options, &error), TRIB_OK, error);
}

static void expect_shares(const char *method, const trib_influence_case *c, const double share[],
                          double author) {
    trib_influence result;
    measure(&result, method, c);
    CHECK(result.n_sources == c->n_sources);
    for (size_t s = 0; s < c->n_sources; s++) EXPECT_NEAR(result.share[s], share[s], 1e-15);
    EXPECT_NEAR(result.author, author, 1e-15);
    trib_influence_release(&result);
}

/* Bigrams. Target: ab 2, bc 1, cd 1, da 1. Document 1: ab 1, bc 1. Document 2: ab 2, bx 1, xa 1. So
 * ab is half of either source. */
static const char *const small[] = {"a b c d a b", "a b c", "a b x a b"};

static void a_small_case_worked_by_hand(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 2, small, 3);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    expect_shares("containment", &c, (double[]){3 / 5., 2 / 5.}, 2 / 5.);
    expect_shares("split", &c, (double[]){2 / 5., 1 / 5.}, 2 / 5.);
    trib_texts_release(&texts);
}

static void an_ngram_is_split_by_relative_frequency(void) {
    trib_texts texts; /* ab: 1 of 4 in document 1, 1 of 1 in document 2 */
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 2, (const char *[]){"a b", "a b x y z", "a b"}, 3);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    expect_shares("split", &c, (double[]){0.2, 0.8}, 0);
    expect_shares("containment", &c, (double[]){1, 1}, 0);
    trib_texts_release(&texts);
}

static void the_published_example_gives_its_values(void) {
    static const char *const name[] = {"toy/cat", "toy/dog", "toy/sequel_dissertation", "toy/seq"};
    trib_texts texts;
    if (!trib_texts_read(&texts, 3, name, 4)) return;
    const trib_influence_case c = {.document = texts.document,
                                   .n_documents = 4,
                                   .n_words = texts.words.n_words,
                                   .target = 2,
                                   .source = (uint32_t[]){0, 1},
                                   .n_sources = 2};
    expect_shares("containment", &c, (double[]){.18, .22}, .6);
    expect_shares("split", &c, (double[]){.18, .22}, .6);
    trib_influence_case seq = c;
    seq.target = 3;
    expect_shares("containment", &seq, (double[]){3 / 41., 11 / 41.}, 27 / 41.);
    static const uint64_t n_words[] = {28, 27, 52, 43}, n_ngrams[] = {26, 25, 50, 41};
    static const size_t nnz[] = {23, 23, 42, 38};
    for (size_t d = 0; d < 4; d++)
        EXPECT(texts.document[d].n_words == n_words[d] && texts.counts[d].total == n_ngrams[d] &&
               texts.counts[d].nnz == nnz[d]);
    trib_texts_release(&texts);
}

static void a_target_that_is_its_only_source_scores_1(void) {
    trib_texts texts;
    char *text = trib_texts_invent(1, 2000, NULL);
    trib_texts_count(&texts, 3, (const char *[]){text}, 1);
    const trib_influence_case c = {.document = texts.document,
                                   .n_documents = 1,
                                   .n_words = texts.words.n_words,
                                   .source = (uint32_t[]){0},
                                   .n_sources = 1};
    expect_shares("containment", &c, (double[]){1}, 0);
    expect_shares("split", &c, (double[]){1}, 0);
    trib_texts_release(&texts);
    free(text);
}

static void without_sources_or_n_grams_the_author_has_the_whole_share(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 3, (const char *[]){"a b c d", "a", "", "x y z"}, 4);
    for (uint32_t target = 0; target < 4; target++) {
        trib_influence_case c = trib_texts_case(&texts, target, source);
        for (int with = 0; with < 2; with++, c.n_sources = 0) {
            expect_shares("containment", &c, (double[]){0, 0, 0}, 1);
            expect_shares("split", &c, (double[]){0, 0, 0}, 1);
        }
    }
    trib_texts_release(&texts);
}

static trib_status measure_both(void *context, trib_error *error) {
    const trib_influence_options options = {.n_threads = 1};
    trib_status status = TRIB_OK;
    for (int i = 0; status == TRIB_OK && i < 2; i++) {
        trib_influence result;
        status =
            trib_influence_measure(&result, trib_influence_method_find(i ? "split" : "containment"),
                                   context, &options, error);
        trib_influence_release(&result);
    }
    return status;
}

static void every_failing_allocation_is_reported(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 2, small, 3);
    trib_influence_case c = trib_texts_case(&texts, 0, source);
    EXPECT(trib_fail_every_allocation(measure_both, &c) > 8);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_influence_counts[] = {
    {"a small case worked by hand", a_small_case_worked_by_hand},
    {"an n-gram is split by relative frequency", an_ngram_is_split_by_relative_frequency},
    {"the published example gives its values", the_published_example_gives_its_values},
    {"a target that is its only source scores 1", a_target_that_is_its_only_source_scores_1},
    {"without sources or n-grams the author has the whole share",
     without_sources_or_n_grams_the_author_has_the_whole_share},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
