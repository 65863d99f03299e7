/* spellings.h - the room `spelling`: which words of a corpus are the same word. The room may use
 * the rooms support, input and config, and the folders base and tokenizer. Words are read as they
 * are written; when the configuration asks for norms (tokens.transform, variants, stem, stop), this
 * room has the norm of each spelling, the spelling that stands for a norm, and the words that are
 * left out. The stages tokens and vocabulary use it; later stages see ids only, and quotations
 * come from the bytes of the texts. Private to pipeline. */
#ifndef TRIBUTARY_SPELLING_SPELLINGS_H
#define TRIBUTARY_SPELLING_SPELLINGS_H

#include "pipeline/config/config.h"
#include "tokenizer/norms.h"

/* Whether words have norms other than themselves, or words are left out. */
bool trib_config_has_norms(const trib_config *config);
/* Opens the norms of words; *norms is NULL when every word is its own. Errors as
 * trib_norms_open. */
trib_status trib_config_norms_open(trib_norms **norms, const trib_config *config,
                                   trib_error *error);
/* Adds the files that norms are read from to a hash: nothing if there are none. TRIB_INPUT. */
trib_status trib_config_hash_norms(const trib_config *config, trib_sha256 *hash, trib_error *error);

/* A spelling of a corpus. */
typedef struct trib_spelling {
    uint64_t count;       /* occurrences */
    uint32_t norm;        /* provisional id of its norm; UINT32_MAX: not set yet */
    uint32_t n_documents; /* documents in which no earlier spelling has the same norm */
} trib_spelling;

/* The spellings of a corpus and their norms. `{0}` is closed: every word is its own norm.
 *
 * Where the texts of each language have norms or words left out of their own (n_languages > 1),
 * spellings and norms are counted by language: a word begins with TRIB_OF_LANGUAGE bytes that
 * number its language, until stage vocabulary joins the norms that are written alike. */
enum { TRIB_OF_LANGUAGE = 2 };
typedef struct trib_spellings {
    trib_norms *norms;
    trib_intern intern;      /* the spellings */
    trib_spelling *spelling; /* [intern.n_words] */
    size_t cap;
    trib_intern languages;       /* their codes */
    uint32_t n_languages;        /* at least 1; 1: all texts are alike */
    trib_intern stop;            /* norms that are left out, of the lists in tokens.stop */
    uint32_t *n_commonest;       /* [n_languages] and how many of the most frequent ones are */
    trib_buffer key, norm;       /* the last ones */
    char hash[TRIB_SHA256_TEXT]; /* of the settings and the files */
} trib_spellings;

/* Opens it as configured; nothing happens if it is open, or no norms are asked for. Errors as
 * trib_norms_open. */
trib_status trib_spellings_open(trib_spellings *spellings, const trib_config *config,
                                trib_error *error);
void trib_spellings_release(trib_spellings *spellings);
/* The number of the language of a document; 0 where all texts are alike. */
uint32_t trib_spellings_language(const trib_spellings *spellings, const trib_config *config,
                                 const trib_corpus_document *document);
/* The bytes that number the language at the beginning of each word: 0 where all texts are alike. */
static inline size_t trib_spellings_prefix(const trib_spellings *spellings) {
    return spellings->n_languages > 1 ? TRIB_OF_LANGUAGE : 0;
}
/* The number of the language of a key. */
uint32_t trib_spellings_language_of(const trib_spellings *spellings, const char *key);
/* Sets *key to a word of a text as it is counted, valid until the next call. */
trib_status trib_spellings_key(trib_spellings *spellings, uint32_t language, const char *word,
                               size_t length, const char **key, size_t *n, trib_error *error);
/* Sets *norm to the norm of such a key, which is one too, valid until the next call. */
trib_status trib_spellings_norm(trib_spellings *spellings, const char *key, size_t length,
                                const char **norm, size_t *n, trib_error *error);
/* Finds a spelling, or adds it without occurrences and with the norm UINT32_MAX, which the caller
 * then sets. */
trib_status trib_spellings_find(trib_spellings *spellings, const char *spelling, size_t length,
                                uint32_t *id, trib_error *error);

/* What the norms have changed: for the report. `{0}`: nothing. */
enum { TRIB_CHANGES_SHOWN = 20 };
typedef struct trib_change {
    char *from, *norm, *shown; /* a spelling, its norm, and the spelling that stands for the norm */
    uint64_t count;            /* of this spelling */
} trib_change;
typedef struct trib_word_changes {
    bool has_norms;
    uint64_t n_spellings, n_words;          /* distinct spellings, and distinct norms of them */
    uint64_t n_changed, n_changed_tokens;   /* spellings that are not their norm; occurrences */
    uint64_t n_left_out, n_left_out_tokens; /* norms left out, of each language; occurrences */
    uint32_t n;                             /* the most frequent changes */
    trib_change change[TRIB_CHANGES_SHOWN];
    char hash[TRIB_SHA256_TEXT]; /* of norms and words left out, for the cache; empty: none */
} trib_word_changes;
void trib_word_changes_release(trib_word_changes *changes);

/* Marks the words that are left out in left_out[words->n_words]; `words` have count[n_words]
 * occurrences. */
trib_status trib_spellings_leave_out(const trib_spellings *spellings, const trib_intern *words,
                                     const uint64_t *count, bool *left_out, trib_error *error);

/* The words as they are shown, chosen from all spellings of the corpus. */
typedef struct trib_chosen {
    /* [norms->n_words] the most frequent spelling of each norm, of equals the first by code point;
     * borrows from the spellings */
    const char **shown;
} trib_chosen;
/* The counted words of a corpus and what became of them. */
typedef struct trib_norm_counts {
    const trib_intern *words; /* as they were counted, by language */
    const uint64_t *count;    /* [words->n_words] */
    const bool *left_out;     /* [words->n_words] */
    const trib_intern *norms; /* in which equal words of several languages are one */
    const uint32_t *norm;     /* [words->n_words] number of its norm; NULL: its own number */
} trib_norm_counts;
/* Chooses the spellings, and reports in *changes. */
trib_status trib_spellings_choose(const trib_spellings *spellings, const trib_norm_counts *counts,
                                  trib_chosen *chosen, trib_word_changes *changes,
                                  trib_error *error);
void trib_chosen_release(trib_chosen *chosen);

#endif
