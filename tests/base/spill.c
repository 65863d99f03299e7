/* spill.c - tests that arrays are read back unchanged, wherever they lie in the file. */
#include "tests/test.h"

#include <string.h>

enum { N = 40, MOST = 9 << 20 }; /* the last is larger than a segment */

static size_t size_of(int i) { return i == N - 1 ? MOST : (size_t)i * (size_t)i * 777; }

/* A byte of array i. */
static char byte_of(int i, size_t k) { return (char)(i * 31 + (int)(k % 251)); }

static trib_status put_all(void *context, trib_error *error) {
    char **kept = context, *array = NULL;
    trib_spill spill = {0};
    trib_status status = trib_new(&array, MOST, 1, "an array", error);
    if (status == TRIB_OK) status = trib_spill_open(&spill, trib_scratch(""), error);
    for (int i = 0; i < N && status == TRIB_OK; i++) {
        for (size_t k = 0; k < size_of(i); k++) array[k] = byte_of(i, k);
        status = trib_spill_put(&spill, array, size_of(i), &kept[i], error);
    }
    for (int i = 0; i < N && status == TRIB_OK; i++) {
        bool same = true;
        for (size_t k = 0; k < size_of(i); k++) same = same && kept[i][k] == byte_of(i, k);
        trib_spill_rest_array(&spill, kept[i], size_of(i));
        for (size_t k = 0; k < size_of(i); k++) same = same && kept[i][k] == byte_of(i, k);
        EXPECT(same && (uintptr_t)kept[i] % 64 == 0);
    }
    trib_spill_rest_array(&spill, array, MOST); /* it is no array of the spill */
    EXPECT(status != TRIB_OK || array[MOST - 1] == byte_of(N - 1, MOST - 1));
    trib_spill_close(&spill);
    trib_free(array);
    return status;
}

static void arrays_are_read_back_unchanged(void) {
    char *kept[N] = {NULL};
    EXPECT(put_all(kept, NULL) == TRIB_OK);
}

static void every_failing_allocation_is_reported(void) {
    char *kept[N];
    EXPECT(trib_fail_every_allocation(put_all, kept) > 3);
}

static void a_folder_that_is_not_there_is_named(void) {
    trib_spill spill;
    trib_error error = {0};
    EXPECT_STATUS(trib_spill_open(&spill, "tests/nowhere/at/all", &error), TRIB_OUTPUT, error);
    EXPECT(strstr(error.message, "tests/nowhere/at/all") != NULL);
    trib_spill_close(&spill);
}

/* What one spill wrote is read through another, as by another process. */
static void an_attached_file_has_the_same_arrays(void) {
    static const uint32_t one[] = {1, 2, 3}, two[] = {4, 5};
    uint32_t *kept[2];
    trib_spill own, other;
    trib_error error = {0};
    EXPECT_STATUS(trib_spill_open_named(&own, trib_scratch(""), &error), TRIB_OK, error);
    CHECK(trib_spill_put(&own, one, sizeof one, &kept[0], NULL) == TRIB_OK);
    CHECK(trib_spill_put(&own, two, sizeof two, &kept[1], NULL) == TRIB_OK);
    EXPECT_STATUS(trib_writer_sync(&own.writer, &error), TRIB_OK, error);
    char path[4096];
    CHECK(strlen(own.writer.temporary) < sizeof path);
    strcpy(path, own.writer.temporary);
    EXPECT(trib_writer_is_temporary(path));
    EXPECT_STATUS(trib_spill_attach(&other, path, own.writer.n_written, &error), TRIB_OK, error);
    const uint64_t place = trib_spill_place(&own, kept[1]);
    const uint32_t *const read = trib_spill_array(&other, place, 2, sizeof *read);
    CHECK(read != NULL);
    EXPECT(read != kept[1] && read[0] == 4 && read[1] == 5);
    EXPECT(!trib_spill_array(&other, place + 1, 1, 4));                 /* not aligned */
    EXPECT(!trib_spill_array(&other, place, UINT64_MAX / 2, 4));        /* beyond the end */
    EXPECT(!trib_spill_array(&other, own.writer.n_written + 64, 0, 4)); /* the same */
    trib_spill_rest(&other);
    EXPECT(read[1] == 5);
    trib_spill_close(&other);
    EXPECT_STATUS(trib_spill_attach(&other, path, own.writer.n_written + 1, &error), TRIB_INPUT,
                  error);
    EXPECT_STATUS(trib_spill_attach(&other, "tests/nowhere", 0, &error), TRIB_OK, error);
    EXPECT(!trib_spill_array(&other, 0, 0, 4)); /* a process without arrays */
    trib_spill_close(&other);
    trib_spill_close(&own);
    EXPECT_STATUS(trib_spill_attach(&other, path, 1, &error), TRIB_INPUT, error); /* removed */
    EXPECT(strstr(error.message, path) != NULL);
}

CU_TestInfo trib_tests_base_spill[] = {
    {"arrays are read back unchanged", arrays_are_read_back_unchanged},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    {"a folder that is not there is named", a_folder_that_is_not_there_is_named},
    {"an attached file has the same arrays", an_attached_file_has_the_same_arrays},
    CU_TEST_INFO_NULL,
};
