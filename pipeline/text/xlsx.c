/* xlsx.c - the text of a workbook, a zip of XML (ECMA-376 part 1, section 18): xl/workbook.xml
 * names the sheets in order, xl/_rels/workbook.xml.rels their files, xl/sharedStrings.xml has the
 * texts of cells, and xl/styles.xml says which numbers are dates. A number whose format is that of
 * a date is a day (18.8.30 and 18.17.4). */
#include "pipeline/text/text_formats.h"

#include "pipeline/text/archive.h"
#include "pipeline/text/elements.h"

bool trib_xlsx_is_named(const char *path) {
    return trib_name_ends(path, strlen(path), ".xlsx .xlsm");
}

enum { COLUMNS_MOST = 16384, ROWS_MOST = 1048576 }; /* limits of the format */

/* An open workbook. */
typedef struct workbook {
    trib_markup_bytes file;
    trib_error *error;
    trib_status status; /* the first failure */
    /* NULL: the file has none of them, except of sheets */
    xmlDoc *sheets, *relations, *strings, *styles;
    const xmlNode **string; /* [n_strings] shared strings */
    bool *is_date;          /* [n_formats] formats of cells: numbers in them are dates */
    size_t n_strings, string_cap, n_formats, format_cap;
    bool is_1904; /* days are counted from 1904 */
    trib_buffer *to;
    char separator;   /* of cells: a tab or a comma */
    uint64_t n_bytes; /* of the members that were read */
} workbook;

static void fail(workbook *book, const char *why) {
    if (book->status == TRIB_OK)
        book->status = trib_fail(book->error, TRIB_INPUT, "%s: cannot be read as XLSX: %s",
                                 book->file.name, why);
}

static const xmlNode *root_of(const xmlDoc *doc) {
    return doc ? xmlDocGetRootElement((xmlDoc *)(uintptr_t)doc) : NULL;
}

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

/* Finds the shared strings and the formats of dates. */
static void index_workbook(workbook *book) {
    static const char what[] = "the cells of a workbook";
    const xmlNode *strings = root_of(book->strings), *styles = root_of(book->styles);
    const xmlNode *formats = trib_node_below(styles, NULL, "cellXfs");
    const xmlNode *about = trib_node_below(root_of(book->sheets), NULL, "workbookPr");
    const char *is_1904 = about ? trib_node_attribute(about, "date1904") : "";
    book->is_1904 = strcmp(is_1904, "1") == 0 || strcmp(is_1904, "true") == 0;
    for (const xmlNode *s = strings ? strings->children : NULL; s && book->status == TRIB_OK;
         s = s->next) {
        if (!trib_node_is(s, "si")) continue;
        book->status =
            TRIB_APPEND(&book->string, &book->n_strings, &book->string_cap, what, book->error, &s);
    }
    for (const xmlNode *f = formats ? formats->children : NULL; f && book->status == TRIB_OK;
         f = f->next) {
        if (!trib_node_is(f, "xf")) continue;
        book->status =
            TRIB_GROW(&book->is_date, &book->format_cap, book->n_formats + 1, what, book->error);
        if (book->status == TRIB_OK)
            book->is_date[book->n_formats++] =
                is_date_format(styles, trib_node_attribute(f, "numFmtId"));
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The content of a node, which the caller frees. NULL after a failure. */
static xmlChar *content_of(workbook *book, const xmlNode *node) {
    xmlChar *content = xmlNodeGetContent((xmlNode *)(uintptr_t)node);
    if (!content) book->status = trib_fail(book->error, TRIB_MEMORY, "out of memory: a cell");
    return content;
}

static void add(workbook *book, trib_buffer *to, const char *text) {
    trib_buffer_add(to, text, strlen(text), book->error);
}

/* Appends the texts of a string, without those that say how it is pronounced. */
static void add_string(workbook *book, trib_buffer *to, const xmlNode *string) {
    for (const xmlNode *t = NULL; (t = trib_node_below(string, t, "t")) != NULL;) {
        if (trib_node_is(t->parent, "rPh")) continue;
        xmlChar *content = content_of(book, t);
        add(book, to, content ? (const char *)content : "");
        xmlFree(content);
    }
}

/* Writes a day as in ISO 8601. Day 1 is 1 January 1900, and there is a day 60, 29 February 1900,
 * which did not exist. Days before are texts in every spreadsheet. */
static void write_day(char date[32], double day, bool is_1904) {
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
}

/* Appends a number as it is stored, or the day that it is. */
static void add_number(workbook *book, trib_buffer *to, const xmlNode *cell, const char *value) {
    uint64_t format = 0;
    double number = 0;
    char date[32];
    const bool is_date = trib_read_uint(trib_node_attribute(cell, "s"), &format) &&
                         format < book->n_formats && book->is_date[format] &&
                         trib_read_double(value, &number) && number >= 1 && number < 2958466;
    if (is_date) write_day(date, number, book->is_1904);
    add(book, to, is_date ? date : value);
}

/* Appends what a cell shows. */
static void add_value(workbook *book, trib_buffer *to, const xmlNode *cell) {
    const char *type = trib_node_attribute(cell, "t");
    const xmlNode *v = trib_node_child(cell, "v");
    uint64_t number = 0;
    if (strcmp(type, "inlineStr") == 0) add_string(book, to, trib_node_child(cell, "is"));
    if (!v || strcmp(type, "inlineStr") == 0) return;
    xmlChar *content = content_of(book, v);
    const char *value = content ? (const char *)content : "";
    if (strcmp(type, "s") == 0) {
        if (trib_read_uint(value, &number) && number < book->n_strings)
            add_string(book, to, book->string[number]);
    } else if (strcmp(type, "b") == 0) add(book, to, *value == '1' ? "TRUE" : "FALSE");
    else if (strcmp(type, "") == 0 || strcmp(type, "n") == 0) add_number(book, to, cell, value);
    else if (strcmp(type, "e") != 0) add(book, to, value);
    xmlFree(content);
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

/* Appends a value as a cell of a line: without line breaks; quoted where commas require it (RFC
 * 4180). */
static void add_cell(workbook *book, const trib_buffer *value) {
    const char *text = value->text ? value->text : "";
    const bool is_quoted = book->separator == ',' && strpbrk(text, ",\";") != NULL;
    if (is_quoted) add(book, book->to, "\"");
    for (; *text; text++) {
        const char c = strchr("\n\r\t", *text) ? ' ' : *text;
        if (c == '"' && is_quoted) add(book, book->to, "\"");
        trib_buffer_add(book->to, &c, 1, book->error);
    }
    if (is_quoted) add(book, book->to, "\"");
}

static void add_row(workbook *book, const xmlNode *row) {
    TRIB_OWNED(trib_buffer) value = {0};
    size_t written = 0, next = 0;
    for (const xmlNode *cell = row->children; cell; cell = cell->next) {
        if (!trib_node_is(cell, "c")) continue;
        const size_t column = column_of(cell, next);
        if (column >= COLUMNS_MOST) break;
        next = column + 1;
        trib_buffer_clear(&value);
        add_value(book, &value, cell);
        if (value.length == 0) continue; /* separators only before a value */
        for (; written < column; written++)
            trib_buffer_add(book->to, &book->separator, 1, book->error);
        add_cell(book, &value);
    }
    if (value.failure != TRIB_OK) book->status = value.failure;
}

/* Appends the cells of a sheet, a line for each row up to the last that has a cell. */
static void add_sheet(workbook *book, const xmlNode *sheet) {
    const xmlNode *rows = trib_node_child(sheet, "sheetData");
    uint64_t line = 1;
    for (const xmlNode *row = rows ? rows->children : NULL; row; row = row->next) {
        uint64_t number = line;
        if (!trib_node_is(row, "row")) continue;
        if (!trib_read_uint(trib_node_attribute(row, "r"), &number) || number < line) number = line;
        /* the text of a sheet has no empty lines; a table keeps the numbers of its rows */
        for (; book->separator == ',' && line < number && line < ROWS_MOST; line++)
            add(book, book->to, "\n");
        add_row(book, row);
        add(book, book->to, "\n");
        line = number + 1;
    }
}

/* ---- The workbook ---------------------------------------------------------------------------- */

/* Parses a member. NULL when the workbook has none with this name. */
static xmlDoc *open_member(workbook *book, const char *name) {
    TRIB_OWNED(trib_buffer) bytes = {0};
    char shown[512];
    bool is_there = false;
    xmlDoc *doc = NULL;
    if (book->status == TRIB_OK)
        book->status = trib_archive_memory_member(book->file.name, book->file.at, book->file.length,
                                                  name, &bytes, &is_there, book->error);
    book->n_bytes += bytes.length; /* sheets may name the same member */
    if (book->status == TRIB_OK)
        book->status =
            trib_unpacked_check(book->file.name, book->file.length, book->n_bytes, 0, book->error);
    snprintf(shown, sizeof shown, "%s/%.200s", book->file.name, name);
    const trib_markup_bytes file = {shown, bytes.text ? bytes.text : "", bytes.length};
    if (is_there && book->status == TRIB_OK)
        book->status = trib_xml_document(&doc, file, 0, book->error);
    return doc;
}

/* The name of the file of a sheet: its id in the workbook leads to the target of a relation. */
static bool find_sheet(const xmlDoc *relations, const char *id, char name[256]) {
    const xmlNode *root = root_of(relations);
    for (const xmlNode *r = NULL; (r = trib_node_below(root, r, "Relationship")) != NULL;) {
        if (strcmp(trib_node_attribute(r, "Id"), id) != 0) continue;
        const char *target = trib_node_attribute(r, "Target");
        snprintf(name, 256, "%s%s", *target == '/' ? "" : "xl/", target + (*target == '/'));
        return true;
    }
    return false;
}

static void open_workbook(workbook *book) {
    if (book->file.length < 4 || memcmp(book->file.at, "PK\3\4", 4) != 0)
        fail(book, "it is no zip archive");
    book->sheets = open_member(book, "xl/workbook.xml");
    if (!book->sheets) fail(book, "it has no xl/workbook.xml");
    book->relations = open_member(book, "xl/_rels/workbook.xml.rels");
    book->strings = open_member(book, "xl/sharedStrings.xml");
    book->styles = open_member(book, "xl/styles.xml");
    if (book->status == TRIB_OK) index_workbook(book);
}

/* Appends each sheet that is not hidden, and an empty line after it; or only the first one. */
static void add_sheets(workbook *book, bool is_first_only) {
    const xmlNode *root = root_of(book->sheets);
    size_t n = 0;
    for (const xmlNode *s = NULL; book->status == TRIB_OK && !(is_first_only && n > 0) &&
                                  (s = trib_node_below(root, s, "sheet")) != NULL;) {
        char name[256] = "";
        const char *state = trib_node_attribute(s, "state");
        if (strcmp(state, "hidden") == 0 || strcmp(state, "veryHidden") == 0) continue;
        if (!find_sheet(book->relations, trib_node_attribute(s, "id"), name))
            fail(book, "a sheet has no file");
        xmlDoc *sheet = open_member(book, name);
        if (!sheet) fail(book, "a sheet is missing");
        else add_sheet(book, xmlDocGetRootElement(sheet));
        if (!is_first_only) trib_text_end(book->to, TRIB_FLOW_PARAGRAPH, book->error);
        if (sheet) xmlFreeDoc(sheet);
        n++;
        if (book->status == TRIB_OK)
            book->status = trib_parts_check(book->file.name, "sheets", n, book->error);
    }
    if (n == 0) fail(book, "it has no sheet");
}

static trib_status read_workbook(trib_buffer *to, trib_markup_bytes file, bool is_table,
                                 trib_error *error) {
    workbook book = {.file = file, .error = error, .to = to, .separator = is_table ? ',' : '\t'};
    open_workbook(&book);
    add_sheets(&book, is_table);
    xmlDoc *const doc[] = {book.sheets, book.relations, book.strings, book.styles};
    for (size_t i = 0; i < sizeof doc / sizeof *doc; i++)
        if (doc[i]) xmlFreeDoc(doc[i]);
    TRIB_FREE(book.string, book.is_date);
    return book.status == TRIB_OK ? to->failure : book.status;
}

trib_status trib_xlsx_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return read_workbook(&to->text, file, false, error);
}

static trib_status add_table(void *to, trib_markup_bytes file, trib_error *error) {
    return read_workbook(to, file, true, error);
}

trib_status trib_xlsx_table(trib_buffer *to, trib_markup_bytes file, trib_error *error) {
    static const trib_apart_work by = TRIB_APART_ADDS(add_table);
    return trib_apart_do(&by, to, file, error);
}
