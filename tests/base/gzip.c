/* gzip.c - tests of base/gzip.c: texts packed by gzip, by zlib itself and by a writer; and that
 * peeking consumes no bytes. */
#include "tests/test.h"

TESTS(base, gzip);

static trib_error error;

TEST(peeking_consumes_no_bytes) {
    static const char text[] = "0123456789";
    for (size_t length = 0; length <= 10; length++) {
        trib_reader reader;
        char seen[8] = "", read[16];
        size_t got = 0;
        GIVEN(trib_buffer) all = {0};
        trib_reader_memory(&reader, "text", text, length);
        EXPECT(trib_reader_peek(&reader, seen, 2, &got, NULL) == TRIB_OK);
        EXPECT(got == (length < 2 ? length : 2));
        EXPECT(trib_reader_peek(&reader, seen, 8, &got, NULL) == TRIB_OK);
        EXPECT(got == (length < 8 ? length : 8) && memcmp(seen, text, got) == 0);
        EXPECT(trib_reader_peek(&reader, seen, 3, &got, NULL) == TRIB_OK);
        EXPECT(got == (length < 3 ? length : 3));
        EXPECT(trib_reader_read(&reader, read, 1, &got, NULL) == TRIB_OK);
        EXPECT(got == (length > 0));
        EXPECT(trib_reader_all(&reader, &all, NULL) == TRIB_OK);
        EXPECT(all.length + got == length &&
               (all.length == 0 || memcmp(all.text, text + 1, all.length) == 0));
    }
}

static trib_status write_packed(void *context, trib_error *failure) {
    const size_t *length = context;
    trib_writer writer;
    const trib_status status = trib_writer_open(&writer, trib_scratch("packed.gz"), failure);
    if (status != TRIB_OK) return status;
    trib_writer_pack(&writer);
    for (size_t i = 0; i < *length; i++) trib_write(&writer, i % 3 ? "a" : "bc", i % 3 ? 1 : 2);
    return trib_writer_commit(&writer, NULL, failure);
}

TEST(packed_data_unpack_to_the_same_bytes) {
    static const size_t lengths[] = {0, 1, 200000}; /* more than one block */
    for (size_t l = 0; l < 3; l++) {
        size_t length = lengths[l];
        OPENED(trib_reader) reader = {0};
        GIVEN(trib_buffer) text = {0};
        const trib_status status = write_packed(&length, &error);
        if (status == TRIB_OUTPUT && strstr(error.message, "zlib1g-dev")) {
            trib_skip("a build without zlib");
            return;
        }
        EXPECT_OK(status);
        EXPECT(trib_reader_open(&reader, trib_scratch("packed.gz"), NULL) == TRIB_OK);
        EXPECT_OK(trib_reader_unpack(&reader, &error));
        EXPECT(reader.gunzip != NULL);
        EXPECT_OK(trib_reader_all(&reader, &text, &error));
        size_t at = 0;
        for (size_t i = 0; i < length && at < text.length; i++) {
            EXPECT(text.text[at] == (i % 3 ? 'a' : 'b'));
            at += i % 3 ? 1 : 2;
        }
        EXPECT(at == text.length);
        EXPECT(trib_fail_every_allocation(write_packed, &length) > 3);
    }
}

static trib_status unpacked(const void *bytes, size_t length, size_t step, trib_buffer *text,
                            trib_error *failure) {
    OPENED(trib_reader) reader = {0};
    char block[300];
    size_t got = 0;
    trib_reader_memory(&reader, "a.gz", bytes, length);
    trib_status status = trib_reader_unpack(&reader, failure);
    do {
        if (status == TRIB_OK) status = trib_reader_read(&reader, block, step, &got, failure);
        if (status == TRIB_OK) status = trib_buffer_add(text, block, got, failure);
    } while (status == TRIB_OK && got > 0);
    return status;
}

TEST(data_that_are_not_packed_are_read_unchanged) {
    static const char *const texts[] = {"", "a", "\x1f", "\x1f\x1f\x8b", "ab", "abc and more"};
    for (size_t i = 0; i < 6; i++)
        for (size_t step = 1; step < 8; step++) {
            GIVEN(trib_buffer) text = {0};
            EXPECT_OK(unpacked(texts[i], strlen(texts[i]), step, &text, &error));
            EXPECT_TEXT(text.text ? text.text : "", texts[i]);
        }
}

#include <zlib.h>

/* Packs `text` into one gzip member. */
static size_t pack(const char *text, size_t length, unsigned char *packed, size_t room) {
    z_stream stream = {0};
    CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (unsigned char *)(uintptr_t)text;
    stream.avail_in = (unsigned)length;
    stream.next_out = packed;
    stream.avail_out = (unsigned)room;
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

TEST(members_are_unpacked_one_after_the_other) {
    enum { LONG = 200000 };
    static unsigned char packed[2 * LONG];
    char *long_text;
    CHECK(trib_new(&long_text, LONG, 1, "", NULL) == TRIB_OK);
    trib_random random;
    trib_random_seed(&random, 1);
    for (size_t i = 0; i < LONG; i++) long_text[i] = (char)('a' + trib_random_below(&random, 26));
    size_t n = pack("1 2 3\n", 6, packed, sizeof packed);
    n += pack("", 0, packed + n, sizeof packed - n);
    n += pack(long_text, LONG, packed + n, sizeof packed - n);
    for (size_t step = 1; step <= 300; step += 299) {
        GIVEN(trib_buffer) text = {0};
        EXPECT_OK(unpacked(packed, n, step, &text, &error));
        CHECK(text.length == 6 + LONG);
        EXPECT(memcmp(text.text, "1 2 3\n", 6) == 0 && memcmp(text.text + 6, long_text, LONG) == 0);
    }
    trib_free(long_text);
}

TEST(damaged_and_truncated_data_are_detected) {
    unsigned char packed[300];
    const size_t n = pack("1 2 3\n1 2 4\n1 2 5\n", 18, packed, sizeof packed);
    for (size_t length = 2; length < n; length++) {
        GIVEN(trib_buffer) text = {0};
        EXPECT_REFUSED(unpacked(packed, length, 100, &text, &error), TRIB_INPUT,
                       "a.gz: ends within its gzip data; is it cut?");
    }
    for (size_t i = n - 8; i < n; i++) { /* checksum and length */
        GIVEN(trib_buffer) text = {0};
        packed[i] ^= 1;
        EXPECT_STATUS(unpacked(packed, n, 100, &text, &error), TRIB_INPUT, error);
        EXPECT(strncmp(error.message, "a.gz: its gzip data are damaged", 31) == 0);
        packed[i] ^= 1;
    }
    packed[n] = 'x'; /* after the end */
    packed[n + 1] = 'y';
    GIVEN(trib_buffer) text = {0};
    EXPECT_STATUS(unpacked(packed, n + 2, 100, &text, &error), TRIB_INPUT, error);
}

typedef struct bytes {
    unsigned char at[300];
    size_t n;
} bytes;

static trib_status unpack(void *context, trib_error *failure) {
    const bytes *packed = context;
    GIVEN(trib_buffer) text = {0};
    const trib_status status = unpacked(packed->at, packed->n, 100, &text, failure);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    bytes packed;
    packed.n = pack("1 2 3\n1 2 4\n1 2 5\n", 18, packed.at, sizeof packed.at);
    EXPECT(trib_fail_every_allocation(unpack, &packed) >= 4);
}
