/* system.c - tests of base/system.c. */
#include "tests/test.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.h"

static void a_block_is_as_large_as_was_asked(void) {
    char *block = NULL;
    CHECK(trib_new(&block, 1000, 1, "test", NULL) == TRIB_OK);
    EXPECT(trib_block_size(block) >= 1000);
    trib_free(block);
}

static void a_reserved_file_has_its_length_and_is_empty(void) {
    trib_writer writer;
    trib_error error = {0};
    struct stat about;
    char bytes[4] = "x";
    EXPECT_STATUS(trib_writer_scratch(&writer, trib_scratch(""), &error), TRIB_OK, error);
    EXPECT(trib_reserve_file(writer.file, 100000) == 0);
    EXPECT(fstat(writer.file, &about) == 0 && about.st_size == 100000);
    EXPECT(pread(writer.file, bytes, 1, 99999) == 1 && bytes[0] == '\0');
    EXPECT(trib_reserve_file(writer.file, (uint64_t)1 << 60) != 0); /* no disk is so large */
    trib_writer_abandon(&writer);
}

static void the_times_of_a_file_are_its_own(void) {
    struct stat about;
    int64_t times[4] = {0};
    EXPECT(stat("/", &about) == 0);
    trib_file_times(&about, times);
    EXPECT(times[0] == about.st_mtime && times[2] == about.st_ctime);
    EXPECT(times[1] >= 0 && times[1] < 1000000000 && times[3] >= 0 && times[3] < 1000000000);
}

static void the_program_knows_its_file(void) {
    char path[PATH_MAX];
    CHECK(realpath(trib_program_file(), path) != NULL);
    EXPECT(access(path, X_OK) == 0);
}

static void memory_in_use_is_between_a_mebibyte_and_that_of_the_machine(void) {
    const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t space = 0, resident = 0;
    trib_process_memory(&space, &resident);
    EXPECT(resident > 1 << 20 && resident < all && resident <= space);
    EXPECT(trib_peak_memory() > 1 << 20 && trib_peak_memory() < all);
    EXPECT(trib_available_memory() > 0 && trib_available_memory() <= all);
}

static void a_forked_process_computes_with_one_thread(void) {
    int status = -1;
    EXPECT(trib_process_threads(3) >= 1); /* 1 where the tests themselves are forked */
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) _exit(trib_process_threads(3));
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

CU_TestInfo trib_tests_base_system[] = {
    {"a block is as large as was asked", a_block_is_as_large_as_was_asked},
    {"a reserved file has its length and is empty", a_reserved_file_has_its_length_and_is_empty},
    {"the times of a file are its own", the_times_of_a_file_are_its_own},
    {"the program knows its file", the_program_knows_its_file},
    {"memory in use is between a mebibyte and that of the machine",
     memory_in_use_is_between_a_mebibyte_and_that_of_the_machine},
    {"a forked process computes with one thread", a_forked_process_computes_with_one_thread},
    CU_TEST_INFO_NULL,
};
