/* markup.h - the running text of HTML and XML as UTF-8, through libxml2. Private to pipeline.
 *
 * Nothing is fetched, no DTD is loaded and no entity expanded but those of HTML. What is never shown (head, script, style;
 * in TEI the header and running heads) is left out, and of a <choice> in TEI what is printed in the source stays (sic, orig,
 * abbr). Paragraphs are separated by an empty line, lines and cells by a line end; other elements of HTML and TEI leave no
 * trace, so <hi>w</hi>ord is one word. In XML of another kind every element stands on lines of its own. */
#ifndef TRIBUTARY_MARKUP_H
#define TRIBUTARY_MARKUP_H

#include "base/base.h"

/* Reads `length` bytes of a file, appends their text; `name` is for messages. TRIB_INPUT where it cannot be parsed, with the
 * line, or holds entities of its own, or this build has no libxml2 (the message names the package). */
typedef trib_status (*trib_markup_reader)(trib_buffer *text, const char *name, const char *bytes,
                                          size_t length, trib_error *error);

/* What reads a file, known by the ending of its name under that of its packing (.gz and so on): .html .htm .xhtml .xml .tei;
 * NULL for plain text. */
trib_markup_reader trib_markup_find(const char *path);

#endif
