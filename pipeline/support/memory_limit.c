/* memory_limit.c - compares limits on address space and memory with the current use. Containers
 * limit memory by control groups (Linux cgroups(7), versions 1 and 2). /proc/self/cgroup names the
 * groups of the process, and each folder from a group up to the root may contain a limit. */
#include "pipeline/support/memory_limit.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/system.h"

/* ---- Control groups -------------------------------------------------------------------------- */

enum { PATH = 4096 };

/* For each version, where the groups are mounted and which files contain a limit. */
static const struct group_row {
    const char *controller; /* as named in /proc/self/cgroup; version 2 has no name */
    const char *folder, *limit;
} group_rows[] = {
    {"", "/sys/fs/cgroup", "memory.max"},
    {"", "/sys/fs/cgroup", "memory.high"},
    {"", "/sys/fs/cgroup/unified", "memory.max"},
    {"", "/sys/fs/cgroup/unified", "memory.high"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
};

/* The number in a file. UINT64_MAX when there is no such file, or it contains "max". */
static uint64_t number_in(const char *path) {
    unsigned long long number = UINT64_MAX;
    FILE *file = trib_disk_stream(path, "r");
    if (file && fscanf(file, "%llu", &number) != 1) number = UINT64_MAX;
    if (file) fclose(file);
    return number;
}

/* The smallest limit of a group and its parents. Inside a container, the group may have its name on
 * the host, and its folder does not exist; the root is then the group of the container. */
static uint64_t least_of(const struct group_row *row, const char *root, const char *group) {
    char folder[PATH], path[PATH + 32];
    uint64_t least = UINT64_MAX;
    const size_t above = strlen(root) + strlen(row->folder);
    if (snprintf(folder, sizeof folder, "%s%s%s", root, row->folder, group) >= PATH) return least;
    for (size_t length = strlen(folder);; length = (size_t)(strrchr(folder, '/') - folder)) {
        folder[length] = '\0';
        snprintf(path, sizeof path, "%s/%s", folder, row->limit);
        const uint64_t limit = number_in(path);
        if (limit < least) least = limit;
        if (length <= above) return least;
    }
}

/* Whether the comma-separated list contains a name. The empty list contains the empty name. */
static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list;; at++) {
        const size_t span = strcspn(at, ",");
        if (span == length && strncmp(at, name, length) == 0) return true;
        at += span;
        if (!*at) return false;
    }
}

uint64_t trib_memory_cgroup(const char *root) {
    char path[PATH], line[PATH];
    uint64_t least = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = trib_disk_stream(path, "r");
    while (file && fgets(line, sizeof line, file)) { /* HIERARCHY:CONTROLLERS:/GROUP */
        char *controllers = strchr(line, ':'),
             *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || group[1] != '/') continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        for (size_t i = 0; i < sizeof group_rows / sizeof *group_rows; i++) {
            if (!is_listed(controllers + 1, group_rows[i].controller)) continue;
            const uint64_t limit = least_of(&group_rows[i], root, group);
            if (limit < least) least = limit;
        }
    }
    if (file) fclose(file);
    return least;
}

static uint64_t physical(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t trib_memory_container(void) {
    const uint64_t group = trib_memory_cgroup("");
    return group < physical() ? group : 0;
}

uint64_t trib_memory_machine(void) {
    const uint64_t container = trib_memory_container();
    return container > 0 ? container : physical();
}

/* Leaves an eighth of the memory to uncounted uses: libraries, stacks, free blocks of malloc. */
static uint64_t usable(uint64_t memory) { return memory - memory / 8; }

/* ---- The process ----------------------------------------------------------------------------- */

/* Resident memory of the process in bytes, with the program and its libraries; 0 where the system
 * does not report it. */
static uint64_t resident_memory(void) {
    uint64_t space, resident;
    trib_process_memory(&space, &resident);
    return resident;
}

/* Address space left, in bytes; UINT64_MAX without a limit. */
static uint64_t address_space_left(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    uint64_t used, resident;
    trib_process_memory(&used, &resident);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Waits until threads that ended are gone for the system, too, which counts them a moment longer
 * than pthread_join: until the folder of all threads has no more than `n` links. */
static void await_threads(nlink_t n) {
    const struct timespec moment = {.tv_nsec = 1000000};
    struct stat now;
    for (int i = 0; i < 1000 && trib_disk_about("/proc/self/task", &now) == 0 && now.st_nlink > n;
         i++)
        nanosleep(&moment, NULL);
}

/* How many of n threads the system lets this process have (ulimit -u, pids.max), which OpenMP finds
 * out by ending the program. When OpenMP goes from few threads to more, those that ended just
 * before may still count, so that there must be room for twice as many. */
static int threads_to_be_had(int n) {
    enum { MOST = 4096, OTHERS = 2 /* threads that this program starts, too */ };
    static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
    static int n_known = 1; /* that there were once */
    static pthread_t thread[MOST];
    const int wanted = 2 * n - 1 + OTHERS;
    int n_made = 1; /* with this one */
    struct stat before = {0};
    pthread_mutex_lock(&alone);
    const bool is_known = trib_disk_about("/proc/self/task", &before) == 0;
    pthread_mutex_lock(&gate);
    while (n > n_known && n_made < wanted && n_made < MOST &&
           pthread_create(&thread[n_made], NULL, wait_at, &gate) == 0)
        n_made++;
    pthread_mutex_unlock(&gate);
    const int n_ours = n_made > OTHERS + 1 ? 1 + (n_made - 1 - OTHERS) / 2 : 1;
    if (n_ours > n_known) n_known = n_ours;
    const bool has_others = n_made > 1;
    while (n_made > 1) pthread_join(thread[--n_made], NULL);
    if (has_others && is_known) await_threads(before.st_nlink);
    n = n < n_known ? n : n_known;
    pthread_mutex_unlock(&alone);
    return n;
}

int trib_memory_threads(int n) {
    const uint64_t fit = address_space_left() / TRIB_MEMORY_PER_THREAD;
    n = trib_process_threads(n);
    n = fit < 1 ? 1 : fit < (uint64_t)n ? (int)fit : n;
    return n > 1 ? threads_to_be_had(n) : n;
}

/* Address space in bytes left for the program besides n threads. 0: no limit; otherwise at least
 * 1. */
static uint64_t space_beside(int n) {
    const uint64_t left = address_space_left(), others = (uint64_t)n * TRIB_MEMORY_PER_THREAD;
    if (left == UINT64_MAX) return 0;
    return left > others ? left - others : 1;
}

uint64_t trib_memory_allowed(uint64_t asked, int n_threads, int n_processes) {
    enum { TO_COME = 4 << 20 }; /* for stacks, and library pages not yet loaded */
    const uint64_t used = resident_memory() + TO_COME, space = space_beside(n_threads);
    const uint64_t container = usable(trib_memory_container()) / (uint64_t)n_processes;
    if (container > 0 && (asked == 0 || container < asked)) asked = container;
    if (asked == 0 && n_processes == 1) asked = usable(physical());
    const uint64_t half = asked - asked / 2, left = asked > used + half ? asked - used : half;
    return left == 0 || (space > 0 && space < left) ? space : left;
}

/* ---- Parts that run alone -------------------------------------------------------------------- */

/* A waiting writer is not delayed by readers that come later. */
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
