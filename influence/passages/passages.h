/* passages.h - the room `passages`: how rare the words are that a target shares with a source, and
 * possible allusions; targets that copy nothing. notable.c rates passages, families.c joins those
 * of one place, decoy.c shuffles targets. */
#ifndef TRIBUTARY_INFLUENCE_PASSAGES_H
#define TRIBUTARY_INFLUENCE_PASSAGES_H

#include "influence/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A notable passage has at least TRIB_NOTABLE_WORDS words that are word for word those of the
 * source and in no formula, one of which is rare, and at least TRIB_NOTABLE_RUN of them in
 * succession. */
enum { TRIB_NOTABLE_WORDS = 12, TRIB_NOTABLE_RUN = 5 };

/* How often each word occurs in the corpus. All arrays are borrowed. */
typedef struct trib_word_frequencies {
    const uint32_t *n_documents; /* [vocabulary] documents that hold the word */
    const uint64_t *count;       /* [vocabulary] occurrences in all documents */
    uint32_t n_all_documents;    /* documents of the corpus */
    uint64_t n_tokens;           /* words of the corpus */
    uint32_t wildcard;           /* vocabulary id that stands for different words, or UINT32_MAX */
} trib_word_frequencies;
/* Whether a word is rare: at most a tenth of the documents hold it, or it occurs at most 4 times in
 * the corpus, or at most once in 10 000 of its words. The wildcard is not. */
bool trib_word_is_rare(const trib_word_frequencies *frequencies, uint32_t word);
/* The inverse document frequency ln((documents + 1) / documents that hold the word), above 0. */
double trib_word_weight(const trib_word_frequencies *frequencies, uint32_t word);

/* Sets the members of all passages of one target that trib_passages_rate sets: passages[n_sources]
 * of the case's target. Needs `sequence` of the target. O(words of the target and of the passages).
 * TRIB_MEMORY. */
trib_status trib_passages_rate(trib_passages passages[], size_t n_sources,
                               const trib_influence_case *c,
                               const trib_word_frequencies *frequencies, trib_error *error);

/* ---- Families (families.c) ------------------------------------------------------------------- */

/* A passage of a family. */
typedef struct trib_family_member {
    uint32_t source, passage; /* position among the target's sources; index in its passages */
} trib_family_member;
/* The passages of all sources that stand at one place of the target, or at several that say the
 * same words of a source. */
typedef struct trib_family {
    uint32_t target, n_target; /* the words of the target at the place of the first passage */
    uint32_t n_places;         /* places in the target; more than 1: a refrain */
    uint32_t first, n; /* it has member[first .. first+n-1], the one with most words first */
    /* documents of the corpus that hold each of half of the n-grams that the first passage has word
     * for word; with trib_influence_case.frequent, 0 when these are few; 0: not known */
    uint32_t n_documents;
} trib_family;
/* The families of a target, in its order. `{0}` is empty. */
typedef struct trib_families {
    trib_family *family;        /* [n] */
    trib_family_member *member; /* [n_members] all passages */
    size_t n, n_members;        /* families, and passages */
} trib_families;
/* Finds the families of the passages of one target, and numbers both. Passages with more words come
 * first. Each is in the family that has more than half of its words already, in the target or else
 * in the source, or begins one. Needs `sequence` of the target. O(words of the texts).
 * TRIB_MEMORY. */
trib_status trib_families_find(trib_families *families, trib_passages passages[], size_t n_sources,
                               const trib_influence_case *c, trib_error *error);
void trib_families_release(trib_families *families);

/* ---- Shuffled targets (decoy.c) -------------------------------------------------------------- */

/* A target with its words in another order. It must not be moved, since `document` points to the
 * other members. `{0}` is empty. */
typedef struct trib_decoy {
    trib_influence_document document; /* its array `word` is that of the target */
    trib_hacoo counts;                /* n-grams of the new order */
    uint32_t *sequence;               /* [n_ngrams of the target] */
    size_t n_blocks;                  /* blocks that were permuted */
} trib_decoy;

/* Cuts the words of a target into blocks of common language and permutes the blocks (Fisher and
 * Yates 1938). Two words of the target stay together when they stand together in the sources after
 * two different words and before two different words: they are then a turn of phrase, and no part
 * of a passage that was copied. A block has at most 4 words. The decoy has as many words and
 * n-grams as the target. The same case and seed give the same decoy. Target and sources need their
 * sequences, else TRIB_INTERNAL; TRIB_MEMORY. O(words). */
trib_status trib_decoy_make(trib_decoy *decoy, const trib_influence_case *c, uint64_t seed,
                            trib_error *error);
void trib_decoy_release(trib_decoy *decoy);

/* ---- Shares of a shuffled target ------------------------------------------------------------- */

/* The shares of a decoy. `{0}` is empty: not measured. */
typedef struct trib_influence_null {
    bool is_measured; /* false: no other member is set */
    uint32_t source;  /* position of the source with the largest share; UINT32_MAX: none has one */
    double largest, mean; /* share of that source or of its group, and mean share; 0 .. 1 */
    uint64_t n_blocks;    /* blocks of words that were permuted */
    uint64_t seed;        /* of their order */
} trib_influence_null;

/* Measures a decoy in the place of the target, with the same sources and options but without
 * intervals. The shares of the method say what the words of the target alone would receive. Leaves
 * *null empty for a method that needs factors, since a decoy has none. Errors as trib_decoy_make
 * and trib_influence_measure. */
trib_status trib_influence_null_measure(trib_influence_null *null,
                                        const trib_influence_method *method,
                                        const trib_influence_case *c,
                                        const trib_influence_options *options, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
