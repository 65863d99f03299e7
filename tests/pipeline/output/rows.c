/* rows.c - tests of pipeline/output/table_rows.c and result_tables.c. */
#include "pipeline/output/table_rows.h"

#include <math.h>

#include "tests/test.h"

static trib_status write_sample(const trib_run_results *results, trib_rows *rows,
                                trib_error *error) {
    (void)results;
    (void)error;
    trib_put_text(rows, "a, \"b\"");
    trib_put_count(rows, 7);
    trib_put_number(rows, 0.1);
    trib_put_flag(rows, true);
    trib_end_row(rows);
    trib_put_text(rows, "=1+1");
    trib_put_whole(rows, -28.5);
    trib_put_nothing(rows, 1);
    trib_put_flag(rows, false);
    trib_end_row(rows);
    trib_put_text(rows, "");
    trib_put_whole(rows, (double)NAN);
    trib_put_nothing(rows, 2);
    trib_end_row(rows);
    return TRIB_OK;
}

static const trib_table sample = {"sample",
                                  {{"text", TRIB_CELL_TEXT},
                                   {"count", TRIB_CELL_COUNT},
                                   {"number", TRIB_CELL_NUMBER},
                                   {"flag", TRIB_CELL_FLAG}},
                                  NULL,
                                  write_sample,
                                  false};

static void a_table_is_written_as_csv_that_r_and_pandas_read(void) {
    const char *path = trib_scratch("sample.csv");
    trib_writer writer;
    trib_buffer text = {0};
    trib_error error = {0};
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    EXPECT_STATUS(trib_table_write_csv(&sample, NULL, &writer, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
    CHECK(trib_read_whole(path, &text, NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, "text,count,number,flag\n"
                           "\"a, \"\"b\"\"\",7,0.1,TRUE\n"
                           "\"'=1+1\",-29,,FALSE\n"
                           ",,,\n");
    trib_buffer_release(&text);
}

CU_TestInfo trib_tests_output_rows[] = {{"a table is written as CSV that R and pandas read",
                                         a_table_is_written_as_csv_that_r_and_pandas_read},
                                        CU_TEST_INFO_NULL};
