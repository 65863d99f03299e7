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

/* The first line of a .tns text while it may be a header: up to order, sizes and number of
 * nonzeros. */
enum { TRIB_MOST_WORDS = TRIB_MAX_MODES + 2 };
typedef struct trib_held_line {
    uint64_t number[TRIB_MOST_WORDS]; /* [n] from 1 to 2^32-1 */
    size_t n;                         /* 0: no line is held */
    uint64_t line;
    size_t column; /* of the first number */
} trib_held_line;

/* The lines of a header that follow: those of sptensor are required. */
typedef enum {
    TRIB_AT_ORDER = 1,
    TRIB_AT_SIZES,
    TRIB_AT_NUMBER,
    TRIB_AT_NUMBER_IF_ANY
} trib_header_line;

typedef struct trib_scan_state {
    trib_reader *reader;
    bool counts, guess;
    bool promises;              /* a header says how many nonzeros follow */
    trib_header_line at_header; /* 0: elsewhere */
    trib_held_line held;        /* .tns */
    bool is_mtx, is_pattern;    /* pattern: no values */
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

TRIB_INLINE bool trib_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Reads the line [begin, end), which does not include its '\n', and adds its nonzero, if any, to
 * the batch. */
trib_status trib_scan_line(trib_tns_scan *scan, const char *begin, const char *end,
                           trib_error *error);

/* Decides what the line is that has been held: a nonzero, which goes to the front of the batch, or
 * the order and the sizes. TRIB_INPUT when it could be either. */
trib_status trib_scan_held(trib_tns_scan *scan, trib_error *error);

#endif
