/* gunzip.h - private to base/: unpacks a gzip stream while it is read, and packs gzip members. */
#ifndef TRIBUTARY_GUNZIP_H
#define TRIBUTARY_GUNZIP_H

#include "base/base.h"

typedef struct trib_gunzip trib_gunzip;

/* Opens a stream. `name` is for the message when the build has no zlib (TRIB_INPUT). */
trib_status trib_gunzip_open(trib_gunzip **gunzip, const char *name, trib_error *error);
/* Like trib_reader_read, but reads the stored, packed bytes. */
typedef trib_status (*trib_packed_read)(trib_reader *reader, void *bytes, size_t size, size_t *got,
                                        trib_error *error);
/* Reads the next unpacked bytes of the packed bytes that `read` gets from `packed`. *got is 0 only
 * at the end or for size 0. */
trib_status trib_gunzip_read(trib_gunzip *gunzip, trib_packed_read read, trib_reader *packed,
                             void *bytes, size_t size, size_t *got, trib_error *error);
void trib_gunzip_close(trib_gunzip *gunzip);

/* Packs at most 1 GiB into a new array, which the caller frees. */
trib_status trib_gzip_member(const void *bytes, size_t length, void **packed, size_t *n_packed,
                             const char *name, trib_error *error);
bool trib_gzip_is_built(void);

#endif
