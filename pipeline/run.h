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

/* ---- Running it (stages.c) -------------------------------------------------------------------------------------- */

typedef struct trib_run_options {
    const char *directory; /* -o: the run directory itself; NULL: from config.output */
    bool resume, dry_run;  /* go on in an incomplete run directory; only say what would be done */
    const char *from, *until; /* first and last stage by name, or NULL */
    int n_threads;            /* 0: config.resources.threads */
} trib_run_options;

/* One row per stage, in their order; ends with a row whose name is NULL. */
typedef struct trib_stage_row {
    const char *name;
    const char *help;
} trib_stage_row;
extern const trib_stage_row trib_stage_rows[];

/* Runs the experiment into its run directory; run->directory is set as soon as it is known, also on failure. A complete
 * run with the same hash is left alone, and the log says so. `config` and `log` outlive the run. TRIB_USAGE when the
 * directory is refused or a stage unknown; TRIB_INTERRUPTED or TRIB_TERMINATED after a signal, with nothing half-written. */
trib_status trib_run_execute(trib_run *run, const trib_config *config,
                             const trib_run_options *options, trib_log *log, trib_error *error);
void trib_run_release(trib_run *run);

#endif
