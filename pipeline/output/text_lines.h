/* text_lines.h - the lines and the references of a text that is quoted, and offsets in characters
 * beside those in bytes. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_TEXT_LINES_H
#define TRIBUTARY_OUTPUT_TEXT_LINES_H

#include "base/base.h"
#include "pipeline/markup/references.h"

/* Where each line of a text begins, and each of its characters. `{0}` is empty. */
typedef struct trib_text_lines {
    size_t *byte;     /* [n] the first byte of each line */
    size_t n, cap;    /* n: at least 1 after trib_text_lines_read; 0: the text is not at hand */
    uint64_t *begins; /* [length / 64 + 1] bit b of word i: a character begins at byte 64i + b */
    size_t *n_before; /* [length / 64 + 1] characters that begin before byte 64i */
    trib_references references;
    bool has_numbers; /* where no reference holds, the lines are numbered; there are several */
} trib_text_lines;

/* Finds the lines and the characters of a text of `length` bytes. `encoding` is the name of an ICU
 * converter. In UTF-16 and UTF-32 all is one line. Takes a quarter of the memory of the text.
 * TRIB_MEMORY; TRIB_INTERNAL for an encoding that ICU does not have. */
trib_status trib_text_lines_read(trib_text_lines *lines, const char *encoding, const char *text,
                                 size_t length, trib_error *error);
void trib_text_lines_release(trib_text_lines *lines);
/* The number of the line, from 1, that has this byte. */
size_t trib_text_line_at(const trib_text_lines *lines, size_t byte);
/* Finds the references of the text by a pattern (references.h). `pattern` NULL: they are those of
 * its markup, `of_markup`, which are moved and may be empty. `name` is that of the text. Errors as
 * trib_references_find. */
trib_status trib_text_lines_refer(trib_text_lines *lines, const char *pattern,
                                  trib_references *of_markup, const char *name,
                                  const char *encoding, const char *text, size_t length,
                                  trib_error *error);
/* Writes the reference of the bytes from .. end - 1: "3:7", or else "line 7" or "lines 7-9", with
 * an en dash. "" when there is none: the text is one line, or asks for no references. */
void trib_text_reference(char reference[TRIB_REFERENCE_MAX], const trib_text_lines *lines,
                         size_t from, size_t end);
/* The reference that holds at a byte; NULL where none does, and lines are counted instead. */
const char *trib_text_reference_at(const trib_text_lines *lines, size_t byte);
/* Puts spaces in the place of references that stand in the text and have no letter, such as the
 * numbers of verses: they are shown beside it. Numbers must not be words (tokens.numbers). */
void trib_text_hide_references(const trib_text_lines *lines, trib_buffer *text);
/* The number of Unicode characters before this byte, which begins a character or is the end of the
 * text. */
size_t trib_text_character_at(const trib_text_lines *lines, size_t byte);

#endif
