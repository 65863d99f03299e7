/* mtx.c - the coordinate format of Matrix Market (Boisvert, Pozo, Remington 1996: The Matrix Market
 * exchange formats): a banner, '%' comments, a line with the sizes, then nonzeros as in a .tns
 * text. */
#include "tensor/scan.h"

/* Whether a field is this word, in upper or lower case. */
static bool is(trib_field field, const char *word) {
    size_t i = 0;
    for (; i < field.length && word[i]; i++) {
        const char c = field.at[i];
        if ((c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c) != word[i]) return false;
    }
    return i == field.length && word[i] == '\0';
}

trib_status trib_mtx_banner(trib_tns_scan *scan, const char *line, const char *end,
                            trib_error *error) {
    trib_scan_state *s = scan->state;
    trib_field field[5];
    const size_t n = trib_scan_fields(line, end, field, 5);
    if (n != 5)
        return trib_fail(error, TRIB_INPUT,
                         "%s:1: a Matrix Market text begins '%%%%MatrixMarket matrix coordinate "
                         "integer general'",
                         s->reader->name);
    if (!is(field[1], "matrix") || !is(field[2], "coordinate"))
        return trib_scan_wrong(scan, line, field[is(field[1], "matrix") ? 2 : 1], error,
                               "only 'matrix coordinate' can be read, not");
    s->is_pattern = is(field[3], "pattern");
    if (!s->is_pattern && !is(field[3], "integer") && !is(field[3], "real"))
        return trib_scan_wrong(scan, line, field[3], error,
                               "values must be integer, real or pattern, not");
    s->symmetry = is(field[4], "symmetric")        ? TRIB_MTX_SYMMETRIC
                  : is(field[4], "skew-symmetric") ? TRIB_MTX_SKEW
                                                   : TRIB_MTX_GENERAL;
    if (s->symmetry == TRIB_MTX_GENERAL && !is(field[4], "general"))
        return trib_scan_wrong(scan, line, field[4], error,
                               "a matrix must be general, symmetric or skew-symmetric, not");
    if (s->symmetry == TRIB_MTX_SKEW && s->counts)
        return trib_scan_wrong(scan, line, field[4], error,
                               "values must be whole numbers from 1 to 4294967295, and half of "
                               "these are negative:");
    return TRIB_OK;
}

trib_status trib_mtx_sizes(trib_tns_scan *scan, const char *line, const trib_field field[],
                           size_t n_fields, trib_error *error) {
    uint64_t number[3];
    if (n_fields != 3)
        return trib_scan_wrong(scan, line, field[0], error,
                               "the numbers of rows, columns and nonzeros should be here, not");
    for (size_t i = 0; i < 3; i++)
        if (!trib_scan_uint(field[i], &number[i]) ||
            (i < 2 && (number[i] < 1 || number[i] > UINT32_MAX)))
            return trib_scan_wrong(scan, line, field[i], error,
                                   i < 2 ? "a size must be a whole number from 1 to 4294967295, not"
                                         : "the number of nonzeros must be a whole number, not");
    if (scan->state->symmetry != TRIB_MTX_GENERAL && number[0] != number[1])
        return trib_scan_wrong(scan, line, field[1], error,
                               "a symmetric matrix has as many columns as rows, not");
    trib_scan_set_dims(scan, 2, number, number[2]);
    return TRIB_OK;
}

trib_status trib_mtx_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                           trib_error *error) {
    if (table->n_modes != 2)
        return trib_fail(error, TRIB_INPUT,
                         "a Matrix Market text has 2 modes, and this tensor has %u; write .tns",
                         table->n_modes);
    trib_print(writer, "%%%%MatrixMarket matrix coordinate %s general\n%u %u %zu\n",
               values ? "real" : "integer", table->dim[0], table->dim[1], table->nnz);
    return trib_scan_write(table, values, writer, error);
}
