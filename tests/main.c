/* main.c - the test program: runs the suites of suites.def, or those whose names contain one of the
 * arguments.
 *
 * Each suite runs in a process of its own, several suites at the same time; a process that finds no
 * other suite helps with one that has tests left. A test that crashes, exits or makes no progress
 * has failed, and a new process runs the tests after it. What a test prints is shown when it fails.
 * Settings, in the environment:
 *
 *     TEST_JOBS=N     processes at the same time; by default as many as there are processors.
 *                     0: runs everything in this process and shows output as it comes (for gdb)
 *     TEST_HANGS=N    a test that runs for N seconds is ended and has failed (default 600; 0: none)
 *     TEST_TIMES=1    prints the processor seconds of suites and of the tests that take most */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include "pipeline/text/apart.h"
#include "tests/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SUITE(folder, file) extern CU_TestInfo trib_tests_##folder##_##file[];
#include "tests/suites.def"
#undef SUITE

static const trib_suite suites[] = {
#define SUITE(folder, file) {#folder "/" #file, trib_tests_##folder##_##file, NULL},
#include "tests/suites.def"
#undef SUITE
};

enum { MAX_JOBS = 64, MAX_SUITES = 512, MAX_LISTED = 40 };

/* A process that runs tests of a suite. */
typedef struct job {
    pid_t process; /* 0: none */
    size_t suite;
    int output;              /* what it prints */
    char scratch[32];        /* its scratch directory */
    trib_test_place *place;  /* shared with it */
    unsigned n_started_seen; /* tests, when one was last seen to be new */
    time_t seen;             /* and the time of that */
    bool hangs;              /* was ended for that */
} job;

/* A suite that is asked for. */
typedef struct plan {
    trib_suite suite;
    trib_suite_progress *progress; /* shared */
    unsigned n_tests, n_jobs;
} plan;

static plan plans[MAX_SUITES];
static size_t n_plans;
static job jobs[MAX_JOBS];
static trib_test_counts *counts; /* shared */

static int wake[2]; /* a pipe: a byte for each signal */
static volatile sig_atomic_t ended_by;

static void on_signal(int number) {
    const int saved = errno;
    if (number != SIGCHLD) ended_by = number;
    (void)!write(wake[1], "", 1);
    errno = saved;
}

static long setting(const char *name, long otherwise) {
    const char *value = getenv(name);
    return value && *value ? strtol(value, NULL, 10) : otherwise;
}

static time_t now(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? time.tv_sec : 0;
}

/* Memory filled with zeros that processes started from now on share; NULL: none. */
static void *share(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool is_asked_for(const char *name, int argc, char **argv) {
    bool asked = argc < 2;
    for (int i = 1; i < argc; i++) asked = asked || strstr(name, argv[i]);
    return asked;
}

/* Fills `plans`. */
static bool choose(const trib_suite *all, size_t n_all, int argc, char **argv) {
    size_t n = 0;
    for (size_t s = 0; s < n_all && n_plans < MAX_SUITES; s++) {
        if (!is_asked_for(all[s].name, argc, argv)) continue;
        plan *p = &plans[n_plans++];
        p->suite = all[s];
        trib_suite_expand(&p->suite);
        while (p->suite.tests[p->n_tests].pName) p->n_tests++;
        n += p->n_tests;
    }
    trib_suite_progress *progress = share(n_plans * sizeof *progress + 1);
    double *seconds = share(n * sizeof *seconds + 1);
    if (!progress || !seconds) return false;
    for (size_t s = 0; s < n_plans; s++) {
        plans[s].progress = &progress[s];
        progress[s].seconds = seconds;
        seconds += plans[s].n_tests;
    }
    return true;
}

static unsigned n_left(const plan *p) {
    const unsigned next = p->progress->next;
    return next < p->n_tests ? p->n_tests - next : 0;
}

/* The suite for the next process: the first that has none, else the one with most tests left for
 * each of its processes. n_plans: no suite has tests left. */
static size_t next_suite(void) {
    size_t best = n_plans;
    for (size_t s = 0; s < n_plans; s++) {
        if (n_left(&plans[s]) == 0) continue;
        if (plans[s].n_jobs == 0) return s;
        if (best == n_plans || (uint64_t)n_left(&plans[s]) * (plans[best].n_jobs + 1) >
                                   (uint64_t)n_left(&plans[best]) * (plans[s].n_jobs + 1))
            best = s;
    }
    return best;
}

static int open_output(const char *scratch) {
    char path[64];
    snprintf(path, sizeof path, "%s-out", scratch);
    const int output = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    unlink(path);
    return output;
}

/* What the process of a job does. */
static void work(const job *j) {
    const plan *p = &plans[j->suite];
    const int in = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(j->output, STDOUT_FILENO) < 0 ||
        dup2(j->output, STDERR_FILENO) < 0)
        _exit(1);
    close(in);
    setvbuf(stdout, NULL, _IOLBF, 0); /* in the order in which things are printed */
    exit(trib_suite_run(&p->suite, p->progress, j->place, counts, j->output) ? 0 : 1);
}

/* False when no process can be started. */
static bool start(job *j, size_t suite) {
    const char *scratch = trib_scratch_make();
    if (!scratch) return false;
    snprintf(j->scratch, sizeof j->scratch, "%s", scratch);
    j->suite = suite;
    j->output = open_output(scratch);
    j->place->n_started = j->place->running = 0;
    j->n_started_seen = 0;
    j->seen = now();
    j->hangs = false;
    fflush(NULL);
    j->process = j->output < 0 ? -1 : fork();
    if (j->process == 0) work(j);
    if (j->process > 0) {
        setpgid(j->process, j->process); /* here too: whichever process comes first */
        plans[suite].n_jobs++;
        return true;
    }
    j->process = 0;
    if (j->output >= 0) close(j->output);
    trib_scratch_remove(j->scratch);
    return false;
}

/* Takes note of the end of a job's process. */
static void ended(job *j, int status) {
    plan *p = &plans[j->suite];
    const unsigned running = j->place->running;
    char why[120];
    kill(-j->process, SIGKILL); /* the programs that it left */
    if (j->hangs)
        snprintf(why, sizeof why, "no end after %ld seconds (TEST_HANGS)",
                 setting("TEST_HANGS", 600));
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else snprintf(why, sizeof why, "the process exited with status %d", WEXITSTATUS(status));
    if (status != 0 || running) {
        counts->failed++;
        trib_test_report("FAILED", p->suite.name,
                         running ? p->suite.tests[running - 1].pName : "after its last test", why,
                         j->output);
        /* a process that comes to no test would be started for ever */
        if (j->place->n_started == 0) p->progress->next = p->n_tests;
    }
    close(j->output);
    trib_scratch_remove(j->scratch);
    p->n_jobs--;
    j->process = 0;
}

static void end_job(job *j) { kill(-j->process, SIGKILL); }

/* Waits until a process may have ended, and takes note of those that did. */
static void wait_for_processes(unsigned n_jobs) {
    const long limit = setting("TEST_HANGS", 600);
    struct pollfd signals = {.fd = wake[0], .events = POLLIN};
    char bytes[64];
    if (poll(&signals, 1, 1000) > 0) (void)!read(wake[0], bytes, sizeof bytes);
    for (unsigned i = 0; i < n_jobs; i++) {
        job *j = &jobs[i];
        int status = 0;
        if (!j->process) continue;
        if (waitpid(j->process, &status, WNOHANG) == j->process) {
            ended(j, status);
        } else if (j->n_started_seen != j->place->n_started) {
            j->n_started_seen = j->place->n_started;
            j->seen = now();
        } else if (limit > 0 && now() - j->seen > limit) {
            j->hangs = true;
            end_job(j);
        }
    }
}

static bool run_in_processes(unsigned n_jobs) {
    trib_test_place *places = share(MAX_JOBS * sizeof *places);
    if (!places || !trib_test_report_open() || pipe(wake) != 0) return false;
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++)
        sigaction(signals[s], &(struct sigaction){.sa_handler = on_signal}, NULL);
    for (int end = 0; end < 2; end++) {
        fcntl(wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(wake[end], F_SETFL, O_NONBLOCK);
    }
    for (unsigned n_running = 1; n_running > 0;) {
        n_running = 0;
        for (unsigned i = 0; i < n_jobs; i++) {
            jobs[i].place = &places[i];
            const size_t suite = jobs[i].process || ended_by ? n_plans : next_suite();
            if (suite < n_plans && !start(&jobs[i], suite)) {
                counts->failed++;
                trib_test_report("FAILED", plans[suite].suite.name, "its process", "not started",
                                 -1);
                plans[suite].progress->next = plans[suite].n_tests;
            }
            if (jobs[i].process && ended_by) end_job(&jobs[i]);
            n_running += jobs[i].process != 0;
        }
        if (n_running > 0) wait_for_processes(n_jobs);
    }
    return true;
}

static bool run_here(void) {
    const char *made = trib_scratch_make();
    char scratch[32];
    bool good = made != NULL;
    trib_test_place place = {0};
    if (good) snprintf(scratch, sizeof scratch, "%s", made);
    for (size_t s = 0; s < n_plans && good; s++)
        good = trib_suite_run(&plans[s].suite, plans[s].progress, &place, counts, -1);
    if (made) trib_scratch_remove(scratch);
    return good;
}

/* A line of the times: a suite, or a test of it. */
typedef struct cost {
    double seconds;
    const char *suite, *test;
} cost;

static int by_seconds(const void *a, const void *b) {
    const double x = ((const cost *)a)->seconds, y = ((const cost *)b)->seconds;
    return (x < y) - (x > y);
}

/* Keeps the MAX_LISTED highest costs. */
static void add_cost(cost list[MAX_LISTED + 1], cost added) {
    list[MAX_LISTED] = added;
    qsort(list, MAX_LISTED + 1, sizeof *list, by_seconds);
}

static void print_times(void) {
    static cost of_suites[MAX_LISTED + 1], of_tests[MAX_LISTED + 1];
    double all = 0;
    for (size_t s = 0; s < n_plans; s++) {
        cost suite = {0, plans[s].suite.name, ""};
        for (unsigned t = 0; t < plans[s].n_tests; t++) {
            const double seconds = plans[s].progress->seconds[t];
            add_cost(of_tests, (cost){seconds, suite.suite, plans[s].suite.tests[t].pName});
            suite.seconds += seconds;
        }
        add_cost(of_suites, suite);
        all += suite.seconds;
    }
    const cost *const lists[] = {of_suites, of_tests};
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < MAX_LISTED && lists[l][i].suite; i++)
            printf("%8.2f s  %s%s%s\n", lists[l][i].seconds, lists[l][i].suite, l ? ": " : "",
                   lists[l][i].test);
    printf("%8.2f s of processor\n", all);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], TRIB_APART_WORD) == 0) return trib_apart_serve(argv[2]);
    if (getenv("TEST_APART")) trib_apart_begin(600);
    const bool odd = argc > 1 && strcmp(argv[1], "--odd") == 0;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const long wanted = setting("TEST_JOBS", processors > 0 ? processors : 1);
    counts = share(sizeof *counts);
    if (!counts || !(odd ? choose(trib_odd_suites, trib_n_odd_suites, argc - 1, argv + 1)
                         : choose(suites, sizeof suites / sizeof *suites, argc, argv))) {
        fprintf(stderr, "error: no memory for the tests\n");
        return 1;
    }
    if (n_plans == 0) fprintf(stderr, "error: no suite has a name like that\n");
    if (wanted == 0 ? !run_here()
                    : !run_in_processes(wanted < 1          ? 1
                                        : wanted > MAX_JOBS ? MAX_JOBS
                                                            : (unsigned)wanted)) {
        printf("FAILED  the tests cannot be run: %s\n", strerror(errno));
        counts->failed++;
    }
    if (setting("TEST_TIMES", 0) > 0) print_times();
    if (ended_by) printf("stopped by signal %d\n", (int)ended_by);
    printf("%u passed, %u failed, %u skipped\n", counts->passed, counts->failed, counts->skipped);
    return counts->failed == 0 && counts->passed + counts->skipped > 0 && !ended_by ? 0 : 1;
}
