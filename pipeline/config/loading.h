/* loading.h - the state of a configuration while it is loaded. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_LOADING_H
#define TRIBUTARY_CONFIG_LOADING_H

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/config/keys.h"

/* Where the value of a key was set. */
typedef struct trib_origin {
    const trib_yaml *yaml; /* NULL: by a default or a preset */
    uint32_t node;
} trib_origin;

typedef struct trib_loading {
    trib_config *config;
    trib_diagnostics diagnostics;
    const char *text;   /* YAML of the experiment; NULL: read it from a file */
    bool is_for_run;    /* the files that keys name must be there */
    trib_comm comm;     /* the ranks that load it together; `{0}`: one */
    trib_yaml file;     /* the parsed experiment */
    trib_yaml *setting; /* [n_settings] parsed values of --set */
    size_t n_settings;
    trib_origin *origin;      /* [number of keys] */
    uint32_t documents;       /* node of corpus.documents in `file`; 0: absent */
    const char *listing_path; /* path of the manifest */
    trib_yaml manifest;       /* when the manifest is YAML */
    trib_source table;        /* when the manifest is TSV or CSV */
    trib_listing listing;
} trib_loading;

/* Whether there was no failure yet; the first is kept in the arena of the configuration. */
static inline bool trib_loading_goes_on(const trib_loading *loading) {
    return loading->config->arena.failure.status == TRIB_OK;
}
/* The path of a file that the configuration names. */
const char *trib_loading_join(trib_loading *loading, const char *name);

/* Returns where a key was set; for a list, the place of its item `item`, counted from 0, and for a
 * mapping that of its value `item`. When the key was not set, the place is the file as a whole
 * (check.c). */
trib_place trib_loading_place(const trib_loading *loading, const char *path, uint32_t item);

/* Finds the documents, sorts them by id and moves them into the configuration
 * (corpus_section.c). */
void trib_loading_documents(trib_loading *loading);
/* Guesses the languages of texts that have `language: auto`, and of texts without a language when
 * tokens.locale is `auto`, each rank those of its share. A text that is too short gets none, and so
 * does one that cannot be read, which a later stage reports. A tokens.locale of `auto` then becomes
 * the language of most documents, of several such languages the first by code, and en when no
 * document has one. Reports a build that cannot guess (languages.c). */
void trib_loading_languages(trib_loading *loading);
/* Finds the languages of tokens.stem, and those whose texts differ in norms or words left out
 * (languages.c). */
void trib_loading_stems(trib_loading *loading);
/* Reports keys that contradict each other, and names that no library knows (check.c). */
void trib_loading_check(trib_loading *loading);
/* Finds the files that keys name, besides the texts; for a run, reports those that cannot be read
 * (check.c). */
void trib_loading_files(trib_loading *loading);

/* Appends the YAML that trib_config_write writes (config.c). */
trib_status trib_config_print(const trib_config *config, unsigned how, trib_buffer *out,
                              trib_error *error);

#endif
