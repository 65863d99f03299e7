/* system.h - what glibc, musl and macOS name or do differently, so that no other file asks which
 * system it is built for. Not installed. */
#ifndef TRIBUTARY_BASE_SYSTEM_H
#define TRIBUTARY_BASE_SYSTEM_H

#include <sys/stat.h>

#include "base/base.h"

/* The bytes that malloc provided for a block, which may be more than were asked for. */
size_t trib_block_size(void *block);

/* Makes a file `length` bytes long and reserves room for them on the disk. 0, or an errno. */
int trib_reserve_file(int file, uint64_t length);

/* When the contents of a file and when its inode were last changed: seconds and nanoseconds of
 * each. */
void trib_file_times(const struct stat *about, int64_t times[4]);

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

#endif
