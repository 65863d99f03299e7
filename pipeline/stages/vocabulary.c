/* vocabulary.c - stage vocabulary: the words of all texts become the vocabulary of the corpus, and
 * each text's words get its ids. When words have norms, a norm is one word of the vocabulary, shown
 * by its most frequent spelling; words that are left out are taken out of the texts, so that later
 * stages see their neighbours side by side. */
#include "pipeline/config/config.h"
#include "pipeline/stages/document_words.h"
#include "pipeline/stages/tokens.h"

/* ---- Merging --------------------------------------------------------------------------------- */

/* Words of a vocabulary whose words have norms: those of `runs`, then those in memory. */
typedef struct shown_words {
    uint32_t n;            /* words in memory */
    trib_buffer text;      /* spelling, TRIB_BEFORE_NORM, norm and NUL of each */
    uint64_t *count;       /* [n] */
    uint32_t *n_documents; /* [n] */
    size_t count_cap, n_documents_cap;
    trib_word_runs runs;
} shown_words;

/* The making of a vocabulary from runs of words. */
typedef struct merging {
    const trib_environment *env;
    const trib_vocab_options options;
    trib_spellings *spellings; /* of words with norms; otherwise NULL */
    trib_word_changes *changes;
    uint32_t most_words;
    trib_intern *list; /* the words of vocabulary.file, or their norms */
    bool *occurs;      /* [list->n_words] norms that occur */
    shown_words shown; /* the norms that are not left out */
    uint32_t n_left_out;
} merging;

static void release_shown(shown_words *w) {
    trib_buffer_release(&w->text);
    TRIB_FREE(w->count, w->n_documents);
    trib_word_runs_release(&w->runs);
}

static trib_status move_shown(shown_words *w, const char *scratch, trib_error *error) {
    const trib_status status = trib_word_runs_add(&w->runs, w->n, w->text.text, w->text.length,
                                                  w->count, w->n_documents, scratch, error);
    w->n = 0;
    trib_buffer_clear(&w->text);
    return status;
}

static trib_status add_shown(merging *m, const trib_chosen *norm, trib_error *error) {
    shown_words *w = &m->shown;
    trib_status status = w->n > m->most_words ? move_shown(w, m->env->scratch, error) : TRIB_OK;
    if (status == TRIB_OK)
        status = TRIB_GROW(&w->count, &w->count_cap, (size_t)w->n + 1, "word counts", error);
    if (status == TRIB_OK)
        status =
            TRIB_GROW(&w->n_documents, &w->n_documents_cap, (size_t)w->n + 1, "word counts", error);
    trib_buffer_add(&w->text, norm->shown, norm->shown_length, error);
    trib_buffer_add(&w->text, TRIB_BEFORE_NORM, strlen(TRIB_BEFORE_NORM), error);
    trib_buffer_add(&w->text, norm->norm, norm->norm_length, error);
    if (status == TRIB_OK) status = trib_buffer_add(&w->text, "", 1, error);
    if (status != TRIB_OK) return status;
    w->count[w->n] = norm->count;
    w->n_documents[w->n++] = norm->n_documents;
    return TRIB_OK;
}

static trib_status take_norm(void *context, const trib_chosen *norm, trib_error *error) {
    merging *m = context;
    const uint32_t listed = trib_intern_find(m->list, norm->norm, norm->norm_length);
    if (listed != TRIB_NO_WORD) m->occurs[listed] = true;
    if (norm->n_documents > 0) return add_shown(m, norm, error);
    m->n_left_out++;
    return TRIB_OK;
}

/* Adds the listed norms that do not occur. */
static trib_status add_others(merging *m, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < m->list->n_words && status == TRIB_OK; i++) {
        const char *word = trib_intern_word(m->list, i);
        const size_t n = strlen(word);
        const trib_chosen norm = {.norm = word, .shown = word, .norm_length = n, .shown_length = n};
        if (!m->occurs[i]) status = add_shown(m, &norm, error);
    }
    return status;
}

/* Writes the norms of the corpus as runs; number[all->n] as in trib_spellings_choose. */
static trib_status choose_norms(merging *m, const trib_merged_words *all, uint32_t *number,
                                trib_error *error) {
    trib_status status = trib_spellings_list(m->spellings, all, m->list, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&m->occurs, m->list->n_words, "a list of words", error);
    if (status == TRIB_OK)
        status = trib_spellings_choose(m->spellings, all, take_norm, m, number, m->changes, error);
    if (status == TRIB_OK) status = add_others(m, error);
    return status == TRIB_OK ? move_shown(&m->shown, m->env->scratch, error) : status;
}

/* Makes the vocabulary of the norms. of[n_ids] has the number of each spelling in all runs, and
 * receives its final id. */
static trib_status number_norms(const merging *m, const uint32_t *number, uint32_t n_ids,
                                trib_vocab *vocab, uint32_t *of, trib_error *error) {
    trib_vocab_options options = m->options;
    trib_scratch_array ids;
    options.n_left_out = m->n_left_out;
    const trib_status status =
        trib_word_runs_merge(&m->shown.runs, &options, m->env->scratch, vocab, &ids, error);
    const uint32_t *const id = ids.bytes;
    for (uint32_t p = 0; p < n_ids && status == TRIB_OK; p++)
        of[p] = number[of[p]] == TRIB_LEFT_OUT ? TRIB_LEFT_OUT : id[number[of[p]]];
    trib_scratch_array_close(&ids);
    return status;
}

static trib_status merge_norms(merging *m, const trib_word_runs *runs, trib_vocab *vocab,
                               trib_scratch_array *final_id, trib_error *error) {
    trib_merged_words all;
    trib_scratch_array number = {0};
    *vocab = (trib_vocab){.other = TRIB_NO_WORD};
    trib_status status = trib_word_runs_join(runs, m->env->scratch, &all, error);
    if (status == TRIB_OK)
        status = trib_scratch_array_open(&number, all.n, sizeof(uint32_t), m->env->scratch, error);
    if (status == TRIB_OK) status = choose_norms(m, &all, number.bytes, error);
    trib_scratch_array_close(&all.text);
    if (status == TRIB_OK)
        status = number_norms(m, number.bytes, runs->n_ids, vocab, all.of.bytes, error);
    if (status == TRIB_OK) {
        *final_id = all.of;
        all.of = (trib_scratch_array){0};
    }
    trib_merged_words_close(&all);
    trib_scratch_array_close(&number);
    release_shown(&m->shown);
    trib_free(m->occurs);
    return status;
}

static trib_status merge_runs(void *context, const trib_word_runs *runs, trib_vocab *vocab,
                              trib_scratch_array *final_id, trib_error *error) {
    merging *m = context;
    return m->spellings
               ? merge_norms(m, runs, vocab, final_id, error)
               : trib_word_runs_merge(runs, &m->options, m->env->scratch, vocab, final_id, error);
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
    status = TRIB_NEW(&left_out, words.n_words, "words left out", error);
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
    trib_status status = TRIB_NEW(&words->spill, (size_t)env->n_threads, "words left out", error);
    if (status == TRIB_OK)
        status = trib_writer_scratch(&words->spill[0].writer, env->scratch, false, error);
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

/* Rank 0 reads the list of words. Without norms, it becomes a run of words without occurrences. */
static trib_status add_list(const trib_environment *env, trib_word_counts *counts,
                            trib_intern *list, trib_error *error) {
    uint64_t *count = NULL;
    uint32_t *n_documents = NULL;
    if (!env->config->vocabulary.file || env->comm->rank > 0) return TRIB_OK;
    trib_status status = trib_vocab_read_file(list, env->config->vocabulary.path, error);
    if (counts->spellings.norms) return status;
    if (status == TRIB_OK) status = TRIB_NEW(&count, list->n_words, "a list of words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&n_documents, list->n_words, "a list of words", error);
    if (status == TRIB_OK)
        status = trib_word_runs_add(&counts->runs, list->n_words, list->text, list->n_text, count,
                                    n_documents, env->scratch, error);
    TRIB_FREE(count, n_documents);
    return status;
}

static trib_vocab_options options_of(const trib_config *config, const trib_intern *list) {
    return (trib_vocab_options){.size = config->vocabulary.size,
                                .min_count = config->vocabulary.min_count,
                                .min_documents = config->vocabulary.min_documents,
                                .wildcard = config->vocabulary.wildcard,
                                .fixed = config->vocabulary.file ? list : NULL};
}

/* Makes the vocabulary of a corpus whose words have norms, are those of several processes, or are
 * so many that they go to files. */
static trib_status merge_words(const trib_environment *env, trib_corpus_words *words,
                               trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    const bool has_norms = counts->spellings.norms != NULL;
    const bool are_many =
        counts->most_words > 0 && trib_share_n_words(env->comm, counts) > counts->most_words;
    trib_intern list = {0};
    trib_vocab_options options = options_of(env->config, &list);
    options.have_norms = has_norms;
    merging m = {.env = env,
                 .options = options,
                 .spellings = has_norms ? &counts->spellings : NULL,
                 .changes = &words->changes,
                 .most_words = counts->most_words > 0 ? counts->most_words : TRIB_WORDS_IN_MEMORY,
                 .list = &list};
    trib_scratch_array final_id = {0};
    trib_status status = trib_word_counts_move(counts, env->scratch, error);
    trib_word_counts_forget(counts);
    if (status == TRIB_OK) status = add_list(env, counts, &list, error);
    status = trib_share_word_runs(env->comm, status, &counts->runs, merge_runs, &m, env->scratch,
                                  vocab, &final_id, error);
    trib_intern_release(&list);
    if (status == TRIB_OK && are_many)
        trib_log_say(
            env->log, TRIB_LOG_INFO,
            "vocabulary: over %lu words, counted by each process; it lies in a scratch file in %s",
            (unsigned long)counts->most_words, env->scratch);
    if (status == TRIB_OK && has_norms) {
        words->changes.has_norms = true;
        trib_comm_share(env->comm, 0, words->changes.hash, sizeof words->changes.hash);
    }
    if (status == TRIB_OK) status = number_documents(env, words, final_id.bytes, error);
    if (status == TRIB_OK) trib_word_counts_release(counts);
    trib_scratch_array_close(&final_id);
    return status == TRIB_OK && has_norms ? leave_out_words(env, words, error) : status;
}

/* Makes it from the table of the words. */
static trib_status build(const trib_config *config, const trib_word_counts *counts,
                         trib_vocab *vocab, uint32_t *final_id, trib_error *error) {
    TRIB_OWNED(trib_intern) list = {0};
    const trib_vocab_options options = options_of(config, &list);
    trib_status status = config->vocabulary.file
                             ? trib_vocab_read_file(&list, config->vocabulary.path, error)
                             : TRIB_OK;
    return status == TRIB_OK ? trib_vocab_build(vocab, &counts->intern, counts->count,
                                                counts->n_documents, &options, final_id, error)
                             : status;
}

trib_status trib_stage_vocabulary(const trib_environment *env, trib_corpus_words *words,
                                  trib_word_counts *counts, trib_vocab *vocab, trib_error *error) {
    if (env->comm->size > 1 || counts->spellings.norms ||
        (counts->most_words > 0 && trib_share_n_words(env->comm, counts) > counts->most_words))
        return merge_words(env, words, counts, vocab, error);
    uint32_t *final_id = NULL;
    trib_status status = TRIB_NEW(&final_id, counts->intern.n_words, "word ids", error);
    if (status == TRIB_OK) status = build(env->config, counts, vocab, final_id, error);
    if (status == TRIB_OK) status = number_documents(env, words, final_id, error);
    if (status == TRIB_OK) trib_word_counts_release(counts);
    trib_free(final_id);
    return status;
}

/* ---- Words that occur nowhere else ----------------------------------------------------------- */

/* Whether a word has up to three letters, in a script whose words are usually longer. */
static bool is_short(const char *word) {
    size_t n = 0;
    bool is_long = false; /* U+0580 and later: not Latin, Greek or Cyrillic */
    for (const char *at = word; *at; at++) {
        n += (*at & 0xC0) != 0x80;
        is_long = is_long || (unsigned char)*at >= 0xD6;
    }
    return n <= 3 && !is_long;
}

trib_status trib_count_alone(trib_corpus_words *words, const trib_vocab *vocab, int rank,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents && vocab->n_other == 0; d++) {
        trib_document_words *const document = &words->document[d];
        trib_account_counts *const counts = &document->account.counts;
        trib_words_cursor text = {0};
        trib_placed_word word;
        if (document->rank != rank) continue;
        counts->alone = counts->short_alone = 0;
        status = trib_words_cursor_open(&text, document, error);
        for (size_t i = 0; i < document->n_tokens && status == TRIB_OK; i++) {
            status = trib_words_cursor_at(&text, i, &word, error);
            if (status != TRIB_OK || word.id >= vocab->n_words || vocab->count[word.id] > 1)
                continue;
            counts->alone++;
            counts->short_alone += is_short(vocab->word[word.id]);
        }
        trib_words_cursor_close(&text);
        if (status != TRIB_OK) break;
    }
    return status;
}
