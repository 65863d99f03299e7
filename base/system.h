/* system.h - what glibc, musl and macOS name or do differently, so that no other file asks which
 * system it is built for. Not installed. */
#ifndef TRIBUTARY_BASE_SYSTEM_H
#define TRIBUTARY_BASE_SYSTEM_H

#include <locale.h>
#include <sys/stat.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "base/arena.h"
#include "base/internal.h"

/* The bytes that malloc provided for a block, which may be more than were asked for. */
size_t trib_block_size(void *block);

/* Makes a file `length` bytes long and reserves room for them on the disk. 0, or an errno. */
int trib_reserve_file(int file, uint64_t length);

/* When the contents of a file and when its inode were last changed: seconds and nanoseconds of
 * each. */
void trib_file_times(const struct stat *about, int64_t times[4]);

/* The locale C.UTF-8, which is a file that the first call opens; 0 where there is none. */
locale_t trib_utf8_locale(void);

/* The path of the running program. On Linux it leads to its bytes even after the file was
 * replaced. Empty when it is unknown. */
const char *trib_program_file(void);

/* How many of n threads may compute in this process: n, or 1 in a child that was forked after this
 * was first asked. The threads of OpenMP do not survive a fork, and GCC's library waits for them
 * for ever. Results do not depend on it. */
int trib_process_threads(int n);

/* Memory of the machine that programs may still take, in bytes; 0 when it is unknown. */
uint64_t trib_available_memory(void);
/* Sets the address space and the resident memory of the process, in bytes; 0 when unknown. */
void trib_process_memory(uint64_t *space, uint64_t *resident);
/* The largest resident memory of the process so far, in bytes. */
uint64_t trib_peak_memory(void);

/* Loads a library (a name that the loader looks for, such as libcurl.so.4; NULL: the program) and
 * puts the addresses of the functions name[n], n <= 32, into table, a struct of n pointers to
 * functions in this order. A library that is loaded already is not loaded again; none is ever
 * unloaded. TRIB_USAGE when there is no such library, or a function is missing from it; then the
 * table has not changed. */
trib_status trib_loaded_fill(void *table, const char *library, const char *const *name, size_t n,
                             trib_error *error);

/** Of the list of functions LIST(F), defines `api`, a struct of pointers to them, and
 * load_api(error), which fills it from the library `file` (trib_loaded_fill). */
#define TRIB_LOADED(LIST, file)                                                                    \
    static struct { LIST(TRIB_LIST_POINTER) } api;                                                 \
    static trib_status load_api(trib_error *error) {                                               \
        static const char *const names[] = {LIST(TRIB_LIST_NAME)};                                 \
        return trib_loaded_fill(&api, file, names, sizeof names / sizeof *names, error);           \
    }
/** The same of a library that the program is linked with: nothing is left to load. */
#define TRIB_LINKED(LIST)                                                                          \
    static const struct { LIST(TRIB_LIST_POINTER) } api = {LIST(TRIB_LIST_FUNCTION)};              \
    static trib_status load_api(trib_error *error) {                                               \
        (void)error;                                                                               \
        return TRIB_OK;                                                                            \
    }
/** What TRIB_LOADED and TRIB_LINKED make of a function. */
#define TRIB_LIST_POINTER(function)  __typeof__(function) *function;
#define TRIB_LIST_NAME(function)     #function, /**< its name */
#define TRIB_LIST_FUNCTION(function) function,  /**< its address */

/* ---- The door to the disk (disk.c) ----------------------------------------------------------- */

/* No other file calls open, stat, rename, unlink and their like (a test reads the symbols). What a
 * user names may be a link or a pipe. A folder that may come from somebody else is sealed: below
 * it, no link is followed, and only regular files and folders are opened. Functions that return an
 * int return what the call of the system returns, with its errno. */

/* Seals a folder, which itself may be a link; each seal is taken off again. TRIB_MEMORY. */
trib_status trib_disk_seal(const char *folder, trib_error *error);
/* Takes one seal off; NULL is legal. */
void trib_disk_unseal(const char *folder);
/* Whether a path leads below a sealed folder. */
bool trib_disk_is_sealed(const char *path);
/* Whether a relative path leads above its start, or the path is absolute. */
bool trib_path_leads_out(const char *path);

/* Whether a path below a folder leads out of it by a link; `target` is then where it leads, without
 * links. */
bool trib_disk_links_out(const char *folder, const char *path, char target[TRIB_CODE_FOLDER]);

/* Opens a file with the flags of open; a directory by O_DIRECTORY alone (otherwise EISDIR). With
 * O_NONBLOCK, and below a sealed folder, all but a regular file is ENXIO. */
int trib_disk_open(const char *path, int flags);
/* Creates a file for reading and writing. `path` ends in characters from n_name on which are set so
 * that the name is new. Others may read the file, as the umask says, unless it is private. */
int trib_disk_create(char *path, size_t n_name, bool is_private);
/* As fopen. */
FILE *trib_disk_stream(const char *path, const char *mode);

/* Names of files. */
typedef struct trib_names {
    const char **name; /* [n] */
    size_t n;
} trib_names;
/* Lists the names in a folder, sorted by their bytes. False, with errno, when it cannot be
 * listed. */
bool trib_disk_list(const char *path, trib_names *names, trib_arena *arena);

/* As stat and lstat. */
int trib_disk_about(const char *path, struct stat *about);
int trib_disk_about_name(const char *path, struct stat *about);
/* Whether there is anything, a regular file, a folder. Below a sealed folder, a link is anything
 * and nothing else. */
bool trib_disk_has(const char *path);
bool trib_disk_is_file(const char *path);
bool trib_disk_is_folder(const char *path);
/* Whether access allows the mode. */
bool trib_disk_may(const char *path, int mode);
/* Why something was refused, by its errno, as the end of "PATH: cannot be opened: it ...". */
const char *trib_disk_reason(int why);

/* For tests: goes from folder to folder where the kernel could do it (openat2), too. */
void trib_disk_walk(bool always);

/* As unlink, rmdir, mkdir and rename; makes a folder private; sets the time of a file to now. */
int trib_disk_remove(const char *path);
int trib_disk_remove_folder(const char *path);
int trib_disk_make_folder(const char *path);
int trib_disk_rename(const char *from, const char *to);
int trib_disk_make_private(const char *path);
int trib_disk_touch(const char *path);

/* Whether an address (a struct sockaddr) is of this machine or of a network of its own. */
bool trib_address_is_private(const void *address);

#endif
