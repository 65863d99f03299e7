/* fuzz.h - the interface of a fuzz target. A target receives any bytes. It must not crash, hang or
 * leak, and its checks must hold.
 *
 *     FUZZ_TARGET(tns) { ...bytes[size]... }
 *
 * Each target also has a row in targets.def. The same function runs under libFuzzer (`make fuzz
 * ONLY=tns SECONDS=60`, which defines TRIB_FUZZ) and in the test suite fuzz/replay. Memory is
 * limited, so that a text that announces a large tensor is rejected. */
#ifndef TRIBUTARY_FUZZ_H
#define TRIBUTARY_FUZZ_H

#include "base/base.h"

/* Reports that a check failed: the fuzzer stops, or the test fails. */
#ifdef TRIB_FUZZ
#define FUZZ_ENTRY(name) LLVMFuzzerTestOneInput
static inline void trib_fuzz_wrong(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}
#else
#define FUZZ_ENTRY(name) trib_fuzz_##name
void trib_fuzz_wrong(const char *what, const char *file, int line);
#endif
#define FUZZ_CHECK(condition)                                                                      \
    ((condition) ? (void)0 : trib_fuzz_wrong(#condition, __FILE__, __LINE__))

#define FUZZ_TARGET(name)                                                                          \
    static void try_bytes(const uint8_t *bytes, size_t size);                                      \
    int FUZZ_ENTRY(name)(const uint8_t *bytes, size_t size);                                       \
    int FUZZ_ENTRY(name)(const uint8_t *bytes, size_t size) {                                      \
        trib_memory_limit(UINT64_C(1) << 28);                                                      \
        try_bytes(bytes, size);                                                                    \
        trib_memory_limit(0);                                                                      \
        return 0;                                                                                  \
    }                                                                                              \
    static void try_bytes(const uint8_t *bytes, size_t size)

#endif
