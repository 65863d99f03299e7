/* references.h - the references by which the places of a text are cited: "3:7", "ACT II, SCENE 1",
 * "p. 45". Files with markup have them in their elements (element_references.c); in any text they
 * are found by a pattern. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_REFERENCES_H
#define TRIBUTARY_TEXT_REFERENCES_H

#include "base/base.h"

/* A place where a reference begins to hold; it holds up to the next mark. */
typedef struct trib_reference_mark {
    size_t from, to; /* the bytes of the text that are the mark; equal when it is not in the text */
    size_t label;    /* offset in `labels` */
} trib_reference_mark;

/* The references of a text. `{0}` is empty. */
typedef struct trib_references {
    trib_reference_mark *mark; /* [n] in the order of the text */
    size_t n, cap;
    trib_buffer labels; /* UTF-8, each ended by NUL */
} trib_references;

/* Appends a mark, unless the last one has the same label. White space in a label is made single
 * spaces; a label of more than TRIB_LABEL_MOST bytes is cut. A label without letters means that
 * no reference holds from there on. */
enum { TRIB_LABEL_MOST = 60, TRIB_REFERENCE_MAX = 3 * TRIB_LABEL_MOST };
trib_status trib_references_add(trib_references *references, size_t from, size_t to,
                                const char *label, size_t length, trib_error *error);
/* The reference that holds at a byte of the text, "" when there is none. Borrowed. */
const char *trib_references_at(const trib_references *references, size_t byte);
void trib_references_release(trib_references *references);
/* Writes the reference of a passage from its first and its last reference: "3:7", "3:7-9" with an
 * en dash, "3:17-4:2"; what both begin with is written once. */
void trib_reference_join(char out[TRIB_REFERENCE_MAX], const char *first, const char *last);

/* ---- By a pattern ---------------------------------------------------------------------------- */

/* A named pattern: a row of a table. */
typedef struct trib_reference_scheme {
    const char *name, *help;
    /* Regular expressions (ICU), outermost level first, ended by NULL; none: see `name`. */
    const char *pattern[3];
} trib_reference_scheme;
extern const trib_reference_scheme trib_reference_schemes[]; /* the last row has name NULL */
/* The row with this name, or NULL. */
const trib_reference_scheme *trib_reference_scheme_find(const char *name);

/* Checks a pattern, which is the name of a scheme or a regular expression. TRIB_CONFIG when it is
 * neither; the message says why, and at which character. */
trib_status trib_reference_check(const char *pattern, trib_error *error);
/* Finds the references of a text: every match of a pattern within a line is one. The first group
 * of the match that has text is the label, and without groups the whole match. A label of an inner
 * level follows that of the outer levels after ", ". `encoding` is the name of an ICU converter,
 * `name` that of the text for messages. The time for a match is limited, in steps rather than by a
 * clock: TRIB_CONFIG, with the line, when that is not enough. */
trib_status trib_references_find(trib_references *references, const char *pattern, const char *name,
                                 const char *encoding, const char *text, size_t length,
                                 trib_error *error);

#endif
