/* table.c - tests of tables of texts. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/input/input.h"
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

static void expect_remark(const char *name, const char *bytes, const char *wanted) {
    trib_input input = {0};
    trib_error error = {0};
    write_bytes(trib_scratch(name), bytes, strlen(bytes));
    EXPECT_STATUS(trib_input_open(&input, trib_scratch(name), NULL, NULL, &error), TRIB_OK, error);
    EXPECT_TEXT(input.made.remark, wanted);
    trib_input_close(&input);
}

static void rows_without_text_are_counted(void) {
    expect_remark("i.csv", "id,text\n1,one\n2,\n\n3,\"a\nb\"\n4,\n",
                  "2 rows have no text that is read; the first is in line 3");
    expect_remark("i.csv", "id,text\n1,one\n\n", "");
    expect_remark("i.jsonl", "{\"text\": \"one\"}\n\n{\"text\": 3}\n",
                  "1 row has no text that is read; the first is in line 3");
}

static void lines_may_end_in_cr_alone(void) {
    expect_table("j.csv", "id,text\r1,one\r2,\"a\rb\"\r\r3,three\r", "one\n\na\nb\n\nthree\n\n");
    expect_table("j.csv", "sep=;\rtext;id\rone;1\r\n", "one\n\n");
    expect_table("j.csv", "text\r\"a\nb\"\rc\r", "a\nb\n\nc\n\n");
    expect_table("j.tsv", "id\ttext\r1\tone", "one\n\n");
    write_bytes(trib_scratch("j.csv"), "id,text\r1,b,c\r", 14);
    expect_no_input(trib_scratch("j.csv"), "j.csv:2: 3 cells under a header of 2");
}

/* Each of the columns was compared with all others in each row. */
static void a_table_may_have_many_years(void) {
    enum { COLUMNS = 4000, ROWS = 200 };
    trib_buffer text = {0};
    for (size_t r = 0; r <= ROWS; r++)
        for (size_t c = 0; c <= COLUMNS; c++)
            CHECK(trib_buffer_print(&text, NULL, "%s%s",
                                    c == COLUMNS ? r == 0 ? "text" : "a"
                                    : r == 0     ? "year"
                                                 : "",
                                    c == COLUMNS ? "\n" : ",") == TRIB_OK);
    trib_table table;
    json_t *row = NULL;
    size_t n = 0;
    CHECK(trib_table_open(&table, "a.csv", text.text, text.length, NULL, NULL) == TRIB_OK);
    do {
        EXPECT(trib_table_next(&table, &row, NULL) == TRIB_OK);
        n += row != NULL;
        json_decref(row);
    } while (row);
    EXPECT(n == ROWS);
    trib_table_close(&table);
    trib_buffer_release(&text);
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
    {"rows without text are counted", rows_without_text_are_counted},
    {"lines may end in CR alone", lines_may_end_in_cr_alone},
    {"a table may have many years", a_table_may_have_many_years},
    {"mistakes are named with their place", mistakes_are_named_with_their_place},
    {"rows carry what is known of a text", rows_carry_what_is_known_of_a_text},
    {"JSON Lines have a key of the text, too", json_lines_have_a_key_of_the_text_too},
    CU_TEST_INFO_NULL};
