/* ready_entry.h - reads and writes the entry of a ready corpus. Private to this room. */
#ifndef TRIBUTARY_RUN_READY_ENTRY_H
#define TRIBUTARY_RUN_READY_ENTRY_H

#include "pipeline/run/run.h"

/* Takes the entry of run->ready.key: fills run->words, run->vocab and the
 * rest of run->ready. Without an entry, does nothing. */
trib_status trib_ready_entry_take(trib_run *run, trib_error *error);
/* Copies the formulas of the entry to run->index. */
trib_status trib_ready_entry_formulas(trib_run *run, trib_error *error);
/* Writes the entry of a run whose documents are all counted, from the indexes in run->ready.made
 * and the formulas in run->index. A full disk is only logged. */
trib_status trib_ready_entry_put(trib_run *run, trib_error *error);

#endif
