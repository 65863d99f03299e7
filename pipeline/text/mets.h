/* mets.h - the pages of a METS file (Metadata Encoding and Transmission Standard, Library of
 * Congress): which files have their texts, in which order, and their numbers. Private to
 * pipeline. */
#ifndef TRIBUTARY_TEXT_METS_H
#define TRIBUTARY_TEXT_METS_H

#include "pipeline/text/markup.h"

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
} trib_mets;

/* Whether the first bytes of an XML file are those of METS, by its root element. */
bool trib_mets_begins(const char *first, size_t n);
/* Reads the pages. Their order is that of the physical structMap, otherwise that of the files. Of
 * several groups of files with texts the one whose USE is FULLTEXT counts, otherwise the last. A
 * page without a file in this group is blank and skipped. TRIB_INPUT, with the line, for a file
 * that cannot be parsed or names no texts, and for a page outside its folder. TRIB_MEMORY. */
trib_status trib_mets_read(trib_mets *mets, trib_markup_bytes file, trib_error *error);
void trib_mets_release(trib_mets *mets);

#endif
