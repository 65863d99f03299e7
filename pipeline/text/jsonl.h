/* jsonl.h - files that hold a document in each row: JSON Lines, {"text": "...", "id": "...",
 * "title": ...}, and tables (table.h). Private to pipeline.
 *
 * A path may name the column of the texts, or the key: "papers.csv#speech". */
#ifndef TRIBUTARY_TEXT_JSONL_H
#define TRIBUTARY_TEXT_JSONL_H

#include <jansson.h>

#include "pipeline/text/packing.h"
#include "pipeline/text/table.h"

enum { TRIB_JSONL_LINE_MOST = 1 << 30 }; /* largest length of a line in bytes */

/* A file of lines or rows that is being read. */
typedef struct trib_jsonl {
    const char *name;   /* path of the file, in `file` */
    const char *column; /* of the texts; NULL: not named */
    char *file;
    bool is_table; /* the rows are those of `table` */
    trib_table table;
    json_t *row;        /* the current row of the table, or NULL */
    trib_reader reader; /* of the stored bytes of the file */
    bool is_open;       /* whether `reader` is open */
    trib_unpacked unpacked;
    trib_buffer line; /* the current line, without its line end */
    uint64_t n_lines; /* its number, from 1; of a table, that of the row */
    char *block;
    size_t at, n_block; /* positions in block */
} trib_jsonl;

/* Whether the name of a file ends in .jsonl or .ndjson, or in that of a table, also when compressed
 * (.jsonl.gz). A named column does not matter. */
bool trib_jsonl_is_named(const char *path);
bool trib_jsonl_is_table(const char *path); /* whether it is that of a table */
/* TRIB_INPUT when the file cannot be read; for a table, also when its header is wrong. */
trib_status trib_jsonl_open(trib_jsonl *lines, const char *path, trib_error *error);
/* Reads the next line or row. *is_there is false after the last one. */
trib_status trib_jsonl_next(trib_jsonl *lines, bool *is_there, trib_error *error);
/* Parses the current line to an object, a new reference, in which "text" is the text. *object is
 * NULL, with TRIB_OK, for a blank line. TRIB_INPUT ("name:17: ...") when it is not an object. */
trib_status trib_jsonl_object(const trib_jsonl *lines, json_t **object, trib_error *error);
/* The line of the file on which the current line or row begins, from 1. */
uint64_t trib_jsonl_line(const trib_jsonl *lines);
void trib_jsonl_close(trib_jsonl *lines);

/* Appends the text in line or row `number` (decimal, from 1) of a file. */
trib_status trib_jsonl_text(const char *path, const char *number, trib_buffer *to,
                            trib_error *error);

#endif
