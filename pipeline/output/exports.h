/* exports.h - the files of a run directory for other programs, and for people who compute with the
 * results: tables, a database, networks. It computes no results. To add a file, add a row to
 * result_files.c; to add a table or a column, change result_tables.c.
 *
 * This header declares the table of these files. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_EXPORTS_H
#define TRIBUTARY_OUTPUT_EXPORTS_H

#include <jansson.h>

#include "pipeline/output/directory.h"
#include "pipeline/output/output.h"
#include "pipeline/result/result.h"

/* A table or graph and the test whether the configuration asks for it. */
typedef struct trib_result_file {
    const char *name;
    bool (*is_wanted)(const trib_run_results *results);
    /* `what` is a trib_run_results in trib_result_tables, and a trib_result_text in
     * trib_result_graphs. */
    trib_file_write write;
    const struct trib_table *table; /* written as CSV in place of `write`; or NULL */
} trib_result_file;
extern const trib_result_file trib_result_tables[], trib_result_graphs[];
enum { TRIB_RESULT_TABLES = 11, TRIB_RESULT_GRAPHS = 6 }; /* number of rows in each table */

/* The input of the files in trib_result_graphs. */
typedef struct trib_result_text {
    const trib_result *result;
    const trib_run_results *results;
} trib_result_text;

/* Writes the file of a row, if the configuration asks for it. */
trib_status trib_result_file_write(trib_run_directory *directory, const trib_result_file *row,
                                   const trib_run_results *results, const void *what,
                                   trib_error *error);

#endif
