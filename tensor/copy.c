/* copy.c - copies of views: of the whole view, as counts, or of chosen indices. */
#include "tensor/sparse.h"

#include <stdlib.h>
#include <string.h>

trib_status trib_sparse_copy(trib_sparse *z, const trib_view *x, trib_error *error) {
    return trib_sparse_scale(z, 1, x, error);
}

trib_status trib_sparse_counts(trib_hacoo *z, const trib_view *x, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    char text[TRIB_NUMBER_MAX];
    double value;
    trib_status status = trib_hacoo_init(
        z, x->n_modes, x->dim, &(trib_hacoo_options){.expected = trib_view_nnz(x)}, error);
    for (trib_cursor c = trib_view_begin(x);
         status == TRIB_OK && trib_view_next(&c, index, &value);)
        if (value >= 1 && value <= UINT32_MAX && value == (double)(uint32_t)value)
            status = trib_hacoo_add(z, index, (uint32_t)value, error);
        else
            status = trib_fail(error, TRIB_INPUT,
                               "%s is not a count: counts are whole numbers from 1 to %u",
                               trib_number(text, value), UINT32_MAX);
    if (status != TRIB_OK) trib_hacoo_release(z);
    return status;
}

/* ---- Chosen indices -------------------------------------------------------------------------- */

/* A chosen index and its index in the copy. */
typedef struct choice {
    uint32_t index, to;
} choice;

static int by_index(const void *a, const void *b) {
    const choice *x = a, *y = b;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static trib_status sort_choices(choice **sorted, const uint32_t list[], uint32_t n, uint32_t mode,
                                uint32_t dim, trib_error *error) {
    const trib_status status = TRIB_NEW(sorted, n, "chosen indices", error);
    for (uint32_t i = 0; status == TRIB_OK && i < n; i++) {
        if (list[i] >= dim)
            return trib_fail(error, TRIB_INPUT,
                             "index %u of mode %u, counted from 0, is not below %u", list[i],
                             mode + 1, dim);
        (*sorted)[i] = (choice){list[i], i};
    }
    if (status == TRIB_OK && n > 0) qsort(*sorted, n, sizeof **sorted, by_index);
    return status;
}

/* The first choice whose index is not below `index`. */
static const choice *first_choice(const choice *sorted, uint32_t n, uint32_t index) {
    while (n > 0) {
        const uint32_t half = n / 2;
        if (sorted[half].index < index) {
            sorted += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return sorted;
}

/* Copies one nonzero to every combination of the new indices of its modes. Those of mode m begin at
 * place[m]. */
static trib_status copy_to_choices(trib_sparse *z, const uint32_t index[],
                                   const choice *const place[], const choice *const end[],
                                   double value, trib_error *error) {
    const uint32_t n_modes = z->place.n_modes;
    const choice *at[TRIB_MAX_MODES];
    uint32_t to[TRIB_MAX_MODES];
    memcpy(at, place, n_modes * sizeof *at);
    for (;;) {
        for (uint32_t m = 0; m < n_modes; m++) to[m] = at[m] ? at[m]->to : index[m];
        const trib_status status = trib_sparse_raise(z, to, value, error);
        if (status != TRIB_OK) return status;
        uint32_t m = n_modes;
        while (m-- > 0) { /* the next combination, the last mode fastest */
            if (at[m] && at[m] + 1 < end[m] && at[m][1].index == index[m]) break;
            at[m] = place[m];
        }
        if (m == UINT32_MAX) return TRIB_OK;
        at[m]++;
    }
}

trib_status trib_sparse_select(trib_sparse *z, const trib_view *x, const uint32_t *const list[],
                               const uint32_t n[], trib_error *error) {
    choice *sorted[TRIB_MAX_MODES] = {0};
    const choice *place[TRIB_MAX_MODES] = {0}, *end[TRIB_MAX_MODES] = {0};
    uint32_t dim[TRIB_MAX_MODES] = {0}, index[TRIB_MAX_MODES];
    double value;
    trib_status status = TRIB_OK;
    *z = (trib_sparse){0};
    for (uint32_t m = 0; m < x->n_modes && status == TRIB_OK; m++) {
        dim[m] = list[m] ? n[m] : x->dim[m];
        if (list[m]) status = sort_choices(&sorted[m], list[m], n[m], m, x->dim[m], error);
        end[m] = sorted[m] ? sorted[m] + n[m] : NULL;
    }
    if (status == TRIB_OK) status = trib_sparse_init(z, x->n_modes, dim, 0, error);
    for (trib_cursor c = trib_view_begin(x);
         status == TRIB_OK && trib_view_next(&c, index, &value);) {
        bool chosen = true;
        for (uint32_t m = 0; m < x->n_modes && chosen; m++) {
            if (!sorted[m]) continue;
            place[m] = first_choice(sorted[m], n[m], index[m]);
            chosen = place[m] < end[m] && place[m]->index == index[m];
        }
        if (chosen) status = copy_to_choices(z, index, place, end, value, error);
    }
    for (uint32_t m = 0; m < x->n_modes; m++) trib_free(sorted[m]);
    return trib_sparse_end(z, status, error);
}
