/* documents.h - lists of documents: from YAML, from a table (TSV, CSV) or from a pattern of file
 * names; and the rules they must obey. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_DOCUMENTS_H
#define TRIBUTARY_CONFIG_DOCUMENTS_H

#include "base/arena.h"
#include "pipeline/config/date.h"
#include "pipeline/config/yaml.h"
#include "pipeline/support/names.h"
#include "pipeline/support/path.h"
#include "pipeline/text/input.h"
#include "pipeline/text/tei.h"

/* What a file of TEI says of its texts before they are read. */
typedef struct trib_tei_summary {
    const char *name;      /* of a member of an archive; "": the file itself */
    trib_tei_about *about; /* [n_texts], or [1] of a file with one text; NULL: nothing is known */
    const char **around;   /* [n_around] names of the elements around groups, literals */
    size_t n_texts;        /* 0: a file with one text */
    size_t n_around;
} trib_tei_summary;
/* The summaries of a file of TEI, or of those in an archive. */
typedef struct trib_tei_shelf {
    trib_arena arena;
    const char *path;       /* of a file of TEI on disk, or of an archive */
    trib_tei_summary *item; /* [n] in bytewise order of names */
    size_t n;
} trib_tei_shelf;

/* A document of a listing, with its place. */
typedef struct trib_listed {
    trib_corpus_document about;
    trib_place place; /* of its id, or of its file when the id was made from the file name */
    bool has_id;      /* the id was given */
    bool has_title;
    bool is_made;       /* the id was made from the file name */
    bool is_stored;     /* its library was listed, not the text */
    unsigned form;      /* row of the table in documents.c that the id was made by; 0: shortest */
    size_t name_at;     /* offset in about.file of the part that the id is made from */
    const char *before; /* prefix of the id: the id of the folder or archive; NULL: none */
    const char **cell;  /* of a row of a table: what is no field, by its column; NULL: no row */
} trib_listed;
/* The documents of a listing. Without documents it has an arena and diagnostics. */
typedef struct trib_listing {
    trib_arena *arena; /* of all texts in the listing; keeps the first failure; borrowed */
    trib_diagnostics *diagnostics; /* take the mistakes; borrowed */
    bool follows_links;            /* corpus.links */
    bool skips_refused;            /* corpus.on_error */
    trib_listed *item;             /* [n] */
    size_t n, cap;
    trib_left_out *left_out; /* [n_left_out] files of folders and archives that are not read */
    size_t n_left_out;
    trib_tei_shelf file;   /* the file of TEI that was opened last (trib_listing_tei) */
    trib_tei_shelf *shelf; /* [n_shelves] the archives with files of TEI; each is read once */
    size_t n_shelves;
} trib_listing;
/* Releases what does not lie in the arena. */
void trib_listing_release(trib_listing *listing);

/* The fields of a document, named like their keys and columns. The last row has name NULL. */
typedef struct trib_document_field {
    const char *name;
    size_t offset; /* of a const char * in trib_corpus_document; SIZE_MAX for the role */
} trib_document_field;
extern const trib_document_field trib_document_fields[];
extern const char *const trib_role_names[]; /* by trib_role; the last is NULL */
/* The text of a field, NULL when there is none or it is the role. */
const char *trib_document_field_text(const trib_corpus_document *document,
                                     const trib_document_field *field);

/* A document without fields. */
trib_listed trib_listed_begin(trib_place place);
/* Sets a field of a document from text. Reports an invalid value. */
void trib_listing_set(trib_listing *listing, trib_listed *listed, const trib_document_field *field,
                      const char *text, trib_place place);
/* Reports a pattern of references that is neither a regular expression nor the name of a scheme, or
 * is a misspelled name. */
void trib_reference_diagnose(const char *pattern, trib_place place, trib_diagnostics *diagnostics);
/* Fills in a missing id and title. Reports a missing file and an id that is not allowed. */
void trib_listing_complete(trib_listing *listing, trib_listed *listed);
/* Appends a document. */
void trib_listing_add(trib_listing *listing, const trib_listed *listed);
/* A copy in the arena of an allocated text, which is freed; "" for NULL. */
const char *trib_kept(trib_arena *arena, char *text);
/* A copy in the arena in which control bytes and bytes that are not UTF-8 are \xNN. */
const char *trib_shown(trib_arena *arena, const char *text);

/* Finds what is known of a file on disk, or of a member of an archive, whose name is that of TEI.
 * NULL for other files, and for one that cannot be read. *number is that of the text when the
 * address names one in the file, otherwise 0. The summary is valid until the next call
 * (infer.c). */
const trib_tei_summary *trib_listing_tei(trib_listing *listing, const char *path, uint64_t *number);
void trib_listing_close_tei(trib_listing *listing);
/* Fills in a missing title, author and date from a header. */
void trib_listing_header(trib_listing *listing, trib_listed *listed, const trib_tei_about *about);

/* Finds a date in the name of a file (its last part, without the ending): the one number in it that
 * is a year from 1000 to 2099, such years, a month or a day, "1843", "1843-44", "1843-03-05" or
 * "18430305". No letter may stand beside it, and the name must have letters or be such a day. false
 * when there is none, or more than one. */
enum { TRIB_DATE_FROM_NAME = 16 };
bool trib_date_of_name(char date[TRIB_DATE_FROM_NAME], const char *file);
/* Gives a document without a date that of its file name, if it has one. */
void trib_document_name_date(trib_corpus_document *document, trib_arena *arena);
/* Gives documents without a date that of their file name, else that of the properties of their
 * file; `is_all`: author and title from the properties, too, where no list or header says them
 * (infer.c). */
trib_status trib_documents_infer(trib_config *config, bool is_all, trib_error *error);

/* Reads the list of YAML mappings at `node`. `manifest` also allows the keys that only
 * corpora/obtain reads. */
void trib_listing_yaml(trib_listing *listing, const trib_yaml *yaml, uint32_t node, bool manifest);
/* Reads a table whose first line names the columns, in any order. Cells are separated by tabs
 * (`separator` '\t'), or follow RFC 4180 (','), where the first line may show another separator
 * (table.h). "filename" is an alias of "file". Of the columns with other names those that group
 * the documents are kept (keys.txt). Line ends of the source are made equal (corpus_section.c). */
void trib_listing_table(trib_listing *listing, trib_source *source, char separator);
/* A file of JSON Lines, {"text": "...", "id": ..., "title": ..., ...}. */
typedef struct trib_lines {
    const char *path, *file; /* path to open; name in the listing */
    /* the document the file stands for; NULL: the file is the manifest */
    const trib_listed *within;
} trib_lines;
/* Reads such a file. Each line is a document. Its text is in the line, or in another file when the
 * line has "file" and no "text". TRIB_INPUT, with file and line, when the lines cannot be read
 * (expand.c). */
trib_status trib_listing_lines(trib_listing *listing, const trib_lines *from, trib_error *error);
/* Replaces each entry that stands for several documents (a folder, an archive, a file of JSON Lines
 * or of several texts of TEI; paths must be set) by these documents, in bytewise order of their
 * names. They inherit author, date, role, language, encoding and reference. When the entry has an
 * id of its own, their ids begin with it. Files whose names do not look like texts go to left_out.
 * Reports entries that cannot be listed or contain no text (expand.c). */
void trib_listing_expand(trib_listing *listing);
/* Refuses a document that was found in a folder and leads out of it by a link, or records where it
 * leads (expand.c). */
void trib_listing_check_link(trib_listing *listing, const char *folder, trib_listed *listed);
/* Records that the file `name` below `path` ("": none) is not read, and why. */
void trib_listing_leave_out(trib_listing *listing, const char *path, const char *name,
                            const char *why);
/* Whether a part of a name is that of a file that no listing reads unless it is named: one that
 * begins with a dot, a lock or backup file (expand.c). */
bool trib_listing_is_hidden(const char *name);
/* Makes an id from a file name: its stem in NFC, with '_' for the characters that an id cannot
 * contain. */
const char *trib_listing_make_id(trib_listing *listing, const char *file);
/* Makes the id of a document in its current form or, where that is not allowed, in the next that
 * is; and its title when none was given. */
void trib_listing_name(trib_listing *listing, trib_listed *listed);
/* Sorts by id. Where several documents have the same id, those ids that were made from file names
 * become longer. */
void trib_listing_tell_apart(trib_listing *listing);

/* Writes "; `corpora/obtain gospels` obtains the missing texts" to `remedy` and returns it when
 * files of documents are missing and a command is known that obtains them; otherwise "". */
enum { TRIB_OBTAIN_MAX = 512 };
const char *trib_config_obtain(const trib_config *config, char remedy[TRIB_OBTAIN_MAX]);

/* Writes "; did you mean 'texts/keeper.txt'?" to `hint` and returns it when the folder of a path
 * that does not exist holds a file with a similar name; otherwise "" (expand.c). */
enum { TRIB_NEAREST_MAX = 512 };
const char *trib_nearest_file(const char *path, char hint[TRIB_NEAREST_MAX]);

/* The options with which the file of a document is read. */
trib_input_options trib_config_input_options(const trib_config *config,
                                             const trib_corpus_document *document);
#endif
