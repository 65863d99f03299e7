/* intervals.c - tests of influence/intervals.c. */
#include "influence/methods.h"
#include "tests/influence/texts.h"

TESTS(influence, intervals);

static const trib_progress nobody;

static trib_influence *measure(const trib_influence_case *c, int32_t background, uint32_t bootstrap,
                               uint64_t seed) {
    return trib_measured(
        c, "anchored",
        &(trib_influence_options){
            .background = background, .bootstrap = bootstrap, .seed = seed, .n_threads = 2});
}

TEST(intervals_contain_the_share_and_zero_stays_zero) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 2000, "..0"), 2);
    for (int32_t background = -1; background <= 0; background++) {
        trib_influence *result = measure(&c, background, 100, 1);
        CHECK(result->low && result->high);
        for (size_t s = 0; s < 2; s++)
            EXPECT(0 <= result->low[s] && result->low[s] <= result->high[s] && result->high[s] < 1);
        EXPECT(result->low[0] < result->share[0] && result->share[0] < result->high[0]);
        EXPECT(result->low[0] > result->high[1]);
    }
}

TEST(intervals_depend_on_the_seed_alone) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 500, "..0"), 2);
    trib_influence *first = measure(&c, 4, 20, 7);
    trib_influence *again = measure(&c, 4, 20, 7);
    trib_influence *other = measure(&c, 4, 20, 8);
    EXPECT(first->low[0] == again->low[0] && first->high[0] == again->high[0]);
    EXPECT(first->low[0] != other->low[0] && first->high[0] != other->high[0]);
    EXPECT(first->share[0] == other->share[0]);
}

TEST(intervals_are_absent_when_not_requested_or_without_a_sequence) {
    trib_texts *texts = trib_texts_invented(3, 300, "..0");
    const trib_influence_case c = trib_texts_case(texts, 2);
    trib_influence *result = measure(&c, 2, 0, 1);
    EXPECT(!result->low && !result->high);
    const uint32_t *sequence = texts->document[2].sequence;
    texts->document[2].sequence = NULL;
    result = measure(&c, 2, 10, 1);
    EXPECT(!result->low && !result->high);
    texts->document[2].sequence = sequence;
}

/* The only n-gram of a text has one resample, the text itself, and 40 more rounds change nothing.
 * Alone, the n-gram may be shared by chance, so the low end is 0. Ten times in a row it is a run,
 * of which the low end subtracts one n-gram in ten. */
TEST(the_low_end_counts_runs_alone_less_one_ngram) {
    const char *const alone = "a b c", *const row = "a a a a a a a a a a a a";
    for (int is_row = 0; is_row <= 1; is_row++) {
        const char *const text = is_row ? row : alone;
        const trib_influence_case c = trib_texts_case(TEXTS(3, text, text), 0);
        trib_influence *result = measure(&c, 0, 3, 1);
        EXPECT_NEAR(result->share[0], .5, 1e-15);
        EXPECT_NEAR(result->low[0], is_row ? .4 : 0, 1e-15);
        EXPECT_NEAR(result->high[0], .5, 1e-15);
    }
}

/* The target's n-grams are abc bcd cde deq eqa qab abc bcd. The first source holds abc bcd cde,
 * three in a row, and abc bcd at the end, two in a row. The second holds eqa qab abc bcd, four in a
 * row, and abc bcd at the beginning. */
TEST(an_occurrence_counts_where_three_in_a_row_are_held) {
    enum { DISTINCT = 6 };
    static const uint32_t expected[DISTINCT][2] = {{1, 1}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {0, 1}};
    TRIB_OWNED(trib_pool) pool = {0};
    GIVEN(trib_mixture) x = {0};
    const trib_influence_case c =
        trib_texts_case(TEXTS(3, "a b c d e", "e q a b c d", "a b c d e q a b c d"), 2);
    CHECK(trib_mixture_init(&x, &c, 0, 1, &nobody, NULL) == TRIB_OK);
    const uint32_t *const in_runs = trib_mixture_runs(&x, &pool);
    CHECK(in_runs != NULL);
    EXPECT(x.overlap.start[x.n_entries] == 7);
    for (size_t k = 0; k < DISTINCT; k++) {
        const uint32_t e = x.target->sequence[k];
        for (size_t h = x.overlap.start[e]; h < x.overlap.start[e + 1]; h++)
            EXPECT(in_runs[h] == expected[k][x.overlap.shared[h].document]);
    }
}

/* 60 passages of 100 words, every third one copied. The copied part of a block of 100 n-grams that
 * starts anywhere has mean 1/3 and variance 2/9 - 1/9 = 1/9 (the overlap of two intervals of 100,
 * 300 apart), and the share is the mean of 60 blocks. So 90 % of resamples lie within 2 * 1.645 *
 * sqrt(1/9 / 60) = .142. Single n-grams would give a seventh of that. */
TEST(the_width_is_that_of_copied_passages) {
    enum { PASSAGES = 60, WORDS = 100, LONGEST = 16 };
    GIVEN(owned_text) original = calloc(PASSAGES * WORDS * LONGEST, 1);
    GIVEN(owned_text) target = calloc(PASSAGES * WORDS * LONGEST, 1);
    CHECK(original && target);
    size_t at_original = 0, at_target = 0;
    for (int p = 0; p < PASSAGES; p++) {
        for (int w = 0; w < WORDS; w++) { /* no word occurs twice except in both texts */
            char word[LONGEST];
            int n = 0;
            for (int rest = p * WORDS + w, i = 0; i < 4; i++, rest /= 26)
                word[n++] = (char)('a' + rest % 26);
            word[n++] = ' ';
            memcpy(original + at_original, word, (size_t)n);
            at_original += (size_t)n;
            if (p % 3 != 0) target[at_target++] = 'q';
            memcpy(target + at_target, word, (size_t)n);
            at_target += (size_t)n;
        }
    }
    trib_texts *texts = TEXTS(3, original, target);
    const trib_influence_case c = trib_texts_case(texts, 1);
    trib_influence *result = measure(&c, 0, 200, 1);
    EXPECT_NEAR(result->share[0], 1. / 3, .02);
    EXPECT_NEAR(result->high[0] - result->low[0], .142, .03);
}

static trib_status find_intervals(void *context, trib_error *error) {
    double share[2] = {0};
    trib_influence result = {.n_sources = 2, .share = share};
    const trib_status status = trib_mixture_intervals(&result, context, 5, 1, 3, error);
    TRIB_FREE(result.low, result.high);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    GIVEN(trib_mixture) x = {0};
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 100, "..0"), 2);
    CHECK(trib_mixture_init(&x, &c, 2, 1, &nobody, NULL) == TRIB_OK);
    CHECK(trib_mixture_fit(&x, SIZE_MAX, 1, &nobody, NULL) == TRIB_OK);
    EXPECT(trib_fail_every_allocation(find_intervals, &x) > 3 * 6);
}
