/* formula_list.c - the longest formulas in a hash table that is cut now and then. */
#include "pipeline/stages/formula_list.h"

#include "base/internal.h"

/* The list is cut at MANY passages or MANY_WORDS words. */
enum { LEAST_SLOTS = 1 << 10, MANY = 4 * TRIB_FORMULAS_MOST, MANY_WORDS = 1 << 20 };

static const char what[] = "the formulas";

void trib_formula_list_open(trib_formula_list *list, const char *const *text) {
    *list = (trib_formula_list){.text = text, .most_words = MANY_WORDS};
}

void trib_formula_list_release(trib_formula_list *list) {
    TRIB_FREE(list->passage, list->start, list->word, list->slot);
    *list = (trib_formula_list){0};
}

/* ---- The longest ----------------------------------------------------------------------------- */

static bool are_equal(const trib_formula_list *l, size_t p, size_t q) {
    const trib_formula *a = &l->passage[p], *b = &l->passage[q];
    return a->hash == b->hash && a->n_words == b->n_words &&
           memcmp(l->word + l->start[p], l->word + l->start[q], a->n_words * sizeof *l->word) == 0;
}

/* The slot of passage p: the one that holds an equal passage, or an empty one. */
static size_t find_slot(const trib_formula_list *l, size_t p) {
    size_t at = (size_t)l->passage[p].hash & (l->n_slots - 1);
    while (l->slot[at] > 0 && !are_equal(l, l->slot[at] - 1, p)) at = (at + 1) & (l->n_slots - 1);
    return at;
}

static void fill_slots(trib_formula_list *l) {
    if (l->n_slots > 0) memset(l->slot, 0, l->n_slots * sizeof *l->slot);
    for (size_t p = 0; p < l->n; p++) l->slot[find_slot(l, p)] = p + 1;
}

trib_status trib_formula_list_room(trib_formula_list *l, size_t n_words, uint32_t **word,
                                   trib_error *error) {
    trib_status status = TRIB_GROW(&l->passage, &l->cap, l->n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&l->start, &l->start_cap, l->n + 2, what, error);
    if (status != TRIB_OK) return status;
    if (l->n == 0) l->start[0] = 0;
    status = TRIB_GROW(&l->word, &l->word_cap, l->start[l->n] + n_words, what, error);
    if (status != TRIB_OK) return status;
    *word = l->word + l->start[l->n];
    if (l->n_slots > 2 * (l->n + 1)) return status;
    trib_free(l->slot);
    l->slot = NULL;
    l->n_slots = l->n_slots > 0 ? 2 * l->n_slots : LEAST_SLOTS;
    status = TRIB_NEW(&l->slot, l->n_slots, what, error);
    if (status == TRIB_OK) fill_slots(l);
    else l->n_slots = 0;
    return status;
}

/* A passage while it is sorted. */
typedef struct ranked {
    const trib_formula_list *list;
    size_t passage;
} ranked;

/* The order of trib_formulas. No two passages of the list have the same words. */
static int by_length(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    const trib_formula_list *l = x->list;
    const trib_formula *p = &l->passage[x->passage], *q = &l->passage[y->passage];
    const uint32_t *u = trib_formula_list_words(l, x->passage),
                   *v = trib_formula_list_words(l, y->passage);
    if (p->n_words != q->n_words) return p->n_words < q->n_words ? 1 : -1;
    if (p->n_documents != q->n_documents) return p->n_documents < q->n_documents ? 1 : -1;
    for (size_t w = 0; w < p->n_words; w++)
        if (u[w] != v[w]) {
            const int order = strcmp(l->text[u[w]], l->text[v[w]]);
            return order != 0 ? order : u[w] < v[w] ? -1 : 1; /* norms may share a spelling */
        }
    return 0;
}

/* Replaces the list by its passages order[0] .. order[n - 1]. */
static trib_status take_in_order(trib_formula_list *l, const ranked order[], size_t n,
                                 trib_error *error) {
    trib_formula *passage = NULL;
    uint32_t *word = NULL;
    size_t *start = NULL, n_words = 0;
    for (size_t p = 0; p < n; p++) n_words += l->passage[order[p].passage].n_words;
    trib_status status = TRIB_NEW(&passage, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&start, n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&word, n_words, what, error);
    if (status != TRIB_OK) {
        TRIB_FREE(passage, start);
        return status;
    }
    for (size_t p = 0; p < n; p++) {
        passage[p] = l->passage[order[p].passage];
        memcpy(word + start[p], trib_formula_list_words(l, order[p].passage),
               passage[p].n_words * sizeof *word);
        start[p + 1] = start[p] + passage[p].n_words;
    }
    TRIB_FREE(l->passage, l->start, l->word);
    l->passage = passage, l->start = start, l->word = word;
    l->n = l->cap = n, l->start_cap = n + 1, l->word_cap = n_words;
    fill_slots(l);
    return TRIB_OK;
}

/* Sorts the list and cuts it after TRIB_FORMULAS_MOST passages. */
static trib_status cut(trib_formula_list *l, trib_error *error) {
    ranked *order = NULL;
    const size_t n = l->n < TRIB_FORMULAS_MOST ? l->n : TRIB_FORMULAS_MOST;
    trib_status status = TRIB_NEW(&order, l->n, what, error);
    if (status != TRIB_OK || n == 0) return status;
    for (size_t p = 0; p < l->n; p++) order[p] = (ranked){l, p};
    qsort(order, l->n, sizeof *order, by_length);
    status = take_in_order(l, order, n, error);
    trib_free(order);
    if (status != TRIB_OK) return status;
    if (n == TRIB_FORMULAS_MOST) l->n_words_least = l->passage[n - 1].n_words;
    l->most_words = 2 * l->start[n] + MANY_WORDS;
    return TRIB_OK;
}

trib_status trib_formula_list_add(trib_formula_list *l, const trib_formula *passage, uint32_t t,
                                  trib_error *error) {
    if (passage->n_words < l->n_words_least) return TRIB_OK;
    l->start[l->n + 1] = l->start[l->n] + passage->n_words;
    l->passage[l->n] = *passage;
    size_t *slot = &l->slot[find_slot(l, l->n)];
    const bool is_new = *slot == 0;
    if (is_new) *slot = ++l->n;
    trib_formula *listed = &l->passage[*slot - 1];
    if (is_new || listed->last_target != t) listed->n_targets++;
    listed->last_target = t;
    const bool are_many = l->n == MANY || l->start[l->n] > l->most_words;
    return are_many && l->n > TRIB_FORMULAS_MOST ? cut(l, error) : TRIB_OK;
}

trib_status trib_formula_list_finish(trib_formula_list *l, trib_error *error) {
    return cut(l, error);
}
