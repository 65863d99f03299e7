/* fragment.h - the parts of a fragment. Private to tensor/.
 *
 * A file is a header, the directory of its pages, and the pages. A page holds the next `page_nnz`
 * nonzeros of the order (the last page may have fewer) and can be read without any other page.
 * Numbers in header and directory are little-endian.
 *
 * Header, 104 bytes:
 *
 *      0  "TRIBFRAG"
 *      8  version 1, u32
 *     12  organisation, u32 (its row in the table)
 *     16  flags of the pages, u32: 1 zstd + 2 raw numbers
 *     20  n_modes, u32
 *     24  dim[8], u32 each; 0 beyond n_modes
 *     56  nonzeros, u64
 *     64  sum of their counts, u64
 *     72  page_nnz, u32
 *     76  number of pages, u32
 *     80  bytes of all pages, u64
 *     88  checksum of the directory, u64
 *     96  checksum of bytes 0 .. 95 of the header, u64
 *
 * A page in the directory, 16 + 12 n_modes bytes:
 *
 *      0  bytes in the file, u32
 *      4  bytes before compression, u32; the same number if it was not compressed
 *      8  checksum of its bytes in the file, u64
 *     16  for every mode the smallest index, the largest index, and the index of the first
 *         nonzero, u32 each */
#ifndef TRIBUTARY_FRAGMENT_H
#define TRIBUTARY_FRAGMENT_H

#include "tensor/entry.h"
#include "tensor/files.h"

enum {
    TRIB_FRAGMENT_VERSION = 1,
    TRIB_FRAGMENT_HEADER = 104,
    TRIB_FRAGMENT_PAGE = 4096,          /* nonzeros of a page as written: about 14 KiB on text */
    TRIB_FRAGMENT_LARGEST_PAGE = 65536, /* a file may have larger pages, up to this size */
    TRIB_FRAGMENT_ZSTD = 1,             /* flags in the header */
    TRIB_FRAGMENT_RAW = 2,
};

/* ---- Organisations (organisation.c) ---------------------------------------------------------- */

/* The levels that an organisation gives a tensor of certain dimensions. A nonzero is stored as one
 * number per level. */
typedef struct trib_shape {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    uint32_t n_levels;
    /* Numbers of level l are below radix[l]; 0 stands for 2^128. */
    trib_key radix[TRIB_MAX_MODES];
    /* [n_levels] The mode of each level, for organisations whose levels are modes. */
    uint32_t mode[TRIB_MAX_MODES];
} trib_shape;

struct trib_levels {
    void (*shape)(trib_shape *shape); /* fills `shape` from n_modes and dim */
    /* Convert an index to the numbers of all levels, and back. */
    void (*take)(const trib_shape *shape, const uint32_t index[], trib_key level[]);
    void (*put)(const trib_shape *shape, const trib_key level[], uint32_t index[]);
};

void trib_shape_init(trib_shape *shape, const trib_organisation *organisation, uint32_t n_modes,
                     const uint32_t dim[]);
/* The numbers of an index combined to one number. Fragments are in the order of these numbers. */
trib_key trib_shape_number(const trib_organisation *organisation, const trib_shape *shape,
                           const uint32_t index[]);

/* ---- Pages (fragment_page.c) ----------------------------------------------------------------- */

/* One decoded page, with room for the largest page of the fragment. */
typedef struct trib_page {
    size_t n;        /* nonzeros */
    uint32_t *index; /* [n][n_modes] */
    uint32_t *count; /* [n] */
    trib_key *level; /* [n][n_levels], of a page being written */
    uint8_t *bytes;  /* [bound] as they are before compression */
    uint8_t *packed; /* [bound] as they are in the file */
    size_t bound;
    bool raw;       /* numbers of 8 bytes */
    trib_pool pool; /* the arrays, which the caller releases, also after a failure */
} trib_page;

trib_status trib_page_init(trib_page *page, const trib_shape *shape, size_t page_nnz, bool raw,
                           trib_error *error);
/* Decodes `length` bytes to index and count of page->n nonzeros; false when the bytes are not such
 * a page. */
bool trib_page_decode(trib_page *page, const trib_organisation *organisation,
                      const trib_shape *shape, size_t length);

TRIB_INLINE void trib_put(uint8_t *at, uint64_t value, int size) {
    for (int i = 0; i < size; i++) at[i] = (uint8_t)(value >> 8 * i);
}

TRIB_INLINE uint64_t trib_take(const uint8_t *at, int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

#endif
