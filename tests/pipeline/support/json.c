/* json.c - tests of pipeline/support/json.c. */
#include <pthread.h>
#include <unistd.h>

#include "tests/test.h"

#include "pipeline/support/json.h"

TESTS(support, json);

TEST(bytes_that_are_not_utf8_are_escaped) {
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

TEST(keys_keep_their_order) {
    char path[4096];
    trib_error error = {0};
    OPENED(trib_reader) reader = {0};
    GIVEN(trib_buffer) text = {0};
    snprintf(path, sizeof path, "%s", trib_scratch("object.json"));
    trib_json_open();
    EXPECT_OK(write_object(path, &error));
    CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, &error) == TRIB_OK);
    EXPECT_TEXT(text.text, "{\n \"b\": 1,\n \"a\": [\n  \"\\\\xFF\"\n ]\n}\n");
}

TEST(failed_allocations_never_drop_values) {
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("failing.json"));
    trib_json_open();
    EXPECT(trib_fail_every_allocation(write_object, path) > 5);
    EXPECT(!trib_json_failed());
}

TEST(a_number_that_is_not_finite_is_never_written) {
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("not finite.json"));
    trib_json_open();
    for (int i = 0; i < 3; i++) {
        trib_writer writer;
        trib_error error = {0};
        CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
        json_t *object = json_pack("{s:o}", "share", trib_json_real("share", values[i]));
        EXPECT_STATUS(trib_json_write(object, &writer, &error), TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, path) && strstr(error.message, "'share'"));
        EXPECT(writer.n_written == 0);
        trib_writer_abandon(&writer);
        EXPECT(access(path, F_OK) != 0);
    }
    trib_error error = {0};
    /* the failure does not affect the next value */
    EXPECT_OK(write_object(path, &error));
}

/* Builds JSON without memory, and leaves its failure in its thread. */
static void *fail_alone(void *context) {
    bool *has_failed = context;
    trib_json_begin();
    trib_memory_fail_from(1);
    json_decref(json_pack("{s:s}", "a", "text"));
    trib_memory_fail_from(0);
    *has_failed = trib_json_check("it", NULL) == TRIB_MEMORY;
    json_decref(trib_json_real("b", NAN));
    return NULL;
}

TEST(a_failure_is_seen_by_the_thread_that_builds) {
    bool has_failed = false;
    pthread_t thread;
    trib_json_open();
    CHECK(pthread_create(&thread, NULL, fail_alone, &has_failed) == 0);
    pthread_join(thread, NULL);
    EXPECT(has_failed && !trib_json_failed());
    EXPECT(trib_json_check("nothing", NULL) == TRIB_OK);
    json_decref(trib_json_real("c", INFINITY));
    trib_json_begin(); /* what came before is forgotten */
    EXPECT(trib_json_check("nothing", NULL) == TRIB_OK);
}

TEST(members_are_set) {
    trib_json_open();
    json_t *list = json_array(), *one = json_object(), *two = json_object();
    trib_json_set_text(one, "id", "a");
    trib_json_set_count(one, "n", UINT32_MAX);
    trib_json_set_text(two, "id", NULL);
    json_array_append_new(list, two);
    json_array_append_new(list, one);
    EXPECT(json_is_null(json_object_get(two, "id")));
    EXPECT(json_integer_value(json_object_get(one, "n")) == UINT32_MAX);
    json_decref(list);
}
