/* format.c - the table of formats, and what is done in the same way for all of them. */
#include "tensor/formats/kernel.h"

const trib_format *const trib_formats[] = {&trib_format_coo,
                                           &trib_format_coo_unsorted,
                                           &trib_format_hacoo,
                                           &trib_format_hicoo,
                                           &trib_format_rows,
                                           &trib_format_alto,
                                           &trib_format_linear,
                                           &trib_format_gcsr,
                                           &trib_format_gcsc,
                                           &trib_format_csf,
                                           &trib_format_csf_two,
                                           &trib_format_csf_all,
                                           NULL};

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

static void sum_values(trib_tensor *tensor, const trib_hacoo *source, const double *values) {
    double squares = 0;
    const bool wide = trib_is_wide(source);
    for (size_t e = 0; e < source->nnz; e++) {
        const double value = values ? values[e] : *trib_entry_count(source->entry, e, wide);
        tensor->total += value;
        squares += value * value;
    }
    tensor->norm = sqrt(squares);
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
    *tensor = (trib_tensor){.format = format,
                            .cut = cut,
                            .n_modes = source->n_modes,
                            .nnz = source->nnz,
                            .n_threads = n_threads};
    memcpy(tensor->dim, source->dim, sizeof tensor->dim);
    sum_values(tensor, source, values);
    trib_building b = {tensor, source, values, NULL, trib_stop_check(error), error};
    if (b.status == TRIB_OK && !format->scheduled) trib_lanes_cut(&b);
    tensor->data = trib_tensor_array(&b, 1, format->size, "a tensor");
    if (format->sorted) trib_building_sort(&b, NULL);
    if (b.status == TRIB_OK) format->build(&b);
    trib_free(b.order);
    if (b.status == TRIB_OK && format->add && !format->scheduled) trib_lanes_collect(&b);
    if (b.status == TRIB_OK) b.status = trib_stop_check(error);
    if (b.status != TRIB_OK) trib_tensor_release(tensor);
    return b.status;
}

void trib_tensor_release(trib_tensor *tensor) {
    trib_pool_release(&tensor->pool);
    *tensor = (trib_tensor){0};
}

void trib_tensor_read(const trib_tensor *tensor, size_t first, size_t n, uint32_t *index,
                      double *value) {
    if (n > 0) tensor->format->read(tensor, first, n, index, value);
}

size_t trib_tensor_bytes(const trib_tensor *tensor) { return tensor->n_bytes; }

/* ---- MTTKRP ---------------------------------------------------------------------------------- */

/* Computes rows from .. to-1, those of a lane. Either `factor` or `single` is NULL. */
static void multiply_lane(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                          const double *const factor[], const float *const single[], double *out,
                          uint32_t lane, uint32_t from, uint32_t to) {
    const trib_format *format = tensor->format;
    if (from < to && !format->writes)
        memset(out + (size_t)from * rank, 0, (size_t)(to - from) * rank * sizeof *out);
    if (from >= to || (tensor->nnz == 0 && !format->writes)) return;
    if (single) {
        format->mttkrp_single(tensor, mode, rank, single, out, lane);
    } else if (format->mttkrp) {
        format->mttkrp(tensor, mode, rank, factor, out, lane);
    } else {
        const trib_task task = trib_task_of(tensor, mode, rank, factor, out, lane, tensor->nnz);
        format->add(tensor, &task, rank);
    }
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
    if (tensor->format->scheduled) trib_schedule_run(tensor, mode, rank, factor, out, n_threads);
    else multiply_lanes(tensor, mode, rank, factor, NULL, out, n_threads);
}

void trib_mttkrp_single(const trib_tensor *tensor, uint32_t mode, uint32_t rank,
                        const float *const factor[], double *out, int n_threads) {
    multiply_lanes(tensor, mode, rank, NULL, factor, out, n_threads);
}
