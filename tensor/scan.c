/* scan.c - reads a text of nonzeros as a stream of batches. The text is read in blocks, and only
 * whole lines of a block are parsed, so that no number needs a check for the end of the block.
 * Digits are read eight at a time in a machine word, because a loop over digits would have a
 * mispredicted branch per number, which costs more than everything else. */
#include "tensor/scan.h"

enum {
    BLOCK = 1 << 18,
    SMALLEST = 16,
    SLACK = 16 /* the end of a line, and eight bytes that a word may read beyond it */
};

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The eight bytes at `at` as a number whose lowest byte is the first. */
TRIB_INLINE uint64_t load(const char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Reads a number of 1 to 18 digits. Returns the place after the last digit; NULL when there is no
 * digit or more than 18. */
TRIB_INLINE const char *read_digits(const char *at, uint64_t *number) {
    uint64_t digit = load(at) ^ UINT64_C(0x3030303030303030);
    const uint64_t other =
        ((digit + UINT64_C(0x7676767676767676)) | digit) & UINT64_C(0x8080808080808080);
    if (other & 0x80) return NULL;
    const unsigned n_bits = other ? (unsigned)__builtin_ctzll(other) - 7 : 64;
    digit <<= 64 - n_bits; /* n_bits is at least 8; this has the effect of leading zeros */
    digit = digit * 10 + (digit >> 8);
    uint64_t read = ((digit & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
                     (digit >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
                    32;
    at += n_bits / 8;
    if (!other) {
        int n = 8;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (++n > 18) return NULL;
            read = read * 10 + (uint64_t)(*at - '0');
        }
    }
    *number = read;
    return at;
}

/* The powers of ten that a double holds exactly. A whole number up to 2^53 is converted with a
 * single correctly rounded division or multiplication (Clinger 1990). */
static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { LARGEST_POWER = 22 };

/* Reads fraction and exponent after the digits `whole`. NULL when the value cannot be converted as
 * described above. */
static const char *read_rest(const char *at, uint64_t whole, double *value) {
    int64_t exponent = 0;
    if (*at == '.' && at[1] >= '0' && at[1] <= '9') {
        uint64_t fraction = 0;
        const char *point = at;
        at = read_digits(at + 1, &fraction);
        if (!at || at - point - 1 > 15) return NULL;
        exponent = -(at - point - 1);
        if (whole > UINT64_C(9007199254740992)) return NULL;
        const uint64_t scale = (uint64_t)power_of_ten[-exponent];
        if (whole > UINT64_C(9007199254740992) / scale) return NULL;
        whole = whole * scale + fraction;
    }
    if (*at == 'e' || *at == 'E') {
        uint64_t size = 0;
        const bool is_negative = at[1] == '-';
        at = read_digits(at + 1 + (at[1] == '-' || at[1] == '+'), &size);
        if (!at || size > 100) return NULL;
        exponent += is_negative ? -(int64_t)size : (int64_t)size;
    }
    if (whole > UINT64_C(9007199254740992) || exponent > LARGEST_POWER || exponent < -LARGEST_POWER)
        return NULL;
    *value = exponent < 0 ? (double)whole / power_of_ten[-exponent]
                          : (double)whole * power_of_ten[exponent];
    return at;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

TRIB_INLINE const char *skip_blanks(const char *at) {
    while (trib_is_blank(*at)) at++;
    return at;
}

/* Reads a plain line with a nonzero. Returns the next line, or NULL for any other kind of line. */
TRIB_INLINE const char *read_plain(const trib_scan_state *s, uint32_t n_modes, const char *at,
                                   uint32_t index[], double *value) {
    uint64_t number = 0;
    for (uint32_t m = 0; m < n_modes; m++) {
        at = read_digits(skip_blanks(at), &number);
        if (!at || number - s->low > s->high[m] - s->low) return NULL;
        if (!trib_is_blank(*at) && !(s->is_pattern && m + 1 == n_modes)) return NULL;
        index[m] = (uint32_t)number;
    }
    at = skip_blanks(at);
    *value = 1;
    if (!s->is_pattern) {
        const bool is_negative = *at == '-';
        at = read_digits(at + is_negative, &number);
        if (!at || (is_negative && s->counts)) return NULL;
        if (trib_is_blank(*at) || *at == '\n') {
            if (number > UINT64_C(9007199254740992)) return NULL;
            *value = (double)number;
        } else if (!(at = read_rest(at, number, value))) return NULL;
        if (s->counts && !(*value >= 1 && *value <= UINT32_MAX && *value == (uint32_t)*value))
            return NULL;
        if (is_negative) *value = -*value;
    }
    if (*at != '\n' && !trib_is_blank(*at)) return NULL;
    at = skip_blanks(at);
    return *at == '\n' ? at + 1 : NULL;
}

/* Reads lines up to the end of the batch or of the lines in memory. */
TRIB_INLINE trib_status read_lines(trib_tns_scan *scan, uint32_t n_modes, trib_error *error) {
    trib_scan_state *s = scan->state;
    const bool is_plain = n_modes > 0 && s->symmetry != TRIB_MTX_SKEW;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && s->at < s->end && scan->n < TRIB_SCAN_BATCH) {
        uint32_t *index = scan->index + scan->n * n_modes;
        const char *next =
            is_plain ? read_plain(s, n_modes, s->at, index, &scan->value[scan->n]) : NULL;
        if (next) {
            for (uint32_t m = 0; m < n_modes; m++)
                if (index[m] > s->largest[m]) s->largest[m] = index[m];
            scan->line[scan->n++] = s->line;
        } else {
            const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));
            status = trib_scan_line(scan, s->at, end, error);
            next = end + 1;
        }
        s->at = next;
        s->line++;
        if (n_modes == 0 && scan->n_modes > 0) break; /* continue with n_modes as a constant */
    }
    return status;
}

/* Adds the other half of a symmetric matrix. */
static void mirror(trib_tns_scan *scan) {
    const size_t n = scan->n;
    for (size_t i = 0; i < n; i++) {
        const uint32_t *from = scan->index + 2 * i;
        if (from[0] == from[1]) continue;
        scan->index[2 * scan->n] = from[1];
        scan->index[2 * scan->n + 1] = from[0];
        scan->value[scan->n] =
            scan->state->symmetry == TRIB_MTX_SKEW ? -scan->value[i] : scan->value[i];
        scan->line[scan->n++] = scan->line[i];
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* For a line that fills the whole block. A comment is shortened; any other line must fit into the
 * largest block. */
static trib_status make_room(trib_tns_scan *scan, trib_error *error) {
    trib_scan_state *s = scan->state;
    const char comment = s->is_mtx ? '%' : '#';
    if (s->cap >= BLOCK &&
        *skip_blanks(s->block) == comment) { /* the bytes after the block are not blanks */
        static const char rest[] = " ...";
        s->block[0] = comment;
        memcpy(s->block + 1, rest, sizeof rest - 1);
        s->length = sizeof rest;
        return TRIB_OK;
    }
    if (s->cap >= TRIB_SCAN_LINE_MAX)
        return trib_fail(error, TRIB_INPUT, "%s:%llu: a line of more than %d bytes",
                         s->reader->name, (unsigned long long)s->line, TRIB_SCAN_LINE_MAX);
    char *larger = NULL;
    const trib_status status = trib_new(&larger, 2 * s->cap + SLACK, 1, "a block of text", error);
    if (status != TRIB_OK) return status;
    memcpy(larger, s->block, s->length);
    trib_free(s->block);
    s->block = larger;
    s->cap *= 2;
    return TRIB_OK;
}

/* Makes [at, end) the next whole lines; it is empty only at the end of the text. */
static trib_status refill(trib_tns_scan *scan, trib_error *error) {
    trib_scan_state *s = scan->state;
    s->length -= (size_t)(s->at - s->block);
    memmove(s->block, s->at, s->length);
    s->at = s->end = s->block;
    while (!s->has_ended && s->end == s->block) {
        size_t got = 0;
        trib_status status = s->length == s->cap ? make_room(scan, error) : TRIB_OK;
        s->at = s->end = s->block;
        if (status == TRIB_OK)
            status =
                trib_reader_read(s->reader, s->block + s->length, s->cap - s->length, &got, error);
        if (status != TRIB_OK) return status;
        s->has_ended = got == 0;
        if (s->has_ended && s->length > 0) { /* the end of the last line is missing */
            s->block[s->length] = '\n';
            got = 1;
        }
        const char *fresh = s->block + s->length;
        s->length += got;
        for (s->end = s->block + s->length; s->end > fresh && s->end[-1] != '\n';) s->end--;
        if (s->end == fresh) s->end = s->block;
    }
    return TRIB_OK;
}

/* Determines the format from the first bytes, of which three may be the byte order mark of
 * UTF-8. */
static trib_status look(trib_tns_scan *scan, trib_error *error) {
    static const char banner[] = "%%MatrixMarket", mark[] = "\xEF\xBB\xBF";
    trib_scan_state *s = scan->state;
    const trib_status status = refill(scan, error);
    if (s->end - s->at >= 3 && memcmp(s->at, mark, 3) == 0) s->at += 3;
    s->is_mtx = (size_t)(s->end - s->at) >= sizeof banner - 1 &&
                memcmp(s->at, banner, sizeof banner - 1) == 0;
    scan->notes.format = s->is_mtx ? "mtx" : "tns";
    if (s->is_mtx) scan->notes.base = 1;
    s->guess = s->guess && !s->is_mtx;
    s->low = scan->notes.base;
    return status;
}

/* ---- The stream ------------------------------------------------------------------------------ */

trib_status trib_tns_open(trib_tns_scan *scan, trib_reader *reader, const trib_tns_options *options,
                          trib_error *error) {
    const trib_tns_options chosen = options ? *options : (trib_tns_options){0};
    *scan = (trib_tns_scan){0};
    trib_status status = TRIB_NEW(&scan->state, 1, "a text's state", error);
    if (status != TRIB_OK) return status;
    trib_scan_state *s = scan->state;
    *s = (trib_scan_state){.reader = reader,
                           .counts = chosen.counts,
                           .guess = chosen.base == TRIB_TNS_BASE_GUESS,
                           .cap = chosen.block ? chosen.block : BLOCK,
                           .line = 1};
    if (s->cap > TRIB_SCAN_LINE_MAX) s->cap = TRIB_SCAN_LINE_MAX;
    if (s->cap < SMALLEST) s->cap = SMALLEST;
    scan->notes.base = chosen.base != TRIB_TNS_BASE_ZERO;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++)
        s->high[m] = UINT32_MAX - (chosen.base == TRIB_TNS_BASE_ZERO);
    status = trib_new(&s->block, s->cap + SLACK, 1, "a block of text", error);
    s->at = s->end = s->block;
    if (status == TRIB_OK)
        status = TRIB_NEW(&scan->index, (size_t)(TRIB_SCAN_BATCH + 1) * TRIB_MAX_MODES,
                          "a batch of nonzeros", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&scan->value, 2 * (size_t)TRIB_SCAN_BATCH, "a batch of nonzeros", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&scan->line, 2 * (size_t)TRIB_SCAN_BATCH, "a batch of nonzeros", error);
    if (status == TRIB_OK) status = trib_reader_unpack(reader, error);
    if (status == TRIB_OK) status = look(scan, error);
    if (status != TRIB_OK) trib_tns_close(scan);
    return status;
}

/* The checks that need the whole text. */
static trib_status finish(trib_tns_scan *scan, trib_error *error) {
    const char *name = scan->state->reader->name;
    if (scan->state->at_header && scan->state->at_header < TRIB_AT_NUMBER_IF_ANY)
        return trib_fail(error, TRIB_INPUT, "%s: the text ends within its header", name);
    if (scan->n_modes == 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: no nonzero and no header, so the tensor has no size", name);
    if (scan->state->promises && scan->n_promised != scan->notes.n_rows)
        return trib_fail(error, TRIB_INPUT,
                         "%s: %llu nonzeros where the header says %llu; is the text cut short?",
                         name, (unsigned long long)scan->notes.n_rows,
                         (unsigned long long)scan->n_promised);
    if (scan->state->guess)
        snprintf(scan->notes.warning, sizeof scan->notes.warning,
                 "indices are taken to count from 1, since none is 0");
    return TRIB_OK;
}

trib_status trib_tns_next(trib_tns_scan *scan, trib_error *error) {
    trib_scan_state *s = scan->state;
    trib_status status = TRIB_OK;
    scan->n = 0;
    while (status == TRIB_OK && scan->n < TRIB_SCAN_BATCH) {
        if (s->at == s->end) status = refill(scan, error);
        if (status != TRIB_OK || s->at == s->end) break;
        switch (scan->n_modes) {
        case 2:
            status = read_lines(scan, 2, error);
            break;
        case 3:
            status = read_lines(scan, 3, error);
            break;
        case 4:
            status = read_lines(scan, 4, error);
            break;
        default:
            status = read_lines(scan, scan->n_modes, error);
        }
    }
    if (status == TRIB_OK && s->held.n > 0) status = trib_scan_held(scan, error);
    scan->notes.n_rows += scan->n;
    if (status == TRIB_OK && s->at == s->end && s->has_ended && scan->n == 0)
        status = finish(scan, error);
    if (!scan->notes.has_header)
        for (uint32_t m = 0; m < scan->n_modes; m++)
            scan->dim[m] = (uint32_t)(s->largest[m] + 1 - scan->notes.base);
    if (s->symmetry != TRIB_MTX_GENERAL) mirror(scan);
    if (status != TRIB_OK) scan->n = 0;
    return status;
}

void trib_tns_close(trib_tns_scan *scan) {
    if (scan->state) trib_free(scan->state->block);
    TRIB_FREE(scan->state, scan->index, scan->value, scan->line);
    *scan = (trib_tns_scan){0};
}
