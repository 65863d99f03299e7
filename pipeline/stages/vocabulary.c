/* vocabulary.c - stage vocabulary: the words of all texts become the vocabulary of the corpus, and
 * each text's words get its ids. */
#include "pipeline/stages/shared_words.h"
#include "pipeline/stages/tokens.h"

static trib_status build(const trib_config *config, const trib_word_counts *counts,
                         trib_vocab *vocab, uint32_t *final_id, trib_error *error) {
    trib_intern fixed = {0};
    trib_status status = config->vocabulary.file
                             ? trib_vocab_read_file(&fixed, config->vocabulary.path, error)
                             : TRIB_OK;
    const trib_vocab_options options = {
        .size = config->vocabulary.size,
        .min_count = config->vocabulary.min_count,
        .min_documents = config->vocabulary.min_documents,
        .wildcard = config->vocabulary.wildcard,
        .fixed = config->vocabulary.file ? &fixed : NULL,
    };
    if (status == TRIB_OK)
        status = trib_vocab_build(vocab, &counts->intern, counts->count, counts->n_documents,
                                  &options, final_id, error);
    trib_intern_release(&fixed);
    return status;
}

trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    const trib_comm *comm = env->comm;
    uint32_t *final_id = NULL;
    trib_status status = trib_share_added_vocabularies(comm, counts, error);
    if (status == TRIB_OK)
        status = trib_new(&final_id, counts->intern.n_words, sizeof *final_id, "word ids", error);
    if (status == TRIB_OK && comm->rank == 0)
        status = build(env->config, counts, vocab, final_id, error);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK)
        status = trib_share_vocabulary(comm, &counts->intern, vocab, final_id, error);
    for (uint32_t d = 0; d < words->n_documents && status == TRIB_OK; d++) {
        const trib_document_words *document = &words->document[d];
        for (uint32_t w = 0; document->id && w < document->n_words; w++)
            document->id[w] = final_id[document->id[w]];
    }
    if (status == TRIB_OK) trib_word_counts_release(counts);
    trib_free(final_id);
    return status;
}
