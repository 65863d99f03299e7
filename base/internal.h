/* internal.h - parts of base for the other folders of this program: kernels for several processors,
 * counted malloc, hashes of tables and files, hooks of tests. Not installed. */
#ifndef TRIBUTARY_BASE_INTERNAL_H
#define TRIBUTARY_BASE_INTERNAL_H

#include "base/base.h"

/* Before the definition of a hot kernel: compiled for AVX-512, AVX2 and the portable baseline,
 * chosen when the program starts. Not under sanitizers, whose start-up comes after that choice.
 * The same source for all: no kernel is copied. Static, with a name that no other kernel of the
 * program has: clang leaves out the chooser of a kernel that its own file does not call, and makes
 * the chooser of every other one global. */
#if defined(__x86_64__) && defined(__GNUC__) && defined(__linux__) && !defined(TRIB_PORTABLE)
#define TRIB_KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TRIB_KERNEL
#endif

/* ---- Memory (memory.c) ----------------------------------------------------------------------- */

/* malloc, calloc, realloc and free that count and can be made to fail, for libraries that take
 * such functions. */
void *trib_raw_malloc(size_t size);
void *trib_raw_realloc(void *pointer, size_t size);
void trib_raw_free(void *pointer);

/* For tests: the n-th allocation from now (1 is the next) and every later one fails; 0 switches
 * failing off. */
void trib_memory_fail_from(uint64_t n);
/* Allocations attempted since the last call of trib_memory_fail_from. */
uint64_t trib_memory_attempts(void);

/* ---- Hashes (hash.c) ------------------------------------------------------------------------- */

/* A 64-bit mix of `length` bytes (for tables in memory; never stored, never in a result). */
uint64_t trib_hash_bytes(const void *bytes, size_t length);

/* XXH64 with seed 0 (Collet 2014): a checksum that is stored. It finds what was altered by
 * accident, not by intent. */
uint64_t trib_checksum(const void *bytes, size_t length);
/* The same of bytes that come in parts: `{0}`, add, ..., end. */
typedef struct trib_checksum_parts {
    uint64_t state[12]; /* of libxxhash */
    bool is_begun;      /* some bytes were added */
} trib_checksum_parts;
void trib_checksum_add(trib_checksum_parts *parts, const void *bytes, size_t length);
uint64_t trib_checksum_end(const trib_checksum_parts *parts);

/* ---- Files (writer.c) ------------------------------------------------------------------------ */

/* Makes a new name (of a file, a directory; or that one is gone) outlast a loss of power, as far
 * as the file system does. */
void trib_sync_name(const char *path);

/* ---- Stopping (stop.c) ----------------------------------------------------------------------- */

/* For tests: the n-th look from now (1 is the next) asks; with UINT64_MAX looks are only counted.
 * trib_stop_forget ends it. */
void trib_stop_at(uint64_t n);
uint64_t trib_stop_n_checks(void);

#endif
