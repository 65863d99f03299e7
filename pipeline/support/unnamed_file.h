/* unnamed_file.h - temporary files without a name, in $TMPDIR or /tmp. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_UNNAMED_FILE_H
#define TRIBUTARY_SUPPORT_UNNAMED_FILE_H

#include "base/base.h"

/* Opens a file for reading and writing. The caller closes *file. TRIB_OUTPUT when no file can be
 * created; *file is then -1. */
trib_status trib_unnamed_file_open(int *file, trib_error *error);
/* Writes all bytes at the file's position. TRIB_OUTPUT when they cannot be written. */
trib_status trib_unnamed_file_add(int file, const char *bytes, size_t length, trib_error *error);
/* Writes all bytes, then seeks to the beginning of the file. */
trib_status trib_unnamed_file_write(int file, const void *bytes, size_t length, trib_error *error);

#endif
