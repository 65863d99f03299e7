/* anchored.c - tests of the properties of influence/anchored.c. Its arithmetic is tested in
 * mixture.c. */
#include "tests/influence/texts.h"

TESTS(influence, anchored);

TEST(the_published_example_gives_its_values) {
    trib_texts *texts = trib_texts_read(
        3, (const char *const[]){"toy/cat", "toy/dog", "toy/sequel_dissertation"}, 3);
    if (!texts) return;
    const trib_influence_case c = trib_texts_case(texts, 2);
    trib_influence *result = trib_measured(&c, "anchored", &(trib_influence_options){0});
    EXPECT_NEAR(result->share[0], .180000, 5e-7);
    EXPECT_NEAR(result->share[1], .218440, 5e-7);
    EXPECT_NEAR(result->author, .601560, 5e-7);
    EXPECT(result->background == 0 && result->common == 0 && result->own == result->author);
    result = trib_measured(&c, "anchored", &(trib_influence_options){.background = 3});
    EXPECT_NEAR(result->share[0], .158, 5e-4);
    EXPECT_NEAR(result->share[1], .194, 5e-4);
    EXPECT_NEAR(result->author, .647, 5e-4);
    result = trib_measured(&c, "anchored", NULL); /* 0.3 sqrt(52 * 2) = 3.06 */
    EXPECT(result->background == 3);
}

static char *repeat(const char *words, int n) {
    char *text = calloc((size_t)n, strlen(words) + 1);
    CHECK(text != NULL);
    while (n-- > 0) strcat(text, words);
    return text;
}

/* Background components that vanished once had an infinite weight. */
TEST(a_refrain_has_finite_shares) {
    static const char *const words[] = {"la ", "one two three ", "one two three four "};
    for (size_t w = 0; w < 3; w++)
        for (int n_times = 4; n_times <= 20; n_times += 8)
            for (uint32_t n = 3; n <= 8; n++) {
                const trib_influence_options options = {
                    .background = -1, .bootstrap = 7, .seed = 1};
                char *const text[] = {repeat(words[w], 57), repeat(words[w], n_times)};
                const trib_influence_case c =
                    trib_texts_case(trib_texts_count(n, (const char *const *)text, 2), 0);
                trib_influence *result = trib_measured(&c, "anchored", &options);
                EXPECT_NEAR(result->share[0] + result->author, 1, 1e-6);
                EXPECT(result->low[0] <= result->share[0] && result->share[0] <= result->high[0]);
                EXPECT(isfinite(result->high[0]) && isfinite(result->log_likelihood));
                free(text[0]);
                free(text[1]);
            }
}

TEST(shares_and_author_sum_to_1_and_the_copied_source_leads) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 1500, "...0"), 3);
    trib_influence *result = trib_measured(&c, "anchored", NULL);
    double sum = result->author;
    for (size_t s = 0; s < 3; s++) sum += result->share[s];
    EXPECT_NEAR(sum, 1, 1e-13);
    EXPECT_NEAR(result->own + result->common, result->author, 1e-15);
    EXPECT(result->share[0] > .2 && result->share[0] < .4);
    EXPECT(result->share[1] < .02 && result->share[2] < .02);
    EXPECT(result->background == (uint32_t)rint(0.3 * sqrt((double)c.document[3].n_words * 3)));
    EXPECT(!result->low && !result->high && result->n_iterations > 1 &&
           result->n_iterations <= 150);
}

/* share_s = sum of T(z) weight_s P_s(z) / mix(z) / |T|, from the public fields and the tables
 * alone. */
TEST(weight_and_mix_reproduce_the_share) {
    trib_texts *texts = trib_texts_invented(3, 1500, "...0");
    const trib_influence_case c = trib_texts_case(texts, 3);
    trib_influence *result = trib_measured(&c, "anchored", NULL);
    const trib_influence_document *target = &c.document[3];
    for (size_t s = 0; s < 3; s++) {
        double share = 0;
        for (size_t e = 0; e < target->counts->nnz; e++) {
            uint32_t word[3];
            const double count = trib_hacoo_entry(target->counts, e, word);
            for (int m = 0; m < 3; m++) word[m] = target->word[word[m]];
            share += count * result->weight[s] * trib_texts_times(texts, c.source[s], word) /
                     (double)c.document[c.source[s]].n_ngrams / result->mix[e] /
                     (double)target->n_ngrams;
        }
        EXPECT_NEAR(share, result->share[s], 1e-13 * result->share[s]);
    }
}

TEST(the_order_of_documents_does_not_matter) {
    static const uint32_t moved[] = {2, 3, 1, 0}; /* document d is at place moved[d] */
    trib_texts *texts = trib_texts_invented(3, 1500, "...0");
    const trib_influence_case c = trib_texts_case(texts, 1);
    trib_influence_document document[4];
    for (int d = 0; d < 4; d++) document[moved[d]] = texts->document[d];
    const trib_influence_case other = {.document = document,
                                       .n_documents = 4,
                                       .n_words = texts->words.n_words,
                                       .target = moved[1],
                                       .source = (uint32_t[]){0, 1, 2},
                                       .n_sources = 3};
    trib_influence *first = trib_measured(&c, "anchored", NULL);
    trib_influence *second = trib_measured(&other, "anchored", NULL);
    for (size_t s = 0; s < 3; s++)
        EXPECT_NEAR(second->share[moved[c.source[s]]], first->share[s], 1e-12);
    EXPECT_NEAR(second->author, first->author, 1e-12);
}

TEST(identical_sources_share_equally_and_unrelated_ones_get_nothing) {
    GIVEN(owned_text) original = trib_texts_invent(1, 800, NULL);
    GIVEN(owned_text) target = trib_texts_invent(2, 800, original);
    const trib_influence_case c =
        trib_texts_case(TEXTS(3, original, "not 'one Word' SHARED, here.", original, target), 3);
    trib_influence *result = trib_measured(&c, "anchored", NULL);
    EXPECT(result->share[1] == 0);
    EXPECT(result->share[0] > .1);
    EXPECT_NEAR(result->share[0], result->share[2], 1e-15);
}

TEST(threads_change_no_bit) {
    trib_texts *texts = trib_texts_invented(3, 6000, "..0");
    const trib_influence_case c = trib_texts_case(texts, 2);
    trib_influence_options options = {.background = 12, .bootstrap = 9, .n_threads = 1};
    trib_influence *one = trib_measured(&c, "anchored", &options);
    options.n_threads = 7;
    trib_influence *seven = trib_measured(&c, "anchored", &options);
    CHECK(one->low && seven->low && texts->counts[2].nnz > 4000);
    EXPECT(memcmp(one->share, seven->share, 2 * sizeof *one->share) == 0);
    EXPECT(memcmp(one->low, seven->low, 2 * sizeof *one->low) == 0);
    EXPECT(memcmp(one->high, seven->high, 2 * sizeof *one->high) == 0);
    EXPECT(memcmp(one->mix, seven->mix, texts->counts[2].nnz * sizeof *one->mix) == 0);
    EXPECT(one->author == seven->author && one->log_likelihood == seven->log_likelihood);
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

TEST(progress_increases_and_can_stop_the_method_anywhere) {
    trib_influence result;
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 1500, "...0"), 3);
    for (double until = 0; until < .5; until += .125) {
        patience p = {.until = 1.02 * until};
        const trib_influence_options options = {
            .background = -1, .n_threads = 1, .progress = {be_patient, &p}};
        EXPECT_STATUS(trib_influence_measure(&result, trib_influence_method_find("anchored"), &c,
                                             &options, &error),
                      TRIB_INTERRUPTED, error);
        EXPECT(!p.went_back && !result.share);
    }
    patience p = {.until = 2};
    trib_measured(&c, "anchored",
                  &(trib_influence_options){.background = -1, .progress = {be_patient, &p}});
    EXPECT(!p.went_back && p.last > .5);
}
