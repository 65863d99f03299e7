/* packed_counts.h - the n-grams of a large corpus: packed in a scratch file, and unpacked while
 * they are read. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_PACKED_COUNTS_H
#define TRIBUTARY_STAGES_PACKED_COUNTS_H

#include "pipeline/stages/tensors.h"

/* Whether the n-grams of a run, which are many, are packed. Factors read them where they lie. */
bool trib_counts_are_packed(const trib_config *config);
/* Packs the counts of document d into the spill of the tensors. They can be read only between
 * trib_counts_hold and trib_counts_drop then. TRIB_INTERNAL when they cannot be packed; errors as
 * trib_spill_put. The counts are unchanged after a failure. One thread at a time. */
trib_status trib_counts_pack(trib_tensors *tensors, uint32_t d, trib_error *error);

/* Makes the counts of a document readable until as many calls of trib_counts_drop; counts that are
 * not packed are always readable. Any thread may call it. TRIB_MEMORY; TRIB_INPUT when the scratch
 * file has been damaged. */
trib_status trib_counts_hold(const trib_tensors *tensors, uint32_t d, trib_error *error);
void trib_counts_drop(const trib_tensors *tensors, uint32_t d);
/* The same for document `first` and those of list[n]. */
trib_status trib_counts_hold_all(const trib_tensors *tensors, uint32_t first, const uint32_t list[],
                                 size_t n, trib_error *error);
void trib_counts_drop_all(const trib_tensors *tensors, uint32_t first, const uint32_t list[],
                          size_t n);

/* Releases the counts that nobody holds, and from now on those that are dropped: later readers are
 * few. */
void trib_counts_forget(const trib_tensors *tensors);
/* Releases all unpacked counts, which nobody may hold. */
void trib_unpacked_release(trib_tensors *tensors);

#endif
