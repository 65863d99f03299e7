/* names.h - names that a person writes: which document is meant, what was probably meant instead,
 * which characters an id may have, and when two names are the same to a reader. Private to
 * pipeline. */
#ifndef TRIBUTARY_SUPPORT_NAMES_H
#define TRIBUTARY_SUPPORT_NAMES_H

#include "base/base.h"

/* One `--set KEY=VALUE`, or the like; later ones win. */
typedef struct trib_setting {
    const char *key;   /* "cp.rank" */
    const char *value; /* YAML: a scalar or a flow list */
    const char *from;  /* for messages: "--set cp.rank=0" */
} trib_setting;

/* ---- Did you mean ---------------------------------------------------------------------------- */

/* Finds the candidate that `word` most likely stands for: the one with the fewest insertions,
 * deletions, replacements and swaps of neighbouring letters (at most a third of the letters), or
 * one that begins with `word`. It keeps a copy, so candidates need not outlive the call. */
enum { TRIB_GUESS_MAX = 64 }; /* bytes of the longest candidate that is looked at, with its end */
typedef struct trib_guess {
    const char *word;
    char best[TRIB_GUESS_MAX]; /* "": none */
    size_t distance;
    char hint[96];
} trib_guess;
void trib_guess_try(trib_guess *guess, const char *candidate);
/* Returns "; did you mean 'threshold'?", or "" when no candidate was found. */
const char *trib_guess_hint(trib_guess *guess);

/* ---- Ids and normal forms -------------------------------------------------------------------- */

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

/* ---- The document that a person means -------------------------------------------------------- */

/* What a document is called. */
typedef struct trib_called {
    const char *id, *title, *file; /* title and file: NULL or "" when there is none */
} trib_called;

/* Documents among which one is looked for. */
typedef struct trib_called_list {
    size_t n;
    trib_called (*at)(const void *of, size_t i); /* returns what document i is called */
    const void *of;
    const char *what; /* "a document of the corpus", for messages */
} trib_called_list;

/* Finds the document whose id, title or file a name is: with or without the folders and the ending
 * of the file. If there is none, the names are compared in normal form C without regard to capital
 * letters; then a name may be the beginning of an id, a title or the name of a file. Of several
 * kinds the one named first counts. *found is its number. Returns TRIB_USAGE when no document or
 * more than one has the name, with those that it could be. TRIB_MEMORY. */
trib_status trib_called_find(const trib_called_list *list, const char *name, size_t *found,
                             trib_error *error);

/* Appends the ids of documents, separated by commas; of many the first, and how many more there
 * are. `is_in` (NULL: all) returns whether document i is one of them. */
trib_status trib_called_print(const trib_called_list *list,
                              bool (*is_in)(const void *context, size_t i), const void *context,
                              trib_buffer *out, trib_error *error);

#endif
