/* chance.c - tests of influence/chance.c. */
#include "influence/order.h"
#include "tests/influence/texts.h"

enum { LONGEST = 400 };

typedef struct corpus {
    trib_word_order order[4]; /* the target first */
    uint32_t n_words;
    size_t n;
} corpus;

/* How often word[n] stands in the corpus, and how many different words follow it. */
static double times(const corpus *c, const uint32_t *word, size_t n) {
    double found = 0;
    for (size_t d = 0; d < c->n; d++)
        for (size_t i = 0; i + n <= c->order[d].n; i++)
            found += memcmp(c->order[d].word + i, word, n * sizeof *word) == 0;
    return found;
}

static double followers(const corpus *c, const uint32_t *word, size_t n) {
    double found = 0;
    uint32_t longer[4];
    memcpy(longer, word, n * sizeof *word);
    for (longer[n] = 0; longer[n] < c->n_words; longer[n]++) found += times(c, longer, n + 1) > 0;
    return found;
}

/* The formula, by counting everything anew. */
static double slow_chance(const corpus *c, const uint32_t *word, size_t n) {
    const double discount = n == 3 ? 0.95 : 1;
    if (n == 1) {
        double total = 0;
        for (size_t d = 0; d < c->n; d++) total += (double)c->order[d].n;
        return (times(c, word, 1) - 0.5) / (total + 0.5 * c->n_words);
    }
    const double before = times(c, word, n - 1) - 1, shorter = slow_chance(c, word + 1, n - 1);
    if (!(before > 0)) return shorter;
    return fmax(times(c, word, n) - 1 - discount, 0) / before +
           fmin(1, discount * followers(c, word, n - 1) / before) * shorter;
}

static void read_corpus(corpus *c, const trib_texts *texts, size_t n) {
    *c = (corpus){.n_words = texts->words.n_words, .n = n};
    for (size_t d = 0; d < n; d++)
        CHECK(trib_word_order_read(&c->order[d], &texts->document[d], NULL) == TRIB_OK);
}

static void release_corpus(corpus *c) {
    for (size_t d = 0; d < c->n; d++) trib_word_order_release(&c->order[d]);
}

static void find(const corpus *c, double *chance) {
    const trib_word_order *source[] = {&c->order[1], &c->order[2], &c->order[3]};
    trib_error error = {0};
    EXPECT_STATUS(trib_word_chances(chance, &c->order[0], source, c->n - 1, c->n_words, &error),
                  TRIB_OK, error);
}

static void chances_are_those_of_the_formula(void) {
    trib_texts texts;
    corpus c;
    double chance[LONGEST];
    char *text[4];
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 3, 150, d == 0 ? NULL : text[0]);
    trib_texts_count(&texts, 3, (const char *const *)text, 4);
    read_corpus(&c, &texts, 4);
    CHECK(c.order[0].n <= LONGEST);
    find(&c, chance);
    for (size_t i = 0; i < c.order[0].n; i++) {
        const size_t n = i < 2 ? i + 1 : 3;
        const double wanted = slow_chance(&c, c.order[0].word + i + 1 - n, n);
        EXPECT_NEAR(chance[i], wanted, 1e-12);
        EXPECT(chance[i] > 0 && chance[i] <= 1);
    }
    release_corpus(&c);
    trib_texts_release(&texts);
    for (int d = 0; d < 4; d++) free(text[d]);
}

/* What target and source hold once each is as unlikely as its words; what comes again and again is likely. */
static void copying_once_makes_no_phrase_common_and_repetition_does(void) {
    trib_texts texts;
    corpus c;
    double once[64], often[64];
    trib_texts_count(&texts, 3, (const char *[]){"p q r s t", "u v p q r w", "x y z"}, 3);
    read_corpus(&c, &texts, 3);
    find(&c, once);
    release_corpus(&c);
    trib_texts_release(&texts);
    trib_texts_count(&texts, 3, (const char *[]){"p q r s t", "p q r u p q r", "p q r v p q r"}, 3);
    read_corpus(&c, &texts, 3);
    find(&c, often);
    release_corpus(&c);
    trib_texts_release(&texts);
    EXPECT(once[2] < 0.2);
    EXPECT(often[2] > 0.7);
}

static trib_status attempt(void *context, trib_error *error) {
    const corpus *c = context;
    const trib_word_order *source[] = {&c->order[1]};
    double chance[64];
    return trib_word_chances(chance, &c->order[0], source, 1, c->n_words, error);
}

static void every_failing_allocation_is_reported(void) {
    trib_texts texts;
    corpus c;
    trib_texts_count(&texts, 3, (const char *[]){"p q r s t", "u v p q r w"}, 2);
    read_corpus(&c, &texts, 2);
    EXPECT(trib_fail_every_allocation(attempt, &c) > 5);
    release_corpus(&c);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_chance[] = {
    {"chances are those of the formula", chances_are_those_of_the_formula},
    {"copying once makes no phrase common, and repetition does",
     copying_once_makes_no_phrase_common_and_repetition_does},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
