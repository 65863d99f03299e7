/* norms.h - when two words are the same word. The norm of a word is what is left of its spelling
 * after a transform of its letters, a table of variants and the stemmer of a language, in this
 * order; words with one norm are counted as one word. A norm depends on the word and, where several
 * languages have stemmers, on the language of its text, so it is computed once for each distinct
 * word of a language. Private to the program. */
#ifndef TRIBUTARY_TOKENIZER_NORMS_H
#define TRIBUTARY_TOKENIZER_NORMS_H

#include "tokenizer/tokenizer.h"

/* ---- Lines of a table (decode.c) ------------------------------------------------------------- */

/* Receives a line of a table, without its end; `number` counts from 1. */
typedef trib_status (*trib_line_sink)(void *context, const char *line, size_t length, size_t number,
                                      trib_error *error);
/* Passes on the lines of a file in UTF-8, with LF or CRLF, without a byte order mark, empty lines
 * and lines that begin with #. TRIB_CONFIG with file and line where it is not UTF-8. TRIB_INPUT
 * when it cannot be read. */
trib_status trib_table_lines(const char *path, trib_line_sink sink, void *context,
                             trib_error *error);

/* ---- Transforms (transform.c) ---------------------------------------------------------------- */

/* A set of rules that has a name. The last row has name NULL. */
typedef struct trib_transform_preset {
    const char *name, *help;
    const char *rules; /* in the language of ICU's transforms */
    /* What they do to ASCII: pairs of a character and what it becomes, of which the last counts,
     * after "*" in lower case. NULL: it depends on the characters around. */
    const char *ascii;
} trib_transform_preset;
extern const trib_transform_preset trib_transform_presets[];

/* Rewrites the letters of words by an ICU transform. Must not be shared between threads. */
typedef struct trib_transform trib_transform;

/* Whether `asked` names a file of rules: it ends in .txt or .rules, as no ICU transform does. */
bool trib_transform_is_file(const char *asked);
/* Opens presets, with commas between their names, a file of rules, or the transform that ICU has
 * by that name. `path` is where the file is, and used for nothing else. TRIB_CONFIG for a name that
 * ICU does not know, or rules that it does not understand; the message has the place in them.
 * TRIB_INPUT for an unreadable file. Presets are loaded for the first word that is not ASCII, since
 * ICU needs some 10 ms for it; `letters` alone needs none. */
trib_status trib_transform_open(trib_transform **transform, const char *asked, const char *path,
                                trib_error *error);
void trib_transform_close(trib_transform *transform); /* NULL is legal */
/* Sets *to to the transformed word, of *n bytes and zero-terminated; valid until the next call. A
 * word of which nothing is left stays as it is. */
trib_status trib_transform_do(trib_transform *transform, const char *word, size_t length,
                              const char **to, size_t *n, trib_error *error);

/* ---- Norms (norms.c) ------------------------------------------------------------------------- */

/* How norms are made; `{0}` with tokens: every word is its own norm. */
typedef struct trib_norm_options {
    const char *transform;      /* as trib_transform_open; NULL: none */
    const char *transform_path; /* where its file is; NULL if it is none */
    const char *variants;       /* path of a table of variants; NULL: none */
    /* languages of stems, separated by spaces, as trib_stemmers_open; NULL or "none": none */
    const char *stem;
    trib_token_options tokens; /* how the words of tables are spelt; what it borrows is not kept */
} trib_norm_options;

typedef struct trib_norms trib_norms;

/* Reads the tables. A table of variants has tab-separated columns, and one of these forms, found in
 * its first line:
 *
 *     header      a line with the name of a column of variants (variant, form, spelling, word,
 *                 token) and of one of norms (norm, normalised, standard, modern, lemma)
 *     2 columns   variant, norm
 *     3 columns   variant, norm, number of occurrences; or form, part of speech, lemma
 *     10 columns  CoNLL-U: the form is the second, the lemma the third
 *
 * Of several norms of one variant the most frequent counts, of equally frequent ones the first. A
 * lemma "<unknown>" or "_" stands for none; of "a|b" the first counts. TRIB_CONFIG for a table that
 * is not one, an unknown transform or language; TRIB_INPUT for an unreadable file. */
trib_status trib_norms_open(trib_norms **norms, const trib_norm_options *options,
                            trib_error *error);
void trib_norms_close(trib_norms *norms); /* NULL is legal */
/* Sets *norm to the norm of a word as the tokeniser writes it, and *n to its length; valid until
 * the next call, and as long as `word`. `language` is as for trib_stemmers_stem. */
trib_status trib_norms_of(trib_norms *norms, uint32_t language, const char *word, size_t length,
                          const char **norm, size_t *n, trib_error *error);
/* Adds the norms of the words in a file, such as a list of stop words: words in any lines; what
 * follows | in a line is a comment. TRIB_CONFIG for a file without words. */
trib_status trib_norms_read_list(trib_norms *norms, uint32_t language, const char *path,
                                 trib_intern *list, trib_error *error);

#endif
