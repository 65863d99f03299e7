/* memory_limit.h - what limits of address space (ulimit -v) and of memory (containers,
 * resources.memory) leave, and how many threads work in that. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_MEMORY_LIMIT_H
#define TRIBUTARY_SUPPORT_MEMORY_LIMIT_H

#include <stdint.h>

/* What a thread takes: a buffer of OpenBLAS (128 MiB), which asks for it again for ever when there
 * is none, its stack, an arena of malloc. */
enum { TRIB_ROOM_THREAD = 208 << 20 };

/* Bytes of address space that are left; UINT64_MAX without a limit. */
uint64_t trib_memory_left(void);
/* How many of n threads fit, at least 1. Results do not depend on it. */
int trib_memory_threads(int n);
/* Bytes that are left for the program itself beside n threads; 0 without a limit, else at least
 * 1. */
uint64_t trib_memory_total(int n);

/* Bytes of memory of the machine, or of the container where that has less. */
uint64_t trib_memory_machine(void);
/* The same of the container; 0 where there is none with a limit. */
uint64_t trib_memory_container(void);
/* The least limit of the control groups of this process, versions 1 and 2; UINT64_MAX where there
 * is none. Files are looked for below `root`, "" for those of the system. */
uint64_t trib_memory_cgroup(const char *root);
/* What may be allocated (trib_memory_limit): of resources.memory, `asked`, and of a container's
 * memory what the program and its libraries leave, at least half of it, but no more than the
 * address space has. Where nothing is asked for and there is no container, the memory of the
 * machine counts, unless other processes may run elsewhere. 0: no limit. */
uint64_t trib_memory_allowed(uint64_t asked, int n_threads, int n_processes);
/* Bytes of memory that the process has now, the program and its libraries included; 0 where the
 * system does not tell. */
uint64_t trib_memory_resident(void);

#endif
