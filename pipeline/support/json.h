/* json.h - functions that jansson lacks: detection of failed allocations, exact numbers, and
 * writing. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_JSON_H
#define TRIBUTARY_SUPPORT_JSON_H

#include <jansson.h>

#include "base/base.h"

/* For a program: sets the allocator. Call it before the first use of jansson. */
void trib_json_open(void);
/* For a library: jansson may be in use already, so its allocator is kept, and its failures are
 * recorded from now on. May be called any number of times. Clears the failures of this thread. */
void trib_json_share(void);
/* Clears the recorded failures of this thread. */
void trib_json_begin(void);
/* Whether an allocation of this thread failed since the last call, so that the value that was built
 * is incomplete. */
bool trib_json_failed(void);
/* A number; `what` is its key, a literal. jansson omits a number that is not finite, so its key is
 * recorded, and trib_json_check fails. Never use json_real, or `f` of json_pack. */
json_t *trib_json_real(const char *what, double value);
/* Set a member to a count, or to a text in UTF-8 (NULL: null). */
void trib_json_set_count(json_t *object, const char *key, uint64_t count);
void trib_json_set_text(json_t *object, const char *key, const char *text);
/* Reads a file. *value is NULL when there is none, or it is no JSON. TRIB_INPUT when it cannot be
 * read, TRIB_MEMORY. */
trib_status trib_json_load(json_t **value, const char *path, trib_error *error);
/* Reads a member of an object. "" when there is none. */
const char *trib_json_get_text(const json_t *object, const char *key);
/* Call it after building the JSON value `name`. TRIB_MEMORY when an allocation failed since the
 * last call, TRIB_INTERNAL when a number was not finite. */
trib_status trib_json_check(const char *name, trib_error *error);
/* Writes a text in UTF-8 as a string of JSON. */
void trib_write_json(trib_writer *writer, const char *text);
/* Converts any bytes, such as a file name, to a string. Bytes that are not UTF-8 become \xNN. NULL
 * becomes null. */
json_t *trib_json_text(const char *text);
/* Writes `value`, indented, with keys in the order in which they were set, and a final newline.
 * Takes ownership of `value`. TRIB_MEMORY when `value` or a part of it could not be allocated. */
trib_status trib_json_write(json_t *value, trib_writer *writer, trib_error *error);
/* Writes {"schema": 1, ...}: `format`, an object, and its arguments are those of json_pack. */
trib_status trib_json_print(trib_writer *writer, trib_error *error, const char *format, ...);
/* Like trib_json_write, with a choice of depth: values deeper than `lines` are written on one line,
 * without spaces where these are fewer than usual, TRIB_JSON_LINES. The caller keeps `value`, which
 * other threads may read at the same time. */
enum { TRIB_JSON_LINES = 6 };
trib_status trib_json_dump_lines(const json_t *value, size_t lines, trib_writer *writer,
                                 trib_error *error);

#endif
