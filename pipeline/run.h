/* run.h - the record of a run: each stage names the fields it reads and the one it writes. Private to pipeline. */
#ifndef TRIBUTARY_RUN_H
#define TRIBUTARY_RUN_H

#include "pipeline/log.h"
#include "pipeline/pipeline.h"

/* One document on its way through the stages. */
typedef struct trib_run_document {
    const trib_corpus_document *about;
    char sha256[TRIB_SHA256_TEXT]; /* of the file's bytes */
    trib_token_counts counts;      /* stage tokens */
    uint32_t
        *token; /* [n_tokens] ids: provisional after tokens, the vocabulary's after vocabulary */
    uint64_t *offset;     /* [n_tokens] byte offset in the file */
    uint32_t *n_bytes;    /* [n_tokens] */
    uint8_t *after_break; /* [n_tokens] a break lies before the token */
    size_t n_tokens;
    uint32_t *word; /* stage tensors: [n_local] vocabulary id of the document's own ids */
    uint32_t n_local;
    trib_hacoo ngrams;  /* over the document's own ids */
    uint32_t *sequence; /* [n_ngrams] entry of `ngrams` at each n-gram in order */
    size_t n_ngrams;
    uint64_t n_wildcard_ngrams; /* that hold <other> */
    trib_ktensor factors;       /* stage factors; words in the document's own ids */
    trib_cp_trace trace;
} trib_run_document;

/* One target with what was found about it. */
typedef struct trib_run_target {
    uint32_t document; /* its number */
    uint32_t *source;  /* [n_sources] admissible documents, ascending */
    uint32_t n_sources;
    trib_influence *influence;      /* [config.influence.n_methods], stage influence */
    const trib_influence *headline; /* one of them */
    double
        floor; /* shares below it are noise: config.floor or the largest decoy's headline share */
    trib_evidence *evidence; /* [n_sources], stage evidence; empty when no method gives evidence */
} trib_run_target;

typedef struct trib_run {
    const trib_config *config;
    trib_log *log;
    int n_threads;
    char *directory; /* the run directory */
    char inputs_hash
        [TRIB_SHA256_TEXT];      /* configuration and inputs: its first 8 digits name the run */
    trib_run_document *document; /* [config.corpus.n_documents], stage corpus */
    uint32_t n_documents;
    trib_intern intern;              /* stage tokens */
    trib_vocab vocab;                /* stage vocabulary */
    trib_factors factors;            /* stage distances: of all documents, in vocabulary ids */
    trib_factor_distances distances; /* of all factors to all documents */
    trib_run_target *target;         /* [n_targets], stage corpus */
    uint32_t n_targets;
    trib_influence_document *view; /* [n_documents] what influence sees, stage tensors */
    char **warning;                /* [n_warnings] said during the run, for log and report */
    uint32_t n_warnings;
} trib_run;

#endif
