/* result_files.h - the tables and graphs of a run directory that contain the results. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_RESULT_FILES_H
#define TRIBUTARY_OUTPUT_RESULT_FILES_H

#include <jansson.h>

#include "pipeline/output/directory.h"
#include "pipeline/output/output.h"

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
enum { TRIB_RESULT_TABLES = 7, TRIB_RESULT_GRAPHS = 5 }; /* number of rows in each table */

/* The input of the files in trib_result_graphs. */
typedef struct trib_result_text {
    const json_t *result;
    uint32_t n_targets;
} trib_result_text;

/* Writes the file of a row, if the configuration asks for it. */
trib_status trib_result_file_write(trib_run_directory *directory, const trib_result_file *row,
                                   const trib_run_results *results, const void *what,
                                   trib_error *error);

#endif
