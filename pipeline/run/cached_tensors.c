/* cached_tensors.c - the fingerprint of a text is a hash of its n-gram counts. It is part of the
 * keys of all stages after tensors. The fingerprint is cached, because hashing the counts takes as
 * long as counting. The counts are not cached: counting the n-grams of the cached words is as fast
 * as reading counts, and the words need a quarter of the disk space. */
#include "pipeline/run/cached.h"
#include "pipeline/stages/packed_counts.h"

#include <string.h>

/* Hashes which words of the document are in the vocabulary, which are <other>, and what makes two
 * words one. */
static trib_status print_cut(const trib_run *run, uint32_t d, char cut[TRIB_SHA256_TEXT],
                             trib_error *error) {
    const trib_document_words *document = &run->words.document[d];
    trib_words words;
    trib_sha256 *hash = NULL;
    trib_status status = trib_document_words_open(document, &words, error);
    if (status != TRIB_OK) return status;
    const uint32_t *const id = words.id;
    status = trib_sha256_open(&hash, error);
    trib_sha256_add(hash, run->words.changes.hash, sizeof run->words.changes.hash);
    for (uint32_t w = 0; w < words.n_words && status == TRIB_OK; w++) {
        const bool is_word = id[w] != TRIB_NO_WORD && id[w] != run->vocab.other;
        trib_sha256_add(hash, id[w] == TRIB_NO_WORD ? "-" : is_word ? "w" : "o", 1);
        if (is_word && run->words.changes.has_norms) { /* the whole corpus chose the spelling */
            trib_cached_add_word(hash, &run->vocab, id[w]);
        }
    }
    if (status == TRIB_OK) trib_sha256_close(hash, cut);
    trib_words_close(&words);
    return status;
}

static bool wants_order(const trib_run *run) {
    return !run->tensors_are_last && trib_config_wants_order(run->env.config);
}

static trib_status add_key(const trib_run *run, uint32_t d, trib_buffer *key, trib_error *error) {
    char cut[TRIB_SHA256_TEXT];
    trib_status status = print_cut(run, d, cut, error);
    if (status == TRIB_OK) status = trib_cached_tokens.key(run, d, key, error);
    if (status == TRIB_OK)
        status = trib_buffer_print(key, error, "cut %s\norder %d\n", cut, (int)wants_order(run));
    return status == TRIB_OK ? trib_cached_settings(run->env.config, "tensors", key, error)
                             : status;
}

static void add_counts(trib_sha256 *hash, const trib_hacoo *counts) {
    for (size_t e = 0; e < counts->nnz; e++) {
        uint32_t entry[TRIB_MAX_MODES + 1];
        entry[counts->n_modes] = trib_hacoo_entry(counts, e, entry);
        trib_sha256_add(hash, entry, (counts->n_modes + 1) * sizeof *entry);
    }
}

/* Hashes the number of words, the document's vocabulary from the most frequent word on, and its
 * n-grams with their counts in the order they first appear. For methods that use the order of the
 * text, a second hash adds the sequence of n-grams. */
static trib_status print_document(trib_run *run, uint32_t d, trib_error *error) {
    const trib_counts *document = &run->tensors.document[d];
    trib_fingerprint *print = &run->fingerprint[d];
    const trib_hacoo *counts = &document->ngrams;
    const uint64_t sizes[] = {run->words.document[d].n_tokens, document->n_local, counts->nnz};
    trib_sha256 *hash = NULL;
    trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(hash, sizes, sizeof sizes);
    for (uint32_t i = 0; i < document->n_local; i++)
        trib_cached_add_word(hash, &run->vocab, document->word[i]);
    add_counts(hash, counts);
    if (document->skips.n_modes > 0) add_counts(hash, &document->skips);
    trib_sha256_close(hash, print->counts);
    if (!document->sequence) return TRIB_OK;
    status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(hash, print->counts, TRIB_SHA256_TEXT);
    trib_sha256_add(hash, document->sequence, document->n_ngrams * sizeof *document->sequence);
    trib_sha256_close(hash, print->order);
    return TRIB_OK;
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

const trib_cached_row trib_cached_tensors = {.stage = "tensors",
                                             .note =
                                                 "by their hashes; counting is as fast as reading",
                                             .count = trib_cached_documents,
                                             .work = print_part,
                                             .key = add_key,
                                             .name = trib_cached_id,
                                             .pack = pack,
                                             .unpack = unpack,
                                             .forget = forget};

/* The context of reading the fingerprints of all documents from the cache. */
typedef struct prints {
    trib_run *run;
    bool *taken; /* [n_documents] */
} prints;

static trib_status keep_print(void *context, uint32_t d, int n_threads, trib_progress progress,
                              trib_error *error) {
    return trib_cached_part(context, &trib_cached_tensors, d, n_threads, progress, error);
}

static uint64_t n_ngrams(const void *run, uint32_t d) {
    return ((const trib_run *)run)->tensors.document[d].ngrams.nnz;
}

static trib_status take_print(void *context, size_t d, trib_error *error) {
    const prints *p = context;
    return trib_cached_take(p->run, &trib_cached_tensors, (uint32_t)d, &p->taken[d], error);
}

static void pack_print(const void *run, uint32_t d, trib_pack *out) { pack(run, d, out); }

static trib_status unpack_print(void *run, uint32_t d, trib_unpack *in, trib_error *error) {
    return unpack(run, d, in, error);
}

trib_status trib_cached_prints(trib_run *run, trib_error *error) {
    const trib_part_row documents = {.work = keep_print,
                                     .size = n_ngrams,
                                     .pack = pack_print,
                                     .unpack = unpack_print,
                                     .owner = run->tensors.owner};
    const trib_workers workers = trib_environment_workers(&run->env);
    return trib_parts_do(&workers, run->corpus.n_documents, &documents, run, error);
}

trib_status trib_cached_take_prints(trib_run *run, bool *all, trib_error *error) {
    const trib_workers workers = trib_environment_workers(&run->env);
    const uint32_t n = run->corpus.n_documents;
    prints p = {.run = run};
    trib_status status = trib_new(&p.taken, n, sizeof *p.taken, "the documents", error);
    if (status == TRIB_OK) status = trib_tasks_do(&workers, n, take_print, &p, error);
    *all = status == TRIB_OK;
    for (uint32_t d = 0; d < n && *all; d++) *all = p.taken[d];
    trib_free(p.taken);
    return status;
}
