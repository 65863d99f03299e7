/* runs.c - tests of influence/runs.c. */
#include "influence/overlap.h"
#include "tests/influence/texts.h"

TESTS(influence, runs);

static void expect_shares(const trib_influence_case *c, uint32_t run, const double share[],
                          double author) {
    trib_influence *result = trib_measured(c, "runs", &(trib_influence_options){.run = run});
    for (size_t s = 0; s < c->n_sources; s++) EXPECT_NEAR(result->share[s], share[s], 1e-15);
    EXPECT_NEAR(result->author, author, 1e-15);
}

/* The bigrams of the target: ab bc cd de ef fg gh hi. Document 1 holds the runs a b c d and g h i;
 * document 2 holds c d e. */
TEST(a_small_case_worked_by_hand) {
    static const char *const text[] = {"a b c d e f g h i", "a b c d x g h i", "y c d e z"};
    const trib_influence_case c = trib_texts_case(trib_texts_count(2, text, 3), 0);
    expect_shares(&c, 2, (double[]){5 / 8., 2 / 8.}, 2 / 8.);
    expect_shares(&c, 3, (double[]){5 / 8., 2 / 8.}, 2 / 8.);
    expect_shares(&c, 4, (double[]){3 / 8., 0}, 5 / 8.);
    expect_shares(&c, 5, (double[]){0, 0}, 1);
    expect_shares(&c, 1, (double[]){5 / 8., 2 / 8.}, 2 / 8.); /* never less than n words */
}

/* Holds all the target's n-grams, but never three words in a row. */
TEST(isolated_shared_n_grams_are_not_a_run) {
    static const char *const text[] = {"a b c d", "c d b c a b"};
    const trib_influence_case c = trib_texts_case(trib_texts_count(2, text, 2), 0);
    expect_shares(&c, 2, (double[]){1}, 0);
    expect_shares(&c, 3, (double[]){0}, 1);
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

TEST(runs_are_those_found_by_comparing_everything) {
    trib_texts *texts = trib_texts_invented(3, 400, "..0");
    const trib_influence_case c = trib_texts_case(texts, 2);
    for (uint32_t run = 3; run <= 9; run += 2) {
        trib_influence *result = trib_measured(&c, "runs", &(trib_influence_options){.run = run});
        for (uint32_t s = 0; s < 2; s++)
            EXPECT_NEAR(result->share[s], brute_force(texts, 2, s, run), 1e-15);
    }
}

/* ---- Edge cases ------------------------------------------------------------------------------ */

TEST(runs_without_the_order_of_n_grams_is_an_error) {
    const trib_influence_options options = {.run = 6, .n_threads = 1};
    trib_influence result;
    trib_error error = {0};
    trib_texts *texts = TEXTS(2, "a b c", "a b");
    const trib_influence_case c = trib_texts_case(texts, 0);
    for (int d = 0; d < 2; d++) {
        const uint32_t *kept = texts->document[d].sequence;
        texts->document[d].sequence = NULL;
        EXPECT_STATUS(trib_influence_measure(&result, trib_influence_method_find("runs"), &c,
                                             &options, &error),
                      TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, "runs: needs the n-grams of document") != NULL);
        texts->document[d].sequence = kept;
    }
}
