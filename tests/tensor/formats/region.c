/* region.c - points and regions in every format against a look at every nonzero. */
#include "tensor/formats/formats.h"
#include "tests/test.h"

TESTS(formats, region);

static trib_error error;

/* A table of nonzeros drawn at random with values 1 .. n, and the tensors of it. */
typedef struct sample {
    trib_hacoo x;
    double *value; /* [nnz] */
} sample;

static sample draw(uint32_t n_modes, const uint32_t dim[], size_t n_drawn, bool zipf,
                   uint64_t seed) {
    sample s = {{0}, NULL};
    trib_random random;
    trib_random_seed(&random, seed);
    EXPECT_OK(trib_hacoo_init(&s.x, n_modes, dim, NULL, &error));
    for (size_t i = 0; i < n_drawn; i++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < n_modes; m++) {
            const double unit = trib_random_unit(&random);
            index[m] = zipf ? (uint32_t)(pow(dim[m], unit) - 1) : (uint32_t)(unit * dim[m]);
        }
        EXPECT_OK(trib_hacoo_add(&s.x, index, 1 + (uint32_t)(i % 3 == 0), &error));
    }
    s.value = malloc((s.x.nnz + 1) * sizeof *s.value);
    CHECK(s.value != NULL);
    for (size_t e = 0; e < s.x.nnz; e++) s.value[e] = e % 4 ? 1 : 0.5 + (double)e;
    return s;
}

static void sample_release(sample *s) {
    trib_hacoo_release(&s->x);
    free(s->value);
}

static bool holds(const trib_box *box, uint32_t n_modes, const uint32_t index[]) {
    for (uint32_t m = 0; m < n_modes; m++)
        if (index[m] < box->lower[m] || index[m] >= box->upper[m]) return false;
    return true;
}

/* The region holds each nonzero of the box once, and nothing else. */
static void check_region(const trib_tensor *tensor, const sample *s, const trib_box *box,
                         trib_region *found) {
    const uint32_t n_modes = s->x.n_modes;
    size_t n_there = 0;
    double sum = 0, sum_there = 0;
    EXPECT_OK(trib_tensor_region(tensor, box, found, &error));
    for (size_t e = 0; e < s->x.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&s->x, e, index);
        if (!holds(box, n_modes, index)) continue;
        n_there++;
        sum_there += s->value[e];
    }
    EXPECT(found->n == n_there);
    for (size_t i = 0; i < found->n; i++) {
        const size_t e = trib_hacoo_find(&s->x, found->index + i * n_modes);
        CHECK(e != TRIB_NO_ENTRY);
        EXPECT(found->value[i] == s->value[e] && holds(box, n_modes, found->index + i * n_modes));
        sum += found->value[i];
        for (size_t k = 0; k < i && found->n < 50; k++)
            EXPECT(memcmp(found->index + k * n_modes, found->index + i * n_modes,
                          n_modes * sizeof(uint32_t)) != 0);
    }
    EXPECT_NEAR(sum, sum_there, 1e-9);
}

/* Points that are there, points beside them, boxes of all sizes, boxes beyond the tensor. */
static void check_tensor(const trib_tensor *tensor, const sample *s) {
    const uint32_t n_modes = s->x.n_modes;
    trib_random random;
    trib_random_seed(&random, 5);
    GIVEN(trib_region) found = {0};
    for (size_t k = 0; k < 60; k++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_box box = {{0}, {0}};
        for (uint32_t m = 0; m < n_modes; m++)
            index[m] = (uint32_t)trib_random_below(&random, s->x.dim[m]);
        if (k % 2 == 0 && s->x.nnz > 0)
            trib_hacoo_entry(&s->x, trib_random_below(&random, s->x.nnz), index);
        if (k % 8 == 2) index[n_modes - 1] ^= 1;
        const size_t e = trib_hacoo_find(&s->x, index);
        EXPECT(trib_tensor_get(tensor, index) == (e == TRIB_NO_ENTRY ? 0 : s->value[e]));
        for (uint32_t m = 0; m < n_modes; m++) { /* from a point to everything */
            const uint32_t reach = s->x.dim[m] >> (k % 7 * 2);
            const uint32_t more =
                reach > 0 ? (uint32_t)trib_random_below(&random, (uint64_t)reach + 1) : 0;
            box.lower[m] = index[m] > more ? index[m] - more : 0;
            box.upper[m] = index[m] < UINT32_MAX - 1 - more ? index[m] + 1 + more : UINT32_MAX;
            if (k == 1) box.lower[m] = 0;
            if (k == 1) box.upper[m] = UINT32_MAX;
        }
        if (k == 3) box.upper[0] = box.lower[0]; /* empty */
        check_region(tensor, s, &box, &found);
    }
    uint32_t outside[TRIB_MAX_MODES] = {0};
    outside[n_modes - 1] = s->x.dim[n_modes - 1];
    EXPECT(trib_tensor_get(tensor, outside) == 0);
    outside[n_modes - 1] = UINT32_MAX;
    EXPECT(trib_tensor_get(tensor, outside) == 0);
    trib_region_release(&found);
}

static void check_formats(uint32_t n_modes, const uint32_t dim[], size_t n_drawn, bool zipf,
                          uint64_t seed) {
    sample s = draw(n_modes, dim, n_drawn, zipf, seed);
    for (const trib_format *const *format = trib_formats; *format; format++) {
        GIVEN(trib_tensor) tensor = {0};
        EXPECT_OK(trib_tensor_build(&tensor, *format, &s.x, s.value, 2, &error));
        check_tensor(&tensor, &s);
    }
    sample_release(&s);
}

TEST(every_format_reads_points_and_regions_of_any_number_of_modes) {
    for (uint32_t n_modes = 1; n_modes <= TRIB_MAX_MODES; n_modes++) {
        uint32_t dim[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < n_modes; m++) dim[m] = n_modes > 4 ? 3 + m % 3 : 11 + 20 * m;
        check_formats(n_modes, dim, 400, false, n_modes + 400);
        check_formats(n_modes, dim, 1, false, n_modes + 1);
        check_formats(n_modes, dim, 0, false, n_modes);
        for (uint32_t m = 0; m < n_modes; m++) dim[m] = 300 - 37 * m;
        check_formats(n_modes, dim, 500, true, n_modes + 500);
    }
}

TEST(every_format_reads_points_and_regions_of_modes_of_any_size) {
    check_formats(5, (uint32_t[]){70000, 3, 60000, 90000, 500000}, 600, true, 605);
    check_formats(8, (uint32_t[]){60000, 60000, 60000, 60000, 60000, 60000, 60000, 60000}, 400,
                  true, 408);
    check_formats(3, (uint32_t[]){50, UINT32_MAX, 60}, 500, true, 9);
}

static trib_status region(void *context, trib_error *failure) {
    GIVEN(trib_region) found = {0};
    const trib_status status =
        trib_tensor_region(context, &(trib_box){{0}, {99, 99, 99}}, &found, failure);
    EXPECT(status == TRIB_OK || found.n == 0);
    return status;
}

TEST(every_failing_allocation_of_a_region_is_reported) {
    sample s = draw(3, (uint32_t[]){9, 9, 9}, 50, false, 1);
    GIVEN(trib_tensor) x = {0};
    EXPECT_OK(trib_tensor_build(&x, trib_format_find("coo"), &s.x, NULL, 1, &error));
    EXPECT(trib_fail_every_allocation(region, &x) > 1);
    sample_release(&s);
}
