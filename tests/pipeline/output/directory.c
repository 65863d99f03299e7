/* directory.c - tests of pipeline/output/directory.c. */
#include "pipeline/output/directory.h"

#include "tests/test.h"

TESTS(output, directory);

static trib_status write_name(const void *what, trib_writer *writer, trib_error *error) {
    (void)error;
    trib_write_text(writer, what);
    return TRIB_OK;
}

/* A part of a stage is done again when memory was short, and writes its files again. */
TEST(a_file_that_was_written_twice_is_listed_once) {
    static const char *const names[] = {"b", "a", "c", "b", "b", "a"};
    trib_run_directory directory = {0};
    GIVEN(trib_buffer) sums = {0};
    trib_error error = {0};
    char folder[TRIB_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", trib_scratch("listed"));
    EXPECT_OK(trib_directory_create(folder, &error));
    directory.path = folder;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        EXPECT_OK(trib_directory_write(&directory, names[i], write_name, names[i], &error));
    EXPECT_OK(trib_directory_sums(&directory, &error));
    EXPECT_OK(trib_read_whole(trib_scratch("listed/SHA256SUMS"), &sums, &error));
    const char *line = sums.text;
    for (const char *name = "abc"; *name; name++, line = strchr(line, '\n') + 1) {
        CHECK(strlen(line) > TRIB_SHA256_TEXT + 1);
        EXPECT(line[TRIB_SHA256_TEXT + 1] == *name && line[TRIB_SHA256_TEXT + 2] == '\n');
    }
    EXPECT(*line == '\0');
    directory.path = NULL;
    trib_directory_release(&directory);
}
