/* files.h - tensors in files: the texts .tns of FROSTT and Matrix Market, and fragments, our binary files.
 *
 * A text is read and written whole or in batches; a fragment can also be read in parts: single indices, or a box. Uses
 * hacoo.h and the readers and writers of base. Change here what files a tensor can come from or go to; a new organisation
 * of fragments is a row of trib_organisations in organisation.c. Source: [S] Dong, Wu, Byna 2024. */
#ifndef TRIBUTARY_FILES_H
#define TRIBUTARY_FILES_H

#include "tensor/hacoo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Text exchange: .tns of FROSTT (tns.c) and Matrix Market (mtx.c), read by scan.c ------------------------------ */

/* What the first index of a mode is called in a .tns text; Matrix Market and our header say 1. */
typedef enum trib_tns_base {
    TRIB_TNS_BASE_GUESS, /* 0 when a 0 is among the indices, else 1; the notes hold a warning */
    TRIB_TNS_BASE_ZERO,
    TRIB_TNS_BASE_ONE
} trib_tns_base;

typedef struct trib_tns_options {
    trib_tns_base base;
    bool counts; /* refuse values that are not whole numbers from 1 to 2^32-1 (3.0 and 3e0 are 3) */
    bool refuse_duplicates;          /* instead of adding them; trib_tns_read only */
    size_t block;                    /* bytes read at once; 0: 256 KiB */
    const trib_hacoo_options *table; /* of the table trib_tns_read makes, NULL: the default */
} trib_tns_options;

/* What a text turned out to be; final once all of it is read. */
typedef struct trib_tns_notes {
    const char *format;    /* "tns" or "mtx" */
    uint32_t base;         /* 0 or 1 */
    bool has_header;       /* it says the dimensions and the number of nonzeros */
    uint64_t n_rows;       /* nonzeros as they are written, before any are mirrored or added */
    uint64_t n_duplicates; /* added to an earlier nonzero; trib_tns_read only */
    char warning[256];     /* to be shown to the user; "" when there is none */
} trib_tns_notes;

/* A text being read, a batch of nonzeros at a time, in about 1 MiB of memory whatever its length. */
typedef struct trib_tns_scan {
    uint32_t n_modes;             /* 0 until the first batch */
    uint32_t dim[TRIB_MAX_MODES]; /* by the header; without one, what the nonzeros so far need */
    uint64_t n_promised;          /* nonzeros, by the header */
    trib_tns_notes notes;
    size_t n; /* of this batch; 0 once the text has ended */
    uint32_t
        *index;     /* [n][n_modes] as written: subtract notes.base, final at the end of the text */
    double *value;  /* [n] finite */
    uint64_t *line; /* [n] from 1 */
    struct trib_scan_state *state;
} trib_tns_scan;

/* Begins with a text of either form, a first line "%%MatrixMarket" telling which; packed by gzip or not (the reader's
 * owner closes it, also when it reads memory). `reader` stays the caller's and must outlive the scan. `options` may be
 * NULL. TRIB_INPUT, TRIB_MEMORY; nothing to close then.
 *  .tns: "i1 i2 ... value" a line, blanks around; '#' comments; blank lines; LF or CRLF, the last line's may be missing; the
 *   first line may be the header trib_tns_write makes. Indices as written are at most 2^32-1, and dimensions too.
 *  Matrix Market: coordinate, of integer, real or pattern (values 1), general, symmetric or skew-symmetric (mirrored). */
trib_status trib_tns_open(trib_tns_scan *scan, trib_reader *reader, const trib_tns_options *options,
                          trib_error *error);
/* The next batch. TRIB_INPUT with file, line and column for what is wrong in a line: more than 8 indices, a number of
 * fields that changes, an index that is too large for the header or at all, a value that is no finite decimal number, a
 * line of more than 1 MiB that is no comment; with the file alone when there is no nonzero and no header, or fewer or
 * more nonzeros than the header says. */
trib_status trib_tns_next(trib_tns_scan *scan, trib_error *error);
void trib_tns_close(trib_tns_scan *scan);

/* Reads a whole text into a table. `values` NULL: options->counts holds, whatever it says. Else *values is NULL when all
 * values were counts, and otherwise receives values[table->nnz] by entry, while the counts in the table are all 1: for
 * trib_tensor_build; free with trib_free. `notes` may be NULL. Errors as trib_tns_next; TRIB_INPUT too for duplicates that
 * are refused, a sum of counts beyond 2^32-1 and keys that are too wide. */
trib_status trib_tns_read(trib_hacoo *table, double **values, trib_reader *reader,
                          const trib_tns_options *options, trib_tns_notes *notes,
                          trib_error *error);

/* Writes one line per nonzero, "i1 i2 ... value", indices from 1, in lexicographic order of the indices (so the bytes
 * depend on the tensor alone), after a header line "# n_modes dim1 dim2 ... nnz". values[nnz] by entry replace the counts
 * unless NULL; they round-trip and must be finite. Allocates 36 bytes per nonzero to sort. TRIB_MEMORY; the writer keeps
 * its own errors. */
trib_status trib_tns_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error);
/* The same as Matrix Market, coordinate, general: integer, or real with values. TRIB_INPUT unless there are 2 modes. */
trib_status trib_mtx_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error);

/* ---- Fragments: tensors in files (fragment.c, fragment_write.c, fragment_page.c, organisation.c) ----------------- */

/* How the nonzeros of a fragment are organised [S]. A row of the table in organisation.c. */
typedef struct trib_organisation {
    const char *name; /* coo | linear | gcsr | gcsc | csf */
    const char *help;
    bool is_ordered;                  /* by its numbers; false: as the entries arrived */
    const struct trib_levels *levels; /* see fragment.h */
} trib_organisation;

extern const trib_organisation trib_organisations[]; /* ends with a row whose name is NULL */
const trib_organisation *trib_organisation_find(const char *name); /* NULL when there is none */

/* No organisation but the wish for a good one; not in the table. */
extern const trib_organisation trib_organisation_auto;

/* What will be read of a fragment. */
typedef enum trib_reads {
    TRIB_READS_NONE, /* hardly anything */
    TRIB_READS_WHOLE,
    TRIB_READS_POINTS,
    TRIB_READS_REGIONS, /* narrow in several modes */
    TRIB_READS_LAST     /* narrow in the last mode alone */
} trib_reads;
extern const char *const trib_reads_names[]; /* by number; ends with NULL */

/* `organisation` itself, or for `auto` the row for a tensor of this size and these reads, and in
 * words why; "" when it was not to be chosen. (choose_fragment.c) */
const trib_organisation *trib_organisation_choose(const trib_organisation *organisation,
                                                  trib_reads reads, uint32_t n_modes,
                                                  const uint32_t dim[], size_t nnz,
                                                  char reason[TRIB_REASON_MAX]);

typedef struct trib_fragment_options {
    const trib_organisation *organisation; /* NULL: linear, the smallest on text; not auto */
    bool compress;                         /* each page by zstd, when that makes it smaller */
    bool raw; /* 8 bytes for every number instead of varints of gaps, as [S] measured */
} trib_fragment_options;

/* Writes a table as one fragment, its nonzeros in pages of 4096 that can be read alone, each with a checksum. The bytes
 * depend on the tensor alone, under `coo` on the order of its entries too, compressed on the version of zstd as well. Takes 16
 * to 32 bytes per nonzero to sort, and the size of the file. TRIB_MEMORY; TRIB_CONFIG for `compress` in a build
 * without zstd. `options` may be NULL. */
trib_status trib_fragment_write(const trib_hacoo *table, const trib_fragment_options *options,
                                trib_writer *writer, trib_error *error);

/* A fragment that is open for reading: header and directory of the pages in memory, the pages where they are. Used by one
 * thread at a time. */
typedef struct trib_fragment {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    uint64_t nnz, total; /* sum of the counts */
    const trib_organisation *organisation;
    bool is_compressed, is_raw;
    uint64_t n_bytes;                    /* of the file */
    uint64_t n_pages_read, n_bytes_read; /* so far, header and directory counting as bytes only */
    size_t n_pages;
    struct trib_fragment_state *state;
} trib_fragment;

/* Opens a file ("-": standard input, held in memory). TRIB_INPUT names the file when it is missing, no fragment, of a
 * version, organisation or compression unknown here, cut short, or altered in its header or directory; an altered
 * page is found by whoever reads it. `path` is borrowed until close. TRIB_MEMORY. */
trib_status trib_fragment_open(trib_fragment *fragment, const char *path, trib_error *error);
/* The same for bytes in memory, borrowed until close; `name` is for messages. Any bytes are safe. */
trib_status trib_fragment_open_memory(trib_fragment *fragment, const char *name, const void *bytes,
                                      size_t length, trib_error *error);
void trib_fragment_close(trib_fragment *fragment);

/* Reads every page, one at a time: TRIB_INPUT when one is altered, or the counts are not those of the header. */
trib_status trib_fragment_verify(trib_fragment *fragment, trib_error *error);

/* Below, several fragments are parts of one tensor: they have the same dimensions (else TRIB_INPUT) and what they hold at
 * one index is added. Only pages whose smallest and largest indices admit what is asked for are read; each is verified
 * by its checksum (TRIB_INPUT, naming the file). TRIB_MEMORY. */

/* Makes `table` and reads everything into it. One `coo` fragment gives the entries in their order. */
trib_status trib_fragment_read(trib_fragment *fragment, size_t n_fragments, trib_hacoo *table,
                               const trib_hacoo_options *options, trib_error *error);
/* count[i] becomes the sum at index[i][n_modes], i < n: 0 where there is nothing, or an index is out of range. */
trib_status trib_fragment_points(trib_fragment *fragment, size_t n_fragments, size_t n,
                                 const uint32_t *index, uint64_t *count, trib_error *error);
/* Makes `table`, of the whole tensor's dimensions, and reads the nonzeros in the box into it; what reaches beyond the
 * tensor is empty. */
trib_status trib_fragment_region(trib_fragment *fragment, size_t n_fragments, const trib_box *box,
                                 trib_hacoo *table, const trib_hacoo_options *options,
                                 trib_error *error);

#ifdef __cplusplus
}
#endif
#endif
