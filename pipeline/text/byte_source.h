/* byte_source.h - the bytes of a document as they are stored: in a file, in a member of an archive,
 * in a line of JSON, in a file of several texts, or on standard input. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_BYTE_SOURCE_H
#define TRIBUTARY_TEXT_BYTE_SOURCE_H

#include "pipeline/text/address.h"
#include "pipeline/text/mets.h"

struct trib_spool_of_texts;

typedef struct trib_byte_source {
    trib_reader reader; /* reads the bytes */
    trib_buffer bytes;  /* the bytes, when they are only a part of a file */
    bool is_utf8;       /* whatever corpus.encoding says: they are in JSON Lines or a table */
    bool is_row;        /* they are in a table */
    bool is_tei;        /* they are a text of a file of TEI (tei_file.h) */
    trib_mets mets;     /* the pages of a METS file; n 0: it is none */
    uint64_t stamp;     /* as trib_byte_source_stamp, of before the bytes were opened */
} trib_byte_source;

/* Opens the bytes at an address, or their copy in `spool` (spool.h; NULL: no spool). `path` is
 * borrowed until close. TRIB_INPUT when they cannot be read. The first call for standard input
 * copies it to a temporary file, which replaces it. After that, standard input can be opened any
 * number of times; the first call must not run at the same time as another. */
trib_status trib_byte_source_open(trib_byte_source *source, const char *path,
                                  struct trib_spool_of_texts *spool, trib_error *error);
/* Where the bytes are those of a METS file on disk, appends those of its pages, one after the
 * other, and sets source->mets, whose files are then paths. TRIB_INPUT, with file and line, for a
 * page that is missing or cannot be read (pages.c). */
trib_status trib_byte_source_add_pages(trib_byte_source *source, const char *path,
                                       trib_error *error);
/* As trib_address_stamp; `has_pages`: of a METS file with its pages. */
uint64_t trib_byte_source_stamp(const char *path, bool has_pages);
void trib_byte_source_close(trib_byte_source *source); /* `{0}` is legal */

#endif
