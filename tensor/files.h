/* files.h - tensors in files: the texts .tns of FROSTT and Matrix Market, and fragments, our binary
 * files.
 *
 * A text is read whole or in batches, and written whole. A fragment can also be read in parts:
 * single indices, or a box. It uses hacoo.h and the readers and writers of base. Change this header
 * to change which files a tensor can come from or go to. A new organisation of fragments is a row
 * of trib_organisations in organisation.c. Source: [S] Dong, Wu, Byna 2024. */
#ifndef TRIBUTARY_FILES_H
#define TRIBUTARY_FILES_H

#include "tensor/hacoo.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Texts: .tns of FROSTT (tns.c) and Matrix Market (mtx.c), read by scan.c ----------------- */

/* The number of the first index of a mode in a .tns text. In Matrix Market, and after our own
 * header, it is 1. */
typedef enum trib_tns_base {
    TRIB_TNS_BASE_GUESS, /* 0 if any index is 0, with a warning in the notes; else 1 */
    TRIB_TNS_BASE_ZERO,
    TRIB_TNS_BASE_ONE
} trib_tns_base;

/* How a text of nonzeros is read; `{0}` is valid. */
typedef struct trib_tns_options {
    trib_tns_base base; /* what the first index is called */
    /* Reject values that are not whole numbers from 1 to 2^32-1; 3.0 and 3e0 are accepted as 3. */
    bool counts;
    bool refuse_duplicates;          /* reject them instead of adding them; trib_tns_read only */
    size_t block;                    /* bytes read at once; 0: 256 KiB */
    const trib_hacoo_options *table; /* of the table that trib_tns_read makes; NULL: defaults */
} trib_tns_options;

/* What was found in a text; complete once all of it is read. */
typedef struct trib_tns_notes {
    const char *format;    /* "tns" or "mtx" */
    uint32_t base;         /* 0 or 1 */
    bool has_header;       /* with the dimensions */
    uint64_t n_rows;       /* nonzeros as written, before any are mirrored or added */
    uint64_t n_duplicates; /* added to an earlier nonzero; trib_tns_read only */
    char warning[256];     /* for the user; "" when there is none */
} trib_tns_notes;

/* A text that is read a batch of nonzeros at a time. Takes about 1 MiB of memory for a text of any
 * length. */
typedef struct trib_tns_scan {
    uint32_t n_modes;             /* 0 until the first batch */
    uint32_t dim[TRIB_MAX_MODES]; /* from the header, else from the nonzeros read so far */
    uint64_t n_promised;          /* number of nonzeros that the header gives; 0: none */
    trib_tns_notes notes;         /* what the text turned out to be */
    size_t n;                     /* of this batch; 0 once the text has ended */
    /* [n][n_modes] as written. Subtract notes.base, which is known for certain at the end of the
     * text. */
    uint32_t *index;
    double *value;                 /* [n] finite */
    uint64_t *line;                /* [n] line numbers, from 1 */
    struct trib_scan_state *state; /* owned */
} trib_tns_scan;

/* Begins to read a text, compressed by gzip or not. A first line "%%MatrixMarket" marks Matrix
 * Market; any other text is .tns. The caller keeps `reader`, which must outlive the scan, and
 * closes it after the scan. `options` may be NULL. TRIB_INPUT, TRIB_MEMORY; there is nothing to
 * close then.
 *
 * .tns has a line "i1 i2 ... value" per nonzero. Blanks around it, blank lines, and comments after
 * '#' are allowed. Lines end in LF or CRLF; the end of the last line may be missing. The first line
 * may be the header that trib_tns_write makes, or another header of scan_line.c. A first line that
 * may be either the order and the sizes or a nonzero is an error. Indices as written, and
 * dimensions, are at most 2^32-1.
 *
 * Matrix Market is read in coordinate form, with integer, real or pattern values (all 1), and
 * general, symmetric or skew-symmetric (the other half is added). */
trib_status trib_tns_open(trib_tns_scan *scan, trib_reader *reader, const trib_tns_options *options,
                          trib_error *error);
/* Reads the next batch. TRIB_INPUT with file, line and column for an error in a line: more than 8
 * indices, a different number of fields than before, an index that is too large, a value that is
 * not a finite decimal number, or a line of more than 1 MiB that is not a comment. TRIB_INPUT with
 * the file alone when there is neither a nonzero nor a header, or when the number of nonzeros is
 * not that of the header. */
trib_status trib_tns_next(trib_tns_scan *scan, trib_error *error);
void trib_tns_close(trib_tns_scan *scan);

/* Reads a whole text into a table. If `values` is NULL, all values must be counts, as with
 * options->counts. Else *values becomes NULL when all values are counts; otherwise it receives
 * values[table->nnz] by entry, for trib_tensor_build, and the counts in the table are all 1. Free
 * *values with trib_free. `notes` may be NULL. Errors as trib_tns_next; also TRIB_INPUT for
 * duplicates if they are rejected, for a sum of counts beyond 2^32-1, and for keys that need more
 * than 128 bits. */
trib_status trib_tns_read(trib_hacoo *table, double **values, trib_reader *reader,
                          const trib_tns_options *options, trib_tns_notes *notes,
                          trib_error *error);

/* Writes a header line "# n_modes dim1 dim2 ... nnz" and one line "i1 i2 ... value" per nonzero.
 * Indices count from 1, and lines are in lexicographic order of the indices, so the bytes depend on
 * the tensor alone. values[nnz] by entry, unless NULL, are written instead of the counts; they must
 * be finite and are read back exactly. Allocates 36 bytes per nonzero to sort. TRIB_MEMORY. Errors
 * of writing stay in the writer, which reports them when it is committed. */
trib_status trib_tns_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error);
/* The same as Matrix Market: coordinate, general, integer, or real if there are values. TRIB_INPUT
 * unless there are 2 modes. */
trib_status trib_mtx_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error);

/* ---- Fragments: binary files (fragment*.c, organisation.c, choose_fragment.c) ---------------- */

/* How the indices of the nonzeros of a fragment are stored [S]. A row of the table in
 * organisation.c. */
typedef struct trib_organisation {
    const char *name;                 /* coo | linear | gcsr | gcsc | csf */
    const char *help;                 /* one line */
    bool is_ordered;                  /* false: in the order in which entries were inserted */
    const struct trib_levels *levels; /* see fragment.h */
} trib_organisation;

extern const trib_organisation trib_organisations[]; /* ends with a row whose name is NULL */
const trib_organisation *trib_organisation_find(const char *name); /* NULL when there is none */

/* A request to choose the organisation. Not in the table. */
extern const trib_organisation trib_organisation_auto;

/* How a fragment will be read. */
typedef enum trib_reads {
    TRIB_READS_NONE, /* hardly at all */
    TRIB_READS_WHOLE,
    TRIB_READS_POINTS,
    TRIB_READS_REGIONS, /* boxes that are narrow in several modes */
    TRIB_READS_LAST     /* boxes that are narrow in the last mode alone */
} trib_reads;
extern const char *const trib_reads_names[]; /* by number; ends with NULL */

/* Returns `organisation` itself or, for `auto`, the organisation for a tensor of this size and
 * these reads. `reason` receives a sentence that says why, or "" when nothing was chosen.
 * (organisation.c) */
const trib_organisation *trib_organisation_choose(const trib_organisation *organisation,
                                                  trib_reads reads, uint32_t n_modes,
                                                  const uint32_t dim[], size_t nnz,
                                                  char reason[TRIB_REASON_MAX]);

/* How a fragment is written; `{0}` is valid. */
typedef struct trib_fragment_options {
    const trib_organisation *organisation; /* NULL: linear, smallest on text; not auto */
    bool compress;                         /* each page by zstd, if that makes it smaller */
    bool raw; /* every number in 8 bytes, as in [S], instead of varints of differences */
} trib_fragment_options;

/* Writes a table as one fragment. Nonzeros are in pages of 4096, each with a checksum, which can be
 * read one by one. The bytes depend on the tensor alone; with `coo` they depend on the order of its
 * entries too, and with compression on the version of zstd. Allocates 16 to 32 bytes per nonzero to
 * sort, and the size of the file. TRIB_MEMORY; TRIB_CONFIG for `compress` in a build without zstd.
 * `options` may be NULL. */
trib_status trib_fragment_write(const trib_hacoo *table, const trib_fragment_options *options,
                                trib_writer *writer, trib_error *error);

/* A fragment that is open for reading. Its header and the directory of its pages are in memory;
 * pages are read when needed. Used by one thread at a time. */
typedef struct trib_fragment {
    uint32_t n_modes, dim[TRIB_MAX_MODES]; /* modes and sizes of the tensor */
    uint64_t nnz, total;                   /* sum of the counts */
    const trib_organisation *organisation; /* how its nonzeros are organised */
    bool is_compressed, is_raw;            /* as trib_fragment_options: compress and raw */
    uint64_t n_bytes;                      /* of the file */
    uint64_t n_pages_read, n_bytes_read;   /* so far; bytes include header and directory */
    size_t n_pages;                        /* pages of the file */
    struct trib_fragment_state *state;     /* the directory of the pages; owned */
} trib_fragment;

/* Opens a file ("-": standard input, which is read into memory). TRIB_INPUT, naming the file, when
 * it is missing, is not a fragment, has an unknown version, organisation or compression, is
 * truncated, or was altered in its header or directory. An altered page is found when it is read.
 * `path` must stay valid until close. TRIB_MEMORY. */
trib_status trib_fragment_open(trib_fragment *fragment, const char *path, trib_error *error);
/* The same for bytes in memory, which must stay valid until close; `name` is for messages. Any
 * bytes are safe. */
trib_status trib_fragment_open_memory(trib_fragment *fragment, const char *name, const void *bytes,
                                      size_t length, trib_error *error);
void trib_fragment_close(trib_fragment *fragment);

/* Reads every page, one at a time. TRIB_INPUT when a page was altered, or the counts do not agree
 * with the header. */
trib_status trib_fragment_verify(trib_fragment *fragment, trib_error *error);

/* The functions below read several fragments as parts of one tensor. The fragments must have the
 * same dimensions (else TRIB_INPUT); counts at the same index are added. A page is read only if its
 * smallest and largest indices show that it may contain what is asked for. Each page is verified by
 * its checksum (TRIB_INPUT, naming the file). TRIB_MEMORY. */

/* Makes `table` and reads everything into it. From one `coo` fragment, the entries come in the
 * order of the table that was written. */
trib_status trib_fragment_read(trib_fragment *fragment, size_t n_fragments, trib_hacoo *table,
                               const trib_hacoo_options *options, trib_error *error);
/* For i < n, count[i] becomes the sum of the counts at index[i][n_modes]; 0 if there is none or the
 * index is out of range. */
trib_status trib_fragment_points(trib_fragment *fragment, size_t n_fragments, size_t n,
                                 const uint32_t *index, uint64_t *count, trib_error *error);
/* Makes `table`, with the dimensions of the whole tensor, and reads the nonzeros in the box into
 * it. The part of the box that is outside the tensor is empty. */
trib_status trib_fragment_region(trib_fragment *fragment, size_t n_fragments, const trib_box *box,
                                 trib_hacoo *table, const trib_hacoo_options *options,
                                 trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
