/* merge.c - segments of a library are joined, and those that are damaged made anew. */
#include "pipeline/index/index.h"

#include <inttypes.h>

/* ---- Joining --------------------------------------------------------------------------------- */

/* The places of a segment in order, while segments are joined. */
typedef struct stream {
    const trib_segment *segment;
    uint64_t *first; /* [n_texts] first byte of each in the new segment; UINT64_MAX: removed */
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
        const uint32_t byte = least->places.place[least->i];
        const size_t text = trib_segment_text_at(least->segment, byte);
        const uint64_t now = least->first[text] + byte - least->segment->text[text].first_byte;
        status = trib_segment_place(writer, least->places.hash[least->i++], (uint32_t)now, error);
        if (status == TRIB_OK) status = next_place(least, &ends[least - in], error);
    }
    trib_free(ends);
    return status;
}

/* Adds text k of a segment as it is. Without `words` its phrases are added later. */
static trib_status add_again(trib_segment_writer *writer, const trib_segment *s, size_t k,
                             const trib_hashed_words *words, trib_error *error) {
    trib_segment_input input = {.year = s->text[k].year,
                                .year_end = s->text[k].year_end,
                                .words = words,
                                .from = s,
                                .from_text = k};
    const trib_status status = trib_segment_about(s, k, &input.about, error);
    return status == TRIB_OK ? trib_segment_add(writer, &input, error) : status;
}

/* Adds the texts of a segment that are not removed. */
static trib_status join_texts(trib_segment_writer *writer, stream *in, trib_error *error) {
    const trib_segment *const s = in->segment;
    trib_status status = TRIB_NEW(&in->first, (size_t)s->end.n_texts, "texts", error);
    for (size_t k = 0; k < s->end.n_texts && status == TRIB_OK; k++) {
        in->first[k] = s->is_removed[k] ? UINT64_MAX : writer->n_bytes;
        if (!s->is_removed[k]) status = add_again(writer, s, k, NULL, error);
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

/* Ends a segment that takes the place of the marked ones; without texts there is none. */
static trib_status replace(trib_index *index, const bool *is_in, trib_segment_writer *writer,
                           trib_error *error) {
    const bool is_empty = writer->n_texts == 0;
    const trib_status status = is_empty ? TRIB_OK : trib_segment_commit(writer, error);
    if (status != TRIB_OK) return status;
    take_out(index, is_in);
    return is_empty ? TRIB_OK : trib_index_append(index, index->next++, error);
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
    if (status == TRIB_OK) status = join_places(&writer, in, n, error);
    if (status == TRIB_OK) status = replace(index, is_in, &writer, error);
    trib_segment_writer_release(&writer);
    for (size_t i = 0; i < n; i++) trib_free(in[i].first);
    trib_free(in);
    return status == TRIB_OK ? trib_index_commit(index, error) : status;
}

/* The class of a segment by its size: four of one class become one of the next. */
static int size_class(uint64_t n_words) {
    int class = 0;
    for (; n_words >= 4096; n_words /= 4) class ++;
    return class;
}

/* Marks the segments to join: four and more of one class, as long as their bytes can be numbered;
 * or one with removed texts. Returns whether there are any. */
static bool mark(const trib_index *index, bool all, bool *is_in) {
    enum { ENOUGH = 4, CLASSES = 32 };
    size_t n[CLASSES] = {0};
    uint64_t bytes[CLASSES] = {0};
    memset(is_in, 0, index->n);
    for (size_t i = 0; i < index->n && all; i++)
        if (index->segment[i].n_removed > 0) return is_in[i] = true;
    for (size_t i = 0; i < index->n; i++) {
        const int class = size_class(index->segment[i].end.n_words);
        n[class]++;
        bytes[class] += index->segment[i].end.n_bytes;
    }
    for (int c = 0; c < CLASSES; c++) {
        if (n[c] < ENOUGH || bytes[c] > UINT32_MAX) continue;
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
static trib_status check_text(const trib_segment *s, size_t k, trib_indexed_text *about,
                              trib_buffer *bytes, trib_error *error) {
    trib_buffer_clear(bytes);
    trib_status status = trib_segment_about(s, k, about, error);
    if (status == TRIB_OK) status = trib_segment_bytes(s, k, 0, UINT64_MAX, bytes, NULL, error);
    if (status == TRIB_OK && bytes->length != s->text[k].n_bytes)
        status = trib_fail(error, TRIB_INPUT, "%s: text %zu is not whole", s->path, k);
    return status;
}

/* Makes a segment anew of its texts that are not removed, which are whole. */
static trib_status make_anew(trib_index *index, const trib_config *config, size_t i,
                             trib_error *error) {
    char path[TRIB_INDEX_PATH];
    trib_segment_writer writer = {0};
    trib_word_reader reader = {.config = config};
    TRIB_OWNED(trib_buffer) bytes = {0};
    const trib_segment *const s = &index->segment[i];
    bool *is_in = NULL;
    trib_index_path(path, index, index->next);
    trib_status status = TRIB_NEW(&is_in, index->n, "segments", error);
    if (status == TRIB_OK) status = trib_segment_begin(&writer, path, error);
    for (size_t k = 0; k < s->end.n_texts && status == TRIB_OK; k++) {
        trib_indexed_text about;
        if (s->is_removed[k]) continue;
        status = check_text(s, k, &about, &bytes, error);
        if (status == TRIB_OK)
            status = trib_word_reader_read(&reader, about.file, "UTF-8", &bytes, 0, error);
        if (status == TRIB_OK) status = add_again(&writer, s, k, &reader.words, error);
    }
    if (status == TRIB_OK) is_in[i] = true;
    if (status == TRIB_OK) status = replace(index, is_in, &writer, error);
    trib_segment_writer_release(&writer);
    trib_word_reader_close(&reader);
    trib_free(is_in);
    return status;
}

/* Checks a segment; its damaged texts are removed in memory. *is_whole: nothing in it is
 * damaged. */
static trib_status check_segment(trib_segment *s, trib_log *log, uint64_t *n_damaged,
                                 bool *is_whole, trib_error *error) {
    trib_status status = TRIB_OK;
    trib_error why = {0};
    TRIB_OWNED(trib_buffer) bytes = {0};
    *is_whole = true;
    for (size_t k = 0; k < s->end.n_texts && status == TRIB_OK; k++) {
        trib_indexed_text about = {.id = ""};
        if (s->is_removed[k]) continue;
        const trib_status one = check_text(s, k, &about, &bytes, &why);
        if (one != TRIB_OK && one != TRIB_INPUT) status = trib_fail(error, one, "%s", why.message);
        if (one == TRIB_OK) continue;
        *is_whole = false;
        ++*n_damaged;
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

trib_status trib_index_check(trib_index *index, const trib_config *config, trib_log *log,
                             uint64_t *n_damaged, trib_error *error) {
    trib_status status = TRIB_OK;
    bool changed = false;
    *n_damaged = index->n_lost;
    changed = index->n_lost > 0;
    if (changed)
        trib_log_say(log, TRIB_LOG_ERROR,
                     "%s: %" PRIu64 " segments cannot be read; add the texts "
                     "again: those that are there are passed over",
                     index->folder, index->n_lost);
    for (size_t i = index->n; i-- > 0 && status == TRIB_OK;) {
        bool is_whole;
        status = check_segment(&index->segment[i], log, n_damaged, &is_whole, error);
        if (status != TRIB_OK || is_whole || !config) continue;
        status = make_anew(index, config, i, error);
        changed = true;
    }
    return status == TRIB_OK && changed ? trib_index_commit(index, error) : status;
}
