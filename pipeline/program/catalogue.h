/* catalogue.h - makes a manifest from the catalogue of Project Gutenberg (pg_catalog.csv) for the
 * texts of a mirror that is on this machine. Private to pipeline. */
#ifndef TRIBUTARY_PROGRAM_CATALOGUE_H
#define TRIBUTARY_PROGRAM_CATALOGUE_H

#include "pipeline/config/diagnostic.h"
#include "pipeline/support/log.h"

/* An author at this age has written half of what he wrote, roughly. */
enum { TRIB_CATALOGUE_AGE = 30 };

/* One row of the catalogue. */
typedef struct trib_catalogue_entry {
    uint64_t number;
    uint32_t line;       /* of the catalogue */
    char *title;         /* on one line; may be empty */
    char *author;        /* "Dickens, Charles; Collins, Wilkie", without years; may be empty */
    char *same;          /* equal for the editions of a work: its people and title, normalised */
    char *file;          /* NULL until it was looked for, or when it is not there */
    bool is_dated;       /* `born` is known */
    int born;            /* latest year of birth of authors and translators; 0 is 1 BC */
    uint64_t edition_of; /* the smaller number of another edition; 0: none */
} trib_catalogue_entry;

typedef struct trib_catalogue {
    trib_catalogue_entry *entry; /* [n] by number */
    size_t n, cap;
    size_t n_bad, n_other_type, n_other_language; /* rows that are not in it */
} trib_catalogue;

/* Reads the rows of type Text whose only language is `language` (NULL: any). A row that cannot be
 * used is a warning that names its line. TRIB_INPUT, with the place, when the file cannot be read,
 * is no such catalogue, or has a quote that is not closed. */
trib_status trib_catalogue_read(trib_catalogue *catalogue, const char *path, const char *language,
                                trib_log *log, trib_error *error);
/* The same from text in memory, without a byte order mark; `log` may be NULL. */
trib_status trib_catalogue_parse(trib_catalogue *catalogue, const trib_source *source,
                                 const char *language, trib_log *log, trib_error *error);
void trib_catalogue_release(trib_catalogue *catalogue); /* `{0}` is legal */

/* Of the entries that have a file, marks all but the first of the same authors, translators and
 * title. */
trib_status trib_catalogue_group(trib_catalogue *catalogue, trib_error *error);

/* What a manifest is made of. */
typedef struct trib_catalogue_choice {
    const char *catalogue, *language; /* as for trib_catalogue_read */
    const char *texts;                /* folder of the mirror; NULL: files are not looked for */
    const char *layout;               /* "mirror", "cache" or "zip"; NULL: "mirror" */
    const char *manifest;             /* file to write */
} trib_catalogue_choice;

/* Writes the manifest, and beside it the table of what was left out, whose name ends in
 * ".left-out.tsv". TRIB_USAGE for a layout that does not exist, TRIB_INPUT when nothing is left. */
trib_status trib_catalogue_manifest(const trib_catalogue_choice *choice, trib_log *log,
                                    trib_error *error);

#endif
