/* concordance.c - which documents hold each n-gram of a corpus. Every n-gram is looked up once, when its document is
 * added; afterwards the holders of a document's n-grams are read off, whoever asks. */
#include "influence/influence.h"

/* number[]: every entry of every document gets the number of its n-gram, in order of first appearance. */
static trib_status number_document(trib_concordance *k, trib_hacoo *all, size_t d,
                                   const trib_influence_document *document, trib_error *error) {
    const trib_hacoo *counts = document->counts;
    trib_hacoo_stream stream;
    trib_status status = TRIB_OK;
    if (counts->n_modes != all->n_modes)
        return trib_fail(error, TRIB_INTERNAL, "documents of %u-grams and of %u-grams",
                         all->n_modes, counts->n_modes);
    trib_hacoo_stream_init(&stream, all, k->number + k->first[d]);
    for (size_t e = 0; e < counts->nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(counts, e, index);
        for (uint32_t m = 0; m < counts->n_modes; m++) index[m] = document->word[index[m]];
        status = trib_hacoo_stream_push(&stream, index, 1, error);
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

static trib_status number_all(trib_concordance *k, const trib_influence_document document[],
                              uint32_t n_words, trib_error *error) {
    trib_hacoo all = {0};
    uint32_t dim[TRIB_MAX_MODES];
    if (k->n_documents == 0) return TRIB_OK;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = n_words > 0 ? n_words : 1;
    trib_status status =
        trib_hacoo_init(&all, document[0].counts->n_modes, dim,
                        &(trib_hacoo_options){.expected = k->first[k->n_documents]}, error);
    for (size_t d = 0; d < k->n_documents && status == TRIB_OK; d++)
        status = number_document(k, &all, d, &document[d], error);
    k->n_ngrams = all.nnz;
    trib_hacoo_release(&all);
    return status;
}

/* A counting sort of all entries by their numbers, which keeps documents in order. */
static trib_status list_holders(trib_concordance *k, const trib_influence_document document[],
                                trib_error *error) {
    const size_t n = k->first[k->n_documents];
    trib_status status =
        trib_new(&k->start, k->n_ngrams + 2, sizeof *k->start, "the concordance", error);
    if (status == TRIB_OK)
        status = trib_new(&k->holder, n, sizeof *k->holder, "the concordance", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < n; i++) k->start[k->number[i] + 2]++;
    for (size_t g = 2; g < k->n_ngrams + 2; g++) k->start[g] += k->start[g - 1];
    for (size_t d = 0; d < k->n_documents; d++)
        for (size_t e = 0; e < document[d].counts->nnz; e++)
            k->holder[k->start[k->number[k->first[d] + e] + 1]++] =
                (trib_holder){(uint32_t)d, trib_hacoo_count(document[d].counts, e)};
    return TRIB_OK;
}

trib_status trib_concordance_build(trib_concordance *k, const trib_influence_document document[],
                                   size_t n_documents, uint32_t n_words, trib_error *error) {
    *k = (trib_concordance){.n_documents = n_documents};
    trib_status status =
        trib_new(&k->first, n_documents + 1, sizeof *k->first, "the concordance", error);
    for (size_t d = 0; d < n_documents && status == TRIB_OK; d++)
        k->first[d + 1] = k->first[d] + document[d].counts->nnz;
    if (status == TRIB_OK)
        status = trib_new(&k->number, k->first[n_documents], sizeof *k->number, "the concordance",
                          error);
    if (status == TRIB_OK) status = number_all(k, document, n_words, error);
    if (status == TRIB_OK) status = list_holders(k, document, error);
    if (status != TRIB_OK) trib_concordance_release(k);
    return status;
}

void trib_concordance_release(trib_concordance *k) {
    trib_free(k->first);
    trib_free(k->number);
    trib_free(k->start);
    trib_free(k->holder);
    *k = (trib_concordance){0};
}
