/* pandoc.h - the parts of the decoders of files that the program pandoc reads: DOCX, ODT, LaTeX,
 * Markdown, Org, DocBook, FictionBook and MediaWiki. Private to pipeline.
 *
 * pandoc runs with --sandbox: it reads no other file and no network, and with the limits of
 * programs.h. Tracked changes are accepted; comments, headers and footers are not read, and neither
 * are formulas, citations and the metadata of the file. Notes are read as trib_markup_text.notes
 * says. TRIB_INPUT when pandoc is not installed (the message names the package) or cannot read the
 * file, and when the file is not UTF-8 though its format demands it. */
#ifndef TRIBUTARY_TEXT_PANDOC_H
#define TRIBUTARY_TEXT_PANDOC_H

#include "pipeline/text/text_formats.h"

/* The limits of pandoc for a file of `n_bytes`, those of a zip unpacked. */
trib_program_limits trib_pandoc_limits(uint64_t n_bytes);

/* Does the work of the decoders, for the format `format` of pandoc, with this program and these
 * limits. */
trib_status trib_pandoc_convert(trib_markup_text *to, trib_markup_bytes file, const char *format,
                                const char *a_file, const char *program,
                                const trib_program_limits *limits, trib_error *error);

/* Appends the text of a document in the JSON of pandoc (pandoc_text.c). TRIB_INPUT when it is not
 * such JSON, or nested more than 2048 deep. */
trib_status trib_pandoc_json_text(trib_markup_text *to, const char *name, const char *bytes,
                                  size_t length, trib_error *error);

/* Appends a LaTeX file in UTF-8 as pandoc shall read it: definitions of common macros that pandoc
 * does not know, those of the file, and the body of the document (latex.c). */
trib_status trib_latex_prepare(trib_buffer *to, const char *text, size_t length, trib_error *error);
/* The encoding that \usepackage[...]{inputenc} names, as ICU calls it; NULL: none, or UTF-8. */
const char *trib_latex_encoding(const char *text, size_t length);

#endif
