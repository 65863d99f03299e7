/* schedule.c - superblocks: the same bits however many threads share them, with and without private
 * rows; and what is reported about them. */
#include "tensor/formats/formats.h"
#include "tests/tensor/drawn.h"

TESTS(formats, schedule);

static trib_error error;

static double *factor_of(uint32_t dim, uint32_t rank) {
    double *factor = malloc((size_t)dim * rank * sizeof *factor);
    CHECK(factor != NULL);
    for (size_t i = 0; i < (size_t)dim * rank; i++) factor[i] = 1 / (1 + (double)(i % 97));
    return factor;
}

/* A tensor built for one thread and one built for seven, computed by 1, 2 and 7, against the
 * formula. */
static void compare_cut(const char *name, trib_tensor_cut cut, const trib_hacoo *x, uint32_t rank) {
    GIVEN(trib_tensor) one = {0}, seven = {0};
    double *factor[TRIB_MAX_MODES] = {0};
    const trib_format *format = trib_format_find(name);
    EXPECT_OK(trib_tensor_build_cut(&one, format, cut, x, NULL, 1, &error));
    EXPECT_OK(trib_tensor_build_cut(&seven, format, cut, x, NULL, 7, &error));
    for (uint32_t m = 0; m < x->n_modes; m++) factor[m] = factor_of(x->dim[m], rank);
    const double *const *factors = (const double *const *)factor;
    for (uint32_t mode = 0; mode < x->n_modes; mode++) {
        const size_t size = (size_t)x->dim[mode] * rank;
        double *wanted = calloc(size, sizeof *wanted), *out = malloc(size * sizeof *out);
        double *other = malloc(size * sizeof *other);
        CHECK(wanted != NULL && out != NULL && other != NULL);
        for (size_t e = 0; e < x->nnz; e++) {
            uint32_t index[TRIB_MAX_MODES];
            const double count = trib_hacoo_entry(x, e, index);
            for (uint32_t r = 0; r < rank; r++) {
                double term = count;
                for (uint32_t m = 0; m < x->n_modes; m++)
                    if (m != mode) term *= factor[m][(size_t)index[m] * rank + r];
                wanted[(size_t)index[mode] * rank + r] += term;
            }
        }
        trib_mttkrp(&one, mode, rank, factors, out, 1);
        bool near = true;
        for (size_t i = 0; i < size; i++)
            near = near && fabs(out[i] - wanted[i]) <= 1e-12 * fabs(wanted[i]);
        EXPECT(near);
        const trib_tensor *tensor[] = {&one, &seven, &seven, &seven};
        const int n_threads[] = {7, 1, 2, 7};
        for (int k = 0; k < 4; k++) {
            trib_mttkrp(tensor[k], mode, rank, factors, other, n_threads[k]);
            EXPECT(memcmp(out, other, size * sizeof *out) == 0);
        }
        free(wanted);
        free(out);
        free(other);
    }
    for (uint32_t m = 0; m < x->n_modes; m++) free(factor[m]);
}

static void compare(const char *format, const trib_hacoo *x, uint32_t rank) {
    compare_cut(format, (trib_tensor_cut){0}, x, rank);
}

TEST(private_rows_change_no_bit) {
    trib_hacoo wide = drawn_tensor(3, (uint32_t[]){3000, 40, 3000}, 20000, 1);
    trib_hacoo deep = drawn_tensor(4, (uint32_t[]){70, 600, 9, 20}, 20000, 1);
    for (int k = 0; k < 2; k++) {
        const char *format = k ? "coo" : "hicoo";
        compare(format, &wide, 16);
        compare(format, &wide, 120); /* private rows in three pieces */
        compare(format, &deep, 7);
    }
    trib_hacoo_release(&wide);
    trib_hacoo_release(&deep);
}

TEST(the_report_counts_blocks_and_tasks) {
    trib_hacoo x = drawn_tensor(3, (uint32_t[]){3000, 40, 3000}, 20000, 1);
    GIVEN(trib_tensor) tensor = {0}, other = {0};
    trib_hicoo_report report;
    EXPECT_OK(trib_tensor_build(&tensor, trib_format_find("hicoo"), &x, NULL, 2, &error));
    EXPECT_OK(trib_hicoo_report_of(&tensor, 2, &report, &error));
    EXPECT(report.block_bits == 8 && report.superblock_bits >= 9);
    EXPECT(report.n_blocks >= report.n_superblocks / 2 && report.n_blocks <= 144);
    EXPECT_NEAR(report.block_ratio, (double)report.n_blocks / (double)tensor.nnz, 1e-15);
    EXPECT_NEAR(report.largest_ratio, 0.5625, 1e-15); /* 24 / (32 + 32/3) */
    EXPECT(report.is_small && report.is_fast && strlen(report.advice) > 20);
    EXPECT(report.mode[0].n_slices == 6 && report.mode[1].n_slices == 1);
    EXPECT(report.mode[1].n_private > 4 && report.mode[1].n_iterations >= report.n_superblocks);
    EXPECT(report.mode[1].rule == (report.mode[1].n_iterations > 20));
    EXPECT_OK(trib_tensor_build(&other, trib_format_find("coo"), &x, NULL, 2, &error));
    EXPECT(trib_hicoo_report_of(&other, 2, &report, &error) == TRIB_INTERNAL);
    trib_hacoo_release(&x);
}

/* Worked by hand: four nonzeros in three blocks, of 2, 1 and 1: c_b = 2^(1/3) / 256. */
TEST(a_worked_report_comes_out) {
    GIVEN(trib_tensor) tensor = {0};
    trib_hicoo_report report;
    static const uint32_t entries[][2] = {{0, 0}, {1, 255}, {0, 256}, {1000, 1000}};
    GIVEN(trib_hacoo) x = empty_tensor(2, (uint32_t[]){1024, 1024});
    const trib_format *hicoo = trib_format_find("hicoo");
    EXPECT_OK(trib_tensor_build(&tensor, hicoo, &x, NULL, 1, &error));
    EXPECT_OK(trib_hicoo_report_of(&tensor, 1, &report, &error));
    EXPECT(report.n_blocks == 0 && report.block_ratio == 0 && report.slice_size == 0);
    trib_tensor_release(&tensor);
    for (int i = 0; i < 4; i++) EXPECT_OK(trib_hacoo_add(&x, entries[i], 1, &error));
    EXPECT_OK(trib_tensor_build(&tensor, hicoo, &x, NULL, 1, &error));
    EXPECT_OK(trib_hicoo_report_of(&tensor, 1, &report, &error));
    EXPECT(report.n_blocks == 3 && report.n_superblocks == 2);
    EXPECT_NEAR(report.block_ratio, 0.75, 1e-15);
    EXPECT_NEAR(report.slice_size, cbrt(2) / 256, 1e-15);
    EXPECT(!report.is_small && !report.is_fast);
}

/* What hicoo takes, counted block by block with loops over all earlier nonzeros: [H] section IV.B
 * with the sizes of integers used here. */
static size_t slow_blocks(const trib_hacoo *x, uint32_t side) {
    size_t n = 0;
    for (size_t e = 0; e < x->nnz; e++) {
        uint32_t here[TRIB_MAX_MODES], other[TRIB_MAX_MODES];
        bool seen = false;
        trib_hacoo_entry(x, e, here);
        for (size_t f = 0; f < e && !seen; f++) {
            trib_hacoo_entry(x, f, other);
            seen = true;
            for (uint32_t m = 0; m < x->n_modes; m++) seen &= here[m] / side == other[m] / side;
        }
        n += !seen;
    }
    return n;
}

/* Every size of blocks and of superblocks gives the same products, and what it takes is what the
 * blocks take. */
TEST(any_cut_gives_the_same_products) {
    static const trib_tensor_cut cuts[] = {{1, 0},        {1, 1},   {2, 8},     {8, 8},
                                           {16, 1 << 30}, {64, 64}, {128, 512}, {256, 256},
                                           {256, 4096},   {0, 1024}};
    trib_hacoo wide = drawn_tensor(3, (uint32_t[]){3000, 40, 3000}, 3000, 1);
    trib_hacoo deep = drawn_tensor(4, (uint32_t[]){70, 600, 9, 20}, 3000, 1);
    const trib_hacoo *const tensors[] = {&wide, &deep};
    const trib_format *hicoo = trib_format_find("hicoo");
    for (size_t t = 0; t < 2; t++) {
        size_t beside = 0; /* bytes that do not depend on B */
        for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
            const trib_hacoo *x = tensors[t];
            GIVEN(trib_tensor) tensor = {0};
            trib_hicoo_report report;
            const uint32_t side = cuts[c].block ? cuts[c].block : 256;
            compare_cut("hicoo", cuts[c], x, 16);
            EXPECT_OK(trib_tensor_build_cut(&tensor, hicoo, cuts[c], x, NULL, 1, &error));
            EXPECT_OK(trib_hicoo_report_of(&tensor, 1, &report, &error));
            const size_t n_blocks = slow_blocks(x, side);
            EXPECT(UINT32_C(1) << report.block_bits == side && report.n_blocks == n_blocks);
            if (cuts[c].superblock)
                EXPECT(UINT32_C(1) << report.superblock_bits == cuts[c].superblock);
            if (cuts[c].superblock == cuts[c].block && side < 256) {
                /* superblocks are blocks then, unless one has too much of the work */
                EXPECT(report.n_superblocks >= n_blocks);
            }
            EXPECT(trib_tensor_bytes(&tensor) >
                   n_blocks * (4 + 4 * x->n_modes) + x->nnz * (8 + x->n_modes));
            trib_tensor_release(&tensor);
            /* With one superblock the rest is the same, whatever B. */
            trib_tensor_cut whole = {side, 1 << 30};
            EXPECT_OK(trib_tensor_build_cut(&tensor, hicoo, whole, x, NULL, 1, &error));
            const size_t rest = trib_tensor_bytes(&tensor) - n_blocks * (4 + 4 * x->n_modes);
            EXPECT(beside == 0 || rest == beside);
            beside = rest;
        }
    }
    trib_hacoo_release(&wide);
    trib_hacoo_release(&deep);
}

TEST(impossible_cuts_are_refused) {
    static const trib_tensor_cut cuts[] = {{3, 0}, {512, 0}, {0, 1000}, {0, 128}, {64, 32}};
    trib_hacoo x = drawn_tensor(2, (uint32_t[]){30, 40}, 50, 1);
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        trib_tensor tensor;
        EXPECT(trib_tensor_build_cut(&tensor, trib_format_find("hicoo"), cuts[c], &x, NULL, 1,
                                     &error) == TRIB_INPUT);
        EXPECT(tensor.data == NULL && strstr(error.message, "block is ") != NULL);
    }
    trib_hacoo_release(&x);
}
