/* fragment.c - tests of tensor/fragment.c, fragment_write.c, fragment_page.c and organisation.c:
 * what is written is read back, whole, by points and by region, from as few pages as hold it. */
#include "tensor/fragment.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, fragment);

static trib_error error;

/* A table written and opened again. */
typedef struct stored {
    trib_hacoo table;
    trib_buffer bytes;
    trib_fragment fragment;
} stored;

static void store(stored *s, const trib_fragment_options *options) {
    trib_buffer_clear(&s->bytes);
    fragment_bytes(&s->table, options, &s->bytes);
    EXPECT_OK(trib_fragment_open_memory(&s->fragment, "a.fragment", s->bytes.text, s->bytes.length,
                                        &error));
}

static void stored_release(stored *s) {
    trib_fragment_close(&s->fragment);
    trib_buffer_release(&s->bytes);
    trib_hacoo_release(&s->table);
}

/* n draws; `crowded` makes small indices and large counts commoner, as words do. */
static void draw(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[], size_t n, bool crowded,
                 uint64_t seed) {
    trib_random random;
    trib_random_seed(&random, seed);
    EXPECT_OK(trib_hacoo_init(table, n_modes, dim, NULL, &error));
    for (size_t i = 0; i < n; i++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < n_modes; m++) {
            uint64_t below = dim[m];
            for (int k = 0; crowded && k < 3; k++) below = 1 + trib_random_below(&random, below);
            index[m] = (uint32_t)trib_random_below(&random, below);
        }
        const uint32_t count = i % 97 == 0 ? 4000000000u / (uint32_t)n : 1 + (uint32_t)(i % 5) / 4;
        EXPECT_OK(trib_hacoo_add(table, index, count, &error));
    }
}

static bool same(const trib_hacoo *a, const trib_hacoo *b) {
    bool is = a->nnz == b->nnz && a->total == b->total && a->n_modes == b->n_modes;
    for (size_t e = 0; e < a->nnz && is; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(a, e, index);
        is = trib_hacoo_get(b, index) == count;
    }
    return is;
}

/* The shapes every organisation is tried on. */
static const struct {
    const char *name;
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t n;
    bool crowded;
} shapes[] = {
    {"empty", 3, {4, 5, 6}, 0, false},
    {"one nonzero", 2, {7, 9}, 1, false},
    {"one mode", 1, {UINT32_MAX}, 9000, false},
    {"a page full", 2, {1000000, 1000000}, 4096, false},
    {"dense", 3, {20, 21, 22}, 40000, false},
    {"words", 3, {2000, 2000, 2000}, 20000, true},
    {"a huge mode", 4, {3, 4000000000u, 50, 1}, 9000, true},
    {"all modes of one", 5, {1, 1, 1, 1, 1}, 3, false},
    {"128 bits", 4, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 5000, true},
    {"powers of two", 8, {65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536}, 5000, false},
    {"falling", 6, {900, 800, 70, 60, 5, 4}, 9000, true},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* Calls `test` with every shape in every organisation, packed and raw. */
static void for_every_fragment(void (*test)(stored *s)) {
    for (size_t i = 0; i < 2 * N_SHAPES; i++)
        for (const trib_organisation *row = trib_organisations; row->name; row++) {
            const size_t k = i / 2;
            GIVEN(stored) s = {.bytes = {0}};
            draw(&s.table, shapes[k].n_modes, shapes[k].dim, shapes[k].n, shapes[k].crowded, k);
            store(&s, &(trib_fragment_options){.organisation = row, .raw = i % 2 > 0});
            EXPECT(s.fragment.is_raw == (i % 2 > 0));
            test(&s);
        }
}

/* ---- Organisations by hand ------------------------------------------------------------------- */

static void expect_levels(const char *name, const uint32_t index[], size_t n_levels,
                          const uint32_t wanted[]) {
    static const uint32_t dim[] = {4, 3, 5};
    const trib_organisation *row = trib_organisation_find(name);
    trib_shape shape;
    trib_key level[TRIB_MAX_MODES] = {0};
    uint32_t back[3] = {0};
    trib_shape_init(&shape, row, 3, dim);
    CHECK(shape.n_levels == n_levels);
    row->levels->take(&shape, index, level);
    for (size_t l = 0; l < n_levels; l++) EXPECT(level[l] == wanted[l]);
    row->levels->put(&shape, level, back);
    EXPECT(memcmp(back, index, sizeof back) == 0);
}

TEST(an_index_has_the_levels_worked_out_by_hand) {
    /* of 4 x 3 x 5, address 2*15 + 1*5 + 3 = 38: row 38 div 20 = 1, column 18; column 38 mod 3 = 2,
     * row 12 */
    static const uint32_t index[] = {2, 1, 3};
    expect_levels("coo", index, 3, (uint32_t[]){2, 1, 3});
    expect_levels("linear", index, 1, (uint32_t[]){38});
    expect_levels("gcsr", index, 2, (uint32_t[]){1, 18});
    expect_levels("gcsc", index, 2, (uint32_t[]){2, 12});
    expect_levels("csf", index, 3, (uint32_t[]){1, 2, 3});
}

/* Stores csf of 2 x 300: rows 0 {5, 7}, 1 {299}; counts 1, 4, 1. Returns its page. */
static const uint8_t *store_small(stored *s, bool raw, size_t length) {
    static const uint32_t entry[][3] = {{1, 299, 1}, {0, 7, 4}, {0, 5, 1}};
    const size_t start = TRIB_FRAGMENT_HEADER + 16 + 12 * 2;
    s->table = empty_tensor(2, (uint32_t[]){2, 300});
    for (size_t i = 0; i < 3; i++)
        EXPECT_OK(trib_hacoo_add(&s->table, entry[i], entry[i][2], &error));
    store(s, &(trib_fragment_options){.organisation = trib_organisation_find("csf"), .raw = raw});
    CHECK(s->bytes.length == start + length);
    return (const uint8_t *)s->bytes.text + start;
}

TEST(a_page_is_the_bytes_worked_out_by_hand) {
    static const uint8_t wanted[] = {2, 0, 1, 5, 1, 0, 0, 0xAB, 2, 2, 2};
    GIVEN(stored) s = {.bytes = {0}};
    EXPECT(memcmp(store_small(&s, false, sizeof wanted), wanted, sizeof wanted) == 0);
}

TEST(a_raw_page_has_eight_bytes_for_every_number) {
    /* no gap, no varint, all counts at the end */
    static const uint64_t wanted[] = {2, 0, 1, 5, 7, 1, 0, 299, 1, 4, 1};
    GIVEN(stored) s = {.bytes = {0}};
    const uint8_t *page = store_small(&s, true, sizeof wanted);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        EXPECT(trib_take(page + 8 * i, 8) == wanted[i]);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void read_whole(stored *s) {
    GIVEN(trib_hacoo) back = {0};
    EXPECT_OK(trib_fragment_read(&s->fragment, 1, &back, NULL, &error));
    EXPECT(same(&s->table, &back));
    EXPECT(memcmp(s->table.dim, back.dim, sizeof back.dim) == 0);
    for (size_t e = 0; !s->fragment.organisation->is_ordered && e < back.nnz; e++) {
        uint32_t a[TRIB_MAX_MODES], b[TRIB_MAX_MODES];
        EXPECT(trib_hacoo_entry(&s->table, e, a) == trib_hacoo_entry(&back, e, b));
        EXPECT(memcmp(a, b, back.n_modes * sizeof *a) == 0);
    }
    EXPECT(s->fragment.n_pages_read == s->fragment.n_pages);
    EXPECT(s->fragment.n_bytes_read == s->bytes.length);
}

TEST(what_is_written_is_read_back) { for_every_fragment(read_whole); }

static void read_points(stored *s) {
    enum { N = 400 };
    const uint32_t n_modes = s->fragment.n_modes;
    uint32_t index[N * TRIB_MAX_MODES];
    uint64_t count[N];
    trib_random random;
    trib_random_seed(&random, 5);
    for (size_t i = 0; i < N; i++) {
        uint32_t *at = index + i * n_modes;
        if (s->table.nnz > 0 && i % 2 == 0)
            trib_hacoo_entry(&s->table, (size_t)trib_random_below(&random, s->table.nnz), at);
        else
            for (uint32_t m = 0; m < n_modes; m++)
                at[m] = (uint32_t)trib_random_below(&random, s->fragment.dim[m]);
        if (i % 7 == 6) at[i % n_modes] = s->fragment.dim[i % n_modes]; /* out of range */
    }
    EXPECT_OK(trib_fragment_points(&s->fragment, 1, N, index, count, &error));
    bool is_right = true;
    for (size_t i = 0; i < N; i++)
        is_right = is_right && count[i] == trib_hacoo_get(&s->table, index + i * n_modes);
    EXPECT(is_right);
    EXPECT_OK(trib_fragment_points(&s->fragment, 1, 0, NULL, NULL, &error));
    if (!s->fragment.organisation->is_ordered || s->table.nnz == 0) return;
    s->fragment.n_pages_read = 0;
    EXPECT_OK(trib_fragment_points(&s->fragment, 1, 1, index, count, &error));
    EXPECT(s->fragment.n_pages_read == 1);
}

TEST(points_are_found_each_in_one_page) { for_every_fragment(read_points); }

/* A region by going through all entries. */
static void slow_region(const trib_hacoo *table, const trib_box *box, trib_hacoo *found) {
    EXPECT_OK(trib_hacoo_init(found, table->n_modes, table->dim, NULL, &error));
    for (size_t e = 0; e < table->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(table, e, index);
        bool is_inside = true;
        for (uint32_t m = 0; m < table->n_modes; m++)
            is_inside = is_inside && index[m] >= box->lower[m] && index[m] < box->upper[m];
        if (is_inside) EXPECT(trib_hacoo_add(found, index, count, NULL) == TRIB_OK);
    }
}

static void read_regions(stored *s) {
    trib_random random;
    trib_random_seed(&random, 6);
    for (int i = 0; i < 12; i++) {
        trib_box box = {{0}, {0}};
        GIVEN(trib_hacoo) found = {0}, wanted = {0};
        for (uint32_t m = 0; m < s->fragment.n_modes; m++) {
            const uint32_t dim = s->fragment.dim[m];
            const bool narrow = (uint32_t)i % s->fragment.n_modes == m;
            box.lower[m] = narrow ? (uint32_t)trib_random_below(&random, dim) : 0;
            box.upper[m] =
                narrow ? box.lower[m] + (uint32_t)trib_random_below(&random, 2 + dim / 8) : dim;
            if (i == 10) box.lower[m] = box.upper[m] = UINT32_MAX;
            if (i == 11) box.upper[m] = box.lower[m];
        }
        EXPECT_OK(trib_fragment_region(&s->fragment, 1, &box, &found, NULL, &error));
        slow_region(&s->table, &box, &wanted);
        EXPECT(same(&wanted, &found));
    }
}

TEST(regions_hold_what_lies_in_them) { for_every_fragment(read_regions); }

TEST(a_region_touches_the_pages_it_needs) {
    GIVEN(stored) s = {.bytes = {0}};
    GIVEN(trib_hacoo) found = {0};
    draw(&s.table, 3, (uint32_t[]){500, 500, 500}, 100000, false, 1);
    store(&s, NULL);
    EXPECT_TEXT(s.fragment.organisation->name, "linear");
    EXPECT(s.fragment.n_pages == 25);
    EXPECT_OK(trib_fragment_region(&s.fragment, 1, &(trib_box){{100, 0, 0}, {110, 500, 500}},
                                   &found, NULL, &error));
    EXPECT(found.nnz > 1900 && found.nnz < 2100); /* half a page */
    EXPECT(s.fragment.n_pages_read <= 2);
}

TEST(fragments_of_one_tensor_are_added) {
    static const uint32_t dim[] = {300, 40, 300};
    static const trib_box box = {{10, 5, 0}, {60, 15, 300}};
    stored s[3] = {{.bytes = {0}}};
    trib_fragment fragment[3];
    GIVEN(trib_hacoo) part = {0}, wanted = {0};
    GIVEN(trib_hacoo) whole = empty_tensor(3, dim);
    for (size_t i = 0; i < 3; i++) {
        draw(&s[i].table, 3, dim, 6000 + i, true, i);
        store(&s[i], &(trib_fragment_options){.organisation = &trib_organisations[1 + i],
                                              .compress = false});
        fragment[i] = s[i].fragment;
        EXPECT_OK(trib_hacoo_merge(&whole, &s[i].table, NULL, &error));
    }
    EXPECT_OK(trib_fragment_read(fragment, 3, &part, NULL, &error));
    EXPECT(same(&whole, &part));
    trib_hacoo_release(&part);
    EXPECT_OK(trib_fragment_region(fragment, 3, &box, &part, NULL, &error));
    slow_region(&whole, &box, &wanted);
    EXPECT(wanted.nnz > 0 && same(&wanted, &part));
    for (size_t e = 0; e < whole.nnz; e += 999) {
        uint32_t index[3];
        uint64_t sum = 0;
        const uint32_t count = trib_hacoo_entry(&whole, e, index);
        EXPECT_OK(trib_fragment_points(fragment, 3, 1, index, &sum, &error));
        EXPECT(sum == count);
    }
    for (size_t i = 0; i < 3; i++) {
        s[i].fragment = fragment[i];
        stored_release(&s[i]);
    }
}

TEST(fragments_of_different_dimensions_are_refused) {
    GIVEN(stored) a = {.bytes = {0}}, b = {.bytes = {0}};
    trib_hacoo table;
    draw(&a.table, 2, (uint32_t[]){5, 6}, 5, false, 1);
    draw(&b.table, 2, (uint32_t[]){6, 5}, 5, false, 1);
    store(&a, NULL);
    store(&b, NULL);
    trib_fragment fragment[] = {a.fragment, b.fragment};
    EXPECT_REFUSED(trib_fragment_read(fragment, 2, &table, NULL, &error), TRIB_INPUT,
                   "a.fragment and a.fragment: the dimensions differ: not fragments of one tensor");
}

TEST(the_order_of_arrival_changes_no_ordered_fragment) {
    GIVEN(stored) a = {.bytes = {0}}, b = {.bytes = {0}};
    draw(&a.table, 3, (uint32_t[]){90, 90, 90}, 9000, true, 3);
    EXPECT_OK(trib_hacoo_init(&b.table, 3, a.table.dim, NULL, &error));
    for (size_t e = a.table.nnz; e-- > 0;) {
        uint32_t index[3];
        const uint32_t count = trib_hacoo_entry(&a.table, e, index);
        EXPECT_OK(trib_hacoo_add(&b.table, index, count, &error));
    }
    for (const trib_organisation *row = trib_organisations; row->name; row++) {
        if (!row->is_ordered) continue;
        trib_buffer_clear(&a.bytes);
        trib_buffer_clear(&b.bytes);
        fragment_bytes(&a.table, &(trib_fragment_options){.organisation = row}, &a.bytes);
        fragment_bytes(&b.table, &(trib_fragment_options){.organisation = row}, &b.bytes);
        EXPECT(a.bytes.length == b.bytes.length);
        EXPECT(memcmp(a.bytes.text, b.bytes.text, a.bytes.length) == 0);
    }
}

TEST(compressed_fragments_are_smaller_or_refused) {
    GIVEN(stored) s = {.bytes = {0}};
    draw(&s.table, 3, (uint32_t[]){2000, 2000, 2000}, 20000, true, 1);
    for (const trib_organisation *row = trib_organisations; row->name; row++) {
        GIVEN(trib_buffer) plain = {0};
        fragment_bytes(&s.table, &(trib_fragment_options){.organisation = row}, &plain);
        store(&s, &(trib_fragment_options){.organisation = row, .compress = true});
        EXPECT(s.fragment.is_compressed && s.bytes.length < plain.length);
        read_whole(&s);
        read_points(&s);
        read_regions(&s);
        trib_fragment_close(&s.fragment);
    }
}

TEST(a_file_is_read_from_any_place) {
    GIVEN(stored) s = {.bytes = {0}};
    GIVEN(trib_hacoo) back = {0};
    draw(&s.table, 3, (uint32_t[]){100, 100, 100}, 20000, true, 1);
    fragment_bytes(&s.table, NULL, &s.bytes);
    EXPECT_OK(trib_fragment_open(&s.fragment, trib_scratch("tensor.fragment"), &error));
    EXPECT_OK(trib_fragment_read(&s.fragment, 1, &back, NULL, &error));
    EXPECT(same(&s.table, &back));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct attempt {
    const trib_hacoo *table;
    const char *path;
    bool compress;
} attempt;

static trib_status write_and_read(void *context, trib_error *failure) {
    const attempt *a = context;
    const trib_fragment_options options = {.compress = a->compress};
    const trib_box box = {{0, 0}, {30, 30}};
    uint64_t count = 0;
    trib_writer writer = {0};
    TRIB_OPENED(trib_fragment) fragment = {0};
    GIVEN(trib_hacoo) back = {0}, part = {0};
    trib_status status = trib_writer_open(&writer, a->path, failure);
    if (status == TRIB_OK) status = trib_fragment_write(a->table, &options, &writer, failure);
    if (status == TRIB_OK) status = trib_writer_commit(&writer, NULL, failure);
    else trib_writer_abandon(&writer);
    if (status == TRIB_OK) status = trib_fragment_open(&fragment, a->path, failure);
    if (status == TRIB_OK) status = trib_fragment_read(&fragment, 1, &back, NULL, failure);
    if (status == TRIB_OK) status = trib_fragment_region(&fragment, 1, &box, &part, NULL, failure);
    return status == TRIB_OK ? trib_fragment_points(&fragment, 1, 1, box.lower, &count, failure)
                             : status;
}

TEST(every_failing_allocation_is_reported) {
    GIVEN(trib_hacoo) table = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("failing.fragment"));
    draw(&table, 2, (uint32_t[]){60, 70}, 700, true, 1);
    EXPECT(trib_fail_every_allocation(write_and_read, &(attempt){&table, path, false}) > 10);
}
