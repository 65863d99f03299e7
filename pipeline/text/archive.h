/* archive.h - the bytes of files that are packed: members of zip and tar files, and files
 * compressed with gzip, bzip2, xz or zstd. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_ARCHIVE_H
#define TRIBUTARY_TEXT_ARCHIVE_H

#include "pipeline/text/apart.h"

/* Whether a name of `length` bytes ends in one of `endings` (".xml .html", separated by spaces), in
 * either case, and has more before it. */
bool trib_name_ends(const char *name, size_t length, const char *endings);

/* ---- Archives -------------------------------------------------------------------------------- */

/* Archives are read through libarchive and never written to disk. Members come in the order in
 * which they are stored. A name that points outside the archive ("../x", "/x") is rejected: this
 * program would not follow it, but it is a sign of an attack on other programs. */

/* Limits against files that unpack to enormous sizes. A file may always unpack to
 * TRIB_UNPACKED_FREE bytes, and beyond that to at most TRIB_UNPACKED_RATIO times its size. A file
 * that is packed more than once is unpacked once. */
#define TRIB_UNPACKED_FREE  (UINT64_C(1) << 26)
#define TRIB_UNPACKED_RATIO UINT64_C(1000)
#define TRIB_UNPACKED_MOST  (UINT64_C(1) << 36)

/* What the files of a run may cost at most (resources.*; budget.c). */
typedef struct trib_budget {
    uint64_t unpacked; /* bytes that they unpack to, all together, each time they are read */
    uint64_t members;  /* files in one archive */
    uint64_t parts;    /* parts of one document: pages of METS, files of EPUB, sheets of XLSX */
    uint64_t programs; /* bytes of memory of the programs that convert files, together */
    bool sandbox;      /* what reads foreign bytes reaches nothing else (sandbox.c, apart.c) */
} trib_budget;
/* Begins a run with this budget. Runs of one process share it: the last that began decides. */
void trib_budget_begin(const trib_budget *budget);
trib_budget trib_budget_now(void);
uint64_t trib_budget_unpacked(void); /* bytes unpacked since it began */
void trib_budget_spend(uint64_t n);  /* adds to them */
/* TRIB_INPUT when a document has more parts than it may; `parts` is what they are called. */
trib_status trib_parts_check(const char *name, const char *parts, uint64_t n, trib_error *error);
/* TRIB_INPUT when a file of `n_file` bytes must not unpack to `n_out` bytes, of which the last
 * `n_new` are new. TRIB_MEMORY when all files together may not. */
trib_status trib_unpacked_check(const char *name, uint64_t n_file, uint64_t n_out, uint64_t n_new,
                                trib_error *error);

/* ---- Compressed files ------------------------------------------------------------------------ */

/* The compression is recognised by the first bytes, whatever the name of the file. No text in UTF-8
 * begins with these bytes, except those of bzip2, which do not occur in practice. gzip is
 * decompressed by zlib, the others by libarchive. The limits of archives apply. */
enum { TRIB_PACKING_BYTES = 8 }; /* first bytes that identify a compression */

/* A file that is being read. */
typedef struct trib_unpacked {
    trib_reader *reader;       /* of the stored bytes; decompresses gzip itself; borrowed */
    const char *packing;       /* "gzip", "bzip2", "xz", "zstd"; NULL: not compressed */
    void *archive;             /* libarchive's, or NULL */
    trib_apart_process *apart; /* has it instead, where there is a sandbox */
    trib_buffer bytes;         /* the last that were unpacked there, of which n_given were read */
    size_t n_given;
    bool is_over;           /* the end was reached */
    trib_error failure;     /* an error of `reader` below libarchive */
    char *block;            /* input buffer of libarchive */
    uint64_t n_file, n_out; /* size of the file, bytes decompressed so far */
} trib_unpacked;

/* Length of a file name without the extension of a compression (.gz .bz2 .xz .zst, in either case).
 * The whole length when there is none. */
size_t trib_unpacked_name_length(const char *path);
/* The compression that the first n bytes show, or NULL. */
const char *trib_packing_name(const unsigned char *first, size_t n);

/* Examines the first bytes of `reader`. After a failure `unpacked` is closed. */
trib_status trib_unpacked_open(trib_unpacked *unpacked, trib_reader *reader, trib_error *error);
/* Reads up to `size` bytes. *got is 0 only at the end. TRIB_INPUT when the compressed data are
 * damaged, truncated, or exceed the limits. */
trib_status trib_unpacked_read(trib_unpacked *unpacked, void *bytes, size_t size, size_t *got,
                               trib_error *error);
/* Appends bytes until `to` has `most`, or to the end. Errors as trib_unpacked_read;
 * TRIB_INTERRUPTED. */
trib_status trib_unpacked_add(trib_unpacked *unpacked, trib_buffer *to, size_t most,
                              trib_error *error);
void trib_unpacked_close(trib_unpacked *unpacked); /* `{0}` is legal; the reader stays open */

/* ---- Members --------------------------------------------------------------------------------- */

typedef struct trib_member {
    const char *name; /* as stored, any bytes; valid until the next call */
    bool is_file;     /* a regular file, not a folder, link or device */
    bool is_folder;
} trib_member;

/* An open archive, which must not be moved. */
typedef struct trib_archive {
    const char *name;          /* used in messages; borrowed */
    void *reader;              /* of libarchive; NULL in a build without it */
    trib_reader stored;        /* of its file */
    trib_unpacked unpacked;    /* of a compressed tar */
    char *block;               /* bytes that libarchive works on */
    uint64_t n_file;           /* size of the archive in bytes */
    uint64_t position;         /* read position in the file, unless it is compressed */
    uint64_t n_out;            /* bytes unpacked so far */
    uint64_t n_members;        /* members so far */
    const char *member;        /* name of the current member */
    bool is_locked;            /* it is encrypted */
    trib_error failure;        /* an error below libarchive */
    trib_apart_process *apart; /* has `reader` instead, where there is a sandbox */
    trib_member now;           /* its last answers: a member and its name; bytes, at most so many */
    char *now_name;
    trib_buffer bytes;
    size_t most;
} trib_archive;

/* Whether the name of a file is that of an archive: .zip, .tar, or a compressed .tar (.tar.gz .tgz
 * .tar.bz2 .tbz2 .tar.xz .txz .tar.zst). */
bool trib_archive_is_named(const char *path);
/* Opens an archive in a file, or in memory (bytes are borrowed until close). TRIB_INPUT when it
 * cannot be read as an archive. */
trib_status trib_archive_open(trib_archive *archive, const char *path, trib_error *error);
trib_status trib_archive_memory(trib_archive *archive, const char *name, const void *bytes,
                                size_t length, trib_error *error);
/* Advances to the next member. After the last one, member->name is NULL. TRIB_INPUT when the
 * archive is damaged, has too many members, or has a member whose name points outside it. */
trib_status trib_archive_next(trib_archive *archive, trib_member *member, trib_error *error);
/* Appends the contents of the current member to `to`. TRIB_INPUT when they are damaged, encrypted
 * or exceed the limits. trib_archive_read_some stops when at least `most` bytes were appended; the
 * next call goes on from there. */
trib_status trib_archive_read(trib_archive *archive, trib_buffer *to, trib_error *error);
trib_status trib_archive_read_some(trib_archive *archive, trib_buffer *to, size_t most,
                                   trib_error *error);
void trib_archive_close(trib_archive *archive); /* `{0}` is legal */

/* Appends the contents of the member with this name to `to`. TRIB_INPUT when there is none; the
 * message shows the names of some members. */
trib_status trib_archive_member(const char *path, const char *member, trib_buffer *to,
                                trib_error *error);
/* The same of an archive in memory. *is_there is false, and nothing is appended, when there is
 * none. */
trib_status trib_archive_memory_member(const char *name, const void *bytes, size_t length,
                                       const char *member, trib_buffer *to, bool *is_there,
                                       trib_error *error);

#endif
