/* input.h - reads the file of a document as a stream of text, decompressed and without markup.
 * Private to pipeline.
 *
 * This room turns the bytes at an address into text: formats with markup, archives, compression,
 * encodings, boilerplate. To add a format, add a row to the table in text_formats.c; a
 * stripper for boilerplate is a row in strip.c. */
#ifndef TRIBUTARY_TEXT_INPUT_H
#define TRIBUTARY_TEXT_INPUT_H

#include "pipeline/text/archive.h"
#include "pipeline/text/markup.h"

/* ---- Addresses (address.c) ------------------------------------------------------------------- */

/* The address of a document is the path of a file, or of a text inside a file. A path that
 * continues after a file names a text inside it: "books.zip/one.txt" is a member of the archive,
 * "papers.jsonl/17" the value of "text" in line 17 (from 1), "volume.xml/2" the second text of
 * a file of TEI, and "letters/keeper" the text of that id in the library in the folder `letters`.
 * A table or JSON Lines may be followed by the name of the column of the texts,
 * "papers.csv#speech/17", unless there is a file with such a name. "book/" and "book.zip/" are the
 * pages in a folder or an archive as one text. "-" is standard input. */

/* Length of the leading part of `path` that names a file, possibly with a column, when the path
 * continues after it; otherwise 0. */
size_t trib_address_split(const char *path);
/* The name of the column after a file and '#', when `path` ends with one; otherwise NULL. */
const char *trib_address_column(const char *path);
/* Makes *settled the one address of a text: absolute, without symbolic links. TRIB_MEMORY. */
trib_status trib_address_settle(char **settled, const char *path, trib_error *error);
/* Whether a text can be read at an address, as far as the name and the file system show. */
bool trib_address_is_there(const char *path);
/* TRIB_INPUT when the file of an address is a pipe or a device. Opening it could block for ever,
 * and a run reads each document twice. */
trib_status trib_address_check(const char *path, trib_error *error);

/* A hash of the size and times of the file of an address, which changes when the file does. 0 when
 * there is no file. */
uint64_t trib_address_stamp(const char *path);

/* Standard input, once it was opened by its address "-": each opening begins at its begin. It is a
 * file of JSON Lines where corpus.manifest is "-". */
#define TRIB_INPUT_LINES "/dev/fd/0"

/* ---- The pages of a METS file (mets.c) ------------------------------------------------------- */

/* METS (Metadata Encoding and Transmission Standard, Library of Congress) says which files have the
 * texts of the pages, in which order, and their numbers. */
enum { TRIB_METS_LABEL = 40 };

/* A page with a text. */
typedef struct trib_mets_page {
    char *file; /* relative to the folder of the METS file; never leads out of it */
    char label[TRIB_METS_LABEL]; /* "p. xii" as printed, otherwise "page 4" by its order */
    uint32_t line;               /* of the METS file where the page's file is named */
    size_t from, to;             /* for the caller: where the bytes of the file are */
} trib_mets_page;
/* `{0}` is empty. */
typedef struct trib_mets {
    trib_mets_page *page; /* [n] in reading order */
    size_t n, cap;
    size_t n_others; /* of a folder: other files with texts, which are not read */
} trib_mets;

/* Whether the first bytes of an XML file are those of METS, by its root element. */
bool trib_mets_begins(const char *first, size_t n);
/* Reads the pages. Their order is that of the physical structMap, otherwise that of the files. Of
 * several groups of files with texts the one whose USE is FULLTEXT counts, otherwise the last. A
 * page without a file in this group is blank and skipped. TRIB_INPUT, with the line, for a file
 * that cannot be parsed or names no texts, and for a page outside its folder. TRIB_MEMORY. */
trib_status trib_mets_read(trib_mets *mets, trib_markup_bytes file, trib_error *error);
void trib_mets_release(trib_mets *mets);
void trib_mets_pack(trib_pack *pack, void *mets); /* apart.h */

/* Whether an address, with "/" at its end, is that of pages in a folder or archive (pages.c). */
bool trib_pages_are_named(const char *path);
/* Lists the pages and appends their bytes, one after the other; `bytes` NULL: lists them alone.
 * TRIB_INPUT when there are none, or one cannot be read. */
trib_status trib_pages_read(trib_mets *pages, trib_buffer *bytes, const char *path,
                            bool follows_links, trib_error *error);

/* ---- Bytes as they are stored (input.c) ------------------------------------------------------ */

/* In a file, in a member of an archive, in a line of JSON, in a file of several texts, or on
 * standard input. */
struct trib_spool_of_texts;

typedef struct trib_byte_source {
    trib_reader reader; /* reads the bytes */
    trib_buffer bytes;  /* the bytes, when they are only a part of a file */
    /* What they are in: "JSON Lines", "table", "text of a library"; then they are UTF-8, whatever
     * corpus.encoding says. NULL: a file of their own. */
    const char *kind;
    /* the format of a text of a file that has several, of TEI (tei.h) or with marks; or NULL */
    const struct trib_text_format *format;
    trib_mets mets; /* the pages of a METS file or a folder; n 0: it is none */
    uint64_t stamp; /* as trib_byte_source_stamp, of before the bytes were opened */
} trib_byte_source;

/* Opens the bytes at an address, or their copy in `spool` (spool.h; NULL: no spool). `path` is
 * borrowed until close. TRIB_INPUT when they cannot be read. The first call for standard input
 * copies it to a temporary file, which replaces it. After that, standard input can be opened any
 * number of times; the first call must not run at the same time as another. */
trib_status trib_byte_source_open(trib_byte_source *source, const char *path,
                                  struct trib_spool_of_texts *spool, trib_error *error);
/* Where the bytes are those of a METS file on disk, appends those of its pages, one after the
 * other, and sets source->mets, whose files are then paths; so it does where the address is that of
 * pages. TRIB_INPUT, with file and line, for a
 * page that is missing, cannot be read, or is a link out of their folder that is not followed
 * (mets.c). */
trib_status trib_byte_source_add_pages(trib_byte_source *source, const char *path,
                                       bool follows_links, trib_error *error);
/* As trib_address_stamp; `has_pages`: of a METS file with its pages. */
uint64_t trib_byte_source_stamp(const char *path, bool has_pages);
void trib_byte_source_close(trib_byte_source *source); /* `{0}` is legal */

/* ---- Decoding (decode.c) -------------------------------------------------------------------- */

struct trib_text_format;

/* Makes the text of a file, or of pages whose bytes stand one after the other in `bytes`: by the
 * decoders of their formats, apart (apart.h) where these use libraries that parse foreign bytes,
 * and then by trib_markup_finish. */
trib_status trib_decode_file(trib_markup_text *to, const struct trib_text_format *row,
                             trib_markup_bytes file, trib_error *error);
/* Packs what they make: text, parts, references, account, n_replaced and remark. */
void trib_markup_pack(trib_pack *pack, void *text);
trib_status trib_decode_pages(trib_markup_text *to, const trib_mets *pages, trib_markup_bytes bytes,
                              trib_error *error);

/* ---- Text (input.c) -------------------------------------------------------------------------- */

/* HTML, XML and EPUB are recognised by their names, and PDF by its first bytes; they are converted
 * to text in UTF-8 (markup.h). Places in a text are places in the output of this stream. */
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
    bool follows_links;      /* of the pages of a METS file */
    trib_notes notes;        /* for files with markup */
    trib_edition edition;    /* for editions and recognised pages; its strings are borrowed */
    trib_invalid on_invalid; /* for bytes that are invalid in the encoding the file declares */
    const char *encoding; /* plain text must be text in it (text_formats.h); NULL: not examined */
} trib_input_options;

/* Opens the bytes at an address; `spool` and `options` may be NULL (spool.h). `path` is
 * borrowed until close. TRIB_INPUT when the file cannot be read: it is missing or a directory,
 * has markup that cannot be parsed or a format that is not read (text_formats.h), or contains
 * several texts. An open input must not be moved, since it contains pointers to itself. */
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
