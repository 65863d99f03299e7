/* rows.c - tests of pipeline/output/csv.c: a table as CSV. */
#include "pipeline/output/result_files.h"

#include "tests/test.h"

TESTS(output, rows);

static trib_status write_sample(const trib_run_results *results, trib_rows *rows,
                                trib_error *error) {
    (void)results;
    (void)error;
    TRIB_PUT_ROW(rows, trib_text_cell("a, \"b\""), trib_count_cell(7), trib_number_cell(0.1),
                 trib_flag_cell(true));
    TRIB_PUT_ROW(rows, trib_text_cell("=1+1"), trib_count_cell((uint64_t)-29), trib_empty_cell(),
                 trib_flag_cell(false));
    TRIB_PUT_ROW(rows, trib_text_cell(""), trib_empty_cell(), trib_measure_cell((double)NAN),
                 trib_empty_cell());
    return TRIB_OK;
}

static const trib_result_table sample = {"text #count %number ?flag", NULL, write_sample, false};

TEST(a_table_is_written_as_csv_that_r_and_pandas_read) {
    const char *path = trib_scratch("sample.csv");
    trib_writer writer;
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    EXPECT_OK(trib_table_write(&sample, NULL, &writer, &error));
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    CHECK(trib_read_whole(path, &text, NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, "text,count,number,flag\n"
                           "\"a, \"\"b\"\"\",7,0.1,TRUE\n"
                           "\"'=1+1\",-29,,FALSE\n"
                           ",,,\n");
}
