/* vocabulary.c - stage vocabulary: the words of all texts become the vocabulary of the corpus, and
 * each text's words get its ids. When words have norms, a norm is one word of the vocabulary, shown
 * by its most frequent spelling; words that are left out are taken out of the texts, so that later
 * stages see their neighbours side by side. */
#include "pipeline/stages/shared_words.h"
#include "pipeline/stages/tokens.h"

#include <string.h>

/* Replaces the words of a list by their norms. */
static trib_status make_norms(trib_norms *norms, trib_intern *list, trib_error *error) {
    trib_intern made = {0};
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < list->n_words && status == TRIB_OK; i++) {
        const char *word = trib_intern_word(list, i);
        size_t n = strlen(word);
        uint32_t id;
        status = trib_norms_of(norms, word, n, &word, &n, error);
        if (status == TRIB_OK) status = trib_intern_add(&made, word, n, &id, error);
    }
    trib_intern_release(list);
    *list = made;
    return status;
}

static trib_status build(const trib_config *config, const trib_word_counts *counts,
                         trib_word_changes *changes, trib_vocab *vocab, uint32_t *final_id,
                         trib_error *error) {
    const trib_spellings *spellings = &counts->spellings;
    trib_intern fixed = {0};
    trib_chosen chosen = {0};
    trib_status status = config->vocabulary.file
                             ? trib_vocab_read_file(&fixed, config->vocabulary.path, error)
                             : TRIB_OK;
    if (status == TRIB_OK && spellings->norms) {
        status = make_norms(spellings->norms, &fixed, error);
        if (status == TRIB_OK)
            status = trib_spellings_choose(spellings, &counts->intern, counts->count, &chosen,
                                           changes, error);
    }
    const trib_vocab_options options = {
        .size = config->vocabulary.size,
        .min_count = config->vocabulary.min_count,
        .min_documents = config->vocabulary.min_documents,
        .wildcard = config->vocabulary.wildcard,
        .fixed = config->vocabulary.file ? &fixed : NULL,
        .shown = chosen.shown,
        .left_out = chosen.left_out,
    };
    if (status == TRIB_OK)
        status = trib_vocab_build(vocab, &counts->intern, counts->count, counts->n_documents,
                                  &options, final_id, error);
    trib_intern_release(&fixed);
    trib_chosen_release(&chosen);
    return status;
}

/* ---- Words left out -------------------------------------------------------------------------- */

/* Writes the words of a document that are not left out to `spill`. They keep the order of their own
 * ids, which is that of their first appearance. */
static trib_status leave_out(const trib_environment *env, trib_corpus_words *all,
                             trib_document_words *document, trib_words_writer *writer,
                             trib_error *error) {
    trib_words_spill *spill = &all->spill[0];
    const uint64_t from = spill->writer.n_written;
    trib_words words;
    bool *left_out = NULL;
    uint64_t n_left = 0;
    uint32_t n = 0;
    trib_status status = trib_document_words_open(document, &words, error);
    if (status != TRIB_OK) return status;
    status = trib_new(&left_out, words.n_words, sizeof *left_out, "words left out", error);
    for (uint32_t w = 0; w < words.n_words && status == TRIB_OK; w++)
        left_out[w] = words.id[w] == TRIB_LEFT_OUT;
    if (status == TRIB_OK)
        status = trib_words_without(&words, left_out, writer, &spill->writer, &n_left, error);
    if (status == TRIB_OK) status = trib_writer_flush(&spill->writer, error);
    if (status == TRIB_OK) {
        for (uint32_t w = 0; w < words.n_words; w++)
            if (!left_out[w]) words.id[n++] = words.id[w];
        document->n_words = n;
        document->n_tokens = (size_t)n_left;
        document->file = &spill->reader;
        document->from = from;
        document->size = spill->writer.n_written - from;
        status = trib_corpus_words_put_ids(all, document, words.id, true, env->scratch, error);
    }
    trib_words_close(&words);
    trib_free(left_out);
    return status;
}

static trib_status find_left_out(const trib_document_words *document, bool *has_some,
                                 trib_error *error) {
    uint32_t *id = NULL;
    const trib_status status = trib_document_words_ids(document, &id, error);
    *has_some = false;
    for (uint32_t w = 0; id && w < document->n_words && !*has_some; w++)
        *has_some = id[w] == TRIB_LEFT_OUT;
    trib_free(id);
    return status;
}

static trib_status open_spill(const trib_environment *env, trib_corpus_words *words,
                              trib_error *error) {
    trib_status status = trib_new(&words->spill, (size_t)env->n_threads, sizeof *words->spill,
                                  "words left out", error);
    if (status == TRIB_OK)
        status = trib_writer_scratch(&words->spill[0].writer, env->scratch, error);
    if (status != TRIB_OK) return status;
    words->spill[0].reader = trib_writer_reader(&words->spill[0].writer);
    words->n_spills = 1;
    return TRIB_OK;
}

static trib_status leave_out_words(const trib_environment *env, trib_corpus_words *words,
                                   trib_error *error) {
    trib_words_writer writer = {0};
    trib_status status = words->n_spills == 0 ? open_spill(env, words, error) : TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents && status == TRIB_OK; d++) {
        bool has_some = false;
        if (words->document[d].file) status = find_left_out(&words->document[d], &has_some, error);
        if (status == TRIB_OK && has_some)
            status = leave_out(env, words, &words->document[d], &writer, error);
    }
    trib_words_writer_release(&writer);
    return status;
}

/* ---- The stage ------------------------------------------------------------------------------- */

/* Replaces the provisional ids of all words by those of the vocabulary. */
static trib_status number_documents(const trib_environment *env, trib_corpus_words *words,
                                    const uint32_t *final_id, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents && status == TRIB_OK; d++) {
        trib_document_words *document = &words->document[d];
        uint32_t *id = NULL;
        status = trib_document_words_ids(document, &id, error);
        for (uint32_t w = 0; id && w < document->n_words; w++) id[w] = final_id[id[w]];
        if (id) status = trib_corpus_words_put_ids(words, document, id, true, env->scratch, error);
        trib_free(id);
    }
    if (status == TRIB_OK) trib_writer_abandon(&words->ids[0].writer);
    return status;
}

/* Makes the vocabulary of a corpus some of whose words lie in a file. */
static trib_status merge_words(const trib_environment *env, trib_corpus_words *words,
                               trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    const trib_config *config = env->config;
    const trib_vocab_options options = {.size = config->vocabulary.size,
                                        .min_count = config->vocabulary.min_count,
                                        .min_documents = config->vocabulary.min_documents,
                                        .wildcard = config->vocabulary.wildcard};
    trib_scratch_array final_id = {0};
    trib_status status = trib_word_counts_move(counts, env->scratch, error);
    trib_intern_release(&counts->intern);
    if (status == TRIB_OK)
        status =
            trib_word_runs_merge(&counts->runs, &options, env->scratch, vocab, &final_id, error);
    if (status == TRIB_OK) status = number_documents(env, words, final_id.bytes, error);
    if (status == TRIB_OK) trib_word_counts_release(counts);
    trib_scratch_array_close(&final_id);
    return status;
}

trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    const trib_comm *comm = env->comm;
    if (counts->runs.n > 0) return merge_words(env, words, counts, vocab, error);
    const bool has_norms = counts->spellings.norms != NULL;
    uint32_t *final_id = NULL;
    trib_status status = trib_share_added_vocabularies(comm, counts, error);
    if (status == TRIB_OK)
        status = trib_new(&final_id, counts->intern.n_words, sizeof *final_id, "word ids", error);
    if (status == TRIB_OK && comm->rank == 0)
        status = build(env->config, counts, &words->changes, vocab, final_id, error);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK) status = trib_share_vocabulary(comm, counts, vocab, final_id, error);
    if (status == TRIB_OK && has_norms)
        status = trib_share_left_out(comm, &counts->intern, final_id, words->changes.hash, error);
    words->changes.has_norms = has_norms;
    if (status == TRIB_OK) status = number_documents(env, words, final_id, error);
    if (status == TRIB_OK) trib_word_counts_release(counts);
    trib_free(final_id);
    return status == TRIB_OK && has_norms ? leave_out_words(env, words, error) : status;
}
