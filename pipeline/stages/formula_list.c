/* formula_list.c - the longest formulas in a hash table that is cut now and then, and the number of
 * all by merging sorted runs of their keys. */
#include "pipeline/stages/formula_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

/* The list is cut at MANY passages or MANY_WORDS words; MANY_KEYS keys make a run. */
enum {
    LEAST_SLOTS = 1 << 10,
    MANY = 4 * TRIB_FORMULAS_MOST,
    MANY_WORDS = 1 << 20,
    MANY_KEYS = 1 << 19
};

typedef struct trib_formula_run {
    const trib_formula_key *key; /* [n] mapped */
    size_t n;
} trib_formula_run;

static const char what[] = "the formulas";

void trib_formula_list_open(trib_formula_list *list, const char *scratch, const char *const *text) {
    *list = (trib_formula_list){.scratch = scratch, .text = text, .most_words = MANY_WORDS};
}

void trib_formula_list_release(trib_formula_list *list) {
    TRIB_FREE(list->passage, list->start, list->word, list->slot, list->key, list->run);
    trib_spill_close(&list->runs);
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

/* ---- All ------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b) {
    const trib_formula_key *x = a, *y = b;
    if (x->ngrams != y->ngrams) return x->ngrams < y->ngrams ? -1 : 1;
    return x->words == y->words ? 0 : x->words < y->words ? -1 : 1;
}

/* Sorts the keys in memory; of equal ones, one stays. */
static void sort_keys(trib_formula_list *l) {
    size_t n = 0;
    if (l->n_keys > 1) qsort(l->key, l->n_keys, sizeof *l->key, by_key);
    for (size_t i = 0; i < l->n_keys; i++)
        if (n == 0 || by_key(&l->key[n - 1], &l->key[i]) != 0) l->key[n++] = l->key[i];
    l->n_keys = n;
}

/* Moves the keys to the file. */
static trib_status put_run(trib_formula_list *l, trib_error *error) {
    const trib_formula_key *key = NULL;
    trib_status status = TRIB_OK;
    if (l->n_runs == 0) {
        trib_spill_close(&l->runs);
        status = trib_spill_open(&l->runs, l->scratch, error);
    }
    if (status == TRIB_OK) status = TRIB_GROW(&l->run, &l->run_cap, l->n_runs + 1, what, error);
    if (status == TRIB_OK)
        status = trib_spill_put(&l->runs, l->key, l->n_keys * sizeof *l->key, &key, error);
    if (status != TRIB_OK) return status;
    l->run[l->n_runs++] = (trib_formula_run){key, l->n_keys};
    l->n_keys = 0;
    trib_spill_rest(&l->runs);
    return TRIB_OK;
}

static trib_status count_key(trib_formula_list *l, trib_formula_key key, trib_error *error) {
    if (l->n_keys == MANY_KEYS) {
        sort_keys(l);
        const trib_status status = l->n_keys > MANY_KEYS / 2 ? put_run(l, error) : TRIB_OK;
        if (status != TRIB_OK) return status;
    }
    const trib_status status = TRIB_GROW(&l->key, &l->key_cap, l->n_keys + 1, what, error);
    if (status == TRIB_OK) l->key[l->n_keys++] = key;
    return status;
}

/* Counts the different keys of all runs, by a merge. run[] is moved over; what was read of `file`
 * leaves the memory now and then. */
static size_t merge_runs(trib_formula_run run[], size_t n_runs, const trib_spill *file) {
    enum { READ = 1 << 18 }; /* keys, of 16 bytes in up to n_runs runs */
    size_t n = 0;
    for (;;) {
        if (n % READ == 0) trib_spill_rest(file);
        const trib_formula_key *least = NULL;
        for (size_t r = 0; r < n_runs; r++)
            if (run[r].n > 0 && (!least || by_key(run[r].key, least) < 0)) least = run[r].key;
        if (!least) return n;
        const trib_formula_key key = *least;
        for (size_t r = 0; r < n_runs; r++)
            if (run[r].n > 0 && by_key(run[r].key, &key) == 0) run[r].key++, run[r].n--;
        n++;
    }
}

static trib_status count_all(trib_formula_list *l, trib_error *error) {
    trib_formula_run *run = NULL;
    sort_keys(l);
    l->n_all = l->n_keys;
    if (l->n_runs == 0) return TRIB_OK;
    const trib_status status = TRIB_NEW(&run, l->n_runs + 1, what, error);
    if (status != TRIB_OK) return status;
    memcpy(run, l->run, l->n_runs * sizeof *run);
    run[l->n_runs] = (trib_formula_run){l->key, l->n_keys};
    l->n_all = merge_runs(run, l->n_runs + 1, &l->runs);
    trib_spill_rest(&l->runs);
    trib_free(run);
    return TRIB_OK;
}

/* ---- Both ------------------------------------------------------------------------------------ */

trib_status trib_formula_list_add(trib_formula_list *l, const trib_formula *passage, uint32_t t,
                                  trib_error *error) {
    const uint32_t *word = trib_formula_list_words(l, l->n);
    const trib_formula_key key = {passage->hash,
                                  trib_checksum(word, passage->n_words * sizeof *word)};
    const trib_status status = count_key(l, key, error);
    if (status != TRIB_OK || passage->n_words < l->n_words_least) return status;
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
    const trib_status status = cut(l, error);
    return status == TRIB_OK ? count_all(l, error) : status;
}
