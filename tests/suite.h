/* suite.h - the parts of the test program: main.c starts processes, suite.c runs tests in them,
 * check.c has the functions of test.h, odd.c the suites that tests of the test program run. */
#ifndef TRIBUTARY_TEST_SUITE_H
#define TRIBUTARY_TEST_SUITE_H

#include "tests/test.h"

#include <stdatomic.h>

typedef struct trib_test_case trib_test_case;

typedef struct trib_suite {
    const char *name;
    CU_TestInfo *tests;
    const trib_test_case **cases; /* of each test: NULL when it is no case of a file */
} trib_suite;

/* Replaces a test that names a group of a file of cases by one for each of these. */
void trib_suite_expand(trib_suite *suite);
extern const trib_test_case *trib_case_now; /* set before a test runs */

/* Suites whose tests crash, hang, exit, fail and so on. */
extern const trib_suite trib_odd_suites[];
extern const size_t trib_n_odd_suites;

/* What all processes that run tests share. */
typedef struct trib_test_counts {
    atomic_uint passed, failed, skipped;
} trib_test_counts;

/* What the processes that run tests of one suite share. */
typedef struct trib_suite_progress {
    atomic_uint next; /* the test to be started next */
    double *seconds;  /* [n_tests] of processor, of the test and of the programs that it ran */
} trib_suite_progress;

/* Where a process that runs tests is. */
typedef struct trib_test_place {
    atomic_uint n_started; /* tests, the running one included */
    atomic_uint running;   /* 1 + the number of the running test in its suite; 0: none */
} trib_test_place;

/* Runs tests of a suite in this process, each as the next that no process has started, until there
 * is none. False when that cannot be done. `output`: the file that standard output and standard
 * error of this process go to, -1 when they are shown as they come. */
bool trib_suite_run(const trib_suite *suite, trib_suite_progress *progress, trib_test_place *place,
                    trib_test_counts *counts, int output);

/* Where reports go: standard output as it is now. To be called once, before processes are
 * started. False when that cannot be done. */
bool trib_test_report_open(void);
/* Prints "FAILED  SUITE: TEST: WHY" or "skipped ..." and the end of the file `output` (-1: none).
 * Processes may call it at the same time. */
void trib_test_report(const char *outcome, const char *suite, const char *test, const char *why,
                      int output);

/* Makes a new directory for trib_scratch in this process and in those that it starts. Returns its
 * path, valid until the next call; NULL when that cannot be done. */
const char *trib_scratch_make(void);
void trib_scratch_remove(const char *path);
/* Removes all that is in the scratch directory. */
void trib_scratch_empty(void);

/* Why the running test is to be skipped, NULL when it is not; the caller may set it. */
extern const char *trib_skip_reason;

#endif
