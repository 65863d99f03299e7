/* methods.h - private to influence/: what the rows of the table in method.c call. Each fills share
 * (zeros when called), author and whatever else its method has; the contract is that of
 * trib_influence_measure. */
#ifndef TRIBUTARY_INFLUENCE_METHODS_H
#define TRIBUTARY_INFLUENCE_METHODS_H

#include "influence/influence.h"

/* shortlist.c: result->listed[n_listed], positions among the case's sources, ascending, of the
 * `most` with the largest shares by split, ties by position; of all when there are no more or
 * `most` is 0. Else `split` is kept, too. */
trib_status trib_shortlist_make(trib_influence *result, const trib_influence_case *c, uint32_t most,
                                trib_error *error);
/* lowe.c */
trib_status trib_lowe_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error);
trib_status trib_lowe_soft_measure(trib_influence *result, const trib_influence_case *c,
                                   const trib_influence_options *options, trib_error *error);
/* matched.c */
trib_status trib_lowe_matched_measure(trib_influence *result, const trib_influence_case *c,
                                      const trib_influence_options *options, trib_error *error);
/* anchored.c */
trib_status trib_anchored_measure(trib_influence *result, const trib_influence_case *c,
                                  const trib_influence_options *options, trib_error *error);
/* counts.c */
trib_status trib_split_measure(trib_influence *result, const trib_influence_case *c,
                               const trib_influence_options *options, trib_error *error);
trib_status trib_containment_measure(trib_influence *result, const trib_influence_case *c,
                                     const trib_influence_options *options, trib_error *error);
/* runs.c */
trib_status trib_runs_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error);
/* traced.c */
trib_status trib_traced_measure(trib_influence *result, const trib_influence_case *c,
                                const trib_influence_options *options, trib_error *error);

#endif
