/* run.h - the room `run`: a run from its configuration to its directory. stages.c is the program on
 * one page: the table of stages, with the input and output of each. A new stage is a row there.
 * execute.c runs the stages in order, cached*.c read and write the cache, targets.c has the work on
 * a target, and report_stage.c says which files are written when.
 *
 * This header has the record of a run: one record for each stage, and what all stages share. Only
 * this room and the commands use the whole record. Private to pipeline. */
#ifndef TRIBUTARY_RUN_RUN_H
#define TRIBUTARY_RUN_RUN_H

#include "pipeline/output/directory.h"
#include "pipeline/output/output.h"
#include "pipeline/output/result.h"
#include "pipeline/stages/candidates.h"
#include "pipeline/stages/library.h"
#include "pipeline/stages/tokens.h"

struct json_t;
struct trib_cache;

/* The hashes that identify the text of a document in the cache (cached_texts.c). */
typedef struct trib_fingerprint {
    char counts[TRIB_SHA256_TEXT]; /* of its n-grams, their counts and its words */
    char order[TRIB_SHA256_TEXT];  /* also of the order of the n-grams; empty if not needed */
} trib_fingerprint;

/* `{0}` is empty; trib_run_init prepares it. The record must not be moved, since parts of it point
 * to others. */
typedef struct trib_run {
    /* The environment of the run. */
    trib_environment env;
    trib_config *chosen; /* env.config with what was chosen, documents and `auto`; NULL: nothing */
    trib_chosen_texts library; /* what is read of a library */
    trib_comm comm; /* the same record on every rank; directory and log are used on rank 0 */
    trib_warnings warnings;
    trib_run_directory directory;
    struct trib_cache *cache; /* borrowed; NULL: no cache */
    unsigned n_taken;         /* parts read from the cache */
    bool is_dry;              /* dry run: only reports, writes nothing */
    bool has_summary;         /* the caller reads the details of the result */
    bool tensors_are_last;    /* no later stage needs the tensors */
    uint64_t memory;          /* that the process may take */
    uint64_t spill_beyond;    /* with more bytes in use, tensors go to a file; 0: never */
    uint32_t most_words;   /* with more words, norms and spellings, they go to a file meanwhile */
    uint64_t most_resting; /* bytes of unpacked tensors that nobody reads */

    /* The results of the stages. */
    trib_read_texts texts;        /* some of them, as the stages read them */
    trib_corpus corpus;           /* stage corpus */
    trib_corpus_words words;      /* stage tokens; ids by stage vocabulary */
    trib_word_counts word_counts; /* stage tokens, until stage vocabulary */
    trib_vocab vocab;             /* stage vocabulary */
    trib_tensors tensors;         /* stage tensors */
    /* identifies the words of the corpus and the table of lemmas; empty without stage parallels */
    char lexicon[TRIB_SHA256_TEXT];
    trib_fingerprint *fingerprint;     /* [n_documents] stage tensors */
    trib_ktensor corpus_factors;       /* during stage factors, with cp.start: corpus */
    trib_decomposition *decomposition; /* [n_documents] stage factors */
    trib_distances distances;          /* stage distances */
    trib_corpus_index index;           /* stage influence */
    trib_background *background;       /* [n_targets] while the target is measured */
    trib_shares *shares;               /* [n_targets] stage influence */
    trib_findings *findings;           /* [n_targets] stage evidence */
    trib_spill findings_spill;         /* the findings and shares of many targets */
    trib_allusion_search search;       /* during stage parallels */
    trib_allusions *allusions;         /* [n_targets] stage parallels; NULL: none */
    trib_result result;                /* stage report; without documents before it */
} trib_run;

/* The options of a run. */
typedef struct trib_run_options {
    trib_directory_options directory;
    bool dry_run;             /* only report which stages would run */
    const char *until;        /* name of the last stage, or NULL */
    bool has_summary;         /* the details of run->result are wanted whatever is written */
    int n_threads;            /* 0: as configured */
    uint32_t most_words;      /* as in trib_run; 0: TRIB_WORDS_IN_MEMORY */
    const trib_comm *comm;    /* NULL: this process alone */
    struct trib_cache *cache; /* NULL: no cache; borrowed during the run */
} trib_run_options;

/* A stage of the run. The rows are in the order of the stages. */
typedef struct trib_stage_row {
    const char *name;
    const char *help;
    /* logged when the stage is skipped; NULL: nothing, since most runs do without it */
    const char *why_not;
    bool (*is_needed)(const trib_config *config); /* NULL: always */
    trib_status (*work)(trib_run *run, trib_error *error);
    bool is_before_cached; /* a dry run with a cache also runs this stage */
    const char *why_anew;  /* why the stage is never cached; NULL: it is (cached.h) */
} trib_stage_row;
extern const trib_stage_row trib_stage_rows[]; /* ends with a row whose name is NULL */

/* Initialises a run of this process alone, without a cache or a directory, for commands that run
 * single stages. Configuration and log are borrowed. */
void trib_run_init(trib_run *run, const trib_config *config, trib_log *log, int n_threads);
void trib_run_release(trib_run *run);
/* Gives the stages that follow a configuration of their own, run->chosen, that may be changed. */
trib_status trib_run_choose(trib_run *run, trib_error *error);
/* Runs one stage by its name. Only stage report writes files. */
trib_status trib_run_stage(trib_run *run, const char *name, trib_error *error);
/* Allocates the records for each document and target once their numbers are known. Stage tensors
 * calls this; a caller that replaces that stage must call it too. */
trib_status trib_run_begin_findings(trib_run *run, trib_error *error);

typedef struct trib_estimate {
    uint64_t n_bytes; /* of all documents: measured */
    double n_tokens;  /* words */
    double nnz;       /* different n-grams, summed over the documents */
    double memory;    /* bytes at the peak */
    uint32_t n_targets;
    uint32_t n_candidates; /* largest number of sources of a target that are measured; 0: all */
    double seconds;        /* on one core of a server of 2022 */
} trib_estimate;

/* The unpacked size in bytes of a file of n_bytes, by the suffix of its name. */
uint64_t trib_estimate_bytes(const char *path, uint64_t n_bytes);

/* Estimates from the size n_bytes[d] of each document of a loaded configuration. The number of
 * words is a sixth of the bytes. The number of different n-grams in a text of w words is c w^b,
 * fitted to 126 texts of 300 to 30 000 words (median error 1 %, nine in ten within 18 %; a text of
 * 790 000 words has 13 % fewer). Memory and time are given per token, per nonzero and per
 * component, for one thread and an empty cache. Pages of scratch files, which the system can drop,
 * do not count. The estimate is within a factor of two for European languages in UTF-8
 * (tests/measure estimate held_out), and worse elsewhere. */
void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]);
/* Adds what the factors of a document cost when it has n_words different words, more than twice as
 * many as a text of n_bytes usually has. */
void trib_estimate_add_words(trib_estimate *estimate, const trib_config *config, uint64_t n_bytes,
                             uint32_t n_words);

/* Runs every stage and writes the run directory. If the directory already holds a complete run with
 * the same hash, only logs that. TRIB_USAGE when the directory cannot be used; otherwise the status
 * of the stage that failed. */
trib_status trib_run_execute(trib_run *run, const trib_config *config,
                             const trib_run_options *options, trib_log *log, trib_error *error);

/* Writes the output files of a finished stage. */
trib_status trib_run_write_files(trib_run *run, const char *stage, trib_error *error);
/* Stage report: makes run->result, then writes all remaining files from it and the other
 * records. */
trib_status trib_run_report(trib_run *run, trib_error *error);

/* Call after all texts were read. Moves the rejected documents from the corpus to its list of them,
 * and renumbers documents, targets and sources. With `corpus.on_error: skip`, each rejected
 * document is a warning and the run continues. TRIB_INPUT when a document is rejected without that
 * setting, or when no document or no target is left; inputs.tsv is then written if the run
 * directory is open. Does nothing when no document is rejected. */
trib_status trib_run_finish_rejected(trib_run *run, trib_error *error);

/* Reads all texts and counts their n-grams, as the first stages of a run do, and writes nothing. Of
 * the options only comm, cache, n_threads and most_words count. The status is the one that a run
 * would end with if it could not get through these stages; run->corpus.rejected then lists every
 * document that cannot be used. */
trib_status trib_run_read(trib_run *run, const trib_config *config, const trib_run_options *options,
                          trib_log *log, trib_error *error);
/* Estimates the cost of the run from the sizes of its documents, which stage corpus measures. */
trib_status trib_run_estimate(const trib_run *run, trib_estimate *estimate, trib_error *error);

/* Collects the results for the writers of files; they borrow from the run. The caller frees the
 * list results->target. */
trib_status trib_run_collect(const trib_run *run, trib_run_results *results, trib_error *error);
/* Makes the contents of influence.json. The caller releases *result with json_decref. */
trib_status trib_run_make_result(const trib_run *run, trib_result *result, trib_error *error);
/* Where the checkpoints of the run are; without a directory there are none. */
trib_checkpoints trib_run_checkpoints(const trib_run *run);
/* The inputs of the influence methods; they borrow from the run. */
trib_measure_inputs trib_run_inputs(trib_run *run);

#endif
