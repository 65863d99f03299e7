/* report_several.c - tests of the page of several runs and of kwic, on runs made here: what a corpus puts into titles
 * stays text, and a phrase stands below itself. */
#include "tests/pipeline/page.h"
#include "tests/pipeline/program.h"

static void write_file(const char *name, const char *text) {
    trib_error error = {0};
    trib_writer writer;
    EXPECT_STATUS(trib_writer_open(&writer, trib_scratch(name), &error), TRIB_OK, error);
    trib_write_text(&writer, text);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
}

/* Every %s in the words is the scratch folder. */
static char *words_of(char words[512], const char *format) {
    char at[200];
    size_t n = 0;
    snprintf(at, sizeof at, "%s", trib_scratch(""));
    for (const char *from = format; *from && n < 500; from++)
        if (from[0] == '%' && from[1] == 's')
            n += (size_t)snprintf(words + n, 512 - n, "%s", at), from++;
        else words[n++] = *from;
    words[n] = '\0';
    return words;
}

static void do_it(const char *format) {
    trib_error error = {0};
    char words[512];
    EXPECT_STATUS(trib_program_do(words_of(words, format), &error), TRIB_OK, error);
}

/* Two runs of three texts, the second with pairs of words. */
static void two_runs(const char *title, const char *first, const char *second) {
    char text[1024];
    write_file("old.txt",
               "the lamp must burn all night and the sea must bring the boats home again\n");
    write_file("other.txt",
               "nobody asked the gulls what they thought about the fog of that year\n");
    write_file("new.txt",
               "he said <b>the lamp must burn all night</b> and so it was for seven years\n");
    snprintf(text, sizeof text,
             "tributary: 1\nname: two\ncorpus:\n  target: new\n  documents:\n"
             "    - {id: old, file: old.txt, title: \"%s\"}\n    - {id: other, file: other.txt}\n"
             "    - {id: new, file: new.txt, title: \"%s too\"}\n"
             "influence: {methods: [traced, split], bootstrap: 0}\n"
             "report: {text: full}\n",
             title, title);
    write_file("two.yaml", text);
    do_it(first);
    do_it(second);
}

static char *read_file(const char *name) {
    trib_error error = {0};
    trib_reader reader;
    trib_buffer bytes = {0};
    EXPECT_STATUS(trib_reader_open(&reader, trib_scratch(name), &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_all(&reader, &bytes, &error), TRIB_OK, error);
    trib_reader_close(&reader);
    char *copy = strdup(bytes.text ? bytes.text : "");
    trib_buffer_release(&bytes);
    return copy;
}

static void hostile_titles_of_several_runs_stay_text(void) {
    two_runs("</title><script>alert(1)</script>", "run %s/two.yaml -o %s/hostile",
             "run %s/two.yaml -o %s/hostile2 --set tensor.n=2");
    do_it("report %s/hostile %s/hostile2 -o %s/both.html");
    char *page = read_file("both.html");
    const char *fault = trib_page_fault(page);
    EXPECT_TEXT(fault ? fault : "whole", "whole");
    EXPECT(trib_page_count(page, "</title>") == 1 && trib_page_count(page, "<script>alert") == 0);
    EXPECT(trib_page_count(page, "&lt;script&gt;alert(1)") >= 2);
    EXPECT(trib_page_count(page, "tensor.n") == 1 && trib_page_count(page, "split") == 0);
    do_it("report %s/hostile %s/hostile2 -o %s/again.html");
    char *again = read_file("again.html");
    EXPECT_TEXT(again, page);
    free(page);
    free(again);
}

/* The phrase stands below itself: the place where it begins is the same in every line that shows it. */
static void a_phrase_stands_in_one_column_in_all_texts(void) {
    two_runs("Plain", "run %s/two.yaml -o %s/first",
             "run %s/two.yaml -o %s/second --set tensor.n=2");
    do_it("kwic %s/first the lamp must");
    char *shown = read_file("stdout"), *at = shown;
    size_t column = 0, n = 0;
    for (char *found; (found = strstr(at, "the lamp must")); at = found + 1, n++) {
        const char *line = found;
        while (line > shown && line[-1] != '\n') line--;
        if (strstr(line, "\"") == line) continue;
        if (column == 0) column = (size_t)(found - line);
        EXPECT((size_t)(found - line) == column);
    }
    EXPECT(n >= 2);
    free(shown);
}

CU_TestInfo trib_tests_report_several[] = {
    {"hostile titles of several runs stay text", hostile_titles_of_several_runs_stay_text},
    {"a phrase stands in one column in all texts", a_phrase_stands_in_one_column_in_all_texts},
    CU_TEST_INFO_NULL,
};
