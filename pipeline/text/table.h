/* table.h - files that hold a document in each row: JSON Lines, {"text": "...", "id": "...",
 * "title": ...}, and tables: CSV or TSV, whose first line names the columns; and the several texts
 * of plain text with marks. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_TABLE_H
#define TRIBUTARY_TEXT_TABLE_H

#include <jansson.h>

#include "pipeline/text/archive.h"
#include "pipeline/text/text_formats.h"

/* ---- Cells (table.c) ------------------------------------------------------------------------- */

/* The state of reading a table. */
typedef struct trib_cells {
    const char *at, *end; /* what is not yet read of the text */
    char separator;       /* '\t'; other separators allow quoted cells (RFC 4180) */
    uint32_t line, column;

    /* of the cell that was read last: where it begins, and its width in characters, 1 when it is
     * quoted or empty */
    uint32_t cell_line, cell_column, cell_width;
    trib_buffer cell;      /* its text */
    bool row_ends;         /* the row ends after it */
    const char *complaint; /* what is wrong with it, or NULL; static */
} trib_cells;

/* When the first line ends in "\r" alone, as old programs for the Macintosh wrote it, makes each
 * "\r" of the text "\n". `has_quotes`: line ends in quoted cells do not count. */
void trib_cells_unify_lines(trib_buffer *text, bool has_quotes);
/* Begins to read a text, which is borrowed. `separator` 0: the character after "sep=", when the
 * text begins with such a line, which is skipped; else the comma, the semicolon or the tab that the
 * first line has most of. */
void trib_cells_begin(trib_cells *cells, const char *text, size_t length, char separator);
/* Reads a cell into cells->cell and skips the separator or line end after it. A quote that is not
 * closed, and text after the closing quote, are complaints; the cell is then what was read.
 * TRIB_MEMORY. */
trib_status trib_cells_next(trib_cells *cells, trib_error *error);
void trib_cells_skip_blank_lines(trib_cells *cells);
void trib_cells_release(trib_cells *cells);

/* ---- Tables (table.c) ------------------------------------------------------------------------ */

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

/* --- Rows of tables, JSON Lines, several texts with marks (jsonl.c) --------------------------- */

/* A path may name the column of the texts, or the key: "papers.csv#speech". */
enum { TRIB_JSONL_LINE_MOST = 1 << 30 }; /* largest length of a line in bytes */

/* A file of lines, rows or texts that is being read. */
typedef struct trib_jsonl {
    const char *name;   /* path of the file, in `file` */
    const char *column; /* of the texts; NULL: not named */
    char *file;
    bool is_table; /* the rows are those of `table` */
    trib_table table;
    json_t *row;        /* the current row of the table, or NULL */
    json_t *records;    /* of a file of JSON that is not of lines; else NULL */
    trib_reader reader; /* of the stored bytes of the file */
    bool is_open;       /* whether `reader` is open */
    trib_unpacked unpacked;
    trib_buffer line; /* the current line, without its line end */
    uint64_t n_read;  /* its number, from 1 */
    uint64_t n_lines; /* that of what is read, from 1: of a line, a row, a record or a text */
    const trib_marked_format *marked; /* whose texts are read; else NULL */
    const char *sign;                 /* what each of them begins with; NULL: not known yet */
    trib_buffer text;                 /* the current one, with its marks */
    uint64_t begin;                   /* the line on which it begins */
    bool has_line;                    /* `line` is not yet in a text */
    bool was_return;                  /* the last line ended in CR, and an LF may follow */
    char *block;
    size_t at, n_block; /* positions in block */
} trib_jsonl;

/* Whether the name of a file ends in .jsonl, .ndjson or .json, or in that of a table, also when
 * compressed (.jsonl.gz). A named column does not matter. */
bool trib_jsonl_is_named(const char *path);
/* Why such a file is read only where it is named itself, not as one of a folder; NULL: it is. */
const char *trib_jsonl_why_named(const char *path);
/* What the texts of a file are: "JSON Lines" or "table" by its name; by its content the format of
 * plain text with marks, where it has two texts or more. NULL: it is one text. */
const char *trib_jsonl_kind(const char *path);
bool trib_jsonl_is_table(const char *path); /* whether it is that of a table */
/* TRIB_INPUT when the file cannot be read; for a table, also when its header is wrong. */
trib_status trib_jsonl_open(trib_jsonl *lines, const char *path, trib_error *error);
/* Reads the next line or row. *is_there is false after the last one. */
trib_status trib_jsonl_next(trib_jsonl *lines, bool *is_there, trib_error *error);
/* Parses the current line to an object, a new reference, in which "text" is the text. *object is
 * NULL, with TRIB_OK, for a blank line. TRIB_INPUT ("name:17: ...") when it is not an object. */
trib_status trib_jsonl_object(const trib_jsonl *lines, json_t **object, trib_error *error);
/* Appends the text of the current line, or the current text with its marks. TRIB_INPUT when the
 * line has none. */
trib_status trib_jsonl_add(const trib_jsonl *lines, trib_buffer *to, trib_error *error);
/* The line of the file on which the current line or row begins, from 1. */
uint64_t trib_jsonl_line(const trib_jsonl *lines);
void trib_jsonl_close(trib_jsonl *lines);

/* Appends the text in line or row `number` (decimal, from 1) of a file. */
trib_status trib_jsonl_text(const char *path, const char *number, trib_buffer *to,
                            trib_error *error);

#endif
