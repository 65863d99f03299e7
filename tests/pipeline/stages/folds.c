/* folds.c - which spellings are one folded word, and which have one stem. */
#include "pipeline/stages/folds.h"
#include "tests/test.h"

TESTS(stages, folds);

TEST(spellings_of_one_word_are_one_fold) {
    static const char *const word[] = {"Vsing",
                                       "u\xC5\xBFing",
                                       "Don't",
                                       "dont",
                                       "na\xC3\xAFve",
                                       "naiue",
                                       "Stra\xC3\x9F\x65",
                                       "strasse",
                                       "C\xC3\xA6sar",
                                       "caesar",
                                       "\xCE\x9B\xCF\x8C\xCE\xB3\xCE\xBF\xCF\x82",
                                       "\xCE\xBB\xCE\xBF\xCE\xB3\xCE\xBF\xCF\x83",
                                       "reason",
                                       "reasonable",
                                       "rea"};
    enum { N = sizeof word / sizeof *word };
    GIVEN(trib_folds) folds = {0};
    trib_error error = {0};
    EXPECT_OK(trib_folds_make(&folds, word, N, UINT32_MAX, &error));
    for (int w = 0; w < 10; w += 2) EXPECT(folds.fold[w] == folds.fold[w + 1]);
    EXPECT(folds.n_folds == 10);
    EXPECT(folds.fold[12] != folds.fold[13]);
    EXPECT(folds.stem[folds.fold[12]] == folds.stem[folds.fold[13]]);
    EXPECT(folds.stem[folds.fold[12]] != folds.stem[folds.fold[14]]);
    const uint32_t *letters = folds.letters + (size_t)folds.fold[3] * (TRIB_LETTERS + 1);
    EXPECT(letters[0] == 'd' && letters[3] == 't' && letters[4] == 0);
}

TEST(what_has_no_letters_has_no_fold) {
    char longest[200];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    const char *const word[] = {"1984", "x", "<other>", longest, "\xE2\x80\x94"};
    GIVEN(trib_folds) folds = {0};
    EXPECT(trib_folds_make(&folds, word, 5, 2, NULL) == TRIB_OK);
    EXPECT(folds.fold[0] == TRIB_NO_FOLD && folds.fold[2] == TRIB_NO_FOLD);
    EXPECT(folds.fold[4] == TRIB_NO_FOLD && folds.n_folds == 2 && folds.n_stems == 2);
    EXPECT(folds.letters[(size_t)folds.fold[3] * (TRIB_LETTERS + 1) + TRIB_LETTERS] == 0);
}

static trib_status make(void *context, trib_error *error) {
    static const char *const word[] = {"a", "b\xC3\xA9ta", "gamma"};
    GIVEN(trib_folds) folds = {0};
    (void)context;
    const trib_status status = trib_folds_make(&folds, word, 3, UINT32_MAX, error);
    return status;
}

TEST(every_failed_allocation_is_reported) { EXPECT(trib_fail_every_allocation(make, NULL) > 5); }

/* A sample has the words with the smallest numbers, in whatever order they come. */
TEST(a_sample_depends_on_the_words_alone) {
    enum { N = 1 << 21, STEP = 1000003 }; /* prime: every word comes once, in another order */
    trib_fold_sample sample[2] = {{.below = UINT64_MAX}, {.below = UINT64_MAX}};
    for (uint32_t i = 0; i < N; i++)
        for (int s = 0; s < 2; s++) {
            const uint32_t word = s == 0 ? i : (uint32_t)((uint64_t)i * STEP % N);
            const trib_sampled_fold fold = {trib_fold_number((const char *)&word, sizeof word),
                                            1u << (word & 3)};
            CHECK(trib_fold_sample_add(&sample[s], &fold, NULL) == TRIB_OK);
        }
    for (int s = 0; s < 2; s++) trib_fold_sample_settle(&sample[s]);
    EXPECT(sample[0].n == 1 << 18 && sample[1].n == sample[0].n);
    EXPECT(sample[0].below == sample[1].below);
    for (size_t i = 0; i < sample[0].n; i++)
        CHECK(sample[0].word[i].number == sample[1].word[i].number &&
              sample[0].word[i].bits == sample[1].word[i].bits);
    EXPECT(trib_fold_sample_find(&sample[0], sample[0].word[7].number) == sample[0].word[7].bits);
    EXPECT(trib_fold_sample_find(&sample[0], sample[0].word[7].number + 1) == 0);
    TRIB_FREE(sample[0].word, sample[1].word);
}
