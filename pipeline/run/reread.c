/* reread.c - reads the texts of a finished run again. They must be the same as in the run. */
#include "pipeline/run/reread.h"

#include <unistd.h>

#include "pipeline/config/documents.h"
#include "pipeline/config/yaml.h"
#include "pipeline/support/json.h"
#include "pipeline/text/input.h"

void trib_reread_close(trib_reread *texts) {
    trib_run_release(&texts->run);
    trib_config_release(&texts->config);
}

/* Loads the settings of the run, with corpus.root set to `root` unless the command line sets it. */
static trib_status load_below(trib_reread *texts, const trib_reread_options *options,
                              const char *root, trib_log *log, trib_error *error) {
    const size_t n = options->n_settings;
    TRIB_OWNED(trib_buffer) path = {0}, value = {0};
    TRIB_FREED(trib_setting *) setting = NULL;
    trib_config_release(&texts->config);
    trib_status status = TRIB_NEW(&setting, n + 1, "settings", error);
    if (status == TRIB_OK) status = trib_yaml_quote(&value, root, false, error);
    if (status == TRIB_OK)
        status = trib_buffer_print(&path, error, "%s/config.resolved.yaml", options->directory);
    if (status == TRIB_OK) {
        setting[0] = (trib_setting){"corpus.root", value.text, options->command};
        for (size_t i = 0; i < n; i++) setting[i + 1] = options->setting[i];
        status = trib_config_load(&texts->config, path.text, setting, n + 1, trib_config_log, log,
                                  error);
    }
    return status;
}

/* A run names its files of norms and markup from the folder of its configuration, `from`, and not
 * from the run directory. No words are left out here. */
static trib_status find_norms(trib_config *config, const char *from, trib_error *error) {
    const struct {
        const char *file;
        const char **path;
    } row[] = {{config->tokens.transform, &config->tokens.transform_path},
               {config->tokens.variants, &config->tokens.variants_path},
               {config->corpus.markup, &config->corpus.markup_path}};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof row / sizeof *row && status == TRIB_OK; i++) {
        char *path = NULL;
        if (!*row[i].path || trib_disk_has(*row[i].path)) continue;
        status = trib_path_join(&path, from, row[i].file, error);
        *row[i].path = trib_kept(&config->arena, path);
    }
    for (size_t i = 0; i < config->tokens.stop.n; i++) config->tokens.stop.item[i].path = NULL;
    return status == TRIB_OK ? trib_config_read_markup(config, error) : status;
}

/* Loads the run with the texts in the folder that its status file names; when they are not
 * there, in the current folder. */
static trib_status load(trib_reread *texts, const trib_reread_options *options, trib_log *log,
                        trib_error *error) {
    const char *directory = options->directory;
    char path[TRIB_PATH_MAX];
    char *root = NULL, *from = NULL;
    if (snprintf(path, sizeof path, "%s/status", directory) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", directory);
    json_t *status_file;
    trib_status status = trib_json_load(&status_file, path, error);
    const char *folder = json_string_value(json_object_get(status_file, "texts"));
    const char *settings = json_string_value(json_object_get(status_file, "settings"));
    if (folder && status == TRIB_OK) status = trib_path_join(&root, directory, folder, error);
    if (status == TRIB_OK)
        status = trib_path_join(&from, directory, settings ? settings : ".", error);
    json_decref(status_file);
    if (status == TRIB_OK && root) status = load_below(texts, options, root, log, error);
    if (status == TRIB_OK &&
        (!root || !trib_address_is_there(texts->config.corpus.document[0].path)))
        status = load_below(texts, options, ".", log, error);
    if (status == TRIB_OK) status = find_norms(&texts->config, from, error);
    TRIB_FREE(root, from);
    return status;
}

/* Checks that the run read this document, by its SHA-256. */
static trib_status check_text(const trib_reread *texts, const trib_reread_options *options,
                              trib_document *document, trib_error *error) {
    const trib_document_record *const known =
        trib_result_document_of(options->result, document->about->id);
    if (!known && texts->config.corpus.skips_refused)
        return trib_document_reject(document, &(trib_error){.message = "the run left it out"},
                                    error);
    const char *const path = document->about->path;
    const bool is_missing = document->rejected && !trib_address_is_there(path);
    if (is_missing) /* who listed it is of no use here */
        return trib_fail(error, TRIB_INPUT,
                         "%s: cannot be opened: No such file or directory (%s reads the texts of "
                         "the run again; name their folder with --set corpus.root=DIR, or change "
                         "to it with -C DIR)",
                         path, options->command);
    if (document->rejected)
        return trib_fail(error, TRIB_INPUT,
                         "%s (%s reads the texts of the run again; name their folder with --set "
                         "corpus.root=DIR, or change to it with -C DIR)",
                         document->rejected, options->command);
    if (known && strcmp(known->sha256, document->sha256) == 0) return TRIB_OK;
    return trib_fail(
        error, TRIB_INPUT,
        "%s: not the text that this run read (its SHA-256 differs); restore that text, name "
        "another folder with --set corpus.root=DIR, or run the experiment again",
        path);
}

/* Reads all texts into words with the first stages of a run. Its targets and lists have no
 * effect here. */
static trib_status read_texts(trib_reread *texts, const trib_reread_options *options, trib_log *log,
                              trib_error *error) {
    trib_config *config = &texts->config;
    const size_t n_targets = config->corpus.target.n;
    config->vocabulary.path = config->report.commonplaces_path = config->parallels.lemmas_path =
        config->translations.dictionary_path = config->translations.table_path = NULL;
    trib_run_init(&texts->run, config, log, 1);
    texts->run.most_words = 0; /* all words stay in memory, where they are found */
    config->corpus.target.n = 0;
    trib_status status = trib_run_stage(&texts->run, "corpus", error);
    config->corpus.target.n = n_targets;
    for (uint32_t d = 0; d < texts->run.corpus.n_documents && status == TRIB_OK; d++)
        status = check_text(texts, options, &texts->run.corpus.document[d], error);
    return status == TRIB_OK ? trib_run_stage(&texts->run, "tokens", error) : status;
}

trib_status trib_reread_open(trib_reread *texts, const trib_reread_options *options, trib_log *log,
                             trib_error *error) {
    const trib_status status = load(texts, options, log, error);
    return status == TRIB_OK ? read_texts(texts, options, log, error) : status;
}
