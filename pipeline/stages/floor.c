/* floor.c - the rule of the noise floor. */
#include "pipeline/stages/floor.h"

void trib_floor_raise(trib_floor *floor, const char *decoy, double share) {
    if (share > 0 && (share > floor->share || (!floor->decoy && share >= floor->share)))
        *floor = (trib_floor){share, decoy};
}

bool trib_floor_covers(const trib_floor *floor, double share) {
    return !(share > floor->share || (!floor->decoy && share >= floor->share)) || !(share > 0);
}
