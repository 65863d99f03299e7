/* json_span.c - tests of pipeline/support/json_span.c. */
#include "tests/test.h"

#include <sys/mman.h>
#include <unistd.h>

#include "pipeline/support/json.h"
#include "pipeline/support/json_span.h"
#include "pipeline/support/path.h"

static trib_json_span span(const char *text) { return (trib_json_span){text, text + strlen(text)}; }

/* The items of a text, joined: "key=value;". */
static const char *items_of(const char *text, bool *is_wrong) {
    static char joined[256];
    trib_json_items items = trib_json_items_of(span(text));
    trib_json_span key, value;
    joined[0] = '\0';
    while (trib_json_items_next(&items, &key, &value)) {
        strncat(joined, key.at, (size_t)(key.end - key.at));
        strcat(joined, "=");
        strncat(joined, value.at, (size_t)(value.end - value.at));
        strcat(joined, ";");
    }
    *is_wrong = items.is_wrong;
    return joined;
}

static void the_items_of_lists_and_objects_are_found(void) {
    static const struct {
        const char *text, *items;
    } cases[] = {{"[]", ""},
                 {"{ }", ""},
                 {" [1, \"a,]\\\"\" , {\"b\":[2,3]} ]", "=1;=\"a,]\\\"\";={\"b\":[2,3]};"},
                 {"{\"a\" : 1.5e3 ,\n \"b{\":[ {} ], \"c\":\"\\\\\"}",
                  "\"a\"=1.5e3;\"b{\"=[ {} ];\"c\"=\"\\\\\";"},
                 {"17", ""},
                 {"\"text\"", ""},
                 {"", ""}};
    bool is_wrong;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EXPECT_TEXT(items_of(cases[i].text, &is_wrong), cases[i].items);
        EXPECT(!is_wrong);
    }
    EXPECT(!trib_json_items_of((trib_json_span){0}).is_object);
}

/* The items of the member "list" and the other members, joined, when the list is entered. */
static const char *entered_items(const char *text, bool *is_wrong) {
    static char joined[256];
    trib_json_items items = trib_json_items_of(span(text));
    trib_json_span key, value;
    joined[0] = '\0';
    while (trib_json_items_next_key(&items, &key)) {
        if (!trib_json_span_is(key, "\"list\"")) {
            if (trib_json_items_value(&items, &value))
                strncat(joined, value.at, (size_t)(value.end - value.at));
            continue;
        }
        trib_json_items inner = trib_json_items_of(items.rest);
        while (trib_json_items_next(&inner, &key, &value)) {
            strcat(joined, "<");
            strncat(joined, value.at, (size_t)(value.end - value.at));
        }
        trib_json_items_leave(&items, &inner);
    }
    *is_wrong = items.is_wrong;
    return joined;
}

static void a_list_is_entered_and_left(void) {
    static const char whole[] = "{\"a\": 5, \"list\": [1, {\"b\": [\"]\"]} ] , \"c\": 6}",
                      *const odd[] = {"{\"list\": 4}", "{\"list\": [1] 5}", "{\"list\": [1}"};
    char part[sizeof whole];
    bool is_wrong;
    EXPECT_TEXT(entered_items(whole, &is_wrong), "5<1<{\"b\": [\"]\"]}6");
    EXPECT(!is_wrong);
    EXPECT_TEXT(entered_items("{\"list\": []}", &is_wrong), "");
    EXPECT(!is_wrong);
    for (size_t n = 1; n + 1 < sizeof whole; n++) {
        memcpy(part, whole, n);
        part[n] = '\0';
        entered_items(part, &is_wrong);
        EXPECT(is_wrong);
    }
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        entered_items(odd[i], &is_wrong);
        EXPECT(is_wrong);
    }
}

/* Every beginning of a text is one that was cut off. */
static void a_text_that_is_cut_off_is_wrong(void) {
    static const char whole[] = "{\"a\": [1, {\"b\": \"c\\\"d\"}], \"e\": null}";
    char part[sizeof whole];
    bool is_wrong;
    for (size_t n = 1; n + 1 < sizeof whole; n++) {
        memcpy(part, whole, n);
        part[n] = '\0';
        items_of(part, &is_wrong);
        EXPECT(is_wrong);
    }
    static const char *const wrong[] = {"{1:2}",     "{\"a\" 1}", "{\"a\":}",
                                        "[1 \"b\" ", "[,]",       "[1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        items_of(wrong[i], &is_wrong);
        EXPECT(is_wrong);
    }
}

static void a_member_is_found_by_its_name_and_parsed(void) {
    const trib_json_span object = span("{\"ab\": 1, \"a\": {\"b\": [true]}, \"a\": 2}");
    trib_error error = {0};
    json_t *value = NULL;
    EXPECT(trib_json_span_is(trib_json_span_member(object, "ab"), "1"));
    EXPECT(!trib_json_span_member(object, "b").at && !trib_json_span_member(span("[1]"), "a").at);
    EXPECT_STATUS(trib_json_span_parse(&value, trib_json_span_member(object, "a"), "x", &error),
                  TRIB_OK, error);
    EXPECT(json_is_true(json_array_get(json_object_get(value, "b"), 0)));
    json_decref(value);
    EXPECT_STATUS(trib_json_span_parse(&value, span("[1,]"), "x.json", &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "x.json: not the JSON of a run");
    EXPECT(!value);
    EXPECT(trib_json_span_parse(&value, (trib_json_span){0}, "x", &error) == TRIB_INPUT && !value);
}

/* Pages of mapped files that are in the memory of this process. */
static long mapped_pages(void) {
    long all = 0, mapped = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL);
    EXPECT(fscanf(file, "%*d %ld %ld", &all, &mapped) == 2);
    fclose(file);
    return mapped;
}

static void what_was_read_of_a_file_leaves_the_memory(void) {
    enum { N = 64, EACH = 1 << 18 }; /* bytes: all together many more than are read ahead */
    static char text[EACH];
    trib_writer file;
    trib_error error = {0};
    memset(text, ' ', EACH);
    memcpy(text, "[7", 2);
    text[EACH - 1] = ']';
    CHECK(trib_writer_scratch(&file, trib_path_temporary(), &error) == TRIB_OK);
    for (int t = 0; t < N; t++) trib_write(&file, text, EACH);
    CHECK(trib_writer_flush(&file, &error) == TRIB_OK);
    char *map = mmap(NULL, N * EACH, PROT_READ, MAP_SHARED, file.file, 0);
    CHECK(map != MAP_FAILED);
    trib_json_span list[N];
    const trib_json_texts texts = {list, map, N * EACH};
    const long page = sysconf(_SC_PAGESIZE), before = mapped_pages();
    for (size_t t = 0; t < N; t++) {
        const char *const at = map + t * EACH;
        list[t] = (trib_json_span){at, at + EACH};
        json_t *value = NULL;
        EXPECT_STATUS(trib_json_span_parse(&value, list[t], "x", &error), TRIB_OK, error);
        EXPECT(json_integer_value(json_array_get(value, 0)) == 7);
        json_decref(value);
        if (t == N / 4) EXPECT(mapped_pages() - before > N / 4 * (EACH / page) * 3 / 4);
        trib_json_texts_rest_after(&texts, t);
    }
    EXPECT(mapped_pages() - before < N / 4 * (EACH / page));
    munmap(map, N * EACH);
    trib_writer_abandon(&file);
}

CU_TestInfo trib_tests_support_json_span[] = {
    {"the items of lists and objects are found", the_items_of_lists_and_objects_are_found},
    {"a list is entered and left", a_list_is_entered_and_left},
    {"a text that is cut off is wrong", a_text_that_is_cut_off_is_wrong},
    {"a member is found by its name and parsed", a_member_is_found_by_its_name_and_parsed},
    {"what was read of a file leaves the memory", what_was_read_of_a_file_leaves_the_memory},
    CU_TEST_INFO_NULL};
