/* loaded.h - functions of a shared library that is loaded when they are first needed. The program
 * starts in a third of the time when large libraries that few commands use wait until then. */
#ifndef TRIBUTARY_BASE_LOADED_H
#define TRIBUTARY_BASE_LOADED_H

#include "base/base.h"

/* Loads a library (a name that the loader looks for, such as libcurl.so.4; NULL: the program) and
 * puts the addresses of the functions name[n], n <= 32, into table, a struct of n pointers to
 * functions in this order. A library that is loaded already is not loaded again; none is ever
 * unloaded. TRIB_USAGE when there is no such library, or a function is missing from it; then the
 * table has not changed. */
trib_status trib_loaded_fill(void *table, const char *library, const char *const *name, size_t n,
                             trib_error *error);

#endif
