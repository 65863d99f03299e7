/* lowe.c - tests of influence/lowe.c. */
#include "influence/evidence.h"
#include "tests/influence/oracle.h"
#include "tests/influence/texts.h"

TESTS(influence, lowe);

/* ---- Distances set by hand ------------------------------------------------------------------- */

enum { N_FACTORS = 8, N_DOCUMENTS = 4 };

/* Target 0 has factors 0 to 3 of mass 1, 2, 3, 4; documents 1, 2 have two each, 3 has none-> */
static uint32_t document[N_FACTORS] = {0, 0, 0, 0, 1, 1, 2, 2};
static double lambda[N_FACTORS] = {1, 2, 3, 4, 1, 1, 1, 1};
static double nearest[N_FACTORS * N_DOCUMENTS] = {
    0, 0.1, 0.1 + 5e-10, 2, /* equal for 1 and 2 */
    0, 0.2, 0.5,         2, /* at the threshold for 1 */
    0, 0.9, 0.3,         2, /* */
    0, 2,   2,           2, /* */
};
static uint32_t which[N_FACTORS * N_DOCUMENTS] = {
    0, 4, 6, UINT32_MAX, 1, 5, 6, UINT32_MAX, 2, 4, 7, UINT32_MAX, 3, 4, 6, UINT32_MAX,
};
static const trib_factors by_hand = {
    .n_modes = 3, .n = N_FACTORS, .document = document, .lambda = lambda};
static const trib_factor_distances distances_by_hand = {
    .n_factors = N_FACTORS, .n_documents = N_DOCUMENTS, .nearest = nearest, .which = which};

static trib_influence_case case_by_hand(const uint32_t *source, size_t n_sources) {
    return (trib_influence_case){.n_documents = N_DOCUMENTS,
                                 .source = source,
                                 .n_sources = n_sources,
                                 .factors = &by_hand,
                                 .distances = &distances_by_hand};
}

static const uint32_t others[] = {1, 2, 3}, all[] = {0, 1, 2, 3};

TEST(a_factor_goes_to_its_nearest_source_within_the_threshold) {
    const trib_influence_case c = case_by_hand(others, 3);
    double share[3], author;
    CHECK(trib_lowe_at(&c, 0.2, share, &author, NULL) == TRIB_OK);
    EXPECT_NEAR(share[0], 0.05 + 0.2, 1e-15); /* half of the first, all of the second */
    EXPECT_NEAR(share[1], 0.05, 1e-15);
    EXPECT(share[2] == 0);
    EXPECT_NEAR(author, 0.7, 1e-15);
    CHECK(trib_lowe_at(&c, 0.3, share, &author, NULL) == TRIB_OK);
    EXPECT_NEAR(share[1], 0.05 + 0.3, 1e-15);
    EXPECT_NEAR(author, 0.4, 1e-15);
    CHECK(trib_lowe_at(&c, 0.05, share, &author, NULL) == TRIB_OK);
    EXPECT(share[0] == 0 && share[1] == 0);
    EXPECT_NEAR(author, 1, 1e-15);
}

TEST(at_threshold_2_only_a_document_without_factors_gets_nothing) {
    const trib_influence_case c = case_by_hand(others, 3);
    double share[3], author;
    CHECK(trib_lowe_at(&c, 2, share, &author, NULL) == TRIB_OK);
    EXPECT_NEAR(share[0], 0.05 + 0.2 + 0.2, 1e-15);
    EXPECT_NEAR(share[1], 0.05 + 0.3 + 0.2, 1e-15);
    EXPECT(share[2] == 0 && author == 0);
}

TEST(the_targets_own_factors_count_only_when_it_is_a_source) {
    const trib_influence_case c = case_by_hand(all, 4);
    double share[4], author;
    CHECK(trib_lowe_at(&c, 0.2, share, &author, NULL) == TRIB_OK);
    EXPECT_NEAR(share[0], 1, 1e-15);
    EXPECT(share[1] == 0 && author == 0);
}

TEST(lowe_soft_divides_the_best_overlap_among_the_sources) {
    const trib_influence_case c = case_by_hand(others, 3);
    trib_influence *result = trib_measured(&c, "lowe-soft", NULL);
    const double second = pow(0.9, 4) + pow(0.75, 4), third = pow(0.55, 4) + pow(0.85, 4);
    EXPECT_NEAR(result->share[0],
                0.1 * 0.95 / 2 + 0.2 * 0.9 * pow(0.9, 4) / second +
                    0.3 * 0.85 * pow(0.55, 4) / third,
                1e-9);
    EXPECT_NEAR(result->share[1],
                0.1 * 0.95 / 2 + 0.2 * 0.9 * pow(0.75, 4) / second +
                    0.3 * 0.85 * pow(0.85, 4) / third,
                1e-9);
    EXPECT_NEAR(result->author, 0.1 * 0.05 + 0.2 * 0.1 + 0.3 * 0.15 + 0.4, 1e-15);
    EXPECT(result->share[2] == 0 && isnan(result->matched));
}

TEST(a_target_without_mass_has_no_influence) {
    trib_influence_case c = case_by_hand(others, 3);
    const trib_influence_options options = {.threshold = 0.2, .n_threads = 1};
    c.target = 3;
    static const char *const name[] = {"lowe", "lowe-soft"};
    for (int i = 0; i < 2; i++) {
        trib_influence *result = trib_measured(&c, name[i], &options);
        EXPECT(result->share[0] == 0 && result->share[1] == 0 && result->author == 1);
    }
}

TEST(lowe_without_factors_is_an_error) {
    trib_influence_case c = case_by_hand(others, 3);
    trib_error error = {0};
    double share[3], author;
    c.distances = NULL;
    EXPECT_STATUS(trib_lowe_at(&c, 0.2, share, &author, &error), TRIB_INTERNAL, error);
}

static trib_status measure(void *context, trib_error *error) {
    const trib_influence_options options = {.threshold = 0.2, .n_threads = 1};
    GIVEN(trib_influence) result = {0};
    const trib_status status = trib_influence_measure(&result, trib_influence_method_find("lowe"),
                                                      context, &options, error);
    EXPECT(status == TRIB_OK || result.source == NULL);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_influence_case c = case_by_hand(others, 3);
    EXPECT(trib_fail_every_allocation(measure, &c) > 2);
}

/* ---- Lowe's stories -------------------------------------------------------------------------- */

/* Stories counted over their own words, decomposed, and their factors compared. */
typedef struct stories {
    trib_texts *texts;
    trib_factors factors;
    trib_factor_distances distances;
} stories;

static void decompose_story(stories *s, uint32_t d, const char *solver, uint32_t rank) {
    const trib_cp_options options = {.solver = trib_solver_find(solver),
                                     .rank = rank,
                                     .sweeps = 2,
                                     .iterations = 50,
                                     .tolerance = 1e-5,
                                     .restarts = 1,
                                     .seed = 1,
                                     .n_threads = 1};
    GIVEN(trib_tensor) x = {0};
    GIVEN(trib_ktensor) k = {0};
    CHECK(trib_tensor_build(&x, trib_format_find("hacoo"), &s->texts->counts[d], NULL, 1, NULL) ==
          TRIB_OK);
    CHECK(trib_cp(&k, &x, &options, NULL, NULL) == TRIB_OK);
    CHECK(trib_factors_add(&s->factors, d, &k, s->texts->document[d].word, NULL) == TRIB_OK);
}

static void release_stories(stories *s) {
    trib_factors_release(&s->factors);
    trib_factor_distances_release(&s->distances);
}

/* Reads and decomposes the stories; false when they are not available. */
static bool tell_stories(stories *s, const char *const name[], uint32_t n, const char *solver,
                         uint32_t rank) {
    *s = (stories){.texts = trib_texts_read(3, name, n)};
    if (!s->texts) return false;
    for (uint32_t d = 0; d < n; d++) decompose_story(s, d, solver, rank);
    CHECK(trib_factor_distances_find(&s->distances, &s->factors, &s->factors, n, 1, NULL) ==
          TRIB_OK);
    return true;
}

/* Shares of `target`, by one method. */
static trib_influence *measure_story(const stories *s, const char *method, double threshold,
                                     uint32_t target, const uint32_t *source, size_t n_sources) {
    trib_influence_case c = trib_texts_case(s->texts, target);
    c.source = source;
    c.n_sources = n_sources;
    c.factors = &s->factors;
    c.distances = &s->distances;
    return trib_measured(&c, method, &(trib_influence_options){.threshold = threshold});
}

static const char *const toy[] = {"toy/cat", "toy/dog", "toy/sequel_dissertation"};
static const uint32_t cat_and_dog[] = {0, 1};

static void expect_story(const stories *s, const char *method, double threshold, double cat,
                         double dog, double author) {
    const trib_influence *result = measure_story(s, method, threshold, 2, cat_and_dog, 2);
    EXPECT_NEAR(result->share[0], cat, 1e-9);
    EXPECT_NEAR(result->share[1], dog, 1e-9);
    EXPECT_NEAR(result->author, author, 1e-9);
    EXPECT_NEAR(result->explained, 1, 1e-12); /* the cover leaves no residual */
}

TEST(the_sequels_shares_come_out_on_fibre_covers) {
    stories s;
    if (!tell_stories(&s, toy, 3, "fibre", 0)) return;
    EXPECT(s.factors.n == 20 + 17 + 24);
    expect_story(&s, "lowe", 0.2, 0.14, 0.06, 0.80);
    expect_story(&s, "lowe", 0.4, 0.14, 0.16, 0.70);
    expect_story(&s, "lowe", 1.0, 0.14, 0.24, 0.62);
    expect_story(&s, "lowe-soft", 0, 0.18, 0.20, 0.62);
    release_stories(&s);
}

/* The published factors: 17 of the cat, 13 of the dog, 6 of the sequel. The expected shares come
 * from an independent program. */
TEST(the_published_factors_give_these_shares) {
    static const double wanted[][4] = {/* threshold, cat, dog, author */
                                       {0.2, 0, 0, 1},
                                       {0.4, 0, 0.1791, 0.8209},
                                       {1.0, 0, 0.3667, 0.6333}};
    GIVEN(trib_factors) factors = {0};
    GIVEN(trib_factor_distances) distances = {0};
    if (!oracle_factors(&factors, true)) return;
    CHECK(trib_factor_distances_find(&distances, &factors, &factors, 3, 1, NULL) == TRIB_OK);
    const trib_influence_case c = {.n_documents = 3,
                                   .target = 2,
                                   .source = cat_and_dog,
                                   .n_sources = 2,
                                   .factors = &factors,
                                   .distances = &distances};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        double share[2], author;
        CHECK(trib_lowe_at(&c, wanted[i][0], share, &author, NULL) == TRIB_OK);
        EXPECT_NEAR(share[0], wanted[i][1], 5e-5);
        EXPECT_NEAR(share[1], wanted[i][2], 5e-5);
        EXPECT_NEAR(author, wanted[i][3], 5e-5);
    }
    double dog = 2; /* the published text has a match at distance 0 */
    for (size_t f = 0; f < factors.n; f++)
        if (factors.document[f] == 2) dog = fmin(dog, distances.nearest[f * 3 + 1]);
    EXPECT_NEAR(dog, 0.4, 1e-12);
}

TEST(a_source_identical_to_the_target_scores_1) {
    static const char *const name[] = {"toy/sequel_dissertation", "toy/sequel_dissertation",
                                       "toy/cat"};
    static const uint32_t copy[] = {1}, itself[] = {0};
    static const char *const method[] = {"lowe", "lowe-soft"}, *const solver[] = {"fibre", "hals"};
    for (int i = 0; i < 4; i++) {
        stories s;
        if (!tell_stories(&s, name, 3, solver[i / 2], i / 2 == 0 ? 0 : 12)) return;
        const trib_influence *by_copy = measure_story(&s, method[i % 2], 0.2, 0, copy, 1);
        const trib_influence *by_itself = measure_story(&s, method[i % 2], 0.2, 0, itself, 1);
        EXPECT_NEAR(by_copy->share[0], 1, 1e-6);
        EXPECT_NEAR(by_itself->share[0], 1, 1e-6);
        EXPECT_NEAR(by_copy->author, 0, 1e-6);
        release_stories(&s);
    }
}

TEST(the_order_of_documents_changes_nothing) {
    static const char *const turned[] = {"toy/sequel_dissertation", "toy/dog", "toy/cat"};
    static const uint32_t dog_and_cat[] = {1, 2};
    static const char *const method[] = {"lowe", "lowe-soft"}, *const solver[] = {"fibre", "hals"};
    for (int i = 0; i < 4; i++) {
        stories s, t;
        const uint32_t rank = i / 2 == 0 ? 0 : 12;
        if (!tell_stories(&s, toy, 3, solver[i / 2], rank) ||
            !tell_stories(&t, turned, 3, solver[i / 2], rank))
            return;
        for (double threshold = 0; threshold <= 2; threshold += 0.1) {
            const trib_influence *one =
                measure_story(&s, method[i % 2], threshold, 2, cat_and_dog, 2);
            const trib_influence *other =
                measure_story(&t, method[i % 2], threshold, 0, dog_and_cat, 2);
            EXPECT_NEAR(one->share[0], other->share[1], 1e-12);
            EXPECT_NEAR(one->share[1], other->share[0], 1e-12);
            EXPECT_NEAR(one->author, other->author, 1e-12);
            EXPECT_NEAR(one->share[0] + one->share[1] + one->author, 1, 1e-12);
        }
        release_stories(&s);
        release_stories(&t);
    }
}

TEST(fibres_have_no_phantom_mass) {
    stories s;
    if (!tell_stories(&s, toy, 3, "fibre", 0)) return;
    for (size_t f = 0; f < s.factors.n; f++)
        EXPECT_NEAR(trib_phantom_mass(&s.factors, f, &s.texts->document[s.factors.document[f]]), 0,
                    1e-12);
    release_stories(&s);
}
