/* runner.c - tests of the test program: what it prints about the suites of tests/odd.c. */
#include "tests/test.h"

#include <sys/wait.h>
#include <unistd.h>

/* What `run --odd SUITES` prints with the settings; it is freed by the caller. `status` gets its
 * exit status, -1 when it ended in another way. */
static char *run_odd(const char *settings, const char *names, int *status) {
    char path[4096], line[2 * sizeof path];
    trib_buffer said = {0};
    const char *out = trib_scratch("said");
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) {
        trib_skip("this system does not say where the running program is");
        return NULL;
    }
    path[n] = '\0';
    snprintf(line, sizeof line, "TEST_TIMES= %s '%s' --odd %s >'%s' 2>&1", settings, path, names,
             out);
    const int ended = system(line);
    *status = ended != -1 && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    CHECK(trib_read_whole(out, &said, NULL) == TRIB_OK);
    return said.text;
}

/* Runs suites, and expects each line of `wanted` to be a line of what is printed, and none of
 * `unwanted` to be a part of it. */
static void expect_lines(const char *settings, const char *names, const char *const *wanted,
                         const char *unwanted) {
    int status = -1;
    GIVEN(trib_owned_text) said = run_odd(settings, names, &status);
    if (!said) return;
    EXPECT(status == 1);
    for (; *wanted; wanted++) {
        const char *found = said;
        const size_t n = strlen(*wanted);
        do found = strstr(found, *wanted);
        while (found && !((found == said || found[-1] == '\n') && found[n] == '\n') && found++);
        if (!found) fprintf(stderr, "no line \"%s\" in:\n%s", *wanted, said);
        EXPECT(found != NULL);
    }
    if (strstr(said, unwanted)) fprintf(stderr, "\"%s\" in:\n%s", unwanted, said);
    EXPECT(!strstr(said, unwanted));
}

static void a_failure_shows_what_the_test_printed_and_a_pass_nothing(void) {
    static const char *const wanted[] = {"FAILED  odd/plain: fails and prints",
                                         "        tests/odd.c:18: 1 > 2",
                                         "      | printed by a test that fails",
                                         "skipped odd/plain: is skipped: no reason",
                                         "FAILED  odd/plain: prints much",
                                         "      | (352506 bytes before this)",
                                         "      | line 19999 of many",
                                         "1 passed, 2 failed, 1 skipped",
                                         NULL};
    expect_lines("TEST_JOBS=1", "odd/plain", wanted, "that passes");
    expect_lines("TEST_JOBS=3", "odd/plain", wanted, "after a fatal assertion");
}

static void a_crash_is_a_failed_test_and_the_others_run(void) {
    expect_lines("TEST_JOBS=2", "odd/crash",
                 (const char *const[]){
                     "FAILED  odd/crash: crashes: ended by signal 11 (Segmentation fault)",
                     "FAILED  odd/crash: crashes again: ended by signal 11 (Segmentation fault)",
                     "      | printed before the crash", "3 passed, 2 failed, 0 skipped", NULL},
                 "that passes");
}

static void cases_of_a_file_are_tests(void) {
    static const char *const wanted[] = {
        "FAILED  odd/cases: tests/odd.txt:12: a case",
        "FAILED  odd/cases: tests/odd.txt:24: more lines than fields",
        "FAILED  odd/cases: tests/odd.txt [none]",
        "FAILED  odd/cases: tests/odd.txt:31: unread",
        "2 passed, 4 failed, 0 skipped",
        NULL};
    expect_lines("TEST_JOBS=2", "odd/cases", wanted, "signal");
}

static void an_exit_is_a_failed_test_and_the_others_run(void) {
    expect_lines("TEST_JOBS=2", "odd/leave",
                 (const char *const[]){
                     "FAILED  odd/leave: exits: the process exited with status 0",
                     "FAILED  odd/leave: exits with a status: the process exited with status 66",
                     "1 passed, 2 failed, 0 skipped", NULL},
                 "that passes");
}

static void a_test_without_end_is_a_failed_test(void) {
    /* no other test runs beside it: on a busy machine any may take a second */
    expect_lines(
        "TEST_JOBS=1 TEST_HANGS=1", "odd/hang",
        (const char *const[]){"FAILED  odd/hang: hangs: no end after 1 seconds (TEST_HANGS)",
                              "      | printed before the end that does not come",
                              "0 passed, 1 failed, 0 skipped", NULL},
        "signal");
}

static void a_process_that_fails_at_its_exit_is_a_failure(void) {
    expect_lines("TEST_JOBS=1", "odd/late",
                 (const char *const[]){
                     "FAILED  odd/late: after its last test: the process exited with status 23",
                     "      | printed at the exit of the process", "1 passed, 1 failed, 0 skipped",
                     NULL},
                 "signal");
}

static void a_report_of_a_sanitizer_is_a_failure(void) {
    expect_lines(
        "TEST_JOBS=1", "odd/report",
        (const char *const[]){"FAILED  odd/report: is reported: a sanitizer reported an error",
                              "      | a.c:1:2: runtime error: something undefined",
                              "0 passed, 1 failed, 0 skipped", NULL},
        "signal");
}

static void tests_run_in_one_process(void) {
    expect_lines("TEST_JOBS=0", "odd/plain",
                 (const char *const[]){"printed by a test that passes",
                                       "FAILED  odd/plain: fails and prints",
                                       "skipped odd/plain: is skipped: no reason",
                                       "1 passed, 2 failed, 1 skipped", NULL},
                 "after a fatal assertion");
}

static void a_child_process_of_a_test_runs_no_other_test(void) {
    int status = -1;
    GIVEN(trib_owned_text) said = run_odd("TEST_JOBS=1", "odd/child", &status);
    if (!said) return;
    EXPECT(status == 0);
    EXPECT_TEXT(said, "1 passed, 0 failed, 0 skipped\n");
}

static void a_name_that_no_suite_has_is_a_failure(void) {
    expect_lines("TEST_JOBS=1", "odd/nothing",
                 (const char *const[]){"0 passed, 0 failed, 0 skipped", NULL}, "FAILED");
}

CU_TestInfo trib_tests_base_runner[] = {
    {"a failure shows what the test printed, and a pass nothing",
     a_failure_shows_what_the_test_printed_and_a_pass_nothing},
    {"cases of a file are tests", cases_of_a_file_are_tests},
    {"a crash is a failed test, and the others run", a_crash_is_a_failed_test_and_the_others_run},
    {"an exit is a failed test, and the others run", an_exit_is_a_failed_test_and_the_others_run},
    {"a test without end is a failed test", a_test_without_end_is_a_failed_test},
    {"a process that fails at its exit is a failure",
     a_process_that_fails_at_its_exit_is_a_failure},
    {"a report of a sanitizer is a failure", a_report_of_a_sanitizer_is_a_failure},
    {"tests run in one process", tests_run_in_one_process},
    {"a child process of a test runs no other test", a_child_process_of_a_test_runs_no_other_test},
    {"a name that no suite has is a failure", a_name_that_no_suite_has_is_a_failure},
    CU_TEST_INFO_NULL};
