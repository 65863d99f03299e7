/* faults.h - a layer under every file operation of the program, inserted by the linker (--wrap);
 * the installed program does not have it. Operations are counted from 1: open, create, write,
 * fsync, rename, mkdir, unlink, rmdir, read, pread; those on standard input, output and error do
 * not count. */
#ifndef TRIBUTARY_TESTS_FAULTS_H
#define TRIBUTARY_TESTS_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum fault {
    FAULT_NONE,
    FAULT_FAIL,  /* operation n alone fails with EIO */
    FAULT_FULL,  /* from operation n on, nothing can be written or created: ENOSPC */
    FAULT_SHORT, /* operation n, a write or read, does half of its work */
    FAULT_STOP,  /* SIGTERM at operation n */
    FAULT_KILL,  /* SIGKILL before operation n */
    FAULT_TORN,  /* the same, and contents written since the last sync of a file are lost */
    /* the same, and so are files, directories and names whose directory was not synced */
    FAULT_POWER,
    N_FAULTS
} fault;
extern const char *const fault_names[N_FAULTS];

/* Sets the fault and starts counting at 1. */
void fault_begin(fault what, uint64_t n);
uint64_t fault_count(void);
/* The directory that holds removed files until their removal is safe, for torn and power: empty,
 * on the same file system. The string is borrowed. */
void fault_saved(const char *directory);
/* Each call of the clock adds so many seconds. */
void fault_slow_clock(double seconds);

#endif
