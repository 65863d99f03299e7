/* parts.h - the parts of a target as readers see them: shares that add up to 100 % as printed, and
 * the passages that are shown first. Used by the pages and by the terminal. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_PARTS_H
#define TRIBUTARY_OUTPUT_PARTS_H

#include <jansson.h>

#include "base/base.h"

/* ---- Shares ---------------------------------------------------------------------------------- */

/* The shares of one target by one method, as fractions of 1 that are rounded to `decimals` of a
 * percentage. Of a method whose parts add up to 1, they add up to 1 after rounding, too: the rows
 * above the noise floor, `below`, `author` and `formula`. `{0}` is empty. */
typedef struct trib_parts {
    double *row; /* [n_rows] in the order of the rows; those below the floor add up to `below` */
    size_t n_rows;
    double below;       /* all sources below the floor, decoys, and sources without a row */
    double author;      /* NaN: not computed, also for the next three */
    double formula;     /* n-grams that very many texts hold */
    double own, common; /* parts of `author` */
    int decimals;
} trib_parts;
/* Rounds the shares of `method` ("methods.METHOD" of a target); `rows` are its shares, or those
 * that trib_result_rows makes of it. TRIB_MEMORY. */
trib_status trib_parts_make(trib_parts *parts, const json_t *method, const json_t *rows,
                            trib_error *error);
void trib_parts_release(trib_parts *parts);
/* Whether a row of shares is of a source above the noise floor, and not of a decoy. */
bool trib_row_flows(const json_t *row);

/* ---- Passages -------------------------------------------------------------------------------- */

/* A passage that target and source share. */
typedef struct trib_chosen_passage {
    const json_t *passage; /* element of "passages"; NULL: there is none */
    const char *source;    /* id */
} trib_chosen_passage;

/* The passages of a target that are shown first. A passage is notable when it has at least 12
 * shared words, one of them rare. Decoys are left out. */
typedef struct trib_chosen_passages {
    /* most shared words, of equal ones with rarer words; of a source below the noise floor only a
     * notable one */
    trib_chosen_passage longest;
    /* of the notable passages at other places of the target: the shared words are rarest on
     * average */
    trib_chosen_passage rarest;
    size_t n_notable; /* notable passages in the result */
} trib_chosen_passages;
/* Whether a passage has more shared words than another, or as many, but rarer ones, or lies before
 * it in the target. */
bool trib_passage_is_longer(const json_t *passage, const json_t *other);
bool trib_passage_is_notable(const json_t *passage);
/* Chooses among the passages of a target with all its sources, or with `source` alone (NULL: all).
 * Borrows from `target`. */
trib_chosen_passages trib_passages_choose(const json_t *result, const json_t *target,
                                          const char *source);

/* ---- Places ---------------------------------------------------------------------------------- */

/* What stands between the title of a text and the reference of a place in it: a space, as in
 * "Luke 3:7", or ", ", as in "Moby Dick, CHAPTER 4"; "" when there is no reference. */
const char *trib_reference_gap(const char *reference);

#endif
