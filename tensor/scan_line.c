/* scan_line.c - reads any line of a text of nonzeros, word by word: the lines that the fast path of
 * scan.c leaves, and errors with their line and column. */
#include "tensor/scan.h"

#include <stdio.h>
#include <string.h>

/* Reads the header "# n_modes dim1 dim2 ... nnz" on the first line; any other comment is
 * skipped. */
static void read_comment(trib_tns_scan *scan, const char *line, const char *end) {
    enum { MOST = TRIB_MAX_MODES + 2 };
    trib_field field[MOST];
    uint64_t number[MOST];
    if (scan->state->line != 1) return;
    const size_t n = trib_scan_fields(line + 1, end, field, MOST);
    if (n < 3 || n > MOST) return;
    for (size_t i = 0; i < n; i++)
        if (!trib_scan_uint(field[i], &number[i])) return;
    if (number[0] != n - 2) return;
    for (size_t m = 1; m + 1 < n; m++)
        if (number[m] < 1 || number[m] > UINT32_MAX) return;
    trib_scan_set_dims(scan, (uint32_t)number[0], number + 1, number[n - 1]);
}

/* Reads a number such as 3.0, 3e0 or -0.25; with `counts` only whole numbers from 1 to 2^32-1. */
static bool read_value(const trib_scan_state *s, trib_field field, double *value) {
    char text[4 * TRIB_NUMBER_MAX];
    if (field.length >= sizeof text || memchr(field.at, 0, field.length)) return false;
    memcpy(text, field.at, field.length);
    text[field.length] = '\0';
    if (!trib_read_double(text, value)) return false;
    return !s->counts ||
           (*value >= 1 && *value <= UINT32_MAX && (double)(uint32_t)*value == *value);
}

/* An index is 0 and no option says what the first index is: indices count from 0. */
static trib_status start_at_zero(trib_tns_scan *scan, const char *line, trib_field field,
                                 trib_error *error) {
    trib_scan_state *s = scan->state;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++)
        if (s->largest[m] == UINT32_MAX)
            return trib_scan_wrong(scan, line, field, error,
                                   "indices that count from 0 end at 4294967294, and 4294967295 "
                                   "stood before this");
    s->low = 0;
    s->guess = false;
    scan->notes.base = 0;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) s->high[m] = UINT32_MAX - 1;
    snprintf(scan->notes.warning, sizeof scan->notes.warning,
             "indices are taken to count from 0, since line %llu has a 0",
             (unsigned long long)s->line);
    return TRIB_OK;
}

static trib_status read_index(trib_tns_scan *scan, uint32_t m, const char *line, trib_field field,
                              trib_error *error) {
    trib_scan_state *s = scan->state;
    uint64_t number = 0;
    const bool is_whole = trib_scan_uint(field, &number) && number <= UINT32_MAX;
    if (is_whole && number == 0 && s->guess) {
        const trib_status status = start_at_zero(scan, line, field, error);
        if (status != TRIB_OK) return status;
    }
    if (is_whole && number >= s->low && scan->notes.has_header && number > s->high[m])
        return trib_scan_wrong(scan, line, field, error, "an index beyond the size in the header:");
    if (!is_whole || number < s->low || number > s->high[m])
        return trib_scan_wrong(scan, line, field, error,
                               s->guess ? "an index must be a whole number up to 4294967295, not"
                               : s->low
                                   ? "an index must be a whole number from 1 to 4294967295, not"
                                   : "an index that counts from 0 must be a whole number up "
                                     "to 4294967294, not");
    if (number > s->largest[m]) s->largest[m] = number;
    scan->index[scan->n * scan->n_modes + m] = (uint32_t)number;
    return TRIB_OK;
}

/* Reads one nonzero. The first one determines the number of modes, unless there is a header. */
static trib_status read_entry(trib_tns_scan *scan, const char *line, const trib_field field[],
                              size_t n, trib_error *error) {
    const trib_scan_state *s = scan->state;
    const size_t n_values = !s->is_pattern;
    char where[64];
    if (scan->n_modes == 0 && n < 2)
        return trib_scan_wrong(scan, line, field[0], error, "an index and no value:");
    if (scan->n_modes == 0 && n > TRIB_MAX_MODES + 1)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%s: %zu indices and a value on a line; a tensor has at most %d modes",
                         s->reader->name, trib_scan_place(scan, line, field[TRIB_MAX_MODES], where),
                         n - 1, TRIB_MAX_MODES);
    if (scan->n_modes == 0) scan->n_modes = (uint32_t)n - 1;
    if (n != scan->n_modes + n_values)
        return trib_fail(error, TRIB_INPUT, "%s:%s: %zu %s where %u indices%s should be",
                         s->reader->name, trib_scan_place(scan, line, field[0], where), n,
                         n == 1 ? "number" : "numbers", scan->n_modes,
                         n_values ? " and a value" : "");
    for (uint32_t m = 0; m < scan->n_modes; m++) {
        const trib_status status = read_index(scan, m, line, field[m], error);
        if (status != TRIB_OK) return status;
    }
    double *value = &scan->value[scan->n];
    *value = 1;
    if (n_values && !read_value(s, field[n - 1], value))
        return trib_scan_wrong(scan, line, field[n - 1], error,
                               s->counts
                                   ? "a value must be a whole number from 1 to 4294967295, not"
                                   : "a value must be a finite decimal number, not");
    const uint32_t *index = scan->index + scan->n * scan->n_modes;
    if (s->symmetry == TRIB_MTX_SKEW && index[0] == index[1])
        return trib_scan_wrong(scan, line, field[0], error,
                               "a skew-symmetric matrix has nothing on its diagonal:");
    scan->line[scan->n++] = s->line;
    return TRIB_OK;
}

trib_status trib_scan_line(trib_tns_scan *scan, const char *line, const char *end,
                           trib_error *error) {
    enum { MOST = TRIB_MAX_MODES + 1 };
    trib_scan_state *s = scan->state;
    trib_field field[MOST];
    if (s->is_mtx && s->line == 1) return trib_mtx_banner(scan, line, end, error);
    const size_t n = trib_scan_fields(line, end, field, MOST);
    if (n == 0) return TRIB_OK;
    if (*field[0].at == (s->is_mtx ? '%' : '#')) {
        if (!s->is_mtx) read_comment(scan, field[0].at, end);
        return TRIB_OK;
    }
    if (s->is_mtx && scan->n_modes == 0) return trib_mtx_sizes(scan, line, field, n, error);
    return read_entry(scan, line, field, n, error);
}
