/* files.h - the files of the run directory that are written as soon as a stage is done. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_FILES_H
#define TRIBUTARY_OUTPUT_FILES_H

#include "pipeline/output/directory.h"
#include "pipeline/stages/distances.h"

/* After stage corpus: config.resolved.yaml and manifest.json. */
trib_status trib_files_of_corpus(trib_run_directory *directory, trib_error *error);
/* After stage vocabulary: vocab.tsv. */
trib_status trib_files_of_vocabulary(trib_run_directory *directory, const trib_vocab *vocab,
                                     trib_error *error);
/* The tensor of document d and its words, when they are wanted; from several threads. The folder
 * exists. */
trib_status trib_files_of_tensor(trib_run_directory *directory, uint32_t d,
                                 const trib_counts *counts, const trib_vocab *vocab,
                                 trib_error *error);
/* After stage factors: the factors of every document that are wanted, and ranks.csv. */
trib_status trib_files_of_factors(trib_run_directory *directory, const trib_tensors *tensors,
                                  const trib_decomposition decomposition[], const trib_vocab *vocab,
                                  trib_error *error);
/* After stage distances, when they are wanted: nearest.npy; and distances.npy from
 * all[factors][factors], which is changed; NULL: it is too large. */
trib_status trib_files_of_distances(trib_run_directory *directory, const trib_distances *distances,
                                    double *all, trib_error *error);

#endif
