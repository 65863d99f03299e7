/* scan.h - a text of nonzeros while it is being read; private to tensor/.
 *
 * scan.c holds the blocks of text and reads plain lines at full speed; any line it does not take for plain - comments,
 * headers, the first nonzero, unusual numbers, mistakes - goes to scan_line.c, which reads every line and says what is
 * wrong with it. Both deliver the same. */
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
    char *block;          /* [cap], and some more that may be read */
    size_t cap, length;   /* bytes there are */
    const char *at, *end; /* whole lines, each with its '\n', that are not read yet */
    bool has_ended;
    uint64_t line;                    /* number of the line at `at`, from 1 */
    uint64_t low;                     /* smallest index that may be written */
    uint64_t high[TRIB_MAX_MODES];    /* largest */
    uint64_t largest[TRIB_MAX_MODES]; /* written so far */
} trib_scan_state;

/* A word of a line. */
typedef struct trib_field {
    const char *at;
    size_t length;
} trib_field;

TRIB_INLINE bool trib_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The words of [at, end), at most n_max of them into field; how many there are in all. */
size_t trib_scan_fields(const char *at, const char *end, trib_field field[], size_t n_max);
/* "NAME:LINE:COLUMN: WHAT 'FIELD'", of the line that begins at `line`. */
trib_status trib_scan_wrong(const trib_tns_scan *scan, const char *line, trib_field field,
                            trib_error *error, const char *what);
/* "LINE:COLUMN" of a word of the line that begins at `line`. */
const char *trib_scan_place(const trib_tns_scan *scan, const char *line, trib_field field,
                            char text[64]);
bool trib_scan_uint(trib_field field, uint64_t *value);
/* Adds the line [line, end), without its '\n', to the batch where it holds a nonzero. */
trib_status trib_scan_line(trib_tns_scan *scan, const char *line, const char *end,
                           trib_error *error);
/* The tensor has these sizes. */
void trib_scan_set_dims(trib_tns_scan *scan, uint32_t n_modes, const uint64_t dim[],
                        uint64_t n_promised);

/* The first line of a Matrix Market text, and the line of its sizes (mtx.c). */
trib_status trib_mtx_banner(trib_tns_scan *scan, const char *line, const char *end,
                            trib_error *error);
trib_status trib_mtx_sizes(trib_tns_scan *scan, const char *line, const trib_field field[],
                           size_t n_fields, trib_error *error);

/* The nonzeros in lexicographic order, a line each, indices from 1 (scan_write.c). */
trib_status trib_scan_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                            trib_error *error);

#endif
