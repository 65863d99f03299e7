/* scan_write.c - writes the nonzeros of a table as lines of text, the same for .tns and Matrix
 * Market. */
#include "tensor/order.h"
#include "tensor/scan.h"

#include <math.h>
#include <string.h>

/* Writes the digits of a number and returns their end. */
static char *write_digits(char *at, uint64_t number) {
    char digit[20];
    size_t n = 0;
    do digit[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0) *at++ = digit[--n];
    return at;
}

trib_status trib_scan_write(const trib_hacoo *table, const double *values, trib_writer *writer,
                            trib_error *error) {
    enum { BLOCK = 8192, LONGEST = TRIB_MAX_MODES * 11 + TRIB_NUMBER_MAX + 1 };
    uint32_t *order = NULL;
    trib_status status = TRIB_NEW(&order, table->nnz, "sorting", error);
    if (status == TRIB_OK) status = trib_order_entries(table, false, order, 1, error);
    char block[BLOCK], *at = block;
    for (size_t i = 0; status == TRIB_OK && values && i < table->nnz; i++)
        if (!isfinite(values[order[i]]))
            status = trib_fail(error, TRIB_INTERNAL, "%s: a value is not finite", writer->path);
    for (size_t i = 0; status == TRIB_OK && i < table->nnz; i++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(table, order[i], index);
        for (uint32_t m = 0; m < table->n_modes; m++) {
            at = write_digits(at, (uint64_t)index[m] + 1);
            *at++ = ' ';
        }
        if (values) at += strlen(trib_number(at, values[order[i]]));
        else at = write_digits(at, count);
        *at++ = '\n';
        if (i + 1 == table->nnz || at > block + BLOCK - LONGEST) {
            trib_write(writer, block, (size_t)(at - block));
            at = block;
        }
    }
    trib_free(order);
    return status;
}
