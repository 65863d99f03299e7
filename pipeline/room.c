/* room.c - the limits of address space and memory, against what is in use now. */
#include "pipeline/room.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes of address space, and of memory, that the process has; 0 where the system does not tell. */
static void in_use(uint64_t *space, uint64_t *resident) {
    unsigned long long pages = 0, in_memory = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu %llu", &pages, &in_memory) != 2) pages = in_memory = 0;
    if (file) fclose(file);
    *space = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    *resident = in_memory * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t trib_room_machine(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t trib_room_resident(void) {
    uint64_t space, resident;
    in_use(&space, &resident);
    return resident;
}

uint64_t trib_room_left(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    uint64_t used, resident;
    in_use(&used, &resident);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

int trib_room_threads(int n) {
    const uint64_t fit = trib_room_left() / TRIB_ROOM_THREAD;
    return fit < 1 ? 1 : fit < (uint64_t)n ? (int)fit : n;
}

uint64_t trib_room_memory(int n) {
    const uint64_t left = trib_room_left(), others = (uint64_t)n * TRIB_ROOM_THREAD;
    if (left == UINT64_MAX) return 0;
    return left > others ? left - others : 1;
}
