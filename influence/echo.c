/* echo.c - a document in the n-grams of the target: every entry of its counts is looked up once, then its text is read
 * through that list. */
#include "influence/echo.h"

#include <string.h>

trib_status trib_echo_words(uint32_t **own_id, const trib_influence_case *c, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    const trib_status status =
        trib_new(own_id, c->n_words, sizeof **own_id, "a map of words", error);
    if (status != TRIB_OK || c->n_words == 0) return status;
    memset(*own_id, 0xFF, c->n_words * sizeof **own_id); /* TRIB_NO_ECHO everywhere */
    for (uint32_t i = 0; i < target->n_local; i++) (*own_id)[target->word[i]] = i;
    return TRIB_OK;
}

/* The target's entry for entry e of another document. */
static uint32_t look_up(const trib_influence_document *target,
                        const trib_influence_document *document, const uint32_t *own_id, size_t e) {
    uint32_t index[TRIB_MAX_MODES];
    trib_hacoo_entry(document->counts, e, index);
    for (uint32_t m = 0; m < document->counts->n_modes; m++) {
        index[m] = own_id[document->word[index[m]]];
        if (index[m] == TRIB_NO_ECHO) return TRIB_NO_ECHO;
    }
    const size_t found = trib_hacoo_find(target->counts, index);
    return found == TRIB_NO_ENTRY ? TRIB_NO_ECHO : (uint32_t)found;
}

trib_status trib_echo_build(uint32_t **entry, const trib_influence_document *target,
                            const trib_influence_document *document, const uint32_t *own_id,
                            trib_error *error) {
    uint32_t *theirs = NULL; /* [nnz] the target's entry for each of the document's */
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
