/* choose.c - `auto`: chooses the format for a tensor, by rules that follow from measurements
 * (docs/formats.md). The number of threads is not considered, because another format can change the
 * last bits of a result. */
#include "tensor/formats/format.h"

const trib_format trib_format_auto = {
    .name = "auto",
    .help = "chosen from the tensor's size, shape and values, and the rank",
};

/* CACHE: bytes of factors that are assumed to stay in the cache. */
enum { FEW_NONZEROS = 256, CACHE = 1 << 20 };
static const double thin_rows = 2;                  /* mean nonzeros per row */
static const double largest_copy = 4.0 * (1 << 30); /* bytes */
/* `rows` is worth building if iterations x rank is at least this number; else a scan of the table
 * is faster. */
static const double build_cost = 128;
/* The mean number of nonzeros per row whose factor rows are not in the cache. From this number on,
 * the order along the Morton curve, which uses few rows of every mode at a time, saves more than
 * writing each row of the result once. */
static const double scattered_row = 100;

/* Statistics of a tensor, from one pass over its entries. */
typedef struct statistics {
    double per_row; /* nonzeros / the mean dimension */
    double ones;    /* share of the counts that are 1 */
    double bytes;   /* the size of `rows` */
    /* The share of indices whose factor rows are beyond the first ones, which are assumed to be in
     * the cache. */
    double far;
} statistics;

/* Counts the counts that are 1 and, where a mode has so many, the indices that are not below
 * `near`. */
TRIB_INLINE void count_entries(const trib_hacoo *source, bool wide, size_t near, size_t *ones,
                               size_t *far) {
    bool has_far = false;
    for (uint32_t m = 0; m < source->n_modes; m++) has_far |= source->dim[m] > near;
    for (size_t e = 0; e < source->nnz; e++)
        *ones += *trib_entry_count(source->entry, e, wide) == 1;
    for (size_t e = 0; has_far && e < source->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_key_unpack(source->bits, source->n_modes, trib_entry_key(source->entry, e, wide),
                        index, wide);
        for (uint32_t m = 0; m < source->n_modes; m++) *far += index[m] >= near;
    }
}

static statistics look_at(const trib_hacoo *source, uint32_t rank) {
    const double nnz = (double)source->nnz, n_modes = source->n_modes;
    const size_t others = source->n_modes > 1 ? source->n_modes - 1 : 1;
    const size_t near = CACHE / (sizeof(double) * (rank > 0 ? rank : 1) * others);
    double rows = 0;
    size_t n_ones = 0, n_far = 0;
    for (uint32_t m = 0; m < source->n_modes; m++) rows += source->dim[m];
    if (trib_is_wide(source)) count_entries(source, true, near, &n_ones, &n_far);
    else count_entries(source, false, near, &n_ones, &n_far);
    const double ones = (double)n_ones, far = (double)n_far;
    return (statistics){nnz * n_modes / rows, nnz > 0 ? ones / nnz : 0,
                        8 * rows + n_modes * (nnz * 4 * (n_modes - 1) + (nnz - ones) * 8),
                        nnz > 0 ? far / (nnz * n_modes) : 0};
}

const trib_format *trib_format_choose(const trib_format *format, const trib_hacoo *source,
                                      uint32_t rank, uint32_t iterations,
                                      char reason[TRIB_REASON_MAX]) {
    reason[0] = '\0';
    if (format != &trib_format_auto) return format;
    const statistics s = look_at(source, rank);
    if (source->nnz < FEW_NONZEROS) {
        snprintf(reason, TRIB_REASON_MAX, "%zu nonzeros are not worth a copy", source->nnz);
        return &trib_format_hacoo;
    }
    if (s.per_row < thin_rows) {
        snprintf(reason, TRIB_REASON_MAX,
                 "%.2g nonzeros to a row: no order brings rows of the factors together", s.per_row);
        return &trib_format_hacoo;
    }
    if (rank > 0 && iterations > 0 && (double)rank * iterations < build_cost) {
        snprintf(reason, TRIB_REASON_MAX,
                 "%u iterations at rank %u take less time than building a copy",
                 (unsigned)iterations, (unsigned)rank);
        return &trib_format_hacoo;
    }
    if (s.per_row * s.far >= scattered_row) {
        snprintf(
            reason, TRIB_REASON_MAX,
            "%.3g nonzeros to a row, %.0f %% of their factor rows in no cache: the order along a "
            "curve stays among few rows",
            s.per_row, 100 * s.far);
        return &trib_format_alto;
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
