/* language.h - the languages of texts: which ones there are, how they are written, which one a text
 * has, and the stems of their words by the rules of Snowball (Porter 2001, snowballstem.org), from
 * libstemmer. Private to the program. */
#ifndef TRIBUTARY_TOKENIZER_LANGUAGE_H
#define TRIBUTARY_TOKENIZER_LANGUAGE_H

#include "base/base.h"

enum { TRIB_LANGUAGE_MAX = 12 }; /* bytes of a code and its NUL */

/* TRIB_CONFIG for a text that is not the tag (BCP 47) or code (ISO 639) of a language; the message
 * suggests the nearest one (names.c). */
trib_status trib_language_check(const char *language, trib_error *error);
/* Writes the code of the language of a tag that was checked: "de" for de-AT and deu. */
void trib_language_code(char code[TRIB_LANGUAGE_MAX], const char *language);
/* Whether two languages, given by their codes, may have words in one script. */
bool trib_languages_share_script(const char *one, const char *other);

/* Guesses the languages of texts (guess.c). `{0}` is closed. Must not be shared between threads. */
typedef struct trib_guesser {
    void *classifier;
} trib_guesser;
/* TRIB_CONFIG when the build lacks libexttextcat or the machine its fingerprints of languages; the
 * message names the package. */
trib_status trib_guesser_open(trib_guesser *guesser, trib_error *error);
void trib_guesser_close(trib_guesser *guesser);
/* Guesses the language of a text or of its beginning: `code` receives its code, or nothing when the
 * text is too short to tell. `encoding` is that of the bytes, as in trib_token_options.
 * TRIB_MEMORY. */
trib_status trib_guesser_guess(const trib_guesser *guesser, const char *encoding, const char *bytes,
                               size_t n_bytes, char code[TRIB_LANGUAGE_MAX], trib_error *error);

/* The rules of one language. Must not be shared between threads. */
typedef struct sb_stemmer trib_stemmer;

/* Opens the rules of a language: a name as "german", or a locale as "de" or "de-AT". TRIB_CONFIG
 * for a language without rules; the message lists those that have some. TRIB_MEMORY. */
trib_status trib_stemmer_open(trib_stemmer **stemmer, const char *language, trib_error *error);
void trib_stemmer_close(trib_stemmer *stemmer); /* NULL is legal */
/* Sets *stem to the stem of a word in UTF-8 and lower case, of at most INT_MAX bytes, and *n to its
 * length. The stem is not zero-terminated and valid until the next call. TRIB_MEMORY. */
trib_status trib_stemmer_stem(trib_stemmer *stemmer, const char *word, size_t length,
                              const char **stem, size_t *n, trib_error *error);

/* The stemmers of some languages. `{0}` is closed: every word is its own stem. */
typedef struct trib_stemmers {
    struct trib_language_stemmer *item; /* [n] */
    size_t n;
} trib_stemmers;

#define TRIB_ANY_LANGUAGE UINT32_MAX /* the language of a text is not known */

/* Opens the stemmers of languages separated by spaces. TRIB_CONFIG when none of them has a stemmer,
 * as trib_stemmer_open. TRIB_MEMORY. */
trib_status trib_stemmers_open(trib_stemmers *stemmers, const char *languages, trib_error *error);
void trib_stemmers_close(trib_stemmers *stemmers);
/* As trib_stemmer_stem; *n is 0 for a word without a stemmer. A single language stems every word.
 * Of several, a word in a script of `language`, the number of the text's language in the list, is
 * stemmed by that language, and any other word by the only language that has its script. */
trib_status trib_stemmers_stem(const trib_stemmers *stemmers, uint32_t language, const char *word,
                               size_t length, const char **stem, size_t *n, trib_error *error);

#endif
