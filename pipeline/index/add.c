/* add.c - texts are added to a library and removed from it. */
#include "pipeline/index/index.h"

#include <inttypes.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/support/names.h"

/* ---- The texts that are there ---------------------------------------------------------------- */

/* A text of the library. */
typedef struct place {
    size_t segment, text;
} place;

/* All texts of a library that are not removed. `{0}` is empty. */
typedef struct shelf {
    place *at; /* [n] */
    trib_called *called;
    size_t n, cap, called_cap;
    trib_intern files, ids; /* text i is the one with file i */
} shelf;

static void close_shelf(shelf *s) {
    trib_intern_release(&s->files);
    trib_intern_release(&s->ids);
    TRIB_FREE(s->at, s->called);
}

static trib_status put(shelf *s, const trib_index *index, place at, trib_error *error) {
    trib_indexed_text about;
    uint32_t id;
    trib_status status = TRIB_GROW(&s->at, &s->cap, s->n + 1, "texts", error);
    if (status == TRIB_OK) status = TRIB_GROW(&s->called, &s->called_cap, s->n + 1, "texts", error);
    if (status == TRIB_OK)
        status = trib_segment_about(&index->segment[at.segment], at.text, &about, error);
    if (status == TRIB_OK)
        status = trib_intern_add(&s->ids, about.id, strlen(about.id), &id, error);
    if (status == TRIB_OK)
        status = trib_intern_add(&s->files, about.file, strlen(about.file), &id, error);
    if (status != TRIB_OK) return status;
    s->at[id] = at;
    s->called[id] = (trib_called){about.id, about.title, about.name};
    s->n = s->files.n_words;
    return TRIB_OK;
}

static trib_status open_shelf(shelf *s, const trib_index *index, trib_error *error) {
    trib_status status = TRIB_OK;
    *s = (shelf){0};
    for (size_t i = 0; i < index->n; i++)
        for (size_t k = 0; k < index->segment[i].end.n_texts && status == TRIB_OK; k++)
            if (!index->segment[i].is_removed[k]) status = put(s, index, (place){i, k}, error);
    return status;
}

static void drop(trib_index *index, place at) {
    trib_segment *const s = &index->segment[at.segment];
    s->n_removed += !s->is_removed[at.text];
    s->is_removed[at.text] = true;
}

/* ---- Adding ---------------------------------------------------------------------------------- */

/* The addition of the documents of a run. */
typedef struct adding {
    trib_index *index;
    trib_run *run;
    trib_index_added *done;
    shelf shelf;
    bool *is_wanted;
    char **file;     /* [n_documents] */
    place *replaces; /* [n_replaces] texts that are removed with the next segment */
    size_t n_replaces, replaces_cap;
    trib_segment_writer writer;
    bool is_writing;
    trib_word_reader reader;
} adding;

/* Ends the segment that is being written: it and what it replaces become the state on disk. */
static trib_status flush(adding *a, trib_error *error) {
    if (!a->is_writing) return TRIB_OK;
    trib_index *const index = a->index;
    a->is_writing = false;
    trib_status status = trib_segment_commit(&a->writer, error);
    trib_segment_writer_release(&a->writer);
    if (status == TRIB_OK) status = trib_index_append(index, index->next++, error);
    for (size_t i = 0; i < a->n_replaces && status == TRIB_OK; i++) drop(index, a->replaces[i]);
    a->n_replaces = 0;
    return status == TRIB_OK ? trib_index_commit(index, error) : status;
}

static trib_status begin(adding *a, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    if (a->is_writing && a->writer.n_words < TRIB_SEGMENT_WORDS) return TRIB_OK;
    trib_status status = flush(a, error);
    trib_index_path(path, a->index, a->index->next);
    a->is_writing = true;
    return status == TRIB_OK ? trib_segment_begin(&a->writer, path, error) : status;
}

/* An id that no other text of the library has: that of the document, or with a number behind. */
static trib_status choose_id(adding *a, const char *wanted, trib_buffer *id, trib_error *error) {
    uint32_t number;
    trib_buffer_clear(id);
    trib_status status = trib_buffer_print(id, error, "%s", wanted);
    for (unsigned n = 2;
         status == TRIB_OK && trib_intern_find(&a->shelf.ids, id->text, id->length) != TRIB_NO_WORD;
         n++) {
        trib_buffer_clear(id);
        status = trib_buffer_print(id, error, "%s-%u", wanted, n);
    }
    return status == TRIB_OK ? trib_intern_add(&a->shelf.ids, id->text, id->length, &number, error)
                             : status;
}

/* Adds a document whose text and words were read. */
static trib_status add_read(adding *a, uint32_t d, const char *id, const trib_buffer *text,
                            trib_error *error) {
    const trib_document *const document = &a->run->corpus.document[d];
    const trib_corpus_document *const about = document->about;
    const trib_segment_input input = {.about = {.id = id,
                                                .title = about->title,
                                                .author = about->author,
                                                .date = about->date,
                                                .language = about->language,
                                                .file = a->file[d],
                                                .name = about->file,
                                                .sha256 = document->sha256,
                                                .kind = document->kind,
                                                .references = a->reader.references.text},
                                      .year = about->year,
                                      .year_end = about->year_end,
                                      .words = &a->reader.words,
                                      .bytes = text};
    return trib_segment_add(&a->writer, &input, error);
}

static trib_status add_document(adding *a, uint32_t d, trib_error *error) {
    const trib_document *const document = &a->run->corpus.document[d];
    const uint32_t known = trib_intern_find(&a->shelf.files, a->file[d], strlen(a->file[d]));
    static const char what[] = "texts that are replaced";
    trib_buffer text = {0}, id = {0};
    trib_error why = {0};
    trib_status status =
        trib_word_reader_document(&a->reader, document, a->run->corpus.spool, &text, &why);
    if (status == TRIB_OK) status = begin(a, &why);
    if (status == TRIB_OK) status = choose_id(a, document->about->id, &id, &why);
    if (status == TRIB_OK) status = add_read(a, d, id.text, &text, &why);
    if (status == TRIB_OK && known != TRIB_NO_WORD) {
        status = TRIB_APPEND(&a->replaces, &a->n_replaces, &a->replaces_cap, what, &why,
                             &a->shelf.at[known]);
    }
    trib_buffer_release(&text);
    trib_buffer_release(&id);
    if (status == TRIB_OK) *(known == TRIB_NO_WORD ? &a->done->added : &a->done->changed) += 1;
    if (status == TRIB_INPUT) {
        a->done->refused++;
        status = trib_warnings_add(a->run->env.warnings, error, "%s; it is not in the library",
                                   why.message);
    } else if (status != TRIB_OK) trib_fail(error, status, "%s", why.message);
    return status;
}

/* Sets the address of a document, whichever folder the program was started in, and whether it is
 * to be read: it is not there, or has changed. */
static trib_status look_up(adding *a, uint32_t d, trib_error *error) {
    const trib_document *const document = &a->run->corpus.document[d];
    trib_status status = trib_address_settle(&a->file[d], document->about->path, error);
    if (status != TRIB_OK) return status;
    const uint32_t known = trib_intern_find(&a->shelf.files, a->file[d], strlen(a->file[d]));
    a->is_wanted[d] = true;
    if (known == TRIB_NO_WORD || document->rejected) return TRIB_OK;
    const place at = a->shelf.at[known];
    trib_indexed_text about;
    status = trib_segment_about(&a->index->segment[at.segment], at.text, &about, error);
    a->is_wanted[d] = status == TRIB_OK && strcmp(about.sha256, document->sha256) != 0;
    a->done->same += !a->is_wanted[d];
    return status;
}

static trib_status add_all(adding *a, trib_error *error) {
    trib_run *const run = a->run;
    trib_status status = trib_stage_corpus(&run->env, &run->corpus, error);
    const uint32_t n = run->corpus.n_documents;
    if (status == TRIB_OK) status = TRIB_NEW(&a->is_wanted, n, "texts", error);
    if (status == TRIB_OK) status = TRIB_NEW(&a->file, n, "texts", error);
    if (status == TRIB_OK) status = open_shelf(&a->shelf, a->index, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) status = look_up(a, d, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        if (a->is_wanted[d]) status = add_document(a, d, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status == TRIB_OK ? flush(a, error) : status;
}

trib_status trib_index_add(trib_index *index, trib_run *run, trib_index_added *added,
                           trib_error *error) {
    adding a = {.index = index, .run = run, .done = added, .reader = {.config = run->env.config}};
    *added = (trib_index_added){0};
    trib_status status = add_all(&a, error);
    for (uint32_t d = 0; a.file && d < run->corpus.n_documents; d++) trib_free(a.file[d]);
    TRIB_FREE(a.file, a.is_wanted, a.replaces);
    close_shelf(&a.shelf);
    trib_word_reader_close(&a.reader);
    trib_segment_writer_release(&a.writer);
    return status == TRIB_OK ? trib_index_merge(index, false, error) : status;
}

/* ---- Removing -------------------------------------------------------------------------------- */

static trib_called called_at(const void *of, size_t i) { return ((const shelf *)of)->called[i]; }

trib_status trib_index_remove(trib_index *index, const char *name, trib_error *error) {
    shelf s;
    size_t found = 0;
    trib_status status = open_shelf(&s, index, error);
    const trib_called_list list = {s.n, called_at, &s, "a text of the library"};
    if (status == TRIB_OK) status = trib_called_find(&list, name, &found, error);
    if (status == TRIB_OK) drop(index, s.at[found]);
    close_shelf(&s);
    return status;
}
