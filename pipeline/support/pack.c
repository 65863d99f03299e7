/* pack.c - converts numbers and arrays to bytes and back. */
#include "pipeline/support/pack.h"

#include <string.h>

void trib_pack_array(trib_pack *pack, const void *array, size_t n, size_t size) {
    size_t bytes = 0;
    if (pack->failure.status != TRIB_OK || n == 0) return;
    if (!trib_multiply(n, size, &bytes))
        trib_fail(&pack->failure, TRIB_MEMORY, "out of memory: a result to be kept");
    else (void)trib_buffer_add(&pack->bytes, array, bytes, &pack->failure);
}

void trib_pack_u32(trib_pack *pack, uint32_t value) {
    trib_pack_array(pack, &value, 1, sizeof value);
}

void trib_pack_u64(trib_pack *pack, uint64_t value) {
    trib_pack_array(pack, &value, 1, sizeof value);
}

void trib_pack_varint(trib_pack *pack, uint64_t value) {
    trib_buffer *const to = &pack->bytes;
    uint8_t bytes[10];
    size_t n = 0;
    if (value < 0x80 && to->length + 1 < to->cap && pack->failure.status == TRIB_OK) {
        to->text[to->length++] = (char)value; /* most values are that small */
        to->text[to->length] = '\0';
        return;
    }
    for (; value >= 0x80; value >>= 7) bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    trib_pack_array(pack, bytes, n, 1);
}

void trib_pack_double(trib_pack *pack, double value) {
    trib_pack_array(pack, &value, 1, sizeof value);
}

void trib_pack_text(trib_pack *pack, const char *text) {
    trib_pack_u64(pack, strlen(text));
    trib_pack_array(pack, text, strlen(text), 1);
}

void trib_pack_release(trib_pack *pack) {
    trib_buffer_release(&pack->bytes);
    *pack = (trib_pack){0};
}

void trib_unpack_into(trib_unpack *in, void *array, size_t n, size_t size) {
    size_t bytes = 0;
    if (!trib_multiply(n, size, &bytes) || bytes > (size_t)(in->end - in->at)) in->is_wrong = true;
    if (n == 0 || in->is_wrong) return;
    memcpy(array, in->at, bytes);
    in->at += bytes;
}

uint32_t trib_unpack_u32(trib_unpack *in) {
    uint32_t value = 0;
    trib_unpack_into(in, &value, 1, sizeof value);
    return value;
}

uint64_t trib_unpack_u64(trib_unpack *in) {
    uint64_t value = 0;
    trib_unpack_into(in, &value, 1, sizeof value);
    return value;
}

void trib_unpack_text(trib_unpack *in, char *text, size_t size) {
    const uint64_t n = trib_unpack_u64(in);
    trib_unpack_expect(in, n < size);
    if (in->is_wrong) return;
    trib_unpack_into(in, text, (size_t)n, 1);
    text[n] = '\0';
}

uint64_t trib_unpack_varint(trib_unpack *in) {
    uint64_t value = 0;
    if (in->at < in->end && !in->is_wrong && (uint8_t)*in->at < 0x80) return (uint8_t)*in->at++;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = 0;
        trib_unpack_into(in, &byte, 1, 1);
        trib_unpack_expect(in, shift < 63 || byte <= 1);
        if (in->is_wrong) return 0;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) break;
    }
    return value;
}

double trib_unpack_double(trib_unpack *in) {
    double value = 0;
    trib_unpack_into(in, &value, 1, sizeof value);
    return value;
}

trib_status trib_unpack_array(trib_unpack *in, void *array, size_t n, size_t size, const char *what,
                              trib_error *error) {
    size_t bytes = 0;
    if (!trib_multiply(n, size, &bytes) || bytes > (size_t)(in->end - in->at)) in->is_wrong = true;
    if (in->is_wrong) n = 0;
    const trib_status status = trib_new(array, n, size, what, error);
    if (status == TRIB_OK) trib_unpack_into(in, *(void **)array, n, size);
    return status;
}

void trib_unpack_expect(trib_unpack *in, bool holds) { in->is_wrong = in->is_wrong || !holds; }

bool trib_unpack_is_whole(const trib_unpack *in) { return !in->is_wrong && in->at == in->end; }
