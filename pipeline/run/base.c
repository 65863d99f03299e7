/* base.c - reads the run that is extended, and compares its texts and settings with those of this
 * run. */
#include "pipeline/run/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/support/json.h"

/* ---- Settings -------------------------------------------------------------------------------- */

/* The settings of one run, while they are compared with those of the other. */
typedef struct settings {
    trib_buffer text; /* KEY, a tab, VALUE and a NUL for each */
    const char *at;   /* the next to compare */
    char key[128], here[256], there[256];
    trib_error failure;
} settings;

/* What may differ: what names the texts, and what is written. */
static bool may_differ(const char *key) {
    static const char *const free_keys[] = {"name", "preset", "corpus.target", "report."};
    for (size_t i = 0; i < sizeof free_keys / sizeof *free_keys; i++) {
        const size_t n = strlen(free_keys[i]);
        if (free_keys[i][n - 1] == '.' ? strncmp(key, free_keys[i], n) == 0
                                       : strcmp(key, free_keys[i]) == 0)
            return strcmp(key, "report.top_phrases") != 0;
    }
    return false;
}

static void list_setting(void *context, const char *key, const char *value, bool is_default,
                         bool changes_result) {
    settings *s = context;
    (void)is_default;
    if (s->failure.status == TRIB_OK && changes_result && !may_differ(key))
        (void)trib_buffer_print(&s->text, &s->failure, "%s\t%s\n", key, value);
}

static void compare_setting(void *context, const char *key, const char *value, bool is_default,
                            bool changes_result) {
    settings *s = context;
    const size_t n = strlen(key);
    (void)is_default;
    if (!changes_result || may_differ(key)) return;
    const char *const line = s->at;
    const size_t length = strcspn(line, "\n");
    s->at += length + (line[length] == '\n');
    const bool is_same = length == n + 1 + strlen(value) && strncmp(line, key, n) == 0 &&
                         line[n] == '\t' && strncmp(line + n + 1, value, strlen(value)) == 0;
    if (is_same || *s->key) return;
    snprintf(s->key, sizeof s->key, "%s", key);
    snprintf(s->here, sizeof s->here, "%s", value);
    snprintf(s->there, sizeof s->there, "%.*s", (int)(length > n ? length - n - 1 : 0),
             length > n ? line + n + 1 : "");
}

static trib_status check_settings(const trib_run *run, const trib_config *base, trib_error *error) {
    settings s = {.key = ""};
    trib_status status = trib_config_each(base, list_setting, &s, error);
    if (status == TRIB_OK && s.failure.status != TRIB_OK) {
        if (error) *error = s.failure;
        status = s.failure.status;
    }
    s.at = s.text.text ? s.text.text : "";
    if (status == TRIB_OK) status = trib_config_each(run->env.config, compare_setting, &s, error);
    trib_buffer_release(&s.text);
    if (status == TRIB_OK && *s.key)
        status = trib_fail(error, TRIB_CONFIG,
                           "%s is %s here and %s in the run %s; texts are added under the settings "
                           "of that run: use them, or run all texts without --add-to",
                           s.key, s.here, s.there, run->add_to);
    if (status == TRIB_OK && trib_config_candidates(base) == 0)
        status = trib_fail(error, TRIB_CONFIG,
                           "the run %s measured every source, since it has few texts; run all "
                           "texts without --add-to (influence.candidates makes a run that can be "
                           "extended)",
                           run->add_to);
    return status;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Finds a document of the base in the corpus, from number *d on. */
static trib_status find_document(trib_run *run, const trib_corpus_document *about,
                                 const char *sha256, uint32_t *d, trib_error *error) {
    trib_corpus *corpus = &run->corpus;
    while (*d < corpus->n_documents && strcmp(corpus->document[*d].about->id, about->id) < 0) ++*d;
    const trib_document *document = &corpus->document[*d];
    if (*d == corpus->n_documents || strcmp(document->about->id, about->id) != 0)
        return trib_fail(error, TRIB_CONFIG,
                         "the text '%s' of the run %s is not among the documents; --add-to needs "
                         "all of them, and the added ones",
                         about->id, run->add_to);
    if (!sha256 || strcmp(sha256, document->sha256) != 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: the text '%s' is not the one of the run %s (its SHA-256 differs); "
                         "restore it, give an added text an id of its own, or run all texts "
                         "without --add-to",
                         document->about->path, about->id, run->add_to);
    const bool has_dates = (document->about->date != NULL) == (about->date != NULL) &&
                           (!about->date || (document->about->year == about->year &&
                                             document->about->year_end == about->year_end));
    const char *here = document->about->language, *there = about->language;
    const bool has_language = (here && there) ? strcmp(here, there) == 0 : here == there;
    return has_dates && has_language && document->about->role == about->role
               ? TRIB_OK
               : trib_fail(error, TRIB_CONFIG,
                           "the text '%s' has another date, role or language than in the run %s; "
                           "run all texts without --add-to",
                           about->id, run->add_to);
}

static trib_status find_documents(trib_run *run, const trib_config *config, const json_t *manifest,
                                  trib_error *error) {
    static const char what[] = "the texts of the run that is extended";
    trib_corpus *corpus = &run->corpus;
    trib_corpus_base *base = &corpus->base;
    const json_t *inputs = json_object_get(manifest, "inputs");
    const uint32_t n = config->corpus.n_documents, n_all = corpus->n_documents;
    trib_status status = TRIB_NEW(&base->number, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&base->is_added, n_all, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&base->was_target, n_all, what, error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < n_all; d++) base->is_added[d] = true;
    for (uint32_t b = 0, d = 0; b < n && status == TRIB_OK; b++) { /* both are sorted by id */
        const trib_corpus_document *about = &config->corpus.document[b];
        const json_t *input = json_array_get(inputs, b);
        const char *id = json_string_value(json_object_get(input, "id"));
        if (!id || strcmp(id, about->id) != 0)
            return trib_fail(error, TRIB_USAGE,
                             "%s: manifest.json does not have the texts of config.resolved.yaml; "
                             "the run was altered",
                             run->add_to);
        status = find_document(run, about, json_string_value(json_object_get(input, "sha256")), &d,
                               error);
        if (status != TRIB_OK) break;
        base->number[b] = d;
        base->is_added[d] = false;
        base->was_target[d] = trib_config_is_target(config, about);
    }
    base->n_documents = n;
    base->n_added = n_all - n;
    return status;
}

/* ---- The run --------------------------------------------------------------------------------- */

static trib_status read_manifest(const char *directory, json_t **manifest, trib_error *error) {
    char path[TRIB_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/SHA256SUMS", directory) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", directory);
    if (!trib_disk_has(path))
        return trib_fail(error, TRIB_USAGE, "%s: not a finished run (no SHA256SUMS)", directory);
    snprintf(path, sizeof path, "%s/manifest.json", directory);
    const trib_status status = trib_json_load(manifest, path, error);
    if (status != TRIB_OK) return status;
    const char *hash = trib_json_get_text(*manifest, "hash");
    if (strlen(hash) != TRIB_SHA256_TEXT - 1)
        return trib_fail(error, TRIB_USAGE, "%s: not the manifest of a run", path);
    return json_object_get(*manifest, "base")
               ? trib_fail(error, TRIB_USAGE,
                           "%s: this run was itself extended; name the run that it extends, with "
                           "all texts that were added since",
                           directory)
               : TRIB_OK;
}

trib_status trib_base_hash(trib_run *run, trib_error *error) {
    trib_corpus *corpus = &run->corpus;
    trib_sha256 *hash = NULL;
    const trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(hash, corpus->hash, TRIB_SHA256_TEXT);
    trib_sha256_add(hash, corpus->base.hash, TRIB_SHA256_TEXT);
    trib_sha256_add(hash, run->only_changed ? "changed" : "all", 3);
    trib_sha256_close(hash, corpus->hash);
    return TRIB_OK;
}

static trib_status check_texts(const trib_run *run, trib_error *error) {
    for (uint32_t d = 0; d < run->corpus.n_documents; d++)
        if (run->corpus.document[d].rejected)
            return trib_fail(error, TRIB_INPUT, "%s", run->corpus.document[d].rejected);
    return TRIB_OK;
}

/* Removes the targets of the base for which `keeps` is false. */
static void keep_targets(trib_run *run, bool (*keeps)(const trib_run *run, const trib_target *t)) {
    trib_corpus *corpus = &run->corpus;
    uint32_t n = 0;
    for (uint32_t t = 0; t < corpus->n_targets; t++) {
        trib_target *target = &corpus->target[t];
        if (corpus->base.was_target[target->document] && !keeps(run, target)) {
            trib_free(target->source);
            continue;
        }
        corpus->target[n++] = *target;
    }
    for (uint32_t t = n; t < corpus->n_targets; t++) corpus->target[t] = (trib_target){0};
    corpus->base.n_unchanged += corpus->n_targets - n;
    corpus->n_targets = n;
}

static trib_status check_targets(const trib_run *run, trib_error *error) {
    return run->corpus.n_targets > 0
               ? TRIB_OK
               : trib_fail(error, TRIB_CONFIG,
                           "nothing to measure: the added texts (%u) are no targets and change no "
                           "target of the run %s, whose results stand",
                           (unsigned)run->corpus.base.n_added, run->add_to);
}

static bool may_have_added_source(const trib_run *run, const trib_target *target) {
    const trib_corpus *corpus = &run->corpus;
    bool may = false;
    for (uint32_t d = 0; d < corpus->n_documents && !may; d++)
        may = corpus->base.is_added[d] &&
              trib_config_is_source(run->env.config, corpus->document[d].about,
                                    corpus->document[target->document].about);
    return may;
}

trib_status trib_base_open(trib_run *run, trib_error *error) {
    char path[TRIB_PATH_MAX];
    trib_corpus_base *base = &run->corpus.base;
    trib_config config = {0};
    json_t *manifest = NULL;
    if (!run->add_to) return TRIB_OK;
    trib_status status = trib_disk_seal(run->add_to, error); /* until the run is released */
    if (status == TRIB_OK) status = check_texts(run, error);
    if (status == TRIB_OK) status = read_manifest(run->add_to, &manifest, error);
    if (status == TRIB_OK &&
        snprintf(path, sizeof path, "%s/config.resolved.yaml", run->add_to) >= (int)sizeof path)
        status = trib_fail(error, TRIB_USAGE, "%s: path too long", run->add_to);
    if (status == TRIB_OK)
        status = trib_config_load(&config, path, NULL, 0, trib_config_log, run->env.log, error);
    if (status == TRIB_OK) status = check_settings(run, &config, error);
    if (status == TRIB_OK) status = find_documents(run, &config, manifest, error);
    if (status == TRIB_OK) {
        memcpy(base->hash, trib_json_get_text(manifest, "hash"), TRIB_SHA256_TEXT);
        base->only_changed = run->only_changed;
        status = trib_base_hash(run, error);
    }
    if (status == TRIB_OK && run->only_changed) {
        keep_targets(run, may_have_added_source);
        status = check_targets(run, error);
    }
    if (status == TRIB_OK)
        trib_log_say(run->env.log, TRIB_LOG_INFO, "corpus: %u texts are added to the %u of %s",
                     (unsigned)base->n_added, (unsigned)base->n_documents, run->add_to);
    json_decref(manifest);
    trib_config_release(&config);
    return status;
}

static bool has_added_source(const trib_run *run, const trib_target *target) {
    for (uint32_t s = 0; s < target->n_sources; s++)
        if (run->corpus.base.is_added[target->source[s]]) return true;
    return false;
}

trib_status trib_base_keep_changed(trib_run *run, trib_error *error) {
    if (!run->corpus.base.only_changed) return TRIB_OK;
    trib_corpus *corpus = &run->corpus;
    keep_targets(run, has_added_source);
    memset(corpus->is_measured, 0, corpus->n_documents * sizeof *corpus->is_measured);
    for (uint32_t t = 0; t < corpus->n_targets; t++) trib_corpus_measure(corpus, t);
    trib_log_say(run->env.log, TRIB_LOG_INFO,
                 "candidates: %u targets are measured; %u of the run that is extended have no "
                 "added source and are left out",
                 (unsigned)run->corpus.n_targets, (unsigned)run->corpus.base.n_unchanged);
    return check_targets(run, error);
}

trib_status trib_base_view(const trib_corpus *corpus, trib_corpus *view, trib_error *error) {
    const trib_corpus_base *base = &corpus->base;
    *view = (trib_corpus){.n_documents = base->n_documents};
    const trib_status status = TRIB_NEW(&view->document, base->n_documents,
                                        "the texts of the run that is extended", error);
    for (uint32_t b = 0; b < base->n_documents && status == TRIB_OK; b++)
        view->document[b] = corpus->document[base->number[b]];
    return status;
}
