/* header.h - what the header of a TEI file, or the properties of a file, say of its text: title,
 * author, date. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_HEADER_H
#define TRIBUTARY_TEXT_HEADER_H

#include "pipeline/text/markup.h"

enum { TRIB_HEADER_BYTES = 1 << 18, TRIB_TITLE_MOST = 160 };

/* Texts in UTF-8, "" for what the header does not say. White space is made single spaces; a title
 * or author longer than TRIB_TITLE_MOST bytes is cut at a space and ends in an ellipsis. */
typedef struct trib_tei_about {
    char title[TRIB_TITLE_MOST + 4], author[TRIB_TITLE_MOST + 4], date[TRIB_TITLE_MOST + 4];
    bool is_numbered; /* the title is that of a whole, with the number of one of its texts */
} trib_tei_about;

/* Whether a text is a date, for the choice of the first that is. */
typedef bool trib_is_date(const char *text);

/* Reads a header from the first `n` bytes of a file, at most TRIB_HEADER_BYTES. Title and author
 * are those of the titleStmt. The date is the first (date or origDate) in creation, then in a bibl
 * of type firstEdition, then elsewhere in sourceDesc but in a bibl of type digitalSource, that
 * `is_date` accepts: the attributes when, notBefore and notAfter, from and to, or the text without
 * brackets and a full stop. A file without a whole
 * header in these bytes, and one that cannot be parsed, has none of them. TRIB_MEMORY. */
trib_status trib_tei_header(trib_tei_about *about, const char *first, size_t n,
                            trib_is_date *is_date, trib_error *error);

/* Reads the properties of a whole file: those of a DOCX, ODT or EPUB, and the date of creation of a
 * PDF. The date is often when the file was made, not the text. Another file, and one that is
 * damaged, has none. TRIB_MEMORY (properties.c). */
trib_status trib_file_properties(trib_tei_about *about, trib_markup_bytes file,
                                 trib_is_date *is_date, trib_error *error);

#endif
