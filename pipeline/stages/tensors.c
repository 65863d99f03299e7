/* tensors.c - stage tensors: every document counted into HaCOO over its own word ids, commonest first. Here, and only
 * here, a full window of n ids becomes a coordinate of n indices. */
#include "pipeline/output/directory.h"
#include "pipeline/output/files.h"
#include "pipeline/stages/shared_words.h"
#include "pipeline/store/cached.h"

#include <stdlib.h>
#include <string.h>

/* N-grams a table is made for at first: half as many as words, as running text has, but a long one repeats itself. */
enum { FIRST_TABLE = 1 << 20 };

/* A word of one document while its ids are being given. */
typedef struct local_word {
    uint32_t id;    /* in the vocabulary */
    uint32_t place; /* among the words of the document's file; of <other>, any one */
    uint64_t count;
    const char *text;
} local_word;

/* Descending count in the document, ties by code point (the byte order of UTF-8). */
static int by_frequency(const void *a, const void *b) {
    const local_word *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* The words of the document that are in the vocabulary, with <other> once for all that are not; returns how many. */
static uint32_t list_words(const trib_run *run, const trib_run_document *document,
                           const trib_words *words, local_word *list) {
    const uint32_t *const id_of = trib_run_word_ids(document, words);
    uint32_t n = 0, other = TRIB_NO_WORD;
    for (uint32_t w = 0; w < words->n_words; w++) {
        const uint32_t id = id_of[w];
        if (id == TRIB_NO_WORD) continue;
        if (id == run->vocab.other && other != TRIB_NO_WORD) {
            list[other].count += words->count[w];
            continue;
        }
        if (id == run->vocab.other) other = n;
        list[n++] = (local_word){id, w, words->count[w], run->vocab.word[id]};
    }
    return n;
}

/* Gives the document's words its own ids, commonest first: document->word[own id] is the vocabulary's, and own[w] the
 * own id of the w-th word of its file, or TRIB_NO_WORD. *other is the own id of <other>, or TRIB_NO_WORD. */
static trib_status number_words(const trib_run *run, trib_run_document *document,
                                const trib_words *words, uint32_t *own, uint32_t *other,
                                trib_error *error) {
    const uint32_t *const id_of = trib_run_word_ids(document, words);
    local_word *list = NULL;
    uint32_t n = 0;
    trib_status status = trib_new(&list, words->n_words, sizeof *list, "a document's words", error);
    if (status == TRIB_OK) {
        n = list_words(run, document, words, list);
        if (n > 0) qsort(list, n, sizeof *list, by_frequency);
        status = trib_new(&document->word, n, sizeof *document->word, "a document's words", error);
    }
    *other = TRIB_NO_WORD;
    if (status == TRIB_OK) {
        document->n_local = n;
        for (uint32_t w = 0; w < words->n_words; w++) own[w] = TRIB_NO_WORD;
        for (uint32_t i = 0; i < n; i++) {
            document->word[i] = list[i].id;
            own[list[i].place] = i;
            if (list[i].id == run->vocab.other) *other = i;
        }
        for (uint32_t w = 0; w < words->n_words && *other != TRIB_NO_WORD; w++)
            if (id_of[w] == run->vocab.other) own[w] = *other;
    }
    trib_free(list);
    return status;
}

/* Words without a break between them, and the windows over them that are not counted yet. */
typedef struct stretch {
    trib_hacoo_stream stream;
    uint32_t n;      /* of the n-grams */
    uint32_t other;  /* own id of <other> */
    size_t length;   /* ids waiting; the first n-1 may belong to windows that were counted */
    size_t n_common; /* ids since <other>, up to n */
    uint64_t n_ngrams, n_wild;
    uint32_t id[TRIB_WORDS_BLOCK + TRIB_MAX_NGRAM];
} stretch;

/* Counts the windows that wait and keeps the ids of the next. */
static trib_status count_windows(stretch *s, trib_error *error) {
    if (s->length < s->n) return TRIB_OK;
    const size_t n_windows = s->length - s->n + 1;
    const trib_status status = trib_hacoo_stream_windows(&s->stream, s->length, s->id, error);
    s->n_ngrams += n_windows;
    memmove(s->id, s->id + n_windows, (s->n - 1) * sizeof *s->id);
    s->length = s->n - 1;
    return status;
}

static trib_status end_stretch(stretch *s, trib_error *error) {
    const trib_status status = count_windows(s, error);
    s->length = 0;
    s->n_common = s->n;
    return status;
}

/* The words of a block, by their own ids. */
static trib_status add_block(stretch *s, const trib_words_block *block, const uint32_t *own,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t k = 0; k < block->n && status == TRIB_OK; k++) {
        const uint32_t id = own[block->id[k]];
        if (block->after_break[k] || id == TRIB_NO_WORD) status = end_stretch(s, error);
        if (id == TRIB_NO_WORD) continue;
        s->id[s->length++] = id;
        if (s->other == TRIB_NO_WORD) continue;
        s->n_common = id == s->other ? 0 : s->n_common + (s->n_common < s->n);
        s->n_wild += s->n_common < s->n && s->length >= s->n;
    }
    return status == TRIB_OK ? count_windows(s, error) : status;
}

/* Streams the document's words through the window into its table. */
static trib_status count_ngrams(const trib_run *run, trib_run_document *document,
                                const trib_words *words, const uint32_t *own, uint32_t other,
                                bool in_order, trib_error *error) {
    trib_words_block block = {0};
    stretch *s = NULL;
    trib_status status = trib_words_block_init(&block, error);
    if (status == TRIB_OK) status = trib_new(&s, 1, sizeof *s, "a block of words", error);
    if (status == TRIB_OK && in_order)
        status = trib_new(&document->sequence, document->n_tokens, sizeof *document->sequence,
                          "n-grams in order", error);
    if (status == TRIB_OK) {
        s->n = run->config->tensor.n;
        s->other = other;
        s->n_common = s->n;
        trib_hacoo_stream_init(&s->stream, &document->ngrams, document->sequence);
    }
    block.ids_only = true;
    for (uint64_t i = 0; i < words->n_tokens && status == TRIB_OK; i += block.n) {
        status = trib_words_at(words, i, &block, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        if (status == TRIB_OK) status = add_block(s, &block, own, error);
    }
    if (status == TRIB_OK) status = trib_hacoo_stream_flush(&s->stream, error);
    if (status == TRIB_OK) {
        document->n_ngrams = (size_t)s->n_ngrams;
        document->n_wildcard_ngrams = s->n_wild;
    }
    trib_words_block_release(&block);
    trib_free(s);
    return status;
}

static trib_status say_empty(const trib_run *run, const trib_run_document *document,
                             trib_error *error) {
    const unsigned n = run->config->tensor.n;
    if (run->config->corpus.n_documents == 0)
        return trib_fail(error, TRIB_INPUT, "%s: holds no %u-gram (%zu words); lower tensor.n",
                         document->about->path, n, document->n_tokens);
    return trib_fail(
        error, TRIB_INPUT,
        "%s: holds no %u-gram (%zu words); give it more text, remove '%s' or lower tensor.n",
        document->about->path, n, document->n_tokens, document->about->id);
}

static trib_status count_document(const trib_run *run, trib_run_document *document,
                                  const trib_words *words, bool in_order, trib_error *error) {
    const uint32_t n = run->config->tensor.n;
    uint32_t dim[TRIB_MAX_MODES], *own = NULL, other = TRIB_NO_WORD;
    trib_hacoo_options options = {
        .hash = run->config->tensor.hash,
        .load = run->config->tensor.load,
        .n_buckets = (size_t)run->config->tensor.buckets,
        .expected = document->n_tokens / 2 < FIRST_TABLE ? document->n_tokens / 2 : FIRST_TABLE};
    trib_status status = trib_new(&own, words->n_words, sizeof *own, "a document's words", error);
    if (status == TRIB_OK) status = number_words(run, document, words, own, &other, error);
    if (status != TRIB_OK) goto done;
    for (uint32_t m = 0; m < n; m++) dim[m] = document->n_local;
    if (document->n_local > 0) status = trib_hacoo_init(&document->ngrams, n, dim, &options, error);
    if (status ==
        TRIB_MEMORY) { /* no room for as many n-grams as words: the table grows as it must */
        options.expected = 0;
        status = trib_hacoo_init(&document->ngrams, n, dim, &options, error);
    }
    if (document->n_local > 0 && status == TRIB_OK)
        status = count_ngrams(run, document, words, own, other, in_order, error);
    if (status == TRIB_OK && document->n_ngrams == 0) status = say_empty(run, document, error);
done:
    trib_free(own);
    return status;
}

/* Intervals draw blocks of consecutive n-grams, passages are made of them. */
bool trib_config_wants_order(const trib_config *config) {
    bool wanted = false;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        wanted = wanted || config->influence.method[i]->has_evidence ||
                 config->influence.method[i]->needs_order;
    return wanted;
}

/* What later stages read of a document goes to a file. TRIB_MEMORY where that cannot be mapped; nothing has changed then. */
static trib_status spill_document(trib_run *run, trib_run_document *document, trib_error *error) {
    uint32_t *word = NULL, *sequence = NULL;
    trib_status status = TRIB_OK;
    if (run->n_spilled == 0) status = trib_spill_open(&run->tensors, trib_run_scratch(run), error);
    if (status == TRIB_OK)
        status = trib_spill_put(&run->tensors, document->word,
                                document->n_local * sizeof *document->word, &word, error);
    if (status == TRIB_OK && document->sequence)
        status = trib_spill_put(&run->tensors, document->sequence,
                                document->n_ngrams * sizeof *document->sequence, &sequence, error);
    if (status == TRIB_OK) status = trib_hacoo_spill(&document->ngrams, &run->tensors, error);
    if (status != TRIB_OK) return status;
    trib_free(document->word);
    trib_free(document->sequence);
    document->word = word;
    document->sequence = sequence;
    run->n_spilled++;
    return TRIB_OK;
}

/* Where much is in memory already the document goes to the file, if it can. */
static trib_status settle(trib_run *run, trib_run_document *document, trib_error *error) {
    trib_status status = TRIB_OK;
#pragma omp critical(trib_spill)
    if (run->spill_beyond > 0 && trib_memory_in_use() > run->spill_beyond)
        status = spill_document(run, document, error);
    return status == TRIB_MEMORY ? TRIB_OK : status;
}

static void forget_part(trib_run *run, uint32_t d) {
    trib_run_document *document = &run->document[d];
    trib_hacoo_release(&document->ngrams);
    trib_free(document->sequence);
    trib_free(document->word);
    document->sequence = document->word = NULL;
}

static trib_status count_part(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                              trib_error *error) {
    trib_run_document *document = &run->document[d];
    trib_words words;
    (void)n_threads;
    (void)progress;
    trib_status status = trib_run_words(document, &words, error);
    if (status != TRIB_OK) return status;
    status = count_document(run, document, &words,
                            !run->tensors_are_last && trib_config_wants_order(run->config), error);
    trib_words_close(&words);
    if (status == TRIB_OK && run->is_open) status = trib_outputs_tensor(run, document, error);
    if (!run->tensors_are_last) return status == TRIB_OK ? settle(run, document, error) : status;
    forget_part(run, d);
    return status;
}

static uint64_t n_tokens(const trib_run *run, uint32_t d) { return run->document[d].n_tokens; }

/* Counting takes less time than giving the counts to other ranks would. */
static const trib_part_row counting = {.work = count_part, .size = n_tokens, .forget = forget_part};

trib_status trib_stage_tensors(trib_run *run, trib_error *error) {
    bool is_known = false;
    trib_status status = run->is_dry ? trib_cached_take_prints(run, &is_known, error) : TRIB_OK;
    if (is_known || status != TRIB_OK) return status; /* what can be said needs no counts */
    status = trib_new(&run->view, run->n_documents, sizeof *run->view, "the documents", error);
    if (status == TRIB_OK && run->is_open && run->config->report.tensors)
        status = trib_directory_make(run, "tensors", error);
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) status = trib_comm_share_words(run, error);
    if (status == TRIB_OK) status = trib_run_parts(run, run->n_documents, &counting, error);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++) {
        const trib_run_document *document = &run->document[d];
        run->n_ngrams += document->n_ngrams;
        run->n_wildcard_ngrams += document->n_wildcard_ngrams;
        run->view[d] = (trib_influence_document){.counts = &document->ngrams,
                                                 .word = document->word,
                                                 .n_local = document->n_local,
                                                 .n_words = document->n_tokens,
                                                 .sequence = document->sequence,
                                                 .n_ngrams = document->n_ngrams};
    }
    if (run->n_spilled > 0)
        trib_log_say(
            run->log, TRIB_LOG_INFO,
            "tensors: more than a quarter of the memory; %u of %u lie in a scratch file of %.0f "
            "MiB in %s",
            run->n_spilled, run->n_documents, (double)run->tensors.writer.n_written / 1048576,
            trib_run_scratch(run));
    const bool are_needed = run->cache && !run->tensors_are_last;
    return status == TRIB_OK && are_needed ? trib_cached_prints(run, error) : status;
}
