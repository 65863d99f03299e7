/* floor.h - the noise floor: shares that are not evidence of influence (docs/model.md section 5).
 * All code that shows or omits a share uses these functions, so that tables, pages and terminal
 * agree. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_FLOOR_H
#define TRIBUTARY_STAGES_FLOOR_H

#include <stdbool.h>

#include "influence/influence.h"

/* The noise floor of one target by one method. trib_floor_begin gives the initial value. */
typedef struct trib_floor {
    double share;
    /* the id of the decoy whose share is the floor; NULL: the floor of the setting or the method.
     * Borrowed */
    const char *decoy;
} trib_floor;

/* Returns the floor of a method without decoys: `configured` (influence.floor), or the method's own
 * if `configured` is NaN (auto). */
trib_floor trib_floor_begin(double configured, const trib_influence_method *method);

/* Raises the floor to the share of a decoy if that share is above the floor, or equal to the
 * configured floor. Of decoys with equal shares the first is named. */
void trib_floor_raise(trib_floor *floor, const char *decoy, double share);

/* Returns whether a share is noise: zero, below the floor, equal to the share of the decoy that set
 * the floor, or NaN. */
bool trib_floor_covers(const trib_floor *floor, double share);

#endif
