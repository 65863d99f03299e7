/* spool.h - the texts of a run's documents in an unnamed scratch file, so that each is decoded once
 * (trib_input_open), and the bytes of those that lie in archives, JSON Lines or files of TEI, all
 * documents of a file at once. Private to pipeline.
 *
 * To reach a member of a compressed tar, everything before it must be decompressed. To reach a
 * line of JSON, all lines before it must be read. To reach a text of TEI, the file must be parsed.
 * Reading n documents one at a time therefore costs n^2 / 2. Instead, when the first document of
 * such a file is needed, the whole file is read once, and its documents are written one after the
 * other to the scratch file. Any thread can read them from there in any order. What cannot be read
 * there has the same error as without the spool. When the disk has no room for it, a document is
 * read alone, and `no_room` says why. The spool changes the cost of reading, but never the result
 * or the errors. */
#ifndef TRIBUTARY_TEXT_SPOOL_H
#define TRIBUTARY_TEXT_SPOOL_H

#include "pipeline/text/markup.h"

/* The decoded texts that are kept, in bytes: of all, and of one. Others are decoded again. */
enum { TRIB_SPOOL_MOST = 256 << 20, TRIB_SPOOL_LONGEST = 64 << 20 };

/* A document. */
typedef struct trib_spool_of_texts_item {
    const char *path; /* its address (input.h), borrowed */
    size_t n_file;    /* length of the part that names the file; 0: it is a file of its own */
    uint64_t from, size;
    bool is_there;   /* the document is `size` bytes of the scratch file, from byte `from` on */
    const char *why; /* why it cannot be read; NULL: it can, or was not sought */
    bool was_sought;
    bool is_decoded; /* its text is in the scratch file: n_text bytes, packed, from `text` on */
    uint64_t text, n_text;
} trib_spool_of_texts_item;

typedef struct trib_spool_of_texts {
    /* [n] in bytewise order of paths, so that the documents of a file are adjacent; paths are
     * distinct */
    trib_spool_of_texts_item *item;
    size_t n, cap;
    trib_writer scratch;
    trib_reader reader;        /* of the scratch file */
    bool is_open, keeps_texts; /* keeps_texts: decoded texts, set before the first add */
    bool follows_links;        /* of the pages of METS files */
    uint64_t n_kept;           /* their bytes */
    /* files read as a whole; documents that had to be read on their own */
    uint64_t n_passes, n_alone;
    char **why; /* [n_why] errors of documents */
    size_t n_why, cap_why;
    trib_error no_room; /* why the scratch file cannot be written */
} trib_spool_of_texts;

/* Adds an address that will be read, if it is inside a file or texts are kept. Must be called
 * before the first read. `path` is borrowed until close. */
trib_status trib_spool_of_texts_add(trib_spool_of_texts *spool, const char *path,
                                    trib_error *error);
/* Sorts the addresses. Call it after the last trib_spool_of_texts_add. */
void trib_spool_of_texts_arrange(trib_spool_of_texts *spool);
/* Appends the bytes of a document to `to`. *is_there is false, and nothing is appended, when they
 * are not in the spool. Threads may call it concurrently. TRIB_MEMORY; TRIB_INPUT when the document
 * or the scratch file cannot be read. */
trib_status trib_spool_of_texts_take(trib_spool_of_texts *spool, const char *path, trib_buffer *to,
                                     bool *is_there, trib_error *error);
/* Whether the decoded text of a document may be kept. */
bool trib_spool_of_texts_may_keep(const trib_spool_of_texts *spool, const char *path);
/* Keeps the text of a document, after trib_markup_finish, unless it is too large. `is_utf8` comes
 * back with it. */
void trib_spool_of_texts_keep(trib_spool_of_texts *spool, const char *path,
                              const trib_markup_text *text, bool is_utf8);
/* Reads a text that was kept into `text`, of which it fills text, parts, references, n_replaced
 * and remark. *is_there is false, and nothing is read, when it was not. Errors as
 * trib_spool_of_texts_take. */
trib_status trib_spool_of_texts_text(trib_spool_of_texts *spool, const char *path,
                                     trib_markup_text *text, bool *is_utf8, bool *is_there,
                                     trib_error *error);
void trib_spool_of_texts_close(trib_spool_of_texts *spool); /* `{0}` is legal */

#endif
