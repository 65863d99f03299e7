/* internal.h - parts of base for the other folders of this program: kernels for several processors,
 * counted malloc, hashes of tables and files, hooks of tests. Not installed. */
#ifndef TRIBUTARY_BASE_INTERNAL_H
#define TRIBUTARY_BASE_INTERNAL_H

#include "base/base.h"

/* Begins the definition of a hot kernel: its type (void, bool, size_t or double), its name, its
 * parameters, and these as arguments, both in parentheses. The kernel is compiled for AVX-512, AVX2
 * and the portable baseline from the same source; calls go to those that trib_kernels names. (Not
 * by ifunc, which glibc alone has, and by which no program can choose.) */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TRIB_PORTABLE)
#define TRIB_KERNEL(type, name, parameters, arguments)                                             \
    TRIB_INLINE type name##_anywhere parameters;                                                   \
    TRIB_KERNEL_FOR("arch=x86-64-v4") static type name##_avx512 parameters {                       \
        TRIB_GIVE_##type name##_anywhere arguments;                                                \
    }                                                                                              \
    TRIB_KERNEL_FOR("arch=x86-64-v3") static type name##_avx2 parameters {                         \
        TRIB_GIVE_##type name##_anywhere arguments;                                                \
    }                                                                                              \
    __attribute__((noinline)) static type name##_portable parameters {                             \
        TRIB_GIVE_##type name##_anywhere arguments;                                                \
    }                                                                                              \
    static type name parameters {                                                                  \
        TRIB_GIVE_##type(trib_kernels == TRIB_AVX512 ? name##_avx512                               \
                         : trib_kernels == TRIB_AVX2 ? name##_avx2                                 \
                                                     : name##_portable) arguments;                 \
    }                                                                                              \
    TRIB_INLINE type name##_anywhere parameters
#define TRIB_KERNEL_FOR(processor) __attribute__((noinline, target(processor)))
#define TRIB_GIVE_void
#define TRIB_GIVE_bool   return
#define TRIB_GIVE_size_t return
#define TRIB_GIVE_double return
#else
#define TRIB_KERNEL(type, name, parameters, arguments) static type name parameters
#endif

/* The sets of instructions of kernels, and the one that is used: at first the last that this
 * processor has. Set while no kernel runs. */
enum { TRIB_PORTABLE_KERNELS, TRIB_AVX2, TRIB_AVX512 };
extern _Atomic int trib_kernels;
/* Sets it; -1 for the standard, which becomes `set` if `as_standard`. TRIB_USAGE when this
 * processor or this build has no such kernels. */
trib_status trib_kernels_choose(int set, bool as_standard, trib_error *error);

/* Defines a function for qsort that compares two records by their members, the first that differs:
 *     TRIB_ORDER(by_mass, passage, TRIB_DOWN(mass) ?: TRIB_UP(number)); */
#define TRIB_ORDER(name, record, members)                                                          \
    static int name(const void *left, const void *right) {                                         \
        const record *const x = left, *const y = right;                                            \
        return __extension__(members);                                                             \
    }                                                                                              \
    _Static_assert(sizeof(record) > 0, "a record")
#define TRIB_UP(member)   ((x->member > y->member) - (x->member < y->member)) /* the least first */
#define TRIB_DOWN(member) ((x->member < y->member) - (x->member > y->member)) /* the most first */

/* Defines a function that returns how many of the n records of a sorted list come before a key:
 *     TRIB_SEARCH(first_block, trib_segment_block, uint64_t, x->hash < key); */
#define TRIB_SEARCH(name, record, type, is_before)                                                 \
    static size_t name(const record *list, size_t n, type key) {                                   \
        size_t low = 0;                                                                            \
        for (size_t high = n; low < high;) {                                                       \
            const size_t middle = low + (high - low) / 2;                                          \
            const record *const x = &list[middle];                                                 \
            if (is_before) low = middle + 1;                                                       \
            else high = middle;                                                                    \
        }                                                                                          \
        return low;                                                                                \
    }                                                                                              \
    _Static_assert(sizeof(record) > 0, "a record")

/* Defines a function that finds the row with a name in a table whose last row has none, or NULL:
 *     TRIB_FIND(trib_hash_find, trib_hash, trib_hashes); */
#define TRIB_FIND(function, row, table)                                                            \
    const row *function(const char *name) {                                                        \
        const row *found = table;                                                                  \
        while (found->name && strcmp(found->name, name) != 0) found++;                             \
        return found->name ? found : NULL;                                                         \
    }                                                                                              \
    _Static_assert(sizeof(row) > 0, "a row")

/* For qsort: texts by their bytes, and numbers, ascending. */
static inline int trib_by_text(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}
static inline int trib_by_uint32(const void *left, const void *right) {
    const uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
    return (x > y) - (x < y);
}

/* The first 8 bytes of a text, 0 after its end, as a number: where it is less than that of another
 * text, strcmp puts the text first. */
static inline uint64_t trib_first_bytes(const char *text) {
    uint64_t bytes = 0;
    for (int i = 0; i < 8; i++) {
        bytes = bytes << 8 | (unsigned char)*text;
        if (*text) text++;
    }
    return bytes;
}

/* ---- Memory (memory.c) ----------------------------------------------------------------------- */

/* Versions of malloc and free that count allocations and can be made to fail, for libraries that
 * accept such functions. */
void *trib_raw_malloc(size_t size);
void trib_raw_free(void *pointer);

/* For tests: the n-th allocation from now (1 is the next) and all later ones fail; 0: none
 * fails. */
void trib_memory_fail_from(uint64_t n);
/* Allocations attempted since the last call of trib_memory_fail_from. */
uint64_t trib_memory_attempts(void);

/* ---- Hashes (hash.c) ------------------------------------------------------------------------- */

/* A 64-bit hash of `length` bytes for tables in memory. It must not be stored or affect a
 * result. */
uint64_t trib_hash_bytes(const void *bytes, size_t length);

/* XXH64 with seed 0 (Collet 2014): a checksum for stored data. It detects accidental damage, not
 * deliberate changes. */
uint64_t trib_checksum(const void *bytes, size_t length);
/* The same checksum for bytes that come in parts: start with `{0}`, add the parts, then end. */
typedef struct trib_checksum_parts {
    uint64_t state[12]; /* of libxxhash */
    bool is_begun;      /* some bytes were added */
} trib_checksum_parts;
void trib_checksum_add(trib_checksum_parts *parts, const void *bytes, size_t length);
uint64_t trib_checksum_end(const trib_checksum_parts *parts);

/* ---- Elementary functions (elementary.c) ----------------------------------------------------- */

/* As log, exp and pow, with the same bits on every processor. */
double trib_logarithm(double x);
double trib_exponential(double x);
/* x^n and x^(1/n). The root of x is x when x is not positive, or n is 0 or 1. */
double trib_power(double x, uint32_t n);
double trib_root(double x, uint32_t n);

/* ---- Unpacking a stream while it is read, packing members (gzip.c) --------------------------- */

typedef struct trib_gunzip trib_gunzip;

/* Opens a stream. `name` is for the message when the build has no zlib (TRIB_INPUT). */
trib_status trib_gunzip_open(trib_gunzip **gunzip, const char *name, trib_error *error);
/* Like trib_reader_read, but reads the stored, packed bytes. */
typedef trib_status (*trib_packed_read)(trib_reader *reader, void *bytes, size_t size, size_t *got,
                                        trib_error *error);
/* Reads the next unpacked bytes of the packed bytes that `read` gets from `packed`. *got is 0 only
 * at the end or for size 0. */
trib_status trib_gunzip_read(trib_gunzip *gunzip, trib_packed_read read, trib_reader *packed,
                             void *bytes, size_t size, size_t *got, trib_error *error);
void trib_gunzip_close(trib_gunzip *gunzip);

/* Packs at most 1 GiB into a new array, which the caller frees. */
trib_status trib_gzip_member(const void *bytes, size_t length, void **packed, size_t *n_packed,
                             const char *name, trib_error *error);

/* ---- Files (writer.c) ------------------------------------------------------------------------ */

/* Makes a change of a name (a new file or directory, or a removal) survive a loss of power, if the
 * file system supports that. */
void trib_sync_name(const char *path);

/* ---- This program's own file (system.c) --------------------------------------------------- */

/* The file that contains this code: the program, or the shared library in another program. */
const char *trib_code_file(void);
enum { TRIB_CODE_FOLDER = 4096 };
/* Writes the folder of that file, without symbolic links; false when it is not known. */
bool trib_code_folder(char folder[TRIB_CODE_FOLDER]);
/* The commit that the program was built from: 40 hexadecimal digits, followed by "-changed" when
 * files differed from it; empty when it is not known. The Makefile writes it. */
extern const char trib_commit[];

/* ---- Failures (status.c) --------------------------------------------------------------------- */

/* For tasks that run concurrently: if task number `task` failed (one != TRIB_OK) and no task with a
 * lower number has, its status and error become those of all. *failed is the lowest number of a
 * task that failed, at first SIZE_MAX. Thread-safe. */
void trib_keep_first(size_t task, trib_status one, const trib_error *failure, size_t *failed,
                     trib_status *status, trib_error *error);

/* ---- Stopping (stop.c) ----------------------------------------------------------------------- */

/* For tests: the n-th check from now (1 is the next) requests a stop; with UINT64_MAX checks are
 * only counted. trib_stop_forget ends this. */
void trib_stop_at(uint64_t n);
uint64_t trib_stop_n_checks(void);

#endif
