/* terminal.h - prepares text for a terminal: measures its width, escapes control characters, pads
 * and wraps it. Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_TERMINAL_H
#define TRIBUTARY_SUPPORT_TERMINAL_H

#include "base/base.h"

/* Width of a UTF-8 text in terminal columns: 2 for wide and fullwidth characters, 0 for combining
 * marks and format characters (UAX #11). An invalid byte counts as one. */
size_t trib_columns(const char *text);

/* Whether a character could control a terminal or reorder its neighbours: controls except tab and
 * newline, noncharacters, and what embeds, overrides or isolates a text direction. */
bool trib_is_unfit(uint32_t c);

/* Copies `length` bytes into out[size], always ended by NUL, so that the copy is valid UTF-8 and
 * cannot control a terminal: invalid bytes and control characters become \xNN, bidirectional
 * controls \u{NNNN}. Newlines remain when `keep_lines`, otherwise they become \x0A. A text that
 * does not fit is cut after a whole character. Returns the number of bytes written. */
size_t trib_clean(char *out, size_t size, const char *text, size_t length, bool keep_lines);

/* Writes a text so; the ASCII characters of `kept` stay as they are, and with a space in
 * it the separators of lines and paragraphs of Unicode. */
void trib_write_clean(trib_writer *writer, const char *text, size_t length, const char *kept);

/* Writes `text` in exactly `columns` columns: padded with spaces (in front when `right`), or cut
 * with an ellipsis. out[size] must hold 4 * columns + 1 bytes and the text. Returns out. */
const char *trib_pad(char *out, size_t size, const char *text, size_t columns, bool right);

/* Whether a text has characters that are written from right to left. */
bool trib_is_right_to_left(const char *text, size_t length);
/* Stand around such a text beside other text, so that a terminal that reorders characters reorders
 * the text alone (first strong isolate and its end; UAX #9). They have no width. */
#define TRIB_ISOLATE     "\xE2\x81\xA8"
#define TRIB_ISOLATE_END "\xE2\x81\xA9"

/* Columns of the terminal of a file descriptor: the value of COLUMNS, else as the terminal reports,
 * else 80. */
size_t trib_terminal_columns(int file);

/* The same, limited to the widths that pages are laid out for. */
enum { TRIB_PAGE_NARROWEST = 40, TRIB_PAGE_WIDEST = 400 };
size_t trib_page_columns(int file);

/* Appends `text` and a newline, wrapped at spaces before column `columns`. The first line begins at
 * column `indent`, where the cursor already is; the others begin with as many spaces. A word that
 * is too long has a line of its own. */
trib_status trib_wrap(trib_buffer *to, const char *text, size_t indent, size_t columns,
                      trib_error *error);

/* Where a line may end in a text (UAX #14 and the dictionaries of ICU). Scripts without spaces are
 * those of Chinese, Japanese, Thai, Lao, Khmer and Burmese. */
typedef struct trib_line_breaks trib_line_breaks;

/* `text`, UTF-8 of `length` bytes, is borrowed until close. TRIB_MEMORY. */
trib_status trib_line_breaks_open(trib_line_breaks **breaks, const char *text, size_t length,
                                  trib_error *error);
void trib_line_breaks_close(trib_line_breaks *breaks); /* NULL is legal */
/* Returns the first place after `from` and before `to` where a line may end; `to` if there is none,
 * or if the part of the text has no character of a script without spaces. */
size_t trib_line_breaks_next(trib_line_breaks *breaks, size_t from, size_t to);

/* Whether the words `first` and `next` are written without a space between them when they are
 * neighbours, since both are in such a script. */
bool trib_words_run_on(const char *first, const char *next);

/* Whether output to `file` has colours: always, never, or (auto) only on a terminal that is not
 * dumb, unless NO_COLOR is set. `choice` is a trib_color. */
bool trib_terminal_colors(int file, int choice);

/* Quotes `word` for a shell, in single quotes if necessary. Returns out; the result is cut when
 * out[size] is too small. */
const char *trib_shell_word(char *out, size_t size, const char *word);

#endif
