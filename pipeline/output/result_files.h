/* result_files.h - the tables and graphs of a run directory that hold what was found. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_RESULT_FILES_H
#define TRIBUTARY_OUTPUT_RESULT_FILES_H

#include <jansson.h>

#include "pipeline/output/directory.h"
#include "pipeline/output/output.h"

/* One of them; which are wanted the configuration says. */
typedef struct trib_result_file {
    const char *name;
    bool (*is_wanted)(const trib_run_results *results);
    /* What it is made from is a trib_run_results, or for the second table the influence.json. */
    trib_file_write write;
} trib_result_file;
extern const trib_result_file trib_result_tables[], trib_result_graphs[];
enum { TRIB_RESULT_TABLES = 2, TRIB_RESULT_GRAPHS = 3 }; /* rows of each */

/* What the second table's files are made from. */
typedef struct trib_result_text {
    const json_t *result;
    uint32_t n_targets;
} trib_result_text;

/* Writes the file of a row, when it is wanted. */
trib_status trib_result_file_write(trib_run_directory *directory, const trib_result_file *row,
                                   const trib_run_results *results, const void *what,
                                   trib_error *error);

#endif
