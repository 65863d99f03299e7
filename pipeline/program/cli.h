/* cli.h - the program `tributary`: a file for each command, and the table of all commands
 * (commands.c). For a new command write its function in a file here, declare it in command.h and
 * add a row to commands.c. The help, the manual page and the completion of shells are made from
 * that table. */
#ifndef TRIBUTARY_PROGRAM_CLI_H
#define TRIBUTARY_PROGRAM_CLI_H

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/program/command.h"
#include "pipeline/support/embedded.h"

/* The files that `tributary init` writes, corpora/carrow-bay, embedded by the build. Ends with a
 * row whose name is NULL. */
extern const trib_embedded_file trib_small_corpus[];

/* Replaces each operand that the table of commands calls RUN and that is a folder without a run of
 * its own by the only finished run below it. TRIB_USAGE when there are several (run_below.c). */
trib_status trib_runs_below(trib_command_line *line, const trib_command *command, trib_log *log,
                            trib_error *error);

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
/* Sets the name of an experiment about texts: that of the target, or of the folder of texts. */
trib_status trib_experiment_name(char **name, const char *text, trib_error *error);
/* Logs how many texts a draft has, which files are not read, and, unless a target was named, which
 * texts can be sources. */
void trib_experiment_tell(const trib_draft *draft, const char *path, bool has_target,
                          trib_log *log);
/* Writes the YAML of a draft to a path. A file that is there with other contents is renamed:
 * experiment.1.yaml. */
trib_status trib_experiment_write_draft(const trib_draft *draft, const char *path, trib_log *log,
                                        trib_error *error);

#endif
