/* table.h - a table of texts: CSV or TSV, whose first line names the columns, and each of whose
 * rows is a document. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_TABLE_H
#define TRIBUTARY_TEXT_TABLE_H

#include <jansson.h>

#include "pipeline/text/cells.h"

/* A table that is being read; all of it is in memory. `{0}` is closed. */
typedef struct trib_table {
    const char *name; /* used in messages; borrowed */
    trib_buffer text; /* UTF-8 */
    trib_cells cells;
    char **column; /* [n_columns] names of the columns */
    size_t n_columns, cap;
    size_t text_column; /* the column of the texts */
    bool has_date;      /* there is a column "date" */
    uint32_t line;      /* line on which the current row begins */
} trib_table;

/* Whether the name of a file ends in .csv, .tsv or .tab, also when compressed (.csv.gz). */
bool trib_table_is_named(const char *path);
/* Begins to read a table from its bytes, which are UTF-8 or, with a byte order mark, UTF-16. Cells
 * are separated by tabs (.tsv, .tab), or else follow RFC 4180 with commas, or with semicolons when
 * the first line has more of these; a line "sep=;" before it says so, too. When the first line ends
 * in "\r" alone, each "\r" ends a line. `column` is the name of the column of the texts, in any
 * case of letters; NULL: the one called "text", else the longest.
 * TRIB_INPUT, with the line, when the table cannot be read, or has no such column. */
trib_status trib_table_open(trib_table *table, const char *name, const char *bytes, size_t length,
                            const char *column, trib_error *error);
/* Reads the next row into an object, a new reference: "text", and what is in the columns id, title,
 * author, date, year (as date, when there is no column of this name) and role. Characters that an
 * id cannot contain become '_'; a role that is none, and empty cells, are left out. *object is NULL
 * after the last row. */
trib_status trib_table_next(trib_table *table, json_t **object, trib_error *error);
void trib_table_close(trib_table *table);

#endif
