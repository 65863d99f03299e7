/* box.h - boxes of indices, and finding the nonzeros of one among nonzeros that are in order; private to tensor/formats/.
 *
 * Every order here is one of places, so a box has a smallest place at or after any other. A reader jumps there by
 * bisection and skips what lies between: along the Morton curve this is the range search of Tropf and Herzog 1981. */
#ifndef TRIBUTARY_BOX_H
#define TRIBUTARY_BOX_H

#include "tensor/formats/formats.h"

bool trib_box_holds(const trib_box *box, uint32_t n_modes, const uint32_t index[]);
bool trib_box_is_point(const trib_box *box, uint32_t n_modes);

/* An order of places. */
typedef struct trib_order {
    uint32_t n_modes;
    bool
        morton; /* along the Morton curve as trib_key_morton has it: mode 0 lowest in every round */
    uint32_t mode[TRIB_MAX_MODES]; /* else lexicographic, by these modes in turn */
} trib_order;

int trib_order_compare(const trib_order *order, const uint32_t a[], const uint32_t b[]);
/* next[] becomes the first place of the box at or after at[]; false when there is none. */
bool trib_order_next(const trib_order *order, const trib_box *box, const uint32_t at[],
                     uint32_t next[]);

/* Items of a tensor whose places never descend. */
typedef struct trib_sorted {
    const trib_tensor *tensor;
    trib_order order;
    size_t n; /* items */
    void (*place)(const trib_tensor *tensor, size_t item, uint32_t place[]);
} trib_sorted;

/* The first item whose place is in the box, among those from `from` on; false when there is none. */
bool trib_sorted_next(const trib_sorted *items, const trib_box *box, size_t from, size_t *item);

#endif
