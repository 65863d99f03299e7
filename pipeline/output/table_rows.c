/* table_rows.c - the cells of a table of results, and its form as CSV. */
#include "pipeline/output/table_rows.h"

#include <inttypes.h>
#include <math.h>

#include "pipeline/support/tables.h"

/* ---- Cells ----------------------------------------------------------------------------------- */

void trib_put_text(trib_rows *rows, const char *text) {
    const trib_cell cell = {.type = TRIB_CELL_TEXT, .is_empty = !text || !*text, .text = text};
    rows->put(rows, &cell);
}

void trib_put_count(trib_rows *rows, uint64_t count) {
    const trib_cell cell = {.type = TRIB_CELL_COUNT, .count = (int64_t)count};
    rows->put(rows, &cell);
}

void trib_put_whole(trib_rows *rows, double number) {
    const trib_cell cell = {.type = TRIB_CELL_COUNT,
                            .is_empty = isnan(number),
                            .count = isnan(number) ? 0 : (int64_t)floor(number)};
    rows->put(rows, &cell);
}

void trib_put_number(trib_rows *rows, double number) {
    const trib_cell cell = {.type = TRIB_CELL_NUMBER, .number = number};
    rows->put(rows, &cell);
}

void trib_put_flag(trib_rows *rows, bool flag) {
    const trib_cell cell = {.type = TRIB_CELL_FLAG, .flag = flag};
    rows->put(rows, &cell);
}

void trib_put_nothing(trib_rows *rows, size_t n_cells) {
    const trib_cell cell = {.is_empty = true};
    for (size_t i = 0; i < n_cells; i++) rows->put(rows, &cell);
}

void trib_end_row(trib_rows *rows) { rows->end(rows); }

/* ---- CSV ------------------------------------------------------------------------------------- */

typedef struct csv_rows {
    trib_rows rows; /* the first member, so that a pointer to it is one to the whole */
    trib_writer *writer;
    bool is_begun; /* the current row has a cell */
    bool has_tabs;
} csv_rows;

static void put_csv(trib_rows *rows, const trib_cell *cell) {
    csv_rows *csv = (csv_rows *)rows;
    if (csv->is_begun) trib_write_text(csv->writer, csv->has_tabs ? "\t" : ",");
    csv->is_begun = true;
    if (cell->is_empty) return;
    switch (cell->type) {
    case TRIB_CELL_TEXT:
        if (csv->has_tabs) trib_write_tab_cell(csv->writer, cell->text);
        else trib_write_cell(csv->writer, cell->text);
        break;
    case TRIB_CELL_COUNT:
        trib_print(csv->writer, "%" PRId64, cell->count);
        break;
    case TRIB_CELL_NUMBER:
        trib_write_number(csv->writer, cell->number);
        break;
    case TRIB_CELL_FLAG:
        trib_write_text(csv->writer, cell->flag ? "TRUE" : "FALSE");
        break;
    }
}

static void end_csv(trib_rows *rows) {
    csv_rows *csv = (csv_rows *)rows;
    trib_write_text(csv->writer, "\n");
    csv->is_begun = false;
}

trib_status trib_table_write_csv(const trib_table *table, const trib_run_results *results,
                                 trib_writer *writer, trib_error *error) {
    csv_rows csv = {.rows = {.put = put_csv, .end = end_csv, .leaves_out = true},
                    .writer = writer,
                    .has_tabs = table->has_tabs};
    const char *separator = table->has_tabs ? "\t" : ",";
    for (const trib_column *column = table->column; column->name; column++)
        trib_print(writer, "%s%s", column == table->column ? "" : separator, column->name);
    trib_write_text(writer, "\n");
    return table->write(results, &csv.rows, error);
}
