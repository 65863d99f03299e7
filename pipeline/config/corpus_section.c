/* corpus_section.c - finds the documents of a configuration, whichever way they are listed, and
 * sorts them by id. */
#include "pipeline/config/loading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/text/jsonl.h"
#include "pipeline/text/text_formats.h"

/* ---- Manifests ------------------------------------------------------------------------------- */

/* Keys a manifest may contain besides `documents`. The loader ignores them. */
static const char *const manifest_keys[] = {"documents", "title", "notes", "obtain", NULL};

static trib_status read_manifest(trib_loading *l) {
    const trib_yaml *yaml = &l->manifest;
    const size_t n_errors = l->diagnostics.n_errors;
    trib_status status = trib_yaml_read(&l->manifest, l->listing_path, &l->diagnostics, l->error);
    if (status != TRIB_OK || l->diagnostics.n_errors > n_errors) return status;
    const uint32_t documents = trib_yaml_is_empty(yaml) ? 0 : trib_yaml_find(yaml, 1, "documents");
    if (!documents) {
        trib_diagnose(&l->diagnostics, (trib_place){.source = &yaml->source}, "no 'documents'");
        return TRIB_OK;
    }
    for (uint32_t k = trib_yaml_first(yaml, 1); k;
         k = trib_yaml_next(yaml, trib_yaml_next(yaml, k))) {
        trib_guess guess = {.word = trib_yaml_text(yaml, k)};
        size_t i = 0;
        for (; manifest_keys[i] && strcmp(manifest_keys[i], guess.word) != 0; i++)
            trib_guess_try(&guess, manifest_keys[i]);
        if (!manifest_keys[i])
            trib_diagnose(&l->diagnostics, trib_yaml_place(yaml, k),
                          "unknown key '%s' in a manifest%s", guess.word, trib_guess_hint(&guess));
    }
    return trib_listing_yaml(&l->listing, yaml, documents, true, &l->diagnostics, l->error);
}

static bool ends_in(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* Reads a manifest in JSON Lines. The text of a document is in its line or in a file of its own. */
static trib_status read_lines(trib_loading *l) {
    const trib_config *config = l->config;
    char *root = NULL, *file = NULL;
    trib_error why = {0};
    trib_status status = trib_path_join(&root, config->directory,
                                        config->corpus.root ? config->corpus.root : ".", l->error);
    if (status == TRIB_OK) status = trib_path_relative(&file, root, l->listing_path, l->error);
    if (status == TRIB_OK)
        status = trib_listing_lines(&l->listing, &(trib_lines){l->listing_path, file, NULL},
                                    &l->diagnostics, &why);
    if (status == TRIB_INPUT) {
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "corpus.manifest", 0), "%s",
                      why.message);
        status = TRIB_OK;
    } else if (why.status != TRIB_OK) trib_fail(l->error, status, "%s", why.message);
    TRIB_FREE(root, file);
    return status;
}

/* Reads the first sheet of a workbook into l->table. */
static trib_status read_workbook(trib_loading *l, bool *readable) {
    trib_reader reader = {.file = -1};
    trib_buffer bytes = {0};
    trib_error why = {0};
    l->table = (trib_source){.name = l->listing_path};
    trib_status status = trib_reader_open(&reader, l->listing_path, &why);
    if (status == TRIB_OK) status = trib_reader_all(&reader, &bytes, &why);
    trib_reader_close(&reader);
    if (status == TRIB_OK)
        status = trib_xlsx_table(
            &l->table.text,
            (trib_markup_bytes){l->listing_path, bytes.text ? bytes.text : "", bytes.length}, &why);
    trib_buffer_release(&bytes);
    *readable = status == TRIB_OK;
    if (status == TRIB_OK) return TRIB_OK;
    if (status != TRIB_INPUT) return trib_fail(l->error, status, "%s", why.message);
    trib_diagnose(&l->diagnostics, trib_loading_place(l, "corpus.manifest", 0), "%s", why.message);
    return TRIB_OK;
}

/* Reads the file that corpus.manifest names. When corpus.root is not set, the directory of that
 * file becomes the root. */
static trib_status read_listing_file(trib_loading *l) {
    trib_config *config = l->config;
    const char *manifest = config->corpus.manifest;
    bool readable = false;
    trib_status status = TRIB_OK;
    if (!config->corpus.root) {
        status = trib_path_directory(&config->corpus.root, manifest, l->error);
        if (status == TRIB_OK && strcmp(config->corpus.root, ".") == 0) {
            trib_free(config->corpus.root);
            config->corpus.root = NULL;
        }
    }
    if (status == TRIB_OK)
        status = trib_path_join(&l->listing_path, config->directory, manifest, l->error);
    if (status != TRIB_OK) return status;
    const bool tsv = ends_in(manifest, ".tsv") || ends_in(manifest, ".tab");
    if (trib_jsonl_is_named(manifest) && !trib_jsonl_is_table(manifest)) return read_lines(l);
    const bool is_workbook = trib_xlsx_is_named(manifest);
    if (!tsv && !is_workbook && !ends_in(manifest, ".csv")) return read_manifest(l);
    status = is_workbook ? read_workbook(l, &readable)
                         : trib_source_read(&l->table, l->listing_path, &readable, &l->diagnostics,
                                            l->error);
    if (status != TRIB_OK || !readable) return status;
    return trib_listing_table(&l->listing, &l->table, tsv ? '\t' : ',', &l->diagnostics, l->error);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static void check_unique(trib_loading *l) {
    const trib_listed *first = l->listing.item;
    for (size_t i = 1; i < l->listing.n; i++) {
        const trib_listed *item = &l->listing.item[i];
        const char *id = item->about.id;
        if (strcmp(first->about.id, id) != 0) {
            first = item;
            continue;
        }
        if (!*id) continue; /* an error was already reported */
        const bool is_same = item->place.source == first->place.source &&
                             item->place.line == first->place.line &&
                             item->place.column == first->place.column;
        if (is_same && first->about.file && item->about.file &&
            strcmp(first->about.file, item->about.file) == 0)
            trib_diagnose(&l->diagnostics, item->place,
                          "'%s' is in its archive twice; pack it again with one of them",
                          item->about.file);
        else if (l->config->corpus.glob || is_same || item->place.source != first->place.source)
            trib_diagnose(&l->diagnostics, item->place,
                          "'%s' and '%s' would both have the id '%s'; list them under "
                          "'documents' with ids of their own",
                          first->about.file, item->about.file, id);
        else
            trib_diagnose(&l->diagnostics, item->place,
                          "duplicate id '%s'; the first is on line %u", id, first->place.line);
    }
}

static bool is_input(const trib_corpus_document *document) {
    return document->file && strcmp(document->file, "-") == 0;
}

/* Reports a second document that names standard input, which can be read only once. */
static void check_input(trib_loading *l) {
    bool is_listed = false;
    for (size_t i = 0; i < l->listing.n; i++) {
        if (!is_input(&l->listing.item[i].about)) continue;
        if (is_listed)
            trib_diagnose(&l->diagnostics, l->listing.item[i].place,
                          "standard input ('-') can be one document only");
        is_listed = true;
    }
}

/* A manifest with `obtain` may come from somebody else; the command `fetch` writes such manifests.
 * Its file names must stay below the root that the experiment sets. A manifest without `obtain` was
 * written by the user and may name absolute paths. */
static void check_inside(trib_loading *l) {
    const bool is_own =
        trib_yaml_is_empty(&l->manifest) || !trib_yaml_find(&l->manifest, 1, "obtain");
    for (size_t i = 0; i < l->listing.n; i++) {
        const trib_listed *item = &l->listing.item[i];
        const char *file = item->about.file;
        if (!file || item->about.path || !trib_path_leads_out(file) || (is_own && *file == '/'))
            continue;
        trib_diagnose(&l->diagnostics, item->place,
                      "'%s' is outside the folder of texts; %s names files below corpus.root%s",
                      file, is_own ? "a manifest" : "a manifest with 'obtain'",
                      is_own ? ", or absolute paths" : "");
    }
}

/* A script named `obtain` may lie beside the manifest (as in corpora/); it writes the texts to the
 * folder `texts` beside it. When that folder is the root, the message about missing texts suggests
 * this command. */
static trib_status find_obtain(trib_loading *l, const char *root) {
    const trib_yaml *yaml = &l->manifest;
    const uint32_t obtain = trib_yaml_is_empty(yaml) ? 0 : trib_yaml_find(yaml, 1, "obtain");
    const bool is_map = obtain && trib_yaml_kind_of(yaml, obtain) == TRIB_YAML_MAP;
    const uint32_t kind = is_map ? trib_yaml_find(yaml, obtain, "kind") : 0;
    if (!kind || trib_yaml_kind_of(yaml, kind) != TRIB_YAML_SCALAR ||
        strcmp(trib_yaml_text(yaml, kind), "folder") == 0)
        return TRIB_OK;
    char *beside = NULL, *script = NULL, *texts = NULL, *name = NULL;
    trib_buffer command = {0};
    trib_status status = trib_path_directory(&beside, l->listing_path, l->error);
    if (status == TRIB_OK) status = trib_path_join(&script, beside, "obtain", l->error);
    if (status == TRIB_OK) status = trib_path_join(&texts, beside, "texts", l->error);
    if (status == TRIB_OK) status = trib_path_stem(&name, l->listing_path, l->error);
    if (status == TRIB_OK && access(script, X_OK) == 0 && strcmp(root, texts) == 0) {
        status = trib_buffer_print(&command, l->error, "%s %s", script, name);
        if (status == TRIB_OK)
            status =
                trib_copy_text(&l->config->corpus.obtain, command.text, command.length, l->error);
    }
    trib_buffer_release(&command);
    TRIB_FREE(beside, script, texts, name);
    return status;
}

const char *trib_config_obtain(const trib_config *config, char remedy[TRIB_OBTAIN_MAX]) {
    *remedy = '\0';
    for (uint32_t d = 0; config->corpus.obtain && d < config->corpus.n_documents; d++) {
        const char *path = config->corpus.document[d].path;
        if (access(path, F_OK) == 0 || errno != ENOENT) continue;
        snprintf(remedy, TRIB_OBTAIN_MAX, "; `%s` obtains the missing texts",
                 config->corpus.obtain);
        break;
    }
    return remedy;
}

/* Sets the paths of the documents, once the root is known. */
static trib_status find_paths(trib_loading *l, const char *root) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < l->listing.n && status == TRIB_OK; i++) {
        trib_corpus_document *document = &l->listing.item[i].about;
        if (document->file && !document->path)
            status = trib_path_join(&document->path, is_input(document) ? "." : root,
                                    document->file, l->error);
    }
    return status;
}

/* Moves the documents from the listing to the configuration. */
static trib_status take_over(trib_loading *l) {
    trib_config *config = l->config;
    trib_status status = TRIB_NEW(&config->corpus.document, l->listing.n, "documents", l->error);
    if (status != TRIB_OK) return status;
    /* fits: at most one document per byte of 16 MiB */
    config->corpus.n_documents = (uint32_t)l->listing.n;
    for (size_t i = 0; i < l->listing.n; i++) {
        config->corpus.document[i] = l->listing.item[i].about;
        l->listing.item[i].about = (trib_corpus_document){.file = NULL};
    }
    config->corpus.left_out = l->listing.left_out;
    config->corpus.n_left_out = l->listing.n_left_out;
    l->listing.left_out = NULL;
    l->listing.n_left_out = 0;
    return TRIB_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_loading_documents(trib_loading *l) {
    trib_config *config = l->config;
    char *root = NULL;
    const int n_listings =
        (l->documents != 0) + (config->corpus.manifest != NULL) + (config->corpus.glob != NULL);
    const trib_place whole = {.source = &l->file.source};
    const trib_place place = config->corpus.manifest ? trib_loading_place(l, "corpus.manifest", 0)
                             : config->corpus.glob   ? trib_loading_place(l, "corpus.glob", 0)
                                                     : whole;
    if (n_listings != 1) {
        trib_diagnose(&l->diagnostics, place,
                      n_listings == 0
                          ? "no documents: corpus needs one of documents, manifest, glob"
                          : "corpus needs one of documents, manifest, glob, not %d",
                      n_listings);
        return TRIB_OK;
    }
    const size_t n_errors = l->diagnostics.n_errors;
    trib_status status = config->corpus.manifest ? read_listing_file(l) : TRIB_OK;
    if (status == TRIB_OK && config->corpus.root)
        status = trib_path_join(&root, config->directory, config->corpus.root, l->error);
    else if (status == TRIB_OK) status = trib_copy(&root, config->directory, l->error);
    if (status == TRIB_OK && config->corpus.glob)
        status = trib_listing_glob(&l->listing, strcmp(root, ".") == 0 ? NULL : root,
                                   config->corpus.glob, place, &l->diagnostics, l->error);
    if (status == TRIB_OK && l->documents)
        status = trib_listing_yaml(&l->listing, &l->file, l->documents, false, &l->diagnostics,
                                   l->error);
    if (status == TRIB_OK && config->corpus.manifest) check_inside(l);
    if (status == TRIB_OK) status = find_paths(l, root);
    if (status == TRIB_OK) status = find_obtain(l, root);
    if (status == TRIB_OK) status = trib_listing_expand(&l->listing, &l->diagnostics, l->error);
    if (status == TRIB_OK && l->listing.n > 0) {
        status = trib_listing_tell_apart(&l->listing, l->error);
        check_unique(l);
        check_input(l);
        if (status == TRIB_OK) status = take_over(l);
    } else if (status == TRIB_OK && l->diagnostics.n_errors == n_errors) {
        trib_diagnose(&l->diagnostics, place, "the list of documents is empty");
    }
    trib_free(root);
    return status;
}
