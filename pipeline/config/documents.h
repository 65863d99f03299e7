/* documents.h - lists of documents: from YAML, from a table (TSV, CSV) or from a pattern of file
 * names; and the rules they must obey. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_DOCUMENTS_H
#define TRIBUTARY_CONFIG_DOCUMENTS_H

#include "pipeline/config/date.h"
#include "pipeline/config/yaml.h"
#include "pipeline/support/ids.h"
#include "pipeline/support/path.h"
#include "pipeline/text/input.h"
#include "pipeline/text/tei_file.h"

/* What a file of TEI says of its texts before they are read. */
typedef struct trib_tei_summary {
    char *name;            /* of a member of an archive; "": the file itself */
    trib_tei_about *about; /* [n_texts], or [1] of a file with one text; NULL: nothing is known */
    const char **around;   /* [n_around] names of the elements around groups, literals */
    size_t n_texts;        /* 0: a file with one text */
    size_t n_around;
} trib_tei_summary;
typedef struct trib_tei_shelf {
    char *path;             /* of a file of TEI on disk, or of an archive */
    trib_tei_summary *item; /* [n] in bytewise order of names */
    size_t n, cap;
} trib_tei_shelf;

/* The documents of a listing, each with its place. `{0}` is empty. */
typedef struct trib_listed {
    trib_corpus_document about;
    trib_place place; /* of its id, or of its file when the id was made from the file name */
    bool has_id;      /* the id was given */
    bool has_title;
    bool is_made;   /* the id was made from the file name */
    unsigned form;  /* row of the table in naming.c that the id was made by; 0 is the shortest */
    size_t name_at; /* offset in about.file of the part that the id is made from */
    char *before;   /* prefix of the id: the id of the folder or archive; NULL: none */
} trib_listed;
typedef struct trib_listing {
    trib_listed *item;
    size_t n, cap;
    trib_left_out *left_out; /* [n_left_out] files of folders and archives that are not read */
    size_t n_left_out, left_out_cap;
    trib_source **source; /* [n_sources] sources of places, owned by the listing */
    size_t n_sources, source_cap;
    trib_tei_shelf file;   /* the file of TEI that was opened last (trib_listing_tei) */
    trib_tei_shelf *shelf; /* [n_shelves] the archives with files of TEI; each is read once */
    size_t n_shelves, shelf_cap;
} trib_listing;
void trib_listing_release(trib_listing *listing);
void trib_document_release(trib_corpus_document *document);

/* The fields of a document, named like their keys and columns. The last row has name NULL. */
typedef struct trib_document_field {
    const char *name, *help;
    size_t offset; /* of a char * in trib_corpus_document; SIZE_MAX for the role */
} trib_document_field;
extern const trib_document_field trib_document_fields[];

/* Appends an empty document. */
trib_status trib_listing_add(trib_listing *listing, trib_place place, trib_listed **added,
                             trib_error *error);
/* Sets a field of a document from text. Reports an invalid value. */
trib_status trib_listing_set(trib_listed *listed, const trib_document_field *field,
                             const char *text, trib_place place, trib_diagnostics *diagnostics,
                             trib_error *error);
/* Reports a pattern of references that is neither a regular expression nor the name of a scheme, or
 * is a misspelled name. */
void trib_reference_diagnose(const char *pattern, trib_place place, trib_diagnostics *diagnostics);
/* Fills in a missing id and title. Reports a missing file and an id that is not allowed. */
trib_status trib_listing_complete(trib_listed *listed, trib_diagnostics *diagnostics,
                                  trib_error *error);

/* Finds what is known of a file on disk, or of a member of an archive, whose name is that of TEI.
 * *summary is NULL for other files, and for one that cannot be read. *number is that of the text
 * when the address names one in the file, otherwise 0. The summary is valid until the next call
 * (header.c). */
trib_status trib_listing_tei(trib_listing *listing, const char *path,
                             const trib_tei_summary **summary, uint64_t *number, trib_error *error);
void trib_listing_close_tei(trib_listing *listing);
/* Fills in a missing title, author and date from a header. */
trib_status trib_listing_header(trib_listed *listed, const trib_tei_about *about,
                                trib_error *error);

/* Finds a date in the name of a file (its last part, without the ending): the one number in it that
 * is a year from 1000 to 2099, such years, a month or a day, "1843", "1843-44", "1843-03-05" or
 * "18430305". No letter may stand beside it, and the name must have letters or be such a day. false
 * when there is none, or more than one. */
enum { TRIB_DATE_FROM_NAME = 16 };
bool trib_date_of_name(char date[TRIB_DATE_FROM_NAME], const char *file);
/* Gives a document without a date that of its file name, if it has one. */
trib_status trib_document_name_date(trib_corpus_document *document, trib_error *error);
/* Gives documents without a date that of their file name, else that of the properties of their
 * file; `is_all`: author and title from the properties, too, where no list or header says them
 * (infer.c). */
trib_status trib_documents_infer(trib_config *config, bool is_all, trib_error *error);

/* Reads the list of YAML mappings at `node`. `manifest` also allows the keys that only
 * corpora/obtain reads. */
trib_status trib_listing_yaml(trib_listing *listing, const trib_yaml *yaml, uint32_t node,
                              bool manifest, trib_diagnostics *diagnostics, trib_error *error);
/* Reads a table whose first line names the columns, in any order. Cells are separated by tabs
 * (`separator` '\t'), or follow RFC 4180 (','), where the first line may show another separator
 * (cells.h). "filename" is an alias of "file". Columns with other names are ignored. Line
 * ends of the source are made equal. */
trib_status trib_listing_table(trib_listing *listing, trib_source *source, char separator,
                               trib_diagnostics *diagnostics, trib_error *error);
/* Reads a file of JSON Lines, {"text": "...", "id": ..., "title": ..., ...}. Each line is a
 * document. Its text is in the line, or in another file when the line has "file" and no "text".
 * TRIB_INPUT, with file and line, when the lines cannot be read. */
typedef struct trib_lines {
    const char *path, *file; /* path to open; name in the listing */
    /* the document the file stands for; NULL: the file is the manifest */
    const trib_listed *within;
} trib_lines;
trib_status trib_listing_lines(trib_listing *listing, const trib_lines *from,
                               trib_diagnostics *diagnostics, trib_error *error);
/* Replaces each entry that stands for several documents (a folder, an archive, a file of JSON Lines
 * or of several texts of TEI; paths must be set) by these documents, in bytewise order of their
 * names. They inherit
 * author, date, role, language, encoding and reference. When the entry has an id of its own, their
 * ids begin
 * with it. Files whose names do not look like texts go to left_out. Reports entries that cannot be
 * listed or contain no text (expand.c). */
trib_status trib_listing_expand(trib_listing *listing, trib_diagnostics *diagnostics,
                                trib_error *error);
/* Records that the file `name` below `path` ("": none) is not read, and why. */
trib_status trib_listing_leave_out(trib_listing *listing, const char *path, const char *name,
                                   const char *why, trib_error *error);
/* Whether a part of a name is that of a file that no listing reads unless it is named: one that
 * begins with a dot, a lock or backup file (expand.c). */
bool trib_listing_is_hidden(const char *name);
/* Ids and titles made from file names (naming.c; their characters: naming/ids.h). */
/* Returns why an id is not allowed although its characters are: it has another meaning, or no file
 * can have this name. NULL when it is allowed. */
const char *trib_id_why_not(const char *id);
/* Makes an id from a file name: its stem in NFC, with '_' for the characters that an id cannot
 * contain. */
trib_status trib_listing_make_id(char **id, const char *file, trib_error *error);
/* Makes the id of a document in its current form or, where that is not allowed, in the next that
 * is; and its title when none was given. */
trib_status trib_listing_name(trib_listed *listed, trib_error *error);
/* Selects the next longer form of the id. false when there is none. */
bool trib_listing_longer(trib_listed *listed);
/* Sorts by id. Where several documents have the same id, those ids that were made from file names
 * become longer. */
trib_status trib_listing_tell_apart(trib_listing *listing, trib_error *error);
/* Appends every regular file whose name matches `pattern` under `root` (NULL: the current
 * directory). Also sets `path`. */
trib_status trib_listing_glob(trib_listing *listing, const char *root, const char *pattern,
                              trib_place place, trib_diagnostics *diagnostics, trib_error *error);

/* Writes "; `corpora/obtain gospels` obtains the missing texts" to `remedy` and returns it when
 * files of documents are missing and a command is known that obtains them; otherwise "". */
enum { TRIB_OBTAIN_MAX = 512 };
const char *trib_config_obtain(const trib_config *config, char remedy[TRIB_OBTAIN_MAX]);

/* Writes "; did you mean 'texts/keeper.txt'?" to `hint` and returns it when the folder of a path
 * that does not exist holds a file with a similar name; otherwise "" (files.c). */
enum { TRIB_NEAREST_MAX = 512 };
const char *trib_nearest_file(const char *path, char hint[TRIB_NEAREST_MAX]);

/* The options with which the files of the documents are read. */
trib_input_options trib_config_input_options(const trib_config *config);
#endif
