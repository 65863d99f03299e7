/* small_corpus.h - the files `tributary init` writes: corpora/carrow-bay, made into C by the
 * Makefile. Private to pipeline. */
#ifndef TRIBUTARY_CLI_SMALL_CORPUS_H
#define TRIBUTARY_CLI_SMALL_CORPUS_H

#include <stddef.h>

typedef struct trib_small_file {
    const char *name; /* "texts/guide.txt" */
    const unsigned char *bytes;
    size_t n_bytes;
} trib_small_file;
extern const trib_small_file trib_small_corpus[]; /* ends with a row whose name is NULL */

#endif
