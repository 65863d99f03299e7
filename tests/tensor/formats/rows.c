/* rows.c - the format rows: what it stores and in which order, for tables of many shapes, and its
 * MTTKRP against that of the unsorted entries. */
#include "tensor/entry.h"
#include "tensor/formats/formats.h"
#include "tests/tensor/drawn.h"

TESTS(formats, rows);

/* Dense modes, modes with many more indices than nonzeros, and keys beyond 64 bits. */
static const struct shape {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t n;
    double skew;
} shapes[] = {
    {1, {40}, 90, 1},
    {2, {1000, 30}, 0, 0},
    {2, {1000, 30}, 1, 0},
    {2, {70000, 30}, 3000, 1},
    {3, {50, 60, 70}, 9000, 1},
    {3, {70000, 65536, 12}, 2000, 0},
    {3, {90000, 90000, 90000}, 40000, 1},
    {4, {183, 24, 1140, 1717}, 40000, 0},
    {5, {9, 8, 200000, 6, 5}, 4000, 0},
    {6, {4, 4, 4, 4, 4, 4}, 6000, 0},
    {7, {40000, 40000, 40000, 40000, 40000, 40000, 40000}, 1000, 1}, /* 112 bits */
    {8, {300, 300, 300, 300, 300, 300, 300, 300}, 2000, 1},          /* 72 bits */
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

typedef struct sample {
    trib_hacoo x;
    double *given, *values; /* [nnz] the values, or NULL for the counts */
} sample;

static sample draw(const struct shape *shape, bool counts) {
    sample s = {.x = drawn_tensor(shape->n_modes, shape->dim, shape->n, shape->skew)};
    s.given = malloc((s.x.nnz + 1) * sizeof *s.given);
    CHECK(s.given != NULL);
    for (size_t e = 0; e < s.x.nnz; e++) s.given[e] = e % 3 ? 1 : .5 + (double)e;
    s.values = counts ? NULL : s.given;
    return s;
}

static void sample_release(sample *s) {
    trib_hacoo_release(&s->x);
    free(s->given);
}

static trib_key code_of(const trib_hacoo *x, const uint32_t index[]) {
    trib_key key = 0;
    EXPECT(trib_key_pack(x, index, &key, true));
    return trib_key_morton(x, key);
}

/* Every entry is read once, by rows of mode 0, ones before other values, along the curve. */
static void check_order(const trib_tensor *t, const sample *s) {
    const uint32_t n_modes = s->x.n_modes;
    uint32_t *index = malloc((s->x.nnz + 1) * n_modes * sizeof *index);
    double *value = malloc((s->x.nnz + 1) * sizeof *value);
    CHECK(index != NULL && value != NULL);
    trib_tensor_read(t, 0, s->x.nnz, index, value);
    size_t n_right = 0, n_ordered = 0;
    for (size_t i = 0; i < s->x.nnz; i++) {
        const uint32_t *at = index + i * n_modes, *next = at + n_modes;
        const size_t e = trib_hacoo_find(&s->x, at);
        n_right += e != TRIB_NO_ENTRY &&
                   value[i] == (s->values ? s->values[e] : trib_hacoo_count(&s->x, e));
        if (i + 1 == s->x.nnz) break;
        if (at[0] != next[0]) n_ordered += at[0] < next[0];
        else if ((value[i] == 1) != (value[i + 1] == 1)) n_ordered += value[i] == 1;
        else n_ordered += code_of(&s->x, at) < code_of(&s->x, next);
    }
    EXPECT(n_right == s->x.nnz);
    EXPECT(n_ordered + 1 == s->x.nnz || s->x.nnz == 0);
    uint32_t one[TRIB_MAX_MODES];
    for (size_t i = 0; i < s->x.nnz; i += 1 + s->x.nnz / 50) {
        double there = 0;
        trib_tensor_read(t, i, 1, one, &there);
        EXPECT(memcmp(one, index + i * n_modes, n_modes * sizeof *one) == 0 && there == value[i]);
    }
    free(index);
    free(value);
}

TEST(nonzeros_are_by_rows_ones_first_along_the_curve) {
    trib_error error = {0};
    for (size_t k = 0; k < N_SHAPES; k++)
        for (int way = 0; way < 4; way++) {
            sample s = draw(&shapes[k], way & 1);
            GIVEN(trib_tensor) t = {0};
            EXPECT_OK(trib_tensor_build(&t, trib_format_find("rows"), &s.x, s.values,
                                        way & 2 ? 3 : 1, &error));
            check_order(&t, &s);
            sample_release(&s);
        }
}

/* Compares the MTTKRP of both tensors for one mode. */
static void compare_products(const trib_tensor *a, const trib_tensor *b, uint32_t mode,
                             const double *const factor[]) {
    enum { RANK = 5 };
    const size_t n = (size_t)a->dim[mode] * RANK;
    double *out = calloc(2 * n, sizeof *out);
    CHECK(out != NULL);
    size_t n_near = 0;
    trib_mttkrp(a, mode, RANK, factor, out, 1);
    trib_mttkrp(b, mode, RANK, factor, out + n, 1);
    for (size_t i = 0; i < n; i++)
        n_near += fabs(out[i] - out[n + i]) <= 1e-9 * (1 + fabs(out[n + i]));
    EXPECT(n_near == n);
    free(out);
}

TEST(products_are_those_of_the_unsorted_entries) {
    enum { RANK = 5 };
    trib_error error = {0};
    for (size_t k = 0; k < N_SHAPES; k++) {
        sample s = draw(&shapes[k], k % 2);
        GIVEN(trib_tensor) a = {0}, b = {0};
        EXPECT_OK(trib_tensor_build(&a, trib_format_find("rows"), &s.x, s.values, 1, &error));
        EXPECT_OK(
            trib_tensor_build(&b, trib_format_find("coo-unsorted"), &s.x, s.values, 1, &error));
        double *factor[TRIB_MAX_MODES];
        trib_random random;
        trib_random_seed(&random, k);
        for (uint32_t m = 0; m < s.x.n_modes; m++) {
            factor[m] = malloc((size_t)s.x.dim[m] * RANK * sizeof(double));
            CHECK(factor[m] != NULL);
            for (size_t i = 0; i < (size_t)s.x.dim[m] * RANK; i++)
                factor[m][i] = trib_random_unit(&random);
        }
        for (uint32_t m = 0; m < s.x.n_modes; m++)
            compare_products(&a, &b, m, (const double *const *)factor);
        for (uint32_t m = 0; m < s.x.n_modes; m++) free(factor[m]);
        sample_release(&s);
    }
}
