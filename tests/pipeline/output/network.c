/* network.c - tests of pipeline/output/network.c, flow_files.c, report/network.c,
 * report/time.c and svg_time.c: chains of copies, whose every number is known. */
#include "tests/test.h"

#include <jansson.h>

#include "pipeline/config/config.h"
#include "pipeline/output/result_files.h"
#include "pipeline/report/pages.h"
#include "tests/pipeline/report/page.h"
#include "tests/pipeline/run/experiment.h"

TESTS(output, network);

/* "a3 a4 ... ": words first .. last-1 of a stock, none of them anywhere else. */
static void add_words(trib_buffer *text, char stock, int first, int last) {
    for (int i = first; i < last; i++)
        CHECK(trib_buffer_print(text, NULL, "%c%d ", stock, i) == TRIB_OK);
}

/* A copies nobody, B copies 100 words of A, C copies 200 of B with all that B has from A, and
 * `more` words of A itself. */
static void write_chain(int more) {
    trib_buffer text[3] = {0};
    add_words(&text[0], 'a', 0, 200);
    add_words(&text[1], 'b', 0, 100);
    add_words(&text[1], 'a', 0, 100);
    add_words(&text[1], 'b', 100, 200);
    add_words(&text[2], 'c', 0, 100);
    add_words(&text[2], 'b', 50, 100);
    add_words(&text[2], 'a', 0, 100);
    add_words(&text[2], 'b', 100, 150);
    add_words(&text[2], 'c', 100, 200);
    add_words(&text[2], 'a', 200 - more, 200);
    for (int d = 0; d < 3; d++) {
        trib_write_scratch((const char *const[]){"a.txt", "b.txt", "c.txt"}[d], text[d].text);
        trib_buffer_release(&text[d]);
    }
}

static json_t *result_of(const char *const date[3], const char *settings) {
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "tributary: 1\nname: chain\ncorpus:\n  documents:\n    - {id: a, file: a.txt%s}\n"
             "    - {id: b, file: b.txt, title: \"B <&> \\\"\\\\n\\\"\"%s}\n"
             "    - {id: c, file: c.txt%s}\n  target: all\n%s",
             date[0], date[1], date[2], settings);
    return trib_experiment_of(NULL, yaml);
}

static const char *const dated[3] = {", date: '1100'", ", date: '1200'", ", date: '1300'"};
static const char *const undated[3] = {"", "", ""};
#define BY_DATE "  order: by-date\n"
#define ANCHORED                                                                                   \
    "influence: {methods: [anchored], headline: anchored, bootstrap: 0, floor: 0.015}\n"
#define SPLIT                                                                                      \
    "influence: {methods: [split, anchored], headline: split, bootstrap: 0, "                      \
    "floor: 0.015}\n"

static const json_t *find(const json_t *result, const char *list, const char *source,
                          const char *target) {
    const json_t *all = json_object_get(json_object_get(result, "graph"), list);
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *one = json_array_get(all, i);
        if (strcmp(json_string_value(json_object_get(one, "source")), source) == 0 &&
            strcmp(json_string_value(json_object_get(one, "target")), target) == 0)
            return one;
    }
    return NULL;
}

static double number(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static void expect_order(const json_t *result, const char *wanted, const char *from) {
    const json_t *graph = json_object_get(result, "graph");
    char order[64] = "";
    for (size_t i = 0; i < json_array_size(json_object_get(graph, "order")); i++)
        strcat(order, json_string_value(json_array_get(json_object_get(graph, "order"), i)));
    EXPECT_TEXT(order, wanted);
    EXPECT_TEXT(json_string_value(json_object_get(graph, "order_from")), from);
}

/* By anchored the copy explains all that the original does: A reaches C through B alone. */
TEST(in_a_chain_of_copies_the_first_reaches_the_last_through_the_second) {
    write_chain(0);
    json_t *result = result_of(dated, BY_DATE ANCHORED);
    expect_order(result, "abc", "dates");
    const json_t *path = find(result, "paths", "a", "c");
    const json_t *ab = find(result, "edges", "a", "b"), *bc = find(result, "edges", "b", "c");
    CHECK(path && ab && bc);
    EXPECT(!find(result, "edges", "a", "c") && number(path, "direct") == 0);
    EXPECT_NEAR(number(path, "through"), number(ab, "share") * number(bc, "share"), 1e-12);
    EXPECT(json_array_size(json_object_get(path, "along")) == 3);
    EXPECT_TEXT(json_string_value(json_array_get(json_object_get(path, "along"), 1)), "b");
    EXPECT(!json_is_true(json_object_get(bc, "ancestor")) && !json_object_get(bc, "held"));
    EXPECT(!find(result, "edges", "b", "a") && !find(result, "edges", "c", "b"));
    json_decref(result);
}

/* Split cannot tell: of C's 398 3-grams 98 are A's, which has 198, and B's, which has 298. */
TEST(a_share_that_a_text_in_between_holds_whole_is_an_ancestors) {
    write_chain(0);
    json_t *result = result_of(dated, SPLIT);
    const json_t *edge = find(result, "edges", "a", "c");
    CHECK(edge != NULL);
    EXPECT_NEAR(number(edge, "share"), 98 / 398.0 * (1 / 198.0) / (1 / 198.0 + 1 / 298.0), 1e-12);
    EXPECT(number(edge, "held") == 1 && json_is_true(json_object_get(edge, "ancestor")));
    const json_t *between = json_object_get(edge, "between");
    CHECK(json_array_size(between) == 1);
    EXPECT_TEXT(json_string_value(json_object_get(json_array_get(between, 0), "id")), "b");
    EXPECT(number(json_array_get(between, 0), "held") == 1);
    const json_t *path = find(result, "paths", "a", "c");
    CHECK(path != NULL);
    EXPECT_NEAR(number(path, "direct"), number(edge, "share"), 1e-15);
    expect_order(result, "abc", "dates");
    const json_t *back = find(result, "edges", "c", "b");
    EXPECT(json_is_true(json_object_get(back, "backward")) && !json_object_get(back, "held"));
    json_decref(result);
}

TEST(what_was_taken_from_the_original_itself_makes_it_a_source) {
    write_chain(60);
    json_t *result = result_of(dated, BY_DATE ANCHORED);
    const json_t *edge = find(result, "edges", "a", "c");
    CHECK(edge != NULL);
    EXPECT(number(edge, "held") < .9 && !json_object_get(edge, "ancestor"));
    json_decref(result);
}

TEST(without_dates_nothing_says_the_order) {
    static const char *const one[3] = {", date: '1100'", "", ""};
    write_chain(0);
    json_t *result = result_of(undated, ANCHORED);
    EXPECT_TEXT(json_string_value(json_object_get(json_object_get(result, "graph"), "order_from")),
                "nothing");
    EXPECT(!find(result, "edges", "a", "c") && !find(result, "edges", "c", "a"));
    json_decref(result);
    result = result_of(one, ANCHORED);
    EXPECT_TEXT(json_string_value(json_object_get(json_object_get(result, "graph"), "order_from")),
                "some dates");
    json_decref(result);
}

TEST(a_share_of_nothing_is_below_every_floor) {
    double share[] = {0, 1e-9};
    trib_influence headline = {.n_sources = 2, .share = share};
    const trib_shares target = {.headline = &headline, .floor = {.share = 0}};
    EXPECT(trib_below_floor(&target, 0) && !trib_below_floor(&target, 1));
}

TEST(a_graph_needs_no_evidence) {
    write_chain(0);
    json_t *result = result_of(dated, BY_DATE
                               "tensor: {skip: 1}\ninfluence: {methods: [split], headline: split, "
                               "floor: 0.015}\n");
    const json_t *edge = find(result, "edges", "a", "c");
    EXPECT(edge && !json_object_get(edge, "held"));
    json_decref(result);
}

TEST(one_target_has_no_graph) {
    static const char *const only[3] = {", role: source", ", role: source", ""};
    write_chain(0);
    json_t *result = result_of(only, ANCHORED);
    EXPECT(json_object_get(result, "graph") == NULL);
    json_decref(result);
}

static trib_status write_report(const void *what, trib_writer *writer, trib_error *error) {
    return trib_report_write_html(((const trib_run_results *)what)->result, writer, error);
}

/* A file made of a result, as text; to be freed. */
static char *written(const json_t *result, trib_file_write *write) {
    const char *path = trib_scratch("written");
    const trib_run_results results = {.result = trib_page_record(result)};
    trib_writer writer;
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_OK(trib_writer_open(&writer, path, &error));
    EXPECT_OK(write(&results, &writer, &error));
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    EXPECT_OK(trib_read_whole(path, &text, &error));
    return text.text;
}

TEST(titles_cannot_break_graphml_or_dot) {
    write_chain(0);
    json_t *result = result_of(dated, SPLIT);
    GIVEN(trib_owned_text) graphml = written(result, trib_graph_write_graphml);
    GIVEN(trib_owned_text) dot = written(result, trib_graph_write_dot);
    EXPECT(strstr(graphml, "B &lt;&amp;&gt; &quot;\\n&quot;") != NULL);
    EXPECT(trib_page_count(graphml, "<node ") == 3 &&
           trib_page_count(graphml, "<edge ") ==
               json_array_size(json_object_get(json_object_get(result, "graph"), "edges")));
    EXPECT(trib_page_count(graphml, "<data ") == trib_page_count(graphml, "</data>"));
    EXPECT(strstr(dot, "\"b\" [label=\"B <&> \\\"\\\\n\\\"\", date=\"1200\"];\n") != NULL);
    EXPECT(strstr(dot, "\"a\" -> \"b\" [weight=") && strstr(dot, "style=dashed"));
    json_decref(result);
}

/* Returns the attributes of a node of GraphML as text; to be freed. */
static char *node_of(const char *graphml, const char *id) {
    char begin[64];
    snprintf(begin, sizeof begin, "<node id=\"%s\">", id);
    const char *node = strstr(graphml, begin);
    CHECK(node != NULL);
    const char *end = strstr(node, "</node>");
    char *text = NULL;
    CHECK(end && trib_copy_text(&text, node, (size_t)(end - node), NULL) == TRIB_OK);
    return text;
}

TEST(all_documents_are_nodes_with_their_sizes) {
    static const char *const source[3] = {", role: source", "", ""};
    write_chain(0);
    json_t *result =
        result_of(source, "influence: {methods: [split], headline: split, floor: 0.9}\n");
    GIVEN(trib_owned_text) graphml = written(result, trib_graph_write_graphml);
    EXPECT(trib_page_count(graphml, "<edge ") == 0 && trib_page_count(graphml, "<node ") == 3);
    GIVEN(trib_owned_text) a = node_of(graphml, "a"), c = node_of(graphml, "c");
    EXPECT(strstr(a, "<data key=\"words\">200</data>") != NULL);
    EXPECT(strstr(a, "<data key=\"ngrams\">198</data>") != NULL);
    EXPECT(strstr(a, "<data key=\"role\">source</data>") && !strstr(a, "key=\"position\""));
    EXPECT(strstr(c, "<data key=\"words\">400</data>") && strstr(c, "key=\"position\""));
    json_decref(result);
}

TEST(a_group_is_one_edge_that_names_its_members) {
    json_t *result = json_pack(
        "{s:[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}], s:{s:[s, s], s:[{s:s, s:s, s:f, s:[s, s]}]}}",
        "documents", "id", "a", "title", "A", "id", "b \"2\"", "title", "B", "id", "t", "title",
        "T", "graph", "order", "a", "t", "edges", "source", "a", "target", "t", "share", 0.25,
        "members", "a", "b \"2\"");
    CHECK(result != NULL);
    GIVEN(trib_owned_text) graphml = written(result, trib_graph_write_graphml);
    GIVEN(trib_owned_text) dot = written(result, trib_graph_write_dot);
    EXPECT(strstr(graphml, "<data key=\"members\">a; b &quot;2&quot;</data>") != NULL);
    EXPECT(trib_page_count(dot, " -> ") == 1);
    EXPECT(strstr(dot, ", members=\"a; b \\\"2\\\"\", taillabel=\"a or b \\\"2\\\"\"") != NULL);
    json_decref(result);
}

static trib_status chain_again(void *context, trib_error *error) {
    return trib_experiment_do(NULL, trib_scratch("e.yaml"), context, error);
}

TEST(every_failing_allocation_is_reported) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", trib_scratch("failing chain"));
    write_chain(0);
    json_decref(result_of(dated, SPLIT));
    EXPECT(trib_fail_every_allocation(chain_again, directory) > 100);
}

/* ---- The section of the report --------------------------------------------------------------- */

static void name_of(char name[16], uint32_t i) { snprintf(name, 16, "t%03u", i); }

/* A result of n texts in a row, each drawing on the three before it by its number in a thousand. */
static json_t *row_of_texts(uint32_t n, const char *title) {
    trib_json_open();
    json_t *documents = json_array(), *order = json_array(), *edges = json_array();
    char name[16], other[16];
    for (uint32_t i = 0; i < n; i++) {
        name_of(name, i);
        json_array_append_new(documents,
                              json_pack("{s:s, s:s}", "id", name, "title", title ? title : name));
        json_array_append_new(order, json_string(name));
        for (uint32_t k = 1; k <= 3 && k <= i; k++) {
            name_of(other, i - k);
            json_array_append_new(edges,
                                  json_pack("{s:s, s:s, s:f, s:n, s:[], s:b, s:b}", "source", other,
                                            "target", name, "share", i / 1000.0, "held", "between",
                                            "backward", 0, "ancestor", k == 3));
        }
    }
    return json_pack("{s:i, s:s, s:o, s:[], s:{s:o, s:s, s:o, s:[]}}", "schema", 1, "name", "row",
                     "documents", documents, "targets", "graph", "order", order, "order_from",
                     "shares", "edges", edges, "paths");
}

static char *page_of(json_t *result) {
    char *page = written(result, write_report);
    const char *fault = trib_page_fault(page);
    EXPECT_TEXT(fault ? fault : "whole", "whole");
    EXPECT(!strstr(page, "nan") && !strstr(page, "(null)"));
    return page;
}

TEST(two_to_sixty_texts_are_drawn_whole) {
    static const uint32_t sizes[] = {2, 3, 7, 40};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        json_t *result = row_of_texts(sizes[s], NULL);
        GIVEN(trib_owned_text) page = page_of(result);
        EXPECT(trib_page_count(page, "<circle class=\"event\"") == sizes[s]);
        EXPECT(trib_page_count(page, "<path class=\"arc\"") +
                   trib_page_count(page, "<path class=\"arc ") ==
               json_array_size(json_object_get(json_object_get(result, "graph"), "edges")));
        EXPECT(!strstr(page, "arcs shown"));
        json_decref(result);
    }
}

TEST(of_many_texts_the_strongest_edges_are_drawn_and_the_rest_counted) {
    json_t *result = row_of_texts(300, NULL);
    GIVEN(trib_owned_text) page = page_of(result);
    EXPECT(strstr(page, "150 of 894 arcs shown, the strongest first.") != NULL);
    EXPECT(strstr(page, "500 of 894 edges shown") != NULL);
    EXPECT(trib_page_count(page, "<circle class=\"event\"") <= 60);
    json_decref(result);
}

TEST(the_section_says_what_the_graph_says) {
    write_chain(0);
    json_t *result = result_of(dated, SPLIT);
    char *page = page_of(result);
    EXPECT(strstr(page, "The order of time is that of the dates.") != NULL);
    EXPECT(strstr(page, "100\xE2\x80\xAF% in ") && strstr(page, ": an ancestor"));
    EXPECT(strstr(page, " would draw on the later ") != NULL);
    EXPECT(strstr(page, "What reaches a text through others") != NULL);
    EXPECT(strstr(page, "href=\"influence.graphml\"") != NULL);
    trib_free(page);
    json_decref(result);
    result = row_of_texts(3, "</text><script>\xE2\x80\xAE");
    page = page_of(result);
    EXPECT(trib_page_count(page, "<script") == 1 && !strstr(page, "\xE2\x80\xAE"));
    EXPECT(strstr(page, "shares cannot tell a source from its copy") != NULL);
    EXPECT(strstr(page, "The order of time") == NULL && !strstr(page, "would draw on"));
    trib_free(page);
    json_decref(result);
}

TEST(texts_of_one_date_are_not_called_later) {
    static const char *const same[3] = {", date: '1100'", ", date: '1200'", ", date: '1200'"};
    write_chain(0);
    json_t *result = result_of(same, SPLIT);
    EXPECT_TEXT(json_string_value(json_object_get(json_object_get(result, "graph"), "order_from")),
                "some dates");
    GIVEN(trib_owned_text) page = page_of(result);
    EXPECT(strstr(page, "Where dates do not tell which text is earlier, nothing does.") != NULL);
    json_decref(result);
}

TEST(texts_without_an_edge_are_named) {
    json_t *result = row_of_texts(3, NULL);
    json_array_append_new(json_object_get(json_object_get(result, "graph"), "order"),
                          json_string("alone"));
    char *page = page_of(result);
    EXPECT(strstr(page, "Nothing above the noise floor joins <bdi>alone</bdi> to the others.") !=
           NULL);
    trib_free(page);
    json_array_clear(json_object_get(json_object_get(result, "graph"), "edges"));
    page = page_of(result);
    EXPECT(!strstr(page, "class=\"network\"") && !strstr(page, "Nothing above the noise floor"));
    trib_free(page);
    json_decref(result);
}

static trib_status page_again(void *context, trib_error *error) {
    return trib_page_render(context, trib_scratch("again.html"), error);
}

TEST(every_failing_allocation_of_the_page_is_reported) {
    json_t *result = row_of_texts(9, NULL);
    EXPECT(trib_fail_every_allocation(page_again, (void *)(uintptr_t)trib_page_record(result)) > 8);
    json_decref(result);
}
