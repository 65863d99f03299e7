/* xlsx.h - the sheets of an XLSX workbook (ECMA-376, SpreadsheetML). Private to pipeline. */
#ifndef TRIBUTARY_DECODERS_XLSX_H
#define TRIBUTARY_DECODERS_XLSX_H

#include "pipeline/markup/markup.h"

bool trib_xlsx_is_named(const char *path);
/* Appends the text of all sheets that are not hidden: a row is a line, its cells are separated by
 * tabs, and an empty line stands between sheets. A cell has the text that was typed, or the result
 * of its formula; a date is written as in ISO 8601. TRIB_INPUT when the file is no workbook, is
 * damaged or needs a library that this build lacks. */
trib_status trib_xlsx_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
/* Appends the first sheet as a table of RFC 4180, for a list of documents. Row 7 of the sheet is
 * line 7: a line break in a cell becomes a blank. Errors as trib_xlsx_text. */
trib_status trib_xlsx_table(trib_buffer *to, trib_markup_bytes file, trib_error *error);

#endif
