/* reread.h - reads the texts of a finished run again, for the commands that quote them. Private to
 * pipeline. */
#ifndef TRIBUTARY_RUN_REREAD_H
#define TRIBUTARY_RUN_REREAD_H

#include "pipeline/config/config.h"
#include "pipeline/run/run.h"

/* A finished run whose texts are read again. */
typedef struct trib_reread_options {
    const char *command;         /* for messages: the command that reads them */
    const char *directory;       /* the run directory */
    const trib_result *result;   /* its influence.json */
    const trib_setting *setting; /* [n_settings] of the command line */
    size_t n_settings;
} trib_reread_options;

/* The texts as words, as after stage tokens. `{0}` is empty. Must not be moved. */
typedef struct trib_reread {
    trib_config config; /* of the run */
    trib_run run;       /* after the stages corpus and tokens */
} trib_reread;

/* Reads the texts in the folder that the run's status file names, or that corpus.root among the
 * settings names; when they are not there, in the current folder. TRIB_INPUT when a text is missing
 * or is not the one that the run read. The caller closes `texts`, also after a failure. */
trib_status trib_reread_open(trib_reread *texts, const trib_reread_options *options, trib_log *log,
                             trib_error *error);
void trib_reread_close(trib_reread *texts);

#endif
