/* table.c - tests of tables of texts. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/text/input.h"
#include "pipeline/text/table.h"

TESTS(text, table);

CASES("tests/pipeline/text/table.txt [input]", addresses_have_texts) { an_address_has_a_text(); }

static void expect_remark(const char *name, const char *bytes, const char *wanted) {
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    trib_write_bytes(trib_scratch(name), bytes, strlen(bytes));
    EXPECT_OK(trib_input_open(&input, trib_scratch(name), NULL, NULL, &error));
    EXPECT_TEXT(input.made.remark, wanted);
}

TEST(rows_without_text_are_counted) {
    expect_remark("i.csv", "id,text\n1,one\n2,\n\n3,\"a\nb\"\n4,\n",
                  "2 rows have no text that is read; the first is in line 3");
    expect_remark("i.csv", "id,text\n1,one\n\n", "");
    expect_remark("i.jsonl", "{\"text\": \"one\"}\n\n{\"text\": 3}\n",
                  "1 row has no text that is read; the first is in line 3");
}

/* Each of the columns was compared with all others in each row. */
TEST(a_table_may_have_many_years) {
    enum { COLUMNS = 4000, ROWS = 200 };
    GIVEN(trib_buffer) text = {0};
    for (size_t r = 0; r <= ROWS; r++)
        for (size_t c = 0; c <= COLUMNS; c++)
            CHECK(trib_buffer_print(&text, NULL, "%s%s",
                                    c == COLUMNS ? r == 0 ? "text" : "a"
                                    : r == 0     ? "year"
                                                 : "",
                                    c == COLUMNS ? "\n" : ",") == TRIB_OK);
    OPENED(trib_table) table = {0};
    json_t *row = NULL;
    size_t n = 0;
    CHECK(trib_table_open(&table, "a.csv", text.text, text.length, NULL, NULL) == TRIB_OK);
    do {
        EXPECT(trib_table_next(&table, &row, NULL) == TRIB_OK);
        n += row != NULL;
        json_decref(row);
    } while (row);
    EXPECT(n == ROWS);
}

TEST(rows_carry_what_is_known_of_a_text) {
    static const char csv[] = "ID,Year,Author,role,text,reference\na b/c,476,X,speaker,one,[0-9\n"
                              "d,,,decoy,two,\n";
    static const char *const wanted[] = {
        "{\"author\":\"X\",\"date\":\"0476\",\"id\":\"a_b_c\",\"text\":\"one\"}",
        "{\"id\":\"d\",\"role\":\"decoy\",\"text\":\"two\"}"};
    OPENED(trib_table) table = {0};
    json_t *row = NULL;
    CHECK(trib_table_open(&table, "a.csv", csv, sizeof csv - 1, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i < 2; i++) {
        EXPECT(trib_table_next(&table, &row, NULL) == TRIB_OK && row != NULL);
        GIVEN(owned_text) shown = json_dumps(row, JSON_COMPACT | JSON_SORT_KEYS);
        EXPECT_TEXT(shown ? shown : "", wanted[i]);
        json_decref(row);
    }
    EXPECT(table.line == 3);
    EXPECT(trib_table_next(&table, &row, NULL) == TRIB_OK && row == NULL);
}
