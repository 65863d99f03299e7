/* drawn.h - tensors drawn at random, always the same for the same arguments. */
#ifndef TRIBUTARY_TESTS_TENSOR_DRAWN_H
#define TRIBUTARY_TESTS_TENSOR_DRAWN_H

#include "tensor/files.h"
#include "tests/test.h"

static inline trib_hacoo empty_tensor(uint32_t n_modes, const uint32_t dim[]) {
    trib_hacoo x;
    CHECK(trib_hacoo_init(&x, n_modes, dim, NULL, NULL) == TRIB_OK);
    return x;
}

/* n draws, equal ones counted together; `skew` makes low indices commoner: 0 not at all, 1 as words
 * are. */
static inline trib_hacoo drawn_tensor(uint32_t n_modes, const uint32_t dim[], size_t n,
                                      double skew) {
    trib_hacoo x = empty_tensor(n_modes, dim);
    trib_random random;
    trib_random_seed(&random, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < n_modes; m++) {
            const double unit = trib_random_unit(&random);
            index[m] = (uint32_t)(skew > 0 ? pow(dim[m], unit) - 1 : unit * dim[m]);
        }
        CHECK(trib_hacoo_add(&x, index, 1, NULL) == TRIB_OK);
    }
    return x;
}

/* n different nonzeros in `n_modes` modes of `dim` indices each. */
static inline trib_hacoo drawn_cells(uint32_t n_modes, uint32_t dim, size_t n) {
    trib_random random;
    trib_random_seed(&random, dim);
    uint32_t dims[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n_modes; m++) dims[m] = dim;
    trib_hacoo x = empty_tensor(n_modes, dims);
    while (x.nnz < n) {
        for (uint32_t m = 0; m < n_modes; m++) index[m] = (uint32_t)trib_random_below(&random, dim);
        CHECK(trib_hacoo_add(&x, index, 1, NULL) == TRIB_OK);
    }
    return x;
}

/* Appends the bytes of a table as a fragment, which is also the file tensor.fragment. */
static inline void fragment_bytes(const trib_hacoo *table, const trib_fragment_options *options,
                                  trib_buffer *bytes) {
    trib_writer writer;
    const char *path = trib_scratch("tensor.fragment");
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    CHECK(trib_fragment_write(table, options, &writer, NULL) == TRIB_OK);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    trib_read_bytes(path, bytes);
}

#endif
