/* table_rows.h - tables of results, row by row. The rows of a table are made by one function, which
 * does not know whether they become a CSV file or a table of results.sqlite. Private to pipeline.
 */
#ifndef TRIBUTARY_OUTPUT_TABLE_ROWS_H
#define TRIBUTARY_OUTPUT_TABLE_ROWS_H

#include "pipeline/output/output.h"

typedef enum trib_cell_type {
    TRIB_CELL_TEXT,
    TRIB_CELL_COUNT, /* a whole number */
    TRIB_CELL_NUMBER,
    TRIB_CELL_FLAG /* true or false: TRUE and FALSE in CSV, as R writes them; 1 and 0 in SQLite */
} trib_cell_type;

typedef struct trib_column {
    const char *name;
    trib_cell_type type;
} trib_column;

typedef struct trib_cell {
    trib_cell_type type;
    bool is_empty;
    const char *text; /* borrowed until the next cell */
    int64_t count;
    double number;
    bool flag;
} trib_cell;

/* What receives the rows: a CSV file (rows.c) or a database (database.c). */
typedef struct trib_rows trib_rows;
struct trib_rows {
    void (*put)(trib_rows *rows, const trib_cell *cell);
    void (*end)(trib_rows *rows);
    bool leaves_out; /* a text that the row above has may be an empty cell, and of a short target
                      * a place may have one row */
};

/* Each function adds a cell to the current row, in the order of the table's columns. */
void trib_put_text(trib_rows *rows, const char *text); /* "" and NULL: an empty cell */
void trib_put_count(trib_rows *rows, uint64_t count);
void trib_put_whole(trib_rows *rows, double number);  /* rounded down; NaN: an empty cell */
void trib_put_number(trib_rows *rows, double number); /* must be finite */
void trib_put_flag(trib_rows *rows, bool flag);
void trib_put_nothing(trib_rows *rows, size_t n_cells); /* empty cells */
/* Ends the current row. */
void trib_end_row(trib_rows *rows);

enum { TRIB_MOST_COLUMNS = 28 };

/* A table of results. */
typedef struct trib_table {
    const char *name;                      /* of the file without ".csv", and in results.sqlite */
    trib_column column[TRIB_MOST_COLUMNS]; /* the last is followed by one without a name */
    /* Returns whether a run has this table. */
    bool (*is_there)(const trib_run_results *results);
    trib_status (*write)(const trib_run_results *results, trib_rows *rows, trib_error *error);
    bool has_tabs; /* the file is NAME.tsv, with tabs between the cells */
} trib_table;

/* Writes a table as CSV, or with tabs if it has_tabs: its header and its rows. */
trib_status trib_table_write_csv(const trib_table *table, const trib_run_results *results,
                                 trib_writer *writer, trib_error *error);

/* The tables of a run (result_tables.c, passages_tsv.c). */
extern const trib_table trib_table_documents, trib_table_influence, trib_table_groups,
    trib_table_phrases, trib_table_ranking, trib_table_passages;

#endif
