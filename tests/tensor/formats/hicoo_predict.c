/* hicoo_predict.c - tests of tensor/formats/hicoo_predict.c: alpha_b and c_b from a sample of
 * blocks, against those of the built tensor. */
#include "tensor/formats/formats.h"
#include "tests/tensor/drawn.h"

TESTS(formats, hicoo_predict);

static trib_error error;

static const struct {
    const char *name;
    uint32_t n_modes, dim[TRIB_MAX_MODES], block;
    size_t n;
    double skew;
    bool is_sampled;
} tensors[] = {
    {"dense", 3, {60, 60, 60}, 16, 30000, 0, false},
    {"one block", 2, {200, 100}, 0, 5000, 0, false},
    {"words", 3, {12000, 12000, 12000}, 16, 200000, 1, true},
    {"words, blocks as chosen", 3, {1000000, 1000000, 1000000}, 0, 300000, 1, true},
    {"thin blocks", 3, {20000, 20000, 20000}, 0, 100000, 0, true},
    {"a short mode", 4, {40000, 6, 50000, 24}, 128, 150000, 0, true},
    {"96 bits", 3, {4000000000u, 4000000000u, 4000000000u}, 256, 60000, 1, true},
    {"blocks of one index", 2, {3000, 3000}, 1, 20000, 1, true},
};
enum { N_TENSORS = sizeof tensors / sizeof *tensors };

static void expect_report(size_t i, const trib_hacoo *x, const trib_hicoo_prediction *p) {
    GIVEN(trib_tensor) tensor = {0};
    trib_hicoo_report r;
    const trib_tensor_cut cut = {.block = tensors[i].block};
    EXPECT_OK(trib_tensor_build_cut(&tensor, trib_format_find("hicoo"), cut, x, NULL, 1, &error));
    EXPECT_OK(trib_hicoo_report_of(&tensor, 1, &r, &error));
    EXPECT(p->block == UINT32_C(1) << r.block_bits);
    EXPECT((p->deviation > 0) == tensors[i].is_sampled);
    if (tensors[i].is_sampled) {
        /* Four standard deviations, which are at most 1 / sqrt(2048) here: 9 %; of c_b the same. */
        EXPECT(p->n_blocks <= 4096 && p->n_blocks < r.n_blocks && p->deviation < 0.0225);
        EXPECT(fabs(p->block_ratio / r.block_ratio - 1) < 4 * p->deviation);
        EXPECT(fabs(p->slice_size / r.slice_size - 1) < 4 * p->deviation);
    } else {
        EXPECT(p->n_blocks == r.n_blocks && p->nnz == x->nnz);
        EXPECT_NEAR(p->block_ratio, r.block_ratio, 1e-15);
        EXPECT_NEAR(p->slice_size, r.slice_size, 1e-12 * r.slice_size);
    }
}

TEST(predictions_agree_with_the_built_tensor) {
    for (size_t i = 0; i < N_TENSORS; i++) {
        trib_hicoo_prediction p, again;
        trib_hacoo x =
            drawn_tensor(tensors[i].n_modes, tensors[i].dim, tensors[i].n, tensors[i].skew);
        EXPECT_OK(trib_hicoo_predict(&x, tensors[i].block, &p, &error));
        EXPECT_OK(trib_hicoo_predict(&x, tensors[i].block, &again, &error));
        EXPECT(p.block_ratio == again.block_ratio && p.slice_size == again.slice_size);
        expect_report(i, &x, &p);
        trib_hacoo_release(&x);
    }
}

/* The estimate of alpha_b has the true one as its mean: over 40 tensors the mean error is within
 * four standard deviations. */
TEST(predictions_lean_to_neither_side) {
    double sum = 0, deviation = 0;
    for (size_t i = 0; i < 40; i++) {
        trib_hicoo_prediction p;
        trib_hacoo x = drawn_tensor(3, (uint32_t[]){9000, 9000, 9000}, 12000 + i, 0), place;
        EXPECT_OK(trib_hicoo_predict(&x, 64, &p, &error));
        EXPECT_OK(trib_hacoo_init(&place, 3, x.dim, NULL, &error));
        for (size_t e = 0; e < x.nnz; e++) {
            uint32_t index[TRIB_MAX_MODES];
            trib_hacoo_entry(&x, e, index);
            for (uint32_t m = 0; m < 3; m++) index[m] /= 64;
            EXPECT_OK(trib_hacoo_add(&place, index, 1, &error));
        }
        sum += p.block_ratio / ((double)place.nnz / (double)x.nnz) - 1;
        deviation += p.deviation;
        trib_hacoo_release(&place);
        trib_hacoo_release(&x);
    }
    EXPECT(fabs(sum / 40) < 4 * deviation / 40 / sqrt(40));
}

static trib_status predict(void *context, trib_error *failure) {
    trib_hicoo_prediction p;
    return trib_hicoo_predict(context, 0, &p, failure);
}

TEST(a_tensor_without_nonzeros_has_no_blocks) {
    trib_hicoo_prediction p;
    trib_hacoo x = drawn_tensor(2, (uint32_t[]){5, 5}, 0, 0);
    EXPECT_OK(trib_hicoo_predict(&x, 0, &p, &error));
    EXPECT(p.n_blocks == 0 && p.nnz == 0 && p.block_ratio == 0 && p.slice_size == 0);
    EXPECT(trib_fail_every_allocation(predict, &x) >= 1);
    trib_hacoo_release(&x);
}
