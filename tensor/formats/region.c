/* region.c - reads single values and boxes of tensors in any format: search in an order of indices,
 * or what a format has in its place. */
#include "tensor/formats/format.h"

#include <string.h>

/* ---- Orders of indices ----------------------------------------------------------------------- */

/* The mode whose index differs in the highest bit decides; among equal bits, the highest mode. */
static int compare_morton(uint32_t n_modes, const uint32_t a[], const uint32_t b[]) {
    uint32_t most = 0, mode = 0;
    for (uint32_t m = 0; m < n_modes; m++) {
        const uint32_t differs = a[m] ^ b[m];
        if (differs < most && differs < (differs ^ most))
            continue; /* the highest bit in which they differ is lower */
        if (differs == 0) continue;
        most = differs;
        mode = m;
    }
    return (a[mode] > b[mode]) - (a[mode] < b[mode]);
}

static int compare(const trib_sorted *items, const uint32_t a[], const uint32_t b[]) {
    const uint32_t n_modes = items->tensor->n_modes;
    if (!items->mode) return compare_morton(n_modes, a, b);
    for (uint32_t k = 0; k < n_modes; k++) {
        const uint32_t m = items->mode[k];
        if (a[m] != b[m]) return a[m] < b[m] ? -1 : 1;
    }
    return 0;
}

/* The first mode whose index is outside the box gets the first index of the box. If the index is
 * beyond the end, the mode before it is increased by one. All later modes get their first index. */
static bool next_lexicographic(uint32_t n_modes, const uint32_t mode[], const trib_box *box,
                               uint32_t next[]) {
    for (uint32_t k = 0; k < n_modes; k++) {
        const uint32_t m = mode[k];
        if (box->lower[m] <= next[m] && next[m] < box->upper[m]) continue;
        uint32_t from = k;
        if (next[m] >= box->upper[m]) {
            while (from > 0 && next[mode[from - 1]] + 1 >= box->upper[mode[from - 1]]) from--;
            if (from == 0) return false;
            next[mode[from - 1]]++;
        }
        for (; from < n_modes; from++) next[mode[from]] = box->lower[mode[from]];
        return true;
    }
    return true;
}

/* Sets the bit at `level` to `bit`, and all bits below it to the opposite. */
static uint32_t end_in(uint32_t index, uint32_t level, uint32_t bit) {
    const uint32_t here = UINT32_C(1) << level;
    index &= ~(here | (here - 1));
    return index | (bit ? here : here - 1);
}

/* Tropf and Herzog 1981. The box low..high is halved bit by bit, from the highest bit. The half
 * that contains next[] is searched further. The half after it, if there is one, holds the result if
 * the searched half turns out to end before next[]. */
static bool next_morton(uint32_t n_modes, const trib_box *box, uint32_t next[]) {
    uint32_t low[TRIB_MAX_MODES], high[TRIB_MAX_MODES], after[TRIB_MAX_MODES];
    bool is_after = false;
    for (uint32_t m = 0; m < n_modes; m++) {
        low[m] = box->lower[m];
        high[m] = box->upper[m] - 1;
    }
    for (uint32_t level = 32; level-- > 0;)
        for (uint32_t m = n_modes; m-- > 0;) {
            const uint32_t bit = next[m] >> level & 1, first = low[m] >> level & 1;
            const uint32_t last = high[m] >> level & 1;
            if (bit == first && bit == last) continue;
            if (first == last) { /* the whole box lies after next[], or before it */
                if (!bit) memcpy(next, low, n_modes * sizeof *next);
                else if (is_after) memcpy(next, after, n_modes * sizeof *next);
                return !bit || is_after;
            }
            if (bit) {
                low[m] = end_in(low[m], level, 1);
                continue;
            }
            memcpy(after, low, n_modes * sizeof *after);
            after[m] = end_in(low[m], level, 1);
            is_after = true;
            high[m] = end_in(high[m], level, 0);
        }
    return true;
}

/* next[] becomes the first index of the box at or after it; false when there is none. */
static bool next_in_box(const trib_sorted *items, const trib_box *box, uint32_t next[]) {
    const uint32_t n_modes = items->tensor->n_modes;
    return items->mode ? next_lexicographic(n_modes, items->mode, box, next)
                       : next_morton(n_modes, box, next);
}

/* The first item from `from` on that is not before `place`. Steps double before the bisection, so a
 * close item is found quickly. */
static size_t lower_bound(const trib_sorted *items, const uint32_t place[], size_t from) {
    uint32_t at[TRIB_MAX_MODES];
    size_t low = from, high = items->n, step = 1;
    while (high - low > step) {
        items->place(items->tensor, low + step, at);
        if (compare(items, at, place) >= 0) high = low + step;
        else low += step + 1;
        if (high < items->n) break;
        step *= 2;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        items->place(items->tensor, middle, at);
        if (compare(items, at, place) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool trib_sorted_next(const trib_sorted *items, const trib_box *box, size_t from, size_t *item) {
    uint32_t at[TRIB_MAX_MODES] = {0};
    if (from == 0) { /* at the beginning: go to the first index of the box */
        if (!next_in_box(items, box, at)) return false;
        from = lower_bound(items, at, 0);
    }
    while (from < items->n) {
        items->place(items->tensor, from, at);
        if (trib_box_holds(box, items->tensor->n_modes, at)) break;
        if (!next_in_box(items, box, at)) return false;
        from = lower_bound(items, at, from + 1);
    }
    *item = from;
    return from < items->n;
}

static void place_of_nonzero(const trib_tensor *tensor, size_t e, uint32_t at[]) {
    double value;
    tensor->format->read(tensor, e, 1, at, &value);
}

bool trib_sorted_seek(const trib_tensor *tensor, const uint32_t *mode, const trib_box *box,
                      size_t *first, size_t *last) {
    const trib_sorted nonzeros = {tensor, mode, tensor->nnz, place_of_nonzero};
    if (!trib_sorted_next(&nonzeros, box, *first, first)) return false;
    *last = *first + 1;
    return true;
}

/* ---- Points and boxes ------------------------------------------------------------------------ */

enum { PIECE = 64 }; /* nonzeros read at a time */

/* Finds the next nonzeros, at most PIECE, that may lie in the box, from *first on. */
static bool next_piece(const trib_tensor *tensor, const trib_box *box, size_t *first,
                       size_t *last) {
    static const uint32_t in_turn[TRIB_MAX_MODES] = {0, 1, 2, 3, 4, 5, 6, 7};
    const trib_format *format = tensor->format;
    if (*first >= tensor->nnz) return false;
    *last = tensor->nnz;
    if (format->seek
            ? !format->seek(tensor, box, first, last)
            : format->order != TRIB_AS_INSERTED &&
                  !trib_sorted_seek(tensor, format->order == TRIB_LEXICOGRAPHIC ? in_turn : NULL,
                                    box, first, last))
        return false;
    if (*last - *first > PIECE) *last = *first + PIECE;
    return true;
}

/* Reduces a box to its part inside the tensor; false when nothing is left. */
static bool clip(const trib_tensor *tensor, trib_box *box) {
    bool some = tensor->nnz > 0;
    for (uint32_t m = 0; m < tensor->n_modes; m++) {
        if (box->upper[m] > tensor->dim[m]) box->upper[m] = tensor->dim[m];
        some &= box->lower[m] < box->upper[m];
    }
    return some;
}

double trib_tensor_get(const trib_tensor *tensor, const uint32_t index[]) {
    uint32_t at[PIECE * TRIB_MAX_MODES];
    double value[PIECE];
    trib_box box = {0};
    for (uint32_t m = 0; m < tensor->n_modes; m++) {
        box.lower[m] = index[m];
        box.upper[m] = index[m] < UINT32_MAX ? index[m] + 1 : index[m];
    }
    if (!clip(tensor, &box)) return 0;
    for (size_t first = 0, last; next_piece(tensor, &box, &first, &last); first = last) {
        tensor->format->read(tensor, first, last - first, at, value);
        for (size_t i = 0; i < last - first; i++)
            if (memcmp(at + i * tensor->n_modes, index, tensor->n_modes * sizeof *at) == 0)
                return value[i];
    }
    return 0;
}

trib_status trib_tensor_region(const trib_tensor *tensor, const trib_box *box, trib_region *found,
                               trib_error *error) {
    const uint32_t n_modes = tensor->n_modes;
    uint32_t at[PIECE * TRIB_MAX_MODES];
    double value[PIECE];
    trib_box inside = *box;
    trib_status status = TRIB_OK;
    found->n = 0;
    if (!clip(tensor, &inside)) return TRIB_OK;
    for (size_t first = 0, last; next_piece(tensor, &inside, &first, &last); first = last) {
        tensor->format->read(tensor, first, last - first, at, value);
        for (size_t i = 0; i < last - first; i++) {
            if (!trib_box_holds(&inside, n_modes, at + i * n_modes)) continue;
            const size_t n = found->n;
            status = TRIB_GROW(&found->index, &found->index_cap, (n + 1) * n_modes,
                               "the nonzeros of a region", error);
            if (status == TRIB_OK)
                status = TRIB_GROW(&found->value, &found->value_cap, n + 1,
                                   "the nonzeros of a region", error);
            if (status != TRIB_OK) goto done;
            memcpy(found->index + n * n_modes, at + i * n_modes, n_modes * sizeof *at);
            found->value[found->n++] = value[i];
        }
    }
done:
    if (status != TRIB_OK) trib_region_release(found);
    return status;
}
