/* texts.h - documents counted from texts, for the tests of influence/. A word is one or more
 * letters, optionally with one apostrophe between letters, in lower case. */
#ifndef TRIBUTARY_TEST_TEXTS_H
#define TRIBUTARY_TEST_TEXTS_H

#include "influence/influence.h"
#include "tests/test.h"
#include "tokenizer/tokenizer.h"

enum { TRIB_MAX_TEXTS = 16 };

/* Documents, and a vocabulary of exactly their words. */
typedef struct trib_texts {
    trib_influence_document document[TRIB_MAX_TEXTS];
    trib_hacoo counts[TRIB_MAX_TEXTS];
    size_t n;
    uint32_t n_modes;
    trib_intern words;
    uint32_t *final;                  /* [words.n_words] vocabulary id of an interned word */
    uint32_t *stream[TRIB_MAX_TEXTS]; /* a document's words in order: interned, then its own ids */
    uint32_t source[TRIB_MAX_TEXTS][TRIB_MAX_TEXTS]; /* of each target's case */
} trib_texts;

/* Counts text[n]; fails the test when it cannot. The documents are there until the next call but
 * seven, also to the next four functions. */
trib_texts *trib_texts_count(uint32_t n_modes, const char *const text[], size_t n);
/* The same for the texts that follow. */
#define TEXTS(n_modes, ...)                                                                        \
    trib_texts_count(n_modes, (const char *const[]){__VA_ARGS__},                                  \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
/* The same for the files shared/corpora/NAME.txt. NULL, after marking the test as skipped, when one
 * is missing. */
trib_texts *trib_texts_read(uint32_t n_modes, const char *const name[], size_t n);
/* The same for invented texts of n_words, one for each character of `from`: the number of a text
 * before it that a third of it are passages of; '.': none; '-': it is empty. */
trib_texts *trib_texts_invented(uint32_t n_modes, size_t n_words, const char *from);

/* How often document d holds the words of an n-gram, by reading it. */
uint32_t trib_texts_times(const trib_texts *texts, size_t d, const uint32_t word[]);

/* The case of one target and all other documents as its sources; or all documents as sources. */
trib_influence_case trib_texts_case(trib_texts *texts, uint32_t target);
trib_influence_case trib_texts_case_of_all(trib_texts *texts, uint32_t target);

/* Measures a case; fails the test when it cannot. Without options, and with a background of the
 * usual size, when they are NULL; with one thread when they say none. The result is there until the
 * next call but seven. */
trib_influence *trib_measured(const trib_influence_case *c, const char *method,
                              const trib_influence_options *options);
/* Measures the first of text[n], counted in bigrams, with every allocation failing in turn. Returns
 * the number of the last, as trib_fail_every_allocation. */
/* Asks to stop at the first look at it. */
extern const trib_progress trib_refusal;
size_t trib_texts_starve(const char *method, const trib_influence_options *options,
                         const char *const text[], size_t n);

/* About n_words invented words, few of them common; with `from`, a third are passages of it. To be
 * freed. */
char *trib_texts_invent(uint64_t seed, size_t n_words, const char *from);
/* Appends n words from number `first` on of a text of one kind, all words of which are different:
 * five characters each. */
void trib_texts_append(char *text, char kind, int first, int n);

#endif
