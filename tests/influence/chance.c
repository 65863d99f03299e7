/* chance.c - tests of the chances of words. */
#include "influence/order.h"
#include "tests/influence/texts.h"

TESTS(influence, chance);

enum { LONGEST = 600 };

typedef struct corpus {
    trib_word_orders orders;
    const trib_word_order *order; /* [n] of these, the target first */
    bool *repeats[4]; /* [order.n] words of repetitions: what consists of them is not counted */
    uint32_t n_words;
    size_t n;
} corpus;

/* Counts the occurrences of word[n] in the first `end` words of a text. */
static size_t stands(const trib_word_order *order, size_t end, const uint32_t *word, size_t n) {
    size_t found = 0;
    for (size_t i = 0; i + n <= end; i++)
        found += memcmp(order->word + i, word, n * sizeof *word) == 0;
    return found;
}

/* Whether the window of n words that begins at word i of document d is a repetition: it occurred
 * earlier in the target, or in the sources more often than in the source that holds it second most
 * often, and has three words of the target. */
static bool is_repeated(const corpus *c, size_t d, size_t i, size_t n) {
    const trib_word_order *order = &c->order[d];
    const uint32_t *window = order->word + i;
    size_t before = stands(order, i + n - 1, window, n), most = 0, second = 0;
    bool matters = false;
    for (size_t k = 0; k < n; k++)
        if (window[k] == TRIB_BREAK) return false;
    if (d == 0) return before > 0;
    for (size_t s = 1; s < c->n; s++) {
        const size_t here = stands(&c->order[s], c->order[s].n, window, n);
        if (s < d) before += here;
        if (here > most) second = most, most = here;
        else if (here > second) second = here;
    }
    for (size_t k = 0; k + 3 <= n; k++)
        matters = matters || stands(c->order, c->order->n, window + k, 3) > 0;
    return matters && before >= (second > 1 ? second : 1);
}

static bool *find_repeated(const corpus *c, size_t d) {
    const size_t n = d == 0 ? 6 : 8;
    bool *repeats = calloc(c->order[d].n + 1, sizeof *repeats);
    CHECK(repeats != NULL);
    for (size_t i = 0; i + n <= c->order[d].n; i++)
        if (is_repeated(c, d, i, n)) memset(repeats + i, true, n);
    return repeats;
}

/* Whether any of n words is in no repetition. */
static bool counts(const bool *repeats, size_t n) { return memchr(repeats, false, n) != NULL; }

/* The count of word[n], and the number of different words that follow it. */
static double times(const corpus *c, const uint32_t *word, size_t n) {
    double found = 0;
    for (size_t d = 0; d < c->n; d++)
        for (size_t i = 0; i + n <= c->order[d].n; i++)
            found += counts(c->repeats[d] + i, n) &&
                     memcmp(c->order[d].word + i, word, n * sizeof *word) == 0;
    return found;
}

/* The number of counted words that follow it, of different ones if `different`. */
static double n_following(const corpus *c, const uint32_t *word, size_t n, bool different) {
    double found = 0;
    bool *seen = calloc(c->n_words, sizeof *seen);
    CHECK(seen != NULL);
    for (size_t d = 0; d < c->n; d++) {
        const uint32_t *text = c->order[d].word;
        for (size_t i = 0; i + n < c->order[d].n; i++) {
            if (!counts(c->repeats[d] + i, n + 1) || text[i + n] == TRIB_BREAK ||
                memcmp(text + i, word, n * sizeof *word) != 0)
                continue;
            found += !different || !seen[text[i + n]];
            seen[text[i + n]] = true;
        }
    }
    free(seen);
    return found;
}

/* The formula, with every count taken again from the texts. */
static double slow_chance(const corpus *c, const uint32_t *word, size_t n) {
    const double others = times(c, word, n) - 1;
    const double discount = n < 3 ? 1 : others < 2 ? 0.96 : others < 3 ? 1.7 : 2.2;
    if (n == 1) {
        double total = 0;
        for (size_t d = 0; d < c->n; d++)
            for (size_t i = 0; i < c->order[d].n; i++) total += !c->repeats[d][i];
        return (times(c, word, 1) - 0.5) / (total + 0.5 * c->n_words);
    }
    const double before = fmax(times(c, word, n - 1), n_following(c, word, n - 1, false)) - 1;
    const double shorter = slow_chance(c, word + 1, n - 1);
    const double different = n_following(c, word, n - 1, true);
    if (!(before > 0) || different == 0) return shorter;
    return fmax(times(c, word, n) - 1 - discount, 0) / before +
           fmin(1, discount * different / before) * shorter;
}

/* The corpus is there until the next call. */
static corpus *read_corpus(const trib_texts *texts) {
    static corpus c;
    for (size_t d = 0; d < c.n; d++) free(c.repeats[d]);
    trib_word_orders_release(&c.orders);
    c = (corpus){.n_words = texts->words.n_words, .n = texts->n};
    CHECK(trib_word_orders_build(&c.orders, texts->document, c.n, NULL, 0, c.n_words, NULL) ==
          TRIB_OK);
    c.order = c.orders.document;
    for (size_t d = 0; d < c.n; d++) c.repeats[d] = find_repeated(&c, d);
    return &c;
}

static size_t n_repeated(const corpus *c, size_t d) {
    size_t n = 0;
    for (size_t i = 0; i < c->order[d].n; i++) n += c->repeats[d][i];
    return n;
}

static void find(const corpus *c, double *chance) {
    const uint32_t source[] = {1, 2, 3};
    trib_error error = {0};
    EXPECT_OK(trib_word_chances(chance, &c->orders, 0, source, c->n - 1, c->n_words, &error));
}

static void check_formula(const char *const text[4], bool repeats) {
    double chance[LONGEST];
    const corpus *c = read_corpus(trib_texts_count(3, text, 4));
    CHECK(c->order[0].n <= LONGEST);
    EXPECT((n_repeated(c, 0) > 0) == repeats);
    EXPECT(n_repeated(c, 1) + n_repeated(c, 2) + n_repeated(c, 3) > 0);
    find(c, chance);
    for (size_t i = 0; i < c->order[0].n; i++) {
        const size_t n = i < 2 ? i + 1 : 3;
        const double wanted = slow_chance(c, c->order[0].word + i + 1 - n, n);
        EXPECT_NEAR(chance[i], fmin(wanted, 1), 1e-12);
        EXPECT(chance[i] > 0 && chance[i] <= 1);
    }
}

TEST(chances_are_those_of_the_formula) {
    char *text[4];
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 3, 150, d == 0 ? NULL : text[0]);
    check_formula((const char *const *)text, false);
    for (int d = 0; d < 4; d++) free(text[d]);
}

static char *join(const char *a, const char *b, const char *c) {
    char *joined = calloc(strlen(a) + strlen(b) + strlen(c) + 3, 1);
    CHECK(joined != NULL);
    strcat(strcat(strcat(strcat(strcat(joined, a), " "), b), " "), c);
    return joined;
}

/* Each text is cut from the one before, in passages of 25 words. The target and one source hold a
 * text twice. */
TEST(chances_are_those_of_the_formula_where_passages_are_repeated) {
    char *text[4], *own = trib_texts_invent(1, 120, NULL);
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 3, d == 0 ? 250 : 200, d < 2 ? own : text[d - 1]);
    GIVEN(owned_text) target = join(text[0], own, own), source = join(text[1], own, own);
    check_formula((const char *const[]){target, source, text[2], text[3]}, true);
    check_formula((const char *const[]){target, text[3], source, text[2]}, true);
    for (int d = 0; d < 4; d++) free(text[d]);
    free(own);
}

/* Where two things that the target says again meet, every word is one of a repetition, and what
 * follows the pair there was never counted. */
TEST(where_repetitions_meet_no_word_is_impossible) {
    static const char *const text[] = {
        "a b c d e f x y z g h i j k l p q r a b c d e f g h i j k l", "m f g n o f g t u v w",
        "s s s s", "t t t t"};
    double chance[LONGEST];
    const corpus *c = read_corpus(trib_texts_count(3, text, 4));
    find(c, chance);
    for (size_t i = 0; i < c->order[0].n; i++) EXPECT(chance[i] > 0 && chance[i] <= 1);
}

#define PASSAGE "one two three four five six seven eight nine ten"
#define THRICE  PASSAGE " p q r " PASSAGE " s t u " PASSAGE " v w x"

/* The words of a passage are equally unlikely when the target quotes it three times, when three
 * sources hold it, when one source or the target repeats it, and when each holds it once. It is
 * common language when two sources repeat it, but not when the target has a single one of them. */
TEST(a_passage_that_is_quoted_or_said_again_is_not_common) {
    static const char other[] = "p q r s t u v one a b two c d", passage[] = PASSAGE;
    static const char *const text[][4] = {
        {"a b c d " PASSAGE " e", passage, other, other},
        {"a b c d " PASSAGE " e f g " PASSAGE " h i j k " PASSAGE " l", passage, other, other},
        {"a b c d " PASSAGE " e", passage, passage, passage},
        {"a b c d " PASSAGE " e", THRICE, other, other},
        {"a b c d " THRICE, THRICE, passage, other},
        {"a b c d " PASSAGE " e", THRICE, THRICE, other},
    };
    double chance[6][128];
    for (size_t k = 0; k < 6; k++) find(read_corpus(trib_texts_count(3, text[k], 4)), chance[k]);
    for (size_t i = 6; i < 14; i++) /* three to ten */
        for (size_t k = 0; k < 6; k++) EXPECT((chance[k][i] < 0.1) == (k < 5));
}

/* "pray for us" thirty times, in both: all but the first window is a repetition. */
TEST(a_litany_is_not_common) {
    char litany[30 * 12 + 1] = "";
    double chance[128];
    for (int k = 0; k < 30; k++) strcat(litany, "pray for us ");
    find(read_corpus(trib_texts_count(3, (const char *const[]){litany, litany}, 2)), chance);
    for (size_t i = 2; i < 90; i++) EXPECT(chance[i] < 0.9);
}

/* A phrase that target and source hold once each is as unlikely as its words; a phrase that recurs
 * often is likely. */
TEST(copying_once_makes_no_phrase_common_and_repetition_does) {
    double once[64], often[64];
    find(read_corpus(TEXTS(3, "p q r s t", "u v p q r w", "x y z")), once);
    find(read_corpus(TEXTS(3, "p q r s t", "p q r u p q r", "p q r v p q r")), often);
    EXPECT(once[2] < 0.2);
    EXPECT(often[2] > 0.7);
}

static trib_status attempt(void *context, trib_error *error) {
    const corpus *c = context;
    const uint32_t source[] = {1};
    double chance[64];
    return trib_word_chances(chance, &c->orders, 0, source, 1, c->n_words, error);
}

TEST(every_failing_allocation_is_reported) {
    corpus *c = read_corpus(TEXTS(3, "p q r s t", "u v p q r w"));
    EXPECT(trib_fail_every_allocation(attempt, c) > 5);
}
