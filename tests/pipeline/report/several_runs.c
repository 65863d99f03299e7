/* several_runs.c - tests of the page of several runs and of kwic, on runs made by the test:
 * titles of a corpus are escaped, and the occurrences of a phrase are aligned. */
#include <sys/stat.h>

#include "pipeline/config/config.h"
#include "tests/pipeline/program/program.h"
#include "tests/pipeline/report/page.h"

TESTS(report, several_runs);

/* Replaces every %s by the scratch folder. */
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

/* Makes two runs of three texts, the second with n-grams of two words. */
static void two_runs(const char *title, const char *first, const char *second) {
    char text[1024];
    trib_write_scratch(
        "old.txt", "the lamp must burn all night and the sea must bring the boats home again\n");
    trib_write_scratch("other.txt",
                       "nobody asked the gulls what they thought about the fog of that year\n");
    trib_write_scratch(
        "new.txt", "he said <b>the lamp must burn all night</b> and so it was for seven years\n");
    snprintf(text, sizeof text,
             "tributary: 1\nname: two\ncorpus:\n  target: new\n  documents:\n"
             "    - {id: old, file: old.txt, title: \"%s\"}\n    - {id: other, file: other.txt}\n"
             "    - {id: new, file: new.txt, title: \"%s too\"}\n"
             "influence: {methods: [traced, split], bootstrap: 0}\n"
             "report: {text: full}\n",
             title, title);
    trib_write_scratch("two.yaml", text);
    do_it(first);
    do_it(second);
}

static char *read_file(const char *name) {
    trib_buffer bytes = {0};
    trib_read_bytes(trib_scratch(name), &bytes);
    char *copy = strdup(bytes.text ? bytes.text : "");
    trib_buffer_release(&bytes);
    return copy;
}

TEST(hostile_titles_of_several_runs_stay_text) {
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

/* The occurrences of a phrase begin at the same column in every line. */
TEST(a_phrase_is_in_the_same_column_in_all_texts) {
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

TEST(every_failing_allocation_of_commands_over_runs_is_reported) {
    static const char *const commands[] = {"kwic %s/first the lamp must",
                                           "kwic %s/first the lamp must --json",
                                           "report %s/first",
                                           "report %s/first %s/second -o %s/both.html",
                                           "explain %s/first",
                                           "explain %s/first --json",
                                           "cite %s/first",
                                           "cite %s/first --json",
                                           "compare %s/first %s/first --json"};
    char words[512];
    two_runs("Plain", "run %s/two.yaml -o %s/first --no-cache",
             "run %s/two.yaml -o %s/second --set tensor.n=2 --no-cache");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        EXPECT(trib_fail_every_allocation(trib_program_do, words_of(words, commands[i])) > 10);
}

/* Makes a run directory with influence.json only. */
static void write_result(const char *name, json_t *result) {
    char path[4200];
    snprintf(path, sizeof path, "%s/influence.json", trib_scratch(name));
    mkdir(trib_scratch(name), 0777);
    EXPECT(result && json_dump_file(result, path, 0) == 0);
    json_decref(result);
}

static void expect_cited(json_t *result, const char *words) {
    write_result("cited", result);
    do_it("cite %s/cited");
    char *said = read_file("stdout");
    if (!strstr(said, words)) EXPECT_TEXT(said, words);
    EXPECT(!strchr(said, '\033') && !strstr(said, "(null)"));
    free(said);
}

TEST(the_citation_follows_the_numbers) {
    expect_cited(trib_page_result("anchored", "", ""),
                 "Of Target: no source above the noise floor (floor 0.015); not explained by any "
                 "source 0.500.");
    expect_cited(trib_page_result("anchored",
                                  "{'source':'a','share':0.2,'low':0.1,'high':0.3},{'source':'b',"
                                  "'share':0.01,'low':0,'high':0.02,'below_floor':true}",
                                  ""),
                 "Of Target: Alpha 0.200 (90 % interval 0.100 to 0.300) (floor 0.015); not ");
    json_t *result = trib_page_result("lowe",
                                      "{'source':'a','share':0.2},{'source':'b','share':0.1,"
                                      "'below_floor':true,'decoy':true}",
                                      "");
    trib_page_change(result, "targets/0/floor_from='b'");
    trib_page_change(result, "documents/1/title='Be\\u001B[31mta'");
    trib_page_change(result, "documents/3/factors={'rank':50,'fit':0.4321}");
    expect_cited(json_incref(result), "factors within an L1 distance of 0.2 matched.");
    expect_cited(result,
                 "Of Target: Alpha 0.200 (floor 0.015, the share of the decoy Be\\x1B[31mta); not "
                 "explained by any source 0.500 (factors 50, fit 0.432).");
}

TEST(a_few_numbers_are_cited_for_many_targets) {
    json_t *result =
        trib_page_result("anchored", "{'source':'a','share':0.2,'low':0.1,'high':0.3}", "");
    json_t *targets = json_object_get(result, "targets"),
           *other = json_deep_copy(json_array_get(targets, 0));
    trib_page_change(other, "methods/anchored/shares/0/below_floor=true");
    for (int i = 0; i < 300; i++) json_array_append(targets, other);
    json_decref(other);
    expect_cited(result,
                 "Of 301 targets 1 have a source above the noise floor, 1 shares in all; the "
                 "largest is 0.200 of Target with Alpha (90 % interval 0.100 to 0.300).");
    char *said = read_file("stdout");
    size_t n_lines = 0;
    for (const char *c = said; *c; c++) n_lines += *c == '\n';
    EXPECT(n_lines < 15 && strlen(said) < 2500);
    free(said);
}

/* The commit is that of the program that made the run. */
TEST(the_commit_of_a_run_is_cited) {
    static const char commit[] = "0123456789abcdef0123456789abcdef01234567-changed";
    char words[200];
    write_result("cited", trib_page_result("anchored", "", ""));
    snprintf(words, sizeof words, "{\"commit\":\"%s\"}", commit);
    trib_write_scratch("cited/manifest.json", words);
    snprintf(words, sizeof words, ", commit %s}", commit);
    expect_cited(trib_page_result("anchored", "", ""), words);
    snprintf(words, sizeof words, "; the program has the commit %s.", commit);
    expect_cited(trib_page_result("anchored", "", ""), words);
    CHECK(remove(trib_scratch("cited/manifest.json")) == 0);
}

/* `cite` and CITATION.cff agree. */
TEST(the_citation_agrees_with_its_file) {
    trib_buffer text = {0};
    trib_read_bytes("CITATION.cff", &text);
    EXPECT(strstr(text.text, "\nversion: " TRIB_VERSION "\n") != NULL);
    EXPECT(strstr(text.text, "\ndate-released: " TRIB_YEAR "-") != NULL);
    EXPECT(strstr(text.text, "\nurl:") == NULL);
    trib_buffer_release(&text);
    expect_cited(trib_page_result("anchored", "", ""), "  year    = {" TRIB_YEAR "},\n");
}
