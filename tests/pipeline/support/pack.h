/* pack.h - makes archives in tests, and checks the text read from them. */
#ifndef TRIBUTARY_TEST_PACK_H
#define TRIBUTARY_TEST_PACK_H

#include "tests/test.h"

/* One file of an archive; text NULL: a folder. */
typedef struct packed_file {
    const char *name, *text;
} packed_file;

/* Writes an archive whose format follows from its name: .zip, .tar, .tar.gz, .tar.bz2, .tar.xz or
 * .tar.zst. False where this libarchive does not support the format. */
bool pack_files(const char *path, const packed_file files[], size_t n);

/* Writes a program of a few lines of shell; returns its path as trib_scratch does. */
const char *make_program(const char *lines);

/* Expect the text at an address, or an error whose message contains `holds`. */
void expect_input(const char *path, const char *wanted);
void expect_no_input(const char *path, const char *holds);
/* The same for a case of [input: address text says], in the scratch directory. An EPUB or a
 * workbook that is not there is made of the files of the case. */
void an_address_has_a_text(void);

/* What a decoder is to make of a file. */
typedef struct decoded {
    const char *text, *said; /* `said`: the remark, or a part of the message of an error */
    const char *references;  /* "WORD=REFERENCE|WORD=REFERENCE": that at the first such word */
    uint64_t n_replaced;
} decoded;

/* Decodes bytes[n] by the row of the table of formats for a name, which may be followed by keys of
 * the section corpus: "a.tei notes=keep witness=B". */
void expect_decoded(const char *file, const char *bytes, size_t n, const decoded *wanted);
/* The same for a case of [decoded: file bytes text said replaced references]. */
void a_file_is_decoded(void);

#endif
