/* ready_entry.c - the entry of a ready corpus: a header with the table of sections, then the
 * sections. */
#include "base/internal.h"
#include "pipeline/run/run.h"

#include <string.h>

#include "pipeline/run/cached.h"
#include "tokenizer/word_runs.h"

enum { LINE = 64 };

/* The sections, in their order. */
enum {
    DOCUMENTS, /* trib_ready_document of each */
    TEXT,      /* the words of the vocabulary by id, each with a NUL */
    COUNTS,    /* of each word u64 */
    HOLDERS,   /* documents that hold each word u32 */
    NGRAMS,    /* entries of the indexes */
    RUNS,
    FORMULAS, /* slots of their table */
    NEAR,     /* trib_near of each pair */
    N_SECTIONS
};

typedef struct header {
    uint64_t n_documents, n_words, other, n_tokens, n_other, rate, has_wanted, n_formulas;
    uint64_t size[N_SECTIONS]; /* bytes; each section begins at the next multiple of LINE */
} header;

static uint64_t rounded(uint64_t size) { return (size + LINE - 1) / LINE * LINE; }

/* ---- Writing --------------------------------------------------------------------------------- */

/* The entry while it is written. */
typedef struct outgoing {
    const trib_run *run;
    trib_ready_document *document; /* [n_documents] */
    trib_writer writer;
    header header;
    const void *section[N_SECTIONS]; /* NULL for the entries of an index, which lie in parts */
} outgoing;

static trib_status describe_document(void *context, size_t d, trib_error *error) {
    const outgoing *out = context;
    const trib_run *run = out->run;
    const trib_counts *counts = &run->tensors.document[d];
    const trib_document_words *document = &run->words.document[d];
    trib_ready_document *to = &out->document[d];
    trib_words words;
    const trib_status status = trib_document_words_open(document, &words, error);
    if (status != TRIB_OK) return status;
    to->n_tokens = document->n_tokens;
    to->n_ngrams = counts->n_ngrams;
    to->n_wildcard_ngrams = counts->n_wildcard_ngrams;
    to->n_nonzeros = run->tensors.size[d].n_nonzeros;
    to->n_words = document->n_words;
    to->n_local = run->tensors.size[d].n_words;
    to->print = run->fingerprint[d];
    to->about = words.about;
    trib_words_close(&words);
    return TRIB_OK;
}

static uint64_t size_of_entries(const trib_sketch_index *index) {
    uint64_t n = 0;
    for (uint32_t p = 0; p < index->n_partitions; p++) n += index->entries[p].n;
    return n * sizeof(trib_sketch_entry);
}

static void set_section(outgoing *out, int section, const void *array, uint64_t size) {
    out->section[section] = array;
    out->header.size[section] = size;
}

static void describe(outgoing *out) {
    const trib_run *run = out->run;
    const trib_vocab *vocab = &run->vocab;
    const trib_ready *ready = &run->ready;
    out->header = (header){.n_documents = run->corpus.n_documents,
                           .n_words = vocab->n_words,
                           .other = vocab->other,
                           .n_tokens = vocab->n_tokens,
                           .n_other = vocab->n_other,
                           .rate = ready->made.rate,
                           .has_wanted = ready->made.has_wanted,
                           .n_formulas = run->index.formulas.n};
    set_section(out, DOCUMENTS, out->document, run->corpus.n_documents * sizeof *out->document);
    set_section(out, TEXT, vocab->text, trib_vocab_text_size(vocab));
    set_section(out, COUNTS, vocab->count, vocab->n_words * sizeof *vocab->count);
    set_section(out, HOLDERS, vocab->n_documents, vocab->n_words * sizeof *vocab->n_documents);
    set_section(out, NGRAMS, NULL, size_of_entries(&ready->made.ngrams));
    set_section(out, RUNS, NULL, size_of_entries(&ready->made.runs));
    set_section(out, FORMULAS, run->index.formulas.slot,
                run->index.formulas.n_slots * sizeof *run->index.formulas.slot);
    set_section(out, NEAR, ready->near, ready->n_near * sizeof *ready->near);
}

static void pad(trib_writer *writer) {
    static const char zero[LINE];
    trib_write(writer, zero, (size_t)(rounded(writer->n_written) - writer->n_written));
}

static void write_entries(trib_writer *writer, const trib_sketch_index *index) {
    for (uint32_t p = 0; p < index->n_partitions; p++) {
        const trib_sketch_entries *entries = &index->entries[p];
        if (entries->n == 0) continue;
        trib_write(writer, entries->entry, entries->n * sizeof *entries->entry);
        trib_spill_rest_array(&index->spill, entries->entry, entries->n * sizeof *entries->entry);
    }
}

static void write_all(outgoing *out) {
    trib_write(&out->writer, &out->header, sizeof out->header);
    pad(&out->writer);
    for (int s = 0; s < N_SECTIONS; s++) {
        if (s == NGRAMS) write_entries(&out->writer, &out->run->ready.made.ngrams);
        else if (s == RUNS) write_entries(&out->writer, &out->run->ready.made.runs);
        else if (out->header.size[s] > 0)
            trib_write(&out->writer, out->section[s], (size_t)out->header.size[s]);
        pad(&out->writer);
    }
}

/* Stores what was written to the scratch file. */
static trib_status store(outgoing *out, trib_error *error) {
    const trib_run *run = out->run;
    trib_buffer about = {0};
    trib_status status = trib_writer_flush(&out->writer, error);
    const trib_reader reader = trib_writer_reader(&out->writer);
    if (status == TRIB_OK)
        status = trib_buffer_print(&about, error, "part the ready corpus of %u texts\n",
                                   (unsigned)run->corpus.n_documents);
    if (status == TRIB_OK) status = trib_cache_align(&run->ready.key, &about, error);
    if (status == TRIB_OK)
        status = trib_cache_put_piece(run->cache, "corpus", &run->ready.key, &about,
                                      (trib_cache_piece){&reader, 0, out->writer.n_written}, error);
    trib_buffer_release(&about);
    return status;
}

trib_status trib_ready_entry_put(trib_run *run, trib_error *error) {
    const trib_workers workers = trib_environment_workers(&run->env);
    const uint32_t n = run->corpus.n_documents;
    outgoing out = {.run = run};
    trib_error failure = {0};
    trib_status status = TRIB_NEW(&out.document, n, "the ready corpus", error);
    if (status == TRIB_OK) status = trib_tasks_do(&workers, n, describe_document, &out, error);
    if (status == TRIB_OK) status = trib_writer_scratch(&out.writer, run->env.scratch, &failure);
    if (status == TRIB_OK) {
        describe(&out);
        write_all(&out);
        status = store(&out, &failure);
        trib_writer_abandon(&out.writer);
    }
    trib_free(out.document);
    if (status == TRIB_OUTPUT) { /* a full disk: the run needs no entry */
        trib_log_say(run->env.log, TRIB_LOG_WARNING, "the ready corpus is not stored: %s",
                     failure.message);
        return TRIB_OK;
    }
    if (failure.status != TRIB_OK && error) *error = failure;
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The sections of a mapped entry. */
typedef struct incoming {
    const header *header;
    const char *section[N_SECTIONS];
} incoming;

/* Finds the sections; returns false if the entry is not one of a ready corpus. */
static bool find_sections(incoming *in, const trib_cache_mapped *mapped) {
    uint64_t at = rounded(sizeof *in->header);
    if (mapped->length < at || (uintptr_t)mapped->result % LINE != 0) return false;
    in->header = (const void *)mapped->result;
    for (int s = 0; s < N_SECTIONS; s++) {
        const uint64_t size = in->header->size[s];
        if (at > mapped->length || size > mapped->length - at) return false;
        in->section[s] = mapped->result + at;
        at += rounded(size);
    }
    return at == mapped->length;
}

/* Whether a section has n elements of a size. */
static bool has(const incoming *in, int section, uint64_t n, size_t size) {
    return in->header->size[section] % size == 0 && in->header->size[section] / size == n;
}

static bool is_consistent(const incoming *in) {
    const header *h = in->header;
    const uint64_t n_slots = h->size[FORMULAS] / sizeof(trib_frequent_ngram);
    return h->n_documents <= UINT32_MAX && h->n_words <= UINT32_MAX && h->n_words > 0 &&
           has(in, DOCUMENTS, h->n_documents, sizeof(trib_ready_document)) &&
           has(in, COUNTS, h->n_words, sizeof(uint64_t)) &&
           has(in, HOLDERS, h->n_words, sizeof(uint32_t)) && h->size[TEXT] > 0 &&
           h->size[TEXT] >= h->n_words && in->section[TEXT][h->size[TEXT] - 1] == '\0' &&
           h->size[NGRAMS] % sizeof(trib_sketch_entry) == 0 &&
           h->size[RUNS] % sizeof(trib_sketch_entry) == 0 &&
           has(in, FORMULAS, n_slots, sizeof(trib_frequent_ngram)) &&
           (n_slots & (n_slots - 1)) == 0 && h->size[NEAR] % sizeof(trib_near) == 0;
}

/* Leaves room for up to n_more words with n_more_text bytes. */
static trib_status take_vocabulary(trib_vocab *vocab, const incoming *in, uint32_t n_more,
                                   size_t n_more_text, const char *scratch, trib_error *error) {
    const header *h = in->header;
    const size_t n = (size_t)h->n_words, n_text = (size_t)h->size[TEXT];
    trib_status status =
        trib_vocab_allocate(vocab, n + n_more, n_text + n_more_text, false,
                            n + n_more > TRIB_WORDS_IN_MEMORY ? scratch : NULL, error);
    if (status != TRIB_OK) return status;
    memcpy(vocab->count, in->section[COUNTS], n * sizeof *vocab->count);
    memcpy(vocab->n_documents, in->section[HOLDERS], n * sizeof *vocab->n_documents);
    memcpy(vocab->text, in->section[TEXT], n_text);
    vocab->other = (uint32_t)h->other;
    vocab->n_tokens = h->n_tokens;
    vocab->n_other = h->n_other;
    char *word = vocab->text;
    for (; vocab->n_words < n && word < vocab->text + n_text; word += strlen(word) + 1)
        vocab->word[vocab->n_words++] = word;
    return vocab->n_words == n
               ? TRIB_OK
               : trib_fail(error, TRIB_INTERNAL, "the vocabulary has too few words");
}

/* Fills the records of the words, and reports on the texts as if they had been read. */
static trib_status take_words(trib_run *run, const trib_ready_document ready[], trib_error *error) {
    const uint32_t n = trib_corpus_n_counted(&run->corpus), *number = run->corpus.base.number;
    trib_status status = trib_corpus_words_init(&run->words, run->corpus.n_documents, error);
    for (uint32_t b = 0; b < n && status == TRIB_OK; b++) {
        const uint32_t d = number ? number[b] : b;
        trib_document_words *words = &run->words.document[d];
        words->n_tokens = (size_t)ready[b].n_tokens;
        words->n_words = ready[b].n_words;
        status =
            trib_words_report(&run->env, &run->corpus.document[d], words, &ready[b].about, error);
    }
    return status;
}

/* ---- Texts added to the corpus of the entry -------------------------------------------------- */

static bool has_all_words(const trib_config *config) {
    return config->vocabulary.size == 0 && config->vocabulary.min_count <= 1 &&
           config->vocabulary.min_documents <= 1;
}

/* Reads the added texts. */
static trib_status read_added(trib_run *run, trib_error *error) {
    const trib_words_source cached = trib_cached_words(run);
    const bool *is_added = run->corpus.base.is_added;
    trib_status status = trib_stage_tokens(&run->env, &run->corpus, &cached, is_added, &run->words,
                                           &run->word_counts, error);
    for (uint32_t d = 0; d < run->corpus.n_documents && status == TRIB_OK; d++)
        if (is_added[d] && run->corpus.document[d].rejected)
            status = trib_fail(error, TRIB_INPUT, "%s", run->corpus.document[d].rejected);
    return status;
}

/* Makes the vocabulary of the added texts alone. */
static trib_status count_added(trib_run *run, trib_vocab *added, trib_error *error) {
    trib_word_counts *counts = &run->word_counts;
    const trib_vocab_options all = {.size = 0};
    trib_scratch_array ids = {0};
    if (counts->intern.n_words == 0 && counts->runs.n == 0) return TRIB_OK;
    trib_status status = trib_word_counts_move(counts, run->env.scratch, error);
    if (status == TRIB_OK)
        status = trib_word_runs_merge(&counts->runs, &all, run->env.scratch, added, &ids, error);
    trib_scratch_array_close(&ids);
    return status;
}

/* Gives further ids to the added words that the vocabulary of the entry lacks, in their order. */
static trib_status add_further(trib_vocab *vocab, char *text, const trib_vocab *added,
                               const char *scratch, trib_error *error) {
    trib_word_index known = {0};
    const trib_status status = trib_word_index_open(&known, vocab, scratch, error);
    for (uint32_t i = 0; i < added->n_words && status == TRIB_OK; i++) {
        const size_t length = strlen(added->word[i]);
        if (trib_word_index_find(&known, added->word[i], length) != TRIB_NO_WORD) continue;
        vocab->word[vocab->n_words] = memcpy(text, added->word[i], length + 1);
        vocab->count[vocab->n_words] = added->count[i];
        vocab->n_documents[vocab->n_words++] = added->n_documents[i];
        text += length + 1;
    }
    trib_word_index_close(&known);
    return status;
}

/* Takes the vocabulary of the entry, and gives further ids to words that only added texts have. A
 * vocabulary that is limited gets no further words. */
static trib_status extend_vocabulary(trib_run *run, const incoming *in, trib_error *error) {
    trib_vocab *vocab = &run->vocab, added = {.other = TRIB_NO_WORD};
    const char *scratch = run->env.scratch;
    trib_status status = read_added(run, error);
    if (status == TRIB_OK && has_all_words(run->env.config))
        status = count_added(run, &added, error);
    if (status == TRIB_OK)
        status =
            take_vocabulary(vocab, in, added.n_words, trib_vocab_text_size(&added), scratch, error);
    if (status == TRIB_OK && added.n_words > 0)
        status = add_further(vocab, vocab->text + in->header->size[TEXT], &added, scratch, error);
    trib_vocab_release(&added);
    trib_word_counts_release(&run->word_counts);
    return status;
}

static void take_arrays(trib_ready *ready, const incoming *in) {
    const header *h = in->header;
    ready->document = (const void *)in->section[DOCUMENTS];
    ready->indexes =
        (trib_stored_indexes){.ngrams = {(const void *)in->section[NGRAMS],
                                         (size_t)h->size[NGRAMS] / sizeof(trib_sketch_entry)},
                              .runs = {(const void *)in->section[RUNS],
                                       (size_t)h->size[RUNS] / sizeof(trib_sketch_entry)},
                              .rate = (uint32_t)h->rate,
                              .has_wanted = h->has_wanted != 0};
    ready->formula = (const void *)in->section[FORMULAS];
    ready->n_formula_slots = (size_t)h->size[FORMULAS] / sizeof *ready->formula;
    ready->n_formulas = (size_t)h->n_formulas;
    ready->near = (const void *)in->section[NEAR];
    ready->n_near = (size_t)h->size[NEAR] / sizeof *ready->near;
}

trib_status trib_ready_entry_take(trib_run *run, trib_error *error) {
    trib_ready *ready = &run->ready;
    incoming in;
    bool found = false;
    trib_status status =
        trib_cache_map(run->cache, "corpus", &ready->key, &ready->mapped, &found, error);
    if (status != TRIB_OK || !found) return status;
    if (!find_sections(&in, &ready->mapped) || !is_consistent(&in)) {
        trib_cache_report(run->cache, "corpus", &ready->key, "its contents are invalid");
        return TRIB_OK;
    }
    if (trib_corpus_n_counted(&run->corpus) != in.header->n_documents)
        status = trib_fail(error, TRIB_INTERNAL, "the ready corpus has other documents");
    take_arrays(ready, &in);
    if (status == TRIB_OK) status = take_words(run, ready->document, error);
    if (status == TRIB_OK)
        status = run->corpus.base.n_documents > 0
                     ? extend_vocabulary(run, &in, error)
                     : take_vocabulary(&run->vocab, &in, 0, 0, run->env.scratch, error);
    ready->is_taken = status == TRIB_OK;
    return status;
}

trib_status trib_ready_entry_formulas(trib_run *run, trib_error *error) {
    const trib_ready *ready = &run->ready;
    trib_frequent_ngrams *to = &run->index.formulas;
    if (ready->n_formula_slots == 0) return TRIB_OK;
    const trib_status status =
        TRIB_NEW(&to->slot, ready->n_formula_slots, "frequent n-grams", error);
    if (status != TRIB_OK) return status;
    memcpy(to->slot, ready->formula, ready->n_formula_slots * sizeof *to->slot);
    const uint32_t *number = run->corpus.base.number;
    for (size_t i = 0; number && i < ready->n_formula_slots; i++)
        if (to->slot[i].n_documents > 0) to->slot[i].earliest = number[to->slot[i].earliest];
    to->n_slots = ready->n_formula_slots;
    to->n = ready->n_formulas;
    to->more_than = run->env.config->influence.formula;
    return TRIB_OK;
}
