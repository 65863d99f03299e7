/* results.h - what a run found, read from its run directory.
 *
 * All arrays and texts belong to the results and are valid until trib_results_close. Documents are
 * numbered from 0 in the order of trib_results_documents, that is by id. Shares and masses are
 * fractions of the target's n-grams, from 0 to 1. docs/run-directory.md explains every number.
 * Several threads may read the same results. */
#ifndef TRIBUTARY_LIBRARY_RESULTS_H
#define TRIBUTARY_LIBRARY_RESULTS_H

#include "decomp/decomp.h"
#include "pipeline/library/experiment.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Opens the directory of a complete run. Takes memory in proportion to its influence.json.
 * TRIB_USAGE when the directory holds no complete run, TRIB_INPUT when a file is damaged,
 * TRIB_MEMORY. On failure *results is NULL. */
trib_status trib_results_open(trib_results **results, const char *directory, trib_error *error);

/* Releases results and everything that was read from them; NULL is legal. */
void trib_results_close(trib_results *results);

/* The run directory as it was named. */
const char *trib_results_directory(const trib_results *results);

/* The name of the experiment. */
const char *trib_results_name(const trib_results *results);

/* The method that the report leads with, for instance "traced". Phrases and passages belong to
 * it. */
const char *trib_results_headline(const trib_results *results);

/* The document number of the author of a target: what no source explains. */
#define TRIB_AUTHOR UINT32_MAX
/* The document number of the formulas of a target: n-grams that so many documents hold that they
 * are credited to none of them. */
#define TRIB_FORMULA (UINT32_MAX - 1)

/* A document of the corpus. */
typedef struct trib_result_document {
    const char *id;     /* its name in the configuration */
    const char *title;  /* the id where the configuration has none */
    const char *author; /* NULL where the configuration has none */
    const char *date;   /* as configured; NULL where the configuration has none */
    const char *role;   /* "both", "target", "source" or "decoy" */
    const char *file;   /* as configured */
    uint64_t n_bytes;   /* size of the file as stored */
    uint64_t n_words;   /* words */
    uint64_t n_ngrams;  /* n-grams, one for each place */
    uint64_t nnz;       /* different n-grams */
    bool is_target;     /* it was explained by the others */
    double floor; /* of a target: shares by the headline method below it are noise; NaN otherwise */
    uint32_t rank; /* components of its decomposition; 0: it was not decomposed */
    double fit;    /* of the decomposition: 1 - |X - model| / |X|; NaN without one */
} trib_result_document;

/* The documents; *n receives their number. */
const trib_result_document *trib_results_documents(const trib_results *results, size_t *n);

/* The number of the document with this id, TRIB_AUTHOR when there is none. */
uint32_t trib_results_find(const trib_results *results, const char *id);

/* How much of a target a source explains. */
typedef struct trib_result_share {
    uint32_t target;     /* number of a document */
    uint32_t source;     /* number of a document, TRIB_AUTHOR or TRIB_FORMULA */
    const char *method;  /* for instance "traced" */
    double share;        /* 0 to 1 */
    double low;          /* lower end of the 90 % interval; NaN without one */
    double high;         /* upper end of the 90 % interval; NaN without one */
    bool is_below_floor; /* of the headline method: too small to tell from noise */
    bool is_decoy;       /* the source is a decoy, whose share shows the size of the noise */
    /* Sources that cannot be told apart are a group: only the sum of their shares can be trusted.
     * The number of its first member; the source itself, the author or the formulas stand alone. */
    uint32_t group;
    double group_share; /* the sum; of one that stands alone its own share */
    double group_low;   /* lower end of the 90 % interval of the sum; NaN without one */
    double group_high;  /* its upper end; NaN without one */
} trib_result_share;

/* The shares by target, then by method as configured, then by source, then the author and, where
 * the run has them, the formulas. Of a target with more than 40 sources only some are listed
 * (docs/model.md, section 5). *n receives their number. */
const trib_result_share *trib_results_shares(const trib_results *results, size_t *n);

/* A phrase (n-gram) behind a share. */
typedef struct trib_result_phrase {
    uint32_t target;            /* number of a document */
    uint32_t source;            /* number of a document, or TRIB_AUTHOR: it stands in no source */
    const char *text;           /* its words, separated by spaces */
    uint64_t in_target;         /* how often it occurs in the target */
    uint64_t in_source;         /* how often it occurs in the source */
    uint64_t n_other_documents; /* how many further documents hold it */
    double mass;                /* its part of the share */
    bool is_common; /* so many documents hold it that it says little (report.commonplace) */
} trib_result_phrase;

/* The strongest phrases of each target and source, as many as report.top_phrases says, the
 * strongest first. *n receives their number. */
const trib_result_phrase *trib_results_phrases(const trib_results *results, size_t *n);

/* A passage: words that a target and a source share in the same order, with gaps. */
typedef struct trib_result_passage {
    uint32_t target;         /* number of a document */
    uint32_t source;         /* number of a document */
    uint64_t first;          /* its first word in the target, from 1 */
    uint64_t n_words;        /* words from there on */
    uint64_t source_first;   /* its first word in the source, from 1 */
    uint64_t n_source_words; /* words from there on */
    uint64_t n_shared;       /* words that both have */
    double mass;             /* its part of the share */
    /* quotation from the target, with words before and after; NULL with report.text: none */
    const char *text;
    const char *source_text; /* the same from the source */
} trib_result_passage;

/* The strongest passages of each target and source above the noise floor, the strongest first. *n
 * receives their number. */
const trib_result_passage *trib_results_passages(const trib_results *results, size_t *n);

/* Reads the decomposition of a document: its components, and the words that the indices of every
 * mode stand for. Needs `factors` among report.formats: TRIB_USAGE when the run did not write them.
 * TRIB_INPUT when the file is damaged, TRIB_MEMORY. The caller releases both with
 * trib_ktensor_release and trib_ktns_words_release; after a failure they are empty. */
trib_status trib_results_factors(const trib_results *results, uint32_t document, trib_ktensor *k,
                                 trib_ktns_words *words, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
