/* format.c - the table of formats, and what is done in the same way for all of them. */
#include "tensor/entry.h"
#include "tensor/formats/lanes.h"
#include "tensor/formats/table.h"

#include <math.h>
#include <string.h>

const trib_format *const trib_formats[] = {&trib_format_coo,     &trib_format_coo_unsorted,
                                           &trib_format_hacoo,   &trib_format_hicoo,
                                           &trib_format_rows,    &trib_format_alto,
                                           &trib_format_linear,  &trib_format_gcsr,
                                           &trib_format_gcsc,    &trib_format_csf,
                                           &trib_format_csf_two, &trib_format_csf_all,
                                           &trib_format_fcoo,    NULL};

const trib_format *trib_format_find(const char *name) {
    if (strcmp(name, trib_format_auto.name) == 0) return &trib_format_auto;
    for (const trib_format *const *format = trib_formats; *format; format++)
        if (strcmp((*format)->name, name) == 0) return *format;
    return NULL;
}

static bool is_power_of_two(uint32_t n) { return (n & (n - 1)) == 0; }

const char *trib_tensor_cut_diagnostic(trib_tensor_cut cut, bool *of_superblock) {
    const uint32_t block = cut.block ? cut.block : TRIB_BLOCK_MAX;
    *of_superblock = false;
    if (!is_power_of_two(cut.block) || cut.block > TRIB_BLOCK_MAX)
        return "must be a power of two from 1 to 256";
    *of_superblock = true;
    if (!is_power_of_two(cut.superblock) || cut.superblock > TRIB_SUPERBLOCK_MAX)
        return "must be a power of two from 1 to 1073741824";
    if (cut.superblock && cut.superblock < block)
        return "must not be smaller than the side of a block (tensor.block, 256 when auto)";
    return NULL;
}

trib_status trib_tensor_build(trib_tensor *tensor, const trib_format *format,
                              const trib_hacoo *source, const double *values, int n_threads,
                              trib_error *error) {
    return trib_tensor_build_cut(tensor, format, (trib_tensor_cut){0}, source, values, n_threads,
                                 error);
}

trib_status trib_tensor_build_cut(trib_tensor *tensor, const trib_format *format,
                                  trib_tensor_cut cut, const trib_hacoo *source,
                                  const double *values, int n_threads, trib_error *error) {
    char reason[TRIB_REASON_MAX];
    bool of_superblock;
    const char *fault = trib_tensor_cut_diagnostic(cut, &of_superblock);
    *tensor = (trib_tensor){0};
    if (fault)
        return trib_fail(error, TRIB_INPUT, "the side of a %s is %u indices and %s",
                         of_superblock ? "superblock" : "block",
                         of_superblock ? cut.superblock : cut.block, fault);
    format = trib_format_choose(format ? format : &trib_format_auto, source, 0, 0, reason);
    *tensor =
        (trib_tensor){.format = format, .cut = cut, .n_modes = source->n_modes, .nnz = source->nnz};
    memcpy(tensor->dim, source->dim, sizeof tensor->dim);
    double squares = 0;
    const bool wide = trib_is_wide(source);
    for (size_t e = 0; e < source->nnz; e++) {
        const double value = values ? values[e] : *trib_entry_count(source->entry, e, wide);
        tensor->total += value;
        squares += value * value;
    }
    tensor->norm = sqrt(squares);
    tensor->n_threads = n_threads;
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK && format->mttkrp)
        status = trib_lanes_cut(tensor, source, n_threads, error);
    if (status == TRIB_OK) status = format->build(tensor, source, values, error);
    if (status == TRIB_OK) status = trib_stop_check(error);
    if (status != TRIB_OK) trib_tensor_release(tensor);
    return status;
}

void trib_tensor_release(trib_tensor *tensor) {
    if (tensor->data) tensor->format->release(tensor);
    trib_lanes_release(&tensor->lanes);
    *tensor = (trib_tensor){0};
}

void trib_tensor_read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                      double *value) {
    if (n > 0) tensor->format->read(tensor, first, n, index, value);
}

size_t trib_tensor_bytes(const trib_tensor *tensor) {
    if (!tensor->format) return 0;
    const trib_lanes *lanes = &tensor->lanes;
    const size_t cuts = lanes->n ? (size_t)tensor->n_modes * (lanes->n + 1) : 0;
    return tensor->format->bytes(tensor) + cuts * sizeof *lanes->row +
           (lanes->first ? cuts : 0) * sizeof *lanes->first + lanes->n_items * sizeof *lanes->order;
}

static void clear_rows(double *out, uint32_t rank, uint32_t from, uint32_t to) {
    if (to > from) memset(out + (size_t)from * rank, 0, (size_t)(to - from) * rank * sizeof *out);
}

/* Either `factor` or `single` is NULL. */
static void multiply_lane(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const double *const factor[], const float *const single[], double *out,
                          uint32_t lane, uint32_t from, uint32_t to) {
    const trib_format *format = tensor->format;
    if (!format->writes) clear_rows(out, rank, from, to);
    if (from >= to || (tensor->nnz == 0 && !format->writes)) return;
    if (single) format->mttkrp_single(tensor, mode, rank, single, out, lane);
    else format->mttkrp(tensor, mode, rank, factor, out, lane);
}

static void multiply_lanes(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                           const double *const factor[], const float *const single[], double *out,
                           int n_threads) {
    const uint32_t n = tensor->lanes.n;
    if (n_threads <= 1 || n == 0) {
        multiply_lane(tensor, mode, rank, factor, single, out, TRIB_EVERY_LANE, 0,
                      tensor->dim[mode]);
        return;
    }
    const uint32_t *row = tensor->lanes.row + mode * (n + 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t lane = 0; lane < n; lane++)
        multiply_lane(tensor, mode, rank, factor, single, out, lane, row[lane], row[lane + 1]);
}

void trib_mttkrp(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                 const double *const factor[], double *out, int n_threads) {
    if (tensor->format->multiply)
        tensor->format->multiply(tensor, mode, rank, factor, out, n_threads);
    else multiply_lanes(tensor, mode, rank, factor, NULL, out, n_threads);
}

void trib_mttkrp_single(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                        const float *const factor[], double *out, int n_threads) {
    multiply_lanes(tensor, mode, rank, NULL, factor, out, n_threads);
}
