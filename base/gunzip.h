/* gunzip.h - a gzip stream unpacked while it is read, and made; private to base/. */
#ifndef TRIBUTARY_GUNZIP_H
#define TRIBUTARY_GUNZIP_H

#include "base/base.h"

typedef struct trib_gunzip trib_gunzip;

/* `name` is for the message where this build has no zlib (TRIB_INPUT). */
trib_status trib_gunzip_open(trib_gunzip **gunzip, const char *name, trib_error *error);
/* As trib_reader_read, but of the bytes as they are stored: still packed. */
typedef trib_status (*trib_packed_read)(trib_reader *reader, void *bytes, size_t size, size_t *got,
                                        trib_error *error);
/* The next unpacked bytes of what `read` gives of `packed`; *got is 0 only at the end or for size
 * 0. */
trib_status trib_gunzip_read(trib_gunzip *gunzip, trib_packed_read read, trib_reader *packed,
                             void *bytes, size_t size, size_t *got, trib_error *error);
void trib_gunzip_close(trib_gunzip *gunzip);

/* Packs at most 1 GiB into a new array, which the caller frees. */
trib_status trib_gzip_member(const void *bytes, size_t length, void **packed, size_t *n_packed,
                             const char *name, trib_error *error);
bool trib_gzip_is_built(void);

#endif
