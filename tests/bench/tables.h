/* tables.h - what counting is compared with: hash tables that are not ours. In C and C++. */
#ifndef TRIBUTARY_TABLES_H
#define TRIBUTARY_TABLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 3-grams of a text, `passes` times over: n of them each time. Everyone makes the keys anew. */
typedef struct bench_windows {
    const uint32_t *id; /* [n+2] */
    size_t n, passes;
    uint32_t bits; /* of a word id */
} bench_windows;

static inline uint64_t bench_key(const bench_windows *windows, size_t i) {
    const uint32_t *id = windows->id + i;
    return ((uint64_t)id[0] << windows->bits | id[1]) << windows->bits | id[2];
}

/* Counts every key and returns the number of distinct ones. */
typedef struct bench_table {
    const char *name;
    size_t (*count)(const bench_windows *windows);
} bench_table;

extern const bench_table bench_tables[]; /* those that are installed (tables.c); ends with NULL */

size_t bench_count_unordered_map(
    const bench_windows *windows); /* std::unordered_map (tables_cxx.cc) */
size_t bench_count_flat_hash_map(
    const bench_windows *windows); /* absl::flat_hash_map (tables_cxx.cc) */

#ifdef __cplusplus
}
#endif
#endif
