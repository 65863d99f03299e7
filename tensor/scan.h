/* scan.h - a text of nonzeros that is being read. Private to tensor/.
 *
 * scan.c manages the blocks of text and reads plain lines fast. All other lines (comments, headers,
 * the first nonzero, unusual numbers, errors) go to scan_line.c, which can read any line and
 * reports errors. Both give the same result for a plain line. */
#ifndef TRIBUTARY_SCAN_H
#define TRIBUTARY_SCAN_H

#include "tensor/files.h"

enum { TRIB_SCAN_BATCH = 4096, TRIB_SCAN_LINE_MAX = 1 << 20 };

typedef enum { TRIB_MTX_GENERAL, TRIB_MTX_SYMMETRIC, TRIB_MTX_SKEW } trib_mtx_symmetry;

typedef struct trib_scan_state {
    trib_reader *reader;
    bool counts, guess;
    bool is_mtx, is_pattern; /* pattern: no values */
    trib_mtx_symmetry symmetry;
    char *block;        /* [cap], and some bytes more that may be read */
    size_t cap, length; /* bytes allocated, bytes used */
    /* Whole lines, each with its '\n', that have not been read yet. */
    const char *at, *end;
    bool has_ended;
    uint64_t line;                    /* number of the line at `at`, from 1 */
    uint64_t low;                     /* smallest index allowed */
    uint64_t high[TRIB_MAX_MODES];    /* largest index allowed */
    uint64_t largest[TRIB_MAX_MODES]; /* largest index read so far */
} trib_scan_state;

/* A word of a line. */
typedef struct trib_field {
    const char *at;
    size_t length;
} trib_field;

TRIB_INLINE bool trib_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Finds the words of [at, end) and stores at most n_max of them in field[]. Returns how many there
 * are in all. */
size_t trib_scan_fields(const char *at, const char *end, trib_field field[], size_t n_max);
/* Fails with the message "NAME:LINE:COLUMN: WHAT 'FIELD'" for a word of the line that begins at
 * `line`. */
trib_status trib_scan_wrong(const trib_tns_scan *scan, const char *line, trib_field field,
                            trib_error *error, const char *what);
/* "LINE:COLUMN" of a word of the line that begins at `line`. */
const char *trib_scan_place(const trib_tns_scan *scan, const char *line, trib_field field,
                            char text[64]);
bool trib_scan_uint(trib_field field, uint64_t *value);
/* Reads the line [line, end), which does not include its '\n', and adds its nonzero, if any, to the
 * batch. */
trib_status trib_scan_line(trib_tns_scan *scan, const char *line, const char *end,
                           trib_error *error);
/* Sets the dimensions and the number of nonzeros that a header gives. */
void trib_scan_set_dims(trib_tns_scan *scan, uint32_t n_modes, const uint64_t dim[],
                        uint64_t n_promised);

/* Read the first line of a Matrix Market text, and the line with its sizes (mtx.c). */
trib_status trib_mtx_banner(trib_tns_scan *scan, const char *line, const char *end,
                            trib_error *error);
trib_status trib_mtx_sizes(trib_tns_scan *scan, const char *line, const trib_field field[],
                           size_t n_fields, trib_error *error);

/* Writes the nonzeros in lexicographic order, one per line, with indices from 1 (scan_write.c). */
trib_status trib_scan_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                            trib_error *error);

#endif
