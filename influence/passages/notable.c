/* notable.c - notable passages: finds where the target can share one with each source, and rates
 * those that were found (docs/model.md section 5). */
#include "base/internal.h"
#include "influence/order.h"
#include "influence/passages/passages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Where they can lie ---------------------------------------------------------------------- */

/* Finds where the target can share a notable passage with each source, by one walk along the
 * target's n-grams. For every source the walk follows a chain: n-grams of the target that the
 * source holds anywhere, not further apart than the runs of a passage may be. The n-grams of a
 * passage are part of such a chain, so a passage lies within a chain. */

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

/* ---- Rates ----------------------------------------------------------------------------------- */

/* Rates the passages of a target: how many words they share, how rare these words are, and whether
 * a passage is notable (docs/model.md section 5). The weight of a word is its inverse document
 * frequency (Spaerck Jones 1972). */

enum {
    RARE_PART = 10,     /* a rare word: 1 in this many documents holds it, or fewer do; or it is */
    RARE_WORDS = 10000, /* 1 in this many words of the corpus, or fewer; or it */
    RARE_TIMES = 4      /* occurs this many times in the corpus, or fewer */
};

bool trib_word_is_rare(const trib_word_frequencies *f, uint32_t word) {
    if (word == f->wildcard) return false;
    const uint64_t few = f->n_tokens / RARE_WORDS;
    return f->n_documents[word] <= f->n_all_documents / RARE_PART ||
           f->count[word] <= (few > RARE_TIMES ? few : RARE_TIMES);
}

double trib_word_weight(const trib_word_frequencies *f, uint32_t word) {
    return trib_logarithm((f->n_all_documents + 1.0) / fmax(f->n_documents[word], 1));
}

/* Whether word `a` is rarer than word `b`: fewer documents hold it, or it occurs less often. */
static bool is_rarer(const trib_word_frequencies *f, uint32_t a, uint32_t b) {
    if (f->n_documents[a] != f->n_documents[b]) return f->n_documents[a] < f->n_documents[b];
    return f->count[a] < f->count[b];
}

/* Enters a word into the list of the rarest words, which ascends by frequency; of equally rare
 * words the first in the text comes first. */
static void enter(trib_passage *passage, const trib_word_frequencies *f, uint32_t word) {
    for (uint32_t i = 0; i < passage->n_rarest; i++)
        if (passage->rarest[i] == word) return;
    uint32_t at = passage->n_rarest;
    while (at > 0 && is_rarer(f, word, passage->rarest[at - 1])) at--;
    if (at == TRIB_RAREST) return;
    if (passage->n_rarest < TRIB_RAREST) passage->n_rarest++;
    for (uint32_t i = passage->n_rarest - 1; i > at; i--)
        passage->rarest[i] = passage->rarest[i - 1];
    passage->rarest[at] = word;
}

/* The words of the target, and which of its n-grams are formulas. */
typedef struct reading {
    trib_word_order order;
    uint8_t *formula; /* [nnz] 1: a formula; NULL: none is */
    /* [order.n] of the words of one passage: bit 0: shared, bit 1: shared, and by an n-gram that
     * is no formula */
    uint8_t *shared;
} reading;

enum { SHARED = 1, TELLING = 2 };

static void rate(trib_passage *passage, const trib_passages *all, const reading *r,
                 const trib_influence_document *target, const trib_word_frequencies *f) {
    const uint32_t n_modes = target->counts->n_modes;
    const size_t first = r->order.place[passage->target],
                 last = r->order.place[passage->target + passage->n_target - 1] + n_modes;
    bool has_rare = false;
    passage->n_words = passage->n_telling = 0;
    passage->n_rarest = 0;
    passage->rarity = 0;
    passage->longest = 0;
    memset(r->shared + first, 0, last - first);
    for (size_t i = 0; i < passage->n_runs; i++) {
        const trib_shared_run *run = &all->run[passage->first_run + i];
        if (run->n + n_modes - 1 > passage->longest) passage->longest = run->n + n_modes - 1;
        for (size_t k = run->target; k < run->target + run->n; k++) {
            const bool tells = !r->formula || !r->formula[target->sequence[k]];
            for (uint32_t m = 0; m < n_modes; m++)
                r->shared[r->order.place[k] + m] |= tells ? SHARED | TELLING : SHARED;
        }
    }
    for (size_t w = first; w < last; w++) {
        const uint32_t word = r->order.word[w];
        if (!r->shared[w]) continue;
        passage->n_words++;
        passage->rarity += trib_word_weight(f, word);
        enter(passage, f, word);
        if (!(r->shared[w] & TELLING)) continue;
        passage->n_telling++;
        has_rare = has_rare || trib_word_is_rare(f, word);
    }
    passage->is_notable = passage->n_telling >= TRIB_NOTABLE_WORDS &&
                          passage->longest >= TRIB_NOTABLE_RUN && has_rare;
}

trib_status trib_passages_rate(trib_passages passages[], size_t n_sources,
                               const trib_influence_case *c, const trib_word_frequencies *f,
                               trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    reading r = {0};
    uint64_t n_formula = 0;
    size_t n = 0;
    for (size_t s = 0; s < n_sources; s++) n += passages[s].n;
    if (n == 0) return TRIB_OK;
    trib_status status = trib_word_order_read(&r.order, target, error);
    if (status == TRIB_OK) status = trib_formula_find(&r.formula, &n_formula, c, error);
    if (status == TRIB_OK) status = trib_new(&r.shared, r.order.n, 1, "passages", error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        for (size_t p = 0; p < passages[s].n; p++)
            rate(&passages[s].passage[p], &passages[s], &r, target, f);
    TRIB_FREE(r.shared, r.formula);
    trib_word_order_release(&r.order);
    return status;
}

/* ---- Fewer passages -------------------------------------------------------------------------- */

trib_status trib_passages_keep(trib_passages *passages, trib_passage_test *is_kept,
                               trib_error *error) {
    trib_passages kept = {.source = passages->source};
    size_t *number = NULL; /* [n_runs] 1 + the new number of each run; 0: it is dropped */
    trib_status status = TRIB_NEW(&number, passages->n_runs, "passages", error);
    for (size_t p = 0; p < passages->n && status == TRIB_OK; p++) {
        const trib_passage *passage = &passages->passage[p];
        if (!is_kept(passage)) continue;
        kept.n++;
        for (size_t i = 0; i < passage->n_runs; i++) number[passage->first_run + i] = 1;
    }
    for (size_t r = 0; r < passages->n_runs && status == TRIB_OK; r++)
        if (number[r] > 0) number[r] = ++kept.n_runs;
    kept.cap = kept.n;
    if (status == TRIB_OK) status = TRIB_NEW(&kept.passage, kept.n, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&kept.run, kept.n_runs, "passages", error);
    trib_passage *to = kept.passage;
    for (size_t p = 0; p < passages->n && status == TRIB_OK; p++) {
        if (!is_kept(&passages->passage[p])) continue;
        *to = passages->passage[p];
        to->first_run = number[to->first_run] - 1;
        to++;
    }
    for (size_t r = 0; r < passages->n_runs && status == TRIB_OK; r++)
        if (number[r] > 0) kept.run[number[r] - 1] = passages->run[r];
    trib_free(number);
    trib_passages_release(status == TRIB_OK ? passages : &kept);
    if (status == TRIB_OK) *passages = kept;
    return status;
}
