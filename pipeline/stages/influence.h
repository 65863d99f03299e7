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
    trib_floor floor;               /* of the headline */
} trib_shares;
trib_status trib_shares_init(trib_shares *shares, const trib_config *config, trib_error *error);
void trib_shares_release(trib_shares *shares);
/* The last of its methods is measured: finds the floor, and releases what only served the
 * others. */
void trib_shares_finish(trib_shares *shares, const trib_config *config, const trib_corpus *corpus);

/* Who holds which n-gram, and the words of all documents in order: found once for all targets.
 * `{0}` is empty. */
typedef struct trib_corpus_index {
    trib_concordance concordance;
    trib_word_orders orders; /* of several targets, from the first that needs them on */
    bool has_read_orders;    /* or tried to, and there was no memory */
} trib_corpus_index;
void trib_corpus_index_release(trib_corpus_index *index);

/* What a target is measured by. The index fills itself while targets are measured side by side. */
typedef struct trib_measure_inputs {
    const trib_environment *env;
    const trib_corpus *corpus;
    const trib_tensors *tensors;
    uint32_t n_words, other;         /* of the vocabulary; other: the id of <other> */
    const trib_distances *distances; /* NULL: no method needs them */
    trib_corpus_index *index;
} trib_measure_inputs;

/* tensors -> index: who holds the n-grams, of all documents, or of the only target at the cost of
 * its own. */
trib_status trib_corpus_index_build(const trib_measure_inputs *inputs, trib_error *error);
/* The words in order are not needed before the next stage. */
void trib_corpus_index_forget_orders(trib_corpus_index *index);

/* inputs, background of target t -> shares->influence[method]. A method that needs a background
 * which is empty makes it. */
trib_status trib_measure_target(const trib_measure_inputs *inputs, uint32_t t, uint32_t method,
                                int n_threads, trib_progress progress, trib_background *background,
                                trib_shares *shares, trib_error *error);
/* Warns where shares[n_targets] say less than they seem to. */
trib_status trib_shares_warn(const trib_environment *env, const trib_corpus *corpus,
                             const trib_shares shares[], trib_error *error);

/* What the methods see of one target; borrows. `background` may be empty. */
trib_influence_case trib_measure_case(const trib_measure_inputs *inputs, uint32_t t,
                                      const trib_background *background);
/* The options of the methods as they are configured. */
trib_influence_options trib_config_influence_options(const trib_config *config, int n_threads,
                                                     trib_progress progress);
/* The words in order, when they are worth reading for all targets at once; NULL: each target reads
 * those of its sources. */
const trib_word_orders *trib_measure_orders(const trib_measure_inputs *inputs);

/* The noise floor of a target by one method. */
trib_floor trib_influence_floor(const trib_config *config, const trib_corpus *corpus,
                                const trib_influence *influence);
/* Whether the headline share of source s is noise. */
bool trib_below_floor(const trib_shares *shares, size_t s);
/* Where evidence comes from: the headline when it has any, else the first method that has; NULL
 * when none has. */
const trib_influence_method *trib_method_of_evidence(const trib_config *config);

#endif
