/* table.c - tests of tables of texts. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/input/jsonl.h"

static void expect_table(const char *name, const char *bytes, const char *wanted) {
    write_bytes(trib_scratch(name), bytes, strlen(bytes));
    expect_input(trib_scratch(name), wanted);
}

static void the_texts_of_a_column_are_read(void) {
    expect_table("a.csv", "id,Text,note\n1,\"the grey\n\"\"heron\"\"\",x\n\n2,\"a, b\",y\n",
                 "the grey\n\"heron\"\n\na, b\n\n");
    expect_input(trib_scratch("a.csv/2"), "a, b");
    expect_input(trib_scratch("a.csv#note/1"), "x");
    expect_input(trib_scratch("a.csv#note"), "x\n\ny\n\n");
    expect_table("b.csv", "\xEF\xBB\xBFyear;speech\r\n1789;one, two\r\n1793;\"three; four\"\r\n",
                 "one, two\n\nthree; four\n\n");
    expect_table("c.tsv", "speech\tn\n\"it's\t1\n", "\"it's\n\n");
    expect_table("d.csv", "sep=;\na;text\n1;x,y,z\n", "x,y,z\n\n");
    write_bytes(trib_scratch("e.csv"),
                "\xFF\xFE"
                "t\0e\0x\0t\0\n\0\xE9\0\n\0",
                16);
    expect_input(trib_scratch("e.csv/1"), "\u00E9");
}

static void mistakes_are_named_with_their_place(void) {
    static const struct {
        const char *bytes, *message;
    } row[] = {{"", "f.csv: is empty; its first line must name the columns"},
               {"id,text\n1\n2,b,c\n", "f.csv:3: 3 cells under a header of 2"},
               {"id,text\n1,\"b\n", "f.csv:2:3: the quote of a cell is not closed"},
               {"id,text\n1,\"b\"c\n", "f.csv:2:3: text after the closing quote of a cell"},
               {"id,text\n1,caf\xE9\n", "f.csv:2: is not UTF-8 (0xE9); save the table as"},
               {"id,text\n", "f.csv: has no text in its rows"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        write_bytes(trib_scratch("f.csv"), row[i].bytes, strlen(row[i].bytes));
        expect_no_input(trib_scratch("f.csv"), row[i].message);
    }
    write_bytes(trib_scratch("f.csv"), "id,text\n1,b\n", 12);
    expect_no_input(trib_scratch("f.csv#speech"), "f.csv:1: has no column 'speech'; its columns "
                                                  "are 'id', 'text'");
    expect_no_input(trib_scratch("f.csv/3"), "f.csv: has no row 3");
}

static void rows_carry_what_is_known_of_a_text(void) {
    static const char csv[] = "ID,Year,Author,role,text,reference\na b/c,476,X,speaker,one,[0-9\n"
                              "d,,,decoy,two,\n";
    static const char *const wanted[] = {
        "{\"author\":\"X\",\"date\":\"0476\",\"id\":\"a_b_c\",\"text\":\"one\"}",
        "{\"id\":\"d\",\"role\":\"decoy\",\"text\":\"two\"}"};
    trib_table table;
    json_t *row = NULL;
    CHECK(trib_table_open(&table, "a.csv", csv, sizeof csv - 1, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i < 2; i++) {
        EXPECT(trib_table_next(&table, &row, NULL) == TRIB_OK && row != NULL);
        char *shown = json_dumps(row, JSON_COMPACT | JSON_SORT_KEYS);
        EXPECT_TEXT(shown ? shown : "", wanted[i]);
        free(shown);
        json_decref(row);
    }
    EXPECT(table.line == 3);
    EXPECT(trib_table_next(&table, &row, NULL) == TRIB_OK && row == NULL);
    trib_table_close(&table);
}

static void json_lines_have_a_key_of_the_text_too(void) {
    write_bytes(trib_scratch("g.jsonl"), "{\"speech\": \"one\", \"text\": \"two\"}\n", 34);
    expect_input(trib_scratch("g.jsonl/1"), "two");
    expect_input(trib_scratch("g.jsonl#speech/1"), "one");
    expect_no_input(trib_scratch("g.jsonl#other/1"),
                    "g.jsonl:1: has no \"other\" that is a string");
    write_bytes(trib_scratch("h.txt#x"), "a sign in a name", 16);
    expect_input(trib_scratch("h.txt#x"), "a sign in a name");
}

CU_TestInfo trib_tests_input_table[] = {
    {"the texts of a column are read", the_texts_of_a_column_are_read},
    {"mistakes are named with their place", mistakes_are_named_with_their_place},
    {"rows carry what is known of a text", rows_carry_what_is_known_of_a_text},
    {"JSON Lines have a key of the text, too", json_lines_have_a_key_of_the_text_too},
    CU_TEST_INFO_NULL};
