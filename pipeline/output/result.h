/* result.h - influence.json: everything a run found, from which every report is made, during the run and later. Private
 * to pipeline.
 *
 *  {"schema": 1, "version": "0.1.0" of the program that ran, "name": "gospels",
 *   "hash": "<sha256 of configuration and inputs>",
 *   "configuration": {"corpus": {...}, "tokens": {...}, ...}, "changed": ["cp.rank", ...],
 *   "corpus": {"tokens": N, "vocabulary": N, "wildcard_tokens": share, "wildcard_ngrams": share},
 *   "documents": [{"id", "title", "author", "date" (or null), "role", "file", "sha256", "bytes",
 *                  "encoding" (of the file), "stripped": {"texts": N kept, "before", "between", "behind": each {"bytes",
 *                  "lines"}} (absent without corpus.strip), "words", "vocabulary",
 *                  "ngrams", "nonzeros", "wildcard_ngrams" (share), "replaced",
 *                  "factors": null or {"rank", "fit", "precision" (with cp.precision: single), "iterations", "stop", "fits" (per iteration), "zero", "mass",
 *                                      "restarts", "worst_fit", "match" (mean), "least_match" (of a restart with the one before
 *                                      it; these four with cp.restarts of 2 and more), "format",
 *                                      "format_reason" (with tensor.format: auto)}}, ...]        sorted by id
 *   "methods": [{"name", "help", "sums_to_one"}, ...], "headline": "anchored", "threshold": 0.2,
 *   "targets": [{"target": "matthew", "n_sources": N, "floor": 0.015, "floor_from": "rule" or the id of a decoy (of the headline),
 *      "methods": {"anchored": {"author", "own", "common", "explained", "matched", "background", "iterations",
 *                               "log_likelihood",                          absent where the method has none
 *                               "shares": [{"source", "share", "low", "high" (absent: not computed),
 *                                           "below_floor": true, "decoy": true (absent: false)}, ...]}, ...},   by source id;
 *                               of more than 40 sources those of trib_share_rows (results.h);
 *                               "left_out": {"sources", "share": their sum} of others above 0 (absent: none)
 *      "evidence": [{"source", "share", "n_phrases", "phrases": [{"words": ["and", ...], "target_count",
 *                    "source_count", "other_documents", "mass"}, ...],          the first report.top_phrases of them by trib_evidence_rank, below the floor 5
 *                    "n_commonplaces", "commonplaces": [phrases] (absent without any: report.commonplace),
 *                    "n_passages", "passages": [{"shared" (words), "mass", "target" and "source": {"first" (word, from 1),
 *                     "words", "text": [before, shared, between, shared, ..., after] (absent with report.text none),
 *                     "cut": bool}}, ...] the strongest, "strip": [percent of the n-grams in runs, per 120th of the target; absent of a short target with many sources]
 *                     (these three only above the noise floor),
 *                    "n_factors", "factors": [{"mass", "free_mode", "words": [["the"], ["son"], ["of", "man"]]}, ...]}]
 *      "own": {"share", "n_phrases", "phrases", "n_factors", "factors"} as in evidence, by mass: what stands in no source,
 *      "matches": [{"component", "weight" (lambda over the sum), "distance", "source", "source_component",
 *                   "next_source" (or null), "next_distance", "phantom_mass", "wildcard_mass" (absent without a wildcard),
 *                   "words": [["word", value], ...] per mode, strongest first, "n_words": [all of them, per mode],
 *                   "n_phrases", "phrases": [{"words", "target_count", "source_count"}, ...]}, ...], "n_matches": N,
 *      "distances": null or {"edges": [0, 0.05, ...], "counts": [n per bin: nearest source per target factor],
 *                    "thresholds": [0, 0.02, ... 2], "steps": {"mark": [[place in thresholds, share from there on], ...], ...} (0 before), "author": [share at each]}
 *     }, ...],
 *   "graph": (with two targets or more, docs/model.md section 8)
 *     {"order": [ids of the documents in it, the earliest first], "order_from": "dates" | "shares" | "dates and shares",
 *      "edges": [{"source", "target", "share", "low", "high", "backward": true (against the order),
 *                 "held": part of its phrases that texts in between hold too (absent: no evidence, or none in between),
 *                 "between": [{"id", "held"}, ...], "ancestor": true (nothing above the floor is left beyond them)}, ...],
 *                 flags and lists that are absent are false and empty,
 *      "paths": [{"source", "target", "direct", "through", "along": [source, ..., target]}, ...]}
 *   "warnings": ["...", ...]}
 *
 * Shares are fractions of 1. Every list of sources is sorted by id, evidence by descending headline share. */
#ifndef TRIBUTARY_OUTPUT_RESULT_H
#define TRIBUTARY_OUTPUT_RESULT_H

#include "pipeline/output/results.h"
#include "pipeline/stages/stop_phrases.h"
#include "pipeline/support/json.h"

/* The whole of it from a finished run, its targets side by side; *result is the caller's to json_decref. */
trib_status trib_result_make(json_t **result, const trib_run_results *results, trib_error *error);
/* Adds "matches", "n_matches" and "distances" to the object of a target (matches.c). */
trib_status trib_result_add_matches(json_t *object, const trib_run_results *results,
                                    const trib_target_results *target, trib_error *error);
/* The curves of lowe of a target's "distances": {"mark": [share at each threshold], ...}, the caller's to json_decref. */
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
/* The same in steps, beside other work: every target once, in any order and from several threads, then close, which releases
 * `work` whatever `status`, that of the steps before, is, and returns it or its own. */
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
/* Adds "passages", "n_passages" and "strip" to the object of a source under "evidence" (quotes.c). */
trib_status trib_result_add_passages(json_t *object, trib_quotes *quotes, uint32_t target,
                                     const trib_passages *passages, trib_error *error);
/* Adds "graph" to a result that has its targets (network.c). */
trib_status trib_result_add_graph(json_t *result, const trib_run_results *results,
                                  trib_error *error);
/* The graph of a result as GraphML and as DOT (network_files.c); the result has one. */
trib_status trib_graph_write_graphml(const json_t *result, trib_writer *writer, trib_error *error);
trib_status trib_graph_write_dot(const json_t *result, trib_writer *writer, trib_error *error);
/* Reads RUN/influence.json; TRIB_USAGE when RUN is no run directory, TRIB_INPUT when the file is broken. */
trib_status trib_result_load(json_t **result, const char *run_directory, trib_error *error);
/* The same of a text in memory; `name` is for messages. */
trib_status trib_result_parse(json_t **result, const char *name, const char *text, size_t length,
                              trib_error *error);

/* Moves the shares by lowe to a stored threshold: shares, author, matched mass, floor (where lowe is the headline) and what is
 * below it. Cards of matches stay within both thresholds ("matches_within"); a graph by lowe is taken out; a warning says
 * so. Targets without source or factors stay as they are. TRIB_USAGE when there is no curve, or not this point of it:
 * the result is then of no use. */
trib_status trib_result_move_threshold(json_t *result, double threshold, trib_error *error);

#endif
