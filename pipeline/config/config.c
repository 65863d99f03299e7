/* config.c - loads a configuration: defaults < preset < file < settings. Each key is read by the
 * functions of its row in the table. After an error, loading continues, so that one call reports
 * all errors. Only a failed allocation stops it; it is kept in the arena of the configuration. Its
 * last part writes a configuration as YAML. */
#include "pipeline/config/loading.h"

#include <errno.h>
#include <unistd.h>

#include "pipeline/support/log.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/support/tables.h"
#include "pipeline/text/archive.h"
#include "tokenizer/norms.h"

enum { FORMAT_VERSION = 1, MAX_PATH = 4096 };
/* the name of a configuration without a file, in messages */
static const char settings_alone[] = "settings";

void trib_config_log(void *log, bool is_error, const char *message) {
    trib_log_say(log, is_error ? TRIB_LOG_ERROR : TRIB_LOG_WARNING, "%s", message);
}

/* ---- One key --------------------------------------------------------------------------------- */

static void set_key(trib_loading *l, const trib_key *key, const trib_yaml *yaml, uint32_t node) {
    l->origin[key - trib_keys] = (trib_origin){yaml, node};
    key->type->read(&(trib_reading){key, yaml, node, &l->diagnostics, &l->config->arena},
                    trib_key_field(key, l->config));
}

/* Sets a key to a value given outside a file, into the empty `yaml`. It is parsed as YAML when it
 * begins like a list or a quoted text; otherwise the text itself is the value. */
static void set_value(trib_loading *l, const trib_key *key, trib_yaml *yaml, const char *name,
                      const char *value) {
    trib_error *const error = &l->config->arena.failure;
    const trib_status status = *value && strchr("[{\"'", *value)
                                   ? trib_yaml_parse(yaml, name, value, &l->diagnostics, error)
                                   : trib_yaml_plain(yaml, name, value, error);
    if (status == TRIB_OK && !trib_yaml_is_empty(yaml)) set_key(l, key, yaml, 1);
}

/* Sets a key to a value from the tables of defaults and presets, which is known to be valid. */
static void set_standard(trib_loading *l, const trib_key *key, const char *value) {
    TRIB_OWNED(trib_yaml) yaml = {0};
    set_value(l, key, &yaml, key->path, value);
    l->origin[key - trib_keys] = (trib_origin){0};
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
    for (size_t s = 0; trib_sections[s] && !*section; s++) trib_guess_try(&guess, trib_sections[s]);
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
static void read_section(trib_loading *l, const char *section, uint32_t map) {
    const trib_yaml *yaml = &l->file;
    char path[128], shown[128];
    if (trib_yaml_is_null(yaml, map)) return;
    if (trib_yaml_kind_of(yaml, map) != TRIB_YAML_MAP) {
        trib_diagnose(&l->diagnostics, trib_yaml_place(yaml, map),
                      "'%s' is a section: it must contain keys, not %s", section,
                      trib_yaml_describe(yaml, map, shown));
        return;
    }
    TRIB_YAML_KEYS(yaml, map, k) {
        const char *name = trib_yaml_text(yaml, k);
        const uint32_t value = trib_yaml_next(yaml, k);
        snprintf(path, sizeof path, "%s.%.60s", section, name);
        const trib_key *key = trib_key_find(path);
        if (key) set_key(l, key, yaml, value);
        else if (strcmp(path, "corpus.documents") == 0) l->documents = value;
        else report_unknown(l, trib_yaml_place(yaml, k), section, name);
    }
}

/* Reads every key except `preset`, which has been read before, and `sweep`, which sweep.c reads. */
static void read_file(trib_loading *l) {
    const trib_yaml *yaml = &l->file;
    TRIB_YAML_KEYS(yaml, 1, k) {
        const char *name = trib_yaml_text(yaml, k);
        const uint32_t value = trib_yaml_next(yaml, k);
        const trib_key *key = trib_key_find(name);
        if (strcmp(name, "tributary") == 0 || strcmp(name, "preset") == 0) continue;
        if (strcmp(name, "sweep") == 0) l->config->has_sweep = true;
        else if (key && trib_key_is_in(key, "")) set_key(l, key, yaml, value);
        else if (trib_is_section(name)) read_section(l, name, value);
        else report_unknown(l, trib_yaml_place(yaml, k), "", name);
    }
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
    const bool is_used = !l->text && trib_disk_may(user, R_OK);
    trib_diagnose(&l->diagnostics, (trib_place){.source = &yaml->source},
                  "is a manifest, which lists texts, and no experiment; name it in one, by "
                  "`corpus: {manifest: %s}`%s%s%s",
                  path, is_used ? ", as '" : "", is_used ? user : "", is_used ? "' does" : "");
    return true;
}

/* Opens the file and checks its outermost structure. l->file is empty when the file cannot be
 * used. */
static void open_file(trib_loading *l, const char *path) {
    const size_t n_errors = l->diagnostics.n_errors;
    const trib_place whole = {.source = &l->file.source};
    trib_error *const error = &l->config->arena.failure;
    if (!l->text && trib_disk_is_folder(path)) {
        trib_diagnose(&l->diagnostics, whole,
                      "is a directory; name the configuration in it, such as '%s%sexperiment.yaml'",
                      path, path[strlen(path) - 1] == '/' ? "" : "/");
        return;
    }
    const trib_status status =
        l->text ? trib_yaml_parse(&l->file, path, l->text, &l->diagnostics, error)
                : trib_yaml_read(&l->file, path, &l->diagnostics, error);
    if (status != TRIB_OK) return;
    if (trib_yaml_is_empty(&l->file)) {
        if (l->diagnostics.n_errors == n_errors) trib_diagnose(&l->diagnostics, whole, "is empty");
    } else if (trib_yaml_kind_of(&l->file, 1) != TRIB_YAML_MAP) {
        trib_diagnose(&l->diagnostics, trib_yaml_place(&l->file, 1),
                      "an experiment begins with 'tributary: %d'", FORMAT_VERSION);
        l->file.n_nodes = 0;
    } else if (is_manifest(l, path)) l->file.n_nodes = 0;
}

/* ---- Settings -------------------------------------------------------------------------------- */

/* Makes a relative path of a setting absolute. Such a path is relative to the current directory,
 * but later code resolves paths against the directory of the configuration file. */
static void make_absolute(trib_loading *l, const char **path) {
    trib_arena *const arena = &l->config->arena;
    char *full = NULL;
    char here[MAX_PATH];
    if (!*path || **path == '/' || strcmp(l->config->directory, ".") == 0) return;
    if (!getcwd(here, sizeof here)) {
        trib_arena_fail(arena, TRIB_INTERNAL, "the current directory is unknown: %s",
                        strerror(errno));
        return;
    }
    (void)trib_path_join(&full, here, *path, &arena->failure);
    *path = trib_kept(arena, full);
}

/* A path in a setting starts in the current folder, one in a file in the folder of that file. */
static void make_paths_absolute(trib_loading *l, const trib_key *key) {
    if (key->type == &trib_key_stop) {
        const trib_stop_list *stop = trib_key_field(key, l->config);
        for (size_t i = 0; i < stop->n; i++)
            if (!trib_stop_count(&stop->item[i])) make_absolute(l, &stop->item[i].value);
        return;
    }
    const char **path = trib_key_field(key, l->config);
    if (key->type != &trib_key_path && strcmp(key->path, "output") != 0) return;
    if (path != &l->config->tokens.transform || !*path || trib_transform_is_file(*path))
        make_absolute(l, path);
}

/* Sets the key that a setting names. `yaml` receives the parsed value. */
static void read_setting(trib_loading *l, const trib_setting *setting, trib_yaml *yaml) {
    const trib_key *key = trib_key_find(setting->key);
    const trib_source nowhere = {.name = setting->from ? setting->from : setting->key};
    const trib_place place = {.source = &nowhere};
    char section[64] = "";
    if (key) {
        set_value(l, key, yaml, nowhere.name, setting->value);
        make_paths_absolute(l, key);
        return;
    }
    const char *dot = strchr(setting->key, '.');
    if (dot) snprintf(section, sizeof section, "%.*s", (int)(dot - setting->key), setting->key);
    if (strcmp(setting->key, "corpus.documents") == 0)
        trib_diagnose(
            &l->diagnostics, place,
            "'corpus.documents' can be set only in a file; set corpus.manifest or corpus.glob");
    else if (trib_is_section(setting->key))
        trib_diagnose(&l->diagnostics, place, "'%s' is a section; set one of its keys",
                      setting->key);
    else if (dot && trib_key_find(section))
        trib_diagnose(&l->diagnostics, place, "'%s' is no section: it has one value", section);
    else if (dot && !trib_is_section(section)) report_unknown(l, place, "", section);
    else report_unknown(l, place, section, dot ? dot + 1 : setting->key);
}

/* Reads the settings of `preset`, or all others. */
static void read_settings(trib_loading *l, const trib_setting *setting, bool of_preset) {
    for (size_t i = 0; i < l->n_settings; i++)
        if ((strcmp(setting[i].key, "preset") == 0) == of_preset)
            read_setting(l, &setting[i], &l->setting[i]);
}

/* Finds the preset, in the last setting that names one or else in the file, and applies its
 * settings. */
static void read_preset(trib_loading *l, const trib_setting *setting) {
    const uint32_t node = trib_yaml_is_empty(&l->file) ? 0 : trib_yaml_find(&l->file, 1, "preset");
    if (node) set_key(l, trib_key_find("preset"), &l->file, node);
    read_settings(l, setting, true);
    const trib_preset *preset = l->config->preset;
    for (size_t i = 0; preset->setting[i].key; i++)
        set_standard(l, trib_key_find(preset->setting[i].key), preset->setting[i].value);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Prints the value of a key as it decided a result. */
static trib_status print_value(const trib_key *key, const trib_config *config, trib_buffer *out,
                               trib_error *error) {
    const size_t start = out->length;
    const bool has_taken =
        key->offset == offsetof(trib_config, corpus.join_hyphens) && config->corpus.has_joined;
    const trib_status status = trib_key_print(key, config, false, out, error);
    if (status != TRIB_OK || !key->unneeded || has_taken ||
        strcmp(out->text + start, key->standard) != 0)
        return status;
    out->length = start;
    return trib_buffer_print(out, error, "%s", key->unneeded);
}

static bool is_standard(const trib_key *key, const char *value) {
    return strcmp(value, key->standard) == 0 ||
           (key->unneeded && strcmp(value, key->unneeded) == 0);
}

trib_status trib_config_print_given(const trib_config *config, const trib_given *given,
                                    trib_buffer *to, trib_error *error) {
    trib_status status = TRIB_OK;
    for (; given && given->size > 0; given++)
        for (const trib_key *key = trib_keys; key->path && status == TRIB_OK; key++) {
            if (key->effect != TRIB_KEY_RESULT || key->offset - given->offset >= given->size)
                continue;
            status = trib_buffer_print(to, error, "%s ", key->path);
            if (status == TRIB_OK) status = trib_key_print(key, config, false, to, error);
            if (status == TRIB_OK) status = trib_buffer_print(to, error, "\n");
        }
    return status;
}

/* The value of a text. */
static const char *text_of(const trib_key *key, const trib_config *config) {
    return *(const char *const *)((const char *)config + key->offset);
}

static bool is_written(const trib_key *key, const trib_config *config, unsigned how) {
    return key->effect == TRIB_KEY_RESULT ||
           (key->effect == TRIB_KEY_SAID && *text_of(key, config)) ||
           (key->effect == TRIB_KEY_MACHINE && !(how & TRIB_CONFIG_RESULT));
}

trib_status trib_config_each(const trib_config *config, trib_config_visit visit, void *context,
                             trib_error *error) {
    TRIB_OWNED(trib_buffer) value = {0};
    trib_status status = TRIB_OK;
    for (const trib_key *key = trib_keys; key->path && status == TRIB_OK; key++) {
        trib_buffer_clear(&value);
        status = print_value(key, config, &value, error);
        if (status == TRIB_OK)
            visit(context, key->path,
                  key->effect == TRIB_KEY_SAID && *text_of(key, config) ? text_of(key, config)
                                                                        : value.text,
                  is_standard(key, value.text), is_written(key, config, TRIB_CONFIG_RESULT));
    }
    return status;
}

static void print_documents(const trib_config *config, trib_buffer *out, trib_error *error) {
    trib_buffer_print(out, error, "  documents:\n");
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        trib_buffer_print(out, error, "    - {");
        for (const trib_document_field *f = trib_document_fields; f->name; f++) {
            const char *text = trib_document_field_text(document, f);
            if (!text) continue;
            trib_buffer_print(out, error, "%s: ", f->name);
            trib_yaml_quote(out, text, false, error);
            trib_buffer_add(out, ", ", 2, error);
        }
        trib_buffer_print(out, error, "role: %s}\n", trib_role_names[document->role]);
    }
}

static void print_key(const trib_key *key, const trib_config *config, unsigned how,
                      trib_buffer *out, trib_error *error) {
    const bool alone = trib_key_is_in(key, "");
    trib_buffer_print(out, error, "%s%s: ", alone ? "" : "  ", trib_key_name(key));
    const size_t start = out->length;
    const trib_status status = how & TRIB_CONFIG_RESULT
                                   ? print_value(key, config, out, error)
                                   : trib_key_print(key, config, false, out, error);
    if (status == TRIB_OK && (how & TRIB_CONFIG_MARKED) &&
        !(how & TRIB_CONFIG_RESULT ? is_standard(key, out->text + start)
                                   : strcmp(out->text + start, key->standard) == 0))
        trib_buffer_print(out, error, "  # default: %s", key->standard);
    trib_buffer_add(out, "\n", 1, error);
}

trib_status trib_config_print(const trib_config *config, unsigned how, trib_buffer *out,
                              trib_error *error) {
    trib_buffer_print(out, error, "tributary: 1\n");
    for (const char *const *section = trib_sections; *section; section++) {
        bool begun = !**section;
        for (const trib_key *key = trib_keys; key->path; key++) {
            if (!trib_key_is_in(key, *section) || !is_written(key, config, how)) continue;
            if (!begun) trib_buffer_print(out, error, "%s:\n", *section);
            begun = true;
            print_key(key, config, how, out, error);
        }
        if (strcmp(*section, "corpus") == 0) print_documents(config, out, error);
    }
    return trib_buffer_add(out, "", 0, error);
}

void trib_config_write(const trib_config *config, trib_writer *writer, unsigned how) {
    TRIB_OWNED(trib_buffer) text = {0};
    trib_error error = {0};
    const trib_status status = trib_config_print(config, how, &text, &error);
    if (status == TRIB_OK) trib_write(writer, text.text, text.length);
    else if (writer->failure.status == TRIB_OK) writer->failure = error;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void begin_budget(trib_loading *l) {
    const trib_config *config = l->config;
    trib_error error = {0};
    trib_cells_guard(config->report.spreadsheet_safe);
    const uint64_t memory = config->resources.memory;
    trib_budget_begin(&(trib_budget){
        config->resources.unpacked, config->resources.members, config->resources.parts,
        memory > 0 ? memory : trib_memory_machine(), config->resources.sandbox});
    if (trib_kernels_choose(config->resources.kernels - 1, false, &error) != TRIB_OK &&
        l->is_for_run)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "resources.kernels", 0), "%s",
                      error.message);
}

static void read_everything(trib_loading *l, const char *path, const trib_setting *setting,
                            size_t n_settings) {
    trib_config *const config = l->config;
    trib_arena *const arena = &config->arena;
    char *directory = NULL;
    size_t n_keys = 0;
    while (trib_keys[n_keys].path) n_keys++;
    l->origin = trib_arena_new(arena, n_keys, sizeof *l->origin);
    l->setting = trib_arena_new(arena, n_settings, sizeof *l->setting);
    if (!l->origin || !l->setting) return;
    l->n_settings = n_settings;
    l->file.source.name = path ? path : settings_alone;
    config->path = trib_arena_print(arena, "%s", l->file.source.name);
    (void)trib_path_directory(&directory, config->path, &arena->failure);
    config->directory = trib_kept(arena, directory);
    for (const trib_key *key = trib_keys; key->path; key++) set_standard(l, key, key->standard);
    if (path && trib_loading_goes_on(l)) open_file(l, config->path);
    if (!trib_loading_goes_on(l)) return;
    const bool has_file = !trib_yaml_is_empty(&l->file);
    read_preset(l, setting);
    if (has_file) check_version(l, trib_yaml_find(&l->file, 1, "tributary"));
    if (has_file) read_file(l);
    read_settings(l, setting, false);
    begin_budget(l);
    if (has_file && trib_loading_goes_on(l)) trib_loading_documents(l);
    if (!trib_loading_goes_on(l) || (!has_file && path)) return;
    trib_loading_languages(l);
    trib_loading_stems(l);
    if (trib_loading_goes_on(l)) trib_loading_check(l);
}

trib_status trib_config_hash(trib_config *config, trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    trib_sha256 hash = {0};
    const trib_status status = trib_config_print(config, TRIB_CONFIG_RESULT, &text, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(&hash, text.text, text.length);
    trib_sha256_end(&hash, config->hash);
    return TRIB_OK;
}

/* Fills in the fields that are computed from other keys. */
static void complete(trib_loading *l) {
    trib_config *const config = l->config;
    trib_arena *const arena = &config->arena;
    if (!*config->name) {
        char *stem = NULL;
        (void)trib_path_stem(&stem, config->path, &arena->failure);
        config->name = trib_kept(arena, stem);
    }
    trib_loading_files(l);
    if (trib_loading_goes_on(l)) (void)trib_config_hash(config, &arena->failure);
}

static trib_status load(trib_loading l, const char *path, const trib_setting *setting,
                        size_t n_settings, trib_error *error) {
    *l.config = (trib_config){0};
    read_everything(&l, path, setting, n_settings);
    if (trib_loading_goes_on(&l) && l.diagnostics.n_errors == 0) complete(&l);
    trib_diagnostics_end(&l.diagnostics);
    trib_status status = trib_arena_check(&l.config->arena, error);
    if (status == TRIB_OK && l.diagnostics.n_errors > 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: %zu error%s", path ? path : settings_alone,
                           l.diagnostics.n_errors, l.diagnostics.n_errors == 1 ? "" : "s");
    trib_listing_release(&l.listing);
    trib_source_release(&l.table);
    trib_yaml_release(&l.manifest);
    for (size_t i = 0; i < l.n_settings; i++) trib_yaml_release(&l.setting[i]);
    trib_yaml_release(&l.file);
    if (status != TRIB_OK) trib_config_release(l.config);
    return status;
}

trib_status trib_config_load(trib_config *config, const char *path, const trib_setting *setting,
                             size_t n_settings, trib_config_diagnostic report, void *context,
                             trib_error *error) {
    return load(
        (trib_loading){.config = config, .diagnostics = {.report = report, .context = context}},
        path, setting, n_settings, error);
}

trib_status trib_config_load_for_run(trib_config *config, const char *path,
                                     const trib_setting *setting, size_t n_settings,
                                     trib_config_diagnostic report, void *context,
                                     const trib_comm *comm, trib_error *error) {
    return load((trib_loading){.config = config,
                               .diagnostics = {.report = report, .context = context},
                               .is_for_run = true,
                               .comm = *comm},
                path, setting, n_settings, error);
}

trib_status trib_config_parse(trib_config *config, const char *name, const char *text,
                              const trib_setting *setting, size_t n_settings,
                              trib_config_diagnostic report, void *context, trib_error *error) {
    return load((trib_loading){.config = config,
                               .diagnostics = {.report = report, .context = context},
                               .text = text},
                name, setting, n_settings, error);
}

void trib_config_release(trib_config *config) {
    trib_arena_release(&config->arena);
    *config = (trib_config){0};
}
