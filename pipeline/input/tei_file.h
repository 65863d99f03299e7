/* tei_file.h - files on disk that have several texts of TEI (markup/tei_texts.h). Text 2 of
 * "volume.xml" has the address "volume.xml/2". Private to pipeline. */
#ifndef TRIBUTARY_INPUT_TEI_FILE_H
#define TRIBUTARY_INPUT_TEI_FILE_H

#include "pipeline/markup/tei_texts.h"

/* Whether the name of a file is that of XML or TEI, also when compressed (.xml.gz). */
bool trib_tei_file_is_named(const char *path);
/* Reads the first TRIB_HEADER_BYTES of a file, or all of it when that decides whether it has
 * several texts. Then `texts` has them; otherwise its n is 0. TRIB_INPUT when the file cannot be
 * read or parsed. */
trib_status trib_tei_file_open(trib_tei_texts *texts, trib_buffer *first, const char *path,
                               trib_error *error);
/* Appends text `number` (decimal, from 1) of a file as a file of its own. */
trib_status trib_tei_file_text(const char *path, const char *number, trib_buffer *to,
                               trib_error *error);

#endif
