/* survival.c - the program killed, starved and cut off from power at a few file operations; `make
 * survival` takes all. */
#include "tests/test.h"

#include <limits.h>
#include <unistd.h>

#include "base/system.h"

TESTS(run, survival);

TEST(a_run_or_a_library_that_something_befell_is_resumed_to_the_same_bytes) {
    char path[PATH_MAX], line[6 * sizeof path];
    const char *said = trib_scratch("survival-said");
    if (!realpath(trib_program_file(), path) || strlen(path) + 32 > sizeof path ||
        access("tests/survival/all", X_OK) != 0) {
        trib_skip("not in the root of the sources");
        return;
    }
    strcpy(strrchr(path, '/'), "/survival/program");
    if (access(path, X_OK) != 0) {
        trib_skip("tests/survival/program is not built");
        return;
    }
    snprintf(line, sizeof line,
             "{ tests/survival/all '%s' quick && tests/survival/library '%s' quick; } >'%s' 2>&1",
             path, path, said);
    const int status = system(line);
    if (status != 0) {
        snprintf(line, sizeof line, "cat '%s' >&2", said);
        (void)!system(line);
    }
    EXPECT(status == 0);
}
