/* embedded.h - files that the build stores inside the program. The build tool
 * pipeline/support/embed prints them as a table in C, which the Makefile compiles. */
#ifndef TRIBUTARY_SUPPORT_EMBEDDED_H
#define TRIBUTARY_SUPPORT_EMBEDDED_H

#include <stddef.h>

typedef struct trib_embedded_file {
    const char *name;           /* the name given to embed, such as "texts/guide.txt" */
    const unsigned char *bytes; /* [n_bytes], followed by a NUL */
    size_t n_bytes;
} trib_embedded_file;

#endif
