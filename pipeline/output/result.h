/* result.h - influence.json: all results of a run. Every report is made from it, during the run and
 * later. docs/run-directory.md describes its members. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_RESULT_H
#define TRIBUTARY_OUTPUT_RESULT_H

#include "pipeline/output/output.h"
#include "pipeline/result/result.h"
#include "pipeline/stages/text.h"
#include "pipeline/support/json.h"

/* ---- Phrases that are left out of the ranking of phrases (stop_phrases.c) -------------------- */

/* The stop phrases of a run. `{0}` is empty. */
typedef struct trib_stop_phrases {
    uint32_t n_modes, n_documents;
    /* of the documents: a phrase in more of them, and in at least 10, is a stop phrase */
    double share;
    size_t n;       /* listed phrases */
    size_t *start;  /* [n + 1] phrase i is word[start[i] .. start[i+1]-1] */
    uint32_t *word; /* [n_words] vocabulary ids; UINT32_MAX: not a word of the corpus */
    size_t n_words;
} trib_stop_phrases;

/* Reads report.commonplaces if it is set: one phrase per line in UTF-8; # begins a comment; phrases
 * are split into words like the texts. Errors name the file and the line. */
trib_status trib_stop_phrases_open(trib_stop_phrases *found, const trib_config *config,
                                   const trib_vocab *vocab, uint32_t n_documents,
                                   trib_error *error);
void trib_stop_phrases_close(trib_stop_phrases *found);
/* Returns whether a phrase of the evidence is a stop phrase: most documents contain it, or it is
 * part of a listed phrase, or contains one. */
bool trib_stop_phrases_hold(const trib_stop_phrases *found, const trib_phrase *phrase);

/* ---- influence.json -------------------------------------------------------------------------- */

/* Makes the result of a finished run, with its targets in parallel; their texts are in a file of
 * the temporary folder. The result borrows from the run. The caller releases it. */
trib_status trib_result_make(trib_result *result, const trib_run_results *results,
                             trib_error *error);
/* Adds "configuration", "changed", "corpus", "documents" and "methods" (result_corpus.c). */
trib_status trib_result_add_corpus(trib_result *result, const trib_run_results *results,
                                   trib_error *error);
/* Adds "matches", "n_matches" and "distances" to a target (matches.c). */
trib_status trib_result_add_matches(trib_target_record *record, trib_arena *arena,
                                    const trib_run_results *results,
                                    const trib_target_results *target, trib_error *error);
/* The byte range of a word in its file. */
typedef struct trib_word_place {
    size_t offset, end;
} trib_word_place;
/* A text that is quoted. */
typedef struct trib_quoted {
    bool is_read;            /* set on first use; the text does not change afterwards */
    trib_document_text text; /* empty with report.text none */
    trib_word_place *place;  /* [n_tokens] byte range of each word */
    uint32_t *word;          /* [n_tokens] id of each word in the vocabulary */
    uint32_t *end;           /* [n_ngrams] the last word of every n-gram */
    uint32_t *held; /* [n_tokens] number in the text of each word that an n-gram has, in order */
} trib_quoted;
/* The quoted texts of a run, shared by several threads. `{0}` is empty. */
typedef struct trib_quotes {
    const trib_run_results *results;
    trib_quoted *document; /* [n_documents] */
    size_t n_bytes;        /* of the texts read */
    size_t most_bytes;     /* with more, the texts are released when no target uses them */
    uint32_t n_inside;     /* targets that use them (trib_quotes_enter) */
} trib_quotes;
trib_status trib_quotes_open(trib_quotes *quotes, const trib_run_results *results,
                             trib_error *error);
void trib_quotes_close(trib_quotes *quotes);
/* Texts that were prepared between enter and leave stay until leave. Before others enter, all texts
 * are released if they are too large. A thread must leave before it enters again. */
void trib_quotes_enter(trib_quotes *quotes);
void trib_quotes_leave(trib_quotes *quotes);
/* Reads document d when it is first quoted; it does not change afterwards. One thread at a time
 * reads, others wait. TRIB_INPUT when the file has changed since stage corpus. */
trib_status trib_quotes_prepare(trib_quotes *quotes, uint32_t d, trib_error *error);
/* Makes a result in steps, in parallel with other work. Each target is done once, in any order, by
 * several threads, and its text goes to a file in the folder `scratch`; is_brief: only with its
 * shares. Then end is called with the status of the steps; it releases `work` in every case and
 * returns that status or its own error. */
typedef struct trib_result_work {
    const trib_run_results *results;
    bool is_brief;
    trib_quotes quotes;
    trib_stop_phrases commonplaces;
    trib_target_store store;
} trib_result_work;
trib_status trib_result_begin(trib_result_work *work, const trib_run_results *results,
                              const char *scratch, bool is_brief, trib_error *error);
trib_status trib_result_target(trib_result_work *work, uint32_t t, trib_error *error);
trib_status trib_result_end(trib_result_work *work, trib_result *result, trib_status status,
                            trib_error *error);
/* Adds "passages", "n_passages" and "n_notable", and with has_strip "strip", to the evidence of a
 * source (quotes.c). is_shown, unless NULL, has a value for each family of the target: passages of
 * those above 0 are only counted, as "n_same_places". */
trib_status trib_result_add_passages(trib_evidence_record *record, trib_arena *arena,
                                     trib_quotes *quotes, uint32_t target,
                                     const trib_passages *passages, bool has_strip,
                                     const uint8_t *is_shown, trib_error *error);
/* How words are marked that both texts have: what was dropped before the word is the same, too, or
 * the word begins a unit, which is a piece of its own. 0: it is not shared. */
enum trib_shared_mark { TRIB_SHARED = 1, TRIB_SHARED_WITH_GAP, TRIB_SHARED_FIRST };
/* Quotes the words first .. first + n - 1 of a document, where marked[n] are the words that every
 * second piece of the text consists of (quotes.c). */
trib_status trib_quote_words(trib_place_record **made, trib_arena *arena, trib_quotes *quotes,
                             uint32_t document, size_t first, size_t n, uint8_t *marked,
                             trib_error *error);
/* Sets the first and the last word of a passage in the target, or in the source, which must be
 * prepared. */
void trib_quotes_span(const trib_quoted *quoted, const trib_passage *passage, bool in_source,
                      size_t *first, size_t *last);
/* Appends the words first .. last of a document, with single spaces instead of white space. Nothing
 * with report.text none, and 60 words at most with snippets. The document must be prepared. */
trib_status trib_quote_plainly(trib_buffer *to, const trib_quotes *quotes, uint32_t document,
                               size_t first, size_t last, trib_error *error);
/* Writes the reference of the words first .. last of a document (trib_text_reference). "" when
 * there is none, and with report.text none. The document must be prepared. */
void trib_quote_reference(char reference[TRIB_REFERENCE_MAX], const trib_quotes *quotes,
                          uint32_t document, size_t first, size_t last);

/* Makes the record of family f of a target, which must be prepared (families.c). */
trib_status trib_family_make(trib_family_record **made, trib_arena *arena,
                             const trib_quotes *quotes, uint32_t target,
                             const trib_findings *findings, size_t f, trib_error *error);

/* Adds "parallels" and "n_parallels" to a target: its best possible allusions that lie in no
 * passage (parallels.c). */
trib_status trib_result_add_parallels(trib_target_record *record, trib_arena *arena,
                                      trib_quotes *quotes, const trib_target_results *target,
                                      size_t most, trib_error *error);
/* Adds "formulas" and "n_formulas", if there are any: the longest of them (formulas.c). */
void trib_result_add_formulas(trib_result *result, const trib_run_results *results);
/* Adds the distances of targets to their sources, where a map has room for all texts
 * (result_tables.c). */
void trib_result_add_distances(trib_result *result, const trib_run_results *results);
/* Adds "graph" to a result that has its targets (network.c). */
trib_status trib_result_add_graph(trib_result *result, const trib_run_results *results,
                                  trib_error *error);
/* Reduces a result to the passages that are accepted in `files`, tables of judgements that the
 * report saved (docs/run-directory.md) with commas between their names, and adds their notes and
 * "judgements". A passage that all its judges rejected counts for nothing in the shares by the
 * headline method and in the graph. TRIB_INPUT with the line when a row is wrong or is not about a
 * passage of the result; the result is then unusable. */
trib_status trib_result_judge(trib_result *result, const char *files, trib_error *error);

/* ---- trace/ID.runs: the traced runs of a target (trace_file.c) ------------------------------- */

/* Whether a run writes traces: with the format `trace` and the method `traced`. */
bool trib_traces_are_wanted(const trib_config *config);

/* The target whose trace is written. */
typedef struct trib_trace_of {
    trib_quotes *quotes;
    uint32_t t; /* number among the targets */
} trib_trace_of;
/* Writes the file of the trib_trace_of `what`. Errors as trib_quotes_prepare. */
trib_status trib_trace_write(const void *what, trib_writer *writer, trib_error *error);

#endif
