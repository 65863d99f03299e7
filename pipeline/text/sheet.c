/* sheet.c - writes the cells of a sheet as text. A number whose format is that of a date is a day
 * (ECMA-376 part 1, 18.8.30 and 18.17.4). */
#include "pipeline/text/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef TRIB_WITH_XML

enum { COLUMNS_MOST = 16384, ROWS_MOST = 1048576 }; /* limits of the format */

/* ---- Formats --------------------------------------------------------------------------------- */

/* Whether a format shows days: it has d or y outside of quotes and brackets. */
static bool shows_days(const char *code) {
    char within = 0;
    for (; *code; code++) {
        if (within) {
            if (*code == within) within = 0;
        } else if (*code == '"') within = '"';
        else if (*code == '[') within = ']';
        else if (*code == '\\' && code[1]) code++;
        else if (strchr("dyDY", *code)) return true;
    }
    return false;
}

/* Whether the built-in format of a number, or one that the workbook defines, shows days. */
static bool is_date_format(const xmlNode *styles, const char *id) {
    uint64_t number = 0;
    for (const xmlNode *f = NULL; (f = trib_node_below(styles, f, "numFmt")) != NULL;)
        if (strcmp(trib_node_attribute(f, "numFmtId"), id) == 0)
            return shows_days(trib_node_attribute(f, "formatCode"));
    if (!trib_read_uint(id, &number)) return false;
    return (number >= 14 && number <= 17) || number == 22 || (number >= 27 && number <= 31) ||
           (number >= 34 && number <= 36) || (number >= 50 && number <= 58);
}

trib_status trib_workbook_index(trib_workbook *book, trib_error *error) {
    static const char what[] = "the cells of a workbook";
    const xmlNode *strings = book->strings ? xmlDocGetRootElement(book->strings) : NULL;
    const xmlNode *styles = book->styles ? xmlDocGetRootElement(book->styles) : NULL;
    const xmlNode *formats = trib_node_below(styles, NULL, "cellXfs");
    const xmlNode *about = trib_node_below(xmlDocGetRootElement(book->sheets), NULL, "workbookPr");
    const char *is_1904 = about ? trib_node_attribute(about, "date1904") : "";
    trib_status status = TRIB_OK;
    book->is_1904 = strcmp(is_1904, "1") == 0 || strcmp(is_1904, "true") == 0;
    for (const xmlNode *s = strings ? strings->children : NULL; s && status == TRIB_OK;
         s = s->next) {
        if (!trib_node_is(s, "si")) continue;
        status = TRIB_GROW(&book->string, &book->string_cap, book->n_strings + 1, what, error);
        if (status == TRIB_OK) book->string[book->n_strings++] = s;
    }
    for (const xmlNode *f = formats ? formats->children : NULL; f && status == TRIB_OK;
         f = f->next) {
        if (!trib_node_is(f, "xf")) continue;
        status = TRIB_GROW(&book->is_date, &book->format_cap, book->n_formats + 1, what, error);
        if (status == TRIB_OK)
            book->is_date[book->n_formats++] =
                is_date_format(styles, trib_node_attribute(f, "numFmtId"));
    }
    return status;
}

void trib_workbook_release(trib_workbook *book) {
    TRIB_FREE(book->string, book->is_date);
    *book = (trib_workbook){0};
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Appends the texts of a string, without those that say how it is pronounced. */
static trib_status add_string(trib_buffer *to, const xmlNode *string, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const xmlNode *t = NULL;
         status == TRIB_OK && (t = trib_node_below(string, t, "t")) != NULL;) {
        if (trib_node_is(t->parent, "rPh")) continue;
        xmlChar *content = xmlNodeGetContent((xmlNode *)(uintptr_t)t);
        if (!content) return trib_fail(error, TRIB_MEMORY, "out of memory: a cell");
        status = trib_buffer_add(to, (const char *)content, strlen((const char *)content), error);
        xmlFree(content);
    }
    return status;
}

/* Writes a day as in ISO 8601. Day 1 is 1 January 1900, and there is a day 60, 29 February 1900,
 * which did not exist. Days before are texts in every spreadsheet. */
static bool write_day(char date[32], double day, bool is_1904) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int left = (int)floor(day) + (is_1904 ? 1462 : 0), year = 1900, month = 0;
    if (left > 60) left--; /* as if there was no day 60 */
    for (;; year++) {
        const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        if (left <= 365 + is_leap) break;
        left -= 365 + is_leap;
    }
    for (; month < 12; month++) {
        const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        const int length = lengths[month] + (month == 1 && is_leap);
        if (left <= length) break;
        left -= length;
    }
    snprintf(date, 32, "%04d-%02d-%02d", year, month + 1, left);
    return true;
}

/* Appends a number as it is stored, or the day that it is. */
static trib_status add_number(trib_buffer *to, const trib_workbook *book, const xmlNode *cell,
                              const char *value, trib_error *error) {
    uint64_t format = 0;
    double number = 0;
    char date[32];
    const bool is_date = trib_read_uint(trib_node_attribute(cell, "s"), &format) &&
                         format < book->n_formats && book->is_date[format] &&
                         trib_read_double(value, &number) && number >= 1 && number < 2958466;
    if (is_date && write_day(date, number, book->is_1904))
        return trib_buffer_add(to, date, strlen(date), error);
    return trib_buffer_add(to, value, strlen(value), error);
}

/* Appends what a cell shows. */
static trib_status add_value(trib_buffer *to, const trib_workbook *book, const xmlNode *cell,
                             trib_error *error) {
    const char *type = trib_node_attribute(cell, "t");
    const xmlNode *v = trib_node_child(cell, "v");
    uint64_t number = 0;
    if (strcmp(type, "inlineStr") == 0) return add_string(to, trib_node_child(cell, "is"), error);
    if (!v) return TRIB_OK;
    xmlChar *content = xmlNodeGetContent((xmlNode *)(uintptr_t)v);
    if (!content) return trib_fail(error, TRIB_MEMORY, "out of memory: a cell");
    const char *value = (const char *)content;
    trib_status status = TRIB_OK;
    if (strcmp(type, "s") == 0) {
        if (trib_read_uint(value, &number) && number < book->n_strings)
            status = add_string(to, book->string[number], error);
    } else if (strcmp(type, "b") == 0)
        status = trib_buffer_print(to, error, "%s", *value == '1' ? "TRUE" : "FALSE");
    else if (strcmp(type, "") == 0 || strcmp(type, "n") == 0)
        status = add_number(to, book, cell, value, error);
    else if (strcmp(type, "e") != 0) status = trib_buffer_add(to, value, strlen(value), error);
    xmlFree(content);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The column of a cell, from 0, as its reference says ("C7": 2), or `next`. */
static size_t column_of(const xmlNode *cell, size_t next) {
    size_t column = 0;
    const char *at = trib_node_attribute(cell, "r");
    for (; *at >= 'A' && *at <= 'Z' && column <= COLUMNS_MOST; at++)
        column = column * 26 + (size_t)(*at - 'A' + 1);
    return column > 0 && column <= COLUMNS_MOST && column > next ? column - 1 : next;
}

/* Appends a value as a cell of a line: without line breaks; quoted where commas require it. */
static trib_status add_cell(trib_buffer *to, const trib_buffer *value, char separator,
                            trib_error *error) {
    const char *text = value->text ? value->text : "";
    const bool is_quoted = separator == ',' && strpbrk(text, ",\";") != NULL;
    trib_status status = is_quoted ? trib_buffer_add(to, "\"", 1, error) : TRIB_OK;
    for (; *text && status == TRIB_OK; text++) {
        const char c = strchr("\n\r\t", *text) ? ' ' : *text;
        if (c == '"' && is_quoted) status = trib_buffer_add(to, "\"", 1, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, &c, 1, error);
    }
    return is_quoted && status == TRIB_OK ? trib_buffer_add(to, "\"", 1, error) : status;
}

static trib_status add_row(trib_buffer *to, const trib_workbook *book, const xmlNode *row,
                           char separator, trib_error *error) {
    trib_buffer value = {0};
    trib_status status = TRIB_OK;
    size_t written = 0, next = 0;
    for (const xmlNode *cell = row->children; cell && status == TRIB_OK; cell = cell->next) {
        if (!trib_node_is(cell, "c")) continue;
        const size_t column = column_of(cell, next);
        if (column >= COLUMNS_MOST) break;
        next = column + 1;
        trib_buffer_clear(&value);
        status = add_value(&value, book, cell, error);
        if (value.length == 0) continue; /* separators only before a value */
        for (; written < column && status == TRIB_OK; written++)
            status = trib_buffer_add(to, &separator, 1, error);
        if (status == TRIB_OK) status = add_cell(to, &value, separator, error);
    }
    trib_buffer_release(&value);
    return status;
}

trib_status trib_sheet_write(trib_buffer *to, const trib_workbook *book, const xmlNode *sheet,
                             char separator, trib_error *error) {
    const xmlNode *rows = trib_node_child(sheet, "sheetData");
    uint64_t line = 1;
    trib_status status = TRIB_OK;
    for (const xmlNode *row = rows ? rows->children : NULL; row && status == TRIB_OK;
         row = row->next) {
        uint64_t number = line;
        if (!trib_node_is(row, "row")) continue;
        if (!trib_read_uint(trib_node_attribute(row, "r"), &number) || number < line) number = line;
        /* the text of a sheet has no empty lines; a table keeps the numbers of its rows */
        for (; separator == ',' && line < number && line < ROWS_MOST && status == TRIB_OK; line++)
            status = trib_buffer_add(to, "\n", 1, error);
        if (status == TRIB_OK) status = add_row(to, book, row, separator, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, "\n", 1, error);
        line = number + 1;
    }
    return status;
}

#endif
