/* program.c - the program with faults. Environment: FAULT="power 17" is the fault and the number
 * of its operation; FAULT_CLOCK the seconds that each call of the clock adds; FAULT_SAVED the
 * directory of fault_saved; FAULT_SERVES: command lines are read (serve); FAULT_COUNT a file that
 * receives the number of operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "tests/survival/faults.h"

/* Runs each command line of standard input, words between tabs, in a child; its output goes to the
 * file that is the first word. Prints the exit status, or 128 and the signal. */
static int serve(void) {
    char line[1 << 13], *word[64];
    while (fgets(line, sizeof line, stdin)) {
        int n = 0, how = 0;
        line[strcspn(line, "\n")] = '\0';
        for (char *w = strtok(line, "\t"); w && n < 63; w = strtok(NULL, "\t")) word[n++] = w;
        word[n] = NULL;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            if (!freopen("/dev/null", "r", stdin) || !freopen(word[0], "w", stdout)) _exit(2);
            dup2(STDOUT_FILENO, STDERR_FILENO);
            exit(trib_main(n, word));
        }
        if (waitpid(child, &how, 0) < 0) return 2;
        printf("%d\n", WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how));
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *asked = getenv("FAULT"), *slow = getenv("FAULT_CLOCK"),
               *count = getenv("FAULT_COUNT");
    char word[16] = "none";
    unsigned long long n = 0;
    int what = 0;
    if (asked && sscanf(asked, "%15s %llu", word, &n) != 2) return 2;
    while (what < N_FAULTS && strcmp(word, fault_names[what]) != 0) what++;
    if (what == N_FAULTS) return 2;
    if (slow) fault_slow_clock(atof(slow));
    fault_saved(getenv("FAULT_SAVED"));
    fault_begin((fault)what, n);
    if (getenv("FAULT_SERVES")) return serve();
    const int status = trib_main(argc, argv);
    FILE *file = count ? fopen(count, "w") : NULL;
    if (file) fprintf(file, "%llu\n", (unsigned long long)fault_count());
    if (file) fclose(file);
    return status;
}
