/* algebra.c - tensor/sparse.c, copy.c, algebra.c and algebra_modes.c against arrays of all cells,
 * for 1 to 4 modes. */
#include "tests/tensor/dense.h"

TESTS(tensor, algebra);

static const uint32_t dims[5][4] = {{11}, {7, 5}, {4, 6, 5}, {5, 3, 4, 3}, {1, 1, 2, 1}};
enum { N_SHAPES = 5 };

/* Two tensors of one size: x counts, y has signs. */
typedef struct pair {
    dense x, y;
    trib_hacoo counts;
    trib_sparse reals;
    trib_view at_x, at_y;
} pair;

static void open_pair(pair *p, size_t shape, uint64_t seed) {
    const uint32_t n_modes = shape == 4 ? 4 : (uint32_t)shape + 1;
    dense_shape(&p->x, n_modes, dims[shape]);
    dense_shape(&p->y, n_modes, dims[shape]);
    dense_random(&p->x, seed, false);
    dense_random(&p->y, seed + 99, true);
    dense_counts(&p->counts, &p->x);
    dense_reals(&p->reals, &p->y);
    p->at_x = trib_view_counts(&p->counts);
    p->at_y = trib_view_reals(&p->reals);
}

static void close_pair(pair *p) {
    trib_hacoo_release(&p->counts);
    trib_sparse_release(&p->reals);
}

static pair p;
static dense wanted;
static trib_error error;

static double square(double value, void *context) {
    *(int *)context += 1;
    return value * value - 1; /* 1 and -1 become 0 */
}

TEST(sums_products_and_maps_are_those_of_the_cells) {
    for (size_t s = 0; s < N_SHAPES; s++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            GIVEN(trib_sparse) z = {0};
            int n_calls = 0;
            open_pair(&p, s, seed);
            dense_shape(&wanted, p.x.n_modes, p.x.dim);
            EXPECT_OK(trib_sparse_plus(&z, 1, &p.at_x, -1, &p.at_y, &error));
            for (size_t c = 0; c < wanted.n; c++) wanted.cell[c] = p.x.cell[c] - p.y.cell[c];
            expect_sparse(&z, &wanted, 0);
            trib_sparse_release(&z);
            EXPECT_OK(trib_sparse_plus(&z, 2.5, &p.at_x, 1, &p.at_x, &error));
            for (size_t c = 0; c < wanted.n; c++) wanted.cell[c] = 3.5 * p.x.cell[c];
            expect_sparse(&z, &wanted, 1e-12);
            trib_sparse_release(&z);
            EXPECT_OK(trib_sparse_scale(&z, -.5, &p.at_y, &error));
            for (size_t c = 0; c < wanted.n; c++) wanted.cell[c] = -.5 * p.y.cell[c];
            expect_sparse(&z, &wanted, 0);
            trib_sparse_release(&z);
            EXPECT_OK(trib_sparse_scale(&z, 0, &p.at_y, &error));
            EXPECT(z.place.nnz == 0);
            trib_sparse_release(&z);
            EXPECT_OK(trib_sparse_times(&z, &p.at_x, &p.at_y, &error));
            for (size_t c = 0; c < wanted.n; c++) wanted.cell[c] = p.x.cell[c] * p.y.cell[c];
            expect_sparse(&z, &wanted, 0);
            trib_sparse_release(&z);
            EXPECT_OK(trib_sparse_map(&z, &p.at_y, square, &n_calls, &error));
            for (size_t c = 0; c < wanted.n; c++)
                wanted.cell[c] = p.y.cell[c] == 0 ? 0 : p.y.cell[c] * p.y.cell[c] - 1;
            expect_sparse(&z, &wanted, 0);
            EXPECT((size_t)n_calls == p.reals.place.nnz);
            close_pair(&p);
        }
}

TEST(norm_inner_product_sum_and_maximum) {
    for (size_t s = 0; s < N_SHAPES; s++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            double inner, norm2 = 0, xy = 0, sum = 0, most = -1, least = 1;
            size_t first = 0;
            uint32_t index[TRIB_MAX_MODES];
            open_pair(&p, s, seed);
            for (size_t c = 0; c < p.x.n; c++) {
                norm2 += p.y.cell[c] * p.y.cell[c];
                xy += p.x.cell[c] * p.y.cell[c];
                sum += p.y.cell[c];
                if (c == 0 || p.y.cell[c] > most) {
                    most = p.y.cell[c];
                    first = c;
                }
                if (c == 0 || p.y.cell[c] < least) least = p.y.cell[c];
            }
            EXPECT_NEAR(trib_view_norm(&p.at_y), sqrt(norm2), 1e-12);
            EXPECT_OK(trib_view_inner(&inner, &p.at_y, &p.at_y, &error));
            EXPECT_NEAR(inner, norm2, 0); /* norm^2 = <y, y> */
            EXPECT_OK(trib_view_inner(&inner, &p.at_x, &p.at_y, &error));
            EXPECT_NEAR(inner, xy, 0);
            EXPECT_NEAR(trib_view_sum(&p.at_y), sum, 0);
            EXPECT_NEAR(trib_view_sum(&p.at_x), (double)p.counts.total, 0);
            EXPECT_NEAR(trib_view_max(&p.at_y, index), most, 0);
            EXPECT(dense_cell(&p.y, index) == first);
            EXPECT_NEAR(trib_view_reduce(&p.at_y, trib_reduction_find("max")), most, 0);
            EXPECT_NEAR(trib_view_reduce(&p.at_y, trib_reduction_find("min")), least, 0);
            EXPECT_NEAR(trib_view_reduce(&p.at_y, trib_reduction_find("count")),
                        (double)p.reals.place.nnz, 0);
            close_pair(&p);
        }
}

/* Worked by hand: 2 x 2, all cells negative; then one taken out. */
TEST(a_zero_is_larger_than_a_negative_value) {
    GIVEN(trib_sparse) x = {0};
    uint32_t index[2];
    static const double value[] = {-4, -1, -3, -1};
    EXPECT_OK(trib_sparse_init(&x, 2, (uint32_t[]){2, 2}, 4, &error));
    for (uint32_t c = 4; c-- > 0;)
        EXPECT_OK(trib_sparse_raise(&x, (uint32_t[]){c / 2, c % 2}, value[c], &error));
    const trib_view view = trib_view_reals(&x);
    EXPECT(trib_view_max(&view, index) == -1 && index[0] == 0 && index[1] == 1);
    EXPECT(trib_view_reduce(&view, trib_reduction_find("max")) == -1);
    EXPECT_OK(trib_view_set(&view, (uint32_t[]){1, 0}, 0, &error));
    EXPECT(trib_view_max(&view, index) == 0 && index[0] == 1 && index[1] == 0);
    EXPECT(trib_view_reduce(&view, trib_reduction_find("max")) == 0);
    trib_sparse_release(&x);
    EXPECT_OK(trib_sparse_init(&x, 2, (uint32_t[]){2, 2}, 0, &error));
    const trib_view empty = trib_view_reals(&x);
    EXPECT(trib_view_max(&empty, index) == 0 && index[0] == 0 && index[1] == 0);
    EXPECT(trib_view_sum(&empty) == 0 && trib_view_norm(&empty) == 0);
}

/* The cells of x whose other modes are those of `index`, reduced. */
static double reduced(const dense *x, uint32_t modes, const char *by, const uint32_t index[]) {
    double result = 0;
    size_t n = 0;
    for (size_t c = 0; c < x->n; c++) {
        uint32_t at[TRIB_MAX_MODES], k = 0;
        bool here = true;
        dense_index(x, c, at);
        for (uint32_t m = 0; m < x->n_modes; m++)
            if (!(modes >> m & 1)) here = here && at[m] == index[k++];
        if (!here) continue;
        const double v = x->cell[c];
        if (*by == 's') result += v;
        else if (*by == 'c') result += v != 0;
        else if (strcmp(by, "max") == 0) result = n == 0 || v > result ? v : result;
        else result = n == 0 || v < result ? v : result;
        n++;
    }
    return result;
}

TEST(reductions_along_modes_are_those_of_the_cells) {
    for (size_t s = 1; s < N_SHAPES; s++)
        for (size_t r = 0; trib_reductions[r].name; r++) {
            open_pair(&p, s, r);
            for (size_t c = 0; c < p.y.n / 2; c++) { /* full fibers, some all negative */
                uint32_t index[TRIB_MAX_MODES];
                dense_index(&p.y, c, index);
                p.y.cell[c] = -1 - (double)(c % 5);
                EXPECT_OK(trib_view_set(&p.at_y, index, p.y.cell[c], &error));
            }
            for (uint32_t modes = 0; modes + 1 < 1u << p.y.n_modes; modes++) {
                uint32_t kept[TRIB_MAX_MODES], n = 0;
                GIVEN(trib_sparse) z = {0};
                for (uint32_t m = 0; m < p.y.n_modes; m++)
                    if (!(modes >> m & 1)) kept[n++] = p.y.dim[m];
                dense_shape(&wanted, n, kept);
                for (size_t c = 0; c < wanted.n; c++) {
                    dense_index(&wanted, c, kept);
                    wanted.cell[c] = reduced(&p.y, modes, trib_reductions[r].name, kept);
                }
                EXPECT_OK(trib_sparse_collapse(&z, &p.at_y, modes, &trib_reductions[r], &error));
                expect_sparse(&z, &wanted, 0);
            }
            close_pair(&p);
        }
    EXPECT(!trib_reduction_find("median"));
}

static void random_matrix(double *matrix, size_t n, uint64_t seed) {
    trib_random random;
    trib_random_seed(&random, seed);
    for (size_t i = 0; i < n; i++) matrix[i] = trib_random_unit(&random) - .5;
}

/* out[..] = sum over the multiplied modes, from the formula. */
static void multiply(dense *out, const dense *x, const double *const vector[]) {
    uint32_t kept[TRIB_MAX_MODES], n = 0;
    for (uint32_t m = 0; m < x->n_modes; m++)
        if (!vector[m]) kept[n++] = x->dim[m];
    dense_shape(out, n, kept);
    for (size_t c = 0; c < x->n; c++) {
        uint32_t at[TRIB_MAX_MODES], k = 0;
        double term = x->cell[c];
        dense_index(x, c, at);
        for (uint32_t m = 0; m < x->n_modes; m++)
            if (vector[m]) term *= vector[m][at[m]];
            else kept[k++] = at[m];
        out->cell[dense_cell(out, kept)] += term;
    }
}

TEST(products_with_vectors_are_those_of_the_formula) {
    static double vectors[4][16], ones[16], out[DENSE_CELLS];
    random_matrix(vectors[0], 64, 3);
    for (size_t i = 0; i < 16; i++) ones[i] = 1;
    for (size_t s = 0; s < N_SHAPES; s++) {
        open_pair(&p, s, s);
        for (uint32_t modes = 0; modes < 1u << p.y.n_modes; modes++) {
            const double *vector[TRIB_MAX_MODES] = {0}, *one[TRIB_MAX_MODES] = {0};
            GIVEN(trib_sparse) z = {0}, sums = {0};
            for (uint32_t m = 0; m < p.y.n_modes; m++) {
                vector[m] = modes >> m & 1 ? vectors[m] : NULL;
                one[m] = modes >> m & 1 ? ones : NULL;
            }
            multiply(&wanted, &p.y, vector);
            trib_dense_ttv(out, &p.at_y, vector);
            for (size_t c = 0; c < wanted.n; c++) EXPECT_NEAR(out[c], wanted.cell[c], 1e-13);
            if (wanted.n_modes == 0) { /* no mode is left: one number, and no tensor */
                EXPECT_STATUS(trib_sparse_ttv(&z, &p.at_y, vector, &error), TRIB_INPUT, error);
                trib_dense_ttv(out, &p.at_y, one);
                EXPECT_NEAR(out[0], trib_view_sum(&p.at_y), 1e-12);
                continue;
            }
            EXPECT_OK(trib_sparse_ttv(&z, &p.at_y, vector, &error));
            expect_sparse(&z, &wanted, 1e-13);
            trib_sparse_release(&z);
            /* with ones: the sum along the modes */
            EXPECT_OK(trib_sparse_ttv(&z, &p.at_y, one, &error));
            EXPECT_OK(
                trib_sparse_collapse(&sums, &p.at_y, modes, trib_reduction_find("sum"), &error));
            const trib_view a = trib_view_reals(&z), b = trib_view_reals(&sums);
            EXPECT(trib_view_equal(&a, &b));
        }
        close_pair(&p);
    }
}

TEST(products_with_matrices_are_those_of_the_formula) {
    static double matrix[3 * 16], out[DENSE_CELLS];
    random_matrix(matrix, 48, 4);
    for (size_t s = 0; s < N_SHAPES; s++) {
        open_pair(&p, s, s);
        for (uint32_t mode = 0; mode < p.y.n_modes; mode++)
            for (uint32_t n_rows = 1; n_rows <= 3; n_rows += 2) {
                uint32_t dim[TRIB_MAX_MODES], at[TRIB_MAX_MODES];
                GIVEN(trib_sparse) z = {0};
                memcpy(dim, p.y.dim, sizeof dim);
                dim[mode] = n_rows;
                dense_shape(&wanted, p.y.n_modes, dim);
                for (size_t c = 0; c < p.y.n; c++)
                    for (uint32_t i = 0; i < n_rows; i++) {
                        dense_index(&p.y, c, at);
                        const double weight = matrix[i * p.y.dim[mode] + at[mode]];
                        at[mode] = i;
                        wanted.cell[dense_cell(&wanted, at)] += p.y.cell[c] * weight;
                    }
                EXPECT_OK(trib_sparse_ttm(&z, &p.at_y, mode, n_rows, matrix, &error));
                expect_sparse(&z, &wanted, 1e-13);
                trib_dense_ttm(out, &p.at_y, mode, n_rows, matrix);
                for (size_t c = 0; c < wanted.n; c++) EXPECT_NEAR(out[c], wanted.cell[c], 1e-13);
                if (n_rows == 1 && p.y.n_modes > 1) { /* one row: ttv, with a mode of length 1 */
                    const double *vector[TRIB_MAX_MODES] = {0};
                    GIVEN(trib_sparse) v = {0};
                    trib_view a = trib_view_reals(&z);
                    vector[mode] = matrix;
                    EXPECT_OK(trib_sparse_ttv(&v, &p.at_y, vector, &error));
                    EXPECT_OK(trib_view_slice(&a, &a, mode, 0, &error));
                    const trib_view b = trib_view_reals(&v);
                    EXPECT(trib_view_equal(&a, &b));
                }
            }
        close_pair(&p);
    }
}

TEST(permuting_twice_gives_the_tensor_back) {
    static const uint32_t order[5][4] = {{0}, {1, 0}, {2, 0, 1}, {3, 1, 0, 2}, {0, 2, 3, 1}};
    for (size_t s = 0; s < N_SHAPES; s++) {
        uint32_t back[4], dim[4], at[4], to[4];
        GIVEN(trib_sparse) z = {0}, again = {0};
        open_pair(&p, s, s);
        for (uint32_t m = 0; m < p.y.n_modes; m++) {
            back[order[s][m]] = m;
            dim[m] = p.y.dim[order[s][m]];
        }
        EXPECT_OK(trib_sparse_permute(&z, &p.at_y, order[s], &error));
        dense_shape(&wanted, p.y.n_modes, dim);
        for (size_t c = 0; c < p.y.n; c++) {
            dense_index(&p.y, c, at);
            for (uint32_t m = 0; m < p.y.n_modes; m++) to[m] = at[order[s][m]];
            wanted.cell[dense_cell(&wanted, to)] = p.y.cell[c];
        }
        expect_sparse(&z, &wanted, 0);
        const trib_view turned = trib_view_reals(&z);
        EXPECT_OK(trib_sparse_permute(&again, &turned, back, &error));
        const trib_view there = trib_view_reals(&again);
        EXPECT(trib_view_equal(&there, &p.at_y));
        close_pair(&p);
    }
    trib_sparse z;
    open_pair(&p, 1, 0);
    EXPECT_REFUSED(trib_sparse_permute(&z, &p.at_x, (uint32_t[]){1, 1}, &error), TRIB_INPUT,
                   "an order of modes must name each of the 2 modes once");
    EXPECT_STATUS(trib_sparse_permute(&z, &p.at_x, (uint32_t[]){0, 2}, &error), TRIB_INPUT, error);
    close_pair(&p);
}

/* In the columns of an unfolded tensor the first of the other modes is fastest. */
TEST(unfolding_and_outer_products_are_those_of_the_cells) {
    static pair other;
    for (size_t s = 0; s < N_SHAPES; s++) {
        uint32_t at[8], column;
        open_pair(&p, s, s);
        for (uint32_t mode = 0; mode < p.y.n_modes; mode++) {
            GIVEN(trib_sparse) z = {0};
            EXPECT_OK(trib_sparse_unfold(&z, &p.at_y, mode, &error));
            dense_shape(&wanted, 2, (uint32_t[]){p.y.dim[mode], (uint32_t)(p.y.n / p.y.dim[mode])});
            for (size_t c = 0; c < p.y.n; c++) {
                uint32_t step = 1;
                dense_index(&p.y, c, at);
                column = 0;
                for (uint32_t m = 0; m < p.y.n_modes; m++) {
                    if (m == mode) continue;
                    column += step * at[m];
                    step *= p.y.dim[m];
                }
                wanted.cell[dense_cell(&wanted, (uint32_t[]){at[mode], column})] = p.y.cell[c];
            }
            expect_sparse(&z, &wanted, 0);
        }
        open_pair(&other, s > 1, 5);
        GIVEN(trib_sparse) z = {0};
        EXPECT_OK(trib_sparse_outer(&z, &p.at_x, &other.at_y, &error));
        memcpy(at, p.x.dim, sizeof p.x.dim);
        memcpy(at + p.x.n_modes, other.y.dim, other.y.n_modes * sizeof *at);
        if (p.x.n * other.y.n <= DENSE_CELLS) {
            dense_shape(&wanted, p.x.n_modes + other.y.n_modes, at);
            for (size_t c = 0; c < wanted.n; c++)
                wanted.cell[c] = p.x.cell[c / other.y.n] * other.y.cell[c % other.y.n];
            expect_sparse(&z, &wanted, 0);
        }
        EXPECT(z.place.nnz == trib_view_nnz(&p.at_x) * trib_view_nnz(&other.at_y));
        close_pair(&p);
        close_pair(&other);
    }
}

/* From 40 digits. */
TEST(norms_are_roots_of_sums_of_powers) {
    static const double power[] = {1, 1.5, 2, 3, 7.25, INFINITY};
    static const double norm[] = {
        19.5, 14.483287784137286, 13.009611831257688, 12.207334566596552, 12.000646387195923, 12};
    static const double value[] = {3, -4, 12, .5};
    GIVEN(trib_sparse) z = {0};
    EXPECT_OK(trib_sparse_init(&z, 1, (uint32_t[]){9}, 0, &error));
    const trib_view view = trib_view_reals(&z);
    for (size_t i = 0; i < 6; i++) EXPECT(trib_view_norm_of(&view, power[i]) == 0);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_OK(trib_sparse_raise(&z, (uint32_t[]){2 * i}, value[i], &error));
    for (size_t i = 0; i < 6; i++) EXPECT_NEAR(trib_view_norm_of(&view, power[i]), norm[i], 1e-13);
    for (size_t e = 0; e < 4; e++) z.value[e] *= 1e300;
    EXPECT_NEAR(trib_view_norm_of(&view, 3) / 1e300, norm[3], 1e-13);
}

TEST(operations_on_views_are_those_on_their_copies) {
    trib_view part;
    GIVEN(trib_sparse) copy = {0}, z = {0};
    open_pair(&p, 2, 8);
    const trib_axis axis[] = {trib_interval(1, 2), trib_new_axis(), trib_point(4), trib_all()};
    EXPECT_OK(trib_view_take(&part, &p.at_x, 4, axis, &error));
    EXPECT_OK(trib_sparse_copy(&copy, &part, &error));
    const trib_view at_copy = trib_view_reals(&copy);
    EXPECT(trib_view_equal(&part, &at_copy) && copy.place.n_modes == 3);
    EXPECT_NEAR(trib_view_norm(&part), trib_view_norm(&at_copy), 0);
    EXPECT_OK(trib_sparse_plus(&z, 1, &part, -1, &at_copy, &error));
    EXPECT(z.place.nnz == 0);
    close_pair(&p);
}

TEST(chosen_indices_are_copied_in_the_order_they_are_named) {
    static const uint32_t rows[] = {3, 0, 3, 2}, sheets[] = {4};
    const uint32_t *const list[] = {rows, NULL, sheets};
    const uint32_t n[] = {4, 0, 1};
    trib_sparse z;
    open_pair(&p, 2, 2);
    EXPECT_OK(trib_sparse_select(&z, &p.at_y, list, n, &error));
    dense_shape(&wanted, 3, (uint32_t[]){4, 6, 1});
    for (size_t c = 0; c < wanted.n; c++) {
        uint32_t at[3];
        dense_index(&wanted, c, at);
        wanted.cell[c] =
            p.y.cell[dense_cell(&p.y, (uint32_t[]){rows[at[0]], at[1], sheets[at[2]]})];
    }
    expect_sparse(&z, &wanted, 0);
    const trib_view copy = trib_view_reals(&z); /* a copy: the parent does not see it */
    EXPECT_OK(trib_view_set(&copy, (uint32_t[]){0, 0, 0}, 77, &error));
    EXPECT(trib_view_get(&p.at_y, (uint32_t[]){3, 0, 4}) != 77);
    trib_sparse_release(&z);
    const uint32_t *const beyond[] = {NULL, rows, (const uint32_t[]){5}};
    EXPECT_STATUS(trib_sparse_select(&z, &p.at_y, beyond, (uint32_t[]){0, 4, 1}, &error),
                  TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "index 5 of mode 3, counted from 0, is not below 5");
    close_pair(&p);
}

TEST(counts_come_back_as_counts_or_not_at_all) {
    trib_hacoo counts;
    GIVEN(trib_sparse) z = {0};
    open_pair(&p, 2, 6);
    EXPECT_OK(trib_sparse_scale(&z, 3, &p.at_x, &error));
    const trib_view three = trib_view_reals(&z);
    EXPECT_OK(trib_sparse_counts(&counts, &three, &error));
    const trib_view back = trib_view_counts(&counts);
    EXPECT(trib_view_equal(&back, &three) && counts.total == 3 * p.counts.total);
    trib_hacoo_release(&counts);
    static const double bad[] = {.5, -1, 4294967296., INFINITY};
    static const char *const said[] = {"0.5", "-1", "4294967296", "inf"};
    for (size_t i = 0; i < 4; i++) {
        char text[128];
        z.value[0] = bad[i];
        EXPECT_STATUS(trib_sparse_counts(&counts, &three, &error), TRIB_INPUT, error);
        snprintf(text, sizeof text,
                 "%s is not a count: counts are whole numbers from 1 to 4294967295", said[i]);
        EXPECT_TEXT(error.message, text);
        EXPECT(counts.entry == NULL);
    }
    close_pair(&p);
}

TEST(the_first_of_the_differences_is_named) {
    GIVEN(trib_sparse) z = {0};
    trib_difference d;
    open_pair(&p, 2, 6);
    EXPECT_OK(trib_sparse_copy(&z, &p.at_x, &error));
    const trib_view copy = trib_view_reals(&z);
    EXPECT(trib_view_equal(&p.at_x, &copy));
    const double old = trib_view_get(&copy, (uint32_t[]){3, 1, 0});
    EXPECT_OK(trib_view_add(&copy, (uint32_t[]){3, 1, 0}, 10, &error));
    EXPECT_OK(trib_view_add(&copy, (uint32_t[]){2, 5, 4}, .25, &error));
    const double other = trib_view_get(&p.at_x, (uint32_t[]){2, 5, 4});
    EXPECT(trib_view_compare(&d, &p.at_x, &copy, 0));
    EXPECT(d.n == 2 && d.index[0] == 2 && d.index[1] == 5 && d.index[2] == 4 && d.largest == 10);
    EXPECT(d.x == other && d.y == other + .25);
    EXPECT(trib_view_compare(&d, &copy, &p.at_x, .25));
    EXPECT(d.n == 1 && d.index[0] == 3 && d.y == old && d.largest == 10);
    EXPECT(!trib_view_equal(&p.at_x, &copy));
    close_pair(&p);
}

TEST(operands_of_different_sizes_are_refused) {
    static pair q;
    trib_sparse z;
    trib_difference d;
    double inner;
    open_pair(&p, 2, 0);
    open_pair(&q, 1, 0);
    EXPECT_REFUSED(
        trib_sparse_plus(&z, 1, &p.at_x, 1, &q.at_x, &error), TRIB_INPUT,
        "two tensors of different sizes, 4 x 6 x 5 and 7 x 5: counted from the last, modes must "
        "have the same length or one of them length 1");
    EXPECT_STATUS(trib_sparse_times(&z, &q.at_x, &p.at_x, &error), TRIB_INPUT, error);
    EXPECT_REFUSED(trib_view_inner(&inner, &q.at_x, &p.at_x, &error), TRIB_INPUT,
                   "two tensors of different sizes, 7 x 5 and 4 x 6 x 5");
    EXPECT(!trib_view_compare(&d, &p.at_x, &q.at_x, 0) && !trib_view_equal(&p.at_x, &q.at_x));
    EXPECT_STATUS(trib_sparse_collapse(&z, &q.at_x, 3, trib_reduction_find("sum"), &error),
                  TRIB_INPUT, error);
    EXPECT(z.value == NULL && z.place.entry == NULL);
    close_pair(&p);
    close_pair(&q);
}

TEST(keys_over_64_bits_are_computed_with) {
    static const uint32_t dim[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    GIVEN(trib_sparse) z = {0};
    uint32_t index[3];
    GIVEN(trib_hacoo) table = empty_tensor(3, dim);
    for (uint32_t i = 0; i < 50; i++)
        EXPECT_OK(trib_hacoo_add(&table, (uint32_t[]){UINT32_MAX - 1 - i, i * 80000000, 7},
                                 UINT32_MAX - i, &error));
    const trib_view view = trib_view_counts(&table);
    size_t n_cells;
    EXPECT(!trib_dense_cells(&view, &n_cells));
    EXPECT(trib_view_max(&view, index) == UINT32_MAX && index[0] == UINT32_MAX - 1);
    EXPECT_OK(trib_sparse_plus(&z, 1, &view, 1, &view, &error));
    const trib_view twice = trib_view_reals(&z); /* 2^33 and no overflow */
    EXPECT(trib_view_get(&twice, (uint32_t[]){UINT32_MAX - 1, 0, 7}) == 2. * UINT32_MAX);
    EXPECT_NEAR(trib_view_sum(&twice), 2 * (double)table.total, 0);
    trib_sparse_release(&z);
    EXPECT_OK(trib_sparse_collapse(&z, &view, 1, trib_reduction_find("max"), &error));
    EXPECT(z.place.nnz == 50 && z.place.dim[1] == UINT32_MAX);
    const trib_axis corner[] = {trib_interval(UINT32_MAX - 3, 3), trib_interval(0, 1)};
    trib_view part;
    EXPECT_OK(trib_view_take(&part, &view, 2, corner, &error));
    EXPECT(trib_view_nnz(&part) == 1 && trib_view_get(&part, (uint32_t[]){2, 0, 7}) == UINT32_MAX);
}

static trib_status compute_much(void *context, trib_error *failure) {
    trib_sparse z[12] = {0};
    GIVEN(trib_region) found = {0};
    GIVEN(trib_hacoo) counts = {0};
    static const double matrix[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const double *const vector[] = {matrix, NULL, NULL};
    const uint32_t *const list[] = {(const uint32_t[]){3, 3}, (const uint32_t[]){0}, NULL};
    pair *q = context;
    int n_calls = 0;
    trib_status status = trib_sparse_plus(&z[0], 1, &q->at_x, -1, &q->at_x, failure);
    if (status == TRIB_OK) status = trib_sparse_times(&z[1], &q->at_x, &q->at_y, failure);
    if (status == TRIB_OK) status = trib_sparse_map(&z[2], &q->at_y, square, &n_calls, failure);
    if (status == TRIB_OK)
        status = trib_sparse_collapse(&z[3], &q->at_y, 1, trib_reduction_find("max"), failure);
    if (status == TRIB_OK) status = trib_sparse_ttv(&z[4], &q->at_x, vector, failure);
    if (status == TRIB_OK) status = trib_sparse_ttm(&z[5], &q->at_x, 2, 2, matrix, failure);
    if (status == TRIB_OK)
        status = trib_sparse_permute(&z[6], &q->at_x, (uint32_t[]){2, 1, 0}, failure);
    if (status == TRIB_OK)
        status = trib_sparse_select(&z[7], &q->at_x, list, (uint32_t[]){2, 1, 0}, failure);
    if (status == TRIB_OK) status = trib_sparse_counts(&counts, &q->at_x, failure);
    if (status == TRIB_OK)
        status = trib_sparse_pair(&z[8], &q->at_x, &q->at_y, trib_pairing_find("greater"), failure);
    if (status == TRIB_OK) status = trib_sparse_argmax(&z[9], &q->at_y, 1, failure);
    if (status == TRIB_OK) status = trib_view_find(&q->at_y, &found, failure);
    if (status == TRIB_OK) status = trib_sparse_unfold(&z[10], &q->at_x, 1, failure);
    if (status == TRIB_OK) status = trib_sparse_outer(&z[11], &q->at_x, &q->at_y, failure);
    for (size_t i = 0; i < 12; i++) trib_sparse_release(&z[i]);
    return status;
}

TEST(every_failing_allocation_of_the_algebra_is_reported) {
    open_pair(&p, 2, 3);
    EXPECT(trib_fail_every_allocation(compute_much, &p) > 40);
    close_pair(&p);
}
