/* change.c - what differs between the run that a directory holds and the run that is about to be
 * written there, in words. */

#include "pipeline/config/config.h"
#include "pipeline/output/directory.h"
#include "pipeline/support/json.h"

enum { NAMED = 3 }; /* names or keys of a kind that are listed; others are counted */

/* A list in the making: "added: a, b and 2 more". */
typedef struct listing {
    const char *kind, *text;
    size_t n;
} listing;

static void add(trib_arena *arena, listing *list, const char *name) {
    if (list->n++ >= NAMED) return;
    list->text = list->n == 1 ? trib_arena_print(arena, "%.100s", name)
                              : trib_arena_print(arena, "%s, %.100s", list->text, name);
}

/* Returns a sentence with the list at its end. */
static const char *append(trib_arena *arena, const char *said, const listing *list) {
    if (list->n == 0) return said;
    said = trib_arena_print(arena, "%s%s%s: %s", said, *said ? "; " : "", list->kind, list->text);
    return list->n > NAMED ? trib_arena_print(arena, "%s and %zu more", said, list->n - NAMED)
                           : said;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Compares the texts with those of manifest.json; both are sorted by id. */
static const char *compare_texts(trib_arena *arena, const trib_corpus *corpus,
                                 const json_t *inputs) {
    listing added = {.kind = "text added"}, removed = {.kind = "text removed"},
            changed = {.kind = "text changed"};
    const size_t n = json_array_size(inputs), n_documents = corpus->n_documents;
    for (size_t i = 0, d = 0; i < n || d < n_documents;) {
        const json_t *input = i < n ? json_array_get(inputs, i) : NULL;
        const trib_document *document = d < n_documents ? &corpus->document[d] : NULL;
        const char *id = input ? trib_json_get_text(input, "id") : "";
        const int order = !document ? -1 : !input ? 1 : strcmp(id, document->about->id);
        if (order < 0) add(arena, &removed, id);
        else if (order > 0) add(arena, &added, document->about->id);
        else if (strcmp(trib_json_get_text(input, "sha256"), document->sha256) != 0)
            add(arena, &changed, id);
        i += order <= 0;
        d += order >= 0;
    }
    return append(arena, append(arena, append(arena, "", &added), &removed), &changed);
}

/* ---- Settings -------------------------------------------------------------------------------- */

typedef struct comparing {
    const char *old; /* config.resolved.yaml of the directory */
    listing keys;
    trib_arena *arena;
} comparing;

/* The end of a value of a line, before the comment that names the default. */
static const char *end_of_value(const char *value) {
    static const char comment[] = "  # default: ";
    const char *end = value + strcspn(value, "\n");
    for (const char *at = end; at-- > value;)
        if (strncmp(at, comment, sizeof comment - 1) == 0) return at;
    return end;
}

/* Finds the value of a key in the lines that trib_config_write writes. NULL: it has no such key. */
static const char *find_value(const char *yaml, const char *key, size_t *length) {
    const char *dot = strchr(key, '.'), *name = dot ? dot + 1 : key;
    const size_t n_section = dot ? (size_t)(dot - key) : 0, n_name = strlen(name);
    bool is_in = !dot;
    for (const char *line = yaml; *line; line += *line == '\n') {
        const size_t indent = strspn(line, " ");
        const char *word = line + indent;
        if (indent == 0 && dot)
            is_in = strncmp(word, key, n_section) == 0 && word[n_section] == ':';
        if (is_in && indent == (dot ? 2U : 0U) && strncmp(word, name, n_name) == 0 &&
            strncmp(word + n_name, ": ", 2) == 0) {
            *length = (size_t)(end_of_value(word + n_name + 2) - (word + n_name + 2));
            return word + n_name + 2;
        }
        line += strcspn(line, "\n");
    }
    return NULL;
}

static void compare_key(void *context, const char *key, const char *value, bool is_default,
                        bool changes_result) {
    comparing *c = context;
    size_t n = 0;
    const char *old = changes_result ? find_value(c->old, key, &n) : NULL;
    (void)is_default;
    if (old && !(strlen(value) == n && strncmp(value, old, n) == 0))
        add(c->arena, &c->keys,
            trib_arena_print(c->arena, "%s %.40s instead of %.*s", key, value, n < 40 ? (int)n : 40,
                             old));
}

const char *trib_directory_change(trib_arena *arena, const trib_run_directory *dir) {
    const char *path = trib_arena_print(arena, "%s/manifest.json", dir->path), *said = "";
    comparing c = {.keys = {.kind = "settings"}, .arena = arena};
    trib_buffer yaml = {0};
    trib_error failure;
    json_t *manifest;
    if (trib_json_load(&manifest, path, &failure) != TRIB_OK)
        trib_arena_fail(arena, failure.status, "%s", failure.message);
    if (manifest) said = compare_texts(arena, dir->corpus, json_object_get(manifest, "inputs"));
    json_decref(manifest);
    path = trib_arena_print(arena, "%s/config.resolved.yaml", dir->path);
    if (trib_read_whole(path, &yaml, NULL) == TRIB_OK && yaml.text) {
        c.old = yaml.text;
        if (trib_config_each(dir->config, compare_key, &c, &failure) != TRIB_OK)
            trib_arena_fail(arena, failure.status, "%s", failure.message);
    }
    trib_buffer_release(&yaml);
    said = append(arena, said, &c.keys);
    if (*said) return said;
    return manifest ? "files that settings name, or titles, dates, roles or paths of texts differ"
                    : "its texts and settings are unknown";
}
