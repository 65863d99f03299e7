/* main.c - runs every suite of suites.def, or those named on the command line, and closes with
 * "N passed, N failed, N skipped". Exit status 0 only when nothing failed and something ran.
 * With TEST_JOBS=N in the environment N processes share out the tests. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include "tests/test.h"

#include <CUnit/TestRun.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SUITE(folder, file) extern CU_TestInfo trib_tests_##folder##_##file[];
#include "tests/suites.def"
#undef SUITE

static const struct {
    const char *name;
    CU_TestInfo *tests;
} suites[] = {
#define SUITE(folder, file) {#folder "/" #file, trib_tests_##folder##_##file},
#include "tests/suites.def"
#undef SUITE
};
enum { N_SUITES = sizeof suites / sizeof *suites };

static const char *skip_reason; /* of the running test */

enum { MAX_JOBS = 64 };

typedef struct counts {
    unsigned passed, failed, skipped;
} counts;
static counts *n_tests; /* of this process */

static char scratch[32] =
    "/dev/shm/tributary-test-XXXXXX"; /* in memory: thousands of files are synced */

void trib_skip(const char *reason) { skip_reason = reason; }

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
            EXPECT_STATUS(status, TRIB_OK, error);
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
            EXPECT_STATUS(status, TRIB_OK, error);
            return n - 1;
        }
        EXPECT_STATUS(status, TRIB_INTERRUPTED, error);
        if (status != TRIB_INTERRUPTED) return n;
    }
}

static void test_started(const CU_pTest test, const CU_pSuite suite) {
    (void)test;
    (void)suite;
    skip_reason = NULL;
}

static void test_completed(const CU_pTest test, const CU_pSuite suite,
                           const CU_pFailureRecord failure) {
    if (failure) {
        n_tests->failed++;
        printf("FAILED  %s: %s\n", suite->pName, test->pName);
        for (CU_pFailureRecord f = failure; f; f = f->pNext)
            printf("        %s:%u: %s\n", f->strFileName, f->uiLineNumber, f->strCondition);
    } else if (skip_reason) {
        n_tests->skipped++;
        printf("skipped %s: %s: %s\n", suite->pName, test->pName, skip_reason);
    } else {
        n_tests->passed++;
    }
    fflush(stdout);
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

static bool is_asked_for(const char *name, int argc, char **argv) {
    bool asked = argc < 2;
    for (int i = 1; i < argc; i++) asked = asked || strstr(name, argv[i]);
    return asked;
}

/* Runs every `jobs`-th test of the suites asked for, from test `job` on. False when that cannot
 * be done. */
static bool run_tests(int argc, char **argv, unsigned job, unsigned jobs) {
    unsigned n = 0;
    if (!mkdtemp(scratch)) snprintf(scratch, sizeof scratch, "/tmp/tributary-test-XXXXXX");
    if ((access(scratch, W_OK) != 0 && !mkdtemp(scratch)) ||
        CU_initialize_registry() != CUE_SUCCESS)
        return false;
    CU_set_test_start_handler(test_started);
    CU_set_test_complete_handler(test_completed);
    for (size_t s = 0; s < N_SUITES; s++) {
        if (!is_asked_for(suites[s].name, argc, argv)) continue;
        CU_pSuite suite = CU_add_suite(suites[s].name, NULL, NULL);
        for (CU_TestInfo *test = suites[s].tests; suite && test->pName; test++)
            if (n++ % jobs == job && !CU_add_test(suite, test->pName, test->pTestFunc))
                return false;
        if (!suite) return false;
    }
    CU_run_all_tests();
    CU_cleanup_registry();
    nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return true;
}

/* The same by a process of its own. */
static pid_t start_tests(int argc, char **argv, unsigned job, unsigned jobs) {
    const pid_t process = fork();
    if (process == 0) {
        n_tests += job;
        exit(run_tests(argc, argv, job, jobs) ? 0 : 1);
    }
    return process;
}

int main(int argc, char **argv) {
    const char *asked = getenv("TEST_JOBS");
    const long wanted = asked ? strtol(asked, NULL, 10) : 1;
    const unsigned jobs = wanted < 1 ? 1 : wanted > MAX_JOBS ? MAX_JOBS : (unsigned)wanted;
    pid_t process[MAX_JOBS];
    n_tests = mmap(NULL, MAX_JOBS * sizeof *n_tests, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_tests == MAP_FAILED) return 1;
    if (jobs == 1 && !run_tests(argc, argv, 0, 1)) return 1;
    for (unsigned j = 0; jobs > 1 && j < jobs; j++) process[j] = start_tests(argc, argv, j, jobs);
    for (unsigned j = 0; jobs > 1 && j < jobs; j++) {
        int status = 1;
        if (process[j] < 0 || waitpid(process[j], &status, 0) < 0 || status != 0) {
            n_tests->failed++;
            printf("FAILED  process %u of the tests ended with status %d\n", j + 1, status);
        }
    }
    counts sum = {0};
    for (unsigned j = 0; j < jobs; j++) {
        sum.passed += n_tests[j].passed;
        sum.failed += n_tests[j].failed;
        sum.skipped += n_tests[j].skipped;
    }
    printf("%u passed, %u failed, %u skipped\n", sum.passed, sum.failed, sum.skipped);
    return sum.failed == 0 && sum.passed + sum.skipped > 0 ? 0 : 1;
}
