/* corpus.c - many small documents of drawn words, for the tests of influence/candidates. */
#include "tests/influence/candidates/corpus.h"

static void release(drawn_corpus *corpus) {
    for (uint32_t d = 0; d < corpus->n; d++) {
        free(corpus->word[d]);
        free((void *)(uintptr_t)corpus->document[d].word);
        trib_hacoo_release(&corpus->counts[d]);
    }
    free(corpus->word);
    free(corpus->length);
    free(corpus->counts);
    free(corpus->document);
    free(corpus->n_ngrams);
}

drawn_corpus *drawn_corpus_init(uint64_t seed, uint32_t n, uint32_t n_words, size_t length) {
    static drawn_corpus both[2];
    static size_t n_calls;
    drawn_corpus *corpus = &both[n_calls++ % 2];
    trib_random random;
    release(corpus);
    trib_random_seed(&random, seed);
    *corpus = (drawn_corpus){.n = n, .n_words = n_words};
    corpus->word = calloc(n + 1, sizeof *corpus->word);
    corpus->length = calloc(n + 1, sizeof *corpus->length);
    corpus->counts = calloc(n + 1, sizeof *corpus->counts);
    corpus->document = calloc(n + 1, sizeof *corpus->document);
    corpus->n_ngrams = calloc(n + 1, sizeof *corpus->n_ngrams);
    CHECK(corpus->word && corpus->length && corpus->counts && corpus->document && corpus->n_ngrams);
    for (uint32_t d = 0; d < n; d++) {
        corpus->length[d] = length / 2 + trib_random_below(&random, length / 2 + 1);
        corpus->word[d] = calloc(length + 1, sizeof **corpus->word);
        CHECK(corpus->word[d] != NULL);
        for (size_t i = 0; i < corpus->length[d]; i++)
            corpus->word[d][i] = (uint32_t)(n_words * pow(trib_random_unit(&random), 3));
    }
    return corpus;
}

void drawn_corpus_plant(drawn_corpus *corpus, uint32_t from, uint32_t to, size_t place, size_t n) {
    CHECK(place + n <= corpus->length[from] && place + n <= corpus->length[to]);
    memcpy(corpus->word[to] + place, corpus->word[from] + place, n * sizeof **corpus->word);
}

/* Own ids in order of first appearance. */
static void count_document(drawn_corpus *corpus, uint32_t d, uint32_t n_modes) {
    uint32_t *own = calloc(corpus->n_words + 1, sizeof *own), n_own = 0, dim[TRIB_MAX_MODES];
    uint32_t *word = calloc(corpus->length[d] + 1, sizeof *word);
    uint32_t *stream = calloc(corpus->length[d] + 1, sizeof *stream);
    CHECK(own && word && stream);
    for (size_t i = 0; i < corpus->length[d]; i++) {
        const uint32_t w = corpus->word[d][i];
        if (own[w] == 0) {
            word[n_own] = w;
            own[w] = ++n_own;
        }
        stream[i] = own[w] - 1;
    }
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = n_own > 0 ? n_own : 1;
    CHECK(trib_hacoo_init(&corpus->counts[d], n_modes, dim, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i + n_modes <= corpus->length[d]; i++)
        CHECK(trib_hacoo_add(&corpus->counts[d], stream + i, 1, NULL) == TRIB_OK);
    corpus->document[d] = (trib_influence_document){
        .counts = &corpus->counts[d], .word = word, .n_local = n_own, .n_words = corpus->length[d]};
    corpus->n_ngrams[d] = corpus->counts[d].total;
    free(own);
    free(stream);
}

void drawn_corpus_count(drawn_corpus *corpus, uint32_t n_modes) {
    for (uint32_t d = 0; d < corpus->n; d++) count_document(corpus, d, n_modes);
}

drawn_index *drawn_corpus_index(const drawn_corpus *corpus, uint32_t rate, uint32_t most_holders,
                                uint32_t n_partitions, int n_threads) {
    static drawn_index both[2];
    static size_t n_calls;
    drawn_index *index = &both[n_calls++ % 2];
    GIVEN(trib_sketch) sketch = {0};
    trib_error error = {0};
    const trib_sketch_index_options options = {.directory = trib_scratch(""),
                                               .n_documents = corpus->n,
                                               .n_partitions = n_partitions,
                                               .most_holders = most_holders};
    trib_sketch_index_close(&index->ngrams);
    trib_sketch_index_close(&index->runs);
    EXPECT_OK(trib_sketch_index_open(&index->ngrams, &options, &error));
    EXPECT_OK(trib_sketch_index_open(&index->runs, &options, &error));
    for (uint32_t d = 0; d < corpus->n; d++) {
        CHECK(trib_sketch_build(&sketch, &corpus->document[d], d,
                                &(trib_sketch_options){.rate = rate}, &error) == TRIB_OK);
        CHECK(trib_sketch_index_add(&index->ngrams, sketch.entry, sketch.n, &error) == TRIB_OK);
        CHECK(trib_sketch_runs(&sketch, corpus->word[d], corpus->length[d], d, NULL, NULL,
                               &error) == TRIB_OK);
        CHECK(trib_sketch_index_add(&index->runs, sketch.entry, sketch.n, &error) == TRIB_OK);
    }
    EXPECT_OK(trib_sketch_index_build(&index->ngrams, n_threads, &error));
    EXPECT_OK(trib_sketch_index_build(&index->runs, n_threads, &error));
    return index;
}
