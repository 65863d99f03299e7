/* small_corpus.h - the files that `tributary init` writes: corpora/carrow-bay, embedded by the
 * build. */
#ifndef TRIBUTARY_CLI_SMALL_CORPUS_H
#define TRIBUTARY_CLI_SMALL_CORPUS_H

#include "pipeline/support/embedded.h"

extern const trib_embedded_file trib_small_corpus[]; /* ends with a row whose name is NULL */

#endif
