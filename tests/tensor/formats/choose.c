/* choose.c - what `auto` picks, and that it says why. */
#include "tensor/formats/formats.h"
#include "tests/tensor/drawn.h"

TESTS(formats, choose);

static void expect_choice_for(uint32_t n_modes, uint32_t dim, size_t n, uint32_t rank,
                              uint32_t iterations, const char *name) {
    TRIB_OWNED(trib_hacoo) x = drawn_cells(n_modes, dim, n);
    char reason[TRIB_REASON_MAX];
    const trib_format *format = trib_format_choose(&trib_format_auto, &x, rank, iterations, reason);
    EXPECT_TEXT(format->name, name);
    EXPECT(strlen(reason) > 10 && strlen(reason) < TRIB_REASON_MAX - 1);
}

static void expect_choice(uint32_t n_modes, uint32_t dim, size_t n, const char *name) {
    expect_choice_for(n_modes, dim, n, 16, 100, name);
}

TEST(the_choice_follows_the_tensor) {
    expect_choice(3, 50, 0, "hacoo");
    expect_choice(3, 50, 100, "hacoo");
    expect_choice(3, 50, 2000, "rows");
    expect_choice(5, 50, 2000, "rows");
    expect_choice(3, 100000, 2000, "hacoo");
    expect_choice(1, 4000, 1000, "hacoo");
}

TEST(a_copy_that_few_iterations_read_is_not_built) {
    expect_choice_for(3, 50, 2000, 16, 7, "hacoo");
    expect_choice_for(3, 50, 2000, 16, 8, "rows");
    expect_choice_for(3, 50, 2000, 150, 1, "rows");
    expect_choice_for(3, 50, 2000, 0, 1, "rows"); /* the rank is searched for */
}

TEST(long_rows_over_scattered_indices_follow_a_curve) {
    expect_choice_for(2, 2000, 250000, 1000, 10, "alto"); /* 125 to a row, 93 % beyond 131 rows */
    expect_choice_for(2, 2000, 250000, 16, 10, "rows");   /* all rows in the caches */
    expect_choice_for(2, 2000, 150000, 1000, 10, "rows"); /* 75 to a row */
}

TEST(a_format_that_is_asked_for_stays) {
    trib_hacoo x = drawn_cells(3, 50, 2000);
    char reason[TRIB_REASON_MAX] = "before";
    for (const trib_format *const *format = trib_formats; *format; format++)
        EXPECT(trib_format_choose(*format, &x, 16, 0, reason) == *format && reason[0] == '\0');
    trib_hacoo_release(&x);
}

TEST(a_tensor_built_as_auto_has_the_format_chosen) {
    trib_hacoo x = drawn_cells(3, 50, 2000);
    GIVEN(trib_tensor) tensor = {0};
    trib_error error = {0};
    EXPECT_OK(trib_tensor_build(&tensor, &trib_format_auto, &x, NULL, 1, &error));
    EXPECT_TEXT(tensor.format->name, "rows");
    EXPECT(tensor.nnz == 2000);
    trib_hacoo_release(&x);
    EXPECT(trib_format_find("auto") == &trib_format_auto);
}
