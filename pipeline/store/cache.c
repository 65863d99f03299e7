/* cache.c - the cache of results between runs: reads, writes and lists its entries. */
#include "pipeline/store/cache.h"
#include "base/internal.h"

#include <dirent.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/support/path.h"

static const char magic[8] = {'T', 'R', 'I', 'B', 'K', 'E', 'P', 'T'};

/* The beginning of an entry, as in cache.h. */
typedef struct header {
    char magic[8];
    uint64_t checksum;
    uint32_t version, order, n_key, n_about;
    uint64_t n_result;
} header;

enum {
    HEADER = sizeof(header),
    VERSION = 1,
    ORDER = 0x01020304,
    FROM_CHECKSUM = offsetof(header, version),
    PATH = 4096
};

struct trib_cache {
    char *directory;
    trib_log *log;
    uint64_t program;      /* checksum of this program's file; 0: not known */
    atomic_bool is_closed; /* nothing more is written, after a failure */
    atomic_uint n_asked, n_found;
};

/* ---- Opening --------------------------------------------------------------------------------- */

static trib_status name_directory(trib_cache *cache, const char *asked, trib_error *error) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    trib_buffer name = {0};
    trib_status status = TRIB_OK;
    if (asked) status = trib_buffer_print(&name, error, "%s", asked);
    else if (base && *base == '/') status = trib_buffer_print(&name, error, "%s/tributary", base);
    else if (home && *home == '/')
        status = trib_buffer_print(&name, error, "%s/.cache/tributary", home);
    cache->directory = name.text;
    return status;
}

/* The checksum of the program is part of every key, since other code may give other bits. */
static trib_status hash_program(trib_cache *cache, trib_error *error) {
    trib_reader reader;
    TRIB_OWNED(trib_buffer) bytes = {0};
    if (trib_reader_open(&reader, trib_code_file(), NULL) != TRIB_OK) return TRIB_OK;
    trib_status status = trib_reader_all(&reader, &bytes, error);
    trib_reader_close(&reader);
    if (status == TRIB_OK && bytes.length > 0)
        cache->program = trib_checksum(bytes.text, bytes.length);
    return status == TRIB_MEMORY ? status : TRIB_OK;
}

/* Cached results are trusted, so a folder that others can change is not used. */
static bool is_trusted(const trib_cache *cache) {
    struct stat about;
    if (trib_disk_about(cache->directory, &about) != 0) return true; /* it will be created */
    const char *why = about.st_uid != geteuid()                    ? "belongs to another user"
                      : (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "may be written by others"
                                                                   : NULL;
    if (why)
        trib_log_say(cache->log, TRIB_LOG_WARNING,
                     "%s: %s, so nothing is cached; remove it, make it private (chmod -R go-w) or "
                     "choose another with --cache-dir",
                     cache->directory, why);
    return !why;
}

trib_status trib_cache_open(trib_cache **cache, const char *directory, trib_log *log,
                            trib_error *error) {
    trib_status status = TRIB_NEW(cache, 1, "the cache", error);
    if (status != TRIB_OK) return status;
    (*cache)->log = log;
    status = name_directory(*cache, directory, error);
    const bool is_usable = status == TRIB_OK && (*cache)->directory && is_trusted(*cache);
    if (is_usable) status = hash_program(*cache, error);
    if (is_usable && status == TRIB_OK) return TRIB_OK;
    trib_cache_close(*cache);
    *cache = NULL;
    return status;
}

void trib_cache_close(trib_cache *cache) {
    if (cache) trib_free(cache->directory);
    trib_free(cache);
}

const char *trib_cache_directory(const trib_cache *cache) { return cache->directory; }

trib_status trib_cache_begin_key(const trib_cache *cache, const char *stage, trib_buffer *key,
                                 trib_error *error) {
    return trib_buffer_print(key, error, "program %s %016llx\nkernels %s\nstage %s\n", TRIB_VERSION,
                             (unsigned long long)cache->program, trib_kernel_set(), stage);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Reads the header of a file of `length` bytes. Returns what is wrong with it, or NULL. */
static const char *read_header(header *h, const char *bytes, uint64_t length) {
    if (length < HEADER || memcmp(bytes, magic, sizeof magic) != 0) return "no entry of a cache";
    memcpy(h, bytes, HEADER);
    if (h->order != ORDER) return "of another byte order";
    if (h->version != VERSION) return "of another version";
    const uint64_t left = length - HEADER;
    if (h->n_key > left || h->n_about > left - h->n_key ||
        h->n_result != left - h->n_key - h->n_about)
        return "cut or grown";
    return NULL;
}

enum { BLOCK = 1 << 23 }; /* bytes of a mapped file in memory at a time */

/* The checksum of an entry, little of which is in memory at a time. */
static uint64_t checksum_of(const char *bytes, size_t length, const trib_mapped_file *file) {
    trib_checksum_parts sum = {0};
    for (size_t at = FROM_CHECKSUM, n; at < length; at += n) {
        n = length - at < BLOCK ? length - at : BLOCK;
        trib_checksum_add(&sum, bytes + at, n);
        if (n == BLOCK) trib_mapped_file_rest(file);
    }
    return trib_checksum_end(&sum);
}

const char *trib_cache_entry_read(trib_cache_entry *entry, const char *bytes, size_t length,
                                  bool is_whole) {
    header h;
    const char *why = read_header(&h, bytes, length);
    if (why) return why;
    entry->n_key = h.n_key;
    entry->n_about = h.n_about;
    entry->key = bytes + HEADER;
    entry->about = entry->key + h.n_key;
    entry->result = trib_pack_reading(entry->about + h.n_about, (size_t)h.n_result);
    return is_whole && h.checksum != checksum_of(bytes, length, &entry->file) ? "altered" : NULL;
}

const char *trib_cache_entry_open(trib_cache_entry *entry, const char *path, bool is_whole) {
    *entry = (trib_cache_entry){0};
    return trib_mapped_file_open(&entry->file, path, NULL) == TRIB_OK
               ? trib_cache_entry_read(entry, entry->file.bytes, entry->file.length, is_whole)
               : "unreadable";
}

void trib_cache_entry_release(trib_cache_entry *entry) {
    trib_mapped_file_close(&entry->file);
    *entry = (trib_cache_entry){0};
}

/* The path of an entry: DIRECTORY/STAGE/SHA256 of the key. Returns false when it is too long. */
static bool name_entry(char path[PATH], const trib_cache *cache, const char *stage,
                       const trib_buffer *key) {
    char name[TRIB_SHA256_TEXT];
    trib_sha256 hash = {0};
    trib_sha256_add(&hash, key->text, key->length);
    trib_sha256_end(&hash, name);
    return snprintf(path, PATH, "%s/%s/%s", cache->directory, stage, name) < PATH;
}

bool trib_cache_has(const trib_cache *cache, const char *stage, const trib_buffer *key) {
    char path[PATH];
    return name_entry(path, cache, stage, key) && trib_disk_has(path);
}

void trib_cache_report(trib_cache *cache, const char *stage, const trib_buffer *key,
                       const char *why) {
    char path[PATH];
    if (name_entry(path, cache, stage, key))
        trib_log_say(cache->log, TRIB_LOG_WARNING, "%s: %s; it is computed anew", path, why);
}

/* Counts an entry as found and as used now, or logs what is wrong with it. Returns whether it is
 * valid. */
static bool conclude(trib_cache *cache, const char *path, const char *why) {
    if (why) {
        trib_log_say(cache->log, TRIB_LOG_WARNING, "%s: %s; it is computed anew", path, why);
        return false;
    }
    atomic_fetch_add(&cache->n_found, 1);
    (void)trib_disk_touch(path); /* updates the time of last use */
    return true;
}

bool trib_cache_find(trib_cache *cache, const char *stage, const trib_buffer *key,
                     trib_cache_entry *entry) {
    char path[PATH];
    *entry = (trib_cache_entry){0};
    atomic_fetch_add(&cache->n_asked, 1);
    if (!name_entry(path, cache, stage, key) ||
        trib_mapped_file_open(&entry->file, path, NULL) != TRIB_OK)
        return false;
    const char *why = trib_cache_entry_read(entry, entry->file.bytes, entry->file.length, true);
    if (!why && (entry->n_key != key->length || memcmp(entry->key, key->text, key->length) != 0))
        why = "the entry of another key";
    const bool found = conclude(cache, path, why);
    if (!found) trib_cache_entry_release(entry);
    return found;
}

bool trib_cache_copy(trib_cache *cache, const char *stage, const trib_buffer *key, trib_writer *out,
                     uint64_t *length) {
    TRIB_OWNED(trib_cache_entry) entry = {0};
    const bool found = trib_cache_find(cache, stage, key, &entry);
    *length = found ? (uint64_t)(entry.result.end - entry.result.at) : 0;
    for (size_t at = 0, n; at < *length; at += n) {
        n = *length - at < BLOCK ? (size_t)*length - at : BLOCK;
        trib_write(out, entry.result.at + at, n);
        trib_mapped_file_rest(&entry.file);
    }
    return found;
}

void trib_cache_tally(trib_cache *cache, unsigned *n_asked, unsigned *n_found) {
    *n_asked = atomic_exchange(&cache->n_asked, 0);
    *n_found = atomic_exchange(&cache->n_found, 0);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* An entry to be written: the texts in memory one after the other, then the bytes of the piece. */
typedef struct outgoing {
    header header;
    const trib_buffer *text[3];
    trib_cache_piece piece;
} outgoing;

/* Adds the bytes after the checksum field to `sum`. With `out`, writes the whole entry instead. */
static trib_status walk(const outgoing *entry, trib_checksum_parts *sum, trib_writer *out,
                        trib_error *error) {
    char block[1 << 15];
    const trib_cache_piece *piece = &entry->piece;
    if (out) trib_write(out, &entry->header, HEADER);
    else
        trib_checksum_add(sum, (const char *)&entry->header + FROM_CHECKSUM,
                          HEADER - FROM_CHECKSUM);
    for (size_t t = 0; t < 3; t++) {
        const trib_buffer *text = entry->text[t];
        if (text->length == 0) continue;
        if (out) trib_write(out, text->text, text->length);
        else trib_checksum_add(sum, text->text, text->length);
    }
    trib_status status = TRIB_OK;
    for (uint64_t done = 0; done < piece->length && status == TRIB_OK;) {
        const uint64_t left = piece->length - done;
        const size_t n = left < sizeof block ? (size_t)left : sizeof block;
        status = trib_reader_at(piece->reader, piece->from + done, block, n, error);
        if (status != TRIB_OK) break;
        if (out) trib_write(out, block, n);
        else trib_checksum_add(sum, block, n);
        done += n;
    }
    return status;
}

static trib_status write_entry(const char *path, const outgoing *entry, trib_error *error) {
    char folder[PATH];
    trib_writer writer;
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0'; /* DIRECTORY/STAGE */
    char *stage = strrchr(folder, '/');
    *stage = '\0';
    const bool is_new = !trib_disk_has(folder);
    trib_status status = is_new ? trib_directory_create(folder, error) : TRIB_OK;
    if (status == TRIB_OK && is_new)
        (void)trib_disk_make_private(folder); /* private before the first entry is written */
    *stage = '/';
    if (status == TRIB_OK) status = trib_directory_create(folder, error);
    if (status != TRIB_OK) return status;
    status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    status = walk(entry, NULL, &writer, error);
    return trib_writer_end(&writer, status, NULL, error);
}

static trib_status keep_entry(trib_cache *cache, const char *stage, outgoing *entry,
                              trib_error *error) {
    char path[PATH];
    trib_error failure = {0};
    trib_checksum_parts sum = {0};
    if (atomic_load(&cache->is_closed)) return TRIB_OK;
    entry->header = (header){.version = VERSION,
                             .order = ORDER,
                             .n_key = (uint32_t)entry->text[0]->length,
                             .n_about = (uint32_t)entry->text[1]->length,
                             .n_result = entry->text[2]->length + entry->piece.length};
    memcpy(entry->header.magic, magic, sizeof magic);
    trib_status status = walk(entry, &sum, NULL, &failure);
    entry->header.checksum = trib_checksum_end(&sum);
    if (status == TRIB_OK && name_entry(path, cache, stage, entry->text[0]))
        status = write_entry(path, entry, &failure);
    if (failure.status != TRIB_OK) status = failure.status;
    if (status == TRIB_OK) return TRIB_OK;
    if (status == TRIB_MEMORY) {
        if (error) *error = failure;
        return status;
    }
    if (!atomic_exchange(&cache->is_closed, true))
        trib_log_say(cache->log, TRIB_LOG_WARNING, "%s; nothing more of this run is cached",
                     failure.message);
    return TRIB_OK;
}

trib_status trib_cache_put(trib_cache *cache, const char *stage, const trib_buffer *key,
                           const trib_buffer *about, const trib_pack *result, trib_error *error) {
    outgoing entry = {.text = {key, about, &result->bytes}};
    if (result->failure.status == TRIB_OK) return keep_entry(cache, stage, &entry, error);
    if (error) *error = result->failure;
    return result->failure.status;
}

trib_status trib_cache_put_piece(trib_cache *cache, const char *stage, const trib_buffer *key,
                                 const trib_buffer *about, trib_cache_piece piece,
                                 trib_error *error) {
    static const trib_buffer none = {0};
    outgoing entry = {.text = {key, about, &none}, .piece = piece};
    return keep_entry(cache, stage, &entry, error);
}

/* ---- Listing --------------------------------------------------------------------------------- */

/* Accepts entries and the temporary files of killed runs. Other files do not belong to the
 * cache. */
static bool is_entry(const char *name) {
    const size_t n = strspn(name, "0123456789abcdef");
    return n == TRIB_SHA256_TEXT - 1 && (name[n] == '\0' || name[n] == '.');
}

static trib_status visit_folder(const trib_cache *cache, const char *stage, time_t now,
                                trib_cache_visit visit, void *context, trib_error *error) {
    char folder[PATH], path[PATH];
    TRIB_OWNED(trib_arena) arena = {0};
    trib_names names;
    if (snprintf(folder, sizeof folder, "%s/%s", cache->directory, stage) >= PATH) return TRIB_OK;
    (void)trib_disk_list(folder, &names, &arena);
    trib_status status = trib_arena_check(&arena, error);
    for (size_t i = 0; i < names.n && status == TRIB_OK; i++) {
        struct stat about;
        const char *const name = names.name[i];
        if (is_entry(name) &&
            snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
            trib_disk_about_name(path, &about) == 0 && S_ISREG(about.st_mode)) {
            const trib_cache_file file = {.stage = stage,
                                          .name = name,
                                          .path = path,
                                          .n_bytes = (uint64_t)about.st_size,
                                          .age = difftime(now, about.st_mtime)};
            status = visit(context, &file, error);
        }
    }
    return status;
}

trib_status trib_cache_each(const trib_cache *cache, trib_cache_visit visit, void *context,
                            trib_error *error) {
    const time_t now = time(NULL);
    TRIB_OWNED(trib_arena) arena = {0};
    trib_names names;
    (void)trib_disk_list(cache->directory, &names, &arena);
    trib_status status = trib_arena_check(&arena, error);
    for (size_t i = 0; i < names.n && status == TRIB_OK; i++)
        if (names.name[i][0] != '.')
            status = visit_folder(cache, names.name[i], now, visit, context, error);
    return status;
}
