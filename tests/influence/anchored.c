/* anchored.c - tests of the properties of influence/anchored.c. Its arithmetic is tested in
 * mixture.c. */
#include "tests/influence/texts.h"

static const trib_influence_options plain = {.background = -1, .n_threads = 1};

static void measure(trib_influence *result, const trib_influence_case *c,
                    const trib_influence_options *options) {
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find("anchored"), c, options, &error),
        TRIB_OK, error);
    CHECK(result->share != NULL || c->n_sources == 0);
}

static trib_influence_options with_background(int32_t n) {
    trib_influence_options options = plain;
    options.background = n;
    return options;
}

static void the_published_example_gives_its_values(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    if (!trib_texts_read(&texts, 3,
                         (const char *const[]){"toy/cat", "toy/dog", "toy/sequel_dissertation"}, 3))
        return;
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    const trib_influence_options none = with_background(0), three = with_background(3);
    measure(&result, &c, &none);
    EXPECT_NEAR(result.share[0], .180000, 5e-7);
    EXPECT_NEAR(result.share[1], .218440, 5e-7);
    EXPECT_NEAR(result.author, .601560, 5e-7);
    EXPECT(result.background == 0 && result.common == 0 && result.own == result.author);
    trib_influence_release(&result);
    measure(&result, &c, &three);
    EXPECT_NEAR(result.share[0], .158, 5e-4);
    EXPECT_NEAR(result.share[1], .194, 5e-4);
    EXPECT_NEAR(result.author, .647, 5e-4);
    trib_influence_release(&result);
    measure(&result, &c, &plain); /* 0.3 sqrt(52 * 2) = 3.06 */
    EXPECT(result.background == 3);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static char *repeat(const char *words, int n) {
    char *text = calloc((size_t)n, strlen(words) + 1);
    CHECK(text != NULL);
    while (n-- > 0) strcat(text, words);
    return text;
}

/* Background components that vanished once had an infinite weight. */
static void a_refrain_has_finite_shares(void) {
    static const char *const words[] = {"la ", "one two three ", "one two three four "};
    for (size_t w = 0; w < 3; w++)
        for (int n_times = 4; n_times <= 20; n_times += 8)
            for (uint32_t n = 3; n <= 8; n++) {
                trib_texts texts;
                uint32_t source[TRIB_MAX_TEXTS];
                trib_influence result;
                trib_influence_options options = plain;
                char *const text[] = {repeat(words[w], 57), repeat(words[w], n_times)};
                options.bootstrap = 7;
                options.seed = 1;
                trib_texts_count(&texts, n, (const char *const *)text, 2);
                const trib_influence_case c = trib_texts_case(&texts, 0, source);
                measure(&result, &c, &options);
                EXPECT_NEAR(result.share[0] + result.author, 1, 1e-6);
                EXPECT(result.low[0] <= result.share[0] && result.share[0] <= result.high[0]);
                EXPECT(isfinite(result.high[0]) && isfinite(result.log_likelihood));
                trib_influence_release(&result);
                trib_texts_release(&texts);
                free(text[0]);
                free(text[1]);
            }
}

/* Invented documents: 3 copies from 0; 1 and 2 are unrelated. */
static void count_invented(trib_texts *texts) {
    char *text[4];
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 1, 1500, d == 3 ? text[0] : NULL);
    trib_texts_count(texts, 3, (const char *const *)text, 4);
    for (int d = 0; d < 4; d++) free(text[d]);
}

static void shares_and_author_sum_to_1_and_the_copied_source_leads(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 3, source);
    measure(&result, &c, &plain);
    double sum = result.author;
    for (size_t s = 0; s < 3; s++) sum += result.share[s];
    EXPECT_NEAR(sum, 1, 1e-13);
    EXPECT_NEAR(result.own + result.common, result.author, 1e-15);
    EXPECT(result.share[0] > .2 && result.share[0] < .4);
    EXPECT(result.share[1] < .02 && result.share[2] < .02);
    EXPECT(result.background == (uint32_t)rint(0.3 * sqrt((double)c.document[3].n_words * 3)));
    EXPECT(!result.low && !result.high && result.n_iterations > 1 && result.n_iterations <= 150);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

/* share_s = sum of T(z) weight_s P_s(z) / mix(z) / |T|, from the public fields and the tables
 * alone. */
static void weight_and_mix_reproduce_the_share(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 3, source);
    measure(&result, &c, &plain);
    const trib_influence_document *target = &c.document[3];
    for (size_t s = 0; s < 3; s++) {
        const trib_influence_document *from = &c.document[source[s]];
        double share = 0;
        for (size_t e = 0; e < target->counts->nnz; e++) {
            uint32_t index[3], there[3];
            const double count = trib_hacoo_entry(target->counts, e, index);
            for (int m = 0; m < 3; m++) {
                there[m] = 0;
                while (there[m] < from->n_local && from->word[there[m]] != target->word[index[m]])
                    there[m]++;
            }
            share += count * result.weight[s] * trib_hacoo_get(from->counts, there) /
                     (double)from->n_ngrams / result.mix[e] / (double)target->n_ngrams;
        }
        EXPECT_NEAR(share, result.share[s], 1e-13 * result.share[s]);
    }
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static void a_target_that_is_also_a_source_scores_1(void) {
    trib_texts texts;
    trib_influence result;
    count_invented(&texts);
    const trib_influence_case c = {.document = texts.document,
                                   .n_documents = 4,
                                   .n_words = texts.words.n_words,
                                   .target = 3,
                                   .source = (uint32_t[]){0, 1, 2, 3},
                                   .n_sources = 4};
    measure(&result, &c, &plain);
    EXPECT(result.share[3] >= .999);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static void the_order_of_documents_does_not_matter(void) {
    trib_texts texts;
    trib_influence first, second;
    uint32_t source[TRIB_MAX_TEXTS];
    static const uint32_t moved[] = {2, 3, 1, 0}; /* document d is at place moved[d] */
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 1, source);
    trib_influence_document document[4];
    for (int d = 0; d < 4; d++) document[moved[d]] = texts.document[d];
    const trib_influence_case other = {.document = document,
                                       .n_documents = 4,
                                       .n_words = texts.words.n_words,
                                       .target = moved[1],
                                       .source = (uint32_t[]){0, 1, 2},
                                       .n_sources = 3};
    measure(&first, &c, &plain);
    measure(&second, &other, &plain);
    for (size_t s = 0; s < 3; s++)
        EXPECT_NEAR(second.share[moved[source[s]]], first.share[s], 1e-12);
    EXPECT_NEAR(second.author, first.author, 1e-12);
    trib_influence_release(&first);
    trib_influence_release(&second);
    trib_texts_release(&texts);
}

static void identical_sources_share_equally_and_unrelated_ones_get_nothing(void) {
    trib_texts texts;
    trib_influence result;
    uint32_t source[TRIB_MAX_TEXTS];
    char *original = trib_texts_invent(1, 800, NULL);
    char *target = trib_texts_invent(2, 800, original);
    trib_texts_count(
        &texts, 3,
        (const char *const[]){original, "not 'one Word' SHARED, here.", original, target}, 4);
    const trib_influence_case c = trib_texts_case(&texts, 3, source);
    measure(&result, &c, &plain);
    EXPECT(result.share[1] == 0);
    EXPECT(result.share[0] > .1);
    EXPECT_NEAR(result.share[0], result.share[2], 1e-15);
    trib_influence_release(&result);
    trib_texts_release(&texts);
    free(original);
    free(target);
}

static void without_sources_or_n_grams_the_author_has_the_whole_share(void) {
    trib_texts texts;
    trib_influence result;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 3, (const char *const[]){"a b c d", "a", "", "x y z"}, 4);
    for (uint32_t target = 0; target < 4; target++) {
        trib_influence_case c = trib_texts_case(&texts, target, source);
        for (int i = 0; i < 4; i++) {
            trib_influence_options options = with_background(i % 2 - 1);
            options.bootstrap = 3;
            if (i == 2) c.n_sources = 0;
            measure(&result, &c, &options);
            for (size_t s = 0; s < c.n_sources; s++) EXPECT(result.share[s] == 0);
            EXPECT_NEAR(result.author, 1, 1e-15);
            trib_influence_release(&result);
        }
    }
    trib_texts_release(&texts);
}

static void threads_change_no_bit(void) {
    trib_texts texts;
    trib_influence one, seven;
    uint32_t source[TRIB_MAX_TEXTS];
    char *text[3];
    for (uint64_t d = 0; d < 3; d++)
        text[d] = trib_texts_invent(d + 1, 6000, d == 2 ? text[0] : NULL);
    trib_texts_count(&texts, 3, (const char *const *)text, 3);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    trib_influence_options options = {.background = 12, .bootstrap = 9, .n_threads = 1};
    measure(&one, &c, &options);
    options.n_threads = 7;
    measure(&seven, &c, &options);
    CHECK(one.low && seven.low && texts.counts[2].nnz > 4000);
    EXPECT(memcmp(one.share, seven.share, 2 * sizeof *one.share) == 0);
    EXPECT(memcmp(one.low, seven.low, 2 * sizeof *one.low) == 0);
    EXPECT(memcmp(one.high, seven.high, 2 * sizeof *one.high) == 0);
    EXPECT(memcmp(one.mix, seven.mix, texts.counts[2].nnz * sizeof *one.mix) == 0);
    EXPECT(one.author == seven.author && one.log_likelihood == seven.log_likelihood);
    trib_influence_release(&one);
    trib_influence_release(&seven);
    trib_texts_release(&texts);
    for (int d = 0; d < 3; d++) free(text[d]);
}

typedef struct patience {
    double until, last;
    bool went_back;
} patience;

static bool be_patient(void *context, double done, double total) {
    patience *p = context;
    p->went_back = p->went_back || done < p->last || done > total;
    p->last = done;
    return done < p->until * total;
}

static void progress_increases_and_can_stop_the_method_anywhere(void) {
    trib_texts texts;
    trib_influence result;
    trib_error error = {0};
    uint32_t source[TRIB_MAX_TEXTS];
    count_invented(&texts);
    const trib_influence_case c = trib_texts_case(&texts, 3, source);
    for (double until = 0; until < .5; until += .125) {
        patience p = {.until = 1.02 * until};
        trib_influence_options options = plain;
        options.progress = (trib_progress){be_patient, &p};
        EXPECT_STATUS(trib_influence_measure(&result, trib_influence_method_find("anchored"), &c,
                                             &options, &error),
                      TRIB_INTERRUPTED, error);
        EXPECT(!p.went_back && !result.share);
    }
    patience p = {.until = 2};
    trib_influence_options options = plain;
    options.progress = (trib_progress){be_patient, &p};
    measure(&result, &c, &options);
    EXPECT(!p.went_back && p.last > .5);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static trib_status measure_all(void *context, trib_error *error) {
    const trib_influence_options options = {.background = 3, .bootstrap = 2, .n_threads = 2};
    trib_influence result;
    const trib_status status = trib_influence_measure(
        &result, trib_influence_method_find("anchored"), context, &options, error);
    trib_influence_release(&result);
    return status;
}

static void every_failing_allocation_is_reported(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 3, (const char *const[]){"a b c a b d", "b c a b a", "c a b d"}, 3);
    trib_influence_case c = trib_texts_case(&texts, 0, source);
    EXPECT(trib_fail_every_allocation(measure_all, &c) > 40);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_influence_anchored[] = {
    {"the published example gives its values", the_published_example_gives_its_values},
    {"a refrain has finite shares", a_refrain_has_finite_shares},
    {"shares and author sum to 1 and the copied source leads",
     shares_and_author_sum_to_1_and_the_copied_source_leads},
    {"weight and mix reproduce the share", weight_and_mix_reproduce_the_share},
    {"a target that is also a source scores 1", a_target_that_is_also_a_source_scores_1},
    {"the order of documents does not matter", the_order_of_documents_does_not_matter},
    {"identical sources share equally and unrelated ones get nothing",
     identical_sources_share_equally_and_unrelated_ones_get_nothing},
    {"without sources or n-grams the author has the whole share",
     without_sources_or_n_grams_the_author_has_the_whole_share},
    {"threads change no bit", threads_change_no_bit},
    {"progress increases and can stop the method anywhere",
     progress_increases_and_can_stop_the_method_anywhere},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
