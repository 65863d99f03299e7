/* run.h - the room `run`: a run from its configuration to its directory. The room may use every
 * room below it. stages.c is the program on one page: the table of stages with what each takes and
 * makes; a new stage is a row there. execute.c does one stage after the other, cached*.c take
 * results from the cache, report_stage.c says which files are written when.
 *
 * This header has the record of a run: what its stages make, one record each, and what wraps
 * them. Only this room and the commands see the whole of it. Private to pipeline. */
#ifndef TRIBUTARY_RUN_RUN_H
#define TRIBUTARY_RUN_RUN_H

#include "pipeline/output/directory.h"
#include "pipeline/output/output.h"
#include "pipeline/stages/tokens.h"

struct json_t;
struct trib_cache;

/* What identifies the text of a document to the cache (cached_tensors.c). */
typedef struct trib_fingerprint {
    char counts[TRIB_SHA256_TEXT]; /* of its n-grams, their counts and its words */
    char order[TRIB_SHA256_TEXT];  /* of the order of the n-grams, too; empty without */
} trib_fingerprint;

/* `{0}` is empty; trib_run_init makes it ready. It stays where it is: parts of it point to
 * others. */
typedef struct trib_run {
    /* Who works, with what. */
    trib_environment env;
    trib_comm comm; /* the same record on every rank; directory and log on rank 0 */
    trib_warnings warnings;
    trib_run_directory directory;
    struct trib_cache *cache; /* borrowed; NULL: nothing is cached */
    unsigned n_taken;         /* parts from it */
    bool is_dry;              /* only reported, nothing is written */
    bool tensors_are_last;    /* no stage follows that needs them */
    uint64_t spill_beyond;    /* bytes in use, beyond which tensors go to a file; 0: never */

    /* What the stages make. */
    trib_corpus corpus;                /* stage corpus */
    trib_corpus_words words;           /* stage tokens; ids by stage vocabulary */
    trib_word_counts word_counts;      /* stage tokens, until stage vocabulary */
    trib_vocab vocab;                  /* stage vocabulary */
    trib_tensors tensors;              /* stage tensors */
    trib_fingerprint *fingerprint;     /* [n_documents] with it */
    trib_ktensor corpus_factors;       /* with cp.start: corpus, while stage factors lasts */
    trib_decomposition *decomposition; /* [n_documents] stage factors */
    trib_distances distances;          /* stage distances */
    trib_corpus_index index;           /* stage influence */
    trib_background *background;       /* [n_targets] of the corpus, while the target is measured */
    trib_shares *shares;               /* [n_targets] stage influence */
    trib_findings *findings;           /* [n_targets] stage evidence */
    struct json_t *result;             /* stage report: what influence.json holds (result.h) */
} trib_run;

/* How a run is asked for. */
typedef struct trib_run_options {
    trib_directory_options directory;
    bool dry_run;             /* only say which stages would run */
    const char *until;        /* the last stage, by name, or NULL */
    int n_threads;            /* 0: as configured */
    const trib_comm *comm;    /* NULL: this process alone */
    struct trib_cache *cache; /* NULL: none; borrowed as long as the run */
} trib_run_options;

/* A stage of the run; one row each, in their order. */
typedef struct trib_stage_row {
    const char *name;
    const char *help;
    const char *why_not;                          /* what is said when it is not needed */
    bool (*is_needed)(const trib_config *config); /* NULL: always */
    trib_status (*work)(trib_run *run, trib_error *error);
    bool is_before_cached; /* a dry run does it, too, where there is a cache */
    const char *why_anew;  /* why nothing of it is cached; NULL: it is (cached.h) */
} trib_stage_row;
extern const trib_stage_row trib_stage_rows[]; /* ends with a row whose name is NULL */

/* A run of this process alone without a cache or a directory, for commands that do single stages.
 * Configuration and log are borrowed. */
void trib_run_init(trib_run *run, const trib_config *config, trib_log *log, int n_threads);
void trib_run_release(trib_run *run);
/* Does one stage by its name, as a run would; nothing is written but by the stage report. */
trib_status trib_run_stage(trib_run *run, const char *name, trib_error *error);
/* Makes room for what is found about each document and target, once it is known which there are:
 * for stage tensors, or in its place. */
trib_status trib_run_begin_findings(trib_run *run, trib_error *error);

/* Runs every stage and writes the run directory. A complete run with the same hash in the same
 * place: nothing to do, which is logged. TRIB_USAGE when the directory is refused, and whatever the
 * stages say. */
trib_status trib_run_execute(trib_run *run, const trib_config *config,
                             const trib_run_options *options, trib_log *log, trib_error *error);

/* What was found, for those who write it; borrows from the run. The list of its targets is the
 * caller's to free. */
trib_status trib_run_collect(const trib_run *run, trib_run_results *results, trib_error *error);
/* The influence.json of what was found; *result is the caller's to json_decref. */
trib_status trib_run_make_result(const trib_run *run, struct json_t **result, trib_error *error);
/* Where the checkpoints of the run are; nowhere while it has no directory. */
trib_checkpoints trib_run_checkpoints(const trib_run *run);
/* What the methods are measured by; borrows from the run. */
trib_measure_inputs trib_run_inputs(trib_run *run);

#endif
