/* ids.h - which characters an id may have, and when two names are the same to a reader. */
#ifndef TRIBUTARY_SUPPORT_IDS_H
#define TRIBUTARY_SUPPORT_IDS_H

#include "base/base.h"

/* An id has at most so many bytes in UTF-8, so that a file can be named after it. */
enum { TRIB_ID_MOST = 200 };

/* Whether a text consists of letters, marks on them and digits of any script, '_', '.' and '-', and
 * does not begin with a mark. false for "". */
bool trib_id_is_written_right(const char *id);

/* Appends an id made from a name: the name in normal form C, with '_' for the characters that an id
 * cannot have: for each of a name in ASCII, for each run of another name. Characters that are not
 * seen are left out. At most TRIB_ID_MOST bytes are written, at least one. TRIB_MEMORY. */
typedef struct trib_id_from {
    const char *name; /* UTF-8 */
    size_t length;
    /* '_' is followed by the code point, also of a character that normal form C may change: so
     * different names get different ids */
    bool codes;
} trib_id_from;
trib_status trib_id_add(trib_buffer *id, trib_id_from from, trib_error *error);

/* Copies a text in Unicode normalization form C, so that letters composed of several characters are
 * the same bytes whoever wrote them. Text that is not UTF-8 is copied as it is. The caller frees
 * *copy. TRIB_MEMORY. */
trib_status trib_name_composed(char **copy, const char *text, trib_error *error);
/* The same, and without differences between capital and small letters (Unicode's case folding). */
trib_status trib_name_folded(char **copy, const char *text, trib_error *error);

#endif
