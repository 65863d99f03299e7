/* loaded.c - functions of a shared library that is loaded when they are first needed. */
#include "base/loaded.h"

#include <assert.h>
#include <dlfcn.h>
#include <string.h>

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
