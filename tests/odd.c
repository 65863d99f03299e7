/* odd.c - suites whose tests do what no test should: build/tests/run --odd [SUITE...] runs them,
 * and tests/base/runner.c looks at what it prints. */
#include "tests/suite.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void passes_and_prints(void) {
    printf("printed by a test that passes\n");
    fprintf(stderr, "error: expected by a test that passes\n");
}

static void fails_and_prints(void) {
    printf("printed by a test that fails\n");
    EXPECT_TEXT("one", "two");
    CHECK(1 > 2);
    printf("printed after a fatal assertion\n");
}

static void is_skipped(void) { trib_skip("no reason"); }

static void prints_much(void) {
    for (int i = 0; i < 20000; i++) printf("line %d of many\n", i);
    EXPECT(false);
}

static void crashes(void) {
    /* no sanitizer is to take the signal, and no file is to be left */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGSEGV, SIG_DFL);
    fprintf(stderr, "printed before the crash\n");
    raise(SIGSEGV);
}

static void exits(void) { exit(0); }

static void exits_with_a_status(void) { exit(66); }

static void hangs(void) {
    fprintf(stderr, "printed before the end that does not come\n");
    for (;;) pause();
}

static void fail_at_exit(void) {
    fprintf(stderr, "printed at the exit of the process\n");
    _exit(23);
}

static void leaves_something(void) { atexit(fail_at_exit); }

static void is_reported(void) { fprintf(stderr, "a.c:1:2: runtime error: something undefined\n"); }

static void forks(void) {
    const pid_t child = fork();
    if (child == 0) return;
    int status = 0;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 1);
}

static void says_it_twice(void) {
    char twice[100] = "";
    size_t n = 0;
    CHECK(trib_case_bytes("said", &n) && n < 20);
    if (trib_case_number("times") == 2)
        snprintf(twice, sizeof twice, "%s%s", trib_case_text("said"), trib_case_text("said"));
    EXPECT_TEXT(twice, trib_case_text("wanted"));
    trib_buffer file = {0};
    CHECK(!*trib_case_text("file") || trib_read_whole(trib_scratch("a/b"), &file, NULL) == TRIB_OK);
    EXPECT_TEXT(file.text ? file.text : "", trib_case_text("file"));
    trib_buffer_release(&file);
}

static CU_TestInfo plain[] = {{"passes and prints", passes_and_prints},
                              {"fails and prints", fails_and_prints},
                              {"is skipped", is_skipped},
                              {"prints much", prints_much},
                              CU_TEST_INFO_NULL};
static CU_TestInfo crash[] = {{"before a crash", passes_and_prints},  {"crashes", crashes},
                              {"between crashes", passes_and_prints}, {"crashes again", crashes},
                              {"after a crash", passes_and_prints},   CU_TEST_INFO_NULL};
static CU_TestInfo leave[] = {{"exits", exits},
                              {"exits with a status", exits_with_a_status},
                              {"after an exit", passes_and_prints},
                              CU_TEST_INFO_NULL};
static CU_TestInfo hang[] = {{"hangs", hangs}, CU_TEST_INFO_NULL};
static CU_TestInfo late[] = {{"leaves something", leaves_something}, CU_TEST_INFO_NULL};
static CU_TestInfo report[] = {{"is reported", is_reported}, CU_TEST_INFO_NULL};
static CU_TestInfo cases[] = {{"tests/odd.txt [twice]", says_it_twice},
                              {"tests/odd.txt [none]", says_it_twice},
                              CU_TEST_INFO_NULL};
static CU_TestInfo child[] = {{"forks", forks}, CU_TEST_INFO_NULL};

const trib_suite trib_odd_suites[] = {
    {.name = "odd/plain", .tests = plain}, {.name = "odd/crash", .tests = crash},
    {.name = "odd/leave", .tests = leave}, {.name = "odd/hang", .tests = hang},
    {.name = "odd/late", .tests = late},   {.name = "odd/report", .tests = report},
    {.name = "odd/child", .tests = child}, {.name = "odd/cases", .tests = cases}};
const size_t trib_n_odd_suites = sizeof trib_odd_suites / sizeof *trib_odd_suites;
