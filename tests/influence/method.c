/* method.c - tests of influence/method.c: the properties of all methods. */
#include "influence/influence.h"
#include "tests/influence/dense.h"
#include "tests/influence/texts.h"

TESTS(influence, method);

TEST(every_method_is_found_by_its_name) {
    size_t n = 0;
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++, n++) {
        EXPECT(trib_influence_method_find(m->name) == m);
        EXPECT(m->help && m->measure);
    }
    EXPECT(n >= 2);
    EXPECT(trib_influence_method_find("low") == NULL && trib_influence_method_find("") == NULL);
}

static void expect_rejected(const trib_influence_case *c, const char *message) {
    const trib_influence_options options = {.threshold = 0.2, .n_threads = 1};
    trib_influence result;
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(&result, trib_influence_method_find("lowe"), c, &options, &error),
        TRIB_INTERNAL, error);
    EXPECT_TEXT(error.message, message);
    EXPECT(result.share == NULL);
}

TEST(an_inconsistent_case_is_rejected) {
    static const uint32_t twice[] = {1, 1}, beyond[] = {3};
    const dense d = dense_pair(3, 0.5, 0.5);
    GIVEN(trib_factors) factors = {0};
    GIVEN(trib_factor_distances) distances = {0};
    trib_influence_case c = {.n_documents = 3, .target = 3};
    expect_rejected(&c, "lowe: target 3 of 3 documents");
    c.target = 0, c.source = twice, c.n_sources = 2;
    expect_rejected(&c, "lowe: source 1 of 3 documents is out of range or out of order");
    c.source = beyond, c.n_sources = 1;
    expect_rejected(&c, "lowe: source 3 of 3 documents is out of range or out of order");
    c.source = twice;
    expect_rejected(&c, "lowe: needs factors and their distances");
    CHECK(dense_add(&factors, 0, &d, NULL) == TRIB_OK);
    CHECK(trib_factor_distances_find(&distances, &factors, &factors, 2, 1, NULL) == TRIB_OK);
    c.factors = &factors, c.distances = &distances;
    expect_rejected(&c, "lowe: distances of 1 factors to 2 documents, not 1 to 3");
}

TEST(quantities_that_a_method_lacks_are_nan) {
    const trib_influence_options options = {.threshold = 0.2, .n_threads = 1};
    GIVEN(trib_factors) factors = {0};
    GIVEN(trib_factor_distances) distances = {0};
    const dense d = dense_pair(3, 0.5, 0.5);
    CHECK(dense_add(&factors, 0, &d, NULL) == TRIB_OK);
    CHECK(trib_factor_distances_find(&distances, &factors, &factors, 2, 1, NULL) == TRIB_OK);
    const trib_influence_case c = {.n_documents = 2, .factors = &factors, .distances = &distances};
    trib_influence *result = trib_measured(&c, "lowe", &options);
    EXPECT(result->n_sources == 0 && result->share == NULL && result->author == 1);
    EXPECT(result->matched == 0 && isnan(result->explained)); /* no counts, no |T| */
    EXPECT(isnan(result->own) && isnan(result->common) && isnan(result->log_likelihood));
    EXPECT(result->low == NULL && result->mix == NULL && result->weight == NULL);
    EXPECT_TEXT(result->method->name, "lowe");
}

TEST(an_invalid_result_is_reported_with_the_reason) {
    double share[] = {0.25, 0.5}, low[] = {0.2, 0.5}, high[] = {0.3, 0.5};
    const trib_influence right = {.method = trib_influence_method_find("anchored"),
                                  .n_sources = 2,
                                  .share = share,
                                  .low = low,
                                  .high = high,
                                  .author = 0.25,
                                  .own = NAN,
                                  .common = NAN,
                                  .log_likelihood = -1};
    trib_influence r = right;
    EXPECT(trib_influence_fault(&r) == NULL);
    r.author = 0.3;
    EXPECT_TEXT(trib_influence_fault(&r), "the shares do not sum to 1");
    r.method = trib_influence_method_find("containment");
    EXPECT(trib_influence_fault(&r) == NULL);
    r.author = NAN;
    EXPECT_TEXT(trib_influence_fault(&r), "the author's share is not a number");
    r = right;
    r.log_likelihood = -INFINITY;
    EXPECT_TEXT(trib_influence_fault(&r), "a part of the target is infinite");
    r = right;
    low[1] = 0.51;
    EXPECT_TEXT(trib_influence_fault(&r), "an interval does not contain its share");
    low[1] = -0.1;
    EXPECT_TEXT(trib_influence_fault(&r), "an end of an interval is negative or not a number");
    share[0] = INFINITY;
    EXPECT_TEXT(trib_influence_fault(&r), "a share is negative or not a number");
}

TEST(a_method_is_given_the_options_that_it_reads) {
    const trib_influence_options all = {0.2, 3, 100, 5, 9, 7, 1, {0}};
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++) {
        const trib_influence_options given = trib_influence_options_given(m, &all);
        const bool draws = strcmp(m->name, "traced") == 0 || strcmp(m->name, "anchored") == 0;
        EXPECT(given.threshold == (strcmp(m->name, "lowe") == 0 ? 0.2 : 0));
        EXPECT(given.background == (strcmp(m->name, "anchored") == 0 ? 3 : 0));
        EXPECT(given.run == (strcmp(m->name, "runs") == 0 ? 5 : 0));
        EXPECT(given.bootstrap == (draws ? 100 : 0) && given.seed == (draws ? 7 : 0));
        EXPECT(given.shortlist == (m->takes_shortlist ? 9 : 0) && given.n_threads == 1);
    }
}

/* ---- Methods that count n-grams -------------------------------------------------------------- */

TEST(without_sources_or_n_grams_the_author_has_the_whole_share) {
    const trib_influence_options options[] = {{.background = -1, .bootstrap = 3, .run = 4},
                                              {.background = 0}};
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++)
        for (uint32_t target = 0; target < 16 && !m->needs_factors; target++) {
            trib_influence_case c =
                trib_texts_case(TEXTS(1 + target / 4 % 3, "a b c d", "q", "", "x y z"), target % 4);
            if (target >= 12) c.n_sources = 0;
            for (int i = 0; i < 2; i++) {
                const trib_influence *result = trib_measured(&c, m->name, &options[i]);
                for (size_t s = 0; s < c.n_sources; s++) EXPECT(result->share[s] == 0);
                EXPECT_NEAR(result->author, 1, 1e-15);
                if (strcmp(m->name, "traced") == 0) EXPECT(result->own == 1 && result->common == 0);
            }
        }
}

/* Models leave a part of it to the author; the other methods count. */
TEST(a_target_that_is_also_a_source_scores_1) {
    trib_texts *texts = trib_texts_invented(3, 1500, "...0");
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++) {
        const bool is_model = m->has_evidence;
        trib_influence_case c = trib_texts_case_of_all(texts, 0);
        if (m->needs_factors) continue;
        if (is_model) EXPECT(trib_measured(&c, m->name, NULL)->share[0] >= .999);
        c.n_sources = 1;
        const trib_influence *result = trib_measured(&c, m->name, NULL);
        EXPECT_NEAR(result->share[0], 1,
                    is_model                               ? 1e-3
                    : strcmp(m->name, "lowe-matched") == 0 ? 1e-6
                                                           : 1e-15);
        EXPECT_NEAR(result->share[0] + result->author, 1, 1e-12);
    }
}

TEST(every_failing_allocation_is_reported) {
    static const char *const text[] = {"a b c d a b e f g h", "a b c d e f g h i", "a b x a b"};
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++)
        for (uint32_t shortlist = 0; shortlist <= m->takes_shortlist && !m->needs_factors;
             shortlist++) {
            const trib_influence_options options = {.background = 3,
                                                    .bootstrap = 5,
                                                    .run = 3,
                                                    .seed = 1,
                                                    .shortlist = shortlist,
                                                    .n_threads = 2};
            const size_t n = trib_texts_starve(m->name, &options, text, 3);
            EXPECT(n > 8 && (!m->has_evidence || n > 40));
        }
}
