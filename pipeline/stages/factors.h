/* factors.h - decompositions as a configuration asks for them, and what is wrong with them: for the stage factors and the
 * command cp. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FACTORS_H
#define TRIBUTARY_STAGES_FACTORS_H

#include "pipeline/config/config.h"

enum { TRIB_DISTANCES_MOST = 64 << 20 }; /* bytes of distances.npy; more are not written */

/* cp.rank; with auto the largest it may become. */
uint32_t trib_config_rank(const trib_config *config);
/* The keys of cp as options; cp.rank: auto stays TRIB_RANK_AUTO, which is for trib_cp_search. */
trib_cp_options trib_config_cp_options(const trib_config *config, int n_threads,
                                       trib_progress progress);

/* What stands beside every result of cp.precision: single. */
#define TRIB_SINGLE_NOTE                                                                           \
    "factors in single precision where they meet the tensor (cp.precision: single)"

/* What a reader of the factors should know. */
typedef struct trib_judgement {
    double l1_error;         /* above 1 the empty model is nearer */
    double congruence;       /* the largest of two components */
    uint32_t n_collinear;    /* components that say nearly the same as another one */
    bool more_than_nonzeros; /* more components than nonzeros */
} trib_judgement;

trib_status trib_judge_factors(trib_judgement *judged, const trib_ktensor *k, const trib_tensor *x,
                               trib_error *error);

#endif
