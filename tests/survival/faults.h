/* faults.h - a layer under every file operation of the program, put there by the linker (--wrap):
 * the program that is shipped has none of it. Operations are counted from 1: open, mkstemp, write,
 * fsync, rename, mkdir, unlink, rmdir, read, pread; standard input, output and error do not
 * count. */
#ifndef TRIBUTARY_TESTS_FAULTS_H
#define TRIBUTARY_TESTS_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum fault {
    FAULT_NONE,
    FAULT_FAIL,  /* operation n fails with EIO, alone */
    FAULT_FULL,  /* from operation n on nothing can be written or made: ENOSPC */
    FAULT_SHORT, /* operation n, a write or read, does half of what was asked for */
    FAULT_STOP,  /* SIGTERM at operation n */
    FAULT_KILL,  /* SIGKILL before operation n */
    FAULT_TORN,  /* the same, and what was written to a file that was not synced since is lost */
    /* the same, and files, directories and their names, too: where they stand was not synced */
    FAULT_POWER,
    N_FAULTS
} fault;
extern const char *const fault_names[N_FAULTS];

/* From now on; counting starts anew. */
void fault_begin(fault what, uint64_t n);
uint64_t fault_count(void);
/* Where torn and power keep files whose names are gone but not for certain: an empty directory of
 * the same file system; borrowed. */
void fault_shelf(const char *directory);
/* Every look at the clock takes so many seconds longer. */
void fault_slow_clock(double seconds);

#endif
