/* loading.h - a configuration while it is being loaded. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_LOADING_H
#define TRIBUTARY_CONFIG_LOADING_H

#include "pipeline/config/documents.h"
#include "pipeline/config/keys.h"

/* Where the value of a key comes from. */
typedef struct trib_origin {
    const trib_yaml *yaml; /* NULL: a default or a preset */
    uint32_t node;
} trib_origin;

typedef struct trib_loading {
    trib_config *config;
    trib_diagnostics complaints;
    const char *text;   /* of the experiment; NULL: it is in a file */
    trib_yaml file;     /* the experiment */
    trib_yaml *setting; /* [n_settings] the values of --set */
    size_t n_settings;
    trib_origin *origin; /* [of each key] */
    uint32_t documents;  /* node of corpus.documents in `file`; 0: absent */
    char *listing_path;  /* of the manifest */
    trib_yaml manifest;  /* when it is YAML */
    trib_source table;   /* when it is TSV or CSV */
    trib_listing listing;
    trib_error *error;
} trib_loading;

/* Where a key was set: of item `item` of a list; the file as a whole when it was not
 * (origin.c). */
trib_place trib_loading_place(const trib_loading *loading, const char *path, uint32_t item);

/* Finds the documents, sorts them by id and moves them into the configuration (corpus.c). */
trib_status trib_loading_documents(trib_loading *loading);
/* Complains about keys that do not go together, and about names no library knows (check.c). */
trib_status trib_loading_check(trib_loading *loading);

/* The text of trib_config_write (write.c). */
trib_status trib_config_print(const trib_config *config, unsigned how, trib_buffer *out,
                              trib_error *error);

#endif
