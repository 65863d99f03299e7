/* sheet.h - the cells of a sheet of a workbook (xlsx.c). Private to decoders. */
#ifndef TRIBUTARY_TEXT_SHEET_H
#define TRIBUTARY_TEXT_SHEET_H

#include "pipeline/text/elements.h"

#ifdef TRIB_WITH_XML

/* An open workbook. */
typedef struct trib_workbook {
    trib_markup_bytes file;
    /* NULL: the file has none of them, except of sheets */
    xmlDoc *sheets, *relations, *strings, *styles;
    const xmlNode **string; /* [n_strings] shared strings */
    bool *is_date;          /* [n_formats] formats of cells: numbers in them are dates */
    size_t n_strings, string_cap, n_formats, format_cap;
    bool is_1904; /* days are counted from 1904 */
} trib_workbook;

/* Finds the shared strings and the formats of dates. */
trib_status trib_workbook_index(trib_workbook *book, trib_error *error);
void trib_workbook_release(trib_workbook *book);

typedef trib_status trib_sheet_use(void *context, const trib_workbook *book, const xmlNode *sheet,
                                   trib_error *error);
/* Appends the cells of a sheet, a line for each row up to the last that has a cell, separated by
 * tabs or commas. Between commas a cell is quoted where RFC 4180 requires it. */
trib_status trib_sheet_write(trib_buffer *to, const trib_workbook *book, const xmlNode *sheet,
                             char separator, trib_error *error);

#endif
#endif
