/* common.c - tests of influence/common.c and of the batch in influence/background.c. */
#include "influence/methods.h"
#include "tests/influence/texts.h"

TESTS(influence, common);

enum { N = 5, MODES = 3, MOST = 6, ROUNDS = 12 };

static const trib_progress nobody;

/* Adds the documents [first, end). */
static void add(trib_common_language *language, const trib_texts *texts, size_t first, size_t end,
                int32_t n_components) {
    trib_error error = {0};
    if (first == 0)
        CHECK(trib_common_language_init(language, MODES, texts->words.n_words, NULL) == TRIB_OK);
    for (size_t d = first; d < end; d++)
        EXPECT_OK(
            trib_common_language_add(language, &texts->document[d], n_components, &nobody, &error));
}

static void expect_equal_rows(const trib_common_language *a, const trib_influence_document *in_a,
                              const trib_common_language *b, const trib_influence_document *in_b) {
    GIVEN(trib_background) x = {0}, y = {0};
    CHECK(trib_common_language_rows(&x, a, in_a, NULL) == TRIB_OK);
    CHECK(trib_common_language_rows(&y, b, in_b, NULL) == TRIB_OK);
    CHECK(x.n > 0 && x.n == y.n && x.stride == y.stride && in_a->n_local == in_b->n_local);
    for (uint32_t m = 0; m < MODES; m++)
        EXPECT(memcmp(x.row[m], y.row[m], in_a->n_local * x.stride * sizeof(double)) == 0);
}

/* Later documents do not matter, nor how the vocabulary numbers the words afterwards. */
TEST(later_documents_do_not_change_the_earlier_background) {
    trib_texts *few = trib_texts_invented(MODES, 150, "...");
    trib_texts *all = trib_texts_invented(MODES, 150, "....0");
    EXPECT(all->words.n_words > few->words.n_words);
    for (int32_t n = -1; n < 5; n += 5) {
        GIVEN(trib_common_language) scratch = {0}, kept = {0};
        add(&scratch, few, 0, 3, n);
        add(&kept, all, 0, 3, n);
        for (size_t d = 0; d < 3; d++)
            expect_equal_rows(&scratch, &few->document[d], &kept, &all->document[d]);
        trib_common_language_release(&scratch);
        add(&kept, all, 3, N, n); /* adding one by one equals adding all at once */
        add(&scratch, all, 0, N, n);
        for (size_t d = 0; d < N; d++)
            expect_equal_rows(&scratch, &all->document[d], &kept, &all->document[d]);
        EXPECT(kept.n_documents == N);
    }
}

/* One component holds the mean marginals, whatever the EM rounds do. */
TEST(one_component_is_the_mean_marginals) {
    GIVEN(trib_common_language) language = {0};
    GIVEN(trib_background) rows = {0};
    trib_texts *texts = trib_texts_invented(MODES, 150, "...");
    add(&language, texts, 0, 3, 1);
    CHECK(trib_common_language_rows(&rows, &language, &texts->document[1], NULL) == TRIB_OK);
    EXPECT(rows.n == 1 && rows.stride == 8);
    EXPECT_NEAR(language.total[0], 3, 1e-5);
    for (uint32_t m = 0; m < MODES; m++)
        for (uint32_t i = 0; i < texts->document[1].n_local; i++) {
            double wanted = 0;
            for (size_t d = 0; d < 3; d++)
                for (size_t g = 0; g < texts->document[d].n_ngrams; g++)
                    if (texts->document[d].word[texts->stream[d][g + m]] ==
                        texts->document[1].word[i])
                        wanted += 1 / (double)texts->document[d].n_ngrams / 3;
            EXPECT_NEAR(rows.row[m][(size_t)i * rows.stride], wanted, 1e-5);
        }
}

/* The definition in double precision, over the whole vocabulary. */
typedef struct slow {
    uint32_t n_words, n;
    double total[MOST], *mass[MODES]; /* [n_words][MOST] */
} slow;

static double slow_terms(const slow *s, const double total[], double *const mass[],
                         const uint32_t word[], double term[]) {
    double sum = 0;
    for (uint32_t r = 0; r < s->n; r++) {
        term[r] = total[r] > 0 ? pow(total[r], 1 - MODES) : 0;
        for (uint32_t m = 0; m < MODES; m++) term[r] *= mass[m][word[m] * MOST + r];
        sum += term[r];
    }
    return sum;
}

static void slow_read(const trib_influence_document *document, size_t e, uint32_t word[],
                      double *frequency) {
    *frequency = trib_hacoo_entry(document->counts, e, word) / (double)document->counts->total;
    for (uint32_t m = 0; m < MODES; m++) word[m] = document->word[word[m]];
}

/* Does the rounds for one document from `now` and `total`, and stores the result in the
 * background. */
static void slow_rounds(slow *s, const trib_influence_document *document, double *now[],
                        double total[]) {
    double mine[MOST], term[MOST], frequency, *sums[MODES];
    const size_t size = (size_t)s->n_words * MOST;
    for (int round = 0; round < ROUNDS; round++) {
        memset(mine, 0, sizeof mine);
        for (uint32_t m = 0; m < MODES; m++) sums[m] = calloc(size, sizeof(double));
        for (size_t e = 0; e < document->counts->nnz; e++) {
            uint32_t word[MODES];
            slow_read(document, e, word, &frequency);
            const double sum = slow_terms(s, total, now, word, term);
            for (uint32_t r = 0; r < s->n; r++) {
                mine[r] += frequency * term[r] / sum;
                for (uint32_t m = 0; m < MODES; m++)
                    sums[m][word[m] * MOST + r] += frequency * term[r] / sum;
            }
        }
        for (uint32_t m = 0; m < MODES; m++) {
            for (size_t i = 0; i < size; i++) now[m][i] = s->mass[m][i] + sums[m][i];
            free(sums[m]);
        }
        for (uint32_t r = 0; r < s->n; r++) total[r] = s->total[r] + mine[r];
    }
    for (uint32_t r = 0; r < s->n; r++) s->total[r] = total[r];
    for (uint32_t m = 0; m < MODES; m++) memcpy(s->mass[m], now[m], size * sizeof(double));
}

/* Compares with the fast result, then continues from that result. */
static void take_over(slow *s, const trib_common_language *language) {
    CHECK(language->n == s->n);
    for (uint32_t w = 0; w < s->n_words; w++) {
        if (language->row_of[w] == UINT32_MAX) continue;
        const trib_language_row *row = &language->row[language->row_of[w]];
        for (uint32_t m = 0; m < MODES; m++)
            for (uint32_t r = 0; r < s->n; r++) {
                EXPECT_NEAR((double)row->mass[m * row->n + r], s->mass[m][w * MOST + r], 1e-4);
                s->mass[m][w * MOST + r] = (double)row->mass[m * row->n + r];
            }
    }
    for (uint32_t r = 0; r < s->n; r++) {
        EXPECT_NEAR(language->total[r], s->total[r], 1e-4);
        s->total[r] = language->total[r];
    }
}

TEST(documents_are_fitted_by_incremental_em) {
    GIVEN(trib_common_language) language = {0};
    trib_texts *texts = trib_texts_invented(MODES, 150, "..");
    slow s = {.n_words = texts->words.n_words, .n = MOST};
    double *now[MODES], total[MOST], marginal[MODES][2000];
    const size_t size = (size_t)s.n_words * MOST;
    CHECK(s.n_words <= 2000);
    for (uint32_t m = 0; m < MODES; m++) s.mass[m] = calloc(size, sizeof(double));
    for (uint32_t d = 0; d < 2; d++) {
        const trib_influence_document *document = &texts->document[d];
        memset(marginal, 0, sizeof marginal);
        for (size_t e = 0; e < document->counts->nnz; e++) {
            uint32_t word[MODES];
            double frequency;
            slow_read(document, e, word, &frequency);
            for (uint32_t m = 0; m < MODES; m++) marginal[m][word[m]] += frequency;
        }
        GIVEN(trib_tensor) x = {0};
        GIVEN(trib_fibre_cover) cover = {0};
        CHECK(trib_tensor_build(&x, trib_format_find("coo"), document->counts, NULL, 1, NULL) ==
              TRIB_OK);
        CHECK(trib_fibre_cover_build(&cover, &x, MOST, NULL) == TRIB_OK);
        CHECK(cover.n_fibres == MOST);
        for (uint32_t m = 0; m < MODES; m++) now[m] = calloc(size, sizeof(double));
        for (uint32_t r = 0; r < MOST; r++) {
            const trib_fibre *fibre = &cover.fibre[r];
            const double mass = fibre->mass / (double)document->counts->total;
            total[r] = d == 0 ? mass : 1.1 * s.total[r];
            for (uint32_t m = 0; m < MODES; m++)
                for (uint32_t w = 0; w < s.n_words; w++)
                    now[m][w * MOST + r] = s.mass[m][w * MOST + r] +
                                           .1 * (d == 0 ? mass : s.total[r]) * marginal[m][w];
            for (uint32_t m = 0; m < MODES && d == 0; m++) {
                if (m != fibre->free_mode)
                    now[m][document->word[fibre->fixed[m]] * MOST + r] += .9 * mass;
                for (size_t k = 0; m == fibre->free_mode && k < fibre->n; k++)
                    now[m][document->word[cover.index[fibre->first + k]] * MOST + r] +=
                        .9 * cover.value[fibre->first + k] / (double)document->counts->total;
            }
        }
        slow_rounds(&s, document, now, total);
        add(&language, texts, d, d + 1, MOST);
        take_over(&s, &language); /* rounds amplify a difference in the seventh digit */
        for (uint32_t m = 0; m < MODES; m++) free(now[m]);
    }
    for (uint32_t m = 0; m < MODES; m++) free(s.mass[m]);
}

TEST(the_number_of_components_grows_with_the_documents) {
    GIVEN(trib_common_language) language = {0};
    trib_texts *texts = trib_texts_invented(MODES, 150, "....0");
    add(&language, texts, 0, 1, -1);
    EXPECT(language.n == 1);
    double words = 0;
    for (size_t d = 1; d < N; d++) {
        words += (double)texts->document[d - 1].n_words;
        add(&language, texts, d, d + 1, -1);
        EXPECT(language.n == (uint32_t)rint(0.3 * sqrt(words)));
    }
    trib_common_language_release(&language);
    add(&language, texts, 0, 2, 0); /* none */
    EXPECT(language.n == 0 && language.n_documents == 0);
}

TEST(a_document_without_ngrams_changes_nothing) {
    GIVEN(trib_common_language) language = {0};
    trib_background rows;
    trib_texts *texts = TEXTS(MODES, "a b c d a b", "a b", "x y z");
    add(&language, texts, 0, 2, 2);
    EXPECT(language.n_documents == 1 && language.n == 2);
    CHECK(trib_common_language_rows(&rows, &language, &texts->document[2], NULL) == TRIB_OK);
    for (size_t i = 0; i < 3 * rows.stride; i++) EXPECT(rows.row[0][i] == 0); /* unknown words */
    trib_background_release(&rows);
}

/* Fitted to all documents at once, the background serves every target that has all others as
 * sources. */
TEST(the_batch_is_the_background_of_every_target) {
    GIVEN(trib_common_language) language = {0};
    trib_error error = {0};
    trib_texts *texts = trib_texts_invented(MODES, 150, "....0");
    EXPECT_OK(trib_common_language_fit(&language, texts->document, N, texts->words.n_words, 4, 1,
                                       &nobody, &error));
    for (uint32_t target = 0; target < N; target++) {
        GIVEN(trib_background) wanted = {0}, rows = {0};
        const trib_influence_case c = trib_texts_case(texts, target);
        CHECK(trib_background_build(&wanted, &c, 4, 1, &nobody, NULL) == TRIB_OK);
        CHECK(trib_common_language_rows(&rows, &language, &texts->document[target], NULL) ==
              TRIB_OK);
        CHECK(rows.n == wanted.n && rows.stride == wanted.stride);
        for (uint32_t m = 0; m < MODES; m++)
            for (size_t i = 0; i < texts->document[target].n_local * rows.stride; i++)
                EXPECT_NEAR(rows.row[m][i], wanted.row[m][i], 1e-6);
    }
    trib_common_language_release(&language);
    CHECK(trib_common_language_fit(&language, NULL, 0, 0, -1, 1, &nobody, NULL) == TRIB_OK);
    EXPECT(language.n == 0);
}

/* `anchored` uses a background it is given instead of fitting one. */
TEST(a_background_given_is_used) {
    GIVEN(trib_common_language) language = {0};
    GIVEN(trib_background) rows = {0};
    const trib_influence_options options = {.background = 4, .n_threads = 1};
    trib_texts *texts = trib_texts_invented(MODES, 150, "....0");
    trib_influence_case c = trib_texts_case(texts, N - 1);
    trib_influence *own = trib_measured(&c, "anchored", &options);
    CHECK(trib_common_language_fit(&language, texts->document, N, texts->words.n_words, 4, 1,
                                   &nobody, NULL) == TRIB_OK);
    CHECK(trib_common_language_rows(&rows, &language, &texts->document[N - 1], NULL) == TRIB_OK);
    c.background = &rows;
    trib_influence *given = trib_measured(&c, "anchored", &options);
    EXPECT(given->background == 4 && rows.row[0] != NULL);
    for (size_t s = 0; s < own->n_sources; s++) EXPECT_NEAR(given->share[s], own->share[s], 1e-5);
    EXPECT(own->share[0] > .1);
}

TEST(fitting_can_be_stopped_and_rejects_another_n) {
    GIVEN(trib_common_language) language = {0};
    trib_error error = {0};
    trib_texts *texts = TEXTS(2, "a b c d", "a b");
    CHECK(trib_common_language_init(&language, 2, texts->words.n_words, NULL) == TRIB_OK);
    EXPECT_STATUS(
        trib_common_language_add(&language, &texts->document[0], 2, &trib_refusal, &error),
        TRIB_INTERRUPTED, error);
    trib_common_language_release(&language);
    CHECK(trib_common_language_init(&language, 3, texts->words.n_words, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_common_language_add(&language, &texts->document[0], 2, &nobody, &error),
                  TRIB_INTERNAL, error);
}

static trib_status attempt(void *context, trib_error *error) {
    const trib_texts *texts = context;
    GIVEN(trib_common_language) language = {0};
    GIVEN(trib_background) rows = {0};
    trib_status status = trib_common_language_init(&language, 2, texts->words.n_words, error);
    for (size_t d = 0; d < texts->n && status == TRIB_OK; d++)
        status = trib_common_language_add(&language, &texts->document[d], (int32_t)d + 1, &nobody,
                                          error);
    if (status == TRIB_OK)
        status = trib_common_language_rows(&rows, &language, &texts->document[0], error);
    trib_common_language_release(&language);
    if (status == TRIB_OK)
        status = trib_common_language_fit(&language, texts->document, texts->n,
                                          texts->words.n_words, 2, 1, &nobody, error);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_texts *texts = TEXTS(2, "a b c a b", "a b d");
    EXPECT(trib_fail_every_allocation(attempt, texts) > 20);
}
