/* cache.h - the cache of results between runs. Each result is stored under the hash of everything
 * it depends on. An entry is a file DIRECTORY/STAGE/SHA256, which is created atomically. So any
 * number of runs may share a cache; of two equal entries either may remain. The result of a damaged
 * entry is computed again. Private to pipeline.
 *
 *     0  "TRIBKEPT"; 8 checksum (XXH64) of everything from byte 16 on, u64; 16 version u32;
 *    20  byte order u32
 *    24  bytes of the key u32, of the description u32, of the result u64; then these three
 *
 * The key is text, "NAME VALUE" a line: the program, the stage, the texts and the settings the
 * result depends on. Its SHA-256 names the entry. The description, in the same form, holds the name
 * of the part. Numbers have the byte order of this machine; entries of another byte order are
 * rejected. */
#ifndef TRIBUTARY_STORE_CACHE_H
#define TRIBUTARY_STORE_CACHE_H

#include "pipeline/support/log.h"
#include "pipeline/support/pack.h"

typedef struct trib_cache trib_cache;

/* Opens a cache. `directory` NULL: $XDG_CACHE_HOME/tributary, else ~/.cache/tributary. *cache stays
 * NULL when there is neither, or when others could change the directory. The directory is created
 * with the first entry. The log is borrowed. TRIB_MEMORY. */
trib_status trib_cache_open(trib_cache **cache, const char *directory, trib_log *log,
                            trib_error *error);
void trib_cache_close(trib_cache *cache); /* `cache` may be NULL */
const char *trib_cache_directory(const trib_cache *cache);

/* Adds the lines that begin every key: the program (a hash of its file), its kernels, the stage. */
trib_status trib_cache_begin_key(const trib_cache *cache, const char *stage, trib_buffer *key,
                                 trib_error *error);

/* An entry. `{0}` is empty. */
typedef struct trib_cache_entry {
    trib_mapped_file file;   /* in which it lies, unless it was read from bytes */
    const char *key, *about; /* not NUL-terminated */
    size_t n_key, n_about;
    trib_pack result; /* reads */
} trib_cache_entry;
void trib_cache_entry_release(trib_cache_entry *entry);
/* Reads an entry from bytes, which are borrowed, or from a file. Returns in a few words what is
 * wrong with it, which includes that it cannot be read, or NULL. is_whole: compares the checksum,
 * too. */
const char *trib_cache_entry_read(trib_cache_entry *entry, const char *bytes, size_t length,
                                  bool is_whole);
const char *trib_cache_entry_open(trib_cache_entry *entry, const char *path, bool is_whole);

/* Finds the entry of a key. False when there is none, or when it is damaged, which is logged as a
 * warning. An entry that is found is marked as used now. Thread-safe. */
bool trib_cache_find(trib_cache *cache, const char *stage, const trib_buffer *key,
                     trib_cache_entry *entry);
/* The same for a result of any size, which is copied to `out` in blocks. Returns whether it was
 * found. */
bool trib_cache_copy(trib_cache *cache, const char *stage, const trib_buffer *key, trib_writer *out,
                     uint64_t *length);
/* Whether there is a file for this key. */
bool trib_cache_has(const trib_cache *cache, const char *stage, const trib_buffer *key);
/* Logs a warning that the result of an entry is invalid and will be computed again. */
void trib_cache_report(trib_cache *cache, const char *stage, const trib_buffer *key,
                       const char *why);
/* Writes an entry. When it cannot be written, logs a warning, once, and writes no more entries.
 * Thread-safe. TRIB_MEMORY. */
trib_status trib_cache_put(trib_cache *cache, const char *stage, const trib_buffer *key,
                           const trib_buffer *about, const trib_pack *result, trib_error *error);

/* Bytes of an open file. */
typedef struct trib_cache_piece {
    const trib_reader *reader;
    uint64_t from, length;
} trib_cache_piece;
/* The same for a result of any size, which is copied in blocks. */
trib_status trib_cache_put_piece(trib_cache *cache, const char *stage, const trib_buffer *key,
                                 const trib_buffer *about, trib_cache_piece piece,
                                 trib_error *error);

/* Returns the numbers of entries requested and found since the last call. */
void trib_cache_tally(trib_cache *cache, unsigned *n_asked, unsigned *n_found);

/* Visits every entry and every temporary file of a killed run (the name of an entry, then a dot and
 * more), sorted by stage and name. `age` is the time since the last use in seconds. Stops at the
 * first status that is not TRIB_OK and returns it. */
typedef struct trib_cache_file {
    const char *stage, *name, *path;
    uint64_t n_bytes;
    double age;
} trib_cache_file;
typedef trib_status (*trib_cache_visit)(void *context, const trib_cache_file *file,
                                        trib_error *error);
trib_status trib_cache_each(const trib_cache *cache, trib_cache_visit visit, void *context,
                            trib_error *error);

#endif
