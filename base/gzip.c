/* gzip.c - unpacks gzip streams (RFC 1952: one or more members, each with its checksum) and packs
 * members, with zlib. A member that is packed holds neither time nor name, so the same bytes give
 * the same result. */
#include "base/internal.h"

#include <limits.h>
#include <zlib.h>

enum { PACKED = 1 << 16, GZIP_WINDOW = 15 + 16 /* 32 KiB, and the gzip wrapper */, MEMORY = 8 };

struct trib_gunzip {
    z_stream stream;
    bool between;                 /* the next byte, if there is one, begins a member */
    unsigned char packed[PACKED]; /* the buffer of stream.next_in */
};

static void *allocate(void *context, unsigned n, unsigned size) {
    size_t bytes = 0;
    (void)context;
    return trib_multiply(n, size, &bytes) ? trib_raw_malloc(bytes) : NULL;
}

static void release(void *context, void *pointer) {
    (void)context;
    trib_raw_free(pointer);
}

trib_status trib_gunzip_open(trib_gunzip **gunzip, const char *name, trib_error *error) {
    const trib_status status = TRIB_NEW(gunzip, 1, "unpacking", error);
    if (status != TRIB_OK) return status;
    (*gunzip)->stream = (z_stream){.zalloc = allocate, .zfree = release};
    if (inflateInit2(&(*gunzip)->stream, GZIP_WINDOW) == Z_OK) return TRIB_OK;
    trib_free(*gunzip);
    *gunzip = NULL;
    return trib_fail(error, TRIB_MEMORY, "%s: out of memory while unpacking it", name);
}

trib_status trib_gunzip_read(trib_gunzip *gunzip, trib_packed_read read, trib_reader *packed,
                             void *bytes, size_t size, size_t *got, trib_error *error) {
    z_stream *stream = &gunzip->stream;
    const unsigned wanted = size < UINT_MAX ? (unsigned)size : UINT_MAX;
    stream->next_out = bytes;
    stream->avail_out = wanted;
    *got = 0;
    while (stream->avail_out == wanted && wanted > 0) {
        if (stream->avail_in == 0) {
            size_t n = 0;
            const trib_status status = read(packed, gunzip->packed, PACKED, &n, error);
            if (status != TRIB_OK) return status;
            if (n == 0 && gunzip->between) return TRIB_OK;
            if (n == 0)
                return trib_fail(error, TRIB_INPUT, "%s: ends within its gzip data; is it cut?",
                                 packed->name);
            stream->next_in = gunzip->packed;
            stream->avail_in = (unsigned)n;
        }
        if (gunzip->between && inflateReset(stream) != Z_OK)
            return trib_fail(error, TRIB_INTERNAL, "%s: zlib cannot unpack it", packed->name);
        gunzip->between = false;
        const int result = inflate(stream, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR)
            return trib_fail(error, TRIB_MEMORY, "%s: out of memory while unpacking it",
                             packed->name);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return trib_fail(error, TRIB_INPUT, "%s: its gzip data are damaged%s%s", packed->name,
                             stream->msg ? ": " : "", stream->msg ? stream->msg : "");
        gunzip->between = result == Z_STREAM_END;
    }
    *got = wanted - stream->avail_out;
    return TRIB_OK;
}

void trib_gunzip_close(trib_gunzip *gunzip) {
    if (gunzip) inflateEnd(&gunzip->stream);
    trib_free(gunzip);
}

trib_status trib_gzip_member(const void *bytes, size_t length, void **packed, size_t *n_packed,
                             const char *name, trib_error *error) {
    z_stream stream = {.zalloc = allocate, .zfree = release};
    *packed = NULL;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return trib_fail(error, TRIB_MEMORY, "%s: out of memory while packing it", name);
    const size_t bound = deflateBound(&stream, (uLong)length);
    trib_status status = trib_new(packed, bound, 1, "packing", error);
    if (status == TRIB_OK) {
        stream.next_in = (Bytef *)(uintptr_t)bytes;
        stream.avail_in = (uInt)length;
        stream.next_out = *packed;
        stream.avail_out = (uInt)bound;
        if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
            status = trib_fail(error, TRIB_INTERNAL, "%s: zlib cannot pack it", name);
        *n_packed = bound - stream.avail_out;
    }
    deflateEnd(&stream);
    if (status != TRIB_OK) {
        trib_free(*packed);
        *packed = NULL;
    }
    return status;
}
