/* gzip.c - tests that data packed by a writer unpack to the same in a reader, and that peeking
 * consumes no bytes. */
#include "tests/test.h"

static void peeking_consumes_no_bytes(void) {
    static const char text[] = "0123456789";
    for (size_t length = 0; length <= 10; length++) {
        trib_reader reader;
        char seen[8] = "", read[16];
        size_t got = 0;
        trib_buffer all = {0};
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
        trib_buffer_release(&all);
    }
}

static trib_status write_packed(void *context, trib_error *error) {
    const size_t *length = context;
    trib_writer writer;
    trib_status status = trib_writer_open(&writer, trib_scratch("packed.gz"), error);
    if (status != TRIB_OK) return status;
    status = trib_writer_pack(&writer, error);
    for (size_t i = 0; i < *length; i++) trib_write(&writer, i % 3 ? "a" : "bc", i % 3 ? 1 : 2);
    if (status == TRIB_OK) return trib_writer_commit(&writer, NULL, error);
    trib_writer_abandon(&writer);
    return status;
}

static void packed_data_unpack_to_the_same_bytes(void) {
    static const size_t lengths[] = {0, 1, 200000}; /* more than one block */
    for (size_t l = 0; l < 3; l++) {
        size_t length = lengths[l];
        trib_error error = {0};
        trib_reader reader;
        trib_buffer text = {0};
        const trib_status status = write_packed(&length, &error);
        if (status == TRIB_OUTPUT && strstr(error.message, "zlib1g-dev")) {
            trib_skip("a build without zlib");
            return;
        }
        EXPECT_STATUS(status, TRIB_OK, error);
        EXPECT(trib_reader_open(&reader, trib_scratch("packed.gz"), NULL) == TRIB_OK);
        EXPECT_STATUS(trib_reader_unpack(&reader, &error), TRIB_OK, error);
        EXPECT(reader.gunzip != NULL);
        EXPECT_STATUS(trib_reader_all(&reader, &text, &error), TRIB_OK, error);
        trib_reader_close(&reader);
        size_t at = 0;
        for (size_t i = 0; i < length && at < text.length; i++) {
            EXPECT(text.text[at] == (i % 3 ? 'a' : 'b'));
            at += i % 3 ? 1 : 2;
        }
        EXPECT(at == text.length);
        trib_buffer_release(&text);
        EXPECT(trib_fail_every_allocation(write_packed, &length) > 3);
    }
}

CU_TestInfo trib_tests_base_gzip[] = {
    {"peeking consumes no bytes", peeking_consumes_no_bytes},
    {"packed data unpack to the same bytes", packed_data_unpack_to_the_same_bytes},
    CU_TEST_INFO_NULL,
};
