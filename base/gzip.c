/* gzip.c - packs bytes as one gzip member (RFC 1952) with zlib, if the build has it. The member
 * holds neither time nor name, so the same bytes give the same result. */
#include "base/gunzip.h"
#include "base/internal.h"

#ifdef TRIB_WITH_ZLIB
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 /* 32 KiB, and the gzip wrapper */, MEMORY = 8 };

static void *allocate(void *context, unsigned n, unsigned size) {
    size_t bytes = 0;
    (void)context;
    return trib_multiply(n, size, &bytes) ? trib_raw_malloc(bytes) : NULL;
}

static void release(void *context, void *pointer) {
    (void)context;
    trib_raw_free(pointer);
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

bool trib_gzip_is_built(void) { return true; }

#else

trib_status trib_gzip_member(const void *bytes, size_t length, void **packed, size_t *n_packed,
                             const char *name, trib_error *error) {
    (void)bytes;
    (void)length;
    *packed = NULL;
    *n_packed = 0;
    return trib_fail(error, TRIB_OUTPUT, "%s: cannot be packed without zlib", name);
}

bool trib_gzip_is_built(void) { return false; }

#endif
