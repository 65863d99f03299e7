/* choose.c - `auto`: the row of the table of formats for a tensor, from what was measured (docs/formats.md). The number
 * of threads has no say, or it would change the last bits of a result. */
#include "tensor/formats.h"

#include <stdio.h>

const trib_format trib_format_auto = {
    .name = "auto",
    .help = "chosen from the tensor's size, shape and values, and the rank",
};

enum { FEW_NONZEROS = 256 };
static const double thin_rows = 2;                  /* nonzeros to a row, on the mean */
static const double largest_copy = 4.0 * (1 << 30); /* bytes */

/* What is known of a tensor in one look at its entries. */
typedef struct statistics {
    double per_row; /* nonzeros / the mean dimension */
    double ones;    /* share of the counts that are 1 */
    double bytes;   /* of `rows` */
} statistics;

static statistics look_at(const trib_hacoo *source) {
    const double nnz = (double)source->nnz, n_modes = source->n_modes;
    double rows = 0, ones = 0;
    for (uint32_t m = 0; m < source->n_modes; m++) rows += source->dim[m];
    for (size_t e = 0; e < source->nnz; e++) ones += trib_hacoo_count(source, e) == 1;
    return (statistics){nnz * n_modes / rows, nnz > 0 ? ones / nnz : 0,
                        8 * rows + n_modes * (nnz * 4 * (n_modes - 1) + (nnz - ones) * 8)};
}

const trib_format *trib_format_choose(const trib_format *format, const trib_hacoo *source,
                                      uint32_t rank, char reason[TRIB_REASON_MAX]) {
    reason[0] = '\0';
    if (format != &trib_format_auto) return format;
    const statistics s = look_at(source);
    if (source->nnz < FEW_NONZEROS) {
        snprintf(reason, TRIB_REASON_MAX, "%zu nonzeros are not worth a copy", source->nnz);
        return &trib_format_hacoo;
    }
    if (s.per_row < thin_rows) {
        snprintf(reason, TRIB_REASON_MAX,
                 "%.2g nonzeros to a row: no order brings rows of the factors together", s.per_row);
        return &trib_format_hacoo;
    }
    if (s.bytes > largest_copy) {
        snprintf(reason, TRIB_REASON_MAX,
                 "a copy by rows of every mode would take %.1f GiB; this is the smallest copy",
                 s.bytes / (1 << 30));
        return &trib_format_hicoo;
    }
    snprintf(
        reason, TRIB_REASON_MAX,
        "%.3g nonzeros to a row, %.0f %% of them 1, rank %u: a row of the result is summed and "
        "written once",
        s.per_row, 100 * s.ones, (unsigned)rank);
    return &trib_format_rows;
}
