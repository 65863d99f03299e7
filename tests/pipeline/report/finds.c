/* finds.c - tests of the list of finds: its order, its sentences, and the data for the script. */
#include "pipeline/report/report.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

TESTS(report, finds);

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

TEST(the_rarest_find_comes_first) {
    json_t *result = result_of(2);
    char *page = trib_page_of(result);
    const char *first = strstr(page, "<li id=\"find-long\""),
               *second = strstr(page, "<li id=\"find-within\""),
               *third = strstr(page, "<li id=\"find-short\"");
    CHECK(first && second && third);
    EXPECT(first < second && second < third);
    json_decref(result);
}

/* The list of finds in a page of a report. */
static json_t *data_of(const json_t *result, size_t number, const char *name) {
    char *page = trib_page_number(result, NULL, number, name);
    CHECK(strncmp(page, "tributary_finds={", 17) == 0);
    EXPECT(!strchr(page, '<') && !strstr(page, "\xE2\x80"));
    json_t *data = json_loadb(page + 16, strlen(page) - 18, 0, NULL);
    CHECK(data != NULL);
    return data;
}

/* A result of n targets, target 1 of which has the passages of target 0 alone; releases them. */
static json_t *result_with(int n, json_t *passages) {
    json_t *result = result_of(n);
    json_t *target = json_array_get(json_object_get(result, "targets"), 1);
    json_object_set_new(json_array_get(json_object_get(target, "evidence"), 0), "passages",
                        passages);
    return result;
}

TEST(the_data_are_the_whole_list_as_json) {
    enum { N = 13, DATA = N + 5 };
    json_t *result = result_of(N);
    json_object_set_new(document_of(result, 0), "title",
                        json_string("</script>\xE2\x80\xA8\xE2\x80\xAE\"\\&"));
    json_t *data = data_of(result, DATA, "targets/finds.js");
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
}

TEST(a_result_without_texts_has_a_list) {
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

/* Passages of the rarity 1, 2, 3 and so on. */
static json_t *passages_of(size_t n) {
    json_t *passages = json_array();
    char text[32];
    for (size_t i = 0; i < n; i++) {
        snprintf(text, sizeof text, "usual-%zu", i);
        json_array_append_new(passages, passage(7, (double)(1 + i), 3, text));
    }
    return passages;
}

/* The rarest is the last of the result. */
TEST(of_very_many_finds_the_rarest_are_listed) {
    enum {
        N = 13,
        DATA = N + 5,
        KEPT = TRIB_FINDS_MOST * TRIB_FINDS_FILES,
        MANY = 2 * KEPT + 9,
        LISTED = 100
    };
    json_t *passages = passages_of(LISTED), *one = passage(7, 0.5, 3, "usual");
    for (size_t i = LISTED; i + 1 < MANY; i++) json_array_append(passages, one);
    json_array_append_new(passages, passage(8, 999.0, 60, "rarest"));
    json_decref(one);
    json_t *result = result_with(N, passages), *data = data_of(result, DATA, "targets/finds.js");
    const json_t *finds = json_object_get(data, "finds");
    EXPECT(json_array_size(finds) == TRIB_FINDS_MOST);
    EXPECT(json_integer_value(json_object_get(data, "all")) == MANY);
    EXPECT(json_integer_value(json_object_get(data, "files")) == TRIB_FINDS_FILES);
    EXPECT_TEXT(json_string_value(json_array_get(json_array_get(finds, 0), 0)), "rarest");
    EXPECT_TEXT(json_string_value(json_array_get(json_array_get(finds, 1), 0)), "usual-99");
    json_decref(data);
    trib_page_lines(result, "+ 30 of 200\xE2\x80\xAF"
                            "009 finds shown");
}

/* Every find is in one of the files, in order. */
TEST(a_long_list_of_finds_has_several_files) {
    enum { N = 13, DATA = N + 5, MANY = TRIB_FINDS_MOST + 9 };
    static const char *const names[] = {"targets/finds.js", "targets/finds-2.js"};
    json_t *result = result_with(N, passages_of(MANY));
    double rarity = MANY;
    for (size_t file = 0; file < 2; file++) {
        json_t *data = data_of(result, DATA + file, names[file]);
        const json_t *finds = json_object_get(data, "finds");
        EXPECT(json_array_size(finds) == (file == 0 ? TRIB_FINDS_MOST : 9));
        EXPECT((json_object_get(data, "texts") != NULL) == (file == 0));
        for (size_t f = 0; f < json_array_size(finds); f++, rarity--)
            EXPECT(json_number_value(json_array_get(json_array_get(finds, f), 4)) == rarity);
        json_decref(data);
    }
    EXPECT(rarity == 0);
    json_decref(result);
}

/* A single page has no files beside it. */
TEST(a_judged_list_is_whole_on_a_single_page) {
    enum { MANY = TRIB_FINDS_MOST + 9 };
    json_t *result = result_with(2, passages_of(MANY));
    json_array_remove(json_object_get(result, "targets"), 0);
    trib_page_change(result, "judgements={'accepted':1,'rejected':0}");
    char *page = trib_page_number(result, NULL, 0, "report.html"),
         *data = strstr(page, "id=\"finds-data\"");
    CHECK(data && (data = strchr(data, '{')) != NULL);
    json_t *list = json_loads(data, JSON_DISABLE_EOF_CHECK, NULL);
    EXPECT(json_array_size(json_object_get(list, "finds")) == MANY);
    EXPECT(list && !json_object_get(list, "files"));
    json_decref(list);
    json_decref(result);
}
