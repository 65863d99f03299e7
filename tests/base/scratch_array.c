/* scratch_array.c - tests of base/scratch_array.c. */
#include "tests/test.h"

#include <string.h>

static void an_array_holds_what_is_written_anywhere(void) {
    enum { N = 300000 };
    trib_scratch_array array;
    trib_error error = {0};
    EXPECT_STATUS(trib_scratch_array_open(&array, N, sizeof(uint64_t), trib_scratch(""), &error),
                  TRIB_OK, error);
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

static void an_empty_array_is_legal(void) {
    trib_scratch_array array;
    trib_error error = {0};
    EXPECT_STATUS(trib_scratch_array_open(&array, 0, 8, trib_scratch(""), &error), TRIB_OK, error);
    trib_scratch_array_close(&array);
}

static void an_array_without_room_is_an_error(void) {
    trib_scratch_array array;
    trib_error error = {0};
    EXPECT(trib_scratch_array_open(&array, 8, 8, "/nowhere/at/all", &error) == TRIB_OUTPUT);
    EXPECT(trib_scratch_array_open(&array, SIZE_MAX, 8, trib_scratch(""), &error) == TRIB_MEMORY);
    EXPECT(trib_scratch_array_open(&array, SIZE_MAX / 32, 8, trib_scratch(""), &error) ==
           TRIB_OUTPUT);
    EXPECT(strstr(error.message, "no room for") != NULL);
    EXPECT(array.bytes == NULL);
}

static trib_status attempt(void *context, trib_error *error) {
    trib_scratch_array array;
    const trib_status status = trib_scratch_array_open(&array, 100, 8, context, error);
    trib_scratch_array_close(&array);
    return status;
}

static void every_allocation_may_fail(void) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", trib_scratch(""));
    EXPECT(trib_fail_every_allocation(attempt, folder) > 0);
}

CU_TestInfo trib_tests_base_scratch_array[] = {
    {"an array holds what is written anywhere", an_array_holds_what_is_written_anywhere},
    {"an empty array is legal", an_empty_array_is_legal},
    {"an array without room is an error", an_array_without_room_is_an_error},
    {"every allocation may fail", every_allocation_may_fail},
    CU_TEST_INFO_NULL};
