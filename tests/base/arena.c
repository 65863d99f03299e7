/* arena.c - tests of base/arena.c. */
#include "base/arena.h"
#include "tests/test.h"

typedef struct numbers {
    uint32_t *item;
    size_t n;
} numbers;

static trib_status attempt(void *context, trib_error *error) {
    GIVEN(trib_arena) arena = {0};
    numbers list = {0};
    const char *text = "";
    (void)context;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t *const item = trib_arena_append(&arena, &list, sizeof *item);
        if (item) *item = i;
        text = trib_arena_print(&arena, "%s%u", i % 100 == 0 ? "" : text, i % 10);
    }
    const char *const copy = trib_arena_copy(&arena, "abc", 2);
    void *const large = trib_arena_new(&arena, 1 << 20, 1), *nothing = trib_arena_new(&arena, 0, 8);
    const trib_status status = trib_arena_check(&arena, error);
    if (status == TRIB_OK) {
        EXPECT(list.n == 5000 && large && nothing);
        for (uint32_t i = 0; i < 5000; i++) EXPECT(list.item[i] == i);
        EXPECT(strlen(text) == 100);
        EXPECT_TEXT(copy, "ab");
    }
    return status;
}

static void lists_and_texts_grow(void) {
    trib_error error = {0};
    EXPECT_OK(attempt(NULL, &error));
}

static void every_allocation_may_fail(void) {
    EXPECT(trib_fail_every_allocation(attempt, NULL) > 3);
}

static void the_first_failure_is_kept(void) {
    trib_arena arena = {0};
    trib_error error = {0};
    EXPECT(trib_arena_new(&arena, SIZE_MAX, 2) == NULL);
    trib_arena_fail(&arena, TRIB_INPUT, "a later one");
    EXPECT(trib_arena_new(&arena, 1, 1) == NULL);
    EXPECT_TEXT(trib_arena_print(&arena, "%d", 1), "");
    EXPECT(trib_arena_check(&arena, &error) == TRIB_MEMORY);
    EXPECT(strstr(error.message, "out of memory") != NULL);
    trib_arena_release(&arena);
    EXPECT(trib_arena_check(&arena, NULL) == TRIB_OK);
}

CU_TestInfo trib_tests_base_arena[] = {{"lists and texts grow", lists_and_texts_grow},
                                       {"every allocation may fail", every_allocation_may_fail},
                                       {"the first failure is kept", the_first_failure_is_kept},
                                       CU_TEST_INFO_NULL};
