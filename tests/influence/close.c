/* close.c - tests of influence/close.c against a comparison of all pairs of words. */
#include "influence/close.h"
#include "tests/test.h"

TESTS(influence, close);

enum { N_RANDOM = 400, LONGEST = 10 };

/* Levenshtein distance by its full table. */
static unsigned distance(const char *a, const char *b) {
    const size_t n = strlen(a), m = strlen(b);
    unsigned table[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (table[i - 1][j] + 1 < best) best = table[i - 1][j] + 1;
            if (table[i][j - 1] + 1 < best) best = table[i][j - 1] + 1;
            table[i][j] = best;
        }
    return table[n][m];
}

/* The close words are there until the next call. */
static const trib_close_words *find(const char *const word[], const uint64_t count[], uint32_t n,
                                    uint32_t other) {
    static trib_close_words close;
    trib_error error = {0};
    trib_close_words_release(&close);
    EXPECT_STATUS(trib_close_words_find(&close, word, count, n, other, &error), TRIB_OK, error);
    return &close;
}

static unsigned allowed(size_t n) { return n < 2 ? 0 : n < 4 ? 1 : 2; }

TEST(the_close_words_are_those_of_comparing_all_pairs) {
    static char text[N_RANDOM][LONGEST + 1];
    const char *word[N_RANDOM];
    uint64_t count[N_RANDOM];
    trib_random random;
    size_t n_close = 0;
    trib_random_seed(&random, 7);
    for (uint32_t w = 0; w < N_RANDOM; w++) {
        const size_t n = 1 + (size_t)trib_random_below(&random, LONGEST);
        for (size_t i = 0; i < n; i++)
            text[w][i] = (char)('a' + trib_random_below(&random, 3 + (w % 5)));
        text[w][n] = '\0';
        word[w] = text[w];
        count[w] = trib_random_below(&random, 3);
    }
    const trib_close_words *close = find(word, count, N_RANDOM, 5);
    for (uint32_t v = 0; v < N_RANDOM; v++) {
        double sum = 0;
        for (uint32_t w = 0; w < N_RANDOM; w++) {
            const size_t n = strlen(word[v]), m = strlen(word[w]);
            const unsigned d = distance(word[v], word[w]);
            const bool are_words = v != 5 && w != 5 && count[v] > 0 && count[w] > 0;
            const bool wanted = are_words && d > 0 && d <= allowed(n < m ? n : m);
            const float chance = trib_close_chance(close, v, w);
            EXPECT((chance > 0) == wanted);
            sum += (double)chance;
            n_close += wanted;
        }
        EXPECT(sum < 1);
    }
    EXPECT(n_close > N_RANDOM);
}

TEST(common_confusions_are_likelier) {
    static const char *const word[] = {"corn", "com", "cord", "torn", "tom", "bern", "bem"};
    static const uint64_t count[] = {100, 1, 1, 100, 1, 100, 1};
    const trib_close_words *close = find(word, count, 7, UINT32_MAX);
    /* two edits of a word of three letters are one too many */
    EXPECT(trib_close_chance(close, 0, 1) == 0);
    EXPECT(trib_close_chance(close, 0, 2) > 0 && trib_close_chance(close, 2, 0) > 0);
    static const char *const more[] = {"alue", "alve", "blue", "blve", "clue", "clve", "clxe"};
    static const uint64_t often[] = {50, 1, 50, 1, 50, 1, 1};
    close = find(more, often, 7, UINT32_MAX);
    EXPECT(trib_close_chance(close, 4, 5) > trib_close_chance(close, 4, 6));
}

/* "upon" was spelled "vpone", "even" "euene", and two letters of "shed" were misread. The shorter
 * word decides: "she" and "shade", "the" and "thane" are two edits apart and not close. */
TEST(words_of_four_letters_may_differ_by_two_edits) {
    static const char *const word[] = {"upon", "vpone", "even",  "euene", "shed",
                                       "fhid", "she",   "shade", "the",   "thane"};
    static const uint64_t count[] = {9, 1, 9, 1, 9, 1, 9, 9, 9, 9};
    const trib_close_words *close = find(word, count, 10, UINT32_MAX);
    for (uint32_t w = 0; w < 6; w++) EXPECT(trib_close_chance(close, w, w ^ 1) > 0);
    for (uint32_t w = 6; w < 10; w++) EXPECT(trib_close_chance(close, w, w ^ 1) == 0);
}

TEST(letters_are_characters_not_bytes) {
    static const char *const word[] = {"\xD1\x81\xD0\xBE\xD0\xBD", "\xD1\x81\xD1\x8B\xD0\xBD",
                                       "\xD0\xB4\xD0\xB0", ""};
    static const uint64_t count[] = {1, 1, 1, 1};
    const trib_close_words *close = find(word, count, 4, UINT32_MAX);
    EXPECT(trib_close_chance(close, 0, 1) > 0 && trib_close_chance(close, 0, 2) == 0);
    close = find(word, count, 0, UINT32_MAX);
}
