/* drawn.h - tensors drawn at random, always the same for the same arguments. */
#ifndef TRIBUTARY_TESTS_TENSOR_DRAWN_H
#define TRIBUTARY_TESTS_TENSOR_DRAWN_H

#include "tensor/hacoo.h"
#include "tests/test.h"

/* n draws, equal ones counted together; `skew` makes low indices commoner: 0 not at all, 1 as words
 * are. */
static inline trib_hacoo drawn_tensor(uint32_t n_modes, const uint32_t dim[], size_t n,
                                      double skew) {
    trib_hacoo x;
    trib_error error = {0};
    trib_random random;
    trib_random_seed(&random, n);
    EXPECT_OK(trib_hacoo_init(&x, n_modes, dim, NULL, &error));
    for (size_t i = 0; i < n; i++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < n_modes; m++) {
            const double unit = trib_random_unit(&random);
            index[m] = (uint32_t)(skew > 0 ? pow(dim[m], unit) - 1 : unit * dim[m]);
        }
        EXPECT_OK(trib_hacoo_add(&x, index, 1, &error));
    }
    return x;
}

/* n different nonzeros in `n_modes` modes of `dim` indices each. */
static inline trib_hacoo drawn_cells(uint32_t n_modes, uint32_t dim, size_t n) {
    trib_hacoo x;
    trib_error error = {0};
    trib_random random;
    trib_random_seed(&random, dim);
    uint32_t dims[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n_modes; m++) dims[m] = dim;
    EXPECT_OK(trib_hacoo_init(&x, n_modes, dims, NULL, &error));
    while (x.nnz < n) {
        for (uint32_t m = 0; m < n_modes; m++) index[m] = (uint32_t)trib_random_below(&random, dim);
        EXPECT_OK(trib_hacoo_add(&x, index, 1, &error));
    }
    return x;
}

#endif
