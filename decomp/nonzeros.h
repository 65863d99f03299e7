/* nonzeros.h - private to decomp/: the positive nonzeros of a tensor in lexicographic order of
 * their indices. The fibre cover, the starts and CP-APR read them, so that none of these depends on
 * the order in which a format stores nonzeros. */
#ifndef TRIBUTARY_DECOMP_NONZEROS_H
#define TRIBUTARY_DECOMP_NONZEROS_H

#include <limits.h>

#include "decomp/decomp.h"

/* Some nonzeros of a tensor, in the order of its format:
 *     for (trib_some_nonzeros s = {.x = x}; trib_nonzeros_next(&s);) */
enum { TRIB_SOME = 256 };
typedef struct trib_some_nonzeros {
    const trib_tensor *x;
    size_t first, n; /* after trib_nonzeros_next, `first` is that of the next ones */
    uint32_t index[TRIB_SOME * TRIB_MAX_MODES]; /* [n][n_modes] */
    double value[TRIB_SOME];                    /* [n] */
} trib_some_nonzeros;
/* Reads the next nonzeros; false when there are no more. */
static inline bool trib_nonzeros_next(trib_some_nonzeros *s) {
    const size_t left = s->x->nnz - s->first;
    s->n = left < TRIB_SOME ? left : TRIB_SOME;
    trib_tensor_read(s->x, s->first, s->n, s->index, s->value);
    s->first += s->n;
    return s->n > 0;
}

/* The nonzeros, with an index array for each mode. `{0}` is empty. */
typedef struct trib_nonzeros {
    uint32_t n_modes;
    uint32_t dim[TRIB_MAX_MODES];
    size_t n;
    uint32_t *index[TRIB_MAX_MODES]; /* [n] of each mode */
    double *value;                   /* [n] all above 0 */
    double total;                    /* their sum, in this order */
    size_t n_negative;               /* values below 0, which are left out */
    trib_pool pool;                  /* the arrays */
} trib_nonzeros;

/* Copies and sorts the nonzeros of `x`; values not above 0 are left out. TRIB_INPUT beyond 2^32-1
 * nonzeros. */
trib_status trib_nonzeros_read(trib_nonzeros *nonzeros, const trib_tensor *x, trib_error *error);
/* The same for n nonzeros index[n][n_modes], value[n], all at different places. */
trib_status trib_nonzeros_list(trib_nonzeros *nonzeros, uint32_t n_modes, const uint32_t dim[],
                               const uint32_t *index, const double *value, size_t n,
                               trib_error *error);
void trib_nonzeros_release(trib_nonzeros *nonzeros);

/* Sorts order[n] stably by the indices of one mode (radix sort); moved[n] is scratch. */
void trib_nonzeros_sort(const trib_nonzeros *nonzeros, uint32_t mode, uint32_t *order,
                        uint32_t *moved);

/* Sets marginal[dim[mode]] to the sums of the values over all other modes, divided by the total. */
void trib_nonzeros_marginal(const trib_nonzeros *nonzeros, uint32_t mode, double *marginal);

/* The exponent e for which the values times 2^-e are about 1, or 0 where their squares neither
 * overflow nor vanish; TRIB_NOT_FINITE if a value is infinite or not a number. *is_negative: some
 * value is below 0 and none above it. */
int trib_tensor_exponent(const trib_tensor *x, bool *is_negative);
#define TRIB_NOT_FINITE INT_MAX

/* Like trib_fibre_cover_build, from sorted nonzeros (fibre.c). */
trib_status trib_nonzeros_cover(const trib_nonzeros *nonzeros, size_t limit,
                                trib_fibre_cover *cover, trib_error *error);

#endif
