/* json.h - the little that jansson lacks. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_JSON_H
#define TRIBUTARY_SUPPORT_JSON_H

#include <jansson.h>

#include "base/base.h"

/* Before the first use of jansson in the program. */
void trib_json_open(void);
/* The same in a library: jansson may be in use already, so it keeps its allocator, whose failures
 * are remembered from now on. Any number of calls; forgets the failures of this thread. */
void trib_json_share(void);
/* Forgets earlier failures of this thread. */
void trib_json_begin(void);
/* Whether an allocation of this thread failed since the last call: then what was built lacks
 * something. */
bool trib_json_failed(void);
/* A number; `what` is its key, a literal. jansson leaves out a number that is not finite, so such a
 * key is remembered until trib_json_check refuses what was built. Never json_real or `f` of
 * json_pack. */
json_t *trib_json_real(const char *what, double value);
void trib_json_set_real(json_t *object, const char *key, double value);
/* Members of an object that was read; NaN, "" or false where there is none. */
double trib_json_get_number(const json_t *object, const char *key);
const char *trib_json_get_text(const json_t *object, const char *key);
bool trib_json_get_flag(const json_t *object, const char *key);
/* After building the JSON `name`: TRIB_MEMORY when an allocation failed since the last call,
 * TRIB_INTERNAL when a number was not finite. */
trib_status trib_json_check(const char *name, trib_error *error);
/* Text that may hold anything (a file name) as a string: bytes that are not UTF-8 appear as
 * \xNN. */
json_t *trib_json_text(const char *text);
/* Writes `value`, indented, keys as they were set, with a final newline. Takes ownership of
 * `value`; TRIB_MEMORY when it or any part of it could not be made. */
trib_status trib_json_write(json_t *value, trib_writer *writer, trib_error *error);
/* The same of a value that stays the caller's and may be read by others meanwhile. */
trib_status trib_json_dump(const json_t *value, trib_writer *writer, trib_error *error);
/* The same with what lies deeper than `lines` on one line, and without blanks where these are fewer
 * than usual; trib_json_dump has TRIB_JSON_LINES: a share or a phrase of a result is one line. */
enum { TRIB_JSON_LINES = 6 };
trib_status trib_json_dump_lines(const json_t *value, size_t lines, trib_writer *writer,
                                 trib_error *error);

#endif
