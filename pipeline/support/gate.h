/* gate.h - a lock for parts that run concurrently, or alone. Whether a part fits into the memory
 * limit must not depend on what other threads do at that moment. Therefore a part that fails beside
 * others is repeated alone, while the others wait. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_GATE_H
#define TRIBUTARY_SUPPORT_GATE_H

#include <pthread.h>

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
