/* programs.h - runs the programs of others that convert files (pdftotext, pandoc). Private to
 * pipeline.
 *
 * A file can be crafted to attack its reader. Therefore a program receives the file on its standard
 * input, so that no file name and no shell is involved; it must not write files, and it is killed
 * when it exceeds limits on time, memory or output. To use another program, call trib_program_run
 * with a description of it. */
#ifndef TRIBUTARY_TEXT_PROGRAMS_H
#define TRIBUTARY_TEXT_PROGRAMS_H

#include "base/base.h"

enum { TRIB_PROGRAM_MESSAGES_MOST = 1 << 20 }; /* bytes of messages that are read */

typedef struct trib_program_limits {
    int silence;     /* seconds without output */
    int whole;       /* seconds in total */
    int processor;   /* seconds of processor time */
    uint64_t memory; /* bytes of address space */
} trib_program_limits;

typedef struct trib_program {
    const char *name;             /* "pdftotext": a name looked up in PATH, or a path */
    const char *const *arguments; /* after the name, ended by NULL; at most 15 */
    const char *a_file;           /* what it reads: "a PDF" */
    const char *package;          /* the package that contains it: "poppler-utils" */
    trib_program_limits limits;
} trib_program;

/* The bytes that a program reads. */
typedef struct trib_program_input {
    const char *name, *at; /* name for messages; contents */
    size_t length;
} trib_program_input;

/* Appends the standard output of a program to `text`, and the printable ASCII of its standard error
 * to `messages`, in lines. TRIB_INPUT when the program is not installed (the message names the
 * package), fails, or exceeds a limit, and when this process ignores SIGCHLD, so that the system
 * does not say how the program ended; TRIB_MEMORY when no process can be started. */
trib_status trib_program_run(trib_buffer *text, trib_buffer *messages, const trib_program *program,
                             trib_program_input input, trib_error *error);

/* Appends name, size and time of the file of a program in PATH, "pdftotext 55936 1675900000", or
 * "no pdftotext". A replaced program has another time, unless it is a copy. Starts no process. */
trib_status trib_program_print(trib_buffer *to, const char *name, trib_error *error);

#endif
