/* pack.h - makes archives in a test, and what a test needs to read them. */
#ifndef TRIBUTARY_TEST_PACK_H
#define TRIBUTARY_TEST_PACK_H

#include "tests/test.h"

/* One file of an archive; text NULL: a folder. */
typedef struct packed_file {
    const char *name, *text;
} packed_file;

void write_bytes(const char *path, const void *bytes, size_t length);
/* The bytes of a file, to be released. */
void read_bytes(const char *path, trib_buffer *bytes);

#ifdef TRIB_WITH_ARCHIVE
/* Writes an archive; its format is known by its name: .zip, .tar, .tar.gz, .tar.bz2, .tar.xz,
 * .tar.zst. False where this libarchive cannot. */
bool pack_files(const char *path, const packed_file files[], size_t n);
#endif

/* What is at an address, as a text; the status is expected. `holds` is in the error's message. */
void expect_input(const char *path, const char *wanted);
void expect_no_input(const char *path, const char *holds);

#endif
