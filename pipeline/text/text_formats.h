/* text_formats.h - the table of formats: what a file is, by its name and its first bytes; what
 * reads it, and what of it is not read. Private to pipeline.
 *
 * markup.h reads HTML and XML; the other decoders are declared here. To support a format, write a
 * file with a decoder, declare it below and add a row to text_formats.txt. `tributary help inputs`
 * prints the table. */
#ifndef TRIBUTARY_TEXT_TEXT_FORMATS_H
#define TRIBUTARY_TEXT_TEXT_FORMATS_H

#include "pipeline/text/markup.h"

typedef enum {
    TRIB_TEXT_FORMAT_TEXT,    /* plain text, read as it is */
    TRIB_TEXT_FORMAT_DECODED, /* a decoder makes the text */
    TRIB_TEXT_FORMAT_SEVERAL, /* contains several texts, each with its address (input.h) */
    TRIB_TEXT_FORMAT_REFUSED  /* known, but not read, since its markup would be taken for words */
} trib_text_format_use;

typedef trib_status trib_text_decoder(trib_markup_text *to, trib_markup_bytes file,
                                      trib_error *error);

/* A format: a row of the table. */
typedef struct trib_text_format {
    const char *name; /* "HTML", without spaces */
    /* ".html .htm", separated by spaces; "": the name of a file does not show it */
    const char *endings;
    trib_text_format_use use;
    /* Its first bytes, from offset `at` on, compared without case; NULL: none, or no second. */
    const char *magic[2];
    const char *within; /* a text that must also occur in the first bytes, or NULL */
    uint16_t at;
    bool is_sure;       /* a file with these first bytes has this format, whatever its name */
    const char *reader; /* the library or program that reads it: "libxml2"; REFUSED: NULL */
    /* What of such a file is not read; "" when all of it is. REFUSED: the reason that inputs.tsv
     * gives for a file of a folder that is left out. */
    const char *left_out;
    const char *remedy; /* REFUSED: after "is DOC, which is not read: "; others: NULL */
    /* DECODED: appends the text of `file`. TRIB_INPUT when it cannot be parsed (the message names
     * the line), has bytes that are invalid in its encoding, or needs a library or program that is
     * missing (the message names the package). NULL for a row whose files another row reads, as XML
     * with the root <alto> is read by the row of XML. */
    trib_text_decoder *read;
    const char *decoder; /* the name of a decoder of our own: "usfm"; NULL: `reader` decodes */
} trib_text_format;
/* Made from text_formats.txt; the last row has name NULL. */
extern const trib_text_format trib_text_formats[];

enum { TRIB_TEXT_FORMAT_BYTES = 4096 }; /* first bytes of a file that are examined */

/* The format that the ending of a name shows, after that of a compression (.gz and so on) is
 * removed, or the one that the first `n` bytes show whatever the name. NULL: unknown. */
const trib_text_format *trib_text_format_named(const char *path, const unsigned char *first,
                                               size_t n);
/* The format with a name of the table; NULL: there is none, or `name` is NULL. */
const trib_text_format *trib_text_format_called(const char *name);
/* The format of plain text with marks that its first `n` bytes show, or NULL. `encoding` as
 * corpus.encoding, NULL: UTF-8. */
const trib_text_format *trib_text_format_marked(const char *first, size_t n, const char *encoding);
/* TRIB_INPUT when the first `n` bytes, of at most TRIB_TEXT_FORMAT_BYTES, are those of a format
 * that is not read, or that only files with certain names are read as. `named` is the format that
 * the name shows, or NULL; `path` is for the message. */
trib_status trib_text_format_check(const trib_text_format *named, const char *path,
                                   const char *first, size_t n, trib_error *error);
/* TRIB_INPUT when the first `n` bytes of a file of plain text in this encoding (as corpus.encoding)
 * are those of an image, a program or other data, or of UTF-16 where the encoding is another. */
trib_status trib_text_check_not_binary(const char *path, const char *first, size_t n,
                                       const char *encoding, trib_error *error);
/* The encoding in which a text in UTF-8 was read when it was encoded a second time, by its first
 * bytes: that of "cafÃ©" is windows-1252. NULL: it was not. */
const char *trib_encoded_twice(const char *text, size_t n);
/* Whether nearly all letters of a text in UTF-8 have accents of Latin-1: another encoding of it,
 * such as windows-1251, was taken for that. */
bool trib_is_misread(const char *text, size_t n);
/* The version of what the rooms decoders, markup and input make of the bytes of a file. It must be
 * raised with each change after which the text of any file can differ, whatever its format, since
 * cached texts are valid only for the same version. */
enum { TRIB_DECODERS_VERSION = 10 };
/* Appends TRIB_DECODERS_VERSION, and name and version of the program or library that decodes this
 * kind of file, since another version may give another text: "decoders 1 libxml2 20914", or
 * "pdftotext" with size and time of the program that was found. Of plain text, and of the rows of a
 * table, only the first. `kind` as in input.h. */
trib_status trib_text_format_print_reader(trib_buffer *to, const char *kind, trib_error *error);

/* ---- Decoders -------------------------------------------------------------------------------- */

/* USFM, the markup of Bibles; RTF (Rich Text Format 1.9.1, Microsoft 2008), whose bytes are decoded
 * by the code page of their font; the cues of subtitles, SRT (SubRip) and WebVTT (W3C), whose times
 * are references. This program reads them itself. */
trib_text_decoder trib_usfm_text, trib_rtf_text, trib_subtitles_text;
/* Plain text with marks: those of OpenITI, Kanripo, Aozora and others (marked.c). */
trib_text_decoder trib_marked_text;
/* Plain text in UTF-16 or UTF-32 (marked.c). */
trib_text_decoder trib_utf16_text;
/* What such a text has besides words: a row of the table that is made from marked.txt. */
typedef struct trib_marked_format {
    const char *name;       /* of its row above */
    const char *sign[2];    /* one of these is in the first bytes of each such text */
    const char *is;         /* and this is, too */
    const char *text[6];    /* one of these begins the first line of each of several texts */
    const char *about[3];   /* what has the id, title and date of such a text, or NULL */
    const char *must;       /* also a file with the name of the format has this, or NULL */
    const char *rule[8][2]; /* regular expressions and what replaces them; the last is NULL */
} trib_marked_format;
extern const trib_marked_format trib_marked_formats[]; /* the last row has name NULL */
/* Appends plain text in UTF-8: from to->encoding, if that is of other bytes than the file's. */
trib_status trib_marked_decode(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                               trib_error *error);
/* The one that the first bytes show, or NULL; as trib_text_format_marked. */
const trib_marked_format *trib_marked_of(const char *first, size_t n, const char *encoding);
/* Sets `group` to the first group of a regular expression in a text of UTF-8; "": there is none. */
trib_status trib_marked_group(trib_buffer *group, const char *pattern, const trib_buffer *text,
                              trib_error *error);
/* Whether bytes have a word among them. */
bool trib_bytes_hold(const char *at, size_t length, const char *word);

/* XLSX workbooks (ECMA-376, SpreadsheetML): all sheets that are not hidden. A row is a line, its
 * cells are separated by tabs, and an empty line stands between sheets. A cell has the text that
 * was typed, or the result of its formula; a date is written as in ISO 8601. */
trib_text_decoder trib_xlsx_text;
bool trib_xlsx_is_named(const char *path);
/* Appends the first sheet as a table of RFC 4180, for a list of documents. Row 7 of the sheet is
 * line 7: a line break in a cell becomes a blank. Errors as trib_xlsx_text. */
trib_status trib_xlsx_table(trib_buffer *to, trib_markup_bytes file, trib_error *error);

/* ODT and FODT, the texts of OpenDocument (ISO/IEC 26300); DOCX. */
trib_text_decoder trib_odt_text, trib_docx_text;
/* What the programs pdftotext and pandoc read (programs.h); trib_pandoc_text: to->format says
 * which. */
trib_text_decoder trib_pdf_text, trib_pandoc_text, trib_mediawiki_export_text;
/* XML, or an export of MediaWiki, which is XML, too. */
trib_text_decoder trib_any_xml_text;
bool trib_mediawiki_export_is(trib_markup_bytes file);

#endif
