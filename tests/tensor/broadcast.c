/* broadcast.c - tensor/broadcast.c and algebra_where.c against arrays of all cells: shapes that are
 * stretched, pairs of values, masks, indices of nonzeros, places along a mode. */
#include "tests/tensor/dense.h"

TESTS(tensor, broadcast);

typedef struct shape {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
} shape;

/* Two shapes and the common one. */
static const struct {
    shape x, y, both;
} pairs[] = {
    {{2, {3, 4}}, {2, {3, 4}}, {2, {3, 4}}},
    {{2, {3, 4}}, {2, {1, 4}}, {2, {3, 4}}},
    {{2, {3, 1}}, {2, {1, 4}}, {2, {3, 4}}},
    {{2, {3, 4}}, {1, {4}}, {2, {3, 4}}},
    {{1, {1}}, {3, {2, 3, 4}}, {3, {2, 3, 4}}},
    {{3, {5, 1, 4}}, {2, {3, 1}}, {3, {5, 3, 4}}},
    {{4, {2, 1, 3, 1}}, {3, {4, 1, 5}}, {4, {2, 4, 3, 5}}},
    {{2, {1, 1}}, {2, {1, 1}}, {2, {1, 1}}},
};
enum { N_PAIRS = sizeof pairs / sizeof *pairs };

static dense x, y, wanted;
static trib_error error;

/* The cell of an operand under an index of the common shape. */
static double under(const dense *of, const shape *both, const uint32_t index[]) {
    uint32_t at[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < of->n_modes; m++) {
        const uint32_t i = index[both->n_modes - of->n_modes + m];
        at[m] = of->dim[m] == 1 ? 0 : i;
    }
    return of->cell[dense_cell(of, at)];
}

static double by_name(const char *name, double a, double b) {
    if (strcmp(name, "add") == 0) return a + b;
    if (strcmp(name, "subtract") == 0) return a - b;
    if (strcmp(name, "times") == 0) return a * b;
    if (strcmp(name, "max") == 0) return fmax(a, b);
    if (strcmp(name, "min") == 0) return fmin(a, b);
    if (strcmp(name, "greater") == 0) return a - b > 0 ? 1 : 0;
    if (strcmp(name, "less") == 0) return b - a > 0 ? 1 : 0;
    if (strcmp(name, "differs") == 0) return a - b != 0 ? 1 : 0;
    if (strcmp(name, "and") == 0) return a * b != 0 ? 1 : 0;
    if (strcmp(name, "or") == 0) return fabs(a) + fabs(b) > 0 ? 1 : 0;
    if (strcmp(name, "xor") == 0) return (a == 0) + (b == 0) == 1 ? 1 : 0;
    if (strcmp(name, "inside") == 0) return b == 0 ? 0 : a;
    if (strcmp(name, "outside") == 0) return b == 0 ? a : 0;
    return NAN; /* a pairing without a formula */
}

static void open_operands(size_t p, uint64_t seed, trib_hacoo *counts, trib_sparse *reals) {
    dense_shape(&x, pairs[p].x.n_modes, pairs[p].x.dim);
    dense_shape(&y, pairs[p].y.n_modes, pairs[p].y.dim);
    dense_random(&x, seed, false);
    dense_random(&y, seed + 99, true);
    dense_counts(counts, &x);
    dense_reals(reals, &y);
    dense_shape(&wanted, pairs[p].both.n_modes, pairs[p].both.dim);
}

TEST(pairs_of_any_shapes_are_those_of_the_cells) {
    for (size_t p = 0; p < N_PAIRS; p++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            GIVEN(trib_hacoo) counts = {0};
            GIVEN(trib_sparse) reals = {0}, z = {0};
            uint32_t index[TRIB_MAX_MODES];
            open_operands(p, seed, &counts, &reals);
            const trib_view at_x = trib_view_counts(&counts), at_y = trib_view_reals(&reals);
            for (const trib_pairing *by = trib_pairings; by->name; by++)
                for (int swapped = 0; swapped < 2; swapped++) {
                    EXPECT(by->of(0, 0) == 0 && trib_pairing_find(by->name) == by);
                    EXPECT_OK(trib_sparse_pair(&z, swapped ? &at_y : &at_x, swapped ? &at_x : &at_y,
                                               by, &error));
                    for (size_t c = 0; c < wanted.n; c++) {
                        dense_index(&wanted, c, index);
                        const double a = under(&x, &pairs[p].both, index);
                        const double b = under(&y, &pairs[p].both, index);
                        wanted.cell[c] =
                            swapped ? by_name(by->name, b, a) : by_name(by->name, a, b);
                    }
                    expect_sparse(&z, &wanted, 0);
                    trib_sparse_release(&z);
                }
            EXPECT_OK(trib_sparse_plus(&z, 2, &at_x, -.5, &at_y, &error));
            for (size_t c = 0; c < wanted.n; c++) {
                dense_index(&wanted, c, index);
                wanted.cell[c] =
                    2 * under(&x, &pairs[p].both, index) - .5 * under(&y, &pairs[p].both, index);
            }
            expect_sparse(&z, &wanted, 1e-15);
        }
}

/* The rows of [[1 0 2 0] [0 0 0 3] [4 0 0 0]] where [10 20 0 0] is not 0. */
TEST(a_mask_of_one_row_fills_every_row) {
    static const double rows[] = {1, 0, 2, 0, 0, 0, 0, 3, 4, 0, 0, 0}, row[] = {10, 20, 0, 0};
    for (uint32_t n_modes = 1; n_modes <= 2; n_modes++) { /* 4 and 1 x 4 */
        GIVEN(trib_sparse) a = {0}, b = {0};
        dense_shape(&x, 2, (uint32_t[]){3, 4});
        dense_shape(&y, n_modes, n_modes == 1 ? (uint32_t[]){4} : (uint32_t[]){1, 4});
        memcpy(x.cell, rows, sizeof rows);
        memcpy(y.cell, row, sizeof row);
        dense_reals(&a, &x);
        dense_reals(&b, &y);
        const trib_view at_a = trib_view_reals(&a), at_b = trib_view_reals(&b);
        EXPECT_OK(trib_view_fill(&at_a, &at_b, 7, &error));
        for (size_t c = 0; c < x.n; c++) x.cell[c] = c % 4 < 2 ? 7 : x.cell[c];
        expect_dense(&at_a, &x, 0);
        EXPECT_REFUSED(trib_view_fill(&at_b, &at_a, 7, &error), TRIB_INPUT,
                       n_modes == 1 ? "a tensor of size 3 x 4 cannot be broadcast to 4"
                                    : "a tensor of size 3 x 4 cannot be broadcast to 1 x 4");
    }
}

TEST(shapes_that_do_not_agree_are_named) {
    static const shape wrong[][2] = {
        {{2, {3, 4}}, {2, {4, 3}}}, {{1, {3}}, {2, {3, 4}}}, {{3, {2, 3, 4}}, {3, {2, 2, 4}}}};
    static const char *const words[] = {"3 x 4 and 4 x 3", "3 and 3 x 4",
                                        "2 x 3 x 4 and 2 x 2 x 4"};
    for (size_t i = 0; i < 3; i++) {
        trib_sparse z;
        GIVEN(trib_hacoo) a = empty_tensor(wrong[i][0].n_modes, wrong[i][0].dim);
        GIVEN(trib_hacoo) b = empty_tensor(wrong[i][1].n_modes, wrong[i][1].dim);
        const trib_view at_a = trib_view_counts(&a), at_b = trib_view_counts(&b);
        EXPECT(trib_sparse_pair(&z, &at_a, &at_b, trib_pairing_find("max"), &error) == TRIB_INPUT);
        EXPECT(strstr(error.message, words[i]) != NULL);
        EXPECT(z.place.entry == NULL && z.value == NULL);
    }
}

/* Two nonzeros in 1 x 3, stretched along 3 * 10^9 rows. */
TEST(what_no_table_holds_is_refused) {
    GIVEN(trib_sparse) z = {0};
    GIVEN(trib_hacoo) a = empty_tensor(2, (uint32_t[]){1, 3});
    GIVEN(trib_hacoo) b = empty_tensor(2, (uint32_t[]){3000000000, 3});
    for (uint32_t i = 0; i < 2; i++)
        CHECK(trib_hacoo_add(&a, (uint32_t[]){0, i}, 5, NULL) == TRIB_OK);
    CHECK(trib_hacoo_add(&b, (uint32_t[]){2999999999, 1}, 7, NULL) == TRIB_OK);
    const trib_view at_a = trib_view_counts(&a), at_b = trib_view_counts(&b);
    EXPECT_REFUSED(trib_sparse_plus(&z, 1, &at_b, 1, &at_a, &error), TRIB_INPUT,
                   "1 x 3 broadcast to 3000000000 x 3 has more than 4294967295 nonzeros");
    EXPECT_OK(trib_sparse_times(&z, &at_a, &at_b, &error));
    EXPECT(z.place.nnz == 1 && z.value[0] == 35); /* walks through the other operand */
}

/* Cell by cell: the first index along the mode with the largest value times sign, from 1; 0 of a
 * fiber of zeros. */
static void slow_places(const dense *of, uint32_t mode, double sign, dense *places) {
    uint32_t dim[TRIB_MAX_MODES] = {0}, index[TRIB_MAX_MODES], kept[TRIB_MAX_MODES];
    for (uint32_t m = 0; m + 1 < of->n_modes; m++) dim[m] = of->dim[m < mode ? m : m + 1];
    dense_shape(places, of->n_modes - 1, dim);
    for (size_t c = 0; c < places->n; c++) {
        bool any = false;
        double best = 0;
        dense_index(places, c, kept);
        for (uint32_t m = 0, k = 0; m < of->n_modes; m++) index[m] = m == mode ? 0 : kept[k++];
        for (uint32_t i = of->dim[mode]; i-- > 0;) {
            index[mode] = i;
            const double value = sign * of->cell[dense_cell(of, index)];
            any = any || value != 0;
            if (i + 1 < of->dim[mode] && value < best) continue;
            best = value;
            places->cell[c] = i + 1;
        }
        if (!any) places->cell[c] = 0;
    }
}

TEST(places_along_a_mode_are_those_of_the_cells) {
    static const shape shapes[] = {{2, {7, 5}}, {3, {4, 6, 5}}, {4, {5, 3, 4, 3}}, {2, {1, 3}}};
    for (size_t s = 0; s < 4; s++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            trib_sparse reals, z;
            dense_shape(&y, shapes[s].n_modes, shapes[s].dim);
            dense_random(&y, seed, true);
            if (seed % 2) /* fibers of negative values and few zeros */
                for (size_t c = 0; c < y.n; c++)
                    y.cell[c] = c % 7 == seed ? 0 : -1 - (double)(c % 3);
            dense_reals(&reals, &y);
            const trib_view view = trib_view_reals(&reals);
            for (uint32_t mode = 0; mode < y.n_modes; mode++) {
                EXPECT_OK(trib_sparse_argmax(&z, &view, mode, &error));
                slow_places(&y, mode, 1, &wanted);
                expect_sparse(&z, &wanted, 0);
                trib_sparse_release(&z);
                EXPECT_OK(trib_sparse_argmin(&z, &view, mode, &error));
                slow_places(&y, mode, -1, &wanted);
                expect_sparse(&z, &wanted, 0);
                trib_sparse_release(&z);
                double sum[8] = {0};
                uint32_t index[TRIB_MAX_MODES], best = 0, found = UINT32_MAX;
                for (size_t c = 0; c < y.n; c++) {
                    dense_index(&y, c, index);
                    sum[index[mode]] += y.cell[c];
                }
                for (uint32_t i = 0; i < y.dim[mode]; i++)
                    if (sum[i] > sum[best] + 1e-9) best = i;
                EXPECT_OK(trib_view_argsum(&view, mode, &found, &error));
                EXPECT(found < y.dim[mode] && fabs(sum[found] - sum[best]) < 1e-9);
            }
            trib_sparse_release(&reals);
        }
    trib_sparse z;
    GIVEN(trib_hacoo) list = empty_tensor(1, (uint32_t[]){3});
    const trib_view view = trib_view_counts(&list);
    EXPECT(trib_sparse_argmax(&z, &view, 0, &error) == TRIB_INPUT); /* no mode is left */
}

static bool is_large(double value, void *context) { return fabs(value) >= *(double *)context; }

TEST(masks_and_indices_are_those_of_the_cells) {
    double limit = 2;
    GIVEN(trib_region) found = {0};
    for (size_t p = 0; p < N_PAIRS; p++) {
        GIVEN(trib_hacoo) counts = {0};
        GIVEN(trib_sparse) reals = {0}, mask = {0};
        uint32_t index[TRIB_MAX_MODES];
        open_operands(p, 7 + p, &counts, &reals);
        const trib_view view = trib_view_reals(&reals);
        EXPECT_OK(trib_sparse_mask(&mask, &view, is_large, &limit, &error));
        dense_shape(&wanted, y.n_modes, y.dim);
        for (size_t c = 0; c < y.n; c++) wanted.cell[c] = fabs(y.cell[c]) >= 2;
        expect_sparse(&mask, &wanted, 0);
        EXPECT_OK(trib_view_find(&view, &found, &error));
        size_t n = 0;
        for (size_t c = 0; c < y.n; c++) { /* row-major is lexicographic */
            if (y.cell[c] == 0) continue;
            dense_index(&y, c, index);
            EXPECT(n < found.n && found.value[n] == y.cell[c]);
            EXPECT(n < found.n &&
                   memcmp(found.index + n * y.n_modes, index, y.n_modes * sizeof *index) == 0);
            n++;
        }
        EXPECT(n == found.n);
    }
}
