/* inputs.h - the table of what was read. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_INPUTS_H
#define TRIBUTARY_OUTPUT_INPUTS_H

#include "pipeline/output/directory.h"
#include "pipeline/stages/document_words.h"

/* Writes inputs.tsv: a line per document and per file that was left out of a folder or archive.
 * Columns: file, document (its id), was (read, cut, refused, not read), kind ("gzip HTML"),
 * encoding, bytes as stored, bytes cut, words, why. `words` may be empty. */
trib_status trib_inputs_write(trib_run_directory *directory, const trib_corpus_words *words,
                              trib_error *error);

#endif
