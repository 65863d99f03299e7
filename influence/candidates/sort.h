/* sort.h - the order of entries. Private to this room. */
#ifndef TRIBUTARY_INFLUENCE_CANDIDATES_SORT_H
#define TRIBUTARY_INFLUENCE_CANDIDATES_SORT_H

#include "influence/candidates/sketch.h"

/* Sorts n entries, whose hashes lie in one of n_partitions equal intervals, by hash, then by
 * document. *entry is replaced by an array of n. O(n) for random hashes. TRIB_MEMORY. */
trib_status trib_sketch_sort(trib_sketch_entry **entry, size_t n, uint32_t n_partitions,
                             trib_error *error);
/* Joins entries of equal hash and document, which are adjacent: moves the first of entry[n], with
 * the sum of the counts, to the front and returns their number. */
size_t trib_sketch_join(trib_sketch_entry entry[], size_t n);

#endif
