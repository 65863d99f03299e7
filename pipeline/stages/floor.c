/* floor.c - the rule of the noise floor. */
#include "pipeline/stages/floor.h"

#include <math.h>

trib_floor trib_floor_begin(double configured, const trib_influence_method *method) {
    return (trib_floor){.share = isnan(configured) ? method->floor : configured};
}

void trib_floor_raise(trib_floor *floor, const char *decoy, double share) {
    if (share > 0 && (share > floor->share || (!floor->decoy && share >= floor->share)))
        *floor = (trib_floor){share, decoy};
}

bool trib_floor_covers(const trib_floor *floor, double share) {
    return !(share > floor->share || (!floor->decoy && share >= floor->share)) || !(share > 0);
}
