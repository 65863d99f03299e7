/* phrases_file.h - reads every phrase of a pair of texts from the phrases.csv of a run. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_PHRASES_FILE_H
#define TRIBUTARY_OUTPUT_PHRASES_FILE_H

#include "pipeline/result/record.h"

/* The phrases of a target and the source. */
typedef struct trib_phrases_of_pair {
    const char *target;
    trib_phrase_records phrases;
} trib_phrases_of_pair;

/* All phrases of a source. `{0}` may be released. */
typedef struct trib_pair_phrases {
    const char *source;
    trib_phrases_of_pair *item; /* [n] as in the file */
    size_t n;
    trib_arena arena;
} trib_pair_phrases;

/* Reads the phrases of `source`, which is borrowed, and `target` (NULL: every target) in
 * DIRECTORY/phrases.csv; none if the file does not exist. TRIB_INPUT if the file is damaged. The
 * caller releases them, also after a failure. */
trib_status trib_phrases_read(trib_pair_phrases *pairs, const char *directory, const char *target,
                              const char *source, trib_error *error);
void trib_phrases_release(trib_pair_phrases *pairs);
/* Replaces the phrases in the evidence of a target, if it is from the source, by all of the file,
 * sorted in the same way (trib_evidence_rank). If the file lists fewer, those of the result
 * remain. */
void trib_phrases_put(const trib_pair_phrases *pairs, const char *target,
                      trib_evidence_record *evidence, size_t n_documents, trib_arena *arena);

#endif
