/* replay.c - calls every fuzz target with its seeds and its findings. Reads tests/fuzz below the
 * current directory. */
#include "tests/test.h"

#include <dirent.h>

#define TARGET(name) int trib_fuzz_##name(const uint8_t *bytes, size_t size);
#include "tests/fuzz/targets.def"
#undef TARGET

void trib_fuzz_wrong(const char *what, const char *file, int line);

static const char *replayed; /* the file that is replayed, for messages */

void trib_fuzz_wrong(const char *what, const char *file, int line) {
    fprintf(stderr, "%s: ", replayed);
    trib_expect_near(0, 1, 0, what, file, line);
}

/* Replays every file of a directory. Returns their number. */
static size_t replay_directory(const char *kind, const char *name,
                               int (*target)(const uint8_t *bytes, size_t size)) {
    char path[512];
    snprintf(path, sizeof path, "tests/fuzz/%s/%s", kind, name);
    DIR *directory = opendir(path);
    size_t n = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        trib_reader reader;
        TRIB_OWNED(trib_buffer) text = {0};
        trib_error error = {0};
        snprintf(path, sizeof path, "tests/fuzz/%s/%s/%.200s", kind, name, entry->d_name);
        EXPECT_STATUS(trib_reader_open(&reader, path, &error), TRIB_OK, error);
        EXPECT_STATUS(trib_reader_all(&reader, &text, &error), TRIB_OK, error);
        trib_reader_close(&reader);
        replayed = path;
        target((const uint8_t *)(text.text ? text.text : ""), text.length);
        n++;
    }
    if (directory) closedir(directory);
    return n;
}

static void replay(const char *name, int (*target)(const uint8_t *bytes, size_t size)) {
    target((const uint8_t *)"", 0);
    EXPECT(replay_directory("seeds", name, target) > 0);
    replay_directory("found", name, target);
}

#define TARGET(name)                                                                               \
    static void replay_##name(void) { replay(#name, trib_fuzz_##name); }
#include "tests/fuzz/targets.def"
#undef TARGET

CU_TestInfo trib_tests_fuzz_replay[] = {
#define TARGET(name) {#name " takes its seeds and findings", replay_##name},
#include "tests/fuzz/targets.def"
#undef TARGET
    CU_TEST_INFO_NULL,
};
