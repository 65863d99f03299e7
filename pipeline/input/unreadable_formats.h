/* unreadable_formats.h - formats that this program knows but does not read, since their markup
 * would be taken for words. Private to pipeline.
 *
 * A format is recognised by the extension of a file name, by the first bytes, or by the root
 * element of XML. */
#ifndef TRIBUTARY_INPUT_UNREADABLE_FORMATS_H
#define TRIBUTARY_INPUT_UNREADABLE_FORMATS_H

#include "base/base.h"

typedef struct trib_unreadable {
    const char *name;    /* "RTF" */
    const char *endings; /* ".rtf .x", separated by spaces */
    /* its bytes at offset `at`, compared without case; NULL: not recognised by bytes */
    const char *magic;
    const char *within;   /* a text that must also occur in the first bytes; NULL: none */
    const char *root;     /* root element of its XML, or NULL */
    const char *left_out; /* the reason inputs.tsv gives for a file of a folder that is not read */
    const char *remedy;   /* remedy, after "is RTF, which is not read: " */
    uint16_t at;
    /* the format is read, but under another name; this row applies only when the name is not
     * recognised */
    bool is_misnamed;
} trib_unreadable;
extern const trib_unreadable trib_unreadable_formats[]; /* the last row has name NULL */

enum { TRIB_UNREADABLE_BYTES = 4096 }; /* first bytes of a file that are examined */

/* Finds a format by the name alone, after the extension of a compression (.gz and so on) is
 * removed; NULL when none matches. */
const trib_unreadable *trib_unreadable_named(const char *path);
/* Finds a format by name or first bytes. `is_named`: the name belongs to a decoder (markup.h). */
const trib_unreadable *trib_unreadable_find(const char *path, bool is_named, const char *first,
                                            size_t n);
const trib_unreadable *trib_unreadable_root(const char *element);

/* TRIB_INPUT, with the format and the remedy. */
trib_status trib_unreadable_refuse(const trib_unreadable *unreadable, const char *path,
                                   trib_error *error);

#endif
