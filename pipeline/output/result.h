/* result.h - influence.json: everything that a run found. Every report is made from it, during the
 * run and later. docs/run-directory.md describes each of its members. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_RESULT_H
#define TRIBUTARY_OUTPUT_RESULT_H

#include "pipeline/output/output.h"
#include "pipeline/stages/stop_phrases.h"
#include "pipeline/support/json.h"

/* The whole of it from a finished run, its targets side by side; *result is the caller's to
 * json_decref. */
trib_status trib_result_make(json_t **result, const trib_run_results *results, trib_error *error);
/* Adds "matches", "n_matches" and "distances" to the object of a target (matches.c). */
trib_status trib_result_add_matches(json_t *object, const trib_run_results *results,
                                    const trib_target_results *target, trib_error *error);
/* The curves of lowe of a target's "distances": {"mark": [share at each threshold], ...}, the
 * caller's to json_decref. */
json_t *trib_result_curves(const json_t *distances);
/* A word's bytes in its file, and what is behind them. */
typedef struct trib_word_place {
    size_t offset, end;
} trib_word_place;
/* A text while it is quoted. */
typedef struct trib_quoted {
    bool is_read;           /* when it is first needed; it does not change any more */
    trib_buffer text;       /* the bytes of the file; empty with report.text none */
    trib_word_place *place; /* [n_tokens] */
    uint32_t *end;          /* [n_ngrams] the last word of every n-gram */
} trib_quoted;
/* The texts of a run while they are quoted, by several threads. `{0}` is empty. */
typedef struct trib_quotes {
    const trib_run_results *results;
    trib_quoted *document; /* [n_documents] */
} trib_quotes;
trib_status trib_quotes_open(trib_quotes *quotes, const trib_run_results *results,
                             trib_error *error);
void trib_quotes_close(trib_quotes *quotes);
/* The same in steps, beside other work: every target once, in any order and from several threads,
 * then close, which releases `work` whatever `status`, that of the steps before, is, and returns it
 * or its own. */
typedef struct trib_result_work {
    const trib_run_results *results;
    trib_quotes quotes;
    trib_stop_phrases commonplaces;
    json_t **target; /* [n_targets] */
} trib_result_work;
trib_status trib_result_open(trib_result_work *work, const trib_run_results *results,
                             trib_error *error);
trib_status trib_result_target(trib_result_work *work, uint32_t t, trib_error *error);
trib_status trib_result_close(trib_result_work *work, json_t **result, trib_status status,
                              trib_error *error);
/* Adds "passages", "n_passages" and "strip" to the object of a source under "evidence"
 * (quotes.c). */
trib_status trib_result_add_passages(json_t *object, trib_quotes *quotes, uint32_t target,
                                     const trib_passages *passages, trib_error *error);
/* Adds "graph" to a result that has its targets (network.c). */
trib_status trib_result_add_graph(json_t *result, const trib_run_results *results,
                                  trib_error *error);
/* The graph of a result as GraphML and as DOT (network_files.c); the result has one. */
trib_status trib_graph_write_graphml(const json_t *result, trib_writer *writer, trib_error *error);
trib_status trib_graph_write_dot(const json_t *result, trib_writer *writer, trib_error *error);
/* Reads RUN/influence.json; TRIB_USAGE when RUN is no run directory, TRIB_INPUT when the file is
 * broken. */
trib_status trib_result_load(json_t **result, const char *run_directory, trib_error *error);
/* The same of a text in memory; `name` is for messages. */
trib_status trib_result_parse(json_t **result, const char *name, const char *text, size_t length,
                              trib_error *error);

/* Moves the shares by lowe to a stored threshold: shares, author, matched mass, floor (where lowe
 * is the headline) and what is below it. Cards of matches stay within both thresholds
 * ("matches_within"); a graph by lowe is taken out; a warning says so. Targets without source or
 * factors stay as they are. TRIB_USAGE when there is no curve, or not this point of it: the result
 * is then of no use. */
trib_status trib_result_move_threshold(json_t *result, double threshold, trib_error *error);

#endif
