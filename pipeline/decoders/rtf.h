/* rtf.h - the text of RTF files (Rich Text Format 1.9.1, Microsoft 2008). Private to pipeline. */
#ifndef TRIBUTARY_DECODERS_RTF_H
#define TRIBUTARY_DECODERS_RTF_H

#include "pipeline/markup/markup.h"

/* Appends the text of an RTF file. Its bytes are decoded by the code page of their font. Headers,
 * footers, comments, hidden and deleted text, labels of lists, pictures and codes of fields are not
 * read; footnotes and endnotes as trib_markup_text.notes says. TRIB_INPUT when it is not RTF, or is
 * nested too deep. */
trib_status trib_rtf_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
/* Appends the version of this reader. */
trib_status trib_rtf_print_reader(trib_buffer *to, trib_error *error);

#endif
