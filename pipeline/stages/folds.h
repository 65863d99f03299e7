/* folds.h - makes the folded words of a vocabulary (influence/folds.h). Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FOLDS_H
#define TRIBUTARY_STAGES_FOLDS_H

#include "base/base.h"
#include "influence/folds.h"

/* Folds the words word[n] in UTF-8; word `other` is none (UINT32_MAX: all are). TRIB_MEMORY. */
trib_status trib_folds_make(trib_folds *folds, const char *const word[], uint32_t n, uint32_t other,
                            trib_error *error);
void trib_folds_release(trib_folds *folds);

#endif
