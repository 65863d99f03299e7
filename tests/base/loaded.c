/* loaded.c - tests of base/loaded.c. */
#include "base/system.h"
#include "decomp/blas.h"
#include "tests/test.h"

typedef struct functions {
    double (*one)(double), (*other)(double);
} functions;

static void what_is_missing_is_named_and_changes_nothing(void) {
    static const char *const names[] = {"trib_no_function", "trib_no_other"};
    functions table = {cos, sin};
    trib_error error = {0};
    EXPECT_STATUS(trib_loaded_fill(&table, "libtrib-none.so.0", names, 2, &error), TRIB_USAGE,
                  error);
    EXPECT(strstr(error.message, "the library libtrib-none.so.0 cannot be loaded") != NULL);
    /* no name: the program itself */
    EXPECT_STATUS(trib_loaded_fill(&table, NULL, names, 2, &error), TRIB_USAGE, error);
    EXPECT(strstr(error.message, "has no function trib_no_function") != NULL);
    EXPECT(table.one == cos && table.other == sin);
}

static void openblas_multiplies_matrices(void) {
    static const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
    double c[4] = {0};
    trib_error error = {0};
    for (int i = 0; i < 2; i++) EXPECT_OK(trib_blas_load(&error));
    trib_blas.cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c,
                          2);
    EXPECT(c[0] == 19 && c[1] == 22 && c[2] == 43 && c[3] == 50);
}

CU_TestInfo trib_tests_base_loaded[] = {
    {"what is missing is named and changes nothing", what_is_missing_is_named_and_changes_nothing},
    {"OpenBLAS multiplies matrices", openblas_multiplies_matrices},
    CU_TEST_INFO_NULL};
