/* tei.h - files that have several texts of TEI, and what the header of a TEI file, or the
 * properties of a file, say of its text: title, author, date. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_TEI_H
#define TRIBUTARY_TEXT_TEI_H

#include "pipeline/text/archive.h"
#include "pipeline/text/markup.h"

/* ---- About a text (header.c) ----------------------------------------------------------------- */

enum { TRIB_HEADER_BYTES = 1 << 18, TRIB_TITLE_MOST = 160 };

/* Texts in UTF-8, "" for what the header does not say. White space is made single spaces; a title
 * or author longer than TRIB_TITLE_MOST bytes is cut at a space and ends in an ellipsis. */
typedef struct trib_tei_about {
    char title[TRIB_TITLE_MOST + 4], author[TRIB_TITLE_MOST + 4], date[TRIB_TITLE_MOST + 4];
    bool is_numbered; /* the title is that of a whole, with the number of one of its texts */
} trib_tei_about;

/* Packs one (apart.h). */
void trib_tei_about_pack(trib_pack *pack, void *about);

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
 * damaged, has none. TRIB_MEMORY. */
trib_status trib_file_properties(trib_tei_about *about, trib_markup_bytes file,
                                 trib_is_date *is_date, trib_error *error);

/* ---- Several texts (tei.c) ------------------------------------------------------------------- */

/* The texts of a file of TEI that has several: the members of a <teiCorpus>, or of a <group> (TEI
 * P5, chapters 15 and 4.3.1), or several in one <TEI>, which the schema does not allow but some
 * files have. Each <text> without a <group> in it is a text of its own, in the order of the file.
 * What stands around a <group> (<front>, <back>) belongs to none of them. Text 2 of "volume.xml"
 * has the address "volume.xml/2", and in an archive "books.zip/volume.xml/2". */

typedef enum {
    TRIB_TEI_ONE,    /* no TEI */
    TRIB_TEI_UNSURE, /* TEI with at most one text so far: more of the file is needed */
    TRIB_TEI_SEVERAL /* it may have several texts */
} trib_tei_count;
/* What the first `n` bytes of an XML file say about the number of its texts. */
trib_tei_count trib_tei_texts_begin(const char *first, size_t n);

/* A parsed file. `{0}` is empty. */
typedef struct trib_tei_texts {
    void *document;      /* xmlDoc */
    const void **text;   /* [n] xmlNode: the texts */
    const void **around; /* [n_around] xmlNode: front and back around groups, with words */
    size_t n, cap, n_around, around_cap;
    trib_apart_process *apart; /* has them instead, where there is a sandbox; `around` has names */
    size_t asked;              /* there: the number of a text, a trib_is_date if what is said */
    void (*is_date)(void);     /* about it is asked for, and what is answered */
    trib_buffer made;
    trib_tei_about about;
} trib_tei_texts;
/* Parses a file and finds its texts; none in a file that is not TEI. TRIB_INPUT when it cannot be
 * parsed. */
trib_status trib_tei_texts_open(trib_tei_texts *texts, trib_markup_bytes file, trib_error *error);
void trib_tei_texts_close(trib_tei_texts *texts);
/* Appends text `i` as a file of TEI of its own, in UTF-8. */
trib_status trib_tei_texts_add(const trib_tei_texts *texts, size_t i, trib_buffer *to,
                               trib_error *error);
/* Title, author and date of text `i`, from the header of its <TEI>, otherwise from those of the
 * corpora around it. The title of a member of a <group>, of one of several texts in a <TEI>, and of
 * a text whose <TEI> has none, is its first heading, otherwise that of the whole with the number of
 * the text. */
trib_status trib_tei_texts_about(const trib_tei_texts *texts, size_t i, trib_tei_about *about,
                                 trib_is_date *is_date, trib_error *error);
/* The name of element `i` of those around groups: "front" or "back", a literal. */
const char *trib_tei_texts_around(const trib_tei_texts *texts, size_t i);

/* Whether the name of a file is that of XML or TEI, also when compressed (.xml.gz). */
bool trib_tei_file_is_named(const char *path);
/* The length of "volume.xml" in "volume.xml/2", which names a text in a file of TEI; 0 for other
 * names. */
size_t trib_tei_file_split(const char *path);

/* Reads the first TRIB_HEADER_BYTES of a file on disk, or all of it when it is TEI. When it has
 * several texts, `texts` has them; otherwise its n is 0. TRIB_INPUT when the file cannot be read or
 * parsed. */
trib_status trib_tei_file_open(trib_tei_texts *texts, trib_buffer *first, const char *path,
                               trib_error *error);
/* The same of the current member of an archive. `name` is used in messages. */
trib_status trib_tei_member_open(trib_tei_texts *texts, trib_buffer *first, trib_archive *archive,
                                 const char *name, trib_error *error);
/* Appends a text as a file of its own: text `part` (decimal, from 1) of a file of TEI, or of a file
 * in an archive, whose `part` is then "volume.xml/2". A member with that name, in a folder
 * "volume.xml", is appended as it is. */
trib_status trib_tei_file_text(const char *path, const char *part, trib_buffer *to,
                               trib_error *error);
/* Whether bytes that have the address of a text are XML, as trib_tei_file_text makes it. */
bool trib_tei_file_is_made(const trib_buffer *bytes);

#endif
