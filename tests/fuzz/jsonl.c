/* jsonl.c - any bytes as documents in lines of JSON, or texts with marks, compressed or not: a line
 * has the same result whether it is read in order or requested by its number. */
#include <unistd.h>

#include "pipeline/support/path.h"
#include "pipeline/text/table.h"
#include "tests/fuzz/fuzz.h"

enum { ASKED = 8 }; /* lines requested by number */

/* Records the text of the current line, or its error. */
static void try_line(const trib_jsonl *lines, const char *path) {
    char number[24];
    json_t *object = NULL;
    TRIB_OWNED(trib_buffer) text = {0};
    const trib_status status = trib_jsonl_object(lines, &object, NULL);
    FUZZ_CHECK(status == TRIB_OK || (status == TRIB_INPUT && !object));
    FUZZ_CHECK(!object || json_is_object(object));
    const json_t *value = json_object_get(object, "text");
    snprintf(number, sizeof number, "%llu", (unsigned long long)lines->n_lines);
    trib_status asked = trib_jsonl_text(path, number, &text, NULL);
    if (lines->marked) asked = TRIB_INPUT; /* with its marks */
    else
        FUZZ_CHECK(asked == (json_is_string(value) ? TRIB_OK : TRIB_INPUT) || asked == TRIB_MEMORY);
    if (asked == TRIB_OK)
        FUZZ_CHECK(
            text.length == json_string_length(value) &&
            (text.length == 0 || memcmp(text.text, json_string_value(value), text.length) == 0));
    json_decref(object);
}

FUZZ_TARGET(jsonl) {
    char path[32];
    int file = -1;
    trib_jsonl lines;
    bool is_there = true;
    trib_status status = trib_unnamed_file_open(&file, NULL);
    if (status == TRIB_OK) status = trib_unnamed_file_write(file, bytes, size, NULL);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    if (status == TRIB_OK) status = trib_jsonl_open(&lines, path, NULL);
    if (status == TRIB_OK) {
        while (status == TRIB_OK && is_there) {
            status = trib_jsonl_next(&lines, &is_there, NULL);
            if (status == TRIB_OK && is_there && lines.n_lines <= ASKED) try_line(&lines, path);
        }
        trib_jsonl_close(&lines);
    }
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    if (file >= 0) close(file);
}
