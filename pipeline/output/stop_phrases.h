/* stop_phrases.h - phrases that are excluded from the ranking of phrases. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_STOP_PHRASES_H
#define TRIBUTARY_OUTPUT_STOP_PHRASES_H

#include "influence/evidence.h"
#include "pipeline/config/document.h"
#include "tokenizer/tokenizer.h"

/* The stop phrases of a run. `{0}` is empty. */
typedef struct trib_stop_phrases {
    uint32_t n_modes, n_documents;
    /* of the documents: a phrase in more of them, and in at least 10, is a stop phrase */
    double share;
    size_t n;       /* listed phrases */
    size_t *start;  /* [n + 1] phrase i is word[start[i] .. start[i+1]-1] */
    uint32_t *word; /* [n_words] vocabulary ids; UINT32_MAX: not a word of the corpus */
    size_t n_words;
} trib_stop_phrases;

/* Reads report.commonplaces if it is set: one phrase per line in UTF-8; # begins a comment; phrases
 * are split into words like the texts. Errors name the file and the line. */
trib_status trib_stop_phrases_open(trib_stop_phrases *found, const trib_config *config,
                                   const trib_vocab *vocab, uint32_t n_documents,
                                   trib_error *error);
void trib_stop_phrases_close(trib_stop_phrases *found);
/* Returns whether a phrase of the evidence is a stop phrase: most documents contain it, or it is
 * part of a listed phrase, or contains one. */
bool trib_stop_phrases_hold(const trib_stop_phrases *found, const trib_phrase *phrase);

#endif
