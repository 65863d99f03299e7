/* shown.h - a target as readers see it, on the pages and in the terminal: its shares, with sources
 * that cannot be told apart as one row, which add up to 100 % as printed; and the passages that are
 * shown first. Private to the program. */
#ifndef TRIBUTARY_RESULT_SHOWN_H
#define TRIBUTARY_RESULT_SHOWN_H

#include "pipeline/result/result.h"

/* ---- Shares ---------------------------------------------------------------------------------- */

/* A source of a target, or a group of sources that cannot be told apart. */
typedef struct trib_shown_row {
    const char *source;      /* id; of a group the member with the largest share */
    const char *title;       /* of a group "A or B" */
    double share, low, high; /* low, high: may be NaN */
    double printed;          /* the share, rounded so that the printed shares add up */
    double verbatim;         /* the part that is word for word; set by the report */
    bool below_floor, decoy;
    const trib_share_record **member; /* [n_members] of a group */
    size_t n_members;                 /* 0: one source */
} trib_shown_row;

/* The shares of one target by one method, as fractions of 1 that are rounded to `decimals` of a
 * percentage. Of a method whose parts add up to 1, they add up to 1 after rounding, too: the rows
 * above the noise floor, `below`, `author` and `formula`. */
typedef struct trib_shown_shares {
    trib_shown_row *row; /* [n] those below the floor add up to `below` */
    size_t n;
    double below;       /* all sources below the floor, decoys, and sources without a row */
    double author;      /* NaN: not computed, also for the next three */
    double formula;     /* n-grams that very many texts hold */
    double own, common; /* parts of `author` */
    int decimals;
} trib_shown_shares;
/* Makes the rows of a method, which may be NULL, in the order of its shares. A group is a row where
 * its first member would be; without is_grouped, every source has its own. The rows lie in the
 * arena; none after a failure. */
trib_shown_shares trib_shown_shares_make(const trib_result *result,
                                         const trib_influence_record *method, bool is_grouped,
                                         trib_arena *arena);
/* Whether a row, or a share (may be NULL), is of a source above the noise floor, and no decoy. */
bool trib_row_is_above(const trib_shown_row *row);
/* Whether a row is that of the source `id`, or of a group with this member. */
bool trib_row_has(const trib_shown_row *row, const char *id);
/* The part of the target that is word for word that of a row's source or group; NaN: not
 * measured. */
double trib_row_verbatim(const trib_target_record *target, const trib_shown_row *row);
bool trib_share_is_above(const trib_share_record *share);
/* Whether a row is of a near copy of the target: another edition, an ancestor, a copy. What both
 * have from others counts as its own then. */
bool trib_row_is_copy(const trib_shown_row *row);
/* Whether it may be said that a text takes words from another: both have dates. Else they share
 * them. */
bool trib_texts_are_dated(const trib_result *result, const char *target, const char *source);

/* ---- Passages -------------------------------------------------------------------------------- */

/* A passage that target and source share. */
typedef struct trib_shown_passage {
    const trib_passage_record *passage; /* NULL: there is none */
    const char *source;                 /* id */
} trib_shown_passage;

/* The passages of a target that are shown first. Decoys are left out. */
typedef struct trib_shown_passages {
    /* most shared words, of equal ones with rarer words; of a source below the noise floor only a
     * notable one */
    trib_shown_passage longest;
    /* of the notable passages at other places of the target: the shared words are rarest on
     * average */
    trib_shown_passage rarest;
    trib_shown_passage translated; /* the longest that is translated */
    size_t n_notable;              /* notable passages in the result */
} trib_shown_passages;
/* Chooses among the passages of a target with all its sources, or with `source` alone (NULL:
 * all). */
trib_shown_passages trib_shown_passages_choose(const trib_result *result,
                                               const trib_target_record *target,
                                               const char *source);
/* What is said of the family of a passage from `source`: which other sources hold it, the earliest
 * first, how many texts, and whether it is quoted, as in "also in Luke (80); silent". "" when
 * nothing is known of it, and with is_brief when all is as usual. */
const char *trib_family_shown(const trib_result *result, trib_arena *arena,
                              const trib_passage_record *passage, const char *source,
                              bool is_brief);
/* Reduces a list to those that can be chosen: the longest, and the longest notable one. */
void trib_passages_keep_longest(trib_passage_records *passages);
/* What stands between the title of a text and the reference of a place in it: a space, as in
 * "Luke 3:7", or ", ", as in "Moby Dick, CHAPTER 4"; "" when there is no reference (may be
 * NULL). */
const char *trib_place_gap(const char *reference);

#endif
