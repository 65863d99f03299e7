/* folds.h - the words of a vocabulary without what spellings differ in: case, marks, apostrophes, u
 * for v, i for j, long s. The method `extent` compares these. Private to the program. */
#ifndef TRIBUTARY_INFLUENCE_FOLDS_H
#define TRIBUTARY_INFLUENCE_FOLDS_H

#include <stdint.h>

#define TRIB_NO_FOLD UINT32_MAX /* of a word without letters */

/* Words of more letters are compared by their first ones alone. */
enum { TRIB_LETTERS = 60 };

/* The folded words of a vocabulary. `{0}` is empty. */
typedef struct trib_folds {
    uint32_t n_words;  /* words of the vocabulary */
    uint32_t *fold;    /* [n_words] number of the folded word, or TRIB_NO_FOLD */
    uint32_t n_folds;  /* different folded words */
    uint32_t *stem;    /* [n_folds] number of its first letters */
    uint32_t n_stems;  /* different stems */
    uint32_t *letters; /* [n_folds][TRIB_LETTERS + 1] code points, ended by 0 */
} trib_folds;

#endif
