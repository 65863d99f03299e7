/* markup.h - the running text of marked-up files as UTF-8: HTML and XML through libxml2, EPUB, PDF.
 * Private to pipeline.
 *
 * Nothing is fetched, no DTD is loaded and no entity expanded but those of HTML. elements.h says
 * which elements of HTML, TEI, OSIS and ALTO are text, which are notes and which are never read,
 * and where words end. */
#ifndef TRIBUTARY_INPUT_MARKUP_H
#define TRIBUTARY_INPUT_MARKUP_H

#include "pipeline/input/notes.h"
#include "pipeline/input/strip.h"
#include "tokenizer/tokenizer.h"

enum { TRIB_NOTE_MAX = 200 };

/* A whole file in memory. */
typedef struct trib_markup_bytes {
    const char *name, *at; /* for messages; its bytes */
    size_t length;
} trib_markup_bytes;

/* The text of a file, and how it is to be read. `{0}` is empty, with the defaults. */
typedef struct trib_markup_text {
    trib_notes notes;
    trib_invalid on_invalid; /* bytes of HTML that its encoding does not have */
    trib_buffer text;        /* UTF-8 */
    trib_buffer apart;       /* the notes, with TRIB_NOTES_SEPARATE; else empty */
    /* each note in `apart`; after trib_markup_finish the text and each note in `text` */
    trib_text_ranges parts;
    uint64_t n_replaced;        /* such bytes, each now U+FFFD */
    char remark[TRIB_NOTE_MAX]; /* what the reader of the text should know, or "" */
} trib_markup_text;
/* Appends the notes to the text; `parts` then holds what no n-gram may leave, or is empty where
 * there are no notes. */
trib_status trib_markup_finish(trib_markup_text *to, trib_error *error);
void trib_markup_release(trib_markup_text *to);

/* What reads a kind of file: a row of the table in decoders.c. */
typedef struct trib_markup_row {
    const char *name; /* "HTML" */
    const char *ending;
    /* Appends the text of `file`. TRIB_INPUT where it cannot be parsed, with the line, or holds
     * entities of its own or bytes that its encoding does not have, or this build lacks what reads
     * it (the message names the package). */
    trib_status (*read)(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
    /* Appends name and version of the library or program that reads it. */
    trib_status (*print_reader)(trib_buffer *to, trib_error *error);
} trib_markup_row;

/* What reads a file, known by the ending of its name under that of its packing (.gz and so on):
 * .html .htm .xhtml .xml .tei .epub .pdf; or PDF by its first `n` bytes, whatever its name. NULL
 * for plain text. */
const trib_markup_row *trib_markup_find(const char *path, const unsigned char *first, size_t n);

#ifdef TRIB_WITH_XML
/* Initialises libxml2, once: called before each use of it, by any thread (xml.c). */
void trib_xml_begin(void);
#endif

/* HTML, XML, EPUB and PDF as trib_markup_row.read does it (xml.c, epub.c, pdf.c). */
trib_status trib_html_page_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
trib_status trib_xml_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
trib_status trib_epub_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
trib_status trib_pdf_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);

/* What the program may take that reads a PDF, before it is ended. It may write no file. */
typedef struct trib_pdf_limits {
    int silence;     /* seconds in which it writes nothing */
    int whole;       /* seconds in all, */
    int processor;   /* of processor time */
    uint64_t memory; /* bytes of address space */
} trib_pdf_limits;

/* What trib_pdf_text does, by this program within these limits. */
trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, const trib_pdf_limits *limits, trib_error *error);

/* Appends what makes the text of a kind of file, since another one may make another text: "libxml2
 * 20914", "pdftotext" with size and time of the program found; nothing for plain text. `kind` as in
 * input.h. */
trib_status trib_markup_print_reader(trib_buffer *to, const char *kind, trib_error *error);
trib_status trib_pdf_print_reader(trib_buffer *to, trib_error *error);
trib_status trib_xml_print_reader(trib_buffer *to, trib_error *error);

/* ---- HTML and XML before they are parsed (markup_bytes.c) ------------------------------------ */

/* Appends the file in UTF-8, of HTML without zero bytes, from the encoding that its byte order
 * mark, a <meta> or its XML declaration names. HTML without one, or with one that is not known, is
 * UTF-8 where it is valid, else windows-1252, which is remarked; so is UTF-8 that declares an
 * encoding of one byte a character. TRIB_INPUT for a byte that the encoding does not have, with its
 * place, unless it is to be replaced. */
enum { TRIB_LABEL_MAX = 48 };
trib_status trib_html_decode(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                             bool is_html, trib_error *error);
/* TRIB_INPUT when an element has more than TRIB_ATTRIBUTES_MOST attributes: libxml2's time grows
 * with their square. */
enum { TRIB_ATTRIBUTES_MOST = 256 };
trib_status trib_html_check_attributes(trib_markup_bytes file, bool is_html, trib_error *error);

#endif
