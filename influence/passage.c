/* passage.c - the passages of a target, made from the pieces of the method `extent`. Each word of a
 * source's pieces is in one passage, with what the division among the sources leaves of it. A
 * passage goes on at both ends as far as the texts are the same. */
#include "base/internal.h"
#include "influence/extent.h"

/* A word of a passage. */
typedef struct passage_word {
    uint32_t source, passage; /* pieces that are in no passage come after the passages */
    const trib_claim *claim;
} passage_word;

TRIB_ORDER(by_passage, passage_word, TRIB_UP(source) ?: TRIB_UP(passage) ?: TRIB_UP(claim->word));

TRIB_ORDER(by_mass, trib_passage, TRIB_DOWN(mass) ?: TRIB_UP(target) ?: TRIB_UP(first_run));

/* The passages of a source while they are listed. */
typedef struct listing {
    trib_passages *to;
    size_t cap; /* of runs */
    const trib_folded_text *target, *source;
    bool *used; /* [n of the target] words of passages */
} listing;

/* Adds word i of the target and word j of the source, or TRIB_NONE, to the last passage. Words are
 * added in the order of the target. */
static trib_status add_word(listing *l, uint32_t i, uint32_t j, uint32_t kind, trib_error *error) {
    trib_passages *const to = l->to;
    trib_passage *const passage = &to->passage[to->n - 1];
    const uint32_t here = l->target->order[i];
    const uint32_t there = j == TRIB_NONE ? TRIB_NONE : l->source->order[j];
    trib_shared_run *run = passage->n_runs > 0 ? &to->run[to->n_runs - 1] : NULL;
    if (!run || run->kind != kind || run->target + run->n != here ||
        (j == TRIB_NONE ? run->source != TRIB_NONE
                        : run->source == TRIB_NONE || run->source + run->n != there)) {
        const trib_status status = TRIB_GROW(&to->run, &l->cap, to->n_runs + 1, "passages", error);
        if (status != TRIB_OK) return status;
        run = &to->run[to->n_runs++];
        *run = (trib_shared_run){here, there, 0, kind};
        if (passage->n_runs++ == 0) passage->target = here;
    }
    l->used[i] = true;
    run->n++;
    passage->n_words++;
    passage->n_equal += kind == TRIB_EQUAL || kind == TRIB_MOVED;
    passage->n_target = here + 1 - passage->target;
    if (j == TRIB_NONE) return TRIB_OK;
    if (there < passage->source) {
        if (passage->n_source > 0) passage->n_source += passage->source - there;
        passage->source = there;
    }
    if (passage->n_source < there + 1 - passage->source)
        passage->n_source = there + 1 - passage->source;
    return TRIB_OK;
}

static bool is_same(const listing *l, uint32_t i, uint32_t j) {
    return !l->used[i] && l->target->word[i] == l->source->word[j];
}

/* Adds the words before the word i, j of both texts that are the same in both, or, with `after`,
 * those behind it: common words there gain too little to be in a piece. */
static trib_status extend(listing *l, uint32_t i, uint32_t j, bool after, trib_error *error) {
    trib_status status = TRIB_OK;
    uint32_t n = 0; /* words before */
    if (j == TRIB_NONE) return TRIB_OK;
    while (!after && n < i && n < j && is_same(l, i - n - 1, j - n - 1)) n++;
    for (; n > 0 && status == TRIB_OK; n--) status = add_word(l, i - n, j - n, TRIB_EQUAL, error);
    while (after && status == TRIB_OK && ++i < l->target->n && ++j < l->source->n &&
           is_same(l, i, j))
        status = add_word(l, i, j, TRIB_EQUAL, error);
    return status;
}

/* Lists a passage from its words, word[n]; one without words of the source is none. */
static trib_status list_passage(listing *l, const trib_pieces *pieces, const passage_word *word,
                                size_t n, trib_error *error) {
    trib_passages *const to = l->to;
    trib_status status = TRIB_GROW(&to->passage, &to->cap, to->n + 1, "passages", error);
    if (status != TRIB_OK) return status;
    trib_passage *const passage = &to->passage[to->n++];
    *passage = (trib_passage){.source = TRIB_NONE,
                              .first_run = (uint32_t)to->n_runs,
                              .is_clear = word->passage < pieces->n};
    for (size_t k = 0; k < n && status == TRIB_OK; k++) {
        const trib_claim *const claim = word[k].claim;
        const trib_piece *const piece = &pieces->piece[claim->piece];
        const uint32_t i = claim->word, x = i - piece->target, j = piece->aligned[x];
        if (k == 0) status = extend(l, i, j, false, error);
        if (status == TRIB_OK) status = add_word(l, i, j, piece->kind[x], error);
        if (status == TRIB_OK && k + 1 == n) status = extend(l, i, j, true, error);
        passage->mass += (double)claim->words / l->target->n;
        passage->belief += (double)claim->belief;
        passage->score +=
            piece->score / (piece->target_end - piece->target - (double)piece->n_kind[TRIB_OWN]);
    }
    passage->belief /= (double)n;
    if (status != TRIB_OK || passage->n_source > 0) return status;
    to->n_runs = passage->first_run;
    to->n--;
    return TRIB_OK;
}

/* Lists the passages of one source from its words. */
static trib_status list_source(trib_passages *to, const trib_extent_texts *texts, size_t s,
                               const trib_pieces *pieces, const passage_word *word, size_t n,
                               trib_error *error) {
    listing l = {.to = to, .target = &texts->text[0], .source = &texts->text[s + 1]};
    trib_status status = TRIB_NEW(&l.used, l.target->n, "passages", error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) l.used[word[i].claim->word] = true;
    for (size_t i = 0, end; i < n && status == TRIB_OK; i = end) {
        for (end = i; end < n && word[end].passage == word[i].passage;) end++;
        status = list_passage(&l, pieces, word + i, end - i, error);
    }
    if (to->n > 1) qsort(to->passage, to->n, sizeof *to->passage, by_mass);
    trib_free(l.used);
    return status;
}

trib_status trib_extent_passages(trib_influence *result, const trib_influence_case *c,
                                 const trib_extent_texts *texts, const trib_pieces pieces[],
                                 const trib_claim claim[], size_t n_claims, trib_error *error) {
    TRIB_FREED(passage_word *) word = NULL;
    size_t n_sources = 0;
    trib_status status = TRIB_NEW(&word, n_claims, "passages", error);
    for (size_t i = 0; status == TRIB_OK && i < n_claims; i++) {
        const trib_pieces *const of = &pieces[claim[i].source];
        const uint32_t passage = of->piece[claim[i].piece].passage;
        word[i] = (passage_word){claim[i].source,
                                 passage == TRIB_NONE ? (uint32_t)of->n + claim[i].piece : passage,
                                 &claim[i]};
    }
    if (status == TRIB_OK && n_claims > 1) qsort(word, n_claims, sizeof *word, by_passage);
    for (size_t i = 0; status == TRIB_OK && i < n_claims; i++)
        n_sources += i == 0 || word[i].source != word[i - 1].source;
    if (status == TRIB_OK) status = TRIB_NEW(&result->passages, n_sources, "passages", error);
    for (size_t i = 0, end; status == TRIB_OK && i < n_claims; i = end) {
        trib_passages *const to = &result->passages[result->n_passages++];
        for (end = i; end < n_claims && word[end].source == word[i].source;) end++;
        to->source = c->source[word[i].source];
        status = list_source(to, texts, word[i].source, &pieces[word[i].source], word + i, end - i,
                             error);
    }
    return status;
}

void trib_passages_release(trib_passages *passages) {
    TRIB_FREE(passages->passage, passages->run);
    *passages = (trib_passages){0};
}
