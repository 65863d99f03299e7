/* box.h - boxes of indices, and searching a box in nonzeros that are stored in an order. Private to
 * tensor/formats/.
 *
 * Every order here is an order of indices, so a box has a smallest index at or after any given one.
 * A reader finds it by bisection and skips everything before it. Along the Morton curve this is the
 * range search of Tropf and Herzog 1981. */
#ifndef TRIBUTARY_BOX_H
#define TRIBUTARY_BOX_H

#include "tensor/formats/formats.h"

bool trib_box_holds(const trib_box *box, uint32_t n_modes, const uint32_t index[]);
bool trib_box_is_point(const trib_box *box, uint32_t n_modes);

/* An order of indices. */
typedef struct trib_order {
    uint32_t n_modes;
    /* Along the Morton curve as in trib_key_morton: mode 0 lowest in every round. */
    bool morton;
    uint32_t mode[TRIB_MAX_MODES]; /* otherwise lexicographic, by these modes in turn */
} trib_order;

int trib_order_compare(const trib_order *order, const uint32_t a[], const uint32_t b[]);
/* next[] receives the first index of the box at or after at[]; false when there is none. */
bool trib_order_next(const trib_order *order, const trib_box *box, const uint32_t at[],
                     uint32_t next[]);

/* Items of a tensor in ascending order of their indices; equal ones are allowed. */
typedef struct trib_sorted {
    const trib_tensor *tensor;
    trib_order order;
    size_t n; /* items */
    void (*place)(const trib_tensor *tensor, size_t item, uint32_t place[]);
} trib_sorted;

/* Finds the first item in the box among those from `from` on; false when there is none. */
bool trib_sorted_next(const trib_sorted *items, const trib_box *box, size_t from, size_t *item);

#endif
