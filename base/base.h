/* base.h - what every other folder stands on: statuses and errors, memory, text buffers, files,
 * numbers, random numbers and hashes. Nothing here knows about texts or tensors, prints, or reads
 * the clock.
 *
 * Conventions of the whole library: `init` fills a struct and `release` frees what it holds; `{0}`
 * is a valid empty value and releasing it is legal. A function that can fail returns a trib_status
 * and takes a trib_error last, which may be NULL. Nothing is thread-safe on one object unless its
 * comment says so; distinct objects are independent. */
#ifndef TRIBUTARY_BASE_H
#define TRIBUTARY_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The version of these headers: major.minor.patch. The major number is that of the ABI. */
#define TRIB_VERSION "0.1.0"

#if defined(__GNUC__) || defined(__clang__)
/* After the declaration of a function: its arguments are those of printf. */
#define TRIB_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* A function that is compiled into its callers. */
#define TRIB_INLINE static inline __attribute__((always_inline))
#else
#define TRIB_PRINTF(text, first)
#define TRIB_INLINE static inline
#endif

/* ---- Statuses (status.c) --------------------------------------------------------------------- */

/* What became of a call. The table in status.c gives each its name, exit status and meaning. */
typedef enum trib_status {
    TRIB_OK = 0,
    TRIB_INTERNAL,    /* our own mistake, or a library failed where it cannot */
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

/* What is to be said of a status. */
typedef struct trib_status_row {
    const char *name;    /* one word, lower case */
    int exit_status;     /* what the program exits with */
    const char *meaning; /* one line for --help and the documentation */
} trib_status_row;

/* The row of a status; never NULL. */
const trib_status_row *trib_status_get(trib_status status);

enum { TRIB_MESSAGE_MAX = 2048 };

/* Why something failed, said once where most is known: what failed, the subject quoted, file and
 * line of the input, what to do. `{0}` is "no error". */
typedef struct trib_error {
    trib_status status;             /* TRIB_OK while there is no error */
    char message[TRIB_MESSAGE_MAX]; /* UTF-8, no trailing newline; may span lines */
} trib_error;

/* Records `status` and the message in `error` (which may be NULL) and returns `status`. A message
 * that does not fit is cut at a character. An error already recorded is replaced. */
trib_status trib_fail(trib_error *error, trib_status status, const char *format, ...)
    TRIB_PRINTF(3, 4);

/* Puts "PREFIX: " before a recorded message; returns the recorded status. Nothing happens when
 * error is NULL. */
trib_status trib_error_prefix(trib_error *error, const char *format, ...) TRIB_PRINTF(2, 3);

/* ---- Memory (memory.c: the only file that calls malloc) -------------------------------------- */

/* Allocates count * size zeroed bytes into *pointer (a `T **`); a zero count gives NULL and
 * TRIB_OK. On overflow or exhaustion *pointer is NULL and the error says how much was asked for
 * and `what` it was for. */
trib_status trib_new(void *pointer, size_t count, size_t size, const char *what, trib_error *error);

/* Grows the array *pointer (of *cap elements) to at least `need` elements, by half at least; the
 * new part is not zeroed. On failure the array is untouched. */
trib_status trib_grow(void *pointer, size_t *cap, size_t need, size_t size, const char *what,
                      trib_error *error);

/* As trib_new, aligned to 64 bytes (a cache line, an AVX-512 register), from 1 MiB on to a huge
 * page, and zeroed. Released by trib_free. */
trib_status trib_new_aligned(void *pointer, size_t count, size_t size, const char *what,
                             trib_error *error);

/* Frees what was allocated here; NULL is legal. */
void trib_free(void *pointer);

/* A zero-terminated copy of `length` bytes. */
trib_status trib_copy_text(char **copy, const char *text, size_t length, trib_error *error);

/* From now on allocations fail that would make everything allocated and not yet freed here larger
 * than `bytes` (what libraries allocate on their own does not count); 0: no limit. For a whole
 * process. Returns the limit before. */
uint64_t trib_memory_limit(uint64_t bytes);
uint64_t trib_memory_in_use(void); /* bytes allocated and not yet freed here */

/* ---- Text buffers (buffer.c) ----------------------------------------------------------------- */

/* Growing bytes; text is always followed by a NUL that length does not count. */
typedef struct trib_buffer {
    char *text;    /* NULL while empty */
    size_t length; /* bytes, without the NUL */
    size_t cap;    /* bytes allocated */
} trib_buffer;

/* Appends bytes, and a formatted text. The buffer is unchanged on failure. TRIB_MEMORY. */
trib_status trib_buffer_add(trib_buffer *buffer, const char *bytes, size_t length,
                            trib_error *error);
trib_status trib_buffer_print(trib_buffer *buffer, trib_error *error, const char *format, ...)
    TRIB_PRINTF(3, 4);
void trib_buffer_clear(trib_buffer *buffer); /* length 0, memory kept */
void trib_buffer_release(trib_buffer *buffer);

/* ---- Numbers (number.c) ---------------------------------------------------------------------- */

enum { TRIB_NUMBER_MAX = 32 };

/* The shortest decimal that reads back as exactly `value`, in the C locale whatever the locale is:
 * "0.1", "1e-300", "inf", "nan". Returns text. */
const char *trib_number(char text[TRIB_NUMBER_MAX], double value);

/* Reads a whole decimal number ("1", "-2.5e3") in the C locale; false when text is anything else
 * or overflows. */
bool trib_read_double(const char *text, double *value);
/* Reads a whole number without sign; false when text is anything else or above 2^64-1. */
bool trib_read_uint(const char *text, uint64_t *value);

/* a * b and a + b; false and no result when they do not fit. */
bool trib_multiply(size_t a, size_t b, size_t *result);
bool trib_add(size_t a, size_t b, size_t *result);

/* ---- Random numbers and hashes (random.c, hash.c) -------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood 2014): every seed gives a different stream of period 2^64. */
typedef struct trib_random {
    uint64_t state; /* the next number depends on it alone */
} trib_random;

/* Begins the stream of numbers of a seed. */
void trib_random_seed(trib_random *random, uint64_t seed);
/* The next number, 64 random bits. */
TRIB_INLINE uint64_t trib_random_u64(trib_random *random) {
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
/* In [0, 1), 53 bits. */
TRIB_INLINE double trib_random_unit(trib_random *random) {
    return (double)(trib_random_u64(random) >> 11) * (1.0 / 9007199254740992.0);
}
uint64_t trib_random_below(trib_random *random,
                           uint64_t n); /* u64 % n; bias below n / 2^64; n >= 1 */

/* SHA-256 as 64 lower-case hexadecimal digits, through libmd. */
enum { TRIB_SHA256_TEXT = 65 };
/* Bytes on their way to a SHA-256. Opened, added to, closed. */
typedef struct trib_sha256 trib_sha256;
trib_status trib_sha256_open(trib_sha256 **hash, trib_error *error);
void trib_sha256_add(trib_sha256 *hash, const void *bytes, size_t length);
void trib_sha256_close(trib_sha256 *hash,
                       char text[TRIB_SHA256_TEXT]); /* frees; hash and text may be NULL */

/* ---- Files (reader.c, gunzip.c, writer.c) ---------------------------------------------------- */

/* A stream of bytes from a file or from memory. */
typedef struct trib_reader {
    const char *name;           /* for messages; borrowed */
    int file;                   /* descriptor, or -1 when reading memory */
    const char *memory;         /* the bytes when reading memory; borrowed */
    size_t length, position;    /* of memory */
    unsigned char ahead[8];     /* bytes read to look at them and not given out yet */
    uint32_t n_ahead;           /* how many */
    struct trib_gunzip *gunzip; /* what unpacks, or NULL; owned */
} trib_reader;

/* Opens a file or pipe ("-" is standard input). Errors (TRIB_INPUT) name the path and why:
 * missing, a directory, not readable. `path` is borrowed until close. */
trib_status trib_reader_open(trib_reader *reader, const char *path, trib_error *error);
/* The same of nothing but a regular file: what would make the program wait, such as a pipe, is
 * refused. */
trib_status trib_reader_open_file(trib_reader *reader, const char *path, trib_error *error);
void trib_reader_memory(trib_reader *reader, const char *name, const void *bytes, size_t length);
/* Reads up to `size` bytes; *got is 0 only at the end. */
trib_status trib_reader_read(trib_reader *reader, void *bytes, size_t size, size_t *got,
                             trib_error *error);
/* The next bytes, at most 8, as they are stored; they stay to be read. *got is less than size only
 * at the end. */
trib_status trib_reader_peek(trib_reader *reader, void *bytes, size_t size, size_t *got,
                             trib_error *error);
/* Before the first read: a stream that begins with the magic bytes of gzip (RFC 1952) is unpacked
 * from now on, member by member; any other is left as it is. Then trib_reader_close is needed even
 * of memory. TRIB_INPUT where it is packed and zlib is not built in (the message names the
 * package), and from trib_reader_read where it is damaged or cut. */
trib_status trib_reader_unpack(trib_reader *reader, trib_error *error);
/* Reading from any place, of a regular file or memory (else TRIB_INPUT): its size, and exactly
 * `size` bytes from byte `offset` on. Changes nothing in the reader, and may be called from
 * several threads. TRIB_INPUT when it ends before. */
trib_status trib_reader_size(const trib_reader *reader, uint64_t *size, trib_error *error);
trib_status trib_reader_at(const trib_reader *reader, uint64_t offset, void *bytes, size_t size,
                           trib_error *error);
void trib_reader_close(trib_reader *reader);
/* The whole rest of a stream, appended to `buffer`. */
trib_status trib_reader_all(trib_reader *reader, trib_buffer *buffer, trib_error *error);

/* A file that appears under its name only when it is complete: written to a temporary name in the
 * same directory, synced, renamed. `{0}` may be abandoned. Hashes what passes through, for
 * SHA256SUMS. */
typedef struct trib_writer {
    char *path;         /* final name; "-" is standard output */
    char *temporary;    /* name while writing */
    int file;           /* descriptor */
    char *block;        /* pending bytes */
    size_t n_pending;   /* bytes in `block` */
    uint64_t n_written; /* bytes so far, before packing */
    trib_sha256 *hash;  /* of them */
    bool is_packed;     /* by gzip */
    trib_error failure; /* the first error; later writes do nothing, commit reports it */
} trib_writer;

/* Begins a file at `path`, which is copied. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_writer_open(trib_writer *writer, const char *path, trib_error *error);
/* Opens a file without a name in `directory`, for what does not fit into memory: nothing of it is
 * left when it is abandoned or the program ends in whatever way. It is not hashed, and not
 * committed but abandoned. */
trib_status trib_writer_scratch(trib_writer *writer, const char *directory, trib_error *error);
/* Makes what was written so far to such a file readable; returns the first failure. */
trib_status trib_writer_flush(trib_writer *writer, trib_error *error);
/* A reader of it, for trib_reader_at: valid while the writer is open, and not to be closed. */
trib_reader trib_writer_reader(const trib_writer *writer);
/* Before the first byte: what is written is packed by gzip. The hash stays that of what goes in.
 * TRIB_OUTPUT, naming the package, where zlib is not built in. */
trib_status trib_writer_pack(trib_writer *writer, trib_error *error);
/* These record the first failure and go on; commit tells. So writers of text need one check, at
 * the end. */
void trib_write(trib_writer *writer, const void *bytes, size_t length);
void trib_write_text(trib_writer *writer, const char *text);
void trib_print(trib_writer *writer, const char *format, ...)
    TRIB_PRINTF(2, 3); /* one piece under 64 KiB */
/* As trib_number, and as 8 bytes, the lowest first. A value that is not finite is TRIB_INTERNAL. */
void trib_write_number(trib_writer *writer, double value);
void trib_write_double(trib_writer *writer, double value);
/* Flushes, syncs, renames. On failure the temporary file is removed and the error names path and
 * cause. `sha256` (may be NULL) receives the hash of the contents. The writer is released either
 * way. */
trib_status trib_writer_commit(trib_writer *writer, char sha256[TRIB_SHA256_TEXT],
                               trib_error *error);
void trib_writer_abandon(trib_writer *writer); /* removes the temporary file, releases */

/* Arrays that are read again some time and would take memory till then, in a scratch file that is
 * mapped: the system keeps in memory what is in use, and of the rest as much as there is room for.
 * `{0}` may be closed. */
typedef struct trib_spill {
    trib_writer writer;           /* of the scratch file */
    struct trib_segment *segment; /* [n_segments] of the file, mapped */
    size_t n_segments, cap;       /* segments used, of cap allocated */
    char *next;                   /* where the next array goes, */
    size_t left;                  /* and what is left there of the last segment */
} trib_spill;

/* Opens a scratch file in `directory`. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_spill_open(trib_spill *spill, const char *directory, trib_error *error);
/* *kept is a copy of the array on a border of 64 bytes that can only be read, until the spill is
 * closed. TRIB_OUTPUT when the file cannot be written, as on a full disk; TRIB_MEMORY when there
 * is no address space. By one thread at a time. */
trib_status trib_spill_put(trib_spill *spill, const void *array, size_t size, void *kept,
                           trib_error *error);
void trib_spill_close(trib_spill *spill);

/* What follows a file's name while it is written, and then six more characters. A program that was
 * killed leaves such a file behind. */
#define TRIB_WRITER_SUFFIX ".tmp-"
/* Whether a name is that of a file that is not complete. */
bool trib_writer_is_temporary(const char *name);
/* Which compilation of the kernels runs here: "avx512", "avx2" or "portable". */
const char *trib_kernel_set(void);

/* ---- Reporting back -------------------------------------------------------------------------- */

/* A wish to stop, of the whole process (stop.c). Once it is asked for, every computation that can
 * take long ends soon, with TRIB_INTERRUPTED. A signal handler may ask. */
void trib_stop_ask(void);
/* Forgets the wish: later computations are not stopped. */
void trib_stop_forget(void);
/* Whether it was asked for; loops look at it some hundred times a second or more. */
bool trib_stop_asked(void);
/* The same as a status: TRIB_INTERRUPTED when it was asked for. */
trib_status trib_stop_check(trib_error *error);

/* How a long computation tells its caller how far it is and asks whether to stop. Called from one
 * thread at a time. `{0}` reports to nobody. */
typedef struct trib_progress {
    /* Receives how much of `total` is done; returns false to stop the computation early. */
    bool (*tick)(void *context, double done, double total);
    void *context; /* the first argument of `tick` */
} trib_progress;

/* true while nobody asked to stop: neither `tick` nor trib_stop_ask. */
bool trib_progress_tick(const trib_progress *progress, double done, double total);

/* The time, for those who may not read it themselves: seconds since any fixed moment, never less
 * than before. `{0}` has no clock, and it is always 0. */
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
