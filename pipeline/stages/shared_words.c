/* shared_words.c - exchanges the words of the documents between processes. The vocabularies are
 * added pairwise in a binomial tree (Thakur, Rabenseifner & Gropp 2005): of K processes none adds
 * more than log2 K vocabularies to its own, and each sends its own once. Counts are integers, whose
 * sums do not depend on the order of addition. Words are numbered by count and spelling, which is
 * unique. The result is therefore the same for any number of processes. Words that have norms, or
 * are many, go the way of shared_runs.c. */
#include "pipeline/stages/shared_words.h"

#include <string.h>

#include "pipeline/support/pack.h"
#include "tokenizer/word_runs.h"

static trib_status invalid_message(const trib_comm *comm, int from, trib_error *error) {
    return trib_fail(error, TRIB_INTERNAL,
                     "rank %d received an invalid message from rank %d; are all machines and "
                     "programs of one kind?",
                     comm->rank, from);
}

/* ---- Results of reading the documents -------------------------------------------------------- */

static void pack_document(const char *rejected, const trib_document_words *words,
                          const trib_words_about *about, trib_pack *out) {
    trib_pack_text(out, rejected ? rejected : "");
    if (rejected) return;
    trib_pack_u64(out, words->n_tokens);
    trib_pack_u32(out, words->n_words);
    trib_pack_array(out, &about->counts, 1, sizeof about->counts);
    trib_pack_array(out, &about->cuts, 1, sizeof about->cuts);
    trib_pack_u64(out, about->remark_line);
    trib_pack_text(out, about->encoding);
    trib_pack_text(out, about->remark);
}

static trib_status unpack_document(trib_document *document, trib_document_words *words,
                                   trib_words_about *about, trib_unpack *in, trib_error *error) {
    trib_error why = {.status = TRIB_INPUT};
    trib_unpack_text(in, why.message, sizeof why.message);
    if (*why.message) return trib_document_reject(document, &why, error);
    words->n_tokens = (size_t)trib_unpack_u64(in);
    words->n_words = trib_unpack_u32(in);
    trib_unpack_into(in, &about->counts, 1, sizeof about->counts);
    trib_unpack_into(in, &about->cuts, 1, sizeof about->cuts);
    about->remark_line = trib_unpack_u64(in);
    trib_unpack_text(in, about->encoding, sizeof about->encoding);
    trib_unpack_text(in, about->remark, sizeof about->remark);
    return TRIB_OK;
}

/* The texts that were read. */
typedef struct found {
    trib_corpus *corpus;
    trib_corpus_words *words;
    trib_words_about *about;
} found;

static void pack_found(void *context, int from, trib_pack *out) {
    const found *f = context;
    const trib_document_words *of = f->words->document;
    for (uint32_t d = 0; d < f->corpus->n_documents; d++)
        if (of[d].rank == from)
            pack_document(f->corpus->document[d].rejected, &of[d], &f->about[d], out);
}

static trib_status unpack_found(void *context, int from, trib_unpack *in, trib_error *error) {
    const found *f = context;
    trib_document_words *of = f->words->document;
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < f->corpus->n_documents && status == TRIB_OK; d++)
        if (of[d].rank == from)
            status = unpack_document(&f->corpus->document[d], &of[d], &f->about[d], in, error);
    return status;
}

trib_status trib_share_found_words(const trib_comm *comm, trib_status status, trib_corpus *corpus,
                                   trib_corpus_words *words, trib_words_about *about,
                                   trib_error *error) {
    static const trib_message message = {pack_found, unpack_found, false};
    found f = {corpus, words, about};
    return trib_comm_tell_all(comm, status, &message, &f, error);
}

/* ---- Adding vocabularies --------------------------------------------------------------------- */

/* Packs the number of words, the number of their bytes, and the words with a NUL after each. */
static void pack_texts(trib_pack *out, uint32_t n, const char *text, size_t n_text) {
    trib_pack_varint(out, n);
    trib_pack_varint(out, n_text);
    trib_pack_array(out, text, n_text, 1);
}

/* Packs words, then for each its occurrences and its number of documents. */
static void pack_words(trib_pack *out, uint32_t n, const char *text, size_t n_text,
                       const uint64_t *count, const uint32_t *n_documents) {
    pack_texts(out, n, text, n_text);
    for (uint32_t i = 0; i < n; i++) {
        trib_pack_varint(out, count[i]);
        trib_pack_varint(out, n_documents[i]);
    }
}

/* The spellings in a received message. */
typedef struct spellings {
    const char *at, *end;
    uint32_t n; /* words */
} spellings;

static spellings unpack_spellings(trib_unpack *in) {
    const uint64_t n = trib_unpack_varint(in), n_text = trib_unpack_varint(in);
    trib_unpack_expect(in, n < TRIB_NO_WORD && n_text <= (uint64_t)(in->end - in->at));
    if (in->is_wrong) return (spellings){0};
    in->at += n_text;
    return (spellings){in->at - n_text, in->at, (uint32_t)n};
}

/* Returns the next word and sets its length; marks the message as invalid and returns NULL if there
 * is none. */
static const char *next_word(spellings *s, size_t *length, trib_unpack *in) {
    const char *const word = s->at;
    const char *const nul = word < s->end ? memchr(word, '\0', (size_t)(s->end - word)) : NULL;
    trib_unpack_expect(in, nul != NULL);
    if (!nul) return NULL;
    *length = (size_t)(nul - word);
    s->at = nul + 1;
    return word;
}

static trib_status add_words(const trib_comm *comm, trib_word_counts *counts, int from,
                             const trib_buffer *bytes, trib_error *error) {
    trib_unpack in = {.at = bytes->text, .end = bytes->text + bytes->length};
    spellings s = unpack_spellings(&in);
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < s.n && status == TRIB_OK && !in.is_wrong; i++) {
        size_t length = 0;
        uint32_t id;
        const char *const word = next_word(&s, &length, &in);
        const uint64_t count = trib_unpack_varint(&in), n_documents = trib_unpack_varint(&in);
        if (in.is_wrong) break;
        status =
            trib_word_counts_add(counts, word, length, count, (uint32_t)n_documents, &id, error);
    }
    return status == TRIB_OK && !trib_unpack_is_whole(&in) ? invalid_message(comm, from, error)
                                                           : status;
}

/* One level of the tree: each rank that is an odd multiple of `step` sends its words to the rank
 * `step` below it. */
static trib_status add_level(const trib_comm *comm, trib_status status, trib_word_counts *counts,
                             int step, trib_error *error) {
    const int place = comm->rank % (2 * step);
    const bool gives = place == step, takes = place == 0 && step < comm->size - comm->rank;
    const int to = comm->rank - step, from = comm->rank + step;
    trib_pack pack = {0};
    if (gives && status == TRIB_OK) {
        pack_words(&pack, counts->intern.n_words, counts->intern.text, counts->intern.n_text,
                   counts->count, counts->n_documents);
        status = pack.failure.status;
        if (error && status != TRIB_OK) *error = pack.failure;
    }
    status = trib_comm_move(comm, status, gives ? to : -1, takes ? from : -1, &pack.bytes, error);
    if (status == TRIB_OK && takes) status = add_words(comm, counts, from, &pack.bytes, error);
    trib_pack_release(&pack);
    return status;
}

trib_status trib_share_added_vocabularies(const trib_comm *comm, trib_word_counts *counts,
                                          trib_error *error) {
    trib_status status = TRIB_OK;
    for (int step = 1; step < comm->size; step *= 2)
        status = add_level(comm, status, counts, step, error);
    return status;
}

/* ---- One vocabulary for all ------------------------------------------------------------------ */

static void pack_vocabulary(void *context, int from, trib_pack *out) {
    const trib_vocab *vocab = context;
    (void)from;
    trib_pack_u32(out, vocab->other);
    trib_pack_u64(out, vocab->n_tokens);
    trib_pack_u64(out, vocab->n_other);
    pack_words(out, vocab->n_words, vocab->text, trib_vocab_text_size(vocab), vocab->count,
               vocab->n_documents);
}

static trib_status unpack_vocabulary(void *context, int from, trib_unpack *in, trib_error *error) {
    trib_vocab *vocab = context;
    (void)from;
    vocab->other = trib_unpack_u32(in);
    vocab->n_tokens = trib_unpack_u64(in);
    vocab->n_other = trib_unpack_u64(in);
    spellings s = unpack_spellings(in);
    const size_t n_text = (size_t)(s.end - s.at);
    trib_status status = trib_vocab_allocate(vocab, s.n, n_text, false, NULL, error);
    if (status != TRIB_OK || n_text == 0) return status;
    memcpy(vocab->text, s.at, n_text);
    for (char *word = vocab->text; vocab->n_words < s.n && !in->is_wrong; vocab->n_words++) {
        size_t length = 0;
        next_word(&s, &length, in);
        vocab->word[vocab->n_words] = word;
        vocab->count[vocab->n_words] = trib_unpack_varint(in);
        vocab->n_documents[vocab->n_words] = (uint32_t)trib_unpack_varint(in);
        word += length + 1;
    }
    return status;
}

/* Finds the vocabulary ids of this rank's words. */
static trib_status number_words(const trib_word_counts *counts, const trib_vocab *vocab,
                                uint32_t *final_id, trib_error *error) {
    const trib_intern *own = &counts->intern;
    trib_intern words = {0}; /* with the ids of the vocabulary */
    trib_status status = TRIB_OK;
    for (uint32_t w = 0; w < vocab->n_words && status == TRIB_OK; w++) {
        const char *word = vocab->word[w];
        uint32_t id;
        if (w != vocab->other) status = trib_intern_add(&words, word, strlen(word), &id, error);
    }
    for (uint32_t p = 0; p < own->n_words && status == TRIB_OK; p++) {
        const char *word = trib_intern_word(own, p);
        const uint32_t id = trib_intern_find(&words, word, strlen(word));
        final_id[p] = id == TRIB_NO_WORD ? vocab->other : id;
    }
    trib_intern_release(&words);
    return status;
}

trib_status trib_share_vocabulary(const trib_comm *comm, trib_status status,
                                  const trib_word_counts *own, trib_vocab *vocab,
                                  uint32_t *final_id, trib_error *error) {
    static const trib_message message = {pack_vocabulary, unpack_vocabulary, false};
    status = trib_comm_tell(comm, status, 0, &message, vocab, error);
    return status == TRIB_OK && comm->rank > 0 ? number_words(own, vocab, final_id, error) : status;
}

/* ---- Words by number ------------------------------------------------------------------------- */

/* Writes the numbered words of this rank's documents to a file that the others can open. */
static trib_status write_own(const trib_comm *comm, trib_corpus_words *words, const char *scratch,
                             trib_error *error) {
    trib_writer *const out = &words->numbered;
    trib_buffer bytes = {0};
    trib_status status = trib_writer_scratch_named(out, scratch, error);
    for (uint32_t d = 0; d < words->n_documents && status == TRIB_OK; d++) {
        trib_document_words *document = &words->document[d];
        trib_words file;
        if (document->rank != comm->rank) continue;
        trib_buffer_clear(&bytes);
        status = trib_document_words_open(document, &file, error);
        if (status != TRIB_OK) break;
        status = trib_words_number(&file, file.id, &bytes, error);
        trib_words_close(&file);
        document->numbered_from = out->n_written;
        document->numbered_size = bytes.length;
        trib_write(out, bytes.text, bytes.length);
    }
    trib_buffer_release(&bytes);
    return status == TRIB_OK ? trib_writer_sync(out, error) : status;
}

/* The name of a rank's file, then where the words of its documents lie. */
static void pack_places(void *context, int from, trib_pack *out) {
    const trib_corpus_words *words = context;
    trib_pack_text(out, words->numbered.temporary);
    for (uint32_t d = 0; d < words->n_documents; d++) {
        const trib_document_words *document = &words->document[d];
        if (document->rank != from) continue;
        trib_pack_u64(out, document->numbered_from);
        trib_pack_u64(out, document->numbered_size);
        trib_pack_u64(out, document->n_tokens); /* some words may have been left out */
        trib_pack_u32(out, document->n_words);
    }
}

/* Opens the file. */
static trib_status unpack_places(void *context, int from, trib_unpack *in, trib_error *error) {
    trib_corpus_words *words = context;
    trib_shared_words *const of = &words->shared[from];
    char path[4096] = "";
    trib_unpack_text(in, path, sizeof path);
    if (in->is_wrong) return TRIB_OK;
    trib_status status = trib_copy(&of->path, path, error);
    if (status == TRIB_OK) status = trib_reader_open_file(&of->reader, of->path, error);
    of->is_open = status == TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents && status == TRIB_OK; d++) {
        trib_document_words *document = &words->document[d];
        if (document->rank != from) continue;
        document->file = &of->reader;
        document->from = trib_unpack_u64(in);
        document->size = trib_unpack_u64(in);
        document->n_tokens = (size_t)trib_unpack_u64(in);
        document->n_words = trib_unpack_u32(in);
        document->is_numbered = true;
    }
    return status;
}

trib_status trib_share_words(const trib_comm *comm, trib_status status, trib_corpus_words *words,
                             const char *scratch, trib_error *error) {
    static const trib_message message = {pack_places, unpack_places, false};
    if (comm->size <= 1) return status;
    if (status == TRIB_OK)
        status = TRIB_NEW(&words->shared, (size_t)comm->size, "the words of other ranks", error);
    if (status == TRIB_OK) words->n_shared = comm->size;
    if (status == TRIB_OK) status = write_own(comm, words, scratch, error);
    return trib_comm_tell_all(comm, status, &message, words, error);
}
