/* pack.c - converts records to bytes and back. */
#include "pipeline/support/pack.h"

trib_pack trib_pack_reading(const char *bytes, size_t n) {
    return (trib_pack){.reads = true, .at = bytes, .end = bytes ? bytes + n : NULL};
}

void trib_pack_release(trib_pack *pack) {
    trib_buffer_release(&pack->bytes);
    *pack = (trib_pack){0};
}

void trib_pack_bytes(trib_pack *pack, void *bytes, size_t n) {
    if (pack->reads) trib_pack_expect(pack, n <= (size_t)(pack->end - pack->at));
    if (n == 0) return;
    if (!trib_pack_is_good(pack)) {
        if (pack->reads) memset(bytes, 0, n);
    } else if (pack->reads) {
        memcpy(bytes, pack->at, n);
        pack->at += n;
    } else (void)trib_buffer_add(&pack->bytes, bytes, n, &pack->failure);
}

void trib_pack_bool(trib_pack *pack, bool *value) {
    uint8_t byte = *value;
    TRIB_PACK(pack, byte);
    trib_pack_expect(pack, byte <= 1);
    if (pack->reads) *value = byte == 1;
}

static void write_varint(trib_pack *pack, uint64_t value) {
    trib_buffer *const to = &pack->bytes;
    uint8_t bytes[TRIB_VARINT_MAX];
    if (value < 0x80 && to->length + 1 < to->cap && pack->failure.status == TRIB_OK) {
        to->text[to->length++] = (char)value; /* most values are that small */
        to->text[to->length] = '\0';
        return;
    }
    trib_pack_bytes(pack, bytes, trib_varint_put(bytes, value));
}

static uint64_t read_varint(trib_pack *pack) {
    trib_unread left = {(const uint8_t *)pack->at, (const uint8_t *)pack->end};
    uint64_t value = 0;
    if (!trib_pack_is_good(pack)) return 0;
    trib_pack_expect(pack, trib_varint_take(&left, &value));
    pack->at = (const char *)left.at;
    return value;
}

void trib_pack_varint(trib_pack *pack, uint64_t *value) {
    if (pack->reads) *value = read_varint(pack);
    else write_varint(pack, *value);
}

void trib_pack_text(trib_pack *pack, char *text, size_t size) {
    size_t n = pack->reads ? 0 : strlen(text);
    TRIB_PACK(pack, n);
    trib_pack_expect(pack, n < size);
    if (pack->reads && !trib_pack_is_good(pack)) n = 0;
    trib_pack_bytes(pack, text, n);
    if (pack->reads) text[n] = '\0';
}

/* Allocates n elements, of which each takes `least` bytes of what is left to read. */
static void allocate(trib_pack *pack, void *array, size_t n, size_t size, size_t least,
                     const char *what) {
    if (!pack->reads) return;
    trib_pack_expect(pack, n <= (size_t)(pack->end - pack->at) / least);
    if (trib_pack_is_good(pack)) (void)trib_new(array, n, size, what, &pack->failure);
}

void trib_pack_array(trib_pack *pack, void *array, size_t n, size_t size, const char *what) {
    allocate(pack, array, n, size, size, what);
    if (trib_pack_is_good(pack)) trib_pack_bytes(pack, *(void **)array, n * size);
}

void trib_pack_number(trib_pack *pack, void *array, size_t *n, size_t size, size_t least,
                      const char *what) {
    TRIB_PACK(pack, *n);
    allocate(pack, array, *n, size, least, what);
    if (pack->reads && !trib_pack_is_good(pack)) *n = 0;
}

void trib_pack_list(trib_pack *pack, void *array, size_t *n, size_t size, const char *what) {
    trib_pack_number(pack, array, n, size, size, what);
    if (trib_pack_is_good(pack)) trib_pack_bytes(pack, *(void **)array, *n * size);
}

void trib_pack_expect(trib_pack *pack, bool holds) {
    pack->is_wrong = pack->is_wrong || (pack->reads && !holds);
}

bool trib_pack_is_good(const trib_pack *pack) {
    return !pack->is_wrong && pack->failure.status == TRIB_OK;
}

bool trib_pack_is_whole(const trib_pack *pack) {
    return trib_pack_is_good(pack) && pack->at == pack->end;
}

trib_status trib_pack_check(const trib_pack *pack, trib_error *error) {
    if (error && pack->failure.status != TRIB_OK) *error = pack->failure;
    return pack->failure.status;
}
