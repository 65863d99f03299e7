/* jsonl.h - JSON Lines: each line is a document, {"text": "...", "id": "...", "title": ...}.
 * Private to pipeline. */
#ifndef TRIBUTARY_INPUT_JSONL_H
#define TRIBUTARY_INPUT_JSONL_H

#include <jansson.h>

#include "pipeline/packing/packing.h"

enum { TRIB_JSONL_LINE_MOST = 1 << 30 }; /* largest length of a line in bytes */

/* A file of lines that is being read. */
typedef struct trib_jsonl {
    const char *name;
    trib_reader reader; /* of the stored bytes of the file */
    bool is_open;       /* whether `reader` is open */
    trib_unpacked unpacked;
    trib_buffer line; /* the current line, without its line end */
    uint64_t n_lines; /* its number, from 1 */
    char *block;
    size_t at, n_block; /* positions in block */
} trib_jsonl;

/* Whether the name of a file ends in .jsonl or .ndjson, also when compressed (.jsonl.gz). */
bool trib_jsonl_is_named(const char *path);
trib_status trib_jsonl_open(trib_jsonl *lines, const char *path, trib_error *error);
/* Reads the next line. *is_there is false after the last one. */
trib_status trib_jsonl_next(trib_jsonl *lines, bool *is_there, trib_error *error);
/* Parses the current line to an object, a new reference. *object is NULL, with TRIB_OK, for a blank
 * line. TRIB_INPUT ("name:17: ...") when the line is not an object. */
trib_status trib_jsonl_object(const trib_jsonl *lines, json_t **object, trib_error *error);
void trib_jsonl_close(trib_jsonl *lines);

/* Appends the value of "text" in line `number` (decimal, from 1) of a file. */
trib_status trib_jsonl_text(const char *path, const char *number, trib_buffer *to,
                            trib_error *error);

#endif
