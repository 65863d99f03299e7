/* tables.c - counting without us: khash (Debian: libhts-dev), as it comes and with a multiplicative
 * hash, and the tables of C++. */
#include "tests/bench/tables.h"

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
    {NULL, NULL},
};
