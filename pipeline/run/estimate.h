/* estimate.h - the time and memory of a run, estimated from the sizes of its files. Private to
 * pipeline. */
#ifndef TRIBUTARY_RUN_ESTIMATE_H
#define TRIBUTARY_RUN_ESTIMATE_H

#include "pipeline/config/document.h"

typedef struct trib_estimate {
    uint64_t n_bytes; /* of all documents: measured */
    double n_tokens;  /* words */
    double nnz;       /* different n-grams, summed over the documents */
    double memory;    /* bytes at the peak */
    uint32_t n_targets;
    uint32_t n_candidates; /* largest number of sources of a target that are measured; 0: all */
    double seconds;        /* on one core of a server of 2022 */
} trib_estimate;

/* The unpacked size in bytes of a file of n_bytes, by the suffix of its name. */
uint64_t trib_estimate_bytes(const char *path, uint64_t n_bytes);

/* Estimates from the size n_bytes[d] of each document of a loaded configuration. The number of
 * words is a sixth of the bytes. The number of different n-grams in a text of w words is c w^b,
 * fitted to 126 texts of 300 to 30 000 words (median error 1 %, nine in ten within 18 %; a text of
 * 790 000 words has 13 % fewer). Memory and time are given per token, per nonzero and per
 * component, for one thread and an empty cache. Pages of scratch files, which the system can drop,
 * do not count. The estimate is within a factor of two for European languages in UTF-8
 * (tests/measure estimate held_out), and worse elsewhere. */
void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]);

#endif
