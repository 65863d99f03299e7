/* stem.h - stems of words by the rules of Snowball (Porter 2001, snowballstem.org), from
 * libstemmer. Private to the program. */
#ifndef TRIBUTARY_TOKENIZER_STEM_H
#define TRIBUTARY_TOKENIZER_STEM_H

#include "base/base.h"

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

#endif
