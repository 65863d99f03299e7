/* corpus.h - stage corpus: the configuration's documents with the hash of their bytes, the targets,
 * and the admissible sources of each. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_CORPUS_H
#define TRIBUTARY_STAGES_CORPUS_H

#include "pipeline/stages/stages.h"
#include "pipeline/text/input.h"
#include "pipeline/text/spool.h"

typedef struct trib_document {
    const trib_corpus_document *about;
    char sha256[TRIB_SHA256_TEXT]; /* of the file's bytes */
    uint64_t n_bytes, stamp;       /* stamp: of the file when it was hashed (input.h) */
    char kind[TRIB_KIND_MAX];      /* "text", "gzip HTML" */
    bool has_pages;                /* it is METS, which names the files of its pages */
    char *rejected;                /* why the document cannot be used; NULL: no reason is known */
} trib_document;

/* A document that cannot be used and has been removed from the corpus. */
typedef struct trib_rejected {
    const trib_corpus_document *about;
    uint64_t n_bytes;
    char kind[TRIB_KIND_MAX]; /* empty: unknown */
    char *why;
} trib_rejected;

typedef struct trib_target {
    uint32_t document;
    /* [n_sources] ascending: the admissible documents; of a corpus with candidates, those of them
     * that stage candidates chose */
    uint32_t *source;
    uint32_t n_sources;
    uint32_t n_admissible; /* number of admissible documents */
} trib_target;

/* How the sources of the targets were chosen. */
typedef struct trib_candidates_about {
    uint32_t most; /* largest number chosen by share; 0: every admissible source is measured */
    uint32_t rate; /* one of `rate` different n-grams was looked at */
} trib_candidates_about;

/* `{0}` is empty. */
typedef struct trib_corpus {
    char hash[TRIB_SHA256_TEXT]; /* of configuration and inputs: its first 8 digits name the run */
    /* that hash before anything was chosen, and for which keys it is `auto`; empty: for none */
    char asked[TRIB_SHA256_TEXT + 2];
    trib_document *document; /* [n_documents] in the order of the configuration: by id */
    uint32_t n_documents;
    trib_rejected *rejected; /* [n_rejected] documents removed from the corpus, in its order */
    uint32_t n_rejected;
    trib_target *target; /* [n_targets] ascending */
    uint32_t n_targets;
    /* [n_documents] the order in which documents are added to the common language: by date, or as
     * listed. */
    uint32_t *arrival;
    trib_candidates_about candidates;
    bool is_chosen; /* targets have sources that were chosen in a library (library.h) */
    /* [n_documents] with candidates: it is a target or a source of one; NULL: all documents are
     * measured */
    bool *is_measured;
    trib_spool_of_texts *spool; /* unpacked texts from archives */
} trib_corpus;

/* Makes the corpus of env->config, without sources. A document that cannot be read is marked as
 * rejected and remains in the corpus. */
trib_status trib_stage_corpus(const trib_environment *env, trib_corpus *corpus, trib_error *error);
/* Sets corpus->hash. TRIB_INPUT when a file that a setting names cannot be read. */
trib_status trib_corpus_hash(const trib_config *config, trib_corpus *corpus, trib_error *error);
/* Lists the sources of the targets; if candidates are chosen among them later, only counts them.
 * Warns about targets without a source. */
trib_status trib_corpus_find_sources(const trib_environment *env, trib_corpus *corpus,
                                     trib_error *error);
void trib_corpus_release(trib_corpus *corpus);

/* Returns whether document x of a corpus is earlier than its document y: its date is a period that
 * ends earlier, or else begins earlier, or else x is first in the corpus. Documents without a date
 * come after those with one. */
bool trib_document_is_earlier(const trib_document *x, const trib_document *y);
/* Lists the numbers of all documents in (*order)[n_documents], the earliest first. */
trib_status trib_corpus_by_date(const trib_corpus *corpus, uint32_t **order, trib_error *error);
/* Returns whether every document has a title of its own; without one its id is its title. */
bool trib_corpus_has_titles(const trib_corpus *corpus);
/* Returns whether document d is a target or may be a source of one. */
static inline bool trib_corpus_measures(const trib_corpus *corpus, uint32_t d) {
    return !corpus->is_measured || corpus->is_measured[d];
}
/* Marks target t and its sources in corpus->is_measured. */
void trib_corpus_measure(trib_corpus *corpus, uint32_t t);
/* Returns the number of the target that is document d, or n_targets if d is not a target. */
uint32_t trib_corpus_target_of(const trib_corpus *corpus, uint32_t d);

/* Records why a document cannot be used. Later reasons are ignored. TRIB_MEMORY. */
trib_status trib_document_reject(trib_document *document, const trib_error *why, trib_error *error);
/* Writes why a document cannot be used, or reads it and records it. */
void trib_document_pack_rejected(trib_document *document, struct trib_pack *pack);
/* Returns the number of documents in the corpus that are marked as rejected. */
uint32_t trib_corpus_count_rejected(const trib_corpus *corpus);
/* Fails with TRIB_INPUT if a document's bytes differ from those that were hashed. The file is read
 * again only if its stamp has changed. */
trib_status trib_document_check_unchanged(const trib_document *document, trib_error *error);

/* trib_config_is_target returns whether a document is among corpus.target. trib_config_is_source
 * returns whether one document may be a source of another: any other document that is not only a
 * target and, under `order: by-date`, is strictly older. */
/* Returns the largest number of sources of a target that are measured, or 0: all
 * (influence.candidates). */
uint32_t trib_config_candidates(const trib_config *config);
bool trib_config_is_target(const trib_config *config, const trib_corpus_document *document);
/* Whether a run with so many targets writes their pages and their texts to read
 * (report.target_pages). */
bool trib_config_has_target_pages(const trib_config *config, size_t n_targets);
bool trib_config_is_source(const trib_config *config, const trib_corpus_document *source,
                           const trib_corpus_document *target);
/* The same for many pairs: another document d may be a source of a target where (*end)[d] <=
 * trib_config_begin. The caller frees *end [n_documents]. TRIB_MEMORY. */
trib_status trib_corpus_ends(const trib_config *config, const trib_corpus *corpus, double **end,
                             trib_error *error);
double trib_config_begin(const trib_config *config, const trib_corpus_document *target);

#endif
