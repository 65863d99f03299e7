/* database.h - results.sqlite: the results of a run as one file for SQLite, R, pandas and others.
 * Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_DATABASE_H
#define TRIBUTARY_OUTPUT_DATABASE_H

#include "pipeline/output/exports.h"

/* Writes the database of the trib_result_text `what`. The bytes depend on the results and on the
 * version of libsqlite3 only. TRIB_MEMORY; TRIB_INTERNAL without libsqlite3, which
 * trib_loading_check rejects before. */
trib_status trib_database_write(const void *what, trib_writer *writer, trib_error *error);

#endif
