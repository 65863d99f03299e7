/* kept.c - any bytes as an entry of the cache with a correct checksum; and any bytes as the cached
 * result of a stage for two texts that share an n-gram: a result that is accepted can be packed
 * again and unpacked to the same result. */
#include "base/internal.h"
#include "pipeline/run/cached.h"
#include "tests/fuzz/fuzz.h"

/* "a b a c" and "a b c" as pairs. */
typedef struct texts {
    trib_config config;
    trib_run run;
    trib_document document[2];
    trib_document_words words[2];
    trib_counts counts[2];
    trib_decomposition decomposition[2];
    trib_fingerprint fingerprint[2];
    trib_target target;
    trib_shares shares;
    trib_findings findings;
    trib_background background;
    trib_influence_document view[2];
    trib_influence influence;
    uint32_t source[1];
} texts;

static void make_texts(texts *t) {
    static uint32_t word[] = {0, 1, 2}, in_first[] = {0, 1, 2}, in_second[] = {0, 1};
    static const uint32_t dim[] = {3, 3},
                          pairs[2][3][2] = {{{0, 1}, {1, 0}, {0, 2}}, {{0, 1}, {1, 2}}};
    uint32_t *const sequence[] = {in_first, in_second};
    memset(t, 0, sizeof *t);
    t->config.influence.n_methods = 1;
    t->config.influence.method[0] = t->config.influence.headline =
        trib_influence_method_find("traced");
    for (uint32_t d = 0; d < 2; d++) {
        trib_counts *document = &t->counts[d];
        *document =
            (trib_counts){.word = word, .n_local = 3, .sequence = sequence[d], .n_ngrams = 3 - d};
        if (trib_hacoo_init(&document->ngrams, 2, dim, NULL, NULL) != TRIB_OK) return;
        for (uint32_t i = 0; i < 3 - d; i++)
            (void)trib_hacoo_add(&document->ngrams, pairs[d][i], 1, NULL);
        t->view[d] = (trib_influence_document){.counts = &document->ngrams,
                                               .word = word,
                                               .n_local = 3,
                                               .n_words = 4 - d,
                                               .sequence = sequence[d],
                                               .n_ngrams = 3 - d};
    }
    t->source[0] = 1;
    t->target = (trib_target){.source = t->source, .n_sources = 1};
    t->shares = (trib_shares){.influence = &t->influence, .n_methods = 1};
    trib_run_init(&t->run, &t->config, NULL, 1);
    t->run.corpus = (trib_corpus){
        .document = t->document, .n_documents = 2, .target = &t->target, .n_targets = 1};
    t->run.tensors = (trib_tensors){.document = t->counts, .n_documents = 2, .view = t->view};
    t->run.fingerprint = t->fingerprint;
    t->words[0].n_tokens = 4, t->words[1].n_tokens = 3;
    t->run.words = (trib_corpus_words){.document = t->words, .n_documents = 2};
    t->run.decomposition = t->decomposition;
    t->run.background = &t->background;
    t->run.shares = &t->shares;
    t->run.findings = &t->findings;
    t->run.vocab.n_words = 3;
    (void)trib_concordance_build(&t->run.index.concordance, t->view, 2, 3, NULL);
}

static void try_result(const trib_cached_row *row, const char *bytes, size_t size) {
    texts t;
    TRIB_OWNED(trib_pack) first = {0}, second = {0};
    trib_pack in = trib_pack_reading(bytes, size);
    make_texts(&t);
    row->pack(&t.run, 0, &in);
    if (trib_pack_is_whole(&in)) {
        row->pack(&t.run, 0, &first);
        row->forget(&t.run, 0);
        in = trib_pack_reading(first.bytes.text, first.bytes.length);
        row->pack(&t.run, 0, &in);
        FUZZ_CHECK(trib_pack_is_whole(&in));
        row->pack(&t.run, 0, &second);
        FUZZ_CHECK(first.bytes.length == second.bytes.length &&
                   memcmp(first.bytes.text, second.bytes.text, first.bytes.length) == 0);
    }
    row->forget(&t.run, 0);
    trib_concordance_release(&t.run.index.concordance);
    for (int d = 0; d < 2; d++) trib_hacoo_release(&t.counts[d].ngrams);
}

static void try_entry(uint8_t *bytes, size_t size) {
    trib_cache_entry entry = {0}, key = {0};
    if (size >= 16) {
        const uint64_t checksum = trib_checksum(bytes + 16, size - 16);
        for (int i = 0; i < 8; i++) bytes[8 + i] = (uint8_t)(checksum >> (8 * i));
    }
    const char *why = trib_cache_entry_read(&entry, (const char *)bytes, size, true),
               *why_key = trib_cache_entry_read(&key, (const char *)bytes, size, false);
    FUZZ_CHECK(!why == !why_key);
    if (!why) FUZZ_CHECK(entry.n_key == key.n_key && entry.n_about == key.n_about);
}

FUZZ_TARGET(kept) {
    uint8_t *copy = NULL;
    size_t n_rows = 0;
    if (size < 2 || trib_new(&copy, size - 1, 1, "a copy", NULL) != TRIB_OK) return;
    memcpy(copy, bytes + 1, size - 1);
    while (trib_cached_rows[n_rows]->pack) n_rows++; /* words have a target of their own */
    const size_t row = bytes[0] % (n_rows + 1);
    if (row < n_rows) try_result(trib_cached_rows[row], (const char *)copy, size - 1);
    else try_entry(copy, size - 1);
    trib_free(copy);
}
