/* corpus.h - stage corpus: the configuration's documents with the hash of their bytes, the targets,
 * and the admissible sources of each. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_CORPUS_H
#define TRIBUTARY_STAGES_CORPUS_H

#include "pipeline/input/input.h"
#include "pipeline/input/spool.h"
#include "pipeline/stages/stages.h"

typedef struct trib_document {
    const trib_corpus_document *about;
    char sha256[TRIB_SHA256_TEXT]; /* of the file's bytes */
    uint64_t n_bytes, stamp;       /* stamp: of the file as it was then (byte_source.h) */
    char kind[TRIB_KIND_MAX];      /* "text", "gzip HTML" */
    char *rejected;                /* why it cannot be used; NULL: it can, as far as is known */
} trib_document;

/* A document that cannot be used, after it was taken out of the corpus. */
typedef struct trib_rejected {
    const trib_corpus_document *about;
    uint64_t n_bytes;
    char kind[TRIB_KIND_MAX]; /* empty where it was not known */
    char *why;
} trib_rejected;

typedef struct trib_target {
    uint32_t document;
    uint32_t *source; /* [n_sources] admissible documents, ascending */
    uint32_t n_sources;
} trib_target;

/* `{0}` is empty. */
typedef struct trib_corpus {
    char hash[TRIB_SHA256_TEXT]; /* of configuration and inputs: its first 8 digits name the run */
    trib_document *document;     /* [n_documents] in the order of the configuration: by id */
    uint32_t n_documents;
    trib_rejected *rejected; /* [n_rejected] taken out of them, in their order */
    uint32_t n_rejected;
    trib_target *target; /* [n_targets] ascending */
    uint32_t n_targets;
    /* [n_documents] the documents in the order in which the common language takes them in: by date,
     * or as they are listed. */
    uint32_t *arrival;
    trib_spool_of_texts *spool; /* the texts that lie in archives */
} trib_corpus;

/* Makes the corpus of env->config. A document that cannot be read is only marked as rejected. */
trib_status trib_stage_corpus(const trib_environment *env, trib_corpus *corpus, trib_error *error);
void trib_corpus_release(trib_corpus *corpus);

/* Fills in corpus->arrival. */
trib_status trib_corpus_order(const trib_config *config, trib_corpus *corpus, trib_error *error);
/* The number of the target that document d is, or n_targets. */
uint32_t trib_corpus_target_of(const trib_corpus *corpus, uint32_t d);

/* Notes why a document cannot be used; the first reason stays. TRIB_MEMORY. */
trib_status trib_document_reject(trib_document *document, const trib_error *why, trib_error *error);
/* How many are noted and still among the documents. */
uint32_t trib_corpus_count_rejected(const trib_corpus *corpus);
/* TRIB_INPUT when the bytes of a document are not those that were hashed; they are read again only
 * where the stamp of the file is another. */
trib_status trib_document_check_unchanged(const trib_document *document, trib_error *error);

/* Whether a document is among corpus.target, and whether one may be another's source: every other
 * that is not only a target, under `order: by-date` only a strictly older one. */
bool trib_config_is_target(const trib_config *config, const trib_corpus_document *document);
bool trib_config_is_source(const trib_config *config, const trib_corpus_document *source,
                           const trib_corpus_document *target);

#endif
