/* embedded.h - files that the build stores inside the program: pipeline/support/embed prints a
 * table of them in C, and the Makefile compiles it. */
#ifndef TRIBUTARY_SUPPORT_EMBEDDED_H
#define TRIBUTARY_SUPPORT_EMBEDDED_H

#include <stddef.h>

typedef struct trib_embedded_file {
    const char *name;           /* as given to embed: "texts/guide.txt" */
    const unsigned char *bytes; /* [n_bytes], and a zero byte after them */
    size_t n_bytes;
} trib_embedded_file;

#endif
