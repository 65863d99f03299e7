/* tables.c - counting without us: open addressing with everything that makes it fast, radix sort,
 * khash, a table of allocated nodes. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS, madvise */
#include "tests/bench/tables.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Open addressing: 16-byte cells, linear probing, load 0.7, huge pages, prefetches -------- */

typedef struct cell {
    uint64_t key_1; /* key + 1, 0: empty */
    uint64_t count;
} cell;

typedef struct open_table {
    cell *cells;
    size_t cap, n;
    uint32_t shift; /* 64 - log2 cap */
} open_table;

static size_t home(const open_table *t, uint64_t key) {
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> t->shift);
}

enum { HUGE_PAGE = 1 << 21 };

static cell *new_cells(size_t cap) {
    const size_t bytes = cap * sizeof(cell);
    if (bytes < HUGE_PAGE) return bench_new(cap, sizeof(cell));
    cell *cells = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (cells == MAP_FAILED) bench_check(TRIB_MEMORY, &(trib_error){.message = "no memory"});
#ifdef MADV_HUGEPAGE
    madvise(cells, bytes, MADV_HUGEPAGE);
#endif
    return cells;
}

static void free_cells(cell *cells, size_t cap) {
    if (cap * sizeof(cell) < HUGE_PAGE) free(cells);
    else munmap(cells, cap * sizeof(cell));
}

static void double_table(open_table *t) {
    const open_table old = *t;
    t->cap *= 2;
    t->shift--;
    t->cells = new_cells(t->cap);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.cells[i].key_1) continue;
        size_t at = home(t, old.cells[i].key_1 - 1);
        while (t->cells[at].key_1) at = (at + 1) & (t->cap - 1);
        t->cells[at] = old.cells[i];
    }
    free_cells(old.cells, old.cap);
}

static void add_to_open(open_table *t, uint64_t key) {
    size_t at = home(t, key);
    while (t->cells[at].key_1 && t->cells[at].key_1 != key + 1) at = (at + 1) & (t->cap - 1);
    if (t->cells[at].key_1) {
        t->cells[at].count++;
        return;
    }
    t->cells[at] = (cell){key + 1, 1};
    if (++t->n * 10 > t->cap * 7) double_table(t);
}

static size_t count_open_from(const bench_windows *windows, uint32_t bits) {
    enum { RING = 16 };
    const size_t cap = (size_t)1 << bits;
    open_table t = {.cells = new_cells(cap), .cap = cap, .shift = 64 - bits};
    uint64_t ring[RING];
    size_t n_pushed = 0;
    for (size_t p = 0; p < windows->passes; p++)
        for (size_t i = 0; i < windows->n; i++, n_pushed++) {
            const uint64_t key = bench_key(windows, i);
            if (n_pushed >= RING) add_to_open(&t, ring[n_pushed % RING]);
            ring[n_pushed % RING] = key;
            __builtin_prefetch(&t.cells[home(&t, key)], 1);
        }
    for (size_t i = n_pushed > RING ? n_pushed - RING : 0; i < n_pushed; i++)
        add_to_open(&t, ring[i % RING]);
    free_cells(t.cells, t.cap);
    return t.n;
}

static size_t count_open(const bench_windows *windows) { return count_open_from(windows, 7); }

/* As large from the start as if every n-gram of the text were another. */
static size_t count_open_known(const bench_windows *windows) {
    uint32_t bits = 7;
    while (((size_t)1 << bits) * 7 < windows->n * 10) bits++;
    return count_open_from(windows, bits);
}

/* ---- Radix sort and run lengths -------------------------------------------------------------- */

enum { DIGIT = 11, N_DIGITS = 1 << DIGIT };

/* One pass over the digit at `shift`. */
static void deal(const uint64_t *from, uint64_t *to, size_t n, uint32_t shift) {
    size_t place[N_DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++) place[from[i] >> shift & (N_DIGITS - 1)]++;
    for (size_t d = 0; d < N_DIGITS; d++) {
        const size_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) to[place[from[i] >> shift & (N_DIGITS - 1)]++] = from[i];
}

static size_t count_sorted(const bench_windows *windows) {
    const size_t n = windows->n * windows->passes;
    uint64_t *key = bench_new(n, sizeof *key), *other = bench_new(n, sizeof *other);
    for (size_t p = 0; p < windows->passes; p++)
        for (size_t i = 0; i < windows->n; i++) key[p * windows->n + i] = bench_key(windows, i);
    for (uint32_t shift = 0; shift < 3 * windows->bits; shift += DIGIT) {
        deal(key, other, n, shift);
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
    size_t n_runs = 0;
    for (size_t i = 0; i < n;) { /* the run lengths take the place of the other array */
        size_t j = i + 1;
        while (j < n && key[j] == key[i]) j++;
        key[n_runs] = key[i];
        other[n_runs++] = j - i;
        i = j;
    }
    free(key);
    free(other);
    return n_runs;
}

/* ---- khash (Debian: libhts-dev), as it comes and with a multiplicative hash ------------------ */

#if defined(__has_include)
#if __has_include(<htslib/khash.h>)
#define BENCH_KHASH
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <htslib/khash.h>
#define times_golden(key) ((khint32_t)((key)*UINT64_C(0x9E3779B97F4A7C15) >> 32))
KHASH_MAP_INIT_INT64(plain, uint32_t)
KHASH_INIT(golden, khint64_t, uint32_t, 1, times_golden, kh_int64_hash_equal)
#pragma GCC diagnostic pop

#define COUNT_KHASH(kind)                                                                          \
    static size_t count_khash_##kind(const bench_windows *windows) {                               \
        khash_t(kind) *table = kh_init(kind);                                                      \
        int is_new = 0;                                                                            \
        for (size_t p = 0; p < windows->passes; p++)                                               \
            for (size_t i = 0; i < windows->n; i++) {                                              \
                const khint_t at = kh_put(kind, table, bench_key(windows, i), &is_new);            \
                if (is_new) kh_val(table, at) = 1;                                                 \
                else kh_val(table, at)++;                                                          \
            }                                                                                      \
        const size_t n = kh_size(table);                                                           \
        kh_destroy(kind, table);                                                                   \
        return n;                                                                                  \
    }

COUNT_KHASH(plain)
COUNT_KHASH(golden)
#endif
#endif

const bench_table bench_tables[] = {
#ifdef BENCH_CXX
    {"unordered-map", bench_count_unordered_map},
#endif
#ifdef BENCH_ABSL
    {"absl-flat-hash-map", bench_count_flat_hash_map},
#endif
#ifdef BENCH_KHASH
    {"khash", count_khash_plain},
    {"khash-golden", count_khash_golden},
#endif
    {"radix-sort", count_sorted},
    {"open-addressing", count_open},
    {"open-addressing-known", count_open_known},
    {NULL, NULL},
};
