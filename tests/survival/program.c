/* program.c - the program with faults. Environment: FAULT="power 17" is the fault and the number
 * of its operation; FAULT_CLOCK the seconds that each call of the clock adds; FAULT_SAVED the
 * directory of fault_saved; FAULT_COUNT a file that receives the number of operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "tests/survival/faults.h"

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
    const int status = trib_main(argc, argv);
    FILE *file = count ? fopen(count, "w") : NULL;
    if (file) fprintf(file, "%llu\n", (unsigned long long)fault_count());
    if (file) fclose(file);
    return status;
}
