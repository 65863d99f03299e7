/* intervals.c - tests of influence/intervals.c. */
#include "influence/mixture.h"
#include "tests/influence/texts.h"

static void measure(trib_influence *result, const trib_influence_case *c, int32_t background,
                    uint32_t bootstrap, uint64_t seed) {
    const trib_influence_options options = {
        .background = background, .bootstrap = bootstrap, .seed = seed, .n_threads = 2};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find("anchored"), c, &options, &error),
        TRIB_OK, error);
    CHECK(result->share != NULL);
}

static void count_invented(trib_texts *texts, size_t n_words) {
    char *text[3];
    for (uint64_t d = 0; d < 3; d++)
        text[d] = trib_texts_invent(d + 1, n_words, d == 2 ? text[0] : NULL);
    trib_texts_count(texts, 3, (const char *const *)text, 3);
    for (int d = 0; d < 3; d++) free(text[d]);
}

static void intervals_contain_the_share_and_zero_stays_zero(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    count_invented(&texts, 2000);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    for (int32_t background = -1; background <= 0; background++) {
        measure(&result, &c, background, 100, 1);
        CHECK(result.low && result.high);
        for (size_t s = 0; s < 2; s++)
            EXPECT(0 <= result.low[s] && result.low[s] <= result.high[s] && result.high[s] < 1);
        EXPECT(result.low[0] < result.share[0] && result.share[0] < result.high[0]);
        EXPECT(result.low[0] > result.high[1]);
        trib_influence_release(&result);
    }
    trib_texts_release(&texts);
}

static void intervals_depend_on_the_seed_alone(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence first, again, other;
    count_invented(&texts, 500);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    measure(&first, &c, 4, 20, 7);
    measure(&again, &c, 4, 20, 7);
    measure(&other, &c, 4, 20, 8);
    EXPECT(first.low[0] == again.low[0] && first.high[0] == again.high[0]);
    EXPECT(first.low[0] != other.low[0] && first.high[0] != other.high[0]);
    EXPECT(first.share[0] == other.share[0]);
    trib_influence_release(&first);
    trib_influence_release(&again);
    trib_influence_release(&other);
    trib_texts_release(&texts);
}

static void intervals_are_absent_when_not_requested_or_without_a_sequence(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    count_invented(&texts, 300);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    measure(&result, &c, 2, 0, 1);
    EXPECT(!result.low && !result.high);
    trib_influence_release(&result);
    const uint32_t *sequence = texts.document[2].sequence;
    texts.document[2].sequence = NULL;
    measure(&result, &c, 2, 10, 1);
    EXPECT(!result.low && !result.high);
    texts.document[2].sequence = sequence;
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

/* The only n-gram of a text has one resample, the text itself, and 40 more rounds change nothing.
 * Alone, the n-gram may be shared by chance, so the low end is 0. Ten times in a row it is a run,
 * of which the low end subtracts one n-gram in ten. */
static void the_low_end_counts_runs_alone_less_one_ngram(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    const char *const alone = "a b c", *const row = "a a a a a a a a a a a a";
    for (int is_row = 0; is_row <= 1; is_row++) {
        const char *const text = is_row ? row : alone;
        trib_texts_count(&texts, 3, (const char *const[]){text, text}, 2);
        const trib_influence_case c = trib_texts_case(&texts, 0, source);
        measure(&result, &c, 0, 3, 1);
        EXPECT_NEAR(result.share[0], .5, 1e-15);
        EXPECT_NEAR(result.low[0], is_row ? .4 : 0, 1e-15);
        EXPECT_NEAR(result.high[0], .5, 1e-15);
        trib_influence_release(&result);
        trib_texts_release(&texts);
    }
}

/* The target's n-grams are abc bcd cde deq eqa qab abc bcd. The first source holds abc bcd cde,
 * three in a row, and abc bcd at the end, two in a row. The second holds eqa qab abc bcd, four in a
 * row, and abc bcd at the beginning. */
static void an_occurrence_counts_where_three_in_a_row_are_held(void) {
    enum { DISTINCT = 6 };
    static const uint32_t expected[DISTINCT][2] = {{1, 1}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {0, 1}};
    static const trib_progress nobody;
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS], *in_runs;
    trib_mixture x;
    trib_texts_count(&texts, 3,
                     (const char *const[]){"a b c d e", "e q a b c d", "a b c d e q a b c d"}, 3);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    CHECK(trib_mixture_init(&x, &c, 0, 1, &nobody, NULL) == TRIB_OK);
    CHECK(trib_mixture_runs(&in_runs, &x, NULL) == TRIB_OK);
    EXPECT(x.overlap.start[x.n_entries] == 7);
    for (size_t k = 0; k < DISTINCT; k++) {
        const uint32_t e = x.target->sequence[k];
        for (size_t h = x.overlap.start[e]; h < x.overlap.start[e + 1]; h++)
            EXPECT(in_runs[h] == expected[k][x.overlap.shared[h].document]);
    }
    trib_free(in_runs);
    trib_mixture_release(&x);
    trib_texts_release(&texts);
}

/* 60 passages of 100 words, every third one copied. The copied part of a block of 100 n-grams that
 * starts anywhere has mean 1/3 and variance 2/9 - 1/9 = 1/9 (the overlap of two intervals of 100,
 * 300 apart), and the share is the mean of 60 blocks. So 90 % of resamples lie within 2 * 1.645 *
 * sqrt(1/9 / 60) = .142. Single n-grams would give a seventh of that. */
static void the_width_is_that_of_copied_passages(void) {
    enum { PASSAGES = 60, WORDS = 100, LONGEST = 16 };
    char *original = calloc(PASSAGES * WORDS * LONGEST, 1);
    char *target = calloc(PASSAGES * WORDS * LONGEST, 1);
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
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    trib_texts_count(&texts, 3, (const char *const[]){original, target}, 2);
    const trib_influence_case c = trib_texts_case(&texts, 1, source);
    measure(&result, &c, 0, 200, 1);
    EXPECT_NEAR(result.share[0], 1. / 3, .02);
    EXPECT_NEAR(result.high[0] - result.low[0], .142, .03);
    trib_influence_release(&result);
    trib_texts_release(&texts);
    free(original);
    free(target);
}

static trib_status find_intervals(void *context, trib_error *error) {
    double share[2] = {0}, low[2], high[2];
    trib_influence result = {.n_sources = 2, .share = share, .low = low, .high = high};
    return trib_mixture_intervals(&result, context, 5, 1, 3, error);
}

static void every_failing_allocation_is_reported(void) {
    static const trib_progress nobody;
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_mixture x;
    count_invented(&texts, 100);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    CHECK(trib_mixture_init(&x, &c, 2, 1, &nobody, NULL) == TRIB_OK);
    CHECK(trib_mixture_fit(&x, SIZE_MAX, 1, &nobody, NULL) == TRIB_OK);
    EXPECT(trib_fail_every_allocation(find_intervals, &x) > 3 * 6);
    trib_mixture_release(&x);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_influence_intervals[] = {
    {"intervals contain the share and zero stays zero",
     intervals_contain_the_share_and_zero_stays_zero},
    {"intervals depend on the seed alone", intervals_depend_on_the_seed_alone},
    {"intervals are absent when not requested or without a sequence",
     intervals_are_absent_when_not_requested_or_without_a_sequence},
    {"the low end counts runs alone, less one n-gram",
     the_low_end_counts_runs_alone_less_one_ngram},
    {"an occurrence counts where three in a row are held",
     an_occurrence_counts_where_three_in_a_row_are_held},
    {"the width is that of copied passages", the_width_is_that_of_copied_passages},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
