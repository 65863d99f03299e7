/* tensors.c - stage tensors: every document counted into HaCOO over its own word ids, commonest first. Here, and only
 * here, a full window of n ids becomes a coordinate of n indices. */
#include "pipeline/run.h"

#include <stdlib.h>
#include <string.h>

/* A word of one document while its ids are being given. */
typedef struct local_word {
    uint32_t id;    /* in the vocabulary */
    uint32_t count; /* in the document */
    const char *text;
} local_word;

/* Descending count in the document, ties by code point (the byte order of UTF-8). */
static int by_frequency(const void *a, const void *b) {
    const local_word *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Gives the document's words its own ids. local[vocabulary id] receives them; it is TRIB_NO_WORD elsewhere, before and
 * after, and `forget_words` makes it so again. */
static trib_status number_words(const trib_run *run, trib_run_document *document, uint32_t *local,
                                trib_error *error) {
    local_word *word = NULL;
    uint32_t n = 0;
    trib_status status =
        trib_new(&word, run->vocab.n_words, sizeof *word, "a document's words", error);
    for (size_t i = 0; i < document->n_tokens && status == TRIB_OK; i++) {
        const uint32_t id = document->token[i];
        if (id == TRIB_NO_WORD) continue;
        if (local[id] == TRIB_NO_WORD) {
            local[id] = n;
            word[n++] = (local_word){.id = id, .text = run->vocab.word[id]};
        }
        word[local[id]].count++;
    }
    if (status == TRIB_OK)
        status = trib_new(&document->word, n, sizeof *document->word, "a document's words", error);
    if (status == TRIB_OK) {
        if (n > 0) qsort(word, n, sizeof *word, by_frequency);
        document->n_local = n;
        for (uint32_t i = 0; i < n; i++) {
            document->word[i] = word[i].id;
            local[word[i].id] = i;
        }
    }
    trib_free(word);
    return status;
}

static void forget_words(const trib_run_document *document, uint32_t *local) {
    for (uint32_t i = 0; i < document->n_local; i++) local[document->word[i]] = TRIB_NO_WORD;
}

/* Streams the document's tokens through the window into its table. */
static trib_status count_ngrams(const trib_run *run, trib_run_document *document,
                                const uint32_t *local, bool in_order, trib_error *error) {
    trib_ngram window;
    trib_ngram_init(&window, run->config->tensor.n);
    const uint32_t other =
        run->vocab.other == TRIB_NO_WORD ? TRIB_NO_WORD : local[run->vocab.other];
    trib_status status = TRIB_OK;
    if (in_order)
        status = trib_new(&document->sequence, document->n_tokens, sizeof *document->sequence,
                          "n-grams in order", error);
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, &document->ngrams, document->sequence);
    for (size_t i = 0; i < document->n_tokens && status == TRIB_OK; i++) {
        const uint32_t id = document->token[i];
        if (document->after_break[i]) trib_ngram_break(&window);
        if (!trib_ngram_push(&window, id == TRIB_NO_WORD ? TRIB_NO_WORD : local[id])) continue;
        status = trib_hacoo_stream_push(&stream, window.id, 1, error);
        document->n_ngrams++;
        bool wild = false;
        for (uint32_t m = 0; m < window.n; m++) wild = wild || window.id[m] == other;
        document->n_wildcard_ngrams += other != TRIB_NO_WORD && wild;
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

static trib_status count_document(const trib_run *run, trib_run_document *document, uint32_t *local,
                                  bool in_order, trib_error *error) {
    const uint32_t n = run->config->tensor.n;
    uint32_t dim[TRIB_MAX_MODES];
    trib_hacoo_options options = {.hash = run->config->tensor.hash,
                                  .load = run->config->tensor.load,
                                  .n_buckets = (size_t)run->config->tensor.buckets,
                                  .expected = document->n_tokens};
    trib_status status = number_words(run, document, local, error);
    if (status != TRIB_OK) return status;
    for (uint32_t m = 0; m < n; m++) dim[m] = document->n_local;
    if (document->n_local > 0) status = trib_hacoo_init(&document->ngrams, n, dim, &options, error);
    if (status ==
        TRIB_MEMORY) { /* no room for as many n-grams as words: the table grows as it must */
        options.expected = 0;
        status = trib_hacoo_init(&document->ngrams, n, dim, &options, error);
    }
    if (document->n_local > 0 && status == TRIB_OK)
        status = count_ngrams(run, document, local, in_order, error);
    forget_words(document, local);
    if (status == TRIB_OK && document->n_ngrams == 0 && run->config->corpus.n_documents == 0)
        status = trib_fail(error, TRIB_INPUT, "%s: holds no %u-gram (%zu words); lower tensor.n",
                           document->about->path, (unsigned)n, document->n_tokens);
    else if (status == TRIB_OK && document->n_ngrams == 0)
        status = trib_fail(
            error, TRIB_INPUT,
            "%s: holds no %u-gram (%zu words); give it more text, remove '%s' or lower tensor.n",
            document->about->path, (unsigned)n, document->n_tokens, document->about->id);
    return status;
}

/* Intervals draw blocks of consecutive n-grams, passages are made of them. */
static bool wants_order(const trib_config *config) {
    bool wanted = false;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        wanted = wanted || config->influence.method[i]->has_evidence ||
                 config->influence.method[i]->needs_order;
    return wanted;
}

trib_status trib_stage_tensors(trib_run *run, trib_error *error) {
    const trib_progress progress = trib_log_progress(run->log);
    uint32_t *local = NULL;
    trib_status status = trib_new(&local, run->vocab.n_words, sizeof *local, "word ids", error);
    if (status == TRIB_OK)
        status = trib_new(&run->view, run->n_documents, sizeof *run->view, "the documents", error);
    if (status == TRIB_OK)
        memset(local, 0xFF, run->vocab.n_words * sizeof *local); /* TRIB_NO_WORD everywhere */
    const bool in_order = wants_order(run->config);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++) {
        trib_run_document *document = &run->document[d];
        status = count_document(run, document, local, in_order, error);
        run->n_ngrams += document->n_ngrams;
        run->n_wildcard_ngrams += document->n_wildcard_ngrams;
        run->view[d] = (trib_influence_document){.counts = &document->ngrams,
                                                 .word = document->word,
                                                 .n_local = document->n_local,
                                                 .n_words = document->n_tokens,
                                                 .sequence = document->sequence,
                                                 .n_ngrams = document->n_ngrams};
        if (status == TRIB_OK && !trib_progress_tick(&progress, d + 1, run->n_documents))
            status = trib_log_stopped(run->log, error);
    }
    trib_free(local);
    return status;
}
