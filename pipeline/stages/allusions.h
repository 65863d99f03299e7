/* allusions.h - the stage parallels, which finds possible allusions of a target, ranked pairs of
 * places that share rare words close together (influence/passages/parallels.h). They are evidence
 * of their own and change no share. word_features.c says which words are equal. Private to
 * pipeline. */
#ifndef TRIBUTARY_STAGES_ALLUSIONS_H
#define TRIBUTARY_STAGES_ALLUSIONS_H

#include "influence/passages/parallels.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* ---- Results --------------------------------------------------------------------------------- */

/* A word of the target that is matched with a word of the source. */
typedef struct trib_allusion_word {
    uint64_t count;          /* occurrences of the feature in the corpus */
    size_t feature;          /* the feature's text: trib_allusions.text + feature */
    uint32_t target, source; /* numbers of the words in their texts, from 0 */
} trib_allusion_word;

/* A pair of places. */
typedef struct trib_allusion {
    double score, cosine;
    trib_parallel_unit target, source; /* words of both places */
    uint32_t from;                     /* number of the source among the target's sources */
    uint32_t distance;                 /* of the two rarest words on both sides; 0 for one word */
    size_t first_word, n_words;        /* its words are word[first_word] .., the rarest first */
} trib_allusion;

/* The pairs of a target with all its sources, at most TRIB_ALLUSION_SOURCES times parallels.top.
 * `{0}` is empty. */
enum { TRIB_ALLUSION_SOURCES = 40 };
typedef struct trib_allusions {
    /* [n] by descending score, ties by source, then by place in the target, then in the source */
    trib_allusion *pair;
    size_t n, cap;
    trib_allusion_word *word; /* [n_words] */
    size_t n_words, word_cap;
    trib_buffer text; /* the features, each followed by a NUL */
} trib_allusions;
void trib_allusions_release(trib_allusions *allusions);

/* ---- Words and units ------------------------------------------------------------------------- */

/* The features and 4-grams of the words of the vocabulary. `{0}` is empty. */
typedef struct trib_word_features {
    trib_parallel_lexicon lexicon; /* points into the arrays below */
    trib_intern names;             /* the features by number */
    size_t *features_from, *grams_from;
    uint32_t *feature, *gram;
    uint64_t *count;
} trib_word_features;
/* Computes the features of every word by the section parallels of the configuration
 * (word_features.c). TRIB_CONFIG for a table of lemmas that is not valid, with its line, or for a
 * language without stems. */
trib_status trib_word_features_build(trib_word_features *features, const trib_config *config,
                                     const trib_vocab *vocab, trib_error *error);
void trib_word_features_release(trib_word_features *features);
/* Reads the table of parallels.lemmas, if there is one, only to find what is wrong with it: a run
 * would find it hours later. */
trib_status trib_lemmas_check(const trib_config *config, trib_error *error);

/* A document cut into units. `{0}` is empty. */
typedef struct trib_text_units {
    bool is_read;
    uint32_t *form; /* [n_words] vocabulary ids */
    trib_parallel_unit *unit;
    trib_parallel_text text; /* points to both */
} trib_text_units;
/* Reads the words of a document and cuts them into units at the punctuation of its text
 * (allusions.c). TRIB_INPUT when the file has changed since stage corpus. */
trib_status trib_text_units_read(trib_text_units *units, const trib_config *config,
                                 const trib_corpus *corpus, const trib_corpus_words *words,
                                 uint32_t d, trib_error *error);
void trib_text_units_release(trib_text_units *units);

/* ---- The stage ------------------------------------------------------------------------------- */

/* What the stage reads, and what it computes once for all targets. Pointers are borrowed but for
 * the last two. `{0}` is empty. */
typedef struct trib_allusion_search {
    const trib_environment *env;
    const trib_corpus *corpus;
    const trib_corpus_words *words;
    const trib_vocab *vocab;
    trib_word_features features;
    trib_text_units *document; /* [n_documents] read when first needed */
} trib_allusion_search;
trib_status trib_allusion_search_open(trib_allusion_search *search, const trib_environment *env,
                                      const trib_corpus *corpus, const trib_corpus_words *words,
                                      const trib_vocab *vocab, trib_error *error);
/* Finds the pairs of target t. Several threads may call this. */
trib_status trib_allusions_find(trib_allusion_search *search, uint32_t t, int n_threads,
                                trib_progress progress, trib_allusions *allusions,
                                trib_error *error);
void trib_allusion_search_close(trib_allusion_search *search);

#endif
