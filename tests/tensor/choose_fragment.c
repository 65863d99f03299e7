/* choose_fragment.c - tests of tensor/choose_fragment.c: which organisation `auto` picks for the
 * reads to come, and that it says why. */
#include "tensor/files.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, choose_fragment);

static void expect_organisation(trib_reads reads, uint32_t n_modes, const uint32_t dim[],
                                size_t nnz, const char *name) {
    char reason[TRIB_REASON_MAX];
    const trib_organisation *chosen =
        trib_organisation_choose(&trib_organisation_auto, reads, n_modes, dim, nnz, reason);
    EXPECT_TEXT(chosen->name, name);
    EXPECT(strlen(reason) > 10 && strlen(reason) < TRIB_REASON_MAX - 1);
}

TEST(the_organisation_follows_density_shape_and_reads) {
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

TEST(an_organisation_that_is_asked_for_stays) {
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
    TRIB_OPENED(trib_fragment) fragment = {0};
    GIVEN(trib_buffer) bytes = {0};
    GIVEN(trib_hacoo) found = {0};
    trib_error error = {0};
    fragment_bytes(x, &(trib_fragment_options){.organisation = organisation}, &bytes);
    EXPECT_OK(trib_fragment_open_memory(&fragment, "f", bytes.text, bytes.length, &error));
    const trib_box box = {{0, 0, 40}, {x->dim[0], x->dim[1], 41}};
    EXPECT_OK(trib_fragment_region(&fragment, 1, &box, &found, NULL, &error));
    const uint64_t n_pages = fragment.n_pages_read;
    *n_bytes = fragment.n_bytes;
    return n_pages;
}

/* What the rules promise, by counting pages and bytes of every organisation. */
TEST(the_chosen_organisation_is_the_best_for_its_reads) {
    trib_hacoo x = drawn_cells(3, 100, 60000);
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
