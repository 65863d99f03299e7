/* called.h - finds the document that a person means. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_CALLED_H
#define TRIBUTARY_SUPPORT_CALLED_H

#include "base/base.h"

/* What a document is called. */
typedef struct trib_called {
    const char *id, *title, *file; /* title and file: NULL or "" when there is none */
} trib_called;

/* Documents among which one is looked for. */
typedef struct trib_called_list {
    size_t n;
    trib_called (*at)(const void *of, size_t i); /* returns what document i is called */
    const void *of;
    const char *what; /* "a document of the corpus", for messages */
} trib_called_list;

/* Finds the document whose id, title or file a name is: with or without the folders and the ending
 * of the file. If there is none, the names are compared in normal form C without regard to capital
 * letters; then a name may be the beginning of an id, a title or the name of a file. Of several
 * kinds the one named first counts. *found is its number. Returns TRIB_USAGE when no document or
 * more than one has the name, with those that it could be. TRIB_MEMORY. */
trib_status trib_called_find(const trib_called_list *list, const char *name, size_t *found,
                             trib_error *error);

/* Appends the ids of documents, separated by commas; of many the first, and how many more there
 * are. `is_in` (NULL: all) returns whether document i is one of them. */
trib_status trib_called_print(const trib_called_list *list,
                              bool (*is_in)(const void *context, size_t i), const void *context,
                              trib_buffer *out, trib_error *error);
#endif
