/* finds.c - tests of the list of finds: its order, its sentences, and the data for the script. */
#include "pipeline/report/report.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

/* A passage of `shared` words from word `first` on. */
static json_t *passage(int shared, double rarity, int first, const char *text) {
    return json_pack("{s:s,s:i,s:f,s:f,s:{s:i,s:i,s:[s,s,s],s:b},s:{s:i,s:i,s:[s,s,s],s:b}}", "id",
                     text, "shared", shared, "rarity", rarity, "mass", 0.01, "target", "first",
                     first, "words", shared, "text", "before ", text, " after", "cut", 0, "source",
                     "first", first + 100, "words", shared, "text", "there ", text, " here", "cut",
                     0);
}

/* A result of n targets d000 .. by one author, each a year younger than the one before; target 1
 * has passages of target 0. */
static json_t *result_of(int n) {
    json_t *result = trib_page_result("anchored", "", ""), *targets = json_array(),
           *documents = json_array();
    for (int t = 0; t < n; t++) {
        json_array_append_new(targets, json_pack("{s:o,s:{s:{s:f,s:[]}}}", "target",
                                                 json_sprintf("d%03d", t), "methods", "anchored",
                                                 "author", 1.0, "shares"));
        json_array_append_new(documents,
                              json_pack("{s:o,s:o,s:s,s:o}", "id", json_sprintf("d%03d", t),
                                        "title", json_sprintf("Grant %d", 1870 + t), "author",
                                        "Grant", "date", json_sprintf("%d", 1870 + t)));
    }
    json_object_set_new(json_array_get(targets, 1), "evidence",
                        json_pack("[{s:s,s:[o,o,o]}]", "source", "d000", "passages",
                                  passage(5, 9.5, 10, "short"), passage(30, 80.0, 40, "long"),
                                  passage(6, 9.6, 38, "within")));
    json_object_set_new(result, "targets", targets);
    json_object_set_new(result, "documents", documents);
    return result;
}

static json_t *document_of(json_t *result, size_t d) {
    return json_array_get(json_object_get(result, "documents"), d);
}

static void the_rarest_find_comes_first(void) {
    json_t *result = result_of(3);
    char *page = trib_page_of(result);
    const char *first = strstr(page, "<li id=\"find-long\""),
               *second = strstr(page, "<li id=\"find-within\""),
               *third = strstr(page, "<li id=\"find-short\"");
    CHECK(first && second && third);
    EXPECT(first < second && second < third);
    EXPECT(!strstr(page, "class=\"strongest\""));
    free(page);
    json_decref(result);
}

static void with_many_targets_the_strongest_are_told_in_words(void) {
    trib_page_expect(result_of(13), "In 1871 Grant repeats 30 words of 1870: long", true);
    /* about the same words as the longer one */
    trib_page_expect(result_of(13), "repeats 6 words", false);
    trib_page_expect(result_of(13), "In 1871 Grant repeats 5 words of 1870: short", true);
    trib_page_expect(result_of(12), "In 1871 Grant repeats", false);
}

static void a_sentence_names_what_tells_the_texts_apart(void) {
    json_t *result = result_of(13);
    json_object_set_new(document_of(result, 0), "author", json_string("Adams"));
    json_object_set_new(document_of(result, 0), "title", json_string("Adams 1870"));
    trib_page_expect(result, "In 1871 Grant repeats 30 words of Adams, 1870: long", true);
    result = result_of(13);
    json_object_set_new(document_of(result, 0), "title", json_string("Hamlet"));
    trib_page_expect(result, "Grant 1871 (1871) repeats 30 words of Hamlet (1870): long", true);
}

static void nobody_repeats_what_is_not_known_to_be_older(void) {
    json_t *result = result_of(13);
    json_object_set_new(document_of(result, 0), "date", json_string("1871"));
    trib_page_expect(result, "Grant 1871 and Grant 1870 share 30 words: long", true);
    result = result_of(13);
    json_object_del(document_of(result, 1), "date");
    trib_page_expect(result, "Grant 1871 and Grant 1870 share 30 words: long", true);
}

/* Writes page `number` of a report into the buffer. */
static void write_page(json_t *result, size_t number, trib_buffer *bytes) {
    trib_report *report = NULL;
    trib_error error = {0};
    trib_writer writer;
    const char *path = trib_scratch("page");
    CHECK(trib_report_open(&report, trib_page_record(result), NULL, "report.html", "targets",
                           &error) == TRIB_OK);
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    EXPECT_STATUS(trib_report_write_page(report, number, &writer, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
    trib_report_close(report);
    trib_buffer_clear(bytes);
    EXPECT_STATUS(trib_read_whole(path, bytes, &error), TRIB_OK, error);
}

static void the_data_are_the_whole_list_as_json(void) {
    enum { N = 13, DATA = N + 5 };
    trib_buffer bytes = {0}, name = {0};
    trib_report *report = NULL;
    trib_error error = {0};
    json_t *result = result_of(N);
    json_object_set_new(document_of(result, 0), "title",
                        json_string("</script>\xE2\x80\xA8\xE2\x80\xAE\"\\&"));
    CHECK(trib_report_open(&report, trib_page_record(result), NULL, "report.html", "targets",
                           &error) == TRIB_OK);
    EXPECT(trib_report_n_pages(report) == DATA + 1);
    EXPECT_STATUS(trib_report_page_name(report, DATA, &name, &error), TRIB_OK, error);
    EXPECT_TEXT(name.text, "targets/finds.js");
    trib_report_close(report);
    write_page(result, DATA, &bytes);
    CHECK(bytes.text != NULL && strncmp(bytes.text, "tributary_finds={", 17) == 0);
    EXPECT(!strchr(bytes.text, '<') && !strstr(bytes.text, "\xE2\x80"));
    json_t *data = json_loadb(bytes.text + 16, bytes.length - 18, 0, NULL);
    CHECK(data != NULL);
    const json_t *finds = json_object_get(data, "finds"), *texts = json_object_get(data, "texts"),
                 *find = json_array_get(finds, 0);
    EXPECT(json_array_size(finds) == 3 && json_array_size(texts) == N);
    EXPECT_TEXT(json_string_value(json_array_get(json_array_get(texts, 0), 1)),
                "</script>\xEF\xBF\xBD\xEF\xBF\xBD\"\\&");
    char *text = json_dumps(find, JSON_COMPACT | JSON_REAL_PRECISION(6));
    /* the second piece of the source is that of the target */
    EXPECT_TEXT(text, "[\"long\",1,0,30,80.0,1.0,40,30,140,30,[\"before \",\"long\",\" after\"],"
                      "[\"there \",1,\" here\"]]");
    free(text);
    json_decref(data);
    json_decref(result);
    trib_buffer_release(&bytes);
    trib_buffer_release(&name);
}

static void a_result_without_texts_has_a_list(void) {
    json_t *result = result_of(2);
    json_t *passages = json_object_get(
        json_array_get(
            json_object_get(json_array_get(json_object_get(result, "targets"), 1), "evidence"), 0),
        "passages");
    for (size_t p = 0; p < json_array_size(passages); p++) {
        json_object_del(json_object_get(json_array_get(passages, p), "target"), "text");
        json_object_del(json_object_get(json_array_get(passages, p), "source"), "text");
    }
    trib_page_expect(result, "Grant 1871, words 40 to 69 \xE2\x86\x90 Grant 1870, words 140 to 169",
                     true);
    trib_page_expect(result_of(0), "the rarest first", false);
}

/* The rarest is the last of the result. */
static void of_very_many_finds_the_rarest_are_listed(void) {
    enum { N = 13, DATA = N + 5, KEPT = TRIB_FINDS_MOST * TRIB_FINDS_FILES, MANY = 2 * KEPT + 9 };
    trib_buffer bytes = {0};
    json_t *result = result_of(N), *passages = json_array(), *one = passage(7, 2.0, 3, "usual");
    for (size_t i = 0; i + 1 < MANY; i++) json_array_append(passages, one);
    json_array_append_new(passages, passage(8, 99.0, 60, "rarest"));
    json_decref(one);
    json_t *target = json_array_get(json_object_get(result, "targets"), 1);
    json_object_set_new(json_array_get(json_object_get(target, "evidence"), 0), "passages",
                        passages);
    write_page(result, DATA, &bytes);
    json_t *data = json_loadb(bytes.text + 16, bytes.length - 18, 0, NULL);
    const json_t *finds = json_object_get(data, "finds");
    EXPECT(json_array_size(finds) == TRIB_FINDS_MOST);
    EXPECT(json_integer_value(json_object_get(data, "all")) == MANY);
    EXPECT(json_integer_value(json_object_get(data, "files")) == TRIB_FINDS_FILES);
    EXPECT_TEXT(json_string_value(json_array_get(json_array_get(finds, 0), 0)), "rarest");
    EXPECT_TEXT(json_string_value(json_array_get(json_array_get(finds, 1), 0)), "usual");
    json_decref(data);
    write_page(result, 0, &bytes);
    EXPECT(strstr(bytes.text, "100 of 200\xE2\x80\xAF"
                              "009 finds shown") != NULL);
    trib_buffer_release(&bytes);
    json_decref(result);
}

/* Every find is in one of the files, in order. */
static void a_long_list_of_finds_has_several_files(void) {
    enum { N = 13, DATA = N + 5, MANY = TRIB_FINDS_MOST + 9 };
    trib_buffer bytes = {0}, name = {0};
    trib_error error = {0};
    trib_report *report = NULL;
    json_t *result = result_of(N), *passages = json_array();
    for (size_t i = 0; i < MANY; i++)
        json_array_append_new(passages, passage(7, (double)(1 + i), 3, "usual"));
    json_t *target = json_array_get(json_object_get(result, "targets"), 1);
    json_object_set_new(json_array_get(json_object_get(target, "evidence"), 0), "passages",
                        passages);
    CHECK(trib_report_open(&report, trib_page_record(result), NULL, "report.html", "targets",
                           &error) == TRIB_OK);
    EXPECT(trib_report_n_pages(report) == DATA + 2);
    EXPECT_STATUS(trib_report_page_name(report, DATA, &name, &error), TRIB_OK, error);
    EXPECT_TEXT(name.text, "targets/finds.js");
    EXPECT_STATUS(trib_report_page_name(report, DATA + 1, &name, &error), TRIB_OK, error);
    EXPECT_TEXT(name.text, "targets/finds-2.js");
    trib_report_close(report);
    double rarity = MANY;
    for (size_t file = 0; file < 2; file++) {
        write_page(result, DATA + file, &bytes);
        json_t *data = json_loadb(bytes.text + 16, bytes.length - 18, 0, NULL);
        const json_t *finds = json_object_get(data, "finds");
        EXPECT(json_array_size(finds) == (file == 0 ? TRIB_FINDS_MOST : 9));
        EXPECT((json_object_get(data, "texts") != NULL) == (file == 0));
        for (size_t f = 0; f < json_array_size(finds); f++, rarity--)
            EXPECT(json_number_value(json_array_get(json_array_get(finds, f), 4)) == rarity);
        json_decref(data);
    }
    EXPECT(rarity == 0);
    trib_buffer_release(&bytes);
    trib_buffer_release(&name);
    json_decref(result);
}

/* A single page has no files beside it. */
static void a_judged_list_is_whole_on_a_single_page(void) {
    enum { MANY = TRIB_FINDS_MOST + 9 };
    trib_buffer bytes = {0};
    json_t *result = result_of(2), *passages = json_array();
    for (size_t i = 0; i < MANY; i++)
        json_array_append_new(passages, passage(7, (double)(1 + i), 3, "usual"));
    json_t *target = json_array_get(json_object_get(result, "targets"), 1);
    json_object_set_new(json_array_get(json_object_get(target, "evidence"), 0), "passages",
                        passages);
    json_object_set_new(result, "judgements", json_pack("{s:i,s:i}", "accepted", 1, "rejected", 0));
    write_page(result, 0, &bytes);
    const char *data = strstr(bytes.text, "id=\"finds-data\"");
    CHECK(data && (data = strchr(data, '{')) != NULL);
    json_t *list = json_loads(data, JSON_DISABLE_EOF_CHECK, NULL);
    EXPECT(json_array_size(json_object_get(list, "finds")) == MANY);
    EXPECT(list && !json_object_get(list, "files"));
    json_decref(list);
    trib_buffer_release(&bytes);
    json_decref(result);
}

CU_TestInfo trib_tests_report_finds[] = {
    {"the rarest find comes first", the_rarest_find_comes_first},
    {"with many targets the strongest are told in words",
     with_many_targets_the_strongest_are_told_in_words},
    {"a sentence names what tells the texts apart", a_sentence_names_what_tells_the_texts_apart},
    {"nobody repeats what is not known to be older", nobody_repeats_what_is_not_known_to_be_older},
    {"a judged list is whole on a single page", a_judged_list_is_whole_on_a_single_page},
    {"the data are the whole list as JSON", the_data_are_the_whole_list_as_json},
    {"a result without texts has a list", a_result_without_texts_has_a_list},
    {"of very many finds, the rarest are listed", of_very_many_finds_the_rarest_are_listed},
    {"a long list of finds has several files", a_long_list_of_finds_has_several_files},
    CU_TEST_INFO_NULL,
};
