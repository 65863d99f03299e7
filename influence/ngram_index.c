/* ngram_index.c - maps the n-grams of a document to entries of the target's counts. Every entry of
 * the document's counts is looked up once; its text is then translated through that map. */
#include "influence/ngram_index.h"
#include "base/internal.h"
#include "influence/order.h"

#include <string.h>

trib_status trib_ngram_index_words(uint32_t **own_id, const trib_influence_case *c,
                                   trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    const trib_status status =
        trib_new(own_id, c->n_words, sizeof **own_id, "a map of words", error);
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
    trib_status status =
        trib_new(&theirs, document->counts->nnz, sizeof *theirs, "shared n-grams", error);
    if (status == TRIB_OK)
        status = trib_new(entry, document->n_ngrams, sizeof **entry, "shared n-grams", error);
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

/* The concordance that numbers the n-grams of the sources, or NULL. */
static const trib_concordance *numbers_of_sources(const trib_influence_case *c) {
    const trib_concordance *k = c->concordance;
    if (k && k->of_all) k = k->of_all;
    if (!k || k->n_documents != c->n_documents) return NULL;
    for (size_t s = 0; s < c->n_sources; s++) {
        const uint32_t d = c->source[s];
        if (k->first[d + 1] - k->first[d] != c->document[d].counts->nnz) return NULL;
        if (k != c->concordance && d == c->target) return NULL; /* it is shuffled */
    }
    return k;
}

trib_status trib_ngram_index_numbers_init(trib_ngram_index_numbers *numbers,
                                          const trib_influence_case *c, trib_error *error) {
    static const char what[] = "shared n-grams";
    const trib_concordance *k = numbers_of_sources(c);
    const size_t nnz = c->document[c->target].counts->nnz;
    *numbers = (trib_ngram_index_numbers){0};
    if (!k || (k == c->concordance && k->first[c->target + 1] - k->first[c->target] != nnz))
        return TRIB_OK;
    const uint32_t *number =
        k == c->concordance ? k->number + k->first[c->target] : c->concordance->number_of_all;
    const size_t n_blocks = k->n_ngrams / 64 + 1;
    trib_status status = trib_new(&numbers->block, n_blocks, sizeof *numbers->block, what, error);
    if (status == TRIB_OK)
        status = trib_new(&numbers->entry, nnz, sizeof *numbers->entry, what, error);
    if (status != TRIB_OK) {
        trib_ngram_index_numbers_release(numbers);
        return status;
    }
    for (size_t e = 0; e < nnz; e++)
        if (number[e] != TRIB_NO_NUMBER)
            numbers->block[number[e] / 64].held |= UINT64_C(1) << number[e] % 64;
    for (size_t b = 1; b < n_blocks; b++)
        numbers->block[b].n_before = numbers->block[b - 1].n_before +
                                     (uint32_t)__builtin_popcountll(numbers->block[b - 1].held);
    for (size_t e = 0; e < nnz; e++)
        if (number[e] != TRIB_NO_NUMBER)
            numbers->entry[place_of(numbers->block, number[e])] = (uint32_t)e;
    return TRIB_OK;
}

void trib_ngram_index_numbers_release(trib_ngram_index_numbers *numbers) {
    trib_free(numbers->block);
    trib_free(numbers->entry);
    *numbers = (trib_ngram_index_numbers){0};
}

/* Marked TRIB_KERNEL because newer processors count bits with one instruction. */
TRIB_KERNEL static void read_by_number(uint32_t *restrict entry, const uint32_t *sequence, size_t n,
                                       const uint32_t *number,
                                       const trib_ngram_index_numbers *numbers) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t g = number[sequence[i]];
        const bool is_held = numbers->block[g / 64].held >> g % 64 & 1;
        entry[i] = is_held ? numbers->entry[place_of(numbers->block, g)] : TRIB_NOT_INDEXED;
    }
}

trib_status trib_ngram_index_build_numbered(uint32_t **entry, const trib_influence_case *c,
                                            uint32_t document,
                                            const trib_ngram_index_numbers *numbers,
                                            trib_error *error) {
    const trib_influence_document *text = &c->document[document];
    const trib_concordance *k = c->concordance->of_all ? c->concordance->of_all : c->concordance;
    const uint32_t *number = k->number + k->first[document];
    const trib_status status =
        trib_new(entry, text->n_ngrams, sizeof **entry, "shared n-grams", error);
    if (status == TRIB_OK) read_by_number(*entry, text->sequence, text->n_ngrams, number, numbers);
    return status;
}
