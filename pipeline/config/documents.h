/* documents.h - the list of documents: from YAML, from a table (TSV, CSV), from a pattern of file
 * names; and what must hold of it. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_DOCUMENTS_H
#define TRIBUTARY_CONFIG_DOCUMENTS_H

#include "pipeline/config/yaml.h"
#include "pipeline/input/input.h"
#include "pipeline/support/path.h"

/* Documents as they are listed, each with its place. `{0}` is empty. */
typedef struct trib_listed {
    trib_corpus_document about;
    trib_place place; /* of its id, or of its file where the id was made from it */
    bool has_id;      /* it was given one */
    bool has_title;
    bool is_made;   /* its id, from the file's name */
    unsigned form;  /* how long it is: 0 shortest (naming.c) */
    size_t name_at; /* where in about.file the name begins that it is made from */
    char *before;   /* what it begins with: the id of what the document lies in; NULL: nothing */
} trib_listed;
typedef struct trib_listing {
    trib_listed *item;
    size_t n, cap;
    trib_left_out *left_out; /* [n_left_out] of folders and archives */
    size_t n_left_out, left_out_cap;
    trib_source **source; /* [n_sources] that places are in, beyond the caller's */
    size_t n_sources, source_cap;
} trib_listing;
void trib_listing_release(trib_listing *listing);
void trib_document_release(trib_corpus_document *document);

/* The fields of a document, by the names of their keys and columns; the last ends with name
 * NULL. */
typedef struct trib_document_field {
    const char *name, *help;
    size_t offset; /* of a char * in trib_corpus_document; SIZE_MAX for the role */
} trib_document_field;
extern const trib_document_field trib_document_fields[];

/* Appends an empty document. */
trib_status trib_listing_add(trib_listing *listing, trib_place place, trib_listed **added,
                             trib_error *error);
/* Sets a field of a document from text; complains when it is wrong. */
trib_status trib_listing_set(trib_listed *listed, const trib_document_field *field,
                             const char *text, trib_place place, trib_diagnostics *complaints,
                             trib_error *error);
/* Fills in what was left out: id, title. Complains when there is no file or the id is not
 * allowed. */
trib_status trib_listing_complete(trib_listed *listed, trib_diagnostics *complaints,
                                  trib_error *error);

/* The list of YAML maps at `node`; `manifest` allows the keys that only corpora/obtain reads. */
trib_status trib_listing_yaml(trib_listing *listing, const trib_yaml *yaml, uint32_t node,
                              bool manifest, trib_diagnostics *complaints, trib_error *error);
/* Lines of cells under a header line that names the columns, in any order: tabs between them
 * (separator '\t'), or as in RFC 4180 (','), where the first line may say that it is ';'.
 * "filename" is "file". Columns of other names are not read. */
trib_status trib_listing_table(trib_listing *listing, const trib_source *source, char separator,
                               trib_diagnostics *complaints, trib_error *error);
/* The lines of a file, {"text": "...", "id": ..., "title": ..., ...}: each is a document, its text
 * in that line, or where a line has "file" and no "text", in that file. TRIB_INPUT, with file and
 * line, where they cannot be read. */
typedef struct trib_lines {
    const char *path, *file;   /* what is opened; how it is written in the listing */
    const trib_listed *within; /* what it stands for; NULL: it is the manifest */
} trib_lines;
trib_status trib_listing_lines(trib_listing *listing, const trib_lines *from,
                               trib_diagnostics *complaints, trib_error *error);
/* Replaces what stands for several documents (a folder, an archive, a file of JSON Lines; paths are
 * set) by them, in bytewise order of their names. They have the author, date and role of what they
 * lie in, and its id before their own where it was given one. What is no text by its name goes to
 * left_out. Complains where something cannot be listed or holds no text (expand.c). */
trib_status trib_listing_expand(trib_listing *listing, trib_diagnostics *complaints,
                                trib_error *error);
/* Notes that `name` (below `path`, "" for none) is not read. */
trib_status trib_listing_leave_out(trib_listing *listing, const char *path, const char *name,
                                   const char *why, trib_error *error);
/* Ids and titles made from file names (naming.c). An id has at most TRIB_ID_MOST of
 * trib_id_characters. */
enum { TRIB_ID_MOST = 200 };
extern const char trib_id_characters[];
/* An id from a file name: its stem, with '_' for every character an id cannot have. */
trib_status trib_listing_make_id(char **id, const char *file, trib_error *error);
/* Makes the id of a document, in the form it has, and its title where it was given none. */
trib_status trib_listing_name(trib_listed *listed, trib_error *error);
/* Goes to the next longer form; false when there is none. */
bool trib_listing_longer(trib_listed *listed);
/* Sorts by id; ids that were made from names get longer where two documents would have the same
 * one. */
trib_status trib_listing_tell_apart(trib_listing *listing, trib_error *error);
/* Every regular name that matches `pattern` under `root` (NULL: the current directory). Sets `path`
 * too. */
trib_status trib_listing_glob(trib_listing *listing, const char *root, const char *pattern,
                              trib_place place, trib_diagnostics *complaints, trib_error *error);

/* Reads "1865-04-15", "1623-11", "0070" or "-0043" (44 BC) of the proleptic Gregorian calendar: ISO
 * 8601 with a year of four digits. "c. 1776", "ca. 1776" and "1776?" are the year 1776. [*year,
 * *year_end) is the day, month or year it names. false when it is no such date. */
bool trib_date_read(const char *text, double *year, double *year_end);

/* How a configuration wants a document's file read. */
trib_input_options trib_config_input_options(const trib_config *config);

#endif
