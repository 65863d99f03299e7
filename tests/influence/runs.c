/* runs.c - tests of influence/runs.c. */
#include "influence/close.h"
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

/* ---- Close words ----------------------------------------------------------------------------- */

/* The target has two misread words in ten. Source 1 shares the words around them, and source 2 has
 * no two words of the target side by side. */
TEST(a_run_goes_on_over_close_words) {
    static const char *const text[] = {
        "in thc house of the lord they dweli for ever",
        "now in the house of the lord they dwell for years",
        "thc x house x lords x they x dwell x ever",
    };
    trib_close_words close;
    trib_texts *texts = trib_texts_count(2, text, 3);
    trib_influence_case c = trib_texts_case(texts, 0);
    trib_texts_close(&close, texts);
    expect_shares(&c, 6, (double[]){0, 0}, 1);
    expect_shares(&c, 5, (double[]){4 / 9., 0}, 5 / 9.); /* house of the lord they */
    c.close = &close;
    expect_shares(&c, 9, (double[]){8 / 9., 0}, 1 / 9.); /* all but "for ever" */
    expect_shares(&c, 10, (double[]){0, 0}, 1);
    trib_close_words_release(&close);
}

/* Every letter but the first of a word is changed with probability 1/8. */
static void misread(char *text, uint64_t seed) {
    trib_random random;
    trib_random_seed(&random, seed);
    for (size_t i = 1; text[i]; i++)
        if (text[i] != ' ' && text[i - 1] != ' ' && trib_random_below(&random, 8) == 0)
            text[i] = (char)('a' + trib_random_below(&random, 26));
}

static bool are_near(const trib_close_words *close, uint32_t ours, uint32_t theirs) {
    return ours == theirs || trib_close_chance(close, theirs, ours) > 0;
}

/* The definition: an n-gram is shared when it lies in a longest run of near words that has at least
 * `run` words and an n-gram whose words are equal. Compares every pair of places. */
static double brute_force_close(const trib_texts *texts, const trib_close_words *close,
                                uint32_t target, uint32_t source, size_t run) {
    const trib_influence_document *t = &texts->document[target], *s = &texts->document[source];
    const uint32_t *ours = texts->stream[target], *theirs = texts->stream[source];
    const size_t n = texts->n_modes;
    char *shared = calloc(t->n_words, 1);
    size_t n_shared = 0;
    CHECK(shared != NULL);
#define NEAR(i, j) are_near(close, t->word[ours[i]], s->word[theirs[j]])
    for (size_t a = 0; a < t->n_words; a++)
        for (size_t b = 0; b < s->n_words; b++) {
            size_t length = 0, n_equal = 0;
            bool has_ngram = false;
            if (a > 0 && b > 0 && NEAR(a - 1, b - 1)) continue;
            for (; a + length < t->n_words && b + length < s->n_words; length++) {
                if (!NEAR(a + length, b + length)) break;
                const bool equal = t->word[ours[a + length]] == s->word[theirs[b + length]];
                n_equal = equal ? n_equal + 1 : 0;
                has_ngram = has_ngram || n_equal >= n;
            }
            if (length < run || !has_ngram) continue;
            for (size_t i = a; i + n <= a + length; i++) shared[i] = 1;
        }
#undef NEAR
    for (size_t i = 0; i < t->n_ngrams; i++) n_shared += shared[i] != 0;
    free(shared);
    return (double)n_shared / (double)t->n_ngrams;
}

TEST(close_runs_are_those_found_by_comparing_everything) {
    trib_close_words close;
    char *text[3];
    double found[2] = {0};
    for (uint64_t d = 0; d < 3; d++)
        text[d] = trib_texts_invent(d + 5, 300, d == 2 ? text[0] : NULL);
    misread(text[2], 7);
    trib_texts *texts = trib_texts_count(2, (const char *const *)text, 3);
    trib_influence_case c = trib_texts_case(texts, 2);
    trib_texts_close(&close, texts);
    for (uint32_t run = 2; run <= 10; run += 4)
        for (int with = 0; with < 2; with++) {
            c.close = with ? &close : NULL;
            trib_influence *result =
                trib_measured(&c, "runs", &(trib_influence_options){.run = run});
            for (uint32_t s = 0; s < 2 && with; s++)
                EXPECT_NEAR(result->share[s], brute_force_close(texts, &close, 2, s, run), 1e-15);
            found[with] += result->share[0];
        }
    EXPECT(found[1] > found[0] + .1);
    trib_close_words_release(&close);
    for (int d = 0; d < 3; d++) free(text[d]);
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
