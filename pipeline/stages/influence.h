/* influence.h - stage influence: the share of every target that each method gives to each source.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_INFLUENCE_H
#define TRIBUTARY_STAGES_INFLUENCE_H

#include "pipeline/stages/distances.h"
#include "pipeline/stages/floor.h"

/* The shares of one target. `{0}` is empty. */
typedef struct trib_shares {
    trib_influence *influence; /* [n_methods] of the configuration */
    uint32_t n_methods;
    const trib_influence *headline; /* one of them */
    trib_floor floor;               /* of the headline method */
} trib_shares;
trib_status trib_shares_init(trib_shares *shares, const trib_config *config, trib_error *error);
void trib_shares_release(trib_shares *shares);
/* Called after the last method has been measured: computes the floor and releases the data that
 * only the methods needed. */
void trib_shares_finish(trib_shares *shares, const trib_config *config, const trib_corpus *corpus);

/* An index of the documents that contain each n-gram, and the words of all documents in order;
 * built once for all targets. `{0}` is empty. */
typedef struct trib_corpus_index {
    trib_concordance concordance;
    trib_word_orders orders; /* with several targets; built when a method first needs it */
    bool has_read_orders;    /* `orders` was built, or there was no memory for it */
} trib_corpus_index;
void trib_corpus_index_release(trib_corpus_index *index);

/* The inputs for measuring a target. The index is completed while several threads measure
 * targets. */
typedef struct trib_measure_inputs {
    const trib_environment *env;
    const trib_corpus *corpus;
    const trib_tensors *tensors;
    uint32_t n_words, other;         /* n_words: in the vocabulary; other: the id of <other> */
    const trib_distances *distances; /* NULL: no method uses distances */
    trib_corpus_index *index;
} trib_measure_inputs;

/* Builds the index of n-grams from the tensors: of all documents, or, with a single target, only of
 * the n-grams of that target. */
trib_status trib_corpus_index_build(const trib_measure_inputs *inputs, trib_error *error);
/* Releases the word orders, which are not needed until the next stage. */
void trib_corpus_index_forget_orders(trib_corpus_index *index);

/* Measures target t with one method and sets shares->influence[method]. If the method needs a
 * background and `background` is empty, the function computes it. */
trib_status trib_measure_target(const trib_measure_inputs *inputs, uint32_t t, uint32_t method,
                                int n_threads, trib_progress progress, trib_background *background,
                                trib_shares *shares, trib_error *error);
/* Warns about unreliable values among shares[n_targets]. */
trib_status trib_shares_warn(const trib_environment *env, const trib_corpus *corpus,
                             const trib_shares shares[], trib_error *error);

/* Returns the view of one target that the methods use; its pointers are borrowed. `background` may
 * be empty. */
trib_influence_case trib_measure_case(const trib_measure_inputs *inputs, uint32_t t,
                                      const trib_background *background);
/* Returns the configured options of the methods. */
trib_influence_options trib_config_influence_options(const trib_config *config, int n_threads,
                                                     trib_progress progress);
/* Returns the word orders of all documents, or NULL if reading them once for all targets does not
 * pay; each target then reads those of its sources. */
const trib_word_orders *trib_measure_orders(const trib_measure_inputs *inputs);

/* Returns the noise floor of a target by one method. */
trib_floor trib_influence_floor(const trib_config *config, const trib_corpus *corpus,
                                const trib_influence *influence);
/* Returns whether the headline share of source s is noise. */
bool trib_below_floor(const trib_shares *shares, size_t s);
/* Returns the method that supplies the evidence: the headline method if it has evidence, else the
 * first method that has; NULL if none has. */
const trib_influence_method *trib_method_of_evidence(const trib_config *config);

#endif
