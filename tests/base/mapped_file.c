/* mapped_file.c - tests of base/mapped_file.c. */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void a_mapped_file_has_its_bytes_after_it_was_removed(void) {
    static const char text[] = "so stands it";
    trib_mapped_file file;
    trib_error error = {0};
    const char *path = trib_write_scratch("mapped-file", text);
    EXPECT_STATUS(trib_mapped_file_open(&file, path, &error), TRIB_OK, error);
    CHECK(file.length == strlen(text));
    CHECK(unlink(path) == 0);
    EXPECT(memcmp(file.bytes, text, file.length) == 0);
    trib_mapped_file_close(&file);
    EXPECT(file.bytes == NULL && file.length == 0);
    trib_mapped_file_close(&file); /* twice is legal */
}

static void what_cannot_be_mapped_is_an_error(void) {
    trib_mapped_file file;
    trib_error error = {0};
    EXPECT(trib_mapped_file_open(&file, trib_scratch("mapped-nothing"), &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "cannot be read") != NULL);
    EXPECT(trib_mapped_file_open(&file, trib_write_scratch("mapped-empty", ""), &error) ==
           TRIB_INPUT);
    EXPECT(strstr(error.message, "is empty or no file") != NULL);
    EXPECT(trib_mapped_file_open(&file, trib_scratch(""), &error) == TRIB_INPUT);
    EXPECT(file.bytes == NULL);
    trib_mapped_file_close(&file);
}

CU_TestInfo trib_tests_base_mapped_file[] = {
    {"a mapped file has its bytes after it was removed",
     a_mapped_file_has_its_bytes_after_it_was_removed},
    {"what cannot be mapped is an error", what_cannot_be_mapped_is_an_error},
    CU_TEST_INFO_NULL,
};
