/* notable.c - notable passages: how many words of each are word for word those of the source, how
 * rare these are, and whether a passage is notable (docs/model.md section 5). The weight of a word
 * is its inverse document frequency (Spaerck Jones 1972). */
#include "base/internal.h"
#include "influence/order.h"
#include "influence/passages/passages.h"

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

/* The words of the target in order, without the breaks. */
typedef struct reading {
    uint32_t *word;
    uint8_t *tells; /* [words] an n-gram that is no formula has the word */
} reading;

static trib_status read_target(reading *r, const trib_influence_case *c, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    TRIB_OWNED(trib_word_order) order = {0};
    uint8_t *formula = NULL, *tells = NULL; /* [nnz], and [order.n] */
    uint64_t n_formula = 0;
    size_t n = 0;
    trib_status status = trib_word_order_read(&order, target, error);
    if (status == TRIB_OK) status = trib_formula_find(&formula, &n_formula, c, error);
    if (status == TRIB_OK) status = TRIB_NEW(&tells, order.n, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&r->word, order.n, "passages", error);
    if (status == TRIB_OK) status = TRIB_NEW(&r->tells, order.n, "passages", error);
    for (size_t k = 0; status == TRIB_OK && k < target->n_ngrams; k++)
        for (uint32_t m = 0; m < target->counts->n_modes; m++)
            tells[order.place[k] + m] |= !formula || !formula[target->sequence[k]];
    for (size_t i = 0; status == TRIB_OK && i < order.n; i++) {
        if (order.word[i] == TRIB_BREAK) continue;
        r->word[n] = order.word[i];
        r->tells[n++] = tells[i];
    }
    TRIB_FREE(formula, tells);
    return status;
}

static void rate(trib_passage *passage, const trib_passages *all, const reading *r,
                 const trib_word_frequencies *f) {
    bool has_rare = false;
    passage->n_telling = passage->n_rarest = passage->longest = 0;
    passage->rarity = 0;
    for (size_t i = 0; i < passage->n_runs; i++) {
        const trib_shared_run *run = &all->run[passage->first_run + i];
        if (run->kind != TRIB_EQUAL && run->kind != TRIB_MOVED) continue;
        if (run->n > passage->longest) passage->longest = run->n;
        for (uint32_t w = run->target; w < run->target + run->n; w++) {
            passage->rarity += trib_word_weight(f, r->word[w]);
            enter(passage, f, r->word[w]);
            passage->n_telling += r->tells[w];
            has_rare = has_rare || (r->tells[w] && trib_word_is_rare(f, r->word[w]));
        }
    }
    passage->is_notable = passage->n_telling >= TRIB_NOTABLE_WORDS &&
                          passage->longest >= TRIB_NOTABLE_RUN && has_rare;
}

trib_status trib_passages_rate(trib_passages passages[], size_t n_sources,
                               const trib_influence_case *c, const trib_word_frequencies *f,
                               trib_error *error) {
    reading r = {0};
    size_t n = 0;
    for (size_t s = 0; s < n_sources; s++) n += passages[s].n;
    if (n == 0) return TRIB_OK;
    const trib_status status = read_target(&r, c, error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++)
        for (size_t p = 0; p < passages[s].n; p++)
            rate(&passages[s].passage[p], &passages[s], &r, f);
    TRIB_FREE(r.word, r.tells);
    return status;
}
