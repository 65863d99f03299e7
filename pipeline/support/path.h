/* path.h - paths, directories and whole files. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_PATH_H
#define TRIBUTARY_SUPPORT_PATH_H

#include "base/system.h"

enum { TRIB_PATH_MAX = 4096 };

/* Joins `directory` and `name`. The result is `name` when it is absolute, or when the directory is
 * ".". */
trib_status trib_path_join(char **path, const char *directory, const char *name, trib_error *error);
/* The folder part of a path; "." when there is none. */
trib_status trib_path_directory(char **directory, const char *path, trib_error *error);
/* The last part of a path without its extension: "mark" for "texts/mark.txt". */
trib_status trib_path_stem(char **stem, const char *path, trib_error *error);
/* The path from a directory to `to` ("../texts"), after resolving symbolic links; `to` itself when
 * one of them does not exist. */
trib_status trib_path_relative(char **relative, const char *directory, const char *to,
                               trib_error *error);

/* The folder of temporary files: $TMPDIR, or /tmp when that is not set. */
const char *trib_path_temporary(void);
/* Creates a directory and its parents where they are missing. TRIB_USAGE when a file has the name
 * of one. */
trib_status trib_directory_create(const char *path, trib_error *error);

/* Writes a whole file, as trib_writer does. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_write_whole(const char *path, const void *bytes, size_t length, trib_error *error);

/* A file that the build stores inside the program. The build tool pipeline/support/embed prints
 * such files as a table in C, which the Makefile compiles. */
typedef struct trib_embedded_file {
    const char *name;           /* the name given to embed, such as "texts/guide.txt" */
    const unsigned char *bytes; /* [n_bytes], followed by a NUL */
    size_t n_bytes;
} trib_embedded_file;

/* Opens a file without a name for reading and writing. The caller closes *file. TRIB_OUTPUT when no
 * file can be created; *file is then -1. */
trib_status trib_unnamed_file_open(int *file, trib_error *error);
/* Writes all bytes at the file's position. TRIB_OUTPUT when they cannot be written. */
trib_status trib_unnamed_file_add(int file, const char *bytes, size_t length, trib_error *error);
/* Writes all bytes, then seeks to the beginning of the file. */
trib_status trib_unnamed_file_write(int file, const void *bytes, size_t length, trib_error *error);

#endif
