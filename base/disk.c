/* disk.c - the door to the disk: the only file that calls open, stat, rename, unlink and their
 * like. Below a sealed folder it goes from folder to folder, and follows no link. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* O_DIRECTORY, O_NOFOLLOW, everywhere; syscall */
#endif
#include "base/internal.h"
#include "base/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <unistd.h>

bool trib_path_leads_out(const char *path) {
    int depth = 0;
    if (path[0] == '/') return true;
    for (const char *part = path; *part;) {
        const size_t n = strcspn(part, "/");
        if (n == 2 && part[0] == '.' && part[1] == '.') depth--;
        else if (n > 0 && !(n == 1 && part[0] == '.')) depth++;
        if (depth < 0) return true;
        part += n + (part[n] != '\0');
    }
    return false;
}

/* ---- Sealed folders -------------------------------------------------------------------------- */

typedef struct sealed {
    char *path;    /* without "./" before it and "/" after it; "" is the current folder */
    size_t n_uses; /* how often it was sealed */
} sealed;

static pthread_mutex_t sealing = PTHREAD_MUTEX_INITIALIZER;
static sealed *seals; /* [n_seals] */
static size_t n_seals, seals_cap;

static const char *skip_here(const char *path) {
    while (path[0] == '.' && path[1] == '/') path += 2 + strspn(path + 2, "/");
    return path;
}

/* The length of a folder's path as it is kept, which begins at *path. */
static size_t cut(const char **path) {
    *path = skip_here(*path);
    size_t n = strlen(*path);
    while (n > 1 && (*path)[n - 1] == '/') n--;
    return n == 1 && **path == '.' ? 0 : n;
}

/* The seal of a folder, or NULL. The caller holds the lock, as for the next function. */
static sealed *find_seal(const char *folder, size_t n) {
    for (size_t i = 0; i < n_seals; i++)
        if (strlen(seals[i].path) == n && memcmp(seals[i].path, folder, n) == 0) return &seals[i];
    return NULL;
}

/* The outermost sealed folder that a path lies below, or NULL; *rest is the path from there. */
static const sealed *seal_of(const char *path, const char **rest) {
    const sealed *found = NULL;
    path = skip_here(path);
    for (size_t i = 0; i < n_seals; i++) {
        const sealed *s = &seals[i];
        const size_t n = strlen(s->path);
        const char *below = path + n;
        if ((found && strlen(found->path) <= n) || strncmp(path, s->path, n) != 0) continue;
        if (n > 0 && *below != '/' && path[n - 1] != '/') continue;
        if (n > 0) below += strspn(below, "/");
        below = skip_here(below);
        if (!*below || strcmp(below, ".") == 0 || trib_path_leads_out(below)) continue;
        found = s;
        *rest = below;
    }
    return found;
}

trib_status trib_disk_seal(const char *folder, trib_error *error) {
    const size_t n = cut(&folder);
    pthread_mutex_lock(&sealing);
    sealed *s = find_seal(folder, n);
    trib_status status =
        s ? TRIB_OK : TRIB_GROW(&seals, &seals_cap, n_seals + 1, "sealed folders", error);
    if (status == TRIB_OK && !s) {
        s = &seals[n_seals];
        *s = (sealed){0};
        status = trib_copy_text(&s->path, folder, n, error);
        n_seals += status == TRIB_OK;
    }
    if (status == TRIB_OK) s->n_uses++;
    pthread_mutex_unlock(&sealing);
    return status;
}

void trib_disk_unseal(const char *folder) {
    if (!folder) return;
    const size_t n = cut(&folder);
    pthread_mutex_lock(&sealing);
    sealed *s = find_seal(folder, n);
    if (s && --s->n_uses == 0) {
        trib_free(s->path);
        *s = seals[--n_seals];
    }
    if (n_seals == 0) {
        trib_free(seals);
        seals = NULL;
        seals_cap = 0;
    }
    pthread_mutex_unlock(&sealing);
}

bool trib_disk_is_sealed(const char *path) {
    const char *rest;
    pthread_mutex_lock(&sealing);
    const bool is = seal_of(path, &rest) != NULL;
    pthread_mutex_unlock(&sealing);
    return is;
}

/* ---- Links of a corpus ----------------------------------------------------------------------- */

/* Whether a name below a folder of n bytes, or a folder on the way to it, is a link. */
static bool has_link(const char *path, size_t n) {
    char part[PATH_MAX];
    struct stat about;
    for (const char *end = path + n; *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        if ((size_t)(end - path) >= sizeof part) return true;
        memcpy(part, path, (size_t)(end - path));
        part[end - path] = '\0';
        if (lstat(part, &about) == 0 && S_ISLNK(about.st_mode)) return true;
    }
    return false;
}

bool trib_disk_links_out(const char *folder, const char *path, char target[TRIB_CODE_FOLDER]) {
    char real[TRIB_CODE_FOLDER];
    const size_t n = strcmp(folder, ".") == 0 ? 0 : strlen(folder);
    const bool is_below = strncmp(path, folder, n) == 0 && (n == 0 ? *path != '/' : path[n] == '/');
    if (is_below && !trib_path_leads_out(path + n + strspn(path + n, "/")) && !has_link(path, n))
        return false;
    if (!realpath(folder, real) || !realpath(path, target)) return false;
    const size_t n_real = strcmp(real, "/") == 0 ? 0 : strlen(real);
    return strncmp(target, real, n_real) != 0 || target[n_real] != '/';
}

/* ---- The folder of a name -------------------------------------------------------------------- */

enum { NOWHERE = -1 }; /* AT_FDCWD is none of it */

/* Closes what enter opened. Returns `result`, with its errno. */
static int leave(int at, int result) {
    const int why = errno;
    if (at >= 0) close(at);
    errno = why;
    return result;
}

static int open_folder(int at, const char *name) {
    struct stat about;
    const int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && errno == ENOTDIR)
        errno = fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode)
                    ? ELOOP
                    : ENOTDIR;
    return folder;
}

static bool walks; /* for tests: as where the kernel has no openat2 */

void trib_disk_walk(bool always) { walks = always; }

/* Opens a folder below another, so that the kernel passes no link and does not leave it (openat2,
 * Linux 5.6). -1 with ENOSYS where it cannot. */
static int open_below(int at, const char *folder, size_t n) {
    errno = ENOSYS;
#ifdef SYS_openat2
    enum { NO_MAGIC_LINKS = 2, NO_LINKS = 4, BELOW = 8 };
    const struct {
        uint64_t flags, mode, resolve;
    } how = {O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, NO_MAGIC_LINKS | NO_LINKS | BELOW};
    char path[PATH_MAX];
    if (walks || n >= sizeof path) return -1;
    memcpy(path, folder, n);
    path[n] = '\0';
    const int found = (int)syscall(SYS_openat2, at, path, &how, sizeof how);
    if (found < 0 && (errno == EPERM || errno == EAGAIN)) errno = ENOSYS; /* a filter; a rename */
    return found;
#else
    return at == NOWHERE || !folder || n == 0 ? -1 : -1;
#endif
}

/* Opens the folder in which a path that is sealed names something, and sets *name to the name
 * there: each folder on the way by itself, none through a link. AT_FDCWD and the whole path when it
 * is not sealed; NOWHERE, with errno, when there is no such folder. */
static int enter(const char *path, const char **name) {
    const char *rest = path;
    char part[NAME_MAX + 1];
    int at = AT_FDCWD;
    pthread_mutex_lock(&sealing);
    const sealed *s = seal_of(path, &rest);
    if (s) at = open(*s->path ? s->path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pthread_mutex_unlock(&sealing);
    *name = s ? rest : path;
    const char *const last = s && at >= 0 ? strrchr(rest, '/') : NULL;
    const int below_it = last ? open_below(at, rest, (size_t)(last - rest)) : -1;
    if (last && (below_it >= 0 || errno != ENOSYS)) {
        at = leave(at, below_it);
        *name = last + 1;
    }
    for (const char *slash; s && at >= 0 && (slash = strchr(*name, '/'));) {
        const size_t n = (size_t)(slash - *name);
        if (n > NAME_MAX) {
            errno = ENAMETOOLONG;
            return leave(at, NOWHERE);
        }
        memcpy(part, *name, n);
        part[n] = '\0';
        const int below = open_folder(at, part);
        at = leave(at, below);
        *name = slash + strspn(slash, "/");
    }
    if (!**name && s) *name = "."; /* a slash was last */
    return at;
}

/* Does what `call` says in the folder `at`, at `name`. */
#define IN_FOLDER(path, call)                                                                      \
    const char *name;                                                                              \
    const int at = enter(path, &name);                                                             \
    return at == NOWHERE ? -1 : leave(at, call)

/* ---- Opening --------------------------------------------------------------------------------- */

static int open_in(int at, const char *name, int flags, mode_t mode) {
    struct stat about;
    const bool is_below = at != AT_FDCWD;
    if (is_below) flags |= O_NOFOLLOW | O_NONBLOCK; /* opening a pipe would wait */
    if (is_below && (flags & O_DIRECTORY)) return open_folder(at, name);
    const bool empties = is_below && (flags & O_TRUNC); /* but only what has no other name */
    if (empties) flags &= ~O_TRUNC;
    const int file = openat(at, name, flags | O_CLOEXEC | O_NOCTTY, mode);
    if (file < 0 || (flags & O_DIRECTORY) || fstat(file, &about) != 0) return file;
    if (S_ISDIR(about.st_mode)) errno = EISDIR;
    else if ((flags & O_NONBLOCK) && !S_ISREG(about.st_mode)) errno = ENXIO;
    else if (is_below && (flags & O_ACCMODE) != O_RDONLY && about.st_nlink > 1) errno = EMLINK;
    else if (!empties || ftruncate(file, 0) == 0) return file;
    return leave(file, -1);
}

int trib_disk_open(const char *path, int flags) { IN_FOLDER(path, open_in(at, name, flags, 0666)); }

int trib_disk_create(char *path, size_t n_name, bool is_private) {
    enum { N_TRIES = 10000 };
    const char *name;
    const int at = enter(path, &name);
    int file = -1;
    for (unsigned n = 0; n < N_TRIES && file < 0 && at != NOWHERE; n++) {
        uint64_t number = (uint64_t)getpid() * N_TRIES + n;
        for (char *end = path + n_name; *end; end++, number /= 36)
            *end = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
        file = open_in(at, name, O_RDWR | O_CREAT | O_EXCL, is_private ? 0600 : 0666);
        if (file < 0 && errno != EEXIST) break;
    }
    return leave(at, file);
}

FILE *trib_disk_stream(const char *path, const char *mode) {
    const int flags = *mode == 'r'   ? O_RDONLY
                      : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                                     : O_WRONLY | O_CREAT | O_APPEND;
    const int file = trib_disk_open(path, flags);
    FILE *stream = file >= 0 ? fdopen(file, mode) : NULL;
    if (!stream) leave(file, -1);
    return stream;
}

bool trib_disk_list(const char *path, trib_names *names, trib_arena *arena) {
    const int file = trib_disk_open(path, O_RDONLY | O_DIRECTORY);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    *names = (trib_names){0};
    if (!folder) return leave(file, false);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const char *const name = trib_arena_copy(arena, entry->d_name, strlen(entry->d_name));
        const char **added = trib_arena_append(arena, names, sizeof *added);
        if (added) *added = name;
    }
    closedir(folder);
    if (names->n > 0) qsort(names->name, names->n, sizeof *names->name, trib_by_text);
    return true;
}

/* ---- What is there --------------------------------------------------------------------------- */

static int about_in(int at, const char *name, struct stat *about, bool follows) {
    const bool is_below = at != AT_FDCWD;
    if (fstatat(at, name, about, is_below || !follows ? AT_SYMLINK_NOFOLLOW : 0) != 0) return -1;
    if (!is_below || !follows || !S_ISLNK(about->st_mode)) return 0;
    errno = ELOOP;
    return -1;
}

int trib_disk_about(const char *path, struct stat *about) {
    IN_FOLDER(path, about_in(at, name, about, true));
}

int trib_disk_about_name(const char *path, struct stat *about) {
    IN_FOLDER(path, about_in(at, name, about, false));
}

bool trib_disk_has(const char *path) {
    struct stat about;
    return (trib_disk_is_sealed(path) ? trib_disk_about_name(path, &about)
                                      : trib_disk_about(path, &about)) == 0;
}

bool trib_disk_is_file(const char *path) {
    struct stat about;
    return trib_disk_about(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool trib_disk_is_folder(const char *path) {
    struct stat about;
    return trib_disk_about(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool trib_disk_may(const char *path, int mode) { return access(path, mode) == 0; }

const char *trib_disk_reason(int why) {
    return why == ELOOP    ? "it is a link, or lies behind one, which is not followed there"
           : why == ENXIO  ? "it is a pipe, a socket or a device where a file should be"
           : why == EISDIR ? "it is a directory where a file should be"
           : why == EFBIG  ? "it would be larger than the limit of the size of files (ulimit -f)"
           : why == EMFILE ? "as many files are open as the limit allows (ulimit -n)"
           : why == EMLINK ? "it has a second name (a hard link), and both would be changed"
                           : strerror(why);
}

/* ---- Changing names -------------------------------------------------------------------------- */

int trib_disk_remove(const char *path) { IN_FOLDER(path, unlinkat(at, name, 0)); }

int trib_disk_remove_folder(const char *path) { IN_FOLDER(path, unlinkat(at, name, AT_REMOVEDIR)); }

int trib_disk_make_folder(const char *path) { IN_FOLDER(path, mkdirat(at, name, 0777)); }

int trib_disk_make_private(const char *path) { IN_FOLDER(path, fchmodat(at, name, S_IRWXU, 0)); }

int trib_disk_touch(const char *path) {
    IN_FOLDER(path, utimensat(at, name, NULL, at == AT_FDCWD ? 0 : AT_SYMLINK_NOFOLLOW));
}

int trib_disk_rename(const char *from, const char *to) {
    const char *name, *new_name;
    const int at = enter(from, &name), there = at == NOWHERE ? NOWHERE : enter(to, &new_name);
    return leave(at, there == NOWHERE ? -1 : leave(there, renameat(at, name, there, new_name)));
}
