/* jsonl.h - JSON Lines: one document a line, {"text": "...", "id": "...", "title": ...}. Private to
 * pipeline. */
#ifndef TRIBUTARY_INPUT_JSONL_H
#define TRIBUTARY_INPUT_JSONL_H

#include <jansson.h>

#include "pipeline/input/packing.h"

enum { TRIB_JSONL_LINE_MOST = 1 << 30 }; /* bytes of a line */

/* A file of lines while it is read. */
typedef struct trib_jsonl {
    const char *name;
    trib_reader reader; /* of the file as it is stored */
    bool is_open;       /* the reader is */
    trib_unpacked unpacked;
    trib_buffer line; /* the line that came last, without its end */
    uint64_t n_lines; /* its number, from 1 */
    char *block;
    size_t at, n_block; /* in block */
} trib_jsonl;

/* By its name: .jsonl or .ndjson, packed or not (.jsonl.gz). */
bool trib_jsonl_is_named(const char *path);
trib_status trib_jsonl_open(trib_jsonl *lines, const char *path, trib_error *error);
/* The next line; *is_there is false behind the last. */
trib_status trib_jsonl_next(trib_jsonl *lines, bool *is_there, trib_error *error);
/* The object on the line that came last, a new reference; NULL and TRIB_OK for a blank line.
 * TRIB_INPUT ("name:17: ...") where it is no object. */
trib_status trib_jsonl_object(const trib_jsonl *lines, json_t **object, trib_error *error);
void trib_jsonl_close(trib_jsonl *lines);

/* Appends the value of "text" of line `number` (decimal, from 1) of a file. */
trib_status trib_jsonl_text(const char *path, const char *number, trib_buffer *to,
                            trib_error *error);

#endif
