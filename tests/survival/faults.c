/* faults.c - file operations that fail, or at which the process is killed or the machine loses
 * power.
 *
 * The file system decides what remains after a loss of power; two extremes bound it. The
 * contents of a file are safe once the file is synced; a new name, a rename or a removal is safe
 * once the directory is. FAULT_TORN loses unsafe contents and keeps all names (as if a rename
 * had overtaken its data); FAULT_POWER loses both. */
#include "tests/survival/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *const fault_names[N_FAULTS] = {"none", "fail", "full", "short",
                                           "stop", "kill", "torn", "power"};

enum { MOST = 4096, PATH_LENGTH = 1024 };

/* A file that the program has written to. */
typedef struct written {
    char path[PATH_LENGTH];
    dev_t device;
    ino_t inode;
    off_t safe; /* size at the last sync, in bytes */
} written;

enum { MADE, RENAMED, REMOVED, MADE_DIRECTORY, REMOVED_DIRECTORY };

/* A change of a name whose directory is not synced yet. */
typedef struct change {
    int what;
    char path[PATH_LENGTH], from[PATH_LENGTH];
    /* a second name of the file that had this name before; empty: none had */
    char before[PATH_LENGTH];
} change;

static fault kind;
static uint64_t at, n_done, n_before;
static const char *saved; /* directory for these second names */
static double clock_step;
static _Atomic uint64_t n_looks; /* calls of the clock */
static written file[MOST];
static change name[MOST];
static size_t n_files, n_names;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int __real_trib_disk_open(const char *path, int flags);
int __real_trib_disk_create(char *path, size_t n_name, bool is_private);
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __real_pread(int fd, void *bytes, size_t size, off_t offset);
int __real_fsync(int fd);
int __real_trib_disk_rename(const char *from, const char *to);
int __real_trib_disk_make_folder(const char *path);
int __real_trib_disk_remove(const char *path);
int __real_trib_disk_remove_folder(const char *path);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_trib_disk_open(const char *path, int flags);
int __wrap_trib_disk_create(char *path, size_t n_name, bool is_private);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset);
int __wrap_fsync(int fd);
int __wrap_trib_disk_rename(const char *from, const char *to);
int __wrap_trib_disk_make_folder(const char *path);
int __wrap_trib_disk_remove(const char *path);
int __wrap_trib_disk_remove_folder(const char *path);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

void fault_begin(fault what, uint64_t n) {
    pthread_mutex_lock(&lock);
    kind = what;
    at = n;
    n_done = n_files = n_names = 0;
    pthread_mutex_unlock(&lock);
}

uint64_t fault_count(void) { return n_done; }

void fault_saved(const char *directory) { saved = directory; }

void fault_slow_clock(double seconds) { clock_step = seconds; }

/* ---- Loss of power --------------------------------------------------------------------------- */

static bool is_recorded(void) { return kind == FAULT_TORN || kind == FAULT_POWER; }

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static void undo(const change *c) {
    if (c->what == MADE) __real_trib_disk_remove(c->path);
    if (c->what == MADE_DIRECTORY) nftw(c->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (c->what == REMOVED_DIRECTORY) __real_trib_disk_make_folder(c->path);
    if (c->what == RENAMED) __real_trib_disk_rename(c->path, c->from);
    if (*c->before) __real_trib_disk_rename(c->before, c->path);
}

static void lose(void) {
    for (size_t f = 0; f < n_files; f++)
        if (*file[f].path && truncate(file[f].path, file[f].safe) != 0 && errno != ENOENT)
            perror(file[f].path);
    for (size_t c = n_names; c-- > 0;) {
        if (kind == FAULT_POWER) undo(&name[c]);
        else if (*name[c].before) __real_trib_disk_remove(name[c].before);
    }
}

static written *find(int fd) {
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return NULL;
    for (size_t f = 0; f < n_files; f++)
        if (file[f].inode == about.st_ino && file[f].device == about.st_dev) return &file[f];
    return NULL;
}

/* Notes a descriptor that may be written to. */
static void note_file(int fd, const char *path, bool is_new) {
    struct stat about;
    if (fstat(fd, &about) != 0 || n_files == MOST || find(fd)) return;
    written *f = &file[n_files++];
    *f = (written){.device = about.st_dev, .inode = about.st_ino, .safe = about.st_size};
    snprintf(f->path, sizeof f->path, "%s", path);
    if (!is_new || n_names == MOST) return;
    change *c = &name[n_names++];
    *c = (change){.what = MADE};
    snprintf(c->path, sizeof c->path, "%s", path);
}

/* Before `path` gets another file or none: gives its present file a second name in `saved`. */
static void note_change(int what, const char *path, const char *from) {
    struct stat about;
    if (n_names == MOST) abort();
    change *c = &name[n_names++];
    *c = (change){.what = what};
    snprintf(c->path, sizeof c->path, "%s", path);
    snprintf(c->from, sizeof c->from, "%s", from);
    if (!saved || stat(path, &about) != 0 || S_ISDIR(about.st_mode)) return;
    snprintf(c->before, sizeof c->before, "%.900s/%llu", saved, (unsigned long long)n_before++);
    if (link(path, c->before) != 0) c->before[0] = '\0';
}

static void note_sync(int fd) {
    struct stat about;
    written *f = find(fd);
    if (fstat(fd, &about) != 0) return;
    if (f) f->safe = about.st_size;
    if (!S_ISDIR(about.st_mode)) return;
    size_t kept = 0;
    for (size_t c = 0; c < n_names; c++) {
        char directory[PATH_LENGTH];
        struct stat its;
        snprintf(directory, sizeof directory, "%s", name[c].path);
        char *slash = strrchr(directory, '/');
        if (slash) *(slash == directory ? slash + 1 : slash) = '\0';
        else strcpy(directory, ".");
        const bool safe =
            stat(directory, &its) == 0 && its.st_ino == about.st_ino && its.st_dev == about.st_dev;
        if (!safe) name[kept++] = name[c];
        else if (*name[c].before) __real_trib_disk_remove(name[c].before);
    }
    n_names = kept;
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* The effect of an operation. */
typedef enum { READS, WRITES, MAKES } effect;

/* Counts an operation. Returns 0, the error that the operation must fail with, or -1 when it
 * must do half of its work. The caller holds the lock. */
static int one_more(effect does) {
    const uint64_t n = ++n_done;
    if (kind == FAULT_FULL && n >= at && does != READS) return ENOSPC;
    if (n != at) return 0;
    if (kind == FAULT_FAIL) return EIO;
    if (kind == FAULT_SHORT) return -1;
    if (kind == FAULT_STOP) kill(getpid(), SIGTERM);
    if (is_recorded()) lose();
    if (kind >= FAULT_KILL) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    return 0;
}

static bool begin(effect does, int *failure) {
    pthread_mutex_lock(&lock);
    *failure = one_more(does);
    return *failure <= 0;
}

static int end(int result, int failure) {
    const int cause = failure > 0 ? failure : errno;
    pthread_mutex_unlock(&lock);
    errno = cause;
    return failure > 0 ? -1 : result;
}

int __wrap_trib_disk_open(const char *path, int flags) {
    int failure, fd = -1;
    struct stat about;
    const bool is_new = flags & O_CREAT && stat(path, &about) != 0;
    if (begin(flags & O_CREAT ? MAKES : READS, &failure)) {
        fd = __real_trib_disk_open(path, flags);
        if (is_recorded() && fd >= 0 && (flags & O_ACCMODE) != O_RDONLY)
            note_file(fd, path, is_new);
    }
    return end(fd, failure);
}

int __wrap_trib_disk_create(char *path, size_t n_name, bool is_private) {
    int failure, fd = -1;
    if (begin(MAKES, &failure)) {
        fd = __real_trib_disk_create(path, n_name, is_private);
        if (is_recorded() && fd >= 0) note_file(fd, path, true);
    }
    return end(fd, failure);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size) {
    int failure;
    ssize_t n = -1;
    if (fd <= STDERR_FILENO) return __real_write(fd, bytes, size);
    if (begin(WRITES, &failure)) n = __real_write(fd, bytes, failure < 0 ? (size + 1) / 2 : size);
    const int status = end(n < 0 ? -1 : 0, failure);
    return status < 0 ? -1 : n;
}

ssize_t __wrap_read(int fd, void *bytes, size_t size) {
    int failure;
    ssize_t n = -1;
    if (fd <= STDERR_FILENO) return __real_read(fd, bytes, size);
    if (begin(READS, &failure)) n = __real_read(fd, bytes, failure < 0 ? (size + 1) / 2 : size);
    const int status = end(n < 0 ? -1 : 0, failure);
    return status < 0 ? -1 : n;
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset) {
    int failure;
    ssize_t n = -1;
    if (begin(READS, &failure))
        n = __real_pread(fd, bytes, failure < 0 ? (size + 1) / 2 : size, offset);
    const int status = end(n < 0 ? -1 : 0, failure);
    return status < 0 ? -1 : n;
}

int __wrap_fsync(int fd) {
    int failure, status = -1;
    if (begin(WRITES, &failure)) {
        status = __real_fsync(fd);
        if (is_recorded() && status == 0) note_sync(fd);
    }
    return end(status, failure);
}

int __wrap_trib_disk_rename(const char *from, const char *to) {
    int failure, status = -1;
    if (begin(MAKES, &failure)) {
        if (is_recorded()) note_change(RENAMED, to, from);
        status = __real_trib_disk_rename(from, to);
        for (size_t f = 0; is_recorded() && status == 0 && f < n_files; f++)
            if (strcmp(file[f].path, to) == 0) strcpy(file[f].path, name[n_names - 1].before);
            else if (strcmp(file[f].path, from) == 0) snprintf(file[f].path, PATH_LENGTH, "%s", to);
    }
    return end(status, failure);
}

int __wrap_trib_disk_make_folder(const char *path) {
    int failure, status = -1;
    if (begin(MAKES, &failure)) {
        status = __real_trib_disk_make_folder(path);
        if (is_recorded() && status == 0) note_change(MADE_DIRECTORY, path, "");
    }
    return end(status, failure);
}

int __wrap_trib_disk_remove(const char *path) {
    int failure, status = -1;
    if (begin(READS, &failure)) { /* a full disk still lets files be removed */
        if (is_recorded()) note_change(REMOVED, path, "");
        status = __real_trib_disk_remove(path);
    }
    return end(status, failure);
}

int __wrap_trib_disk_remove_folder(const char *path) {
    int failure, status = -1;
    if (begin(READS, &failure)) {
        status = __real_trib_disk_remove_folder(path);
        if (is_recorded() && status == 0) note_change(REMOVED_DIRECTORY, path, "");
    }
    return end(status, failure);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    const int status = __real_clock_gettime(clock, now);
    if (status != 0 || clock_step <= 0) return status;
    now->tv_sec += (time_t)(clock_step * (double)(atomic_fetch_add(&n_looks, 1) + 1));
    return status; /* without the lock, because signal handlers read the clock too */
}
