/* ktensor_packed.h - private to decomp/: the packed form of a .ktns file, for ktensor_io.c. */
#ifndef TRIBUTARY_KTENSOR_PACKED_H
#define TRIBUTARY_KTENSOR_PACKED_H

#include "decomp/decomp.h"

#define TRIB_KTNS_PACKED "ktensor 2\n"

/* Whether the file begins like a packed one. */
bool trib_ktns_is_packed(const trib_buffer *file);
/* Reads a packed file into k. Where `words` is not NULL, words->word points into `file`, whose
 * newlines become zero bytes. TRIB_INPUT when the file is damaged; the caller releases k and words
 * even then. */
trib_status trib_ktns_unpack(trib_ktensor *k, trib_ktns_words *words, trib_buffer *file,
                             const char *name, trib_error *error);

#endif
