/* cli.h - the room `cli`: the program `tributary`, with a file for each command that works on whole
 * runs, corpora or the program itself, and the table of all commands (commands.c). It is the
 * highest room and may use all others. For a new command write its function in a file here, or in
 * pipeline/tools when it is a single stage or an operation on files; declare it in
 * pipeline/command/command.h and add a row to commands.c. The help, the manual page and the
 * completion of shells are made from that table. */
#ifndef TRIBUTARY_CLI_CLI_H
#define TRIBUTARY_CLI_CLI_H

#include "pipeline/support/embedded.h"

/* The files that `tributary init` writes, corpora/carrow-bay, embedded by the build. Ends with a
 * row whose name is NULL. */
extern const trib_embedded_file trib_small_corpus[];

#endif
