/* choose.c - what `auto` picks, and that it says why. */
#include "tensor/tensor.h"
#include "tests/test.h"

/* n nonzeros in `n_modes` modes of `dim` indices. */
static trib_hacoo table_of(uint32_t n_modes, uint32_t dim, size_t n) {
    trib_hacoo x;
    trib_error error = {0};
    trib_random random;
    trib_random_seed(&random, dim);
    uint32_t dims[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < n_modes; m++) dims[m] = dim;
    EXPECT_STATUS(trib_hacoo_init(&x, n_modes, dims, NULL, &error), TRIB_OK, error);
    while (x.nnz < n) {
        for (uint32_t m = 0; m < n_modes; m++) index[m] = (uint32_t)trib_random_below(&random, dim);
        EXPECT_STATUS(trib_hacoo_add(&x, index, 1, &error), TRIB_OK, error);
    }
    return x;
}

static void expect_choice_for(uint32_t n_modes, uint32_t dim, size_t n, uint32_t rank,
                              uint32_t iterations, const char *name) {
    trib_hacoo x = table_of(n_modes, dim, n);
    char reason[TRIB_REASON_MAX];
    const trib_format *format = trib_format_choose(&trib_format_auto, &x, rank, iterations, reason);
    EXPECT_TEXT(format->name, name);
    EXPECT(strlen(reason) > 10 && strlen(reason) < TRIB_REASON_MAX - 1);
    trib_hacoo_release(&x);
}

static void expect_choice(uint32_t n_modes, uint32_t dim, size_t n, const char *name) {
    expect_choice_for(n_modes, dim, n, 16, 100, name);
}

static void the_choice_follows_the_tensor(void) {
    expect_choice(3, 50, 0, "hacoo");
    expect_choice(3, 50, 100, "hacoo");
    expect_choice(3, 50, 2000, "rows");
    expect_choice(5, 50, 2000, "rows");
    expect_choice(3, 100000, 2000, "hacoo");
    expect_choice(1, 4000, 1000, "hacoo");
}

static void a_copy_that_few_iterations_read_is_not_built(void) {
    expect_choice_for(3, 50, 2000, 16, 7, "hacoo");
    expect_choice_for(3, 50, 2000, 16, 8, "rows");
    expect_choice_for(3, 50, 2000, 150, 1, "rows");
    expect_choice_for(3, 50, 2000, 0, 1, "rows"); /* the rank is searched for */
}

static void long_rows_over_scattered_indices_follow_a_curve(void) {
    expect_choice_for(2, 2000, 250000, 1000, 10, "alto"); /* 125 to a row, 93 % beyond 131 rows */
    expect_choice_for(2, 2000, 250000, 16, 10, "rows");   /* all rows in the caches */
    expect_choice_for(2, 2000, 150000, 1000, 10, "rows"); /* 75 to a row */
}

static void a_format_that_is_asked_for_stays(void) {
    trib_hacoo x = table_of(3, 50, 2000);
    char reason[TRIB_REASON_MAX] = "before";
    for (const trib_format *const *format = trib_formats; *format; format++)
        EXPECT(trib_format_choose(*format, &x, 16, 0, reason) == *format && reason[0] == '\0');
    trib_hacoo_release(&x);
}

static void a_tensor_built_as_auto_has_the_format_chosen(void) {
    trib_hacoo x = table_of(3, 50, 2000);
    trib_tensor tensor;
    trib_error error = {0};
    EXPECT_STATUS(trib_tensor_build(&tensor, &trib_format_auto, &x, NULL, 1, &error), TRIB_OK,
                  error);
    EXPECT_TEXT(tensor.format->name, "rows");
    EXPECT(tensor.nnz == 2000);
    trib_tensor_release(&tensor);
    trib_hacoo_release(&x);
    EXPECT(trib_format_find("auto") == &trib_format_auto);
}

static void expect_organisation(trib_reads reads, uint32_t n_modes, const uint32_t dim[],
                                size_t nnz, const char *name) {
    char reason[TRIB_REASON_MAX];
    const trib_organisation *chosen =
        trib_organisation_choose(&trib_organisation_auto, reads, n_modes, dim, nnz, reason);
    EXPECT_TEXT(chosen->name, name);
    EXPECT(strlen(reason) > 10 && strlen(reason) < TRIB_REASON_MAX - 1);
}

static void the_organisation_follows_density_shape_and_reads(void) {
    static const uint32_t cube[] = {100, 100, 100}, flat[] = {900, 80, 7}, tall[] = {7, 80, 900};
    expect_organisation(TRIB_READS_NONE, 3, cube, 30000, "coo");
    expect_organisation(TRIB_READS_WHOLE, 3, cube, 30000, "linear");
    expect_organisation(TRIB_READS_POINTS, 3, cube, 30000, "linear");
    expect_organisation(TRIB_READS_REGIONS, 3, cube, 30000, "csf");    /* 3.2 to a fiber */
    expect_organisation(TRIB_READS_REGIONS, 3, cube, 15000, "linear"); /* 1.9 */
    expect_organisation(TRIB_READS_REGIONS, 3, cube, 0, "linear");
    expect_organisation(TRIB_READS_LAST, 3, cube, 100, "gcsc");
    expect_organisation(TRIB_READS_LAST, 3, flat, 100, "gcsc");
    expect_organisation(TRIB_READS_LAST, 3, tall, 100, "linear");
    expect_organisation(TRIB_READS_LAST, 1, cube, 100, "linear");
}

static void an_organisation_that_is_asked_for_stays(void) {
    static const uint32_t dim[] = {9, 9};
    for (const trib_organisation *row = trib_organisations; row->name; row++) {
        char reason[TRIB_REASON_MAX] = "before";
        EXPECT(trib_organisation_choose(row, TRIB_READS_LAST, 2, dim, 5, reason) == row);
        EXPECT_TEXT(reason, "");
    }
}

/* The pages of a fragment that a region of one index of the last mode touches. */
static uint64_t pages_of(const trib_hacoo *x, const trib_organisation *organisation,
                         uint64_t *n_bytes) {
    trib_writer writer;
    trib_fragment fragment;
    trib_hacoo found;
    trib_error error = {0};
    const char *path = trib_scratch("choose.fragment");
    const trib_fragment_options options = {.organisation = organisation};
    EXPECT_STATUS(trib_writer_open(&writer, path, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_fragment_write(x, &options, &writer, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_fragment_open(&fragment, path, &error), TRIB_OK, error);
    const trib_box box = {{0, 0, 40}, {x->dim[0], x->dim[1], 41}};
    EXPECT_STATUS(trib_fragment_region(&fragment, 1, &box, &found, NULL, &error), TRIB_OK, error);
    const uint64_t n_pages = fragment.n_pages_read;
    *n_bytes = fragment.n_bytes;
    trib_hacoo_release(&found);
    trib_fragment_close(&fragment);
    return n_pages;
}

/* What the rules promise, by counting pages and bytes of every organisation. */
static void the_chosen_organisation_is_the_best_for_its_reads(void) {
    trib_hacoo x = table_of(3, 100, 60000);
    char reason[TRIB_REASON_MAX];
    uint64_t n_bytes, least_bytes = UINT64_MAX, bytes = 0, least_pages = UINT64_MAX;
    for (const trib_organisation *row = trib_organisations; row->name; row++) {
        const uint64_t n_pages = pages_of(&x, row, &n_bytes);
        if (n_bytes < least_bytes) least_bytes = n_bytes;
        if (n_pages < least_pages) least_pages = n_pages;
    }
    const trib_organisation *chosen =
        trib_organisation_choose(&trib_organisation_auto, TRIB_READS_LAST, 3, x.dim, x.nnz, reason);
    EXPECT(pages_of(&x, chosen, &n_bytes) == least_pages && least_pages <= 2);
    chosen = trib_organisation_choose(&trib_organisation_auto, TRIB_READS_WHOLE, 3, x.dim, x.nnz,
                                      reason);
    pages_of(&x, chosen, &bytes);
    EXPECT(bytes == least_bytes);
    trib_hacoo_release(&x);
}

CU_TestInfo trib_tests_tensor_choose[] = {
    {"the choice follows the tensor", the_choice_follows_the_tensor},
    {"a copy that few iterations read is not built", a_copy_that_few_iterations_read_is_not_built},
    {"long rows over scattered indices follow a curve",
     long_rows_over_scattered_indices_follow_a_curve},
    {"a format that is asked for stays", a_format_that_is_asked_for_stays},
    {"a tensor built as auto has the format chosen", a_tensor_built_as_auto_has_the_format_chosen},
    {"the organisation follows density, shape and reads",
     the_organisation_follows_density_shape_and_reads},
    {"an organisation that is asked for stays", an_organisation_that_is_asked_for_stays},
    {"the chosen organisation is the best for its reads",
     the_chosen_organisation_is_the_best_for_its_reads},
    CU_TEST_INFO_NULL,
};
