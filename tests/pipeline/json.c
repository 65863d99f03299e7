/* json.c - tests of pipeline/json.c. */
#include "tests/test.h"

#include "pipeline/json.h"

static void text_that_is_not_utf8_is_written_out(void) {
    trib_json_open();
    json_t *plain = trib_json_text("caf\xC3\xA9"), *odd = trib_json_text("caf\xE9 <\xC3>");
    EXPECT_TEXT(json_string_value(plain), "caf\xC3\xA9");
    EXPECT_TEXT(json_string_value(odd), "caf\\xE9 <\\xC3>");
    json_decref(plain);
    json_decref(odd);
}

/* Writes {"b": 1, "a": [TEXT]} to a file. */
static trib_status write_object(void *context, trib_error *error) {
    trib_writer writer;
    trib_status status = trib_writer_open(&writer, context, error);
    if (status != TRIB_OK) return status;
    status = trib_json_write(json_pack("{s:i, s:[o]}", "b", 1, "a", trib_json_text("\xFF")),
                             &writer, error);
    if (status == TRIB_OK) return trib_writer_commit(&writer, NULL, error);
    trib_writer_abandon(&writer);
    return status;
}

static void keys_keep_their_order(void) {
    char path[4096];
    trib_error error = {0};
    trib_reader reader;
    trib_buffer text = {0};
    snprintf(path, sizeof path, "%s", trib_scratch("object.json"));
    trib_json_open();
    EXPECT_STATUS(write_object(path, &error), TRIB_OK, error);
    CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, &error) == TRIB_OK);
    EXPECT_TEXT(text.text, "{\n \"b\": 1,\n \"a\": [\n  \"\\\\xFF\"\n ]\n}\n");
    trib_reader_close(&reader);
    trib_buffer_release(&text);
}

static void nothing_is_left_out_when_memory_runs_out(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("failing.json"));
    trib_json_open();
    EXPECT(trib_fail_every_allocation(write_object, path) > 5);
    EXPECT(!trib_json_failed());
}

CU_TestInfo trib_tests_json[] = {
    {"text that is not UTF-8 is written out", text_that_is_not_utf8_is_written_out},
    {"keys keep their order", keys_keep_their_order},
    {"nothing is left out when memory runs out", nothing_is_left_out_when_memory_runs_out},
    CU_TEST_INFO_NULL,
};
