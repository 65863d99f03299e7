/* yaml.c - tests of pipeline/config/yaml.c: the tree, the places of its nodes, and the exact
 * wording of errors. */
#include "pipeline/config/yaml.h"
#include "tests/test.h"

TESTS(config, yaml);

static trib_buffer heard;

static void hear(void *context, bool is_error, const char *message) {
    (void)context;
    (void)is_error;
    trib_buffer_print(&heard, NULL, "%s\n", message);
}

/* Writes the tree as one line: lists in [], mappings in {}, scalars quoted, with their places. */
static void describe(const trib_yaml *yaml, uint32_t node, trib_buffer *text) {
    const trib_place place = trib_yaml_place(yaml, node);
    if (trib_yaml_kind_of(yaml, node) == TRIB_YAML_SCALAR) {
        trib_buffer_print(text, NULL, "'%s'@%u:%u+%u ", trib_yaml_text(yaml, node), place.line,
                          place.column, place.width);
        return;
    }
    const bool list = trib_yaml_kind_of(yaml, node) == TRIB_YAML_LIST;
    trib_buffer_print(text, NULL, list ? "[ " : "{ ");
    for (uint32_t k = trib_yaml_first(yaml, node); k; k = trib_yaml_next(yaml, k))
        describe(yaml, k, text);
    trib_buffer_print(text, NULL, list ? "] " : "} ");
}

static void expect_tree(const char *yaml_text, const char *wanted) {
    GIVEN(trib_yaml) yaml = {0};
    GIVEN(trib_buffer) text = {0};
    trib_diagnostics diagnostics = {.report = hear};
    CHECK(trib_yaml_parse(&yaml, "e", yaml_text, &diagnostics, NULL) == TRIB_OK);
    CHECK(!trib_yaml_is_empty(&yaml));
    describe(&yaml, 1, &text);
    EXPECT_TEXT(text.text, wanted);
    EXPECT(diagnostics.n_errors == 0);
}

static void expect_rejected(const char *yaml_text, const char *wanted) {
    GIVEN(trib_yaml) yaml = {0};
    trib_diagnostics diagnostics = {.report = hear};
    trib_buffer_clear(&heard);
    CHECK(trib_yaml_parse(&yaml, "e", yaml_text, &diagnostics, NULL) == TRIB_OK);
    EXPECT_TEXT(heard.text, wanted);
    EXPECT(diagnostics.n_errors > 0);
    trib_buffer_release(&heard);
}

CASES("tests/pipeline/config/yaml.txt [tree]", a_tree_is_described) {
    expect_tree(trib_case_text("yaml"), trib_case_text("tree"));
}

CASES("tests/pipeline/config/yaml.txt [rejected]", yaml_is_rejected) {
    expect_rejected(trib_case_text("yaml"), trib_case_text("says"));
}

TEST(aliases_do_not_expand) {
    /* each level has ten aliases to the one before: 10^9 items if aliases were copied */
    GIVEN(trib_buffer) text = {0};
    GIVEN(trib_yaml) yaml = {0};
    trib_diagnostics diagnostics = {.report = hear};
    trib_buffer_print(&text, NULL, "a0: &a0 x\n");
    for (int i = 1; i < 10; i++) {
        trib_buffer_print(&text, NULL, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++) trib_buffer_print(&text, NULL, "%s*a%d", k ? ", " : "", i - 1);
        trib_buffer_print(&text, NULL, "]\n");
    }
    CHECK(trib_yaml_parse(&yaml, "e", text.text, &diagnostics, NULL) == TRIB_OK);
    EXPECT(diagnostics.n_errors == 0 && yaml.n_nodes < 200);
}

TEST(too_many_keys_or_aliases_are_rejected) {
    GIVEN(trib_buffer) text = {0};
    for (int i = 0; i < 257; i++) trib_buffer_print(&text, NULL, "k%d: 1\n", i);
    expect_rejected(text.text, "e:257:1: error: more than 256 keys in one mapping\n"
                               "  257 | k256: 1\n      | ^~~~\n");
    trib_buffer_clear(&text);
    trib_buffer_print(&text, NULL, "- &a x\n");
    for (int i = 0; i < 257; i++) trib_buffer_print(&text, NULL, "- *a\n");
    expect_rejected(text.text,
                    "e:258:3: error: more than 256 aliases\n  258 | - *a\n      |   ^~\n");
}

CASES("tests/pipeline/config/yaml.txt [quoted]", a_quoted_text_reads_back) {
    const char *text = trib_case_text("text");
    for (int json = 0; json < 2; json++) {
        GIVEN(trib_buffer) out = {0};
        GIVEN(trib_yaml) yaml = {0};
        trib_diagnostics diagnostics = {.report = hear};
        trib_buffer_print(&out, NULL, "[");
        CHECK(trib_yaml_quote(&out, text, json, NULL) == TRIB_OK);
        trib_buffer_print(&out, NULL, "]");
        CHECK(trib_yaml_parse(&yaml, "e", out.text, &diagnostics, NULL) == TRIB_OK);
        CHECK(diagnostics.n_errors == 0 && trib_yaml_first(&yaml, 1) != 0);
        EXPECT_TEXT(trib_yaml_text(&yaml, trib_yaml_first(&yaml, 1)), text);
        EXPECT(!trib_yaml_is_null(&yaml, trib_yaml_first(&yaml, 1)));
    }
}

TEST(bytes_that_are_not_text_are_rejected) {
    static const struct {
        const char *bytes;
        size_t length;
        const char *wanted;
    } cases[] = {{"a: \n\xFFz", 6,
                  ": error: byte 5 (line 2) is not UTF-8 text (0xff); save the file as UTF-8\n"},
                 {"a: \0z", 5,
                  ": error: byte 4 (line 1) is not UTF-8 text (0x00); save the file as UTF-8\n"}};
    for (size_t i = 0; i < 2; i++) {
        const char *path = trib_scratch("bytes.yaml");
        trib_write_bytes(path, cases[i].bytes, cases[i].length);
        GIVEN(trib_yaml) yaml = {0};
        trib_diagnostics diagnostics = {.report = hear};
        CHECK(trib_yaml_read(&yaml, path, &diagnostics, NULL) == TRIB_OK);
        CHECK(heard.length > strlen(path));
        EXPECT_TEXT(heard.text + strlen(path), cases[i].wanted);
        EXPECT(trib_yaml_is_empty(&yaml));
        trib_buffer_release(&heard);
    }
}

static trib_status parse_one(void *context, trib_error *error) {
    GIVEN(trib_yaml) yaml = {0};
    trib_diagnostics diagnostics = {.report = NULL};
    (void)context;
    trib_status status = trib_yaml_parse(&yaml, "e", "a: &x [1, {b: 'c'}]\nd: *x\ne: |\n  text\n",
                                         &diagnostics, error);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    EXPECT(trib_fail_every_allocation(parse_one, NULL) > 3);
}
