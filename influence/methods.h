/* methods.h - private to influence/: the functions that the table in method.c calls. Each fills
 * share (zeroed by the caller), author and the other fields that its method has. The contract is
 * that of trib_influence_measure. */
#ifndef TRIBUTARY_INFLUENCE_METHODS_H
#define TRIBUTARY_INFLUENCE_METHODS_H

#include "influence/influence.h"

/* shortlist.c: fills result->listed[n_listed] with the positions of the `most` sources that have
 * the largest shares by `split`, ascending, ties by position. Lists all sources when there are no
 * more than `most` or `most` is 0; otherwise it also fills result->split. */
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
