/* runs.c - tests of influence/runs.c and influence/ngram_index.c. */
#include "influence/ngram_index.h"
#include "tests/influence/texts.h"

static void measure(trib_influence *result, const trib_influence_case *c, uint32_t run) {
    const trib_influence_options options = {.run = run, .n_threads = 1};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find("runs"), c, &options, &error),
        TRIB_OK, error);
    CHECK(result->share != NULL || c->n_sources == 0);
}

static void expect_shares(const trib_influence_case *c, uint32_t run, const double share[],
                          double author) {
    trib_influence result;
    measure(&result, c, run);
    for (size_t s = 0; s < c->n_sources; s++) EXPECT_NEAR(result.share[s], share[s], 1e-15);
    EXPECT_NEAR(result.author, author, 1e-15);
    trib_influence_release(&result);
}

/* The bigrams of the target: ab bc cd de ef fg gh hi. Document 1 holds the runs a b c d and g h i;
 * document 2 holds c d e. */
static void a_small_case_worked_by_hand(void) {
    static const char *const text[] = {"a b c d e f g h i", "a b c d x g h i", "y c d e z"};
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 2, text, 3);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    expect_shares(&c, 2, (double[]){5 / 8., 2 / 8.}, 2 / 8.);
    expect_shares(&c, 3, (double[]){5 / 8., 2 / 8.}, 2 / 8.);
    expect_shares(&c, 4, (double[]){3 / 8., 0}, 5 / 8.);
    expect_shares(&c, 5, (double[]){0, 0}, 1);
    expect_shares(&c, 1, (double[]){5 / 8., 2 / 8.}, 2 / 8.); /* never less than n words */
    trib_texts_release(&texts);
}

/* Holds all the target's n-grams, but never three words in a row. */
static void isolated_shared_n_grams_are_not_a_run(void) {
    static const char *const text[] = {"a b c d", "c d b c a b"};
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 2, text, 2);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    expect_shares(&c, 2, (double[]){1}, 0);
    expect_shares(&c, 3, (double[]){0}, 1);
    trib_texts_release(&texts);
}

/* The definition: n-gram i is shared when a run of `run` words around it occurs in the source. */
static double brute_force(const trib_texts *texts, uint32_t target, uint32_t source, uint32_t run) {
    const trib_influence_document *t = &texts->document[target], *s = &texts->document[source];
    size_t n_shared = 0;
    for (size_t i = 0; i < t->n_ngrams; i++) {
        bool shared = false;
        for (size_t a = i + texts->n_modes >= run ? i + texts->n_modes - run : 0;
             a <= i && a + run <= t->n_words && !shared; a++)
            for (size_t b = 0; b + run <= s->n_words && !shared; b++) {
                size_t k = 0;
                while (k < run && t->word[texts->stream[target][a + k]] ==
                                      s->word[texts->stream[source][b + k]])
                    k++;
                shared = k == run;
            }
        n_shared += shared;
    }
    return (double)n_shared / (double)t->n_ngrams;
}

static void runs_are_those_found_by_comparing_everything(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    char *text[3];
    for (uint64_t d = 0; d < 3; d++)
        text[d] = trib_texts_invent(d + 5, 400, d == 2 ? text[0] : NULL);
    trib_texts_count(&texts, 3, (const char *const *)text, 3);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    for (uint32_t run = 3; run <= 9; run += 2) {
        measure(&result, &c, run);
        for (uint32_t s = 0; s < 2; s++)
            EXPECT_NEAR(result.share[s], brute_force(&texts, 2, s, run), 1e-15);
        trib_influence_release(&result);
    }
    trib_texts_release(&texts);
    for (int d = 0; d < 3; d++) free(text[d]);
}

static void without_sources_or_n_grams_the_author_has_the_whole_share(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 3, (const char *[]){"a b c d", "a", "", "x y z"}, 4);
    for (uint32_t target = 0; target < 4; target++) {
        trib_influence_case c = trib_texts_case(&texts, target, source);
        for (int with = 0; with < 2; with++, c.n_sources = 0)
            expect_shares(&c, 4, (double[]){0, 0, 0}, 1);
    }
    trib_texts_release(&texts);
}

static void runs_without_the_order_of_n_grams_is_an_error(void) {
    const trib_influence_options options = {.run = 6, .n_threads = 1};
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    trib_error error = {0};
    trib_texts_count(&texts, 2, (const char *[]){"a b c", "a b"}, 2);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    for (int d = 0; d < 2; d++) {
        const uint32_t *kept = texts.document[d].sequence;
        texts.document[d].sequence = NULL;
        EXPECT_STATUS(trib_influence_measure(&result, trib_influence_method_find("runs"), &c,
                                             &options, &error),
                      TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, "runs: needs the n-grams of document") != NULL);
        texts.document[d].sequence = kept;
    }
    trib_texts_release(&texts);
}

static void every_failing_allocation_is_reported(void) {
    const trib_influence_options options = {.run = 3, .n_threads = 1};
    EXPECT(trib_texts_starve("runs", &options, (const char *[]){"a b c d", "b c d"}, 2) > 5);
}

CU_TestInfo trib_tests_influence_runs[] = {
    {"a small case worked by hand", a_small_case_worked_by_hand},
    {"isolated shared n-grams are not a run", isolated_shared_n_grams_are_not_a_run},
    {"runs are those found by comparing everything", runs_are_those_found_by_comparing_everything},
    {"without sources or n-grams the author has the whole share",
     without_sources_or_n_grams_the_author_has_the_whole_share},
    {"runs without the order of n-grams is an error",
     runs_without_the_order_of_n_grams_is_an_error},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
