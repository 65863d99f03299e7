/* files.h - the files of the run directory that are written as soon as a stage has finished.
 * Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_FILES_H
#define TRIBUTARY_OUTPUT_FILES_H

#include "pipeline/output/directory.h"
#include "pipeline/stages/document_words.h"
#include "pipeline/stages/factors.h"

/* After stage corpus: config.resolved.yaml and manifest.json. */
trib_status trib_files_of_corpus(trib_run_directory *directory, trib_error *error);
/* Writes inputs.tsv, with one line for each document and for each file of a folder or archive that
 * was not read. Columns: file, document (its id), was (read, cut, refused, not read), kind ("gzip
 * HTML"), encoding, bytes as stored, bytes cut, words, why. `words` may be empty. */
trib_status trib_inputs_write(trib_run_directory *directory, const trib_corpus_words *words,
                              trib_error *error);
/* After stage vocabulary: vocab.tsv. */
trib_status trib_files_of_vocabulary(trib_run_directory *directory, const trib_vocab *vocab,
                                     trib_error *error);
/* Writes the tensor of document d and its words, if configured. Several threads may call it. The
 * folder must exist. */
trib_status trib_files_of_tensor(trib_run_directory *directory, uint32_t d,
                                 const trib_counts *counts, const trib_vocab *vocab,
                                 trib_error *error);
/* After stage factors: the configured files with the factors of every document, and ranks.csv. */
trib_status trib_files_of_factors(trib_run_directory *directory, const trib_tensors *tensors,
                                  const trib_decomposition decomposition[], const trib_vocab *vocab,
                                  trib_error *error);
/* After stage distances, as configured: distances.csv; nearest.npy, and distances.npy from
 * all[factors][factors], which is overwritten. `all` NULL: distances.npy would be too large and is
 * not written. */
trib_status trib_files_of_distances(trib_run_directory *directory, const trib_distances *distances,
                                    double *all, trib_error *error);

#endif
