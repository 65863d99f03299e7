/* base.h - the foundation of all other folders: statuses and errors, memory, text buffers, files,
 * numbers, random numbers and hashes. It does not know texts or tensors, prints nothing and does
 * not read the clock.
 *
 * Conventions of the whole library: `init` fills a struct and `release` frees what it holds; `{0}`
 * is a valid empty value, and releasing it is legal. A function that can fail returns a trib_status
 * and takes a trib_error last, which may be NULL. No object may be used by several threads at once
 * unless its comment allows it; distinct objects are independent.
 *
 * With it come the headers of C that most files need; a file names only its others. */
#ifndef TRIBUTARY_BASE_H
#define TRIBUTARY_BASE_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#if SIZE_MAX < UINT64_MAX || !defined(__SIZEOF_INT128__)
#error tributary needs a 64-bit system and gcc or clang: addresses and integers of 64 and 128 bits
#endif

/* The version of these headers: major.minor.patch. The major number is that of the ABI. */
#define TRIB_VERSION "0.1.0"

#if defined(__GNUC__) || defined(__clang__)
/* After the declaration of a function: its arguments are those of printf. */
#define TRIB_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* A variable that is released at the end of its block: TRIB_OWNED(trib_buffer) text = {0}; For what
 * holds memory alone; what writes or stops something is told so where it happens. */
#define TRIB_OWNED(type) __attribute__((cleanup(type##_release), unused)) type
/* The same for what was opened to be read: TRIB_OPENED(trib_reader) reader = {0}; */
#define TRIB_OPENED(type) __attribute__((cleanup(type##_close), unused)) type
/* A pointer to memory that is freed then: TRIB_FREED(uint32_t *) order = NULL; */
#define TRIB_FREED(type) __attribute__((cleanup(trib_free_pointer), unused)) type
/* A function that is compiled into its callers, but where nothing is optimised or the code is
 * watched by a sanitizer: there it would cost compilers minutes. */
#if defined(__OPTIMIZE__) && !defined(TRIB_PORTABLE)
#define TRIB_INLINE static inline __attribute__((always_inline))
#else
#define TRIB_INLINE static inline
#endif
#else
#define TRIB_PRINTF(text, first)
#define TRIB_INLINE static inline
#endif

/* ---- Statuses (status.c) --------------------------------------------------------------------- */

/* The result of a call. The table in status.c gives the name, exit status and meaning of each. */
typedef enum trib_status {
    TRIB_OK = 0,
    TRIB_INTERNAL,    /* an error of this program, or an unexpected failure of a library */
    TRIB_OUTPUT,      /* a result cannot be written */
    TRIB_USAGE,       /* the command line, or an output directory that is refused */
    TRIB_CONFIG,      /* the configuration is missing, unreadable or wrong */
    TRIB_INPUT,       /* a document is missing, unreadable, empty, undecodable */
    TRIB_STRICT,      /* a warning under --strict */
    TRIB_MEMORY,      /* no memory, or the limit is reached */
    TRIB_PARTIAL,     /* part of a sweep failed */
    TRIB_DIFFERS,     /* verify or compare found a difference */
    TRIB_REQUEUE,     /* stopped with a checkpoint; run again to go on */
    TRIB_INTERRUPTED, /* SIGINT */
    TRIB_TERMINATED,  /* SIGTERM */
    TRIB_N_STATUSES
} trib_status;

/* Name, exit status and meaning of a status. */
typedef struct trib_status_row {
    const char *name;    /* one word, lower case */
    int exit_status;     /* exit status of the program */
    const char *meaning; /* one line for --help and the documentation */
} trib_status_row;

/* The row of a status; never NULL. */
const trib_status_row *trib_status_get(trib_status status);

enum { TRIB_MESSAGE_MAX = 2048 };

/* The reason of a failure, written where most is known: what failed, the quoted subject, file and
 * line of the input, the remedy. `{0}` is "no error". */
typedef struct trib_error {
    trib_status status;             /* TRIB_OK while there is no error */
    char message[TRIB_MESSAGE_MAX]; /* UTF-8, no trailing newline; may span lines */
} trib_error;

/* Records `status` and the message in `error` (which may be NULL) and returns `status`. A message
 * that is too long is cut at a character. An error recorded earlier is replaced. */
trib_status trib_fail(trib_error *error, trib_status status, const char *format, ...)
    TRIB_PRINTF(3, 4);

/* Puts "PREFIX: " before a recorded message; returns the recorded status. Nothing happens when
 * error is NULL. */
trib_status trib_error_prefix(trib_error *error, const char *format, ...) TRIB_PRINTF(2, 3);

/* ---- Memory (memory.c: the only file that calls malloc) -------------------------------------- */

/* Allocates count * size zeroed bytes into *pointer (a `T **`). A zero count gives NULL and
 * TRIB_OK. On overflow or exhaustion *pointer is NULL and the error names the size and the purpose
 * `what` (TRIB_MEMORY). */
trib_status trib_new(void *pointer, size_t count, size_t size, const char *what, trib_error *error);
/* The same for `count` elements of the type that *pointer points to. */
#define TRIB_NEW(pointer, count, what, error)                                                      \
    trib_new(pointer, count, sizeof **(pointer), what, error)

/* Grows the array *pointer (of *cap elements) to at least `need` elements, by half or more. The new
 * part is not zeroed. On failure the array is unchanged (TRIB_MEMORY). */
trib_status trib_grow(void *pointer, size_t *cap, size_t need, size_t size, const char *what,
                      trib_error *error);
/* The same for elements of the type that *pointer points to. */
#define TRIB_GROW(pointer, cap, need, what, error)                                                 \
    trib_grow(pointer, cap, need, sizeof **(pointer), what, error)

/* Appends the item at `item` to the array *pointer of *n elements, *cap of which have room
 * (TRIB_MEMORY; then nothing changes). */
trib_status trib_append(void *pointer, size_t *n, size_t *cap, const void *item, size_t size,
                        const char *what, trib_error *error);
/* The same for an element of the type that *pointer points to. `&(type){...}` may be the item. */
#define TRIB_APPEND(pointer, n, cap, what, error, ...)                                             \
    trib_append(pointer, n, cap, __VA_ARGS__, sizeof(**(pointer) = *(__VA_ARGS__)), what, error)

/* Like trib_new, aligned to 64 bytes (a cache line, an AVX-512 register), or to a huge page from 1
 * MiB on. The memory is zeroed. trib_free releases it. */
trib_status trib_new_aligned(void *pointer, size_t count, size_t size, const char *what,
                             trib_error *error);

/* Frees memory allocated by these functions; NULL is legal. */
void trib_free(void *pointer);
/* Frees the memory to which the pointer at `variable` points. */
static inline void trib_free_pointer(void *variable) {
    void *pointer;
    memcpy(&pointer, variable, sizeof pointer);
    trib_free(pointer);
}
/* Frees pointer[n]. */
void trib_free_all(size_t n, void *const pointer[]);
/* Frees each of its arguments. */
#define TRIB_FREE(...)                                                                             \
    trib_free_all(sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *[]){__VA_ARGS__})

/* Arrays that are released together. The first failure stays in `status`, so that who makes many
 * arrays looks once. `{.error = error}` is empty; `error` may be NULL. */
typedef struct trib_pool {
    void **array;       /* [n] */
    size_t n, cap;      /* arrays used, of cap allocated */
    trib_status status; /* the first failure */
    trib_error *error;  /* where it is described; borrowed */
} trib_pool;
/* As trib_new and trib_new_aligned. NULL for no elements, and after a failure. */
void *trib_pool_new(trib_pool *pool, size_t count, size_t size, const char *what);
void *trib_pool_new_aligned(trib_pool *pool, size_t count, size_t size, const char *what);
/* Hands over an array that was allocated elsewhere. Returns it, or NULL after freeing it. */
void *trib_pool_keep(trib_pool *pool, void *array);
void trib_pool_release(trib_pool *pool);

/* Makes a zero-terminated copy of `length` bytes, or of a whole text (NULL of NULL), which the
 * caller frees. TRIB_MEMORY. */
trib_status trib_copy_text(char **copy, const char *text, size_t length, trib_error *error);
trib_status trib_copy(char **copy, const char *text, trib_error *error);

/* Limits the memory of the whole process: allocations fail that would make the memory allocated
 * here and not yet freed exceed `bytes`; 0: no limit. Memory that other libraries allocate is not
 * counted. Returns the previous limit. */
uint64_t trib_memory_limit(uint64_t bytes);
uint64_t trib_memory_in_use(void); /* bytes allocated and not yet freed here */
/* Returns freed memory to the system where the C library can. It takes time: after a stage. */
void trib_memory_trim(void);

/* ---- Text buffers (buffer.c) ----------------------------------------------------------------- */

/* A growing array of bytes. The text is always followed by a NUL, which length does not count. */
typedef struct trib_buffer {
    char *text;          /* NULL while empty */
    size_t length;       /* bytes, without the NUL */
    size_t cap;          /* bytes allocated */
    trib_status failure; /* the first; later additions do nothing and return it */
} trib_buffer;

/* Appends bytes, or a formatted text. On failure the buffer is unchanged. Who writes a text in many
 * steps checks the status of the last alone. TRIB_MEMORY. */
trib_status trib_buffer_add(trib_buffer *buffer, const char *bytes, size_t length,
                            trib_error *error);
trib_status trib_buffer_print(trib_buffer *buffer, trib_error *error, const char *format, ...)
    TRIB_PRINTF(3, 4);
trib_status trib_buffer_vprint(trib_buffer *buffer, trib_error *error, const char *format,
                               va_list arguments) TRIB_PRINTF(3, 0);
void trib_buffer_clear(trib_buffer *buffer); /* sets length to 0, keeps the memory */
void trib_buffer_release(trib_buffer *buffer);

/* ---- Numbers (number.c) ---------------------------------------------------------------------- */

enum { TRIB_NUMBER_MAX = 32 };

/* Writes the shortest decimal that reads back as exactly `value`, in the C locale whatever the
 * current locale: "0.1", "1e-300", "inf", "nan". Returns `text`. */
const char *trib_number(char text[TRIB_NUMBER_MAX], double value);

/* Reads a decimal number ("1", "-2.5e3") in the C locale. Returns false when the text is anything
 * else or overflows. */
bool trib_read_double(const char *text, double *value);
/* Reads a whole number without sign. Returns false when the text is anything else or above
 * 2^64-1. */
bool trib_read_uint(const char *text, uint64_t *value);

/* Computes a * b, and a + b. Returns false, without a result, when it does not fit. */
bool trib_multiply(size_t a, size_t b, size_t *result);
bool trib_add(size_t a, size_t b, size_t *result);
/* a * b elements to allocate; SIZE_MAX, of which there is no memory, when it does not fit. */
size_t trib_product(size_t a, size_t b);

/* ---- Random numbers and hashes (hash.c) -------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood 2014): every seed gives a different stream of period 2^64. */
typedef struct trib_random {
    uint64_t state; /* the next number depends on it alone */
} trib_random;

/* Starts the random numbers of a seed. */
void trib_random_seed(trib_random *random, uint64_t seed);
/* The next number, 64 random bits. */
TRIB_INLINE uint64_t trib_random_u64(trib_random *random) {
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
/* Passes over the next n numbers. */
TRIB_INLINE void trib_random_skip(trib_random *random, uint64_t n) {
    random->state += n * UINT64_C(0x9E3779B97F4A7C15);
}
/* The next number in [0, 1), with 53 random bits. */
TRIB_INLINE double trib_random_unit(trib_random *random) {
    return (double)(trib_random_u64(random) >> 11) * (1.0 / 9007199254740992.0);
}
uint64_t trib_random_below(trib_random *random,
                           uint64_t n); /* u64 % n; bias below n / 2^64; n >= 1 */

/* SHA-256 as 64 lower-case hexadecimal digits, through nettle. */
enum { TRIB_SHA256_TEXT = 65 };
/* A SHA-256 computation: add bytes to `{0}`, then end it. */
typedef struct trib_sha256 {
    uint64_t state[16]; /* of nettle */
    bool is_begun;      /* some bytes were added */
} trib_sha256;
void trib_sha256_add(trib_sha256 *hash, const void *bytes, size_t length);
void trib_sha256_end(trib_sha256 *hash, char text[TRIB_SHA256_TEXT]); /* it is `{0}` again */

/* ---- Files (reader.c, writer.c, mapped.c) ---------------------------------------------------- */

/* A stream of bytes from a file or from memory. */
typedef struct trib_reader {
    const char *name;        /* name for messages; borrowed */
    int file;                /* descriptor, or -1 when reading memory */
    const char *memory;      /* the bytes when reading memory; borrowed */
    size_t length, position; /* size and position in `memory` */
    /* bytes that trib_reader_peek read and trib_reader_read has not returned yet */
    unsigned char ahead[8];
    uint32_t n_ahead;           /* number of bytes in `ahead` */
    struct trib_gunzip *gunzip; /* the unpacker, or NULL; owned */
} trib_reader;

/* Opens a file or pipe ("-" is standard input). Errors (TRIB_INPUT) name the path and the reason:
 * missing, a directory, not readable. `path` is borrowed until close. */
trib_status trib_reader_open(trib_reader *reader, const char *path, trib_error *error);
/* The same for regular files only: anything that could make the program wait, such as a pipe, is an
 * error. */
trib_status trib_reader_open_file(trib_reader *reader, const char *path, trib_error *error);
void trib_reader_memory(trib_reader *reader, const char *name, const void *bytes, size_t length);
/* Reads up to `size` bytes. *got is 0 only at the end. */
trib_status trib_reader_read(trib_reader *reader, void *bytes, size_t size, size_t *got,
                             trib_error *error);
/* Reads the next bytes, at most 8, as they are stored, without consuming them. *got is less than
 * size only at the end. */
trib_status trib_reader_peek(trib_reader *reader, void *bytes, size_t size, size_t *got,
                             trib_error *error);
/* Must be called before the first read. A stream that begins with the magic bytes of gzip (RFC
 * 1952) is unpacked from now on, member by member; any other stream is unchanged. Afterwards
 * trib_reader_close is needed even for memory. TRIB_INPUT when the stream is packed and zlib is not
 * built in (the message names the package); trib_reader_read returns TRIB_INPUT for damaged or
 * truncated data. */
trib_status trib_reader_unpack(trib_reader *reader, trib_error *error);
/* Random access to a regular file or memory (otherwise TRIB_INPUT): its size, and exactly `size`
 * bytes from byte `offset` on. The reader does not change, and several threads may call these at
 * once. TRIB_INPUT when the file ends too early. */
trib_status trib_reader_size(const trib_reader *reader, uint64_t *size, trib_error *error);
trib_status trib_reader_at(const trib_reader *reader, uint64_t offset, void *bytes, size_t size,
                           trib_error *error);
void trib_reader_close(trib_reader *reader);
/* Appends the rest of the stream to `buffer`. */
trib_status trib_reader_all(trib_reader *reader, trib_buffer *buffer, trib_error *error);
/* Appends a whole file to `buffer`: opens it as trib_reader_open does, reads and closes it. */
trib_status trib_read_whole(const char *path, trib_buffer *buffer, trib_error *error);

/* A file that appears under its name only when it is complete: it is written to a temporary name in
 * the same directory, synced and renamed. `{0}` may be abandoned. The bytes written are hashed, for
 * SHA256SUMS. */
typedef struct trib_writer {
    char *path;         /* final name; "-" is standard output */
    char *temporary;    /* name while writing */
    int file;           /* descriptor */
    char *block;        /* pending bytes */
    size_t n_pending;   /* bytes in `block` */
    uint64_t n_written; /* bytes written so far, before packing */
    trib_sha256 hash;   /* of the bytes written, unless to a scratch file */
    bool is_scratch;    /* a scratch file */
    bool is_packed;     /* packed by gzip */
    trib_error failure; /* the first error; later writes do nothing, and commit returns it */
} trib_writer;

/* Opens a file for writing at `path`, which is copied. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_writer_open(trib_writer *writer, const char *path, trib_error *error);
/* Opens a scratch file in `directory`, for data that do not fit into memory. It is not hashed and
 * cannot be committed. It has no name, and disappears when it is abandoned or when the program ends
 * for any reason; or, if it is named, `temporary`, by which other processes can open it. Then it is
 * removed when it is abandoned, and a program that is killed leaves it. */
trib_status trib_writer_scratch(trib_writer *writer, const char *directory, bool is_named,
                                trib_error *error);
/* Makes all bytes written so far to a scratch file readable. Returns the first failure. */
trib_status trib_writer_flush(trib_writer *writer, trib_error *error);
/* The same, also for other machines that open the file afterwards. */
trib_status trib_writer_sync(trib_writer *writer, trib_error *error);
/* A reader of a scratch file, for trib_reader_at. It is valid while the writer is open and must not
 * be closed. */
trib_reader trib_writer_reader(const trib_writer *writer);
/* Must be called before the first byte: packs the file by gzip. The hash remains that of the
 * unpacked bytes. */
void trib_writer_pack(trib_writer *writer);
/* Write bytes or text. They record the first failure, which commit returns, so that a writer of
 * text checks once, at the end. */
void trib_write(trib_writer *writer, const void *bytes, size_t length);
void trib_write_text(trib_writer *writer, const char *text);
void trib_print(trib_writer *writer, const char *format, ...)
    TRIB_PRINTF(2, 3); /* one piece under 64 KiB */
/* Write a number like trib_number, or as 8 bytes, lowest first. A value that is not finite is
 * TRIB_INTERNAL. */
void trib_write_number(trib_writer *writer, double value);
void trib_write_double(trib_writer *writer, double value);
/* Flushes, syncs and renames the file. On failure the temporary file is removed and the error names
 * path and cause. `sha256` (may be NULL) receives the hash of the contents. The writer is released
 * in both cases. */
trib_status trib_writer_commit(trib_writer *writer, char sha256[TRIB_SHA256_TEXT],
                               trib_error *error);
void trib_writer_abandon(trib_writer *writer); /* removes the temporary file, releases */
/* Commits what was written with `status`, or abandons it after a failure; the first failure. */
static inline trib_status trib_writer_end(trib_writer *writer, trib_status status,
                                          char sha256[TRIB_SHA256_TEXT], trib_error *error) {
    if (status == TRIB_OK) return trib_writer_commit(writer, sha256, error);
    trib_writer_abandon(writer);
    return status;
}

/* Arrays in a mapped scratch file, for arrays that are read again later and would occupy memory
 * until then. The system keeps the parts in use in memory, and as much of the rest as fits. `{0}`
 * may be closed. */
typedef struct trib_spill {
    trib_writer writer;           /* of the scratch file */
    struct trib_segment *segment; /* [n_segments] mapped parts of the file */
    size_t n_segments, cap;       /* segments used, of cap allocated */
    char *next;                   /* place of the next array */
    size_t left;                  /* bytes left after `next` in the last segment */
} trib_spill;

/* Opens a scratch file in `directory`. If it is named, other processes can open it by its name,
 * spill->writer.temporary, after trib_writer_sync of its writer. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_spill_open(trib_spill *spill, const char *directory, bool is_named,
                            trib_error *error);
/* Stores a copy of an array and sets *kept to its address, aligned to 64 bytes. The copy is
 * read-only and valid until the spill is closed. TRIB_OUTPUT when the file cannot be written, as on
 * a full disk; TRIB_MEMORY when there is no address space. One thread at a time. */
trib_status trib_spill_put(trib_spill *spill, const void *array, size_t size, void *kept,
                           trib_error *error);
/* The place in the file of an array that trib_spill_put stored. */
uint64_t trib_spill_place(const trib_spill *spill, const void *kept);
/* Maps the first `size` bytes of another process's file, read-only. Nothing can be put there.
 * TRIB_INPUT when there is no such file, or it is shorter; TRIB_MEMORY. */
trib_status trib_spill_attach(trib_spill *spill, const char *path, uint64_t size,
                              trib_error *error);
/* The array of n elements at a place of an attached file; NULL when it does not lie in the file. */
void *trib_spill_array(const trib_spill *spill, uint64_t place, uint64_t n, size_t size);
/* Takes the arrays out of this process's memory until they are read again. Any thread may call it
 * while others read. */
void trib_spill_rest(const trib_spill *spill);
/* The same for one array, and what lies near it. */
void trib_spill_rest_array(const trib_spill *spill, const void *array, size_t size);
void trib_spill_close(trib_spill *spill);

/* A whole file in memory, read-only; the system reads the parts in use. `{0}` may be closed. */
typedef struct trib_mapped_file {
    const char *bytes; /* [length], at the start of a page */
    size_t length;     /* bytes */
} trib_mapped_file;
/* Maps a file, which must not become shorter while it is mapped; it may be renamed or removed.
 * TRIB_INPUT when it cannot be read or is empty, TRIB_MEMORY when there is no address space. */
trib_status trib_mapped_file_open(trib_mapped_file *file, const char *path, trib_error *error);
/* Takes what was read out of this process's memory until it is read again. Any thread may call it
 * while others read. */
void trib_mapped_file_rest(const trib_mapped_file *file);
/* Says whether it will be read here and there: then the system reads no more than is asked for. */
void trib_mapped_file_scatter(const trib_mapped_file *file, bool is_scattered);
/* Says that `size` bytes will be read soon: the system reads them meanwhile. */
void trib_mapped_file_announce(const trib_mapped_file *file, uint64_t from, uint64_t size);
void trib_mapped_file_close(trib_mapped_file *file);

/* Writable memory that lies in a scratch file, for large arrays that are written in any order. The
 * system may move it to the file. `{0}` may be closed. */
typedef struct trib_scratch_array {
    void *bytes; /* [size], at the start of a page; zeros at first */
    size_t size; /* bytes */
} trib_scratch_array;
/* Makes an array of `count` elements of `size` bytes in a file without a name in `directory`.
 * TRIB_OUTPUT when the disk has no room for it; TRIB_MEMORY when there is no address space. */
trib_status trib_scratch_array_open(trib_scratch_array *array, size_t count, size_t size,
                                    const char *directory, trib_error *error);
/* Takes the array out of this process's memory until it is used again. */
void trib_scratch_array_rest(const trib_scratch_array *array);
void trib_scratch_array_close(trib_scratch_array *array);

/* The suffix of a file's name while it is written; six more characters follow. A program that was
 * killed leaves such a file. */
#define TRIB_WRITER_SUFFIX ".tmp-"
/* Whether a name is that of an incomplete file. */
bool trib_writer_is_temporary(const char *name);
/* The version of the kernels in use: "avx512", "avx2" or "portable". */
const char *trib_kernel_set(void);

/* ---- Progress, stopping, time ---------------------------------------------------------------- */

/* Requests that the whole process stop (stop.c). Every long computation then ends soon with
 * TRIB_INTERRUPTED. A signal handler may call this. */
void trib_stop_ask(void);
/* Clears the request: later computations are not stopped. */
void trib_stop_forget(void);
/* Whether a stop was requested. Loops check it some hundred times a second or more. */
bool trib_stop_asked(void);
/* Returns TRIB_INTERRUPTED when a stop was requested, otherwise TRIB_OK. */
trib_status trib_stop_check(trib_error *error);

/* Callback by which a long computation reports its progress and learns whether to stop. It is
 * called from one thread at a time. `{0}` reports to nobody. */
typedef struct trib_progress {
    /* Receives how much of `total` is done; returns false to stop the computation early. */
    bool (*tick)(void *context, double done, double total);
    void *context; /* the first argument of `tick` */
} trib_progress;

/* Reports progress. Returns true unless `tick` or trib_stop_ask requested a stop. */
bool trib_progress_tick(const trib_progress *progress, double done, double total);

/* A source of time for code that may not read the clock: seconds since any fixed moment, never
 * decreasing. `{0}` has no clock; the time is then always 0. */
typedef struct trib_clock {
    double (*read)(void *context); /* returns seconds */
    void *context;                 /* the argument of `read` */
} trib_clock;
double trib_clock_seconds(const trib_clock *clock);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
