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

static uint64_t zigzag(int64_t difference) {
    return (uint64_t)difference << 1 ^ (difference < 0 ? UINT64_MAX : 0);
}

trib_status trib_words_begin(trib_words_writer *writer, trib_writer *out,
                             const trib_text_ranges *parts, trib_error *error) {
    writer->out = out;
    writer->parts = parts;
    writer->part = 0;
    trib_intern_clear(&writer->intern);
    trib_buffer_clear(&writer->blocks.bytes);
    writer->blocks.failure = (trib_error){0};
    writer->n_block = writer->n_in_block = 0;
    writer->end = writer->n_tokens = 0;
    return writer->block ? TRIB_OK
                         : trib_new(&writer->block, (size_t)TRIB_WORDS_BLOCK * TOKEN_MAX, 1,
                                    "a block of words", error);
}

/* Returns a failure of the disk, which also stops the reading, or of memory. */
static trib_status end_block(trib_words_writer *writer, trib_error *error) {
    trib_pack_varint(&writer->blocks, writer->n_block);
    trib_pack_u64(&writer->blocks, trib_checksum(writer->block, writer->n_block));
    trib_write(writer->out, writer->block, writer->n_block);
    writer->n_block = writer->n_in_block = 0;
    writer->end = 0;
    const trib_error *failure =
        writer->out->failure.status != TRIB_OK ? &writer->out->failure : &writer->blocks.failure;
    if (failure->status != TRIB_OK && error) *error = *failure;
    return failure->status;
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
        status = TRIB_GROW(&writer->count, &writer->count_cap, (size_t)id + 1,
                           "the counts of words", error);
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

/* Adds what stands after the words in the list, and the trailer. The blocks are as they were
 * written: bytes and checksum of each. */
static trib_status end_list(trib_pack *list, const void *blocks, size_t n_blocks, unsigned version,
                            const trib_words_about *about, trib_error *error) {
    trib_pack_array(list, blocks, n_blocks, 1);
    trib_pack_array(list, about, 1, sizeof *about);
    const uint64_t length = list->bytes.length;
    trib_pack_array(list, "TRIBWORD", 8, 1);
    trib_pack_u32(list, version);
    trib_pack_u32(list, TRIB_WORDS_BLOCK);
    trib_pack_u64(list, length);
    if (list->failure.status == TRIB_OK)
        trib_pack_u64(list, trib_checksum(list->bytes.text, list->bytes.length));
    if (list->failure.status != TRIB_OK && error) *error = list->failure;
    return list->failure.status;
}

trib_status trib_words_end(trib_words_writer *writer, const trib_words_about *about,
                           trib_error *error) {
    trib_pack list = {0};
    const trib_intern *words = &writer->intern;
    trib_status status = writer->n_in_block > 0 ? end_block(writer, error) : TRIB_OK;
    trib_pack_varint(&list, writer->n_tokens);
    trib_pack_varint(&list, words->n_words);
    for (uint32_t id = 0; id < words->n_words; id++) {
        const size_t length = words->start[id + 1] - words->start[id] - 1;
        trib_pack_varint(&list, length);
        trib_pack_array(&list, words->text + words->start[id], length, 1);
        trib_pack_varint(&list, writer->count[id]);
    }
    if (status == TRIB_OK)
        status = end_list(&list, writer->blocks.bytes.text, writer->blocks.bytes.length,
                          TRIB_WORDS_SPELT, about, error);
    if (status == TRIB_OK) trib_write(writer->out, list.bytes.text, list.bytes.length);
    trib_pack_release(&list);
    return status;
}

trib_status trib_words_number(const trib_words *words, const uint32_t *id, trib_buffer *file,
                              trib_error *error) {
    trib_pack list = {0};
    const uint64_t from = words->position[0];
    const size_t n = (size_t)(words->position[words->n_blocks] - from);
    trib_pack_varint(&list, words->n_tokens);
    trib_pack_varint(&list, words->n_words);
    for (uint32_t w = 0; w < words->n_words; w++) {
        trib_pack_varint(&list, id[w] == TRIB_NO_WORD ? 0 : (uint64_t)id[w] + 1);
        trib_pack_varint(&list, words->start[w + 1] - words->start[w] - 1);
        trib_pack_varint(&list, words->count[w]);
    }
    for (size_t b = 0; b < words->n_blocks; b++) {
        trib_pack_varint(&list, words->position[b + 1] - words->position[b]);
        trib_pack_u64(&list, words->checksum[b]);
    }
    trib_status status = end_list(&list, NULL, 0, TRIB_WORDS_NUMBERED, &words->about, error);
    if (status == TRIB_OK)
        status = trib_grow(&file->text, &file->cap, file->length + n + 1, 1, "the words of a text",
                           error);
    if (status == TRIB_OK && n > 0)
        status = trib_reader_at(words->reader, from, file->text + file->length, n, error);
    if (status == TRIB_OK) file->length += n;
    if (status == TRIB_OK)
        status = trib_buffer_add(file, list.bytes.text, list.bytes.length, error);
    trib_pack_release(&list);
    return status;
}

/* ---- Without some words ---------------------------------------------------------------------- */

static trib_status copy_blocks(const trib_words *words, const bool *left_out,
                               trib_words_writer *writer, trib_words_block *block,
                               trib_error *error) {
    bool after_break = false;
    trib_status status = TRIB_OK;
    for (uint64_t i = 0; i < words->n_tokens && status == TRIB_OK; i++) {
        status = trib_words_at(words, i, block, error);
        if (status != TRIB_OK) break;
        const size_t k = (size_t)(i - block->first);
        const uint32_t id = block->id[k];
        after_break = after_break || block->after_break[k];
        if (left_out[id]) continue;
        const trib_token token = {.text = trib_words_spelling(words, id),
                                  .length = words->start[id + 1] - words->start[id] - 1,
                                  .offset = block->offset[k],
                                  .n_bytes = block->length[k],
                                  .after_break = after_break};
        status = trib_words_add(writer, &token, error);
        after_break = false;
    }
    return status;
}

trib_status trib_words_without(const trib_words *words, const bool *left_out,
                               trib_words_writer *writer, trib_writer *out, uint64_t *n_left,
                               trib_error *error) {
    trib_words_block block = {0};
    trib_status status = trib_words_block_init(&block, error);
    if (status == TRIB_OK) status = trib_words_begin(writer, out, NULL, error);
    if (status == TRIB_OK) status = copy_blocks(words, left_out, writer, &block, error);
    trib_words_block_release(&block);
    *n_left = writer->n_tokens;
    return status == TRIB_OK ? trib_words_end(writer, &words->about, error) : status;
}

void trib_words_writer_release(trib_words_writer *writer) {
    trib_intern_release(&writer->intern);
    TRIB_FREE(writer->count, writer->block);
    trib_pack_release(&writer->blocks);
    *writer = (trib_words_writer){0};
}
