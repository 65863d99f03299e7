/* spellings.h - which words of a corpus are the same word. Words are read as they are written; when
 * the configuration asks for norms (tokens.transform, variants, stem, stop), this room has the norm
 * of each spelling, the spelling that stands for a norm, and the words that are left out. The
 * stages tokens and vocabulary use it; later stages see ids only, and quotations come from the
 * bytes of the texts. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_SPELLINGS_H
#define TRIBUTARY_STAGES_SPELLINGS_H

#include "pipeline/config/document.h"
#include "tokenizer/norms.h"
#include "tokenizer/word_runs.h"

/* Whether words have norms other than themselves, or words are left out. */
bool trib_config_has_norms(const trib_config *config);
/* Adds the files that norms are read from to a hash: nothing if there are none. TRIB_INPUT. */
trib_status trib_config_hash_norms(const trib_config *config, trib_sha256 *hash, trib_error *error);

/* A spelling of a corpus. */
typedef struct trib_spelling {
    uint64_t count;       /* occurrences */
    uint32_t norm;        /* number of its norm; UINT32_MAX: not set yet */
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
    trib_intern stop;            /* norms that are left out, at first of the lists in tokens.stop */
    uint32_t *n_commonest;       /* [n_languages] and how many of the most frequent ones are */
    trib_buffer key, norm;       /* the last ones */
    char hash[TRIB_SHA256_TEXT]; /* of the settings and the files */
} trib_spellings;

/* Opens it as configured; nothing happens if it is open, or no norms are asked for. Errors as
 * trib_norms_open. */
trib_status trib_spellings_open(trib_spellings *spellings, const trib_config *config,
                                trib_error *error);
void trib_spellings_release(trib_spellings *spellings);
/* Removes all spellings and releases their memory. */
void trib_spellings_forget(trib_spellings *spellings);
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

/* Divides the parts of a sort key: a byte that no UTF-8 text has. */
#define TRIB_KEY_PART "\xFF"
/* Appends the key by which spelling i is sorted: `norm`, its norm (a key, too), the spelling and,
 * with several languages, the bytes of the language. So the spellings of a norm in all languages
 * come one after another. A NUL ends the key. TRIB_MEMORY. */
trib_status trib_spellings_sort_key(const trib_spellings *spellings, uint32_t i, const char *norm,
                                    trib_buffer *key, trib_error *error);

/* The functions below read `all`, the spellings of the corpus by these keys. */

/* Replaces the words of a list by their norms: of the norms of a word by language those that occur,
 * or else the first. TRIB_MEMORY. */
trib_status trib_spellings_list(trib_spellings *spellings, const trib_merged_words *all,
                                trib_intern *list, trib_error *error);

/* A norm of the corpus. */
typedef struct trib_chosen {
    /* the norm and its most frequent spelling, of equals the first by code point; NULL when it is
     * left out of the texts of all languages. Not zero-terminated, valid during the call. */
    const char *norm, *shown;
    size_t norm_length, shown_length;
    uint64_t count;       /* in texts of the languages in which it is not left out */
    uint32_t n_documents; /* those of these texts that have it; 0: it is left out of all */
} trib_chosen;
/* Takes the norms in turn. A status other than TRIB_OK ends this with that status. */
typedef trib_status (*trib_chosen_sink)(void *context, const trib_chosen *norm, trib_error *error);
/* Chooses the norms that are left out and the spellings that are shown, calls `take` for each norm,
 * and reports in *changes. number[all->n] receives for each spelling the number of its norm among
 * those that are not left out, or TRIB_LEFT_OUT. The norms that are left out are then in
 * spellings->stop. TRIB_MEMORY, or what `take` returns. */
trib_status trib_spellings_choose(trib_spellings *spellings, const trib_merged_words *all,
                                  trib_chosen_sink take, void *context, uint32_t *number,
                                  trib_word_changes *changes, trib_error *error);

#endif
