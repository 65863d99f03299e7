/* tokens.c - stage tokens. Threads split texts into words in parallel. Each thread writes the words
 * of its texts, with ids local to each text, to an unnamed file. The vocabularies of the texts are
 * joined in the order of the documents, in whatever order the texts are finished. A finished text
 * waits in the file for its turn, so memory holds only the data of the texts being
 * read, and of the vocabulary of the corpus at most counts->most_words words. */
#include "pipeline/stages/tokens.h"

#include <omp.h>
#include <pthread.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/stages/tensors.h"
#include "pipeline/stages/text.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/support/pack.h"
#include "pipeline/text/input.h"
#include "pipeline/text/strip.h"

/* ---- Reading a text -------------------------------------------------------------------------- */

/* A reader of texts, for one text at a time; each thread has its own. `{0}` is closed. Memory holds
 * the largest piece of the text that cannot be cut, or the whole text if parts of it are stripped
 * or joined. */
typedef struct text_reader {
    const trib_config *config;   /* borrowed: corpus and tokens */
    trib_tokenizer *file, *utf8; /* utf8: for texts extracted from markup */
    const char *language;        /* of the tokenizers; borrowed from the configuration */
    const char *encoding;        /* of `file`; borrowed from the configuration */
    trib_spool_of_texts *spool;  /* borrowed; NULL: none */
    trib_words_writer words;
} text_reader;

/* Passes a file to the tokenizer in blocks. */
static trib_status feed_file(trib_tokenizer *tokenizer, trib_input *input, trib_line_ends *ends,
                             trib_words_about *about, trib_error *error) {
    char block[1 << 16];
    size_t got = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK &&
           (status = trib_input_read(input, block, sizeof block, &got, error)) == TRIB_OK &&
           got > 0 && (status = trib_stop_check(error)) == TRIB_OK) {
        if (!*about->remark && trib_gutenberg_is_in(block, got))
            snprintf(about->remark, sizeof about->remark, "%s", trib_licence_remark);
        trib_account_scan(&about->account, block, got);
        trib_line_ends_count(ends, block, got);
        status = trib_tokenizer_feed(tokenizer, block, got, error);
    }
    return status;
}

/* Reads a whole file, strips it as the configuration asks, joins its divided words, and passes
 * it to the tokenizer. `kept` receives the parts that stripping left. */
static trib_status feed_whole(const trib_config *config, trib_joining joins, const char *path,
                              trib_tokenizer *tokenizer, trib_input *input, trib_text_ranges *kept,
                              trib_words_about *about, trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    TRIB_OWNED(trib_joined) joined = {0};
    trib_status status = trib_input_all(input, &text, error);
    if (status == TRIB_OK && config->corpus.strip.n > 0)
        status =
            trib_config_strip(config, path, &text, &input->made.parts, kept, &about->cuts, error);
    trib_line_ends ends = {0};
    if (status == TRIB_OK && joins == TRIB_JOIN_AUTO)
        trib_line_ends_count(&ends, text.text, text.length);
    if (status == TRIB_OK && config->corpus.strip.n == 0 &&
        trib_gutenberg_is_in(text.text, text.length))
        snprintf(about->remark, sizeof about->remark, "%s", trib_licence_remark);
    if (status == TRIB_OK && (joins == TRIB_JOIN_ALL || trib_line_ends_divide(&ends)))
        status = trib_join_hyphens(&joined, text.text, text.length, error);
    const char *remark = kept->remark             ? kept->remark
                         : joins == TRIB_JOIN_ALL ? joined.hyphens.remark
                                                  : NULL;
    if (joins == TRIB_JOIN_AUTO) about->n_divided = (uint32_t)joined.hyphens.n;
    if (remark) snprintf(about->remark, sizeof about->remark, "%s", remark);
    about->remark_line = kept->line;
    trib_account_counts *const counts = &about->account.counts;
    counts->stripped_out =
        about->cuts.before.n_words + about->cuts.between.n_words + about->cuts.after.n_words;
    counts->furniture_out += joined.n_head_words;
    counts->joined += joined.hyphens.n;
    if (status == TRIB_OK) trib_account_scan(&about->account, text.text, text.length);
    return status == TRIB_OK ? trib_tokenizer_feed(tokenizer, text.text, text.length, error)
                             : status;
}

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
        .equivalence = config->tokens.equivalence,
        .apostrophes = config->tokens.apostrophes,
        .hyphens = config->tokens.hyphens,
        .numbers = config->tokens.numbers,
        .break_at_sentence = list_holds(&config->tokens.break_at, "sentence"),
        .break_at_paragraph = list_holds(&config->tokens.break_at, "paragraph"),
        .on_invalid = config->corpus.on_invalid,
    };
}

static void close_tokenizers(text_reader *reading) {
    trib_tokenizer_close(reading->file);
    trib_tokenizer_close(reading->utf8);
    reading->file = reading->utf8 = NULL;
    reading->language = reading->encoding = NULL;
}

/* Opens the tokenizers of a language and an encoding, unless they are open. */
static trib_status open_tokenizers(text_reader *reading, const char *language, const char *encoding,
                                   trib_error *error) {
    trib_token_options options = trib_config_token_options(reading->config);
    if (reading->language && strcmp(reading->language, language) == 0 &&
        strcmp(reading->encoding, encoding) == 0)
        return TRIB_OK;
    close_tokenizers(reading);
    options.locale = language;
    options.encoding = encoding;
    trib_status status = trib_tokenizer_open(&reading->file, &options, error);
    options.encoding = NULL;
    if (status == TRIB_OK) status = trib_tokenizer_open(&reading->utf8, &options, error);
    reading->language = language;
    reading->encoding = encoding;
    if (status != TRIB_OK) close_tokenizers(reading);
    return status;
}

static void close_reader(text_reader *reading) {
    close_tokenizers(reading);
    trib_words_writer_release(&reading->words);
    *reading = (text_reader){0};
}

/* Reads the text of a document once. *is_wanted_whole, if it should be read as a whole, to join its
 * words or strip its licence. */
static trib_status read_once(text_reader *reading, const trib_corpus_document *document,
                             bool is_whole, trib_writer *out, bool *is_wanted_whole,
                             trib_error *error) {
    const char *path = document->path;
    trib_text_ranges kept = {0};
    trib_words_about about = {0};
    trib_line_ends ends = {0};
    const trib_joining joins = reading->config->corpus.join_hyphens;
    const bool is_auto = trib_config_strips_auto(reading->config);
    const bool strips = reading->config->corpus.strip.n > 0 && (is_whole || !is_auto);
    const trib_input_options options = trib_config_input_options(reading->config, document);
    trib_input input;
    trib_status status = open_tokenizers(reading, trib_config_language(reading->config, document),
                                         trib_config_encoding(reading->config, document), error);
    if (status == TRIB_OK) status = trib_input_open(&input, path, reading->spool, &options, error);
    if (status != TRIB_OK) return status;
    about.account = input.made.account;
    status = trib_words_begin(&reading->words, out, strips ? &kept : &input.made.parts, error);
    if (status != TRIB_OK) {
        trib_input_close(&input);
        return status;
    }
    trib_tokenizer *const tokenizer = input.is_markup ? reading->utf8 : reading->file;
    trib_tokenizer_begin(tokenizer, path, trib_words_add, &reading->words);
    status = strips || is_whole
                 ? feed_whole(reading->config, joins, path, tokenizer, &input, &kept, &about, error)
                 : feed_file(tokenizer, &input, &ends, &about, error);
    *is_wanted_whole = (joins == TRIB_JOIN_AUTO && trib_line_ends_divide(&ends)) ||
                       (is_auto && !strips && strcmp(about.remark, trib_licence_remark) == 0);
    const trib_status ended =
        trib_tokenizer_end(tokenizer, &about.counts, status == TRIB_OK ? error : NULL);
    if (status == TRIB_OK) status = ended;
    if (!*about.remark) { /* if stripping left no remark, use that of the input */
        snprintf(about.remark, sizeof about.remark, "%s", input.made.remark);
        about.remark_line = 0;
    }
    if (!*about.remark && trib_tokenizer_is_misread(tokenizer))
        snprintf(about.remark, sizeof about.remark,
                 "is UTF-8 but is read in %s, which changes every letter beyond ASCII; set "
                 "corpus.encoding to auto, or give this document `encoding: utf-8`",
                 options.encoding);
    about.account.counts.lost += about.counts.n_replaced;
    about.account.counts.unseen = about.counts.n_unseen;
    about.account.counts.numbers_out = about.counts.n_dropped_numbers;
    about.counts.n_replaced += input.made.n_replaced;
    trib_input_close(&input);
    trib_text_ranges_release(&kept);
    if (status != TRIB_OK) return status;
    const char *const kind = about.account.kind, *found = trib_tokenizer_encoding(tokenizer);
    snprintf(about.encoding, sizeof about.encoding, "%s", strncmp(kind, "UTF-", 4) ? found : kind);
    return trib_words_end(&reading->words, &about, error);
}

/* Reads the text of a document and writes its words to `out`, from byte *from on. Warnings about
 * the text are written to the same file, so that they can be reported in the order of the
 * documents. TRIB_INPUT and the errors of input.h, strip.h and tokenizer.h; `out` then contains
 * part of a file. */
static trib_status read_text(text_reader *reading, const trib_corpus_document *document,
                             trib_writer *out, uint64_t *from, trib_error *error) {
    bool is_wanted_whole = false;
    *from = out->n_written; /* damaged cached words may precede it */
    trib_status status =
        read_once(reading, document, reading->config->corpus.join_hyphens == TRIB_JOIN_ALL, out,
                  &is_wanted_whole, error);
    if (status != TRIB_OK || !is_wanted_whole) return status;
    *from = out->n_written;
    return read_once(reading, document, true, out, &is_wanted_whole, error);
}

/* ---- Joining the vocabularies ---------------------------------------------------------------- */

/* Whether the transform of words is chosen from what the texts show. */
static bool looks_at_words(const trib_config *config) {
    return config->corpus.n_documents > 1 && config->tokens.transform &&
           !trib_config_transform(config);
}

/* Adds the words of a document to the counts; *about receives the warnings and counts of the text.
 * After TRIB_MEMORY, the next call continues at the word where this one stopped. */
static trib_status count_words(const trib_environment *env, const trib_corpus *corpus, uint32_t d,
                               trib_corpus_words *all, trib_word_counts *counts,
                               trib_words_about *about, trib_error *error) {
    trib_document_words *document = &all->document[d];
    trib_words words;
    trib_status status = trib_document_words_open(document, &words, error);
    if (status != TRIB_OK) return status;
    document->n_tokens = (size_t)words.n_tokens;
    document->n_words = words.n_words;
    if (!document->joined)
        status = TRIB_NEW(&document->joined, words.n_words, "a document's words", error);
    if (document->n_joined == 0 && status == TRIB_OK && counts->most_words > 0 &&
        trib_word_counts_n(counts) > counts->most_words)
        status = trib_word_counts_move(counts, env->scratch, error);
    counts->document += document->n_joined == 0;
    counts->language =
        trib_spellings_language(&counts->spellings, env->config, corpus->document[d].about);
    const bool is_joined = document->n_joined == words.n_words;
    if (document->n_joined == 0 && looks_at_words(env->config))
        trib_words_look(&words, &document->looks);
    for (uint32_t w = document->n_joined; w < words.n_words && status == TRIB_OK; w++) {
        status = trib_word_counts_add_spelling(counts, trib_words_spelling(&words, w),
                                               words.start[w + 1] - words.start[w] - 1,
                                               words.count[w], &document->joined[w], error);
        if (status == TRIB_OK) document->joined[document->n_joined++] += counts->runs.n_ids;
    }
    if (status == TRIB_OK && !is_joined)
        trib_word_counts_add_norms(counts, words.n_words, words.count, document->joined);
    *about = words.about;
    trib_words_close(&words);
    if (status == TRIB_OK)
        status =
            trib_corpus_words_put_ids(all, document, document->joined, false, env->scratch, error);
    if (status != TRIB_OK) return status;
    trib_free(document->joined);
    document->joined = NULL;
    return TRIB_OK;
}

/* ---- Stage tokens ---------------------------------------------------------------------------- */

/* Context of the threads that read the documents. */
typedef struct texts {
    const trib_environment *env;
    trib_corpus *corpus;
    trib_corpus_words *words;
    trib_word_counts *counts;
    const trib_words_source *source;
    bool *is_done;           /* [n_documents] its words are written, or it is rejected */
    uint32_t next;           /* the first document that has not been joined or skipped */
    uint32_t n;              /* documents up to the first that failed; later ones are ignored */
    trib_words_about *about; /* [n_documents] with several ranks; otherwise NULL */
    trib_status status;      /* of document n, or of joining an earlier one */
    trib_error failure;
    trib_progress progress;
} texts;

static void stop(texts *t, uint32_t document, trib_status status, const trib_error *failure) {
    if (document >= t->n) return;
    t->n = document;
    t->status = status;
    t->failure = *failure;
}

static bool is_own(const texts *t, uint32_t d) {
    return t->words->document[d].rank == t->env->comm->rank;
}

/* Joins a document. With several ranks, its warnings are reported after all ranks have received
 * them. */
static trib_status join(texts *t, uint32_t d, trib_error *error) {
    trib_words_about own = {0}, *about = t->about ? &t->about[d] : &own;
    const trib_status status = count_words(t->env, t->corpus, d, t->words, t->counts, about, error);
    return status == TRIB_OK && !t->about ? trib_words_report(t->env, &t->corpus->document[d],
                                                              &t->words->document[d], about, error)
                                          : status;
}

/* Joins every document whose turn has come and skips those of other ranks. Returns false if that
 * needs more memory than other threads leave. */
static bool join_documents(texts *t, bool is_alone) {
    while (t->next < t->n && (t->is_done[t->next] || !is_own(t, t->next))) {
        trib_error failure = {0};
        const bool is_skipped = t->corpus->document[t->next].rejected || !is_own(t, t->next);
        trib_status status = is_skipped ? TRIB_OK : join(t, t->next, &failure);
        if (status == TRIB_OK &&
            !trib_progress_tick(&t->progress, t->next + 1, t->corpus->n_documents))
            status = trib_log_stopped(t->env->log, &failure);
        if (status == TRIB_MEMORY && !is_alone) return false;
        if (status != TRIB_OK) stop(t, t->next, status, &failure);
        else t->next++;
    }
    return true;
}

static trib_status read_document(const texts *t, uint32_t d, text_reader *reading,
                                 trib_words_spill *spill, trib_error *error) {
    const trib_words_source *source = t->source;
    const trib_document *document = &t->corpus->document[d];
    trib_document_words *words = &t->words->document[d];
    uint64_t from = spill->writer.n_written, n_words = 0;
    bool taken = false;
    trib_status status = source ? source->take(source->context, d, &spill->writer, &spill->reader,
                                               &taken, &n_words, error)
                                : TRIB_OK;
    if (status == TRIB_OK && !taken) {
        status = read_text(reading, document->about, &spill->writer, &from, error);
        n_words = reading->words.n_tokens;
    }
    if (status == TRIB_OK) status = trib_document_check_unchanged(document, error);
    const bool is_single = t->env->config->corpus.n_documents == 0;
    if (status == TRIB_OK && !is_single && n_words < t->env->config->tensor.n)
        status = trib_fail_no_ngram(t->env->config, document->about, n_words, error);
    if (status == TRIB_OK) status = trib_writer_flush(&spill->writer, error);
    words->file = &spill->reader;
    words->from = from;
    words->size = spill->writer.n_written - from;
    return status == TRIB_OK && source && !taken ? source->put(source->context, d, error) : status;
}

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

/* Reads document d and joins the documents whose turn has come. Returns false if that needs more
 * memory than other threads leave; the caller then repeats it alone. */
static bool read_and_join(texts *t, uint32_t d, text_reader *reading, trib_words_spill *spill,
                          bool is_alone) {
    trib_document *document = &t->corpus->document[d];
    trib_error failure = {0};
    bool fits = true;
    trib_status status = document->rejected || t->is_done[d]
                             ? TRIB_OK
                             : read_document(t, d, reading, spill, &failure);
    if (status == TRIB_INPUT && t->env->config->corpus.n_documents > 0) {
        const trib_error why = failure;
        status = trib_document_reject(document, &why, &failure);
    }
    if (status == TRIB_MEMORY && !is_alone) return false;
    pthread_mutex_lock(&joining);
    t->is_done[d] = status == TRIB_OK;
    if (status != TRIB_OK) stop(t, d, status, &failure);
    fits = join_documents(t, is_alone);
    pthread_mutex_unlock(&joining);
    return fits;
}

static void read_documents(texts *t, text_reader reading[], int n_threads) {
    trib_words_spill *const spill = t->words->spill;
    trib_gate gate;
    trib_gate_init(&gate);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t d = 0; d < t->corpus->n_documents; d++) {
        const int thread = omp_get_thread_num();
        bool wanted = false;
        pthread_mutex_lock(&joining);
        wanted = d < t->n && is_own(t, d);
        pthread_mutex_unlock(&joining);
        if (!wanted) continue;
        trib_gate_enter(&gate);
        const bool fits = read_and_join(t, d, &reading[thread], &spill[thread], n_threads == 1);
        trib_gate_leave(&gate);
        if (fits) continue;
        trib_gate_enter_alone(&gate);
        for (int k = 0; k < n_threads; k++) trib_words_writer_release(&reading[k].words);
        (void)read_and_join(t, d, &reading[thread], &spill[thread], true);
        trib_gate_leave(&gate);
    }
    trib_gate_release(&gate);
}

/* Rejects on every rank the documents that any rank could not open, so that all ranks join the same
 * documents. */
static void pack_rejected(void *context, int from, trib_pack *pack) {
    const trib_corpus *corpus = context;
    (void)from;
    for (uint32_t d = 0; d < corpus->n_documents && trib_pack_is_good(pack); d++)
        trib_document_pack_rejected(&corpus->document[d], pack);
}

/* Sends the results of all ranks to all ranks, which then report on the documents in their order,
 * as one process would. */
static trib_status report_found(const texts *t, trib_error *error) {
    trib_status status = t->status;
    if (status != TRIB_OK && error) *error = t->failure;
    if (!t->about) return status;
    status = trib_share_found_words(t->env->comm, status, t->corpus, t->words, t->about, error);
    for (uint32_t d = 0; d < t->corpus->n_documents && status == TRIB_OK; d++) {
        const trib_document *document = &t->corpus->document[d];
        trib_document_words *words = &t->words->document[d];
        if (!document->rejected)
            status = trib_words_report(t->env, document, words, &t->about[d], error);
    }
    return status;
}

static uint64_t n_bytes(const void *corpus, uint32_t d) {
    return ((const trib_corpus *)corpus)->document[d].n_bytes;
}

static trib_status choose_ranks(const texts *t, trib_error *error) {
    const uint32_t n = t->corpus->n_documents;
    int *owner = NULL;
    const trib_status status =
        trib_parts_owners(t->env->comm->size, n, n_bytes, t->corpus, &owner, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) t->words->document[d].rank = owner[d];
    trib_free(owner);
    return status;
}

static trib_status open_readings(const texts *t, text_reader reading[], int n_threads,
                                 trib_error *error) {
    trib_corpus_words *words = t->words;
    trib_status status =
        words->spill ? TRIB_OK
                     : TRIB_NEW(&words->spill, (size_t)t->env->n_threads, "reading texts", error);
    for (int k = 0; k < n_threads && status == TRIB_OK; k++) {
        reading[k] = (text_reader){.config = t->env->config, .spool = t->corpus->spool};
        status = open_tokenizers(&reading[k], t->env->config->tokens.locale,
                                 t->env->config->corpus.encoding, error);
        if (status != TRIB_OK) break;
        status = trib_writer_scratch(&words->spill[k].writer, t->env->scratch, false, error);
        words->spill[k].reader = trib_writer_reader(&words->spill[k].writer);
        words->n_spills += status == TRIB_OK;
    }
    return status;
}

trib_status trib_stage_tokens(const trib_environment *env, trib_corpus *corpus,
                              const trib_words_source *source, trib_corpus_words *words,
                              trib_word_counts *counts, trib_error *error) {
    const uint32_t n = corpus->n_documents;
    const int n_threads = n < (uint32_t)env->n_threads ? (int)n : env->n_threads;
    texts t = {.env = env,
               .corpus = corpus,
               .words = words,
               .counts = counts,
               .source = source,
               .n = n,
               .progress = trib_log_progress(env->log)};
    text_reader *reading = NULL;
    trib_status status = TRIB_NEW(&reading, (size_t)n_threads, "reading texts", error);
    if (status == TRIB_OK) status = trib_corpus_words_init(words, n, error);
    if (status == TRIB_OK) status = TRIB_NEW(&t.is_done, n, "reading texts", error);
    if (status == TRIB_OK && env->comm->size > 1)
        status = TRIB_NEW(&t.about, n, "reading texts", error);
    if (status == TRIB_OK) status = trib_spellings_open(&counts->spellings, env->config, error);
    if (status == TRIB_OK) status = choose_ranks(&t, error);
    if (status == TRIB_OK) status = open_readings(&t, reading, n_threads, error);
    status = trib_comm_tell_all(env->comm, status, false, pack_rejected, corpus, error);
    if (status == TRIB_OK) {
        read_documents(&t, reading, n_threads);
        status = report_found(&t, error);
        if (looks_at_words(env->config))
            status = trib_looks_choose(env, status, corpus, words, error);
    }
    for (int k = 0; reading && k < n_threads; k++) close_reader(&reading[k]);
    TRIB_FREE(reading, t.is_done, t.about);
    return status;
}

trib_status trib_tokens_count_again(const trib_environment *env, trib_corpus *corpus,
                                    trib_corpus_words *words, trib_word_counts *counts,
                                    trib_error *error) {
    const trib_word_counts empty = {.most_words = counts->most_words,
                                    .runs.is_named = counts->runs.is_named};
    trib_word_counts_release(counts);
    *counts = empty;
    trib_status status = trib_spellings_open(&counts->spellings, env->config, error);
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++) {
        trib_words_about about;
        words->document[d].n_joined = 0;
        if (words->document[d].rank == env->comm->rank && !corpus->document[d].rejected)
            status = count_words(env, corpus, d, words, counts, &about, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status;
}
