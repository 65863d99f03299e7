/* markup.h - the running text of HTML and XML as UTF-8, through libxml2, and of what holds such. Private to pipeline.
 *
 * HTML that is not in the encoding it names, or names none, may leave bytes that are no UTF-8; they are treated as in any text
 * (corpus.on_invalid).
 *
 * Nothing is fetched, no DTD is loaded and no entity expanded but those of HTML. What is never shown (head, script, style;
 * in TEI the header and running heads) is left out, and of a <choice> in TEI what is printed in the source stays (sic, orig,
 * abbr). Paragraphs are separated by an empty line, lines and cells by a line end; other elements of HTML and TEI leave no
 * trace, so <hi>w</hi>ord is one word. In XML of another kind every element stands on lines of its own. */
#ifndef TRIBUTARY_MARKUP_H
#define TRIBUTARY_MARKUP_H

#include "base/base.h"

enum { TRIB_NOTE_MAX = 200 };

/* A whole file in memory. */
typedef struct trib_markup_bytes {
    const char *name, *at; /* for messages; its bytes */
    size_t length;
} trib_markup_bytes;

/* What reads a kind of file: a row of the table in markup.c. */
typedef struct trib_markup_row {
    const char *name; /* "HTML" */
    const char *ending;
    /* Appends the text of `file`; `note` gets what its reader should know, and stays "" mostly. TRIB_INPUT where it cannot be
     * parsed, with the line, or holds entities of its own, or this build lacks what reads it (the message names the
     * package). */
    trib_status (*read)(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                        trib_error *error);
} trib_markup_row;

/* What reads a file, known by the ending of its name under that of its packing (.gz and so on): .html .htm .xhtml .xml .tei
 * .epub .pdf; or PDF by its first `n` bytes, whatever its name. NULL for plain text. */
const trib_markup_row *trib_markup_find(const char *path, const unsigned char *first, size_t n);

/* XML as trib_markup_row.read does it (markup.c), EPUB (epub.c), PDF (pdf.c). */
trib_status trib_xml_text(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                          trib_error *error);
trib_status trib_epub_text(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                           trib_error *error);
trib_status trib_pdf_text(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                          trib_error *error);

/* What trib_pdf_text does, by this program; it may be silent for `seconds` before it is ended. */
trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, int seconds, trib_error *error);

/* Appends what makes the text of a kind of file, since another one may make another text: "libxml2 20914", "pdftotext" with
 * size and time of the program found; nothing for plain text. `kind` as in input.h. */
trib_status trib_markup_print_reader(trib_buffer *to, const char *kind, trib_error *error);
trib_status trib_pdf_print_reader(trib_buffer *to, trib_error *error);

#endif
