/* passage_files.c - tests of pipeline/output/passage_files.c: passages.tei.xml is well-formed, and
 * its pointers and the bytes of alignments.jsonl give the words of the passages. */
#include "tests/test.h"

#include <libxml/parser.h>

#include "pipeline/config/config.h"
#include "pipeline/support/json.h"
#include "tests/pipeline/run/experiment.h"

TESTS(output, passage_files);

/* Both texts begin with characters of several bytes. */
static const char old_text[] = "\xC3\x89t\xC3\xA9 \xE2\x80\x94 once, the keeper of the lamp went "
                               "down to the grey water with a rope. Nobody saw him again.\n";
static const char new_text[] =
    "\xE2\x80\x9CIt is said\xE2\x80\x9D that the keeper of the lamp went "
    "down to the grey water with a rope; his daughter wrote this.\n";
static const char passage[] = "the keeper of the lamp went down to the grey water with a rope";

/* Runs the experiment in the directory `name` with one more setting of the report. */
static void run(const char *name, const char *text) {
    char config[800];
    trib_write_scratch("the old.txt", old_text);
    trib_write_scratch("new.txt", new_text);
    snprintf(config, sizeof config,
             "tributary: 1\nname: passages\ncorpus:\n  documents:\n"
             "    - {id: new, file: new.txt, title: 'New & <good>'}\n"
             "    - {id: old, file: the old.txt, author: N., date: '1800'}\n  target: [new]\n"
             "influence: {methods: [traced], bootstrap: 0}\n"
             "report: {formats: [json, tei, alignments], text: %s}\n",
             text);
    json_decref(trib_experiment_of(name, config));
}

/* The byte at which a character begins. */
static size_t byte_of(const char *text, unsigned long character) {
    size_t i = 0;
    for (; character > 0; character--) do
            i++;
        while (((unsigned char)text[i] & 0xC0) == 0x80);
    return i;
}

static void expect_characters(const char *text, unsigned long from, unsigned long to) {
    const size_t first = byte_of(text, from);
    EXPECT(byte_of(text, to) - first == strlen(passage));
    EXPECT(strncmp(text + first, passage, strlen(passage)) == 0);
}

TEST(tei_is_well_formed_and_points_at_the_characters) {
    GIVEN(trib_buffer) text = {0};
    unsigned long x[4] = {0};
    run("export-tei", "full");
    CHECK(trib_read_whole(trib_scratch("export-tei/passages.tei.xml"), &text, NULL) == TRIB_OK);
    xmlDocPtr parsed = xmlReadMemory(text.text, (int)text.length, "tei", NULL, XML_PARSE_NONET);
    EXPECT(parsed != NULL);
    xmlFreeDoc(parsed);
    const char *target = strstr(text.text, " target=\"new.txt#char=");
    CHECK(target != NULL);
    EXPECT(sscanf(target, " target=\"new.txt#char=%lu,%lu the%%20old.txt#char=%lu,%lu\"", &x[0],
                  &x[1], &x[2], &x[3]) == 4);
    expect_characters(new_text, x[0], x[1]);
    expect_characters(old_text, x[2], x[3]);
    EXPECT(strstr(text.text, "<title>New &amp; &lt;good&gt;</title>") != NULL);
    EXPECT(strstr(text.text, "<annotation xml:id=\"p1\" n=\"new:1\" motivation=\"linking\"") !=
           NULL);
    EXPECT(strstr(text.text, "<author>N.</author>\n<date>1800</date>") != NULL);
}

TEST(alignments_name_the_bytes) {
    GIVEN(trib_buffer) text = {0};
    run("export-alignments", "none");
    EXPECT(trib_read_whole(trib_scratch("export-alignments/passages.tei.xml"), &text, NULL) !=
           TRIB_OK);
    CHECK(trib_read_whole(trib_scratch("export-alignments/alignments.jsonl"), &text, NULL) ==
          TRIB_OK);
    EXPECT(strchr(text.text, '\n') == text.text + text.length - 1);
    json_t *line = json_loads(text.text, 0, NULL);
    CHECK(line != NULL);
    EXPECT_TEXT(trib_json_get_text(line, "source_filename"), "the old.txt");
    EXPECT_TEXT(trib_json_get_text(line, "target_doc_id"), "new");
    EXPECT_TEXT(trib_json_get_text(line, "target_passage"), "");
    const size_t from = (size_t)json_number_value(json_object_get(line, "target_start_byte")),
                 to = (size_t)json_number_value(json_object_get(line, "target_end_byte"));
    EXPECT(to - from == strlen(passage) && strncmp(new_text + from, passage, to - from) == 0);
    json_decref(line);
    trib_buffer_release(&text);
    run("export-snippets", "snippets");
    CHECK(trib_read_whole(trib_scratch("export-snippets/alignments.jsonl"), &text, NULL) ==
          TRIB_OK);
    EXPECT(strstr(text.text, passage) != NULL);
}

static trib_status make_files(void *directory, trib_error *error) {
    return trib_experiment_do(NULL, trib_scratch("e.yaml"), directory, error);
}

TEST(every_failing_allocation_is_reported) {
    char directory[600];
    run("export-full", "full");
    snprintf(directory, sizeof directory, "%s", trib_scratch("failing files"));
    EXPECT(trib_fail_every_allocation(make_files, directory) > 100);
}
