/* run.h - the record of a run: each stage names the fields it reads and the one it writes. Private to pipeline. */
#ifndef TRIBUTARY_RUN_RUN_H
#define TRIBUTARY_RUN_RUN_H

#include "pipeline/comm/communicator.h"
#include "pipeline/config/config.h"
#include "pipeline/input/input.h"
#include "pipeline/input/spool.h"
#include "pipeline/input/strip.h"
#include "pipeline/stages/factors.h"
#include "pipeline/stages/floor.h"
#include "pipeline/store/words.h"
#include "pipeline/support/log.h"

struct json_t;
struct trib_pack;
struct trib_unpack;

/* One document on its way through the stages. */
typedef struct trib_run_document {
    const trib_corpus_document *about;
    char sha256[TRIB_SHA256_TEXT]; /* of the file's bytes, stage corpus */
    uint64_t n_bytes, stamp;       /* stamp: of the file as it was then (byte_source.h) */
    char kind[TRIB_KIND_MAX];      /* with it: "text", "gzip HTML" */
    char *refused; /* why it cannot be used (rejected.h); NULL: it can, as far as is known */
    trib_token_counts counts; /* stage tokens */
    trib_cuts cuts;           /* with it: what was stripped; n_texts 0: nothing was asked for */
    char encoding[TRIB_ENCODING_MAX]; /* with it: what the file is written in */
    int rank;                         /* of the process that reads it, stage tokens */
    const trib_reader *words;         /* with it: the file that holds its words (words.h), */
    uint64_t words_from, words_size;  /* and where in it; of other ranks from stage tensors on */
    bool is_numbered;                 /* that file is a numbered one: another rank's */
    size_t n_tokens;
    uint32_t n_words;  /* different ones, before the vocabulary is cut */
    uint32_t n_joined; /* of them in run->intern */
    uint32_t *
        id; /* [n_words] of its words: provisional after tokens, the vocabulary's after vocabulary; NULL when numbered */
    uint32_t *
        word; /* stage tensors: [n_local] vocabulary id of the document's own ids, commonest first */
    uint32_t n_local;
    trib_hacoo
        ngrams; /* over the document's own ids; spilled when there are many, with `word` and `sequence` */
    uint32_t *
        sequence; /* [n_ngrams] entry of `ngrams` at each n-gram in order; NULL when no method asks */
    size_t n_ngrams;
    uint64_t n_wildcard_ngrams;          /* that hold <other> */
    char counts_print[TRIB_SHA256_TEXT]; /* of `ngrams` and the words, with a cache (cached.h) */
    char order_print[TRIB_SHA256_TEXT];  /* of `sequence`, too; empty without */
    trib_ktensor factors;                /* stage factors; words in the document's own ids */
    trib_cp_trace trace;
    trib_rank_search search; /* with cp.rank: auto */
    trib_judgement judged;
} trib_run_document;

/* One that cannot be used. */
typedef struct trib_run_rejected {
    const trib_corpus_document *about;
    uint64_t n_bytes;
    char kind[TRIB_KIND_MAX]; /* empty where it was not known */
    char *why;
} trib_run_rejected;

/* Words of several documents, without a name: one for every thread that reads texts. */
typedef struct trib_run_spill {
    trib_writer writer;
    trib_reader reader; /* of it */
} trib_run_spill;

/* One target with what was found about it. */
typedef struct trib_run_target {
    uint32_t document;          /* its number */
    trib_background background; /* of the corpus, while the target is measured */
    bool wants_background;
    uint32_t *source; /* [n_sources] admissible documents, ascending: stage corpus */
    uint32_t n_sources;
    trib_influence *influence;      /* [config.influence.n_methods], stage influence */
    const trib_influence *headline; /* one of them */
    trib_floor floor;               /* of the headline */
    trib_evidence *evidence; /* [n_sources], stage evidence; NULL when no method gives evidence */
    trib_passages *passages; /* [n_sources], with it; empty below the noise floor */
    trib_evidence own;       /* what stands in no source, with it */
} trib_run_target;

/* A file of the run directory that is written. */
typedef struct trib_run_file {
    char *name; /* below the run directory */
    char sha256[TRIB_SHA256_TEXT];
} trib_run_file;

typedef struct trib_run {
    const trib_config *config;
    trib_log *log;
    struct trib_cache *cache; /* borrowed; NULL: nothing is kept */
    unsigned n_taken;         /* parts from it */
    bool is_dry;              /* only said, nothing is written */
    int n_threads;
    trib_comm
        team; /* who does this run; the same record on every rank, directory and log on rank 0 */
    char *directory; /* the run directory, set as soon as it is known */
    char hash
        [TRIB_SHA256_TEXT]; /* of configuration and inputs: its first 8 digits name the run, stage corpus */
    trib_run_document *document; /* [n_documents], stage corpus */
    uint32_t n_documents;
    trib_spool_of_texts *shelf; /* where those lie that are in archives, stage corpus; owned */
    trib_run_rejected *refused; /* [n_refused] taken out of them, in their order, stage tokens */
    uint32_t n_refused;
    trib_run_target *target; /* [n_targets] ascending, stage corpus */
    uint32_t n_targets;
    trib_run_spill *spill; /* [n_spills] stage tokens */
    int n_spills;
    trib_intern
        intern; /* stage tokens: the words of this rank's documents, until stage vocabulary */
    uint64_t *word_count;     /* [intern.n_words] with it: occurrences in them */
    uint32_t *word_documents; /* [intern.n_words] how many of them hold it */
    size_t word_count_cap, word_documents_cap;
    trib_vocab vocab; /* stage vocabulary */
    uint64_t n_wildcard_ngrams, n_ngrams;
    bool tensors_are_last; /* no stage follows that needs them: they are written and released */
    uint64_t spill_beyond; /* bytes in use, beyond which they are kept in a file; 0: never */
    trib_spill tensors;
    uint32_t n_spilled;            /* documents in it */
    trib_influence_document *view; /* [n_documents] what influence sees, stage tensors */
    trib_concordance concordance;  /* of several targets, stage influence */
    trib_word_orders orders;       /* of several targets, from the first that is traced on */
    bool has_read_orders;          /* or tried to, and there was no room */
    trib_common_language language; /* one background for all targets, while they are measured */
    uint32_t *arrival; /* [n_documents] in the order in which it takes them in, stage corpus */
    uint32_t n_arrived;
    trib_ktensor corpus_factors;     /* with cp.start: corpus, while the stage factors lasts */
    trib_factors factors;            /* stage distances: of all documents, in vocabulary ids */
    trib_factor_distances distances; /* of the factors of targets to their sources (distances.c) */
    char **warning;                  /* [n_warnings] about the result, for log and report */
    size_t n_warnings, warning_cap;
    struct json_t *result; /* stage report: what influence.json holds (result.h) */
    trib_run_file *file;   /* [n_files] written so far */
    size_t n_files, file_cap;
    bool is_open, is_whole; /* the run directory: being written; every file is there */
} trib_run;

/* How a run is asked for. */
typedef struct trib_run_options {
    const char *directory;    /* -o: the run directory itself; NULL: from config.output */
    bool resume;              /* an incomplete run directory is taken up */
    bool renew;               /* one of other texts is emptied */
    bool dry_run;             /* only say which stages would run */
    const char *until;        /* the last stage, by name, or NULL */
    int n_threads;            /* 0: as configured */
    const trib_comm *team;    /* NULL: this process alone */
    struct trib_cache *cache; /* NULL: none; borrowed as long as the run */
} trib_run_options;

/* A stage of the run; one row each, in their order. */
typedef struct trib_stage_row {
    const char *name;
    const char *help;
    const char *why_not;                    /* what is said when it is not needed */
    bool (*is_needed)(const trib_run *run); /* NULL: always */
    trib_status (*work)(trib_run *run, trib_error *error);
    bool is_before_kept;  /* a dry run does it, too, where there is a cache */
    const char *why_anew; /* why nothing of it is kept; NULL: it is (cached.h) */
} trib_stage_row;
extern const trib_stage_row trib_stage_rows[]; /* ends with a row whose name is NULL */

/* Runs every stage and writes the run directory. A complete run with the same hash in the same place: nothing to do,
 * which is logged. TRIB_USAGE when the directory is refused, and whatever the stages say. */
trib_status trib_run_execute(trib_run *run, const trib_config *config,
                             const trib_run_options *options, trib_log *log, trib_error *error);
void trib_run_release(trib_run *run);

/* Whether a method needs the n-grams of texts in their order (tensors.c). */
bool trib_config_wants_order(const trib_config *config);

/* TRIB_INPUT when the bytes of a document are not those that stage corpus hashed; they are read again only where the
 * stamp of the file is another. */
trib_status trib_run_check_unchanged(const trib_run_document *document, trib_error *error);

/* What a word is to a configuration; borrows from it. */
trib_token_options trib_config_token_options(const trib_config *config);
/* Of more sources than these, only some are listed (trib_share_rows), and what is quoted of a target goes by its length: nothing
 * grows with the square of the corpus. */
enum { TRIB_ALL_WRITTEN = 40, TRIB_LARGEST_WRITTEN = 20, TRIB_NOISE_PHRASES = 3 };
static inline bool trib_target_is_brief(const trib_run_target *target) {
    return target->n_sources > TRIB_ALL_WRITTEN;
}
/* Whether the page of a brief target is short, too: its phrases and passages show most of it, a chart of them would be longer. */
enum { TRIB_SHORT_WORDS = 1500 };
bool trib_target_is_short(const trib_run *run, const trib_run_target *target);
/* How many sources of a target have their phrases in the report, and how many phrases (of a brief target in phrases.csv, too)
 * and passages of each source are listed there. */
typedef struct trib_extent {
    size_t sources, phrases, passages;
} trib_extent;
trib_extent trib_target_extent(const trib_run *run, const trib_run_target *target);
/* Which sources of a target have a row by one method, in every file and on every page. Up to TRIB_ALL_WRITTEN sources all have
 * one. Of more sources these have one: decoys, sources above the noise floor of the headline, and the TRIB_LARGEST_WRITTEN with
 * the largest shares by the method (ties: the first ones) above 0. */
typedef struct trib_share_rows {
    double least;      /* the smallest of the largest shares, */
    size_t last;       /* and the last source that has it */
    size_t n_left_out; /* sources with a share above 0 and without a row */
    double left_out;   /* the sum of their shares */
} trib_share_rows;
/* The rule for one method, O(sources). */
trib_share_rows trib_share_rows_of(const trib_run *run, const trib_run_target *target,
                                   const trib_influence *influence);
/* Whether source s has a row. */
bool trib_has_row(const trib_run *run, const trib_run_target *target,
                  const trib_influence *influence, const trib_share_rows *rows, size_t s);
/* The target that document d is; NULL: it is none. */
const trib_run_target *trib_run_target_of(const trib_run *run, uint32_t d);
/* Whether the nearest factors of document e are asked for each factor of document d: d is a target and e one of its sources, or
 * all distances of targets are written (report.formats: npy). In distances.c. */
bool trib_distances_asks(const trib_run *run, uint32_t d, uint32_t e);
/* What the methods see of one target. Borrows from the run. */
trib_influence_case trib_run_case(const trib_run *run, const trib_run_target *target);
/* The noise floor of a target by one method. */
trib_floor trib_run_floor(const trib_run *run, const trib_influence *influence);
/* Whether the headline share of source s is noise. */
bool trib_below_floor(const trib_run_target *target, size_t s);

/* Where scratch files of a run are: its directory, or TMPDIR while it has none. */
const char *trib_run_scratch(const trib_run *run);
/* The words of a document after stage tokens, to be closed; several threads may open them. Of another rank's document from
 * stage tensors on, without their spellings. */
trib_status trib_run_words(const trib_run_document *document, trib_words *words, trib_error *error);
/* Their ids, [n_words]: document->id or what a numbered file holds. */
static inline const uint32_t *trib_run_word_ids(const trib_run_document *document,
                                                const trib_words *words) {
    return words->id ? words->id : document->id;
}
/* Says what there is to say of a document whose words are there, and joins its vocabulary to the run's, for stage vocabulary.
 * TRIB_INPUT when it holds no word. */
trib_status trib_run_join(trib_run *run, trib_run_document *document, trib_error *error);
/* A word of documents before stage vocabulary, `count` times in `n_documents` more of them; *id receives its provisional id. */
trib_status trib_run_add_word(trib_run *run, const char *word, size_t length, uint64_t count,
                              uint32_t n_documents, uint32_t *id, trib_error *error);
/* Releases what is not needed after stage vocabulary. */
void trib_run_forget_provisional(trib_run *run);

/* The words of a document from any place, one block of them in memory. */
typedef struct trib_run_text {
    const trib_run_document *document;
    trib_words words;
    trib_words_block block;
} trib_run_text;
typedef struct trib_run_word {
    uint32_t id;        /* as in document->id */
    size_t offset, end; /* bytes in the file */
    bool after_break;
} trib_run_word;
trib_status trib_run_text_open(trib_run_text *text, const trib_run_document *document,
                               trib_error *error);
void trib_run_text_close(trib_run_text *text); /* `{0}` is legal */
trib_status trib_run_text_at(trib_run_text *text, size_t i, trib_run_word *word, trib_error *error);

/* A warning about the result: logged, kept for the report, counted for --strict. */
trib_status trib_run_warn(trib_run *run, trib_error *error, const char *format, ...)
    TRIB_PRINTF(3, 4);

/* Whether a document is among corpus.target, and whether one may be another's source: every other that is not only a
 * target, under `order: by-date` only a strictly older one. In corpus.c. */
bool trib_config_is_target(const trib_config *config, const trib_corpus_document *document);
bool trib_config_is_source(const trib_config *config, const trib_corpus_document *source,
                           const trib_corpus_document *target);

/* ---- The stages, one file each ---------------------------------------------------------------------------------- */

trib_status trib_stage_corpus(
    trib_run *run, trib_error *error); /* corpus.c: hashes, targets, admissible sources */
trib_status trib_stage_tokens(trib_run *run, trib_error *error);     /* tokens.c */
trib_status trib_stage_vocabulary(trib_run *run, trib_error *error); /* tokens.c */
trib_status trib_stage_tensors(trib_run *run, trib_error *error);    /* tensors.c */
trib_status trib_stage_factors(trib_run *run, trib_error *error);    /* factors.c */
trib_status trib_stage_distances(trib_run *run, trib_error *error);  /* distances.c */
trib_status trib_stage_influence(trib_run *run, trib_error *error);  /* findings.c */
trib_status trib_stage_evidence(trib_run *run, trib_error *error);   /* findings.c */
trib_status trib_stage_report(trib_run *run,
                              trib_error *error); /* files.c: every file of the run directory */

/* Does one part, on n_threads at most; its progress only asks whether to stop. */
typedef trib_status (*trib_run_part)(trib_run *run, uint32_t part, int n_threads,
                                     trib_progress progress, trib_error *error);
typedef uint64_t (*trib_part_size)(const trib_run *run, uint32_t part);
/* What the parts of a stage are. */
typedef struct trib_part_row {
    trib_run_part work;
    trib_part_size size; /* in proportion to the time it takes; NULL: all alike */
    /* Releases what `work` left that failed for memory, so that it can be done again alone; NULL: it cannot. */
    void (*forget)(trib_run *run, uint32_t part);
    /* With several ranks: the result as bytes, and back. NULL: every rank does all parts itself. */
    void (*pack)(const trib_run *run, uint32_t part, struct trib_pack *out);
    trib_status (*unpack)(trib_run *run, uint32_t part, struct trib_unpack *in, trib_error *error);
    trib_run_part prepare; /* NULL: none; else done before `work`, for one part at a time, */
    const uint32_t *order; /* [n] in this order, since it may build on earlier preparations */
} trib_part_row;
/* Does parts 0 .. n-1 (parts.c), the large ones one after the other with threads inside, the others side by side, and spread
 * over the ranks; those that are prepared in their order. Afterwards every rank has all results. Returns the first failure,
 * or why it was stopped. */
trib_status trib_run_parts(trib_run *run, uint32_t n, const trib_part_row *row, trib_error *error);
/* Work of this process alone, whatever its ranks: tasks 0 .. n-1 side by side, begun in this order. Returns the failure of the
 * first that fails, as if they were done one after the other; those behind it may be left out. */
typedef trib_status (*trib_run_task)(trib_run *run, void *context, size_t task, trib_error *error);
trib_status trib_run_tasks(trib_run *run, size_t n, trib_run_task work, void *context,
                           trib_error *error);
/* Which rank does which part: *owner[n] is the caller's to free. */
trib_status trib_run_owners(const trib_run *run, uint32_t n, trib_part_size size, int **owner,
                            trib_error *error);
/* The size of a document or a target. */
uint64_t trib_document_size(const trib_run *run, uint32_t d);
uint64_t trib_target_size(const trib_run *run, uint32_t t);
/* Decomposes document d (factors.c). */
trib_status trib_run_decompose(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                               trib_error *error);

/* ---- The run directory (directory.c) ------------------------------------------------------------------------------ */

enum { TRIB_PATH_MAX = 4096 };

/* One file name under the run directory. TRIB_OUTPUT when it is too long. */
trib_status trib_run_path(const trib_run *run, char path[TRIB_PATH_MAX], trib_error *error,
                          const char *format, ...) TRIB_PRINTF(4, 5);

#endif
