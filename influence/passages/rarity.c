/* rarity.c - rates the passages of a target: how many words they share, how rare these words are,
 * and whether a passage is notable (docs/model.md section 5). The weight of a word is its inverse
 * document frequency (Spaerck Jones 1972). */
#include "base/internal.h"
#include "influence/order.h"
#include "influence/passages/passages.h"

#include <math.h>
#include <string.h>

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
    uint8_t *is_run_kept = NULL; /* [n_runs] */
    size_t *moved = NULL;        /* [n_runs] the new number of each run that is kept */
    trib_status status = TRIB_NEW(&is_run_kept, passages->n_runs, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&moved, passages->n_runs, "passages", error);
    for (size_t p = 0; p < passages->n && status == TRIB_OK; p++) {
        const trib_passage *passage = &passages->passage[p];
        if (!is_kept(passage)) continue;
        kept.n++;
        for (size_t i = 0; i < passage->n_runs; i++) is_run_kept[passage->first_run + i] = 1;
    }
    for (size_t r = 0; r < passages->n_runs && status == TRIB_OK; r++)
        if (is_run_kept[r]) moved[r] = kept.n_runs++;
    kept.cap = kept.n;
    if (status == TRIB_OK && kept.n > 0)
        status = TRIB_NEW(&kept.passage, kept.n, "passages", error);
    if (status == TRIB_OK && kept.n > 0)
        status = TRIB_NEW(&kept.run, kept.n_runs, "passages", error);
    for (size_t p = 0, n = 0; p < passages->n && status == TRIB_OK; p++) {
        if (!is_kept(&passages->passage[p])) continue;
        kept.passage[n] = passages->passage[p];
        kept.passage[n].first_run = moved[kept.passage[n].first_run];
        n++;
    }
    for (size_t r = 0; r < passages->n_runs && status == TRIB_OK; r++)
        if (is_run_kept[r]) kept.run[moved[r]] = passages->run[r];
    TRIB_FREE(moved, is_run_kept);
    if (status != TRIB_OK) {
        trib_passages_release(&kept);
        return status;
    }
    trib_passages_release(passages);
    *passages = kept;
    return TRIB_OK;
}
