/* csv.c - a table of results as CSV or with tabs, and the list of its columns. */
#include <inttypes.h>

#include "pipeline/output/result_files.h"
#include "pipeline/support/tables.h"

typedef struct csv_rows {
    trib_rows rows; /* the first member, so that a pointer to it is one to the whole */
    trib_writer *writer;
    bool has_tabs;
} csv_rows;

static void put_cell(const csv_rows *csv, const trib_cell *cell) {
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

static void put_line(trib_rows *rows, const trib_cell *cell, size_t n) {
    const csv_rows *const csv = (const csv_rows *)rows;
    for (size_t i = 0; i < n; i++) {
        if (i > 0) trib_write_text(csv->writer, csv->has_tabs ? "\t" : ",");
        if (!cell[i].is_empty) put_cell(csv, &cell[i]);
    }
    trib_write_text(csv->writer, "\n");
}

bool trib_column_next(const char **list, trib_column *column) {
    static const char types[] = {
        [TRIB_CELL_COUNT] = '#', [TRIB_CELL_NUMBER] = '%', [TRIB_CELL_FLAG] = '?'};
    const char *const at = *list + strspn(*list, " ");
    const char *const type = *at ? memchr(types, *at, sizeof types) : NULL;
    const size_t n = strcspn(at, " ");
    column->type = type ? (trib_cell_type)(type - types) : TRIB_CELL_TEXT;
    snprintf(column->name, sizeof column->name, "%.*s", (int)n - (type != NULL),
             at + (type != NULL));
    *list = at + n;
    return n > 0;
}

trib_status trib_table_write(const trib_result_table *table, const trib_run_results *results,
                             trib_writer *writer, trib_error *error) {
    csv_rows csv = {{put_line, true}, writer, table->has_tabs};
    const char *const between = table->has_tabs ? "\t" : ",";
    trib_column column;
    for (const char *at = table->columns; trib_column_next(&at, &column);)
        trib_print(writer, "%s%s", column.name, *at ? between : "");
    trib_write_text(writer, "\n");
    return table->write(results, &csv.rows, error);
}
