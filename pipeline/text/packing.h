/* packing.h - reads files compressed with gzip, bzip2, xz or zstd. Private to pipeline.
 *
 * The compression is recognised by the first bytes, whatever the name of the file. No text in UTF-8
 * begins with these bytes, except those of bzip2, which do not occur in practice. gzip is
 * decompressed by zlib, the others by libarchive; in a build without these, messages name the
 * missing package. The limits of archive.h apply. */
#ifndef TRIBUTARY_TEXT_PACKING_H
#define TRIBUTARY_TEXT_PACKING_H

#include "pipeline/text/archive.h"

enum { TRIB_PACKING_BYTES = 8 }; /* first bytes that identify a compression */

/* A file that is being read. */
typedef struct trib_unpacked {
    trib_reader *reader;    /* of the stored bytes; decompresses gzip itself; borrowed */
    const char *packing;    /* "gzip", "bzip2", "xz", "zstd"; NULL: not compressed */
    void *archive;          /* libarchive's, or NULL */
    bool is_over;           /* the end was reached */
    trib_error failure;     /* an error of `reader` below libarchive */
    char *block;            /* input buffer of libarchive */
    uint64_t n_file, n_out; /* size of the file, bytes decompressed so far */
} trib_unpacked;

/* Length of a file name without the extension of a compression (.gz .bz2 .xz .zst, in either case).
 * The whole length when there is none. */
size_t trib_unpacked_name_length(const char *path);
/* The compression that the first n bytes show, or NULL. */
const char *trib_packing_name(const unsigned char *first, size_t n);

/* Examines the first bytes of `reader`. TRIB_INPUT when this build cannot decompress them;
 * `unpacked` is then closed. */
trib_status trib_unpacked_open(trib_unpacked *unpacked, trib_reader *reader, trib_error *error);
/* Reads up to `size` bytes. *got is 0 only at the end. TRIB_INPUT when the compressed data are
 * damaged, truncated, or exceed the limits. */
trib_status trib_unpacked_read(trib_unpacked *unpacked, void *bytes, size_t size, size_t *got,
                               trib_error *error);
/* Appends bytes until `to` has `most`, or to the end. Errors as trib_unpacked_read;
 * TRIB_INTERRUPTED. */
trib_status trib_unpacked_add(trib_unpacked *unpacked, trib_buffer *to, size_t most,
                              trib_error *error);
void trib_unpacked_close(trib_unpacked *unpacked); /* `{0}` is legal; the reader stays open */

#endif
