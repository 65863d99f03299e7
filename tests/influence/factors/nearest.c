/* nearest.c - tests of influence/factors/nearest.c. */
#include "base/internal.h"
#include "tests/influence/dense.h"
#include "tests/influence/oracle.h"

TESTS(factors, nearest);

enum { N_DOCUMENTS = 5 };

/* Factors of documents 0, 1, 3, 4 (2 has none), with copies so that there are ties. */
static void some_factors(trib_factors *factors, uint64_t seed, uint32_t n_modes, uint32_t dim,
                         size_t n) {
    trib_random random;
    trib_random_seed(&random, seed);
    dense first = {0};
    for (size_t f = 0; f < n; f++) {
        const uint32_t document = (uint32_t)(f * N_DOCUMENTS / n);
        dense d = dense_random(&random, n_modes, dim);
        dense_normalize(&d);
        if (f == 0) first = d;
        if (f % 6 == 0) d = first;
        if (document != 2) CHECK(dense_add(factors, document, &d, NULL) == TRIB_OK);
    }
}

/* The nearest factors. They are there until the next call but one. */
static const trib_factor_distances *nearest_of(const trib_factors *a, const trib_factors *b,
                                               size_t n_documents, int n_threads) {
    static trib_factor_distances both[2];
    static size_t n_calls;
    trib_factor_distances *found = &both[n_calls++ % 2];
    trib_factor_distances_release(found);
    CHECK(trib_factor_distances_find(found, a, b, n_documents, n_threads, NULL) == TRIB_OK);
    return found;
}

/* Compares with the row minima of the full matrix, bit for bit, with 1 and with 7 threads. */
static void equals_row_minima(const trib_factors *a, const trib_factors *b, size_t n_documents) {
    double *matrix = calloc(a->n * b->n + 1, sizeof *matrix);
    CHECK(matrix && trib_factor_matrix(a, b, NULL, matrix, 1, (trib_progress){0}, NULL) == TRIB_OK);
    const trib_factor_distances *one = nearest_of(a, b, n_documents, 1);
    const trib_factor_distances *seven = nearest_of(a, b, n_documents, 7);
    CHECK(one->n_factors == a->n && one->n_documents == n_documents);
    for (size_t f = 0; f < a->n; f++)
        for (size_t d = 0; d < n_documents; d++) {
            double nearest = 2;
            uint32_t which = UINT32_MAX;
            for (uint32_t q = 0; q < b->n; q++)
                if (b->document[q] == d &&
                    (which == UINT32_MAX || matrix[f * b->n + q] < nearest)) {
                    nearest = matrix[f * b->n + q];
                    which = q;
                }
            const size_t at = f * n_documents + d;
            EXPECT(one->nearest[at] == nearest && one->which[at] == which);
            EXPECT(seven->nearest[at] == nearest && seven->which[at] == which);
        }
    EXPECT(one->n_exact == seven->n_exact && one->n_exact <= a->n * b->n);
    free(matrix);
}

TEST(nearest_factors_are_the_row_minima_of_the_matrix) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        GIVEN(trib_factors) a = {0}, b = {0};
        const uint32_t n_modes = 1 + (uint32_t)(seed % 4);
        some_factors(&a, seed, n_modes, 12, 31);
        some_factors(&b, seed + 6, n_modes, seed % 3 == 0 ? 30 : 12, 43);
        equals_row_minima(&a, &b, N_DOCUMENTS);
        equals_row_minima(&b, &a, N_DOCUMENTS + 2);
        equals_row_minima(&b, &b, N_DOCUMENTS);
    }
}

TEST(oracle_factors_find_their_row_minima) {
    GIVEN(trib_factors) factors = {0};
    if (!oracle_factors(&factors, true)) return;
    equals_row_minima(&factors, &factors, 3);
    const trib_factor_distances *found = nearest_of(&factors, &factors, 3, 1);
    EXPECT(found->n_exact < N_ORACLE * N_ORACLE / 10);
    for (size_t f = 0; f < N_ORACLE; f++) {
        EXPECT(found->nearest[f * 3 + factors.document[f]] == 0);
        EXPECT(found->which[f * 3 + factors.document[f]] == f);
    }
}

TEST(disjoint_factors_cost_no_exact_sum) {
    GIVEN(trib_factors) factors = {0};
    for (uint32_t f = 0; f < 20; f++) {
        dense d = {.n_modes = 3, .dim = 20, .lambda = 1};
        for (uint32_t m = 0; m < 3; m++) d.value[m][m == 1 ? f : 0] = 1;
        CHECK(dense_add(&factors, f / 10, &d, NULL) == TRIB_OK);
    }
    const trib_factor_distances *found = nearest_of(&factors, &factors, 2, 1);
    EXPECT(found->n_exact == 20); /* each with itself */
    EXPECT(found->nearest[1] == 2 && found->which[1] == 10);
}

static const trib_progress nobody = {0};

/* Computes some rows whole, then the columns of the other rows in two parts; and the matrix, some
 * pairs of which are known. */
TEST(distances_computed_in_parts_equal_the_whole) {
    GIVEN(trib_factors) factors = {0};
    GIVEN(trib_factor_distances) parts = {0};
    bool row[43], other[43], column[N_DOCUMENTS], rest[N_DOCUMENTS];
    some_factors(&factors, 5, 3, 12, 43);
    const size_t n = factors.n;
    double *all = calloc(n * n, sizeof *all), *some = calloc(n * n, sizeof *some);
    CHECK(all && some &&
          trib_factor_matrix(&factors, &factors, NULL, all, 1, (trib_progress){0}, NULL) ==
              TRIB_OK);
    for (size_t f = 0; f < n; f++) row[f] = !(other[f] = f % 3 == 0);
    for (size_t d = 0; d < N_DOCUMENTS; d++) column[d] = !(rest[d] = d % 2 == 0);
    const trib_factor_distances *whole = nearest_of(&factors, &factors, N_DOCUMENTS, 1);
    CHECK(trib_factor_distances_init(&parts, n, N_DOCUMENTS, NULL) == TRIB_OK);
    CHECK(trib_factor_distances_fill(&parts, &factors, &factors, row, NULL, 7, nobody, NULL) ==
          TRIB_OK);
    CHECK(trib_factor_distances_fill(&parts, &factors, &factors, other, column, 1, nobody, NULL) ==
          TRIB_OK);
    EXPECT(parts.n_exact < whole->n_exact && parts.nearest[0] == 0 && parts.which[0] == 0);
    CHECK(trib_factor_distances_fill(&parts, &factors, &factors, other, rest, 7, nobody, NULL) ==
          TRIB_OK);
    EXPECT(memcmp(whole->nearest, parts.nearest, n * N_DOCUMENTS * sizeof *whole->nearest) == 0);
    EXPECT(memcmp(whole->which, parts.which, n * N_DOCUMENTS * sizeof *whole->which) == 0);
    EXPECT(parts.n_exact == whole->n_exact);
    CHECK(trib_factor_matrix(&factors, &factors, column, some, 7, (trib_progress){0}, NULL) ==
          TRIB_OK);
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q < n; q++)
            EXPECT(
                some[p * n + q] ==
                (column[factors.document[p]] || column[factors.document[q]] ? all[p * n + q] : 0));
    free(all);
    free(some);
}

TEST(empty_sets_have_no_nearest_factors) {
    trib_factors none = {0}, some = {0};
    some_factors(&some, 1, 3, 5, 10);
    const trib_factor_distances *found = nearest_of(&none, &some, 5, 2);
    EXPECT(found->n_factors == 0 && found->n_exact == 0);
    found = nearest_of(&some, &none, 2, 2);
    EXPECT(found->nearest[0] == 2 && found->which[0] == UINT32_MAX && found->n_exact == 0);
    trib_factors_release(&some);
}

/* A vector of many words sums to 1 but for its rounding, which grows with their number. */
TEST(vectors_of_many_words_are_searched) {
    static const uint32_t n_words[] = {600000, 1000003};
    for (size_t i = 0; i < 2; i++) {
        const uint32_t n = n_words[i], dim[] = {n, 2};
        GIVEN(trib_factors) factors = {0};
        GIVEN(trib_ktensor) k = {0};
        uint32_t *word = calloc(n, sizeof *word);
        CHECK(word && trib_ktensor_init(&k, 2, dim, 1, NULL) == TRIB_OK);
        k.lambda[0] = 1;
        for (uint32_t w = 0; w < n; w++) k.factor[0][w] = 1 + w % 7, word[w] = w;
        k.factor[1][0] = k.factor[1][1] = 1;
        CHECK(trib_ktensor_normalize(&k, NULL) == TRIB_OK);
        CHECK(trib_factors_add(&factors, 0, &k, word, NULL) == TRIB_OK);
        EXPECT(nearest_of(&factors, &factors, 1, 1)->nearest[0] == 0);
        free(word);
    }
}

TEST(factors_that_the_search_cannot_use_are_rejected) {
    GIVEN(trib_factors) good = {0}, bad = {0}, flat = {0};
    trib_factor_distances found;
    trib_error error = {0};
    dense d = dense_pair(3, 0.5, 0.5);
    CHECK(dense_add(&good, 4, &d, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_factor_distances_find(&found, &good, &good, 4, 1, &error), TRIB_INTERNAL,
                  error);
    EXPECT_TEXT(error.message, "a factor belongs to document 4, but there are only 4 documents");
    d.value[1][0] = 1;
    CHECK(dense_add(&bad, 0, &d, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_factor_distances_find(&found, &good, &bad, 5, 1, &error), TRIB_INTERNAL,
                  error);
    EXPECT_TEXT(error.message, "mode 1 of factor 0 sums to 1.5, not to 1");
    EXPECT_STATUS(trib_factor_distances_find(&found, &bad, &good, 5, 1, &error), TRIB_INTERNAL,
                  error);
    d = dense_pair(2, 0.5, 0.5);
    CHECK(dense_add(&flat, 0, &d, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_factor_distances_find(&found, &flat, &good, 5, 1, &error), TRIB_INTERNAL,
                  error);
    EXPECT_TEXT(error.message, "factors of 2 modes against factors of 3");
    EXPECT(found.nearest == NULL);
}

static bool refuse(void *context, double done, double total) {
    uint32_t *n_ticks = context;
    ++*n_ticks;
    EXPECT(done >= 1 && done <= total);
    return false;
}

TEST(a_search_stops_when_asked) {
    GIVEN(trib_factors) factors = {0};
    GIVEN(trib_factor_distances) found = {0};
    trib_error error = {0};
    uint32_t n_ticks = 0;
    const trib_progress no = {refuse, &n_ticks};
    some_factors(&factors, 5, 3, 12, 43);
    CHECK(trib_factor_distances_init(&found, factors.n, N_DOCUMENTS, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_factor_distances_fill(&found, &factors, &factors, NULL, NULL, 1, no, &error),
                  TRIB_INTERRUPTED, error);
    EXPECT(n_ticks == 1); /* after the first row */
    trib_stop_at(1);
    EXPECT_STATUS(
        trib_factor_distances_fill(&found, &factors, &factors, NULL, NULL, 7, nobody, &error),
        TRIB_INTERRUPTED, error);
    trib_stop_forget();
}

static trib_status find(void *context, trib_error *error) {
    GIVEN(trib_factor_distances) found = {0};
    const trib_status status =
        trib_factor_distances_find(&found, context, context, N_DOCUMENTS, 2, error);
    EXPECT(status == TRIB_OK || found.nearest == NULL);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    GIVEN(trib_factors) factors = {0};
    some_factors(&factors, 1, 3, 5, 10);
    EXPECT(trib_fail_every_allocation(find, &factors) > 10);
}
