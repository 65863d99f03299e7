/* passages_list.h - all shared passages of a result, for the files that list them. Private to
 * pipeline. */
#ifndef TRIBUTARY_EXPORTS_PASSAGES_LIST_H
#define TRIBUTARY_EXPORTS_PASSAGES_LIST_H

#include <jansson.h>

#include "base/base.h"

/* A passage of influence.json. The pointers are borrowed. */
typedef struct trib_listed_passage {
    const char *id, *target, *source; /* ids of the passage and of the two texts */
    const json_t *passage;            /* an element of targets[].evidence[].passages[] */
} trib_listed_passage;

typedef trib_status (*trib_passage_visit)(void *context, const trib_listed_passage *passage,
                                          trib_error *error);

/* Calls `visit` for each passage of a result, by target, source and place in the list, until a
 * call fails. */
trib_status trib_passages_each(const json_t *result, trib_passage_visit visit, void *context,
                               trib_error *error);

/* Replaces `text` by words of one side ("target" or "source") of a passage: from its first shared
 * word to its last (part 0), or the words quoted before (-1) or after them (1). "" without
 * quotations. */
trib_status trib_passage_text(const json_t *side, int part, trib_buffer *text, trib_error *error);

#endif
