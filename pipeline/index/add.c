/* add.c - texts are added to a library and removed from it, segments are joined, and what is
 * damaged is made anew. */
#include "pipeline/index/index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/stages/text.h"
#include "pipeline/support/names.h"

/* ---- The texts that are there ---------------------------------------------------------------- */

/* A text of the library. */
typedef struct place {
    size_t segment, text;
} place;

/* All texts of a library that are not removed. `{0}` is empty. */
typedef struct shelf {
    trib_index *index;
    trib_intern files, ids;
    place *of_file; /* [files.n_words] */
    size_t cap;
} shelf;

static void close_shelf(shelf *s) {
    trib_intern_release(&s->files);
    trib_intern_release(&s->ids);
    trib_free(s->of_file);
}

/* Records that a file is a text. *id receives its number among the files. */
static trib_status put(shelf *s, const char *file, place at, trib_error *error) {
    uint32_t id;
    trib_status status = TRIB_GROW(&s->of_file, &s->cap, s->files.n_words + 1, "texts", error);
    if (status == TRIB_OK) status = trib_intern_add(&s->files, file, strlen(file), &id, error);
    if (status == TRIB_OK) s->of_file[id] = at;
    return status;
}

static trib_status open_shelf(shelf *s, trib_index *index, trib_error *error) {
    *s = (shelf){.index = index};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < index->n; i++)
        for (size_t k = 0; k < index->segment[i].end.n_texts && status == TRIB_OK; k++) {
            trib_indexed_text about;
            uint32_t id;
            if (index->segment[i].is_removed[k]) continue;
            status = trib_segment_about(&index->segment[i], k, &about, error);
            if (status == TRIB_OK) status = put(s, about.file, (place){i, k}, error);
            if (status == TRIB_OK)
                status = trib_intern_add(&s->ids, about.id, strlen(about.id), &id, error);
        }
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
    char **file;    /* [n_documents] */
    place *replaces; /* [n_replaces] texts that are removed with the next segment */
    size_t n_replaces, replaces_cap;
    trib_segment_writer writer;
    bool is_writing;
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
    for (unsigned n = 2; status == TRIB_OK &&
                         trib_intern_find(&a->shelf.ids, id->text, id->length) != TRIB_NO_WORD;
         n++) {
        trib_buffer_clear(id);
        status = trib_buffer_print(id, error, "%s-%u", wanted, n);
    }
    return status == TRIB_OK
               ? trib_intern_add(&a->shelf.ids, id->text, id->length, &number, error)
               : status;
}

/* Adds a document whose words and text were read. */
static trib_status add_read(adding *a, uint32_t d, const char *id, const trib_document_text *text,
                            trib_error *error) {
    const trib_document *const document = &a->run->corpus.document[d];
    const trib_document_words *const words = &a->run->words.document[d];
    const trib_corpus_document *const about = document->about;
    char *bytes = NULL;
    trib_status status = trib_new(&bytes, (size_t)words->size, 1, "the words of a text", error);
    if (status == TRIB_OK)
        status = trib_reader_at(words->file, words->from, bytes, (size_t)words->size, error);
    const trib_segment_input input = {
        .about = {.id = id,
                  .title = about->title,
                  .author = about->author,
                  .date = about->date,
                  .language = trib_config_language(a->run->env.config, about),
                  .file = a->file[d],
                  .name = about->file,
                  .sha256 = document->sha256,
                  .encoding = text->encoding,
                  .kind = document->kind},
        .year = about->year,
        .year_end = about->year_end,
        .words = bytes,
        .words_size = (size_t)words->size,
        .bytes = text->bytes.text,
        .length = text->bytes.length,
        .has_lines = trib_encoding_is_of_bytes(text->encoding)};
    if (status == TRIB_OK) status = trib_segment_add(&a->writer, &input, false, error);
    trib_free(bytes);
    return status;
}

static trib_status add_document(adding *a, uint32_t d, trib_error *error) {
    trib_document *const document = &a->run->corpus.document[d];
    const uint32_t known = trib_intern_find(&a->shelf.files, a->file[d], strlen(a->file[d]));
    trib_document_text text = {0};
    trib_buffer id = {0};
    trib_status status = TRIB_OK;
    if (document->rejected) {
        a->done->refused++;
        return trib_warnings_add(a->run->env.warnings, error, "%s; it is not in the library",
                                 document->rejected);
    }
    status = begin(a, error);
    if (status == TRIB_OK)
        status = trib_text_read_bytes(&text, a->run->env.config, &a->run->corpus, d, error);
    if (status == TRIB_OK) status = choose_id(a, document->about->id, &id, error);
    if (status == TRIB_OK) status = add_read(a, d, id.text, &text, error);
    if (status == TRIB_OK && known != TRIB_NO_WORD) {
        static const char what[] = "texts that are replaced";
        status = TRIB_GROW(&a->replaces, &a->replaces_cap, a->n_replaces + 1, what, error);
        if (status == TRIB_OK) a->replaces[a->n_replaces++] = a->shelf.of_file[known];
    }
    if (status == TRIB_OK) *(known == TRIB_NO_WORD ? &a->done->added : &a->done->changed) += 1;
    trib_text_release(&text);
    trib_buffer_release(&id);
    return status;
}

/* Sets the address of a document, whichever folder the program was started in, and whether it is
 * to be read: it is not there, or has changed. */
static trib_status look_up(adding *a, uint32_t d, const char *here, trib_error *error) {
    const trib_document *const document = &a->run->corpus.document[d];
    trib_status status = trib_path_join(&a->file[d], here, document->about->path, error);
    if (status != TRIB_OK) return status;
    const uint32_t known = trib_intern_find(&a->shelf.files, a->file[d], strlen(a->file[d]));
    a->is_wanted[d] = true;
    if (known == TRIB_NO_WORD || document->rejected) return TRIB_OK;
    const place at = a->shelf.of_file[known];
    trib_indexed_text about;
    status = trib_segment_about(&a->index->segment[at.segment], at.text, &about, error);
    a->is_wanted[d] = status == TRIB_OK && strcmp(about.sha256, document->sha256) != 0;
    a->done->same += !a->is_wanted[d];
    return status;
}

static trib_status add_all(adding *a, trib_error *error) {
    trib_run *const run = a->run;
    char here[TRIB_PATH_MAX];
    if (!getcwd(here, sizeof here)) here[0] = '\0';
    trib_status status = trib_stage_corpus(&run->env, &run->corpus, error);
    const uint32_t n = run->corpus.n_documents;
    if (status == TRIB_OK) status = TRIB_NEW(&a->is_wanted, n, "texts", error);
    if (status == TRIB_OK) status = TRIB_NEW(&a->file, n, "texts", error);
    if (status == TRIB_OK) status = open_shelf(&a->shelf, a->index, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) status = look_up(a, d, here, error);
    if (status == TRIB_OK)
        status = trib_stage_tokens(&run->env, &run->corpus, NULL, a->is_wanted, &run->words, NULL,
                                   error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        if (a->is_wanted[d]) status = add_document(a, d, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status == TRIB_OK ? flush(a, error) : status;
}

trib_status trib_index_add(trib_index *index, trib_run *run, trib_index_added *added,
                           trib_error *error) {
    adding a = {.index = index, .run = run, .done = added};
    *added = (trib_index_added){0};
    trib_status status = add_all(&a, error);
    for (uint32_t d = 0; a.file && d < run->corpus.n_documents; d++) trib_free(a.file[d]);
    TRIB_FREE(a.file, a.is_wanted, a.replaces);
    close_shelf(&a.shelf);
    trib_segment_writer_release(&a.writer);
    return status == TRIB_OK ? trib_index_merge(index, false, error) : status;
}

/* ---- Removing -------------------------------------------------------------------------------- */

/* The texts of a library as a list of names. */
typedef struct listed {
    place *at;
    trib_called *called;
    size_t n, cap, called_cap;
} listed;

static trib_called called_at(const void *of, size_t i) { return ((const listed *)of)->called[i]; }

static trib_status list_texts(listed *l, const trib_index *index, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < index->n; i++)
        for (size_t k = 0; k < index->segment[i].end.n_texts && status == TRIB_OK; k++) {
            trib_indexed_text about;
            if (index->segment[i].is_removed[k]) continue;
            status = TRIB_GROW(&l->at, &l->cap, l->n + 1, "texts", error);
            if (status == TRIB_OK)
                status = TRIB_GROW(&l->called, &l->called_cap, l->n + 1, "texts", error);
            if (status == TRIB_OK)
                status = trib_segment_about(&index->segment[i], k, &about, error);
            if (status != TRIB_OK) break;
            l->at[l->n] = (place){i, k};
            l->called[l->n++] = (trib_called){about.id, about.title, about.name};
        }
    return status;
}

trib_status trib_index_remove(trib_index *index, const char *name, trib_error *error) {
    listed l = {0};
    size_t found = 0;
    trib_status status = list_texts(&l, index, error);
    const trib_called_list list = {l.n, called_at, &l, "a text of the library"};
    if (status == TRIB_OK) status = trib_called_find(&list, name, &found, error);
    if (status == TRIB_OK) drop(index, l.at[found]);
    TRIB_FREE(l.at, l.called);
    return status;
}

/* ---- Joining --------------------------------------------------------------------------------- */

/* The places of a segment in order, while segments are joined. */
typedef struct stream {
    const trib_segment *segment;
    uint64_t *first; /* [n_texts] first word of each text in the new segment; UINT64_MAX: removed */
    trib_places places;
    size_t block, i;
} stream;

/* Moves to the next place of a text that is not removed; *ends when there is none. */
static trib_status next_place(stream *s, bool *ends, trib_error *error) {
    for (*ends = false;; s->i++) {
        while (s->i == s->places.n) {
            *ends = s->block == s->segment->end.n_blocks;
            if (*ends) return TRIB_OK;
            s->i = 0;
            const trib_status status =
                trib_segment_block_read(s->segment, s->block++, &s->places, error);
            if (status != TRIB_OK) return status;
        }
        const size_t text = trib_segment_text_at(s->segment, s->places.place[s->i]);
        if (s->first[text] < UINT64_MAX) return TRIB_OK;
    }
}

static trib_status join_places(trib_segment_writer *writer, stream *in, size_t n,
                               trib_error *error) {
    trib_status status = TRIB_OK;
    bool *ends = NULL;
    status = TRIB_NEW(&ends, n, "segments", error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = next_place(&in[i], &ends[i], error);
    while (status == TRIB_OK) {
        stream *least = NULL;
        for (size_t i = 0; i < n; i++)
            if (!ends[i] && (!least || in[i].places.hash[in[i].i] < least->places.hash[least->i]))
                least = &in[i];
        if (!least) break;
        const uint32_t word = least->places.place[least->i];
        const size_t text = trib_segment_text_at(least->segment, word);
        const uint64_t now = least->first[text] + word - least->segment->text[text].first_word;
        status = trib_segment_place(writer, least->places.hash[least->i++], (uint32_t)now, error);
        if (status == TRIB_OK) status = next_place(least, &ends[least - in], error);
    }
    trib_free(ends);
    return status;
}

/* Adds text k of a segment as it is; `joined`: its phrases are added later. */
static trib_status add_again(trib_segment_writer *writer, const trib_segment *s, size_t k,
                             bool joined, trib_error *error) {
    const trib_segment_text *const text = &s->text[k];
    trib_segment_input input = {.year = text->year,
                                .year_end = text->year_end,
                                .words_size = (size_t)text->words_size,
                                .from = s,
                                .from_text = k};
    const trib_status status = trib_segment_about(s, k, &input.about, error);
    input.words = s->file.bytes + text->words_at;
    return status == TRIB_OK ? trib_segment_add(writer, &input, joined, error) : status;
}

/* Adds the texts of a segment that are not removed. */
static trib_status join_texts(trib_segment_writer *writer, stream *in, trib_error *error) {
    const trib_segment *const s = in->segment;
    trib_status status = TRIB_NEW(&in->first, (size_t)s->end.n_texts, "texts", error);
    for (size_t k = 0; k < s->end.n_texts && status == TRIB_OK; k++) {
        in->first[k] = s->is_removed[k] ? UINT64_MAX : writer->n_words;
        if (!s->is_removed[k]) status = add_again(writer, s, k, true, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status;
}

/* Takes the marked segments out of the library. */
static void take_out(trib_index *index, const bool *is_in) {
    size_t n = 0;
    for (size_t i = 0; i < index->n; i++)
        if (is_in[i]) trib_segment_close(&index->segment[i]);
        else index->segment[n++] = index->segment[i];
    index->n = n;
}

/* Joins the marked segments into one. */
static trib_status join(trib_index *index, const bool *is_in, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    trib_segment_writer writer = {0};
    stream *in = NULL;
    size_t n = 0;
    trib_index_path(path, index, index->next);
    trib_status status = TRIB_NEW(&in, index->n, "segments", error);
    if (status == TRIB_OK) status = trib_segment_begin(&writer, path, error);
    for (size_t i = 0; i < index->n && status == TRIB_OK; i++) {
        if (!is_in[i]) continue;
        in[n].segment = &index->segment[i];
        status = join_texts(&writer, &in[n++], error);
    }
    const bool is_empty = writer.n_texts == 0;
    if (status == TRIB_OK) status = join_places(&writer, in, n, error);
    if (status == TRIB_OK && !is_empty) status = trib_segment_commit(&writer, error);
    trib_segment_writer_release(&writer);
    for (size_t i = 0; i < n; i++) trib_free(in[i].first);
    trib_free(in);
    if (status == TRIB_OK) take_out(index, is_in);
    if (status == TRIB_OK && !is_empty) status = trib_index_append(index, index->next++, error);
    return status == TRIB_OK ? trib_index_commit(index, error) : status;
}

/* The class of a segment by its size: four of one class become one of the next. */
static int size_class(uint64_t n_words) {
    int class = 0;
    for (; n_words >= 4096; n_words /= 4) class ++;
    return class;
}

/* Marks the segments to join: four and more of one class, as long as their words can be numbered;
 * or one with removed texts. Returns whether there are any. */
static bool mark(const trib_index *index, bool all, bool *is_in) {
    enum { ENOUGH = 4, CLASSES = 32 };
    size_t n[CLASSES] = {0};
    uint64_t words[CLASSES] = {0};
    memset(is_in, 0, index->n);
    for (size_t i = 0; i < index->n && all; i++)
        if (index->segment[i].n_removed > 0) return is_in[i] = true;
    for (size_t i = 0; i < index->n; i++) {
        const int class = size_class(index->segment[i].end.n_words);
        n[class]++;
        words[class] += index->segment[i].end.n_words;
    }
    for (int c = 0; c < CLASSES; c++) {
        if (n[c] < ENOUGH || words[c] > UINT32_MAX) continue;
        for (size_t i = 0; i < index->n; i++)
            is_in[i] = size_class(index->segment[i].end.n_words) == c;
        return true;
    }
    return false;
}

trib_status trib_index_merge(trib_index *index, bool all, trib_error *error) {
    bool *is_in = NULL;
    trib_status status = TRIB_NEW(&is_in, index->n, "segments", error);
    while (status == TRIB_OK && mark(index, all, is_in)) status = join(index, is_in, error);
    trib_free(is_in);
    return status;
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Reads a text again, whole. */
static trib_status check_text(const trib_segment *s, size_t k, trib_error *error) {
    trib_indexed_text about;
    trib_reader reader;
    trib_words words = {0};
    trib_words_block block = {0};
    trib_buffer piece = {0};
    const trib_segment_text *const text = &s->text[k];
    trib_status status = trib_segment_about(s, k, &about, error);
    if (status == TRIB_OK) status = trib_segment_words(s, k, &reader, &words, error);
    if (status == TRIB_OK) status = trib_words_block_init(&block, error);
    for (uint64_t i = 0; i < words.n_tokens && status == TRIB_OK; i += block.n)
        status = trib_words_at(&words, i, &block, error);
    for (uint64_t i = 0; i < text->n_pieces && status == TRIB_OK; i++) {
        trib_buffer_clear(&piece);
        status = trib_segment_unpack(s, (size_t)(text->piece + i), &piece, error);
    }
    trib_words_block_release(&block);
    trib_words_close(&words);
    trib_buffer_release(&piece);
    return status;
}

/* Makes a segment anew of its texts that are not removed, which are whole. */
static trib_status make_anew(trib_index *index, size_t i, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    trib_segment_writer writer;
    const trib_segment *const s = &index->segment[i];
    bool *is_in = NULL;
    trib_index_path(path, index, index->next);
    trib_status status = TRIB_NEW(&is_in, index->n, "segments", error);
    if (status == TRIB_OK) status = trib_segment_begin(&writer, path, error);
    else writer = (trib_segment_writer){0};
    for (size_t k = 0; k < s->end.n_texts && status == TRIB_OK; k++)
        if (!s->is_removed[k]) status = add_again(&writer, s, k, false, error);
    const bool is_empty = writer.n_texts == 0;
    if (status == TRIB_OK && !is_empty) status = trib_segment_commit(&writer, error);
    trib_segment_writer_release(&writer);
    if (status == TRIB_OK) {
        is_in[i] = true;
        take_out(index, is_in);
        if (!is_empty) status = trib_index_append(index, index->next++, error);
    }
    trib_free(is_in);
    return status;
}

/* Checks a segment; its damaged texts are removed in memory. *is_whole: nothing in it is damaged. */
static trib_status check_segment(trib_segment *s, trib_log *log, uint64_t *n_damaged,
                                 bool *is_whole, trib_error *error) {
    trib_status status = TRIB_OK;
    trib_error why = {0};
    *is_whole = true;
    for (size_t k = 0; k < s->end.n_texts && status == TRIB_OK; k++) {
        trib_indexed_text about = {.id = ""};
        if (s->is_removed[k]) continue;
        const trib_status one = check_text(s, k, &why);
        if (one != TRIB_OK && one != TRIB_INPUT) status = trib_fail(error, one, "%s", why.message);
        if (one == TRIB_OK) continue;
        *is_whole = false;
        ++*n_damaged;
        (void)trib_segment_about(s, k, &about, NULL);
        trib_log_say(log, TRIB_LOG_ERROR, "%s: text %zu (%s) is damaged; add it again", s->path, k,
                     *about.id ? about.id : "its name is damaged, too");
        s->is_removed[k] = true;
        s->n_removed++;
    }
    for (size_t b = 0; b < s->end.n_blocks && status == TRIB_OK; b++) {
        trib_places places;
        if (trib_segment_block_read(s, b, &places, &why) == TRIB_OK) continue;
        *is_whole = false;
        trib_log_say(log, TRIB_LOG_ERROR, "%s", why.message);
        ++*n_damaged;
        break;
    }
    return status;
}

trib_status trib_index_check(trib_index *index, bool repairs, trib_log *log, uint64_t *n_damaged,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    bool changed = false;
    *n_damaged = index->n_lost;
    changed = index->n_lost > 0;
    if (changed)
        trib_log_say(log, TRIB_LOG_ERROR, "%s: %" PRIu64 " segments cannot be read; add the texts "
                     "again: those that are there are passed over", index->folder, index->n_lost);
    for (size_t i = index->n; i-- > 0 && status == TRIB_OK;) {
        bool is_whole;
        status = check_segment(&index->segment[i], log, n_damaged, &is_whole, error);
        if (status != TRIB_OK || is_whole || !repairs) continue;
        status = make_anew(index, i, error);
        changed = true;
    }
    return status == TRIB_OK && changed ? trib_index_commit(index, error) : status;
}
