/* unreadable_formats.h - formats that are known and not read: their markup would be taken for text.
 * Private to pipeline.
 *
 * A format is known by the ending of a file's name, by its first bytes whatever its name, or, in
 * XML, by the root element. */
#ifndef TRIBUTARY_INPUT_UNREADABLE_FORMATS_H
#define TRIBUTARY_INPUT_UNREADABLE_FORMATS_H

#include "base/base.h"

typedef struct trib_unreadable {
    const char *name;     /* "RTF" */
    const char *endings;  /* ".rtf .x", with spaces between */
    const char *magic;    /* its bytes at `at`, compared without case; NULL: known otherwise */
    const char *within;   /* what must stand somewhere in the first bytes besides; NULL: nothing */
    const char *root;     /* of its XML, or NULL */
    const char *left_out; /* why a file of a folder is not read, for inputs.tsv */
    const char *remedy;   /* what to do, after "is RTF, which is not read: " */
    uint16_t at;
    bool is_misnamed; /* it is read under another name: holds only where the name says nothing */
} trib_unreadable;
extern const trib_unreadable trib_unreadable_formats[]; /* ends with a row whose name is NULL */

enum { TRIB_FOREIGN_BYTES = 4096 }; /* of a file that are looked at */

/* By name alone, under the ending of its packing (.gz and so on); NULL when it is none of them. */
const trib_unreadable *trib_unreadable_named(const char *path);
/* By name or first bytes; `is_named` where the name says what reads it (markup.h). */
const trib_unreadable *trib_unreadable_find(const char *path, bool is_named, const char *first,
                                            size_t n);
const trib_unreadable *trib_unreadable_root(const char *element);

/* TRIB_INPUT, with the format and what to do. */
trib_status trib_unreadable_refuse(const trib_unreadable *foreign, const char *path,
                                   trib_error *error);

#endif
