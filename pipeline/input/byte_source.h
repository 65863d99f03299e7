/* byte_source.h - the bytes of a document as they are stored: in a file, in a member of an archive,
 * in a line of JSON, on standard input. Private to pipeline. */
#ifndef TRIBUTARY_INPUT_BYTE_SOURCE_H
#define TRIBUTARY_INPUT_BYTE_SOURCE_H

#include "pipeline/input/address.h"

struct trib_spool_of_texts;

typedef struct trib_byte_source {
    trib_reader reader; /* what reads them */
    trib_buffer held;   /* what it reads, where that is not a file by itself */
    bool is_utf8;       /* whatever the corpus is written in */
} trib_byte_source;

/* Opens what is at an address, which may lie on a shelf (spool.h; NULL: there is none); `path` is
 * borrowed until close. TRIB_INPUT when there is nothing, or nothing that can be read so. Standard
 * input is kept, the first time, in a temporary file that takes its place: it can be opened any
 * number of times, the first time not beside another. */
trib_status trib_byte_source_open(trib_byte_source *stored, const char *path,
                                  struct trib_spool_of_texts *shelf, trib_error *error);
void trib_byte_source_close(trib_byte_source *stored); /* `{0}` is legal */

#endif
