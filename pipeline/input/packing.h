/* packing.h - a packed file (gzip, bzip2, xz, zstd), unpacked as it is read. Private to pipeline.
 *
 * What a file is packed with is known by its first bytes, whatever its name; none of them can begin
 * a text in UTF-8 but those of bzip2, which nobody writes. gzip is unpacked by zlib, the others by
 * libarchive: a build without them names the package. A file may unpack as far as archive.h
 * allows. */
#ifndef TRIBUTARY_INPUT_PACKING_H
#define TRIBUTARY_INPUT_PACKING_H

#include "pipeline/input/archive.h"

enum { TRIB_PACKING_BYTES = 8 }; /* that tell how a file is packed */

/* A file while it is read. */
typedef struct trib_unpacked {
    trib_reader *reader;    /* of the file as it is stored, which unpacks by zlib; borrowed */
    const char *packing;    /* "gzip", "bzip2", "xz", "zstd"; NULL: none */
    void *archive;          /* libarchive's, or NULL */
    bool is_over;           /* it has nothing to give */
    trib_error failure;     /* of the reader under libarchive */
    char *block;            /* what libarchive reads from */
    uint64_t n_file, n_out; /* bytes of the file, bytes given out */
} trib_unpacked;

/* Bytes of a file's name without the ending of its packing (.gz .bz2 .xz .zst, in either case); all
 * where it has none. */
size_t trib_unpacked_name_length(const char *path);
/* The packing that the first n bytes tell, NULL for none. */
const char *trib_packing_name(const unsigned char *first, size_t n);

/* Looks at the first bytes of what `reader` reads. TRIB_INPUT when this build cannot unpack it.
 * Closed on failure, too. */
trib_status trib_unpacked_open(trib_unpacked *unpacked, trib_reader *reader, trib_error *error);
/* Reads up to `size` bytes; *got is 0 only at the end. TRIB_INPUT where the packed file is damaged,
 * cut, or unpacks too far. */
trib_status trib_unpacked_read(trib_unpacked *unpacked, void *bytes, size_t size, size_t *got,
                               trib_error *error);
void trib_unpacked_close(trib_unpacked *unpacked); /* `{0}` is legal; the reader stays open */

#endif
