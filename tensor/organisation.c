/* organisation.c - the organisations of a fragment [S]: how each of them splits an index into
 * numbers, one per level, and joins them again. Nonzeros with the same numbers in their first
 * levels store them once. The organisations differ in their levels:
 *
 *     linear  one level, the row-major address a
 *     gcsr    two, a div C and a mod C: a matrix with C columns and the smallest dimension as rows
 *     gcsc    two, a mod R and a div R: a matrix with R columns, R the smallest dimension
 *     csf     a level for every mode, the smallest dimension first
 *     coo     a level for every mode, none shared: entries in the order of insertion
 *
 * Sources: [S] Dong, Wu, Byna 2024, section II; the trees of csf, Smith and Karypis 2015. */
#include "base/internal.h"
#include "tensor/files.h"
#include "tensor/fragment.h"

static trib_key address_of(const trib_shape *shape, const uint32_t index[]) {
    trib_key address = 0;
    for (uint32_t m = 0; m < shape->n_modes; m++) address = address * shape->dim[m] + index[m];
    return address;
}

static void index_of(const trib_shape *shape, trib_key address, uint32_t index[]) {
    for (uint32_t m = shape->n_modes; m-- > 1; address /= shape->dim[m])
        index[m] = (uint32_t)(address % shape->dim[m]);
    index[0] = (uint32_t)address;
}

static void shape_by_mode(trib_shape *shape) {
    shape->n_levels = shape->n_modes;
    for (uint32_t m = 0; m < shape->n_modes; m++) shape->radix[m] = shape->dim[m];
    for (uint32_t m = 0; m < shape->n_modes; m++) shape->mode[m] = m;
}

static void shape_by_size(trib_shape *shape) {
    shape->n_levels = shape->n_modes;
    for (uint32_t m = 0; m < shape->n_modes; m++) {
        uint32_t l = m;
        for (; l > 0 && shape->dim[shape->mode[l - 1]] > shape->dim[m]; l--)
            shape->mode[l] = shape->mode[l - 1];
        shape->mode[l] = m;
    }
    for (uint32_t l = 0; l < shape->n_modes; l++) shape->radix[l] = shape->dim[shape->mode[l]];
}

static void take_modes(const trib_shape *shape, const uint32_t index[], trib_key level[]) {
    for (uint32_t l = 0; l < shape->n_modes; l++) level[l] = index[shape->mode[l]];
}

static void put_modes(const trib_shape *shape, const trib_key level[], uint32_t index[]) {
    for (uint32_t l = 0; l < shape->n_modes; l++) index[shape->mode[l]] = (uint32_t)level[l];
}

static void shape_linear(trib_shape *shape) {
    shape->n_levels = 1;
    shape->radix[0] = 1;
    for (uint32_t m = 0; m < shape->n_modes; m++) shape->radix[0] *= shape->dim[m];
}

static void take_address(const trib_shape *shape, const uint32_t index[], trib_key level[]) {
    level[0] = address_of(shape, index);
}

static void put_address(const trib_shape *shape, const trib_key level[], uint32_t index[]) {
    index_of(shape, level[0], index);
}

/* A matrix with as many lines as the smallest dimension; the second level is the place in the
 * line. */
static void shape_matrix(trib_shape *shape) {
    uint32_t least = 0;
    shape->n_levels = 2;
    for (uint32_t m = 1; m < shape->n_modes; m++)
        if (shape->dim[m] < shape->dim[least]) least = m;
    shape->radix[0] = shape->dim[least];
    shape->radix[1] = 1;
    for (uint32_t m = 0; m < shape->n_modes; m++)
        if (m != least) shape->radix[1] *= shape->dim[m];
}

static void take_rows(const trib_shape *shape, const uint32_t index[], trib_key level[]) {
    const trib_key address = address_of(shape, index);
    level[0] = address / shape->radix[1];
    level[1] = address % shape->radix[1];
}

static void put_rows(const trib_shape *shape, const trib_key level[], uint32_t index[]) {
    index_of(shape, level[0] * shape->radix[1] + level[1], index);
}

static void take_columns(const trib_shape *shape, const uint32_t index[], trib_key level[]) {
    const trib_key address = address_of(shape, index);
    level[0] = address % shape->radix[0];
    level[1] = address / shape->radix[0];
}

static void put_columns(const trib_shape *shape, const trib_key level[], uint32_t index[]) {
    index_of(shape, level[1] * shape->radix[0] + level[0], index);
}

static const struct trib_levels by_mode = {shape_by_mode, take_modes, put_modes};
static const struct trib_levels by_address = {shape_linear, take_address, put_address};
static const struct trib_levels by_row = {shape_matrix, take_rows, put_rows};
static const struct trib_levels by_column = {shape_matrix, take_columns, put_columns};
static const struct trib_levels by_fiber = {shape_by_size, take_modes, put_modes};

/* A file names an organisation by the number of its row, so new rows are added at the end. */
const trib_organisation trib_organisations[] = {
    {"coo", "indices as they arrived", false, &by_mode},
    {"linear", "row-major addresses (Dong, Wu, Byna 2024)", true, &by_address},
    {"gcsr", "GCSR++, addresses by rows (Dong, Wu, Byna 2024)", true, &by_row},
    {"gcsc", "GCSC++, addresses by columns (Dong, Wu, Byna 2024)", true, &by_column},
    {"csf", "compressed sparse fibers (Smith, Karypis 2015)", true, &by_fiber},
    {NULL, NULL, false, NULL},
};

TRIB_FIND(trib_organisation_find, trib_organisation, trib_organisations);

void trib_shape_init(trib_shape *shape, const trib_organisation *organisation, uint32_t n_modes,
                     const uint32_t dim[]) {
    *shape = (trib_shape){.n_modes = n_modes};
    for (uint32_t m = 0; m < n_modes; m++) shape->dim[m] = dim[m];
    organisation->levels->shape(shape);
}

trib_key trib_shape_number(const trib_organisation *organisation, const trib_shape *shape,
                           const uint32_t index[]) {
    trib_key level[TRIB_MAX_MODES] = {0}, number = 0;
    organisation->levels->take(shape, index, level);
    for (uint32_t l = 0; l < shape->n_levels; l++) number = number * shape->radix[l] + level[l];
    return number;
}

/* ---- The choice of an organisation ----------------------------------------------------------- */

const trib_organisation trib_organisation_auto = {
    "auto", "chosen from density, shape and the reads expected", false, NULL};

const char *const trib_reads_names[] = {"none", "whole", "points", "regions", "last", NULL};

/* The mean number of nonzeros in the fibers of csf that have any. From this number on, an index of
 * an inner level is shared by enough nonzeros that csf is about as small as linear. */
static const double full_fiber = 2;

/* The expected length of a fiber along the longest mode (the leaves of csf) that is not empty, if
 * every cell is equally likely to hold a nonzero. */
static double fiber_length(uint32_t n_modes, const uint32_t dim[], size_t nnz) {
    double cells = 1, longest = 1;
    for (uint32_t m = 0; m < n_modes; m++) {
        cells *= dim[m];
        if (dim[m] > longest) longest = dim[m];
    }
    const double fibers = cells / longest, held = -fibers * expm1(-(double)nnz / fibers);
    return held > 0 ? (double)nnz / held : 0;
}

const trib_organisation *trib_organisation_choose(const trib_organisation *organisation,
                                                  trib_reads reads, uint32_t n_modes,
                                                  const uint32_t dim[], size_t nnz,
                                                  char reason[TRIB_REASON_MAX]) {
    reason[0] = '\0';
    if (organisation != &trib_organisation_auto) return organisation;
    const double length = fiber_length(n_modes, dim, nnz);
    bool last_is_least = n_modes > 1;
    for (uint32_t m = 0; m < n_modes; m++)
        last_is_least = last_is_least && dim[n_modes - 1] <= dim[m];
    if (reads == TRIB_READS_NONE) {
        snprintf(reason, TRIB_REASON_MAX,
                 "nothing will be read: written as the entries arrived, without sorting");
        return trib_organisation_find("coo");
    }
    if (reads == TRIB_READS_LAST && last_is_least) {
        snprintf(
            reason, TRIB_REASON_MAX,
            "regions of the last mode, which is the shortest: its indices are the columns, and "
            "a region is a run of them");
        return trib_organisation_find("gcsc");
    }
    if (reads == TRIB_READS_REGIONS && length >= full_fiber) {
        snprintf(reason, TRIB_REASON_MAX,
                 "regions, about %.3g nonzeros to a fiber by density: a tree is decoded without "
                 "division and is about as small as addresses",
                 length);
        return trib_organisation_find("csf");
    }
    if (reads == TRIB_READS_REGIONS || reads == TRIB_READS_LAST)
        snprintf(reason, TRIB_REASON_MAX,
                 "regions, about %.3g nonzeros to a fiber by density%s: addresses are the smallest",
                 length, reads == TRIB_READS_LAST ? ", and the last mode is not the shortest" : "");
    else
        snprintf(reason, TRIB_REASON_MAX,
                 "%s: addresses are the smallest, and a point is in one page",
                 reads == TRIB_READS_WHOLE ? "read whole" : "points");
    return trib_organisation_find("linear");
}
