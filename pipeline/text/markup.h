/* markup.h - converts HTML, XML and EPUB to running text in UTF-8, with libxml2. Private to
 * pipeline.
 *
 * This part of the room makes the text of files whose markup is HTML or XML, and has what every
 * decoder fills: a text, the ranges of its notes, the references of its places. text_formats.h
 * lists the formats.
 *
 * No file is fetched, no DTD is loaded, and only the entities of HTML are expanded. elements.h says
 * which elements of HTML, TEI, OSIS and ALTO are text, which are notes and which are not read, and
 * where words end. */
#ifndef TRIBUTARY_TEXT_MARKUP_H
#define TRIBUTARY_TEXT_MARKUP_H

#include "pipeline/text/account.h"
#include "pipeline/text/notes.h"
#include "tokenizer/tokenizer.h"

#include <unicode/utypes.h>

/* ---- References (references.c) --------------------------------------------------------------- */

/* The references by which the places of a text are cited: "3:7", "ACT II, SCENE 1", "p. 45". Files
 * with markup have them in their elements (tree.c); in any text they are found by a pattern. */

/* A place where a reference begins to hold; it holds up to the next mark. */
typedef struct trib_reference_mark {
    size_t from, to; /* the bytes of the text that are the mark; equal when it is not in the text */
    size_t label;    /* offset in `labels` */
} trib_reference_mark;

/* The references of a text. `{0}` is empty. */
typedef struct trib_references {
    trib_reference_mark *mark; /* [n] in the order of the text */
    size_t n, cap;
    trib_buffer labels; /* UTF-8, each ended by NUL */
} trib_references;

/* Appends a mark, unless the last one has the same label. White space in a label is made single
 * spaces; a label of more than TRIB_LABEL_MOST bytes is cut. A label without letters means that
 * no reference holds from there on. */
enum { TRIB_LABEL_MOST = 60, TRIB_REFERENCE_MAX = 3 * TRIB_LABEL_MOST };
trib_status trib_references_add(trib_references *references, size_t from, size_t to,
                                const char *label, size_t length, trib_error *error);
/* The reference that holds at a byte of the text, "" when there is none. Borrowed. */
const char *trib_references_at(const trib_references *references, size_t byte);
void trib_references_release(trib_references *references);
/* Writes the reference of a passage from its first and its last reference: "3:7", "3:7-9" with an
 * en dash, "3:17-4:2"; what both begin with is written once. */
void trib_reference_join(char out[TRIB_REFERENCE_MAX], const char *first, const char *last);

/* A named pattern: a row of a table. */
typedef struct trib_reference_scheme {
    const char *name, *help;
    /* Regular expressions (ICU), outermost level first, ended by NULL; none: see `name`. */
    const char *pattern[3];
} trib_reference_scheme;
extern const trib_reference_scheme trib_reference_schemes[]; /* the last row has name NULL */
/* The row with this name, or NULL. */
const trib_reference_scheme *trib_reference_scheme_find(const char *name);

/* Checks a pattern, which is the name of a scheme or a regular expression. TRIB_CONFIG when it is
 * neither; the message says why, and at which character. */
trib_status trib_reference_check(const char *pattern, trib_error *error);
/* Finds the references of a text: every match of a pattern within a line is one. The first group
 * of the match that has text is the label, and without groups the whole match. A label of an inner
 * level follows that of the outer levels after ", ". `encoding` is the name of an ICU converter,
 * `name` that of the text for messages. The time for a match is limited, in steps rather than by a
 * clock: TRIB_CONFIG, with the line, when that is not enough. */
trib_status trib_references_find(trib_references *references, const char *pattern, const char *name,
                                 const char *encoding, const char *text, size_t length,
                                 trib_error *error);

/* ---- Texts (markup.c) ------------------------------------------------------------------------ */

enum { TRIB_NOTE_MAX = 200 };

/* The contents of a file in memory. */
typedef struct trib_markup_bytes {
    const char *name, *at; /* name for messages; contents */
    size_t length;
} trib_markup_bytes;

/* Bytes from .. to - 1. */
typedef struct trib_range {
    size_t from, to;
} trib_range;

/* Ranges in ascending order, not empty and not adjacent. `{0}` is empty. */
typedef struct trib_text_ranges {
    trib_range *range; /* [n] */
    size_t n, cap;
    trib_status failure; /* the first; later additions do nothing and return it */
    const char *remark;  /* a remark for the reader of the results, or NULL; static */
    uint64_t line;       /* line that the remark is about, from 1 */
} trib_text_ranges;
trib_status trib_text_ranges_add(trib_text_ranges *kept, size_t from, size_t to, trib_error *error);
void trib_text_ranges_release(trib_text_ranges *kept);

/* The text of a file, and options for reading it. `{0}` is empty, with default options. */
typedef struct trib_markup_text {
    trib_notes notes;
    trib_edition edition;
    trib_invalid on_invalid; /* for bytes of HTML that are invalid in its encoding */
    const char *encoding;    /* of plain text with marks, as corpus.encoding; NULL: UTF-8 */
    const char *format;      /* its name, for a decoder that reads several (text_formats.h) */
    trib_buffer text;        /* UTF-8 */
    trib_buffer apart;       /* the notes, with TRIB_NOTES_SEPARATE; otherwise empty */
    /* The range of each note in `apart`. After trib_markup_finish: the ranges of the main text and
     * of each note in `text`. */
    trib_text_ranges parts;
    trib_references references; /* of places in `text` */
    /* One file of several: of a word that the end of a page of ALTO divides, the rest follows
     * without a space, or `divided` has the whole word, which was read. */
    bool is_page, joins;
    /* A file of the disk: several texts with marks in it are read as one by choice. */
    bool is_file;
    trib_buffer divided;
    trib_account account;       /* what is read, and what is not */
    uint64_t n_replaced;        /* invalid bytes, each replaced by U+FFFD */
    char remark[TRIB_NOTE_MAX]; /* a remark for the reader of the results, or "" */
} trib_markup_text;
/* What an element ends: nothing, a line, or a paragraph. */
typedef enum { TRIB_FLOW_NONE, TRIB_FLOW_LINE, TRIB_FLOW_PARAGRAPH } trib_text_flow;
/* Ends the line or paragraph, unless the text is empty. */
trib_status trib_text_end(trib_buffer *text, trib_text_flow flow, trib_error *error);
/* Adds a space, unless there is white space, or nothing from byte `from` on, before it. */
trib_status trib_text_space(trib_buffer *text, size_t from, trib_error *error);
/* Removes white space at the end of the text, from byte `from` on. */
void trib_text_trim(trib_buffer *text, size_t from);
/* Removes white space, and a hyphen before it, at the end of the text, from byte `from` on: a word
 * goes on. */
void trib_text_join(trib_buffer *text, size_t from);
/* The last and the first character of a text in UTF-8; negative: none. */
UChar32 trib_last_character(const char *text, size_t length);
UChar32 trib_first_character(const char *text);
/* Whether a character is a letter, digit or mark, of which words consist. */
bool trib_is_of_word(UChar32 c);
/* Whether a space must stand between two words of which one ends the text: not between those of a
 * script without spaces, and `only_capital`: only before a capital. */
bool trib_text_needs_space(const trib_buffer *text, const char *next, bool only_capital);
/* Ends the note in to->apart that begins at byte *from: a part without the white space at its end.
 * *from is then where the next one begins. */
trib_status trib_markup_end_note(trib_markup_text *to, size_t *from, trib_error *error);
/* Counts the words of a note, which are those of `text` from byte `from` on, and removes them if
 * notes are dropped. */
void trib_markup_count_note(trib_markup_text *to, trib_buffer *text, size_t from);
/* The first failure to add to the text, its notes, parts or references. A decoder adds in many
 * steps and looks here at the end. */
trib_status trib_markup_status(const trib_markup_text *to);
/* TRIB_INPUT when there is no text. */
trib_status trib_markup_check(const trib_markup_text *to, const char *name, trib_error *error);
/* Decodes %20 and such in place. */
void trib_decode_percents(char *name);
/* Whether a word is one of `words`, between which a space stands each. */
bool trib_is_among(const char *words, const char *word);
/* Appends the notes to the text. `parts` then has the ranges that no n-gram may cross the borders
 * of, or is empty when there are no notes. */
trib_status trib_markup_finish(trib_markup_text *to, trib_error *error);
void trib_markup_release(trib_markup_text *to);

/* The decoders of HTML, XML and EPUB, as in trib_text_format.read (xml.c, epub.c). */
trib_status trib_html_page_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
trib_status trib_xml_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
trib_status trib_epub_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
/* Appends name and version of libxml2, "libxml2 20914". */
trib_status trib_xml_print_reader(trib_buffer *to, trib_error *error);

/* Where a decoder writes the text that it meets: the text of the file, or that of a note, which is
 * read as trib_markup_text.notes says. `{.to = ...}` is the start of a file. */
typedef struct trib_text_target {
    trib_markup_text *to;
    size_t n_notes; /* notes around the current place */
    size_t from;    /* start of the current note in to->apart */
} trib_text_target;

/* Adds a text. This and the following leave their failure in target->to (trib_markup_status). */
void trib_text_target_add(trib_text_target *target, const char *text, size_t length,
                          trib_error *error);
/* Adds a space, unless there is white space or nothing before it. */
void trib_text_target_space(trib_text_target *target, trib_error *error);
/* Ends a line or paragraph; in a note that is read in its place, only a word. */
void trib_text_target_end(trib_text_target *target, trib_text_flow flow, trib_error *error);
/* Begin and end of a note; a note in a note is part of it. */
void trib_text_target_begin_note(trib_text_target *target, trib_error *error);
void trib_text_target_end_note(trib_text_target *target, trib_error *error);

/* ---- HTML and XML before they are parsed (xml.c) --------------------------------------------- */

/* Appends the file in UTF-8, without NUL bytes if it is HTML. Its encoding is the one that its byte
 * order mark, a <meta> or its XML declaration names. HTML that names none, or an unknown one, is
 * read as UTF-8 where it is valid, and otherwise as windows-1252, with a remark. A file in valid
 * UTF-8 that declares a single-byte encoding is read as UTF-8, also with a remark. TRIB_INPUT, with
 * the place, for a byte that is invalid in the encoding, unless such bytes are replaced. */
trib_status trib_html_decode(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                             bool is_html, trib_error *error);
/* TRIB_INPUT when an element has more than TRIB_ATTRIBUTES_MOST attributes: the time libxml2 needs
 * for them grows with the square of their number. */
enum { TRIB_ATTRIBUTES_MOST = 256 };
trib_status trib_html_check_attributes(trib_markup_bytes file, bool is_html, trib_error *error);

#endif
