/* document_words.c - the words of the documents, passed from one stage to the next, and between
 * processes. */
#include "pipeline/stages/document_words.h"

#include <pthread.h>

#include "pipeline/support/pack.h"
#include "pipeline/support/path.h"

trib_status trib_corpus_words_init(trib_corpus_words *words, uint32_t n_documents,
                                   trib_error *error) {
    const trib_status status =
        TRIB_NEW(&words->document, n_documents, "the words of the documents", error);
    if (status == TRIB_OK) words->n_documents = n_documents;
    return status;
}

void trib_corpus_words_release(trib_corpus_words *words) {
    for (uint32_t d = 0; d < words->n_documents; d++) trib_free(words->document[d].joined);
    trib_free(words->document);
    for (int i = 0; i < 2; i++) trib_writer_abandon(&words->ids[i].writer);
    for (int s = 0; s < words->n_spills; s++) trib_writer_abandon(&words->spill[s].writer);
    trib_free(words->spill);
    trib_word_changes_release(&words->changes);
    for (size_t i = 0; i < words->taken.n; i++) trib_free(words->taken.line[i]);
    TRIB_FREE(words->taken.transform, words->taken.line);
    trib_writer_abandon(&words->numbered);
    for (int rank = 0; rank < words->n_shared; rank++) {
        if (words->shared[rank].is_open) trib_reader_close(&words->shared[rank].reader);
        trib_free(words->shared[rank].path);
    }
    trib_free(words->shared);
    *words = (trib_corpus_words){0};
}

/* ---- Ids of the words of a document ---------------------------------------------------------- */

static pthread_mutex_t putting = PTHREAD_MUTEX_INITIALIZER;

static trib_status put_ids(trib_words_spill *to, trib_document_words *document, const uint32_t id[],
                           const char *scratch, trib_error *error) {
    trib_status status = TRIB_OK;
    if (!to->writer.path) { /* later, other threads use the reader */
        status = trib_writer_scratch(&to->writer, scratch, false, error);
        if (status == TRIB_OK) to->reader = trib_writer_reader(&to->writer);
    }
    if (status != TRIB_OK) return status;
    const uint64_t from = to->writer.n_written;
    trib_write(&to->writer, id, document->n_words * sizeof *id);
    status = trib_writer_flush(&to->writer, error);
    if (status != TRIB_OK) return status;
    document->ids = &to->reader;
    document->ids_from = from;
    return TRIB_OK;
}

trib_status trib_corpus_words_put_ids(trib_corpus_words *words, trib_document_words *document,
                                      const uint32_t id[], bool are_final, const char *scratch,
                                      trib_error *error) {
    pthread_mutex_lock(&putting);
    const trib_status status = put_ids(&words->ids[are_final], document, id, scratch, error);
    pthread_mutex_unlock(&putting);
    return status;
}

trib_status trib_document_words_ids(const trib_document_words *document, uint32_t **id,
                                    trib_error *error) {
    const size_t n = document->n_words;
    *id = NULL;
    if (!document->ids) return TRIB_OK;
    trib_status status = TRIB_NEW(id, n, "a document's words", error);
    if (status == TRIB_OK && n > 0)
        status = trib_reader_at(document->ids, document->ids_from, *id, n * sizeof **id, error);
    if (status == TRIB_OK) return TRIB_OK;
    trib_free(*id);
    *id = NULL;
    return status;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

trib_status trib_word_counts_add(trib_word_counts *counts, const char *word, size_t length,
                                 uint64_t count, uint32_t n_documents, uint32_t *id,
                                 trib_error *error) {
    const uint32_t n = counts->intern.n_words;
    trib_status status =
        TRIB_GROW(&counts->count, &counts->count_cap, (size_t)n + 1, "word counts", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&counts->n_documents, &counts->n_documents_cap, (size_t)n + 1,
                           "word counts", error);
    if (status == TRIB_OK) status = trib_intern_add(&counts->intern, word, length, id, error);
    if (status != TRIB_OK) return status;
    if (*id == n) counts->count[n] = counts->n_documents[n] = 0;
    counts->count[*id] += count;
    counts->n_documents[*id] += n_documents;
    return TRIB_OK;
}

/* Adds a norm, without occurrences if it is new. */
static trib_status add_norm(trib_word_counts *counts, const char *norm, size_t length, uint32_t *id,
                            trib_error *error) {
    const uint32_t n = counts->intern.n_words;
    trib_status status =
        TRIB_GROW(&counts->last_document, &counts->last_cap, (size_t)n + 1, "word counts", error);
    if (status == TRIB_OK) status = trib_intern_add(&counts->intern, norm, length, id, error);
    if (status == TRIB_OK && *id == n) counts->last_document[n] = 0;
    return status;
}

/* Finds a spelling, or adds it with its norm. */
static trib_status find_spelling(trib_word_counts *counts, const char *spelling, size_t length,
                                 uint32_t *id, trib_error *error) {
    trib_spellings *spellings = &counts->spellings;
    trib_status status = trib_spellings_key(spellings, counts->language, spelling, length,
                                            &spelling, &length, error);
    if (status == TRIB_OK) status = trib_spellings_find(spellings, spelling, length, id, error);
    /* only the last one may lack its norm */
    if (status != TRIB_OK || *id + 1 < spellings->intern.n_words) return status;
    if (spellings->spelling[*id].norm != UINT32_MAX) return TRIB_OK;
    const char *norm = NULL;
    size_t n = 0;
    status = trib_spellings_norm(spellings, spelling, length, &norm, &n, error);
    return status == TRIB_OK ? add_norm(counts, norm, n, &spellings->spelling[*id].norm, error)
                             : status;
}

uint32_t trib_word_counts_n(const trib_word_counts *counts) {
    return counts->intern.n_words + counts->spellings.intern.n_words;
}

trib_status trib_word_counts_add_spelling(trib_word_counts *counts, const char *spelling,
                                          size_t length, uint64_t count, uint32_t *id,
                                          trib_error *error) {
    return counts->spellings.norms
               ? find_spelling(counts, spelling, length, id, error)
               : trib_word_counts_add(counts, spelling, length, count, 1, id, error);
}

void trib_word_counts_add_norms(trib_word_counts *counts, uint32_t n, const uint64_t count[],
                                const uint32_t id[]) {
    for (uint32_t i = 0; i < n && counts->spellings.norms; i++) {
        trib_spelling *s = &counts->spellings.spelling[id[i] - counts->runs.n_ids];
        s->count += count[i];
        s->n_documents += counts->last_document[s->norm] != counts->document;
        counts->last_document[s->norm] = counts->document;
    }
}

static trib_status move_spellings(trib_word_counts *counts, const char *scratch,
                                  trib_error *error) {
    trib_spellings *spellings = &counts->spellings;
    uint32_t n = spellings->intern.n_words;
    uint64_t *count = NULL;
    uint32_t *n_documents = NULL;
    TRIB_OWNED(trib_buffer) keys = {0};
    /* when memory was short, the last one may lack its norm; it will be added again */
    if (n > 0 && spellings->spelling[n - 1].norm == UINT32_MAX) n--;
    trib_status status = TRIB_NEW(&count, n, "word counts", error);
    if (status == TRIB_OK) status = TRIB_NEW(&n_documents, n, "word counts", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const trib_spelling *s = &spellings->spelling[i];
        count[i] = s->count;
        n_documents[i] = s->n_documents;
        status = trib_spellings_sort_key(spellings, i, trib_intern_word(&counts->intern, s->norm),
                                         &keys, error);
    }
    if (status == TRIB_OK)
        status = trib_word_runs_add(&counts->runs, n, keys.text, keys.length, count, n_documents,
                                    scratch, error);
    if (status == TRIB_OK) trib_intern_clear(&spellings->intern);
    TRIB_FREE(count, n_documents);
    return status;
}

trib_status trib_word_counts_move(trib_word_counts *counts, const char *scratch,
                                  trib_error *error) {
    const trib_intern *words = &counts->intern;
    const trib_status status =
        counts->spellings.norms
            ? move_spellings(counts, scratch, error)
            : trib_word_runs_add(&counts->runs, words->n_words, words->text, words->n_text,
                                 counts->count, counts->n_documents, scratch, error);
    if (status == TRIB_OK) trib_intern_clear(&counts->intern);
    return status;
}

void trib_word_counts_forget(trib_word_counts *counts) {
    trib_spellings_forget(&counts->spellings);
    trib_free(counts->last_document);
    trib_intern_release(&counts->intern);
    TRIB_FREE(counts->count, counts->n_documents);
    counts->last_document = counts->n_documents = NULL;
    counts->count = NULL;
    counts->count_cap = counts->n_documents_cap = counts->last_cap = 0;
}

void trib_word_counts_release(trib_word_counts *counts) {
    trib_word_counts_forget(counts);
    trib_word_runs_release(&counts->runs);
    trib_spellings_release(&counts->spellings);
    *counts = (trib_word_counts){0};
}

const char *trib_document_kind(const trib_document *document, const trib_document_words *words) {
    const bool is_plain = strcmp(document->kind, "text") == 0;
    return is_plain && *words->account.kind ? words->account.kind : document->kind;
}

trib_status trib_taken_say(trib_taken *taken, const char *line, trib_error *error) {
    trib_status status = TRIB_GROW(&taken->line, &taken->cap, taken->n + 1, "messages", error);
    if (status == TRIB_OK)
        status = trib_copy_text(&taken->line[taken->n], line, strlen(line), error);
    taken->n += status == TRIB_OK;
    return status;
}

trib_status trib_document_words_open(const trib_document_words *document, trib_words *words,
                                     trib_error *error) {
    trib_status status = (document->is_numbered ? trib_words_open_numbered : trib_words_open)(
        words, document->file, document->from, document->size, error);
    if (status != TRIB_OK || document->is_numbered) return status;
    status = trib_document_words_ids(document, &words->id, error);
    if (status != TRIB_OK) trib_words_close(words);
    return status;
}

trib_status trib_words_cursor_open(trib_words_cursor *cursor, const trib_document_words *document,
                                   trib_error *error) {
    *cursor = (trib_words_cursor){.document = document};
    trib_status status = trib_document_words_open(document, &cursor->words, error);
    if (status == TRIB_OK) status = trib_words_block_init(&cursor->block, error);
    if (status != TRIB_OK) trib_words_cursor_close(cursor);
    return status;
}

void trib_words_cursor_close(trib_words_cursor *cursor) {
    trib_words_close(&cursor->words);
    trib_words_block_release(&cursor->block);
    *cursor = (trib_words_cursor){0};
}

trib_status trib_words_cursor_at(trib_words_cursor *cursor, size_t i, trib_placed_word *word,
                                 trib_error *error) {
    trib_words_block *block = &cursor->block;
    const trib_status status = trib_words_at(&cursor->words, i, block, error);
    if (status != TRIB_OK) return status;
    const size_t k = i - (size_t)block->first;
    *word = (trib_placed_word){.id = cursor->words.id[block->id[k]],
                               .offset = (size_t)block->offset[k],
                               .end = (size_t)block->offset[k] + block->length[k],
                               .after_break = block->after_break[k] != 0};
    return TRIB_OK;
}

/* ---- Several processes ----------------------------------------------------------------------- */

/* The texts that were read. */
typedef struct found {
    trib_corpus *corpus;
    trib_corpus_words *words;
    trib_words_about *about;
} found;

static void pack_found(void *context, int from, trib_pack *pack) {
    const found *f = context;
    for (uint32_t d = 0; d < f->corpus->n_documents && trib_pack_is_good(pack); d++) {
        trib_document_words *words = &f->words->document[d];
        trib_words_about *about = &f->about[d];
        if (words->rank != from) continue;
        trib_document_pack_rejected(&f->corpus->document[d], pack);
        if (f->corpus->document[d].rejected) continue;
        TRIB_PACK(pack, words->n_tokens);
        TRIB_PACK(pack, words->n_words);
        TRIB_PACK(pack, words->looks);
        TRIB_PACK(pack, *about);
        trib_pack_expect(pack, memchr(about->encoding, 0, sizeof about->encoding) &&
                                   memchr(about->remark, 0, sizeof about->remark));
    }
}

trib_status trib_share_found_words(const trib_comm *comm, trib_status status, trib_corpus *corpus,
                                   trib_corpus_words *words, trib_words_about *about,
                                   trib_error *error) {
    found f = {corpus, words, about};
    return trib_comm_tell_all(comm, status, false, pack_found, &f, error);
}

/* Writes the numbered words of this rank's documents to a file that the others can open. */
static trib_status write_own(const trib_comm *comm, trib_corpus_words *words, const char *scratch,
                             trib_error *error) {
    trib_writer *const out = &words->numbered;
    trib_buffer bytes = {0};
    trib_status status = trib_writer_scratch(out, scratch, true, error);
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

/* The name of a rank's file, which the others open, then where the words of its documents lie. */
static void pack_places(void *context, int from, trib_pack *pack) {
    trib_corpus_words *words = context;
    trib_shared_words *const of = &words->shared[from];
    char path[TRIB_PATH_MAX] = "";
    if (!pack->reads) snprintf(path, sizeof path, "%s", words->numbered.temporary);
    trib_pack_text(pack, path, sizeof path);
    if (pack->reads && trib_pack_is_good(pack) &&
        trib_copy(&of->path, path, &pack->failure) == TRIB_OK)
        of->is_open = trib_reader_open_file(&of->reader, of->path, &pack->failure) == TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents; d++) {
        trib_document_words *document = &words->document[d];
        if (document->rank != from) continue;
        TRIB_PACK(pack, document->numbered_from);
        TRIB_PACK(pack, document->numbered_size);
        TRIB_PACK(pack, document->n_tokens); /* some words may have been left out */
        TRIB_PACK(pack, document->n_words);
        TRIB_PACK(pack, document->account.counts);
        if (!pack->reads) continue;
        document->file = &of->reader;
        document->from = document->numbered_from;
        document->size = document->numbered_size;
        document->is_numbered = true;
    }
}

trib_status trib_share_words(const trib_comm *comm, trib_status status, trib_corpus_words *words,
                             const char *scratch, trib_error *error) {
    if (comm->size <= 1) return status;
    if (status == TRIB_OK)
        status = TRIB_NEW(&words->shared, (size_t)comm->size, "the words of other ranks", error);
    if (status == TRIB_OK) words->n_shared = comm->size;
    if (status == TRIB_OK) status = write_own(comm, words, scratch, error);
    return trib_comm_tell_all(comm, status, false, pack_places, words, error);
}
