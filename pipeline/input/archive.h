/* archive.h - the members of a zip or a tar, through libarchive; none is ever written to disk.
 * Private to pipeline.
 *
 * Members come in the order they are stored in. A name that leads out of the archive ("../x", "/x")
 * is refused, though nothing here would follow it: who packs so means harm, and the next program
 * may not look. */
#ifndef TRIBUTARY_INPUT_ARCHIVE_H
#define TRIBUTARY_INPUT_ARCHIVE_H

#include "base/base.h"

/* Nothing that a text unpacks to: beyond TRIB_UNPACKED_FREE bytes a file may give
 * TRIB_UNPACKED_RATIO times its size. */
#define TRIB_UNPACKED_FREE  (UINT64_C(1) << 26)
#define TRIB_UNPACKED_RATIO UINT64_C(1000)
#define TRIB_UNPACKED_MOST  (UINT64_C(1) << 36)
enum { TRIB_MEMBERS_MOST = 1 << 20 }; /* of one archive */

/* TRIB_INPUT when `n_file` bytes may not unpack to `n_out`. */
trib_status trib_unpacked_check(const char *name, uint64_t n_file, uint64_t n_out,
                                trib_error *error);

typedef struct trib_archive {
    const char *name; /* for messages; borrowed */
    void *reader;     /* libarchive's; NULL without it */
    uint64_t n_file;  /* bytes of the archive */
    uint64_t n_out;   /* bytes given out so far */
    uint32_t n_members;
} trib_archive;

typedef struct trib_member {
    const char *name; /* as stored, any bytes; valid until the next */
    bool is_file;     /* regular: no folder, link or device */
    bool is_folder;
} trib_member;

/* Whether a file is an archive by its name: .zip, .tar, and .tar packed (.tar.gz .tgz .tar.bz2
 * .tbz2 .tar.xz .txz .tar.zst). */
bool trib_archive_is_named(const char *path);
/* Opens a file, or bytes in memory (borrowed until close). TRIB_INPUT when it is no archive that
 * can be read, or this build has no libarchive (the message names the package). */
trib_status trib_archive_open(trib_archive *archive, const char *path, trib_error *error);
trib_status trib_archive_memory(trib_archive *archive, const char *name, const void *bytes,
                                size_t length, trib_error *error);
/* The next member; member->name is NULL behind the last. TRIB_INPUT where the archive is damaged,
 * encrypted, has too many members, or one whose name leads out of it. */
trib_status trib_archive_next(trib_archive *archive, trib_member *member, trib_error *error);
/* The contents of the member that came last, appended to `to`. TRIB_INPUT where they are damaged or
 * beyond the limits. */
trib_status trib_archive_read(trib_archive *archive, trib_buffer *to, trib_error *error);
void trib_archive_close(trib_archive *archive); /* `{0}` is legal */

/* The contents of one member of a file, by its name. TRIB_INPUT when there is none of that name:
 * the message shows what there is. */
trib_status trib_archive_member(const char *path, const char *member, trib_buffer *to,
                                trib_error *error);

#endif
