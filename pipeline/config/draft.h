/* draft.h - the YAML of an experiment about texts that a command line names, so that a first run
 * needs no YAML. What the YAML says of the texts, and its comments, are in draft.c. Private to
 * pipeline. */
#ifndef TRIBUTARY_CONFIG_DRAFT_H
#define TRIBUTARY_CONFIG_DRAFT_H

#include "pipeline/config/documents.h"

/* What a draft is made from; all of it is borrowed. */
typedef struct trib_draft_request {
    /* [n_texts] files, folders and archives; the texts of the first are the targets where others
     * follow it, unless a setting names the targets */
    const char *const *text;
    size_t n_texts;
    const trib_setting *setting; /* [n_settings] as in trib_config_load */
    size_t n_settings;
    const char *folder;  /* of the YAML; when it exists, paths in the YAML start there */
    bool makes_folder;   /* creates the folder once the texts are found */
    const char *name;    /* of the experiment */
    const char *output;  /* the value of `output` */
    const char *heading; /* comment lines that begin the YAML */
} trib_draft_request;

/* A draft, and what a message can say of it. `{0}` is empty. */
typedef struct trib_draft {
    trib_buffer yaml;
    size_t n_documents;   /* also after an error; 0: there is no text */
    size_t n_dated;       /* documents with a certain date */
    bool is_by_date;      /* only an older text can be a source */
    bool has_targets;     /* false: every text is a target */
    size_t n_left_out;    /* files that are not read, without hidden ones */
    trib_buffer left_out; /* the first of them, and why; empty: none */
} trib_draft;

/* Makes the YAML. Errors are reported to `complain`; then the status is TRIB_INPUT for texts and
 * TRIB_CONFIG for settings. TRIB_USAGE when there is only one text. The caller releases the draft,
 * also after a failure. */
trib_status trib_draft_make(trib_draft *draft, const trib_draft_request *request,
                            trib_config_diagnostic complain, void *context, trib_error *error);
void trib_draft_release(trib_draft *draft);

/* Whether the contents of a file begin like an experiment: the key `tributary` begins a line. */
bool trib_draft_is_experiment(const char *path);

#endif
