/* box.c - see box.h. Comparison of indices in an order, and search in it. */
#include "tensor/formats/box.h"

#include <string.h>

bool trib_box_holds(const trib_box *box, uint32_t n_modes, const uint32_t index[]) {
    bool inside = true;
    for (uint32_t m = 0; m < n_modes; m++)
        inside &= box->lower[m] <= index[m] && index[m] < box->upper[m];
    return inside;
}

bool trib_box_is_point(const trib_box *box, uint32_t n_modes) {
    bool point = true;
    for (uint32_t m = 0; m < n_modes; m++) point &= box->upper[m] - box->lower[m] == 1;
    return point;
}

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

int trib_order_compare(const trib_order *order, const uint32_t a[], const uint32_t b[]) {
    if (order->morton) return compare_morton(order->n_modes, a, b);
    for (uint32_t k = 0; k < order->n_modes; k++) {
        const uint32_t m = order->mode[k];
        if (a[m] != b[m]) return a[m] < b[m] ? -1 : 1;
    }
    return 0;
}

/* The first mode whose index is outside the box gets the first index of the box. If the index is
 * beyond the end, the mode before it is increased by one. All later modes get their first index. */
static bool next_lexicographic(const trib_order *order, const trib_box *box, uint32_t next[]) {
    for (uint32_t k = 0; k < order->n_modes; k++) {
        const uint32_t m = order->mode[k];
        if (box->lower[m] <= next[m] && next[m] < box->upper[m]) continue;
        uint32_t from = k;
        if (next[m] >= box->upper[m]) {
            while (from > 0 && next[order->mode[from - 1]] + 1 >= box->upper[order->mode[from - 1]])
                from--;
            if (from == 0) return false;
            next[order->mode[from - 1]]++;
        }
        for (; from < order->n_modes; from++)
            next[order->mode[from]] = box->lower[order->mode[from]];
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

bool trib_order_next(const trib_order *order, const trib_box *box, const uint32_t at[],
                     uint32_t next[]) {
    memcpy(next, at, order->n_modes * sizeof *next);
    if (order->morton) return next_morton(order->n_modes, box, next);
    return next_lexicographic(order, box, next);
}

/* The first item from `from` on that is not before `place`. Steps double before the bisection, so a
 * close item is found quickly. */
static size_t lower_bound(const trib_sorted *items, const uint32_t place[], size_t from) {
    uint32_t at[TRIB_MAX_MODES];
    size_t low = from, high = items->n, step = 1;
    while (high - low > step) {
        items->place(items->tensor, low + step, at);
        if (trib_order_compare(&items->order, at, place) >= 0) high = low + step;
        else low += step + 1;
        if (high < items->n) break;
        step *= 2;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        items->place(items->tensor, middle, at);
        if (trib_order_compare(&items->order, at, place) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool trib_sorted_next(const trib_sorted *items, const trib_box *box, size_t from, size_t *item) {
    const uint32_t n_modes = items->order.n_modes;
    uint32_t at[TRIB_MAX_MODES], next[TRIB_MAX_MODES];
    if (from == 0) { /* at the beginning: go to the first index of the box */
        if (!trib_order_next(&items->order, box, (const uint32_t[TRIB_MAX_MODES]){0}, next))
            return false;
        from = lower_bound(items, next, 0);
    }
    while (from < items->n) {
        items->place(items->tensor, from, at);
        if (trib_box_holds(box, n_modes, at)) break;
        if (!trib_order_next(&items->order, box, at, next)) return false;
        from = lower_bound(items, next, from + 1);
    }
    *item = from;
    return from < items->n;
}
