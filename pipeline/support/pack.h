/* pack.h - records as bytes, for files that are cached between runs and for messages between
 * processes. One function describes a record in both directions: each call appends the bytes of a
 * value, or sets the value from the next bytes. Numbers have the size and the byte order of the
 * machine, which the file around them records. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_PACK_H
#define TRIBUTARY_SUPPORT_PACK_H

#include "base/base.h"

/* `{0}` is empty and writes. After the first failure, and when the bytes are invalid, all further
 * calls do nothing, except that they set the values that they would read to 0. */
typedef struct trib_pack {
    trib_buffer bytes;    /* what was written */
    bool reads;           /* instead of writing */
    const char *at, *end; /* what is left to read; borrowed */
    bool is_wrong;        /* what was read is invalid */
    trib_error failure;   /* the first one */
} trib_pack;
/* A pack that reads n bytes, which are borrowed. */
trib_pack trib_pack_reading(const char *bytes, size_t n);
void trib_pack_release(trib_pack *pack);

void trib_pack_bytes(trib_pack *pack, void *bytes, size_t n);
/* A number, or a record or an array of numbers. */
#define TRIB_PACK(pack, value) trib_pack_bytes(pack, &(value), sizeof(value))
void trib_pack_bool(trib_pack *pack, bool *value);
/* 7 bits per byte, so that small numbers are short. */
void trib_pack_varint(trib_pack *pack, uint64_t *value);
enum { TRIB_VARINT_MAX = 10 };
/* Writes such a number, and returns how many bytes it takes. */
static inline size_t trib_varint_put(uint8_t at[TRIB_VARINT_MAX], uint64_t value) {
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) at[n++] = (uint8_t)(value | 0x80);
    at[n++] = (uint8_t)value;
    return n;
}
/* Bytes that have not been read yet. */
typedef struct trib_unread {
    const uint8_t *at, *end;
} trib_unread;
/* Takes the next one. False when the bytes end, or it has more than 64 bits. */
static inline bool trib_varint_take(trib_unread *from, uint64_t *value) {
    uint64_t v = 0;
    for (int shift = 0; from->at < from->end && shift < 64; shift += 7) {
        const uint64_t byte = *from->at++;
        if (shift == 63 && byte > 1) return false;
        v |= (byte & 0x7F) << shift;
        if (byte >= 0x80) continue;
        *value = v;
        return true;
    }
    return false;
}
/* The text in text[size]. */
void trib_pack_text(trib_pack *pack, char *text, size_t size);
/* *array (a `T **`) of n elements. Reading allocates them, unless fewer bytes are left. */
void trib_pack_array(trib_pack *pack, void *array, size_t n, size_t size, const char *what);
/* For an array that is named by its pointer. */
#define TRIB_PACK_ARRAY(pack, array, n, what)                                                      \
    trib_pack_array(pack, &(array), n, sizeof *(array), what)
/* The number of elements. Reading allocates them, all 0, unless fewer than `least` bytes are left
 * for each; *n is 0 then. */
void trib_pack_number(trib_pack *pack, void *array, size_t *n, size_t size, size_t least,
                      const char *what);
/* The number of elements, and the elements. */
void trib_pack_list(trib_pack *pack, void *array, size_t *n, size_t size, const char *what);
/* The same. */
#define TRIB_PACK_LIST(pack, array, n, what)                                                       \
    trib_pack_list(pack, &(array), &(n), sizeof *(array), what)

/* Records that the bytes that are read are invalid, unless `holds`. */
void trib_pack_expect(trib_pack *pack, bool holds);
/* Whether nothing failed, and nothing that was read is invalid. */
bool trib_pack_is_good(const trib_pack *pack);
/* The same, and all bytes were read. */
bool trib_pack_is_whole(const trib_pack *pack);
/* The first failure. */
trib_status trib_pack_check(const trib_pack *pack, trib_error *error);

#endif
