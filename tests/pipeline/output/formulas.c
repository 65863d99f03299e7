/* formulas.c - tests of the passages that very many texts hold, each once, with the earliest of
 * them: stages/formulas.c, output/result_corpus.c. */
#include <unistd.h>

#include "tests/pipeline/report/page.h"
#include "tests/pipeline/run/experiment.h"
#include "tests/test.h"

TESTS(output, formulas);

/* Eight texts. Five hold the whole licence, of which cedar has a part; four hold "amen and amen
 * to", twice in oak. */
#define LICENCE "this may be copied by all who want "
typedef struct dated_text {
    const char *id, *date, *text;
} dated_text;
static const dated_text eight[] = {
    {"ash", "1700", LICENCE "grey herons stood upon wet sand. Amen and amen to the end"},
    {"birch", "1650", LICENCE "old men slept. Amen and amen to the sea"},
    {"cedar", "1500", "ships burned. This may be copied by all. Amen and amen to that"},
    {"elm", "1600", LICENCE "a lamp went out"},
    {"fir", "1610", "his bread was never warm enough " LICENCE},
    {"hazel", NULL, LICENCE "rain fell on slate roofs"},
    {"larch", "1400", "nine bells rang and nobody heard"},
    {"oak", "1800", "no letter came. Amen and amen to all. Amen and amen to it"},
};
#define HEADER "words\tdocuments\ttargets\tfirst\tdate\ttarget\tword\ttext\n"

/* Runs texts; `settings` are members of "influence" and the sections after it. */
static json_t *run_texts(const dated_text texts[], size_t n, const char *name, const char *target,
                         bool has_dates, const char *settings) {
    char yaml[4096];
    int length =
        snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus:\n  target: %s\n  documents:\n", target);
    for (size_t d = 0; d < n; d++) {
        char file[16];
        const char *date = has_dates ? texts[d].date : NULL;
        snprintf(file, sizeof file, "%s.txt", texts[d].id);
        trib_write_scratch(file, texts[d].text);
        length +=
            snprintf(yaml + length, sizeof yaml - (size_t)length, "    - {id: %s, file: %s%s%s}\n",
                     texts[d].id, file, date ? ", date: " : "", date ? date : "");
    }
    snprintf(yaml + length, sizeof yaml - (size_t)length,
             "influence: {bootstrap: 0, methods: [traced, split], %s}\n", settings);
    return trib_experiment_of(name, yaml);
}

static json_t *run(const char *name, const char *target, bool has_dates, const char *settings) {
    return run_texts(eight, sizeof eight / sizeof *eight, name, target, has_dates, settings);
}

/* Expects formulas.tsv of a run to have these bytes; NULL: there is no such file. */
static void expect_table(const char *name, const char *bytes) {
    char path[4096];
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    snprintf(path, sizeof path, "%s/formulas.tsv", trib_scratch(name));
    EXPECT((access(path, F_OK) == 0) == (bytes != NULL));
    if (!bytes) return;
    EXPECT_OK(trib_read_whole(path, &text, &error));
    EXPECT_TEXT(text.text ? text.text : "", bytes);
}

TEST(each_passage_has_the_earliest_by_date) {
    json_t *result = run("formulas by date", "all", true, "formula: 3");
    expect_table("formulas by date",
                 HEADER "8\t5\t5\telm\t1600\tash\t1\tthis may be copied by all who want\n"
                        "6\t6\t1\tcedar\t1500\tcedar\t3\tthis may be copied by all\n"
                        "4\t4\t4\tcedar\t1500\tash\t15\tamen and amen to\n");
    EXPECT_NEAR(json_number_value(json_object_get(result, "n_formulas")), 3, 0);
    const json_t *first = json_array_get(json_object_get(result, "formulas"), 0);
    EXPECT_TEXT(trib_json_get_text(first, "first"), "elm");
    EXPECT_TEXT(trib_json_get_text(first, "date"), "1600");
    trib_page_expect(result, "Formulas: what very many texts hold", true);
}

/* More candidates than texts leave nothing out. */
TEST(candidates_leave_the_passages_as_they_are) {
    json_t *result = run("formulas of candidates", "all", true, "formula: 3, candidates: 9");
    expect_table("formulas of candidates",
                 HEADER "8\t5\t5\telm\t1600\tash\t1\tthis may be copied by all who want\n"
                        "6\t6\t1\tcedar\t1500\tcedar\t3\tthis may be copied by all\n"
                        "4\t4\t4\tcedar\t1500\tash\t15\tamen and amen to\n");
    EXPECT_NEAR(json_number_value(json_object_get(result, "n_formulas")), 3, 0);
    trib_page_expect(result, "Formulas: what very many texts hold", true);
}

/* The 3-grams of "bells rang at noon" are first in alder and in beech, which have one each. Only
 * the concordance of all documents knows that citrus has both. */
TEST(with_candidates_the_earliest_is_a_first_holder) {
    static const dated_text four[] = {
        {"alder", "1500", "the bells rang at dawn"},
        {"beech", "1510", "a trumpet rang at noon"},
        {"citrus", "1520", "our bells rang at noon"},
        {"date", "1530", "no bells rang at noon"},
    };
    json_decref(run_texts(four, 4, "formulas of all", "date", true, "formula: 2"));
    expect_table("formulas of all", HEADER "4\t3\t1\tcitrus\t1520\tdate\t2\tbells rang at noon\n");
    json_decref(run_texts(four, 4, "formulas of some", "date", true, "formula: 2, candidates: 9"));
    expect_table("formulas of some", HEADER "4\t3\t1\tdate\t1530\tdate\t2\tbells rang at noon\n");
}

TEST(without_dates_the_configuration_decides) {
    json_t *result = run("formulas undated", "oak", false, "formula: 3");
    expect_table("formulas undated", HEADER "4\t4\t1\tash\t\toak\t4\tamen and amen to\n");
    json_decref(result);
}

TEST(the_number_of_documents_is_exceeded) {
    json_t *result = run("formulas of five", "all", true, "formula: 5");
    expect_table("formulas of five",
                 HEADER "6\t6\t6\tcedar\t1500\tash\t1\tthis may be copied by all\n");
    json_decref(result);
}

TEST(without_formulas_nothing_is_written) {
    json_t *result = run("no formulas", "all", true, "formula: 6");
    expect_table("no formulas", NULL);
    EXPECT(json_object_get(result, "formulas") == NULL);
    trib_page_expect(result, "Formulas: what very many texts hold", false);
}

TEST(nothing_is_quoted_without_report_text) {
    json_t *result = run("formulas unquoted", "elm", true, "formula: 3}\nreport: {text: none");
    expect_table("formulas unquoted", HEADER "8\t5\t1\telm\t1600\telm\t1\t\n");
    json_decref(result);
}
