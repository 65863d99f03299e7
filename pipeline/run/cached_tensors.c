/* cached_tensors.c - the fingerprint of a text is a hash of its n-gram counts. It is part of the
 * keys of all stages after tensors. The fingerprint is cached, because hashing the counts takes as
 * long as counting. The counts are not cached: counting the n-grams of the cached words is as fast
 * as reading counts, and the words need a quarter of the disk space. */
#include "pipeline/run/cached.h"
#include "pipeline/stages/packed_counts.h"

#include <string.h>

/* Adds which words of the document are in the vocabulary, which are <other>, and what makes two
 * words one. */
static void add_cut(const trib_run *run, uint32_t d, trib_identity *key) {
    const trib_document_words *document = &run->words.document[d];
    trib_words words;
    if (key->failure.status != TRIB_OK ||
        trib_document_words_open(document, &words, &key->failure) != TRIB_OK)
        return;
    const uint32_t *const id = words.id;
    trib_identity_hash(key, run->words.changes.hash, sizeof run->words.changes.hash);
    for (uint32_t w = 0; w < words.n_words; w++) {
        const bool is_word = id[w] != TRIB_NO_WORD && id[w] != run->vocab.other;
        trib_identity_hash(key, id[w] == TRIB_NO_WORD ? "-" : is_word ? "w" : "o", 1);
        if (is_word && run->words.changes.has_norms) /* the whole corpus chose the spelling */
            trib_identity_hash_word(key, &run->vocab, id[w]);
    }
    trib_words_close(&words);
    trib_identity_end_hash(key, "cut");
}

static bool wants_order(const trib_run *run) {
    return !run->tensors_are_last && trib_config_wants_order(run->env.config);
}

static void add_key(const trib_run *run, uint32_t d, trib_identity *key) {
    trib_cached_tokens.key(run, d, key);
    add_cut(run, d, key);
    trib_identity_add(key, "order %d\n", (int)wants_order(run));
}

static void hash_counts(trib_identity *print, const trib_hacoo *counts) {
    for (size_t e = 0; e < counts->nnz; e++) {
        uint32_t entry[TRIB_MAX_MODES + 1];
        entry[counts->n_modes] = trib_hacoo_entry(counts, e, entry);
        trib_identity_hash(print, entry, (counts->n_modes + 1) * sizeof *entry);
    }
}

/* Hashes the number of words, the document's vocabulary from the most frequent word on, and its
 * n-grams with their counts in the order they first appear. For methods that use the order of the
 * text, a second hash adds the sequence of n-grams. */
static trib_status print_document(trib_run *run, uint32_t d, trib_error *error) {
    const trib_counts *document = &run->tensors.document[d];
    trib_fingerprint *print = &run->fingerprint[d];
    const uint64_t sizes[] = {run->words.document[d].n_tokens, document->n_local,
                              document->ngrams.nnz};
    trib_identity counts = {0}, order = {0};
    trib_identity_hash(&counts, sizes, sizeof sizes);
    for (uint32_t i = 0; i < document->n_local; i++)
        trib_identity_hash_word(&counts, &run->vocab, document->word[i]);
    hash_counts(&counts, &document->ngrams);
    if (document->skips.n_modes > 0) hash_counts(&counts, &document->skips);
    const trib_status status = trib_identity_close_hash(&counts, print->counts, error);
    if (status != TRIB_OK || !document->sequence) return status;
    trib_identity_hash(&order, print->counts, TRIB_SHA256_TEXT);
    trib_identity_hash(&order, document->sequence, document->n_ngrams * sizeof *document->sequence);
    return trib_identity_close_hash(&order, print->order, error);
}

static trib_status print_part(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                              trib_error *error) {
    (void)n_threads;
    (void)progress;
    trib_status status = trib_counts_hold(&run->tensors, d, error);
    if (status != TRIB_OK) return status;
    status = print_document(run, d, error);
    trib_counts_drop(&run->tensors, d);
    return status;
}

static void pack(const trib_run *run, uint32_t d, trib_pack *out) {
    const trib_fingerprint *print = &run->fingerprint[d];
    trib_pack_array(out, print->counts, TRIB_SHA256_TEXT, 1);
    trib_pack_array(out, print->order, TRIB_SHA256_TEXT, 1);
}

/* Marks the input as invalid unless `print` is a hash (is_there) or empty (otherwise). */
static void expect_print(trib_unpack *in, const char print[TRIB_SHA256_TEXT], bool is_there) {
    const size_t wanted = is_there ? TRIB_SHA256_TEXT - 1 : 0;
    trib_unpack_expect(in, print[TRIB_SHA256_TEXT - 1] == '\0' &&
                               strspn(print, "0123456789abcdef") == wanted &&
                               print[wanted] == '\0');
}

static trib_status unpack(trib_run *run, uint32_t d, trib_unpack *in, trib_error *error) {
    trib_fingerprint *print = &run->fingerprint[d];
    (void)error;
    trib_unpack_into(in, print->counts, TRIB_SHA256_TEXT, 1);
    trib_unpack_into(in, print->order, TRIB_SHA256_TEXT, 1);
    expect_print(in, print->counts, true);
    expect_print(in, print->order, wants_order(run));
    return TRIB_OK;
}

static void forget(trib_run *run, uint32_t d) {
    memset(run->fingerprint[d].counts, 0, TRIB_SHA256_TEXT);
    memset(run->fingerprint[d].order, 0, TRIB_SHA256_TEXT);
}

static uint64_t size(const void *run, uint32_t d) {
    return ((const trib_run *)run)->tensors.document[d].ngrams.nnz;
}

static const int *owner(const trib_run *run) { return run->tensors.owner; }

static const trib_given given[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                   TRIB_GIVEN(tokens.locale, tokens.break_at),
                                   TRIB_GIVEN(tensor.n, tensor.buckets),
                                   {0, 0}};

const trib_cached_row trib_cached_tensors = {.stage = "tensors",
                                             .note =
                                                 "by their hashes; counting is as fast as reading",
                                             .given = given,
                                             .count = trib_cached_documents,
                                             .size = size,
                                             .owner = owner,
                                             .work = print_part,
                                             .key = add_key,
                                             .name = trib_cached_id,
                                             .pack = pack,
                                             .unpack = unpack,
                                             .forget = forget};
