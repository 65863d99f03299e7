/* methods.h - private to influence/: what the rows of the table in method.c call. Each fills share (zeros when called),
 * author and whatever else its method has; the contract is that of trib_influence_measure. */
#ifndef TRIBUTARY_INFLUENCE_METHODS_H
#define TRIBUTARY_INFLUENCE_METHODS_H

#include "influence/influence.h"

/* lowe.c */
trib_status trib_lowe_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error);
trib_status trib_lowe_soft_measure(trib_influence *result, const trib_influence_case *c,
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
