/* json_span.h - the parts of a JSON text, found without parsing it: a large document is read one
 * member at a time. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_JSON_SPAN_H
#define TRIBUTARY_SUPPORT_JSON_SPAN_H

#include <jansson.h>

#include "base/base.h"

/* The text of a value: the bytes from `at` up to `end`. */
typedef struct trib_json_span {
    const char *at, *end;
} trib_json_span;

/* JSON texts that lie in a file, which is mapped. */
typedef struct trib_json_texts {
    trib_json_span *text;
    char *map; /* the file; NULL: there is none */
    size_t n_mapped;
} trib_json_texts;

/* What is left of an object or a list while its items are listed. */
typedef struct trib_json_items {
    trib_json_span rest;      /* `at` is NULL when there is nothing left */
    const char *after;        /* what follows the object or list; NULL: not found yet */
    bool is_object, is_wrong; /* is_wrong: the text is not JSON here */
} trib_json_items;

/* Begins to list the items of a value; a value that is neither an object nor a list has none. */
trib_json_items trib_json_items_of(trib_json_span value);
/* Finds the next item. `key` is the text of the key with its quotation marks, empty in a list.
 * Returns false after the last item, and where the text is not JSON. Only brackets and strings are
 * looked at, so a value that is found can still be wrong. */
bool trib_json_items_next(trib_json_items *items, trib_json_span *key, trib_json_span *value);
/* The two halves of finding the next item: after its key, the value is found, or its own items are
 * listed, from trib_json_items_of(items->rest), and left when none is left: so a large value is
 * read once. All return false as trib_json_items_next does. */
bool trib_json_items_next_key(trib_json_items *items, trib_json_span *key);
bool trib_json_items_value(trib_json_items *items, trib_json_span *value);
bool trib_json_items_leave(trib_json_items *items, const trib_json_items *inner);
/* Whether a text is exactly these characters; that of a key has quotation marks. */
bool trib_json_span_is(trib_json_span text, const char *characters);
/* Finds the member of an object; an empty text when there is none. `key` has no quotation marks. */
trib_json_span trib_json_span_member(trib_json_span object, const char *key);
/* Parses a value. TRIB_INPUT with `name` when it is not JSON; TRIB_MEMORY. The caller releases
 * *value with json_decref. */
trib_status trib_json_span_parse(json_t **value, trib_json_span text, const char *name,
                                 trib_error *error);
/* Takes all that was read of the file out of memory. What is read again comes from the file. */
void trib_json_texts_rest(const trib_json_texts *texts);
/* The same, now and then: called after text t of all was read. Any thread may call it. */
void trib_json_texts_rest_after(const trib_json_texts *texts, size_t t);

#endif
