/* gate.h - whether something fits into the limit of memory must not depend on what other threads do
 * at that moment: what failed beside others is done again alone, while they wait. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_GATE_H
#define TRIBUTARY_SUPPORT_GATE_H

#include <pthread.h>

typedef struct trib_gate {
    pthread_mutex_t entry;  /* held while one waits to be alone: nobody else begins */
    pthread_rwlock_t parts; /* held for reading by all who work beside others */
} trib_gate;

void trib_gate_init(trib_gate *gate);
void trib_gate_release(trib_gate *gate);
/* Enters beside others, or alone, as soon as that is possible. A thread that is in leaves before it
 * enters again. */
void trib_gate_enter(trib_gate *gate);
void trib_gate_enter_alone(trib_gate *gate);
void trib_gate_leave(trib_gate *gate);

#endif
