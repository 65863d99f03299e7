/* chains.c - finds where the target can share a notable passage with each source, by one walk
 * along the target's n-grams. For every source the walk follows a chain: n-grams of the target that
 * the source holds anywhere, not further apart than the runs of a passage may be. The n-grams of a
 * passage are part of such a chain, so a passage lies within a chain. */
#include "influence/order.h"
#include "influence/passages/passages.h"

#include <stdlib.h>
#include <string.h>

#define NO_SOURCE UINT32_MAX

/* The chain of one source that is being followed. `{0}` is empty. */
typedef struct open_chain {
    size_t first, end; /* its n-grams lie in first .. end-1; end 0: there is none yet */
    size_t word_end;   /* place after its last counted word */
    size_t n_words;    /* words of its n-grams that are no formulas */
    size_t run;        /* consecutive n-grams at its end */
    bool has_run;      /* whether it has TRIB_NOTABLE_RUN words in succession */
} open_chain;

/* The target while it is walked along. */
typedef struct walk {
    const trib_influence_case *c;
    const trib_concordance *concordance; /* the case's, or: */
    trib_concordance own;
    trib_word_order order;
    uint8_t *formula;  /* [nnz] NULL: none is */
    uint32_t *source;  /* [n_documents] position among the sources, or NO_SOURCE */
    open_chain *chain; /* [n_sources] */
} walk;

static trib_status begin(walk *w, trib_error *error) {
    const trib_influence_case *c = w->c;
    uint64_t n_formula = 0;
    w->concordance = c->concordance ? c->concordance : &w->own;
    trib_status status = trib_word_order_read(&w->order, &c->document[c->target], error);
    if (status == TRIB_OK) status = trib_formula_find(&w->formula, &n_formula, c, error);
    if (status == TRIB_OK) status = TRIB_NEW(&w->source, c->n_documents, "the sources", error);
    if (status == TRIB_OK) status = TRIB_NEW(&w->chain, c->n_sources, "the sources", error);
    if (status == TRIB_OK && !c->concordance)
        status = trib_concordance_of_target(&w->own, c->document, c->n_documents, c->n_words,
                                            c->target, c->source, c->n_sources, 1, error);
    if (status != TRIB_OK) return status;
    memset(w->source, 0xFF, c->n_documents * sizeof *w->source); /* NO_SOURCE everywhere */
    for (size_t s = 0; s < c->n_sources; s++)
        if (c->source[s] != c->target) w->source[c->source[s]] = (uint32_t)s;
    return TRIB_OK;
}

static void end(walk *w) {
    TRIB_FREE(w->chain, w->source, w->formula);
    trib_word_order_release(&w->order);
    trib_concordance_release(&w->own);
}

/* Ends the chain of source s, and lists it when a notable passage can lie in it. */
static trib_status close_chain(trib_chains *chains, walk *w, uint32_t s, trib_error *error) {
    const open_chain chain = w->chain[s];
    w->chain[s] = (open_chain){0};
    if (!chain.has_run || chain.n_words < TRIB_NOTABLE_WORDS) return TRIB_OK;
    const trib_status status =
        TRIB_GROW(&chains->chain, &chains->cap, chains->n + 1, "shared passages", error);
    if (status == TRIB_OK) chains->chain[chains->n++] = (trib_chain){s, chain.first, chain.end};
    return status;
}

/* Adds the target's n-gram k to a chain. */
static void add(open_chain *to, size_t k, size_t place, uint32_t n_modes, bool is_formula) {
    if (to->end == 0) to->first = k;
    to->run = to->end == k ? to->run + 1 : 1;
    to->end = k + 1;
    if (to->run + n_modes > TRIB_NOTABLE_RUN) to->has_run = true;
    if (is_formula) return;
    to->n_words += place + n_modes - (place > to->word_end ? place : to->word_end);
    to->word_end = place + n_modes;
}

static bool has_word(const uint32_t *words, uint32_t n, uint32_t word) {
    for (uint32_t m = 0; m < n; m++)
        if (words[m] == word) return true;
    return false;
}

/* By source, then by place in the target. */
static int by_source(const void *a, const void *b) {
    const trib_chain *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

trib_status trib_passages_chains(trib_chains *chains, const trib_influence_case *c,
                                 uint32_t wildcard, size_t gap, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    const uint32_t n_modes = target->counts->n_modes;
    walk w = {.c = c};
    *chains = (trib_chains){0};
    trib_status status = begin(&w, error);
    for (size_t k = 0; k < target->n_ngrams && status == TRIB_OK; k++) {
        const uint32_t e = target->sequence[k];
        const trib_concordance *all = w.concordance;
        const size_t g = all->number[all->first[c->target] + e], place = w.order.place[k];
        if (has_word(w.order.word + place, n_modes, wildcard)) continue;
        for (size_t h = all->start[g]; h < all->start[g + 1] && status == TRIB_OK; h++) {
            const uint32_t s = w.source[all->holder[h].document];
            if (s == NO_SOURCE) continue;
            if (w.chain[s].end > 0 && k - w.chain[s].end > gap)
                status = close_chain(chains, &w, s, error);
            add(&w.chain[s], k, place, n_modes, w.formula && w.formula[e]);
        }
    }
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK; s++)
        status = close_chain(chains, &w, (uint32_t)s, error);
    if (status == TRIB_OK && chains->n > 1)
        qsort(chains->chain, chains->n, sizeof *chains->chain, by_source);
    end(&w);
    if (status != TRIB_OK) trib_chains_release(chains);
    return status;
}

void trib_chains_release(trib_chains *chains) {
    trib_free(chains->chain);
    *chains = (trib_chains){0};
}
