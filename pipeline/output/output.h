/* output.h - the room `output`: the run directory, its tables, influence.json and graphs. It writes
 * the results of the stages and computes no results. To write a file after a stage, add a function
 * to files.c; the tables are in result_tables.c. result.c, matches.c, network.c and quotes.c make
 * influence.json, from which the pages are made.
 *
 * This header declares the results of a finished run for the files that write them. Private to
 * pipeline. */
#ifndef TRIBUTARY_OUTPUT_OUTPUT_H
#define TRIBUTARY_OUTPUT_OUTPUT_H

#include "pipeline/output/directory.h"
#include "pipeline/stages/allusions.h"
#include "pipeline/stages/document_words.h"
#include "pipeline/stages/evidence.h"
#include "pipeline/stages/factors.h"

#define TRIB_GAP "\xE2\x80\xA6" /* stands between the words of a phrase with gaps */

/* The results for one target. */
typedef struct trib_target_results {
    const trib_target *about;
    const trib_shares *shares;
    const trib_findings *findings;   /* its `evidence` is NULL if no method gives evidence */
    const trib_allusions *allusions; /* NULL: none were looked for */
} trib_target_results;

typedef struct trib_document_names trib_document_names;

/* The results of a run. All pointers are borrowed, except the list of targets. */
typedef struct trib_run_results {
    trib_workers workers; /* the threads and processes that write them */
    const trib_config *config;
    const trib_corpus *corpus;
    const trib_corpus_words *words;
    const trib_vocab *vocab;
    const trib_tensors *tensors;
    const trib_decomposition *decomposition; /* [n_documents]; empty ones without factors */
    const trib_distances *distances;         /* empty if no method needs them */
    const trib_warnings *warnings;
    trib_target_results *target;      /* [corpus->n_targets] */
    const trib_formulas *formulas;    /* NULL: none were looked for */
    const trib_document_names *names; /* for the ranking; NULL: there is none */
    const trib_spill *spill;          /* of findings and shares; NULL: they are in memory */
    const struct trib_result *result; /* NULL before it is made */
} trib_run_results;

/* The id of a document. */
static inline const char *trib_results_id(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about->id;
}

/* Called after target t was read: now and then takes the findings that were read from their file
 * out of memory. Any thread may call it. */
static inline void trib_results_rest(const trib_run_results *results, uint32_t t) {
    enum { READ = 32 }; /* targets */
    if (results->spill && t % READ == READ - 1) trib_spill_rest(results->spill);
}

/* For a target with more sources than TRIB_ALL_WRITTEN, only some sources are listed
 * (trib_share_rows), and the number of quotations is limited by the length of the target, so that
 * output does not grow with the square of the corpus. */
enum { TRIB_ALL_WRITTEN = 40, TRIB_LARGEST_WRITTEN = 20, TRIB_NOISE_PHRASES = 3 };
static inline bool trib_target_is_brief(const trib_target_results *target) {
    return target->about->n_sources > TRIB_ALL_WRITTEN;
}
/* Returns whether a brief target has less than TRIB_SHORT_WORDS words. Its phrases and passages
 * show most of the text, so its page has no charts, each of its places is listed with one source,
 * and passages.tsv has a row for each place. */
bool trib_target_is_short(const trib_run_results *results, const trib_target_results *target);
/* Words with a smaller value in a factor are not listed for a short target. */
#define TRIB_SHORT_LEAST_WORD 0.005
/* Returns whether a run writes texts to read: it has pages of its targets, report.text is full, and
 * the texts are not so short that their pages quote most of them (report.target_pages). */
bool trib_results_have_texts(const trib_run_results *results);
/* The number of sources of a target whose phrases are listed in the report, and the number of
 * phrases (for a brief target also in phrases.csv) and passages listed for each of them. */
typedef struct trib_extent {
    size_t sources, phrases, passages;
    /* largest number of sources that are listed beyond theirs because of notable passages, and of
     * notable passages of a pair */
    size_t notable_sources, notable_passages;
} trib_extent;
trib_extent trib_target_extent(const trib_run_results *results, const trib_target_results *target);

/* Selects the sources of a target that have a row by one method, in every file and on every page.
 * With up to TRIB_ALL_WRITTEN sources, all have one. With more, these have one: decoys, sources
 * above the noise floor of the headline, and the TRIB_LARGEST_WRITTEN sources with the largest
 * shares above 0 by the method (of equal shares the first). */
typedef struct trib_share_rows {
    double least;      /* the smallest of the largest shares */
    size_t last;       /* the last source with that share */
    size_t n_left_out; /* sources with a share above 0 and without a row */
    double left_out;   /* the sum of their shares */
} trib_share_rows;
/* Computes the selection for one method in O(sources). */
trib_share_rows trib_share_rows_of(const trib_corpus *corpus, const trib_target_results *target,
                                   const trib_influence *influence);
/* Returns whether source s has a row. */
bool trib_has_row(const trib_corpus *corpus, const trib_target_results *target,
                  const trib_influence *influence, const trib_share_rows *rows, size_t s);

/* ---- The ranking (ranking.c) ----------------------------------------------------------------- */

/* A ranking of a target's sources beside their shares: which of them the target most likely
 * descends from. A share says how much of the target a source explains. A text that rewrites
 * another keeps its subject and loses its wording, so that source has a small share, and a third
 * text that gave one passage to the letter may have a larger one. The ranking combines the shares
 * by `split` and `traced` with the likeness of the texts' titles (docs/model.md section 5).
 *
 * The words by which each document is named: those of its title if every document has one in the
 * configuration, otherwise the first 50 words of its text. `{0}` is empty. */
struct trib_document_names {
    size_t *start;  /* [n_documents + 1] document d has word[start[d]] .. word[start[d+1]-1] */
    uint32_t *word; /* distinct and ascending for each document */
    size_t cap;     /* words allocated */
    double *weight; /* [n_words] ln(documents / documents named with the word) */
    double *norm;   /* [n_documents] root of the sum of a document's weights */
    size_t n_words; /* different words */
    bool are_titles;
};

/* Whether a run has what the ranking needs: the methods `traced` and `split`. */
bool trib_ranking_is_possible(const trib_config *config);

/* Reads the names of all documents; `names` stays empty where no ranking is possible. The caller
 * releases them. */
trib_status trib_document_names_read(trib_document_names *names, const trib_run_results *results,
                                     trib_error *error);
void trib_document_names_release(trib_document_names *names);

/* A source of a target. */
typedef struct trib_rank {
    size_t source; /* position among the target's sources */
    double score;  /* above 0; compares sources of one target only */
} trib_rank;
/* Lists the sources with a score, the best first, ties by position: split (1 + traced) (1/2 +
 * likeness). A target with more than TRIB_ALL_WRITTEN sources has at most TRIB_LARGEST_WRITTEN of
 * them. The caller frees *list. Nothing is listed where no ranking is possible. */
trib_status trib_ranking_make(trib_rank **list, size_t *n, const trib_run_results *results,
                              const trib_target_results *target, trib_error *error);

/* ---- What is written as soon as a stage has finished (files.c) ------------------------------- */

/* After stage corpus: config.resolved.yaml and manifest.json. */
trib_status trib_files_of_corpus(trib_run_directory *directory, trib_error *error);
/* Writes inputs.tsv, with one line for each document and for each file of a folder or archive that
 * was not read. Columns: file, document (its id), was (read, cut, refused, not read), kind ("gzip
 * HTML"), encoding, bytes as stored, bytes cut, words, why. `words` may be empty. */
trib_status trib_inputs_write(trib_run_directory *directory, const trib_corpus_words *words,
                              trib_error *error);
/* After stage vocabulary: vocab.tsv. */
trib_status trib_files_of_vocabulary(trib_run_directory *directory, const trib_vocab *vocab,
                                     trib_error *error);
/* Writes the tensor of document d and its words, if configured. Several threads may call it. The
 * folder must exist. */
trib_status trib_files_of_tensor(trib_run_directory *directory, uint32_t d,
                                 const trib_counts *counts, const trib_vocab *vocab,
                                 trib_error *error);
/* After stage factors: the configured files with the factors of every document, and ranks.csv. */
trib_status trib_files_of_factors(trib_run_directory *directory, const trib_tensors *tensors,
                                  const trib_decomposition decomposition[], const trib_vocab *vocab,
                                  trib_error *error);
/* After stage distances, as configured: distances.csv; nearest.npy, and distances.npy from
 * all[factors][factors], which is overwritten. `all` NULL: distances.npy would be too large and is
 * not written. */
trib_status trib_files_of_distances(trib_run_directory *directory, const trib_distances *distances,
                                    double *all, trib_error *error);

#endif
