/* cache.h - results kept between runs, each under the hash of everything it depends on. An entry is
 * a file DIRECTORY/STAGE/SHA256 that appears whole under its name or not at all, so any number of
 * runs may share a cache; which of two equal entries stays does not matter. What is damaged is
 * computed anew. Private to pipeline.
 *
 *     0  "TRIBKEPT"; 8 checksum (XXH64) of everything from byte 16 on, u64; 16 version u32;
 *     20 byte order u32
 *    24  bytes of the key u32, of the circumstances u32, of the result u64; then these three
 *
 * The key is text, "NAME VALUE" a line: the program, the stage, the texts and the settings the
 * result depends on. Its SHA-256 names the entry. The circumstances, text alike, are what the run
 * was otherwise: they say why another entry is not this one. Numbers are as this machine stores
 * them; an entry of another byte order is not found. */
#ifndef TRIBUTARY_STORE_CACHE_H
#define TRIBUTARY_STORE_CACHE_H

#include "pipeline/support/log.h"
#include "pipeline/support/pack.h"

typedef struct trib_cache trib_cache;

/* `directory` NULL: $XDG_CACHE_HOME/tributary, else ~/.cache/tributary; *cache stays NULL when
 * there is neither. It is made when the first entry is written. The log is borrowed.
 * TRIB_MEMORY. */
trib_status trib_cache_open(trib_cache **cache, const char *directory, trib_log *log,
                            trib_error *error);
void trib_cache_close(trib_cache *cache); /* NULL is legal */
const char *trib_cache_directory(const trib_cache *cache);

/* The lines every key begins with: this very program (a hash of its file), its kernels, the
 * stage. */
trib_status trib_cache_begin_key(const trib_cache *cache, const char *stage, trib_buffer *key,
                                 trib_error *error);

/* An entry in memory. `{0}` is empty. */
typedef struct trib_cache_entry {
    trib_buffer file;
    const char *key, *about; /* not ended by NUL */
    size_t n_key, n_about;
    trib_unpack result;
} trib_cache_entry;
void trib_cache_entry_release(trib_cache_entry *entry);
/* Reads an entry from a stream; *why is NULL or says what is wrong with it, in a few words.
 * TRIB_MEMORY; what cannot be read is wrong, too. */
trib_status trib_cache_entry_read(trib_cache_entry *entry, trib_reader *reader, const char **why,
                                  trib_error *error);

/* Key and circumstances alone, without looking at the result or the checksum. */
trib_status trib_cache_entry_read_key(trib_cache_entry *entry, const trib_reader *reader,
                                      const char **why, trib_error *error);

/* The entry of this key; *found is false when there is none or it is damaged, of which a warning is
 * said. An entry that is found counts as used now. Thread-safe. TRIB_MEMORY. */
trib_status trib_cache_find(trib_cache *cache, const char *stage, const trib_buffer *key,
                            trib_cache_entry *entry, bool *found, trib_error *error);
/* The same for a result of any size, in the memory of a block: its bytes are copied to where `out`
 * stands; nothing of it counts when *found is false. */
trib_status trib_cache_copy(trib_cache *cache, const char *stage, const trib_buffer *key,
                            trib_writer *out, uint64_t *length, bool *found, trib_error *error);
/* Whether there is a file for this key. */
bool trib_cache_has(const trib_cache *cache, const char *stage, const trib_buffer *key);
/* Says that an entry holds what it should not; it will be computed anew. */
void trib_cache_report(trib_cache *cache, const char *stage, const trib_buffer *key,
                       const char *why);
/* Keeps a result. What cannot be written is no failure: a warning says so, once. Thread-safe.
 * TRIB_MEMORY. */
trib_status trib_cache_put(trib_cache *cache, const char *stage, const trib_buffer *key,
                           const trib_buffer *about, const trib_pack *result, trib_error *error);

/* Bytes of a file that is open. */
typedef struct trib_cache_piece {
    const trib_reader *reader;
    uint64_t from, length;
} trib_cache_piece;
/* The same for a result of any size, in the memory of a block. */
trib_status trib_cache_put_piece(trib_cache *cache, const char *stage, const trib_buffer *key,
                                 const trib_buffer *about, trib_cache_piece piece,
                                 trib_error *error);

/* How many entries were asked for and found since the last call. */
void trib_cache_tally(trib_cache *cache, unsigned *n_asked, unsigned *n_found);

/* Visits every entry, and every file that a killed run left of one (its name goes on behind a
 * point), by stage and name; `age` is seconds since it was last used. Stops at the first status
 * that is not TRIB_OK and returns it. */
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
