/* memory_limit.h - memory that the process may still use under the limits on address space (ulimit
 * -v) and memory (containers, resources.memory), and the number of threads that fit. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_MEMORY_LIMIT_H
#define TRIBUTARY_SUPPORT_MEMORY_LIMIT_H

#include <pthread.h>
#include <stdint.h>

/* Address space of one thread: an OpenBLAS buffer (128 MiB; OpenBLAS retries for ever when it
 * cannot be allocated), the stack, and an arena of malloc. */
enum { TRIB_MEMORY_PER_THREAD = 208 << 20 };

/* How many of n threads fit and may run (trib_process_threads), at least 1. Results do not depend
 * on it. */
int trib_memory_threads(int n);

/* Memory in bytes of the machine, or of the container when that is smaller. */
uint64_t trib_memory_machine(void);
/* Memory limit of the container in bytes; 0 when there is no container with a limit. */
uint64_t trib_memory_container(void);
/* The smallest limit of the control groups of this process, versions 1 and 2; UINT64_MAX when there
 * is none. `root` is prepended to the paths of the system's files; it is "" except in tests. */
uint64_t trib_memory_cgroup(const char *root);
/* The limit for allocations (trib_memory_limit) in bytes; 0: no limit. It is the smaller of `asked`
 * (resources.memory) and the memory of the container, minus the memory of the program and its
 * libraries, but at least half of it, and never more than the address space left. When `asked` is 0
 * and there is no container, it starts from the memory of the machine, unless there are several
 * processes, which may be on other machines. */
uint64_t trib_memory_allowed(uint64_t asked, int n_threads, int n_processes);

/* ---- Parts that run alone -------------------------------------------------------------------- */

/* A lock for parts that run concurrently, or alone. Whether a part fits into the memory limit must
 * not depend on what other threads do at that moment. Therefore a part that fails beside others is
 * repeated alone, while the others wait. */
typedef struct trib_gate {
    /* locked while a thread waits to be alone, so that no other thread enters */
    pthread_mutex_t entry;
    /* read-locked by threads that run concurrently, write-locked by one that runs alone */
    pthread_rwlock_t parts;
} trib_gate;

void trib_gate_init(trib_gate *gate);
void trib_gate_release(trib_gate *gate);
/* Enters concurrently with other threads, or alone; waits until that is possible. A thread must
 * leave before it enters again. */
void trib_gate_enter(trib_gate *gate);
void trib_gate_enter_alone(trib_gate *gate);
void trib_gate_leave(trib_gate *gate);

#endif
