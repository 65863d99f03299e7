/* inputs.h - the table of the input files. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_INPUTS_H
#define TRIBUTARY_OUTPUT_INPUTS_H

#include "pipeline/output/directory.h"
#include "pipeline/stages/document_words.h"

/* Writes inputs.tsv, with one line for each document and for each file of a folder or archive that
 * was not read. Columns: file, document (its id), was (read, cut, refused, not read), kind ("gzip
 * HTML"), encoding, bytes as stored, bytes cut, words, why. `words` may be empty. */
trib_status trib_inputs_write(trib_run_directory *directory, const trib_corpus_words *words,
                              trib_error *error);

#endif
