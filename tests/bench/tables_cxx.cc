// tables_cxx.cc - the hash tables of C++ that others count with. Compiled when there is a C++
// compiler; absl's when it is installed (Debian: libabsl-dev).
#include "tests/bench/tables.h"

#include <unordered_map>
#ifdef BENCH_ABSL
#include <absl/container/flat_hash_map.h>
#endif

template <class Map> static size_t count(const bench_windows *windows) {
    Map map;
    for (size_t p = 0; p < windows->passes; p++)
        for (size_t i = 0; i < windows->n; i++) ++map[bench_key(windows, i)];
    return map.size();
}

size_t bench_count_unordered_map(const bench_windows *windows) {
    return count<std::unordered_map<uint64_t, uint32_t>>(windows);
}

#ifdef BENCH_ABSL
size_t bench_count_flat_hash_map(const bench_windows *windows) {
    return count<absl::flat_hash_map<uint64_t, uint32_t>>(windows);
}
#endif
