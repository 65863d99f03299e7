/* gate.c - a lock for many readers and one writer. A waiting writer is not delayed by readers that
 * come later. */
#include "pipeline/support/gate.h"

void trib_gate_init(trib_gate *gate) {
    pthread_mutex_init(&gate->entry, NULL);
    pthread_rwlock_init(&gate->parts, NULL);
}

void trib_gate_release(trib_gate *gate) {
    pthread_rwlock_destroy(&gate->parts);
    pthread_mutex_destroy(&gate->entry);
}

void trib_gate_enter(trib_gate *gate) {
    pthread_mutex_lock(&gate->entry);
    pthread_rwlock_rdlock(&gate->parts);
    pthread_mutex_unlock(&gate->entry);
}

void trib_gate_enter_alone(trib_gate *gate) {
    pthread_mutex_lock(&gate->entry);
    pthread_rwlock_wrlock(&gate->parts);
    pthread_mutex_unlock(&gate->entry);
}

void trib_gate_leave(trib_gate *gate) { pthread_rwlock_unlock(&gate->parts); }
