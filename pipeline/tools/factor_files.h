/* factor_files.h - decompositions in .ktns files, their words numbered alike: for the commands
 * distance and influence. Private to pipeline. */
#ifndef TRIBUTARY_TOOLS_FACTOR_FILES_H
#define TRIBUTARY_TOOLS_FACTOR_FILES_H

#include "pipeline/config/config.h"

/* Several files. `{0}` is empty. */
typedef struct trib_factor_files {
    uint32_t n;
    const char *const *path; /* [n] borrowed */
    trib_ktensor *k;         /* [n] every column sums to 1 */
    uint32_t **word;         /* [n][n_indices] id of every index */
    uint32_t *n_indices;     /* [n] its length, the largest dimension of k */
    trib_intern words;       /* by id: those of vocabulary.file first, in its order */
    trib_factors factors;    /* of all files, in their order */
} trib_factor_files;

/* Reads them. Words of the same spelling are one; in files that name no words an index is the same
 * in all, and they must have the same dimensions. Ids decide in which order products are added up:
 * with a run's vocab.tsv as vocabulary.file the distances have the run's bits. TRIB_INPUT with the
 * file that is broken, has other modes or dimensions than the first, or words where the first has
 * none; TRIB_CONFIG for a vocabulary.file that cannot be read. */
trib_status trib_factor_files_read(trib_factor_files *files, const char *const path[], uint32_t n,
                                   const trib_config *config, trib_error *error);
void trib_factor_files_release(trib_factor_files *files);

#endif
