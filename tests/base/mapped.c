/* mapped.c - tests of base/mapped.c: arrays are read back unchanged, wherever they lie in a
 * file. */
#include "tests/test.h"

#include <unistd.h>

TESTS(base, mapped);

static trib_error error;

TEST(a_mapped_file_has_its_bytes_after_it_was_removed) {
    static const char text[] = "so stands it";
    trib_mapped_file file;
    const char *path = trib_write_scratch("mapped-file", text);
    EXPECT_OK(trib_mapped_file_open(&file, path, &error));
    CHECK(file.length == strlen(text));
    CHECK(unlink(path) == 0);
    EXPECT(memcmp(file.bytes, text, file.length) == 0);
    trib_mapped_file_close(&file);
    EXPECT(file.bytes == NULL && file.length == 0);
    trib_mapped_file_close(&file); /* twice is legal */
}

TEST(what_cannot_be_mapped_is_an_error) {
    OPENED(trib_mapped_file) file = {0};
    EXPECT(trib_mapped_file_open(&file, trib_scratch("mapped-nothing"), &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "cannot be read") != NULL);
    EXPECT(trib_mapped_file_open(&file, trib_write_scratch("mapped-empty", ""), &error) ==
           TRIB_INPUT);
    EXPECT(strstr(error.message, "is empty") != NULL);
    EXPECT(trib_mapped_file_open(&file, trib_scratch(""), &error) == TRIB_INPUT);
    EXPECT(file.bytes == NULL);
}

/* ---- Writable memory ------------------------------------------------------------------------- */

TEST(an_array_holds_what_is_written_anywhere) {
    enum { N = 300000 };
    trib_scratch_array array;
    EXPECT_OK(trib_scratch_array_open(&array, N, sizeof(uint64_t), trib_scratch(""), &error));
    uint64_t *const number = array.bytes;
    CHECK(array.size == N * sizeof *number);
    EXPECT(number[0] == 0 && number[N - 1] == 0);
    for (uint64_t i = 0; i < N; i++) number[i * 7919 % N] = i;
    trib_scratch_array_rest(&array);
    for (uint64_t i = 0; i < N; i++) CHECK(number[i * 7919 % N] == i);
    trib_scratch_array_close(&array);
    EXPECT(array.bytes == NULL);
    trib_scratch_array_close(&array); /* twice is legal */
    trib_scratch_array_rest(&array);
}

TEST(an_empty_array_is_legal) {
    OPENED(trib_scratch_array) array = {0};
    EXPECT_OK(trib_scratch_array_open(&array, 0, 8, trib_scratch(""), &error));
}

TEST(an_array_without_room_is_an_error) {
    trib_scratch_array array;
    EXPECT(trib_scratch_array_open(&array, 8, 8, "/nowhere/at/all", &error) == TRIB_OUTPUT);
    EXPECT(trib_scratch_array_open(&array, SIZE_MAX, 8, trib_scratch(""), &error) == TRIB_MEMORY);
    EXPECT(trib_scratch_array_open(&array, SIZE_MAX / 32, 8, trib_scratch(""), &error) ==
           TRIB_OUTPUT);
    EXPECT(strstr(error.message, "no room for") != NULL);
    EXPECT(array.bytes == NULL);
}

static trib_status attempt(void *context, trib_error *failure) {
    OPENED(trib_scratch_array) array = {0};
    const trib_status status = trib_scratch_array_open(&array, 100, 8, context, failure);
    return status;
}

TEST(every_allocation_may_fail) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", trib_scratch(""));
    EXPECT(trib_fail_every_allocation(attempt, folder) > 0);
}

/* ---- Arrays in segments ---------------------------------------------------------------------- */

enum { N = 40, MOST = 9 << 20 }; /* the last is larger than a segment */

static size_t size_of(int i) { return i == N - 1 ? MOST : (size_t)i * (size_t)i * 777; }

/* A byte of array i. */
static char byte_of(int i, size_t k) { return (char)(i * 31 + (int)(k % 251)); }

static trib_status put_all(void *context, trib_error *failure) {
    char **kept = context, *array = NULL;
    OPENED(trib_spill) spill = {0};
    trib_status status = trib_new(&array, MOST, 1, "an array", failure);
    if (status == TRIB_OK) status = trib_spill_open(&spill, trib_scratch(""), false, failure);
    for (int i = 0; i < N && status == TRIB_OK; i++) {
        for (size_t k = 0; k < size_of(i); k++) array[k] = byte_of(i, k);
        status = trib_spill_put(&spill, array, size_of(i), &kept[i], failure);
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
    trib_free(array);
    return status;
}

TEST(arrays_are_read_back_unchanged) {
    char *kept[N] = {NULL};
    EXPECT(put_all(kept, NULL) == TRIB_OK);
}

TEST(every_failing_allocation_of_a_spill_is_reported) {
    char *kept[N];
    EXPECT(trib_fail_every_allocation(put_all, kept) > 3);
}

TEST(a_folder_that_is_not_there_is_named) {
    OPENED(trib_spill) spill = {0};
    EXPECT_STATUS(trib_spill_open(&spill, "tests/nowhere/at/all", false, &error), TRIB_OUTPUT,
                  error);
    EXPECT(strstr(error.message, "tests/nowhere/at/all") != NULL);
}

/* What one spill wrote is read through another, as by another process. */
TEST(an_attached_file_has_the_same_arrays) {
    static const uint32_t one[] = {1, 2, 3}, two[] = {4, 5};
    uint32_t *kept[2];
    trib_spill own, other;
    EXPECT_OK(trib_spill_open(&own, trib_scratch(""), true, &error));
    CHECK(trib_spill_put(&own, one, sizeof one, &kept[0], NULL) == TRIB_OK);
    CHECK(trib_spill_put(&own, two, sizeof two, &kept[1], NULL) == TRIB_OK);
    EXPECT_OK(trib_writer_sync(&own.writer, &error));
    char path[4096];
    CHECK(strlen(own.writer.temporary) < sizeof path);
    strcpy(path, own.writer.temporary);
    EXPECT(trib_writer_is_temporary(path));
    EXPECT_OK(trib_spill_attach(&other, path, own.writer.n_written, &error));
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
    EXPECT_OK(trib_spill_attach(&other, "tests/nowhere", 0, &error));
    EXPECT(!trib_spill_array(&other, 0, 0, 4)); /* a process without arrays */
    trib_spill_close(&other);
    trib_spill_close(&own);
    EXPECT_STATUS(trib_spill_attach(&other, path, 1, &error), TRIB_INPUT, error); /* removed */
    EXPECT(strstr(error.message, path) != NULL);
}
