/* spool.h - the documents that lie in archives and in files of JSON Lines, unpacked together.
 * Private to pipeline.
 *
 * What a tar packs is reached by unpacking all that lies before it, and a line of JSON by reading
 * all lines before it: read one by one, n documents cost n^2 / 2. So a file that holds several is
 * gone through once, when the first of them is asked for, and its documents are put one behind the
 * other into a file without a name, from which they are read in any order by any thread. What
 * cannot be put there (the archive is damaged behind it, or unpacks too far in all; there is no
 * room) is read as if there were no shelf: the shelf changes what reading costs, never what is read
 * nor what is refused. */
#ifndef TRIBUTARY_INPUT_SPOOL_H
#define TRIBUTARY_INPUT_SPOOL_H

#include "base/base.h"

/* A document within a file. */
typedef struct trib_spool_of_texts_item {
    const char *path; /* its address (byte_source.h), borrowed */
    size_t n_file;    /* bytes of it that name the file it lies in */
    uint64_t from, size;
    bool is_there; /* size bytes of the scratch file from byte `from` on are it */
    bool was_sought;
} trib_spool_of_texts_item;

typedef struct trib_spool_of_texts {
    /* [n] in the bytewise order of their paths, so those of a file lie together; no path twice */
    trib_spool_of_texts_item *item;
    size_t n, cap;
    trib_writer scratch;
    trib_reader reader; /* of it */
    bool is_open;
    uint64_t n_passes, n_alone; /* files gone through; documents that had to be read alone */
} trib_spool_of_texts;

/* Notes an address that will be read, if it is one within a file; before the first read. `path` is
 * borrowed until close. */
trib_status trib_spool_of_texts_add(trib_spool_of_texts *shelf, const char *path,
                                    trib_error *error);
/* Sorts what was added. */
void trib_spool_of_texts_arrange(trib_spool_of_texts *shelf);
/* Appends the bytes of a document to `to`; *is_there is false, and nothing is appended, when they
 * are not on the shelf. Safe from several threads. TRIB_MEMORY, TRIB_INPUT when the scratch file
 * cannot be read. */
trib_status trib_spool_of_texts_take(trib_spool_of_texts *shelf, const char *path, trib_buffer *to,
                                     bool *is_there, trib_error *error);
void trib_spool_of_texts_close(trib_spool_of_texts *shelf); /* `{0}` is legal */

#endif
