/* check.c - the functions of test.h. */
#include "tests/suite.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

const char *trib_skip_reason;

static char scratch[32];

void trib_skip(const char *reason) { trib_skip_reason = reason; }

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

const char *trib_scratch_make(void) {
    /* in memory where that is possible: thousands of files are synced */
    snprintf(scratch, sizeof scratch, "/dev/shm/tributary-test-XXXXXX");
    if (mkdtemp(scratch) && access(scratch, W_OK) == 0) return scratch;
    snprintf(scratch, sizeof scratch, "/tmp/tributary-test-XXXXXX");
    return mkdtemp(scratch);
}

void trib_scratch_remove(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

void trib_scratch_empty(void) {
    trib_scratch_remove(scratch);
    mkdir(scratch, 0700);
}

const char *trib_shared(const char *path) {
    static char full[4096];
    const char *root = getenv("TRIBUTARY_SHARED");
    snprintf(full, sizeof full, "tests/%s", path);
    if (access(full, R_OK) == 0) return full;
    if (!root || !*root) root = "../shared";
    snprintf(full, sizeof full, "%s/%s", root, path);
    if (access(full, R_OK) == 0) return full;
    trib_skip("no shared corpora (TRIBUTARY_SHARED)");
    return NULL;
}

const char *trib_scratch(const char *path) {
    static char full[8][4096];
    static unsigned turn;
    turn = (turn + 1) % 8;
    snprintf(full[turn], sizeof full[turn], "%s%s%s", scratch, *path ? "/" : "", path);
    return full[turn];
}

const char *trib_scratch_below(const char *path) {
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        char folder[512];
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        mkdir(trib_scratch(folder), 0700);
    }
    return trib_scratch(path);
}

void trib_write_bytes(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK(fwrite(bytes, 1, length, file) == length);
    CHECK(fclose(file) == 0);
}

const char *trib_write_scratch(const char *name, const char *text) {
    const char *path = trib_scratch_below(name);
    trib_write_bytes(path, text, strlen(text));
    return path;
}

void trib_read_bytes(const char *path, trib_buffer *bytes) {
    trib_error error = {0};
    EXPECT_OK(trib_read_whole(path, bytes, &error));
    CHECK(bytes->text != NULL);
}

bool trib_is_slow(void) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return true;
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return getenv("TEST_SLOW") != NULL;
}

static void report(bool good, const char *what, const char *file, int line, const char *tell) {
    if (!good) fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, tell);
    CU_assertImplementation(good, (unsigned)line, what, file, "", CU_FALSE);
}

void trib_expect_near(double actual, double wanted, double tolerance, const char *what,
                      const char *file, int line) {
    char tell[160];
    snprintf(tell, sizeof tell, "%.17g instead of %.17g (tolerance %g)", actual, wanted, tolerance);
    report(fabs(actual - wanted) <= tolerance, what, file, line, tell);
}

void trib_expect_text(const char *actual, const char *wanted, const char *what, const char *file,
                      int line) {
    char tell[4096];
    snprintf(tell, sizeof tell, "\"%.1900s\" instead of \"%.1900s\"", actual ? actual : "(null)",
             wanted);
    report(actual && strcmp(actual, wanted) == 0, what, file, line, tell);
}

void trib_expect_status(trib_status actual, trib_status wanted, const trib_error *error,
                        const char *what, const char *file, int line) {
    char tell[TRIB_MESSAGE_MAX + 100];
    snprintf(tell, sizeof tell, "%s instead of %s: %s", trib_status_get(actual)->name,
             trib_status_get(wanted)->name, actual == TRIB_OK ? "" : error->message);
    report(actual == wanted, what, file, line, tell);
}

size_t trib_fail_every_allocation(trib_status (*attempt)(void *context, trib_error *error),
                                  void *context) {
    /* every one of the first 256, then ever fewer: a whole run allocates thousands of times */
    for (uint64_t n = 1;; n += 1 + n / 256) {
        trib_error error = {0};
        trib_memory_fail_from(n);
        const trib_status status = attempt(context, &error);
        const uint64_t attempts = trib_memory_attempts();
        trib_memory_fail_from(0);
        if (attempts < n) {
            EXPECT_OK(status);
            return n;
        }
        EXPECT_STATUS(status, TRIB_MEMORY, error);
        if (status != TRIB_MEMORY) return n;
    }
}

size_t trib_stop_at_every_look(trib_status (*attempt)(void *context, trib_error *error),
                               void *context) {
    for (uint64_t n = 1;; n++) {
        trib_error error = {0};
        trib_stop_at(n);
        const trib_status status = attempt(context, &error);
        const uint64_t n_looks = trib_stop_n_checks();
        trib_stop_forget();
        if (n_looks < n) {
            EXPECT_OK(status);
            return n - 1;
        }
        EXPECT_STATUS(status, TRIB_INTERRUPTED, error);
        if (status != TRIB_INTERRUPTED) return n;
    }
}
