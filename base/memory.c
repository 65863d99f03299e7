/* memory.c - the only file that calls malloc. It counts every allocation, so that a test can make
 * each one fail in turn. */
#define _DEFAULT_SOURCE 1 /* madvise */
#include "base/base.h"
#include "base/internal.h"
#include "base/system.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t n_attempts;
static _Atomic uint64_t fail_from; /* number of the allocation that fails; 0: none */
static _Atomic uint64_t n_live;    /* bytes allocated and not yet freed */
static _Atomic uint64_t limit;     /* of n_live; 0: no limit */

void trib_memory_fail_from(uint64_t n) {
    atomic_store(&n_attempts, 0);
    atomic_store(&fail_from, n);
}

uint64_t trib_memory_attempts(void) { return atomic_load(&n_attempts); }

uint64_t trib_memory_limit(uint64_t bytes) { return atomic_exchange(&limit, bytes); }

uint64_t trib_memory_in_use(void) { return atomic_load(&n_live); }

void trib_memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Whether `size` more bytes may be allocated. */
static bool may_allocate(size_t size) {
    const uint64_t n = atomic_fetch_add(&n_attempts, 1) + 1;
    const uint64_t from = atomic_load(&fail_from), most = atomic_load(&limit);
    return (from == 0 || n < from) && (most == 0 || atomic_load(&n_live) + size <= most);
}

enum { HUGE_PAGE = 2 << 20, MANY_BYTES = 4 << 20 };

/* Tables larger than the cache are accessed at random, and with small pages each access costs a
 * walk through the page table. The system decides whether it grants huge pages. */
static void ask_for_huge_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), past = (uintptr_t)memory % page;
    const size_t skip = past ? page - past : 0;
    if (size >= page)
        (void)madvise((char *)memory + skip, (size - skip) / page * page, MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

/* Adds the size that malloc really provided to n_live, and returns `memory`. */
static void *counted(void *memory) {
    const size_t size = memory ? trib_block_size(memory) : 0;
    atomic_fetch_add(&n_live, size);
    if (size >= MANY_BYTES) ask_for_huge_pages(memory, size);
    return memory;
}

void *trib_raw_malloc(size_t size) {
    return may_allocate(size) ? counted(malloc(size ? size : 1)) : NULL;
}

static void *raw_realloc(void *pointer, size_t size) {
    const size_t before = pointer ? trib_block_size(pointer) : 0;
    void *memory =
        may_allocate(size > before ? size - before : 0) ? realloc(pointer, size ? size : 1) : NULL;
    if (memory) atomic_fetch_sub(&n_live, before);
    return counted(memory);
}

void trib_raw_free(void *pointer) {
    if (pointer) atomic_fetch_sub(&n_live, trib_block_size(pointer));
    free(pointer);
}

static trib_status no_memory(size_t count, size_t size, const char *what, trib_error *error) {
    const uint64_t most = atomic_load(&limit);
    if (most == 0)
        return trib_fail(error, TRIB_MEMORY, "out of memory: %zu x %zu bytes for %s", count, size,
                         what);
    return trib_fail(
        error, TRIB_MEMORY,
        "out of memory: %zu x %zu bytes for %s exceed the limit of %llu bytes in total "
        "(from resources.memory, ulimit -v or the container)",
        count, size, what, (unsigned long long)most);
}

trib_status trib_new(void *pointer, size_t count, size_t size, const char *what,
                     trib_error *error) {
    void *fresh = NULL;
    size_t bytes = 0;
    trib_status status = TRIB_OK;
    if (!trib_multiply(count, size, &bytes)) status = no_memory(count, size, what, error);
    else if (bytes > 0 && !(fresh = may_allocate(bytes) ? counted(calloc(count, size)) : NULL))
        status = no_memory(count, size, what, error);
    memcpy(pointer, &fresh, sizeof fresh);
    return status;
}

trib_status trib_new_aligned(void *pointer, size_t count, size_t size, const char *what,
                             trib_error *error) {
    enum { LINE = 64 };
    void *fresh = NULL;
    size_t bytes = 0, align = LINE;
    trib_status status = TRIB_OK;
    if (trib_multiply(count, size, &bytes) && bytes >= HUGE_PAGE / 2) align = HUGE_PAGE;
    if (!trib_multiply(count, size, &bytes) || !trib_add(bytes, align - 1, &bytes)) {
        status = no_memory(count, size, what, error);
    } else if (count > 0 && size > 0) {
        bytes -= bytes % align;
        fresh = may_allocate(bytes) ? counted(aligned_alloc(align, bytes)) : NULL;
        if (fresh && align == HUGE_PAGE) ask_for_huge_pages(fresh, bytes);
        if (fresh) memset(fresh, 0, bytes);
        else status = no_memory(count, size, what, error);
    }
    memcpy(pointer, &fresh, sizeof fresh);
    return status;
}

trib_status trib_grow(void *pointer, size_t *cap, size_t need, size_t size, const char *what,
                      trib_error *error) {
    if (need <= *cap) return TRIB_OK;
    size_t wanted = need, bytes = 0;
    if (*cap < SIZE_MAX / 2 && *cap + *cap / 2 > wanted) wanted = *cap + *cap / 2;
    if (wanted < 16) wanted = 16;
    if (!trib_multiply(wanted, size, &bytes)) return no_memory(wanted, size, what, error);
    void *old = NULL;
    memcpy(&old, pointer, sizeof old);
    void *grown = raw_realloc(old, bytes);
    if (!grown) return no_memory(wanted, size, what, error);
    memcpy(pointer, &grown, sizeof grown);
    *cap = wanted;
    return TRIB_OK;
}

trib_status trib_append(void *pointer, size_t *n, size_t *cap, const void *item, size_t size,
                        const char *what, trib_error *error) {
    char *array = NULL;
    const trib_status status = trib_grow(pointer, cap, *n + 1, size, what, error);
    if (status != TRIB_OK) return status;
    memcpy(&array, pointer, sizeof array);
    memcpy(array + (*n)++ * size, item, size);
    return TRIB_OK;
}

void trib_free(void *pointer) { trib_raw_free(pointer); }

void trib_free_all(size_t n, void *const pointer[]) {
    for (size_t i = 0; i < n; i++) trib_free(pointer[i]);
}

void *trib_pool_keep(trib_pool *pool, void *array) {
    if (!array) return NULL;
    pool->status = TRIB_GROW(&pool->array, &pool->cap, pool->n + 1, "arrays", pool->error);
    if (pool->status == TRIB_OK) return pool->array[pool->n++] = array;
    trib_free(array);
    return NULL;
}

void *trib_pool_new(trib_pool *pool, size_t count, size_t size, const char *what) {
    void *array = NULL;
    if (pool->status == TRIB_OK) pool->status = trib_new(&array, count, size, what, pool->error);
    return trib_pool_keep(pool, array);
}

void *trib_pool_new_aligned(trib_pool *pool, size_t count, size_t size, const char *what) {
    void *array = NULL;
    if (pool->status == TRIB_OK)
        pool->status = trib_new_aligned(&array, count, size, what, pool->error);
    return trib_pool_keep(pool, array);
}

void trib_pool_release(trib_pool *pool) {
    trib_free_all(pool->n, pool->array);
    trib_free(pool->array);
    *pool = (trib_pool){0};
}

trib_status trib_copy_text(char **copy, const char *text, size_t length, trib_error *error) {
    *copy = NULL;
    char *fresh = NULL;
    trib_status status = length < SIZE_MAX ? trib_new(&fresh, length + 1, 1, "text", error)
                                           : no_memory(length, 1, "text", error);
    if (status != TRIB_OK) return status;
    if (length > 0) memcpy(fresh, text, length);
    *copy = fresh;
    return TRIB_OK;
}

trib_status trib_copy(char **copy, const char *text, trib_error *error) {
    *copy = NULL;
    return text ? trib_copy_text(copy, text, strlen(text), error) : TRIB_OK;
}
