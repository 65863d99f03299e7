/* vocabulary.c - stage vocabulary: the words of all texts become the vocabulary of the corpus, and
 * each text's words get its ids. When words have norms, a norm is one word of the vocabulary, shown
 * by its most frequent spelling; words that are left out are taken out of the texts, so that later
 * stages see their neighbours side by side. */
#include "pipeline/stages/shared_words.h"
#include "pipeline/stages/tokens.h"

#include <string.h>

/* Adds the norms of a listed word: of its norms by language those that occur, or else the first. */
static trib_status add_norms(trib_word_counts *counts, const char *word, trib_intern *made,
                             trib_error *error) {
    trib_spellings *spellings = &counts->spellings;
    const size_t prefix = trib_spellings_prefix(spellings), length = strlen(word);
    const uint32_t n_languages = spellings->n_languages;
    bool has_some = false;
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k <= n_languages && status == TRIB_OK; k++) {
        const char *key, *norm = NULL;
        size_t n = 0;
        uint32_t id;
        if (k == n_languages && has_some) break;
        status = trib_spellings_key(spellings, k % n_languages, word, length, &key, &n, error);
        if (status == TRIB_OK) status = trib_spellings_norm(spellings, key, n, &norm, &n, error);
        if (status != TRIB_OK ||
            (k < n_languages && trib_intern_find(&counts->intern, norm, n) == TRIB_NO_WORD))
            continue;
        has_some = true;
        status = trib_intern_add(made, norm + prefix, n - prefix, &id, error);
    }
    return status;
}

/* Replaces the words of a list by their norms. */
static trib_status make_norms(trib_word_counts *counts, trib_intern *list, trib_error *error) {
    trib_intern made = {0};
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < list->n_words && status == TRIB_OK; i++)
        status = add_norms(counts, trib_intern_word(list, i), &made, error);
    trib_intern_release(list);
    *list = made;
    return status;
}

/* The words of the texts while the vocabulary is made. */
typedef struct norms {
    bool *counted_left_out;  /* [counts->intern.n_words] */
    trib_word_counts joined; /* with several languages: their norms without those left out */
    uint32_t *joined_id; /* with several languages: [counts->intern.n_words] the id in `joined` */
    bool *left_out;      /* with several languages: [joined.intern.n_words] in all of them */
    trib_chosen chosen;
} norms;

static void release_norms(norms *x) {
    trib_free(x->counted_left_out);
    trib_word_counts_release(&x->joined);
    trib_free(x->joined_id);
    trib_free(x->left_out);
    trib_chosen_release(&x->chosen);
}

/* Joins the norms that are written alike in several languages. */
static trib_status join_languages(norms *x, const trib_word_counts *counts, trib_error *error) {
    const trib_intern *words = &counts->intern;
    const size_t prefix = trib_spellings_prefix(&counts->spellings);
    trib_status status =
        trib_new(&x->joined_id, words->n_words, sizeof *x->joined_id, "word counts", error);
    for (uint32_t p = 0; p < words->n_words && status == TRIB_OK; p++) {
        const char *word = trib_intern_word(words, p) + prefix;
        const bool is_left = !x->counted_left_out[p];
        status =
            trib_word_counts_add(&x->joined, word, strlen(word), is_left ? counts->count[p] : 0,
                                 is_left ? counts->n_documents[p] : 0, &x->joined_id[p], error);
    }
    if (status == TRIB_OK)
        status = trib_new(&x->left_out, x->joined.intern.n_words, sizeof *x->left_out,
                          "words left out", error);
    for (uint32_t i = 0; i < x->joined.intern.n_words && status == TRIB_OK; i++)
        x->left_out[i] = x->joined.n_documents[i] == 0;
    return status;
}

static trib_status make_vocabulary(const trib_config *config, trib_word_counts *counts, norms *x,
                                   trib_word_changes *changes, trib_vocab *vocab,
                                   uint32_t *final_id, trib_error *error) {
    const trib_word_counts *const all = x->joined_id ? &x->joined : counts;
    const uint32_t n = counts->intern.n_words, n_all = all->intern.n_words;
    const bool has_norms = counts->spellings.norms != NULL;
    trib_intern fixed = {0};
    uint32_t *id = final_id; /* [n_all] */
    trib_status status = config->vocabulary.file
                             ? trib_vocab_read_file(&fixed, config->vocabulary.path, error)
                             : TRIB_OK;
    if (status == TRIB_OK && has_norms) status = make_norms(counts, &fixed, error);
    const trib_norm_counts of = {&counts->intern, counts->count, x->counted_left_out, &all->intern,
                                 x->joined_id};
    if (status == TRIB_OK && has_norms)
        status = trib_spellings_choose(&counts->spellings, &of, &x->chosen, changes, error);
    if (status == TRIB_OK && x->joined_id)
        status = trib_new(&id, n_all, sizeof *id, "word ids", error);
    const trib_vocab_options options = {
        .size = config->vocabulary.size,
        .min_count = config->vocabulary.min_count,
        .min_documents = config->vocabulary.min_documents,
        .wildcard = config->vocabulary.wildcard,
        .fixed = config->vocabulary.file ? &fixed : NULL,
        .shown = x->chosen.shown,
        .shown_differ = !x->joined_id,
        .left_out = x->joined_id ? x->left_out : x->counted_left_out,
    };
    if (status == TRIB_OK)
        status = trib_vocab_build(vocab, &all->intern, all->count, all->n_documents, &options, id,
                                  error);
    for (uint32_t p = 0; p < n && status == TRIB_OK && x->joined_id; p++)
        final_id[p] = x->counted_left_out[p] ? TRIB_LEFT_OUT : id[x->joined_id[p]];
    if (id != final_id) trib_free(id);
    trib_intern_release(&fixed);
    return status;
}

static trib_status build(const trib_config *config, trib_word_counts *counts,
                         trib_word_changes *changes, trib_vocab *vocab, uint32_t *final_id,
                         trib_error *error) {
    const trib_intern *words = &counts->intern;
    norms x = {0};
    trib_status status = TRIB_OK;
    if (counts->spellings.norms) {
        status = trib_new(&x.counted_left_out, words->n_words, sizeof *x.counted_left_out,
                          "words left out", error);
        if (status == TRIB_OK)
            status = trib_spellings_leave_out(&counts->spellings, words, counts->count,
                                              x.counted_left_out, error);
        if (status == TRIB_OK && trib_spellings_prefix(&counts->spellings) > 0)
            status = join_languages(&x, counts, error);
    }
    if (status == TRIB_OK)
        status = make_vocabulary(config, counts, &x, changes, vocab, final_id, error);
    release_norms(&x);
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

/* Reads the list of words, which becomes a run of words without occurrences on rank 0. */
static trib_status add_list(const trib_environment *env, trib_word_counts *counts,
                            trib_intern *list, trib_error *error) {
    uint64_t *count = NULL;
    uint32_t *n_documents = NULL;
    if (!env->config->vocabulary.file || env->comm->rank > 0) return TRIB_OK;
    trib_status status = trib_vocab_read_file(list, env->config->vocabulary.path, error);
    if (status == TRIB_OK)
        status = trib_new(&count, list->n_words, sizeof *count, "a list of words", error);
    if (status == TRIB_OK)
        status =
            trib_new(&n_documents, list->n_words, sizeof *n_documents, "a list of words", error);
    if (status == TRIB_OK)
        status = trib_word_runs_add(&counts->runs, list, count, n_documents, env->scratch, error);
    trib_free(count);
    trib_free(n_documents);
    return status;
}

/* Makes the vocabulary of a corpus whose words go to files. */
static trib_status merge_words(const trib_environment *env, trib_corpus_words *words,
                               trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    const trib_config *config = env->config;
    trib_intern list = {0};
    const trib_vocab_options options = {.size = config->vocabulary.size,
                                        .min_count = config->vocabulary.min_count,
                                        .min_documents = config->vocabulary.min_documents,
                                        .wildcard = config->vocabulary.wildcard,
                                        .fixed = config->vocabulary.file ? &list : NULL};
    trib_scratch_array final_id = {0};
    trib_status status = trib_word_counts_move(counts, env->scratch, error);
    trib_intern_release(&counts->intern);
    if (status == TRIB_OK) status = add_list(env, counts, &list, error);
    status = trib_comm_agree(env->comm, status, error);
    if (status == TRIB_OK)
        status = trib_share_word_runs(env->comm, &counts->runs, &options, env->scratch, vocab,
                                      &final_id, error);
    trib_intern_release(&list);
    if (status == TRIB_OK)
        trib_log_say(
            env->log, TRIB_LOG_INFO,
            "vocabulary: over %lu words, counted by each process; it lies in a scratch file in %s",
            (unsigned long)counts->most_words, env->scratch);
    if (status == TRIB_OK) status = number_documents(env, words, final_id.bytes, error);
    if (status == TRIB_OK) trib_word_counts_release(counts);
    trib_scratch_array_close(&final_id);
    return status;
}

trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    const trib_comm *comm = env->comm;
    if (counts->most_words > 0 && trib_share_n_words(comm, counts) > counts->most_words)
        return merge_words(env, words, counts, vocab, error);
    const bool has_norms = counts->spellings.norms != NULL;
    uint32_t *final_id = NULL;
    trib_word_counts_sum(counts);
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
