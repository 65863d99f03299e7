/* cli.h - the room `cli`: the program `tributary`, with a file for each command that works on whole
 * runs, corpora or the program itself, and the table of all commands (commands.c). It is the
 * highest room and may use all others. For a new command write its function in a file here, or in
 * pipeline/tools when it is a single stage or an operation on files; declare it in
 * pipeline/command/command.h and add a row to commands.c. The help, the manual page and the
 * completion of shells are made from that table. */
#ifndef TRIBUTARY_CLI_CLI_H
#define TRIBUTARY_CLI_CLI_H

#include "pipeline/command/command.h"
#include "pipeline/draft/draft.h"
#include "pipeline/support/embedded.h"

/* The files that `tributary init` writes, corpora/carrow-bay, embedded by the build. Ends with a
 * row whose name is NULL. */
extern const trib_embedded_file trib_small_corpus[];

/* The experiment that a command line of `run` means (experiment.c): the configuration that it
 * names, or one about the texts that it names. `{0}` is empty. */
typedef struct trib_experiment_named {
    char *path;       /* of the configuration */
    char *folder;     /* of an experiment about texts; NULL: a configuration was named */
    trib_draft draft; /* of an experiment about texts */
} trib_experiment_named;
/* Finds the experiment. Of texts, writes its YAML into the folder, except in a dry run; an
 * experiment.yaml that differs is renamed. All ranks must call it. */
trib_status trib_experiment_find(trib_experiment_named *named, const trib_command_line *line,
                                 trib_log *log, trib_error *error);
void trib_experiment_named_release(trib_experiment_named *named);
/* Writes the YAML of a draft to a path. A file that is there with other contents is renamed:
 * experiment.1.yaml. */
trib_status trib_experiment_write_draft(const trib_draft *draft, const char *path, trib_log *log,
                                        trib_error *error);

#endif
