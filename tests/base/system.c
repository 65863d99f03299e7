/* system.c - tests of base/system.c. */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.h"

TESTS(base, system);

TEST(a_block_is_as_large_as_was_asked) {
    GIVEN(trib_owned_text) block = NULL;
    CHECK(trib_new(&block, 1000, 1, "test", NULL) == TRIB_OK);
    EXPECT(trib_block_size(block) >= 1000);
}

TEST(a_reserved_file_has_its_length_and_is_empty) {
    trib_writer writer;
    trib_error error = {0};
    struct stat about;
    char bytes[4] = "x";
    EXPECT_OK(trib_writer_scratch(&writer, trib_scratch(""), false, &error));
    EXPECT(trib_reserve_file(writer.file, 100000) == 0);
    EXPECT(fstat(writer.file, &about) == 0 && about.st_size == 100000);
    EXPECT(pread(writer.file, bytes, 1, 99999) == 1 && bytes[0] == '\0');
    EXPECT(trib_reserve_file(writer.file, (uint64_t)1 << 60) != 0); /* no disk is so large */
    trib_writer_abandon(&writer);
}

TEST(the_times_of_a_file_are_its_own) {
    struct stat about;
    int64_t times[4] = {0};
    EXPECT(stat("/", &about) == 0);
    trib_file_times(&about, times);
    EXPECT(times[0] == about.st_mtime && times[2] == about.st_ctime);
    EXPECT(times[1] >= 0 && times[1] < 1000000000 && times[3] >= 0 && times[3] < 1000000000);
}

TEST(the_program_knows_its_file) {
    char path[PATH_MAX];
    CHECK(realpath(trib_program_file(), path) != NULL);
    EXPECT(access(path, X_OK) == 0);
}

TEST(memory_in_use_is_between_a_mebibyte_and_that_of_the_machine) {
    const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t space = 0, resident = 0;
    trib_process_memory(&space, &resident);
    EXPECT(resident > 1 << 20 && resident < all && resident <= space);
    EXPECT(trib_peak_memory() > 1 << 20 && trib_peak_memory() < all);
    EXPECT(trib_available_memory() > 0 && trib_available_memory() <= all);
}

TEST(a_forked_process_computes_with_one_thread) {
    int status = -1;
    EXPECT(trib_process_threads(3) >= 1); /* 1 where the tests themselves are forked */
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) _exit(trib_process_threads(3));
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

/* ---- The door to the disk -------------------------------------------------------------------- */

static int refusal(const char *path, int flags) {
    const int file = trib_disk_open(path, flags);
    const int why = file >= 0 ? 0 : errno;
    if (file >= 0) close(file);
    return why;
}

TEST(below_a_sealed_folder_nothing_leads_out_or_waits) {
    static const char *const roots[] = {"sealed", "sealed/", "./sealed", "."};
    struct stat about;
    char here[PATH_MAX];
    const uint64_t in_use = trib_memory_in_use(); /* of other tests of this process */
    CHECK(getcwd(here, sizeof here) && chdir(trib_scratch("")) == 0);
    trib_write_scratch("away", "away");
    CHECK(mkdir("sealed", 0777) == 0 && mkdir("sealed/in", 0777) == 0);
    trib_write_scratch("sealed/in/file", "file");
    CHECK(symlink("../away", "sealed/out") == 0 && symlink("in", "sealed/folder") == 0);
    CHECK(symlink("in/file", "sealed/near") == 0 && mkfifo("sealed/pipe", 0600) == 0);
    EXPECT(refusal("sealed/out", O_RDONLY) == 0 && !trib_disk_is_sealed("sealed/in/file"));
    CHECK(link("away", "sealed/twin") == 0);
    for (size_t r = 0; r < 8; r++) { /* each root by openat2 and by walking */
        const char *const root = roots[r % 4];
        trib_disk_walk(r >= 4);
        EXPECT(trib_disk_seal(root, NULL) == TRIB_OK);
        EXPECT(refusal("sealed/in/file", O_RDONLY) == 0 && refusal("sealed//./in/file", 0) == 0);
        EXPECT(refusal("sealed/out", O_WRONLY | O_APPEND) == ELOOP);
        EXPECT(refusal("./sealed/near", O_RDONLY) == ELOOP);
        EXPECT(refusal("sealed/folder/file", O_RDONLY) == ELOOP);
        EXPECT(refusal("sealed/folder/", O_RDONLY | O_DIRECTORY) == ELOOP);
        EXPECT(refusal("sealed/pipe", O_RDONLY) == ENXIO);
        EXPECT(refusal("sealed/in", O_RDONLY) == EISDIR);
        EXPECT(refusal("sealed/in/file/x", O_RDONLY) == ENOTDIR);
        EXPECT(refusal("sealed/no/x", O_RDONLY) == ENOENT);
        EXPECT(refusal("sealed/in/../in/file", O_RDONLY) == 0);
        EXPECT(refusal("sealed/twin", O_RDONLY) == 0);
        EXPECT(refusal("sealed/twin", O_WRONLY | O_APPEND) == EMLINK);
        EXPECT(refusal("sealed/twin", O_WRONLY | O_TRUNC) == EMLINK);
        EXPECT(trib_disk_about("away", &about) == 0 && about.st_size == 4);
        EXPECT(trib_disk_has("sealed/out") && trib_disk_about("sealed/out", &about) != 0);
        EXPECT(trib_disk_make_folder("sealed/folder/x") != 0 && errno == ELOOP);
        EXPECT(trib_disk_rename("sealed/in/file", "sealed/folder/file") != 0);
        EXPECT(trib_disk_remove("sealed/folder/file") != 0);
        if (r % 4 < 3) EXPECT(refusal("sealed/../away", O_RDONLY) == 0);
        trib_disk_unseal(root);
        EXPECT(!trib_disk_is_sealed("sealed/in/file"));
    }
    trib_disk_walk(false);
    EXPECT(trib_memory_in_use() == in_use);
    CHECK(chdir(here) == 0);
}
