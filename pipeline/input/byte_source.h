/* byte_source.h - the bytes of a document as they are stored: in a file, in a member of an archive, in a line of JSON, on standard
 * input. Private to pipeline.
 *
 * An address is a path. One that goes on behind a file names what is in it: "books.zip/one.txt" is a member of the archive,
 * "papers.jsonl/17" the text of line 17 (from 1; the value of "text"). "-" is standard input. */
#ifndef TRIBUTARY_INPUT_BYTE_SOURCE_H
#define TRIBUTARY_INPUT_BYTE_SOURCE_H

#include "base/base.h"

struct trib_spool_of_texts;

typedef struct trib_byte_source {
    trib_reader reader; /* what reads them */
    trib_buffer held;   /* what it reads, where that is not a file by itself */
    bool is_utf8;       /* whatever the corpus is written in */
} trib_byte_source;

/* Opens what is at an address, which may lie on a shelf (spool.h; NULL: there is none); `path` is borrowed until close. TRIB_INPUT when there is nothing, or nothing that can be read
 * so. Standard input is kept, the first time, in a temporary file that takes its place: it can be opened any number of times,
 * the first time not beside another. */
trib_status trib_byte_source_open(trib_byte_source *stored, const char *path,
                                  struct trib_spool_of_texts *shelf, trib_error *error);
void trib_byte_source_close(trib_byte_source *stored); /* `{0}` is legal */

/* Bytes of the leading part of `path` that is a file while the path goes on behind it; 0: there is none. */
size_t trib_byte_source_split(const char *path);
/* Whether something can be read at an address, as far as names tell. */
bool trib_byte_source_is_there(const char *path);
/* TRIB_INPUT when an address lies in a pipe or a device: opening it may wait for ever, and a run reads a document twice. */
trib_status trib_byte_source_check(const char *path, trib_error *error);

/* What changes when the file does that lies at an address: a mix of its size and times; 0 when there is none. */
uint64_t trib_byte_source_stamp(const char *path);

/* A file without a name, open for reading and writing, closed by the caller. TRIB_OUTPUT when there can be none. */
trib_status trib_spool_open(int *file, trib_error *error);
/* Writes all of it and goes back to its beginning. */
trib_status trib_spool_write(int file, const void *bytes, size_t length, trib_error *error);

#endif
