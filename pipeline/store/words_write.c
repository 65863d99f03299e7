/* words_write.c - writes the words of a document one by one; the layout is in words.h. */
#include "base/internal.h"
#include "pipeline/store/words.h"

#include <string.h>

enum { VARINT_MAX = 10, TOKEN_MAX = 3 * VARINT_MAX };

static size_t put_varint(uint8_t *at, uint64_t value) {
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) at[n++] = (uint8_t)(value | 0x80);
    at[n++] = (uint8_t)value;
    return n;
}

/* Writes the code of a word, usually one or two bytes. For codes below 2^14 it always writes two,
 * to avoid a branch; the return value says how many count. */
static inline size_t put_code(uint8_t *at, uint64_t code) {
    if (code >= 1 << 14) return put_varint(at, code);
    const bool more = code >= 0x80;
    at[0] = (uint8_t)((code & 0x7F) | (unsigned)more << 7);
    at[1] = (uint8_t)(code >> 7);
    return 1 + (size_t)more;
}

static uint8_t *put_fixed(uint8_t *at, uint64_t value, int size) {
    for (int i = 0; i < size; i++) *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static uint64_t zigzag(int64_t difference) {
    return (uint64_t)difference << 1 ^ (difference < 0 ? UINT64_MAX : 0);
}

static uint8_t *put_header(uint8_t *at, unsigned version) {
    memcpy(at, "TRIBWORD", 8);
    return put_fixed(put_fixed(at + 8, version, 4), TRIB_WORDS_BLOCK, 4);
}

trib_status trib_words_begin(trib_words_writer *writer, trib_writer *out,
                             const trib_text_ranges *parts, trib_error *error) {
    uint8_t header[TRIB_WORDS_HEADER];
    trib_status status = TRIB_OK;
    writer->out = out;
    writer->parts = parts;
    writer->part = 0;
    trib_intern_clear(&writer->intern);
    trib_buffer_clear(&writer->directory);
    writer->n_block = writer->n_in_block = 0;
    writer->end = writer->n_tokens = writer->n_bytes = 0;
    if (!writer->block)
        status = trib_new(&writer->block, (size_t)TRIB_WORDS_BLOCK * TOKEN_MAX, 1,
                          "a block of words", error);
    put_header(header, TRIB_WORDS_SPELT);
    if (status == TRIB_OK) trib_write(out, header, sizeof header);
    return status;
}

static trib_status end_block(trib_words_writer *writer, trib_error *error) {
    uint8_t entry[12];
    put_fixed(put_fixed(entry, writer->n_block, 4), trib_checksum(writer->block, writer->n_block),
              8);
    trib_write(writer->out, writer->block, writer->n_block);
    writer->n_bytes += writer->n_block;
    writer->n_block = writer->n_in_block = 0;
    writer->end = 0;
    if (writer->out->failure.status != TRIB_OK) { /* a full disk also stops the reading */
        if (error) *error = writer->out->failure;
        return writer->out->failure.status;
    }
    return trib_buffer_add(&writer->directory, (const char *)entry, sizeof entry, error);
}

/* Moves on to the part that contains a word, and returns whether an earlier part has the word
 * before it, so that something was cut between them. */
static bool begins_part(trib_words_writer *writer, uint64_t offset) {
    const trib_text_ranges *parts = writer->parts;
    const size_t before = writer->part;
    if (!parts) return false;
    while (writer->part + 1 < parts->n && parts->range[writer->part + 1].from <= offset)
        writer->part++;
    return writer->part > before && writer->n_tokens > 0;
}

trib_status trib_words_add(void *context, const trib_token *token, trib_error *error) {
    trib_words_writer *writer = context;
    const bool after_break = begins_part(writer, token->offset) || token->after_break;
    uint32_t id = 0;
    const uint32_t n_words = writer->intern.n_words;
    trib_status status = trib_intern_add(&writer->intern, token->text, token->length, &id, error);
    if (status == TRIB_OK && id == n_words) {
        status = trib_grow(&writer->count, &writer->count_cap, (size_t)id + 1,
                           sizeof *writer->count, "the counts of words", error);
        if (status == TRIB_OK) writer->count[id] = 0;
    }
    if (status != TRIB_OK) return status;
    writer->count[id]++;
    const uint64_t gap = token->offset - writer->end;
    uint8_t *const at = writer->block + writer->n_block;
    size_t n;
    if (gap == 1 && !after_break && token->n_bytes == token->length) {
        n = put_code(at, (uint64_t)id << 1);
    } else {
        n = put_code(at, (uint64_t)id << 1 | 1);
        n += put_varint(at + n, gap << 1 | after_break);
        n += put_varint(at + n, zigzag((int64_t)token->n_bytes - (int64_t)token->length));
    }
    writer->n_block += n;
    writer->end = token->offset + token->n_bytes;
    writer->n_tokens++;
    return ++writer->n_in_block == TRIB_WORDS_BLOCK ? end_block(writer, error) : TRIB_OK;
}

/* ---- After the blocks ------------------------------------------------------------------------ */

static trib_status add_varint(trib_buffer *to, uint64_t value, trib_error *error) {
    uint8_t bytes[VARINT_MAX];
    return trib_buffer_add(to, (const char *)bytes, put_varint(bytes, value), error);
}

static trib_status add_text(trib_buffer *to, const char *text, size_t length, trib_error *error) {
    const trib_status status = add_varint(to, length, error);
    return status == TRIB_OK ? trib_buffer_add(to, text, length, error) : status;
}

static trib_status list_words(const trib_words_writer *writer, trib_buffer *list,
                              trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t id = 0; id < writer->intern.n_words && status == TRIB_OK; id++) {
        const size_t start = writer->intern.start[id];
        status = add_text(list, writer->intern.text + start,
                          writer->intern.start[id + 1] - start - 1, error);
        if (status == TRIB_OK) status = add_varint(list, writer->count[id], error);
    }
    return status;
}

static trib_status list_about(const trib_words_about *about, trib_buffer *list, trib_error *error) {
    const uint64_t number[] = {
        about->counts.n_bytes,       about->counts.n_words,       about->counts.n_dropped_numbers,
        about->counts.n_replaced,    about->cuts.before.n_bytes,  about->cuts.before.n_lines,
        about->cuts.between.n_bytes, about->cuts.between.n_lines, about->cuts.after.n_bytes,
        about->cuts.after.n_lines,   about->cuts.n_texts,         about->remark_line};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof number / sizeof *number && status == TRIB_OK; i++)
        status = add_varint(list, number[i], error);
    if (status == TRIB_OK) status = add_text(list, about->encoding, strlen(about->encoding), error);
    if (status == TRIB_OK) status = add_text(list, about->remark, strlen(about->remark), error);
    return status;
}

/* The numbers of a trailer and the sections after the blocks. */
typedef struct ending {
    unsigned version;
    uint64_t n_tokens, n_bytes;
    uint32_t n_words;
    const trib_buffer *list, *directory;
    size_t n_about; /* bytes at the end of `directory` */
} ending;

static void put_trailer(uint8_t trailer[TRIB_WORDS_TRAILER], const ending *e) {
    uint8_t bytes[TRIB_WORDS_HEADER + TRIB_WORDS_TRAILER];
    uint8_t *at = put_header(bytes, e->version);
    at = put_fixed(at, e->n_tokens, 8);
    at = put_fixed(at, e->n_bytes, 8);
    at = put_fixed(at, e->list->length, 8);
    at = put_fixed(at, e->n_words, 4);
    at = put_fixed(at, e->n_about, 4);
    at = put_fixed(at, trib_checksum(e->list->text, e->list->length), 8);
    at = put_fixed(at, trib_checksum(e->directory->text, e->directory->length), 8);
    at = put_fixed(at, trib_checksum(bytes, (size_t)(at - bytes)), 8);
    memcpy(at, "TRIBWEND", 8);
    memcpy(trailer, bytes + TRIB_WORDS_HEADER, TRIB_WORDS_TRAILER);
}

trib_status trib_words_end(trib_words_writer *writer, const trib_words_about *about,
                           trib_error *error) {
    uint8_t trailer[TRIB_WORDS_TRAILER];
    trib_buffer list = {0}, *const directory = &writer->directory;
    trib_status status = writer->n_in_block > 0 ? end_block(writer, error) : TRIB_OK;
    const size_t n_directory = directory->length;
    if (status == TRIB_OK) status = list_words(writer, &list, error);
    if (status == TRIB_OK) status = list_about(about, directory, error);
    if (status != TRIB_OK) goto done;
    put_trailer(trailer, &(ending){TRIB_WORDS_SPELT, writer->n_tokens, writer->n_bytes,
                                   writer->intern.n_words, &list, directory,
                                   directory->length - n_directory});
    trib_write(writer->out, list.text, list.length);
    trib_write(writer->out, directory->text, directory->length);
    trib_write(writer->out, trailer, TRIB_WORDS_TRAILER);
done:
    trib_buffer_release(&list);
    return status;
}

/* ---- Numbered files -------------------------------------------------------------------------- */

static trib_status list_numbers(const trib_words *words, const uint32_t *id, trib_buffer *list,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t w = 0; w < words->n_words && status == TRIB_OK; w++) {
        uint8_t bytes[TOKEN_MAX];
        size_t n = put_varint(bytes, id[w] == TRIB_NO_WORD ? 0 : (uint64_t)id[w] + 1);
        n += put_varint(bytes + n, words->start[w + 1] - words->start[w] - 1);
        n += put_varint(bytes + n, words->count[w]);
        status = trib_buffer_add(list, (const char *)bytes, n, error);
    }
    return status;
}

static trib_status list_blocks(const trib_words *words, trib_buffer *directory, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t b = 0; b < words->n_blocks && status == TRIB_OK; b++) {
        uint8_t entry[12];
        put_fixed(put_fixed(entry, words->position[b + 1] - words->position[b], 4),
                  words->checksum[b], 8);
        status = trib_buffer_add(directory, (const char *)entry, sizeof entry, error);
    }
    return status;
}

/* Copies the blocks unchanged. */
static trib_status add_blocks(const trib_words *words, trib_buffer *file, trib_error *error) {
    const size_t n = (size_t)(words->position[words->n_blocks] - words->position[0]);
    trib_status status =
        trib_grow(&file->text, &file->cap, file->length + n + 1, 1, "the words of a text", error);
    if (status == TRIB_OK)
        status =
            trib_reader_at(words->reader, words->position[0], file->text + file->length, n, error);
    if (status == TRIB_OK) file->length += n;
    return status;
}

trib_status trib_words_number(const trib_words *words, const uint32_t *id, trib_buffer *file,
                              trib_error *error) {
    uint8_t header[TRIB_WORDS_HEADER], trailer[TRIB_WORDS_TRAILER];
    trib_buffer list = {0}, directory = {0};
    trib_status status = list_numbers(words, id, &list, error);
    if (status == TRIB_OK) status = list_blocks(words, &directory, error);
    const size_t n_directory = directory.length;
    if (status == TRIB_OK) status = list_about(&words->about, &directory, error);
    put_header(header, TRIB_WORDS_NUMBERED);
    if (status == TRIB_OK)
        status = trib_buffer_add(file, (const char *)header, sizeof header, error);
    if (status == TRIB_OK) status = add_blocks(words, file, error);
    if (status == TRIB_OK) status = trib_buffer_add(file, list.text, list.length, error);
    if (status == TRIB_OK) status = trib_buffer_add(file, directory.text, directory.length, error);
    if (status == TRIB_OK) {
        put_trailer(trailer,
                    &(ending){TRIB_WORDS_NUMBERED, words->n_tokens,
                              words->position[words->n_blocks] - words->position[0], words->n_words,
                              &list, &directory, directory.length - n_directory});
        status = trib_buffer_add(file, (const char *)trailer, sizeof trailer, error);
    }
    trib_buffer_release(&list);
    trib_buffer_release(&directory);
    return status;
}

void trib_words_writer_release(trib_words_writer *writer) {
    trib_intern_release(&writer->intern);
    trib_free(writer->count);
    trib_free(writer->block);
    trib_buffer_release(&writer->directory);
    *writer = (trib_words_writer){0};
}
