/* arena.h - memory for many small things that are released together: the records of a result, the
 * texts of a page. Nothing is freed by itself. The first failure is kept in the arena, so that code
 * may allocate many times and look once. Private to the program. */
#ifndef TRIBUTARY_BASE_ARENA_H
#define TRIBUTARY_BASE_ARENA_H

#include "base/base.h"

/* `{0}` is empty. One thread at a time uses it. */
typedef struct trib_arena {
    struct trib_arena_block *block; /* the newest, from which memory is taken */
    trib_error failure;             /* the first failure; its status is TRIB_OK before */
} trib_arena;

/* Zeroed memory for `count` things of `size` bytes, also for 0 of them. NULL after a failure. */
void *trib_arena_new(trib_arena *arena, size_t count, size_t size);
/* A zero-terminated copy of a text of `length` bytes; a text that is printed. "" after a
 * failure. */
const char *trib_arena_copy(trib_arena *arena, const char *text, size_t length);
const char *trib_arena_print(trib_arena *arena, const char *format, ...) TRIB_PRINTF(2, 3);
/* A copy of a whole text; NULL stays NULL. */
static inline const char *trib_arena_text(trib_arena *arena, const char *text) {
    return text ? trib_arena_copy(arena, text, strlen(text)) : NULL;
}
/* A list is a pointer to its items, followed by their number (size_t); `{0}` is empty. Appends a
 * zeroed item of `size` bytes, and returns it. Items that were returned before may have moved. NULL
 * after a failure. */
void *trib_arena_append(trib_arena *arena, void *list, size_t size);
/* Appends an item of a type with a value: TRIB_ADD(arena, &list, trib_rank, {source, score}); */
#define TRIB_ADD(arena, list, type, ...)                                                           \
    do {                                                                                           \
        type *const added_item = trib_arena_append(arena, list, sizeof *added_item);               \
        if (added_item) *added_item = (type)__VA_ARGS__;                                           \
    } while (0)
/* Makes a list without items whose pointer is not NULL: a list that is there, and empty. */
void trib_arena_list(trib_arena *arena, void *list);
/* Keeps a failure, unless there is one. */
void trib_arena_fail(trib_arena *arena, trib_status status, const char *format, ...)
    TRIB_PRINTF(3, 4);
/* The first failure. */
trib_status trib_arena_check(const trib_arena *arena, trib_error *error);
/* Releases all memory, and forgets the failure. */
void trib_arena_release(trib_arena *arena);

#endif
