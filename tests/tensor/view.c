/* view.c - views of random composition against the list of cells they stand for. */
#include "tests/tensor/dense.h"

TESTS(tensor, view);

static trib_error error;

/* The cells of the parent that a view stands for. */
typedef struct cells {
    dense shape;
    size_t parent[DENSE_CELLS];
} cells;

/* The oracle: walks every cell of the new view and asks where the old one has it. */
static void take_cells(cells *view, const cells *of, uint32_t n, const trib_axis axis[]) {
    uint32_t dim[TRIB_MAX_MODES], n_modes = 0, mode = 0;
    for (uint32_t a = 0; a < n; a++) {
        const uint32_t whole = axis[a].kind == TRIB_AXIS_NEW ? 1 : of->shape.dim[mode++];
        if (axis[a].kind != TRIB_AXIS_POINT)
            dim[n_modes++] = axis[a].kind == TRIB_AXIS_INTERVAL ? axis[a].length : whole;
    }
    static cells new;
    dense_shape(&new.shape, n_modes, dim);
    for (size_t c = 0; c < new.shape.n; c++) {
        uint32_t index[TRIB_MAX_MODES], old[TRIB_MAX_MODES], at = 0;
        dense_index(&new.shape, c, index);
        mode = 0;
        for (uint32_t a = 0; a < n; a++) {
            const uint32_t i = axis[a].kind == TRIB_AXIS_POINT ? 0 : index[at++];
            if (axis[a].kind != TRIB_AXIS_NEW)
                old[mode++] = i + (axis[a].kind == TRIB_AXIS_ALL ? 0 : axis[a].start);
        }
        new.parent[c] = of->parent[dense_cell(&of->shape, old)];
    }
    *view = new;
}

static uint32_t random_axes(trib_random *random, const trib_view *of, trib_axis axis[]) {
    uint32_t n = 0, n_new = 0;
    for (uint32_t m = 0; m <= of->n_modes; m++) {
        while (of->n_modes + n_new < TRIB_MAX_MODES && trib_random_below(random, 5) == 0) {
            axis[n++] = trib_new_axis();
            n_new++;
        }
        if (m == of->n_modes) break;
        const uint32_t start = (uint32_t)trib_random_below(random, of->dim[m]);
        const uint32_t length = 1 + (uint32_t)trib_random_below(random, of->dim[m] - start);
        switch (trib_random_below(random, 4)) {
        case 0:
            axis[n++] = trib_point(start);
            break;
        case 1:
            axis[n++] = trib_all();
            break;
        default:
            axis[n++] = trib_interval(start, length);
        }
    }
    return n;
}

/* The cells of the view, from those of the parent. */
static void expect_cells(const trib_view *view, cells *of, const dense *parent) {
    for (size_t c = 0; c < of->shape.n; c++) of->shape.cell[c] = parent->cell[of->parent[c]];
    expect_dense(view, &of->shape, 0);
}

static void write_through(trib_random *random, const trib_view *view, const cells *of,
                          dense *parent, bool is_real) {
    for (int i = 0; i < 20; i++) {
        uint32_t index[TRIB_MAX_MODES];
        const size_t c = trib_random_below(random, of->shape.n);
        double *cell = &parent->cell[of->parent[c]];
        double value = (double)trib_random_below(random, 4);
        if (is_real) value -= 1.5;
        dense_index(&of->shape, c, index);
        if (i % 2) {
            EXPECT_OK(trib_view_add(view, index, value, &error));
            *cell += value;
        } else {
            if (i % 4) value = 0;
            EXPECT_OK(trib_view_set(view, index, value, &error));
            *cell = value;
        }
    }
}

TEST(views_of_views_read_and_write_the_cells_they_stand_for) {
    static const uint32_t dims[4][4] = {{9}, {7, 5}, {4, 6, 5}, {5, 3, 4, 3}};
    static cells at;
    static dense parent;
    trib_random random;
    trib_random_seed(&random, 5);
    for (int round = 0; round < 160; round++) {
        const uint32_t n_modes = 1 + (uint32_t)round % 4;
        const bool is_real = round % 8 >= 4;
        GIVEN(trib_hacoo) counts = {0};
        GIVEN(trib_sparse) reals = {0};
        dense_shape(&parent, n_modes, dims[n_modes - 1]);
        dense_random(&parent, (uint64_t)round, is_real);
        if (is_real) dense_reals(&reals, &parent);
        else dense_counts(&counts, &parent);
        const trib_view whole = is_real ? trib_view_reals(&reals) : trib_view_counts(&counts);
        trib_view view = whole;
        at.shape = parent;
        for (size_t c = 0; c < parent.n; c++) at.parent[c] = c;
        for (int depth = 0; depth < 4; depth++) {
            trib_axis axis[TRIB_MAX_AXES];
            const uint32_t n = random_axes(&random, &view, axis);
            take_cells(&at, &at, n, axis);
            EXPECT_OK(trib_view_take(&view, &view, n, axis, &error));
            expect_cells(&view, &at, &parent);
            write_through(&random, &view, &at, &parent, is_real);
            expect_cells(&view, &at, &parent);
            expect_dense(&whole, &parent, 0);
        }
    }
}

/* [N] figures 4.3 and 4.4: the lower right of 3 x 3, the first sheet of 2 x 3 x 3. */
TEST(the_figures_of_the_thesis) {
    GIVEN(trib_hacoo) matrix = empty_tensor(2, (uint32_t[]){3, 3});
    GIVEN(trib_hacoo) cube = empty_tensor(3, (uint32_t[]){2, 3, 3});
    for (uint32_t i = 0; i < 9; i++)
        EXPECT_OK(trib_hacoo_add(&matrix, (uint32_t[]){i / 3, i % 3}, i + 1, &error));
    trib_view view = trib_view_counts(&matrix);
    const trib_axis corner[] = {trib_interval(1, 2), trib_interval(1, 2)};
    EXPECT_OK(trib_view_take(&view, &view, 2, corner, &error));
    EXPECT(trib_view_get(&view, (uint32_t[]){0, 0}) == 5);
    EXPECT(trib_view_get(&view, (uint32_t[]){1, 1}) == 9);
    EXPECT(trib_view_get(&view, (uint32_t[]){2, 0}) == 0 && view.dim[0] == 2);

    const trib_view whole = trib_view_counts(&cube);
    const trib_axis sheet[] = {trib_point(0)};
    EXPECT_OK(trib_view_take(&view, &whole, 1, sheet, &error));
    EXPECT(view.n_modes == 2 && view.dim[0] == 3 && view.dim[1] == 3);
    EXPECT_OK(trib_view_set(&view, (uint32_t[]){2, 1}, 7, &error));
    EXPECT(trib_hacoo_get(&cube, (uint32_t[]){0, 2, 1}) == 7 && cube.nnz == 1);

    const trib_axis in_front[] = {trib_new_axis()};
    EXPECT_OK(trib_view_take(&view, &view, 1, in_front, &error));
    EXPECT(view.n_modes == 3 && view.dim[0] == 1);
    EXPECT(trib_view_get(&view, (uint32_t[]){0, 2, 1}) == 7);
    trib_view_squeeze(&view, &view);
    EXPECT(view.n_modes == 2 && trib_view_get(&view, (uint32_t[]){2, 1}) == 7);
}

TEST(slices_and_fibers_are_views) {
    static dense parent;
    GIVEN(trib_hacoo) table = {0};
    trib_view slice, fiber;
    dense_shape(&parent, 3, (uint32_t[]){4, 5, 6});
    dense_random(&parent, 1, false);
    dense_counts(&table, &parent);
    const trib_view whole = trib_view_counts(&table);
    EXPECT_OK(trib_view_slice(&slice, &whole, 1, 3, &error));
    EXPECT_OK(trib_view_fiber(&fiber, &whole, 2, (uint32_t[]){2, 3, 99}, &error));
    EXPECT(slice.n_modes == 2 && slice.dim[0] == 4 && slice.dim[1] == 6);
    EXPECT(fiber.n_modes == 1 && fiber.dim[0] == 6);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 6; k++)
            EXPECT(trib_view_get(&slice, (uint32_t[]){i, k}) ==
                   parent.cell[dense_cell(&parent, (uint32_t[]){i, 3, k})]);
    for (uint32_t k = 0; k < 6; k++)
        EXPECT(trib_view_get(&fiber, &k) == trib_view_get(&slice, (uint32_t[]){2, k}));
    EXPECT_REFUSED(trib_view_slice(&slice, &whole, 3, 0, &error), TRIB_INPUT,
                   "mode 4 of a tensor with 3 modes");
    EXPECT_REFUSED(trib_view_slice(&slice, &whole, 2, 6, &error), TRIB_INPUT,
                   "index 6 of mode 3, counted from 0, is not below 6");
    EXPECT_STATUS(trib_view_fiber(&slice, &whole, 7, (uint32_t[]){0, 0, 0}, &error), TRIB_INPUT,
                  error);
}

TEST(what_a_view_cannot_be_is_said) {
    GIVEN(trib_hacoo) table = empty_tensor(2, (uint32_t[]){3, 4});
    const trib_view whole = trib_view_counts(&table);
    trib_view view = whole;
    const trib_axis point[] = {trib_all(), trib_point(4)};
    EXPECT_REFUSED(trib_view_take(&view, &whole, 2, point, &error), TRIB_INPUT,
                   "index 4 of mode 2, counted from 0, is not below 4");
    static const uint32_t bad[][2] = {{0, 0}, {3, 1}, {1, 3}, {UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < 4; i++) {
        const trib_axis interval[] = {trib_interval(bad[i][0], bad[i][1])};
        EXPECT_STATUS(trib_view_take(&view, &whole, 1, interval, &error), TRIB_INPUT, error);
    }
    EXPECT_TEXT(error.message, "4294967295 indices from 4294967295 on, counted from 0, are not an "
                               "interval of mode 1, whose size is 3");
    const trib_axis three[] = {trib_all(), trib_all(), trib_all()};
    EXPECT_REFUSED(trib_view_take(&view, &whole, 3, three, &error), TRIB_INPUT,
                   "a choice for mode 3 of a tensor with 2 modes");
    trib_axis many[TRIB_MAX_AXES + 1];
    for (int a = 0; a <= TRIB_MAX_AXES; a++) many[a] = trib_new_axis();
    EXPECT_REFUSED(trib_view_take(&view, &whole, 7, many, &error), TRIB_INPUT,
                   "a view of more than 8 modes");
    EXPECT_OK(trib_view_take(&view, &whole, 6, many, &error));
    EXPECT(view.n_modes == 8);

    const uint32_t outside[] = {1, 4}, inside[] = {1, 3};
    EXPECT(trib_view_get(&whole, outside) == 0);
    EXPECT_REFUSED(trib_view_set(&whole, outside, 1, &error), TRIB_INPUT,
                   "index 4 of mode 2, counted from 0, is not below 4");
    EXPECT_STATUS(trib_view_add(&whole, (uint32_t[]){3, 0}, 1, &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_view_set(&whole, inside, (double)NAN, &error), TRIB_INPUT, error);
    EXPECT_REFUSED(trib_view_set(&whole, inside, 1.5, &error), TRIB_INPUT,
                   "1.5 is not a count: counts are whole numbers from 0 to 4294967295");
    EXPECT_OK(trib_view_set(&whole, inside, 4294967295., &error));
    EXPECT_STATUS(trib_view_add(&whole, inside, 1, &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_view_add(&whole, (uint32_t[]){0, 0}, -1, &error), TRIB_INPUT, error);
    EXPECT(table.nnz == 1 && table.total == UINT32_MAX);
}

TEST(a_view_of_points_is_a_number) {
    trib_view view, again;
    uint32_t index[TRIB_MAX_MODES];
    GIVEN(trib_hacoo) table = empty_tensor(2, (uint32_t[]){3, 4});
    EXPECT_OK(trib_hacoo_add(&table, (uint32_t[]){0, 0}, 9, &error));
    const trib_view whole = trib_view_counts(&table);
    const trib_axis points[] = {trib_point(2), trib_point(3)};
    EXPECT_OK(trib_view_take(&view, &whole, 2, points, &error));
    EXPECT(view.n_modes == 0 && trib_view_get(&view, index) == 0 && trib_view_nnz(&view) == 0);
    EXPECT_OK(trib_view_add(&view, index, 4, &error));
    EXPECT(trib_hacoo_get(&table, (uint32_t[]){2, 3}) == 4 && trib_view_nnz(&view) == 1);
    trib_cursor c = trib_view_begin(&view);
    EXPECT(trib_view_next(&c) && c.value == 4 && !trib_view_next(&c));
    const trib_axis grown[] = {trib_new_axis(), trib_new_axis()};
    EXPECT_OK(trib_view_take(&again, &view, 2, grown, &error));
    EXPECT(again.n_modes == 2 && trib_view_get(&again, (uint32_t[]){0, 0}) == 4);
}

/* A view with fewer cells than the parent has entries is walked by cells: the order is
 * lexicographic. */
TEST(a_small_view_is_walked_by_its_cells) {
    trib_view view;
    GIVEN(trib_hacoo) table = empty_tensor(2, (uint32_t[]){100, 100});
    for (uint32_t i = 100; i-- > 0;)
        EXPECT_OK(trib_hacoo_add(&table, (uint32_t[]){i, 5}, i + 1, &error));
    const trib_view whole = trib_view_counts(&table);
    const trib_axis axis[] = {trib_interval(10, 5), trib_interval(4, 3)};
    EXPECT_OK(trib_view_take(&view, &whole, 2, axis, &error));
    trib_cursor c = trib_view_begin(&view);
    EXPECT(c.n_cells == 15);
    for (uint32_t i = 0; i < 5; i++)
        EXPECT(trib_view_next(&c) && c.index[0] == i && c.index[1] == 1 && c.value == i + 11);
    EXPECT(!trib_view_next(&c));
    c = trib_view_begin(&whole);
    EXPECT(c.n_cells == 0 && trib_view_next(&c) && c.value == 100);
}

static trib_status write_much(void *context, trib_error *failure) {
    GIVEN(trib_sparse) x = {0};
    trib_status status = trib_sparse_init(&x, 2, (uint32_t[]){100, 100}, 0, failure);
    (void)context;
    if (status == TRIB_OK) {
        const trib_view view = trib_view_reals(&x);
        for (uint32_t i = 0; i < 300 && status == TRIB_OK; i++)
            status = trib_view_set(&view, (uint32_t[]){i % 100, i % 7}, .5 + i, failure);
        EXPECT(status != TRIB_OK || trib_view_get(&view, (uint32_t[]){99, 5}) == 299.5);
    }
    return status;
}

TEST(every_failing_allocation_of_a_write_is_reported) {
    EXPECT(trib_fail_every_allocation(write_much, NULL) > 5);
}
