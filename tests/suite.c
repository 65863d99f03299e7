/* suite.c - runs the tests of a suite in this process, and reports those that fail or are skipped.
 * What a test prints is shown only when it fails. */
#include "tests/suite.h"

#include <CUnit/TestRun.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SHOWN = 1 << 14 }; /* bytes at the end of a test's output */

static int report_to = STDOUT_FILENO, report_lock = -1; /* files */

/* The suite that runs in this process. */
static struct {
    pid_t process;
    int output;
    trib_suite_progress *progress;
    trib_test_place *place;
    trib_test_counts *counts;
    double started; /* processor seconds at the start of the test */
} run;

bool trib_test_report_open(void) {
    char path[] = "/tmp/tributary-lock-XXXXXX";
    report_lock = mkstemp(path);
    if (report_lock < 0) return false;
    unlink(path);
    fcntl(report_lock, F_SETFD, FD_CLOEXEC);
    report_to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return report_to >= 0;
}

static void set_lock(short kind) {
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET};
    while (report_lock >= 0 && fcntl(report_lock, F_SETLKW, &lock) != 0 && errno == EINTR) {}
}

/* The bytes of a file from `from` on, at most SHOWN, as a text. Valid until the next call. */
static char *read_output(int output, off_t from) {
    static char text[SHOWN + 1];
    ssize_t n = pread(output, text, SHOWN, from);
    if (n < 0) n = 0;
    for (ssize_t i = 0; i < n; i++)
        if (!text[i]) text[i] = '?';
    text[n] = '\0';
    return text;
}

static void show_output(int output) {
    const off_t length = lseek(output, 0, SEEK_END), left_out = length - SHOWN;
    char *line = read_output(output, left_out > 0 ? left_out : 0);
    if (left_out > 0) {
        dprintf(report_to, "      | (%lld bytes before this)\n", (long long)left_out);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    for (char *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        dprintf(report_to, "      | %s\n", line);
    }
}

void trib_test_report(const char *outcome, const char *suite, const char *test, const char *why,
                      int output) {
    set_lock(F_WRLCK);
    dprintf(report_to, "%-7s %s: %s%s%s\n", outcome, suite, test, *why && *why != '\n' ? ": " : "",
            why);
    if (output >= 0) show_output(output);
    set_lock(F_UNLCK);
}

static double processor_seconds(void) {
    double sum = 0;
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (size_t i = 0; i < 2; i++) {
        struct rusage used;
        if (getrusage(whose[i], &used) != 0) continue;
        sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return sum;
}

/* Whether a sanitizer reported something that did not end the process. */
static bool has_sanitizer_report(int output) {
    static const char *const signs[] = {": runtime error: ", "Sanitizer: "};
    const off_t length = output < 0 ? 0 : lseek(output, 0, SEEK_END);
    for (off_t from = 0; from < length; from += SHOWN - 64) {
        const char *text = read_output(output, from);
        for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
            if (strstr(text, signs[s])) return true;
    }
    return false;
}

static void test_started(const CU_pTest test, const CU_pSuite suite) {
    (void)test;
    (void)suite;
    trib_skip_reason = NULL;
    run.started = processor_seconds();
}

/* "" or the assertions that failed, each on a line. Valid until the next call. */
static const char *failures_of(const CU_FailureRecord *failure) {
    static char text[8192];
    size_t n = 0;
    *text = '\0';
    for (; failure && n < sizeof text; failure = failure->pNext)
        n += (size_t)snprintf(text + n, sizeof text - n, "\n        %s:%u: %s",
                              failure->strFileName, failure->uiLineNumber, failure->strCondition);
    return text;
}

static void test_completed(const CU_pTest test, const CU_pSuite suite,
                           const CU_pFailureRecord failure) {
    fflush(stdout);
    if (getpid() != run.process) { /* fork() in a test, and its child process came back */
        fprintf(stderr, "a child process of the test returned from it\n");
        _exit(1);
    }
    const bool is_reported = has_sanitizer_report(run.output);
    if (failure || is_reported) {
        char why[8300];
        snprintf(why, sizeof why, "%s%s", is_reported ? "a sanitizer reported an error" : "",
                 failures_of(failure));
        run.counts->failed++;
        trib_test_report("FAILED", suite->pName, test->pName, why, run.output);
    } else if (trib_skip_reason) {
        run.counts->skipped++;
        trib_test_report("skipped", suite->pName, test->pName, trib_skip_reason, -1);
    } else {
        run.counts->passed++;
    }
    /* the file was opened to append */
    if (run.output >= 0 && ftruncate(run.output, 0) != 0) perror("ftruncate");
    run.progress->seconds[run.place->running - 1] = processor_seconds() - run.started;
}

bool trib_suite_run(const trib_suite *suite, trib_suite_progress *progress, trib_test_place *place,
                    trib_test_counts *counts, int output) {
    run.process = getpid();
    run.output = output;
    run.progress = progress;
    run.place = place;
    run.counts = counts;
    if (CU_initialize_registry() != CUE_SUCCESS) return false;
    CU_set_test_start_handler(test_started);
    CU_set_test_complete_handler(test_completed);
    CU_pSuite added = CU_add_suite(suite->name, NULL, NULL);
    bool is_added = added != NULL;
    unsigned next = atomic_fetch_add(&progress->next, 1);
    for (unsigned t = 0; is_added && suite->tests[t].pName; t++) {
        CU_pTest test = CU_add_test(added, suite->tests[t].pName, suite->tests[t].pTestFunc);
        is_added = test != NULL;
        if (!is_added || t != next) continue;
        place->running = t + 1;
        place->n_started++;
        trib_case_now = suite->cases[t];
        CU_run_test(added, test);
        place->running = 0;
        next = atomic_fetch_add(&progress->next, 1);
    }
    CU_cleanup_registry();
    return is_added;
}
