/* base.h - the finished run that a run adds texts to (`tributary run CONFIG --add-to RUN`), its
 * base. The ids and counts of its words, its formulas, its index and the rates of its samples stay
 * as they are; words that only the added texts have get further ids. So a target without an added
 * source has the results it has there. They come from the cache: the ready corpus of the base
 * (ready.h), and the cached shares and evidence of its targets. Private to this room. */
#ifndef TRIBUTARY_RUN_BASE_H
#define TRIBUTARY_RUN_BASE_H

#include "pipeline/run/run.h"

/* After stage corpus: compares the texts and settings with those of the run run->add_to, fills
 * run->corpus.base and makes it part of the run's hash. With run->only_changed, removes the targets
 * that no added text may be a source of. Does nothing without run->add_to. TRIB_USAGE if it is no
 * finished run, or one that was itself extended; TRIB_CONFIG for other settings, for a text of the
 * base that is missing, or has another date, role or language; TRIB_INPUT for one that was changed.
 */
trib_status trib_base_open(trib_run *run, trib_error *error);
/* After stage candidates: with only_changed, removes the targets of the base without an added
 * source. TRIB_CONFIG if none is left. */
trib_status trib_base_keep_changed(trib_run *run, trib_error *error);
/* The documents of the base as a corpus of their own, in its order; the caller frees its list
 * `document`. */
trib_status trib_base_view(const trib_corpus *corpus, trib_corpus *view, trib_error *error);

#endif
