/* terminal.h - text for a person's terminal: how wide it is, made harmless, padded. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_TERMINAL_H
#define TRIBUTARY_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Columns a UTF-8 text takes on a terminal: 2 for wide and fullwidth characters, 0 for combining
 * marks and format characters (UAX #11). An invalid byte counts as one. */
size_t trib_columns(const char *text);

/* Copies `length` bytes into out[size], always zero-terminated, so that the copy is valid UTF-8
 * which cannot steer a terminal: invalid bytes and control characters become \xNN, bidirectional
 * controls \u{NNNN}. Newlines stay when `keep_lines`, else they become \x0A. Cut at a character
 * when it does not fit. Returns the bytes written. */
size_t trib_clean(char *out, size_t size, const char *text, size_t length, bool keep_lines);

/* `text` in exactly `columns` columns: padded with spaces (in front when `right`), or cut with an
 * ellipsis. out[size] must hold 4 * columns + 1 bytes and the text; returns out. */
const char *trib_pad(char *out, size_t size, const char *text, size_t columns, bool right);

/* Columns of the terminal behind a descriptor: what COLUMNS says, else what the terminal says, else
 * 80. */
size_t trib_terminal_columns(int file);

/* The same within the widths a page can be laid out for. */
enum { TRIB_PAGE_NARROWEST = 40, TRIB_PAGE_WIDEST = 400 };
size_t trib_page_columns(int file);

/* Adds `text` and a newline, broken at spaces before column `columns`. The first line stands at
 * column `indent` already; the others begin with as many spaces. A longer word gets a line of its
 * own. */
trib_status trib_wrap(trib_buffer *to, const char *text, size_t indent, size_t columns,
                      trib_error *error);

/* Whether colours belong there: always, never, or (auto) only on a terminal, without NO_COLOR, that
 * is not dumb. `choice` is a trib_color. */
bool trib_terminal_colors(int file, int choice);

/* `word` as a shell reads it back: itself, or in single quotes. Returns out; cut when out[size] is
 * too small. */
const char *trib_shell_word(char *out, size_t size, const char *word);

#endif
