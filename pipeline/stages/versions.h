/* versions.h - versions of one text, word beside word: a table with a row for each word of any of
 * them, cut into segments in which they agree or differ; and who descends from whom by the readings
 * that they share (stemma.c). Which texts are versions says pipeline/output/versions.c. Private to
 * pipeline. */
#ifndef TRIBUTARY_STAGES_VERSIONS_H
#define TRIBUTARY_STAGES_VERSIONS_H

#include "base/arena.h"
#include "pipeline/stages/corpus.h"

#define TRIB_NO_PLACE UINT32_MAX /* no word, no reading, no witness */
enum { TRIB_MOST_WITNESSES = 63 };

/* A version of the text. */
typedef struct trib_witness {
    const trib_corpus_document *about;
    char sigil[8];             /* A, B, ..., Z, A1, ... */
    uint32_t document;         /* its number */
    const char *text;          /* UTF-8 */
    const size_t *start, *end; /* [n] byte range of each word */
    const uint64_t *key;       /* [n] equal words have equal keys */
    size_t n;
    uint32_t guide; /* the witness with which it was aligned, before it in trib_collation.order */
    /* [n] the word of the guide that stands there, in the same order in both, or TRIB_NO_PLACE; and
     * the word of the guide that is the same and stands elsewhere */
    uint32_t *beside, *moved;
} trib_witness;

/* Columns of the table in which all witnesses that have them agree, or differ. */
typedef struct trib_segment {
    uint32_t first, end; /* columns */
    uint32_t n_readings; /* different readings; 1: all that have it agree */
    uint32_t moved;      /* the segment where a witness has the words, from 1; 0: not moved */
    uint32_t paragraph;  /* of the first witness */
    uint64_t lacking;    /* bit w: witness w lacks it and more around it */
} trib_segment;

/* What a witness has in a segment. */
typedef struct trib_reading {
    uint32_t first, n; /* words, from 0; n 0: none */
    uint32_t number;   /* equal readings have equal numbers, from 0 in the order of the witnesses;
                        * TRIB_NO_PLACE: it is lacking */
} trib_reading;

/* The collation of versions. `{0}` is empty. */
typedef struct trib_collation {
    trib_witness *witness; /* [n_witnesses] the earliest first */
    size_t n_witnesses;    /* at most TRIB_MOST_WITNESSES */
    const uint32_t *order; /* [n_witnesses] each after its guide; the first is witness 0 */
    uint32_t *paragraph;   /* [words of witness 0] the paragraph of each word, from 0 */
    trib_arena *arena;     /* owns all arrays */
    uint32_t *word;        /* [n_columns][n_witnesses] word, from 1; 0: none */
    size_t n_columns;
    trib_segment *segment; /* [n_segments] */
    size_t n_segments;
    trib_reading *reading; /* [n_segments][n_witnesses] */
    size_t n_places;       /* segments at which witnesses vary */
} trib_collation;

/* Leaves in `beside`, where weight[n] says how much each word tells, the heaviest words that stand
 * in the same order in both texts, adds equal words next to them, and puts stretches that stand
 * elsewhere into `moved`. O(n log n). Failures are kept in the arena. */
void trib_witness_order(trib_witness *witness, const uint8_t *weight, const trib_witness *guide,
                        trib_arena *arena);
/* The most words of a text that stand in the same order in another, of n_guide words; beside[n] is
 * the word of that one, or TRIB_NO_PLACE. O(n log n). A failure is kept in the arena. */
size_t trib_words_in_order(const uint32_t *beside, size_t n, size_t n_guide, trib_arena *arena);
/* Makes the table and its segments of witnesses whose words are in order. Failures are kept in
 * collation->arena. */
void trib_collation_make(trib_collation *collation);
/* What a witness has in a segment; whether witnesses vary in a segment. */
static inline const trib_reading *trib_reading_of(const trib_collation *collation, size_t segment,
                                                  size_t witness) {
    return &collation->reading[segment * collation->n_witnesses + witness];
}
static inline bool trib_segment_varies(const trib_segment *segment) {
    return segment->n_readings > 1 || segment->lacking > 0;
}
/* What others did, as against the first witness: "changed", "left out", "added" or "moved". */
const char *trib_segment_kind(const trib_collation *collation, size_t segment);

/* ---- The stemma (stemma.c) ------------------------------------------------------------------- */

/* How the parent of a witness is known: it has none that may be earlier; it is the only one, and
 * the readings say nothing; they do not tell it from a rival; they tell. */
typedef enum trib_descent {
    TRIB_DESCENT_FIRST,
    TRIB_DESCENT_ONLY,
    TRIB_DESCENT_SILENT,
    TRIB_DESCENT_TOLD
} trib_descent;

/* The parent that the readings propose for a witness. */
typedef struct trib_stemma_entry {
    trib_descent descent;
    uint32_t parent, rival; /* TRIB_NO_PLACE: none. The rival is the next best parent */
    uint32_t differ;        /* places where it differs from the parent */
    uint32_t shared; /* readings that it shares with the parent and that are not the first one's */
    uint32_t with, against; /* where parent and rival differ: it goes with the parent, the rival */
} trib_stemma_entry;
/* A whole stemma. The parent of a witness is the earlier one with the fewest places of difference,
 * told when it is told from each other at 1 % (McNemar 1947). */
typedef struct trib_stemma {
    trib_stemma_entry *entry; /* [n_witnesses] */
    size_t n_told;            /* entries whose parent the readings tell */
    bool is_dated;            /* a witness is known to be earlier than another; false: the tree has
                               * no direction */
} trib_stemma;
/* Makes a stemma in the arena of the collation, which keeps failures. O(witnesses^3 segments). */
trib_stemma trib_stemma_make(const trib_collation *collation);

#endif
