/* pack.h - numbers and arrays as bytes and back, for what is kept between runs: little-endian,
 * arrays as they lie in memory (this machine's byte order is marked in the file that holds them).
 * Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_PACK_H
#define TRIBUTARY_SUPPORT_PACK_H

#include "base/base.h"

/* Bytes on their way out; the first failure is kept and everything after it does nothing. `{0}` is
 * empty. */
typedef struct trib_pack {
    trib_buffer bytes;
    trib_error failure;
} trib_pack;
void trib_pack_u32(trib_pack *pack, uint32_t value);
void trib_pack_u64(trib_pack *pack, uint64_t value);
void trib_pack_varint(trib_pack *pack, uint64_t value); /* 7 bits a byte: small numbers are short */
void trib_pack_double(trib_pack *pack, double value);   /* bit for bit */
void trib_pack_array(trib_pack *pack, const void *array, size_t n, size_t size);
void trib_pack_release(trib_pack *pack);

/* Bytes being read; borrowed. What is asked beyond their end is 0, and recorded: trib_unpack_end
 * tells. */
typedef struct trib_unpack {
    const char *at, *end;
    bool is_wrong;
} trib_unpack;
uint32_t trib_unpack_u32(trib_unpack *in);
uint64_t trib_unpack_u64(trib_unpack *in);
uint64_t trib_unpack_varint(trib_unpack *in);
double trib_unpack_double(trib_unpack *in);
void trib_unpack_into(trib_unpack *in, void *array, size_t n, size_t size);
/* Allocates n elements into *array (a `T **`) and reads them. Nothing is allocated that the bytes
 * cannot fill. TRIB_MEMORY. */
trib_status trib_unpack_array(trib_unpack *in, void *array, size_t n, size_t size, const char *what,
                              trib_error *error);
/* Records that what was read makes no sense, unless `holds`. */
void trib_unpack_expect(trib_unpack *in, bool holds);
/* Whether all was read, no more asked for, and nothing wrong. */
bool trib_unpack_is_whole(const trib_unpack *in);

#endif
