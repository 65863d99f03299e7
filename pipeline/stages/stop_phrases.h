/* stop_phrases.h - phrases that are kept out of the ranking of phrases. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_STOP_PHRASES_H
#define TRIBUTARY_STAGES_STOP_PHRASES_H

#include "pipeline/config/config.h"
#include "tokenizer/tokenizer.h"

/* `{0}` is empty. */
typedef struct trib_stop_phrases {
    uint32_t n_modes, n_documents;
    double share;   /* of the documents: a phrase in more of them, and in at least 10, is one */
    size_t n;       /* listed phrases */
    size_t *start;  /* [n + 1] phrase i is word[start[i] .. start[i+1]-1] */
    uint32_t *word; /* [n_words] vocabulary ids; UINT32_MAX: no word of the corpus */
    size_t n_words;
} trib_stop_phrases;

/* Reads report.commonplaces, when there is one: a phrase a line in UTF-8, # before a comment, its
 * words cut as the texts are. Errors name the file and the line. */
trib_status trib_stop_phrases_open(trib_stop_phrases *found, const trib_config *config,
                                   const trib_vocab *vocab, uint32_t n_documents,
                                   trib_error *error);
void trib_stop_phrases_close(trib_stop_phrases *found);
/* Whether a phrase of evidence is one: most documents hold it, or it stands in a listed phrase, or
 * one in it. */
bool trib_stop_phrases_hold(const trib_stop_phrases *found, const trib_phrase *phrase);

#endif
