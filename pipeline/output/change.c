/* change.c - what differs between the run that a directory holds and the run that is about to be
 * written there, in words. */
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/output/directory.h"
#include "pipeline/support/json.h"

enum { NAMED = 3 }; /* names or keys of a kind that are listed; others are counted */

/* A list in the making: "added: a, b and 2 more". */
typedef struct listing {
    const char *kind;
    size_t n;
    trib_buffer text;
} listing;

static trib_status add(listing *list, const char *name, trib_error *error) {
    if (list->n++ >= NAMED) return TRIB_OK;
    return trib_buffer_print(&list->text, error, "%s%.100s", list->n == 1 ? "" : ", ", name);
}

/* Appends the list to the sentence and releases it. */
static trib_status finish(listing *list, trib_buffer *to, trib_error *error) {
    trib_status status = TRIB_OK;
    if (list->n > 0)
        status = trib_buffer_print(to, error, "%s%s: %s", to->length > 0 ? "; " : "", list->kind,
                                   list->text.text);
    if (status == TRIB_OK && list->n > NAMED)
        status = trib_buffer_print(to, error, " and %zu more", list->n - NAMED);
    trib_buffer_release(&list->text);
    return status;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Compares the texts with those of manifest.json; both are sorted by id. */
static trib_status compare_texts(const trib_corpus *corpus, const json_t *inputs, trib_buffer *to,
                                 trib_error *error) {
    listing added = {.kind = "text added"}, removed = {.kind = "text removed"},
            changed = {.kind = "text changed"};
    const size_t n = json_array_size(inputs), n_documents = corpus->n_documents;
    trib_status status = TRIB_OK;
    for (size_t i = 0, d = 0; (i < n || d < n_documents) && status == TRIB_OK;) {
        const json_t *input = i < n ? json_array_get(inputs, i) : NULL;
        const trib_document *document = d < n_documents ? &corpus->document[d] : NULL;
        const char *id = input ? trib_json_get_text(input, "id") : "";
        const int order = !document ? -1 : !input ? 1 : strcmp(id, document->about->id);
        if (order < 0) status = add(&removed, id, error);
        else if (order > 0) status = add(&added, document->about->id, error);
        else if (strcmp(trib_json_get_text(input, "sha256"), document->sha256) != 0)
            status = add(&changed, id, error);
        i += order <= 0;
        d += order >= 0;
    }
    const trib_status one = finish(&added, to, error), two = finish(&removed, to, error),
                      three = finish(&changed, to, error);
    return status != TRIB_OK ? status : one != TRIB_OK ? one : two != TRIB_OK ? two : three;
}

/* ---- Settings -------------------------------------------------------------------------------- */

typedef struct comparing {
    const char *old; /* config.resolved.yaml of the directory */
    listing keys;
    trib_status status;
    trib_error *error;
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
    trib_buffer said = {0};
    (void)is_default;
    if (c->status != TRIB_OK || !old || (strlen(value) == n && strncmp(value, old, n) == 0)) return;
    c->status = trib_buffer_print(&said, c->error, "%s %.40s instead of %.*s", key, value,
                                  n < 40 ? (int)n : 40, old);
    if (c->status == TRIB_OK) c->status = add(&c->keys, said.text, c->error);
    trib_buffer_release(&said);
}

static trib_status compare_settings(const trib_config *config, const char *path, trib_buffer *to,
                                    trib_error *error) {
    trib_buffer yaml = {0};
    comparing c = {.keys = {.kind = "settings"}, .error = error};
    if (trib_read_whole(path, &yaml, NULL) == TRIB_OK && yaml.text) {
        c.old = yaml.text;
        c.status = trib_config_each(config, compare_key, &c, error);
    }
    trib_buffer_release(&yaml);
    const trib_status status = finish(&c.keys, to, error);
    return c.status != TRIB_OK ? c.status : status;
}

trib_status trib_directory_change(const char *directory, const trib_config *config,
                                  const trib_corpus *corpus, trib_buffer *to, trib_error *error) {
    char *path = NULL;
    trib_status status = trib_path_join(&path, directory, "manifest.json", error);
    if (status != TRIB_OK) return status;
    json_t *manifest = json_load_file(path, 0, NULL);
    trib_free(path);
    path = NULL;
    if (manifest) status = compare_texts(corpus, json_object_get(manifest, "inputs"), to, error);
    json_decref(manifest);
    if (status == TRIB_OK) status = trib_path_join(&path, directory, "config.resolved.yaml", error);
    if (status == TRIB_OK) status = compare_settings(config, path, to, error);
    if (status == TRIB_OK && to->length == 0)
        status = trib_buffer_print(to, error, "%s",
                                   manifest ? "files that settings name, or titles, dates, roles "
                                              "or paths of texts differ"
                                            : "its texts and settings are unknown");
    trib_free(path);
    return status;
}
