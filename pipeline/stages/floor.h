/* floor.h - the noise floor: which shares say nothing (docs/model.md section 5). Everything that
 * shows or leaves out a share asks here, so that tables, pages and terminal agree. Private to
 * pipeline. */
#ifndef TRIBUTARY_STAGES_FLOOR_H
#define TRIBUTARY_STAGES_FLOOR_H

#include <stdbool.h>

/* The floor of one target by one method. It begins as {influence.floor, NULL}. */
typedef struct trib_floor {
    double share;
    /* the id of the decoy whose share it is; NULL: the configured one. Borrowed */
    const char *decoy;
} trib_floor;

/* Raises the floor to the share of a decoy, when that is no smaller than the floor. Of equal decoys
 * the first is named. */
void trib_floor_raise(trib_floor *floor, const char *decoy, double share);

/* Whether a share is noise: nothing, less than the floor, or no more than the decoy that set it. No
 * number is noise, too. */
bool trib_floor_covers(const trib_floor *floor, double share);

#endif
