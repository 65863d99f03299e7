/* result_files.h - the files of a run directory with its results: tables, networks, a database and
 * files for other programs. To add a file, add a row to result_files.c; to add a table or a column,
 * change result_tables.c.
 *
 * The rows of a table are made by one function, which does not know whether they become a CSV file
 * or a table of results.sqlite. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_RESULT_FILES_H
#define TRIBUTARY_OUTPUT_RESULT_FILES_H

#include "pipeline/output/directory.h"
#include "pipeline/output/output.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

typedef enum trib_cell_type {
    TRIB_CELL_TEXT,
    TRIB_CELL_COUNT, /* a whole number */
    TRIB_CELL_NUMBER,
    TRIB_CELL_FLAG /* true or false: TRUE and FALSE in CSV, as R writes them; 1 and 0 in SQLite */
} trib_cell_type;

typedef struct trib_column {
    char name[32];
    trib_cell_type type;
} trib_column;
/* Takes the next column of a list (trib_result_table); false at its end. */
bool trib_column_next(const char **list, trib_column *column);

typedef struct trib_cell {
    trib_cell_type type;
    bool is_empty;
    const char *text;
    int64_t count;
    double number;
    bool flag;
} trib_cell;

/* What receives the rows: a CSV file (csv.c) or a database (database.c). */
typedef struct trib_rows trib_rows;
struct trib_rows {
    /* Takes a row: a cell for each column. The texts are borrowed. */
    void (*put)(trib_rows *rows, const trib_cell *cell, size_t n);
    bool leaves_out; /* a text that the row above has may be an empty cell, and of a short target
                      * a place may have one row */
};

static inline trib_cell trib_text_cell(const char *text) { /* "" and NULL: an empty cell */
    return (trib_cell){.type = TRIB_CELL_TEXT, .is_empty = !text || !*text, .text = text};
}
static inline trib_cell trib_count_cell(uint64_t count) {
    return (trib_cell){.type = TRIB_CELL_COUNT, .count = (int64_t)count};
}
static inline trib_cell trib_number_cell(double number) { /* must be finite */
    return (trib_cell){.type = TRIB_CELL_NUMBER, .number = number};
}
static inline trib_cell trib_measure_cell(double number) { /* NaN: an empty cell */
    return (trib_cell){.type = TRIB_CELL_NUMBER, .is_empty = isnan(number), .number = number};
}
static inline trib_cell trib_flag_cell(bool flag) {
    return (trib_cell){.type = TRIB_CELL_FLAG, .flag = flag};
}
static inline trib_cell trib_empty_cell(void) { return (trib_cell){.is_empty = true}; }
/* Puts a row of these cells. */
#define TRIB_PUT_ROW(rows, ...)                                                                    \
    (rows)->put(rows, (const trib_cell[]){__VA_ARGS__},                                            \
                sizeof((const trib_cell[]){__VA_ARGS__}) / sizeof(trib_cell))

/* A table of results. */
typedef struct trib_result_table {
    /* Their names, with blanks between. # stands before a column of counts, % before one of
     * numbers, ? before one of flags; the others have texts. */
    const char *columns;
    /* Returns whether a run has this table; NULL: every run has it. */
    bool (*is_there)(const trib_run_results *results);
    trib_status (*write)(const trib_run_results *results, trib_rows *rows, trib_error *error);
    bool has_tabs; /* in the file, between the cells; false: it is CSV */
} trib_result_table;

/* Writes the file of a table: its header and its rows. */
trib_status trib_table_write(const trib_result_table *table, const trib_run_results *results,
                             trib_writer *writer, trib_error *error);

/* The tables of a run (result_tables.c, passages_tsv.c, parallels.c, result_corpus.c,
 * flow_files.c). */
extern const trib_result_table trib_table_documents, trib_table_influence, trib_table_groups,
    trib_table_phrases, trib_table_ranking, trib_table_passages, trib_table_formulas,
    trib_table_families, trib_table_parallels, trib_table_distances, trib_table_phrasing,
    trib_table_map, trib_table_flows;

/* ---- Other files ----------------------------------------------------------------------------- */

/* Write a file of the trib_run_results `what`: data/words.js, the words of all documents, for the
 * script of the report (words_script.c); results.sqlite, whose bytes depend on the results and on
 * the version of libsqlite3 only (database.c); the rows of passages.tsv as passages.tei.xml, which
 * needs characters of the texts, so not report.text: none, and as alignments.jsonl
 * (passage_files.c); the graph of the result, which must have one, as GraphML and as DOT
 * (flow_files.c). */
trib_file_write trib_words_script_write, trib_database_write, trib_passages_write_tei,
    trib_passages_write_alignments, trib_graph_write_graphml, trib_graph_write_dot;
/* Whether a run has found passages that can be listed. */
bool trib_passage_files_are_there(const trib_run_results *results);

/* A file of a run directory, and the test whether the configuration asks for it. */
typedef struct trib_result_file {
    const char *name;
    bool (*is_wanted)(const trib_run_results *results);
    trib_file_write *write;         /* of a trib_run_results */
    const trib_result_table *table; /* written in place of `write`; or NULL */
} trib_result_file;
/* Those that are made of the results, and those that are made of results->result. */
extern const trib_result_file trib_result_tables[], trib_result_graphs[];
/* The one that is written after stage distances. */
extern const trib_result_file trib_result_distances;
enum { TRIB_RESULT_TABLES = 12, TRIB_RESULT_GRAPHS = 7 }; /* number of rows in each table */

/* Writes the file of a row, if the configuration asks for it. */
trib_status trib_result_file_write(trib_run_directory *directory, const trib_result_file *row,
                                   const trib_run_results *results, trib_error *error);

#endif
