/* cached_why.c - reports what a run would read from the cache, what it must compute, and why. Each
 * missing part is compared with the most similar entry of the same name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/run/cached.h"

enum { MOST_REASONS = 3 };

/* An entry without its result. */
typedef struct known {
    char *key, *about; /* NUL-terminated */
} known;

/* A reason why parts must be computed, and for how many. */
typedef struct reason {
    char *text;
    uint32_t n;
} reason;

typedef struct why {
    const trib_cached_row *row;
    known *entry; /* [n_entries] */
    size_t n_entries, entry_cap;
    reason *reason; /* [n_reasons] in the order they were found */
    size_t n_reasons, reason_cap;
    size_t n_counted; /* parts that have a reason */
} why;

static void why_release(why *w) {
    for (size_t i = 0; i < w->n_entries; i++) {
        trib_free(w->entry[i].key);
        trib_free(w->entry[i].about);
    }
    for (size_t i = 0; i < w->n_reasons; i++) trib_free(w->reason[i].text);
    trib_free(w->entry);
    trib_free(w->reason);
}

static trib_status learn(void *context, const trib_cache_file *file, trib_error *error) {
    why *w = context;
    trib_cache_entry entry = {0};
    trib_reader reader;
    const char *wrong = NULL;
    if (strcmp(file->stage, w->row->stage) != 0 ||
        trib_reader_open(&reader, file->path, NULL) != TRIB_OK)
        return TRIB_OK;
    trib_status status = trib_cache_entry_read_key(&entry, &reader, &wrong, error);
    trib_reader_close(&reader);
    if (status == TRIB_OK && !wrong) {
        status = trib_grow(&w->entry, &w->entry_cap, w->n_entries + 1, sizeof *w->entry,
                           "the entries of the cache", error);
        if (status == TRIB_OK) {
            known *k = &w->entry[w->n_entries++];
            *k = (known){0};
            status = trib_copy_text(&k->key, entry.key, entry.n_key, error);
            if (status == TRIB_OK)
                status = trib_copy_text(&k->about, entry.about, entry.n_about, error);
        }
    }
    trib_cache_entry_release(&entry);
    return status;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* The value in the line that begins with this name, or NULL; *length is its length. */
static const char *value_of(const char *text, const char *name, size_t n_name, size_t *length) {
    for (const char *line = text; *line; line = next_line(line))
        if (strncmp(line, name, n_name) == 0 && line[n_name] == ' ') {
            *length = strcspn(line + n_name + 1, "\n");
            return line + n_name + 1;
        }
    return NULL;
}

/* Whether the other text also contains the line at `line`. */
static bool stands_in(const char *line, const char *text) {
    const size_t length = strcspn(line, "\n");
    for (const char *other = text; *other; other = next_line(other))
        if (strcspn(other, "\n") == length && strncmp(other, line, length) == 0) return true;
    return false;
}

static size_t n_differing(const char *text, const char *other) {
    size_t n = 0;
    for (const char *line = text; *line; line = next_line(line)) n += !stands_in(line, other);
    return n;
}

/* ---- Reasons --------------------------------------------------------------------------------- */

typedef bool (*is_asked)(const char *key);

/* Whether a line is a setting, and whether it is a setting that decides the n-grams of a text. */
static bool is_setting(const char *key) { return strchr(key, '.') != NULL; }
static bool makes_texts(const char *key) {
    return is_setting(key) &&
           (trib_cached_depends("tokens", key) || trib_cached_depends("vocabulary", key) ||
            strcmp(key, "tensor.n") == 0);
}

/* Adds "NAME changed from OLD to NEW" for every line of `now` that `asked` selects and that differs
 * in `then`. Adds the number of such lines to *n. */
static trib_status add_changes(trib_buffer *to, const char *then, const char *now, is_asked asked,
                               size_t *n, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const char *line = now; *line && status == TRIB_OK; line = next_line(line)) {
        const size_t n_name = strcspn(line, " \n");
        size_t n_then = 0;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)n_name, line);
        if (line[n_name] != ' ' || !asked(name) || stands_in(line, then)) continue;
        const char *value = line + n_name + 1, *old = value_of(then, line, n_name, &n_then);
        status = trib_buffer_print(
            to, error, "%s%.*s changed from %.*s to %.*s", to->length > 0 ? ", " : "", (int)n_name,
            line, old ? (int)n_then : 7, old ? old : "nothing", (int)strcspn(value, "\n"), value);
        ++*n;
    }
    return status;
}

/* Describes how the key of an entry differs from that of a part. */
static trib_status compare(trib_buffer *to, const known *entry, const char *key, const char *about,
                           trib_error *error) {
    static const struct {
        const char *line, *reason;
    } plain[] = {{"program", "another build of the program"},
                 {"kernels", "another processor"},
                 {"file", "the file changed"},
                 {"kind", "it is taken for another kind of file"},
                 {"reader", "another version of what reads it"},
                 {"cut", "other words are in the vocabulary"},
                 {"order", "the order of n-grams is needed"},
                 {"corpus", "the corpus changed"},
                 {"vocabulary", "the vocabulary changed"}};
    size_t n = 0, n_text = 0, n_then = 0, n_now = 0;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof plain / sizeof *plain && status == TRIB_OK; i++) {
        const char *now = value_of(key, plain[i].line, strlen(plain[i].line), &n_now);
        if (now && !stands_in(now - strlen(plain[i].line) - 1, entry->key))
            status =
                trib_buffer_print(to, error, "%s%s", to->length > 0 ? ", " : "", plain[i].reason);
    }
    if (status == TRIB_OK) status = add_changes(to, entry->key, key, is_setting, &n, error);
    const char *text = value_of(key, "text", 4, &n_text);
    const char *sources = value_of(key, "sources", 7, &n_now);
    const char *old = value_of(entry->key, "sources", 7, &n_then);
    const bool other_text = text && !stands_in(text - 5, entry->key);
    const bool other_sources = sources && !stands_in(sources - 8, entry->key);
    n = 0;
    if (status == TRIB_OK && (other_text || other_sources))
        status = add_changes(to, entry->about, about, makes_texts, &n, error);
    if (status == TRIB_OK && other_text && n == 0)
        status = trib_buffer_print(to, error, "%stexts changed", to->length > 0 ? ", " : "");
    if (status == TRIB_OK && other_sources && n == 0 && old)
        status = trib_buffer_print(to, error, "%ssources changed", to->length > 0 ? ", " : "");
    if (status == TRIB_OK && to->length == 0)
        status = trib_buffer_print(to, error, "something else changed");
    return status;
}

static trib_status count_reason(why *w, const char *text, trib_error *error) {
    w->n_counted++;
    for (size_t i = 0; i < w->n_reasons; i++)
        if (strcmp(w->reason[i].text, text) == 0) {
            w->reason[i].n++;
            return TRIB_OK;
        }
    trib_status status = trib_grow(&w->reason, &w->reason_cap, w->n_reasons + 1, sizeof *w->reason,
                                   "reasons", error);
    if (status != TRIB_OK) return status;
    w->reason[w->n_reasons] = (reason){.n = 1};
    status = trib_copy_text(&w->reason[w->n_reasons].text, text, strlen(text), error);
    if (status == TRIB_OK) w->n_reasons++;
    return status;
}

/* Explains why a part is missing: compares its key with the most similar entry of the same part. */
static trib_status explain(why *w, const char *key, const char *about, trib_error *error) {
    const known *nearest = NULL;
    size_t least = SIZE_MAX;
    trib_buffer text = {0};
    for (size_t i = 0; i < w->n_entries; i++) {
        if (!stands_in(about, w->entry[i].about)) continue; /* the first line names the part */
        const size_t n = n_differing(key, w->entry[i].key);
        if (n < least) least = n, nearest = &w->entry[i];
    }
    trib_status status = nearest ? compare(&text, nearest, key, about, error)
                                 : trib_buffer_print(&text, error, "new");
    if (status == TRIB_OK) status = count_reason(w, text.text, error);
    trib_buffer_release(&text);
    return status;
}

/* Whether the cache has a complete entry for a key. Counts the reason when an entry lacks
 * something. */
static trib_status look_at_entry(trib_run *run, why *w, uint32_t part, const trib_buffer *key,
                                 bool *is_there, trib_error *error) {
    trib_cache_entry entry = {0};
    trib_buffer lacks = {0};
    *is_there = trib_cache_has(run->cache, w->row->stage, key);
    if (!*is_there || !w->row->check) return TRIB_OK;
    trib_status status = trib_cache_find(run->cache, w->row->stage, key, &entry, is_there, error);
    if (status == TRIB_OK && *is_there)
        status = w->row->check(run, part, &entry.result, &lacks, error);
    if (status == TRIB_OK && lacks.length > 0) {
        *is_there = false;
        status = count_reason(w, lacks.text, error);
    }
    trib_cache_entry_release(&entry);
    trib_buffer_release(&lacks);
    return status;
}

static trib_status look_at_part(trib_run *run, why *w, uint32_t part, bool *is_there,
                                trib_error *error) {
    trib_buffer key = {0}, about = {0};
    const size_t n_reasons = w->n_counted;
    trib_status status = trib_cached_key(run, w->row, part, &key, error);
    if (status == TRIB_OK) status = look_at_entry(run, w, part, &key, is_there, error);
    if (status == TRIB_OK && !*is_there && w->n_counted == n_reasons) {
        if (w->n_entries == 0) status = trib_cache_each(run->cache, learn, w, error);
        if (status == TRIB_OK) status = trib_cached_about(run, w->row, part, &about, error);
        if (status == TRIB_OK) status = explain(w, key.text, about.text, error);
    }
    trib_buffer_release(&key);
    trib_buffer_release(&about);
    return status;
}

static int by_number(const void *a, const void *b) {
    const reason *x = a, *y = b;
    return (x->n < y->n) - (x->n > y->n);
}

trib_status trib_cached_report(trib_run *run, const trib_cached_row *row, trib_error *error) {
    why w = {.row = row};
    const uint32_t n_parts = row->count(run);
    uint32_t n = 0, n_there = 0;
    trib_buffer text = {0};
    trib_status status = TRIB_OK;
    for (uint32_t part = 0; part < n_parts && status == TRIB_OK; part++) {
        bool is_there = false;
        if (row->is_kept && !row->is_kept(run, part)) continue;
        status = look_at_part(run, &w, part, &is_there, error);
        n++;
        n_there += is_there;
    }
    if (w.n_reasons > 1) qsort(w.reason, w.n_reasons, sizeof *w.reason, by_number);
    for (size_t i = 0; i < w.n_reasons && i < MOST_REASONS && status == TRIB_OK; i++)
        status = trib_buffer_print(&text, error, "%s %s", i > 0 ? ";" : "", w.reason[i].text);
    if (status == TRIB_OK && w.n_reasons > MOST_REASONS)
        status = trib_buffer_print(&text, error, "; and other reasons");
    if (status == TRIB_OK && n_there == n)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s: cached: %u of %u%s%s%s", row->stage,
                     (unsigned)n, (unsigned)n, row->note ? " (" : "", row->note ? row->note : "",
                     row->note ? ")" : "");
    else if (status == TRIB_OK)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "%s: to do: %u of %u:%s", row->stage,
                     (unsigned)(n - n_there), (unsigned)n, text.text);
    trib_buffer_release(&text);
    why_release(&w);
    return status;
}
