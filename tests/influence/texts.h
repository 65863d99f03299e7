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
} trib_texts;

/* Counts text[n]; fails the test when it cannot. */
void trib_texts_count(trib_texts *texts, uint32_t n_modes, const char *const text[], size_t n);
/* The same for the files shared/corpora/NAME.txt. False, after marking the test as skipped, when
 * one is missing. */
bool trib_texts_read(trib_texts *texts, uint32_t n_modes, const char *const name[], size_t n);
void trib_texts_release(trib_texts *texts);

/* The case of one target and all other documents as its sources; `source` receives their
 * numbers. */
trib_influence_case trib_texts_case(const trib_texts *texts, uint32_t target,
                                    uint32_t source[TRIB_MAX_TEXTS]);

/* Measures the first of text[n], counted in bigrams, with every allocation failing in turn. Returns
 * the number of the last, as trib_fail_every_allocation. */
size_t trib_texts_starve(const char *method, const trib_influence_options *options,
                         const char *const text[], size_t n);

/* About n_words invented words, few of them common; with `from`, a third are passages of it. To be
 * freed. */
char *trib_texts_invent(uint64_t seed, size_t n_words, const char *from);

#endif
