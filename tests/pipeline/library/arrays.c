/* arrays.c - tests of tensors and decompositions behind pointers, against the tables and products
 * that they stand for. */
#include "tests/test.h"

#include "decomp/decomp.h"
#include "pipeline/library/arrays.h"
#include "tensor/files.h"

TESTS(library, arrays);

enum { N = 4, RANK = 2 };
static const uint32_t dim[3] = {3, 2, 4};
static const uint32_t places[N][3] = {{0, 0, 0}, {2, 1, 3}, {1, 0, 2}, {2, 1, 3}};

static trib_array *small(const double *value) {
    trib_array *x = NULL;
    trib_error error = {0};
    EXPECT_STATUS(trib_array_open(&x, 3, dim, N, places[0], value, &error), TRIB_OK, error);
    CHECK(x != NULL);
    return x;
}

static double at(const trib_array *x, uint32_t i, uint32_t j, uint32_t k) {
    const uint32_t index[3] = {i, j, k};
    double value = NAN;
    trib_array_get(x, 1, index, &value);
    return value;
}

TEST(duplicates_are_added_and_counts_stay_counts) {
    static const double value[N] = {2, 1, 5, 3};
    uint32_t index[3][3];
    double read[3];
    trib_array *x = small(value), *ones = small(NULL);
    EXPECT(trib_array_n_modes(x) == 3 && trib_array_dim(x, 2) == 4 && trib_array_nnz(x) == 3);
    EXPECT(trib_array_has_counts(x) && at(x, 2, 1, 3) == 4 && at(x, 0, 0, 0) == 2);
    EXPECT(at(x, 0, 0, 1) == 0 && at(x, 9, 0, 0) == 0);
    EXPECT(at(ones, 2, 1, 3) == 2 && at(ones, 1, 0, 2) == 1);
    trib_array_entries(x, 0, 3, index[0], read); /* in the order of their first occurrence */
    EXPECT(index[1][0] == 2 && index[1][2] == 3 && read[1] == 4);
    EXPECT(index[2][0] == 1 && index[2][2] == 2 && read[2] == 5);
    trib_array_close(x);
    trib_array_close(ones);
}

TEST(a_value_that_is_no_count_makes_all_values_doubles) {
    static const double value[N] = {2, 1, 5, 3}, more[2] = {-4.5, .25};
    static const uint32_t where[2][3] = {{2, 1, 3}, {0, 1, 1}};
    trib_error error = {0};
    trib_array *x = small(value);
    EXPECT_STATUS(trib_array_add(x, 2, where[0], more, &error), TRIB_OK, error);
    EXPECT(!trib_array_has_counts(x) && trib_array_nnz(x) == 4);
    EXPECT(at(x, 2, 1, 3) == -.5 && at(x, 0, 1, 1) == .25 && at(x, 1, 0, 2) == 5);
    EXPECT_STATUS(trib_array_add(x, 1, where[0], NULL, &error), TRIB_OK, error);
    EXPECT(at(x, 2, 1, 3) == .5);
    trib_array_close(x);
}

TEST(sums_beyond_counts_are_values_and_sums_of_0_are_removed) {
    static const double large[N] = {4e9, 3e9, 7, 3e9}, minus[N] = {-4e9, -1, 1, -2e9};
    static const double set[N] = {0, 5, 0, 2.5};
    trib_error error = {0};
    for (int batches = 1; batches < 3; batches++) { /* in one call, and in several */
        trib_array *x = NULL;
        EXPECT_STATUS(trib_array_open(&x, 3, dim, 0, NULL, NULL, &error), TRIB_OK, error);
        CHECK(x != NULL);
        for (size_t i = 0, n = batches == 1 ? N : 1; i < N; i += n)
            EXPECT_STATUS(trib_array_add(x, n, places[i], large + i, &error), TRIB_OK, error);
        EXPECT(!trib_array_has_counts(x) && trib_array_nnz(x) == 3);
        EXPECT(at(x, 2, 1, 3) == 6e9 && at(x, 0, 0, 0) == 4e9 && at(x, 1, 0, 2) == 7);
        EXPECT_STATUS(trib_array_add(x, N, places[0], minus, &error), TRIB_OK, error);
        EXPECT(trib_array_nnz(x) == 2 && at(x, 0, 0, 0) == 0 && at(x, 1, 0, 2) == 8);
        EXPECT(at(x, 2, 1, 3) == 4e9 - 1);
        EXPECT_STATUS(trib_array_set(x, N, places[0], set, &error), TRIB_OK, error);
        EXPECT(trib_array_nnz(x) == 1 && at(x, 2, 1, 3) == 2.5);
        trib_array_close(x);
    }
    trib_array *x = small(NULL);
    EXPECT_STATUS(trib_array_set(x, N, places[0], (double[N]){4, 1, 0, 9}, &error), TRIB_OK, error);
    EXPECT(trib_array_has_counts(x) && trib_array_nnz(x) == 2 && at(x, 2, 1, 3) == 9);
    EXPECT_STATUS(trib_array_set(x, 1, places[0], (double[]){.5}, &error), TRIB_OK, error);
    EXPECT(!trib_array_has_counts(x) && at(x, 0, 0, 0) == .5 && at(x, 2, 1, 3) == 9);
    EXPECT(trib_array_set(x, 1, places[0], (double[]){NAN}, NULL) == TRIB_INPUT);
    EXPECT(trib_array_add(x, 1, places[0], (double[]){1.7e308}, NULL) == TRIB_OK);
    EXPECT(trib_array_add(x, 1, places[0], (double[]){1.7e308}, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "nonzero 0") && strstr(error.message, "inf"));
    EXPECT(trib_array_save(x, trib_scratch("x.npz"), &error) == TRIB_USAGE);
    trib_array_close(x);
}

TEST(a_decomposition_starts_from_given_factors) {
    static const double lambda[RANK] = {2, -3}, one[4 * RANK] = {1, 0, -1, 2, 0, 0, 1, 1};
    static const double positive[4 * RANK] = {1, 0, 1, 2, 0, 1, 1, 1}, ones[RANK] = {1, 1};
    static const double *const signed_ones[3] = {one, one, one};
    static const double *const all_positive[3] = {positive, positive, positive};
    static const char *const word[4] = {"a", "b", "c", "d"};
    static const char *const settings[] = {"cp.fixed=[1, 3]", "resources.threads=1", NULL};
    trib_factorisation *d = NULL, *back = NULL, *found = NULL;
    trib_error error = {0};
    trib_array *x = small(NULL);
    EXPECT_STATUS(
        trib_factorisation_open(&d, 3, dim, RANK, lambda, signed_ones, .5, true, word, &error),
        TRIB_OK, error);
    CHECK(d != NULL);
    EXPECT_STATUS(trib_factorisation_save(d, trib_scratch("d.ktns"), &error), TRIB_OK, error);
    EXPECT_STATUS(trib_factorisation_load(&back, trib_scratch("d.ktns"), &error), TRIB_OK, error);
    CHECK(back != NULL);
    EXPECT(trib_factorisation_lambda(back)[1] == -3 && trib_factorisation_is_single(back));
    EXPECT(trib_factorisation_factor(back, 0)[2] == -1 && trib_factorisation_fit(back) == .5);
    EXPECT_TEXT(trib_factorisation_word(back, 1), "b");
    EXPECT(trib_array_cp(x, NULL, back, NULL, &found, &error) == TRIB_CONFIG && !found);
    EXPECT(strstr(error.message, "below 0") != NULL);
    trib_factorisation_close(back);
    trib_factorisation_close(d);
    EXPECT(trib_factorisation_open(&d, 3, dim, RANK, ones, all_positive, NAN, false, NULL,
                                   &error) == TRIB_OK);
    EXPECT_STATUS(trib_array_cp(x, settings, d, NULL, &found, &error), TRIB_OK, error);
    CHECK(found != NULL);
    const uint32_t rank = trib_factorisation_rank(found);
    CHECK(rank == RANK); /* the columns of fixed modes differ by their lengths and order alone */
    for (uint32_t m = 0; m < 3; m += 2) {
        const double *a = trib_factorisation_factor(found, m);
        const bool is_first = a[rank] > 0 && a[0] > 0;
        const uint32_t first = is_first ? 0 : 1;
        for (uint32_t i = 0; i < dim[m]; i++)
            for (uint32_t r = 0; r < rank; r++) {
                double sum = 0;
                for (uint32_t j = 0; j < dim[m]; j++) sum += positive[j * RANK + r];
                EXPECT(fabs(a[i * rank + (r ^ first)] - positive[i * RANK + r] / sum) < 1e-15);
            }
    }
    trib_factorisation_close(found);
    trib_factorisation_close(d);
    EXPECT(trib_factorisation_open(&d, 2, dim, RANK, ones, all_positive, NAN, false, NULL, NULL) ==
           TRIB_OK);
    EXPECT(trib_array_cp(x, NULL, d, NULL, &found, &error) == TRIB_CONFIG && !found);
    trib_factorisation_close(d);
    trib_array_close(x);
}

TEST(wrong_entries_are_named_and_change_nothing) {
    static const uint32_t outside[2][3] = {{0, 0, 1}, {0, 2, 0}};
    static const double not_finite[2] = {1, INFINITY}, zero[2] = {1, 0};
    trib_error error = {0};
    trib_array *x = small(NULL), *none = NULL;
    EXPECT(trib_array_add(x, 2, outside[0], NULL, &error) == TRIB_INPUT);
    EXPECT_TEXT(error.message, "nonzero 1 has index 2 in mode 1, whose size is 2");
    EXPECT(trib_array_add(x, 2, places[0], not_finite, &error) == TRIB_INPUT);
    EXPECT_TEXT(error.message, "nonzero 1 has the value inf");
    EXPECT(trib_array_add(x, 2, places[0], zero, NULL) == TRIB_INPUT);
    EXPECT(trib_array_nnz(x) == 3 && trib_array_has_counts(x) && at(x, 0, 0, 1) == 0);
    EXPECT(trib_array_open(&none, 9, dim, 0, NULL, NULL, NULL) == TRIB_INPUT && !none);
    EXPECT(trib_array_open(&none, 3, dim, 2, outside[0], NULL, NULL) == TRIB_INPUT && !none);
    trib_array_close(x);
    trib_array_close(NULL);
}

TEST(files_of_every_kind_are_read_back) {
    static const char *const name[] = {"x.tns", "x.fragment", NULL};
    static const double value[N] = {2, 1.5, 5, 3};
    trib_error error = {0};
    for (int real = 0; real < 2; real++) {
        trib_array *x = small(real ? value : NULL), *y = NULL;
        for (int i = 0; name[i]; i++) {
            const char *path = trib_scratch(name[i]);
            if (real && i == 1) {
                EXPECT(trib_array_save(x, path, NULL) == TRIB_INPUT);
                continue;
            }
            EXPECT_STATUS(trib_array_save(x, path, &error), TRIB_OK, error);
            EXPECT_STATUS(trib_array_load(&y, path, &error), TRIB_OK, error);
            CHECK(y != NULL);
            EXPECT(trib_array_nnz(y) == 3 && at(y, 2, 1, 3) == at(x, 2, 1, 3));
            trib_array_close(y);
        }
        EXPECT(trib_array_save(x, trib_scratch("x.mtx"), NULL) == TRIB_INPUT); /* 3 modes */
        trib_array_close(x);
    }
    trib_array *none = NULL;
    EXPECT(trib_array_load(&none, trib_scratch("no such file"), NULL) == TRIB_INPUT && !none);
}

TEST(a_product_has_the_bits_of_trib_mttkrp) {
    static const double value[N] = {2, .1, 5, .3};
    double factor[3][4 * RANK], mine[4 * RANK], own[4 * RANK];
    const double *const factors[3] = {factor[0], factor[1], factor[2]};
    trib_error error = {0};
    trib_array *x = small(value);
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 4 * RANK; i++) factor[m][i] = 1. / (1 + i + 3 * m);
    EXPECT(trib_array_mttkrp(x, 0, RANK, factors, mine, NULL) == TRIB_USAGE);
    EXPECT(trib_array_build(x, "no such format", 1, NULL) == TRIB_USAGE);
    for (const trib_format *const *f = trib_formats; *f; f++) {
        trib_hacoo table;
        trib_tensor built;
        const uint32_t index[3][3] = {{0, 0, 0}, {2, 1, 3}, {1, 0, 2}};
        const double sums[3] = {2, .1 + .3, 5};
        EXPECT(trib_hacoo_build(&table, 3, dim, NULL, 3, index[0], NULL, NULL) == TRIB_OK);
        EXPECT(trib_tensor_build(&built, *f, &table, sums, 1, NULL) == TRIB_OK);
        EXPECT_STATUS(trib_array_build(x, (*f)->name, 1, &error), TRIB_OK, error);
        for (uint32_t mode = 0; mode < 3; mode++) {
            trib_mttkrp(&built, mode, RANK, factors, own, 1);
            EXPECT_STATUS(trib_array_mttkrp(x, mode, RANK, factors, mine, &error), TRIB_OK, error);
            EXPECT(memcmp(mine, own, dim[mode] * RANK * sizeof *own) == 0);
        }
        trib_tensor_release(&built);
        trib_hacoo_release(&table);
    }
    EXPECT(trib_array_mttkrp(x, 3, RANK, factors, mine, NULL) == TRIB_USAGE);
    EXPECT(trib_array_add(x, 1, places[0], NULL, NULL) == TRIB_OK);
    EXPECT(trib_array_mttkrp(x, 0, RANK, factors, mine, NULL) == TRIB_USAGE); /* it has changed */
    trib_array_close(x);
}

TEST(a_decomposition_has_the_bits_of_trib_cp) {
    static const char *const settings[] = {"cp.rank=2", "cp.solver=mu", "cp.tolerance=0", NULL};
    trib_hacoo table;
    trib_tensor x;
    trib_ktensor k;
    trib_factorisation *d = NULL, *again = NULL;
    trib_error error = {0};
    trib_array *array = small(NULL);
    EXPECT(trib_hacoo_build(&table, 3, dim, NULL, N, places[0], NULL, NULL) == TRIB_OK);
    EXPECT(trib_tensor_build(&x, trib_format_find("hacoo"), &table, NULL, 1, NULL) == TRIB_OK);
    EXPECT(trib_cp(&k, &x,
                   &(trib_cp_options){.rank = 2, .solver = trib_solver_find("mu"), .seed = 1}, NULL,
                   NULL) == TRIB_OK);
    EXPECT_STATUS(trib_array_cp(array, settings, NULL, NULL, &d, &error), TRIB_OK, error);
    CHECK(d != NULL);
    EXPECT(trib_factorisation_rank(d) == k.rank && trib_factorisation_n_modes(d) == 3);
    EXPECT(memcmp(trib_factorisation_lambda(d), k.lambda, k.rank * sizeof *k.lambda) == 0);
    for (uint32_t m = 0; m < 3; m++)
        EXPECT(trib_factorisation_dim(d, m) == dim[m] &&
               memcmp(trib_factorisation_factor(d, m), k.factor[m],
                      dim[m] * k.rank * sizeof *k.lambda) == 0);
    EXPECT(trib_factorisation_fit(d) == k.fit && trib_factorisation_iterations(d) == 100);
    EXPECT_TEXT(trib_factorisation_stop(d), trib_stop_text(TRIB_STOP_ITERATIONS));
    EXPECT(trib_factorisation_word(d, 0) == NULL);
    const char *path = trib_scratch("arrays.ktns");
    EXPECT_STATUS(trib_factorisation_save(d, path, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_factorisation_load(&again, path, &error), TRIB_OK, error);
    CHECK(again != NULL);
    EXPECT(trib_factorisation_rank(again) == k.rank && trib_factorisation_fit(again) == k.fit);
    trib_factorisation_close(again);
    EXPECT(trib_factorisation_load(&again, trib_scratch("no.ktns"), NULL) == TRIB_INPUT && !again);
    trib_factorisation_close(d);
    trib_ktensor_release(&k);
    trib_tensor_release(&x);
    trib_hacoo_release(&table);
    trib_array_close(array);
}

static bool stop_at_once(void *context, double done, double total) {
    (void)done, (void)total;
    ++*(int *)context;
    return false;
}

TEST(wrong_settings_are_named_and_progress_stops) {
    static const char *const unknown[] = {"cp.rnak=2", NULL}, *const numbers[] = {
                                                                  "cp.rank=2", "tensor.n=2",
                                                                  "cp.l1=[1, 2]", NULL};
    static const char *const long_one[] = {"cp.rank=2", "cp.tolerance=0", NULL};
    trib_factorisation *d = NULL;
    trib_error error = {0};
    int n_calls = 0;
    const trib_progress progress = {stop_at_once, &n_calls};
    trib_array *x = small(NULL);
    EXPECT(trib_array_cp(x, unknown, NULL, NULL, &d, &error) == TRIB_CONFIG && !d);
    EXPECT(strstr(error.message, "did you mean 'rank'?") != NULL);
    EXPECT(trib_array_cp(x, numbers, NULL, NULL, &d, &error) == TRIB_CONFIG && !d);
    EXPECT(strstr(error.message, "the tensor 3 modes") != NULL);
    EXPECT_STATUS(trib_array_cp(x, long_one, NULL, &progress, &d, &error), TRIB_OK, error);
    CHECK(d != NULL);
    EXPECT(n_calls > 0 && trib_factorisation_iterations(d) < 100);
    EXPECT_TEXT(trib_factorisation_stop(d), trib_stop_text(TRIB_STOP_ASKED));
    trib_factorisation_close(d);
    trib_array_close(x);
}

static trib_status whole_use(void *context, trib_error *error) {
    static const char *const settings[] = {"cp.rank=2", "resources.threads=1", NULL};
    static const double value[N] = {2, 1, 5, 3}, halves[N] = {.5, .5, .5, .5};
    static const double factor[4 * RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const double *const factors[3] = {factor, factor, factor};
    static const char *const word[4] = {"a", "b", "c", "d"};
    trib_array *x = NULL;
    trib_factorisation *d = NULL, *from = NULL;
    (void)context;
    trib_status status = trib_array_open(&x, 3, dim, N, places[0], value, error);
    if (status == TRIB_OK) status = trib_array_add(x, N, places[0], halves, error);
    if (status == TRIB_OK) status = trib_array_build(x, "csf", 1, error);
    if (status == TRIB_OK) status = trib_array_set(x, N, places[0], value, error);
    if (status == TRIB_OK)
        status =
            trib_factorisation_open(&from, 3, dim, RANK, factor, factors, NAN, false, word, error);
    if (status == TRIB_OK) status = trib_array_cp(x, settings, from, NULL, &d, error);
    trib_factorisation_close(from);
    trib_factorisation_close(d);
    trib_array_close(x);
    return status;
}

TEST(every_failed_allocation_is_reported) {
    EXPECT(trib_fail_every_allocation(whole_use, NULL) > 10);
}
