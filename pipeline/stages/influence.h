/* influence.h - stage influence: the share of every target that each method gives to each source.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_INFLUENCE_H
#define TRIBUTARY_STAGES_INFLUENCE_H

#include "influence/frequent.h"
#include "influence/influence.h"
#include "influence/passages/passages.h"
#include "pipeline/stages/factors.h"
#include "pipeline/stages/folds.h"

/* ---- The noise floor ------------------------------------------------------------------------- */

/* Shares that are not evidence of influence (docs/model.md section 5). All code that shows or omits
 * a share uses these functions, so that tables, pages and terminal agree. */

/* The noise floor of one target by one method. trib_floor_begin gives the initial value. */
typedef struct trib_floor {
    double share;
    /* the id of the decoy whose share is the floor; NULL: the floor of the setting or the method.
     * Borrowed */
    const char *decoy;
} trib_floor;

/* Returns the floor of a method without decoys: `configured` (influence.floor), or the method's own
 * if `configured` is NaN (auto). */
trib_floor trib_floor_begin(double configured, const trib_influence_method *method);

/* Raises the floor to the share of a decoy if that share is above the floor, or equal to the
 * configured floor. Of decoys with equal shares the first is named. */
void trib_floor_raise(trib_floor *floor, const char *decoy, double share);

/* Returns whether a share is noise: zero, below the floor, equal to the share of the decoy that set
 * the floor, or NaN. */
bool trib_floor_covers(const trib_floor *floor, double share);

/* ---- Shares ---------------------------------------------------------------------------------- */

/* The shares of one target. `{0}` is empty. */
typedef struct trib_shares {
    trib_influence *influence; /* [n_methods] of the configuration */
    uint32_t n_methods;
    const trib_influence *headline; /* one of them */
    trib_floor floor;               /* of the headline method */
    trib_influence_null null;       /* by the headline method, with influence.null: true */
    bool is_spilled; /* the arrays of `influence` belong to a spill and can only be read */
} trib_shares;
trib_status trib_shares_init(trib_shares *shares, const trib_config *config, trib_error *error);
void trib_shares_release(trib_shares *shares);
/* Called after the last method has been measured: computes the floor and releases the data that
 * only the methods needed. */
void trib_shares_finish(trib_shares *shares, const trib_config *config, const trib_corpus *corpus);
/* Releases what only the evidence needed. */
void trib_shares_forget(trib_shares *shares);
/* Calls trib_shares_forget and moves all that is left of a target's shares to the file of `spill`,
 * under the conditions of trib_findings_spill (evidence.c). After a failure they are in
 * memory as before. */
trib_status trib_shares_spill(trib_shares *shares, trib_spill *spill, const char *scratch,
                              trib_error *error);

/* An index of the documents that contain each n-gram, and the words of all documents in order;
 * built once for all targets. `{0}` is empty. */
typedef struct trib_corpus_index {
    trib_concordance concordance;
    /* [n_targets] with candidates: of each target and its sources alone, while it is measured; then
     * `concordance` is empty */
    trib_concordance *of_target;
    uint32_t n_targets;            /* 0 without candidates */
    trib_frequent_ngrams formulas; /* with candidates; may be filled before the index is built */
    trib_word_orders orders;       /* with several targets; built when a method first needs it */
    bool has_read_orders;          /* `orders` was built, or there was no memory for it */
    trib_folds folds;              /* for methods that compare folded words */
    /* with tensor.skip: the same as `concordance`, `of_target` and `formulas` of n-grams with
     * gaps */
    trib_concordance skips;
    trib_concordance *skips_of_target;
    trib_frequent_ngrams skip_formulas;
} trib_corpus_index;
void trib_corpus_index_release(trib_corpus_index *index);

/* The inputs for measuring a target. The index is completed while several threads measure
 * targets. */
typedef struct trib_measure_inputs {
    const trib_read_texts *texts;
    const trib_environment *env;
    const trib_corpus *corpus;
    const trib_tensors *tensors;
    uint32_t n_words, other;         /* n_words: in the vocabulary; other: the id of <other> */
    const trib_distances *distances; /* NULL: no method uses distances */
    trib_corpus_index *index;
    trib_word_frequencies frequencies; /* of the vocabulary, for the passages */
    const char *const *word;           /* [n_words] the vocabulary; NULL: none */
} trib_measure_inputs;

/* Builds the index of n-grams from the tensors: of all documents, or, with a single target, only of
 * the n-grams of that target. `status` as in comm.h; a failure may be that of this rank alone. */
trib_status trib_corpus_index_build(const trib_measure_inputs *inputs, trib_status status,
                                    trib_error *error);
/* With candidates, builds the index of target t if it is not there; without, does nothing. */
trib_status trib_target_index_build(const trib_measure_inputs *inputs, uint32_t t, int n_threads,
                                    trib_error *error);
void trib_target_index_release(trib_corpus_index *index, uint32_t t);
/* Releases the word orders, which are not needed until the next stage. */
void trib_corpus_index_forget_orders(trib_corpus_index *index);

/* Measures target t with one method and sets shares->influence[method]. If the method needs a
 * background and `background` is empty, the function computes it. */
trib_status trib_measure_target(const trib_measure_inputs *inputs, uint32_t t, uint32_t method,
                                int n_threads, trib_progress progress, trib_background *background,
                                trib_shares *shares, trib_error *error);
/* Warns about unreliable values among shares[n_targets]. */
trib_status trib_shares_warn(const trib_environment *env, const trib_corpus *corpus,
                             const trib_shares shares[], trib_error *error);

/* Returns the view of one target that the methods use; its pointers are borrowed. `background` may
 * be empty. */
trib_influence_case trib_measure_case(const trib_measure_inputs *inputs, uint32_t t,
                                      const trib_background *background);
/* Whether a method reads n-grams with gaps: with tensor.skip all do but those that need the order
 * of the text. */
bool trib_method_reads_skips(const trib_tensors *tensors, const trib_influence_method *method);
/* [n_documents] The documents as a method reads them. */
const trib_influence_document *trib_method_documents(const trib_tensors *tensors,
                                                     const trib_influence_method *method);
/* The case as a method reads it: of n-grams with gaps, or without. */
trib_influence_case trib_method_case(const trib_measure_inputs *inputs, uint32_t t,
                                     const trib_influence_method *method,
                                     const trib_background *background);
/* Returns the configured options of the methods. */
trib_influence_options trib_config_influence_options(const trib_config *config, int n_threads,
                                                     trib_progress progress);
/* Returns the word orders of all documents, or NULL if reading them once for all targets does not
 * pay; each target then reads those of its sources. */
const trib_word_orders *trib_measure_orders(const trib_measure_inputs *inputs);

/* Returns whether the share of source s is noise. The floor is compared with the share of the group
 * of s, so that sources that cannot be told apart are above it or below it together. */
bool trib_share_is_noise(const trib_floor *floor, const trib_influence *influence, size_t s);
/* Returns the noise floor of a target by one method. */
trib_floor trib_influence_floor(const trib_config *config, const trib_corpus *corpus,
                                const trib_influence *influence);
/* Returns whether the headline share of source s is noise. */
bool trib_below_floor(const trib_shares *shares, size_t s);
/* Returns whether a shuffled target is measured by this method: by the headline method if
 * influence.null asks for it, unless the method needs factors. */
bool trib_has_null(const trib_config *config, const trib_influence_method *method);
/* Returns the method that supplies the evidence: the headline method if it has evidence, else the
 * first method that has; NULL if none has. */
const trib_influence_method *trib_method_of_evidence(const trib_config *config);
/* Returns `traced` if it is one of the methods, else NULL. */
const trib_influence_method *trib_method_of_trace(const trib_config *config);

/* ---- The common language (language.c) -------------------------------------------------------- */

/* Returns whether the targets share a background, as influence.background_of says. With `auto` they
 * do if there are several targets and either there are many documents or every target with its
 * sources is the whole corpus. */
bool trib_config_shares_background(const trib_config *config, uint32_t n_targets,
                                   uint32_t n_documents);
/* Returns whether documents are added to the language one by one, by date. */
bool trib_language_is_by_date(const trib_config *config);
/* Returns the number of documents, in the order of corpus->arrival, that the background of a target
 * includes. */
uint32_t trib_language_n_before(const trib_config *config, const trib_corpus *corpus,
                                const trib_target *target);

/* Initialises an empty language if documents are added by date; otherwise fits the language to all
 * documents. */
trib_status trib_language_begin(trib_common_language *language, const trib_read_texts *from,
                                int n_threads, const trib_progress *progress, trib_error *error);
/* By date: adds the documents of the order up to number `end` to the language, which already
 * includes *n_arrived of them. */
trib_status trib_language_take_in(trib_common_language *language, const trib_read_texts *from,
                                  uint32_t *n_arrived, uint32_t end, const trib_progress *progress,
                                  trib_error *error);
/* Computes the background of document d, the target, from the language. */
trib_status trib_language_rows(trib_background *background, const trib_read_texts *from,
                               const trib_common_language *language, uint32_t d, trib_error *error);
/* Computes the background of one target if `background` is empty, without the cache, whose contents
 * may be damaged. */
trib_status trib_language_of(const trib_read_texts *from, const trib_target *target, int n_threads,
                             trib_progress progress, trib_background *background,
                             trib_error *error);

/* ---- Formulas (formulas.c) ------------------------------------------------------------------- */

/* Formulas are n-grams that so many documents hold that no source is credited with them
 * (docs/model.md section 5). A passage is a maximal run of words of a target all of whose n-grams
 * are formulas. */

/* The largest number of passages listed, and of words quoted with report.text: snippets. */
enum { TRIB_FORMULAS_MOST = 1000, TRIB_FORMULA_SNIPPET = 60 };

/* A passage. */
typedef struct trib_formula {
    uint32_t document;    /* the first target that has it, in the order of the corpus */
    size_t first_word;    /* number of its first word there, from 0 */
    size_t first_ngram;   /* number of its first n-gram there, from 0 */
    size_t n_ngrams;      /* from 1; it has n_ngrams + n - 1 words */
    size_t n_words;       /* number of its words */
    uint32_t n_documents; /* documents that hold its rarest n-gram */
    uint32_t n_targets;   /* targets that have it, not as a part of a longer one */
    uint32_t last_target; /* of these the last one found */
    uint32_t earliest;    /* the earliest document that is known to hold all its n-grams */
    uint64_t hash;        /* of its n-grams */
    /* words of the vocabulary, separated by spaces: at most TRIB_FORMULA_SNIPPET and an ellipsis
     * with report.text: snippets, none with report.text: none */
    char *text;
} trib_formula;

/* The passages of a corpus, each sequence of words once. `{0}` is empty. */
typedef struct trib_formulas {
    /* [n] by descending n_words, then descending n_documents, then by their words */
    trib_formula *passage;
    size_t n; /* at most TRIB_FORMULAS_MOST, the longest */
} trib_formulas;

/* Lists the passages. There are none where no method counts n-grams, or none reads them in the
 * order of the text. With candidates, the earliest document is sought only among the first holders
 * of the n-grams and the target. Memory does not grow with the number of different passages
 * (formula_list.h). TRIB_MEMORY; TRIB_INTERRUPTED after a request to stop. */
trib_status trib_formulas_find(trib_formulas *found, const trib_read_texts *texts,
                               const trib_corpus_index *index, trib_error *error);
void trib_formulas_release(trib_formulas *formulas);

#endif
