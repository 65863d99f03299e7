/* language.h - the background that several targets share: the common language of the corpus.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_LANGUAGE_H
#define TRIBUTARY_STAGES_LANGUAGE_H

#include "pipeline/stages/tensors.h"

/* Whether the targets share a background: as influence.background_of says; by `auto` where every
 * target and its sources are the same documents, and where there are many. */
bool trib_config_shares_background(const trib_config *config, uint32_t n_targets,
                                   uint32_t n_documents);
/* Whether documents are taken in one after the other, by date. */
bool trib_language_is_by_date(const trib_config *config);
/* How many documents, in the order of corpus->arrival, the background of a target takes in. */
uint32_t trib_language_n_before(const trib_config *config, const trib_corpus *corpus,
                                const trib_target *target);

/* What the language is made from. */
typedef struct trib_language_inputs {
    const trib_config *config;
    const trib_corpus *corpus;
    const trib_tensors *tensors;
    uint32_t n_words; /* of the vocabulary */
} trib_language_inputs;

/* The language of no document yet, or, unless by date, of all. */
trib_status trib_language_begin(trib_common_language *language, const trib_language_inputs *from,
                                int n_threads, const trib_progress *progress, trib_error *error);
/* By date, takes in the documents of the order up to number `end`; *n_arrived are in already. */
trib_status trib_language_take_in(trib_common_language *language, const trib_language_inputs *from,
                                  uint32_t *n_arrived, uint32_t end, const trib_progress *progress,
                                  trib_error *error);
/* Gives one target its background, from nothing: what is in the cache may prove damaged. */
trib_status trib_language_of(const trib_language_inputs *from, const trib_target *target,
                             int n_threads, trib_progress progress, trib_background *background,
                             trib_error *error);

#endif
