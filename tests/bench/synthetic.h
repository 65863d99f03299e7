/* synthetic.h - sparse tensors that are no text, the same for the same seed everywhere. */
#ifndef TRIBUTARY_SYNTHETIC_H
#define TRIBUTARY_SYNTHETIC_H

#include "tensor/tensor.h"

/* Where the nonzeros are. The first three are the storage patterns of Dong, Wu, Byna 2024. */
typedef enum synthetic_pattern {
    /* all indices of a nonzero within `width` of each other (1, matrices: tridiagonal); nnz is not
     * read */
    SYNTHETIC_BAND,
    SYNTHETIC_RANDOM, /* every cell equally likely */
    SYNTHETIC_MIXED,  /* half of them fill a box, the others are random */
    /* low indices often, as in most tensors of FROSTT; they are not in order of frequency */
    SYNTHETIC_ZIPF,
    SYNTHETIC_FILLED /* the same, drawn until there are exactly nnz different ones */
} synthetic_pattern;

typedef struct synthetic {
    const char *name;
    synthetic_pattern pattern;
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t nnz;     /* about: of what is drawn twice there is less */
    uint32_t width; /* of a band */
} synthetic;

/* Rows of tensors: the three patterns with 2, 3 and 4 modes, then shapes of FROSTT made smaller.
 * Ends with a row whose name is NULL. */
extern const synthetic synthetic_tensors[];

/* Fills `table`, which trib_hacoo_release frees; the counts are 1 to 5. Errors as
 * trib_hacoo_add. */
trib_status synthetic_make(trib_hacoo *table, const synthetic *what, uint64_t seed,
                           trib_error *error);

#endif
