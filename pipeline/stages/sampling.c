/* sampling.c - samples the documents of a corpus for stage candidates. */
#include "base/internal.h"
#include "pipeline/stages/candidates.h"
#include "pipeline/stages/tensors.h"
#include "pipeline/support/pack.h"

/* Entries of all sketches; in a larger corpus, less is sampled. */
static const uint64_t MOST_ENTRIES = UINT64_C(1) << 30;

/* The commonest words, which make up half of the corpus, do not count in runs. */
static void mark_common(const trib_vocab *vocab, uint8_t *is_common) {
    uint64_t n = 0;
    for (uint32_t w = 0; w < vocab->n_words && n < vocab->n_tokens / 2; w++) {
        is_common[w] = 1;
        n += vocab->count[w];
    }
    if (vocab->other != TRIB_NO_WORD) is_common[vocab->other] = 1;
}

/* The rank that has counted a document samples it. */
static bool is_own(const trib_sampling *s, uint32_t d) {
    const trib_comm *comm = s->in->env->comm;
    return comm->size <= 1 || s->in->tensors->owner[d] == comm->rank;
}

trib_status trib_sampling_init(trib_sampling *s, const trib_read_texts *in,
                               const trib_corpus *corpus, trib_error *error) {
    static const char what[] = "the choice of sources";
    const trib_vocab *vocab = in->vocab;
    const uint32_t n = corpus->n_documents;
    *s = (trib_sampling){.in = in, .corpus = corpus, .rate = 1};
    trib_status status = TRIB_NEW(&s->n_ngrams, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s->word_hash, vocab->n_words, what, error);
    if (status == TRIB_OK) status = trib_new(&s->is_common, vocab->n_words, 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s->own, n, what, error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < n; d++) s->n_ngrams[d] = in->tensors->document[d].n_ngrams;
    for (uint32_t w = 0; w < vocab->n_words; w++)
        s->word_hash[w] =
            trib_checksum(trib_vocab_norm(vocab, w), strlen(trib_vocab_norm(vocab, w)));
    mark_common(vocab, s->is_common);
    for (uint32_t d = 0; d < n; d++)
        if (is_own(s, d)) s->own[s->n_own++] = d;
    return TRIB_OK;
}

void trib_sampling_release(trib_sampling *s) {
    trib_wanted_hashes_release(&s->wanted);
    trib_wanted_hashes_release(&s->ngrams);
    trib_wanted_hashes_release(&s->runs);
    TRIB_FREE(s->n_ngrams, s->word_hash, s->is_common, s->own);
    *s = (trib_sampling){0};
}

static bool may_be_target(const trib_sampling *s, uint32_t d) {
    const trib_role role = s->corpus->document[d].about->role;
    return role == TRIB_ROLE_BOTH || role == TRIB_ROLE_TARGET;
}

/* All documents that may be targets count, so that the indexes serve any choice of targets. */
static trib_status choose_rate(trib_sampling *s, trib_error *error) {
    const uint32_t n = s->corpus->n_documents;
    uint8_t *counts = NULL;
    trib_status status = trib_new(&counts, n, 1, "the targets", error);
    for (uint32_t d = 0; status == TRIB_OK && d < n; d++) counts[d] = may_be_target(s, d);
    if (status == TRIB_OK)
        status = trib_sketch_rate_of_corpus(&s->rate, s->n_ngrams, counts, n, MOST_ENTRIES, error);
    trib_free(counts);
    return status;
}

static trib_status sketch_document(const trib_sampling *s, uint32_t d,
                                   const trib_sketch_options *options, trib_sketch *sketch,
                                   trib_error *error) {
    const trib_tensors *tensors = s->in->tensors;
    trib_status status = trib_counts_hold(tensors, d, error);
    if (status != TRIB_OK) return status;
    status = trib_sketch_build(sketch, &tensors->view[d], d, options, error);
    trib_counts_drop(tensors, d);
    return status;
}

trib_status trib_sampling_at_rate(const trib_sampling *s, uint32_t d, uint32_t rate,
                                  trib_sketch *sketch, trib_error *error) {
    const trib_sketch_options options = {.rate = rate, .word_hash = s->word_hash};
    return sketch_document(s, d, &options, sketch, error);
}

trib_status trib_sampling_ngrams(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                                 trib_error *error) {
    const trib_sketch_options options = {.rate = s->least,
                                         .word_hash = s->word_hash,
                                         .wanted = &s->wanted,
                                         .only = s->has_few ? &s->ngrams : NULL};
    return sketch_document(s, d, &options, sketch, error);
}

/* Reads the words of a document in order: vocabulary ids, UINT32_MAX for words without one. */
static trib_status read_words(const trib_document_words *document, uint32_t **word,
                              trib_error *error) {
    trib_words file;
    TRIB_OWNED(trib_words_block) block = {.ids_only = true};
    trib_status status = trib_document_words_open(document, &file, error);
    if (status != TRIB_OK) return status;
    const uint32_t *const id = file.id;
    status = TRIB_NEW(word, document->n_tokens, "a document's words", error);
    if (status == TRIB_OK) status = trib_words_block_init(&block, error);
    block.ids_only = true;
    for (uint64_t i = 0; i < file.n_tokens && status == TRIB_OK; i += block.n) {
        status = trib_words_at(&file, i, &block, error);
        for (size_t k = 0; status == TRIB_OK && k < block.n; k++)
            (*word)[i + k] = id[block.id[k]] == TRIB_NO_WORD ? UINT32_MAX : id[block.id[k]];
    }
    trib_words_close(&file);
    return status;
}

trib_status trib_sampling_runs(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                               trib_error *error) {
    const trib_sketch_options options = {.word_hash = s->word_hash,
                                         .only = s->has_few ? &s->runs : NULL};
    const trib_document_words *words = &s->in->words->document[d];
    uint32_t *word = NULL;
    trib_status status = read_words(words, &word, error);
    if (status == TRIB_OK)
        status = trib_sketch_runs(sketch, word, words->n_tokens, d, &options, s->is_common, error);
    trib_free(word);
    return status;
}

/* ---- N-grams of short documents -------------------------------------------------------------- */

/* Sketches a document at its own rate if it may be a target and is too short for that of the
 * corpus; otherwise the sketch is empty. */
static trib_status sketch_short(const trib_sampling *s, uint32_t d, trib_sketch *sketch,
                                trib_error *error) {
    const uint32_t rate = trib_sketch_rate(s->n_ngrams[d], s->corpus->n_documents);
    sketch->n = 0;
    return may_be_target(s, d) && rate < s->rate ? trib_sampling_at_rate(s, d, rate, sketch, error)
                                                 : TRIB_OK;
}

static void pack_wanted(void *context, uint32_t d, trib_pack *pack) {
    trib_sampling *s = context;
    TRIB_OWNED(trib_sketch) sketch = {0};
    if (!trib_pack_is_good(pack)) return;
    if (!pack->reads) (void)sketch_short(s, d, &sketch, &pack->failure);
    trib_pack_number(pack, &sketch.entry, &sketch.n, sizeof *sketch.entry, sizeof(uint64_t),
                     "a sketch");
    for (size_t i = 0; i < sketch.n; i++) TRIB_PACK(pack, sketch.entry[i].hash);
    if (pack->reads && sketch.n > 0 && trib_pack_is_good(pack))
        (void)trib_wanted_hashes_add(&s->wanted, &sketch, &pack->failure);
}

/* Lists the n-grams of documents that are too short for the rate of the corpus. */
static trib_status list_wanted(trib_sampling *s, trib_status status, trib_error *error) {
    const trib_comm *comm = s->in->env->comm;
    const trib_part_row documents = {.pack = pack_wanted, .owner = s->in->tensors->owner};
    trib_sketch sketch = {0};
    for (uint32_t i = 0; i < s->n_own && status == TRIB_OK; i++) {
        status = sketch_short(s, s->own[i], &sketch, error);
        if (status == TRIB_OK && sketch.n > 0)
            status = trib_wanted_hashes_add(&s->wanted, &sketch, error);
    }
    trib_sketch_release(&sketch);
    status = trib_parts_share(comm, status, s->corpus->n_documents, &documents, s, error);
    s->has_wanted = s->wanted.n > 0 || s->wanted.has_zero;
    return status;
}

/* ---- Few targets ----------------------------------------------------------------------------- */

/* Whether the targets are so small a part of the corpus that it pays to list their samples, for
 * which there is then memory. */
static bool are_few(const trib_sampling *s) {
    enum { PART = 32, MOST = 1 << 22 };
    uint64_t of_targets = 0, of_all = 0;
    for (uint32_t t = 0; t < s->corpus->n_targets; t++)
        of_targets += s->n_ngrams[s->corpus->target[t].document];
    for (uint32_t d = 0; d < s->corpus->n_documents; d++) of_all += s->n_ngrams[d];
    return of_targets <= MOST && of_targets <= of_all / PART;
}

/* Lists the samples of the targets, each at the rate at which it is looked up. */
static trib_status list_targets(trib_sampling *s, trib_error *error) {
    TRIB_OWNED(trib_sketch) sketch = {0};
    trib_status status = TRIB_OK;
    s->least = s->rate;
    for (uint32_t t = 0; t < s->corpus->n_targets && status == TRIB_OK; t++) {
        const uint32_t d = s->corpus->target[t].document;
        const uint32_t rate = trib_sketch_rate(s->n_ngrams[d], s->corpus->n_documents);
        if (rate < s->least) s->least = rate;
        s->has_wanted = s->has_wanted || rate < s->rate;
        status = trib_stop_check(error);
        if (status == TRIB_OK) status = trib_sampling_at_rate(s, d, rate, &sketch, error);
        if (status == TRIB_OK) status = trib_wanted_hashes_add(&s->ngrams, &sketch, error);
        if (status == TRIB_OK) status = trib_sampling_runs(s, d, &sketch, error);
        if (status == TRIB_OK) status = trib_wanted_hashes_add(&s->runs, &sketch, error);
    }
    return status;
}

trib_status trib_sampling_choose(trib_sampling *s, trib_status status, trib_error *error) {
    if (status == TRIB_OK) status = choose_rate(s, error);
    /* every rank chooses the same; one that failed has chosen nothing */
    const bool has_few = trib_comm_least(s->in->env->comm, status != TRIB_OK || are_few(s));
    s->least = s->rate;
    if (!has_few) return list_wanted(s, status, error);
    if (status == TRIB_OK) status = list_targets(s, error); /* the samples are whole until then */
    s->has_few = true;
    return status;
}
