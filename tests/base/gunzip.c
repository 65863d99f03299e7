/* gunzip.c - tests of base/gunzip.c: texts packed by gzip. */
#include "tests/test.h"

static trib_status unpacked(const void *bytes, size_t length, size_t step, trib_buffer *text,
                            trib_error *error) {
    trib_reader reader;
    char block[300];
    size_t got = 0;
    trib_reader_memory(&reader, "a.gz", bytes, length);
    trib_status status = trib_reader_unpack(&reader, error);
    do {
        if (status == TRIB_OK) status = trib_reader_read(&reader, block, step, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(text, block, got, error);
    } while (status == TRIB_OK && got > 0);
    trib_reader_close(&reader);
    return status;
}

static void data_that_are_not_packed_are_read_unchanged(void) {
    static const char *const texts[] = {"", "a", "\x1f", "\x1f\x1f\x8b", "ab", "abc and more"};
    for (size_t i = 0; i < 6; i++)
        for (size_t step = 1; step < 8; step++) {
            trib_buffer text = {0};
            trib_error error = {0};
            EXPECT_STATUS(unpacked(texts[i], strlen(texts[i]), step, &text, &error), TRIB_OK,
                          error);
            EXPECT_TEXT(text.text ? text.text : "", texts[i]);
            trib_buffer_release(&text);
        }
}

#ifdef TRIB_WITH_ZLIB
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

static void members_are_unpacked_one_after_the_other(void) {
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
        trib_buffer text = {0};
        trib_error error = {0};
        EXPECT_STATUS(unpacked(packed, n, step, &text, &error), TRIB_OK, error);
        CHECK(text.length == 6 + LONG);
        EXPECT(memcmp(text.text, "1 2 3\n", 6) == 0 && memcmp(text.text + 6, long_text, LONG) == 0);
        trib_buffer_release(&text);
    }
    trib_free(long_text);
}

static void damaged_and_truncated_data_are_detected(void) {
    unsigned char packed[300];
    const size_t n = pack("1 2 3\n1 2 4\n1 2 5\n", 18, packed, sizeof packed);
    for (size_t length = 2; length < n; length++) {
        trib_buffer text = {0};
        trib_error error = {0};
        EXPECT_STATUS(unpacked(packed, length, 100, &text, &error), TRIB_INPUT, error);
        EXPECT_TEXT(error.message, "a.gz: ends within its gzip data; is it cut?");
        trib_buffer_release(&text);
    }
    for (size_t i = n - 8; i < n; i++) { /* checksum and length */
        trib_buffer text = {0};
        trib_error error = {0};
        packed[i] ^= 1;
        EXPECT_STATUS(unpacked(packed, n, 100, &text, &error), TRIB_INPUT, error);
        EXPECT(strncmp(error.message, "a.gz: its gzip data are damaged", 31) == 0);
        packed[i] ^= 1;
        trib_buffer_release(&text);
    }
    packed[n] = 'x'; /* after the end */
    packed[n + 1] = 'y';
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(unpacked(packed, n + 2, 100, &text, &error), TRIB_INPUT, error);
    trib_buffer_release(&text);
}

typedef struct bytes {
    unsigned char at[300];
    size_t n;
} bytes;

static trib_status unpack(void *context, trib_error *error) {
    const bytes *packed = context;
    trib_buffer text = {0};
    const trib_status status = unpacked(packed->at, packed->n, 100, &text, error);
    trib_buffer_release(&text);
    return status;
}

static void every_failing_allocation_is_reported(void) {
    bytes packed;
    packed.n = pack("1 2 3\n1 2 4\n1 2 5\n", 18, packed.at, sizeof packed.at);
    EXPECT(trib_fail_every_allocation(unpack, &packed) >= 4);
}

#else

static void without_zlib_the_package_is_named(void) {
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(unpacked("\x1f\x8b\x08", 3, 9, &text, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "zlib1g-dev"));
    trib_buffer_release(&text);
}

#endif

CU_TestInfo trib_tests_base_gunzip[] = {
    {"data that are not packed are read unchanged", data_that_are_not_packed_are_read_unchanged},
#ifdef TRIB_WITH_ZLIB
    {"members are unpacked one after the other", members_are_unpacked_one_after_the_other},
    {"damaged and truncated data are detected", damaged_and_truncated_data_are_detected},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
#else
    {"without zlib the package is named", without_zlib_the_package_is_named},
#endif
    CU_TEST_INFO_NULL,
};
