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

/* The text of a page, until eight others are kept. */
static char *keep(const trib_buffer *page) {
    static trib_buffer kept[8];
    static size_t n;
    trib_buffer *const to = &kept[n++ % 8];
    trib_buffer_release(to);
    *to = *page;
    CHECK(to->text != NULL);
    return to->text;
}

/* Page `number` of a result, which has the texts of a run (NULL: none) to read. */
static char *page_of(const trib_result *result, const char *run, size_t number, const char *name) {
    trib_report *report = NULL;
    trib_error error = {0};
    trib_writer writer;
    trib_buffer page = {0}, is = {0};
    const char *path = trib_scratch("report.html");
    EXPECT_STATUS(trib_report_open(&report, result, NULL, "report.html", "targets", &error),
                  TRIB_OK, error);
    CHECK(report != NULL);
    if (run) EXPECT_STATUS(trib_report_reads(report, run, true, &error), TRIB_OK, error);
    EXPECT(number < trib_report_n_pages(report));
    EXPECT_STATUS(trib_report_page_name(report, number, &is, &error), TRIB_OK, error);
    EXPECT_TEXT(is.text, name);
    EXPECT_STATUS(trib_writer_open(&writer, path, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_report_write_page(report, number, &writer, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
    trib_report_close(report);
    EXPECT_STATUS(trib_read_whole(path, &page, &error), TRIB_OK, error);
    trib_buffer_release(&is);
    char *const text = keep(&page);
    const char *fault = strncmp(text, "<!", 2) == 0 ? trib_page_fault(text) : NULL;
    EXPECT_TEXT(fault ? fault : "whole", "whole");
    return text;
}

char *trib_page_number(const json_t *result, const char *run, size_t number, const char *name) {
    return page_of(trib_page_record(result), run, number, name);
}

/* The first page, which has no number that is unknown. */
static char *first_page_of(const trib_result *result) {
    char *page = page_of(result, NULL, 0, "report.html");
    EXPECT(!strstr(page, "nan") && !strstr(page, "(null)"));
    return page;
}

char *trib_page_of(json_t *result) { return first_page_of(trib_page_record(result)); }

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

void trib_page_change(json_t *at, const char *format, ...) {
    char text[8192], *path = text;
    va_list arguments;
    va_start(arguments, format);
    CHECK(vsnprintf(text, sizeof text, format, arguments) < (int)sizeof text);
    va_end(arguments);
    char *value = strchr(path, '=');
    CHECK(value != NULL);
    *value++ = '\0';
    for (char *c = value; *c; c++)
        if (*c == '\'') *c = '"';
    json_t *const made = *value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    CHECK(made || !*value);
    for (char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        *slash = '\0';
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(path)) : json_object_get(at, path);
    }
    if (!made) {
        EXPECT(json_object_del(at, path) == 0);
    } else if (json_is_object(at)) json_object_set_new(at, path, made);
    else if ((size_t)atoi(path) < json_array_size(at))
        json_array_set_new(at, (size_t)atoi(path), made);
    else json_array_append_new(at, made);
}

/* Expects sentences: each on a line after '+', or its absence after '-'. */
static void expect_lines(const trib_result *result, const char *lines) {
    char *page = first_page_of(result), *text = malloc(strlen(page) + 1), sentence[1000];
    CHECK(text != NULL);
    read_aloud(text, page);
    for (const char *end; *lines; lines = end + (*end == '\n')) {
        const bool said = *lines == '+';
        end = lines + strcspn(lines, "\n");
        snprintf(sentence, sizeof sentence, "%.*s", (int)(end - lines) - 2, lines + 2);
        if ((strstr(text, sentence) != NULL) != said) {
            EXPECT_TEXT(said ? "a page without it" : "a page with it", sentence);
            EXPECT_TEXT(text, sentence);
        }
    }
    free(text);
}

void trib_page_lines(json_t *result, const char *lines) {
    expect_lines(trib_page_record(result), lines);
    json_decref(result);
}

void trib_page_says(const trib_result *result, const char *sentence, bool said) {
    char line[1000];
    snprintf(line, sizeof line, "%c %s", said ? '+' : '-', sentence);
    expect_lines(result, line);
}

void trib_page_expect(json_t *result, const char *sentence, bool said) {
    trib_page_says(trib_page_record(result), sentence, said);
    json_decref(result);
}
