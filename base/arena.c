/* arena.c - memory that is released together, in blocks that double in size. */
#include "base/arena.h"

#include <stdalign.h>

enum { FIRST_BLOCK = 1 << 10, LARGEST_BLOCK = 1 << 18, LIST = 4 };

typedef struct trib_arena_block {
    struct trib_arena_block *older;
    size_t used, size; /* bytes of `memory` */
    alignas(max_align_t) char memory[];
} block;

/* Adds a block with space for `need` bytes. */
static block *add_block(trib_arena *arena, size_t need) {
    block *const older = arena->block, *fresh = NULL;
    size_t size = !older                            ? FIRST_BLOCK
                  : older->size < LARGEST_BLOCK / 2 ? 2 * older->size
                                                    : LARGEST_BLOCK;
    if (size < need) size = need;
    if (size > SIZE_MAX - sizeof *fresh)
        trib_arena_fail(arena, TRIB_MEMORY, "out of memory: %zu bytes", size);
    else
        (void)trib_new(&fresh, 1, sizeof *fresh + size, "the records of a result", &arena->failure);
    if (!fresh) return NULL;
    fresh->size = size;
    fresh->older = older;
    return arena->block = fresh;
}

void *trib_arena_new(trib_arena *arena, size_t count, size_t size) {
    size_t bytes = 0;
    block *from = arena->block;
    if (arena->failure.status != TRIB_OK) return NULL;
    if (!trib_multiply(count, size, &bytes) || !trib_add(bytes, alignof(max_align_t), &bytes)) {
        trib_arena_fail(arena, TRIB_MEMORY, "out of memory: %zu x %zu bytes", count, size);
        return NULL;
    }
    /* at least one byte, so that nothing else has the same address */
    bytes = (count * size + (count * size == 0) + alignof(max_align_t) - 1) / alignof(max_align_t) *
            alignof(max_align_t);
    if ((!from || from->size - from->used < bytes) && !(from = add_block(arena, bytes)))
        return NULL;
    void *const memory = from->memory + from->used;
    from->used += bytes;
    return memory;
}

const char *trib_arena_copy(trib_arena *arena, const char *text, size_t length) {
    char *const copy = trib_arena_new(arena, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy ? copy : "";
}

const char *trib_arena_print(trib_arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *const text = length < 0 ? NULL : trib_arena_new(arena, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    if (length < 0) trib_arena_fail(arena, TRIB_INTERNAL, "text cannot be formatted");
    va_end(again);
    va_end(arguments);
    return text ? text : "";
}

void *trib_arena_append(trib_arena *arena, void *list, size_t size) {
    struct {
        void *item;
        size_t n;
    } now;
    memcpy(&now, list, sizeof now);
    const bool is_full = now.n == 0 || (now.n >= LIST && (now.n & (now.n - 1)) == 0);
    if (is_full) { /* there is space for the next power of two */
        void *const more = trib_arena_new(arena, now.n == 0 ? LIST : 2 * now.n, size);
        if (!more) return NULL;
        if (now.n > 0) memcpy(more, now.item, now.n * size);
        now.item = more;
    }
    if (arena->failure.status != TRIB_OK) return NULL;
    now.n++;
    memcpy(list, &now, sizeof now);
    return (char *)now.item + (now.n - 1) * size;
}

void trib_arena_list(trib_arena *arena, void *list) {
    const struct {
        void *item;
        size_t n;
    } empty = {trib_arena_new(arena, 0, 1), 0};
    memcpy(list, &empty, sizeof empty);
}

void trib_arena_fail(trib_arena *arena, trib_status status, const char *format, ...) {
    char text[sizeof arena->failure.message];
    va_list arguments;
    if (arena->failure.status != TRIB_OK) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)trib_fail(&arena->failure, status, "%s", text);
}

trib_status trib_arena_check(const trib_arena *arena, trib_error *error) {
    if (arena->failure.status != TRIB_OK && error) *error = arena->failure;
    return arena->failure.status;
}

void trib_arena_release(trib_arena *arena) {
    for (block *b = arena->block; b;) {
        block *const older = b->older;
        trib_free(b);
        b = older;
    }
    *arena = (trib_arena){0};
}
