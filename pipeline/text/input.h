/* input.h - reads the file of a document as a stream of text, decompressed and without markup.
 * Private to pipeline.
 *
 * This room turns the bytes at an address into text: formats with markup, archives, compression,
 * encodings, boilerplate. To add a format, add a row to the table in text_formats.c; a
 * stripper for boilerplate is a row in strip.c.
 *
 * HTML, XML and EPUB are recognised by their names, and PDF by its first bytes; they are converted
 * to text in UTF-8 (markup.h). Places in a text are places in the output of this stream. */
#ifndef TRIBUTARY_TEXT_INPUT_H
#define TRIBUTARY_TEXT_INPUT_H

#include "pipeline/text/byte_source.h"
#include "pipeline/text/markup.h"
#include "pipeline/text/packing.h"

typedef struct trib_input {
    trib_byte_source source; /* the stored bytes */
    trib_unpacked unpacked;  /* decompresses them */
    const char *kind; /* "text", or the format that the text was made from: "HTML", "EPUB", ... */
    bool is_markup;   /* the text is UTF-8, whatever corpus.encoding says */
    bool is_made;     /* made.text is the whole text */
    /* the text without markup; of plain text the bytes that were read ahead, to examine the file or
     * to keep the text */
    trib_markup_text made;
    size_t position; /* read position in made.text */
} trib_input;

enum { TRIB_KIND_MAX = 32 };
/* Describes a file by its name and its first bytes (at most 8): compression and format, such as
 * "text" or "gzip HTML". */
void trib_input_kind(char kind[TRIB_KIND_MAX], const char *path, const trib_byte_source *source,
                     const unsigned char *first, size_t n);

/* Options for reading a file. */
typedef struct trib_input_options {
    trib_notes notes;        /* for files with markup */
    trib_edition edition;    /* for editions and recognised pages; its strings are borrowed */
    trib_invalid on_invalid; /* for bytes that are invalid in the encoding the file declares */
    const char *encoding; /* plain text must be text in it (text_formats.h); NULL: not examined */
} trib_input_options;

/* Opens the bytes at an address; `spool` and `options` may be NULL (byte_source.h). `path` is
 * borrowed until close. TRIB_INPUT when the file cannot be read: it is missing or a directory,
 * needs a library that this build lacks (the message names the package), has markup that cannot be
 * parsed or a format that is not read (text_formats.h), or contains several texts. */
/* An open input must not be moved, since it contains pointers to itself. */
trib_status trib_input_open(trib_input *input, const char *path, struct trib_spool_of_texts *spool,
                            const trib_input_options *options, trib_error *error);
/* Reads up to `size` bytes. *got is 0 only at the end. TRIB_INPUT when compressed data are damaged,
 * truncated, or exceed the limits of archive.h. */
trib_status trib_input_read(trib_input *input, void *bytes, size_t size, size_t *got,
                            trib_error *error);
/* Appends the rest of the text to `buffer`. */
trib_status trib_input_all(trib_input *input, trib_buffer *buffer, trib_error *error);
void trib_input_close(trib_input *input); /* `{0}` is legal */

#endif
