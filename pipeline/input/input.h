/* input.h - a document's file as a stream of text, unpacked where it is packed, without markup.
 * Private to pipeline.
 *
 * HTML, XML and EPUB, known by their names, and PDF, known by its first bytes, become their text in
 * UTF-8 (markup.h). Places in a text are places in what is read here. */
#ifndef TRIBUTARY_INPUT_INPUT_H
#define TRIBUTARY_INPUT_INPUT_H

#include "pipeline/input/byte_source.h"
#include "pipeline/input/markup.h"
#include "pipeline/input/packing.h"

typedef struct trib_input {
    trib_byte_source stored; /* the file as it is stored; as it is stored */
    trib_unpacked unpacked;  /* reads them */
    const char *kind;        /* "text", or what it was made a text from: "HTML", "EPUB", ... */
    bool is_markup;          /* what is read is UTF-8, whatever the corpus is written in */
    bool is_made;            /* what is read is made.text */
    trib_markup_text made;   /* without markup; empty for plain text */
    size_t position;         /* in it */
    trib_buffer head;        /* the first bytes, unpacked, which were looked at */
    size_t head_at;          /* what of them was given out */
} trib_input;

enum { TRIB_KIND_MAX = 32 };
/* What a file is, by its name and its first bytes (at most 8): its packing, and what its text is
 * made from; "text", "gzip HTML". */
void trib_input_kind(char kind[TRIB_KIND_MAX], const char *path, const trib_byte_source *stored,
                     const unsigned char *first, size_t n);

/* How a file is read. */
typedef struct trib_input_options {
    trib_notes notes;        /* of a marked-up text */
    trib_invalid on_invalid; /* bytes that the encoding it declares does not have */
    bool is_container; /* its bytes are wanted as they are, unpacked: it holds several texts */
} trib_input_options;

/* Opens what is at an address, on a shelf or without (byte_source.h); `path` is borrowed until
 * close; without `options` (NULL) by the defaults. TRIB_INPUT when it cannot be read or unpacked:
 * missing, a directory, packed or marked up by what this build cannot read (the message names the
 * package), markup that cannot be parsed, a format that is not read (unreadable_formats.h), several
 * texts. */
/* An open input is not moved: it points into itself. */
trib_status trib_input_open(trib_input *input, const char *path, struct trib_spool_of_texts *shelf,
                            const trib_input_options *options, trib_error *error);
/* Fails where trib_input_open would by the name and the first bytes. */
trib_status trib_input_check(const char *path, struct trib_spool_of_texts *shelf,
                             trib_error *error);
/* Reads up to `size` bytes; *got is 0 only at the end. TRIB_INPUT where the packed file is damaged
 * or cut, and beyond the limits above. */
trib_status trib_input_read(trib_input *input, void *bytes, size_t size, size_t *got,
                            trib_error *error);
/* The whole rest, appended to `buffer`. */
trib_status trib_input_all(trib_input *input, trib_buffer *buffer, trib_error *error);
void trib_input_close(trib_input *input); /* `{0}` is legal */

#endif
