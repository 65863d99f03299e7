/* library.h - which texts of a library a run reads: its targets, and for each the texts that hold
 * most of its phrases of 5 words. The index of the library says so, and no other text is opened.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_LIBRARY_H
#define TRIBUTARY_STAGES_LIBRARY_H

#include "base/arena.h"
#include "pipeline/stages/stages.h"

/* The documents of a run on a library. `{0}` is empty. */
typedef struct trib_chosen_texts {
    trib_arena arena;
    trib_corpus_document *document; /* [n], each target with its sources */
    uint32_t n;                     /* 0: no document is in a library */
} trib_chosen_texts;

/* Chooses the documents of env->config: all that are in no library, the targets, and their sources,
 * at most influence.candidates by the estimated share of a target, and a quarter more by the number
 * of its phrases. What is chosen for a target depends on the library and the target alone.
 * TRIB_INPUT when a library is damaged. */
trib_status trib_chosen_texts_find(trib_chosen_texts *chosen, const trib_environment *env,
                                   trib_error *error);
void trib_chosen_texts_release(trib_chosen_texts *chosen);

#endif
