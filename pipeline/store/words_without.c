/* words_without.c - writes the words of a document again, without those that are left out. */
#include "pipeline/store/words.h"

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
