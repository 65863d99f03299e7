/* system.c - Linux and macOS: the size of a block, room on the disk, times of files, the program's
 * own file, memory in use, forks. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr */
#endif
#include "base/system.h"
#include "base/internal.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static locale_t utf8;

static void open_locale(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

locale_t trib_utf8_locale(void) {
    static pthread_once_t opened = PTHREAD_ONCE_INIT;
    pthread_once(&opened, open_locale);
    return utf8;
}

#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <mach/mach.h>
#include <malloc/malloc.h>

size_t trib_block_size(void *block) { return malloc_size(block); }

int trib_reserve_file(int file, uint64_t length) {
    fstore_t room = {
        .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = (off_t)length};
    if (fcntl(file, F_PREALLOCATE, &room) != 0 && errno != ENOTSUP) return errno;
    return ftruncate(file, (off_t)length) == 0 ? 0 : errno;
}

void trib_file_times(const struct stat *about, int64_t times[4]) {
    times[0] = about->st_mtimespec.tv_sec, times[1] = about->st_mtimespec.tv_nsec;
    times[2] = about->st_ctimespec.tv_sec, times[3] = about->st_ctimespec.tv_nsec;
}

const char *trib_program_file(void) {
    static _Thread_local char path[PATH_MAX];
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 ? path : "";
}

uint64_t trib_available_memory(void) {
    vm_statistics64_data_t pages;
    mach_msg_type_number_t n = HOST_VM_INFO64_COUNT;
    if (host_statistics64(mach_host_self(), HOST_VM_INFO64, (host_info64_t)&pages, &n) != 0)
        return 0;
    return ((uint64_t)pages.free_count + pages.inactive_count) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void trib_process_memory(uint64_t *space, uint64_t *resident) {
    mach_task_basic_info_data_t task = {0};
    mach_msg_type_number_t n = MACH_TASK_BASIC_INFO_COUNT;
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&task, &n) != 0)
        task = (mach_task_basic_info_data_t){0};
    *space = task.virtual_size;
    *resident = task.resident_size;
}

enum { PEAK_UNIT = 1 }; /* of ru_maxrss, in bytes */

#else
#include <malloc.h>

size_t trib_block_size(void *block) { return malloc_usable_size(block); }

int trib_reserve_file(int file, uint64_t length) { return posix_fallocate(file, 0, (off_t)length); }

void trib_file_times(const struct stat *about, int64_t times[4]) {
    times[0] = about->st_mtim.tv_sec, times[1] = about->st_mtim.tv_nsec;
    times[2] = about->st_ctim.tv_sec, times[3] = about->st_ctim.tv_nsec;
}

const char *trib_program_file(void) { return "/proc/self/exe"; }

uint64_t trib_available_memory(void) {
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1) break;
    if (file) fclose(file);
    return kib * 1024;
}

void trib_process_memory(uint64_t *space, uint64_t *resident) {
    unsigned long long pages = 0, in_memory = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu %llu", &pages, &in_memory) != 2) pages = in_memory = 0;
    if (file) fclose(file);
    *space = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    *resident = in_memory * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum { PEAK_UNIT = 1024 }; /* of ru_maxrss, in bytes */
#endif

uint64_t trib_peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * PEAK_UNIT : 0;
}

/* ---- The file of this code ------------------------------------------------------------------- */

const char *trib_code_file(void) {
    static const char code = 0; /* its address lies in that file */
    Dl_info about;
    const bool is_known = dladdr(&code, &about) != 0 && about.dli_fname;
    return is_known && strstr(about.dli_fname, "libtributary.") ? about.dli_fname
                                                                : trib_program_file();
}

bool trib_code_folder(char folder[TRIB_CODE_FOLDER]) {
    char *slash = realpath(trib_code_file(), folder) ? strrchr(folder, '/') : NULL;
    if (slash) *slash = '\0';
    return slash;
}

/* ---- Libraries that are loaded when they are needed ------------------------------------------ */

trib_status trib_loaded_fill(void *table, const char *library, const char *const *name, size_t n,
                             trib_error *error) {
    enum { MOST = 32 };
    void *function[MOST];
    static_assert(sizeof(void *) == sizeof(void (*)(void)), "POSIX: pointers have one size");
    assert(n <= MOST);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!library) library = "(the program)";
    if (!handle)
        return trib_fail(error, TRIB_USAGE,
                         "the library %s cannot be loaded (%s); install the package that has it",
                         library, dlerror());
    for (size_t i = 0; i < n; i++) {
        function[i] = dlsym(handle, name[i]);
        if (!function[i])
            return trib_fail(error, TRIB_USAGE,
                             "the library %s has no function %s; install a newer version", library,
                             name[i]);
    }
    memcpy(table, function, n * sizeof *function);
    return TRIB_OK;
}

static bool is_forked;

static void mark_forked(void) { is_forked = true; }

static void watch_forks(void) { pthread_atfork(NULL, NULL, mark_forked); }

int trib_process_threads(int n) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    return is_forked ? 1 : n;
}

/* Networks that are not public, as IPv6 writes them (RFC 6890); those of IPv4 follow ::ffff. */
bool trib_address_is_private(const void *address) {
    static const unsigned char is_v4[12] = {[10] = 0xFF, [11] = 0xFF},
                               is_nat[12] = {0, 0x64, 0xFF, 0x9B};
    static const struct {
        unsigned char bytes[2], mask[2];
    } v4[] = {{{0}, {255}},
              {{10}, {255}},
              {{127}, {255}},
              {{169, 254}, {255, 255}},
              {{172, 16}, {255, 240}},
              {{192, 168}, {255, 255}},
              {{100, 64}, {255, 192}},
              {{224}, {224}}},
      v6[] = {{{0, 0}, {255, 255}}, {{0xFC}, {0xFE}}, {{0xFE, 0x80}, {255, 0x80}}, {{0xFF}, {255}}};
    const struct sockaddr *any = address;
    unsigned char at[16] = {[10] = 0xFF, [11] = 0xFF};
    if (any->sa_family == AF_INET)
        memcpy(at + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
    else if (any->sa_family == AF_INET6)
        memcpy(at, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    const bool has_v4 = memcmp(at, is_v4, 12) == 0 || memcmp(at, is_nat, 12) == 0;
    const unsigned char *first = has_v4 ? at + 12 : at;
    bool is_private = false;
    for (size_t i = 0; i < (has_v4 ? sizeof v4 / sizeof *v4 : sizeof v6 / sizeof *v6); i++)
        is_private |= has_v4 ? (first[0] & v4[i].mask[0]) == v4[i].bytes[0] &&
                                   (first[1] & v4[i].mask[1]) == v4[i].bytes[1]
                             : (first[0] & v6[i].mask[0]) == v6[i].bytes[0] &&
                                   (first[1] & v6[i].mask[1]) == v6[i].bytes[1];
    return is_private;
}
