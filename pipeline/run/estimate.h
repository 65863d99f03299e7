/* estimate.h - what a run would take, guessed from the sizes of its files. Private to pipeline. */
#ifndef TRIBUTARY_RUN_ESTIMATE_H
#define TRIBUTARY_RUN_ESTIMATE_H

#include "pipeline/config/config.h"

typedef struct trib_estimate {
    uint64_t n_bytes; /* of all documents: measured */
    double n_tokens;  /* words */
    double nnz;       /* different n-grams, added over the documents */
    double memory;    /* bytes at the peak */
    uint32_t n_targets;
    double seconds; /* on one core of a server of 2022 */
} trib_estimate;

/* The bytes a file of n_bytes holds when it is unpacked, by the end of its name. */
uint64_t trib_estimate_bytes(const char *path, uint64_t n_bytes);

/* From n_bytes[d] of every document of a loaded configuration. Words: a sixth of the bytes.
 * Different n-grams of a text of w words: c w^b, fitted to 126 texts of 300 to 30 000 words (median
 * error 1 %, nine in ten within 18 %; a text of 790 000 words has 13 % fewer). Memory and time: per
 * token, per nonzero and per component, on one thread and with nothing in the cache. Within a
 * factor of two for European languages in UTF-8 (docs/measured/estimates.md), worse elsewhere. */
void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]);

#endif
