/* code_file.c - the file that this code was loaded from. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr */
#endif
#include "base/internal.h"
#include "base/system.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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
