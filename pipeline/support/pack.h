/* pack.h - converts numbers and arrays to bytes and back, for files that are cached between runs.
 * Numbers are little-endian. Arrays have the byte order of the machine, which the file around them
 * records. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_PACK_H
#define TRIBUTARY_SUPPORT_PACK_H

#include "base/base.h"

/* Output. After the first failure, which is recorded, all further calls do nothing. `{0}` is
 * empty. */
typedef struct trib_pack {
    trib_buffer bytes;
    trib_error failure;
} trib_pack;
void trib_pack_u32(trib_pack *pack, uint32_t value);
void trib_pack_u64(trib_pack *pack, uint64_t value);
/* 7 bits per byte, so that small numbers are short */
void trib_pack_varint(trib_pack *pack, uint64_t value);
void trib_pack_double(trib_pack *pack, double value); /* the exact bits */
void trib_pack_array(trib_pack *pack, const void *array, size_t n, size_t size);
void trib_pack_text(trib_pack *pack, const char *text);
void trib_pack_release(trib_pack *pack);

/* Input; the bytes are borrowed. A read beyond their end returns 0 and is recorded for
 * trib_unpack_is_whole. */
typedef struct trib_unpack {
    const char *at, *end;
    bool is_wrong;
} trib_unpack;
uint32_t trib_unpack_u32(trib_unpack *in);
uint64_t trib_unpack_u64(trib_unpack *in);
uint64_t trib_unpack_varint(trib_unpack *in);
double trib_unpack_double(trib_unpack *in);
void trib_unpack_into(trib_unpack *in, void *array, size_t n, size_t size);
/* Reads what trib_pack_text wrote into text[size]. */
void trib_unpack_text(trib_unpack *in, char *text, size_t size);
/* Allocates n elements into *array (a `T **`) and reads them. Allocates nothing when fewer bytes
 * are left. TRIB_MEMORY. */
trib_status trib_unpack_array(trib_unpack *in, void *array, size_t n, size_t size, const char *what,
                              trib_error *error);
/* Records that the bytes are invalid, unless `holds`. */
void trib_unpack_expect(trib_unpack *in, bool holds);
/* Whether all bytes were read, none were missing, and all values were valid. */
bool trib_unpack_is_whole(const trib_unpack *in);

#endif
