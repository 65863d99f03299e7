/* flow_map.c - tests of pipeline/output/flow_map.c, order.c and tables.c: how documents become
 * groups, how shares add up, and which order clustering gives. */

#include "pipeline/output/flow_map.h"
#include "pipeline/output/result_files.h"
#include "pipeline/support/json.h"
#include "tests/pipeline/report/page.h"
#include "tests/test.h"

TESTS(output, flow_map);

/* A result of n documents without shares; `about` fills the author, the date and the file. */
static json_t *result_of(int n, void (*about)(int d, json_t *document)) {
    json_t *documents = json_array(), *targets = json_array();
    for (int d = 0; d < n; d++) {
        json_t *document = json_pack("{s:o,s:o,s:i}", "id", json_sprintf("d%03d", d), "title",
                                     json_sprintf("Text %d", d), "ngrams", 100 * (d + 1));
        about(d, document);
        json_array_append_new(documents, document);
        json_array_append_new(targets,
                              json_pack("{s:o,s:{s:{s:[]}}}", "target", json_sprintf("d%03d", d),
                                        "methods", "traced", "shares"));
    }
    return json_pack("{s:s,s:o,s:o,s:{s:[]}}", "headline", "traced", "documents", documents,
                     "targets", targets, "graph", "edges");
}

/* Adds a share; one below 0.01 is below the floor. `group` may be NULL. */
static void add_share(json_t *result, size_t target, int source, double share, const char *group) {
    json_t *method = json_object_get(
        json_object_get(json_array_get(json_object_get(result, "targets"), target), "methods"),
        "traced");
    json_t *row = json_pack("{s:o,s:f,s:b}", "source", json_sprintf("d%03d", source), "share",
                            share, "below_floor", share < 0.01);
    if (group) json_object_set_new(row, "group", json_string(group));
    json_array_append_new(json_object_get(method, "shares"), row);
}

static trib_flow_map read_map(const json_t *result) {
    trib_flow_map map;
    trib_error error = {0};
    EXPECT_OK(trib_flow_map_read(&map, trib_page_record(result), &error));
    return map;
}

static void set(json_t *document, const char *key, json_t *value) {
    json_object_set_new(document, key, value);
}

static void plain(int d, json_t *document) { (void)d, (void)document; }
static void by_three_authors(int d, json_t *document) {
    if (d % 7) set(document, "author", json_sprintf("Author %d", d % 3));
    set(document, "date", json_sprintf("%d", 1700 + d));
}
static void by_many_authors(int d, json_t *document) {
    set(document, "author", json_sprintf("Author %d", d));
    set(document, "date", json_sprintf("%d", 1700 + d));
}
static void before_christ(int d, json_t *document) {
    set(document, "date", json_sprintf(d < 44 ? "-%04d" : "%04d", d < 44 ? 44 - d : d - 44));
}
static void in_folders(int d, json_t *document) {
    set(document, "file", json_sprintf("letters/%c/%d.txt", 'a' + d % 5, d));
}

static void expect_groups(int n, void (*about)(int d, json_t *document), const char *by,
                          size_t n_nodes, const char *first, const char *last) {
    json_auto_t *result = result_of(n, about);
    GIVEN(trib_flow_map) map = read_map(result);
    EXPECT_TEXT(map.by, by);
    EXPECT(map.n_nodes == n_nodes);
    EXPECT_TEXT(map.node[0].name, first);
    EXPECT_TEXT(map.node[map.n_nodes - 1].name, last);
    size_t n_texts = 0;
    for (size_t i = 0; i < map.n_nodes; i++) n_texts += map.node[i].n_texts;
    EXPECT(n_texts == (size_t)n);
}

TEST(documents_are_grouped_by_what_they_have) {
    expect_groups(60, by_three_authors, "text", 60, "Text 0", "Text 59");
    expect_groups(61, by_three_authors, "author", 4, "(none)", "Author 0");
    expect_groups(61, by_many_authors, "decade", 7,
                  "1700\xE2\x80\x93"
                  "1709",
                  "1760\xE2\x80\x93"
                  "1769");
    expect_groups(70, before_christ, "decade", 8,
                  "49\xE2\x80\x93"
                  "40 BC",
                  "20\xE2\x80\x93"
                  "29");
    expect_groups(61, in_folders, "folder", 5, "letters/a", "letters/e");
    expect_groups(61, plain, "text", 60, "Text 0", "the other 2 texts");
}

TEST(shares_of_groups_are_parts_of_their_n_grams) {
    json_t *result = result_of(61, in_folders);
    add_share(result, 1, 0, 0.5, NULL);   /* b from a: half of 200 */
    add_share(result, 6, 0, 0.005, NULL); /* below the floor, of 700 */
    add_share(result, 6, 5, 0.1, NULL);   /* of 700 */
    GIVEN(trib_flow_map) map = read_map(result);
    const trib_map_cell *cell = &map.cell[0 * map.n_nodes + 1];
    double n_grams = 0;
    for (int d = 1; d < 61; d += 5) n_grams += 100.0 * (d + 1);
    EXPECT_NEAR(cell->share, (100 + 3.5 + 70) / n_grams, 1e-12);
    EXPECT(cell->n_flows == 2 && cell->strongest == 0.5);
    EXPECT_TEXT(cell->source, "d000");
    EXPECT_TEXT(cell->target, "d001");
    EXPECT(map.cell[1 * map.n_nodes + 0].source == NULL);
    EXPECT(map.cell[1 * map.n_nodes + 0].share == 0);
    EXPECT(trib_flow_map_node(&map, "d006") == 1 && trib_flow_map_node(&map, "x") == map.n_nodes);
    json_decref(result);
}

TEST(a_group_of_sources_counts_once) {
    json_t *result = result_of(5, plain);
    add_share(result, 4, 0, 0.02, "d000");
    add_share(result, 4, 1, 0.03, "d000");
    add_share(result, 4, 2, 0.03, "d000");
    json_object_set_new(
        json_object_get(
            json_object_get(json_array_get(json_object_get(result, "targets"), 4), "methods"),
            "traced"),
        "groups", json_pack("[{s:[s,s,s],s:f}]", "members", "d000", "d001", "d002", "share", 0.08));
    GIVEN(trib_flow_map) map = read_map(result);
    EXPECT(map.cell[1 * 5 + 4].share == 0.08 && map.cell[1 * 5 + 4].n_flows == 1);
    EXPECT(map.cell[0 * 5 + 4].source == NULL && map.cell[2 * 5 + 4].source == NULL);
    json_decref(result);
}

TEST(what_shares_much_is_side_by_side) {
    json_t *result = result_of(6, plain);
    add_share(result, 5, 0, 0.9, NULL);
    add_share(result, 4, 1, 0.8, NULL);
    add_share(result, 4, 2, 0.1, NULL);
    GIVEN(trib_flow_map) map = read_map(result);
    static const uint32_t like[] = {0, 5, 1, 4, 2, 3}; /* worked by hand */
    for (size_t i = 0; i < 6; i++) EXPECT(map.like[i] == like[i]);
    json_decref(result);
}

static char *written(const json_t *result, const trib_result_table *table) {
    const trib_run_results results = {.result = trib_page_record(result)};
    static char text[4096];
    trib_writer writer;
    GIVEN(trib_buffer) read = {0};
    trib_error error = {0};
    EXPECT_OK(trib_writer_open(&writer, trib_scratch("flows"), &error));
    EXPECT_OK(trib_table_write(table, &results, &writer, &error));
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    EXPECT_OK(trib_read_whole(trib_scratch("flows"), &read, &error));
    snprintf(text, sizeof text, "%s", read.text);
    return text;
}

TEST(the_tables_hold_the_cells_and_the_edges) {
    json_t *result = result_of(3, by_three_authors);
    add_share(result, 2, 1, 0.25, NULL);
    add_share(result, 1, 0, 0.005, NULL);
    json_array_append_new(json_object_get(json_object_get(result, "graph"), "edges"),
                          json_pack("{s:s,s:s,s:f,s:f}", "source", "d001", "target", "d002",
                                    "share", 0.25, "low", 0.2));
    EXPECT_TEXT(written(result, &trib_table_map),
                "by,target,source,share,flows,strongest_target,strongest_source,strongest_share,"
                "target_texts,source_texts\n"
                "text,d001,d000,0.005,0,d001,d000,0.005,1,1\n"
                "text,d002,d001,0.25,1,d002,d001,0.25,1,1\n");
    EXPECT_TEXT(written(result, &trib_table_flows),
                "target,source,share,low,high,target_date,target_node,source_date,source_node\n"
                "d002,d001,0.25,0.2,,1702,d002,1701,d001\n");
    json_decref(result);
}

static trib_status read_again(void *result, trib_error *error) {
    trib_flow_map map;
    const trib_status status = trib_flow_map_read(&map, result, error);
    if (status == TRIB_OK) trib_flow_map_release(&map);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_json_open();
    json_t *result = result_of(61, in_folders);
    add_share(result, 1, 0, 0.5, NULL);
    EXPECT(trib_fail_every_allocation(read_again, (void *)(uintptr_t)trib_page_record(result)) > 5);
    json_decref(result);
}
