/* page.c - see page.h. */
#include "tests/pipeline/report/page.h"

#include "tests/test.h"

/* Copies the text of a page without tags and with spaces joined, as a reader sees it. `text`
 * must be as large as the page. */
static void read_aloud(char *text, const char *page) {
    const char *at = strstr(page, "<main>");
    size_t n = 0;
    for (at = at ? at : page; *at; at++) {
        if (*at == '<') {
            at = strchr(at, '>');
            continue;
        }
        const bool space = *at == '\n' || *at == ' ';
        if (space && n > 0 && text[n - 1] == ' ') continue;
        text[n++] = space ? ' ' : *at;
    }
    text[n] = '\0';
}

const trib_result *trib_page_record(const json_t *result) {
    static struct {
        trib_result record;
        char *text;
    } kept[4];
    static size_t n;
    const size_t i = n++ % 4;
    trib_error error = {0};
    trib_result_release(&kept[i].record);
    free(kept[i].text);
    json_t *copy = json_copy((json_t *)(uintptr_t)result);
    json_object_set_new(copy, "schema", json_integer(1));
    kept[i].text = json_dumps(copy, 0);
    json_decref(copy);
    CHECK(kept[i].text != NULL);
    EXPECT_STATUS(trib_result_read(&kept[i].record, "influence.json", kept[i].text,
                                   strlen(kept[i].text), &error),
                  TRIB_OK, error);
    return &kept[i].record;
}

trib_status trib_page_render(const trib_result *result, const char *path, trib_error *error) {
    trib_writer writer;
    trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    status = trib_report_write_html(result, &writer, error);
    if (status == TRIB_OK) return trib_writer_commit(&writer, NULL, error);
    trib_writer_abandon(&writer);
    return status;
}

static char *page_of(const trib_result *result) {
    trib_error error = {0};
    trib_reader reader;
    trib_buffer page = {0};
    const char *path = trib_scratch("report.html");
    EXPECT_STATUS(trib_page_render(result, path, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_open(&reader, path, &error), TRIB_OK, error);
    EXPECT(trib_reader_all(&reader, &page, &error) == TRIB_OK);
    trib_reader_close(&reader);
    char *copy = page.text ? strdup(page.text) : strdup("");
    trib_buffer_release(&page);
    const char *fault = trib_page_fault(copy);
    EXPECT_TEXT(fault ? fault : "whole", "whole");
    EXPECT(!strstr(copy, "nan") && !strstr(copy, "(null)"));
    return copy;
}

char *trib_page_of(json_t *result) { return page_of(trib_page_record(result)); }

json_t *trib_page_result(const char *method, const char *shares, const char *more) {
    char text[8192];
    snprintf(text, sizeof text,
             "{'schema':1,'name':'test','hash':'0','headline':'%s','threshold':0.2,"
             "'configuration':{'tensor':{'n':'3'},'tokens':{'locale':'en'},'cp':{'seed':'1'}},"
             "'changed':[],'corpus':{'tokens':3000,'vocabulary':500,'wildcard_tokens':0,"
             "'wildcard_ngrams':0},'documents':[{'id':'a','title':'Alpha'},{'id':'b','title':"
             "'Beta'},{'id':'c','title':'Gamma'},{'id':'t','title':'Target','ngrams':1000,"
             "'wildcard_ngrams':0,'replaced':0}],'methods':[{'name':'%s','help':'It measures',"
             "'sums_to_one':%s}],'targets':[{'target':'t','floor':0.015,'floor_from':'rule',"
             "'methods':{'%s':{'author':0.5,'shares':[%s]}},'evidence':[],'matches':[],"
             "'n_matches':0,'distances':null%s}],'warnings':[]}",
             method, method, strcmp(method, "containment") == 0 ? "false" : "true", method, shares,
             more);
    for (char *c = text; *c; c++)
        if (*c == '\'') *c = '"';
    json_error_t problem;
    json_t *result = json_loads(text, 0, &problem);
    EXPECT_TEXT(result ? "" : problem.text, "");
    return result;
}

void trib_page_says(const trib_result *result, const char *sentence, bool said) {
    char *page = page_of(result), *text = malloc(strlen(page) + 1);
    CHECK(text != NULL);
    read_aloud(text, page);
    if ((strstr(text, sentence) != NULL) != said)
        EXPECT_TEXT(text, said ? sentence : "a page without it");
    free(text);
    free(page);
}

void trib_page_expect(json_t *result, const char *sentence, bool said) {
    trib_page_says(trib_page_record(result), sentence, said);
    json_decref(result);
}
