/* config.c - loads a configuration: defaults < preset < file < settings. Each key is read by the
 * functions of its row in the table. After an error, loading continues, so that one call reports
 * all errors. Only a failed allocation stops it. */
#include "pipeline/config/loading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/support/log.h"
#include "tokenizer/norms.h"

enum { FORMAT_VERSION = 1, MAX_PATH = 4096 };
/* the name of a configuration without a file, in messages */
static const char settings_alone[] = "settings";

void trib_config_log(void *log, bool is_error, const char *message) {
    trib_log_say(log, is_error ? TRIB_LOG_ERROR : TRIB_LOG_WARNING, "%s", message);
}

/* ---- One key --------------------------------------------------------------------------------- */

static trib_status set_key(trib_loading *l, const trib_key *key, const trib_yaml *yaml,
                           uint32_t node) {
    l->origin[key - trib_keys] = (trib_origin){yaml, node};
    return key->type->read(&(trib_reading){key, yaml, node, &l->diagnostics, l->error},
                           trib_key_field(key, l->config));
}

/* Parses a value given outside a file. It is parsed as YAML when it begins like a list or a quoted
 * text; otherwise the text itself is the value. */
static trib_status parse_value(trib_loading *l, trib_yaml *yaml, const char *name,
                               const char *value) {
    if (*value && strchr("[{\"'", *value))
        return trib_yaml_parse(yaml, name, value, &l->diagnostics, l->error);
    return trib_yaml_plain(yaml, name, value, l->error);
}

/* Sets a key to a value from the tables of defaults and presets, which is known to be valid. */
static trib_status set_standard(trib_loading *l, const trib_key *key, const char *value) {
    trib_yaml yaml = {0};
    trib_status status = parse_value(l, &yaml, key->path, value);
    if (status == TRIB_OK) status = set_key(l, key, &yaml, 1);
    l->origin[key - trib_keys] = (trib_origin){0};
    trib_yaml_release(&yaml);
    return status;
}

static trib_status set_defaults(trib_loading *l) {
    trib_status status = TRIB_OK;
    for (const trib_key *key = trib_keys; key->path && status == TRIB_OK; key++)
        status = set_standard(l, key, key->standard);
    return status;
}

static trib_status set_preset(trib_loading *l) {
    const trib_preset *preset = l->config->preset;
    trib_status status = TRIB_OK;
    for (size_t i = 0; preset->setting[i].key && status == TRIB_OK; i++)
        status = set_standard(l, trib_key_find(preset->setting[i].key), preset->setting[i].value);
    return status;
}

/* ---- Unknown keys ---------------------------------------------------------------------------- */

/* `section` is "" for keys outside all sections. */
static void report_unknown(trib_loading *l, trib_place place, const char *section,
                           const char *name) {
    char in[96] = "", elsewhere[160] = "";
    trib_guess guess = {.word = name};
    for (const trib_key *key = trib_keys; key->path; key++) {
        if (trib_key_is_in(key, section)) trib_guess_try(&guess, trib_key_name(key));
        else if (strcmp(trib_key_name(key), name) == 0 && !*elsewhere)
            snprintf(elsewhere, sizeof elsewhere, "; did you mean '%s'?", key->path);
    }
    for (const trib_section *s = trib_sections; s->name && !*section; s++)
        trib_guess_try(&guess, s->name);
    if (strcmp(section, "corpus") == 0) trib_guess_try(&guess, "documents");
    if (!*section) trib_guess_try(&guess, "tributary");
    if (!*section) trib_guess_try(&guess, "sweep");
    if (*section) snprintf(in, sizeof in, " in '%s'", section);
    trib_diagnose(&l->diagnostics, place, "unknown key '%s'%s%s", name, in,
                  *elsewhere ? elsewhere : trib_guess_hint(&guess));
}

/* ---- The file -------------------------------------------------------------------------------- */

static void check_version(trib_loading *l, uint32_t node) {
    const trib_yaml *yaml = &l->file;
    char shown[128];
    if (!node) {
        trib_diagnose(
            &l->diagnostics, (trib_place){.source = &yaml->source},
            "the version of the format is missing; write 'tributary: %d' as the first line",
            FORMAT_VERSION);
        return;
    }
    uint64_t version = 0;
    const bool is_number = trib_yaml_kind_of(yaml, node) == TRIB_YAML_SCALAR &&
                           trib_read_uint(trib_yaml_text(yaml, node), &version);
    if (!is_number || version != FORMAT_VERSION)
        trib_diagnose(&l->diagnostics, trib_yaml_place(yaml, node),
                      "'tributary' must be %d, the version of the format that tributary %s reads, "
                      "not %s",
                      FORMAT_VERSION, TRIB_VERSION, trib_yaml_describe(yaml, node, shown));
}

/* Reads the keys of one section. */
static trib_status read_section(trib_loading *l, const char *section, uint32_t map) {
    const trib_yaml *yaml = &l->file;
    char path[128], shown[128];
    trib_status status = TRIB_OK;
    if (trib_yaml_is_null(yaml, map)) return TRIB_OK;
    if (trib_yaml_kind_of(yaml, map) != TRIB_YAML_MAP) {
        trib_diagnose(&l->diagnostics, trib_yaml_place(yaml, map),
                      "'%s' is a section: it must contain keys, not %s", section,
                      trib_yaml_describe(yaml, map, shown));
        return TRIB_OK;
    }
    for (uint32_t k = trib_yaml_first(yaml, map); k && status == TRIB_OK;
         k = trib_yaml_next(yaml, trib_yaml_next(yaml, k))) {
        const char *name = trib_yaml_text(yaml, k);
        const uint32_t value = trib_yaml_next(yaml, k);
        snprintf(path, sizeof path, "%s.%.60s", section, name);
        const trib_key *key = trib_key_find(path);
        if (key) status = set_key(l, key, yaml, value);
        else if (strcmp(path, "corpus.documents") == 0) l->documents = value;
        else report_unknown(l, trib_yaml_place(yaml, k), section, name);
    }
    return status;
}

/* Reads every key except `preset`, which has been read before. */
static trib_status read_file(trib_loading *l) {
    const trib_yaml *yaml = &l->file;
    trib_status status = TRIB_OK;
    for (uint32_t k = trib_yaml_first(yaml, 1); k && status == TRIB_OK;
         k = trib_yaml_next(yaml, trib_yaml_next(yaml, k))) {
        const char *name = trib_yaml_text(yaml, k);
        const uint32_t value = trib_yaml_next(yaml, k);
        const trib_key *key = trib_key_find(name);
        if (strcmp(name, "tributary") == 0 || strcmp(name, "preset") == 0) continue;
        if (strcmp(name, "sweep") == 0) {
            l->config->has_sweep = true;
            continue; /* read by sweep.c */
        }
        if (key && trib_key_is_in(key, "")) status = set_key(l, key, yaml, value);
        else if (trib_section_find(name)) status = read_section(l, name, value);
        else report_unknown(l, trib_yaml_place(yaml, k), "", name);
    }
    return status;
}

/* Reports a manifest that is given in place of the experiment that names it. Returns false for any
 * other file. */
static bool is_manifest(trib_loading *l, const char *path) {
    const trib_yaml *yaml = &l->file;
    char folder[TRIB_PATH_MAX], user[TRIB_PATH_MAX + 64] = "";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const uint32_t documents = trib_yaml_find(yaml, 1, "documents");
    if (!documents || trib_yaml_find(yaml, 1, "tributary") || trib_yaml_find(yaml, 1, "corpus"))
        return false;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    snprintf(user, sizeof user, "%.*s../configs/%s", (int)strlen(folder), folder, name);
    const bool is_used = !l->text && access(user, R_OK) == 0;
    trib_diagnose(&l->diagnostics, (trib_place){.source = &yaml->source},
                  "is a manifest, which lists texts, and no experiment; name it in one, by "
                  "`corpus: {manifest: %s}`%s%s%s",
                  path, is_used ? ", as '" : "", is_used ? user : "", is_used ? "' does" : "");
    return true;
}

/* Opens the file and checks its outermost structure. l->file is empty when the file cannot be
 * used. */
static trib_status open_file(trib_loading *l, const char *path) {
    const size_t n_errors = l->diagnostics.n_errors;
    struct stat about = {0};
    if (!l->text && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        trib_diagnose(&l->diagnostics, (trib_place){.source = &l->file.source},
                      "is a directory; name the configuration in it, such as '%s%sexperiment.yaml'",
                      path, path[strlen(path) - 1] == '/' ? "" : "/");
        return TRIB_OK;
    }
    const trib_status status =
        l->text ? trib_yaml_parse(&l->file, path, l->text, &l->diagnostics, l->error)
                : trib_yaml_read(&l->file, path, &l->diagnostics, l->error);
    if (status != TRIB_OK || trib_yaml_is_empty(&l->file)) {
        if (status == TRIB_OK && l->diagnostics.n_errors == n_errors)
            trib_diagnose(&l->diagnostics, (trib_place){.source = &l->file.source}, "is empty");
        return status;
    }
    if (trib_yaml_kind_of(&l->file, 1) != TRIB_YAML_MAP) {
        trib_diagnose(&l->diagnostics, trib_yaml_place(&l->file, 1),
                      "an experiment begins with 'tributary: %d'", FORMAT_VERSION);
        l->file.n_nodes = 0;
    } else if (is_manifest(l, path)) l->file.n_nodes = 0;
    return TRIB_OK;
}

/* ---- Settings -------------------------------------------------------------------------------- */

/* Makes a relative path of a setting absolute. Such a path is relative to the current directory,
 * but later code resolves paths against the directory of the configuration file. */
static trib_status make_absolute(trib_loading *l, char **path) {
    char *full = NULL;
    char here[MAX_PATH];
    if (!*path || **path == '/' || strcmp(l->config->directory, ".") == 0) return TRIB_OK;
    if (!getcwd(here, sizeof here))
        return trib_fail(l->error, TRIB_INTERNAL, "the current directory is unknown: %s",
                         strerror(errno));
    const trib_status status = trib_path_join(&full, here, *path, l->error);
    if (status != TRIB_OK) return status;
    trib_free(*path);
    *path = full;
    return TRIB_OK;
}

/* A path in a setting starts in the current folder, one in a file in the folder of that file. */
static trib_status make_paths_absolute(trib_loading *l, const trib_key *key) {
    trib_status status = TRIB_OK;
    if (key->type == &trib_key_stop) {
        const trib_stop_list *stop = trib_key_field(key, l->config);
        for (uint32_t i = 0; i < stop->n && status == TRIB_OK; i++)
            if (!trib_stop_count(&stop->item[i])) status = make_absolute(l, &stop->item[i].value);
        return status;
    }
    char **path = trib_key_field(key, l->config);
    if (key->type != &trib_key_path && strcmp(key->path, "output") != 0) return TRIB_OK;
    if (path == &l->config->tokens.transform && *path && !trib_transform_is_file(*path))
        return TRIB_OK;
    return make_absolute(l, path);
}

/* Sets the key that a setting names. `yaml` receives the parsed value. */
static trib_status read_setting(trib_loading *l, const trib_setting *setting, trib_yaml *yaml) {
    const trib_key *key = trib_key_find(setting->key);
    const trib_source nowhere = {.name = setting->from ? setting->from : setting->key};
    const trib_place place = {.source = &nowhere};
    char section[64] = "";
    if (key) {
        trib_status status = parse_value(l, yaml, nowhere.name, setting->value);
        if (status == TRIB_OK && !trib_yaml_is_empty(yaml)) status = set_key(l, key, yaml, 1);
        return status == TRIB_OK ? make_paths_absolute(l, key) : status;
    }
    const char *dot = strchr(setting->key, '.');
    if (dot) snprintf(section, sizeof section, "%.*s", (int)(dot - setting->key), setting->key);
    if (strcmp(setting->key, "corpus.documents") == 0)
        trib_diagnose(
            &l->diagnostics, place,
            "'corpus.documents' can be set only in a file; set corpus.manifest or corpus.glob");
    else if (trib_section_find(setting->key))
        trib_diagnose(&l->diagnostics, place, "'%s' is a section; set one of its keys",
                      setting->key);
    else if (dot && !trib_section_find(section)) report_unknown(l, place, "", section);
    else report_unknown(l, place, section, dot ? dot + 1 : setting->key);
    return TRIB_OK;
}

/* Finds the preset, in the last setting that names one or else in the file, and applies its
 * settings. */
static trib_status read_preset(trib_loading *l, const trib_setting *setting, size_t n_settings) {
    const trib_key *key = trib_key_find("preset");
    trib_status status = TRIB_OK;
    const uint32_t node = trib_yaml_is_empty(&l->file) ? 0 : trib_yaml_find(&l->file, 1, "preset");
    if (node) status = set_key(l, key, &l->file, node);
    for (size_t i = 0; i < n_settings && status == TRIB_OK; i++)
        if (strcmp(setting[i].key, key->path) == 0)
            status = read_setting(l, &setting[i], &l->setting[i]);
    return status == TRIB_OK ? set_preset(l) : status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static trib_status read_everything(trib_loading *l, const char *path, const trib_setting *setting,
                                   size_t n_settings) {
    trib_config *config = l->config;
    size_t n_keys = 0;
    while (trib_keys[n_keys].path) n_keys++;
    trib_status status = TRIB_NEW(&l->origin, n_keys, "keys", l->error);
    if (status == TRIB_OK) status = TRIB_NEW(&l->setting, n_settings, "settings", l->error);
    if (status == TRIB_OK) l->n_settings = n_settings;
    const char *name = path ? path : settings_alone;
    l->file.source.name = name;
    if (status == TRIB_OK) status = trib_copy(&config->path, name, l->error);
    if (status == TRIB_OK) status = trib_path_directory(&config->directory, name, l->error);
    if (status == TRIB_OK) status = set_defaults(l);
    if (status == TRIB_OK && path) status = open_file(l, config->path);
    const bool has_file = status == TRIB_OK && !trib_yaml_is_empty(&l->file);
    if (status == TRIB_OK) status = read_preset(l, setting, n_settings);
    if (has_file) check_version(l, trib_yaml_find(&l->file, 1, "tributary"));
    if (has_file && status == TRIB_OK) status = read_file(l);
    for (size_t i = 0; i < n_settings && status == TRIB_OK; i++)
        if (strcmp(setting[i].key, "preset") != 0)
            status = read_setting(l, &setting[i], &l->setting[i]);
    if (has_file && status == TRIB_OK) status = trib_loading_documents(l);
    if ((has_file || !path) && status == TRIB_OK) status = trib_loading_languages(l);
    if ((has_file || !path) && status == TRIB_OK) status = trib_loading_stems(l);
    if ((has_file || !path) && status == TRIB_OK) status = trib_loading_check(l);
    return status;
}

/* Finds the files that make two words the same word. */
static trib_status complete_tokens(trib_loading *l) {
    trib_config *config = l->config;
    const struct {
        const char *file;
        char **path;
    } row[] = {
        {config->tokens.transform && trib_transform_is_file(config->tokens.transform)
             ? config->tokens.transform
             : NULL,
         &config->tokens.transform_path},
        {config->tokens.variants, &config->tokens.variants_path},
    };
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof row / sizeof *row && status == TRIB_OK; i++)
        if (row[i].file)
            status = trib_path_join(row[i].path, config->directory, row[i].file, l->error);
    for (uint32_t i = 0; i < config->tokens.stop.n && status == TRIB_OK; i++) {
        trib_stop_words *words = &config->tokens.stop.item[i];
        if (!trib_stop_count(words))
            status = trib_path_join(&words->path, config->directory, words->value, l->error);
    }
    return status;
}

/* Fills in the fields that are computed from other keys. */
static trib_status complete(trib_loading *l) {
    trib_config *config = l->config;
    trib_buffer text = {0};
    trib_sha256 *hash = NULL;
    trib_status status = TRIB_OK;
    if (!*config->name) {
        trib_free(config->name);
        status = trib_path_stem(&config->name, config->path, l->error);
    }
    if (status == TRIB_OK && config->vocabulary.file)
        status = trib_path_join(&config->vocabulary.path, config->directory,
                                config->vocabulary.file, l->error);
    if (status == TRIB_OK && config->report.commonplaces)
        status = trib_path_join(&config->report.commonplaces_path, config->directory,
                                config->report.commonplaces, l->error);
    if (status == TRIB_OK && config->parallels.lemmas)
        status = trib_path_join(&config->parallels.lemmas_path, config->directory,
                                config->parallels.lemmas, l->error);
    if (status == TRIB_OK) status = complete_tokens(l);
    if (status == TRIB_OK) status = trib_config_print(config, TRIB_CONFIG_RESULT, &text, l->error);
    if (status == TRIB_OK) status = trib_sha256_open(&hash, l->error);
    if (status == TRIB_OK) {
        trib_sha256_add(hash, text.text, text.length);
        trib_sha256_close(hash, config->hash);
    }
    trib_buffer_release(&text);
    return status;
}

static trib_status load(trib_loading *loading, const char *path, const trib_setting *setting,
                        size_t n_settings) {
    trib_loading l = *loading;
    trib_config *const config = l.config;
    trib_error *const error = l.error;
    *config = (trib_config){0};
    trib_status status = read_everything(&l, path, setting, n_settings);
    if (status == TRIB_OK && l.diagnostics.n_errors == 0) {
        status = complete(&l);
        if (status == TRIB_OK && l.is_for_run) trib_loading_check_files(&l);
    }
    trib_diagnostics_end(&l.diagnostics);
    if (status == TRIB_OK && l.diagnostics.n_errors > 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: %zu error%s", path ? path : settings_alone,
                           l.diagnostics.n_errors, l.diagnostics.n_errors == 1 ? "" : "s");
    trib_listing_release(&l.listing);
    trib_source_release(&l.table);
    trib_yaml_release(&l.manifest);
    trib_free(l.listing_path);
    for (size_t i = 0; i < l.n_settings; i++) trib_yaml_release(&l.setting[i]);
    TRIB_FREE(l.setting, l.origin);
    trib_yaml_release(&l.file);
    if (status != TRIB_OK) trib_config_release(config);
    return status;
}

trib_status trib_config_load(trib_config *config, const char *path, const trib_setting *setting,
                             size_t n_settings, trib_config_diagnostic report, void *context,
                             trib_error *error) {
    return load(&(trib_loading){.config = config,
                                .diagnostics = {.report = report, .context = context},
                                .error = error},
                path, setting, n_settings);
}

trib_status trib_config_load_for_run(trib_config *config, const char *path,
                                     const trib_setting *setting, size_t n_settings,
                                     trib_config_diagnostic report, void *context,
                                     const trib_comm *comm, trib_error *error) {
    return load(&(trib_loading){.config = config,
                                .diagnostics = {.report = report, .context = context},
                                .is_for_run = true,
                                .comm = *comm,
                                .error = error},
                path, setting, n_settings);
}

trib_status trib_config_parse(trib_config *config, const char *name, const char *text,
                              const trib_setting *setting, size_t n_settings,
                              trib_config_diagnostic report, void *context, trib_error *error) {
    return load(&(trib_loading){.config = config,
                                .diagnostics = {.report = report, .context = context},
                                .text = text,
                                .error = error},
                name, setting, n_settings);
}

void trib_config_release(trib_config *config) {
    for (const trib_key *key = trib_keys; key->path; key++)
        if (key->type->release) key->type->release(trib_key_field(key, config));
    for (uint32_t i = 0; i < config->corpus.n_documents; i++)
        trib_document_release(&config->corpus.document[i]);
    for (size_t i = 0; i < config->corpus.n_left_out; i++)
        trib_free(config->corpus.left_out[i].file);
    TRIB_FREE(config->corpus.left_out, config->corpus.document, config->corpus.obtain,
              config->vocabulary.path, config->report.commonplaces_path,
              config->parallels.lemmas_path, config->tokens.transform_path,
              config->tokens.variants_path, config->tokens.languages, config->tokens.stems,
              config->path, config->directory);
    *config = (trib_config){0};
}
