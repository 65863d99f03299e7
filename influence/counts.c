/* counts.c - the n-grams that the target shares with other documents, counted and in text order,
 * and the methods `containment` and `split`, which count them (docs/model.md section 5).
 *
 * Both methods give each n-gram of the target to the sources that hold it, without a weight for how
 * common it is. N-grams that a long source shares by chance thus count as influence; `anchored`
 * corrects for that. */
#include "base/internal.h"
#include "influence/evidence.h"
#include "influence/factors/vectors.h"
#include "influence/methods.h"
#include "influence/order.h"
#include "influence/overlap.h"

#include <assert.h>

#define NOT_LISTED UINT32_MAX

enum { STOP_CHECK_INTERVAL = 1 << 16 }; /* n-grams between two checks for a stop */

static trib_status read_target(trib_overlap *overlap, const trib_influence_document *target,
                               trib_error *error) {
    const trib_hacoo *counts = target->counts;
    overlap->n_modes = counts->n_modes;
    overlap->n_entries = counts->nnz;
    trib_status status = TRIB_NEW(&overlap->index, trib_product(counts->nnz, counts->n_modes),
                                  "the target's n-grams", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&overlap->count, counts->nnz, "the target's counts", error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < counts->nnz; e++)
        overlap->count[e] = trib_hacoo_entry(counts, e, overlap->index + e * counts->n_modes);
    return TRIB_OK;
}

/* Lists the holders of every n-gram of the target among document[n], in ascending order; those of a
 * formula are not listed. */
static trib_status read_concordance(trib_overlap *overlap, const trib_influence_case *c,
                                    const trib_concordance *k, const uint8_t *formulas,
                                    const uint32_t *document, size_t n, trib_error *error) {
    const uint32_t *number = k->number + k->first[c->target];
    TRIB_OWNED(trib_pool) pool = {.error = error};
    /* [n_documents] position in document[n], or NOT_LISTED */
    uint32_t *position =
        trib_pool_new(&pool, c->n_documents, sizeof *position, "a map of documents");
    double *total = trib_pool_new(&pool, n, sizeof *total, "n-grams of each document"); /* [n] */
    size_t n_shared = 0;
    trib_status status = pool.status;
    if (status == TRIB_OK)
        status = TRIB_NEW(&overlap->start, overlap->n_entries + 1, "shared n-grams", error);
    if (status != TRIB_OK) return status;
    for (size_t d = 0; d < n; d++) total[d] = (double)c->document[document[d]].counts->total;
    memset(position, 0xFF, c->n_documents * sizeof *position); /* NOT_LISTED everywhere */
    for (size_t d = 0; d < n; d++) position[document[d]] = (uint32_t)d;
    for (size_t e = 0; e < overlap->n_entries && status == TRIB_OK; e++) {
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        const size_t end = formulas && formulas[e] ? 0 : k->start[number[e] + 1];
        for (size_t h = k->start[number[e]]; h < end; h++)
            n_shared += position[k->holder[h].document] != NOT_LISTED;
        overlap->start[e + 1] = n_shared;
    }
    if (status == TRIB_OK)
        status = TRIB_NEW(&overlap->shared, n_shared + 1, "shared n-grams", error);
    for (size_t e = 0, at = 0; e < overlap->n_entries && status == TRIB_OK; e++) {
        if (e % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        const size_t end = formulas && formulas[e] ? 0 : k->start[number[e] + 1];
        for (size_t h = k->start[number[e]]; h < end; h++) {
            const trib_holder *holder = &k->holder[h];
            const uint32_t d = position[holder->document];
            if (d == NOT_LISTED) continue;
            overlap->shared[at++] =
                (trib_shared_ngram){(uint32_t)e, d, holder->count, holder->count / total[d]};
        }
    }
    return status;
}

/* Takes the formulas out of the target's counts. */
static trib_status leave_out_formulas(trib_overlap *overlap, uint8_t **formulas,
                                      const trib_influence_case *c, trib_error *error) {
    const trib_status status = trib_formula_find(formulas, &overlap->n_formula, c, error);
    for (size_t e = 0; *formulas && e < overlap->n_entries; e++)
        if ((*formulas)[e]) overlap->count[e] = 0;
    return status;
}

trib_status trib_overlap_build(trib_overlap *overlap, const trib_influence_case *c,
                               const uint32_t *document, size_t n, trib_error *error) {
    TRIB_OWNED(trib_concordance) own = {0};
    const trib_concordance *k = NULL;
    uint8_t *formulas = NULL;
    *overlap = (trib_overlap){0};
    trib_status status = read_target(overlap, &c->document[c->target], error);
    if (status == TRIB_OK) status = leave_out_formulas(overlap, &formulas, c, error);
    if (status == TRIB_OK) status = trib_case_concordance(&k, &own, c, document, n, error);
    if (status == TRIB_OK) status = read_concordance(overlap, c, k, formulas, document, n, error);
    trib_free(formulas);
    if (status != TRIB_OK) trib_overlap_release(overlap);
    return status;
}

void trib_overlap_release(trib_overlap *overlap) {
    TRIB_FREE(overlap->index, overlap->count, overlap->start, overlap->shared);
    *overlap = (trib_overlap){0};
}

trib_status trib_overlap_of_listed(trib_overlap **overlap, const trib_influence_case *c,
                                   const trib_influence *result, trib_error *error) {
    uint32_t *document = NULL;
    *overlap = NULL;
    trib_status status = TRIB_NEW(&document, result->n_listed, "shared n-grams", error);
    if (status == TRIB_OK) status = TRIB_NEW(overlap, 1, "shared n-grams", error);
    for (size_t i = 0; i < result->n_listed && status == TRIB_OK; i++)
        document[i] = result->source[result->listed[i]];
    if (status == TRIB_OK)
        status = trib_overlap_build(*overlap, c, document, result->n_listed, error);
    trib_free(document);
    if (status != TRIB_OK) {
        trib_overlap_free(*overlap);
        *overlap = NULL;
    }
    return status;
}

void trib_overlap_free(trib_overlap *overlap) {
    if (overlap) trib_overlap_release(overlap);
    trib_free(overlap);
}

/* ---- In text order, by lookups --------------------------------------------------------------- */

/* Maps the n-grams of a document to entries of the target's counts: by looking up every entry of
 * the document's counts once, or by the n-gram numbers of a concordance. */

trib_status trib_ngram_index_words(uint32_t **own_id, const trib_influence_case *c,
                                   trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    const trib_status status = TRIB_NEW(own_id, c->n_words, "a map of words", error);
    if (status != TRIB_OK || c->n_words == 0) return status;
    memset(*own_id, 0xFF, c->n_words * sizeof **own_id); /* TRIB_NOT_INDEXED everywhere */
    for (uint32_t i = 0; i < target->n_local; i++) (*own_id)[target->word[i]] = i;
    return TRIB_OK;
}

/* Returns the target's entry for entry e of another document, or TRIB_NOT_INDEXED. */
static uint32_t look_up(const trib_influence_document *target,
                        const trib_influence_document *document, const uint32_t *own_id, size_t e) {
    uint32_t index[TRIB_MAX_MODES];
    trib_hacoo_entry(document->counts, e, index);
    for (uint32_t m = 0; m < document->counts->n_modes; m++) {
        index[m] = own_id[document->word[index[m]]];
        if (index[m] == TRIB_NOT_INDEXED) return TRIB_NOT_INDEXED;
    }
    const size_t found = trib_hacoo_find(target->counts, index);
    return found == TRIB_NO_ENTRY ? TRIB_NOT_INDEXED : (uint32_t)found;
}

trib_status trib_ngram_index_build(uint32_t **entry, const trib_influence_document *target,
                                   const trib_influence_document *document, const uint32_t *own_id,
                                   trib_error *error) {
    uint32_t *theirs = NULL; /* [nnz] the target's entry for each entry of the document */
    *entry = NULL;
    if (document->counts->n_modes != target->counts->n_modes)
        return trib_fail(error, TRIB_INTERNAL, "documents of %u-grams and of %u-grams",
                         target->counts->n_modes, document->counts->n_modes);
    trib_status status = TRIB_NEW(&theirs, document->counts->nnz, "shared n-grams", error);
    if (status == TRIB_OK) status = TRIB_NEW(entry, document->n_ngrams, "shared n-grams", error);
    if (status == TRIB_OK) {
        for (size_t e = 0; e < document->counts->nnz; e++)
            theirs[e] = look_up(target, document, own_id, e);
        for (size_t i = 0; i < document->n_ngrams; i++) (*entry)[i] = theirs[document->sequence[i]];
    }
    trib_free(theirs);
    return status;
}

/* ---- By numbers ------------------------------------------------------------------------------ */

/* A bit set over 64 consecutive n-gram numbers: those of the target, and the count of its smaller
 * numbers. */
typedef struct trib_number_block {
    uint64_t held;
    uint32_t n_before;
} trib_number_block;

TRIB_INLINE size_t place_of(const trib_number_block *block, uint32_t number) {
    const uint64_t below = (UINT64_C(1) << number % 64) - 1;
    return block[number / 64].n_before +
           (size_t)__builtin_popcountll(block[number / 64].held & below);
}

/* The concordance, if it numbers the n-grams of the target and of the sources, or NULL. */
static const trib_concordance *numbers_of(const trib_influence_case *c) {
    const trib_concordance *const k = c->concordance;
    if (!k || k->n_documents != c->n_documents) return NULL;
    for (size_t s = 0; s <= c->n_sources; s++) {
        const uint32_t d = s < c->n_sources ? c->source[s] : c->target;
        if (k->first[d + 1] - k->first[d] != c->document[d].counts->nnz) return NULL;
    }
    return k;
}

static trib_status find_numbers(trib_ngram_index *index, trib_error *error) {
    static const char what[] = "shared n-grams";
    const trib_influence_case *c = index->c;
    const trib_concordance *k = numbers_of(c);
    const size_t nnz = c->document[c->target].counts->nnz;
    if (!k) return TRIB_OK;
    const uint32_t *number = k->number + k->first[c->target];
    const size_t n_blocks = k->n_ngrams / 64 + 1;
    trib_status status = TRIB_NEW(&index->block, n_blocks, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&index->entry, nnz, what, error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < nnz; e++)
        index->block[number[e] / 64].held |= UINT64_C(1) << number[e] % 64;
    for (size_t b = 1; b < n_blocks; b++)
        index->block[b].n_before =
            index->block[b - 1].n_before + (uint32_t)__builtin_popcountll(index->block[b - 1].held);
    for (size_t e = 0; e < nnz; e++) index->entry[place_of(index->block, number[e])] = (uint32_t)e;
    return TRIB_OK;
}

trib_status trib_ngram_index_open(trib_ngram_index *index, const trib_influence_case *c,
                                  trib_error *error) {
    *index = (trib_ngram_index){.c = c};
    trib_status status = find_numbers(index, error);
    if (status == TRIB_OK && !index->block)
        status = trib_ngram_index_words(&index->own_id, c, error);
    if (status != TRIB_OK) trib_ngram_index_close(index);
    return status;
}

void trib_ngram_index_close(trib_ngram_index *index) {
    TRIB_FREE(index->block, index->entry, index->own_id);
    *index = (trib_ngram_index){0};
}

/* Chooses the target's n-grams from those of a text, which have numbers. Returns how many there
 * are. Marked TRIB_KERNEL because newer processors count bits with one instruction. */
TRIB_KERNEL(size_t, choose_held,
            (trib_text_ngram *restrict held, const trib_text_ngram *from, size_t n_from,
             const trib_ngram_index *index),
            (held, from, n_from, index)) {
    const trib_number_block *block = index->block;
    size_t n = 0;
    for (size_t i = 0; i < n_from; i++) { /* without a branch, which could not be predicted */
        held[n] = from[i];
        n += block[from[i].ngram / 64].held >> from[i].ngram % 64 & 1;
    }
    for (size_t i = 0; i < n; i++) held[i].ngram = index->entry[place_of(block, held[i].ngram)];
    return n;
}

/* The same for all n-grams of a text, which are read by the numbers of its entries. */
TRIB_KERNEL(size_t, read_held,
            (trib_text_ngram *restrict held, const trib_influence_document *text,
             const uint32_t *number, const trib_ngram_index *index),
            (held, text, number, index)) {
    const trib_number_block *block = index->block;
    size_t n = 0;
    for (size_t i = 0; i < text->n_ngrams; i++) {
        const uint32_t g = number[text->sequence[i]];
        held[n] = (trib_text_ngram){(uint32_t)i, g};
        n += block[g / 64].held >> g % 64 & 1;
    }
    for (size_t i = 0; i < n; i++) held[i].ngram = index->entry[place_of(block, held[i].ngram)];
    return n;
}

/* The same without numbers. */
static trib_status look_up_held(trib_held_ngrams *held, const trib_ngram_index *index,
                                const trib_influence_document *text, trib_error *error) {
    const trib_influence_case *c = index->c;
    uint32_t *entry = NULL;
    const trib_status status =
        trib_ngram_index_build(&entry, &c->document[c->target], text, index->own_id, error);
    for (size_t i = 0; status == TRIB_OK && i < text->n_ngrams; i++)
        if (entry[i] != TRIB_NOT_INDEXED)
            held->list[held->n++] = (trib_text_ngram){(uint32_t)i, entry[i]};
    trib_free(entry);
    return status;
}

trib_status trib_ngram_index_read(trib_held_ngrams *held, const trib_ngram_index *index,
                                  uint32_t document, trib_error *error) {
    const trib_influence_case *c = index->c;
    const trib_influence_document *text = &c->document[document];
    const trib_concordance *k = c->concordance;
    held->n = 0;
    const trib_status status =
        TRIB_GROW(&held->list, &held->cap, text->n_ngrams + 1, "shared n-grams", error);
    if (status != TRIB_OK) return status;
    if (!index->block) return look_up_held(held, index, text, error);
    /* n-grams of one document alone are none of the target's */
    if (k->common && document != c->target) {
        const size_t first = k->first_common[document];
        held->n = choose_held(held->list, k->common + first, k->first_common[document + 1] - first,
                              index);
        return TRIB_OK;
    }
    held->n = read_held(held->list, text, k->number + k->first[document], index);
    return TRIB_OK;
}

void trib_held_ngrams_release(trib_held_ngrams *held) {
    trib_free(held->list);
    *held = (trib_held_ngrams){0};
}

/* ---- The methods ----------------------------------------------------------------------------- */

/* Gives T(z) of every n-gram z to the sources that hold it: to each of them, or, if it is divided,
 * in proportion to P_s(z) = X_s(z) / |X_s|. The author's share is that of the n-grams that no
 * source holds. */
static trib_status give_counts(trib_influence *result, const trib_influence_case *c,
                               bool is_divided, trib_error *error) {
    const double total = (double)c->document[c->target].counts->total;
    trib_overlap overlap;
    const trib_status status = trib_overlap_build(&overlap, c, c->source, c->n_sources, error);
    if (status != TRIB_OK) return status;
    double own = 0; /* sums of whole numbers are exact */
    for (size_t e = 0; e < overlap.n_entries; e++) {
        const trib_shared_ngram *first = overlap.shared + overlap.start[e];
        const trib_shared_ngram *end = overlap.shared + overlap.start[e + 1];
        double frequency = 0;
        for (const trib_shared_ngram *h = first; h < end; h++) frequency += h->frequency;
        for (const trib_shared_ngram *h = first; h < end; h++)
            result->share[h->document] +=
                overlap.count[e] * (is_divided ? h->frequency / frequency : 1);
        if (first == end) own += overlap.count[e];
    }
    for (size_t s = 0; s < c->n_sources; s++)
        result->share[s] = total > 0 ? result->share[s] / total : 0;
    result->author = total > 0 ? own / total : 1;
    trib_overlap_release(&overlap);
    return TRIB_OK;
}

trib_status trib_containment_measure(trib_influence *result, const trib_influence_case *c,
                                     const trib_influence_options *options, trib_error *error) {
    (void)options;
    return give_counts(result, c, false, error);
}

trib_status trib_split_measure(trib_influence *result, const trib_influence_case *c,
                               const trib_influence_options *options, trib_error *error) {
    (void)options;
    if (!c->other || !c->other->split) return give_counts(result, c, true, error);
    memcpy(result->share, c->other->split, c->n_sources * sizeof *result->share);
    result->author = c->other->split_author;
    return TRIB_OK;
}
