/* inputs.h - the table of what was read. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_INPUTS_H
#define TRIBUTARY_OUTPUT_INPUTS_H

#include "pipeline/run/run.h"

/* inputs.tsv, as trib_directory_write asks for it: a line per document and per file that was left out of a folder or archive.
 * Columns: file, document (its id), was (read, cut, refused, not read), kind ("gzip HTML"), encoding, bytes as stored, bytes cut, words,
 * why. */
trib_status trib_inputs_write(const trib_run *run, const void *what, trib_writer *writer,
                              trib_error *error);

#endif
