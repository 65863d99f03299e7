/* cache.c - `tributary cache ls` and `cache gc`: lists the entries of the cache and removes
 * those that nobody needs. */

#include "pipeline/store/cache.h"
#include "pipeline/config/keys.h"
#include "pipeline/program/command.h"
#include "pipeline/support/json.h"

enum { PART_MAX = 64, DAY = 86400 };

/* An entry as `cache ls` shows it. */
typedef struct listed {
    char *path, *stage;
    char part[PART_MAX];
    uint64_t n_bytes;
    double age;
    const char *wrong; /* why the entry is damaged; NULL: it is not */
    /* another run may be writing it: gc does not remove it, whatever the limits */
    bool is_open;
} listed;

typedef struct listing {
    bool checks_all; /* reads whole entries to compare their checksums */
    listed *entry;   /* [n] */
    size_t n, cap;
} listing;

static void listing_release(listing *l) {
    for (size_t i = 0; i < l->n; i++) {
        TRIB_FREE(l->entry[i].path, l->entry[i].stage);
    }
    trib_free(l->entry);
}

/* Copies from the entry's key the name of the part that it belongs to: the text after "part " in
 * the first line. */
static void copy_part(char part[PART_MAX], const trib_cache_entry *entry) {
    const size_t skip = strlen("part ");
    size_t n = 0;
    while (n < entry->n_about && entry->about[n] != '\n') n++;
    if (n > skip)
        snprintf(part, PART_MAX, "%.*s", (int)(n - skip < PART_MAX ? n - skip : PART_MAX - 1),
                 entry->about + skip);
}

/* A temporary file may belong to a run that is writing it. One older than a day was left by a
 * run that was killed. */
static trib_status list_file(void *context, const trib_cache_file *file, trib_error *error) {
    listing *l = context;
    trib_status status = TRIB_GROW(&l->entry, &l->cap, l->n + 1, "the entries of the cache", error);
    if (status != TRIB_OK) return status;
    listed *one = &l->entry[l->n++];
    *one = (listed){.n_bytes = file->n_bytes, .age = fmax(0, file->age)};
    status = trib_copy(&one->path, file->path, error);
    if (status == TRIB_OK) status = trib_copy(&one->stage, file->stage, error);
    if (status != TRIB_OK) return status;
    if (strchr(file->name, '.')) {
        one->is_open = file->age <= DAY;
        one->wrong = one->is_open ? NULL : "left by a run that was killed";
        snprintf(one->part, sizeof one->part, "(being written)");
        return TRIB_OK;
    }
    TRIB_OWNED(trib_cache_entry) entry = {0};
    one->wrong = trib_cache_entry_open(&entry, one->path, l->checks_all);
    if (!one->wrong) copy_part(one->part, &entry);
    return TRIB_OK;
}

static trib_status open_listing(const trib_command_line *line, bool checks_all, trib_cache **cache,
                                listing *l, trib_error *error) {
    *l = (listing){.checks_all = checks_all};
    trib_status status = trib_cache_open(cache, line->cache_directory, line->log, error);
    if (status == TRIB_OK && !*cache)
        return trib_fail(error, TRIB_USAGE,
                         "no cache: neither XDG_CACHE_HOME nor HOME is set; name a directory with "
                         "--cache-dir DIR");
    return status == TRIB_OK ? trib_cache_each(*cache, list_file, l, error) : status;
}

/* "3.2 MiB", "5 d": at least two digits. */
static const char *size_text(char text[32], double bytes) {
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    for (; bytes >= 1024 && u < 4; u++) bytes /= 1024;
    snprintf(text, 32, bytes < 10 && u > 0 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
    return text;
}

static const char *age_text(char text[32], double seconds) {
    if (seconds < 3600) snprintf(text, 32, "%.0f min", seconds / 60);
    else if (seconds < 2 * DAY) snprintf(text, 32, "%.0f h", seconds / 3600);
    else snprintf(text, 32, "%.0f d", seconds / DAY);
    return text;
}

static uint64_t sum_of(const listing *l) {
    uint64_t n = 0;
    for (size_t i = 0; i < l->n; i++) n += l->entry[i].n_bytes;
    return n;
}

static json_t *entry_json(const listed *one) {
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "stage", one->stage, "bytes",
                     (json_int_t)one->n_bytes, "age_seconds",
                     trib_json_real("age_seconds", one->age), "part", trib_json_text(one->part),
                     "file", trib_json_text(one->path), "wrong",
                     one->wrong ? json_string(one->wrong) : json_null());
}

trib_status trib_command_cache_ls(const trib_command_line *line, trib_error *error) {
    trib_cache *cache = NULL;
    listing l;
    char size[32], age[32];
    trib_status status = open_listing(line, false, &cache, &l, error);
    json_t *entries = line->json && status == TRIB_OK ? json_array() : NULL;
    for (size_t i = 0; status == TRIB_OK && i < l.n; i++) {
        const listed *one = &l.entry[i];
        if (entries) json_array_append_new(entries, entry_json(one));
        else
            trib_print(line->out, "%-10s %9s %7s  %s\n", one->stage,
                       size_text(size, (double)one->n_bytes), age_text(age, one->age),
                       one->wrong ? one->wrong : one->part);
    }
    if (entries)
        status = trib_json_print(line->out, error, "{s:o, s:I, s:o}", "directory",
                                 trib_json_text(trib_cache_directory(cache)), "bytes",
                                 (json_int_t)sum_of(&l), "entries", entries);
    else if (status == TRIB_OK)
        trib_print(line->out, "%zu entries, %s, in %s\n", l.n, size_text(size, (double)sum_of(&l)),
                   trib_cache_directory(cache));
    listing_release(&l);
    trib_cache_close(cache);
    return status;
}

static int longest_unused_first(const void *a, const void *b) {
    const listed *x = a, *y = b;
    if (x->age != y->age) return x->age < y->age ? 1 : -1;
    return strcmp(x->path, y->path);
}

static trib_status read_limit(const char *flag, const char *text, bool is_time, double *limit,
                              trib_error *error) {
    *limit = INFINITY;
    if (!text || (is_time ? trib_seconds_read(text, limit) : trib_bytes_read(text, limit)))
        return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "%s needs %s, not '%s'", flag,
                     is_time ? "a time such as '30 d' or '12 h'" : "a size such as '2 GiB'", text);
}

trib_status trib_command_cache_gc(const trib_command_line *line, trib_error *error) {
    trib_cache *cache = NULL;
    listing l = {0};
    double oldest = INFINITY, most = INFINITY;
    uint64_t n_bytes = 0;
    size_t n_gone = 0;
    char size[32];
    trib_status status = read_limit("--older-than", line->older_than, true, &oldest, error);
    if (status == TRIB_OK) status = read_limit("--max-size", line->max_size, false, &most, error);
    if (status == TRIB_OK) status = open_listing(line, true, &cache, &l, error);
    if (l.n > 1) qsort(l.entry, l.n, sizeof *l.entry, longest_unused_first);
    uint64_t left = sum_of(&l);
    for (size_t i = 0; status == TRIB_OK && i < l.n; i++) {
        const listed *one = &l.entry[i];
        if (one->is_open || (!one->wrong && one->age <= oldest && (double)left <= most)) continue;
        left -= one->n_bytes;
        /* another process removed it first */
        if (!line->dry_run && trib_disk_remove(one->path) != 0) continue;
        n_bytes += one->n_bytes;
        n_gone++;
        trib_log_say(line->log, TRIB_LOG_DEBUG, "%s: %s", one->path,
                     one->wrong ? one->wrong : "long unused");
    }
    if (status == TRIB_OK && line->json)
        status = trib_json_print(line->out, error, "{s:o, s:I, s:I, s:I}", "directory",
                                 trib_json_text(trib_cache_directory(cache)), "removed",
                                 (json_int_t)n_gone, "removed_bytes", (json_int_t)n_bytes, "bytes",
                                 (json_int_t)left);
    else if (status == TRIB_OK)
        trib_print(line->out, "%zu of %zu entries removed, %s%s\n", n_gone, l.n,
                   size_text(size, (double)n_bytes),
                   line->dry_run ? " (dry run: nothing was removed)" : "");
    listing_release(&l);
    trib_cache_close(cache);
    return status;
}
