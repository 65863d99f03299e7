/* tokens.c - stages tokens and vocabulary. Texts are cut into words side by side; every thread writes the words of its texts,
 * with each text's own numbers, into a file without a name. The texts' vocabularies are joined in the order of the
 * documents, whatever the order they are done in: what waits for its turn waits in those files, and memory holds the
 * vocabulary of the corpus and what the texts at hand need. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/run/rejected.h"
#include "pipeline/run/run.h"
#include "pipeline/stages/reading.h"
#include "pipeline/stages/shared_words.h"
#include "pipeline/store/cached.h"
#include "pipeline/support/gate.h"

/* ---- What is said of a text ------------------------------------------------------------------------------------------ */

static trib_status tell_cuts(trib_run *run, const trib_run_document *document,
                             const trib_words_about *about, trib_error *error) {
    const trib_cuts *cuts = &about->cuts;
    const char *path = document->about->path;
    char between[96] = "";
    if (cuts->n_texts > 1)
        snprintf(between, sizeof between, ", %llu (%llu) between its %u texts",
                 (unsigned long long)cuts->between.n_bytes,
                 (unsigned long long)cuts->between.n_lines, (unsigned)cuts->n_texts);
    if (cuts->before.n_bytes + cuts->between.n_bytes + cuts->behind.n_bytes == 0)
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: nothing to strip was found", path);
    else
        trib_log_say(run->log, TRIB_LOG_INFO,
                     "%s: stripped %llu bytes (%llu lines) before the text%s, %llu (%llu) behind",
                     path, (unsigned long long)cuts->before.n_bytes,
                     (unsigned long long)cuts->before.n_lines, between,
                     (unsigned long long)cuts->behind.n_bytes,
                     (unsigned long long)cuts->behind.n_lines);
    if (!*about->remark || about->remark_line == 0) return TRIB_OK;
    return trib_run_warn(run, error, "%s:%llu: %s", path, (unsigned long long)about->remark_line,
                         about->remark);
}

static trib_status tell(trib_run *run, const trib_run_document *document,
                        const trib_words_about *about, trib_error *error) {
    const char *path = document->about->path;
    trib_status status = TRIB_OK;
    if (run->config->corpus.strip.n > 0) status = tell_cuts(run, document, about, error);
    if (status == TRIB_OK && *about->remark && about->remark_line == 0)
        status = trib_run_warn(run, error, "%s: %s", path, about->remark);
    if (status != TRIB_OK) return status;
    if (strcmp(run->config->corpus.encoding, "auto") == 0)
        trib_log_say(run->log, TRIB_LOG_DEBUG, "%s: is %s", path, about->encoding);
    if (document->n_tokens == 0) return trib_fail(error, TRIB_INPUT, "%s: holds no word", path);
    if (about->counts.n_replaced > 0)
        status =
            trib_run_warn(run, error, "%s: %llu invalid byte sequences were replaced by U+FFFD",
                          path, (unsigned long long)about->counts.n_replaced);
    return status;
}

/* ---- Joining the vocabularies ------------------------------------------------------------------------------------------ */

trib_status trib_run_add_word(trib_run *run, const char *word, size_t length, uint64_t count,
                              uint32_t n_documents, uint32_t *id, trib_error *error) {
    const uint32_t n = run->intern.n_words;
    trib_status status = trib_grow(&run->word_count, &run->word_count_cap, (size_t)n + 1,
                                   sizeof *run->word_count, "word counts", error);
    if (status == TRIB_OK)
        status = trib_grow(&run->word_documents, &run->word_documents_cap, (size_t)n + 1,
                           sizeof *run->word_documents, "word counts", error);
    if (status == TRIB_OK) status = trib_intern_add(&run->intern, word, length, id, error);
    if (status != TRIB_OK) return status;
    if (*id == n) run->word_count[n] = run->word_documents[n] = 0;
    run->word_count[*id] += count;
    run->word_documents[*id] += n_documents;
    return TRIB_OK;
}

static void note(trib_run_document *document, const trib_words_about *about) {
    document->counts = about->counts;
    document->cuts = about->cuts;
    memcpy(document->encoding, about->encoding, sizeof document->encoding);
}

/* With `about` NULL what there is to say of the document is said, else it is left there. One that failed for memory goes on
 * at the word where it stopped. */
static trib_status join(trib_run *run, trib_run_document *document, trib_words_about *about,
                        trib_error *error) {
    trib_words words;
    trib_status status = trib_run_words(document, &words, error);
    if (status != TRIB_OK) return status;
    document->n_tokens = (size_t)words.n_tokens;
    document->n_words = words.n_words;
    if (!document->id)
        status = trib_new(&document->id, words.n_words, sizeof *document->id, "a document's words",
                          error);
    for (uint32_t w = document->n_joined; w < words.n_words && status == TRIB_OK; w++) {
        status = trib_run_add_word(run, trib_words_spelling(&words, w),
                                   words.start[w + 1] - words.start[w] - 1, words.count[w], 1,
                                   &document->id[w], error);
        document->n_joined += status == TRIB_OK;
    }
    if (status == TRIB_OK && about) {
        *about = words.about;
    } else if (status == TRIB_OK) {
        note(document, &words.about);
        status = tell(run, document, &words.about, error);
    }
    trib_words_close(&words);
    return status;
}

trib_status trib_run_join(trib_run *run, trib_run_document *document, trib_error *error) {
    return join(run, document, NULL, error);
}

/* ---- Stage tokens ------------------------------------------------------------------------------------------------------ */

/* The documents on their way. */
typedef struct march {
    trib_run *run;
    bool *is_done;           /* [n_documents] its words are written, or it is refused */
    uint32_t next;           /* the first document that has not been joined or passed over */
    uint32_t n;              /* documents up to the first that failed: those behind do not matter */
    trib_words_about *about; /* [n_documents] with several ranks; else NULL */
    trib_status status;      /* of document n, or of joining one before */
    trib_error failure;
    trib_progress progress;
} march;

static void stop(march *m, uint32_t document, trib_status status, const trib_error *failure) {
    if (document >= m->n) return;
    m->n = document;
    m->status = status;
    m->failure = *failure;
}

static bool is_own(const march *m, uint32_t d) {
    return m->run->document[d].rank == m->run->team.rank;
}

/* Joins every document whose turn it is; those of other ranks are passed over. False where that needs more memory than there
 * is beside other threads. */
static bool join_documents(march *m, bool is_alone) {
    while (m->next < m->n && (m->is_done[m->next] || !is_own(m, m->next))) {
        trib_run_document *document = &m->run->document[m->next];
        trib_words_about *about = m->about ? &m->about[m->next] : NULL;
        trib_error failure = {0};
        trib_status status = document->refused || !is_own(m, m->next)
                                 ? TRIB_OK
                                 : join(m->run, document, about, &failure);
        if (status == TRIB_OK &&
            !trib_progress_tick(&m->progress, m->next + 1, m->run->n_documents))
            status = trib_log_stopped(m->run->log, &failure);
        if (status == TRIB_MEMORY && !is_alone) return false;
        if (status != TRIB_OK) stop(m, m->next, status, &failure);
        else m->next++;
    }
    return true;
}

/* A text of fewer words than an n-gram has serves for nothing. */
static trib_status check_length(const trib_run *run, const trib_run_document *document,
                                uint64_t n_words, trib_error *error) {
    const trib_corpus_document *about = document->about;
    const unsigned n = run->config->tensor.n;
    if (run->config->corpus.n_documents == 0 || n_words >= n) return TRIB_OK; /* a text alone */
    if (n_words == 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: holds no word; remove '%s' from the documents or give it a text",
                         about->path, about->id);
    return trib_fail(
        error, TRIB_INPUT,
        "%s: holds no %u-gram (%u words); give it more text, remove '%s' or lower tensor.n",
        about->path, n, (unsigned)n_words, about->id);
}

static trib_status read_document(trib_run *run, uint32_t d, trib_reading *reading,
                                 trib_run_spill *spill, trib_error *error) {
    trib_run_document *document = &run->document[d];
    uint64_t from = spill->writer.n_written, n_words = 0;
    bool taken = false;
    trib_status status =
        trib_cached_take_words(run, d, &spill->writer, &spill->reader, &taken, &n_words, error);
    if (status == TRIB_OK && !taken) {
        from = spill->writer.n_written; /* what is damaged may lie before it */
        status = trib_reading_do(reading, document->about->path, &spill->writer, error);
        n_words = reading->words.n_tokens;
    }
    if (status == TRIB_OK) status = trib_run_check_unchanged(document, error);
    if (status == TRIB_OK) status = check_length(run, document, n_words, error);
    if (status == TRIB_OK) status = trib_writer_flush(&spill->writer, error);
    document->words = &spill->reader;
    document->words_from = from;
    document->words_size = spill->writer.n_written - from;
    return status == TRIB_OK && !taken ? trib_cached_put_words(run, d, error) : status;
}

/* Reads document d and joins what can be joined. False where that needs more memory than there is beside other threads; then
 * it is done again alone. */
static bool read_and_join(march *m, uint32_t d, trib_reading *reading, trib_run_spill *spill,
                          bool is_alone) {
    trib_run *run = m->run;
    trib_error failure = {0};
    bool fits = true;
    trib_status status = run->document[d].refused || m->is_done[d]
                             ? TRIB_OK
                             : read_document(run, d, reading, spill, &failure);
    if (status == TRIB_INPUT && run->config->corpus.n_documents > 0) {
        const trib_error why = failure;
        status = trib_run_reject(&run->document[d], &why, &failure);
    }
    if (status == TRIB_MEMORY && !is_alone) return false;
#pragma omp critical(trib_tokens)
    {
        m->is_done[d] = status == TRIB_OK;
        if (status != TRIB_OK) stop(m, d, status, &failure);
        fits = join_documents(m, is_alone);
    }
    return fits;
}

static void read_documents(march *m, trib_reading reading[], int n_threads) {
    trib_run *run = m->run;
    trib_gate gate;
    trib_gate_init(&gate);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t d = 0; d < run->n_documents; d++) {
        const int thread = omp_get_thread_num();
        bool wanted = false;
#pragma omp critical(trib_tokens)
        wanted = d < m->n && is_own(m, d);
        if (!wanted) continue;
        trib_gate_enter(&gate);
        const bool fits =
            read_and_join(m, d, &reading[thread], &run->spill[thread], n_threads == 1);
        trib_gate_leave(&gate);
        if (fits) continue;
        trib_gate_enter_alone(&gate);
        for (int t = 0; t < n_threads; t++) trib_words_writer_release(&reading[t].words);
        (void)read_and_join(m, d, &reading[thread], &run->spill[thread], true);
        trib_gate_leave(&gate);
    }
    trib_gate_release(&gate);
}

/* Whether a rank has refused document d; then all do. */
static trib_status agree_on(trib_run *run, uint32_t d, trib_error *error) {
    trib_run_document *document = &run->document[d];
    trib_error why = {0};
    if (document->refused) trib_fail(&why, TRIB_INPUT, "%s", document->refused);
    const trib_status status = trib_comm_agree(&run->team, why.status, &why);
    return status == TRIB_OK ? TRIB_OK : trib_run_reject(document, &why, error);
}

/* What one rank could not open none reads: so all join the same documents. */
static trib_status agree_before(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    if (trib_comm_least(&run->team, trib_run_count_rejected(run) == 0) == 1) return TRIB_OK;
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        status = trib_comm_agree(&run->team, agree_on(run, d, error), error);
    return status;
}

/* What every rank has found goes to all, which say of the documents what one process would say, in their order. */
static trib_status tell_found(march *m, trib_error *error) {
    trib_run *run = m->run;
    trib_status status = m->status;
    if (status != TRIB_OK && error) *error = m->failure;
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) status = trib_share_found_words(run, m->about, error);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++) {
        if (run->document[d].refused) continue;
        note(&run->document[d], &m->about[d]);
        status = tell(run, &run->document[d], &m->about[d], error);
    }
    return trib_comm_agree(&run->team, status, error);
}

static uint64_t n_bytes(const trib_run *run, uint32_t d) { return run->document[d].n_bytes; }

static trib_status choose_ranks(trib_run *run, trib_error *error) {
    int *owner = NULL;
    const trib_status status = trib_run_owners(run, run->n_documents, n_bytes, &owner, error);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        run->document[d].rank = owner[d];
    trib_free(owner);
    return status;
}

const char *trib_run_scratch(const trib_run *run) {
    const char *asked = getenv("TMPDIR");
    if (run->is_open) return run->directory;
    return asked && *asked ? asked : "/tmp";
}

trib_status trib_stage_tokens(trib_run *run, trib_error *error) {
    const int n_threads =
        run->n_documents < (uint32_t)run->n_threads ? (int)run->n_documents : run->n_threads;
    march m = {.run = run, .n = run->n_documents, .progress = trib_log_progress(run->log)};
    trib_reading *reading = NULL;
    trib_status status =
        trib_new(&reading, (size_t)n_threads, sizeof *reading, "reading texts", error);
    if (status == TRIB_OK)
        status =
            trib_new(&run->spill, (size_t)n_threads, sizeof *run->spill, "reading texts", error);
    if (status == TRIB_OK)
        status = trib_new(&m.is_done, run->n_documents, sizeof *m.is_done, "reading texts", error);
    if (status == TRIB_OK && run->team.size > 1)
        status = trib_new(&m.about, run->n_documents, sizeof *m.about, "reading texts", error);
    if (status == TRIB_OK) status = choose_ranks(run, error);
    for (int t = 0; t < n_threads && status == TRIB_OK; t++) {
        status = trib_reading_open(&reading[t], run->config, error);
        if (status != TRIB_OK) break;
        reading[t].shelf = run->shelf;
        status = trib_writer_scratch(&run->spill[t].writer, trib_run_scratch(run), error);
        run->spill[t].reader = trib_writer_reader(&run->spill[t].writer);
        run->n_spills += status == TRIB_OK;
    }
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) status = agree_before(run, error);
    if (status == TRIB_OK) {
        read_documents(&m, reading, n_threads);
        if (run->team.size > 1) status = tell_found(&m, error);
        else if ((status = m.status) != TRIB_OK && error) *error = m.failure;
    }
    if (status == TRIB_OK) status = trib_run_finish_rejected(run, error);
    for (int t = 0; reading && t < n_threads; t++) trib_reading_close(&reading[t]);
    trib_free(reading);
    trib_free(m.is_done);
    trib_free(m.about);
    return status;
}

/* ---- Stage vocabulary -------------------------------------------------------------------------------------------------- */

static trib_status build(trib_run *run, uint32_t *final_id, trib_error *error) {
    const trib_config *config = run->config;
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
        status = trib_vocab_build(&run->vocab, &run->intern, run->word_count, run->word_documents,
                                  &options, final_id, error);
    trib_intern_release(&fixed);
    return status;
}

trib_status trib_stage_vocabulary(trib_run *run, trib_error *error) {
    uint32_t *final_id = NULL;
    trib_status status = trib_share_added_vocabularies(run, error);
    if (status == TRIB_OK)
        status = trib_new(&final_id, run->intern.n_words, sizeof *final_id, "word ids", error);
    if (status == TRIB_OK && run->team.rank == 0) status = build(run, final_id, error);
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) status = trib_share_vocabulary(run, final_id, error);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        for (uint32_t w = 0; run->document[d].id && w < run->document[d].n_words; w++)
            run->document[d].id[w] = final_id[run->document[d].id[w]];
    if (status == TRIB_OK) trib_run_forget_provisional(run);
    trib_free(final_id);
    return status;
}

void trib_run_forget_provisional(trib_run *run) {
    trib_intern_release(&run->intern);
    trib_free(run->word_count);
    trib_free(run->word_documents);
    run->word_count = NULL;
    run->word_documents = NULL;
    run->word_count_cap = run->word_documents_cap = 0;
}

/* ---- For those who need the words again ---------------------------------------------------------------------------------- */

static bool list_holds(const trib_text_list *list, const char *item) {
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->item[i], item) == 0) return true;
    return false;
}

trib_token_options trib_config_token_options(const trib_config *config) {
    return (trib_token_options){
        .locale = config->tokens.locale,
        .encoding = config->corpus.encoding,
        .normalize = config->tokens.normalize,
        .letter_case = config->tokens.letter_case,
        .apostrophes = config->tokens.apostrophes,
        .hyphens = config->tokens.hyphens,
        .numbers = config->tokens.numbers,
        .break_at_sentence = list_holds(&config->tokens.break_at, "sentence"),
        .break_at_paragraph = list_holds(&config->tokens.break_at, "paragraph"),
        .on_invalid = config->corpus.on_invalid,
    };
}

trib_status trib_run_words(const trib_run_document *document, trib_words *words,
                           trib_error *error) {
    return (document->is_numbered ? trib_words_open_numbered : trib_words_open)(
        words, document->words, document->words_from, document->words_size, error);
}

trib_status trib_run_text_open(trib_run_text *text, const trib_run_document *document,
                               trib_error *error) {
    *text = (trib_run_text){.document = document};
    trib_status status = trib_run_words(document, &text->words, error);
    if (status == TRIB_OK) status = trib_words_block_init(&text->block, error);
    if (status != TRIB_OK) trib_run_text_close(text);
    return status;
}

void trib_run_text_close(trib_run_text *text) {
    trib_words_close(&text->words);
    trib_words_block_release(&text->block);
    *text = (trib_run_text){0};
}

trib_status trib_run_text_at(trib_run_text *text, size_t i, trib_run_word *word,
                             trib_error *error) {
    trib_words_block *block = &text->block;
    const trib_status status = trib_words_at(&text->words, i, block, error);
    if (status != TRIB_OK) return status;
    const size_t k = i - (size_t)block->first;
    *word = (trib_run_word){.id = trib_run_word_ids(text->document, &text->words)[block->id[k]],
                            .offset = (size_t)block->offset[k],
                            .end = (size_t)block->offset[k] + block->length[k],
                            .after_break = block->after_break[k] != 0};
    return TRIB_OK;
}
