/* evidence.h - why a source has its share of a target: the phrases that occur in both. */
#ifndef TRIBUTARY_EVIDENCE_H
#define TRIBUTARY_EVIDENCE_H

#include "influence/influence.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Passages (passage.c) -------------------------------------------------------------------- */

/* What a word of the target in a passage is, against the source: not in it, letter for letter the
 * source's, the same but behind a word that follows it there, similar, or another in its place; or
 * it stands in a unit that is translated. */
enum trib_word_kind {
    TRIB_OWN,
    TRIB_EQUAL,
    TRIB_MOVED,
    TRIB_CLOSE,
    TRIB_REPLACED,
    TRIB_TRANSLATED
};

/* Words of a passage that stand side by side: those at target .. target+n-1 are those at source ..
 * source+n-1, all of one kind. Words are numbered from 0 in the order of a text; those that no
 * n-gram has do not count. A translated run goes on in the source up to the next one of its passage
 * (trib_run_words). */
typedef struct trib_shared_run {
    uint32_t target, source, n; /* source UINT32_MAX: nothing there stands for them */
    uint32_t kind;              /* enum trib_word_kind, not TRIB_OWN */
} trib_shared_run;

/* TRIB_RAREST is the largest number of rarest words of a passage that are named. */
enum { TRIB_RAREST = 3 };

/* A passage: words of the target that were taken from a source. Words between its runs are the
 * author's, in the target, or were left out, in the source. Equal words at its ends that gain too
 * little to count in the share are in it, too. */
typedef struct trib_passage {
    uint32_t target, source;     /* its first word in both texts */
    uint32_t n_target, n_source; /* words up to its last one, with those between the runs */
    uint32_t first_run, n_runs;  /* its runs are trib_passages.run[first_run ..] */
    uint32_t n_words;            /* words of the target in its runs */
    uint32_t n_equal;            /* of these, word for word those of the source */
    double mass;   /* part of the share by `extent`; words that other sources hold count less */
    double score;  /* of its pieces, in nats */
    double belief; /* that it is no chance, 0 .. 1 */
    bool is_clear; /* neither chance nor a turn of phrase */
    bool is_translated; /* all its runs are: it has no mass */
    /* set by trib_passages_rate: */
    uint32_t n_telling;           /* of the n_equal words, those that are in no formula */
    uint32_t longest;             /* words in its longest run word for word */
    double rarity;                /* the sum of trib_word_weight of the n_equal words, in nats */
    uint32_t rarest[TRIB_RAREST]; /* [n_rarest] vocabulary ids of different words, the */
    uint32_t n_rarest;            /* rarest first */
    bool is_notable;              /* see TRIB_NOTABLE_WORDS */
    /* set by trib_families_find, both from 1 in the order of the target: its number among all
     * passages of the target, and that of its family */
    uint32_t number, family;
} trib_passage;

/* Passages of a target with one source. No word of the target is in two of them. `{0}` is empty. */
typedef struct trib_passages {
    uint32_t source;       /* document number */
    trib_passage *passage; /* [n] by descending mass, ties by position in the target */
    size_t n, cap;         /* passages used, of cap allocated */
    trib_shared_run *run;  /* [n_runs] of one passage after the other */
    size_t n_runs;         /* runs of all passages */
} trib_passages;
void trib_passages_release(trib_passages *passages);

/* The words of run r of a passage, from 0, in the target or in the source. */
static inline uint32_t trib_run_words(const trib_passages *all, const trib_passage *passage,
                                      uint32_t r, bool in_source) {
    const trib_shared_run *const run = &all->run[passage->first_run + r];
    if (!in_source || run->kind != TRIB_TRANSLATED) return run->n;
    return (r + 1 < passage->n_runs ? run[1].source : passage->source + passage->n_source) -
           run->source;
}

/* ---- Evidence (evidence.c) ------------------------------------------------------------------- */

/* An n-gram that occurs in target and source. */
typedef struct trib_phrase {
    uint32_t word[TRIB_MAX_MODES]; /* vocabulary ids of its words */
    uint32_t in_target, in_source; /* occurrences in the target and in the source */
    uint32_t n_other_documents;    /* number of other documents that hold it */
    bool has_gaps; /* the target holds its words only with others between them (tensor.skip) */
    double mass;   /* part of the share: E_s(z) / |T| */
} trib_phrase;

/* Phrases of the evidence that differ in one word only: a fibre of E_s, see trib_evidence. */
typedef struct trib_evidence_factor {
    double mass;                    /* part of the share */
    uint32_t free_mode;             /* the mode in which the phrases differ */
    uint32_t fixed[TRIB_MAX_MODES]; /* vocabulary ids; fixed[free_mode] is TRIB_NO_FREE_WORD */
    size_t first, n; /* its words: free_word and free_mass [first .. first+n-1] of the evidence */
} trib_evidence_factor;
/* The value of `fixed` in the free mode. */
#define TRIB_NO_FREE_WORD UINT32_MAX

/* The phrases that give a source its share of a target: E_s(z) = T(z) pi_s P_s(z) / mix(z) for the
 * n-grams that occur in both texts. `{0}` is empty. */
typedef struct trib_evidence {
    uint32_t target, source; /* document numbers */
    double share;            /* the sum of all masses */
    trib_phrase *phrase;     /* [n_phrases] by descending mass, ties in the order of the target */
    /* phrases listed, and phrases found before trib_evidence_cut */
    size_t n_phrases, n_all_phrases;
    /* [n_factors] the fibre cover of E_s, masses descending; they add up to share */
    trib_evidence_factor *factor;
    size_t n_factors, n_all_factors; /* factors listed, and factors found before the cut */
    uint32_t *free_word;             /* vocabulary ids in the free modes of the factors */
    double *free_mass;               /* part of the share of each of these words */
} trib_evidence;

/* Computes the overlap of the target with the listed sources of a result, for
 * trib_influence_case.overlap. *overlap is NULL on failure. Release it with trib_overlap_free. */
trib_status trib_overlap_of_listed(struct trib_overlap **overlap, const trib_influence_case *c,
                                   const trib_influence *result, trib_error *error);
void trib_overlap_free(struct trib_overlap *overlap);

/* Fills evidence[n_sources] for the listed sources of a result of a method with has_evidence. The
 * caller releases all of them, also after a failure. The result does not depend on n_threads. */
trib_status trib_evidence_build(trib_evidence *evidence, const trib_influence_case *c,
                                const trib_influence *result, int n_threads, trib_error *error);
/* Collects the author's own phrases, which no source of the case holds and which are no formulas,
 * the most frequent first, and their cover. `source` is then the target itself, in_source is 0, and
 * a mass is the phrase's part of the target. */
trib_status trib_evidence_of_author(trib_evidence *evidence, const trib_influence_case *c,
                                    trib_error *error);
/* The inverse document frequency of a phrase of target and source in a corpus of n_documents:
 * log((n_documents + 1) / number of documents that hold it, including these two) (Spaerck Jones
 * 1972). The 1 keeps the weight of phrases in all documents above 0. The rarer a phrase, the more
 * it tells about its source. */
double trib_phrase_weight(const trib_phrase *phrase, size_t n_documents);
/* Sorts phrases for display: (*order)[n_phrases] lists them by descending mass times
 * trib_phrase_weight (n_documents 0: by mass alone), ties by number. The caller frees *order.
 * TRIB_MEMORY. */
trib_status trib_evidence_rank(size_t **order, const trib_evidence *evidence, size_t n_documents,
                               trib_error *error);
/* Keeps the `most` phrases and factors of largest mass and frees the memory of the others. */
void trib_evidence_cut(trib_evidence *evidence, size_t most);
void trib_evidence_release(trib_evidence *evidence);

/* Sets held[p] to 1 for every phrase p of the evidence that document `by` also holds, and leaves
 * the other elements unchanged. n_words is the size of the vocabulary. TRIB_MEMORY. */
trib_status trib_evidence_held(const trib_evidence *evidence, const trib_influence_document *by,
                               uint32_t n_words, uint8_t *held, trib_error *error);
/* The fraction of the evidence's mass on phrases with held[p] set, 0 .. 1: the part of a share that
 * could have come through another document. */
double trib_evidence_held_share(const trib_evidence *evidence, const uint8_t *held);

/* The fraction of the mass of factor f that lies on n-grams its document does not hold: 1 - the sum
 * over the document's n-grams z of the factor's value at z (docs/model.md section 6). */
double trib_phantom_mass(const trib_factors *factors, size_t f,
                         const trib_influence_document *document);
/* The fraction of the mass of factor f that lies on n-grams with a given word, such as the
 * wildcard, which stands for different words: 1 - prod over the modes of (1 - the factor's value at
 * the word). 0 for a factor without mass. */
double trib_mass_with_word(const trib_factors *factors, size_t f, uint32_t word);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
