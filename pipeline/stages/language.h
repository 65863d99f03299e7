/* language.h - the background that several targets share: the common language of the corpus.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_LANGUAGE_H
#define TRIBUTARY_STAGES_LANGUAGE_H

#include "pipeline/stages/tensors.h"

/* Returns whether the targets share a background, as influence.background_of says. With `auto` they
 * do if there are several targets and either there are many documents or every target with its
 * sources is the whole corpus. */
bool trib_config_shares_background(const trib_config *config, uint32_t n_targets,
                                   uint32_t n_documents);
/* Returns whether documents are added to the language one by one, by date. */
bool trib_language_is_by_date(const trib_config *config);
/* Returns the number of documents, in the order of corpus->arrival, that the background of a target
 * includes. */
uint32_t trib_language_n_before(const trib_config *config, const trib_corpus *corpus,
                                const trib_target *target);

/* The inputs of the common language. */
typedef struct trib_language_inputs {
    const trib_config *config;
    const trib_corpus *corpus;
    const trib_tensors *tensors;
    uint32_t n_words; /* of the vocabulary */
} trib_language_inputs;

/* Initialises an empty language if documents are added by date; otherwise fits the language to all
 * documents. */
trib_status trib_language_begin(trib_common_language *language, const trib_language_inputs *from,
                                int n_threads, const trib_progress *progress, trib_error *error);
/* By date: adds the documents of the order up to number `end` to the language, which already
 * includes *n_arrived of them. */
trib_status trib_language_take_in(trib_common_language *language, const trib_language_inputs *from,
                                  uint32_t *n_arrived, uint32_t end, const trib_progress *progress,
                                  trib_error *error);
/* Computes the background of document d, the target, from the language. */
trib_status trib_language_rows(trib_background *background, const trib_language_inputs *from,
                               const trib_common_language *language, uint32_t d, trib_error *error);
/* Computes the background of one target if `background` is empty, without the cache, whose contents
 * may be damaged. */
trib_status trib_language_of(const trib_language_inputs *from, const trib_target *target,
                             int n_threads, trib_progress progress, trib_background *background,
                             trib_error *error);

#endif
