/* tokens.c - stages tokens and vocabulary. Texts are cut into words side by side; every thread writes the words of its texts,
 * with each text's own numbers, into a file without a name. The texts' vocabularies are joined in the order of the
 * documents, whatever the order they are done in: what waits for its turn waits in those files, and memory holds the
 * vocabulary of the corpus and what the texts at hand need. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/pack.h"
#include "pipeline/reading.h"
#include "pipeline/refused.h"
#include "pipeline/run.h"

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
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: is %s", path, about->encoding);
    if (document->n_tokens == 0) return trib_fail(error, TRIB_INPUT, "%s: holds no word", path);
    if (about->counts.n_replaced > 0)
        status =
            trib_run_warn(run, error, "%s: %llu invalid byte sequences were replaced by U+FFFD",
                          path, (unsigned long long)about->counts.n_replaced);
    return status;
}

/* ---- Joining the vocabularies ------------------------------------------------------------------------------------------ */

/* One more word of the corpus, `count` times in one more document; *id receives its provisional number. */
static trib_status add_word(trib_run *run, const char *word, size_t length, uint64_t count,
                            uint32_t *id, trib_error *error) {
    const uint32_t n = run->intern.n_words;
    trib_status status = trib_intern_add(&run->intern, word, length, id, error);
    if (status == TRIB_OK && *id == n) {
        status = trib_grow(&run->word_count, &run->word_count_cap, (size_t)n + 1,
                           sizeof *run->word_count, "word counts", error);
        if (status == TRIB_OK)
            status = trib_grow(&run->word_documents, &run->word_documents_cap, (size_t)n + 1,
                               sizeof *run->word_documents, "word counts", error);
        if (status == TRIB_OK) run->word_count[n] = run->word_documents[n] = 0;
    }
    if (status != TRIB_OK) return status;
    run->word_count[*id] += count;
    run->word_documents[*id]++;
    return TRIB_OK;
}

trib_status trib_run_join(trib_run *run, trib_run_document *document, trib_error *error) {
    trib_words words;
    trib_status status = trib_run_words(document, &words, error);
    if (status != TRIB_OK) return status;
    document->counts = words.about.counts;
    document->cuts = words.about.cuts;
    memcpy(document->encoding, words.about.encoding, sizeof document->encoding);
    document->n_tokens = (size_t)words.n_tokens;
    document->n_words = words.n_words;
    status = tell(run, document, &words.about, error);
    if (status == TRIB_OK)
        status = trib_new(&document->id, words.n_words, sizeof *document->id, "a document's words",
                          error);
    for (uint32_t w = 0; w < words.n_words && status == TRIB_OK; w++)
        status =
            add_word(run, trib_words_spelling(&words, w), words.start[w + 1] - words.start[w] - 1,
                     words.count[w], &document->id[w], error);
    trib_words_close(&words);
    return status;
}

/* ---- Stage tokens ------------------------------------------------------------------------------------------------------ */

/* The documents on their way. */
typedef struct march {
    trib_run *run;
    bool *is_done;      /* [n_documents] its words are written, or it is refused */
    uint32_t next;      /* the first document that has not been joined or passed over */
    uint32_t n;         /* documents up to the first that failed: those behind do not matter */
    int *owner;         /* [n_documents] the rank that reads it */
    trib_status status; /* of document n, or of joining one before */
    trib_error failure;
    trib_progress progress;
} march;

static void stop(march *m, uint32_t document, trib_status status, const trib_error *failure) {
    if (document >= m->n) return;
    m->n = document;
    m->status = status;
    m->failure = *failure;
}

/* Joins every document whose turn it is. */
static void join_documents(march *m) {
    while (m->next < m->n && m->is_done[m->next]) {
        trib_run_document *document = &m->run->document[m->next];
        trib_error failure = {0};
        trib_status status =
            document->refused ? TRIB_OK : trib_run_join(m->run, document, &failure);
        if (status == TRIB_OK &&
            !trib_progress_tick(&m->progress, m->next + 1, m->run->n_documents))
            status = trib_log_stopped(m->run->log, &failure);
        if (status != TRIB_OK) stop(m, m->next, status, &failure);
        else m->next++;
    }
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
    const uint64_t from = spill->writer.n_written;
    trib_status status = trib_reading_do(reading, document->about->path, &spill->writer, error);
    if (status == TRIB_OK) status = check_length(run, document, reading->words.n_tokens, error);
    if (status == TRIB_OK) status = trib_writer_flush(&spill->writer, error);
    document->words = &spill->reader;
    document->words_from = from;
    document->words_size = spill->writer.n_written - from;
    return status;
}

static void read_documents(march *m, trib_reading reading[], int n_threads) {
    trib_run *run = m->run;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t d = 0; d < run->n_documents; d++) {
        const int thread = omp_get_thread_num();
        trib_error failure = {0};
        bool wanted = false;
#pragma omp critical(trib_tokens)
        wanted = d < m->n && m->owner[d] == run->team.rank;
        if (!wanted) continue;
        trib_status status =
            run->document[d].refused
                ? TRIB_OK
                : read_document(run, d, &reading[thread], &run->spill[thread], &failure);
        if (status == TRIB_INPUT && run->config->corpus.n_documents > 0) {
            const trib_error why = failure;
            status = trib_run_refuse(&run->document[d], &why, &failure);
        }
#pragma omp critical(trib_tokens)
        {
            m->is_done[d] = status == TRIB_OK;
            if (status != TRIB_OK) stop(m, d, status, &failure);
            join_documents(m);
        }
    }
}

/* Whether a rank has refused document d; then all do. */
static trib_status agree_on(trib_run *run, uint32_t d, trib_error *error) {
    trib_run_document *document = &run->document[d];
    trib_error why = {0};
    if (document->refused) trib_fail(&why, TRIB_INPUT, "%s", document->refused);
    const trib_status status = trib_team_agree(&run->team, why.status, &why);
    return status == TRIB_OK ? TRIB_OK : trib_run_refuse(document, &why, error);
}

/* What one rank could not open none reads: so all join the same documents. */
static trib_status agree_before(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    if (trib_team_least(&run->team, trib_run_count_refused(run) == 0) == 1) return TRIB_OK;
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        status = trib_team_agree(&run->team, agree_on(run, d, error), error);
    return status;
}

/* What a rank found of its documents: why they are refused, or how many bytes their words take. */
static void pack_found(const march *m, trib_pack *out) {
    for (uint32_t d = 0; d < m->run->n_documents; d++) {
        const trib_run_document *document = &m->run->document[d];
        const char *why = document->refused ? document->refused : "";
        if (m->owner[d] != m->run->team.rank) continue;
        trib_pack_u64(out, document->words_size);
        trib_pack_u64(out, strlen(why));
        trib_pack_array(out, why, strlen(why), 1);
    }
}

/* Words that another rank has read will lie behind those that the first thread has, in the order of the documents. */
static trib_status unpack_found(march *m, int from, trib_unpack *in, trib_error *error) {
    trib_run_spill *spill = &m->run->spill[0];
    uint64_t end = spill->writer.n_written;
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < m->run->n_documents && status == TRIB_OK; d++) {
        trib_run_document *document = &m->run->document[d];
        char *why = NULL;
        if (m->owner[d] != from) continue;
        document->words = &spill->reader;
        document->words_from = end;
        document->words_size = trib_unpack_u64(in);
        const size_t n = (size_t)trib_unpack_u64(in);
        status = trib_unpack_array(in, &why, n, 1, "why a text is refused", error);
        if (status == TRIB_OK && n > 0 && !document->refused)
            status = trib_copy_text(&document->refused, why, n, error);
        if (!document->refused) end += document->words_size;
        trib_free(why);
    }
    if (status == TRIB_OK && !trib_unpack_is_whole(in))
        status = trib_fail(error, TRIB_INTERNAL, "rank %d has got from rank %d what makes no sense",
                           m->run->team.rank, from);
    return status;
}

static trib_status give_found(march *m, int from, trib_error *error) {
    const trib_team *team = &m->run->team;
    trib_pack pack = {0};
    if (team->rank == from) pack_found(m, &pack);
    if (error && pack.failure.status != TRIB_OK) *error = pack.failure;
    trib_status status = trib_team_agree(team, pack.failure.status, error);
    if (status == TRIB_OK) status = trib_team_give(team, from, &pack.bytes, error);
    if (status == TRIB_OK && team->rank != from) {
        trib_unpack in = {.at = pack.bytes.text, .end = pack.bytes.text + pack.bytes.length};
        status = unpack_found(m, from, &in, error);
    }
    trib_pack_release(&pack);
    return trib_team_agree(team, status, error);
}

/* The words of a document as they lie in the file of the thread that read it, behind what is in `bytes`. */
static trib_status load_words(const trib_run_document *document, trib_buffer *bytes,
                              trib_error *error) {
    const size_t n = (size_t)document->words_size;
    trib_status status =
        trib_grow(&bytes->text, &bytes->cap, bytes->length + n + 1, 1, "words", error);
    if (status == TRIB_OK)
        status = trib_reader_at(document->words, document->words_from, bytes->text + bytes->length,
                                n, error);
    if (status != TRIB_OK) return status;
    bytes->length += n;
    bytes->text[bytes->length] = '\0';
    return TRIB_OK;
}

/* The words waiting in `bytes` go from one rank to all. */
static trib_status give_bytes(trib_run *run, int from, trib_buffer *bytes, trib_status status,
                              trib_error *error) {
    trib_writer *writer = &run->spill[0].writer;
    status = trib_team_agree(&run->team, status, error);
    if (status == TRIB_OK) status = trib_team_give(&run->team, from, bytes, error);
    if (status == TRIB_OK && run->team.rank != from) {
        trib_write(writer, bytes->text, bytes->length);
        status = trib_writer_flush(writer, error);
    }
    trib_buffer_clear(bytes);
    return status;
}

/* The words of a rank's documents to all, several documents at a time. */
static trib_status give_words_of(march *m, int from, trib_error *error) {
    enum { AT_ONCE = 8 << 20 }; /* bytes, of which a document may have more */
    trib_run *run = m->run;
    trib_buffer bytes = {0};
    uint64_t n_waiting = 0;
    trib_status status = give_found(m, from, error);
    bool all_well = status == TRIB_OK; /* the same on all ranks */
    for (uint32_t d = 0; d < run->n_documents && all_well; d++) {
        if (m->owner[d] != from || run->document[d].refused) continue;
        if (run->team.rank == from && status == TRIB_OK)
            status = load_words(&run->document[d], &bytes, error);
        n_waiting += run->document[d].words_size;
        if (n_waiting < AT_ONCE) continue;
        status = give_bytes(run, from, &bytes, status, error);
        status = trib_team_agree(&run->team, status, error);
        all_well = status == TRIB_OK;
        n_waiting = 0;
    }
    if (all_well && n_waiting > 0) status = give_bytes(run, from, &bytes, status, error);
    if (all_well) status = trib_team_agree(&run->team, status, error);
    trib_buffer_release(&bytes);
    return status;
}

/* Every rank gives the words of its documents to all, which then join them as one process would. */
static trib_status give_words(march *m, trib_error *error) {
    trib_run *run = m->run;
    trib_status status = m->status;
    if (status != TRIB_OK && error) *error = m->failure;
    status = trib_team_agree(&run->team, status, error);
    for (int rank = 0; rank < run->team.size && status == TRIB_OK; rank++)
        status = give_words_of(m, rank, error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < run->n_documents; d++) m->is_done[d] = true;
    join_documents(m);
    status = m->status;
    if (status != TRIB_OK && error) *error = m->failure;
    return trib_team_agree(&run->team, status, error);
}

static uint64_t n_bytes(const trib_run *run, uint32_t d) { return run->document[d].n_bytes; }

static const char *scratch_directory(const trib_run *run) {
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
    if (status == TRIB_OK)
        status = trib_run_owners(run, run->n_documents, n_bytes, &m.owner, error);
    for (int t = 0; t < n_threads && status == TRIB_OK; t++) {
        status = trib_reading_open(&reading[t], run->config, error);
        if (status != TRIB_OK) break;
        reading[t].shelf = run->shelf;
        status = trib_writer_scratch(&run->spill[t].writer, scratch_directory(run), error);
        run->spill[t].reader = trib_writer_reader(&run->spill[t].writer);
        run->n_spills += status == TRIB_OK;
    }
    status = trib_team_agree(&run->team, status, error);
    if (status == TRIB_OK) status = agree_before(run, error);
    if (status == TRIB_OK) {
        read_documents(&m, reading, n_threads);
        if (run->team.size > 1) status = give_words(&m, error);
        else if ((status = m.status) != TRIB_OK && error) *error = m.failure;
    }
    if (status == TRIB_OK) status = trib_run_settle(run, error);
    for (int t = 0; reading && t < n_threads; t++) trib_reading_close(&reading[t]);
    trib_free(reading);
    trib_free(m.is_done);
    trib_free(m.owner);
    return status;
}

/* ---- Stage vocabulary -------------------------------------------------------------------------------------------------- */

trib_status trib_stage_vocabulary(trib_run *run, trib_error *error) {
    const trib_config *config = run->config;
    uint32_t *final_id = NULL;
    trib_intern fixed = {0};
    trib_status status =
        trib_new(&final_id, run->intern.n_words, sizeof *final_id, "word ids", error);
    if (status == TRIB_OK && config->vocabulary.file)
        status = trib_vocab_read_file(&fixed, config->vocabulary.path, error);
    if (status != TRIB_OK) goto done;
    const trib_vocab_options options = {
        .size = config->vocabulary.size,
        .min_count = config->vocabulary.min_count,
        .min_documents = config->vocabulary.min_documents,
        .wildcard = config->vocabulary.wildcard,
        .fixed = config->vocabulary.file ? &fixed : NULL,
    };
    status = trib_vocab_build(&run->vocab, &run->intern, run->word_count, run->word_documents,
                              &options, final_id, error);
    if (status != TRIB_OK) goto done;
    for (uint32_t d = 0; d < run->n_documents; d++)
        for (uint32_t w = 0; w < run->document[d].n_words; w++)
            run->document[d].id[w] = final_id[run->document[d].id[w]];
    trib_run_forget_provisional(run);
done:
    trib_intern_release(&fixed);
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
    return trib_words_open(words, document->words, document->words_from, document->words_size,
                           error);
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
    *word = (trib_run_word){.id = text->document->id[block->id[k]],
                            .offset = (size_t)block->offset[k],
                            .end = (size_t)block->offset[k] + block->length[k],
                            .after_break = block->after_break[k] != 0};
    return TRIB_OK;
}
