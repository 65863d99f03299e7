/* path.h - names of files and directories. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_PATH_H
#define TRIBUTARY_SUPPORT_PATH_H

#include "base/base.h"

enum { TRIB_PATH_MAX = 4096 };

/* `name` seen from `directory`: name itself when it is absolute or the directory is ".". */
trib_status trib_path_join(char **path, const char *directory, const char *name, trib_error *error);
/* The directory a path lies in: "." when it names none. */
trib_status trib_path_directory(char **directory, const char *path, trib_error *error);
/* The last part of a path without its ending: "mark" of "texts/mark.txt". */
trib_status trib_path_stem(char **stem, const char *path, trib_error *error);
/* `to` as it is seen from a directory ("../texts"), links followed; `to` itself when one of them is
 * not there. */
trib_status trib_path_relative(char **relative, const char *directory, const char *to,
                               trib_error *error);
/* Whether a path climbs above where it starts, or starts at the root of all. */
bool trib_path_leads_out(const char *path);

/* Where temporary files are: $TMPDIR, else /tmp. */
const char *trib_path_temporary(void);
/* Makes a directory and those it lies in, where they are missing. TRIB_USAGE when a file has its
 * name. */
trib_status trib_directory_create(const char *path, trib_error *error);

#endif
