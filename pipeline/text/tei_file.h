/* tei_file.h - files that have several texts of TEI (markup/tei_texts.h). Text 2 of "volume.xml"
 * has the address "volume.xml/2", and in an archive "books.zip/volume.xml/2". Private to
 * pipeline. */
#ifndef TRIBUTARY_TEXT_TEI_FILE_H
#define TRIBUTARY_TEXT_TEI_FILE_H

#include "pipeline/text/archive.h"
#include "pipeline/text/tei_texts.h"

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
