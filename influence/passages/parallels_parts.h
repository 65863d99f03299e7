/* parallels_parts.h - the parts of the search for allusions: the index of two texts, and the score
 * of one pair of units. Private to this room. */
#ifndef TRIBUTARY_INFLUENCE_PASSAGES_PARALLELS_PARTS_H
#define TRIBUTARY_INFLUENCE_PASSAGES_PARALLELS_PARTS_H

#include "influence/passages/parallels.h"

/* The constants of the score (parallels.h). */
#define TRIB_PARALLEL_COSINE 20.0
#define TRIB_PARALLEL_MORE   0.7
#define TRIB_PARALLEL_SINGLE 4.0 /* i2 of a pair with one match */
enum { TRIB_PARALLEL_APART = 20 /* d of such a pair */ };

/* A feature that two units may share. */
typedef struct trib_parallel_feature {
    double information; /* -ln f */
    uint32_t feature;
} trib_parallel_feature;

/* A 4-gram of a unit, or a unit that holds a 4-gram. */
typedef struct trib_parallel_gram {
    uint32_t number; /* of the 4-gram, or of the unit */
    double weight;   /* of the 4-gram in the unit; the squares of a unit add up to 1, or to 0 */
} trib_parallel_gram;

/* The two texts, and what is computed from them once. `{0}` is empty. */
typedef struct trib_parallel_index {
    const trib_parallel_lexicon *lexicon; /* borrowed, as the texts are */
    const trib_parallel_text *target, *source;
    double *information; /* [n_features] */
    /* the units of the source that hold feature x: holder[holders_from[x]] .., ascending */
    size_t *holders_from; /* [n_features + 1] */
    uint32_t *holder;
    /* the 4-grams of unit t of the target: gram[grams_from[t]] .., ascending */
    size_t *grams_from; /* [target->n_units + 1] */
    trib_parallel_gram *gram;
    /* the units of the source that hold 4-gram g: posting[postings_from[g]] .., ascending */
    size_t *postings_from; /* [n_grams + 1] */
    trib_parallel_gram *posting;
} trib_parallel_index;

trib_status trib_parallel_index_build(trib_parallel_index *index,
                                      const trib_parallel_lexicon *lexicon,
                                      const trib_parallel_text *target,
                                      const trib_parallel_text *source, trib_error *error);
void trib_parallel_index_release(trib_parallel_index *index);

/* A place of a feature in a unit. */
typedef struct trib_parallel_place {
    uint32_t rank; /* number of the feature among those of the target's unit */
    uint32_t word; /* number of the word in its text */
} trib_parallel_place;

/* One unit of the target, ready to be scored with units of the source. `{0}` is empty; it grows as
 * needed. */
typedef struct trib_parallel_side {
    const trib_parallel_index *index;
    uint32_t unit;                  /* number of the unit in the target */
    trib_parallel_feature *feature; /* [n_features] the rarest first, ties by number */
    size_t n_features, feature_cap;
    size_t *places_from; /* [n_features + 1] feature i stands at place[places_from[i]] .. */
    size_t places_cap;
    trib_parallel_place *place; /* by rank, then by word */
    size_t place_cap;
    uint32_t *rank_of;          /* [lexicon->n_features] of the unit's features, else UINT32_MAX */
    trib_parallel_place *there; /* scratch: the places of these features in a unit of the source */
    size_t there_cap;
    uint8_t *is_taken; /* scratch: [2][words of the longer unit] words of target and source */
    size_t taken_cap;
    trib_parallel_match *match; /* [n_matches] of the last pair scored, the rarest first */
    size_t n_matches, match_cap;
    uint32_t distance; /* d of the last pair, or 0 */
} trib_parallel_side;

trib_status trib_parallel_side_init(trib_parallel_side *side, const trib_parallel_index *index,
                                    trib_error *error);
/* Makes `side` ready for unit t of the target. TRIB_MEMORY. */
trib_status trib_parallel_side_set(trib_parallel_side *side, uint32_t t, trib_error *error);
/* Sets *score to the score of the pair with unit s of the source, whose cosine is known; the
 * matches and the distance stay in `side`. Without a common feature there are no matches and the
 * score is
 * -INFINITY. TRIB_MEMORY. */
trib_status trib_parallel_score(trib_parallel_side *side, uint32_t s, double cosine, double weight,
                                double *score, trib_error *error);
void trib_parallel_side_release(trib_parallel_side *side);

/* The part of the score that the 4-grams add: 20 c m / (m + 1), m the words of the shorter unit. */
static inline double trib_parallel_likeness(const trib_parallel_index *index, uint32_t t,
                                            uint32_t s, double cosine) {
    const uint32_t a = index->target->unit[t].n, b = index->source->unit[s].n;
    const double m = a < b ? a : b;
    return TRIB_PARALLEL_COSINE * cosine * m / (m + 1);
}

#endif
