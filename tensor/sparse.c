/* sparse.c - sparse tensors of real values: a table of indices and a value beside each entry. */

#include "tensor/sparse.h"
#include "tensor/entry.h"

trib_status trib_sparse_init(trib_sparse *x, uint32_t n_modes, const uint32_t dim[],
                             size_t expected, trib_error *error) {
    *x = (trib_sparse){0};
    trib_status status = trib_hacoo_init(&x->place, n_modes, dim,
                                         &(trib_hacoo_options){.expected = expected}, error);
    if (status == TRIB_OK) status = TRIB_GROW(&x->value, &x->cap, expected, "values", error);
    if (status != TRIB_OK) trib_sparse_release(x);
    return status;
}

void trib_sparse_release(trib_sparse *x) {
    trib_hacoo_release(&x->place);
    trib_free(x->value);
    *x = (trib_sparse){0};
}

trib_status trib_sparse_place(trib_sparse *x, const uint32_t index[], size_t *e,
                              trib_error *error) {
    trib_hacoo *place = &x->place;
    const bool wide = trib_is_wide(place);
    const size_t nnz = place->nnz;
    trib_key key = 0;
    uint32_t entry = 0;
    trib_status status = TRIB_GROW(&x->value, &x->cap, nnz + 1, "values", error);
    if (status != TRIB_OK) return status;
    if (!trib_key_pack(place, index, &key, wide)) return trib_hacoo_outside(place, index, error);
    status = trib_hacoo_place(place, trib_key_bucket(place, key, wide), key, &entry, wide, error);
    if (status != TRIB_OK) return status;
    if (place->nnz > nnz) x->value[nnz] = 0;
    *e = entry;
    return trib_hacoo_raise(place, entry, 1, wide, error);
}

trib_status trib_sparse_raise(trib_sparse *x, const uint32_t index[], double value,
                              trib_error *error) {
    size_t e = 0;
    const trib_status status = trib_sparse_place(x, index, &e, error);
    if (status == TRIB_OK) x->value[e] += value;
    return status;
}

/* Removes the entries whose value is 0; the others keep their order. */
static trib_status prune(trib_sparse *x, trib_error *error) {
    trib_sparse left;
    uint32_t index[TRIB_MAX_MODES];
    size_t n = 0;
    for (size_t e = 0; e < x->place.nnz; e++) n += x->value[e] != 0;
    if (n == x->place.nnz) return TRIB_OK;
    trib_status status = trib_sparse_init(&left, x->place.n_modes, x->place.dim, n, error);
    for (size_t e = 0; e < x->place.nnz && status == TRIB_OK; e++) {
        if (x->value[e] == 0) continue;
        trib_hacoo_entry(&x->place, e, index);
        status = trib_sparse_raise(&left, index, x->value[e], error);
    }
    if (status != TRIB_OK) {
        trib_sparse_release(&left);
        return status;
    }
    trib_sparse_release(x);
    *x = left;
    return TRIB_OK;
}

trib_status trib_sparse_end(trib_sparse *z, trib_status status, trib_error *error) {
    if (status == TRIB_OK) status = prune(z, error);
    if (status != TRIB_OK) trib_sparse_release(z);
    return status;
}

/* ---- Sums of counts, and of other values ----------------------------------------------------- */

static bool are_counts(const double value[], size_t n) {
    bool are = true;
    for (size_t i = 0; i < n && value; i++)
        are = are && value[i] >= 1 && value[i] <= UINT32_MAX && value[i] == floor(value[i]);
    return are;
}

/* Adds counts while all sums are counts; *n_added is their number. Unless `is_limit` the sum of all
 * is so small that no entry needs to be looked at. */
static trib_status add_counts(trib_hacoo *table, bool is_limit, size_t n, const uint32_t index[],
                              const uint32_t count[], uint32_t entry[], size_t *n_added,
                              trib_error *error) {
    uint64_t total = table->total;
    trib_status status = TRIB_OK;
    size_t i = is_limit ? 0 : n;
    for (size_t j = 0; j < n; j++) total += count[j];
    if (total <= UINT32_MAX) i = n;
    if (i == n) status = trib_hacoo_add_many(table, n, index, count, entry, error);
    for (; i < n && status == TRIB_OK; i++) {
        const uint32_t *at = index + i * table->n_modes;
        if (count[i] > UINT32_MAX - trib_hacoo_get(table, at)) break;
        status = trib_hacoo_add_many(table, 1, at, &count[i], &entry[i], error);
    }
    *n_added = i;
    return status;
}

/* Changes from counts to values. */
static trib_status leave_counts(trib_hacoo *table, double **sum, size_t *cap, trib_error *error) {
    const trib_status status =
        TRIB_GROW(sum, cap, table->nnz > 0 ? table->nnz : 1, "a tensor's values", error);
    for (size_t e = 0; status == TRIB_OK && e < table->nnz; e++) {
        uint32_t *count = trib_entry_count(table->entry, e, trib_is_wide(table));
        (*sum)[e] = *count;
        *count = 1;
    }
    if (status == TRIB_OK) table->total = table->nnz;
    return status;
}

trib_status trib_hacoo_sum_many(trib_hacoo *table, double **sum, size_t *cap, size_t n,
                                const uint32_t index[], const double value[], uint32_t entry[],
                                size_t *failed, trib_error *error) {
    uint32_t count[TRIB_SUM_BATCH];
    double *none = NULL;
    const bool stay_counts = !sum;
    size_t i = 0;
    trib_status status = TRIB_OK;
    *failed = n;
    if (n == 0) return TRIB_OK;
    if (!sum) sum = &none;
    if (stay_counts || (!*sum && are_counts(value, n))) {
        for (size_t j = 0; j < n; j++) count[j] = value ? (uint32_t)value[j] : 1;
        status = add_counts(table, !stay_counts, n, index, count, entry, &i, error);
        if (status != TRIB_OK || i == n || stay_counts) return status;
    }
    if (!*sum) status = leave_counts(table, sum, cap, error);
    size_t known = table->nnz; /* entries that have a value */
    if (status == TRIB_OK)
        status =
            trib_hacoo_add_many(table, n - i, index + i * table->n_modes, NULL, entry + i, error);
    if (status == TRIB_OK) status = TRIB_GROW(sum, cap, table->nnz, "a tensor's values", error);
    for (; status == TRIB_OK && i < n; i++) {
        const double added = value ? value[i] : 1;
        const bool is_new = entry[i] == known;
        known += is_new;
        (*sum)[entry[i]] = is_new ? added : (*sum)[entry[i]] + added;
        *trib_entry_count(table->entry, entry[i], trib_is_wide(table)) = 1;
        if (isfinite((*sum)[entry[i]])) continue;
        *failed = i;
        status =
            trib_fail(error, TRIB_INPUT, "the values at one place add up to %g", (*sum)[entry[i]]);
    }
    table->total = table->nnz;
    return status;
}

/* "3 x 4 x 5" */
const char *trib_shape_text(char text[TRIB_SHAPE_MAX], uint32_t n_modes, const uint32_t dim[]) {
    size_t length = 0;
    memcpy(text, "a single number", sizeof "a single number");
    for (uint32_t m = 0; m < n_modes; m++) {
        char number[TRIB_NUMBER_MAX];
        trib_number(number, dim[m]);
        memcpy(text + length, " x ", 3);
        length += m > 0 ? 3 : 0;
        memcpy(text + length, number, strlen(number) + 1);
        length += strlen(number);
    }
    return text;
}
