/* broadcast.h - views stretched to a common shape; private to tensor/. */
#ifndef TRIBUTARY_BROADCAST_H
#define TRIBUTARY_BROADCAST_H

#include "tensor/sparse.h"

/* A view in a larger shape. Its modes are matched with the last ones of the shape; modes it lacks, and those of length 1, are
 * repeated along the shape's. */
typedef struct trib_stretch {
    const trib_view *view;
    uint32_t n_modes, dim[TRIB_MAX_MODES]; /* the shape */
    uint32_t n_missing;                    /* its leading modes that the view lacks */
    bool repeats[TRIB_MAX_MODES];          /* modes along which the view is repeated */
    double n_copies;                       /* of every nonzero: the product of their lengths */
} trib_stretch;

/* x and y in the smallest shape that both can be stretched to. TRIB_INPUT, with both shapes, when there is none. */
trib_status trib_stretch_both(trib_stretch *at_x, trib_stretch *at_y, const trib_view *x,
                              const trib_view *y, trib_error *error);
/* x in the shape of `to`. TRIB_INPUT, with both shapes, when `to` would have to be stretched. */
trib_status trib_stretch_to(trib_stretch *at_x, const trib_view *x, const trib_view *to,
                            trib_error *error);
double trib_stretch_get(const trib_stretch *x, const uint32_t index[]);

/* Goes through the nonzeros as trib_view_next does, and through the copies of each in lexicographic order. */
typedef struct trib_stretch_cursor {
    const trib_stretch *stretch;
    trib_cursor cursor;
    bool is_within; /* a nonzero has copies left */
    double value;
    uint32_t next[TRIB_MAX_MODES]; /* the next copy */
} trib_stretch_cursor;
trib_stretch_cursor trib_stretch_begin(const trib_stretch *x);
bool trib_stretch_next(trib_stretch_cursor *c, uint32_t index[], double *value);

#endif
