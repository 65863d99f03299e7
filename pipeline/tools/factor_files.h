/* factor_files.h - decompositions in .ktns files with a common numbering of words, for the
 * commands distance and influence. */
#ifndef TRIBUTARY_TOOLS_FACTOR_FILES_H
#define TRIBUTARY_TOOLS_FACTOR_FILES_H

#include "pipeline/config/config.h"

/* Several files. `{0}` is empty. */
typedef struct trib_factor_files {
    uint32_t n;
    const char *const *path; /* [n] borrowed */
    trib_ktensor *k;         /* [n] every column sums to 1 */
    uint32_t **word;         /* [n][n_indices[d]] the word id of every index */
    uint32_t *n_indices;     /* [n] the number of ids in word[d]: the largest dimension of k[d] */
    /* the words by id; those of vocabulary.file come first, in its order */
    trib_intern words;
    trib_factors factors; /* the components of all files, in the order of the files */
} trib_factor_files;

/* Reads the files. Words of the same spelling have one id. In files without words an index means
 * the same in all files, which must have the same dimensions. The ids decide the order in which
 * products are added: with a run's vocab.tsv as vocabulary.file the distances have the same bits
 * as in that run. TRIB_INPUT, with the file, when one is broken, has other modes or dimensions
 * than the first, or has words where the first has none; TRIB_CONFIG for a vocabulary.file that
 * cannot be read. */
trib_status trib_factor_files_read(trib_factor_files *files, const char *const path[], uint32_t n,
                                   const trib_config *config, trib_error *error);
void trib_factor_files_release(trib_factor_files *files);

#endif
