/* read.c - tests of the reading pages: each is whole, its words and passages have addresses, and
 * text of any origin stays text. */
#include "tests/test.h"

#include "pipeline/result/running_text.h"
#include "pipeline/support/json.h"
#include "tests/pipeline/report/page.h"

TESTS(report, read);

#define SCRIPT "</p><script>alert(1)</script>"

/* Writes read/t.json of a run with the target "t", whose text has one passage in each of n blocks
 * and n sources; the last block has the words that are left of n_words. Returns the directory. */
static const char *write_text(const char *name, int n, int n_words, const char *word) {
    static char run[600];
    char path[100];
    trib_arena arena = {0};
    trib_running_text text = {.schema = 1, .target = "t", .words = (uint64_t)n_words};
    for (int i = 0; i < n; i++) {
        const uint64_t first = 4 * (uint64_t)i + 1;
        trib_running_source *source = trib_arena_append(&arena, &text.sources, sizeof *source);
        *source = (trib_running_source){i == 0 ? "a" : "b", 2, 1};
        trib_running_passage *passage = trib_arena_append(&arena, &text.passages, sizeof *passage);
        *passage = (trib_running_passage){(uint64_t)i, first + 1, 3, 7, 3, 2, .probability = 0.9};
        trib_running_block *block = trib_arena_append(&arena, &text.blocks, sizeof *block);
        *block = (trib_running_block){
            .first = first, .words = i + 1 < n ? 4 : text.words - first + 1, .starts = "E"};
        const char *const own[] = {trib_arena_print(&arena, "%s ", word), "one", " two ", "three",
                                   ""},
                          *const theirs[] = {"before ", "one", " other ", "three",
                                             trib_arena_print(&arena, " %s", word)};
        for (size_t p = 0; p < 5; p++) {
            trib_texts_add(&arena, &block->text, own[p]);
            trib_texts_add(&arena, &passage->text, theirs[p]);
        }
        for (int p = 0; p < 2; p++)
            *(uint64_t *)trib_arena_append(&arena, &block->passages, sizeof(uint64_t)) =
                (uint64_t)i + 1;
    }
    snprintf(run, sizeof run, "%s", trib_scratch(name));
    snprintf(path, sizeof path, "%s/read/t.json", name);
    trib_writer writer;
    trib_error error = {0};
    CHECK(trib_writer_open(&writer, trib_scratch_below(path), &error) == TRIB_OK);
    EXPECT_STATUS(trib_running_text_write(&text, false, &writer, &error), TRIB_OK, error);
    CHECK(trib_writer_commit(&writer, NULL, &error) == TRIB_OK);
    trib_arena_release(&arena);
    return run;
}

static json_t *result_of(int words) {
    json_t *result = trib_page_result("traced", "{'source':'a','share':0.4}", "");
    trib_page_change(result, "documents/3/words=%d", words);
    return result;
}

TEST(a_page_has_its_text_and_its_places) {
    json_t *result = result_of(8);
    const char *run = write_text("run-read", 2, 8, "zero");
    char *page = trib_page_number(result, run, 1, "read/t.html");
    EXPECT(strstr(page,
                  "<p id=\"w5\" data-w=\"E\">zero <a href=\"#p2\" class=\"s2\" data-s=\"2\">one"
                  "</a><i class=\"s2\"> two </i><a href=\"#p2\" class=\"s2\">three</a></p>") !=
           NULL);
    EXPECT(strstr(page, "before <mark>one</mark><i> other </i><mark>three</mark> zero") != NULL);
    EXPECT(strstr(page, "<a href=\"#w5\">6\xE2\x80\x93"
                        "8</a> here, 7\xE2\x80\x93"
                        "9 there; 2 word for word") != NULL);
    EXPECT(strstr(page, "../report.html#answer\"") != NULL);
    EXPECT(trib_page_count(page, "type=\"checkbox\"") == 2);
    EXPECT(trib_page_count(page, "<script") == 1);
    json_decref(result);
}

TEST(a_page_leads_to_possible_allusions) {
    json_t *result = result_of(8);
    const char *run = write_text("run-allusions", 1, 8, "zero");
    EXPECT(!strstr(trib_page_number(result, run, 1, "read/t.html"), "may be allusions"));
    trib_page_change(result, "targets/0/n_parallels=1");
    trib_page_change(result, "targets/0/parallels=[{'rank':1,'score':2,'source':'a','shared':[],"
                             "'distance':1,'cosine':0.5,'in_target':{'first':1,'words':2},"
                             "'in_source':{'first':1,'words':2}}]");
    EXPECT(strstr(trib_page_number(result, run, 1, "read/t.html"),
                  "may be allusions: <a href=\"../report.html#allusions\">1</a>.") != NULL);
    json_decref(result);
}

TEST(the_report_links_to_the_pages_that_there_are) {
    json_t *result = result_of(8);
    const char *run = trib_scratch("run-link");
    char *page = trib_page_number(result, run, 0, "report.html");
    EXPECT(!strstr(page, "read/t.html"));
    write_text("run-link", 1, 8, "zero");
    page = trib_page_number(result, run, 0, "report.html");
    EXPECT(strstr(page, "href=\"read/t.html\"") != NULL);
    json_decref(result);
}

TEST(a_source_with_a_text_has_a_page_too) {
    json_t *result = result_of(8);
    const char *run = write_text("run-source", 2, 8, "zero");
    char path[700];
    trib_buffer text = {0};
    trib_error error = {0};
    snprintf(path, sizeof path, "%s/read/t.json", run);
    CHECK(trib_read_whole(path, &text, &error) == TRIB_OK);
    trib_page_change(result, "documents/0/words=%d", 8);
    snprintf(path, sizeof path, "%s/read/a.json", run);
    trib_write_bytes(path, text.text, text.length);
    trib_buffer_release(&text);
    char *page = trib_page_number(result, run, 1, "read/t.html"),
         *source = trib_page_number(result, run, 2, "read/a.html");
    EXPECT(strstr(page, "<a href=\"t.html?with=a\">both texts</a>") != NULL);
    EXPECT(strstr(page, "<a href=\"t.html?with=a#w2\" target=\"_top\">both texts</a>") != NULL);
    EXPECT(!strstr(page, "with=b") && !strstr(page, "Also in"));
    EXPECT(!strstr(source, "#answer"));
    json_decref(result);
}

TEST(text_of_any_origin_stays_text) {
    json_t *result = result_of(8);
    const char *run = write_text("run-hostile", 2, 8, SCRIPT);
    trib_page_change(result, "documents/0/title='%s'", SCRIPT);
    trib_page_change(result, "name='%s'", SCRIPT);
    char *page = trib_page_number(result, run, 1, "read/t.html");
    EXPECT(trib_page_count(page, "<script") == 1);
    EXPECT(trib_page_count(page, "&lt;script&gt;alert") >= 5);
    json_decref(result);
}

TEST(the_places_of_a_long_text_are_apart) {
    json_t *result = result_of(120001);
    const char *run = write_text("run-long", 2, 120001, "zero");
    char *page = trib_page_number(result, run, 1, "read/t.html"),
         *part = trib_page_number(result, run, 2, "read/t+1.html"),
         *last = trib_page_number(result, run, 4, "read/t+3.html");
    EXPECT(strstr(page,
                  "<a href=\"t+1.html#p2\" target=\"place\" class=\"s2\" data-s=\"2\">one</a>") !=
           NULL);
    EXPECT(strstr(page, "<iframe name=\"place\"") && !strstr(page, "<article"));
    EXPECT(trib_page_count(part, "<article") == 2 && trib_page_count(last, "<article") == 0);
    EXPECT(strstr(part, "<a href=\"t.html#w5\" target=\"_top\">") != NULL);
    json_decref(result);
}

TEST(a_damaged_text_is_an_error) {
    static const char *const texts[] = {
        "{\"schema\":1,", "{\"schema\":1,\"target\":\"t\",\"words\":0,\"blocks\":[]}"};
    json_t *result = result_of(8);
    trib_report *report = NULL;
    trib_error error = {0};
    trib_writer writer;
    char path[700];
    const char *run = write_text("run-damaged", 1, 8, "zero");
    CHECK(trib_report_open(&report, trib_page_record(result), NULL, "report.html", "targets",
                           &error) == TRIB_OK);
    CHECK(trib_report_reads(report, run, true, &error) == TRIB_OK);
    snprintf(path, sizeof path, "%s/read/t.json", run);
    for (size_t i = 0; i < 2; i++) { /* the second has not the words of influence.json */
        trib_write_bytes(path, texts[i], strlen(texts[i]));
        CHECK(trib_writer_open(&writer, trib_scratch("page.html"), &error) == TRIB_OK);
        EXPECT_STATUS(trib_report_write_page(report, 1, &writer, &error), TRIB_INPUT, error);
        EXPECT(strstr(error.message, "read/t.json") != NULL);
        trib_writer_abandon(&writer);
    }
    trib_report_close(report);
    json_decref(result);
}
